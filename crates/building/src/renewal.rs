//! Renews what follows where two changes of one building were joined: wall ends at joints of which each side moved one
//! wall, quantities of what both sides had a part in, totals of the storeys around.
//!
//! Either side computed these from its own building; neither saw the other's. Only what is computed here is renewed;
//! quantities that other programs stored are theirs.

use crate::author::Author;
use crate::quantities::is_ours;
use crate::{covering, host, joins, measured, quantity_sets, roof, slab, space, totals, wall};
use contract::Fault;
use ifc::{Id, Model, relations};
use std::collections::BTreeSet;

/// Returns true if a quantity set of an object is kept current by [`renew`], so that nobody has to decide about its
/// values.
pub fn renews(model: &Model, object: Id, set: &str) -> bool {
    const ELEMENTS: [&str; 6] = [
        quantity_sets::WALL,
        quantity_sets::SLAB,
        quantity_sets::SPACE,
        quantity_sets::ROOF,
        quantity_sets::STOREY,
        quantity_sets::BUILDING,
    ];
    (ELEMENTS.contains(&set) || measured::set_of(model, object) == Some(set)) && is_ours(model, object, set)
}

/// Returns true if a change of a wall's body is none of the wall itself: only its ends were cut anew because of its neighbours,
/// as [`renew`] does where both changes are joined.
pub fn is_only_recut(before: &Model, after: &Model, wall: Id) -> bool {
    let read = |model: &Model| {
        if !is_ours(model, wall, quantity_sets::WALL) {
            return None;
        }
        let mut edit = model.edit();
        let mut guids = ifc::guid::GuidSource::new("reading");
        let author = Author::new(&mut edit, &mut guids, 0, &contract::Actor::default());
        host::Wall::read_any(&author, wall).ok().filter(|wall| wall.plain)
    };
    let (Some(was), Some(is)) = (read(before), read(after)) else { return false };
    let near = |a: f64, b: f64| (a - b).abs() < 0.01;
    was.frame.abs_diff_eq(*is.frame, 1e-6)
        && near(was.length, is.length)
        && near(was.height, is.height)
        && near(was.faces.0, is.faces.0)
        && near(was.faces.1, is.faces.1)
        && (was.bend - is.bend).abs() < 1e-9
}

/// Renews what follows from `elements`, which were changed by one of both sides, and the totals of `storeys`. An element
/// that is not there any more is passed over.
pub fn renew(author: &mut Author, elements: &BTreeSet<Id>, storeys: &BTreeSet<Id>) -> Result<(), Fault> {
    let mut affected = BTreeSet::new();
    for id in elements.iter().copied().filter(|id| author.edit.contains(*id)) {
        affected.insert(id);
        affected.extend(relations::host_of_opening(author.edit, id));
        affected.extend(relations::aggregate_parent(author.edit, id));
        if author.edit.get(id).is_some_and(|element| element.is_a("IfcWall")) {
            affected.extend(joins::links(author, id).into_iter().map(|link| link.other));
        }
    }
    for id in &affected {
        renew_one(author, *id)?;
    }
    for storey in storeys {
        if author.edit.get(*storey).is_some_and(|storey| storey.is_a("IfcBuildingStorey")) {
            totals::of_storey(author, *storey)?;
        }
    }
    Ok(())
}

fn renew_one(author: &mut Author, id: Id) -> Result<(), Fault> {
    let is_a = |class: &str| author.edit.get(id).is_some_and(|element| element.is_a(class));
    if is_a("IfcWall") {
        // a wall that cannot be read by its axis has no ends that were cut here
        if host::Wall::read_any(author, id).is_ok_and(|wall| wall.plain) {
            joins::refit(author, id)?;
        }
        wall::requantify(author, id)
    } else if is_a("IfcSlab") {
        slab::requantify(author, id)
    } else if is_a("IfcSpace") {
        space::requantify(author, id)?;
        covering::refit(author, id).map(|_| ())
    } else if is_a("IfcRoof") {
        if is_ours(author.edit, id, quantity_sets::ROOF) { roof::quantify(author, id) } else { Ok(()) }
    } else {
        measured::requantify(author, id)
    }
}
