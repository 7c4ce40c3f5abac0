//! A model while measures are applied to it, and the account of what they do.

use super::Assumption;
use crate::check::names;
use crate::edit::Fields;
use crate::idf::{Document, Handle, Object};
use crate::references::Graph;
use contract::Fault;
use serde_json::Value;
use std::collections::HashSet;

/// The document as it is by now, and what has been said of the measure at hand.
pub(super) struct Work {
    pub document: Document,
    pub assumptions: Vec<Assumption>,
    pub skipped: Vec<super::Skipped>,
}

fn fields(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields,
        _ => Fields::new(),
    }
}

impl Work {
    pub fn new(document: &Document) -> Self {
        Self { document: document.clone(), assumptions: Vec::new(), skipped: Vec::new() }
    }

    /// The object of a handle; a fault where it is gone.
    pub fn object(&self, handle: Handle) -> Result<Object<'_>, Fault> {
        self.document
            .object(handle)
            .ok_or_else(|| Fault::backend("An object that a measure changes is gone."))
    }

    /// Sets fields, given as a JSON object.
    pub fn set(&mut self, handle: Handle, values: Value) -> Result<(), Fault> {
        self.document.update(handle, &fields(values)).map(|_| ())
    }

    /// Adds an object with fields, given as a JSON object. Those that this version of EnergyPlus does not have are left out.
    pub fn add(&mut self, type_name: &str, name: &str, values: Value) -> Result<Handle, Fault> {
        let mut own = fields(values);
        if let Some(about) = self.document.schema().get(type_name) {
            let group = about.extensible.as_ref().map(|group| group.key.clone());
            own.retain(|field, _| {
                about.position(field).is_some() || group.as_deref() == Some(field.as_str())
            });
        }
        self.document.add(type_name, name, &own)
    }

    /// Adds an object with every default of its type that is not given written out: ExpandObjects takes none behind the last field.
    pub fn add_template(&mut self, type_name: &str, name: &str, values: Value) -> Result<Handle, Fault> {
        let mut own = fields(values);
        let about = self.document.schema().get(type_name);
        for field in about.into_iter().flat_map(|about| &about.fields) {
            if let Some(usual) = &field.default
                && !own.contains_key(&*field.key)
            {
                own.insert(field.key.to_string(), Value::String(usual.to_string()));
            }
        }
        self.add(type_name, name, Value::Object(own))
    }

    /// Removes objects, whoever refers to them.
    pub fn remove(&mut self, handles: &[Handle]) -> Result<(), Fault> {
        let mut seen = HashSet::new();
        let once: Vec<Handle> = handles.iter().copied().filter(|handle| seen.insert(*handle)).collect();
        if once.is_empty() {
            return Ok(());
        }
        self.document.remove_these(&once, true).map(|_| ())
    }

    /// Copies an object under a name that is free; none where objects of its type have no names.
    pub fn copy(&mut self, handle: Handle, wanted: &str) -> Result<(Handle, String), Fault> {
        let object = self.object(handle)?;
        let named = object.is_named();
        let name = if named { self.free_name(object.type_name(), wanted) } else { String::new() };
        Ok((self.document.duplicate(handle, &name)?, name))
    }

    /// A name that no object of this type, nor of one that shares its names, has.
    pub fn free_name(&self, type_name: &str, wanted: &str) -> String {
        // names with these cannot be written in the text form
        let wanted: String = wanted.chars().map(|c| if ",;!\n\r".contains(c) { ' ' } else { c }).collect();
        let wanted = wanted.trim().to_owned();
        let Some(about) = self.document.schema().get(type_name) else { return wanted };
        let mut name = wanted.clone();
        let mut number = 2;
        while names::taken(&self.document, about, &name).is_some() {
            name = format!("{wanted} {number}");
            number += 1;
        }
        name
    }

    /// Says what was taken for granted.
    pub fn assume(&mut self, what: impl Into<String>, value: impl Into<String>, source: impl Into<String>) {
        let said = Assumption { what: what.into(), value: value.into(), source: source.into() };
        if !self.assumptions.contains(&said) {
            self.assumptions.push(said);
        }
    }

    /// Says what was left as it is.
    pub fn skip(&mut self, what: impl Into<String>, why: impl Into<String>) {
        let said = super::Skipped { what: what.into(), why: why.into() };
        if !self.skipped.contains(&said) {
            self.skipped.push(said);
        }
    }

    /// A schedule that is always this value.
    pub fn constant_schedule(&mut self, wanted: &str, value: f64) -> Result<String, Fault> {
        let name = self.free_name("Schedule:Constant", wanted);
        self.add("Schedule:Constant", &name, serde_json::json!({ "hourly_value": value }))?;
        Ok(name)
    }
}

/// True if others than these refer to an object.
pub(super) fn others_use(graph: &Graph, handle: Handle, these: &HashSet<Handle>) -> bool {
    graph.to(handle).iter().any(|reference| !these.contains(&reference.from))
}
