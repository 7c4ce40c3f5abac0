//! Layers of walls and slabs as their types have them: when a type's build-up changes, the bodies of its occurrences follow,
//! with corners, openings and quantities.

use super::buildup::{read, same, set_of, title, total};
use super::types::forget_if_new;
use crate::author::Author;
use crate::host::{Slab, Wall};
use crate::joins;
use crate::kinds::Layer;
use crate::layer_priority;
use crate::lookup::label;
use crate::measures::{mm, positive};
use crate::parameters;
use crate::tops;
use crate::wall::WallKind;
use crate::wall_layers;
use contract::Fault;
use ifc::{Id, Model, relations};
use serde_json::json;
use std::collections::BTreeSet;

/// Returns true for types and elements whose thickness is that of their layers.
pub fn is_layered(model: &Model, id: Id) -> bool {
    const CLASSES: [&str; 4] = ["IfcWallType", "IfcSlabType", "IfcWall", "IfcSlab"];
    model.get(id).is_some_and(|element| CLASSES.iter().any(|class| element.is_a(class)))
}

/// Gives a type another build-up; answers the occurrences that were drawn again.
pub fn change_type(author: &mut Author, of_type: Id, layers: &[Layer]) -> Result<Vec<Id>, Fault> {
    let occurrences = relations::occurrences_of(author.edit, of_type);
    let old_set = set_of(author, of_type)
        .or_else(|| occurrences.iter().find_map(|occurrence| set_of(author, *occurrence)));
    let before = old_set.map(|set| read(author, set)).unwrap_or_default();
    let moves = (total(&before) - total(layers)).abs() > 1e-3;
    if moves && !before.is_empty() && !is_layered(author.edit, of_type) {
        return Err(Fault::constraint(format!(
            "{} is {} mm thick; only types of walls and slabs can become thicker or thinner with their layers. Give layers of {} mm in all.",
            label(author.edit, of_type),
            mm(total(&before)),
            mm(total(&before))
        ))
        .with("field", "layers"));
    }
    let old_name = label(author.edit, of_type);
    let new_name = title(&old_name, &before, layers);
    if new_name != old_name {
        author.set(of_type, "Name", new_name.as_str())?;
    }
    let told = layer_priority::filled(layers, bears(author, of_type));
    let set = author.layered_set(&new_name, &told)?;
    author.leave(of_type, "IfcRelAssociatesMaterial")?;
    author.make_of(set, of_type)?;
    if author.edit.get(of_type).is_some_and(|t| t.is_a("IfcWallType")) {
        let bears = bears(author, of_type);
        layer_priority::remember(author, of_type, layers, bears)?;
    }
    for occurrence in &occurrences {
        wear(author, *occurrence, Some(of_type), set)?;
    }
    rejoin(author, &occurrences)?;
    if let Some(old) = old_set.filter(|old| *old != set) {
        drop_set(author, old)?;
    }
    Ok(occurrences)
}

/// Gives a type of one layer another thickness; answers what it was, and the occurrences that were drawn again.
pub fn set_thickness(author: &mut Author, of_type: Id, thickness: f64) -> Result<(f64, Vec<Id>), Fault> {
    let thickness = positive("value", thickness)?;
    let set = set_of(author, of_type).ok_or_else(|| {
        Fault::constraint(format!(
            "{} has no layers, so it has no thickness. Give it some with assign_material.",
            label(author.edit, of_type)
        ))
        .with("field", "parameter_name")
    })?;
    let before = read(author, set);
    let [only] = &before[..] else {
        return Err(Fault::constraint(format!(
            "{} has {} layers; which of them becomes thicker is said with assign_material and `layers`.",
            label(author.edit, of_type),
            before.len()
        ))
        .with("field", "value"));
    };
    let layers = [Layer { thickness, ..only.clone() }];
    let regenerated = change_type(author, of_type, &layers)?;
    Ok((mm(only.thickness), regenerated))
}

/// Gives a wall or slab, which has this type already or gets it, the layers of a set: its body as thick as they are together, and
/// the use of the set where its faces are. Other elements are made of the set as it is.
pub fn wear(author: &mut Author, id: Id, of_type: Option<Id>, set: Id) -> Result<(), Fault> {
    let thickness = total(&read(author, set));
    let own_type = relations::type_of(author.edit, id);
    let is_wall = author.edit.get(id).is_some_and(|element| element.is_a("IfcWall"));
    let stands = if !is_layered(author.edit, id) {
        None
    } else if is_wall {
        Some(Wall::read_any(author, id)?.thickness())
    } else {
        Some(Slab::read(author, id)?.thickness)
    };
    if stands.is_some_and(|stands| (stands - thickness).abs() > 1e-3) {
        parameters::modify(author, id, "thickness", &json!(thickness))?;
    }
    // drawing it anew gave it the plain type of its thickness
    let given = relations::type_of(author.edit, id);
    if let Some(wanted) = of_type.filter(|wanted| given != Some(*wanted)) {
        author.leave(id, "IfcRelDefinesByType")?;
        author.type_as(wanted, id)?;
    }
    let negative = relations::Links::of_one(author.edit)
        .own_material(id)
        .and_then(|usage| author.edit.get(usage))
        .is_some_and(|usage| usage.attr("DirectionSense").as_enum() == Some("NEGATIVE"));
    let old = relations::material_of(author.edit, id);
    author.leave(id, "IfcRelAssociatesMaterial")?;
    let made = if stands.is_none() {
        set
    } else if is_wall {
        let faces = Wall::read_any(author, id)?.faces;
        author.layer_set_usage(set, "AXIS2", !negative, if negative { faces.1 } else { faces.0 })?
    } else {
        let base = Slab::read(author, id)?.base;
        author.layer_set_usage(set, "AXIS3", true, base)?
    };
    author.make_of(made, id)?;
    if let Some(given) = given.filter(|given| Some(*given) != own_type && Some(*given) != of_type) {
        forget_if_new(author, given)?;
    }
    match old.filter(|old| *old != set) {
        Some(old) if author.edit.get(old).is_some_and(|o| o.is_a("IfcMaterialLayerSet")) => {
            drop_set(author, old)
        }
        Some(old) => drop_material(author, old),
        None => Ok(()),
    }
}

/// The type for elements of one type that get other layers: one that is so already, or a new one like the old.
pub fn type_with(author: &mut Author, old: Id, layers: &[Layer]) -> Result<Id, Fault> {
    let before = set_of(author, old).map(|set| read(author, set)).unwrap_or_default();
    let bears = bears(author, old);
    let layers = &layer_priority::filled(layers, bears)[..];
    if same(author, &before, layers) && !remembers_otherwise(author, old, layers, bears) {
        return Ok(old);
    }
    let (class, text) = match author.edit.get(old) {
        Some(instance) => (instance.class_name().to_owned(), instance.name().unwrap_or_default()),
        None => return Err(Fault::no_element(&old.to_string())),
    };
    let mut wanted = title(&text, &before, layers);
    if wanted == text {
        let materials: Vec<&str> = layers.iter().map(|layer| layer.material.as_str()).collect();
        wanted = format!("{text}, {} mm {}", mm(total(layers)), materials.join(" + "));
    }
    let predefined = author.edit.get(old).map(|t| t.attr("PredefinedType")).unwrap_or_default();
    let known =
        author.edit.of_class_exact(&class).into_iter().find(|id| {
            author.edit.get(*id).is_some_and(|t| {
                t.name().as_deref() == Some(&wanted) && t.attr("PredefinedType") == predefined
            }) && set_of(author, *id).is_some_and(|set| same(author, &read(author, set), layers))
                && !remembers_otherwise(author, *id, layers, bears)
        });
    if let Some(known) = known {
        return Ok(known);
    }
    let made = super::retyping::twin(author, old, &[("Name", wanted.as_str().into())])?;
    author.leave(made, "IfcRelAssociatesMaterial")?;
    let set = author.layered_set(&wanted, layers)?;
    author.make_of(set, made)?;
    if author.edit.get(made).is_some_and(|t| t.is_a("IfcWallType")) {
        layer_priority::remember(author, made, layers, bears)?;
    }
    Ok(made)
}

/// True if walls of a type bear, as far as it says.
fn bears(author: &Author, of_type: Id) -> bool {
    let is_partition =
        crate::lookup::predefined_type(author.edit, of_type).as_deref() == Some("PARTITIONING");
    !is_partition && wall_layers::use_of(author, of_type) != Some(WallKind::Partition)
}

/// True if a type of IFC2X3 remembers other priorities than these layers would have.
fn remembers_otherwise(author: &Author, of_type: Id, layers: &[Layer], bears: bool) -> bool {
    let told = layers.iter().any(|layer| layer.function.is_some() || layer.priority.is_some());
    let wanted = told.then(|| layer_priority::ruled(layers, bears));
    let is_wall = author.edit.get(of_type).is_some_and(|t| t.is_a("IfcWallType"));
    author.legacy() && is_wall && layer_priority::remembered(author.edit, of_type) != wanted
}

/// Cuts the corners of walls anew by their layers, whatever their tops are cut by.
pub fn rejoin(author: &mut Author, walls: &[Id]) -> Result<(), Fault> {
    let walls: Vec<Id> =
        walls.iter().copied().filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall"))).collect();
    if walls.is_empty() {
        return Ok(());
    }
    let loosened = tops::loosen(author, &walls, &[])?;
    let mut around: BTreeSet<Id> = walls.iter().copied().collect();
    around.extend(walls.iter().flat_map(|id| joins::links(author, *id)).map(|link| link.other));
    for id in around {
        // walls that cannot be read by their axes have no ends that were cut here
        if Wall::read_any(author, id).is_ok_and(|wall| wall.plain) {
            joins::refit(author, id)?;
        }
    }
    tops::fasten(author, "layers", loosened).map(|_| ())
}

/// Takes a layer set away that nothing uses any more, and what only it is made of.
pub(super) fn drop_set(author: &mut Author, set: Id) -> Result<(), Fault> {
    for usage in author.edit.referrers_of(set, "IfcMaterialLayerSetUsage") {
        author.sweep(&[usage])?;
    }
    if !author.edit.contains(set) || !author.edit.referrers(set).is_empty() {
        return Ok(());
    }
    let materials = relations::materials_in(author.edit, set);
    let layers = author.edit.get(set).map(|s| s.references("MaterialLayers")).unwrap_or_default();
    author.edit.remove(set).map_err(|error| crate::author::refused(&error))?;
    author.sweep(&layers)?;
    for material in materials {
        drop_material(author, material)?;
    }
    Ok(())
}

/// Takes a material away that nothing is made of any more, with its colours.
pub(super) fn drop_material(author: &mut Author, material: Id) -> Result<(), Fault> {
    if !author.edit.get(material).is_some_and(|m| m.is_a("IfcMaterial")) {
        return Ok(());
    }
    let users = author.edit.referrers(material);
    let looks =
        |id: &Id| author.edit.get(*id).is_some_and(|user| user.is_a("IfcMaterialDefinitionRepresentation"));
    if !users.iter().all(looks) {
        return Ok(());
    }
    for user in users {
        let shown = author.edit.get(user).map(|user| user.references("Representations")).unwrap_or_default();
        author.edit.remove(user).map_err(|error| crate::author::refused(&error))?;
        author.sweep(&shown)?;
    }
    author.edit.remove(material).map_err(|error| crate::author::refused(&error))
}
