//! The model that constraints are held against, with what several of them need: relations, bodies with their openings left in, words.

use super::placement;
use crate::around::Around;
use crate::{Finding, Severity, Subject};
use geometry::query::Element;
use geometry::{Bounds, Shaper};
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, Model};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::Arc;

/// Bodies with their openings left in, by element; nothing where there is none.
type Uncut = HashMap<Id, Option<Arc<Element>>>;

/// The model that constraints look at.
pub(super) struct Context<'a> {
    subject: Subject<'a>,
    /// The relations of the model.
    pub links: Links<'a>,
    /// Makes shapes that the scene does not hold: openings, and walls without theirs.
    pub shaper: Shaper<'a>,
    only: Option<&'a BTreeSet<Id>>,
    notes: RefCell<BTreeSet<String>>,
    uncut: RefCell<Uncut>,
    /// The elements that are placed nowhere, so that their bodies are not where they are drawn.
    misplaced: BTreeSet<Id>,
}

impl<'a> Deref for Context<'a> {
    type Target = Subject<'a>;

    fn deref(&self) -> &Subject<'a> {
        &self.subject
    }
}

impl<'a> Context<'a> {
    pub fn new(subject: &Subject<'a>, only: Option<&'a BTreeSet<Id>>) -> Self {
        Self {
            subject: *subject,
            links: Links::of_many(subject.model),
            shaper: Shaper::plain(subject.model),
            only,
            notes: RefCell::default(),
            uncut: RefCell::default(),
            misplaced: placement::misplaced(subject.model),
        }
    }

    /// Returns true of an element that is asked about.
    pub fn concerns(&self, id: Id) -> bool {
        self.only.is_none_or(|only| only.contains(&id))
    }

    /// Returns true of a finding on something that is asked about; what could not be judged concerns everybody.
    pub fn concerns_any(&self, finding: &Finding) -> bool {
        let is_general = finding.severity == Severity::Info && finding.elements.is_empty();
        is_general || finding.elements.iter().chain(&finding.room).any(|id| self.concerns(*id))
    }

    /// Notes a sentence on what was not looked at.
    pub fn note(&self, sentence: impl Into<String>) {
        self.notes.borrow_mut().insert(sentence.into());
    }

    pub fn into_notes(self) -> impl Iterator<Item = String> {
        self.notes.into_inner().into_iter()
    }

    /// The body of an element less its openings; none where a box stands for it.
    pub fn standing(&self, id: Id) -> Option<&'a Arc<Element>> {
        let is_drawn = self.subject.scene.entry(id).is_some_and(|entry| !entry.is_box);
        self.subject.index.get(id).filter(|_| is_drawn && !self.misplaced.contains(&id))
    }

    /// The bodies of elements, spaces left out, by their numbers.
    pub fn bodies(&self) -> Vec<&'a Arc<Element>> {
        let entries = self.subject.scene.entries().iter();
        let wanted = entries.filter(|entry| !entry.is_space && !entry.is_box && entry.is_drawn());
        wanted.filter_map(|entry| self.standing(entry.id)).collect()
    }

    /// The body of an element before any opening is taken out, also of an opening; none where a box stands for it.
    pub fn uncut(&self, id: Id) -> Option<Arc<Element>> {
        if let Some(known) = self.uncut.borrow().get(&id) {
            return known.clone();
        }
        let is_same = self.links.openings_of(id).is_empty() && self.links.aggregate_parent(id).is_none();
        let made = self.standing(id).filter(|_| is_same).map(Arc::clone).or_else(|| {
            let shape = self.shaper.uncut_element(id).ok().filter(|shape| !shape.is_box);
            shape.map(|shape| Arc::new(Element::new(id, shape.mesh())))
        });
        self.uncut.borrow_mut().insert(id, made.clone());
        made
    }

    /// The storey that an element is on, in words.
    pub fn storey(&self, id: Id) -> Option<Id> {
        self.links.storey_of(id)
    }

    /// The middle of an element's body.
    pub fn middle(&self, id: Id) -> Option<DVec3> {
        self.subject.index.get(id).map(|body| body.bounds().centre()).filter(|p| p.is_finite())
    }
}

impl Around for Context<'_> {
    fn model(&self) -> &Model {
        self.subject.model
    }

    fn links(&self) -> &Links<'_> {
        &self.links
    }

    fn shaper(&self) -> &Shaper<'_> {
        &self.shaper
    }

    fn body(&self, id: Id) -> Option<Arc<Element>> {
        self.standing(id).cloned()
    }

    fn near(&self, bounds: &Bounds, metres: f64) -> Vec<Id> {
        self.subject.index.near(bounds, metres).into_iter().map(|body| body.id()).collect()
    }

    fn at_point(&self, p: DVec3) -> Vec<Id> {
        self.subject.index.at_point(p)
    }
}

/// A place in words, in mm.
pub(super) fn at(p: DVec3) -> String {
    let [x, y, z] = (p * 1000.0).round().to_array().map(|v| v + 0.0);
    format!("[{x}, {y}, {z}]")
}
