//! From instances that differ to the things that a person would say have changed, and in what: added, removed, moved,
//! reshaped, renamed, with other properties, material, type, host, storey, groups or classification. Each thing comes
//! once, whatever of it changed.
//!
//! A thing changes when its attributes do, when something it is made of does, or when it joins or leaves a relation.
//! Resources that nearly everything refers to (owner history, units, contexts, people) change nothing by themselves. What stands on
//! something that moved has moved with it, and what has a type has that type's properties.

use super::aspects::{self, Aspects};
use super::{Change, DiffEntry};
use ifc::{Id, Instance, Model, Value};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Referrers looked at on the way from resources to things. Beyond that only what was found is described.
const STEPS: usize = 20_000;

/// The class of what a person would call a thing of the building: an element, a space, a storey, a type, a group, the project.
const THING: &str = "IfcObjectDefinition";

/// A thing that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementChange {
    /// Its id before; none if it was added.
    pub before: Option<Id>,
    /// Its id after; none if it was removed.
    pub after: Option<Id>,
    /// Its class, as it is after (or was before it was removed).
    pub class: String,
    /// Its GlobalId, if it has one.
    pub global_id: Option<String>,
    /// Its Name, if it has one.
    pub name: Option<String>,
    /// In what; at least one.
    pub aspects: Vec<Aspect>,
}

/// In what a thing changed. Things of the model before are named by their ids there, those after by theirs.
#[derive(Debug, Clone, PartialEq)]
pub enum Aspect {
    /// It was not there.
    Added,
    /// It is no longer there.
    Removed,
    /// It stands elsewhere in the world.
    Moved {
        /// By how much its origin moved, in mm along the axes of the world.
        by_mm: [f64; 3],
        /// True if it was also turned.
        turned: bool,
        /// True if it only stands on something that moved.
        along: bool,
    },
    /// Its representation, or something that it is made of, changed.
    Reshaped,
    /// Its Name changed.
    Renamed {
        /// Before.
        before: Option<String>,
        /// After.
        after: Option<String>,
    },
    /// Another attribute of its own changed; `class` for its class.
    Attribute {
        /// The attribute's name.
        attribute: String,
        /// Before.
        before: Value,
        /// After.
        after: Value,
    },
    /// A property or quantity changed.
    Property {
        /// The set's name.
        set: String,
        /// The property's name.
        property: String,
        /// Before, as a person reads it; null if it was not there.
        before: Json,
        /// After; null if it is not there any more.
        after: Json,
        /// True if it has the property from its type.
        inherited: bool,
    },
    /// Its container or whole changed: storey, space, building, whole.
    Recontained {
        /// Before.
        before: Option<Id>,
        /// After.
        after: Option<Id>,
    },
    /// The element that it is an opening in, or that its opening is in, changed.
    Rehosted {
        /// Before.
        before: Option<Id>,
        /// After.
        after: Option<Id>,
    },
    /// Its type changed.
    Retyped {
        /// Before.
        before: Option<Id>,
        /// After.
        after: Option<Id>,
    },
    /// Its materials changed, by name.
    Material {
        /// Before.
        before: Vec<String>,
        /// After.
        after: Vec<String>,
    },
    /// It has other openings.
    Openings {
        /// The number that were cut.
        added: usize,
        /// The number that were closed.
        removed: usize,
    },
    /// It joined or left groups, systems or zones, by name.
    Groups {
        /// Joined.
        joined: Vec<String>,
        /// Left.
        left: Vec<String>,
    },
    /// It got or lost classifications, by identification.
    Classification {
        /// Got.
        joined: Vec<String>,
        /// Lost.
        left: Vec<String>,
    },
}

/// The ids of one instance in two models.
pub(super) trait Pairing {
    fn after_of(&self, before: Id) -> Option<Id>;
    fn before_of(&self, after: Id) -> Option<Id>;
}

/// Versions of one history: an id is an id.
pub(super) struct SameIds;

impl Pairing for SameIds {
    fn after_of(&self, before: Id) -> Option<Id> {
        Some(before)
    }
    fn before_of(&self, after: Id) -> Option<Id> {
        Some(after)
    }
}

impl Pairing for super::Comparison {
    fn after_of(&self, before: Id) -> Option<Id> {
        Self::after_of(self, before)
    }
    fn before_of(&self, after: Id) -> Option<Id> {
        Self::before_of(self, after)
    }
}

/// The things that differ between two versions of one history, given what [`crate::diff`] or [`crate::diff_of`] says of
/// them: those added first, then those changed, then those removed, each by id.
pub fn elements(entries: &[DiffEntry], before: &Model, after: &Model) -> Vec<ElementChange> {
    gather(entries, before, after, &SameIds)
}

/// Compares models of any origin, given how their instances pair.
pub fn elements_of(comparison: &super::Comparison, before: &Model, after: &Model) -> Vec<ElementChange> {
    gather(&comparison.entries, before, after, comparison)
}

fn gather(
    entries: &[DiffEntry],
    before: &Model,
    after: &Model,
    pairing: &impl Pairing,
) -> Vec<ElementChange> {
    let mut search =
        Search { before, after, pairing, steps: STEPS, found: BTreeMap::new(), seen: BTreeSet::new() };
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for entry in entries {
        search.entry(entry);
        match entry.change {
            Change::Added if is_thing(after, entry.id) => added.push(entry.id),
            Change::Removed if is_thing(before, entry.id) => removed.push(entry.id),
            _ => {}
        }
    }
    search.occurrences();
    let whole = |instance: Instance<'_>, before, after, aspects| ElementChange {
        before,
        after,
        class: instance.class_name().to_owned(),
        global_id: instance.guid(),
        name: instance.name(),
        aspects,
    };
    let mut out: Vec<ElementChange> = Vec::new();
    let instances = added.iter().filter_map(|id| after.get(*id));
    out.extend(instances.map(|instance| whole(instance, None, Some(instance.id()), vec![Aspect::Added])));
    let by_id: BTreeMap<Id, &DiffEntry> = entries
        .iter()
        .filter(|entry| entry.change != Change::Removed)
        .map(|entry| (entry.id, entry))
        .collect();
    let sides = aspects::Sides::new(before, after, pairing);
    let gone: BTreeSet<Id> = added.iter().copied().collect();
    for (id, flags) in &search.found {
        let (Some(old), Some(new)) = (
            pairing.before_of(*id).and_then(|id| before.get(id)),
            after.get(*id).filter(|_| !gone.contains(id)),
        ) else {
            continue;
        };
        let own = by_id.get(id).map(|entry| &entry.change);
        let aspects = sides.aspects(&old, &new, *flags, own);
        if !aspects.is_empty() {
            out.push(whole(new, Some(old.id()), Some(*id), aspects));
        }
    }
    let instances = removed.iter().filter_map(|id| before.get(*id));
    out.extend(instances.map(|instance| whole(instance, Some(instance.id()), None, vec![Aspect::Removed])));
    out
}

fn is_thing(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|instance| instance.is_a(THING))
}

/// Resources that nearly everything refers to.
fn is_shared(instance: &Instance<'_>) -> bool {
    const SHARED: [&str; 9] = [
        "IfcOwnerHistory",
        "IfcNamedUnit",
        "IfcDerivedUnit",
        "IfcUnitAssignment",
        "IfcRepresentationContext",
        "IfcPerson",
        "IfcOrganization",
        "IfcApplication",
        "IfcPersonAndOrganization",
    ];
    SHARED.iter().any(|class| instance.is_a(class))
}

/// The way from what differs to the things that it is of, by their ids after, with what to look at.
struct Search<'m, P> {
    before: &'m Model,
    after: &'m Model,
    pairing: &'m P,
    steps: usize,
    found: BTreeMap<Id, Aspects>,
    seen: BTreeSet<Id>,
}

impl<P: Pairing> Search<'_, P> {
    fn mark(&mut self, id: Id, aspects: Aspects) {
        self.found.entry(id).or_default().add(aspects);
    }

    fn entry(&mut self, entry: &DiffEntry) {
        let model = if entry.change == Change::Removed { self.before } else { self.after };
        let Some(instance) = model.get(entry.id) else { return };
        if instance.is_a("IfcRelationship") {
            self.relation(entry, &instance);
            return;
        }
        let Change::Modified(attributes) = &entry.change else { return };
        if instance.is_a(THING) {
            for change in attributes {
                self.mark(entry.id, Aspects::of_attribute(&change.attribute));
                if change.attribute == "ObjectPlacement" {
                    self.standing_on(entry.id);
                }
            }
        } else if !is_shared(&instance) {
            self.climb(entry.id);
        }
    }

    /// A relation made, dissolved, or with other ends: those who joined or left it have changed.
    fn relation(&mut self, entry: &DiffEntry, shown: &Instance<'_>) {
        let flags = Aspects::of_relation(shown);
        let other_end = match &entry.change {
            Change::Modified(changes) => {
                changes.iter().any(|change| change.attribute.starts_with("Relating"))
            }
            Change::Added | Change::Removed => true,
        };
        let old = match (entry.was.and_then(|id| self.before.get(id)), &entry.change) {
            (Some(relation), Change::Removed | Change::Modified(_)) => {
                let ends = members(&relation);
                ends.into_iter().filter_map(|id| Some((id, self.pairing.after_of(id)?))).collect()
            }
            _ => Vec::<(Id, Id)>::new(),
        };
        let new = match (&entry.change, self.after.get(entry.id)) {
            (Change::Added | Change::Modified(_), Some(relation)) => members(&relation),
            _ => Vec::new(),
        };
        // which of them are things is asked of those that it concerns alone: a storey may hold ten thousand
        let same = old.iter().zip(&new).take_while(|((_, after), new)| !other_end && after == *new).count();
        let (both, old) = old.split_at(same);
        let new = new.get(same..).unwrap_or_default();
        let had: HashSet<Id> = old.iter().map(|(_, after)| *after).collect();
        let has: HashSet<Id> = new.iter().copied().collect();
        let is_kept = |id: &Id| both.iter().any(|(_, after)| after == id);
        let left = old.iter().filter(|(id, after)| {
            (other_end || !(has.contains(after) || is_kept(after))) && is_thing(self.before, *id)
        });
        let joined = new
            .iter()
            .copied()
            .filter(|id| (other_end || !(had.contains(id) || is_kept(id))) && is_thing(self.after, *id));
        let concerned: BTreeSet<Id> = left.map(|(_, after)| *after).chain(joined).collect();
        for id in concerned {
            self.mark(id, flags);
            // a door goes with its opening
            if shown.is_a("IfcRelVoidsElement") {
                for filling in ifc::relations::fillings_of(self.after, id) {
                    self.mark(filling, flags);
                }
            }
        }
    }

    /// From a changed resource up to what is made of it.
    fn climb(&mut self, start: Id) {
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            let Some(instance) = self.after.get(id) else { continue };
            let is_placement = instance.is_a("IfcObjectPlacement");
            for above in self.after.referrers(id) {
                if self.steps == 0 {
                    return;
                }
                self.steps -= 1;
                let Some(referrer) = self.after.get(above) else { continue };
                if referrer.is_a(THING) {
                    for name in attributes_to(&referrer, id) {
                        self.mark(above, Aspects::of_attribute(name));
                    }
                } else if referrer.is_a("IfcRelationship") {
                    // what is said of the members by a set, a material, a classification
                    let is_said = referrer.is_a("IfcRelDefines") || referrer.is_a("IfcRelAssociates");
                    let flags = Aspects::of_relation(&referrer);
                    for member in members(&referrer).into_iter().filter(|_| is_said) {
                        if is_thing(self.after, member) {
                            self.mark(member, flags);
                        }
                    }
                } else if !is_shared(&referrer) && (!is_placement || referrer.is_a("IfcObjectPlacement")) {
                    open.push(above);
                }
            }
        }
    }

    /// Notes what stands on a thing that has another placement now.
    fn standing_on(&mut self, id: Id) {
        if let Some(placement) = self.after.get(id).and_then(|thing| thing.reference("ObjectPlacement")) {
            self.climb(placement);
        }
    }

    /// Notes the occurrences of types whose sets or shape changed.
    fn occurrences(&mut self) {
        let types: Vec<(Id, Aspects)> = self
            .found
            .iter()
            .filter(|(id, _)| self.after.get(**id).is_some_and(|thing| thing.is_a("IfcTypeObject")))
            .map(|(id, flags)| (*id, flags.inherited()))
            .filter(|(_, flags)| *flags != Aspects::default())
            .collect();
        for (id, flags) in types {
            for occurrence in ifc::relations::occurrences_of(self.after, id) {
                if self.steps == 0 {
                    return;
                }
                self.steps -= 1;
                self.mark(occurrence, flags);
            }
        }
    }
}

/// The names of the attributes by which an instance refers to another.
fn attributes_to(referrer: &Instance<'_>, id: Id) -> Vec<&'static str> {
    let Some(entity) = referrer.entity() else { return Vec::new() };
    let attributes = entity.attributes.iter().map(|attribute| attribute.name);
    attributes.filter(|name| referrer.refers_to(name, id)).collect()
}

/// The instances at the ends of a relation that it says something about: its members, and for an opening its host, too,
/// whose shape it cuts. That a storey has one more wall does not change the storey.
fn members(relation: &Instance<'_>) -> Vec<Id> {
    let Some(entity) = relation.entity() else { return Vec::new() };
    let is_void = entity.name == "IfcRelVoidsElement";
    let counts = |name: &str| name.starts_with("Related") || (is_void && name == "RelatingBuildingElement");
    let mut found = Vec::new();
    for attribute in entity.attributes.iter().filter(|attribute| counts(attribute.name)) {
        relation.add_references(attribute.name, &mut found);
    }
    found
}
