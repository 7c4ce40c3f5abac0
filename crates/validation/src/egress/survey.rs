//! What all checks of egress look at: rooms with their loads and ways, and how many persons pass each door and flight.

use super::enclosure::{self, StairEnclosure, enclosures};
use super::load::{RoomLoad, loads};
use super::occupancy::Occupancy;
use super::parameters::Parameters;
use super::route::{Network, ReachedExit, WayOut, direction_through};
use super::{Analysis, ExitUse, RoomEgress};
use crate::dwelling::{entered, is_shaft, is_unnamed_void, storeys_with_doors};
use crate::rule_page::RulePage;
use crate::{Finding, Subject};
use glam::{DVec2, DVec3};
use ifc::Id;
use ifc::relations::Links;
use spatial::Room;
use spatial::adjacency::Through;
use spatial::passage::Side;
use spatial::ways::{Door, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// The persons that pass a door on their way out.
#[derive(Debug, Clone, Default)]
pub(super) struct Passing {
    /// The number of those from its own level.
    level: f64,
    /// The numbers of those from each storey above, and from each below.
    storeys: [BTreeMap<Option<usize>, f64>; 2],
    /// The directions in plan in which they pass, each by their number.
    pub ways: DVec2,
}

/// A room whose floor is so much higher or lower than a door, in metres, is on another level.
const LEVEL: f64 = 1.0;

impl Passing {
    fn add(&mut self, persons: f64, storey: Option<usize>, rise: f64) {
        match rise {
            rise if rise > LEVEL => *self.storeys[0].entry(storey).or_default() += persons,
            rise if rise < -LEVEL => *self.storeys[1].entry(storey).or_default() += persons,
            _ => self.level += persons,
        }
    }

    /// The number that its width is for: of those who come by stairs, only the storey with the most counts, and where they come from
    /// above and below both do (1005.3.1, 1005.6).
    pub fn persons(&self) -> f64 {
        let most = |storeys: &BTreeMap<Option<usize>, f64>| storeys.values().copied().fold(0.0, f64::max);
        self.level + self.storeys.iter().map(most).sum::<f64>()
    }
}

/// The rooms of a building with their loads and ways out.
pub(super) struct Survey<'a> {
    pub subject: &'a Subject<'a>,
    pub parameters: &'a Parameters,
    pub network: Network<'a>,
    pub main: Option<Occupancy>,
    pub rooms: Vec<RoomEgress>,
    /// Who passes each door, by its place in the premises.
    pub doors: BTreeMap<usize, Passing>,
    /// The number of persons of each storey that take each flight, by its place in the premises.
    flights: BTreeMap<usize, BTreeMap<Option<usize>, f64>>,
    /// The stairs, and which of them are exits.
    pub stairs: Vec<StairEnclosure>,
    /// Rooms that are open to another one without a door.
    pub open: BTreeSet<usize>,
    /// Rooms that nobody goes into.
    pub left_out: BTreeSet<usize>,
}

impl<'a> Survey<'a> {
    pub fn new(subject: &'a Subject<'a>, parameters: &'a Parameters) -> Self {
        let stairs = enclosures(subject, parameters);
        let network = Network::new(subject, parameters, &stairs);
        let (loads, main) = loads(subject, parameters);
        let farthest = network.farthest();
        let mut survey = Self {
            subject,
            parameters,
            network,
            main,
            rooms: Vec::new(),
            doors: BTreeMap::new(),
            flights: BTreeMap::new(),
            stairs,
            open: open_rooms(subject),
            left_out: left_out(subject),
        };
        let spots: Vec<Spot> = farthest.iter().flatten().map(|place| place.spot).collect();
        let mut found = survey.network.ways_out(&spots).into_iter();
        let ways: Vec<Vec<WayOut>> =
            farthest.iter().map(|place| place.and_then(|_| found.next()).unwrap_or_default()).collect();
        let all = |room: usize| ways.get(room).map(Vec::as_slice).unwrap_or_default();
        survey.rooms = loads.into_iter().map(|load| survey.room(load.clone(), all(load.room))).collect();
        survey.count();
        survey
    }

    fn room(&self, load: RoomLoad, all: &[WayOut]) -> RoomEgress {
        let single =
            self.occupancy(&load).map_or(self.parameters.single_exit_load, |o| o.single_exit_load as f64);
        let beside = self.subject.ways.premises.beside.iter().enumerate();
        let leads_out = |sides: &[Option<usize>; 2]| sides.contains(&Some(load.room)) && sides[0] != sides[1];
        RoomEgress {
            doors: beside.filter(|(_, sides)| leads_out(sides)).map(|(door, _)| door).collect(),
            exits_required: self.parameters.exits_for(load.persons, single),
            common_path: (!all.is_empty()).then(|| self.network.common_path(all)),
            way: all.first().cloned(),
            load,
        }
    }

    /// Counts who passes what, through exit stairways as far as the door outside.
    fn count(&mut self) {
        for room in &self.rooms {
            let Some(way) = room.way.as_ref().filter(|_| !self.is_exit(room.load.room)) else { continue };
            let own = self.subject.layout.rooms.rooms.get(room.load.room);
            let (storey, foot) = own.map_or((None, 0.0), |own| (own.storey, own.foot));
            let onward = self.network.exits.get(way.exit).and_then(|exit| exit.onward.as_ref());
            for part in std::iter::once(way).chain(onward) {
                for (number, _) in &part.doors {
                    // the door into a stair is the last of one part, and may be the first of the next
                    let is_met = !std::ptr::eq(part, way) && way.doors.iter().any(|(met, _)| met == number);
                    let Some(door) = self.subject.ways.premises.doors.get(*number).filter(|_| !is_met) else {
                        continue;
                    };
                    let passing = self.doors.entry(*number).or_default();
                    passing.add(room.load.persons, storey, foot - door.sill);
                    passing.ways +=
                        direction_through(door, &part.points).unwrap_or_default() * room.load.persons;
                }
                for flight in &part.flights {
                    let persons = self.flights.entry(*flight).or_default().entry(storey).or_default();
                    *persons += room.load.persons;
                }
            }
        }
    }

    /// The flights that anybody takes, by their places in the premises, each with the number of persons that its width is for: those of
    /// the storey with the most (1005.3.1).
    pub fn flight_loads(&self) -> impl Iterator<Item = (usize, f64)> {
        let most = |storeys: &BTreeMap<Option<usize>, f64>| storeys.values().copied().fold(0.0, f64::max);
        self.flights
            .iter()
            .map(move |(flight, storeys)| (*flight, most(storeys)))
            .filter(|(_, most)| *most > 0.0)
    }

    /// Returns true of a room of an exit stairway: who is in it has left.
    pub fn is_exit(&self, room: usize) -> bool {
        self.stairs.iter().any(|stair| stair.is_exit && stair.rooms.contains(&room))
    }

    /// The occupancy of a room.
    pub fn occupancy(&self, load: &RoomLoad) -> Option<&Occupancy> {
        self.parameters.occupancies.iter().find(|own| own.id == load.occupancy)
    }

    /// A room of the layout.
    pub fn layout_room(&self, room: usize) -> Option<&'a Room> {
        self.subject.layout.rooms.rooms.get(room)
    }

    /// The name of a room.
    pub fn label(&self, room: usize) -> String {
        self.layout_room(room).map(Room::label).unwrap_or_default()
    }

    /// The space of a room, where the file has it.
    pub fn space(&self, room: usize) -> Option<Id> {
        self.layout_room(room).and_then(Room::space)
    }

    /// A door of the premises.
    pub fn door(&self, door: usize) -> Option<&'a Door> {
        self.subject.ways.premises.doors.get(door)
    }

    /// Returns true of a room in which persons are counted.
    pub fn is_occupied(&self, room: &RoomEgress) -> bool {
        let number = room.load.room;
        room.load.persons > 0.0 && !self.left_out.contains(&number) && !self.is_exit(number)
    }

    /// A breach of a rule about a room, shown by its way out.
    pub fn breach_of_room(&self, rule: &RulePage, room: &RoomEgress, message: String) -> Finding {
        let space = self.space(room.load.room);
        let finding = rule.finding(space.into_iter().collect(), message);
        let points = room.way.as_ref().map(|way| way.points.clone()).unwrap_or_default();
        let point = points.first().copied().or_else(|| self.middle(room.load.room));
        let lines = if points.is_empty() { Vec::new() } else { vec![points] };
        Finding { room: space, point, lines, ..finding }
    }

    /// The middle of a room's outline, on its floor.
    pub fn middle(&self, room: usize) -> Option<DVec3> {
        let own = self.layout_room(room)?;
        let corners = own.floor.iter().flat_map(|area| &area.outer);
        let (sum, count) = corners.fold((DVec2::ZERO, 0.0), |(sum, n), p| (sum + *p, n + 1.0));
        (count > 0.0).then(|| (sum / count).extend(own.foot))
    }

    /// The exits that are reached, with who takes them.
    pub fn exits(&self) -> Vec<ExitUse> {
        let one = |(number, exit): (usize, &ReachedExit)| {
            let door = self.door(exit.door)?;
            let taken =
                self.rooms.iter().filter(|room| room.way.as_ref().is_some_and(|way| way.exit == number));
            Some(ExitUse {
                place: exit.door,
                door: door.element,
                stair: exit.stair.and_then(|stair| self.stairs.get(stair)?.stairs.first().copied()),
                clear_width: door.clear,
                capacity: door.clear / self.parameters.door_width_per_person,
                persons: taken.map(|room| room.load.persons).sum(),
                load: self.doors.get(&exit.door).map_or(0.0, Passing::persons),
            })
        };
        self.network.exits.iter().enumerate().filter_map(one).collect()
    }

    /// The answer.
    pub fn analysis(self, findings: Vec<Finding>) -> Analysis {
        Analysis {
            occupancy: self.main.as_ref().map(|main| main.id.clone()).unwrap_or_default(),
            exits: self.exits(),
            persons: self.rooms.iter().map(|room| room.load.persons).sum(),
            findings,
            notes: self.notes(),
            stairs: self.stairs,
            rooms: self.rooms,
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let assumed = self.rooms.iter().filter(|room| room.load.is_assumed && self.is_occupied(room)).count();
        if let Some(main) = self.main.as_ref().filter(|_| assumed > 0) {
            notes.push(format!(
                "The use of {assumed} of {} rooms was not recognised; they count as {}.",
                self.rooms.len(),
                main.title
            ));
        }
        notes.extend(enclosure::notes(self.subject, &self.stairs));
        let closed = self.rooms.iter().filter(|room| {
            let number = room.load.room;
            self.left_out.contains(&number) && self.layout_room(number).is_some_and(|own| !own.is_outside)
        });
        let closed = closed.count();
        if closed > 0 {
            notes.push(format!(
                "{closed} rooms were left out: shafts and voids, and rooms that nothing leads into."
            ));
        }
        let sprinklers = if self.parameters.has_sprinklers { "with" } else { "without" };
        notes.push(format!("The limits are those of a building {sprinklers} sprinklers."));
        notes
    }
}

/// The rooms that nobody goes into: outdoors, shafts, voids, and those that nothing leads into.
fn left_out(subject: &Subject<'_>) -> BTreeSet<usize> {
    let links = Links::of_many(subject.model);
    let with_doors = storeys_with_doors(subject.layout);
    let entered = entered(subject.layout, &subject.ways.premises.beside);
    let rooms = subject.layout.rooms.rooms.iter().enumerate();
    let is_left = |(number, room): &(usize, &Room)| {
        room.is_outside
            || is_shaft(&links, room)
            || is_unnamed_void(room, &with_doors)
            || !entered.contains(number)
    };
    rooms.filter(is_left).map(|(number, _)| number).collect()
}

/// The rooms that are open to another one by a side without wall or door.
fn open_rooms(subject: &Subject<'_>) -> BTreeSet<usize> {
    let open = subject
        .layout
        .adjacencies()
        .iter()
        .filter(|a| a.through == Through::Opening && a.elements.is_empty());
    open.filter(|a| a.sides.iter().all(|side| side.room().is_some()))
        .flat_map(|a| a.sides)
        .filter_map(Side::room)
        .collect()
}
