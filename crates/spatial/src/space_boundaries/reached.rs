//! The rooms whose boundaries a change may have made others.
//!
//! What the boundaries of a room are made of is compared between two versions: its faces and their pieces, what lies behind these, the
//! elements that touch it, and its doors, windows and openings. Where all of it is the same, so are the boundaries.

use super::faces::whole;
use crate::{
    Layout,
    bounding::TOUCH,
    layout::{
        Since,
        following::{is_same_body, numbers, olds},
    },
    pairing::{Behind, Piece},
    passage::{Passage, Side},
    touched::Touched,
};
use geometry::{Bounds, query::Element, scene::reshaped};
use ifc::{Id, Model, relations::Links};
use std::{collections::BTreeSet, sync::Arc};

/// Rooms of two versions, by their places in either.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Reached {
    /// Those of the version before.
    pub before: BTreeSet<usize>,
    /// Those of the version after.
    pub after: BTreeSet<usize>,
}

/// The rooms whose boundaries may differ between two versions, those that are in one of them alone included.
pub fn reached(before: (&Layout, &Links<'_>), after: (&Layout, &Links<'_>)) -> Reached {
    let (old, new) = (before.0, after.0);
    let numbers = numbers(&old.rooms, &new.rooms);
    let olds = olds(&numbers, new.rooms.rooms.len());
    let compared = Compared { old, new, numbers: &numbers };
    let boxes = differing(before, after);
    let mut faces = BTreeSet::new();
    let mut openings = BTreeSet::new();
    for (number, known) in olds.iter().enumerate() {
        let is_near = || boxes.iter().any(|b| b.meets(&new.rooms.bounds(number), TOUCH));
        match known {
            Some(known) if compared.are_faces_same(*known, number) && !is_near() => {
                if !compared.are_passages_same(*known, number) {
                    openings.insert(number);
                }
            }
            _ => {
                faces.insert(number);
            }
        }
    }
    // what lies behind a face divides it as well
    let gone: BTreeSet<usize> = (0..numbers.len()).filter(|old| !has(&numbers, *old)).collect();
    let of_before =
        faces.iter().filter_map(|new| olds.get(*new).copied().flatten()).chain(gone.iter().copied());
    let beside_before: BTreeSet<usize> = of_before.flat_map(|room| beside(old, room)).collect();
    let beside_before = beside_before.into_iter().filter_map(|old| numbers.get(old).copied().flatten());
    let beside_after: BTreeSet<usize> = faces.iter().flat_map(|room| beside(new, *room)).collect();
    let after: BTreeSet<usize> =
        faces.iter().chain(&openings).copied().chain(beside_before).chain(beside_after).collect();
    let before = after.iter().filter_map(|new| olds.get(*new).copied().flatten()).chain(gone).collect();
    Reached { before, after }
}

fn has(numbers: &[Option<usize>], old: usize) -> bool {
    numbers.get(old).copied().flatten().is_some()
}

/// The boxes of elements that differ as what bounds rooms, of both versions.
fn differing((old, old_links): (&Layout, &Links<'_>), (new, links): (&Layout, &Links<'_>)) -> Vec<Bounds> {
    let (before, after) = (old_links.model(), links.model());
    let made = if new.since(before, after).is_some() { None } else { since(before, after) };
    let since = new.since(before, after).or(made.as_ref());
    let touched = since.map(|since| &since.touched);
    let is_whole_same = |id: Id| {
        touched.is_some_and(|touched| touched.are_classes_same() && !touched.reaches(id))
            || whole(old_links, id) == whole(links, id)
    };
    let is_same = |id: Id, a: &Arc<Element>, b: &Arc<Element>| {
        Arc::ptr_eq(a, b)
            && old.elements.is_enclosing(id) == new.elements.is_enclosing(id)
            && is_whole_same(id)
    };
    let known = since.filter(|since| since.touched.are_classes_same() && since.touched.are_materials_same());
    // only these can have come to differ in shape, class or whole
    let ids: Option<BTreeSet<Id>> = known.map(|Since { touched, reshaped }| {
        reshaped.iter().chain(touched.products()).chain(touched.members()).copied().collect()
    });
    let mut boxes = Vec::new();
    for (own, other) in [(old, new), (new, old)] {
        let index = own.elements.index();
        let mut look = |element: &Arc<Element>| {
            let known = other.elements.index().get(element.id());
            if !known.is_some_and(|known| is_same(element.id(), element, known)) {
                boxes.push(element.bounds());
            }
        };
        match &ids {
            Some(ids) => ids.iter().filter_map(|id| index.get(*id)).for_each(&mut look),
            None => index.iter().for_each(&mut look),
        }
    }
    boxes
}

/// The difference of two versions over one file; `None` where everything hangs on it.
fn since(before: &Model, after: &Model) -> Option<Since> {
    let instances = before.differing(after)?;
    let reshaped = reshaped(before, after, &instances)?;
    Some(Since { touched: Touched::new(before, after, &instances), reshaped })
}

/// The rooms that faces of a room look at, and those behind its doors, windows and openings.
fn beside(layout: &Layout, room: usize) -> BTreeSet<usize> {
    let pieces = layout.pieces_of(room).filter_map(|(piece, _)| opposite(layout, piece));
    let sides = layout.passages_at(room).flat_map(|(_, passage)| passage.sides()).filter_map(Side::room);
    pieces.map(|(_, room)| room).chain(sides).collect()
}

/// The piece that a piece looks at, and its room.
fn opposite<'a>(layout: &'a Layout, piece: &Piece) -> Option<(&'a Piece, usize)> {
    let Behind::Piece(other) = piece.behind else { return None };
    let other = layout.pieces.get(other)?;
    Some((other, layout.facets.get(other.facet)?.room))
}

/// Two versions, and the numbers of the rooms of the first in the second.
struct Compared<'a> {
    old: &'a Layout,
    new: &'a Layout,
    numbers: &'a [Option<usize>],
}

impl Compared<'_> {
    fn is_same_room(&self, old: usize, new: usize) -> bool {
        let is_outside =
            |layout: &Layout, room: usize| layout.rooms.rooms.get(room).map(|room| room.is_outside);
        self.numbers.get(old).copied().flatten() == Some(new)
            && is_outside(self.old, old) == is_outside(self.new, new)
    }

    /// Returns true if the faces of a room, their pieces and what lies behind these are the same.
    fn are_faces_same(&self, old: usize, new: usize) -> bool {
        // where all rooms and pieces are the very same there is nothing to compare
        if self.are_all_same(old, new) && Arc::ptr_eq(&self.old.pieces, &self.new.pieces) {
            return true;
        }
        let (was, now) = (self.old.piece_numbers_of(old), self.new.piece_numbers_of(new));
        is_same_body(&self.old.rooms, old, &self.new.rooms, new)
            && self.is_same_room(old, new)
            && was.count() == now.count()
            && self
                .old
                .pieces_of(old)
                .zip(self.new.pieces_of(new))
                .all(|((a, _), (b, _))| self.is_same_piece(a, b))
    }

    fn is_same_piece(&self, old: &Piece, new: &Piece) -> bool {
        let is_same =
            |a: &Piece, b: &Piece| Arc::ptr_eq(&a.area, &b.area) && Arc::ptr_eq(&a.crossed, &b.crossed);
        let are_behind = match (opposite(self.old, old), opposite(self.new, new)) {
            (None, None) => old.behind == new.behind,
            (Some((a, old)), Some((b, new))) => is_same(a, b) && self.is_same_room(old, new),
            _ => false,
        };
        is_same(old, new) && are_behind
    }

    fn are_all_same(&self, old: usize, new: usize) -> bool {
        old == new && Arc::ptr_eq(&self.old.rooms.rooms, &self.new.rooms.rooms)
    }

    fn are_passages_same(&self, old: usize, new: usize) -> bool {
        let are_rooms_same = self.are_all_same(old, new);
        if are_rooms_same && Arc::ptr_eq(&self.old.passages, &self.new.passages) {
            return true;
        }
        let (was, now) = (self.old.passages_at(old), self.new.passages_at(new));
        was.count() == now.count()
            && self
                .old
                .passages_at(old)
                .zip(self.new.passages_at(new))
                .all(|((_, a), (_, b))| (are_rooms_same && std::ptr::eq(a, b)) || self.is_same_passage(a, b))
    }

    fn is_same_passage(&self, old: &Passage, new: &Passage) -> bool {
        let is_same = |a: Side, b: Side| match (a, b) {
            (Side::Room(old), Side::Room(new)) => self.is_same_room(old, new),
            (a, b) => a == b,
        };
        let numbered = Passage { crossings: new.crossings.clone(), ..old.clone() };
        numbered == *new
            && old.crossings.len() == new.crossings.len()
            && old
                .crossings
                .iter()
                .zip(&new.crossings)
                .all(|(a, b)| a.share == b.share && a.sides.iter().zip(b.sides).all(|(a, b)| is_same(*a, b)))
    }
}
