//! What the tools that arrange elements and keep the library have in common: how elements are chosen and told.

use crate::modelling::Point;
use crate::selecting;
use building::arranging::turns::Vector;
use building::measures::{finite, mm};
use building::storey::above_storey;
use building::{Author, categories, lookup};
use contract::Fault;
use ifc::Id;
use schemars::JsonSchema;
use serde::Serialize;

/// The most elements that an answer lists.
pub(crate) const LISTED: usize = 200;

/// An element as it stands.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Standing {
    /// GlobalId.
    id: String,
    /// Class.
    class: String,
    /// Name.
    name: String,
    /// Origin of its placement: world x and y, z above its storey, in mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<[f64; 3]>,
}

/// Tells of an element.
pub(crate) fn standing(author: &Author, id: Id) -> Standing {
    let placed = author.placement_of(id).and_then(|_| author.frame(id).ok());
    Standing {
        id: lookup::guid(author.edit, id),
        class: author.edit.get(id).map(|e| e.class_name().to_owned()).unwrap_or_default(),
        name: lookup::label(author.edit, id),
        position: placed.map(|frame| above_storey(author, id, frame.translation).to_array().map(mm)),
    }
}

/// Tells of elements, the first of them where they are many.
pub(crate) fn all_standing(author: &Author, ids: &[Id]) -> Vec<Standing> {
    ids.iter().take(LISTED).map(|id| standing(author, *id)).collect()
}

/// The elements that texts mean: ids, names, categories such as `doors`, or selectors such as `IfcDoor, Name=/D.*/`.
pub(crate) fn chosen(author: &Author, field: &str, texts: &[String]) -> Result<Vec<Id>, Fault> {
    chosen_of(author, field, texts, "IfcProduct", "an element of the building")
}

/// The same among all objects, groups and storeys with them.
pub(crate) fn chosen_objects(author: &Author, field: &str, texts: &[String]) -> Result<Vec<Id>, Fault> {
    chosen_of(author, field, texts, "IfcObject", "an object")
}

/// The same among all objects and types.
pub(crate) fn chosen_with_types(author: &Author, field: &str, texts: &[String]) -> Result<Vec<Id>, Fault> {
    chosen_of(author, field, texts, "IfcObjectDefinition", "an element or a type")
}

fn chosen_of(
    author: &Author,
    field: &str,
    texts: &[String],
    class: &str,
    noun: &str,
) -> Result<Vec<Id>, Fault> {
    if texts.is_empty() {
        return Err(Fault::invalid(field, format!("`{field}` is empty; give at least one id or name.")));
    }
    let mut ids: Vec<Id> = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let field = format!("{field}[{i}]");
        if text.trim_start().starts_with('#') {
            ids.push(crate::find(author.edit, text).map_err(|fault| fault.with("field", field))?);
            continue;
        }
        let found = match lookup::element(author.edit, &field, text, &[class], noun) {
            Ok(one) => vec![one],
            Err(fault) => {
                let many = categories::classes(text.trim()).is_some() || text.trim_start().starts_with("Ifc");
                if !many {
                    return Err(fault);
                }
                let mut found = selecting::choose(author.edit, &field, std::slice::from_ref(text))?;
                found.retain(|id| author.edit.get(*id).is_some_and(|e| e.is_a(class)));
                if found.is_empty() {
                    return Err(Fault::invalid(&field, format!("`{field}`: {text} is not {noun}.")));
                }
                found
            }
        };
        ids.extend(found);
    }
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    Ok(ids)
}

/// A vector `[dx, dy]` or `[dx, dy, dz]` in mm.
pub(crate) fn vector(field: &str, numbers: &Point) -> Result<Vector, Fault> {
    let [x, y, z] = match numbers[..] {
        [x, y] => [x, y, 0.0],
        [x, y, z] => [x, y, z],
        _ => return Err(Fault::invalid(field, format!("`{field}` must be [dx, dy] or [dx, dy, dz] in mm."))),
    };
    Ok(Vector::new(
        finite(&format!("{field}[0]"), x)?,
        finite(&format!("{field}[1]"), y)?,
        finite(&format!("{field}[2]"), z)?,
    ))
}

/// An element or type with its type and what it is made of.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Dressed {
    /// GlobalId.
    id: String,
    /// Class.
    class: String,
    /// Name.
    name: String,
    /// Name of its type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    of_type: Option<String>,
    /// Its make-up, layer by layer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    materials: Vec<MaterialPart>,
}

/// A material, and its thickness where it is a layer.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MaterialPart {
    /// Name.
    material: String,
    /// mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    thickness: Option<f64>,
}

/// Tells of elements with their types and materials, of the first where they are many.
pub(crate) fn all_dressed(author: &Author, ids: &[Id]) -> Vec<Dressed> {
    let links = ifc::relations::Links::of_one(author.edit);
    let told = |id: &Id| {
        let parts = links.composition_of(*id).map(|composition| composition.parts).unwrap_or_default();
        Dressed {
            id: lookup::guid(author.edit, *id),
            class: author.edit.get(*id).map(|e| e.class_name().to_owned()).unwrap_or_default(),
            name: lookup::label(author.edit, *id),
            of_type: links.type_of(*id).filter(|t| t != id).map(|t| lookup::label(author.edit, t)),
            materials: parts
                .into_iter()
                .map(|part| MaterialPart {
                    material: part
                        .material
                        .map_or_else(|| "Air".to_owned(), |m| lookup::label(author.edit, m)),
                    thickness: part.thickness.map(|thickness| mm(author.units().to_mm(thickness))),
                })
                .collect(),
        }
    };
    ids.iter().take(LISTED).map(told).collect()
}
