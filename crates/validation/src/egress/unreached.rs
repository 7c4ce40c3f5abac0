//! Rooms from which no way leads to an exit, with what is in the way. Rooms that reach each other are told as one.

use super::RoomEgress;
use super::rules::UNREACHED;
use super::survey::Survey;
use crate::{Finding, Measured, Quantity, Required};
use glam::DVec3;
use ifc::Id;
use spatial::ways::{Block, blocks};
use std::collections::BTreeMap;

/// Groups of rooms of which it is told what is in the way.
const EXPLAINED: usize = 3;
/// Rooms that are named in a message.
const NAMED: usize = 5;

/// Adds a finding for each group of rooms from which no way leads to an exit.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let mesh = &survey.network.mesh;
    // a room in which nobody can stand is one by itself
    let mut groups: BTreeMap<(bool, u32), Vec<&RoomEgress>> = BTreeMap::new();
    for room in survey.rooms.iter().filter(|room| survey.is_occupied(room) && room.way.is_none()) {
        let spot = mesh.room_spot(survey.subject.ways.rooms(), room.load.room);
        let key = spot.map_or((false, room.load.room as u32), |spot| (true, mesh.island(spot.triangle)));
        groups.entry(key).or_default().push(room);
    }
    for (place, ((is_free, _), rooms)) in groups.into_iter().enumerate() {
        findings.extend(told(survey, &rooms, is_free, place < EXPLAINED));
    }
}

fn told(survey: &Survey<'_>, rooms: &[&RoomEgress], is_free: bool, explain: bool) -> Option<Finding> {
    let first = rooms.first()?;
    let names: Vec<String> = rooms.iter().take(NAMED).map(|room| survey.label(room.load.room)).collect();
    let more = if rooms.len() > names.len() {
        format!(" and {} more", rooms.len() - names.len())
    } else {
        String::new()
    };
    let persons: f64 = rooms.iter().map(|room| room.load.persons).sum();
    let noun = if rooms.len() == 1 { "room" } else { "rooms" };
    let width = Quantity::length(survey.parameters.width);
    let mut message = if is_free {
        format!(
            "No way of {width} leads to an exit from the {noun} {}{more}, for {persons:.1} persons.",
            names.join(", ")
        )
    } else {
        format!("Nobody of {width} can stand in the room {}, for {persons:.1} persons.", names.join(", "))
    };
    let block = if is_free && explain { obstacle(survey, first) } else { None };
    let mut elements: Vec<Id> = rooms.iter().filter_map(|room| survey.space(room.load.room)).collect();
    if let Some((reason, blocking)) = block {
        message = format!("{message} In the way: {reason}.");
        elements.extend(blocking.into_iter().filter(|id| survey.subject.model.contains(*id)));
    }
    let finding = survey.breach_of_room(&UNREACHED, first, message).suggest(
        "See with circulation_check what is in the way; make the door or stair that is missing, or clear the way.",
    );
    let required = Some(Required::Words("a way to an exit".to_owned()));
    Some(Finding { elements, measured: Some(Measured::Words("none".to_owned())), required, ..finding })
}

/// The first obstacle between a room and the exits, in words, with the elements.
fn obstacle(survey: &Survey<'_>, room: &RoomEgress) -> Option<(String, Vec<Id>)> {
    let (ways, mesh) = (survey.subject.ways, &survey.network.mesh);
    let from = mesh.room_spot(ways.rooms(), room.load.room)?.point;
    let to: Vec<DVec3> = ways.premises.exits.iter().map(|exit| exit.outside).collect();
    let found = blocks(ways, mesh, &[from], &to);
    let first = found.first()?;
    let premises = &ways.premises;
    let called = |id: Id| building::soundness::called(survey.subject.model, id);
    let door = |number: usize| premises.doors.get(number).map(|door| door.element);
    let flight = |number: usize| premises.flights.get(number).map(|flight| flight.element);
    let width = |metres: f64| Quantity::length(metres);
    let one = |id: Option<Id>, what: String| id.map(|id| (format!("{} {what}", called(id)), vec![id]));
    match first {
        Block::Shut(number) => one(door(*number), "is shut".to_owned()),
        Block::Door(number, clear) => one(door(*number), format!("is {} wide in the clear", width(*clear))),
        Block::Flight(number, clear) => one(flight(*number), format!("is {} wide", width(*clear))),
        Block::Stair(number) => one(flight(*number), "is a stair".to_owned()),
        Block::Slope(number) => one(flight(*number), "is too steep".to_owned()),
        Block::Headroom(height, _, id) => one(Some(*id), format!("hangs {} over the floor", width(*height))),
        Block::Gap(gap, at, ids) => {
            Some((format!("a gap of {} at {} mm", width(*gap), place(*at)), ids.clone()))
        }
        Block::Step(height, at) => {
            Some((format!("a step of {} at {} mm", width(height.abs()), place(*at)), Vec::new()))
        }
        Block::Wall(p, q, ids) => {
            let at = place(p.midpoint(*q));
            Some((format!("no door joins both sides, which are nearest at {at} mm"), ids.clone()))
        }
        Block::Levels(low, high) => Some((
            format!("no stair or ramp leads from the level {} to {}", width(*low), width(*high)),
            Vec::new(),
        )),
    }
}

/// A place in words, in mm.
fn place(p: DVec3) -> String {
    let [x, y, z] = (p * 1000.0).round().to_array().map(|v| v + 0.0);
    format!("[{x}, {y}, {z}]")
}
