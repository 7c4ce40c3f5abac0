//! The description of an element's shape: what it measures, and the parameters that it was made with.

use crate::elements::number_json;
use geometry::parameters::{self, Answer, Axis, Parameters};
use geometry::{Bounds, Shaper};
use ifc::{Id, Model};
use serde_json::{Map, Value as Json, json};

/// Volume (m³) and surface (m²) of the shape with its openings taken out and what they stand on, or why there are none, and its parameters (mm) as far as they
/// can be read from its representation; notes where something is missing. Empty for an element without a
/// representation.
pub fn shape_json(model: &Model, id: Id) -> Map<String, Json> {
    let mut map = Map::new();
    let shaper = Shaper::plain(model);
    let shape = match shaper.element(id) {
        Ok(shape) => shape,
        Err(reason) => {
            if model.get(id).is_some_and(|element| element.reference("Representation").is_some()) {
                map.insert("note".into(), reason.to_string().into());
            }
            return map;
        }
    };
    if shape.is_box {
        map.insert("is_box".into(), true.into());
    }
    match geometry::measured(&shaper, id) {
        Ok(found) => {
            map.insert("volume_m3".into(), number_json(rounded(found.volume)));
            map.insert("surface_m2".into(), number_json(rounded(found.surface)));
            map.insert(
                "measured".into(),
                format!("computed, openings taken out; {}", found.basis.as_str()).into(),
            );
        }
        Err(why) => {
            map.insert("measured".into(), why.to_string().into());
        }
    }
    if let Some(note) = shape.notes.first() {
        map.insert("note".into(), note.to_string().into());
    }
    if let Ok(Some(found)) = parameters::read(&shaper, id) {
        let known = known(&found);
        if !known.is_empty() {
            map.insert("parameters".into(), known.into());
        }
    }
    map
}

/// To a millionth.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// A length in metres as millimetres.
fn mm(metres: f64) -> Json {
    number_json(rounded(metres * 1000.0))
}

/// A point in metres as millimetres.
fn point(p: impl Into<[f64; 3]>) -> Json {
    p.into().map(mm).to_vec().into()
}

fn known(found: &Parameters) -> Map<String, Json> {
    let mut map = Map::new();
    let mut length = |name: &str, answer: &Answer<f64>| {
        if let Some(value) = answer.value() {
            map.insert(name.into(), mm(*value));
        }
    };
    match found {
        Parameters::Wall(wall) => {
            length("height", &wall.height);
            length("thickness", &wall.thickness);
            length("base", &wall.base);
            length("top", &wall.top);
            if let Some(axis) = wall.axis.value() {
                map.insert("length".into(), mm(axis.length()));
                match axis {
                    Axis::Line { start, end } => {
                        map.insert("start".into(), point(*start));
                        map.insert("end".into(), point(*end));
                    }
                    Axis::Arc { start, middle, end, radius, .. } => {
                        map.insert("arc".into(), [*start, *middle, *end].map(point).to_vec().into());
                        map.insert("radius".into(), mm(*radius));
                    }
                    Axis::Chain(points) => {
                        map.insert("points".into(), points.iter().copied().map(point).collect());
                    }
                }
            }
        }
        Parameters::Slab(slab) => {
            length("thickness", &slab.thickness);
            length("base", &slab.base);
            length("top", &slab.top);
        }
        Parameters::Member(member) => {
            length("length", &member.length);
            if let Some([start, end]) = member.axis.value() {
                map.insert("start".into(), point(*start));
                map.insert("end".into(), point(*end));
            }
            if let Some(profile) = member.profile.value() {
                let sizes: Map<String, Json> =
                    profile.dimensions.iter().map(|(name, value)| (name.clone(), mm(*value))).collect();
                map.insert(
                    "profile".into(),
                    json!({"class": profile.class, "name": profile.name, "dimensions": sizes}),
                );
            }
        }
        Parameters::Opening(opening) => {
            length("along", &opening.along);
            length("sill", &opening.sill);
            length("width", &opening.width);
            length("height", &opening.height);
            // the point that `create_opening` takes
            if let Some(outlines) = opening.footprint.value() {
                let middle = Bounds::from_points(outlines.iter().flatten().flatten().copied()).centre();
                map.insert("position".into(), [middle.x, middle.y].map(mm).to_vec().into());
            }
        }
        Parameters::Space(space) => {
            length("height", &space.height);
            length("base", &space.base);
        }
    }
    map
}
