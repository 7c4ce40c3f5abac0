//! The place where the findings of checks on a version are kept, as the graph of a model has them.

use contract::Fault;
use graph::Findings;
use parking_lot::Mutex;
use std::sync::Arc;

/// The findings of a version, once somebody asked for them.
#[derive(Debug, Default)]
pub struct Checked(Mutex<Option<Arc<Findings>>>);

impl Checked {
    /// The findings that are kept, else those that are made now. Who asks meanwhile waits for them.
    pub(crate) fn get_or_make(
        &self,
        make: impl FnOnce() -> Result<Arc<Findings>, Fault>,
    ) -> Result<Arc<Findings>, Fault> {
        let mut kept = self.0.lock();
        if let Some(found) = kept.as_ref() {
            return Ok(Arc::clone(found));
        }
        Ok(Arc::clone(kept.insert(make()?)))
    }
}
