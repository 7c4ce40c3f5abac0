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
        let mut set = Self::none(schema);
        names.iter().filter_map(|name| schema.entity(name)).for_each(|root| set.insert_all(root));
        set
    }

    /// Adds a class and its subtypes, which stand behind it in the table.
    fn insert_all(&mut self, root: &Entity) {
        let (first, last) = (usize::from(root.id.0), usize::from(root.last.0));
        for (at, word) in self.0.iter_mut().enumerate().take(last / 64 + 1).skip(first / 64) {
            let from = if at == first / 64 { first % 64 } else { 0 };
            let to = if at == last / 64 { last % 64 } else { 63 };
            *word |= (u64::MAX << from) & (u64::MAX >> (63 - to));
        }
    }

    pub fn insert(&mut self, class: EntityId) {
        if let Some(word) = self.0.get_mut(usize::from(class.0) / 64) {
            *word |= 1 << (class.0 % 64);
        }
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
        self.0.iter().zip((0..).step_by(64)).flat_map(move |(word, first)| {
            let rest = std::iter::successors(Some(*word), |rest| Some(rest & rest.wrapping_sub(1)));
            let bits = rest.take_while(|rest| *rest != 0).map(u64::trailing_zeros);
            bits.filter_map(move |bit| schema.entities().get(first + bit as usize))
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_with_their_subtypes_are_those_listed_one_by_one() {
        for schema in SchemaVersion::ALL.map(SchemaVersion::schema) {
            for root in schema.entities() {
                let all = Classes::descending(schema, &[root.name]);
                let own = schema.subtypes(root.id);
                assert_eq!(all, Classes::listed(schema, own), "{}", root.name);
                let named: Vec<&str> = all.entities(schema).map(|class| class.name).collect();
                assert_eq!(named, own.iter().map(|class| class.name).collect::<Vec<_>>());
            }
        }
    }
}
