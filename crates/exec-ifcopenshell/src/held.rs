//! A version held open: by our own kernel, and, once an operation is asked of it, by a Python process.

use crate::changes;
use crate::python::{Backend, Lease};
use contract::{Fault, OpenedModel};
use ifc::Model;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Memory of a Python process that holds a version, as far as it is not shared with the one it was forked from.
const PROCESS: u64 = 12 << 20;

/// One version.
pub(crate) struct Held {
    native: OpenedModel,
    /// The file that it is, or that the history it belongs to begins with.
    file: PathBuf,
    /// The version that the file is; none if it is this.
    root: Option<Arc<Held>>,
    /// The version before, if that is still held.
    parent: Weak<Held>,
    lease: Mutex<Option<Arc<Lease>>>,
}

impl Held {
    /// The version that a file is.
    pub(crate) fn of_file(native: OpenedModel, file: &Path) -> OpenedModel {
        let held =
            Self { native, file: file.to_owned(), root: None, parent: Weak::new(), lease: Mutex::default() };
        held.into_opened()
    }

    /// A later version.
    pub(crate) fn after(before: &Arc<Self>, native: OpenedModel) -> OpenedModel {
        let held = Self {
            native,
            file: before.file.clone(),
            root: Some(before.root.clone().unwrap_or_else(|| Arc::clone(before))),
            parent: Arc::downgrade(before),
            lease: Mutex::default(),
        };
        held.into_opened()
    }

    fn into_opened(self) -> OpenedModel {
        let weight = self.native.weight + PROCESS;
        OpenedModel { inner: Arc::new(Arc::new(self)), weight }
    }

    /// What this adapter opened.
    pub(crate) fn of(opened: &OpenedModel) -> Result<&Arc<Self>, Fault> {
        opened
            .inner
            .downcast_ref()
            .ok_or_else(|| Fault::backend("This model was opened by another adapter. Nothing was run."))
    }

    pub(crate) fn native(&self) -> &OpenedModel {
        &self.native
    }

    pub(crate) fn model(&self) -> Result<&Model, Fault> {
        exec_native::model_of(&self.native)
    }

    /// The process that holds this version: the one there is, or one forked from that of the version before, else from that of
    /// the file, which is advanced by the difference.
    pub(crate) fn lease(&self, backend: &Backend) -> Result<Arc<Lease>, Fault> {
        let mut lease = self.lease.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lease) = lease.as_ref().filter(|lease| lease.is_alive()) {
            return Ok(Arc::clone(lease));
        }
        let made = match &self.root {
            None => {
                let request = json!({"do": "open", "file": self.file.display().to_string()});
                backend.lease(backend.socket(), request, "open")?
            }
            Some(root) => {
                let parent = self.parent.upgrade().filter(|parent| parent.is_leased());
                let from = parent.as_ref().unwrap_or(root);
                let (held, changes) = (from.lease(backend)?, changes::between(from.model()?, self.model()?));
                backend.lease(held.socket(), json!({"do": "advance", "changes": changes}), "advance")?
            }
        };
        let made = Arc::new(made);
        *lease = Some(Arc::clone(&made));
        Ok(made)
    }

    fn is_leased(&self) -> bool {
        self.lease.try_lock().is_ok_and(|lease| lease.as_ref().is_some_and(|lease| lease.is_alive()))
    }
}
