//! Conflicts that only both changes together make: something is in more relations than it may be, or a list is left too short.

use super::Join;
use super::conflict::{Conflict, ConflictKind, Part, Thing};
use ifc::delta::{AttributeEdit, Delta};
use ifc::edit::settle::kept;
use ifc::parts::Slot;
use ifc::schema::{Inverse, Kind};
use ifc::{Id, Model, Side};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The relations of which a thing has one, though the schemas do not say so by a bound: its material and its type.
const ONE: [Inverse; 2] = [
    Inverse {
        name: "HasAssociations",
        entity: "IfcRelAssociatesMaterial",
        attribute: "RelatedObjects",
        min: 0,
        max: Some(1),
        single: false,
    },
    Inverse {
        name: "IsTypedBy",
        entity: "IfcRelDefinesByType",
        attribute: "RelatedObjects",
        min: 0,
        max: Some(1),
        single: false,
    },
];

/// The instances that newly refer to each instance of the base.
fn new_references(delta: &Delta) -> BTreeMap<Id, BTreeSet<Id>> {
    let mut found: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    delta.each_new_reference(&mut |by, to| {
        if to.0 < delta.first {
            found.entry(to).or_default().insert(by);
        }
    });
    found
}

impl Join<'_> {
    /// Inverse attributes with more members than they take.
    pub(super) fn too_many(&mut self, model: &Model) {
        let merge = self.merge;
        let (ours, theirs) = (new_references(&self.one), new_references(&self.rest));
        for (id, by_ours) in &ours {
            let (Some(by_theirs), Some(instance)) = (theirs.get(id), model.get(*id)) else { continue };
            let Some(entity) = instance.entity() else { continue };
            for inverse in model.schema().inverses(entity).chain(&ONE) {
                let Some(most) = inverse.max else { continue };
                let many = |model: &Model| model.inverse(*id, inverse).len() > most as usize;
                let found = model.inverse(*id, inverse);
                if found.len() <= most as usize || many(&merge.ours) || many(&merge.theirs) {
                    continue;
                }
                let of = |side: &BTreeSet<Id>| -> Vec<Id> {
                    found.iter().copied().filter(|by| side.contains(by)).collect()
                };
                let (one, two) = (of(by_ours), of(by_theirs));
                if one.is_empty() || two.is_empty() {
                    continue;
                }
                let leave = |side: &[Id]| -> Vec<Part> {
                    side.iter().map(|by| Part::Reference { by: self.earlier(*by), to: *id }).collect()
                };
                let theirs = leave(&two);
                if ends(model, &one, inverse) == ends(model, &two, inverse) {
                    self.back.extend(theirs.into_iter().map(|part| (Side::Theirs, part)));
                    continue;
                }
                let things = |side: &[Id]| -> Vec<Thing> {
                    ends(model, side, inverse).into_iter().map(|id| self.thing(model, id)).collect()
                };
                let about = Thing::new(model, *id);
                let conflict = Conflict {
                    key: format!("{}:{}", about.key(), inverse.entity),
                    about,
                    kind: ConflictKind::TooMany {
                        relation: inverse.entity.to_owned(),
                        most,
                        ours: things(&one),
                        theirs: things(&two),
                    },
                    ours: one.iter().map(|by| Part::Reference { by: *by, to: *id }).collect(),
                    theirs,
                };
                self.conflicts.push(conflict);
            }
        }
    }

    /// An instance of the merged model by the id that its side has for it.
    fn thing(&self, model: &Model, id: Id) -> Thing {
        Thing { id: Some(self.earlier(id)), ..Thing::new(model, id) }
    }

    /// Lists that both sides took members out of. A relationship that is left without any goes with them.
    pub(super) fn too_few(&mut self, model: &mut Model) {
        let removes = |delta: &Delta| -> BTreeMap<(u32, u32), Vec<Id>> {
            let edits =
                delta.changed.iter().flat_map(|(id, edits)| edits.iter().map(move |edit| (*id, edit)));
            let members = edits.filter_map(|(id, (at, edit))| match edit {
                AttributeEdit::Members { removed, .. } if !removed.is_empty() => {
                    Some(((id, *at), removed.clone()))
                }
                _ => None,
            });
            members.collect()
        };
        let theirs = removes(&self.rest);
        for ((id, at), ours) in removes(&self.one) {
            let Some(theirs) = theirs.get(&(id, at)) else { continue };
            let Some(instance) = model.get(Id(id)) else { continue };
            let attribute = instance.entity().and_then(|entity| entity.attributes.get(at as usize)).copied();
            let Some((Kind::List(list), name)) = attribute.map(|a| (a.kind, a.name)) else { continue };
            let value = instance.attr_at(at as usize);
            if value.as_list().is_none_or(|members| members.len() >= list.min as usize) {
                continue;
            }
            if instance.is_a("IfcRelationship") && model.referrers(Id(id)).is_empty() {
                model.put(id, Slot::Removed);
                continue;
            }
            let about = Thing::new(model, Id(id));
            let keep = |removed: &[Id]| -> Vec<Part> {
                let members = removed.iter().map(|member| Part::Removal(*member));
                std::iter::once(Part::Attribute(Id(id), at)).chain(members).collect()
            };
            self.conflicts.push(Conflict {
                key: format!("{}:{name}", about.key()),
                about,
                kind: ConflictKind::TooFew { attribute: name.to_owned(), least: list.min },
                ours: keep(&ours),
                theirs: keep(theirs),
            });
        }
    }
}

impl Join<'_> {
    /// References to what is gone, left by choices: who takes a change back that went with a removal leaves a
    /// reference in the base that the removal had dropped. It is dropped, or the removal is taken back, too.
    pub(super) fn lost(&mut self, model: &mut Model) {
        let ours = self.one.removed.iter().map(|id| (Side::Ours, Id(*id)));
        let theirs = self.rest.removed.iter().map(|id| (Side::Theirs, Id(*id)));
        let gone: BTreeMap<Id, Side> =
            ours.chain(theirs).map(|(side, id)| (id, side)).filter(|(id, _)| !model.contains(*id)).collect();
        let users: BTreeSet<Id> = gone.keys().flat_map(|id| model.referrers(*id)).collect();
        for user in users {
            let Some(instance) = model.get(user) else { continue };
            match kept(&instance, |_, id| !gone.contains_key(&id)) {
                Ok(changes) => {
                    let Some(mut stored) = model.stored(user) else { continue };
                    for (at, value) in changes {
                        if let Some(slot) = stored.values.get_mut(at) {
                            *slot = value;
                        }
                    }
                    model.put(user.0, Slot::Present(Arc::new(stored)));
                }
                Err(cause) => {
                    let side = gone.get(&cause.lost).copied().unwrap_or(Side::Theirs);
                    self.back.push((side, Part::Removal(cause.lost)));
                }
            }
        }
    }
}

/// The instances that relations have at their other end.
fn ends(model: &Model, relations: &[Id], inverse: &Inverse) -> BTreeSet<Id> {
    let other = if inverse.attribute.starts_with("Related") { "Relating" } else { "Related" };
    let mut found = BTreeSet::new();
    for relation in relations {
        let Some(instance) = model.get(*relation) else { continue };
        let Some(entity) = instance.entity() else { continue };
        let attributes = entity.attributes.iter().filter(|attribute| attribute.name.starts_with(other));
        for attribute in attributes {
            instance.attr(attribute.name).for_each_ref(&mut |id| {
                found.insert(id);
            });
        }
    }
    found
}
