//! Rooms that have a door and are not reached from outside: whole parts of a building that nothing joins to an exit.
//!
//! The way is looked for with all doors open, for one as narrow as a hand. Rooms that reach each other are told as one.

use super::Constraint;
use super::context::Context;
use super::room_without_door::{elements, middle};
use crate::dwelling::{entered, is_shaft, is_unnamed_void, storeys_with_doors};
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use ifc::Id;
use spatial::ways::Traveller;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::SEALED_ROOM,
    title: "Rooms are reached from outside",
    text: "From a door that leads outside there is a way to every room, over floors, stairs, ramps or lifts.",
    why: "What cannot be reached was cut off: a stair or a door is missing, or two storeys are not joined.",
    severity: Severity::Warning,
    find,
};

/// Rooms that are named in a message at most.
const NAMED: usize = 5;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let rooms = context.ways.rooms();
    if rooms.rooms.is_empty() {
        let message = "The model has no rooms, and its walls enclose none; ways to them were not judged.";
        findings.push(CONSTRAINT.unjudged(message));
        return;
    }
    if context.ways.premises.exits.is_empty() {
        let message = "No door of the model leads outside at the height of the ground; ways to its rooms were not judged.";
        findings.push(CONSTRAINT.unjudged(message));
        return;
    }
    let traveller = Traveller::slightest();
    let entered = entered(context.layout, &context.ways.premises.beside);
    let with_door = storeys_with_doors(context.layout);
    let reached = context.ways.reached(&traveller);
    let mesh = context.ways.mesh(&traveller, &BTreeSet::new());
    let mut islands: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, room) in rooms.rooms.iter().enumerate() {
        let is_cut_off = reached.get(number).copied().flatten() == Some(false);
        if !is_cut_off || room.is_outside || is_shaft(&context.links, room) || !entered.contains(&number) {
            continue;
        }
        if is_unnamed_void(room, &with_door) {
            continue;
        }
        if let Some(spot) = mesh.room_spot(rooms, number) {
            islands.entry(mesh.island(spot.triangle)).or_default().push(number);
        }
    }
    findings.extend(islands.values().map(|numbers| told(context, numbers)));
}

fn told(context: &Context<'_>, numbers: &[usize]) -> Finding {
    let rooms = context.ways.rooms();
    let all: Vec<_> = numbers.iter().filter_map(|n| rooms.rooms.get(*n)).collect();
    let names: Vec<String> = all.iter().take(NAMED).map(|room| room.label()).collect();
    let more = if all.len() > names.len() {
        format!(" and {} more", all.len() - names.len())
    } else {
        String::new()
    };
    let (rooms_are, reach) = if all.len() == 1 { ("room", "is") } else { ("rooms", "are") };
    let message = format!(
        "No way leads from outside to the {rooms_are} {}{more}, which {reach} cut off.",
        names.join(", ")
    );
    let mut elements: Vec<Id> = numbers.iter().flat_map(|n| elements(context, *n)).collect();
    elements.sort_unstable();
    elements.dedup();
    let finding = CONSTRAINT.breach(elements, message)
        .measured(Quantity::count(all.len()), Required::Exactly(Quantity::count(0)))
        .suggest("See with circulation_check what is in the way, then make the door, stair or ramp that is missing.");
    Finding { point: all.first().and_then(|room| middle(room)), ..finding }
}
