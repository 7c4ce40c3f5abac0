//! A document that is being mended, and what was changed in it so far.

use crate::edit::Fields;
use crate::idf::{Document, Handle, Object, Record};
use crate::references::{Graph, Names, number_of};
use foldhash::HashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A value was set or cleared.
    Set,
    /// An object was added.
    Added,
    /// An object was removed.
    Removed,
}

/// One change that a mend made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelChange {
    /// Its kind.
    pub action: Action,
    /// The type of the object.
    pub object_type: String,
    /// Its name, or handle where it has none.
    pub name: String,
    /// The field, as the text form calls it; absent where the whole object came or went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The value before; empty where there was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
    /// The value now, or the fields of an added object; empty where it was cleared.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub to: String,
}

impl fmt::Display for ModelChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { object_type, name, from, to, .. } = self;
        let field = self.field.as_deref().unwrap_or_default();
        match self.action {
            Action::Added => write!(f, "add {object_type} `{name}` ({to})"),
            Action::Removed => write!(f, "remove {object_type} `{name}`"),
            Action::Set if to.is_empty() => write!(f, "{object_type} `{name}`: clear {field} (was `{from}`)"),
            Action::Set if from.is_empty() => write!(f, "{object_type} `{name}`: set {field} to `{to}`"),
            Action::Set => write!(f, "{object_type} `{name}`: {field} from `{from}` to `{to}`"),
        }
    }
}

/// The most values of an added object that are repeated.
const VALUES: usize = 40;

/// A document that is being mended. Changes and assumptions are taken out after every message.
pub struct Work {
    document: Document,
    /// The changes since they were last taken.
    pub changes: Vec<ModelChange>,
    /// The assumptions since they were last taken.
    pub assumptions: Vec<String>,
    /// The names that a field may refer to, by the numbers of type and field; forgotten when a name comes or goes.
    names: HashMap<(u32, u32), Vec<String>>,
    /// Who refers to whom, since a value was last changed; what was removed since refers to nothing.
    graph: Option<Graph>,
}

impl Work {
    /// Begins with a document.
    pub fn new(document: Document) -> Self {
        Self {
            document,
            changes: Vec::new(),
            assumptions: Vec::new(),
            names: HashMap::default(),
            graph: None,
        }
    }

    /// The document as it is now.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document at the end.
    pub fn into_document(self) -> Document {
        self.document
    }

    /// Does several things, all or none.
    pub fn whole(&mut self, does: impl FnOnce(&mut Self) -> Result<(), String>) -> Result<(), String> {
        let before = (self.document.clone(), self.changes.len(), self.assumptions.len());
        let outcome = does(self);
        if outcome.is_err() && self.changes.len() > before.1 {
            self.document = before.0;
            self.changes.truncate(before.1);
            self.assumptions.truncate(before.2);
            self.names.clear();
            self.graph = None;
        }
        outcome
    }

    /// Sets or clears a field as an edit does, with its checks.
    pub fn set(&mut self, handle: Handle, position: usize, value: &str) -> Result<(), String> {
        let field = field_name(self.object(handle)?, position);
        let value = if value.is_empty() { Value::Null } else { Value::String(value.to_owned()) };
        let fields = Fields::from_iter([(field, value)]);
        let changes = self.document.update(handle, &fields).map_err(|fault| fault.message)?;
        self.graph = None;
        self.changes.extend(changes.into_iter().map(|change| ModelChange {
            action: Action::Set,
            object_type: change.object_type,
            name: change.name,
            field: Some(change.field),
            from: change.before,
            to: change.after,
        }));
        Ok(())
    }

    /// Puts other values in place of those of an object; blank ones at the end are left out.
    pub fn rewrite(&mut self, handle: Handle, change: impl FnOnce(&mut Record)) -> Result<(), String> {
        let before = self.object(handle)?;
        let mut record = before.to_record();
        change(&mut record);
        let old: Vec<String> = before.values().map(str::to_owned).collect();
        let (object_type, label) = (before.type_name().to_owned(), before.label());
        let renamed = old.first().map(String::as_str) != record.values.first().map(AsRef::as_ref);
        let retyped = *record.type_name != *object_type;
        self.document.put(handle, Some(record));
        self.graph = None;
        if renamed || retyped {
            self.names.clear();
        }
        let now = self.object(handle)?;
        let mut changes = Vec::new();
        let mut changed = |field: String, from: &str, to: &str| {
            changes.push(ModelChange {
                action: Action::Set,
                object_type: object_type.clone(),
                name: label.clone(),
                field: Some(field),
                from: from.to_owned(),
                to: to.to_owned(),
            });
        };
        if retyped {
            changed("type of object".to_owned(), &object_type, now.type_name());
        }
        for at in 0..old.len().max(now.len()) {
            let (from, to) = (old.get(at).map_or("", String::as_str), now.value(at));
            if from != to {
                changed(field_name(now, at), from, to);
            }
        }
        self.changes.append(&mut changes);
        Ok(())
    }

    /// Gives an object another name; those who refer to it keep the old one.
    pub fn set_name(&mut self, handle: Handle, name: &str) -> Result<(), String> {
        self.rewrite(handle, |record| crate::idf::set_value(&mut record.values, 0, name.to_owned()))
    }

    /// Adds an object as an edit does, with its checks.
    pub fn add(&mut self, type_name: &str, name: &str, fields: &Fields) -> Result<Handle, String> {
        let handle = self.document.add(type_name, name, fields).map_err(|fault| fault.message)?;
        self.names.clear();
        self.graph = None;
        let object = self.object(handle)?;
        let values: Vec<&str> = object.values().take(VALUES).collect();
        self.changes.push(ModelChange {
            action: Action::Added,
            object_type: object.type_name().to_owned(),
            name: object.label(),
            field: None,
            from: String::new(),
            to: values.join(", "),
        });
        Ok(handle)
    }

    /// Removes an object that nothing refers to.
    pub fn remove(&mut self, handle: Handle) -> Result<(), String> {
        if self.may_be_referred_to(handle) {
            let graph = self.graph.take().unwrap_or_else(|| Graph::from_document(&self.document));
            let referrers = graph.to(handle).iter().filter_map(|reference| {
                Some((self.document.object(reference.from)?, reference.position as usize))
            });
            let referrer = referrers.map(|(from, position)| {
                format!("{} `{}` ({})", from.type_name(), from.label(), field_name(from, position))
            });
            let referrer = referrer.into_iter().next();
            self.graph = Some(graph);
            if let Some(referrer) = referrer {
                let object = self.object(handle)?;
                let label = format!("{} `{}`", object.type_name(), object.label());
                return Err(format!("{label} is referred to by {referrer}. Change that first."));
            }
        }
        self.remove_anyway(handle)
    }

    /// Removes an object whoever refers to it: another of its name is there.
    pub fn remove_anyway(&mut self, handle: Handle) -> Result<(), String> {
        let object = self.object(handle)?;
        let (gone, name) = (removal(object), object.value(0).to_owned());
        let alone = self.document.all_named(object.type_name(), &name).len() < 2;
        self.document.put(handle, None);
        for names in self.names.values_mut().filter(|_| alone) {
            names.retain(|other| !other.eq_ignore_ascii_case(&name));
        }
        self.changes.push(gone);
        Ok(())
    }

    /// Removes those of some types that nothing refers to; if `spare`, only where others refer to all that they refer to. None is removed
    /// where they are more than `most`: then one of them is used in a way that is not seen here.
    pub fn remove_unused(&mut self, types: &[String], spare: bool, most: usize) -> Result<(), String> {
        let graph = Graph::from_document(&self.document);
        let of_types = types.iter().flat_map(|type_name| self.document.of_type(type_name));
        let unused: Vec<(Handle, ModelChange)> = of_types
            .filter(|object| graph.to(object.handle()).is_empty())
            .filter(|object| {
                let own = object.handle();
                let by_others = |to: Handle| graph.to(to).iter().any(|reference| reference.from != own);
                !spare || graph.from(own).iter().all(|reference| by_others(reference.to))
            })
            .map(|object| (object.handle(), removal(object)))
            .collect();
        if unused.len() > most {
            return Err(format!(
                "{} objects are referred to by nothing, but the message counts {most}.",
                unused.len()
            ));
        }
        for (handle, change) in unused {
            self.document.put(handle, None);
            self.changes.push(change);
        }
        self.names.clear();
        self.graph = None;
        Ok(())
    }

    /// The names that a field of an object may refer to.
    pub fn available(&mut self, handle: Handle, position: usize) -> Vec<String> {
        let Some(object) = self.document.object(handle) else { return Vec::new() };
        let (Some(about), Some(number)) = (object.about(), object.type_number()) else { return Vec::new() };
        let key = (number, number_of(about, position).unwrap_or_default());
        if let Some(known) = self.names.get(&key) {
            return known.clone();
        }
        let names = Names::from_document(&self.document);
        let found: Vec<String> = names.available(about, position).into_iter().map(str::to_owned).collect();
        self.names.insert(key, found.clone());
        found
    }

    /// An object, or why there is none.
    pub fn object(&self, handle: Handle) -> Result<Object<'_>, String> {
        self.document.object(handle).ok_or_else(|| "The object is gone.".to_owned())
    }

    fn may_be_referred_to(&self, handle: Handle) -> bool {
        let Some(object) = self.document.object(handle) else { return false };
        let plan = object.type_number().and_then(|number| self.document.schema().plan(number));
        plan.is_none_or(|plan| !plan.providers.is_empty())
    }
}

fn removal(object: Object<'_>) -> ModelChange {
    let values: Vec<&str> = object.values().take(VALUES).collect();
    ModelChange {
        action: Action::Removed,
        object_type: object.type_name().to_owned(),
        name: object.label(),
        field: None,
        from: values.join(", "),
        to: String::new(),
    }
}

/// The name of the field at a position.
pub fn field_name(object: Object<'_>, position: usize) -> String {
    let named = object.about().and_then(|about| about.field_at(position));
    named.map_or_else(|| format!("Field {}", position + 1), |(field, group)| field.name_in(group))
}
