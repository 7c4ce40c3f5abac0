//! Places as agents name them to the spatial tools: an element by id or name, or a point in mm; and their bodies.

use crate::IfcCall;
use crate::elements::number_json;
use crate::opened::with_shape;
use contract::{Fault, FaultCode};
use geometry::Mesh;
use geometry::query::{Element, Index};
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use spatial::{Room, Rooms};
use std::collections::HashSet;
use std::sync::Arc;

/// An element or a point.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum PlaceInput {
    /// [x, y] or [x, y, z] in mm.
    Point(Vec<f64>),
    /// Id, or a name that one element bears.
    Element(String),
}

/// Returns a point that an agent gave in mm, in metres; without z it has the height given, in metres.
pub(crate) fn point(field: &str, given: &[f64], height: f64) -> Result<DVec3, Fault> {
    let sound = given.iter().all(|v| v.is_finite() && v.abs() < 1e10);
    match *given {
        [x, y] if sound => Ok(DVec3::new(x / 1000.0, y / 1000.0, height)),
        [x, y, z] if sound => Ok(DVec3::new(x, y, z) / 1000.0),
        _ => Err(Fault::invalid(field, format!("`{field}` is a point: [x, y] or [x, y, z] in mm."))),
    }
}

/// The element meant by an id, a number `#12`, or a name that only one bears.
pub(crate) fn element(model: &Model, field: &str, text: &str) -> Result<Id, Fault> {
    if text.trim().starts_with('#') {
        return crate::find(model, text).map_err(|fault| fault.with("field", field));
    }
    building::lookup::product(model, field, text)
}

/// The body of an element: its own or, of one without, those of its parts together.
pub(crate) fn body(call: &IfcCall, field: &str, index: &Index, id: Id) -> Result<Arc<Element>, Fault> {
    if let Some(own) = index.get(id) {
        return Ok(Arc::clone(own));
    }
    let scene = call.scene()?;
    let parts = with_shape(&scene, &Links::of_many(scene.model()), &[id]);
    let mut mesh = Mesh::default();
    let mut parts: Vec<Id> = parts.into_iter().collect();
    parts.sort_unstable();
    for part in parts.iter().filter_map(|part| index.get(*part)) {
        mesh.append(part.mesh());
    }
    if mesh.triangles.is_empty() {
        let name = crate::label_of(scene.model(), id);
        let problem = format!("`{field}`: {name} has no shape, and none of its parts has one.");
        return Err(Fault::constraint(problem)
            .with("field", field)
            .with("element_id", crate::id_of(scene.model(), id)));
    }
    Ok(Arc::new(Element::new(id, mesh)))
}

/// An element with its parts, its openings and what is in them: what is not told of it as something else.
pub(crate) fn own_parts(model: &Model, id: Id) -> HashSet<Id> {
    let mut own: HashSet<Id> = Links::of_one(model).decomposition(id).into_iter().collect();
    own.insert(id);
    own
}

/// A length in metres as mm, to a thousandth.
pub(crate) fn mm(metres: f64) -> Value {
    number_json((metres * 1e6).round() / 1e3)
}

/// A point in metres as mm.
pub(crate) fn mm_point(p: DVec3) -> [Value; 3] {
    p.to_array().map(mm)
}

/// A number to a millionth.
pub(crate) fn rounded(value: f64) -> Value {
    number_json((value * 1e6).round() / 1e6)
}

/// The rooms of the model as the call left it by now.
pub(crate) fn rooms(call: &IfcCall) -> Result<Rooms, Fault> {
    Ok(Rooms::from_scene(call.scene()?.as_ref()))
}

/// The room meant by an id, a name, a long name or both together, as its place in the list; a Fault with near names where there is none
/// or more than one.
pub(crate) fn room(rooms: &Rooms, field: &str, text: &str) -> Result<usize, Fault> {
    let wanted = text.trim();
    let names = |room: &Room| [room.id.clone(), room.name.clone(), room.long_name.clone(), room.label()];
    let matching = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let fits = |(_, room): &(usize, &Room)| names(room).iter().any(|name| !name.is_empty() && is(name));
        rooms.rooms.iter().enumerate().filter(fits).map(|(number, _)| number).collect()
    };
    let mut found = matching(&|name| name == wanted);
    if found.is_empty() {
        found = matching(&|name| name.eq_ignore_ascii_case(wanted));
    }
    let listed = |numbers: &mut dyn Iterator<Item = &Room>| -> Vec<Value> {
        numbers.take(12).map(|room| json!({ "id": room.id, "name": room.label() })).collect()
    };
    match found.as_slice() {
        [one] => Ok(*one),
        [] if rooms.rooms.is_empty() => Err(Fault::constraint(
            "This model has no rooms: no IfcSpace with a body, and none was found between walls. Make some with create_rooms or create_space.",
        )
        .with("field", field)),
        [] => {
            let all: Vec<String> = rooms.rooms.iter().flat_map(names).collect();
            let near = crate::near_matches(wanted, all.iter().map(String::as_str));
            let hint = near.first().map_or_else(String::new, |near| format!(" Did you mean {near}?"));
            let problem = format!("`{field}`: there is no room {wanted} in this model.{hint}");
            let candidates = listed(&mut rooms.rooms.iter());
            Err(Fault::new(FaultCode::ElementNotFound, problem)
                .with("field", field)
                .with("near_matches", near)
                .with("rooms", candidates))
        }
        several => {
            let problem = format!("{} rooms are called {wanted}; give `{field}` as one of their ids.", several.len());
            let candidates = listed(&mut several.iter().filter_map(|number| rooms.rooms.get(*number)));
            Err(Fault::invalid(field, problem).with("candidates", candidates))
        }
    }
}
