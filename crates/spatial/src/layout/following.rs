//! The layout of a version made of that of the version before.
//!
//! Bodies of rooms stay where nothing reshaped them; shared faces and passages stay where what they were made of stays and the lines
//! that were asked on the way find the same elements; measures stay where the room, its pieces and its passages do and no element
//! near it differs. The result is that of a layout made anew: a test holds it.

use super::{Layout, Since, Weights, facts};
use crate::{
    Origin, Room, Rooms, contents,
    elements::Elements,
    facet::Facet,
    pairing::{self, Piece},
    parts::Parts,
    passage::Passage,
    passages, rooms,
    touched::Touched,
};
use geometry::{Bounds, Scene, Shaper, scene::reshaped};
use glam::DVec3;
use ifc::{Id, Model, relations::Links};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, OnceLock},
};

impl Layout {
    /// The layout of the version that a scene shows, where this one is of the version that `before` shows.
    #[must_use]
    pub fn following(&self, before: &Scene, scene: &Scene) -> Layout {
        let model = scene.model();
        let Some(touched) = before.model().differing(model) else { return Layout::from_scene(scene) };
        let Some(reshaped) = reshaped(before.model(), model, &touched) else {
            return Layout::from_scene(scene);
        };
        let (shaper, links) = (Shaper::plain(model), Links::of_many(model));
        let instances = touched;
        let touched = Touched::new(before.model(), model, &instances);
        let (elements, change) =
            Elements::following(&self.elements, &reshaped, &touched, scene, &shaper, &links);
        let joined = instances.iter().flat_map(|relation| joined(before.model(), model, *relation));
        let mut changed = change.boxes().to_vec();
        changed.extend(reshaped.iter().copied().chain(joined).flat_map(|id| boxes([before, scene], id)));
        let of_before = rooms::Before {
            rooms: &self.rooms,
            reshaped: &reshaped,
            touched: &touched,
            changed: &changed,
            change: &change,
        };
        let rooms = Rooms::with_elements(scene, &shaper, &links, &elements, Some(&of_before));
        let numbers = numbers(&self.rooms, &rooms);
        let stays = Stays { before: self, rooms: &rooms, olds: olds(&numbers, rooms.rooms.len()) };
        let terrain = super::terrain(&shaper, &rooms);
        let are_rooms_same = Arc::ptr_eq(&self.rooms.rooms, &rooms.rooms);
        let facets = if are_rooms_same { Arc::clone(&self.facets) } else { stays.facets().into() };
        let is_level_same = terrain.to_bits() == self.terrain.to_bits();
        let again = (are_rooms_same && is_level_same)
            .then(|| self.steps.again(&facets, &elements, terrain, &change))
            .flatten();
        let are_faces_same = again.is_some();
        let (pieces, steps) = if let Some(steps) = again {
            (Arc::clone(&self.pieces), steps)
        } else {
            let steps = (terrain == self.terrain).then_some((&*self.steps, &change));
            let (pieces, steps) = pairing::stepwise(&facets, &elements, &[], terrain, steps);
            (pieces.into(), steps.into())
        };
        let changed = stays.changed(&numbers);
        let of_before = passages::Before {
            reads: &self.reads,
            reshaped: &reshaped,
            touched: &touched,
            change: &change,
            rooms: &changed,
            numbers: &numbers,
        };
        let (reads, fresh) = passages::reads(&shaper, &links, &elements, &rooms, Some(&of_before));
        let olds = stays.olds;
        let passages = if Arc::ptr_eq(&self.reads, &reads) {
            Arc::clone(&self.passages)
        } else {
            passages::passages(&reads).into()
        };
        let parts = Parts::new((rooms, elements), facets, pieces, passages, terrain, Some(&self.parts));
        let known = contents::Before {
            parts: self,
            contents: &self.contents,
            reshaped: &reshaped,
            touched: &touched,
            olds: &olds,
            numbers: &numbers,
            changed: &changed,
        };
        let contents = contents::contents(scene, &parts, &links, Some(&known));
        let stands = |room: usize| contents.rooms.get(room).map(Vec::as_slice).unwrap_or_default();
        let facts: Vec<facts::Facts> = (olds.iter().enumerate())
            .map(|(new, old)| {
                let Some((old, facts)) = old.and_then(|old| Some((old, self.facts.get(old)?))) else {
                    return facts::Facts::default();
                };
                if !change.is_near(&parts.rooms.bounds(new), facts::REACH)
                    && self.is_same_around(old, &parts, new, &fresh)
                {
                    return facts.after(&change, stands(new));
                }
                facts.anew()
            })
            .collect();
        let mut weights = Weights::default();
        if are_faces_same {
            weights.faces.clone_from(&self.weights.faces);
        }
        if Arc::ptr_eq(&self.reads, &reads) {
            weights.reads.clone_from(&self.weights.reads);
        }
        let (adjacencies, since) = (OnceLock::new(), Some(Since { touched, reshaped }));
        Layout { parts, steps, reads, adjacencies, contents, facts, weights, since }
    }

    /// Returns true if the faces, pieces and passages of a room are those of a room of another layout.
    fn is_same_around(&self, old: usize, other: &Parts, new: usize, fresh: &HashSet<Id>) -> bool {
        let is_same = |a: &Piece, b: &Piece| {
            Arc::ptr_eq(&a.area, &b.area)
                && Arc::ptr_eq(&a.crossed, &b.crossed)
                && std::mem::discriminant(&a.behind) == std::mem::discriminant(&b.behind)
        };
        let are_pieces_same = || {
            let mut pieces = self.pieces_of(old).zip(other.pieces_of(new));
            self.pieces_of(old).count() == other.pieces_of(new).count()
                && pieces.all(|((a, _), (b, _))| is_same(a, b))
        };
        let are_all_same = old == new && Arc::ptr_eq(&self.pieces, &other.pieces);
        let element = |(_, passage): (usize, &Passage)| passage.element;
        is_same_body(&self.rooms, old, &other.rooms, new)
            && (are_all_same || are_pieces_same())
            && self.passages_at(old).map(element).eq(other.passages_at(new).map(element))
            && !other.passages_at(new).map(element).any(|id| fresh.contains(&id))
    }
}

/// The boxes around a product in two versions. One of what is not drawn, as a virtual boundary, is everywhere.
fn boxes(scenes: [&Scene; 2], id: Id) -> Vec<Bounds> {
    let is_virtual =
        |scene: &Scene| scene.model().get(id).is_some_and(|product| product.is_a("IfcVirtualElement"));
    if scenes.into_iter().any(is_virtual) {
        let everywhere = DVec3::splat(f64::INFINITY);
        return vec![Bounds { min: -everywhere, max: everywhere }];
    }
    scenes.into_iter().filter_map(|scene| Some(scene.entry(id)?.bounds)).filter(|b| !b.is_empty()).collect()
}

/// The elements that a relation joins where it differs: parts with their whole, fillings with their openings.
fn joined(before: &Model, after: &Model, relation: Id) -> Vec<Id> {
    let of = |model: &Model| -> Vec<Id> {
        let Some(relation) = model.get(relation) else { return Vec::new() };
        let (whole, parts) = match relation.class_name() {
            "IfcRelAggregates" => ("RelatingObject", "RelatedObjects"),
            "IfcRelFillsElement" => ("RelatingOpeningElement", "RelatedBuildingElement"),
            _ => return Vec::new(),
        };
        let mut ids = relation.references(parts);
        ids.extend(relation.reference(whole));
        ids
    };
    [before, after].into_iter().flat_map(of).collect()
}

/// A room by what stays of it: its space, or its name where it was found.
fn identity(room: &Room) -> (Option<Id>, &str) {
    match room.origin {
        Origin::Stored(id) => (Some(id), ""),
        Origin::Found => (None, &room.id),
    }
}

/// The numbers of rooms now, by those of before; none where rooms changed their order.
pub(crate) fn numbers(before: &Rooms, after: &Rooms) -> Vec<Option<usize>> {
    if Arc::ptr_eq(&before.rooms, &after.rooms) {
        return (0..after.rooms.len()).map(Some).collect();
    }
    let places: HashMap<(Option<Id>, &str), usize> =
        after.rooms.iter().enumerate().map(|(number, room)| (identity(room), number)).collect();
    let numbers: Vec<Option<usize>> =
        before.rooms.iter().map(|room| places.get(&identity(room)).copied()).collect();
    let is_in_order = numbers.iter().flatten().is_sorted_by(|a, b| a < b);
    if is_in_order { numbers } else { vec![None; numbers.len()] }
}

/// The numbers of rooms before, by those of now.
pub(crate) fn olds(numbers: &[Option<usize>], count: usize) -> Vec<Option<usize>> {
    let mut olds = vec![None; count];
    for (old, new) in numbers.iter().enumerate() {
        if let Some(place) = new.and_then(|new| olds.get_mut(new)) {
            *place = Some(old);
        }
    }
    olds
}

pub(crate) fn is_same_body(before: &Rooms, old: usize, after: &Rooms, new: usize) -> bool {
    let bodies = before.rooms.get(old).zip(after.rooms.get(new));
    bodies.is_some_and(|(old, new)| Arc::ptr_eq(&old.solid, &new.solid))
}

/// The rooms that stay.
struct Stays<'a> {
    before: &'a Layout,
    rooms: &'a Rooms,
    /// The numbers of before, by those of now.
    olds: Vec<Option<usize>>,
}

impl Stays<'_> {
    /// The number that a room had, if its body is the same.
    fn old(&self, new: usize) -> Option<usize> {
        let old = self.olds.get(new).copied().flatten();
        old.filter(|old| is_same_body(&self.before.rooms, *old, self.rooms, new))
    }

    fn facets(&self) -> Vec<Facet> {
        let mut facets = Vec::with_capacity(self.before.facets.len());
        for (number, room) in self.rooms.rooms.iter().enumerate() {
            match self.old(number) {
                Some(old) => {
                    let known = self.before.facets_of(old);
                    facets.extend(known.map(|(_, facet)| Facet { room: number, ..facet.clone() }));
                }
                None => facets.extend(Facet::of_room(number, room)),
            }
        }
        facets
    }

    /// The boxes around the rooms whose bodies differ, of both versions.
    fn changed(&self, numbers: &[Option<usize>]) -> Vec<Bounds> {
        let is_kept =
            |(old, new): &(usize, &Option<usize>)| new.is_some_and(|new| self.old(new) == Some(*old));
        let gone = numbers.iter().enumerate().filter(|pair| !is_kept(pair));
        let come = (0..self.rooms.rooms.len()).filter(|new| self.old(*new).is_none());
        gone.map(|(old, _)| self.before.rooms.bounds(old))
            .chain(come.map(|new| self.rooms.bounds(new)))
            .collect()
    }
}
