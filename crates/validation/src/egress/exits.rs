//! The number of exits of rooms (1006.2) and storeys (1006.3), and their capacity (1005.3.2).

use super::RoomEgress;
use super::rules::{EXIT_CAPACITY, ROOM_EXITS, STOREY_EXITS};
use super::survey::Survey;
use crate::{Finding, Quantity, Required};
use ifc::Id;
use ifc::relations::Links;
use std::collections::BTreeSet;

/// The farthest that a floor lies from the storey's, in metres, to be its own.
const LEVEL: f64 = 1.0;

/// Adds a finding for each room and storey with too few exits, and for each exit that is too narrow for all who take it.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    findings.extend(survey.rooms.iter().filter_map(|room| of_room(survey, room)));
    for storey in 0..survey.subject.layout.rooms.storeys.len() {
        findings.extend(of_storey(survey, storey));
    }
    capacity(survey, findings);
}

fn of_room(survey: &Survey<'_>, room: &RoomEgress) -> Option<Finding> {
    let number = room.load.room;
    let is_judged = survey.is_occupied(room) && !survey.open.contains(&number) && !room.doors.is_empty();
    if !is_judged || room.doors.len() >= room.exits_required {
        return None;
    }
    let (has, needs) = (Quantity::count(room.doors.len()), Quantity::count(room.exits_required));
    let message = format!(
        "The room {} is for {:.0} persons and has {has} of {needs} doors that they need to leave it.",
        survey.label(number),
        room.load.persons.ceil()
    );
    let finding = survey
        .breach_of_room(&ROOM_EXITS, room, message)
        .measured(has, Required::AtLeast(needs))
        .suggest("Make a further door, at least half of the room's diagonal away from the first.");
    Some(finding)
}

/// The finding on a storey with fewer exits and stairs than its load needs.
fn of_storey(survey: &Survey<'_>, storey: usize) -> Option<Finding> {
    let own = survey.subject.layout.rooms.storeys.get(storey)?;
    let rooms = survey.rooms.iter().filter(|room| {
        survey.layout_room(room.load.room).is_some_and(|r| r.storey == Some(storey))
            && survey.is_occupied(room)
    });
    let rooms: Vec<&RoomEgress> = rooms.collect();
    let persons: f64 = rooms.iter().map(|room| room.load.persons).sum();
    let needed = survey.parameters.exits_for(persons, survey.parameters.single_exit_load);
    let ways = ways_out(survey, &rooms);
    // a storey without any way is told by its rooms
    if rooms.is_empty() || ways.is_empty() || ways.len() >= needed {
        return None;
    }
    let (has, needs) = (Quantity::count(ways.len()), Quantity::count(needed));
    let message = format!(
        "The storey {} is for {:.0} persons and has {has} of {needs} exits and stairs that they need.",
        own.name,
        persons.ceil()
    );
    let elements = std::iter::once(own.id).chain(ways).collect();
    let finding = STOREY_EXITS
        .finding(elements, message)
        .measured(has, Required::AtLeast(needs))
        .suggest("Make a further exit or stair, apart from the others.");
    let first = rooms.first().and_then(|room| survey.middle(room.load.room));
    Some(Finding { point: first, ..finding })
}

/// The exits and stairs by which one leaves some rooms of a storey: doors outside at their level and exit stairways that are entered there;
/// without any door outside also exit access stairs that begin or end there.
fn ways_out(survey: &Survey<'_>, rooms: &[&RoomEgress]) -> BTreeSet<Id> {
    let premises = &survey.subject.ways.premises;
    let feet: Vec<f64> =
        rooms.iter().filter_map(|room| survey.layout_room(room.load.room)).map(|room| room.foot).collect();
    let is_here = |height: f64| feet.iter().any(|foot| (foot - height).abs() < LEVEL);
    let mut found: BTreeSet<Id> = BTreeSet::new();
    let mut leads_outside = false;
    for exit in &survey.network.exits {
        let Some(door) = survey.door(exit.door).filter(|door| is_here(door.sill)) else { continue };
        leads_outside |= exit.stair.is_none();
        // several doors into one stair are one exit
        let stair = exit.stair.and_then(|stair| survey.stairs.get(stair)?.stairs.first());
        found.insert(stair.copied().unwrap_or(door.element));
    }
    if !leads_outside {
        let links = Links::of_one(survey.subject.model);
        let is_element = |id: &Id| survey.subject.model.get(*id).is_some_and(|e| e.is_a("IfcElement"));
        let whole = |id: Id| links.aggregate_parent(id).filter(is_element).unwrap_or(id);
        let is_of_exit =
            |number: usize| survey.stairs.iter().any(|s| s.is_exit && s.flights.contains(&number));
        let open = premises.flights.iter().enumerate().filter(|(number, _)| !is_of_exit(*number));
        let here = open.filter(|(_, flight)| is_here(flight.top) || is_here(flight.foot));
        found.extend(here.map(|(_, flight)| whole(flight.element)));
    }
    found
}

fn capacity(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    for exit in survey.exits().into_iter().filter(|exit| exit.load > exit.capacity + 1e-9) {
        let needed = Quantity::length(exit.load * survey.parameters.door_width_per_person);
        let has = Quantity::length(exit.clear_width);
        let name = building::soundness::called(survey.subject.model, exit.door);
        let message = format!(
            "The exit {name} is the nearest for {:.0} persons and {has} wide; they need {needed}.",
            exit.load.ceil()
        );
        let finding = EXIT_CAPACITY
            .finding(vec![exit.door], message)
            .measured(has, Required::AtLeast(needed))
            .suggest("Make it wider, or a further exit.");
        let at = survey.door(exit.place).map(|door| door.middle.extend(door.sill));
        findings.push(Finding { point: at, ..finding });
    }
}
