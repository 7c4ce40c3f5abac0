//! Distances, heights, contacts and angles between two places.

use crate::places::{PlaceInput, body, element_or_room, mm, mm_point, own_parts, point, rounded};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use geometry::query::{Index, Ray, contact};
use glam::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use spatial::queries::{self, Form, Measured, Place, Standing};

/// Faces no farther apart than this, in metres, touch.
const TOUCH: f64 = 1e-4;

/// The measure that is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Least distance in space.
    #[default]
    Shortest,
    /// Between the middles of the boxes.
    Centre,
    /// Least distance in plan.
    Horizontal,
    /// Height between them.
    Vertical,
    /// From the middle of `from` along `direction` to the first face of `to`.
    Ray,
    /// Area of faces that lie on each other.
    Contact,
    /// Between planes of flat, axes of long elements.
    Angle,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Element (id, unique name) or point in mm, z from the model's zero.
    from: PlaceInput,
    to: PlaceInput,
    #[serde(default)]
    kind: Kind,
    /// [x, y, z], for kind ray.
    direction: Option<[f64; 3]>,
    /// mm by which faces may be apart, for kind contact.
    #[schemars(extend("default" = 1, "minimum" = 0, "maximum" = 1000, "x-seldom" = true))]
    gap: Option<f64>,
}

/// The measure.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    /// mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Value>,
    /// m², for kind contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<Value>,
    /// Degrees, for kind angle.
    #[serde(skip_serializing_if = "Option::is_none")]
    angle: Option<Value>,
    /// The ends, that of `from` first, in mm; of a contact the middle of its largest patch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    points: Vec<[Value; 3]>,
    /// `apart`, `touching`, `overlapping`, `same`, `inside` (from in to), `contains`.
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'static str>,
    /// mm by which they go into each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<Value>,
    /// Elements that the ray goes through before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    through: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("measure", Effect::Query, run)
        .description("Measures between two elements or points: distance, height, contact area or angle.")
        .example("Least distance", json!({ "from": "Wall 1", "to": "Wall 3" }))
        .example(
            "From a point upwards to the slab above",
            json!({ "from": [4500, 3500, 1000], "to": "Wall 1", "kind": "ray", "direction": [0, -1, 0] }),
        )
        .example("Area of contact", json!({ "from": "Wall 1", "to": "Wall 2", "kind": "contact" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    check(&input)?;
    let index = call.index()?;
    let from = place(call, "from", &index, &input.from)?;
    let to = place(call, "to", &index, &input.to)?;
    match input.kind {
        Kind::Ray => ray(call, &index, &input, &from, &to),
        Kind::Contact => in_contact(&from, &to, input.gap),
        Kind::Angle => angle(&from, &to),
        Kind::Centre => Ok(distance(queries::centre(&from, &to))),
        Kind::Horizontal => queries::horizontal(&from, &to).map(distance).ok_or_else(no_triangles),
        Kind::Vertical => queries::vertical(&from, &to).map(distance).ok_or_else(no_triangles),
        Kind::Shortest => {
            let found = queries::shortest(&from, &to).ok_or_else(no_triangles)?;
            let (relation, depth) = match queries::standing(&from, &to, TOUCH) {
                Standing::Apart => ("apart", None),
                Standing::Touching(_) => ("touching", None),
                Standing::Overlapping(depth) => ("overlapping", Some(mm(depth))),
                Standing::Same => ("same", None),
                Standing::Inside => ("inside", None),
                Standing::Contains => ("contains", None),
            };
            Ok(Output { relation: Some(relation), depth, ..distance(found) })
        }
    }
}

/// Refuses what goes only with another kind.
fn check(input: &Input) -> Result<(), Fault> {
    if input.direction.is_some() && input.kind != Kind::Ray {
        return Err(Fault::invalid("direction", "`direction` goes with kind=ray."));
    }
    if input.direction.is_none() && input.kind == Kind::Ray {
        let problem = "kind=ray needs `direction`: [x, y, z], such as [0, 0, 1] for upwards.";
        return Err(Fault::invalid("direction", problem));
    }
    if input.gap.is_some() && input.kind != Kind::Contact {
        return Err(Fault::invalid("gap", "`gap` goes with kind=contact."));
    }
    Ok(())
}

fn place(call: &IfcCall, field: &str, index: &Index, given: &PlaceInput) -> Result<Place, Fault> {
    match given {
        PlaceInput::Point(given) if given.len() == 3 => Ok(Place::Point(point(field, given, 0.0)?)),
        PlaceInput::Point(_) => {
            Err(Fault::invalid(field, format!("`{field}` is a point in space: [x, y, z] in mm.")))
        }
        PlaceInput::Element(text) => {
            let id = element_or_room(call, field, text)?;
            Ok(Place::Body(body(call, field, index, id)?))
        }
    }
}

fn no_triangles() -> Fault {
    Fault::constraint("One of the two has no surface to measure from.")
}

fn distance(found: Measured) -> Output {
    let points = found.points.map(mm_point).to_vec();
    Output { distance: Some(mm(found.metres)), points, ..Output::default() }
}

fn ray(call: &IfcCall, index: &Index, input: &Input, from: &Place, to: &Place) -> Result<Output, Fault> {
    let Place::Body(target) = to else {
        return Err(Fault::invalid("to", "kind=ray meets a surface: give an element as `to`."));
    };
    let origin = from.middle();
    let direction = DVec3::from(input.direction.unwrap_or_default());
    let Some(ray) = Ray::new(origin, direction) else {
        return Err(Fault::invalid("direction", "`direction` has no length; give [x, y, z]."));
    };
    let Some(hit) = target.first_hit(&ray) else {
        let met = index.hits(&ray).into_iter().find(|hit| is_other(call, from, hit.element));
        let hint = met.map_or_else(
            || "It meets nothing.".to_owned(),
            |hit| format!("It first meets {}.", crate::label_of(call.edit.model(), hit.element)),
        );
        let problem = format!("The ray from {} does not meet `to`. {hint}", words(origin));
        return Err(Fault::constraint(problem).with("field", "direction"));
    };
    let mut through = Vec::new();
    let before = index.hits(&ray.up_to(hit.distance));
    let model = call.edit.model();
    let own = own_parts(model, target.id());
    for one in before.iter().filter(|h| is_other(call, from, h.element) && !own.contains(&h.element)) {
        let brief = Value::from(crate::elements::brief(model, one.element));
        if !through.contains(&brief) {
            through.push(brief);
        }
    }
    Ok(Output { through, ..distance(Measured { metres: hit.distance, points: [origin, hit.point] }) })
}

/// True of an element that is not the one that the ray begins in, nor a room.
fn is_other(call: &IfcCall, from: &Place, id: ifc::Id) -> bool {
    let is_space = call.edit.model().get(id).is_some_and(|i| i.is_a("IfcSpace"));
    let is_own = matches!(from, Place::Body(body) if body.id() == id);
    !is_space && !is_own
}

fn words(p: DVec3) -> String {
    let [x, y, z] = mm_point(p);
    format!("[{x}, {y}, {z}]")
}

fn in_contact(from: &Place, to: &Place, gap: Option<f64>) -> Result<Output, Fault> {
    let (Place::Body(a), Place::Body(b)) = (from, to) else {
        return Err(Fault::invalid("kind", "kind=contact is of two elements; a point has no faces."));
    };
    let gap = crate::input::bounded("gap", gap, 1.0, [0.0, 1000.0])? / 1000.0;
    let found = contact(a, b, gap.max(TOUCH));
    let points = found.middle().map(mm_point).into_iter().collect();
    let mut notes = Vec::new();
    if found.patches.is_empty() {
        let apart = queries::shortest(from, to).map(|found| mm(found.metres));
        notes.push(match apart {
            Some(apart) if apart != json!(0) => {
                format!("They are {apart} mm apart; `gap` is the most that counts.")
            }
            _ => "They meet, but no face of one lies on a face of the other.".to_owned(),
        });
    }
    Ok(Output { area: Some(rounded(found.area())), points, notes, ..Output::default() })
}

fn angle(from: &Place, to: &Place) -> Result<Output, Fault> {
    let line = |field: &str, place: &Place| {
        let Place::Body(body) = place else {
            return Err(Fault::invalid(field, "kind=angle is of two elements; a point has no direction."));
        };
        queries::line(body).ok_or_else(|| {
            let problem = format!("`{field}` is neither flat nor long, so that it has no direction.");
            Fault::constraint(problem).with("field", field)
        })
    };
    let (a, b) = (line("from", from)?, line("to", to)?);
    let word = |form: Form| if form == Form::Flat { "plane" } else { "axis" };
    let note = format!("Between the {} of `from` and the {} of `to`.", word(a.form), word(b.form));
    Ok(Output { angle: Some(rounded(queries::angle(a, b))), notes: vec![note], ..Output::default() })
}
