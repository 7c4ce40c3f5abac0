//! The boundaries of rooms brought to what they should be: what is right stays, what has become another is changed in place, the rest
//! is added and removed.

use super::boundary::{Level, NewBoundary};
use super::stored::{StoredBoundary, stored};
use super::surface::Surface;
use super::virtual_element::VirtualElements;
use super::{removal, writing};
use crate::author::Author;
use contract::Fault;
use geometry::Shaper;
use ifc::relations::Links;
use ifc::{Id, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The outcome of a renewal, as instances.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The boundaries that are new.
    pub created: Vec<Id>,
    /// Those that have another surface, side or element than they had.
    pub changed: Vec<Id>,
    /// Those that stayed as they were.
    pub kept: Vec<Id>,
    /// The number of those that are gone.
    pub removed: usize,
}

impl Outcome {
    /// True if nothing was written.
    pub fn is_unchanged(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty() && self.removed == 0
    }
}

/// Writes the boundaries of some rooms on one level. `all` are those of these and of other rooms, of which only the correspondence is
/// tied. `with_unknown` says that boundaries of these rooms that do not say their level are replaced as well.
pub fn write(
    author: &mut Author,
    level: Level,
    all: &[NewBoundary],
    rooms: &BTreeSet<Id>,
    with_unknown: bool,
) -> Result<Outcome, Fault> {
    let mut known = VirtualElements::default();
    let (matches, old) = matched(author, level, all, rooms, with_unknown);
    let mut outcome = Outcome::default();
    let mut written: Vec<Option<Id>> = vec![None; all.len()];
    let used: BTreeSet<Id> = matches.values().map(|found| found.relation).collect();
    let mut elements: BTreeSet<Id> = old.iter().filter_map(|boundary| boundary.element).collect();
    for (at, new) in all.iter().enumerate() {
        let found = matches.get(&at);
        let id = if rooms.contains(&new.space) {
            let element = element(author, new, found, &mut known)?;
            elements.extend(element);
            if let Some(found) = found {
                let is_changed = change(author, level, new, found, element)?;
                let list = if is_changed { &mut outcome.changed } else { &mut outcome.kept };
                list.push(found.relation);
                Some(found.relation)
            } else {
                let id = writing::create(author, level, new, element)?;
                outcome.created.push(id);
                Some(id)
            }
        } else {
            found.map(|found| found.relation)
        };
        if let Some(place) = written.get_mut(at) {
            *place = id;
        }
    }
    if !author.legacy() {
        tie(author, level, all, rooms, &written)?;
    }
    let gone: Vec<Id> = old
        .iter()
        .filter(|boundary| rooms.contains(&boundary.space))
        .map(|boundary| boundary.relation)
        .filter(|relation| !used.contains(relation))
        .collect();
    removal::remove(author, &gone)?;
    removal::remove_unused_of(author, &elements)?;
    outcome.removed = gone.len();
    Ok(outcome)
}

/// The boundaries of the model: one for each that is wanted, by place in the list, and all that the rooms have.
type Found = (BTreeMap<usize, StoredBoundary>, Vec<StoredBoundary>);

fn matched(
    author: &Author,
    level: Level,
    all: &[NewBoundary],
    rooms: &BTreeSet<Id>,
    with_unknown: bool,
) -> Found {
    // of other rooms only those matter that lie behind boundaries of these
    let behind = all.iter().filter(|new| rooms.contains(&new.space)).filter_map(|new| new.corresponding);
    let behind = behind.filter_map(|at| all.get(at)).map(|new| new.space);
    let read: BTreeSet<Id> = rooms.iter().copied().chain(behind).collect();
    let (shaper, links) = (Shaper::plain(author.edit), Links::of_many(author.edit));
    let mut old: Vec<StoredBoundary> = Vec::new();
    for space in read {
        let with_unknown = with_unknown && rooms.contains(&space);
        old.extend(stored(&shaper, &links, space, level, with_unknown));
    }
    let class = writing::class_of(author, level);
    let is_of_class = |found: &StoredBoundary| {
        author.edit.get(found.relation).is_some_and(|relation| relation.class_name() == class)
    };
    let mut free: Vec<&StoredBoundary> = old.iter().filter(|found| is_of_class(found)).collect();
    let mut matches: BTreeMap<usize, StoredBoundary> = BTreeMap::new();
    for is_exact in [true, false] {
        for (at, new) in all.iter().enumerate() {
            if matches.contains_key(&at) || !(is_exact || rooms.contains(&new.space)) {
                continue;
            }
            let surface = Surface::wanted(new);
            let fit = |found: &StoredBoundary| fit(author, new, &surface, found, is_exact);
            let fits = free.iter().enumerate().filter_map(|(n, found)| Some((n, fit(found)?)));
            if let Some((n, _)) = fits.max_by(|a, b| a.1.total_cmp(&b.1)) {
                matches.insert(at, free.swap_remove(n).clone());
            }
        }
    }
    (matches, old)
}

/// How well a boundary of the model is one that is wanted, the greater the better; none if it is another.
fn fit(
    author: &Author,
    new: &NewBoundary,
    surface: &Surface,
    found: &StoredBoundary,
    is_exact: bool,
) -> Option<f64> {
    let is_open = |id: Option<Id>| {
        id.is_none_or(|id| author.edit.get(id).is_some_and(|it| it.is_a("IfcVirtualElement")))
    };
    let wanted = if author.legacy() && new.is_virtual { None } else { new.element };
    let is_element = found.element == wanted || (wanted.is_none() && is_open(found.element));
    if found.space != new.space || !is_element {
        return None;
    }
    if is_exact {
        let is_same = matches!(found.surfaces.as_slice(), [one] if one.is_same(surface));
        return is_same.then_some(0.0);
    }
    let is_inner = found.is_inner == new.parent.is_some() || author.legacy();
    let parallel = found.surfaces.iter().filter(|own| own.turn(surface) > 0.99 && is_inner);
    let value = parallel.map(|own| own.shared(surface) - own.distance(surface).abs());
    value.max_by(f64::total_cmp)
}

/// The element of a boundary as the schema wants it.
fn element(
    author: &mut Author,
    new: &NewBoundary,
    found: Option<&StoredBoundary>,
    known: &mut VirtualElements,
) -> Result<Option<Id>, Fault> {
    match (new.is_virtual, new.element) {
        (false, element) => Ok(element),
        // IFC2X3 has no element where nothing is, a virtual one that is there already may stay
        (true, _) if author.legacy() => Ok(found.and_then(|found| found.element)),
        (true, Some(opening)) => Ok(Some(opening)),
        (true, None) => match found.and_then(|found| found.element) {
            Some(element) => Ok(Some(element)),
            None => known.of_surface(author, new.space, &Surface::wanted(new)).map(Some),
        },
    }
}

/// Brings a boundary of the model to what is wanted; returns true if anything had to be written.
fn change(
    author: &mut Author,
    level: Level,
    new: &NewBoundary,
    found: &StoredBoundary,
    element: Option<Id>,
) -> Result<bool, Fault> {
    let mut is_changed = false;
    for (name, value) in writing::attributes(author, new, element) {
        let is_same = author.edit.get(found.relation).is_some_and(|it| it.attr(name) == value);
        if !is_same {
            author.set(found.relation, name, value)?;
            is_changed = true;
        }
    }
    // in IFC2X3 the name alone says the level
    let says = author.edit.get(found.relation).is_some_and(|it| it.says("Name", level.word()));
    if author.legacy() && !says {
        author.set(found.relation, "Name", level.word())?;
        is_changed = true;
    }
    let is_same = matches!(found.surfaces.as_slice(), [one] if one.is_same(&Surface::wanted(new)));
    if !is_same {
        let old = author.edit.get(found.relation).and_then(|it| it.reference("ConnectionGeometry"));
        let geometry = writing::geometry(author, new)?;
        author.set(found.relation, "ConnectionGeometry", geometry)?;
        author.sweep(&old.into_iter().collect::<Vec<_>>())?;
        is_changed = true;
    }
    Ok(is_changed)
}

/// Ties boundaries to those that they lie within, and on the second level to those on the other side, which are tied back.
fn tie(
    author: &mut Author,
    level: Level,
    all: &[NewBoundary],
    rooms: &BTreeSet<Id>,
    written: &[Option<Id>],
) -> Result<(), Fault> {
    let place = |at: Option<usize>| at.and_then(|at| written.get(at).copied().flatten());
    for (new, own) in all.iter().zip(written) {
        let Some(own) = own else { continue };
        let there = place(new.corresponding);
        let is_ours = rooms.contains(&new.space);
        let mut ties = Vec::new();
        if is_ours {
            ties.push(("ParentBoundary", place(new.parent)));
        }
        // what corresponds to a boundary of no room, as one of the outside, keeps that
        let is_beside =
            new.corresponding.and_then(|at| all.get(at)).is_some_and(|it| rooms.contains(&it.space));
        if level == Level::Second && (is_beside || (is_ours && there.is_some())) {
            ties.push(("CorrespondingBoundary", there));
        } else if level == Level::Second && is_ours && is_tied_to_room(author, *own) {
            ties.push(("CorrespondingBoundary", None));
        }
        for (name, other) in ties {
            let value = other.map_or(Value::Null, Value::Ref);
            if author.edit.get(*own).is_some_and(|it| it.attr(name) != value) {
                author.set(*own, name, value)?;
            }
        }
    }
    Ok(())
}

/// True if a boundary corresponds to one of an IfcSpace.
fn is_tied_to_room(author: &Author, relation: Id) -> bool {
    let other = author.edit.get(relation).and_then(|it| it.reference("CorrespondingBoundary"));
    let space = other.and_then(|other| author.edit.get(other)?.reference("RelatingSpace"));
    space.is_some_and(|space| author.edit.get(space).is_some_and(|it| it.is_a("IfcSpace")))
}
