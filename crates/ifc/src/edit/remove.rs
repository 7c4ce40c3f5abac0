//! Taking instances out, with the fate of those that refer to them stated: [`Removal`] lists what was changed and what
//! had to go as well.

use super::settle::{self, Cause, Stuck};
use super::{Edit, EditError};
use crate::overlay::Slot;
use crate::{Id, Instance, Value};

/// The treatment of instances that refer to what is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Referrers {
    /// There must be none.
    Refuse,
    /// From lists the removed is dropped, optional attributes become `$`. Where neither is allowed (the attribute is
    /// mandatory, or its list would fall below its bound) nothing is removed, and the error names who needs it.
    #[default]
    Unset,
    /// As [`Referrers::Unset`], but a relationship (IfcRelationship, the relationships between resources, styled items
    /// and layer assignments) that loses the end or the only member it is about is removed with it.
    Cascade,
    /// Whatever cannot be without the removed is removed with it, and so on.
    Dependents,
}

/// The outcome of a removal. All lists are by id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Removal {
    /// The instances that are no longer there: what was asked for, and what went with it.
    pub removed: Vec<Removed>,
    /// The instances that are still there with other values.
    pub changed: Vec<Changed>,
}

/// An instance that was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Its id.
    pub id: Id,
    /// Its class.
    pub class: String,
    /// Its GlobalId, if it had one.
    pub global_id: Option<String>,
    /// The attribute that could not be without something removed; none for what was asked for.
    pub needed: Option<String>,
}

/// An attribute of an instance that referred to what was removed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// The instance.
    pub id: Id,
    /// Its class.
    pub class: String,
    /// The attribute.
    pub attribute: String,
    /// The change of the attribute.
    pub fate: Fate,
}

/// The change that a removal made to an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// It is `$` now.
    Unset,
    /// Members were dropped: so many.
    Dropped(usize),
}

impl Edit {
    /// Removes an instance. Where others refer to it: from lists it is dropped, optional attributes become `$`; where
    /// neither is allowed, nothing is changed and the error names who needs it, so that it can be removed first.
    pub fn remove(&mut self, id: Id) -> Result<(), EditError> {
        self.remove_all(&[id], Referrers::Unset).map(|_| ())
    }

    /// Removes instances together, with the fate of their referrers as asked. References among them do not count. On an
    /// error nothing is changed.
    pub fn remove_all(&mut self, ids: &[Id], referrers: Referrers) -> Result<Removal, EditError> {
        if let Some(id) = ids.iter().find(|id| !self.model.contains(**id)) {
            return Err(EditError::UnknownInstance(*id));
        }
        if referrers == Referrers::Refuse {
            for id in ids {
                let other = self.model.referrers(*id).into_iter().find(|source| !ids.contains(source));
                if let Some(by) = other {
                    return Err(self.needed(Stuck { id: *id, by, at: self.place_of(by, *id) }));
                }
            }
        }
        let may_go = |instance: &Instance<'_>| match referrers {
            Referrers::Refuse | Referrers::Unset => false,
            Referrers::Cascade => is_relationship(instance),
            Referrers::Dependents => true,
        };
        let settled =
            settle::without(&self.model, ids.iter().copied(), may_go).map_err(|stuck| self.needed(stuck))?;
        let mut record = Removal::default();
        for (id, cause) in &settled.gone {
            record.removed.extend(self.model.get(*id).map(|instance| removed(&instance, *cause)));
        }
        for (id, changes) in settled.changed {
            if let Some(instance) = self.model.get(id) {
                record.changed.extend(changes.iter().map(|(at, value)| changed(&instance, *at, value)));
            }
            self.amend(id, changes);
        }
        for id in settled.gone.keys() {
            self.put(id.0, Slot::Removed);
        }
        Ok(record)
    }

    fn place_of(&self, source: Id, target: Id) -> usize {
        let values = self.model.get(source).map(|instance| instance.attributes()).unwrap_or_default();
        let refers = |value: &Value| {
            let mut found = false;
            value.for_each_ref(&mut |id| found |= id == target);
            found
        };
        values.iter().position(refers).unwrap_or_default()
    }

    fn needed(&self, stuck: Stuck) -> EditError {
        let by = self.model.get(stuck.by);
        EditError::Needed {
            id: stuck.id,
            by: stuck.by,
            class: by.map(|instance| instance.class_name().to_owned()).unwrap_or_default(),
            attribute: by.map(|instance| attribute_name(&instance, stuck.at)).unwrap_or_default(),
        }
    }
}

pub(crate) fn removed(instance: &Instance<'_>, cause: Option<Cause>) -> Removed {
    Removed {
        id: instance.id(),
        class: instance.class_name().to_owned(),
        global_id: instance.guid(),
        needed: cause.map(|cause| attribute_name(instance, cause.at)),
    }
}

pub(crate) fn changed(instance: &Instance<'_>, at: usize, value: &Value) -> Changed {
    let before = instance.attr_at(at);
    let fate = match (before.as_list(), value) {
        (Some(before), Value::List(after)) => Fate::Dropped(before.len().saturating_sub(after.len()).max(1)),
        _ => Fate::Unset,
    };
    Changed {
        id: instance.id(),
        class: instance.class_name().to_owned(),
        attribute: attribute_name(instance, at),
        fate,
    }
}

pub(crate) fn attribute_name(instance: &Instance<'_>, at: usize) -> String {
    let declared = instance.entity().and_then(|entity| entity.attributes.get(at));
    declared.map_or_else(|| format!("attribute {}", at + 1), |attribute| attribute.name.to_owned())
}

/// True if an instance is only about others, so that it has no meaning without them. IFC2X3 has relationships between
/// resources without a common supertype; their names end alike.
pub(crate) fn is_relationship(instance: &Instance<'_>) -> bool {
    const ABOUT: [&str; 6] = [
        "IfcRelationship",
        "IfcResourceLevelRelationship",
        "IfcStyledItem",
        "IfcPresentationLayerAssignment",
        "IfcMaterialDefinitionRepresentation",
        "IfcShapeAspect",
    ];
    ABOUT.iter().any(|class| instance.is_a(class)) || instance.class_name().ends_with("Relationship")
}
