//! An opened model, and what is kept with it because it is asked for again: the problems of its file, and its tiles.

use crate::tiles::SceneSlot;
use building::soundness::Surroundings;
use contract::{Fault, OpenedModel};
use ifc::{Model, Problem};
use parking_lot::Mutex;
use std::sync::Arc;
use tools::Checked;

/// One version of an IFC model.
pub(crate) struct NativeModel {
    pub(crate) model: Model,
    /// The problems found in opening its file; the same for every version over it.
    pub(crate) problems: Arc<[Problem]>,
    /// Its tiles, if a viewer looks at it.
    pub(crate) tiles: Arc<SceneSlot>,
    /// The boxes of what stands near its changes, as far as somebody asked.
    around: Mutex<Surroundings>,
    /// The findings of checks, once somebody asked for them.
    pub(crate) checked: Arc<Checked>,
}

impl NativeModel {
    /// A model as its file has it.
    pub(crate) fn of_file(model: Model, problems: Vec<Problem>) -> Self {
        let (tiles, around, checked) = Default::default();
        Self { model, problems: problems.into(), tiles, around, checked }
    }

    /// A later version over the same file.
    pub(crate) fn next(&self, model: Model) -> Self {
        let (tiles, around, checked) = Default::default();
        Self { model, problems: Arc::clone(&self.problems), tiles, around, checked }
    }

    /// The same, with what is known of its surroundings.
    pub(crate) fn among(self, around: Surroundings) -> Self {
        Self { around: Mutex::new(around), ..self }
    }

    /// The surroundings that are known.
    pub(crate) fn around(&self) -> Surroundings {
        self.around.lock().clone()
    }

    /// Keeps what was looked up of its surroundings.
    pub(crate) fn keep_around(&self, around: Surroundings) {
        *self.around.lock() = around;
    }

    /// Returns the model that this adapter opened; a Fault if another did.
    pub(crate) fn from_opened(opened: &OpenedModel) -> Result<&Self, Fault> {
        opened
            .inner
            .downcast_ref()
            .ok_or_else(|| Fault::backend("This model was opened by another adapter. Nothing was run."))
    }

    pub(crate) fn into_opened(self) -> OpenedModel {
        let weight = self.model.weight();
        OpenedModel { inner: Arc::new(self), weight }
    }
}
