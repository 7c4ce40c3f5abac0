//! Rooms that nothing leads into: no door, no opening, and no side that is open to another room.

use super::Constraint;
use super::context::Context;
use crate::dwelling::{entered, is_shaft, is_unnamed_void, storeys_with_doors};
use crate::{Finding, Severity};
use glam::DVec3;
use ifc::Id;
use spatial::Room;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.room_without_door",
    title: "Rooms have a door",
    text: "Every room but shafts and voids has a door, an opening to walk through, or a side that is open to another room.",
    why: "Nobody gets into a room without a door: it was forgotten, or stands on the other side of the wall.",
    severity: Severity::Warning,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let rooms = &context.layout.rooms.rooms;
    if rooms.is_empty() {
        let message = "The model has no rooms, and its walls enclose none; doors of rooms were not judged.";
        findings.push(CONSTRAINT.unjudged(message));
        return;
    }
    let entered = entered(context.layout, &context.ways.premises.beside);
    let with_door = storeys_with_doors(context.layout);
    for (number, room) in rooms.iter().enumerate() {
        if entered.contains(&number) || room.is_outside || is_shaft(&context.links, room) {
            continue;
        }
        // what walls enclose on a storey without any door, as under a roof, nobody called a room
        if is_unnamed_void(room, &with_door) {
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
