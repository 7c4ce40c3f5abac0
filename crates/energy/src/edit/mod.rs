//! Changes to a model, each whole or not at all: objects added, updated, removed, renamed and copied.
//!
//! What an edit writes is brought into the schema's own spelling, and refused where the schema rules it out: a field that
//! does not exist, a word where a number must stand, a number out of range, a name that is taken. What may still become
//! right by a later edit is let through, such as the name of an object that is not there yet; `check` tells of it.

mod assign;
mod batch;
mod remove;
mod rename;
#[cfg(test)]
mod tests;

pub use batch::NewObject;
pub use remove::Removed;

use crate::check::{self, Code, names};
use crate::idf::{Document, Format, Handle, Object, Record};
use crate::schema::ObjectType;
use contract::{Fault, FaultCode};
use serde::Serialize;
use serde_json::{Map, Value};

/// One value that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// In which object.
    pub handle: Handle,
    /// Its type.
    pub object_type: String,
    /// Its name, or handle where it has none.
    pub name: String,
    /// The field, as the text form calls it.
    pub field: String,
    /// The value before; empty where there was none.
    pub before: String,
    /// The value now; empty where it was cleared.
    pub after: String,
}

/// The fields an edit gives, by key or name.
pub type Fields = Map<String, Value>;

impl Document {
    /// Adds an object. Types without names take an empty one.
    pub fn add(&mut self, type_name: &str, name: &str, fields: &Fields) -> Result<Handle, Fault> {
        let about = self.type_to_edit(type_name)?;
        let mut record = Record {
            type_name: about.name.clone(),
            number: self.schema().number(&about.name),
            ..Record::default()
        };
        let given = fields.iter().find(|(field, _)| about.named && about.position(field) == Some(0));
        let name = match given {
            Some((_, value)) if name.trim().is_empty() => value.as_str().unwrap_or_default().trim(),
            _ => name.trim(),
        };
        if about.named {
            self.check_name(about, name, None)?;
            record.values.push(name.into());
        } else if !name.is_empty() {
            return Err(Fault::invalid(
                "name",
                format!("Objects of type {} have no name; leave it out.", about.name),
            ));
        }
        if about.unique && self.of_type(&about.name).next().is_some() {
            return Err(Fault::constraint(format!(
                "A model has at most one {}, and this one has it. Change it with update_object.",
                about.name
            ))
            .with("object_type", &*about.name));
        }
        let (mut set, mut faults) = (Vec::new(), Vec::new());
        for (field, value) in fields.iter().filter(|(field, _)| given.is_none_or(|given| given.0 != *field)) {
            match assign::assign(&mut record, about, field, value) {
                Ok(positions) => set.extend(positions),
                Err(fault) => faults.push(fault),
            }
        }
        let mut after = self.clone();
        let handle = after.push(record);
        faults.extend(refused(&after, handle, &set));
        together(faults)?;
        *self = after;
        Ok(handle)
    }

    /// Sets fields of an object; null clears one. Answers what changed.
    pub fn update(&mut self, handle: Handle, fields: &Fields) -> Result<Vec<FieldChange>, Fault> {
        let before = self.object(handle).ok_or_else(|| Fault::no_element(&handle.to_string()))?;
        let about = self.type_to_edit(before.type_name())?;
        let mut record = before.to_record();
        let (mut set, mut faults) = (Vec::new(), Vec::new());
        for (field, value) in fields {
            if about.named && about.position(field) == Some(0) {
                let same = value.as_str().is_some_and(|name| name.trim() == before.name());
                if !same {
                    let message = "A name is changed with rename_object, which changes it everywhere.";
                    faults.push(Fault::invalid(field, message));
                }
                continue;
            }
            match assign::assign(&mut record, about, field, value) {
                Ok(positions) => set.extend(positions),
                Err(fault) => faults.push(fault),
            }
        }
        while record.values.len() > before.len() && record.values.last().is_some_and(|value| value.is_empty())
        {
            record.values.pop();
        }
        let mut after = self.clone();
        after.put(handle, Some(record));
        faults.extend(refused(&after, handle, &set));
        together(faults)?;
        let changes = after.object(handle).map(|now| changes(before, now)).unwrap_or_default();
        if !changes.is_empty() || before.len() != after.object(handle).map_or(0, |now| now.len()) {
            *self = after;
        }
        Ok(changes)
    }

    /// Adds a copy of an object under another name.
    pub fn duplicate(&mut self, handle: Handle, new_name: &str) -> Result<Handle, Fault> {
        let object = self.object(handle).ok_or_else(|| Fault::no_element(&handle.to_string()))?;
        let about = self.type_to_edit(object.type_name())?;
        let mut record = object.to_record();
        record.key = None;
        if about.unique {
            return Err(Fault::constraint(format!("A model has at most one {}.", about.name)));
        }
        if about.named {
            let name = new_name.trim();
            self.check_name(about, name, None)?;
            match record.values.first_mut() {
                Some(place) => *place = name.into(),
                None => record.values.push(name.into()),
            }
        } else if !new_name.trim().is_empty() {
            return Err(Fault::invalid(
                "new_name",
                format!("Objects of type {} have no name; leave it out.", about.name),
            ));
        }
        Ok(self.push(record))
    }

    fn type_to_edit(&self, type_name: &str) -> Result<&ObjectType, Fault> {
        let schema = self.schema();
        let Some(number) = schema.number(type_name) else {
            let near = schema.near(type_name, 3);
            let meant =
                if near.is_empty() { String::new() } else { format!(" Did you mean {}?", near.join(", ")) };
            return Err(Fault::invalid(
                "object_type",
                format!("There is no type of object called `{type_name}` in EnergyPlus {}.{meant} Find types with search_schema.", schema.short_version()),
            )
            .with("near_matches", near));
        };
        schema.type_at(number).ok_or_else(|| Fault::backend("the schema lost a type"))
    }

    /// Refuses a name that cannot be given to an object of this type; `own` may have it already.
    fn check_name(&self, about: &ObjectType, name: &str, own: Option<Handle>) -> Result<(), Fault> {
        let required = about.fields.first().is_some_and(|field| field.required);
        if name.is_empty() && required {
            return Err(Fault::invalid(
                "name",
                format!("An object of type {} must have a name.", about.name),
            ));
        }
        self.check_text("name", name)?;
        let taken = names::taken(self, about, name).filter(|object| Some(object.handle()) != own);
        if let Some(other) = taken.filter(|_| !name.is_empty()) {
            return Err(Fault::constraint(format!(
                "The name `{name}` is taken by an object of type {}. Choose another.",
                other.type_name()
            ))
            .with("object_type", other.type_name())
            .with("name", other.name()));
        }
        Ok(())
    }

    /// Refuses a value that cannot be written in the format of this document.
    fn check_text(&self, field: &str, value: &str) -> Result<(), Fault> {
        let mark = value.chars().find(|c| [',', ';', '!', '\n', '\r'].contains(c));
        match mark.filter(|_| self.format() == Format::Idf) {
            None => Ok(()),
            Some(mark) => Err(Fault::invalid(
                field,
                format!("The text form of EnergyPlus cannot write {mark:?} in a value. Leave it out."),
            )),
        }
    }
}

/// A Fault for each value that an edit set and that the schema rules out, or that the text form cannot write.
fn refused(after: &Document, handle: Handle, set: &[usize]) -> Vec<Fault> {
    let Some(object) = after.object(handle) else { return Vec::new() };
    let values = || object.fields().filter(|value| set.contains(&value.position));
    let mut faults: Vec<Fault> =
        values().filter_map(|value| after.check_text(&value.name(), value.value).err()).collect();
    let names: Vec<String> = values().map(|value| value.name()).collect();
    let ruled_out =
        [Code::NotANumber, Code::NotAnInteger, Code::NotAChoice, Code::OutOfRange, Code::TooManyFields];
    let found = check::object(object).into_iter().filter(|finding| {
        ruled_out.contains(&finding.code) && finding.field.as_ref().is_some_and(|field| names.contains(field))
    });
    faults.extend(found.map(|finding| {
        let mut fault = Fault::new(FaultCode::InvalidParams, finding.message)
            .with("field", finding.field)
            .with("value", finding.value);
        if let Some(allowed) = finding.allowed {
            fault = fault.with("allowed", allowed);
        }
        if let Some(near) = finding.suggestion {
            fault = fault.with("near_matches", [near]);
        }
        fault
    }));
    faults
}

/// The faults of one object that a Fault spells out.
const TOLD: usize = 20;

/// One Fault for all that is wrong with an object: the fault itself where there is one, else each by its field in `faults`.
fn together(mut faults: Vec<Fault>) -> Result<(), Fault> {
    if faults.len() <= 1 {
        return faults.pop().map_or(Ok(()), Err);
    }
    let count = faults.len();
    faults.truncate(TOLD);
    let sentences: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    let message = format!("{count} fields are wrong. {}", sentences.join(" "));
    let each: Vec<Value> = faults.iter().map(|fault| Value::Object(fault.data.clone())).collect();
    Err(Fault::new(FaultCode::InvalidParams, message).with("faults", each))
}

/// The values that differ between an object before and now.
fn changes(before: Object<'_>, now: Object<'_>) -> Vec<FieldChange> {
    let about = now.about();
    let length = before.len().max(now.len());
    let differ = (0..length).filter(|at| before.value(*at) != now.value(*at));
    let changed = differ.map(|at| FieldChange {
        handle: now.handle(),
        object_type: now.type_name().to_owned(),
        name: now.label(),
        field: about
            .and_then(|about| about.field_at(at))
            .map_or_else(|| format!("Field {}", at + 1), |(field, group)| field.name_in(group)),
        before: before.value(at).to_owned(),
        after: now.value(at).to_owned(),
    });
    changed.collect()
}
