//! From changed instances to the elements that a person would say have changed.
//!
//! An element changes when one of its attributes does, when something it is made of does (its placement, its shape, a
//! property in one of its sets), or when it becomes or ceases to be a member of a relation. A new instance changes no
//! other by itself: whatever refers to it was changed, and is in the difference too.

use ifc::{AttributeDiff, Change, DiffEntry, Id, Model, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Instances looked at on the way from changed resources to elements. Beyond that the summary is content with what it
/// has: it names a few elements, and counts of instances are whole anyhow.
const STEPS: usize = 20_000;

/// What a person would call a thing of the building: an element, a space, a storey, a type, a group, the project.
const THING: &str = "IfcObjectDefinition";

/// Elements added, removed and modified, by id.
#[derive(Default)]
pub(super) struct Elements {
    pub(super) added: BTreeSet<Id>,
    pub(super) removed: BTreeSet<Id>,
    pub(super) modified: BTreeSet<Id>,
    /// Of the modified ones, those whose properties or quantities may have changed.
    pub(super) properties: BTreeSet<Id>,
}

impl Elements {
    pub(super) fn of(entries: &[DiffEntry], before: &Model, after: &Model) -> Self {
        let mut elements = Self::default();
        for entry in entries {
            match entry.change {
                Change::Added if is(after, entry.id, THING) => elements.added.insert(entry.id),
                Change::Removed if is(before, entry.id, THING) => elements.removed.insert(entry.id),
                _ => false,
            };
        }
        let mut climb = Climb { model: after, steps: STEPS, seen: BTreeSet::new() };
        for entry in entries {
            let model = if matches!(entry.change, Change::Removed) { before } else { after };
            if is(model, entry.id, "IfcRelationship") {
                elements.relation(entry, before, after);
            } else if let Change::Modified(attributes) = &entry.change {
                if is(after, entry.id, THING) {
                    if attributes.iter().any(|change| change.attribute != "OwnerHistory") {
                        elements.modified.insert(entry.id);
                        // a type's sets are an attribute of the type
                        elements.properties.insert(entry.id);
                    }
                } else if !is_shared(after, entry.id) {
                    climb.from(entry.id, &mut elements);
                }
            }
        }
        let gone = |id: &Id| elements.added.contains(id) || elements.removed.contains(id);
        let survives = |id: &Id| !gone(id) && before.contains(*id) && after.contains(*id);
        let modified = elements.modified.iter().copied().filter(survives).collect();
        let properties = elements.properties.iter().copied().filter(survives).collect();
        Self { modified, properties, ..elements }
    }

    /// A relation made, dissolved, or with other members: those who joined or left it have changed.
    fn relation(&mut self, entry: &DiffEntry, before: &Model, after: &Model) {
        let members = |model: &Model| -> BTreeMap<&'static str, BTreeSet<Id>> {
            model.get(entry.id).map(|relation| ends(&relation)).unwrap_or_default()
        };
        let (old, new) = (members(before), members(after));
        let is_properties = entry.class.eq_ignore_ascii_case("IfcRelDefinesByProperties");
        let other_end_changed = |changes: &[AttributeDiff]| {
            changes.iter().any(|change| change.attribute.starts_with("Relating") && !is_void(&entry.class))
        };
        let whole = match &entry.change {
            Change::Modified(changes) => other_end_changed(changes),
            Change::Added | Change::Removed => true,
        };
        for end in old.keys().chain(new.keys()).copied().collect::<BTreeSet<_>>() {
            let empty = BTreeSet::new();
            let (old, new) = (old.get(end).unwrap_or(&empty), new.get(end).unwrap_or(&empty));
            let is_thing = |id: &Id| is(after, *id, THING) || is(before, *id, THING);
            let changed: Vec<Id> = if whole {
                old.union(new).copied().filter(is_thing).collect()
            } else {
                old.symmetric_difference(new).copied().filter(is_thing).collect()
            };
            if is_properties {
                self.properties.extend(&changed);
            }
            self.modified.extend(changed);
        }
    }
}

fn is(model: &Model, id: Id, class: &str) -> bool {
    model.get(id).is_some_and(|instance| instance.is_a(class))
}

fn is_void(class: &str) -> bool {
    class.eq_ignore_ascii_case("IfcRelVoidsElement")
}

/// The things at the ends of a relation that it says something about: its members, and for an opening its host too,
/// whose shape it cuts. That a storey has one more wall does not change the storey.
fn ends(relation: &ifc::Instance<'_>) -> BTreeMap<&'static str, BTreeSet<Id>> {
    let mut ends: BTreeMap<&'static str, BTreeSet<Id>> = BTreeMap::new();
    let Some(entity) = relation.entity() else { return ends };
    for attribute in entity.attributes {
        let counts = attribute.name.starts_with("Related")
            || (is_void(entity.name) && attribute.name == "RelatingBuildingElement");
        if counts {
            let value = relation.attr(attribute.name);
            value.for_each_ref(&mut |id| {
                ends.entry(attribute.name).or_default().insert(id);
            });
        }
    }
    ends
}

/// Resources that nearly everything refers to; that they changed says nothing about an element.
fn is_shared(model: &Model, id: Id) -> bool {
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
    model.get(id).is_some_and(|instance| SHARED.iter().any(|class| instance.is_a(class)))
}

/// The way from changed resources up to the things made of them.
struct Climb<'m> {
    model: &'m Model,
    steps: usize,
    seen: BTreeSet<(Id, bool)>,
}

impl Climb<'_> {
    fn from(&mut self, start: Id, elements: &mut Elements) {
        let mut open = vec![(start, false)];
        while let Some((id, is_property)) = open.pop() {
            let Some(instance) = self.model.get(id) else { continue };
            let is_property = is_property
                || ["IfcPropertyDefinition", "IfcProperty", "IfcPropertyAbstraction", "IfcPhysicalQuantity"]
                    .iter()
                    .any(|class| instance.is_a(class));
            if self.steps == 0 || !self.seen.insert((id, is_property)) {
                continue;
            }
            self.steps -= 1;
            let is_placement = instance.is_a("IfcObjectPlacement");
            for above in self.model.referrers(id) {
                let Some(referrer) = self.model.get(above) else { continue };
                if referrer.is_a(THING) {
                    elements.modified.insert(above);
                    if is_property {
                        elements.properties.insert(above);
                    }
                } else if referrer.is_a("IfcRelDefinesByProperties") {
                    let members = referrer.references("RelatedObjects");
                    elements.modified.extend(&members);
                    elements.properties.extend(members);
                } else if referrer.is_a("IfcRelationship")
                    || (is_placement && referrer.is_a("IfcObjectPlacement"))
                {
                    // what stands relative to something that moved has not itself been changed
                } else {
                    open.push((above, is_property));
                }
            }
        }
    }
}

/// A scalar that can be shown as a change: no reference, no list.
pub(super) fn is_plain(value: &Value) -> bool {
    !matches!(value.untyped(), Value::Ref(_) | Value::List(_))
}
