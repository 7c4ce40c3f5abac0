//! Stairs by their enclosure: an exit stairway, in which travel ends at its door, or an exit access stair, down which it is measured
//! (International Building Code 2021, 1019 and 1023).
//!
//! A stair is an exit where its rooms are a fire compartment of their own, or every wall, slab and door between them and other rooms is
//! rated for long enough (1023.2, 1023.4), where they are open to nothing else (1023.1), and where a door leads outside from them
//! (1023.3). Which of these decided is said of each stair. It refuses to say whether what the stair is built of, its pressurisation or
//! its outer walls are as 1023 asks.

use super::parameters::Parameters;
use crate::Subject;
use crate::fire::{Barriers, Compartment, Parameters as FireParameters, Source};
use ifc::Id;
use ifc::relations::Links;
use spatial::Room;
use spatial::adjacency::{Adjacency, Through};
use spatial::passage::Side;
use std::collections::{BTreeMap, BTreeSet};

/// A stair over all storeys that it joins, and whether it is an exit.
#[derive(Debug, Clone, PartialEq)]
pub struct StairEnclosure {
    /// Its elements: stairs, or flights that belong to none.
    pub stairs: Vec<Id>,
    /// Its flights, by their places in [`spatial::ways::Premises::flights`].
    pub flights: BTreeSet<usize>,
    /// The rooms that its flights lie in, by their places in the list of rooms.
    pub rooms: BTreeSet<usize>,
    /// True if it is an exit stairway, false for an exit access stair.
    pub is_exit: bool,
    /// The reason, in words that follow "since".
    pub reason: String,
}

/// The height over the ends of a flight at which its rooms are looked for, in metres.
const OVER: f64 = 0.3;
/// Stairs that are named in a sentence.
const NAMED: usize = 5;

impl StairEnclosure {
    /// True of a door between the stair and another room of the building, by the rooms on both its sides.
    pub(super) fn is_entered_by(&self, sides: [Option<usize>; 2], is_inside: impl Fn(usize) -> bool) -> bool {
        let [Some(a), Some(b)] = sides else { return false };
        parted([a, b], self).is_some_and(is_inside)
    }

    /// True of a door that leads outside from the stair.
    pub(super) fn is_left_by(&self, sides: [Option<usize>; 2]) -> bool {
        sides.iter().flatten().any(|room| self.rooms.contains(room))
    }
}

/// The stairs of a building, those without any room included.
pub(super) fn enclosures(subject: &Subject<'_>, parameters: &Parameters) -> Vec<StairEnclosure> {
    let mut stairs = joined(subject);
    if stairs.is_empty() {
        return stairs;
    }
    let fire = FireParameters::default();
    let barriers = Barriers::new(subject, fire.least_minutes);
    for stair in &mut stairs {
        (stair.is_exit, stair.reason) = match decided(subject, parameters, &fire, &barriers, stair) {
            Ok(reason) => (true, reason),
            Err(reason) => (false, reason),
        };
    }
    stairs
}

/// The stairs with their flights and rooms: flights of one stair, or that lie in one room, are one.
fn joined(subject: &Subject<'_>) -> Vec<StairEnclosure> {
    let links = Links::of_one(subject.model);
    let mut stairs: Vec<StairEnclosure> = Vec::new();
    let flights = subject.ways.premises.flights.iter().enumerate();
    for (number, flight) in flights.filter(|(_, flight)| flight.is_stair) {
        let is_stair = |id: &Id| subject.model.get(*id).is_some_and(|element| element.is_a("IfcStair"));
        let whole = links.aggregate_parent(flight.element).filter(is_stair).unwrap_or(flight.element);
        let ends = flight.lines.first().into_iter().chain(flight.lines.last());
        let places = ends.map(|line| line[0].midpoint(line[1]) + glam::DVec3::Z * OVER);
        let mut own = StairEnclosure {
            stairs: vec![whole],
            flights: BTreeSet::from([number]),
            rooms: places.flat_map(|p| subject.layout.rooms.at(p)).collect(),
            is_exit: false,
            reason: String::new(),
        };
        let is_same =
            |other: &StairEnclosure| other.stairs.contains(&whole) || !other.rooms.is_disjoint(&own.rooms);
        let (same, apart): (Vec<_>, Vec<_>) = stairs.into_iter().partition(is_same);
        for other in same {
            own.stairs.extend(other.stairs);
            own.flights.extend(other.flights);
            own.rooms.extend(other.rooms);
        }
        own.stairs.sort();
        own.stairs.dedup();
        stairs = apart;
        stairs.push(own);
    }
    stairs.sort_by(|a, b| a.stairs.cmp(&b.stairs));
    stairs
}

/// The reason for which a stair is an exit, or for which it is none.
fn decided(
    subject: &Subject<'_>,
    parameters: &Parameters,
    fire: &FireParameters,
    barriers: &Barriers,
    stair: &StairEnclosure,
) -> Result<String, String> {
    if stair.rooms.is_empty() {
        return Err("its flights lie in no room".to_owned());
    }
    if barriers.is_silent() {
        return Err("the model states neither fire ratings nor compartments".to_owned());
    }
    closed(subject, stair)?;
    let leads_out = subject.ways.premises.exits.iter().any(|exit| {
        subject.ways.premises.beside.get(exit.door).is_some_and(|sides| stair.is_left_by(*sides))
    });
    let own = barriers.compartments.iter().find(|own| is_own(own, stair));
    let reason = match own {
        Some(own) => format!("its rooms are the fire compartment {}", own.name),
        None => by_ratings(subject, parameters, fire, barriers, stair)?,
    };
    if leads_out { Ok(reason) } else { Err(format!("no door leads outside from it, although {reason}")) }
}

/// Returns true of a compartment that the file names and that a stair's rooms fill.
fn is_own(compartment: &Compartment, stair: &StairEnclosure) -> bool {
    let rooms: BTreeSet<usize> = compartment.rooms.iter().copied().collect();
    compartment.source != Source::RatedElements && rooms == stair.rooms
}

/// An error where a stair is open to a room that is none of its own.
fn closed(subject: &Subject<'_>, stair: &StairEnclosure) -> Result<(), String> {
    for adjacency in subject.layout.adjacencies().iter().filter(|a| a.through == Through::Opening) {
        if let Some(other) = beyond(subject, adjacency, stair) {
            return Err(format!("it is open to the room {}", label(subject, other)));
        }
    }
    Ok(())
}

/// The room within the building on the other side of what parts it from a room of a stair.
fn beyond(subject: &Subject<'_>, adjacency: &Adjacency, stair: &StairEnclosure) -> Option<usize> {
    let [Side::Room(a), Side::Room(b)] = adjacency.sides else { return None };
    let is_inside = |room: &usize| subject.layout.rooms.rooms.get(*room).is_some_and(|own| !own.is_outside);
    parted([a, b], stair).filter(is_inside)
}

/// That of two rooms that is none of a stair's, where the other is.
fn parted([a, b]: [usize; 2], stair: &StairEnclosure) -> Option<usize> {
    match (stair.rooms.contains(&a), stair.rooms.contains(&b)) {
        (true, false) => Some(b),
        (false, true) => Some(a),
        _ => None,
    }
}

/// The reason for which the walls, slabs and doors around a stair make it an exit, or the first of them that does not.
fn by_ratings(
    subject: &Subject<'_>,
    parameters: &Parameters,
    fire: &FireParameters,
    barriers: &Barriers,
    stair: &StairEnclosure,
) -> Result<String, String> {
    let called = |id: Id| building::soundness::called(subject.model, id);
    let needed = parameters.stair_minutes(storeys(subject, stair));
    let mut walls = 0;
    for piece in &barriers.between {
        let Some(other) = parted(piece.rooms, stair) else { continue };
        let Some(first) = piece.layers.first() else {
            return Err(format!("it is open to the room {}", label(subject, other)));
        };
        let minutes = piece.layers.iter().map(|id| barriers.minutes(*id)).fold(0.0, f64::max);
        if minutes < needed - 1e-6 {
            return Err(format!("{} beside it is {}", called(*first), told(minutes, needed)));
        }
        walls += 1;
    }
    if walls == 0 {
        return Err("no room lies beside it, so that nothing shows what encloses it".to_owned());
    }
    let doors = subject.layout.adjacencies().iter().filter(|a| a.through == Through::Door);
    let door_minutes = fire.opening_minutes(needed);
    for door in doors.filter(|a| beyond(subject, a, stair).is_some()).flat_map(|a| &a.elements) {
        let minutes = barriers.minutes(*door);
        if minutes < door_minutes - 1e-6 {
            return Err(format!("{} into it is {}", called(*door), told(minutes, door_minutes)));
        }
    }
    Ok(format!("what parts it from other rooms is rated for {needed:.0} min and more"))
}

fn told(minutes: f64, needed: f64) -> String {
    if minutes > 0.0 {
        format!("rated for {minutes:.0} min, and {needed:.0} min are due")
    } else {
        format!("not rated, and {needed:.0} min are due")
    }
}

/// The number of storeys that a stair joins.
fn storeys(subject: &Subject<'_>, stair: &StairEnclosure) -> usize {
    let of = |room: &usize| subject.layout.rooms.rooms.get(*room)?.storey;
    stair.rooms.iter().filter_map(of).collect::<BTreeSet<usize>>().len()
}

fn label(subject: &Subject<'_>, room: usize) -> String {
    subject.layout.rooms.rooms.get(room).map(Room::label).unwrap_or_default()
}

/// The sentences on what was taken for an exit and what was not; stairs for one reason are told together.
pub(super) fn notes(subject: &Subject<'_>, stairs: &[StairEnclosure]) -> Vec<String> {
    let mut by_reason: BTreeMap<(bool, &str), Vec<String>> = BTreeMap::new();
    for stair in stairs {
        let name = stair.stairs.first().map(|id| building::soundness::called(subject.model, *id));
        by_reason.entry((stair.is_exit, stair.reason.as_str())).or_default().extend(name);
    }
    let told = |((is_exit, reason), names): ((bool, &str), Vec<String>)| {
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = names.into_iter().take(NAMED).collect::<Vec<_>>().join(", ");
        if is_exit {
            format!("Exit stairway, in which travel ends at the door, since {reason}: {names}{more}.")
        } else {
            format!("Exit access stair, down which ways are measured, since {reason}: {names}{more}.")
        }
    };
    by_reason.into_iter().map(told).collect()
}
