//! An instance becomes one of another class in its place: a proxy turns out to be a wall. Its id, its GlobalId and all
//! that refers to it stay; attributes are carried by name, and those that the new class has no room for are reported.

use super::attributes::{concrete, refused};
use super::error::attribute_of;
use super::{Edit, EditError, check};
use crate::overlay::{Class, Slot, Stored};
use crate::schema::{Entity, Kind};
use crate::{Id, Instance, Value};
use std::sync::Arc;

/// The outcome of a change of class.
#[derive(Debug, Clone, PartialEq)]
pub struct Reassigned {
    /// The class before.
    pub from: String,
    /// The class now.
    pub to: &'static str,
    /// Attributes carried over, by name.
    pub kept: Vec<&'static str>,
    /// Attributes that the new class does not have, or does not take this value for, with their values and why.
    pub lost: Vec<(String, Value, String)>,
    /// Mandatory attributes that got NOTDEFINED, because nothing said what they are.
    pub defaulted: Vec<&'static str>,
}

impl Edit {
    /// Makes an instance one of another class, as IfcOpenShell's `reassign_class` does. Attributes named in `given` get
    /// these values, the others are carried by name. Every referrer must accept the new class, and every mandatory
    /// attribute must have a value; else nothing is changed.
    pub fn reassign(
        &mut self,
        id: Id,
        class: &str,
        given: &[(&str, Value)],
    ) -> Result<Reassigned, EditError> {
        let instance = self.model.get(id).ok_or(EditError::UnknownInstance(id))?;
        let entity = concrete(&self.model, class)?;
        let mut record = Reassigned {
            from: instance.class_name().to_owned(),
            to: entity.name,
            kept: Vec::new(),
            lost: Vec::new(),
            defaulted: Vec::new(),
        };
        self.accepted(&instance, entity)?;
        let mut wanted: Vec<Option<&Value>> = vec![None; entity.attributes.len()];
        for (name, value) in given {
            let (at, _) = attribute_of(entity, name)?;
            if let Some(slot) = wanted.get_mut(at) {
                *slot = Some(value);
            }
        }
        let before = instance.attributes();
        let old = |name: &str| instance.entity()?.index_of(name).and_then(|at| before.get(at)).cloned();
        let mut values = Vec::with_capacity(wanted.len());
        for (attribute, wanted) in entity.attributes.iter().zip(wanted) {
            if let Some(value) = wanted {
                let value = check::attribute(&self.model, attribute, value.clone());
                values.push(value.map_err(|refusal| refused(entity, attribute, refusal))?);
                continue;
            }
            if attribute.derived {
                values.push(Value::Derived);
                continue;
            }
            let carried = match old(attribute.name) {
                None | Some(Value::Null | Value::Derived) => None,
                Some(value) => match check::attribute(&self.model, attribute, value.clone()) {
                    Ok(value) => {
                        record.kept.push(attribute.name);
                        Some(value)
                    }
                    Err(refusal) => {
                        record.lost.push((attribute.name.to_owned(), value, refusal.reason));
                        None
                    }
                },
            };
            values.push(match (carried, attribute.kind) {
                (Some(value), _) => value,
                (None, _) if attribute.optional => Value::Null,
                (None, Kind::Enumeration(words)) if words.contains(&"NOTDEFINED") => {
                    record.defaulted.push(attribute.name);
                    Value::enumeration("NOTDEFINED")
                }
                (None, _) => check::attribute(&self.model, attribute, Value::Null)
                    .map_err(|refusal| refused(entity, attribute, refusal))?,
            });
        }
        if let Some(known) = instance.entity() {
            for (attribute, value) in known.attributes.iter().zip(&before) {
                let nothing = matches!(value, Value::Null | Value::Derived);
                if !nothing && entity.index_of(attribute.name).is_none() {
                    let reason = format!("{} has no such attribute", entity.name);
                    record.lost.push((attribute.name.to_owned(), value.clone(), reason));
                }
            }
        }
        self.put(id.0, Slot::Present(Arc::new(Stored { class: Class::Known(entity), values })));
        Ok(record)
    }

    /// Checks that everything that refers to an instance may refer to one of another class.
    fn accepted(&self, instance: &Instance<'_>, entity: &'static Entity) -> Result<(), EditError> {
        let schema = self.model.schema();
        for by in self.model.referrers(instance.id()) {
            let Some(source) = self.model.get(by) else { continue };
            let Some(known) = source.entity() else { continue };
            for (attribute, value) in known.attributes.iter().zip(source.attributes()) {
                let mut refers = false;
                value.for_each_ref(&mut |id| refers |= id == instance.id());
                let mut kind = attribute.kind;
                while let Kind::List(list) = kind {
                    kind = list.of;
                }
                let fits = match kind {
                    Kind::Entity(class) => entity.is_a(schema, class),
                    Kind::Select(leaves) => leaves.iter().any(|leaf| entity.is_a(schema, leaf)),
                    _ => true,
                };
                if refers && !fits {
                    return Err(EditError::Unfit {
                        by,
                        class: known.name.to_owned(),
                        attribute: attribute.name.to_owned(),
                        declared: attribute.declared,
                        offered: entity.name,
                    });
                }
            }
        }
        Ok(())
    }
}
