//! Elements by place: which mesh stands where, kept as elements come, go and change.
//!
//! An index knows numbers and meshes in metres of the world, no files: elements of two files go into two of them, or into one with
//! numbers of the caller's. The tree of the elements is made when first asked for; a change makes its boxes fit again, and only
//! after many changes is it made anew. How it is fed by a scene that follows a model is told in [`super::fed`].

use super::{Element, tree::Tree};
use crate::{math::Bounds, mesh::Mesh};
use ifc::Id;
use rayon::prelude::*;
use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{Arc, OnceLock},
};

/// The tree over the slots, and which leaf each slot is in.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    pub(super) tree: Tree,
    leaves: Vec<u32>,
}

/// Elements by place.
#[derive(Debug, Clone, Default)]
pub struct Index {
    pub(super) slots: Vec<Option<Arc<Element>>>,
    places: HashMap<Id, u32>,
    free: Vec<u32>,
    order: OnceLock<Order>,
    /// Slots that came after the tree was made.
    pub(super) late: Vec<u32>,
    /// The number of changes that the tree has followed.
    changes: usize,
    /// Bytes that the elements take, about.
    weight: u64,
}

impl FromIterator<(Id, Arc<Mesh>)> for Index {
    fn from_iter<I: IntoIterator<Item = (Id, Arc<Mesh>)>>(elements: I) -> Index {
        let mut index = Index::default();
        for (id, mesh) in elements {
            index.insert(id, mesh);
        }
        index
    }
}

impl Index {
    /// Puts an element in, or another mesh in the place of the one it has. The mesh is in metres of the world.
    pub fn insert(&mut self, id: Id, mesh: impl Into<Arc<Mesh>>) {
        self.insert_element(Arc::new(Element::new(id, mesh)));
    }

    fn insert_element(&mut self, element: Arc<Element>) {
        let id = element.id();
        self.weight += weight(&element);
        if let Some(&place) = self.places.get(&id) {
            if let Some(slot) = self.slots.get_mut(place as usize) {
                self.weight -= slot.replace(element).as_deref().map_or(0, weight);
            }
            self.fit(place);
            return;
        }
        // a free slot is one of the tree's: its leaf is fitted, wherever the newcomer stands
        if let Some(place) = self.free.pop() {
            if let Some(slot) = self.slots.get_mut(place as usize) {
                *slot = Some(element);
            }
            self.places.insert(id, place);
            self.fit(place);
            return;
        }
        let place = self.slots.len() as u32;
        self.slots.push(Some(element));
        self.places.insert(id, place);
        if self.order.get().is_some() {
            self.late.push(place);
            self.follow();
        }
    }

    /// Returns an index of some of its elements, which it shares with this one, their trees included.
    #[must_use]
    pub fn subset(&self, ids: impl IntoIterator<Item = Id>) -> Index {
        let mut subset = Index::default();
        for element in ids.into_iter().filter_map(|id| self.get(id)) {
            subset.insert_element(Arc::clone(element));
        }
        subset
    }

    /// Returns about how many bytes its triangles and their trees take, for caches.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// Takes an element out. Whether it was there.
    pub fn remove(&mut self, id: Id) -> bool {
        let Some(place) = self.places.remove(&id) else { return false };
        if let Some(slot) = self.slots.get_mut(place as usize) {
            self.weight -= slot.take().as_deref().map_or(0, weight);
        }
        self.free.push(place);
        self.fit(place);
        true
    }

    /// Makes the tree fit a slot that changed.
    fn fit(&mut self, place: u32) {
        let slots = &self.slots;
        let Some(order) = self.order.get_mut() else { return };
        match order.leaves.get(place as usize) {
            Some(&leaf) if leaf != u32::MAX => order.tree.refit(leaf, |i| bounds_of(slots, i)),
            _ if self.late.contains(&place) => {}
            _ => self.late.push(place),
        }
        self.follow();
    }

    /// After many changes the tree is worth making anew.
    fn follow(&mut self) {
        self.changes += 1;
        if self.changes > 32 + self.slots.len() / 4 || self.late.len() > 32 + self.slots.len() / 64 {
            self.order = OnceLock::new();
            self.late.clear();
            self.changes = 0;
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// An element by its number.
    pub fn get(&self, id: Id) -> Option<&Arc<Element>> {
        self.slots.get(*self.places.get(&id)? as usize)?.as_ref()
    }

    /// All elements, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Element>> {
        self.slots.iter().flatten()
    }

    /// The box around all elements, in metres.
    pub fn bounds(&self) -> Bounds {
        self.iter().fold(Bounds::EMPTY, |all, e| all.join(&e.bounds()))
    }

    /// The elements whose boxes are within so many metres of a box, by their numbers.
    pub fn near(&self, bounds: &Bounds, metres: f64) -> Vec<&Arc<Element>> {
        let mut found = Vec::new();
        self.each(|b| b.meets(bounds, metres), |element| found.push(element));
        found.sort_unstable_by_key(|element| element.id());
        found
    }

    /// Makes the trees of all elements now, in parallel, rather than when they are first asked.
    pub fn prepare(&self) {
        self.order();
        self.slots.par_iter().flatten().for_each(|e| {
            e.tree();
        });
    }

    pub(super) fn order(&self) -> &Order {
        self.order.get_or_init(|| {
            let boxes: Vec<Bounds> =
                (0..self.slots.len() as u32).map(|i| bounds_of(&self.slots, i)).collect();
            let tree = Tree::new(&boxes);
            let leaves = tree.leaves(boxes.len());
            Order { tree, leaves }
        })
    }

    pub(super) fn at(&self, place: u32) -> Option<&Arc<Element>> {
        self.slots.get(place as usize)?.as_ref()
    }

    /// Calls `each` for the elements whose boxes `wanted` accepts, in no particular order.
    pub(super) fn visit<'s>(
        &'s self,
        wanted: impl Fn(&Bounds) -> bool,
        mut each: impl FnMut(&'s Arc<Element>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut look = |place: u32| match self.at(place).filter(|e| wanted(&e.bounds())) {
            Some(element) => each(element),
            None => ControlFlow::Continue(()),
        };
        self.order().tree.visit(&wanted, &mut look)?;
        self.late.iter().try_for_each(|&place| look(place))
    }

    /// Calls `each` for all elements whose boxes `wanted` accepts, in no particular order.
    pub(super) fn each<'s>(
        &'s self,
        wanted: impl Fn(&Bounds) -> bool,
        mut each: impl FnMut(&'s Arc<Element>),
    ) {
        let _ = self.visit(wanted, |element| {
            each(element);
            ControlFlow::Continue(())
        });
    }

    /// Calls `each` for the elements that may lie nearer than `best` by the least distance that `bound` gives for a box, about
    /// the nearest first. `each` answers the distance beyond which nothing is wanted any more.
    pub(super) fn closest<'s>(
        &'s self,
        mut best: f64,
        bound: impl Fn(&Bounds) -> f64,
        mut each: impl FnMut(&'s Arc<Element>, f64) -> f64,
    ) {
        let mut look = |place: u32, best: f64| {
            let Some(e) = self.at(place) else { return best };
            let least = bound(&e.bounds());
            if least <= best && least < f64::INFINITY { each(e, best) } else { best }
        };
        for &place in &self.late {
            best = look(place, best);
        }
        self.order().tree.closest(best, &bound, &mut look);
    }
}

/// Bytes that an element takes, about.
fn weight(element: &Element) -> u64 {
    let mesh = element.mesh();
    (200 + mesh.positions.len() * 24 + mesh.triangles.len() * 44) as u64
}

fn bounds_of(slots: &[Option<Arc<Element>>], place: u32) -> Bounds {
    slots.get(place as usize).and_then(Option::as_ref).map_or(Bounds::EMPTY, |e| e.bounds())
}
