//! Rooms that nothing leads into: no door, no opening, and no side that is open to another room.

use super::Constraint;
use super::context::Context;
use crate::{Finding, Severity};
use glam::DVec3;
use ifc::Id;
use spatial::Room;
use spatial::adjacency::Through;
use spatial::passage::{PassageKind, Side};
use std::collections::BTreeSet;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.room_without_door",
    title: "Rooms have a door",
    text: "Every room but shafts and voids has a door, an opening to walk through, or a side that is open to another room.",
    why: "Nobody gets into a room without a door: it was forgotten, or stands on the other side of the wall.",
    severity: Severity::Warning,
    find,
};

/// Rooms lower than this are voids, in metres.
const LOW: f64 = 1.5;
/// Rooms smaller than this are shafts and niches, in m².
const SMALL: f64 = 1.0;
/// What rooms are called that nobody goes into, in the languages of the models that are known.
const SHAFTS: [&str; 14] = [
    "shaft",
    "void",
    "plenum",
    "riser",
    "duct",
    "chase",
    "cavity",
    "crawl",
    "schacht",
    "luftraum",
    "hohlraum",
    "gaine",
    "vide",
    "technical void",
];

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let rooms = &context.layout.rooms.rooms;
    if rooms.is_empty() {
        let message = "The model has no rooms, and its walls enclose none; doors of rooms were not judged.";
        findings.push(CONSTRAINT.unjudged(message));
        return;
    }
    let entered = entered(context);
    let with_door = storeys_with_doors(context);
    for (number, room) in rooms.iter().enumerate() {
        if entered.contains(&number) || room.is_outside || is_shaft(context, room) {
            continue;
        }
        // what walls enclose on a storey without any door, as under a roof, nobody called a room
        if room.is_found() && !with_door.contains(&room.storey) {
            continue;
        }
        let message = format!(
            "Nothing leads into the room {}: it has no door and is open to no other room.",
            room.label()
        );
        let finding = CONSTRAINT
            .breach(elements(context, number), message)
            .suggest("Make a door into it with create_opening, or call it a shaft if that is what it is.");
        findings.push(Finding { point: middle(room), ..finding });
    }
}

/// The rooms that something leads into.
pub(super) fn entered(context: &Context<'_>) -> BTreeSet<usize> {
    let layout = context.layout;
    let leads = |kind: PassageKind| matches!(kind, PassageKind::Door | PassageKind::Opening);
    let passages = layout.passages.iter().filter(|passage| leads(passage.kind));
    let mut found: BTreeSet<usize> =
        passages.flat_map(|passage| passage.sides()).filter_map(Side::room).collect();
    let open = layout.adjacencies().iter().filter(|a| matches!(a.through, Through::Door | Through::Opening));
    found.extend(open.flat_map(|a| a.sides).filter_map(Side::room));
    found.extend(context.ways.premises.beside.iter().flatten().flatten());
    found
}

/// The storeys on which a door leads into some room.
pub(super) fn storeys_with_doors(context: &Context<'_>) -> BTreeSet<Option<usize>> {
    let rooms = &context.layout.rooms.rooms;
    let all = doors(context).into_iter();
    all.filter_map(|room| rooms.get(room)).map(|room| room.storey).collect()
}

/// The rooms into which a door leads.
fn doors(context: &Context<'_>) -> BTreeSet<usize> {
    let layout = context.layout;
    let doors = layout.passages.iter().filter(|passage| passage.kind == PassageKind::Door);
    doors.flat_map(|passage| passage.sides()).filter_map(Side::room).collect()
}

/// Returns true of a room that nobody goes into: by its size or its name, or a total of areas that is no room at all.
pub(super) fn is_shaft(context: &Context<'_>, room: &Room) -> bool {
    let words = room.label().to_lowercase();
    let kind = room.space().and_then(|id| context.links.predefined_type(id)).unwrap_or_default();
    let area: f64 = room.floor.iter().map(geometry::region::Area::size).sum();
    area < SMALL
        || room.top - room.foot < LOW
        || kind == "GFA"
        || SHAFTS.iter().any(|shaft| words.contains(shaft))
}

/// The room's space, or the walls around it where it is found between walls.
pub(super) fn elements(context: &Context<'_>, number: usize) -> Vec<Id> {
    let room = context.layout.rooms.rooms.get(number);
    if let Some(space) = room.and_then(Room::space) {
        return vec![space];
    }
    let around = context.layout.bounding(number).iter().filter(|b| b.normal.z.abs() < 0.5);
    let mut walls: Vec<Id> = around.filter_map(|b| b.element).collect();
    walls.sort_unstable();
    walls.dedup();
    walls
}

/// A point over the middle of a room's floor.
pub(super) fn middle(room: &Room) -> Option<DVec3> {
    let corners = room.floor.iter().flat_map(|area| &area.outer);
    let (sum, count) = corners.fold((glam::DVec2::ZERO, 0.0), |(sum, n), p| (sum + *p, n + 1.0));
    (count > 0.0).then(|| (sum / count).extend(room.foot + 1.0))
}
