//! A version held open: by our own kernel, and, once an operation is asked of it, by a Python process.

use crate::changes;
use crate::python::{self, Backend};
use contract::{Fault, OpenedModel};
use exec::Control;
use ifc::Model;
use parking_lot::Mutex;
use serde_json::json;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

/// Memory of a Python process that holds a version, as far as it is not shared with the one it was forked from.
const PROCESS: u64 = 16 << 20;

/// Later versions that have a process at the same time.
const PROCESSES: usize = 4;

/// One version.
pub(crate) struct OpenVersion {
    native: OpenedModel,
    /// The file that it is, or that the history it belongs to begins with.
    file: PathBuf,
    /// The version that the file is; none if it is this.
    root: Option<Arc<OpenVersion>>,
    /// The version before, if that is still held.
    parent: Weak<OpenVersion>,
    lease: Mutex<Option<Arc<Control>>>,
}

impl OpenVersion {
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

    /// Returns the version that this adapter opened; a Fault if another did.
    pub(crate) fn from_opened(opened: &OpenedModel) -> Result<&Arc<Self>, Fault> {
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
    pub(crate) fn lease(self: &Arc<Self>, backend: &Backend) -> Result<Arc<Control>, Fault> {
        if self.root.is_some() {
            backend.recent().touch(self);
        }
        let mut lease = self.lease.lock();
        if let Some(lease) = lease.as_ref().filter(|lease| lease.is_alive()) {
            return Ok(Arc::clone(lease));
        }
        let made = match &self.root {
            None => {
                let request = json!({"do": "open", "file": self.file.display().to_string()});
                python::lease(backend.control(), &request, "open")?
            }
            Some(root) => {
                let parent = self.parent.upgrade().filter(|parent| parent.is_leased());
                let from = parent.as_ref().unwrap_or(root);
                let (held, changes) = (from.lease(backend)?, changes::between(from.model()?, self.model()?));
                python::lease(&held, &json!({"do": "advance", "changes": changes}), "advance")?
            }
        };
        let made = Arc::new(made);
        *lease = Some(Arc::clone(&made));
        Ok(made)
    }

    /// Lets go of its process, unless that is just being asked for.
    fn release(&self) {
        if let Some(mut lease) = self.lease.try_lock() {
            *lease = None;
        }
    }

    fn is_leased(&self) -> bool {
        self.lease.try_lock().is_some_and(|lease| lease.as_ref().is_some_and(|lease| lease.is_alive()))
    }
}

/// The later versions that have a process, those used last at the end. There are few at a time: each is two processes, and one
/// that was let go of is made again from the file's. That of a file is kept for as long as any version of it is held.
#[derive(Default)]
pub(crate) struct Recent(Mutex<VecDeque<Weak<OpenVersion>>>);

impl Recent {
    fn touch(&self, held: &Arc<OpenVersion>) {
        let mut versions = self.0.lock();
        versions.retain(|known| known.strong_count() > 0 && known.as_ptr() != Arc::as_ptr(held));
        versions.push_back(Arc::downgrade(held));
        while versions.len() > PROCESSES {
            if let Some(oldest) = versions.pop_front().and_then(|oldest| oldest.upgrade()) {
                oldest.release();
            }
        }
    }
}
