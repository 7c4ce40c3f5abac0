//! What keeps fire back in a building, for other checks: stated ratings, compartments, and the elements between rooms.

use super::between::{Between, between};
use super::compartments::{Compartment, compartments};
use super::stated::Stated;
use crate::Subject;
use ifc::Id;
use ifc::relations::Links;

/// The ratings and compartments of a building, and what lies between its rooms.
pub(crate) struct Barriers {
    stated: Stated,
    /// The compartments, as the file groups them or as rated elements part them.
    pub compartments: Vec<Compartment>,
    /// The pieces of wall and slab between rooms, and places where rooms are open to each other.
    pub between: Vec<Between>,
}

impl Barriers {
    /// Reads them from a model. Elements rated for fewer minutes than `least` part no compartments.
    pub fn new(subject: &Subject<'_>, least: f64) -> Self {
        let links = Links::of_many(subject.model);
        let stated = Stated::new(&links);
        let compartments = compartments(subject, &links, &stated, least);
        Self { stated, compartments, between: between(subject.layout) }
    }

    /// The minutes for which an element keeps fire back; 0 of one without a rating.
    pub fn minutes(&self, id: Id) -> f64 {
        self.stated.minutes(id).unwrap_or(0.0)
    }

    /// Returns true if the model states nothing of fire.
    pub fn is_silent(&self) -> bool {
        !self.stated.is_any() && self.compartments.is_empty()
    }
}
