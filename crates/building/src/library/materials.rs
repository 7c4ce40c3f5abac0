//! Materials given to elements and types: one material, or layers. Walls and slabs of one type that get other layers get a type
//! of their own for them.

use super::buildup::{read, set_of, total};
use super::layers::{change_type, drop_material, is_layered, rejoin, type_with, wear};
use crate::author::Author;
use crate::host::{Slab, Wall};
use crate::kinds::Layer;
use crate::lookup::label;
use contract::Fault;
use ifc::{Id, Value, relations};

/// The material of something.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    /// One material.
    Plain(String),
    /// Layers, from the right face of a wall's axis to the left, from a slab's underside up.
    Layers(Vec<Layer>),
}

/// Makes elements and types of a material or of layers.
pub fn assign(author: &mut Author, ids: &[Id], made: &Made) -> Result<(), Fault> {
    for id in ids {
        let is_type = author.edit.get(*id).is_some_and(|e| e.is_a("IfcTypeObject"));
        let layers = layers_for(author, *id, made)?;
        match layers {
            Some(layers) if is_type => {
                change_type(author, *id, &layers)?;
            }
            Some(layers) => change_element(author, *id, &layers)?,
            None => {
                let Made::Plain(material) = made else { continue };
                plain(author, *id, material)?;
            }
        }
    }
    Ok(())
}

/// The layers that something gets; none where it is not made of layers.
fn layers_for(author: &Author, id: Id, made: &Made) -> Result<Option<Vec<Layer>>, Fault> {
    let text = label(author.edit, id);
    let known = set_of(author, id).map(|set| read(author, set)).unwrap_or_default();
    match made {
        Made::Layers(layers) if is_layered(author.edit, id) || !known.is_empty() => Ok(Some(layers.clone())),
        Made::Layers(_) => Err(Fault::constraint(format!(
            "{text} is not made of layers; `layers` are for walls, slabs and their types. Give `material`."
        ))
        .with("field", "layers")),
        Made::Plain(material) => {
            let thickness = match &known[..] {
                [only] => only.thickness,
                [] if !is_layered(author.edit, id) => return Ok(None),
                [] => match thickness_of(author, id) {
                    Some(thickness) => thickness,
                    None => return Ok(None),
                },
                several => {
                    return Err(Fault::constraint(format!(
                        "{text} has {} layers, {} mm in all; say with `layers` what each is made of.",
                        several.len(),
                        total(several)
                    ))
                    .with("field", "material"));
                }
            };
            Ok(Some(vec![Layer::plain(material, thickness)]))
        }
    }
}

fn thickness_of(author: &Author, id: Id) -> Option<f64> {
    if author.edit.get(id)?.is_a("IfcWall") {
        Wall::read_any(author, id).ok().map(|wall| wall.thickness())
    } else {
        Slab::read(author, id).ok().map(|slab| slab.thickness)
    }
}

fn change_element(author: &mut Author, id: Id, layers: &[Layer]) -> Result<(), Fault> {
    let Some(old) = relations::type_of(author.edit, id) else {
        if author.legacy() && layers.iter().any(|layer| layer.function.is_some() || layer.priority.is_some())
        {
            return Err(Fault::constraint(format!(
                "IFC2X3 has no place for functions and priorities of layers but in a type, and {} has none: give it one with assign_type, or leave them out.",
                label(author.edit, id)
            ))
            .with("field", "layers"));
        }
        let set = author.layered_set(&label(author.edit, id), layers)?;
        wear(author, id, None, set)?;
        return rejoin(author, &[id]);
    };
    let wanted = type_with(author, old, layers)?;
    let set = set_of(author, wanted).ok_or_else(|| {
        Fault::constraint(format!("The type {} has no layers.", label(author.edit, wanted)))
    })?;
    if wanted != old {
        author.leave(id, "IfcRelDefinesByType")?;
        author.type_as(wanted, id)?;
    }
    wear(author, id, Some(wanted), set)?;
    rejoin(author, &[id])
}

/// Makes something of one material; where it has a profile, of that profile in the material.
fn plain(author: &mut Author, id: Id, material: &str) -> Result<(), Fault> {
    let links = relations::Links::of_one(author.edit);
    let (own, set) = (links.own_material(id), links.material_of(id));
    let material = author.material(material)?;
    let profiles = set
        .and_then(|set| author.edit.get(set))
        .filter(|set| set.is_a("IfcMaterialProfileSet"))
        .map(|set| set.references("MaterialProfiles"));
    let usage = own.filter(|own| author.edit.get(*own).is_some_and(|u| u.is_a("IfcMaterialProfileSetUsage")));
    let made = match (set, profiles) {
        (Some(set), Some(profiles)) => {
            let mut twins = Vec::with_capacity(profiles.len());
            for profile in profiles {
                twins.push(Value::Ref(author.twin(profile, &[("Material", material.into())])?));
            }
            let twin = author.twin(set, &[("MaterialProfiles", Value::List(twins))])?;
            match usage {
                Some(usage) => author.twin(usage, &[("ForProfileSet", twin.into())])?,
                None => twin,
            }
        }
        _ => material,
    };
    let before: Vec<Id> = own.map(|own| relations::materials_in(author.edit, own)).unwrap_or_default();
    author.leave(id, "IfcRelAssociatesMaterial")?;
    author.make_of(made, id)?;
    for old in before {
        drop_material(author, old)?;
    }
    Ok(())
}
