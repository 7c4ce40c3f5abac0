//! Problems of a document, and the verdicts on its facets that they are gathered from.

use ifc::{Entity, Schema, SchemaVersion};
use ifc_schema::EntityId;
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

/// A set of classes of one schema, a bit for each place in its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Classes(Vec<u64>);

impl Classes {
    /// The empty set.
    pub fn none(schema: &Schema) -> Self {
        Self(vec![0; schema.entities().len().div_ceil(64)])
    }

    /// These classes.
    pub fn listed(schema: &Schema, classes: impl IntoIterator<Item = &'static Entity>) -> Self {
        let mut set = Self::none(schema);
        classes.into_iter().for_each(|class| set.insert(class.id));
        set
    }

    /// The classes of these names, in any letter case, and their subtypes.
    pub fn descending(schema: &'static Schema, names: &[&str]) -> Self {
        let roots = names.iter().filter_map(|name| schema.entity(name));
        Self::listed(schema, roots.flat_map(|root| schema.subtypes(root.id)))
    }

    pub fn insert(&mut self, class: EntityId) {
        if let Some(word) = self.0.get_mut(usize::from(class.0) / 64) {
            *word |= 1 << (class.0 % 64);
        }
    }

    pub fn contains(&self, class: EntityId) -> bool {
        self.0.get(usize::from(class.0) / 64).is_some_and(|word| word >> (class.0 % 64) & 1 == 1)
    }

    pub fn intersect(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own &= other;
        }
    }

    pub fn unite(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn entities(&self, schema: &'static Schema) -> impl Iterator<Item = &'static Entity> {
        schema.entities().iter().filter(|entity| self.contains(entity.id))
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
