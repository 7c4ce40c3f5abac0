//! The distance of two doors that a room needs both (1007.1.1): a half of its diagonal, with sprinklers a third.

use super::RoomEgress;
use super::rules::SEPARATION;
use super::survey::Survey;
use crate::{Finding, Quantity, Required};
use glam::DVec2;
use spatial::Room;
use spatial::ways::Door;

/// Adds a finding for each room whose doors lie too close together.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let needing = survey.rooms.iter().filter(|room| room.exits_required > 1 && room.doors.len() > 1);
    findings.extend(needing.filter_map(|room| of_room(survey, room)));
}

fn of_room(survey: &Survey<'_>, room: &RoomEgress) -> Option<Finding> {
    let number = room.load.room;
    if survey.open.contains(&number) || !survey.is_occupied(room) {
        return None;
    }
    let doors: Vec<&Door> = room.doors.iter().filter_map(|door| survey.door(*door)).collect();
    let apart = farthest(doors.iter().map(|door| door.middle).collect());
    let diagonal = diagonal(survey.layout_room(number)?);
    let least = diagonal * survey.parameters.least_separation();
    if apart >= least - 1e-6 {
        return None;
    }
    let (has, needs) = (Quantity::length(apart), Quantity::length(least));
    let message = format!(
        "The doors of the room {}, which needs two, are {has} apart; its diagonal of {} asks for {needs}.",
        survey.label(number),
        Quantity::length(diagonal)
    );
    let mut finding = survey
        .breach_of_room(&SEPARATION, room, message)
        .measured(has, Required::AtLeast(needs))
        .suggest("Move one of the doors to another side of the room.");
    finding.elements.extend(doors.iter().map(|door| door.element));
    finding.lines = vec![doors.iter().map(|door| door.middle.extend(door.sill)).collect()];
    Some(finding)
}

/// The greatest distance of two of some points.
fn farthest(points: Vec<DVec2>) -> f64 {
    let from = |p: &DVec2| points.iter().map(|q| p.distance(*q)).fold(0.0, f64::max);
    points.iter().map(from).fold(0.0, f64::max)
}

/// The longest diagonal of a room's floor.
fn diagonal(room: &Room) -> f64 {
    farthest(room.floor.iter().flat_map(|area| &area.outer).copied().collect())
}
