//! A model as rules see it: the subject with its relations, its stairs, and what its rooms are used for.

use super::kind::Item;
use super::usage::Vocabulary;
use crate::Subject;
use geometry::Shaper;
use geometry::query::Element;
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, Model};
use spatial::ways::{Farthest, Traveller};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A stair with its runs of steps.
#[derive(Debug, Clone)]
pub(crate) struct Stair {
    /// The IfcStair, or the flight that is no part of one.
    pub(crate) element: Id,
    /// Its runs of steps, by their places in the premises, the lowest first.
    pub(crate) flights: Vec<usize>,
}

/// A model as rules see it.
pub struct Context<'a> {
    /// The model with its shapes, rooms and ways.
    pub subject: Subject<'a>,
    pub(crate) links: Links<'a>,
    pub(crate) shaper: Shaper<'a>,
    pub(crate) stairs: Vec<Stair>,
    pub(crate) units: ifc::Units,
    vocabulary: Vocabulary,
    usages: OnceCell<Vec<Option<String>>>,
    storeys: BTreeMap<Id, usize>,
    farthest: OnceCell<Vec<Option<Farthest>>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(subject: &Subject<'a>, vocabulary: Vocabulary) -> Self {
        let links = Links::of_many(subject.model);
        let storeys = &subject.layout.rooms.storeys;
        Self {
            subject: *subject,
            stairs: stairs(subject, &links),
            shaper: Shaper::plain(subject.model),
            units: ifc::Units::from_model(subject.model),
            storeys: storeys.iter().enumerate().map(|(number, storey)| (storey.id, number)).collect(),
            links,
            vocabulary,
            usages: OnceCell::new(),
            farthest: OnceCell::new(),
        }
    }

    pub(crate) fn model(&self) -> &'a Model {
        self.subject.model
    }

    /// A room by its place.
    pub(crate) fn room(&self, number: usize) -> Option<&'a spatial::Room> {
        self.subject.layout.rooms.rooms.get(number)
    }

    /// A door by its place in the premises.
    pub(crate) fn door(&self, number: usize) -> Option<&'a spatial::ways::Door> {
        self.subject.ways.premises.doors.get(number)
    }

    /// A flight or strip by its place in the premises.
    pub(crate) fn flight(&self, number: usize) -> Option<&'a spatial::ways::Flight> {
        self.subject.ways.premises.flights.get(number)
    }

    /// The usage of a room in the words of the pack; none where nothing of the room tells it.
    pub(crate) fn usage(&self, room: usize) -> Option<&str> {
        let all = self.usages.get_or_init(|| {
            let rooms = &self.subject.layout.rooms.rooms;
            rooms.iter().map(|room| self.vocabulary.usage(&self.links, room)).collect()
        });
        all.get(room)?.as_deref()
    }

    /// The place of a room from which the way out is longest, for one on foot; none from which no way leads out.
    pub(crate) fn farthest(&self, room: usize) -> Option<Farthest> {
        let all = self.farthest.get_or_init(|| {
            let ways = self.subject.ways;
            let mesh = ways.mesh(&Traveller::new(spatial::ways::Kind::Foot), &BTreeSet::new());
            let exits: Vec<_> = ways.outside(&mesh).into_iter().map(|(_, spot)| spot).collect();
            spatial::ways::farthest(&mesh, ways.rooms(), &exits)
        });
        all.get(room).copied().flatten()
    }

    /// The element that a thing is, if it is one of the file.
    pub(crate) fn element(&self, item: Item) -> Option<Id> {
        match item {
            Item::Building => self.model().of_class("IfcBuilding").first().copied(),
            Item::Storey(number) => Some(self.subject.layout.rooms.storeys.get(number)?.id),
            Item::Room(number) => self.room(number)?.space(),
            Item::Door(number) => Some(self.door(number)?.element),
            Item::Stair(number) => Some(self.stairs.get(number)?.element),
            Item::Flight(number) | Item::Ramp(number) => Some(self.flight(number)?.element),
            Item::Element(id) => Some(id),
        }
    }

    /// The storey of a thing, by its place.
    pub(crate) fn storey(&self, item: Item) -> Option<usize> {
        match item {
            Item::Building => None,
            Item::Storey(number) => Some(number),
            Item::Room(number) => self.room(number)?.storey,
            _ => self.storey_of(self.element(item)?),
        }
    }

    /// The storey of an element, by its place.
    pub(crate) fn storey_of(&self, id: Id) -> Option<usize> {
        self.storeys.get(&self.links.storey_of(id)?).copied()
    }

    /// The body of an element, where it has one.
    pub(crate) fn body(&self, id: Id) -> Option<&'a Arc<Element>> {
        self.subject.index.get(id)
    }

    /// True of an instance of one of these classes or their subtypes.
    pub(crate) fn is_a(&self, id: Id, classes: &[&str]) -> bool {
        self.model().get(id).is_some_and(|instance| classes.iter().any(|class| instance.is_a(class)))
    }

    /// The same of an element or the whole that it is a part of.
    pub(crate) fn is_part_of(&self, id: Id, classes: &[&str]) -> bool {
        self.is_a(id, classes)
            || self.links.aggregate_parent(id).is_some_and(|whole| self.is_a(whole, classes))
    }

    /// A place to look at for a thing, in metres of the world.
    pub(crate) fn place(&self, item: Item) -> Option<DVec3> {
        let middle = |bounds: geometry::Bounds| (!bounds.is_empty()).then(|| bounds.centre());
        match item {
            Item::Building | Item::Storey(_) => None,
            Item::Room(number) => {
                let room = self.room(number)?;
                middle(self.subject.layout.rooms.bounds(number)).map(|at| at.with_z(room.foot))
            }
            Item::Door(number) => self.door(number).map(|door| door.middle.extend(door.sill)),
            Item::Stair(number) => self.place(Item::Flight(*self.stairs.get(number)?.flights.first()?)),
            Item::Flight(number) | Item::Ramp(number) => {
                let [left, right] = self.flight(number)?.lines.first()?;
                Some((*left + *right) * 0.5)
            }
            Item::Element(id) => middle(self.body(id)?.bounds()),
        }
    }
}

/// The stairs of a model: runs of steps by the IfcStair that they are a part of.
fn stairs(subject: &Subject<'_>, links: &Links<'_>) -> Vec<Stair> {
    let mut found: BTreeMap<Id, Vec<usize>> = BTreeMap::new();
    let flights = &subject.ways.premises.flights;
    for (number, flight) in flights.iter().enumerate().filter(|(_, flight)| flight.is_stair) {
        let is_stair = |id: &Id| subject.model.get(*id).is_some_and(|i| i.is_a("IfcStair"));
        let whole = links.aggregate_parent(flight.element).filter(is_stair);
        found.entry(whole.unwrap_or(flight.element)).or_default().push(number);
    }
    // a stair whose steps cannot be read is one, too
    for id in subject.model.of_class("IfcStair") {
        found.entry(id).or_default();
    }
    let height = |number: &usize| flights.get(*number).map_or(0.0, |flight| flight.foot);
    let stair = |(element, mut own): (Id, Vec<usize>)| {
        own.sort_by(|a, b| height(a).total_cmp(&height(b)));
        Stair { element, flights: own }
    };
    found.into_iter().map(stair).collect()
}
