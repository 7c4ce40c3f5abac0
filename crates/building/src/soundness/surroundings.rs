//! The boxes of what stands on storeys, by storey: looked up when a change comes near, and carried from one version to the next with
//! only what differs made again.
//!
//! A change looks at the storey that it is on and at those next to it. What belongs to no spatial structure is not found.

use super::Change;
use foldhash::HashSet;
use geometry::Bounds;
use geometry::Shaper;
use geometry::element::{bounds_by, is_drawable};
use ifc::relations::{self, Links};
use ifc::{Id, Model};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Storeys whose floors lie no farther apart than this, in metres, are looked at together.
const CLOSE: f64 = 1.0;

/// Elements with their boxes in metres.
type Group = Vec<(Id, Bounds)>;

/// The spatial structures that a change is looked at on.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Those of elements.
    pub elements: BTreeSet<Id>,
    /// Those of rooms.
    pub rooms: BTreeSet<Id>,
}

impl Places {
    /// The spatial structures that a change is on, and those next to them.
    pub(super) fn around(change: &Change<'_>) -> Self {
        let (before, after) = (change.before, change.after);
        let was = change.disturbed.iter().filter_map(|id| place_of(before, *id));
        let is = change.touched.iter().filter_map(|id| place_of(after, *id));
        let rooms = change.rooms.iter().filter_map(|id| place_of(after, *id));
        Self { elements: with_next(after, was.chain(is).collect()), rooms: with_next(after, rooms.collect()) }
    }
}

/// The boxes of what stands on storeys, as far as somebody asked.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    groups: HashMap<Id, Arc<Group>>,
    /// The boxes of rooms, as far as somebody changed some.
    rooms: HashMap<Id, Arc<Group>>,
}

impl Surroundings {
    /// Looks up the boxes on these spatial structures, where they are not known.
    pub(super) fn learn(&mut self, shaper: &Shaper<'_>, places: &Places) {
        let asked = [
            (&mut self.groups, &places.elements, is_wanted as Wanted),
            (&mut self.rooms, &places.rooms, is_room as Wanted),
        ];
        for (groups, places, is_wanted) in asked {
            for place in places {
                if !groups.contains_key(place) && shaper.reader.model.contains(*place) {
                    groups.insert(*place, Arc::new(group(shaper, *place, is_wanted)));
                }
            }
        }
    }

    /// Returns what is known of a later state, that of the shaper, in which these elements and rooms differ.
    pub(super) fn follow(&self, before: &Model, shaper: &Shaper<'_>, reshaped: &BTreeSet<Id>) -> Self {
        Self {
            groups: followed(&self.groups, before, shaper, reshaped, is_wanted),
            rooms: followed(&self.rooms, before, shaper, reshaped, is_room),
        }
    }

    /// The elements on these places whose boxes come nearer than `margin` metres to a box.
    pub(super) fn near<'s>(
        &'s self,
        places: &'s BTreeSet<Id>,
        to: Bounds,
        margin: f64,
    ) -> impl Iterator<Item = (Id, Bounds)> + 's {
        self.on(places).filter(move |(_, b)| b.meets(&to, margin))
    }

    /// The elements on these places.
    pub(super) fn on<'s>(&'s self, places: &'s BTreeSet<Id>) -> impl Iterator<Item = (Id, Bounds)> + 's {
        let groups = places.iter().filter_map(|place| self.groups.get(place));
        groups.flat_map(|group| group.iter().copied())
    }

    /// The rooms on these places whose boxes come nearer than `margin` metres to a box.
    pub(super) fn rooms_near<'s>(
        &'s self,
        places: &'s BTreeSet<Id>,
        to: Bounds,
        margin: f64,
    ) -> impl Iterator<Item = (Id, Bounds)> + 's {
        let groups = places.iter().filter_map(|place| self.rooms.get(place));
        groups.flat_map(|group| group.iter().copied()).filter(move |(_, b)| b.meets(&to, margin))
    }

    /// The elements on a place whose boxes, as far as they were looked up, are farther than `margin` metres from a box.
    pub fn beyond(&self, place: Id, from: Bounds, margin: f64) -> HashSet<Id> {
        let group = self.groups.get(&place).into_iter().flat_map(|group| group.iter());
        group.filter(|(_, b)| !b.meets(&from, margin)).map(|(id, _)| *id).collect()
    }

    /// The box of an element that was looked up.
    pub(super) fn of_element(&self, model: &Model, id: Id) -> Option<Bounds> {
        let group = self.groups.get(&place_of(model, id)?)?;
        group.iter().find(|(known, _)| *known == id).map(|(_, b)| *b)
    }
}

/// The spatial structure that an element is counted with.
pub(super) fn place_of(model: &Model, id: Id) -> Option<Id> {
    relations::storey_of(model, id).or_else(|| relations::container(model, id))
}

/// These spatial structures, and those next to them.
fn with_next(model: &Model, places: BTreeSet<Id>) -> BTreeSet<Id> {
    let mut all = places.clone();
    for place in places {
        let Some(whole) = relations::aggregate_parent(model, place) else { continue };
        all.insert(whole);
        if !model.get(place).is_some_and(|p| p.is_a("IfcBuildingStorey")) {
            continue;
        }
        let storeys = storeys_in(model, whole);
        if let Some(at) = storeys.iter().position(|(id, _)| *id == place) {
            // floors that lie close together, as that of a roof above the last storey, count as one
            let height = |i: usize| storeys.get(i).map(|(_, height)| *height);
            let low = at.checked_sub(1).and_then(height).map_or(f64::INFINITY, |h| h - CLOSE);
            let high = height(at + 1).map_or(f64::NEG_INFINITY, |h| h + CLOSE);
            let next = storeys.iter().enumerate().filter(|(i, (_, height))| {
                i.abs_diff(at) <= 1 || (*i < at && *height >= low) || (*i > at && *height <= high)
            });
            all.extend(next.map(|(_, (id, _))| *id));
        }
    }
    all
}

/// The storeys of a whole with the heights of their floors in metres, from the lowest.
pub(crate) fn storeys_in(model: &Model, whole: Id) -> Vec<(Id, f64)> {
    let mut storeys: Vec<(Id, f64)> = relations::children(model, whole)
        .into_iter()
        .filter(|id| model.get(*id).is_some_and(|s| s.is_a("IfcBuildingStorey")))
        .map(|id| (id, crate::storey::floor_height(model, id)))
        .collect();
    storeys.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    storeys
}

/// A test of what belongs into a group.
type Wanted = fn(&Model, Id) -> bool;

/// The groups of a later state, that of the shaper, in which some elements or rooms differ.
fn followed(
    groups: &HashMap<Id, Arc<Group>>,
    before: &Model,
    shaper: &Shaper<'_>,
    reshaped: &BTreeSet<Id>,
    is_wanted: Wanted,
) -> HashMap<Id, Arc<Group>> {
    let after = shaper.reader.model;
    let mut now = groups.clone();
    now.retain(|place, _| after.contains(*place));
    if now.is_empty() {
        return now;
    }
    let mut gone: HashMap<Id, BTreeSet<Id>> = HashMap::new();
    let mut come: HashMap<Id, Vec<Id>> = HashMap::new();
    for id in reshaped {
        if let Some(place) = place_of(before, *id) {
            gone.entry(place).or_default().insert(*id);
        }
        if is_wanted(after, *id)
            && let Some(place) = place_of(after, *id)
        {
            come.entry(place).or_default().push(*id);
        }
    }
    for (place, ids) in &gone {
        if let Some(group) = now.get_mut(place) {
            Arc::make_mut(group).retain(|(id, _)| !ids.contains(id));
        }
    }
    for (place, ids) in come {
        // one that nobody asked about stays unknown
        if let Some(group) = now.get_mut(&place) {
            Arc::make_mut(group).extend(boxes(shaper, &ids));
        }
    }
    now
}

fn is_room(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|e| e.is_a("IfcSpace") && is_drawable(&e))
}

fn is_wanted(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|e| e.is_a("IfcElement") && is_drawable(&e))
}

fn group(shaper: &Shaper<'_>, place: Id, is_wanted: Wanted) -> Group {
    let model = shaper.reader.model;
    let is_storey = model.get(place).is_some_and(|p| p.is_a("IfcBuildingStorey"));
    let links = Links::of_one(model);
    let mut held = if is_storey {
        links.decomposition(place)
    } else {
        let tops = links.contained(place);
        tops.iter().flat_map(|top| std::iter::once(*top).chain(links.decomposition(*top))).collect()
    };
    held.retain(|id| is_wanted(model, *id));
    boxes(shaper, &held)
}

fn boxes(shaper: &Shaper<'_>, ids: &[Id]) -> Group {
    let found = bounds_by(shaper, ids);
    ids.iter().zip(found).filter_map(|(id, b)| Some((*id, b?.scaled(0.001)))).collect()
}
