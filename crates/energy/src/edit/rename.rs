//! An object gets another name, and all that refer to it follow.

use super::FieldChange;
use crate::idf::{Document, Handle, set_value};
use crate::references::Graph;
use contract::Fault;
use std::collections::BTreeMap;

impl Document {
    /// Renames an object everywhere. Answers every value that changed, its own name first.
    pub fn rename(&mut self, handle: Handle, new_name: &str) -> Result<Vec<FieldChange>, Fault> {
        let object = self.object(handle).ok_or_else(|| Fault::no_element(&handle.to_string()))?;
        let about = self.type_to_edit(object.type_name())?;
        let new_name = new_name.trim();
        if !about.named {
            return Err(Fault::invalid("new_name", format!("Objects of type {} have no name.", about.name)));
        }
        self.check_name(about, new_name, Some(handle))?;
        if new_name.is_empty() {
            return Err(Fault::invalid("new_name", "Give the new name."));
        }
        if new_name == object.name() {
            return Ok(Vec::new());
        }
        let graph = Graph::from_document(self);
        let mut places: BTreeMap<Handle, Vec<usize>> = BTreeMap::from([(handle, vec![0])]);
        for reference in graph.to(handle) {
            places.entry(reference.from).or_default().push(reference.position as usize);
        }
        let mut after = self.clone();
        let mut changes = Vec::new();
        for (from, positions) in places {
            let Some(before) = self.object(from) else { continue };
            let mut record = before.to_record();
            for position in positions {
                set_value(&mut record.values, position, new_name.to_owned());
            }
            after.put(from, Some(record));
            if let Some(now) = after.object(from) {
                changes.extend(super::changes(before, now));
            }
        }
        changes.sort_by_key(|change| change.handle != handle);
        *self = after;
        Ok(changes)
    }
}
