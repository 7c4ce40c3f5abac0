//! Many objects at once: all or none, or each by itself.

use super::Fields;
use crate::idf::{Document, Handle};
use contract::Fault;
use serde::{Deserialize, Serialize};

/// An object to be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewObject {
    /// Its type.
    pub object_type: String,
    /// Its name; empty where the type has none.
    #[serde(default)]
    pub name: String,
    /// Its fields.
    #[serde(default)]
    pub fields: Fields,
}

impl Document {
    /// Adds objects in order, all or none; the fault says which one could not be.
    pub fn add_all(&mut self, objects: &[NewObject]) -> Result<Vec<Handle>, Fault> {
        let mut after = self.clone();
        let mut handles = Vec::with_capacity(objects.len());
        for (at, object) in objects.iter().enumerate() {
            let added = after.add(&object.object_type, &object.name, &object.fields);
            handles.push(added.map_err(|fault| {
                let message = format!("objects[{at}]: {} Nothing was added.", fault.message);
                Fault { message, ..fault }.with("index", at)
            })?);
        }
        *self = after;
        Ok(handles)
    }

    /// Adds objects in order, each by itself.
    pub fn add_each(&mut self, objects: &[NewObject]) -> Vec<Result<Handle, Fault>> {
        objects.iter().map(|object| self.add(&object.object_type, &object.name, &object.fields)).collect()
    }
}
