//! Problems of a document, and the verdicts on its facets that they are gathered from.

use ifc::{Schema, SchemaVersion};
use xml::Place;

/// Something that is wrong in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// In words, without a full stop.
    pub message: String,
    /// A remedy, without a full stop.
    pub remedy: String,
    /// False if the document can be checked all the same.
    pub blocks: bool,
}

impl Problem {
    pub(super) fn new(place: Place, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { place, message: message.into(), remedy: remedy.into(), blocks: true }
    }

    pub(super) fn harmless(self) -> Self {
        Self { blocks: false, ..self }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}; {}", self.place, self.message, self.remedy)
    }
}

/// A set of classes of one schema, by their places in its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Classes(Vec<bool>);

impl Classes {
    pub fn satisfying(schema: &Schema, holds: impl FnMut(&'static ifc::Entity) -> bool) -> Self {
        Self(schema.entities().iter().map(holds).collect())
    }

    pub fn intersect(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = *own && *other;
        }
    }

    pub fn is_empty(&self) -> bool {
        !self.0.contains(&true)
    }

    pub fn entities(&self, schema: &'static Schema) -> impl Iterator<Item = &'static ifc::Entity> {
        schema.entities().iter().zip(&self.0).filter(|(_, is_in)| **is_in).map(|(entity, _)| entity)
    }
}

/// The verdict on one facet.
#[derive(Default)]
pub(super) struct Verdict {
    pub problems: Vec<Problem>,
    /// The classes that can meet it, for each schema; none where it says nothing of them.
    pub classes: Vec<(SchemaVersion, Classes)>,
}

/// The surroundings of a facet.
pub(super) struct Scope<'s> {
    pub versions: &'s [SchemaVersion],
    /// The classes that the specification applies to, for each schema.
    pub applicable: Vec<(SchemaVersion, Classes)>,
    pub is_required: bool,
}
