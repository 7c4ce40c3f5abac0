//! Leaves parts out of one side's change, with what cannot be without them: who chooses "ours" about a wall that
//! theirs removed wants its placement and its openings back, too, and who chooses "removed" does not want the opening
//! that was cut into it meanwhile.

use super::conflict::Part;
use ifc::delta::{AttributeEdit, Content, Delta, Was};
use ifc::edit::settle::without_lost;
use ifc::schema::Attribute;
use ifc::{Id, Instance, Model, Value};
use std::collections::BTreeSet;

/// A change without some of its parts.
pub(super) fn withhold(base: &Model, delta: &Delta, parts: &[Part]) -> Delta {
    let mut filter = Filter { base, delta: delta.clone() };
    for part in parts {
        match part {
            Part::Attribute(id, at) => filter.drop_attribute(*id, *at),
            Part::Changes(id) => filter.drop_changes(*id),
            Part::Removal(id) => filter.take_back(*id),
            Part::Made(id) => filter.drop_made(*id),
            Part::Reference { by, to } => filter.drop_reference(*by, *to),
        }
    }
    filter.delta
}

struct Filter<'m> {
    base: &'m Model,
    delta: Delta,
}

fn refers(value: &Value, to: Id) -> bool {
    let mut found = false;
    value.for_each_ref(&mut |id| found |= id == to);
    found
}

/// A value without its references to an instance, if the attribute may be so.
fn without(value: &Value, gone: Id, declared: Option<&Attribute>) -> Option<Value> {
    without_lost(value, declared, &|_, id| id != gone)
}

impl Filter<'_> {
    fn drop_attribute(&mut self, id: Id, at: u32) {
        let mut named = Vec::new();
        for (_, edits) in self.delta.changed.iter_mut().filter(|(other, _)| *other == id.0) {
            edits.retain(|(place, edit)| {
                if *place == at
                    && let AttributeEdit::Set(value) = edit
                {
                    value.for_each_ref(&mut |target| named.push(target));
                }
                *place != at
            });
        }
        self.delta.changed.retain(|(_, edits)| !edits.is_empty());
        // what was made for that value alone is no use to anybody
        for target in named {
            if self.made(target).is_some_and(|place| self.is_stranded(target, place)) {
                self.drop_made(target);
            }
        }
    }

    fn drop_changes(&mut self, id: Id) {
        self.delta.changed.retain(|(other, _)| *other != id.0);
        self.delta.put.retain(|(other, ..)| *other != id.0);
    }

    fn made(&self, id: Id) -> Option<usize> {
        let ordinal = id.0.checked_sub(self.delta.first)?;
        self.delta.created.binary_search_by_key(&ordinal, |(ordinal, _)| *ordinal).ok()
    }

    /// Brings back an instance with what it is made of and what holds it; what it was related to, if that is there.
    fn take_back(&mut self, id: Id) {
        let mut seen: BTreeSet<Id> = BTreeSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !seen.insert(id) || self.delta.removed.binary_search(&id.0).is_err() {
                continue;
            }
            let Some(instance) = self.base.get(id) else { continue };
            self.delta.removed.retain(|other| *other != id.0);
            for value in instance.attributes() {
                value.for_each_ref(&mut |target| open.push(target));
            }
            for source in self.base.referrers(id) {
                self.keep_references(source, id);
                let comes_back = self.delta.removed.binary_search(&source.0).is_ok()
                    && self.base.get(source).is_some_and(|source| self.can_come_back(&source, &seen));
                if comes_back {
                    open.push(source);
                }
            }
            // other things that stay removed are no longer related by it
            self.forget_removed(&instance, &seen);
        }
    }

    /// True if all that a relationship relates is there, or may be missing.
    fn can_come_back(&self, relation: &Instance<'_>, coming: &BTreeSet<Id>) -> bool {
        if !relation.is_a("IfcRelationship") {
            return !relation.is_a("IfcObjectDefinition");
        }
        self.lost(relation, coming).is_some()
    }

    /// The things that a relationship relates and that stay removed, with its attributes less these; none if it
    /// cannot be without one of them.
    fn lost(&self, relation: &Instance<'_>, coming: &BTreeSet<Id>) -> Option<Vec<(u32, Value)>> {
        let mut changes = Vec::new();
        for (at, value) in relation.attributes().into_iter().enumerate() {
            let mut gone = Vec::new();
            value.for_each_ref(&mut |target| {
                let is_thing = self.base.get(target).is_some_and(|target| target.is_a("IfcObjectDefinition"));
                if is_thing
                    && !coming.contains(&target)
                    && self.delta.removed.binary_search(&target.0).is_ok()
                {
                    gone.push(target);
                }
            });
            if gone.is_empty() {
                continue;
            }
            let declared = relation.entity().and_then(|entity| entity.attributes.get(at)).copied();
            let left = gone.into_iter().try_fold(value, |value, id| without(&value, id, declared))?;
            changes.push((at as u32, left));
        }
        Some(changes)
    }

    fn forget_removed(&mut self, instance: &Instance<'_>, coming: &BTreeSet<Id>) {
        if !instance.is_a("IfcRelationship") {
            return;
        }
        let changes = self.lost(instance, coming).unwrap_or_default();
        if changes.is_empty() {
            return;
        }
        let edits = changes.into_iter().map(|(at, value)| (at, AttributeEdit::Set(value))).collect();
        let id = instance.id().0;
        let place = self.delta.changed.partition_point(|(other, _)| *other < id);
        self.delta.changed.insert(place, (id, edits));
    }

    /// Undoes that an instance no longer refers to another.
    fn keep_references(&mut self, by: Id, to: Id) {
        let Some(before) = self.base.get(by) else { return };
        for (_, edits) in self.delta.changed.iter_mut().filter(|(other, _)| *other == by.0) {
            edits.retain_mut(|(at, edit)| match edit {
                AttributeEdit::Members { added, removed } => {
                    removed.retain(|id| *id != to);
                    !(added.is_empty() && removed.is_empty())
                }
                AttributeEdit::Set(value) => !refers(&before.attr_at(*at as usize), to) || refers(value, to),
            });
        }
        self.delta.changed.retain(|(_, edits)| !edits.is_empty());
    }

    fn drop_reference(&mut self, by: Id, to: Id) {
        if let Some(place) = self.made(by) {
            let Some((_, content)) = self.delta.created.get_mut(place) else { return };
            match less(self.base, content, to) {
                Some(values) => content.values = values,
                None => self.drop_made(by),
            }
            return;
        }
        for (_, edits) in self.delta.changed.iter_mut().filter(|(other, _)| *other == by.0) {
            edits.retain_mut(|(_, edit)| match edit {
                AttributeEdit::Members { added, removed } => {
                    added.retain(|id| *id != to);
                    !(added.is_empty() && removed.is_empty())
                }
                AttributeEdit::Set(value) => !refers(value, to),
            });
        }
        self.delta.changed.retain(|(_, edits)| !edits.is_empty());
        let refers_to = |content: &Content| content.values.iter().any(|value| refers(value, to));
        self.delta.put.retain(|(id, was, content)| *id != by.0 || *was != Was::Absent || !refers_to(content));
    }

    /// Leaves out an instance that was made, what cannot be without it, and resources that nothing else uses.
    fn drop_made(&mut self, id: Id) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Some(place) = self.made(id) else { continue };
            let (_, content) = self.delta.created.remove(place);
            let users = self.users(id);
            for by in users {
                match self.made(by).and_then(|place| self.delta.created.get_mut(place)) {
                    Some((_, user)) => match less(self.base, user, id) {
                        Some(values) => user.values = values,
                        None => open.push(by),
                    },
                    None => self.drop_reference(by, id),
                }
            }
            content.values.iter().for_each(|value| {
                value.for_each_ref(&mut |target| {
                    if self.made(target).is_some_and(|place| self.is_stranded(target, place)) {
                        open.push(target);
                    }
                });
            });
        }
    }

    /// The instances of this change that refer to an instance.
    fn users(&self, id: Id) -> BTreeSet<Id> {
        let mut users = BTreeSet::new();
        self.delta.each_new_reference(&mut |by, to| {
            if to == id {
                users.insert(by);
            }
        });
        users
    }

    /// True if an instance that was made has lost what it needs: an opening what it voids, a resource its last user.
    fn is_stranded(&self, id: Id, place: usize) -> bool {
        let Some((_, content)) = self.delta.created.get(place) else { return false };
        let Some(entity) = self.base.schema().entity(&content.class) else { return false };
        let users = self.users(id);
        if !entity.is_a(self.base.schema(), "IfcRoot") {
            return users.is_empty();
        }
        let needed = self.base.schema().inverses(entity).filter(|inverse| inverse.min > 0);
        needed.into_iter().any(|inverse| {
            !users.iter().any(|user| {
                let class = match self.made(*user).and_then(|place| self.delta.created.get(place)) {
                    Some((_, content)) => self.base.schema().entity(&content.class),
                    None => self.base.get(*user).and_then(|user| user.entity()),
                };
                class.is_some_and(|class| class.is_a(self.base.schema(), inverse.entity))
            })
        })
    }
}

/// The values of an instance without its references to another; none if it cannot be without.
fn less(base: &Model, content: &Content, to: Id) -> Option<Vec<Value>> {
    let entity = base.schema().entity(&content.class);
    let values = content.values.iter().enumerate().map(|(at, value)| {
        if !refers(value, to) {
            return Some(value.clone());
        }
        without(value, to, entity.and_then(|entity| entity.attributes.get(at)).copied())
    });
    values.collect()
}
