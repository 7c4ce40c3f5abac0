//! Two doors in series in a room: how much floor is left between them when both are open.

use super::room_size::number;
use super::swing::{self, Opens};
use crate::finding::Unit;
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind};
use crate::packs::measure::{Answer, Argument, Arguments, Measure, Reading};
use crate::packs::value::ValueType;
use glam::DVec2;
use spatial::ways::Door;
use std::collections::BTreeSet;

/// Walls whose directions differ by less than this (a cosine) face each other.
const FACING: f64 = 0.98;

pub(super) const MEASURES: &[Measure] = &[Measure {
    name: "room.doors_in_series",
    kind: Kind::Room,
    value: ValueType::Quantity(Unit::Length),
    label: "floor between two doors in series",
    means: "Between the faces of walls that face each other, less the leaves that swing into the room; one reading for each pair of hinged doors that lie opposite each other.",
    arguments: &[
        Argument::length(
            "offset",
            0.6,
            "by how much two doors may lie beside each other and still be in series",
        ),
        Argument::length("reach", 4.0, "doors farther apart are not in series"),
        Argument::truth(
            "stated",
            false,
            "doors that the file's space boundaries give to the room count, too",
        ),
    ],
    is_many: true,
    run: doors_in_series,
}];

/// A hinged door as it is seen from the room.
struct Seen<'a> {
    door: &'a Door,
    swing: Opens,
    /// The side of it that the room lies on; none of one that is only said to belong to the room.
    side: Option<usize>,
}

fn doors_in_series(context: &Context<'_>, item: Item, arguments: &Arguments) -> Answer {
    let room = number(item)?;
    let doors = seen(context, room, arguments.truth("stated"));
    let mut found = Vec::new();
    for (n, first) in doors.iter().enumerate() {
        for second in doors.iter().skip(n + 1) {
            found.extend(between(first, second, arguments));
        }
    }
    Ok(found)
}

/// The hinged doors of a room.
fn seen<'a>(context: &Context<'a>, room: usize, is_stated: bool) -> Vec<Seen<'a>> {
    let premises = &context.subject.ways.premises;
    let space = context.room(room).and_then(spatial::Room::space).filter(|_| is_stated);
    let stated: BTreeSet<ifc::Id> = space
        .map(|space| context.links.boundaries_of_space(space))
        .into_iter()
        .flatten()
        .filter_map(|boundary| boundary.element)
        .collect();
    let mut found = Vec::new();
    for (number, door) in premises.doors.iter().enumerate().filter(|(_, door)| !door.is_open) {
        let side =
            premises.beside.get(number).and_then(|both| both.iter().position(|own| *own == Some(room)));
        if let Some(swing) =
            swing::opens(context, door).filter(|_| side.is_some() || stated.contains(&door.element))
        {
            found.push(Seen { door, swing, side });
        }
    }
    found
}

/// The reading of two doors, where they are in series.
fn between(first: &Seen<'_>, second: &Seen<'_>, arguments: &Arguments) -> Option<Reading> {
    let (one, other) = (first.door, second.door);
    let apart = other.middle - one.middle;
    if one.through().dot(other.through()).abs() < FACING || (one.sill - other.sill).abs() > 0.5 {
        return None;
    }
    let [a, b] = [(first, apart), (second, -apart)].map(|(seen, to)| face(seen, to));
    // both look to each other
    let inward = a.1;
    if inward.dot(b.1) > -FACING {
        return None;
    }
    let distance = (b.0 - a.0).dot(inward);
    let beside = apart.dot(inward.perp()).abs() - f64::midpoint(one.width, other.width);
    if distance <= 0.0 || distance > arguments.number("reach") || beside > arguments.number("offset") {
        return None;
    }
    let opening = [(first, a.2), (second, b.2)].into_iter().filter(|(seen, side)| seen.swing.sides[*side]);
    let leaves = opening.fold(0.0, |sum, (seen, _)| sum + seen.swing.leaf);
    let lines = vec![vec![a.0.extend(one.sill), (a.0 + inward * distance).extend(one.sill)]];
    let mut reading = Reading::length((distance - leaves).max(0.0)).about([one.element, other.element]);
    reading.lines = lines;
    reading.point = Some(one.middle.midpoint(other.middle).extend(one.sill));
    let stated = [first, second].iter().any(|seen| seen.side.is_none());
    let mut detail = format!(
        "The walls are {:.0} mm apart, of which open leaves take {:.0} mm.",
        distance * 1e3,
        leaves * 1e3
    );
    if stated {
        detail.push_str(" One of them belongs to the room by the file's space boundaries alone.");
    }
    Some(reading.saying(detail))
}

/// The face of the wall at a door, the direction into the room, and the side that it is.
fn face(seen: &Seen<'_>, to: DVec2) -> (DVec2, DVec2, usize) {
    let door = seen.door;
    let side = seen.side.unwrap_or_else(|| usize::from(to.dot(door.through()) > 0.0));
    let inward = if side == 1 { door.through() } else { -door.through() };
    (door.at(0.0, door.across[side]), inward, side)
}
