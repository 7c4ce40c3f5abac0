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

/// Turns elements by a rigid map of the world; answers what went along because it stands in a room among them.
pub fn turn(author: &mut Author, ids: &[Id], map: &Frame) -> Result<Vec<Id>, Fault> {
    let chosen: BTreeSet<Id> = ids.iter().copied().collect();
    for id in ids {
        check(author, *id, "turned", &chosen)?;
    }
    let contents = contents(author.edit, ids);
    let all: Vec<Id> = ids.iter().chain(&contents).copied().collect();
    let joined = joins::joined(author, &all.iter().copied().collect());
    let mut done = BTreeSet::new();
    carry(author, &all, map, &mut done)?;
    settle(author, &done)?;
    stairs::carry_shafts(author, &done, map)?;
    stairs::cut_among(author, &done)?;
    joins::rejoin(author, &joined)?;
    Ok(contents)
}

/// Returns what stands in the rooms among elements and is not among them itself: furniture, coverings, terminals, whatever these contain; but
/// for doors and windows, whose place is their wall's.
pub(crate) fn contents(model: &Model, ids: &[Id]) -> Vec<Id> {
    let is_room = |id: &Id| model.get(*id).is_some_and(|it| it.is_a("IfcSpace"));
    let rooms = ids.iter().flat_map(|id| tree(model, *id)).filter(is_room);
    let mut seen: BTreeSet<Id> = ids.iter().copied().collect();
    let held = rooms.flat_map(|room| relations::contained(model, room));
    held.filter(|id| model.get(*id).is_some_and(|it| it.reference("ObjectPlacement").is_some()))
        .filter(|id| relations::opening_of_filling(model, *id).is_none() && seen.insert(*id))
        .collect()
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

/// Places that are no farther apart, in mm, are the same: placements are rounded as they are written.
const SAME: f64 = 1e-3;

/// Carries elements with all that hangs on them, whether or not that is placed within them; each once, however often it is met.
pub(crate) fn carry(
    author: &mut Author,
    ids: &[Id],
    map: &Frame,
    done: &mut BTreeSet<Id>,
) -> Result<(), Fault> {
    let asked: BTreeSet<Id> = ids.iter().copied().collect();
    let mut carried: Vec<(usize, Id, Frame)> = Vec::new();
    for id in ids.iter().flat_map(|id| tree(author.edit, *id)) {
        if !done.insert(id) {
            continue;
        }
        let Some(placement) = author.placement_of(id) else { continue };
        match author.frame(id) {
            Ok(frame) => carried.push((depth(author.edit, placement), id, *map * frame)),
            // what cannot be placed refuses to be carried itself, not what it hangs on
            Err(fault) if asked.contains(&id) => return Err(fault),
            Err(_) => {}
        }
    }
    // what others are placed within goes first, so that it does not take these along a second time
    carried.sort_by_key(|(depth, ..)| *depth);
    for (_, id, wanted) in carried {
        let now = author.frame(id)?;
        let is_there = now.translation.abs_diff_eq(wanted.translation, SAME)
            && now.matrix3.abs_diff_eq(wanted.matrix3, 1e-9);
        // what is placed within what was carried has come along by itself
        if !is_there || asked.contains(&id) {
            place(author, id, &wanted)?;
        }
    }
    Ok(())
}

/// The number of placements that one is told within.
fn depth(model: &Model, placement: Id) -> usize {
    // a file may have placements that run in a circle
    const MOST: usize = 64;
    let outer = |id: &Id| model.get(*id).and_then(|placement| placement.reference("PlacementRelTo"));
    std::iter::successors(outer(&placement), outer).take(MOST).count()
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
