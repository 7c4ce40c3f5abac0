//! The relations of a model from their related ends, each class of relations read once when it is first asked about.
//!
//! A check asks nearly every element for its type, sets, materials and wholes. Where all are asked, one pass over the relations costs
//! less than a search for the relations of each element.

use ifc::relations::{
    AGGREGATED, CLASSIFIED, CONTAINED, DEFINED, End, FILLS, GROUPED, MADE_OF, NESTED, REFERRING, TYPED, VOIDS,
};
use ifc::{Id, Model};
use rayon::prelude::*;
use std::sync::OnceLock;

/// A step from a related element across a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// To the whole of an aggregation.
    Aggregate,
    /// To a classification.
    Classification,
    /// To the spatial structure that contains it.
    Container,
    /// To a property definition.
    Definition,
    /// From a resource to an external reference.
    ExternalReference,
    /// From a filling to its opening.
    FilledOpening,
    /// To a group.
    Group,
    /// To a material.
    Material,
    /// From a nested part to its host.
    Nest,
    /// To the type.
    Type,
    /// From an opening to its host.
    VoidedElement,
}

impl Step {
    /// Every step, in the order of the enumeration.
    pub const ALL: [Self; 11] = [
        Self::Aggregate,
        Self::Classification,
        Self::Container,
        Self::Definition,
        Self::ExternalReference,
        Self::FilledOpening,
        Self::Group,
        Self::Material,
        Self::Nest,
        Self::Type,
        Self::VoidedElement,
    ];

    /// The end at which the element stands, and the attribute of the other one.
    pub fn ends(self) -> (End, &'static str) {
        match self {
            Self::Aggregate => (AGGREGATED, "RelatingObject"),
            Self::Classification => (CLASSIFIED, "RelatingClassification"),
            Self::Container => (CONTAINED, "RelatingStructure"),
            Self::Definition => (DEFINED, "RelatingPropertyDefinition"),
            Self::ExternalReference => (REFERRING, "RelatingReference"),
            Self::FilledOpening => (FILLS, "RelatingOpeningElement"),
            Self::Group => (GROUPED, "RelatingGroup"),
            Self::Material => (MADE_OF, "RelatingMaterial"),
            Self::Nest => (NESTED, "RelatingObject"),
            Self::Type => (TYPED, "RelatingType"),
            Self::VoidedElement => (VOIDS, "RelatingBuildingElement"),
        }
    }
}

/// The relations of a model by what they relate.
pub(super) struct Relations<'m> {
    model: &'m Model,
    of_steps: [OnceLock<Reverse>; Step::ALL.len()],
}

impl<'m> Relations<'m> {
    pub fn new(model: &'m Model) -> Self {
        Self { model, of_steps: Default::default() }
    }

    /// The instances at the other end of an element's relations that are there, without repetition: by the ids of the relations, within
    /// one in the file's order. O(log n) and what is found.
    pub fn across(&self, element: Id, step: Step) -> Vec<Id> {
        let Some(known) = self.of_steps.get(step as usize) else { return Vec::new() };
        let mut found = known.get_or_init(|| Reverse::new(self.model, step)).across(element);
        once(&mut found);
        found
    }
}

/// Keeps each id where it comes first.
fn once(ids: &mut Vec<Id>) {
    if ids.is_sorted_by(|a, b| a < b) {
        return;
    }
    let mut seen = foldhash::HashSet::default();
    ids.retain(|id| seen.insert(*id));
}

/// Relations that one task reads.
const TASK: usize = 2048;

/// The relations of one class. Memory grows with what they list, never with products of both ends.
#[derive(Default)]
struct Reverse {
    /// Elements, each with the number of a relation, sorted.
    related: Vec<(Id, u32)>,
    /// The place in `relating` at which the other end of each relation begins, and a last one behind all.
    first: Vec<u32>,
    relating: Vec<Id>,
}

impl Reverse {
    fn new(model: &Model, step: Step) -> Self {
        let mut relations = model.of_class(step.ends().0.class);
        relations.sort_unstable();
        relations.dedup();
        // the threads of the pool are not worth waking for a few
        let parts: Vec<Self> = if relations.len() <= TASK {
            vec![Self::part(model, step, &relations)]
        } else {
            relations.par_chunks(TASK).map(|part| Self::part(model, step, part)).collect()
        };
        let mut whole = Self::default();
        for mut part in parts {
            let (relations, members) = (whole.first.len() as u32, whole.relating.len() as u32);
            whole.related.extend(part.related.iter().map(|(id, number)| (*id, number + relations)));
            whole.first.extend(part.first.iter().map(|first| first + members));
            whole.relating.append(&mut part.relating);
        }
        whole.first.push(whole.relating.len() as u32);
        whole.related.sort_unstable();
        whole.related.dedup();
        whole
    }

    /// Reads some relations, numbered from nought.
    fn part(model: &Model, step: Step, relations: &[Id]) -> Self {
        let (end, other) = step.ends();
        let mut part = Self::default();
        let mut members = Vec::new();
        for (number, relation) in relations.iter().enumerate() {
            part.first.push(part.relating.len() as u32);
            let Some(relation) = model.get(*relation) else { continue };
            members.clear();
            relation.add_references(end.attribute, &mut members);
            part.related.extend(members.iter().map(|id| (*id, number as u32)));
            members.clear();
            relation.add_references(other, &mut members);
            // a reference to nowhere leads nowhere
            part.relating.extend(members.iter().filter(|id| model.contains(**id)));
        }
        part
    }

    fn across(&self, element: Id) -> Vec<Id> {
        let from = self.related.partition_point(|(id, _)| *id < element);
        let rest = self.related.get(from..).unwrap_or_default();
        let own = rest.iter().take_while(|(id, _)| *id == element).map(|(_, number)| *number as usize);
        let members = own.filter_map(|number| {
            let (from, to) = (*self.first.get(number)?, *self.first.get(number + 1)?);
            self.relating.get(from as usize..to as usize)
        });
        members.flatten().copied().collect()
    }
}
