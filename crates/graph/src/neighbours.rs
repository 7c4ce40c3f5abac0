//! Rooms as `spatial` sees them: which are neighbours, through what, which way leads where, and how large they are.
//!
//! It is the only part of the graph that is kept: made when a query first asks for it, of the rooms of one version, and thrown away with
//! it. Rooms that no IfcSpace stands for, found between walls, are nodes of their own (`inst:room:NAME`).

use crate::term::{Bits, Part};
use foldhash::HashMap;
use geometry::query::Index;
use ifc::Id;
use ifc::relations::Links;
use spatial::adjacency::Through;
use spatial::passage::Side;
use spatial::ways::flights::flights;
use spatial::{Layout, Origin, Room};
use std::collections::BTreeMap;

/// One end of such a triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// An instance: a space or an element.
    Instance(Id),
    /// A room that was found, by its place in [`Neighbours::found`].
    Found(usize),
    /// The open air.
    Outside,
}

/// Predicates between rooms, elements and the open air.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// `bot:adjacentZone`.
    AdjacentZone,
    /// `bot:adjacentElement`.
    AdjacentElement,
    /// `way:leadsTo`.
    LeadsTo,
    /// `way:door`.
    Door,
    /// `way:passage`.
    Passage,
    /// `way:joins`.
    Joins,
    /// `way:byDoor`, `way:byWall`, and so on.
    By(Through),
}

impl Way {
    /// Every one.
    pub const ALL: [Way; 11] = [
        Way::AdjacentZone,
        Way::AdjacentElement,
        Way::LeadsTo,
        Way::Door,
        Way::Passage,
        Way::Joins,
        Way::By(Through::Door),
        Way::By(Through::Opening),
        Way::By(Through::Window),
        Way::By(Through::Wall),
        Way::By(Through::Slab),
    ];

    /// Its IRI.
    pub fn iri(self) -> String {
        let (namespace, name) = match self {
            Way::AdjacentZone => (crate::names::BOT, "adjacentZone"),
            Way::AdjacentElement => (crate::names::BOT, "adjacentElement"),
            Way::LeadsTo => (crate::names::WAY, "leadsTo"),
            Way::Door => (crate::names::WAY, "door"),
            Way::Passage => (crate::names::WAY, "passage"),
            Way::Joins => (crate::names::WAY, "joins"),
            Way::By(Through::Door) => (crate::names::WAY, "byDoor"),
            Way::By(Through::Opening) => (crate::names::WAY, "byOpening"),
            Way::By(Through::Window) => (crate::names::WAY, "byWindow"),
            Way::By(Through::Wall) => (crate::names::WAY, "byWall"),
            Way::By(Through::Slab) => (crate::names::WAY, "bySlab"),
        };
        format!("{namespace}{name}")
    }

    /// Its meaning, for the vocabulary.
    pub fn meaning(self) -> &'static str {
        match self {
            Way::AdjacentZone => "room to a room beside, above or below it, both ways",
            Way::AdjacentElement => "room to the walls, slabs and other elements around it, as measured",
            Way::LeadsTo => {
                "room to a room, or to way:outside, through one door, opening or stair, both ways"
            }
            Way::Door => "room, or way:outside, to a door that leads out of it",
            Way::Passage => {
                "room, or way:outside, to the door, opening, stair or ramp by which it leads elsewhere"
            }
            Way::Joins => "door, opening, stair or ramp to the rooms, or way:outside, on its sides",
            Way::By(Through::Door) => "neighbours by a door, both ways; may be way:outside",
            Way::By(Through::Opening) => "neighbours by an opening, or with nothing between, both ways",
            Way::By(Through::Window) => "neighbours by a window, both ways; may be way:outside",
            Way::By(Through::Wall) => "neighbours by a wall, both ways",
            Way::By(Through::Slab) => "neighbours by a slab, both ways",
        }
    }
}

/// Measures of rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// `room:floorArea`.
    FloorArea,
    /// `room:netFloorArea`.
    NetFloorArea,
    /// `room:volume`.
    Volume,
    /// `room:height`.
    Height,
    /// `room:isOutside`.
    IsOutside,
    /// `room:label`.
    Label,
}

impl Measure {
    /// Every one.
    pub const ALL: [Measure; 6] = [
        Measure::FloorArea,
        Measure::NetFloorArea,
        Measure::Volume,
        Measure::Height,
        Measure::IsOutside,
        Measure::Label,
    ];

    /// Its IRI.
    pub fn iri(self) -> String {
        let name = match self {
            Measure::FloorArea => "floorArea",
            Measure::NetFloorArea => "netFloorArea",
            Measure::Volume => "volume",
            Measure::Height => "height",
            Measure::IsOutside => "isOutside",
            Measure::Label => "label",
        };
        format!("{}{name}", crate::names::ROOM)
    }

    /// Its meaning, for the vocabulary.
    pub fn meaning(self) -> &'static str {
        match self {
            Measure::FloorArea => "gross floor area of a room as measured from its body",
            Measure::NetFloorArea => "floor area without columns and openings, as measured",
            Measure::Volume => "volume as measured",
            Measure::Height => "mean height as measured",
            Measure::IsOutside => "true of a room that lies outdoors, as a terrace",
            Measure::Label => "name and long name of a room; rooms that are no IfcSpace have no ifc:name",
        }
    }

    /// Its unit in QUDT.
    pub fn unit(self) -> Option<&'static str> {
        match self {
            Measure::FloorArea | Measure::NetFloorArea => Some("M2"),
            Measure::Volume => Some("M3"),
            Measure::Height => Some("M"),
            Measure::IsOutside | Measure::Label => None,
        }
    }
}

/// A room that was found between walls.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRoom {
    /// Its id, which the same walls give again.
    pub id: String,
}

/// The triples that come from rooms.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// Rooms that were found.
    pub found: Vec<FoundRoom>,
    forward: HashMap<(Way, Place), Vec<Place>>,
    backward: HashMap<(Way, Place), Vec<Place>>,
    pairs: BTreeMap<Way, Vec<(Place, Place)>>,
    measures: BTreeMap<Measure, Vec<(Place, Plain)>>,
    by_place: HashMap<(Measure, Place), Plain>,
}

/// A measure, free of what belongs to one thread.
#[derive(Debug, Clone, PartialEq)]
enum Plain {
    Number(f64),
    Truth(bool),
    Text(String),
}

impl From<&Plain> for Part {
    fn from(plain: &Plain) -> Self {
        match plain {
            Plain::Number(number) => Part::Double(Bits(*number)),
            Plain::Truth(truth) => Part::Boolean(*truth),
            Plain::Text(text) => Part::Text(text.as_str().into()),
        }
    }
}

impl Neighbours {
    /// Reads a layout; `index` has the shapes by place, of which stairs are read.
    pub fn from_layout(layout: &Layout, links: &Links<'_>, index: &Index) -> Self {
        let mut made = Self::default();
        let rooms = &layout.rooms.rooms;
        let mut places = Vec::with_capacity(rooms.len());
        for room in rooms.iter() {
            places.push(made.place(room));
        }
        let place = |side: Side| match side {
            Side::Room(room) => places.get(room).copied(),
            Side::Outdoors => Some(Place::Outside),
            Side::Building => None,
        };
        for adjacency in layout.adjacencies() {
            let [a, b] = adjacency.sides.map(place);
            let Some((a, b)) = a.zip(b) else { continue };
            made.both(Way::By(adjacency.through), a, b);
            if a != Place::Outside && b != Place::Outside {
                made.both(Way::AdjacentZone, a, b);
            }
        }
        for passage in layout.passages.iter().filter(|passage| !passage.is_level()) {
            use spatial::passage::PassageKind::{Door, Opening};
            if !matches!(passage.kind, Door | Opening) {
                continue;
            }
            for crossing in &passage.crossings {
                let [a, b] = crossing.sides.map(place);
                if let Some((a, b)) = a.zip(b)
                    && a != b
                {
                    made.pass(a, b, passage.element, passage.kind == Door);
                }
            }
        }
        // rooms that are open to each other without an opening in between
        for adjacency in layout.adjacencies() {
            let [a, b] = adjacency.sides.map(place);
            let Some((a, b)) = a.zip(b) else { continue };
            if adjacency.through == Through::Opening
                && adjacency.elements.is_empty()
                && adjacency.length > 0.0
            {
                made.both(Way::LeadsTo, a, b);
            }
        }
        for (a, b, element) in stairs(layout, links, index) {
            if let Some((a, b)) = places.get(a).zip(places.get(b)) {
                made.pass(*a, *b, element, false);
            }
        }
        for (number, place) in places.iter().enumerate() {
            for bounding in layout.bounding(number) {
                if let Some(element) = bounding.element {
                    made.add(Way::AdjacentElement, *place, Place::Instance(element));
                }
            }
            let measures = layout.measures(number);
            let outside = rooms.get(number).is_some_and(|room| room.is_outside);
            let label = rooms.get(number).map(Room::label).unwrap_or_default();
            for (measure, value) in [
                (Measure::FloorArea, Plain::Number(measures.gross_floor_area)),
                (Measure::NetFloorArea, Plain::Number(measures.net_floor_area)),
                (Measure::Volume, Plain::Number(measures.volume)),
                (Measure::Height, Plain::Number(measures.mean_height)),
                (Measure::IsOutside, Plain::Truth(outside)),
                (Measure::Label, Plain::Text(label)),
            ] {
                // a space that is there twice is measured once
                if !matches!(value, Plain::Number(number) if !number.is_finite())
                    && made.by_place.insert((measure, *place), value.clone()).is_none()
                {
                    made.measures.entry(measure).or_default().push((*place, value));
                }
            }
        }
        made
    }

    fn place(&mut self, room: &Room) -> Place {
        match room.origin {
            Origin::Stored(id) => Place::Instance(id),
            Origin::Found => {
                self.found.push(FoundRoom { id: room.id.clone() });
                Place::Found(self.found.len() - 1)
            }
        }
    }

    fn pass(&mut self, a: Place, b: Place, element: Id, is_door: bool) {
        let element = Place::Instance(element);
        self.both(Way::LeadsTo, a, b);
        for side in [a, b] {
            self.add(Way::Passage, side, element);
            self.add(Way::Joins, element, side);
            if is_door {
                self.add(Way::Door, side, element);
            }
        }
    }

    fn both(&mut self, way: Way, a: Place, b: Place) {
        self.add(way, a, b);
        self.add(way, b, a);
    }

    fn add(&mut self, way: Way, from: Place, to: Place) {
        let known = self.forward.entry((way, from)).or_default();
        if from == to || known.contains(&to) {
            return;
        }
        known.push(to);
        self.backward.entry((way, to)).or_default().push(from);
        self.pairs.entry(way).or_default().push((from, to));
    }

    /// The places to which a way leads from one.
    pub fn objects(&self, way: Way, from: Place) -> &[Place] {
        self.forward.get(&(way, from)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The places from which a way leads to one.
    pub fn subjects(&self, way: Way, to: Place) -> &[Place] {
        self.backward.get(&(way, to)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Every pair of places of a way.
    pub fn pairs(&self, way: Way) -> &[(Place, Place)] {
        self.pairs.get(&way).map(Vec::as_slice).unwrap_or_default()
    }

    /// A measure of a room.
    pub fn measure(&self, measure: Measure, place: Place) -> Option<Part> {
        self.by_place.get(&(measure, place)).map(Part::from)
    }

    /// A measure of every room.
    pub fn measures(&self, measure: Measure) -> impl Iterator<Item = (Place, Part)> + '_ {
        self.measures.get(&measure).into_iter().flatten().map(|(place, plain)| (*place, Part::from(plain)))
    }

    /// True if a way leads to or from the open air.
    pub fn has_outside(&self) -> bool {
        self.forward.keys().any(|(_, from)| *from == Place::Outside)
    }
}

/// The height over a step, in metres, at which somebody who stands on it is looked for.
const HIP: f64 = 1.0;

/// The pairs of rooms that stairs and ramps join, each with the stair.
fn stairs(layout: &Layout, links: &Links<'_>, index: &Index) -> Vec<(usize, usize, Id)> {
    let rooms = &layout.rooms;
    let mut found = Vec::new();
    let (flights, _) = flights(links, index);
    for flight in flights {
        let Some((first, last)) = flight.lines.first().zip(flight.lines.last()) else { continue };
        let room_over = |line: &[glam::DVec3; 2], height: f64| {
            let middle = line[0].midpoint(line[1]);
            rooms.at(glam::DVec3::new(middle.x, middle.y, height + HIP)).first().copied()
        };
        let ends = [room_over(first, flight.foot), room_over(last, flight.top)];
        if let [Some(a), Some(b)] = ends
            && a != b
        {
            // a flight stands for the stair that it is a part of
            let whole = links.aggregate_parent(flight.element);
            let is_stair =
                |id: &Id| links.model().get(*id).is_some_and(|i| i.is_a("IfcStair") || i.is_a("IfcRamp"));
            found.push((a, b, whole.filter(is_stair).unwrap_or(flight.element)));
        }
    }
    found
}
