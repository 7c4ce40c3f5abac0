//! Places as agents name them to the spatial tools: an element by id or name, or a point in mm; and their bodies.

use crate::IfcCall;
use crate::elements::number_json;
use crate::opened::with_shape;
use contract::Fault;
use geometry::Mesh;
use geometry::query::{Element, Index};
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// An element or a point.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected an id or a name, or a point as a list of mm")]
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

/// The same, where a room is also meant by its long name or by name and long name together.
pub(crate) fn element_or_room(call: &IfcCall, field: &str, text: &str) -> Result<Id, Fault> {
    let fault = match element(call.edit.model(), field, text) {
        Ok(id) => return Ok(id),
        Err(fault) => fault,
    };
    let layout = call.layout()?;
    let room = layout.rooms.find(field, text).ok().and_then(|number| layout.rooms.rooms.get(number));
    room.and_then(spatial::Room::space).ok_or(fault)
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
