//! The groups that an element belongs to.

use super::rates::Mapping;
use crate::elements::{label_of, name_of};
use crate::fields::{Field, Reading};
use crate::schedule::{Places, cell_of};
use contract::Fault;
use ifc::Id;

/// The word for what an element does not have.
pub(super) const NONE: &str = "(none)";

/// A way to group elements.
pub(super) enum By {
    Class,
    Type,
    Level,
    Room,
    Material,
    Classification,
    Field(Field),
}

impl By {
    pub(super) fn parse(name: &str, position: &str) -> Result<Self, Fault> {
        Ok(match name.trim() {
            "class" => Self::Class,
            "type" => Self::Type,
            "level" | "storey" => Self::Level,
            "room" | "space" => Self::Room,
            "material" => Self::Material,
            "classification" => Self::Classification,
            other => Self::Field(Field::parse(other, position)?),
        })
    }

    pub(super) fn field(&self) -> Option<&Field> {
        match self {
            Self::Field(field) => Some(field),
            _ => None,
        }
    }
}

/// A share of an element that falls to one group.
pub(super) struct Share {
    pub keys: Vec<String>,
    /// The share in its volume; none where that is not known.
    pub volume: Option<f64>,
    /// True of one of several parts: only areas and volumes are said of it.
    pub is_part: bool,
}

/// The groups of an element: one, or one for each material.
pub(super) fn shares(
    reading: &Reading<'_>,
    places: &Places<'_, '_>,
    mapping: Option<&Mapping>,
    by: &[By],
    id: Id,
) -> Vec<Share> {
    let materials = by.iter().any(|by| matches!(by, By::Material)).then(|| materials(reading, id));
    let keys = |material: Option<&str>| -> Vec<String> {
        by.iter().map(|by| key(reading, places, mapping, by, id, material)).collect()
    };
    match materials {
        None => vec![Share { keys: keys(None), volume: Some(1.0), is_part: false }],
        Some(parts) => {
            let is_part = parts.len() > 1;
            let share =
                |(name, volume): (String, Option<f64>)| Share { keys: keys(Some(&name)), volume, is_part };
            parts.into_iter().map(share).collect()
        }
    }
}

fn key(
    reading: &Reading<'_>,
    places: &Places<'_, '_>,
    mapping: Option<&Mapping>,
    by: &By,
    id: Id,
    material: Option<&str>,
) -> String {
    let model = reading.model();
    let links = &reading.links;
    let words = match by {
        By::Class => model.get(id).map_or(String::new(), |instance| instance.class_name().to_owned()),
        By::Type => links.type_of(id).map(|of_type| label_of(model, of_type)).unwrap_or_default(),
        By::Level => {
            links.ancestor(id, "IfcBuildingStorey").map(|storey| label_of(model, storey)).unwrap_or_default()
        }
        By::Room => places.rooms(id),
        By::Material => material.unwrap_or_default().to_owned(),
        By::Classification => classification(reading, mapping, id, material),
        By::Field(field) => cell_of(model, &field.value(reading, id)).words(),
    };
    if words.is_empty() { NONE.to_owned() } else { words }
}

/// The code of an element: by the caller's table, else by the file.
fn classification(
    reading: &Reading<'_>,
    mapping: Option<&Mapping>,
    id: Id,
    material: Option<&str>,
) -> String {
    if let Some(code) = mapping.and_then(|mapping| mapping.code(reading, id, material)) {
        return code.to_owned();
    }
    let model = reading.model();
    let code = |reference: Id| {
        let instance = model.get(reference)?;
        let attribute = ["Identification", "ItemReference"].into_iter().find_map(|name| instance.text(name));
        attribute.filter(|code| !code.trim().is_empty()).or_else(|| name_of(model, reference))
    };
    let codes: Vec<String> = reading.links.classifications_of(id).into_iter().filter_map(code).collect();
    codes.join(", ")
}

/// The materials of an element, each with its share in the volume: of layers by thickness, of constituents as they say; nothing of lists.
fn materials(reading: &Reading<'_>, id: Id) -> Vec<(String, Option<f64>)> {
    let model = reading.model();
    let Some(made) = reading.links.composition_of(id) else { return vec![(NONE.to_owned(), Some(1.0))] };
    let name = |part: &ifc::relations::Part| match part.material {
        Some(material) => label_of(model, material),
        None => "air".to_owned(),
    };
    let total: f64 = made.parts.iter().filter_map(|part| part.thickness).sum();
    let mut found: Vec<(String, Option<f64>)> = Vec::new();
    for part in &made.parts {
        let share = match (part.thickness, part.fraction) {
            (Some(thickness), _) if total > 0.0 => Some(thickness / total),
            (_, Some(fraction)) => Some(fraction),
            _ if made.parts.len() == 1 => Some(1.0),
            _ => None,
        };
        let name = name(part);
        // two layers of one material are one of both
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = known.zip(share).map(|(a, b)| a + b),
            None => found.push((name, share)),
        }
    }
    if found.is_empty() { vec![(label_of(model, made.material), Some(1.0))] } else { found }
}
