//! IFC105 and IFC106: every resource (an instance without a GlobalId) is reached from something that has one, forwards
//! along attributes or back along a few inverse attributes. What is not reached belongs to nothing.

use super::Context;
use ifc::parts::Source;
use ifc::parts::each_reference;
use ifc::{Id, Model};

/// Inverse attributes that are followed too.
const BACK: [&str; 26] = [
    "StyledByItem",
    "HasCoordinateOperation",
    "LayerAssignments",
    "LayerAssignment",
    "HasSubContexts",
    "HasProperties",
    "HasRepresentation",
    "HasColours",
    "HasTextures",
    "HasShapeAspects",
    "WellKnownText",
    // those of relations between resources
    "Relates",
    "RelatesTo",
    "IsRelatedBy",
    "IsRelatedWith",
    "IsPointer",
    "IsPointedTo",
    "ApprovedResources",
    "HasApprovals",
    "HasConstraints",
    "PropertiesForConstraint",
    "PropertyDependsOn",
    "PropertyForDependance",
    "ExternalReferenceForResources",
    "HasExternalReference",
    "HasExternalReferences",
];

/// A relation between resources belongs to what it relates; it makes nothing else belong to that.
const LAST: &str = "IfcResourceLevelRelationship";

pub(super) fn check(context: &mut Context<'_, '_>) {
    let model = context.model;
    let back = ways_back(model);
    let mut reached = Reached::new(model);
    let mut open = Vec::new();
    for id in model.of_class("IfcRoot") {
        if reached.insert(id.0) {
            open.push(id);
        }
    }
    let last = model.schema().entity(LAST);
    while let Some(id) = open.pop() {
        let class = model.get(id).and_then(|instance| instance.entity());
        if class.zip(last).is_some_and(|(class, last)| last.id <= class.id && class.id <= last.last) {
            continue;
        }
        let mut visit = |target: u32| {
            if model.contains(Id(target)) && reached.insert(target) {
                open.push(Id(target));
            }
        };
        match model.get(id).map(|instance| instance.source()) {
            Some(Source::Base(row)) => each_reference(model.base().text(row), &mut visit),
            Some(Source::Overlay(stored)) => {
                for value in &stored.values {
                    value.for_each_ref(&mut |target| visit(target.0));
                }
            }
            None => {}
        }
        let from = back.partition_point(|(target, _)| *target < id.0);
        for (_, source) in
            back.get(from..).unwrap_or_default().iter().take_while(|(target, _)| *target == id.0)
        {
            visit(*source);
        }
    }
    for id in model.ids() {
        if !reached.contains(id.0)
            && let Some(instance) = model.get(id)
        {
            context.report(&instance, |named| {
                format!("{named} is not referred to, directly or indirectly, by anything that has a GlobalId; remove it, or use it")
            });
        }
    }
}

/// Ids that were reached: a bit for each id of a dense file, a set of them for one with sparse ids.
enum Reached {
    Dense(Vec<u64>),
    Sparse(std::collections::HashSet<u32>),
}

impl Reached {
    fn new(model: &Model) -> Self {
        let highest = model.next_id().0 as usize;
        if highest / 64 <= model.len() + 1024 {
            Self::Dense(vec![0; highest / 64 + 1])
        } else {
            Self::Sparse(std::collections::HashSet::new())
        }
    }

    fn insert(&mut self, id: u32) -> bool {
        match self {
            Self::Sparse(set) => set.insert(id),
            Self::Dense(words) => match words.get_mut(id as usize / 64) {
                Some(word) => {
                    let before = *word;
                    *word |= 1 << (id % 64);
                    *word != before
                }
                None => false,
            },
        }
    }

    fn contains(&self, id: u32) -> bool {
        match self {
            Self::Sparse(set) => set.contains(&id),
            Self::Dense(words) => words.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1),
        }
    }
}

/// From what is referred to, to what refers to it by an attribute whose inverse is followed; sorted.
fn ways_back(model: &Model) -> Vec<(u32, u32)> {
    let schema = model.schema();
    let mut ways = Vec::new();
    for entity in schema.entities() {
        for inverse in entity.inverses.iter().filter(|inverse| BACK.contains(&inverse.name)) {
            for source in model.of_class(inverse.entity) {
                let Some(instance) = model.get(source) else { continue };
                for target in instance.references(inverse.attribute) {
                    let class = model.get(target).and_then(|target| target.entity());
                    if class.is_some_and(|class| entity.id <= class.id && class.id <= entity.last) {
                        ways.push((target.0, source.0));
                    }
                }
            }
        }
    }
    ways.sort_unstable();
    ways.dedup();
    ways
}
