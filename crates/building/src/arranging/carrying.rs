//! Elements carried elsewhere by a rigid map of the world: what is placed within them goes along, walls part from
//! neighbours they no longer touch, totals of storeys follow.

use crate::author::Author;
use crate::frame::Frame;
use crate::host::Wall;
use crate::lookup::label;
use crate::placing::place;
use crate::{joins, stairs, totals};
use contract::Fault;
use ifc::{Id, Model, relations};
use std::collections::BTreeSet;

/// Turns elements by a rigid map of the world.
pub fn turn(author: &mut Author, ids: &[Id], map: &Frame) -> Result<(), Fault> {
    let chosen: BTreeSet<Id> = ids.iter().copied().collect();
    for id in ids {
        check(author, *id, "turned", &chosen)?;
    }
    let joined = joins::joined(author, &chosen);
    let mut done = BTreeSet::new();
    for id in ids {
        carry(author, *id, map, &mut done)?;
    }
    settle(author, &done)?;
    stairs::carry_shafts(author, &done, map)?;
    stairs::cut_among(author, &done)?;
    joins::rejoin(author, &joined)?;
    Ok(())
}

/// Refuses what has no place of its own: storeys and what holds them, and openings, doors and windows, whose place is
/// their host's unless that is chosen too.
pub(crate) fn check(author: &Author, id: Id, done: &str, chosen: &BTreeSet<Id>) -> Result<(), Fault> {
    let Some(element) = author.edit.get(id) else { return Err(Fault::no_element(&id.to_string())) };
    let text = label(author.edit, id);
    let refuse = |why: String| {
        Err(Fault::constraint(why).with("field", "element_ids").with("element_id", element.guid()))
    };
    if element.reference("ObjectPlacement").is_none() {
        return refuse(format!("{text} has no placement, so it cannot be {done}."));
    }
    if is_structure(author.edit, id) {
        return refuse(format!(
            "{text} is an {}, which holds others and cannot be {done}; choose the elements in it.",
            element.class_name()
        ));
    }
    let opening = relations::opening_of_filling(author.edit, id)
        .or_else(|| relations::host_of_opening(author.edit, id).map(|_| id));
    if let Some(host) = opening.and_then(|opening| relations::host_of_opening(author.edit, opening))
        && !chosen.contains(&host)
    {
        return refuse(format!(
            "{text} lies in {}; it is {done} with that. Choose the host, or move it along the host with move_elements.",
            label(author.edit, host)
        ));
    }
    Ok(())
}

/// Returns true for the parts of the spatial structure that hold elements: sites, buildings, storeys; not rooms.
pub(crate) fn is_structure(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|element| {
        element.is_a(relations::spatial_class(model))
            && !["IfcSpace", "IfcSpatialZone", "IfcExternalSpatialElement"]
                .iter()
                .any(|class| element.is_a(class))
    })
}

/// Carries one element with all that hangs on it, whether or not that is placed within it.
fn carry(author: &mut Author, id: Id, map: &Frame, done: &mut BTreeSet<Id>) -> Result<(), Fault> {
    let carried: Vec<(Id, Frame)> = tree(author.edit, id)
        .into_iter()
        .filter(|id| done.insert(*id))
        .filter_map(|id| author.placement_of(id).and(author.frame(id).ok()).map(|frame| (id, *map * frame)))
        .collect();
    for (id, wanted) in carried {
        // what is placed within what was carried has come along by itself
        if !author.frame(id)?.0.abs_diff_eq(wanted.0, 1e-6) {
            place(author, id, &wanted)?;
        }
    }
    Ok(())
}

/// Returns an element and all that hangs on it, wholes before parts.
pub(crate) fn tree(model: &Model, id: Id) -> Vec<Id> {
    let mut found = vec![id];
    let mut at = 0;
    while let Some(id) = found.get(at).copied() {
        at += 1;
        for dependent in hanging_on(model, id) {
            if !found.contains(&dependent) {
                found.push(dependent);
            }
        }
    }
    found
}

/// Returns the elements that go where one goes: its openings, what fills them, its parts, nested ones and projections.
pub(crate) fn hanging_on(model: &Model, id: Id) -> Vec<Id> {
    let links = ifc::relations::Links::of_one(model);
    let mut found = links.openings_of(id);
    found.extend(links.fillings_of(id));
    found.extend(links.children(id));
    found.extend(links.nested(id));
    found.extend(links.projections_of(id));
    found.extend(links.surface_features_of(id));
    found.retain(|d| model.get(*d).is_some_and(|e| e.is_a("IfcProduct")));
    found
}

/// Computes what follows when elements were put elsewhere: ends of walls and of their neighbours, totals of storeys.
pub(crate) fn settle(author: &mut Author, touched: &BTreeSet<Id>) -> Result<(), Fault> {
    let is_a = |author: &Author, id: Id, class: &str| author.edit.get(id).is_some_and(|e| e.is_a(class));
    let walls: BTreeSet<Id> = touched.iter().copied().filter(|id| is_a(author, *id, "IfcWall")).collect();
    let neighbours: BTreeSet<Id> =
        walls.iter().flat_map(|wall| joins::links(author, *wall)).map(|link| link.other).collect();
    for wall in walls.union(&neighbours) {
        // a wall that cannot be read by a straight axis has no ends that were cut here
        if Wall::read_any(author, *wall).is_ok() {
            joins::refit(author, *wall)?;
        }
    }
    joins::part(author, &walls)?;
    let storeys: BTreeSet<Id> = touched
        .iter()
        .filter(|id| is_a(author, **id, "IfcSlab") || is_a(author, **id, "IfcSpace"))
        .filter_map(|id| relations::storey_of(author.edit, *id))
        .collect();
    for storey in storeys {
        totals::of_storey(author, storey)?;
    }
    Ok(())
}
