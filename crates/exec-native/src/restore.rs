//! The change that makes a version what another one is.

use crate::operations::Resolve;
use crate::run::{Call, changed};
use contract::ops::Restore;
use contract::{Fault, Outcome};

impl Resolve for Restore {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let (model, target) = (call.model("model")?, &call.model("target")?.model);
        let delta = ifc::Delta::between(&model.model, target);
        let after = model.model.apply(&delta).map_err(|error| crate::unreadable::bad_delta(&error))?;
        let entries = ifc_compare::diff(&model.model, &after);
        Ok(changed(model, after, &delta, &entries))
    }
}
