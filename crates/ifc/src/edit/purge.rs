//! Taking out what nothing uses: resources that no rooted instance leads to, and on request types, materials and
//! property sets that nothing has.
//!
//! One walk marks what is reached, so the time is that of reading the references once; a resource that is about
//! another ([`crate::about`]) is kept as long as what it is about is.

use super::settle;
use super::{Edit, Referrers};
use crate::dense::Dense;
use crate::overlay::Slot;
use crate::{Id, Model, Value, about};
use std::collections::{BTreeMap, HashMap};

/// The rooted instances that count as unused beside resources that nothing leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unused {
    /// Types (IfcTypeObject) without occurrences.
    pub types: bool,
    /// Materials, their layers, profiles, constituents and sets that nothing is made of.
    pub materials: bool,
    /// Property and quantity sets that nothing has.
    pub property_sets: bool,
}

/// The instances that a purge took out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Purged {
    /// The number of instances of each class.
    pub removed: BTreeMap<String, usize>,
    /// The number of lists that lost members that nothing else used.
    pub shortened: usize,
}

impl Purged {
    /// The number of instances of all classes.
    pub fn total(&self) -> usize {
        self.removed.values().sum()
    }
}

/// The state of an instance during the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Mark {
    #[default]
    Unreached,
    /// It is about something reached; that alone keeps none of what it is about.
    About,
    Reached,
}

impl Edit {
    /// Removes what nothing uses. What rooted instances lead to stays as it is; a second purge finds nothing.
    pub fn purge(&mut self, unused: Unused) -> Purged {
        let mut purged = Purged::default();
        if unused.types {
            const BESIDE: [&str; 4] = [
                "IfcRelDeclares",
                "IfcRelAssociates",
                "IfcRelDefinesByProperties",
                "IfcRelDefinesByTemplate",
            ];
            self.purge_rooted("IfcTypeObject", &BESIDE, &mut purged);
        }
        if unused.property_sets {
            const BESIDE: [&str; 3] = ["IfcRelDeclares", "IfcRelAssociates", "IfcRelDefinesByTemplate"];
            self.purge_rooted("IfcPropertySetDefinition", &BESIDE, &mut purged);
        }
        let marks = marked(&self.model, unused);
        let mut gone = Vec::new();
        let mut shortened = Vec::new();
        for id in self.model.ids() {
            match marks.get(&self.model, id.0) {
                Mark::Reached => {}
                Mark::Unreached => gone.push(id),
                Mark::About => {
                    if let Some(changes) = self.model.get(id).and_then(|instance| {
                        settle::kept(&instance, |_, to| marks.get(&self.model, to.0) != Mark::Unreached).ok()
                    }) && !changes.is_empty()
                    {
                        shortened.push((id, changes));
                    }
                }
            }
        }
        purged.shortened += shortened.len();
        for (id, changes) in shortened {
            self.amend(id, changes);
        }
        for id in gone {
            self.count(id, &mut purged);
            self.put(id.0, Slot::Removed);
        }
        purged
    }

    /// Removes instances of a class to which only these relationships refer, until there are no more.
    fn purge_rooted(&mut self, class: &str, beside: &[&str], purged: &mut Purged) {
        loop {
            let is_unused = |id: &Id| {
                let mut referrers = self.model.referrers(*id).into_iter().filter_map(|by| self.model.get(by));
                referrers.all(|by| beside.iter().any(|class| by.is_a(class)))
            };
            let unused: Vec<Id> = self.model.of_class(class).into_iter().filter(is_unused).collect();
            if unused.is_empty() {
                return;
            }
            let Ok(removal) = self.remove_all(&unused, Referrers::Cascade) else { return };
            for removed in removal.removed {
                *purged.removed.entry(removed.class).or_default() += 1;
            }
        }
    }

    fn count(&self, id: Id, purged: &mut Purged) {
        if let Some(instance) = self.model.get(id) {
            let class = instance.class_name();
            match purged.removed.get_mut(class) {
                Some(count) => *count += 1,
                None => {
                    purged.removed.insert(class.to_owned(), 1);
                }
            }
        }
    }
}

/// Marks the instances that are reached from rooted instances, from those that the schema does not know, and unless asked for from materials.
fn marked(model: &Model, unused: Unused) -> Dense<Mark> {
    let mut marks: Dense<Mark> = Dense::new(model);
    let mut waiting: HashMap<u32, Vec<u32>> = HashMap::new();
    for class in about::classes() {
        for id in model.of_class(class) {
            let Some(instance) = model.get(id) else { continue };
            // a rooted one keeps itself
            if instance.is_a("IfcRoot") {
                continue;
            }
            if let Some(at) = about::subject(&instance) {
                instance.attr_at(at).for_each_ref(&mut |subject| {
                    waiting.entry(subject.0).or_default().push(id.0);
                });
            }
        }
    }
    let mut open: Vec<(u32, Mark)> = Vec::new();
    let mut begin = |ids: Vec<Id>| open.extend(ids.into_iter().map(|id| (id.0, Mark::Reached)));
    begin(model.of_class("IfcRoot"));
    begin(model.of_unknown_classes());
    if !unused.materials {
        for class in ["IfcMaterial", "IfcMaterialDefinition", "IfcMaterialUsageDefinition", "IfcMaterialList"]
        {
            begin(model.of_class(class));
        }
        for class in ["IfcMaterialLayer", "IfcMaterialLayerSet", "IfcMaterialLayerSetUsage"] {
            begin(model.of_class(class));
        }
    }
    while let Some((id, mark)) = open.pop() {
        let before = marks.get(model, id);
        if before >= mark || !model.contains(Id(id)) {
            continue;
        }
        marks.set(model, id, mark);
        let subject = match mark {
            Mark::About => model.get(Id(id)).and_then(|instance| about::subject(&instance)),
            _ => None,
        };
        match subject {
            Some(subject) => {
                let values = model.get(Id(id)).map(|instance| instance.attributes()).unwrap_or_default();
                let others = values.iter().enumerate().filter(|(at, _)| *at != subject);
                others.for_each(|(_, value): (usize, &Value)| {
                    value.for_each_ref(&mut |target| open.push((target.0, Mark::Reached)));
                });
            }
            None => model.each_reference_of(id, |target| open.push((target, Mark::Reached))),
        }
        if before == Mark::Unreached
            && let Some(about) = waiting.remove(&id)
        {
            open.extend(about.into_iter().map(|id| (id, Mark::About)));
        }
    }
    marks
}
