//! Space boundaries between what computes them and what writes them, and how they follow edits.

use crate::IfcCall;
use crate::modelling::author;
use building::Author;
use building::boundaries::{self, Level, NewBoundary, Outcome};
use building::lookup::{guid, label};
use building::regeneration::Left;
use contract::Fault;
use ifc::relations::Links;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::Serialize;
use spatial::Layout;
use spatial::space_boundaries::{self, Facing, SpaceBoundary};
use std::collections::{BTreeMap, BTreeSet};

/// The boundaries that were written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Written {
    /// New ones.
    pub created: usize,
    /// Those with another surface, side or element than they had.
    pub changed: usize,
    /// Those that stayed.
    pub unchanged: usize,
    /// Those that are gone.
    pub removed: usize,
}

impl Written {
    /// The numbers of an outcome.
    pub(crate) fn from_outcome(outcome: &Outcome) -> Self {
        Self {
            created: outcome.created.len(),
            changed: outcome.changed.len(),
            unchanged: outcome.kept.len(),
            removed: outcome.removed,
        }
    }

    fn add(&mut self, other: &Self) {
        self.created += other.created;
        self.changed += other.changed;
        self.unchanged += other.unchanged;
        self.removed += other.removed;
    }
}

/// The level as it is computed.
pub(crate) fn read_level(level: Level) -> space_boundaries::Level {
    match level {
        Level::First => space_boundaries::Level::First,
        Level::Second => space_boundaries::Level::Second,
    }
}

/// The boundaries that the rooms of a layout should have, those found between walls left out.
pub(crate) fn wanted(layout: &Layout, model: &Model, level: Level) -> Vec<NewBoundary> {
    let links = Links::of_many(model);
    to_write(layout, level, &space_boundaries::space_boundaries(layout, &links, read_level(level)))
}

/// The same of some rooms, with those of others that correspond to them.
fn wanted_of(layout: &Layout, links: &Links<'_>, level: Level, rooms: &BTreeSet<usize>) -> Vec<NewBoundary> {
    to_write(layout, level, &space_boundaries::space_boundaries_of(layout, links, read_level(level), rooms))
}

fn to_write(layout: &Layout, level: Level, list: &[SpaceBoundary]) -> Vec<NewBoundary> {
    let space = |b: &SpaceBoundary| layout.rooms.rooms.get(b.room).and_then(spatial::Room::space);
    let mut places = vec![None; list.len()];
    let with_space = list.iter().enumerate().filter(|(_, b)| space(b).is_some());
    for (new, (old, _)) in with_space.enumerate() {
        if let Some(place) = places.get_mut(old) {
            *place = Some(new);
        }
    }
    let moved = |at: Option<usize>| at.and_then(|at| places.get(at).copied().flatten());
    list.iter()
        .filter_map(|boundary| {
            Some(NewBoundary {
                space: space(boundary)?,
                element: boundary.element,
                is_virtual: boundary.is_virtual,
                side: match boundary.facing {
                    Facing::Internal => "INTERNAL",
                    Facing::External => "EXTERNAL",
                    Facing::Earth => "EXTERNAL_EARTH",
                },
                kind: match (level, boundary.is_end) {
                    (Level::First, _) => None,
                    (Level::Second, false) => Some("2a"),
                    (Level::Second, true) => Some("2b"),
                },
                plane: boundary.plane,
                area: boundary.area.clone(),
                parent: moved(boundary.parent),
                corresponding: moved(boundary.corresponding),
            })
        })
        .collect()
}

/// The boundaries that followed an edit.
#[derive(Debug, Default)]
pub struct Renewed {
    /// GlobalIds of the rooms whose boundaries were renewed.
    pub rooms: Vec<String>,
    /// The numbers.
    pub written: Written,
    /// The rooms whose boundaries were left as they were.
    pub left: Vec<Left>,
}

/// Elements that neither bound rooms nor open what does.
const BESIDE: [&str; 7] = [
    "IfcFurnishingElement",
    "IfcDistributionElement",
    "IfcVirtualElement",
    "IfcTransportElement",
    "IfcAnnotation",
    "IfcGrid",
    "IfcGeographicElement",
];

/// Renews the boundaries of the rooms that an edit reached: those for which others are computed now than before it, on the levels that
/// they had; a room that is new gets the levels of its storey. `None` where no room has boundaries, or nothing that bounds rooms was
/// touched.
pub(crate) fn renew(call: &mut IfcCall, before: &Model, touched: &[Id]) -> Result<Option<Renewed>, Fault> {
    if !before.has_class("IfcRelSpaceBoundary") {
        return Ok(None);
    }
    let after = call.edit.model().clone();
    if !bounds_rooms(before, &after, touched) {
        return Ok(None);
    }
    let (old_layout, new_layout) = (call.layout_of(before)?, call.layout_of(&after)?);
    let renewed = renew_between(&mut author(call), (before, &old_layout), &new_layout)?;
    call.keep_layout(&after);
    Ok(Some(renewed))
}

/// The same by the layouts of the state before and of the author's edit, which changed more than boundaries.
pub fn renew_between(
    author: &mut Author,
    (before, old_layout): (&Model, &Layout),
    new_layout: &Layout,
) -> Result<Renewed, Fault> {
    let after = author.edit.model().clone();
    let (old_links, links) = (Links::of_many(before), Links::of_many(&after));
    let reached = space_boundaries::reached((old_layout, &old_links), (new_layout, &links));
    let (old_spaces, new_spaces) = (spaces(old_layout, &reached.before), spaces(new_layout, &reached.after));
    let is_known = |space: &Id| old_spaces.contains(space);
    let all_of_before = (0..old_layout.rooms.rooms.len()).collect();
    // a new room has the levels of its neighbours
    let asked =
        if new_spaces.iter().all(is_known) { old_spaces.clone() } else { spaces(old_layout, &all_of_before) };
    let had: BTreeMap<Id, BTreeSet<Option<Level>>> = asked
        .into_iter()
        .map(|space| (space, boundaries::levels(&old_links, space)))
        .filter(|(_, levels)| !levels.is_empty())
        .collect();
    let mut renewed = Renewed::default();
    let mut written: BTreeSet<Id> = BTreeSet::new();
    for level in [Level::First, Level::Second] {
        if !had.values().any(|levels| levels.contains(&Some(level)) || levels.contains(&None)) {
            continue;
        }
        let was = wanted_of(old_layout, &old_links, level, &reached.before);
        let now = wanted_of(new_layout, &links, level, &reached.after);
        let places = [&was, &now].map(|list| by_space(list));
        let is_due = |space: Id| match had.get(&space) {
            Some(levels) => levels.contains(&Some(level)),
            None => !is_known(&space) && is_usual(&links, &had, space, level),
        };
        let own = |at: usize, space: &Id| places[at].get(space).map(Vec::as_slice).unwrap_or_default();
        let is_other = |space: &Id| differs((&was, own(0, space)), (&now, own(1, space)));
        let differ: Vec<Id> = new_spaces.iter().copied().filter(is_other).collect();
        for space in &differ {
            if had.get(space).is_some_and(|levels| levels.contains(&None)) {
                let left =
                    Left { id: guid(&after, *space), name: label(&after, *space), why: NO_LEVEL.to_owned() };
                if !renewed.left.contains(&left) {
                    renewed.left.push(left);
                }
            }
        }
        let rooms: BTreeSet<Id> = differ.into_iter().filter(|space| is_due(*space)).collect();
        if rooms.is_empty() {
            continue;
        }
        let outcome = boundaries::write(author, level, &now, &rooms, false)?;
        renewed.written.add(&Written::from_outcome(&outcome));
        written.extend(rooms);
    }
    boundaries::remove_unused(author, before)?;
    for outside in outsides(&old_links, &written) {
        let why = "Its space boundaries lie on the outer side of rooms whose own were renewed, and are not computed.";
        renewed.left.push(Left {
            id: guid(before, outside),
            name: label(before, outside),
            why: why.to_owned(),
        });
    }
    renewed.rooms = written.into_iter().map(|space| guid(&after, space)).collect();
    Ok(renewed)
}

/// The parts of the outside that have boundaries which correspond to those of rooms.
fn outsides(links: &Links<'_>, rooms: &BTreeSet<Id>) -> Vec<Id> {
    let is_of_room = |relation: Id| {
        let space = links.boundary(relation).and_then(|boundary| boundary.space);
        space.is_some_and(|space| rooms.contains(&space))
    };
    let all = links.model().of_class("IfcExternalSpatialElement").into_iter();
    let corresponds = |outside: &Id| {
        let own = links.boundaries_of_space(*outside);
        own.into_iter().filter_map(|boundary| boundary.corresponding).any(is_of_room)
    };
    all.filter(corresponds).collect()
}

/// Why boundaries that do not say their level are left.
const NO_LEVEL: &str =
    "Its space boundaries do not say which level they are of. Replace them with create_space_boundaries.";

/// The IfcSpaces of some rooms.
fn spaces(layout: &Layout, rooms: &BTreeSet<usize>) -> BTreeSet<Id> {
    rooms.iter().filter_map(|room| layout.rooms.rooms.get(*room)?.space()).collect()
}

/// Returns true if something that bounds rooms has another shape or place, or a room is another.
fn bounds_rooms(before: &Model, after: &Model, touched: &[Id]) -> bool {
    let is_a =
        |id: Id, class: &str| [before, after].iter().any(|m| m.get(id).is_some_and(|it| it.is_a(class)));
    if touched.iter().any(|id| is_a(*id, "IfcSpace")) {
        return true;
    }
    // what is new or gone has another place without a look at what hangs on it
    let counts = |id: Id| is_a(id, "IfcElement") && !BESIDE.iter().any(|class| is_a(id, class));
    if touched.iter().any(|id| before.contains(*id) != after.contains(*id) && counts(*id)) {
        return true;
    }
    let Some(reshaped) = geometry::scene::reshaped(before, after, touched) else { return true };
    reshaped.into_iter().any(|id| !BESIDE.iter().any(|class| is_a(id, class)))
}

/// Returns true if the rooms of a new room's storey have boundaries of a level; on a storey without others, those of the model.
fn is_usual(links: &Links<'_>, had: &BTreeMap<Id, BTreeSet<Option<Level>>>, space: Id, level: Level) -> bool {
    let storey = links.storey_of(space);
    let on: Vec<_> = had.iter().filter(|(other, _)| links.storey_of(**other) == storey).collect();
    let has = |levels: &BTreeSet<Option<Level>>| levels.contains(&Some(level));
    if on.is_empty() { had.values().any(has) } else { on.iter().any(|(_, levels)| has(levels)) }
}

/// The places in a list of the boundaries of each space.
fn by_space(list: &[NewBoundary]) -> BTreeMap<Id, Vec<usize>> {
    let mut places: BTreeMap<Id, Vec<usize>> = BTreeMap::new();
    for (at, boundary) in list.iter().enumerate() {
        places.entry(boundary.space).or_default().push(at);
    }
    places
}

/// Returns true if a room is to have other boundaries than it was; both by the places in their lists.
fn differs((was, olds): (&[NewBoundary], &[usize]), (now, news): (&[NewBoundary], &[usize])) -> bool {
    let behind = |list: &[NewBoundary], b: &NewBoundary| {
        b.corresponding.and_then(|at| list.get(at)).map(|other| (other.space, other.element))
    };
    let mut left = olds.to_vec();
    olds.len() != news.len()
        || news.iter().filter_map(|at| now.get(*at)).any(|boundary| {
            let is_same = |at: &usize| {
                was.get(*at)
                    .is_some_and(|old| behind(was, old) == behind(now, boundary) && old.is_same(boundary))
            };
            match left.iter().position(is_same) {
                Some(at) => {
                    left.swap_remove(at);
                    false
                }
                None => true,
            }
        })
}
