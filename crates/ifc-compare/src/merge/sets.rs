//! Property sets by name: two sets of one name that both sides give to one element become one, and a property that
//! both sides add to one set is one property.

use super::Join;
use super::conflict::{Conflict, ConflictKind, Part, Thing};
use ifc::delta::{AttributeEdit, Content, Delta};
use ifc::{Id, Model, Value};
use std::collections::BTreeMap;

/// Classes of sets, with the attribute that lists what is in them.
const SETS: [(&str, &str); 2] = [("IfcPropertySet", "HasProperties"), ("IfcElementQuantity", "Quantities")];

/// A set that a side makes, and the relation by which it gives it.
struct Made {
    set: Id,
    relation: Id,
    elements: Vec<Id>,
}

impl Join<'_> {
    pub(super) fn sets(&mut self) {
        self.added_to_one_set();
        let base = &self.merge.base;
        let ours = made_sets(base, &self.one);
        let theirs = made_sets(base, &self.rest);
        for (name, one) in &ours {
            let Some(two) = theirs.get(name) else { continue };
            for one in one {
                for two in two {
                    // a set that ours gives to others, too, must not change for them
                    if one.elements.iter().all(|element| two.elements.contains(element)) {
                        self.fold(&name.1, one, two);
                    }
                }
            }
        }
    }

    /// Puts what is in their set into ours, and no longer gives theirs to the same elements.
    fn fold(&mut self, name: &str, one: &Made, two: &Made) {
        let at = self.place(one.set);
        let own = members(content(&self.one, one.set), at);
        let mut added = Vec::new();
        for (theirs, same_name) in self.pairs(&own, &members(content(&self.rest, two.set), at)) {
            match same_name {
                None => added.push(theirs),
                Some(ours) => {
                    self.twice(name, one.elements.first().copied(), (one.set, ours), (two.set, theirs));
                }
            }
        }
        if !added.is_empty() {
            self.change_rest(one.set, at, AttributeEdit::Members { added, removed: Vec::new() });
        }
        let relation = two.relation.0.saturating_sub(self.rest.first);
        let mut empty = false;
        if let Some((_, relation)) = self.rest.created.iter_mut().find(|(ordinal, _)| *ordinal == relation) {
            for value in &mut relation.values {
                if let Value::List(elements) = value {
                    elements.retain(|id| id.as_ref().is_none_or(|id| !one.elements.contains(&id)));
                    empty |= elements.is_empty();
                }
            }
        }
        if empty {
            let set = two.set.0.saturating_sub(self.rest.first);
            self.rest.created.retain(|(ordinal, _)| *ordinal != relation && *ordinal != set);
            self.sweep();
        }
    }

    /// Properties of one name that both sides add to a set of the base.
    fn added_to_one_set(&mut self) {
        let added = |delta: &Delta| -> BTreeMap<(u32, u32), Vec<Id>> {
            let edits =
                delta.changed.iter().flat_map(|(id, edits)| edits.iter().map(move |edit| (*id, edit)));
            let members = edits.filter_map(|(id, (at, edit))| match edit {
                AttributeEdit::Members { added, .. } if !added.is_empty() => Some(((id, *at), added.clone())),
                _ => None,
            });
            members.collect()
        };
        let ours = added(&self.one);
        for ((set, at), theirs) in added(&self.rest) {
            let base = &self.merge.base;
            let Some(instance) = base.get(Id(set)) else { continue };
            let (Some(ours), true) =
                (ours.get(&(set, at)), SETS.iter().any(|(class, _)| instance.is_a(class)))
            else {
                continue;
            };
            let element = base
                .referrers_of(Id(set), "IfcRelDefinesByProperties")
                .into_iter()
                .find_map(|relation| base.get(relation)?.references("RelatedObjects").into_iter().next());
            let name = instance.name().unwrap_or_default();
            for (theirs, same_name) in self.pairs(ours, &theirs) {
                if let Some(ours) = same_name {
                    self.twice(&name, element, (Id(set), ours), (Id(set), theirs));
                    self.take_out(Id(set), at, theirs);
                }
            }
        }
        self.sweep();
    }

    /// Each property that theirs makes with the one of ours that it is: one that says the same, else one of the same name
    /// that no other of theirs is. A side may make several of one name, though the schema forbids it.
    fn pairs(&self, ours: &[Id], theirs: &[Id]) -> Vec<(Id, Option<Id>)> {
        let mut free: Vec<Id> = ours.iter().copied().filter(|id| content(&self.one, *id).is_some()).collect();
        let mut pairs: Vec<(Id, Option<Id>)> = theirs.iter().map(|id| (*id, None)).collect();
        let is_same = |one: Option<&Content>, two: Option<&Content>| said(one) == said(two);
        let is_named =
            |one: Option<&Content>, two: Option<&Content>| property_name(one) == property_name(two);
        for matches in [&is_same as &dyn Fn(_, _) -> bool, &is_named] {
            for (theirs, found) in pairs.iter_mut().filter(|(_, found)| found.is_none()) {
                let theirs = content(&self.rest, *theirs);
                let place = free.iter().position(|ours| matches(content(&self.one, *ours), theirs));
                *found = place.map(|place| free.remove(place));
            }
        }
        pairs
    }

    /// One property made by both sides: a conflict if it says two things.
    fn twice(&mut self, set: &str, element: Option<Id>, ours: (Id, Id), theirs: (Id, Id)) {
        let (one, two) = (content(&self.one, ours.1), content(&self.rest, theirs.1));
        if said(one) == said(two) {
            return;
        }
        let value = |content: Option<&Content>| {
            content.and_then(|content| content.values.get(2)).cloned().unwrap_or_default()
        };
        let property = property_name(one).unwrap_or_default();
        let about = Thing::new(&self.merge.ours, element.unwrap_or(ours.1));
        let kind = ConflictKind::Property {
            set: set.to_owned(),
            property: property.clone(),
            base: Value::Null,
            ours: value(one),
            theirs: value(two),
        };
        self.conflicts.push(Conflict {
            key: format!("{}:{set}.{property}", about.key()),
            about,
            kind,
            ours: vec![Part::Reference { by: ours.0, to: ours.1 }, Part::Made(ours.1)],
            theirs: vec![
                Part::Reference { by: self.earlier(theirs.0), to: self.earlier(theirs.1) },
                Part::Made(self.earlier(theirs.1)),
            ],
        });
    }

    fn take_out(&mut self, set: Id, at: u32, member: Id) {
        for (_, edits) in self.rest.changed.iter_mut().filter(|(id, _)| *id == set.0) {
            for (_, edit) in edits.iter_mut().filter(|(place, _)| *place == at) {
                if let AttributeEdit::Members { added, .. } = edit {
                    added.retain(|id| *id != member);
                }
            }
        }
    }

    /// Leaves out properties that theirs makes and nothing of theirs uses any more.
    fn sweep(&mut self) {
        let mut used = std::collections::BTreeSet::new();
        self.rest.each_new_reference(&mut |_, to| {
            used.insert(to.0);
        });
        let first = self.rest.first;
        let schema = self.merge.base.schema();
        self.rest.created.retain(|(ordinal, content)| {
            let is_property = schema.entity(&content.class).is_some_and(|entity| {
                entity.is_a(schema, "IfcProperty") || entity.is_a(schema, "IfcPhysicalQuantity")
            });
            !is_property || used.contains(&(first + ordinal))
        });
    }

    /// The attribute in which a set that ours makes lists its members.
    fn place(&self, set: Id) -> u32 {
        let class = content(&self.one, set).map_or("", |content| content.class.as_str());
        let attribute = SETS.iter().find(|(known, _)| *known == class).map_or("", |(_, attribute)| attribute);
        let entity = self.merge.base.schema().entity(class);
        entity.and_then(|entity| entity.index_of(attribute)).unwrap_or_default() as u32
    }
}

/// The content that a delta makes under an id.
fn content(delta: &Delta, id: Id) -> Option<&Content> {
    let ordinal = id.0.checked_sub(delta.first)?;
    let place = delta.created.binary_search_by_key(&ordinal, |(ordinal, _)| *ordinal).ok()?;
    delta.created.get(place).map(|(_, content)| content)
}

fn said(content: Option<&Content>) -> Option<(&str, &[Value])> {
    content.map(|content| (content.class.as_str(), content.values.as_slice()))
}

fn property_name(content: Option<&Content>) -> Option<String> {
    content?.values.first()?.as_text().map(str::to_owned)
}

fn members(content: Option<&Content>, at: u32) -> Vec<Id> {
    let list = content.and_then(|content| content.values.get(at as usize)).and_then(Value::as_list);
    list.unwrap_or_default().iter().filter_map(Value::as_ref).collect()
}

/// Sets that a delta makes and gives to elements, by class and name.
fn made_sets(base: &Model, delta: &Delta) -> BTreeMap<(String, String), Vec<Made>> {
    let mut found: BTreeMap<(String, String), Vec<Made>> = BTreeMap::new();
    let Some(relation) = base.schema().entity("IfcRelDefinesByProperties") else { return found };
    let (Some(elements), Some(given)) =
        (relation.index_of("RelatedObjects"), relation.index_of("RelatingPropertyDefinition"))
    else {
        return found;
    };
    for (ordinal, made) in &delta.created {
        if made.class != relation.name {
            continue;
        }
        let Some(set) = made.values.get(given).and_then(Value::as_ref) else { continue };
        let Some(what) = content(delta, set).filter(|c| SETS.iter().any(|(class, _)| *class == c.class))
        else {
            continue;
        };
        let name = what.values.get(2).and_then(Value::as_text).unwrap_or_default().to_owned();
        found.entry((what.class.clone(), name)).or_default().push(Made {
            set,
            relation: Id(delta.first.saturating_add(*ordinal)),
            elements: members(Some(made), elements as u32),
        });
    }
    found
}
