//! Two versions beside each other: what differs, and the change that makes one what the other is.

use crate::bad_delta;
use crate::operations::Resolve;
use crate::run::{Call, changed};
use contract::ops::{Diff, DiffAnswer, DiffDetail, PlatformOperation, Restore};
use contract::{Fault, Outcome};
use energy::idf;

impl Resolve for Diff {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let raw = idf::diff(&call.model("base")?.document, &call.model("target")?.document);
        let summary = idf::summary(&raw, self.named);
        Self::outcome(DiffAnswer { raw: (self.detail == DiffDetail::Raw).then_some(raw), summary })
    }
}

impl Resolve for Restore {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let (model, target) = (call.model("model")?, call.model("target")?);
        let delta = target.document.delta_from(&model.document)?;
        let after = model.document.apply(&delta).map_err(bad_delta)?;
        changed(model, after)
    }
}
