//! Priorities of the layers of walls, from 0 to 100: of two layers that meet where walls are joined, the one with the higher
//! priority runs through, and the other stops at it.
//!
//! A layer's own `Priority` counts; in IFC2X3, which has none, the one that its type remembers. Where nobody gave one, the layer's
//! function says it; without functions those are told by the words of the materials, and the thickest that is neither insulation
//! nor air is the core.

use crate::author::{Author, refused};
use crate::host::Wall;
use crate::kinds::Layer;
use contract::Fault;
use ifc::{Id, Model, Value, relations};

/// The core of a wall that bears.
const CORE: u8 = 80;
/// The core of a wall that bears nothing, and any other function.
const OTHER: u8 = 60;
/// Insulation and air.
const INSULATION: u8 = 40;
/// Finishes.
const FINISH: u8 = 20;

/// The property set of a type in IFC2X3 that remembers priorities, and its property.
const REMEMBERED: (&str, &str) = ("Pensaer_WallLayers", "LayerPriorities");

const INSULATING: [&str; 14] = [
    "insul",
    "wool",
    "eps",
    "xps",
    "polystyrene",
    "pir",
    "pur",
    "foam",
    "cork",
    "air",
    "cavity",
    "fibre board",
    "cellulose",
    "perlite",
];
const FINISHING: [&str; 14] = [
    "plaster",
    "render",
    "gypsum",
    "stucco",
    "paint",
    "tile",
    "cladding",
    "siding",
    "veneer",
    "facing",
    "panel",
    "finish",
    "board",
    "wallpaper",
];

/// A layer across a wall: the y of its faces and its priority.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strip {
    /// The y of its right face, in mm.
    pub right: f64,
    /// The y of its left face.
    pub left: f64,
    /// Its priority.
    pub priority: u8,
}

/// The category that a function stands for, as the standard's examples have them.
pub fn category(function: &str) -> &str {
    match function.trim().to_lowercase().as_str() {
        "core" | "structure" | "structural" | "loadbearing" | "load-bearing" => "LoadBearing",
        "insulation" => "Insulation",
        "finish" => "Finish",
        _ => function.trim(),
    }
}

/// Reads a priority that was given.
pub fn checked(field: &str, priority: Option<i64>) -> Result<Option<u8>, Fault> {
    match priority.map(u8::try_from) {
        None => Ok(None),
        Some(Ok(priority)) if priority <= 100 => Ok(Some(priority)),
        Some(_) => {
            let given = priority.unwrap_or_default();
            Err(Fault::invalid(
                field,
                format!("`{field}` is from 0 to 100, the higher runs through; {given} given."),
            ))
        }
    }
}

fn has_word(material: &str, words: &[&str]) -> bool {
    let material = material.to_lowercase();
    let starts = |word: &str| {
        material.match_indices(word).any(|(at, _)| !material[..at].ends_with(char::is_alphabetic))
    };
    words.iter().any(|word| starts(word))
}

/// The priorities of layers of a wall that bears or does not, by their own priorities, functions, and else materials.
pub fn ruled(layers: &[Layer], bears: bool) -> Vec<u8> {
    let core = if bears { CORE } else { OTHER };
    let is_told = layers.iter().any(|layer| layer.function.is_some() || layer.priority.is_some());
    let soft = |layer: &Layer| has_word(&layer.material, &INSULATING);
    let thickest = layers
        .iter()
        .enumerate()
        .filter(|(_, layer)| !soft(layer) || layers.len() == 1)
        .max_by(|a, b| a.1.thickness.total_cmp(&b.1.thickness).then(b.0.cmp(&a.0)))
        .map(|(i, _)| i);
    let by_material = |i: usize, layer: &Layer| {
        if !is_told && thickest == Some(i) {
            core
        } else if soft(layer) {
            INSULATION
        } else if has_word(&layer.material, &FINISHING) {
            FINISH
        } else {
            OTHER
        }
    };
    layers
        .iter()
        .enumerate()
        .map(|(i, layer)| match (layer.priority, layer.function.as_deref().map(category)) {
            (Some(priority), _) => priority,
            (None, Some("LoadBearing")) => core,
            (None, Some("Insulation" | "Air")) => INSULATION,
            (None, Some("Finish")) => FINISH,
            (None, Some(_)) => OTHER,
            (None, None) => by_material(i, layer),
        })
        .collect()
}

/// The layers with a priority for each, where anything is said of their functions or priorities.
pub fn filled(layers: &[Layer], bears: bool) -> Vec<Layer> {
    let mut filled = layers.to_vec();
    if layers.iter().any(|layer| layer.function.is_some() || layer.priority.is_some()) {
        give(&mut filled, Some(&ruled(layers, bears)));
    }
    filled
}

/// The set of layers of a wall, and whether they lie from its left face to its right.
fn set_of(author: &Author, wall: Id) -> Option<(Id, bool)> {
    let links = relations::Links::of_one(author.edit);
    let of_type = || links.own_material(relations::type_of(author.edit, wall)?);
    let own = links.own_material(wall).or_else(of_type)?;
    let found = author.edit.get(own)?;
    if found.is_a("IfcMaterialLayerSetUsage") {
        let across = found.attr("LayerSetDirection").as_enum() == Some("AXIS2");
        let turned = found.attr("DirectionSense").as_enum() == Some("NEGATIVE");
        return found.reference("ForLayerSet").filter(|_| across).map(|set| (set, turned));
    }
    found.is_a("IfcMaterialLayerSet").then_some((own, false))
}

/// The layers of a set with their functions and priorities as they are stored; an air gap without a material is called so.
pub fn layers(author: &Author, set: Id) -> Vec<Layer> {
    let all = author.edit.get(set).map(|set| set.references("MaterialLayers")).unwrap_or_default();
    all.into_iter()
        .filter_map(|id| {
            let layer = author.edit.get(id)?;
            let material =
                layer.reference("Material").and_then(|m| author.edit.get(m)).and_then(|m| m.name());
            // drafts of IFC4 had a ratio in its place
            let priority = layer.attr("Priority").as_i64().and_then(|p| u8::try_from(p).ok());
            Some(Layer {
                material: material.unwrap_or_else(|| "Air".to_owned()),
                thickness: author.units().to_mm(layer.number("LayerThickness")?),
                function: layer.text("Category"),
                priority: priority.filter(|p| *p <= 100),
            })
        })
        .collect()
}

/// The layers of a wall's set with its priorities, in the order of the set, and whether they lie from its left face on.
fn of_wall(author: &Author, wall: Id) -> Option<(Vec<Layer>, bool)> {
    let (set, turned) = set_of(author, wall)?;
    let mut layers = layers(author, set);
    if author.legacy() {
        let kept = relations::type_of(author.edit, wall).and_then(|of| remembered(author.edit, of));
        give(&mut layers, kept.as_deref());
    }
    let load = ifc::psets::get(author.edit, wall, "Pset_WallCommon", "LoadBearing");
    let bears = load.as_ref().and_then(Value::as_bool) != Some(false);
    let ruled = ruled(&layers, bears);
    give(&mut layers, Some(&ruled));
    Some((layers, turned))
}

/// Gives layers the priorities that are remembered for them, where there is one for each.
pub(crate) fn give(layers: &mut [Layer], kept: Option<&[u8]>) {
    let Some(kept) = kept.filter(|kept| kept.len() == layers.len()) else { return };
    for (layer, priority) in layers.iter_mut().zip(kept) {
        layer.priority = Some(*priority);
    }
}

/// The priority of each layer of a wall, in the order of its layer set; none where it has no layers.
pub fn of_layers(author: &Author, wall: Id) -> Vec<u8> {
    let (layers, _) = of_wall(author, wall).unwrap_or_default();
    layers.iter().filter_map(|layer| layer.priority).collect()
}

/// The layers across a wall from its right face to its left, neighbours of one priority as one. A wall whose layers are not as thick
/// as its body is one strip as strong as its strongest layer, or as a core where it has none.
pub fn strips(author: &Author, wall: &Wall) -> Vec<Strip> {
    let (mut layers, turned) = of_wall(author, wall.id).unwrap_or_default();
    let total: f64 = layers.iter().map(|layer| layer.thickness).sum();
    let strongest = layers.iter().filter_map(|layer| layer.priority).max().unwrap_or(CORE);
    if (total - wall.thickness()).abs() > 1.0 {
        return vec![Strip { right: wall.faces.0, left: wall.faces.1, priority: strongest }];
    }
    if turned {
        layers.reverse();
    }
    let mut strips: Vec<Strip> = Vec::new();
    let mut y = wall.faces.0;
    for layer in layers {
        let priority = layer.priority.unwrap_or(strongest);
        let left = y + layer.thickness;
        match strips.last_mut() {
            Some(last) if last.priority == priority => last.left = left,
            _ if layer.thickness > 0.0 => strips.push(Strip { right: y, left, priority }),
            _ => {}
        }
        y = left;
    }
    if let Some(last) = strips.last_mut() {
        last.left = wall.faces.1;
    }
    strips
}

/// The priorities that a type of IFC2X3 remembers.
pub fn remembered(model: &Model, of_type: Id) -> Option<Vec<u8>> {
    let set = remembering(model, of_type)?;
    let property = model.get(set)?.references("HasProperties").into_iter().next()?;
    let text = model.get(property)?.text("NominalValue")?;
    text.split(',').map(|part| part.trim().parse().ok()).collect()
}

fn remembering(model: &Model, of_type: Id) -> Option<Id> {
    let sets = model.get(of_type)?.references("HasPropertySets");
    sets.into_iter().find(|set| model.get(*set).is_some_and(|s| s.says("Name", REMEMBERED.0)))
}

/// Lets a type of IFC2X3 remember what functions and priorities were given for its layers, which that schema has no place for.
pub fn remember(author: &mut Author, of_type: Id, layers: &[Layer], bears: bool) -> Result<(), Fault> {
    if !author.legacy() {
        return Ok(());
    }
    let known = remembering(author.edit, of_type);
    let mut sets = author.edit.get(of_type).map(|t| t.references("HasPropertySets")).unwrap_or_default();
    if layers.iter().all(|layer| layer.function.is_none() && layer.priority.is_none()) {
        let Some(known) = known else { return Ok(()) };
        sets.retain(|set| *set != known);
        let left = if sets.is_empty() { Value::Null } else { Value::list(sets.into_iter().map(Value::Ref)) };
        author.set(of_type, "HasPropertySets", left)?;
        let members = author.edit.get(known).map(|set| set.references("HasProperties")).unwrap_or_default();
        author.edit.remove(known).map_err(|error| refused(&error))?;
        return author.sweep(&members);
    }
    let told: Vec<String> = ruled(layers, bears).iter().map(ToString::to_string).collect();
    let value = Value::typed("IfcLabel", told.join(", ").as_str());
    let property = known
        .and_then(|set| author.edit.get(set))
        .and_then(|set| set.references("HasProperties").first().copied());
    if let Some(property) = property {
        return author.set(property, "NominalValue", value);
    }
    let property =
        author.create("IfcPropertySingleValue", &[("Name", REMEMBERED.1.into()), ("NominalValue", value)])?;
    let members = Value::list([Value::Ref(property)]);
    sets.push(author.root("IfcPropertySet", Some(REMEMBERED.0), &[("HasProperties", members)])?);
    author.set(of_type, "HasPropertySets", Value::list(sets.into_iter().map(Value::Ref)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(material: &str, thickness: f64, function: Option<&str>) -> Layer {
        Layer { function: function.map(str::to_owned), ..Layer::plain(material, thickness) }
    }

    #[test]
    fn functions_and_else_materials_say_how_strong_layers_are() {
        let told = [
            layer("Brick", 115.0, Some("finish")),
            layer("Mineral wool", 140.0, Some("insulation")),
            layer("Concrete", 180.0, Some("core")),
            layer("Membrane", 1.0, Some("sheathing")),
        ];
        assert_eq!(ruled(&told, true), [20, 40, 80, 60]);
        assert_eq!(ruled(&told, false), [20, 40, 60, 60]);
        let untold = [
            layer("Render", 20.0, None),
            layer("Mineral wool", 240.0, None),
            layer("Brick", 175.0, None),
            layer("Gypsum plaster", 15.0, None),
        ];
        assert_eq!(ruled(&untold, true), [20, 40, 80, 20]);
        assert_eq!(ruled(&[layer("Gypsum board on studs", 100.0, None)], false), [60]);
        assert_eq!(ruled(&[layer("Cork", 100.0, None)], true), [80]);
        // "pur" is not in "purple", "air" not in "chair"
        assert_eq!(ruled(&[layer("Brick", 90.0, None), layer("Stair stone", 50.0, None)], true), [80, 60]);
        let own = [
            Layer { priority: Some(95), ..layer("Render", 20.0, None) },
            layer("Brick", 175.0, Some("core")),
        ];
        assert_eq!(ruled(&own, true), [95, 80]);
        assert_eq!(checked("priority", Some(101)).unwrap_err().data["field"], "priority");
        assert_eq!(checked("priority", Some(100)).unwrap(), Some(100));
    }
}
