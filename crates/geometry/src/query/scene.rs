//! Elements by place: which mesh stands where, kept as elements come, go and change.
//!
//! A scene knows numbers and meshes in metres of the world, no files: elements of two files go into two scenes, or into one with
//! numbers of the caller's. The tree of the elements is made when first asked for; a change makes its boxes fit again, and only
//! after many changes is it made anew. The tree of an element's triangles is made when something comes near the element.

use super::tree::Tree;
use crate::{
    math::{Bounds, P3, cross, sub, unit},
    mesh::{Measures, Mesh},
};
use ifc::Id;
use rayon::prelude::*;
use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{Arc, OnceLock},
};

/// One element of a scene: its triangles and what makes them quick to ask.
#[derive(Debug)]
pub struct Element {
    id: Id,
    mesh: Arc<Mesh>,
    bounds: Bounds,
    measures: OnceLock<Measures>,
    tree: OnceLock<Tree>,
}

impl Element {
    /// An element of its own, for a question that needs no scene. The mesh is in metres of the world.
    pub fn new(id: Id, mesh: impl Into<Arc<Mesh>>) -> Element {
        let mesh = mesh.into();
        let sound = |p: &P3| p.iter().all(|v| v.is_finite());
        let bounds = Bounds::of(mesh.positions.iter().copied().filter(sound));
        Element { id, mesh, bounds, measures: OnceLock::new(), tree: OnceLock::new() }
    }

    /// Its number.
    pub fn id(&self) -> Id {
        self.id
    }

    /// Its triangles.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The box around it in metres; empty where it has no point.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Its volume, surface and closedness; measured once.
    pub fn measures(&self) -> &Measures {
        self.measures.get_or_init(|| self.mesh.measures())
    }

    /// Whether it encloses a volume.
    pub fn is_solid(&self) -> bool {
        let m = self.measures();
        m.is_closed() && m.volume.abs() > 1e-12
    }

    /// The corners of a triangle, moved by minus `origin`; of one that is not there or not finite, nothing.
    pub(super) fn triangle(&self, number: u32, origin: P3) -> Option<[P3; 3]> {
        let t = self.mesh.triangles.get(number as usize)?;
        let at = |i: u32| self.mesh.positions.get(i as usize).map(|&p| sub(p, origin));
        let corners = [at(t[0])?, at(t[1])?, at(t[2])?];
        corners.iter().flatten().all(|v| v.is_finite()).then_some(corners)
    }

    /// The outward direction of a triangle; none where it has no area.
    pub fn normal(&self, triangle: u32) -> Option<P3> {
        let [a, b, c] = self.triangle(triangle, [0.0; 3])?;
        unit(cross(sub(b, a), sub(c, a)))
    }

    pub(super) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let count = self.mesh.triangles.len() as u32;
            let of = |i| self.triangle(i, [0.0; 3]).map_or(Bounds::EMPTY, Bounds::of);
            let boxes: Vec<Bounds> = if count > 50_000 {
                (0..count).into_par_iter().map(of).collect()
            } else {
                (0..count).map(of).collect()
            };
            Tree::new(&boxes)
        })
    }
}

/// The tree over the slots, and which leaf each slot is in.
#[derive(Debug, Clone, Default)]
struct Index {
    tree: Tree,
    leaves: Vec<u32>,
}

/// Elements by place.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    slots: Vec<Option<Arc<Element>>>,
    places: HashMap<Id, u32>,
    free: Vec<u32>,
    index: OnceLock<Index>,
    /// Slots that came after the tree was made.
    late: Vec<u32>,
    /// How many changes the tree has followed.
    changes: usize,
}

impl FromIterator<(Id, Arc<Mesh>)> for Scene {
    fn from_iter<I: IntoIterator<Item = (Id, Arc<Mesh>)>>(elements: I) -> Scene {
        let mut scene = Scene::default();
        for (id, mesh) in elements {
            scene.insert(id, mesh);
        }
        scene
    }
}

impl Scene {
    /// Puts an element in, or another mesh in the place of the one it has. The mesh is in metres of the world.
    pub fn insert(&mut self, id: Id, mesh: impl Into<Arc<Mesh>>) {
        let element = Arc::new(Element::new(id, mesh));
        if let Some(&place) = self.places.get(&id) {
            if let Some(slot) = self.slots.get_mut(place as usize) {
                *slot = Some(element);
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
        if self.index.get().is_some() {
            self.late.push(place);
            self.follow();
        }
    }

    /// Takes an element out. Whether it was there.
    pub fn remove(&mut self, id: Id) -> bool {
        let Some(place) = self.places.remove(&id) else { return false };
        if let Some(slot) = self.slots.get_mut(place as usize) {
            *slot = None;
        }
        self.free.push(place);
        self.fit(place);
        true
    }

    /// Makes the tree fit a slot that changed.
    fn fit(&mut self, place: u32) {
        let slots = &self.slots;
        let Some(index) = self.index.get_mut() else { return };
        match index.leaves.get(place as usize) {
            Some(&leaf) if leaf != u32::MAX => index.tree.refit(leaf, |i| bounds_of(slots, i)),
            _ if self.late.contains(&place) => {}
            _ => self.late.push(place),
        }
        self.follow();
    }

    /// After many changes the tree is worth making anew.
    fn follow(&mut self) {
        self.changes += 1;
        if self.changes > 32 + self.slots.len() / 4 || self.late.len() > 32 + self.slots.len() / 64 {
            self.index = OnceLock::new();
            self.late.clear();
            self.changes = 0;
        }
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
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
        self.iter().fold(Bounds::EMPTY, |all, e| all.join(&e.bounds))
    }

    /// Makes the trees of all elements now, in parallel, rather than when they are first asked.
    pub fn prepare(&self) {
        self.index();
        self.slots.par_iter().flatten().for_each(|e| {
            e.tree();
        });
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let boxes: Vec<Bounds> =
                (0..self.slots.len() as u32).map(|i| bounds_of(&self.slots, i)).collect();
            let tree = Tree::new(&boxes);
            let leaves = tree.leaves(boxes.len());
            Index { tree, leaves }
        })
    }

    fn at(&self, place: u32) -> Option<&Arc<Element>> {
        self.slots.get(place as usize)?.as_ref()
    }

    /// Calls `each` for the elements whose boxes `wanted` accepts, in no particular order.
    pub(super) fn visit<'s>(
        &'s self,
        wanted: impl Fn(&Bounds) -> bool,
        mut each: impl FnMut(&'s Arc<Element>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut look = |place: u32| match self.at(place).filter(|e| wanted(&e.bounds)) {
            Some(element) => each(element),
            None => ControlFlow::Continue(()),
        };
        self.index().tree.visit(&wanted, &mut look)?;
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
            let least = bound(&e.bounds);
            if least <= best && least < f64::INFINITY { each(e, best) } else { best }
        };
        for &place in &self.late {
            best = look(place, best);
        }
        self.index().tree.closest(best, &bound, &mut look);
    }

    /// The pairs of different elements whose boxes come nearer than `margin` metres: of this scene, or of this and another. In
    /// the order of their numbers; of one scene the smaller number first. `None` where there are more than `limit`.
    pub fn near_pairs(
        &self,
        other: Option<&Scene>,
        margin: f64,
        limit: usize,
    ) -> Option<Vec<(Arc<Element>, Arc<Element>)>> {
        let mut found: Vec<(&Arc<Element>, &Arc<Element>)> = Vec::new();
        let them = other.unwrap_or(self);
        let mut add = |a: u32, b: u32| {
            let (Some(a), Some(b)) = (self.at(a), them.at(b)) else { return };
            if a.bounds.meets(&b.bounds, margin) && found.len() <= limit {
                let turned = other.is_none() && a.id > b.id;
                found.push(if turned { (b, a) } else { (a, b) });
            }
        };
        let own = self.index();
        if let Some(other) = other {
            own.tree.pairs(&other.index().tree, margin, |left, right| {
                both(left, right, &mut add);
            });
            for &a in &self.late {
                (0..other.slots.len() as u32).for_each(|b| add(a, b));
            }
            for &b in &other.late {
                let early = |a: &u32| !self.late.contains(a);
                (0..self.slots.len() as u32).filter(early).for_each(|a| add(a, b));
            }
        } else {
            own.tree.own_pairs(margin, |left, right| {
                if std::ptr::eq(left, right) {
                    let rest = |i: usize| left.get(i + 1..).unwrap_or_default();
                    for (i, &a) in left.iter().enumerate() {
                        both(&[a], rest(i), &mut add);
                    }
                } else {
                    both(left, right, &mut add);
                }
            });
            for (i, &a) in self.late.iter().enumerate() {
                let earlier = self.late.get(..i).unwrap_or_default();
                let others = |b: &u32| *b != a && (!self.late.contains(b) || earlier.contains(b));
                (0..self.slots.len() as u32).filter(others).for_each(|b| add(a, b));
            }
        }
        if found.len() > limit {
            return None;
        }
        found.sort_unstable_by_key(|(a, b)| (a.id, b.id));
        Some(found.into_iter().map(|(a, b)| (a.clone(), b.clone())).collect())
    }
}

/// Every item of one leaf with every one of another.
fn both(left: &[u32], right: &[u32], add: &mut impl FnMut(u32, u32)) {
    for &a in left {
        for &b in right {
            add(a, b);
        }
    }
}

fn bounds_of(slots: &[Option<Arc<Element>>], place: u32) -> Bounds {
    slots.get(place as usize).and_then(Option::as_ref).map_or(Bounds::EMPTY, |e| e.bounds)
}
