//! Putting one instance in the place of another: everything that referred to the one refers to the other.

use super::attributes::refused;
use super::{Edit, EditError, check};
use crate::overlay::Slot;
use crate::schema::Kind;
use crate::{Id, Instance, Model, Value};
use std::collections::HashSet;

/// Relationships by which one thing is part of, in or under another: class, attribute of the upper, of the lower.
const HIERARCHIES: [(&str, &str, &str); 8] = [
    ("IfcRelAggregates", "RelatingObject", "RelatedObjects"),
    ("IfcRelNests", "RelatingObject", "RelatedObjects"),
    ("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements"),
    ("IfcRelVoidsElement", "RelatingBuildingElement", "RelatedOpeningElement"),
    ("IfcRelFillsElement", "RelatingOpeningElement", "RelatedBuildingElement"),
    ("IfcRelProjectsElement", "RelatingElement", "RelatedFeatureElement"),
    ("IfcRelAdheresToElement", "RelatingElement", "RelatedSurfaceFeatures"),
    ("IfcRelAssignsToGroup", "RelatingGroup", "RelatedObjects"),
];

impl Edit {
    /// Redirects all references from one instance to another; both stay. A reference that the other itself has to the
    /// one stays too, so that a wrapper can be put around something. Each referrer is checked against the schema; in
    /// sets the other comes once. Answers who was changed, by id; on an error nothing is. What would make something a part
    /// of itself, directly or over others, by references or by relationships, is refused.
    pub fn redirect(&mut self, from: Id, to: Id) -> Result<Vec<Id>, EditError> {
        for id in [from, to] {
            if !self.model.contains(id) {
                return Err(EditError::UnknownInstance(id));
            }
        }
        if from == to {
            return Ok(Vec::new());
        }
        let circle = |why| EditError::Circular { replaced: from, replacement: to, why };
        let made_of = made_of(&self.model, to);
        if above(&self.model, to).contains(&from) {
            return Err(circle("is a part of it or in it"));
        }
        if above(&self.model, from).contains(&to) {
            return Err(circle("has it as a part or in it"));
        }
        let mut changes = Vec::new();
        for source in self.model.referrers(from) {
            if source == to || source == from {
                continue;
            }
            if made_of.contains(&source) {
                return Err(circle("is made of what refers to it"));
            }
            if let Some(instance) = self.model.get(source) {
                changes.push((source, self.redirected(&instance, from, to)?));
            }
        }
        let changed = changes.iter().map(|(id, _)| *id).collect();
        for (id, values) in changes {
            self.amend(id, values);
        }
        Ok(changed)
    }

    /// Puts one instance in the place of another, which is removed. Answers who referred to it, by id; on an error
    /// nothing is changed.
    pub fn replace(&mut self, old: Id, new: Id) -> Result<Vec<Id>, EditError> {
        if old == new {
            return Ok(Vec::new());
        }
        if self.model.referrers(old).contains(&new) {
            let why = "refers to it";
            return Err(EditError::Circular { replaced: old, replacement: new, why });
        }
        let changed = self.redirect(old, new)?;
        self.put(old.0, Slot::Removed);
        Ok(changed)
    }

    fn redirected(
        &self,
        instance: &Instance<'_>,
        from: Id,
        to: Id,
    ) -> Result<Vec<(usize, Value)>, EditError> {
        let mut changes = Vec::new();
        for (at, value) in instance.attributes().into_iter().enumerate() {
            let mut refers = false;
            value.for_each_ref(&mut |id| refers |= id == from);
            if !refers {
                continue;
            }
            let declared = instance.entity().and_then(|entity| Some((entity, *entity.attributes.get(at)?)));
            let value = swapped(value, declared.map(|(_, attribute)| attribute.kind), from, to);
            let value = match declared {
                Some((entity, attribute)) => check::attribute(&self.model, attribute, value)
                    .map_err(|refusal| refused(entity, attribute, refusal))?,
                None => value,
            };
            changes.push((at, value));
        }
        Ok(changes)
    }
}

/// The instances that one refers to, directly or over others. O(what is found).
fn made_of(model: &Model, id: Id) -> HashSet<Id> {
    let mut found: HashSet<Id> = HashSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        model.each_reference_of(id.0, |target| {
            if found.insert(Id(target)) {
                open.push(Id(target));
            }
        });
    }
    found
}

/// The instances that one is part of, in or under, directly or over others.
fn above(model: &Model, id: Id) -> HashSet<Id> {
    let mut found: HashSet<Id> = HashSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        for relation in model.referrers_of(id, "IfcRelationship") {
            let Some(relation) = model.get(relation) else { continue };
            let Some((_, upper, lower)) = HIERARCHIES.iter().find(|(class, ..)| relation.is_a(class)) else {
                continue;
            };
            if relation.references(lower).contains(&id) {
                open.extend(relation.reference(upper).filter(|upper| found.insert(*upper)));
            }
        }
    }
    found
}

/// The value with one reference for another, once where members must differ.
fn swapped(value: Value, kind: Option<Kind>, from: Id, to: Id) -> Value {
    match value {
        Value::Ref(id) if id == from => Value::Ref(to),
        Value::List(members) => {
            let list = match kind {
                Some(Kind::List(list)) => Some(list),
                _ => None,
            };
            let unique = list.is_some_and(|list| list.set || list.unique);
            let had = unique && members.contains(&Value::Ref(to));
            let members = members.into_iter().filter(|member| !(had && *member == Value::Ref(from)));
            Value::List(members.map(|member| swapped(member, list.map(|list| list.of), from, to)).collect())
        }
        Value::Typed(name, inner) => Value::Typed(name, Box::new(swapped(*inner, None, from, to))),
        other => other,
    }
}
