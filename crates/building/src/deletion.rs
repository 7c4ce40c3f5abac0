//! Deleting elements with what depends on them: a wall takes its openings and cladding along, an opening its door or window, a door
//! or window its opening, a roof its slab; relations that would be left empty go, and so do placements, shapes,
//! property sets and materials that nothing else uses.

use crate::author::Author;
use crate::curtain::Losing;
use crate::library::groups;
use crate::lookup::label;
use crate::removal::{materials_of, remove};
use crate::structure::framed;
use crate::{joins, quantities, quantity_sets, roof, slab, tops, totals, wall};
use contract::Fault;
use ifc::{Id, Model, relations};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// An element that was deleted.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Deleted {
    /// GlobalId.
    pub id: String,
    /// Class.
    pub class: String,
    /// Name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// True if it went because of another: a wall's opening, an opening's door.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dependent: bool,
}

/// Deletes elements and their dependents; answers all of them, those asked for first. `with_contents` lets storeys,
/// buildings and sites go with everything they hold.
pub fn delete(author: &mut Author, ids: &[Id], with_contents: bool) -> Result<Vec<Deleted>, Fault> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for id in ids {
        check(author, *id, with_contents)?;
        if seen.insert(*id) {
            order.push(*id);
        }
    }
    let asked = order.len();
    let mut at = 0;
    while let Some(id) = order.get(at).copied() {
        at += 1;
        for dependent in dependents(author.edit, id, with_contents) {
            if seen.insert(dependent) {
                order.push(dependent);
            }
        }
    }
    let deleted = order
        .iter()
        .enumerate()
        .filter_map(|(i, id)| {
            let element = author.edit.get(*id)?;
            Some(Deleted {
                id: element.guid().unwrap_or_default(),
                class: element.class_name().to_owned(),
                name: element.name(),
                dependent: i >= asked,
            })
        })
        .collect();
    let loosened = tops::loosen(author, &order, &order)?;
    rehouse(author, &order)?;
    framed::release(author, &order)?;
    let touched = Touched::by(author, &order);
    let losing = Losing::among(author, &order);
    let materials = materials_of(author.edit, &order);
    let groups: Vec<Id> = order.iter().flat_map(|id| groups::with_member(author.edit, *id)).collect();
    // parts before wholes, so that no relation is left with an end missing
    for id in order.iter().rev() {
        remove(author, *id)?;
    }
    groups::end_empty(author, &groups)?;
    touched.recompute(author)?;
    for curtain in losing {
        curtain.close(author)?;
    }
    tops::fasten(author, "element_ids", loosened)?;
    author.sweep_materials(&materials)?;
    Ok(deleted)
}

fn check(author: &Author, id: Id, with_contents: bool) -> Result<(), Fault> {
    let Some(element) = author.edit.get(id) else { return Err(Fault::no_element(&id.to_string())) };
    if !element.is_a("IfcProduct") {
        return Err(Fault::constraint(format!(
            "{} is an {}; only elements of the building can be deleted.",
            label(author.edit, id),
            element.class_name()
        ))
        .with("field", "element_ids"));
    }
    let spatial = ["IfcSite", "IfcBuilding", "IfcBuildingStorey"].iter().any(|class| element.is_a(class));
    if spatial && !with_contents {
        let held = relations::decomposition(author.edit, id).len();
        if held > 0 {
            return Err(Fault::constraint(format!(
                "The {} {} still holds {held} elements. Delete those first, or pass with_contents=true to delete everything in it.",
                element.class_name(),
                label(author.edit, id)
            ))
            .with("field", "element_ids")
            .with("holds", held));
        }
    }
    Ok(())
}

/// Gives what stands in rooms that go, and stays, to their storeys.
fn rehouse(author: &mut Author, gone: &[Id]) -> Result<(), Fault> {
    for id in gone {
        if !author.edit.get(*id).is_some_and(|it| it.is_a("IfcSpace")) {
            continue;
        }
        let Some(storey) = relations::storey_of(author.edit, *id).filter(|storey| !gone.contains(storey))
        else {
            continue;
        };
        for element in relations::contained(author.edit, *id) {
            if !gone.contains(&element) {
                author.leave_container(element)?;
                author.contain(storey, element)?;
            }
        }
    }
    Ok(())
}

/// Returns the elements that cannot stay without one: its openings, their fillings, its parts, and with
/// `with_contents` those that it contains.
fn dependents(model: &Model, id: Id, with_contents: bool) -> Vec<Id> {
    let Some(element) = model.get(id) else { return Vec::new() };
    let mut found = relations::openings_of(model, id);
    found.extend(relations::fillings_of(model, id));
    found.extend(relations::opening_of_filling(model, id));
    found.extend(crate::stairs::opening::cut_for(model, id));
    let spatial = element.is_a("IfcSpatialStructureElement") || element.is_a("IfcSpatialElement");
    if !spatial || with_contents || element.is_a("IfcSpace") {
        found.extend(relations::children(model, id));
        found.extend(relations::nested(model, id));
    }
    if spatial && with_contents {
        found.extend(relations::contained(model, id));
    }
    if element.is_a("IfcWall") {
        found.extend(crate::covering::lying_on(model, id));
    }
    if element.is_a("IfcSpace") {
        let held = relations::contained(model, id).into_iter();
        found.extend(held.filter(|id| model.get(*id).is_some_and(|it| it.is_a("IfcCovering"))));
    }
    found
}

/// The elements whose figures have to be computed again once others are gone.
struct Touched {
    walls: BTreeSet<Id>,
    slabs: BTreeSet<Id>,
    roofs: BTreeSet<Id>,
    storeys: BTreeSet<Id>,
    corners: BTreeSet<Id>,
}

impl Touched {
    fn by(author: &Author, gone: &[Id]) -> Self {
        let model: &Model = author.edit;
        let (mut walls, mut slabs, mut roofs) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let (mut storeys, mut corners) = (BTreeSet::new(), BTreeSet::new());
        for id in gone {
            let Some(element) = model.get(*id) else { continue };
            if let Some(host) = relations::host_of_opening(model, *id) {
                if model.get(host).is_some_and(|h| h.is_a("IfcWall")) {
                    walls.insert(host);
                } else {
                    slabs.insert(host);
                }
            }
            if element.is_a("IfcSlab") || element.is_a("IfcSpace") {
                storeys.extend(relations::storey_of(model, *id));
                roofs.extend(relations::aggregate_parent(model, *id));
            }
            if element.is_a("IfcBuildingStorey") {
                storeys.extend(
                    relations::aggregate_parent(model, *id)
                        .map(|building| relations::children(model, building))
                        .unwrap_or_default(),
                );
            }
            corners.extend(joins::links(author, *id).into_iter().map(|link| link.other));
        }
        let mut all = Self { walls, slabs, roofs, storeys, corners };
        for set in [&mut all.walls, &mut all.slabs, &mut all.roofs, &mut all.storeys, &mut all.corners] {
            set.retain(|id| !gone.contains(id));
        }
        all
    }

    fn recompute(&self, author: &mut Author) -> Result<(), Fault> {
        for wall in &self.walls {
            wall::requantify(author, *wall)?;
            crate::covering::refit_beside(author, *wall)?;
        }
        for wall in &self.corners {
            joins::refit(author, *wall)?;
        }
        for host in &self.slabs {
            slab::requantify(author, *host)?;
            roof::requantify_around(author, *host)?;
        }
        for whole in &self.roofs {
            if quantities::is_ours(author.edit, *whole, quantity_sets::ROOF) {
                roof::quantify(author, *whole)?;
            }
        }
        for storey in &self.storeys {
            if author.edit.get(*storey).is_some_and(|s| s.is_a("IfcBuildingStorey")) {
                totals::of_storey(author, *storey)?;
            }
        }
        Ok(())
    }
}
