//! What the event log alone says there is: models and where their refs point. The tables of both are a projection of the
//! log; replaying it makes them again, and where the two differ something was changed behind the log's back.

use contract::{EventRecord, EventType, ModelBegun, ModelId, VersionId};
use std::collections::BTreeMap;

/// Models and refs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Projection {
    /// The beginning of each model.
    pub models: BTreeMap<ModelId, ModelBegun>,
    /// The version that each ref points to.
    pub refs: BTreeMap<(ModelId, String), VersionId>,
}

impl Projection {
    /// Takes in the next event.
    pub fn apply(&mut self, event: EventRecord) {
        if let Some(begun) = event.begun {
            self.models.insert(event.model_id.clone(), begun);
        }
        let Some((name, version)) = event.ref_name.zip(event.version) else { return };
        if event.event_type == EventType::BranchDeleted {
            self.refs.remove(&(event.model_id, name));
        } else {
            self.refs.insert((event.model_id, name), version);
        }
    }

    /// Returns the differences from another projection, as sentences.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for id in self.models.keys().chain(other.models.keys()) {
            if self.models.get(id) != other.models.get(id) {
                found.push(format!("model {id} is not as the event log says"));
            }
        }
        for key @ (model, name) in self.refs.keys().chain(other.refs.keys()) {
            let (log, table) = (self.refs.get(key), other.refs.get(key));
            if log != table {
                let shown = |version: Option<&VersionId>| {
                    version.map_or_else(|| "nowhere".to_owned(), VersionId::to_string)
                };
                let (log, table) = (shown(log), shown(table));
                found.push(format!(
                    "ref {name} of model {model} points to {table}, by the event log to {log}"
                ));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
