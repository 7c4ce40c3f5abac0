//! The room that furniture belongs to: where it is moved to another room, or its room is drawn anew, it is contained where it stands
//! then. What another program keeps with the storey though it stands in a room stays there.

use super::room::{Room, footprint, rooms};
use crate::author::Author;
use crate::polygon::contains;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};
use std::collections::BTreeSet;

/// Classes of what is put into rooms.
const LOOSE: [&str; 5] = [
    "IfcFurnishingElement",
    "IfcFlowTerminal",
    "IfcTransportElement",
    "IfcTransportationDevice",
    "IfcElectricalElement",
];

/// A piece that belongs to where it stands.
pub struct Housed {
    element: Id,
    storey: Id,
}

/// The pieces among elements that are contained where they stand: in a room, or in a storey outside its rooms; not those in a room
/// that goes where they go.
pub fn housed(author: &Author, ids: &[Id], going: &BTreeSet<Id>) -> Vec<Housed> {
    let mut known: Vec<(Id, Vec<Room>)> = Vec::new();
    let mut found = Vec::new();
    for element in ids.iter().copied() {
        if !is_loose(author, element) {
            continue;
        }
        let Some(container) = relations::container(author.edit, element).filter(|it| !going.contains(it))
        else {
            continue;
        };
        let Some(storey) = relations::storey_of(author.edit, element) else { continue };
        if container == storey {
            let Some(at) = middle(author, element) else { continue };
            if within(rooms_of(author, &mut known, storey), at).is_some() {
                continue;
            }
        }
        found.push(Housed { element, storey });
    }
    found
}

/// Contains pieces in the rooms that they stand in now, or in their storeys.
pub fn settle(author: &mut Author, all: &[Housed]) -> Result<(), Fault> {
    let mut known: Vec<(Id, Vec<Room>)> = Vec::new();
    for Housed { element, storey } in all {
        let Some(at) = middle(author, *element) else { continue };
        let stands = within(rooms_of(author, &mut known, *storey), at).unwrap_or(*storey);
        if relations::container(author.edit, *element) != Some(stands) {
            author.leave_container(*element)?;
            author.contain(stands, *element)?;
        }
    }
    Ok(())
}

/// Contains the pieces of a room that was moved or drawn anew where they stand now.
pub fn settle_in(author: &mut Author, room: Id) -> Result<(), Fault> {
    let inside = relations::contained(author.edit, room);
    let all = housed(author, &inside, &BTreeSet::new());
    settle(author, &all)
}

fn is_loose(author: &Author, id: Id) -> bool {
    author.edit.get(id).is_some_and(|it| LOOSE.iter().any(|class| it.is_a(class)))
}

fn rooms_of<'k>(author: &Author, known: &'k mut Vec<(Id, Vec<Room>)>, storey: Id) -> &'k [Room] {
    let at = known.iter().position(|(id, _)| *id == storey).unwrap_or_else(|| {
        known.push((storey, rooms(author, storey)));
        known.len() - 1
    });
    known.get(at).map(|(_, rooms)| rooms.as_slice()).unwrap_or_default()
}

fn within(rooms: &[Room], at: DVec3) -> Option<Id> {
    let found = rooms.iter().find(|room| {
        contains(&room.outline, at.truncate()) && at.z > room.floor - 500.0 && at.z < room.floor + room.height
    });
    found.map(|room| room.id)
}

/// The middle of a piece's footprint, at the height of its origin.
fn middle(author: &Author, element: Id) -> Option<DVec3> {
    let frame = author.frame(element).ok()?;
    let corners = footprint(author, element, &frame, (f64::NEG_INFINITY, f64::INFINITY))?.footprint;
    let sum: DVec2 = corners.iter().copied().sum();
    Some((sum / corners.len().max(1) as f64).extend(frame.translation.z))
}
