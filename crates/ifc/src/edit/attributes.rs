//! Making instances and giving attributes their values, by name, as the schema spells them.

use super::check::{self, Refusal};
use super::error::{attribute_of, no_list};
use super::{Edit, EditError};
use crate::overlay::{Class, Slot, Stored};
use crate::schema::{Attribute, Entity, Kind};
use crate::{Id, Model, Value};
use std::sync::Arc;

impl Edit {
    /// Makes an instance of a class from attributes by name. Those not named are `$`, or `*` where the class derives
    /// them; a mandatory one that is missing is an error. What is referred to must exist.
    pub fn create(&mut self, class: &str, attributes: &[(&str, Value)]) -> Result<Id, EditError> {
        self.create_of(class, attributes.iter().map(|(name, value)| (*name, value.clone())))
    }

    /// As [`Edit::create`], of values that nobody else needs.
    pub fn create_of<'n>(
        &mut self,
        class: &str,
        attributes: impl IntoIterator<Item = (&'n str, Value)>,
    ) -> Result<Id, EditError> {
        let entity = concrete(&self.model, class)?;
        let unsaid = |attribute: &&Attribute| if attribute.derived { Value::Derived } else { Value::Null };
        let mut values: Vec<Value> = entity.attributes.iter().map(unsaid).collect();
        for (name, value) in attributes {
            let (at, _) = attribute_of(entity, name)?;
            if let Some(slot) = values.get_mut(at) {
                *slot = value;
            }
        }
        for (attribute, slot) in entity.attributes.iter().zip(&mut values) {
            *slot = checked(&self.model, entity, attribute, std::mem::take(slot))?;
        }
        let id = self.next()?;
        self.put(id, Slot::Present(Arc::new(Stored { class: Class::Known(entity), values })));
        Ok(Id(id))
    }

    /// Gives an attribute another value.
    pub fn set(&mut self, id: Id, attribute: &str, value: impl Into<Value>) -> Result<(), EditError> {
        let (entity, at, declared) = self.find(id, attribute)?;
        let value = checked(&self.model, entity, declared, value.into())?;
        self.amend(id, [(at, value)]);
        Ok(())
    }

    /// Gives several attributes of one instance other values: all of them, or on an error none.
    pub fn set_all(&mut self, id: Id, attributes: &[(&str, Value)]) -> Result<(), EditError> {
        let mut changes = Vec::with_capacity(attributes.len());
        for (name, value) in attributes {
            let (entity, at, declared) = self.find(id, name)?;
            changes.push((at, checked(&self.model, entity, declared, value.clone())?));
        }
        if !changes.is_empty() {
            self.amend(id, changes);
        }
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
        let member = check::check(&self.model, list.of, declared.declared, member)
            .map_err(|refusal| refused(entity, declared, refusal.of_member()))?;
        members.push(member);
        check::bounds(list, members.len()).map_err(|why| refused(entity, declared, why))?;
        self.amend(id, [(at, Value::List(members))]);
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
            Err(refusal) => {
                return Err(refused(entity, declared, refusal.advised(&format!("remove {id} itself"))));
            }
        };
        self.amend(id, [(at, value)]);
        Ok(())
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
}

/// A class of the model's schema that may have instances.
pub(super) fn concrete(model: &Model, class: &str) -> Result<&'static Entity, EditError> {
    let schema = model.schema();
    let entity = schema.entity(class).ok_or_else(|| EditError::UnknownClass {
        class: class.to_owned(),
        schema: schema.name(),
        near: schema.near_entities(class, 3),
    })?;
    if entity.is_abstract { Err(EditError::Abstract(entity.name)) } else { Ok(entity) }
}

/// The value as it is stored in this attribute, or why it cannot be.
pub(super) fn checked(
    model: &Model,
    entity: &Entity,
    attribute: &Attribute,
    value: Value,
) -> Result<Value, EditError> {
    check::attribute(model, attribute, value).map_err(|refusal| refused(entity, attribute, refusal))
}

pub(super) fn refused(entity: &Entity, attribute: &Attribute, refusal: Refusal) -> EditError {
    EditError::Invalid {
        class: entity.name.to_owned(),
        attribute: attribute.name.to_owned(),
        declared: attribute.declared,
        reason: refusal.reason,
        given: refusal.given,
    }
}
