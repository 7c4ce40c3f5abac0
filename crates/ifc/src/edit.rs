//! A transaction on a model: create, set, remove, each checked against the schema before anything changes. The model
//! it began from stays as it is; [`Edit::finish`] hands out the next one with the delta between them, and dropping the
//! edit forgets it.

use crate::delta::Delta;
use crate::edit_error::{attribute_of, no_list};
use crate::overlay::{Class, Slot, Stored};
use crate::schema::{Attribute, Entity, Kind};
use crate::{EditError, Id, Model, Value, check};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Pending changes. It derefs to the model as it would be with them.
pub struct Edit {
    model: Model,
    before: Model,
    touched: BTreeSet<u32>,
}

impl std::ops::Deref for Edit {
    type Target = Model;
    fn deref(&self) -> &Model {
        &self.model
    }
}

impl Edit {
    pub(crate) fn new(model: Model) -> Self {
        Self { before: model.clone(), model, touched: BTreeSet::new() }
    }

    /// The model as it was before this edit.
    pub fn before(&self) -> &Model {
        &self.before
    }

    /// The model as it would be now.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Whether nothing was changed yet.
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    /// The instances that were created, changed or removed so far, by id.
    pub fn touched(&self) -> impl Iterator<Item = Id> + '_ {
        self.touched.iter().copied().map(Id)
    }

    /// Makes an instance of a class from attributes by name. Those not named are `$`, or `*` where the class derives
    /// them; a mandatory one that is missing is an error. What is referred to must exist.
    pub fn create(&mut self, class: &str, attributes: &[(&str, Value)]) -> Result<Id, EditError> {
        let schema = self.model.schema();
        let entity = schema.entity(class).ok_or_else(|| EditError::UnknownClass {
            class: class.to_owned(),
            schema: schema.name(),
            near: schema.near_entities(class, 3),
        })?;
        if entity.is_abstract {
            return Err(EditError::Abstract(entity.name));
        }
        let mut given: Vec<Option<&Value>> = vec![None; entity.attributes.len()];
        for (name, value) in attributes {
            let (at, _) = attribute_of(entity, name)?;
            if let Some(slot) = given.get_mut(at) {
                *slot = Some(value);
            }
        }
        let mut values = Vec::with_capacity(given.len());
        for (attribute, value) in entity.attributes.iter().zip(given) {
            let fallback = if attribute.derived { Value::Derived } else { Value::Null };
            values.push(self.checked(entity, attribute, value.cloned().unwrap_or(fallback))?);
        }
        let id = self.model.free_id(self.model.next_id).ok_or(EditError::OutOfIds)?;
        self.model.next_id = id.checked_add(1).ok_or(EditError::OutOfIds)?;
        self.put(id, Slot::Present(Arc::new(Stored { class: Class::Known(entity), values })));
        Ok(Id(id))
    }

    /// Gives an attribute another value.
    pub fn set(&mut self, id: Id, attribute: &str, value: impl Into<Value>) -> Result<(), EditError> {
        let (entity, at, declared) = self.find(id, attribute)?;
        let value = self.checked(entity, declared, value.into())?;
        self.replace(id, at, value);
        Ok(())
    }

    /// Adds a member to a list or set of references, at its end, unless it is in it already. `$` becomes a list.
    pub fn add_to(&mut self, id: Id, attribute: &str, member: Id) -> Result<(), EditError> {
        let (entity, at, declared) = self.find(id, attribute)?;
        let Kind::List(list) = declared.kind else { return Err(no_list(entity, declared)) };
        let mut members = self.members(id, at);
        let member = Value::Ref(member);
        if members.contains(&member) {
            return Ok(());
        }
        let invalid = |reason| EditError::Invalid {
            class: entity.name.to_owned(),
            attribute: declared.name.to_owned(),
            reason,
        };
        let member = check::check(&self.model, list.of, member)
            .map_err(|why| invalid(format!("has a member that {why}")))?;
        members.push(member);
        check::bounds(list, members.len()).map_err(invalid)?;
        self.replace(id, at, Value::List(members));
        Ok(())
    }

    /// Takes a member out of a list or set of references, if it is in it. An optional list that falls below its
    /// bound becomes `$`; a mandatory one is an error.
    pub fn remove_from(&mut self, id: Id, attribute: &str, member: Id) -> Result<(), EditError> {
        let (entity, at, declared) = self.find(id, attribute)?;
        let Kind::List(list) = declared.kind else { return Err(no_list(entity, declared)) };
        let mut members = self.members(id, at);
        let count = members.len();
        members.retain(|value| *value != Value::Ref(member));
        if members.len() == count {
            return Ok(());
        }
        let value = match check::bounds(list, members.len()) {
            Ok(()) => Value::List(members),
            Err(_) if declared.optional => Value::Null,
            Err(reason) => {
                return Err(EditError::Invalid {
                    class: entity.name.to_owned(),
                    attribute: declared.name.to_owned(),
                    reason: format!("{reason}: remove {id} itself"),
                });
            }
        };
        self.replace(id, at, value);
        Ok(())
    }

    /// Removes an instance. Where others refer to it: from lists it is dropped, optional attributes become `$`; where
    /// neither is allowed (the attribute is mandatory, or its list would fall below its bound), nothing is changed
    /// and the error names who needs it, so that it can be removed first.
    pub fn remove(&mut self, id: Id) -> Result<(), EditError> {
        if !self.model.contains(id) {
            return Err(EditError::UnknownInstance(id));
        }
        let mut changes = Vec::new();
        for source in self.model.referrers(id) {
            if source == id {
                continue;
            }
            let Some(instance) = self.model.get(source) else { continue };
            for (at, value) in instance.attributes().iter().enumerate() {
                let mut refers = false;
                value.for_each_ref(&mut |target| refers |= target == id);
                if !refers {
                    continue;
                }
                let declared = instance.entity().and_then(|entity| entity.attributes.get(at)).copied();
                match without(value, id, declared) {
                    Some(value) => changes.push((source, at, value)),
                    None => {
                        return Err(EditError::Needed {
                            id,
                            by: source,
                            class: instance.class_name().to_owned(),
                            attribute: declared
                                .map_or_else(|| format!("attribute {}", at + 1), |a| a.name.to_owned()),
                        });
                    }
                }
            }
        }
        for (source, at, value) in changes {
            self.replace(source, at, value);
        }
        self.put(id.0, Slot::Removed);
        Ok(())
    }

    /// Ends the edit: the model with its changes, and the delta that holds exactly these. O(changes).
    pub fn finish(self) -> (Model, Delta) {
        let delta = Delta::of_touched(&self.before, &self.model, self.touched.iter().copied());
        (self.model, delta)
    }

    fn checked(&self, entity: &Entity, attribute: &Attribute, value: Value) -> Result<Value, EditError> {
        let invalid = |reason: String| EditError::Invalid {
            class: entity.name.to_owned(),
            attribute: attribute.name.to_owned(),
            reason,
        };
        match value {
            Value::Derived if attribute.derived => Ok(Value::Derived),
            _ if attribute.derived => {
                Err(invalid("follows from other attributes and cannot be given".to_owned()))
            }
            Value::Null if attribute.optional => Ok(Value::Null),
            Value::Null => Err(invalid(format!("is mandatory ({})", attribute.declared))),
            value => check::check(&self.model, attribute.kind, value).map_err(invalid),
        }
    }

    fn find(
        &self,
        id: Id,
        attribute: &str,
    ) -> Result<(&'static Entity, usize, &'static Attribute), EditError> {
        let instance = self.model.get(id).ok_or(EditError::UnknownInstance(id))?;
        let entity = instance.entity().ok_or_else(|| EditError::UnknownClass {
            class: instance.class_name().to_owned(),
            schema: self.model.schema().name(),
            near: Vec::new(),
        })?;
        let (at, declared) = attribute_of(entity, attribute)?;
        Ok((entity, at, declared))
    }

    fn members(&self, id: Id, at: usize) -> Vec<Value> {
        match self.model.get(id).map(|instance| instance.attr_at(at)) {
            Some(Value::List(members)) => members,
            _ => Vec::new(),
        }
    }

    fn replace(&mut self, id: Id, at: usize, value: Value) {
        if let Some(mut stored) = self.model.stored(id) {
            if stored.values.len() <= at {
                stored.values.resize(at + 1, Value::Null);
            }
            if let Some(slot) = stored.values.get_mut(at) {
                *slot = value;
            }
            self.put(id.0, Slot::Present(Arc::new(stored)));
        }
    }

    fn put(&mut self, id: u32, slot: Slot) {
        self.model.put(id, slot);
        self.touched.insert(id);
    }
}

impl Model {
    /// An instance's content, as the overlay keeps it.
    pub(crate) fn stored(&self, id: Id) -> Option<Stored> {
        if let Some(Slot::Present(stored)) = self.overlay.get(id.0) {
            return Some(Stored::clone(stored));
        }
        let instance = self.get(id)?;
        let class = match instance.entity() {
            Some(entity) => Class::Known(entity),
            None => Class::Raw(instance.class_name().into()),
        };
        Some(Stored { class, values: instance.attributes() })
    }

    /// Puts an instance or its removal over what is there; keeps the count.
    pub(crate) fn put(&mut self, id: u32, slot: Slot) {
        let before = self.contains(Id(id));
        let after = matches!(slot, Slot::Present(_));
        let as_opened = match &slot {
            Slot::Present(stored) => self.is_as_opened(id, stored),
            Slot::Removed => self.base.row(id).is_none(),
        };
        if as_opened {
            // made and unmade, or changed and changed back: no trace
            self.overlay.forget(id);
        } else {
            self.overlay.put(id, slot);
        }
        match (before, after) {
            (false, true) => self.count += 1,
            (true, false) => self.count -= 1,
            _ => {}
        }
    }
}

/// A value without its references to `id`, if the attribute may be so.
fn without(value: &Value, id: Id, declared: Option<&Attribute>) -> Option<Value> {
    let optional = declared.is_none_or(|attribute| attribute.optional);
    let kind = declared.map(|attribute| attribute.kind);
    match dropped(value, id, kind) {
        Some(kept) => Some(kept),
        None => optional.then_some(Value::Null),
    }
}

fn dropped(value: &Value, id: Id, kind: Option<Kind>) -> Option<Value> {
    match value {
        Value::Ref(target) if *target == id => None,
        Value::List(members) => {
            let (of, bounds) = match kind {
                Some(Kind::List(list)) => (Some(list.of), Some(list)),
                _ => (None, None),
            };
            let kept: Vec<Value> = members.iter().filter_map(|member| dropped(member, id, of)).collect();
            bounds.is_none_or(|list| check::bounds(list, kept.len()).is_ok()).then_some(Value::List(kept))
        }
        other => Some(other.clone()),
    }
}
