//! Objects leave a model. Those that others refer to stay, unless that is wanted.

use crate::idf::{Document, Handle};
use crate::references::Graph;
use contract::{Fault, FaultCode};
use serde::Serialize;
use serde_json::json;

/// The number of referrers that a fault lists.
const LISTED: usize = 20;

/// An object that was removed, and who still refers to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// The handle that it had.
    pub handle: Handle,
    /// Its type.
    pub object_type: String,
    /// Its name, or handle where it had none.
    pub name: String,
    /// Types, names and fields that refer to it, now to nothing.
    pub referred_to_by: Vec<(String, String, String)>,
}

impl Document {
    /// Removes an object; refused while others refer to it, unless `force`.
    pub fn remove(&mut self, handle: Handle, force: bool) -> Result<Removed, Fault> {
        let mut removed = self.remove_these(&[handle], force)?;
        removed.pop().ok_or_else(|| Fault::no_element(&handle.to_string()))
    }

    /// Removes every object of a type, all or none; refused while others than these refer to them, unless `force`.
    pub fn remove_all(&mut self, type_name: &str, force: bool) -> Result<Vec<Removed>, Fault> {
        let handles: Vec<Handle> = self.of_type(type_name).map(|object| object.handle()).collect();
        if handles.is_empty() {
            let near = self.schema().near(type_name, 3);
            return Err(Fault::new(
                FaultCode::ElementNotFound,
                format!("The model has no object of type `{type_name}`. List what it has with list_objects."),
            )
            .with("near_matches", near));
        }
        self.remove_these(&handles, force)
    }

    /// Removes objects, all or none.
    pub fn remove_these(&mut self, handles: &[Handle], force: bool) -> Result<Vec<Removed>, Fault> {
        let graph = Graph::from_document(self);
        let leaving: std::collections::HashSet<Handle> = handles.iter().copied().collect();
        let mut removed = Vec::with_capacity(handles.len());
        for handle in handles {
            let object = self.object(*handle).ok_or_else(|| Fault::no_element(&handle.to_string()))?;
            let others = graph.to(*handle).iter().filter(|reference| !leaving.contains(&reference.from));
            let referred_to_by = others.filter_map(|reference| {
                let from = self.object(reference.from)?;
                let field = from.fields().nth(reference.position as usize)?;
                Some((from.type_name().to_owned(), from.label(), field.name()))
            });
            removed.push(Removed {
                handle: *handle,
                object_type: object.type_name().to_owned(),
                name: object.label(),
                referred_to_by: referred_to_by.collect(),
            });
        }
        if let Some(needed) = removed.iter().find(|removed| !force && !removed.referred_to_by.is_empty()) {
            let by = &needed.referred_to_by;
            let mut kinds: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
            for (kind, ..) in by {
                *kinds.entry(kind).or_default() += 1;
            }
            let listed: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            let rows: Vec<_> = by
                .iter()
                .take(LISTED)
                .map(|(kind, name, field)| json!({"object_type": kind, "name": name, "field": field}))
                .collect();
            return Err(Fault::constraint(format!(
                "{} `{}` is referred to by {}. Change those first, or remove it with force.",
                needed.object_type,
                needed.name,
                listed.join(", ")
            ))
            .with("referenced_by", rows));
        }
        for handle in handles {
            self.put(*handle, None);
        }
        Ok(removed)
    }
}
