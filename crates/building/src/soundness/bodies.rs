//! The bodies that are held against each other: those of what was touched, and of what comes near, made when somebody asks.

use super::surroundings::{Places, Surroundings, place_of};
use super::{Change, NEAR};
use crate::storey::storeys_by_height;
use geometry::query::Element;
use geometry::{Bounds, Scene, Shaper};
use ifc::relations::Links;
use ifc::{Id, Model};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Bodies that were made, by element and whether its openings are taken out; nothing where there is none.
type Made = HashMap<(Id, bool), Option<Arc<Element>>>;

/// The bodies of a change and of what is near it.
pub struct Bodies<'m> {
    pub(super) change: &'m Change<'m>,
    /// The relations after the change.
    pub links: Links<'m>,
    /// The surroundings before the change, and after it.
    was: &'m Surroundings,
    now: &'m Surroundings,
    places: &'m Places,
    shaper: Shaper<'m>,
    /// The state after the change as it is drawn, if somebody made that.
    drawn: Option<&'m Scene>,
    made: RefCell<Made>,
    floors: OnceCell<Vec<f64>>,
    left_behind: OnceCell<BTreeSet<Id>>,
}

impl<'m> Bodies<'m> {
    pub(super) fn new(
        change: &'m Change<'m>,
        was: &'m Surroundings,
        now: &'m Surroundings,
        places: &'m Places,
        (shaper, drawn): (Shaper<'m>, Option<&'m Scene>),
    ) -> Self {
        Self {
            change,
            links: Links::of_one(change.after),
            was,
            now,
            places,
            shaper,
            drawn,
            made: RefCell::default(),
            floors: OnceCell::new(),
            left_behind: OnceCell::new(),
        }
    }

    /// The model after the change.
    pub fn model(&self) -> &'m Model {
        self.change.after
    }

    /// The model before it.
    pub fn former(&self) -> &'m Model {
        self.change.before
    }

    /// The instances that differ.
    pub fn instances(&self) -> &'m [Id] {
        self.change.instances
    }

    /// The elements that are there and are new, moved, cut or shaped anew.
    pub fn touched(&self) -> &'m BTreeSet<Id> {
        &self.change.touched
    }

    /// Makes shapes of the model after the change.
    pub fn shaper(&self) -> &Shaper<'m> {
        &self.shaper
    }

    /// The body of an element less its openings; none where it has none, or where a box stands for it.
    pub fn cut(&self, id: Id) -> Option<Arc<Element>> {
        self.body(id, true)
    }

    /// The body less its openings that an element had before the change; none where it was not there.
    pub fn former_cut(&self, id: Id) -> Option<Arc<Element>> {
        let before = self.change.before;
        let is_same = !self.change.disturbed.contains(&id) && !self.change.rooms.contains(&id);
        if before.get(id).is_some() && is_same {
            return self.cut(id);
        }
        let shape = Shaper::plain(before).element(id).ok().filter(|shape| !shape.is_box)?;
        Some(Arc::new(Element::new(id, shape.mesh())))
    }

    /// The body of an element before any opening is taken out.
    pub(super) fn whole(&self, id: Id) -> Option<Arc<Element>> {
        self.body(id, false)
    }

    fn body(&self, id: Id, less_openings: bool) -> Option<Arc<Element>> {
        if let Some(known) = self.made.borrow().get(&(id, less_openings)) {
            return known.clone();
        }
        let shape = match self.drawn.filter(|_| less_openings).and_then(|scene| scene.shape(id)) {
            Some(drawn) => Some(drawn),
            None if less_openings => self.shaper.element(id).ok().map(Arc::new),
            None => self.shaper.uncut_element(id).ok().map(Arc::new),
        };
        let body = shape.filter(|shape| !shape.is_box).map(|shape| {
            let mesh = shape.mesh();
            Arc::new(Element::new(id, mesh))
        });
        self.made.borrow_mut().insert((id, less_openings), body.clone());
        body
    }

    /// The elements whose boxes come nearer than `margin` metres to a box now.
    pub fn near(&self, to: Bounds, margin: f64) -> impl Iterator<Item = (Id, Bounds)> + '_ {
        self.now.near(&self.places.elements, to, margin)
    }

    /// The rooms whose boxes come nearer than `margin` metres to a box now.
    pub(super) fn rooms_near(&self, to: Bounds, margin: f64) -> impl Iterator<Item = (Id, Bounds)> + '_ {
        self.now.rooms_near(&self.places.rooms, to, margin)
    }

    /// The boxes of all elements on the places that are looked at.
    pub(super) fn boxes(&self) -> impl Iterator<Item = (Id, Bounds)> + '_ {
        self.now.on(&self.places.elements)
    }

    /// The heights of the storeys' floors in metres.
    pub(super) fn floors(&self) -> Vec<f64> {
        let all = || storeys_by_height(self.model()).iter().map(|(_, z)| *z).collect();
        self.floors.get_or_init(all).clone()
    }

    /// The box of an element now; of one that was not looked up, that of its body.
    pub(super) fn bounds(&self, id: Id) -> Option<Bounds> {
        self.now.of_element(self.model(), id).or_else(|| Some(self.whole(id)?.bounds()))
    }

    /// The box that an element had.
    pub(super) fn former_bounds(&self, id: Id) -> Option<Bounds> {
        self.was.of_element(self.change.before, id)
    }

    /// Elements that were not touched and stood by what was moved or taken away.
    pub(super) fn left_behind(&self) -> &BTreeSet<Id> {
        self.left_behind.get_or_init(|| self.found_left_behind())
    }

    fn found_left_behind(&self) -> BTreeSet<Id> {
        let mut found = BTreeSet::new();
        for id in &self.change.disturbed {
            let Some(was) = self.former_bounds(*id) else { continue };
            if self.change.touched.contains(id) && self.bounds(*id) == Some(was) {
                continue;
            }
            found.extend(
                self.near(was, NEAR).map(|(id, _)| id).filter(|id| !self.change.touched.contains(id)),
            );
        }
        found
    }

    /// The storey or other spatial structure that an element is on.
    pub(super) fn place(&self, id: Id) -> Option<Id> {
        place_of(self.model(), id)
    }

    pub(super) fn is_a(&self, id: Id, class: &str) -> bool {
        self.model().get(id).is_some_and(|e| e.is_a(class))
    }
}
