//! What an operation changed: whole, instance by instance, and in the few lines an agent reads.

mod properties;
mod summary;

pub(crate) use summary::summary;

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{Diff, DiffAnswer, DiffDetail, PlatformOperation};
use contract::{AttributeChange, DiffRaw, EntityChange, EntityRef, Fault, Outcome};
use ifc_compare::{Change, DiffEntry};

impl Resolve for Diff {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let (base, target) = (&call.model("base")?.model, &call.model("target")?.model);
        let entries = ifc_compare::diff(base, target);
        let raw = (self.detail == DiffDetail::Raw).then(|| raw(&entries));
        Self::outcome(DiffAnswer { raw, summary: summary(&entries, base, target, self.named) })
    }
}

/// Every instance added, removed and modified.
pub(crate) fn raw(entries: &[DiffEntry]) -> DiffRaw {
    let mut raw = DiffRaw::default();
    for entry in entries {
        let entity = EntityRef {
            id: entry.id.0.into(),
            global_id: entry.global_id.clone(),
            class: entry.class.clone(),
            name: entry.name.clone(),
        };
        match &entry.change {
            Change::Added => raw.added.push(entity),
            Change::Removed => raw.removed.push(entity),
            Change::Modified(attributes) => {
                let changes = attributes.iter().map(|change| AttributeChange {
                    attribute: change.attribute.clone(),
                    before: change.before.to_json(),
                    after: change.after.to_json(),
                });
                raw.modified.push(EntityChange { entity, changes: changes.collect() });
            }
        }
    }
    raw
}
