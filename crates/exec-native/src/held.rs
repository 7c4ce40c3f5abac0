//! The versions that a tool's body is given beside its transaction, with the scenes and indexes that are kept for them.

use crate::model::NativeModel;
use crate::tiles::{SceneCache, SceneSlot};
use building::soundness::Surroundings;
use contract::{Fault, ModelInput, ModelRef, Request, Watch};
use geometry::Scene;
use geometry::query::Index;
use geometry::scene::GoOn;
use ifc::Model;
use spatial::Layout;
use spatial::ways::Ways;
use std::sync::Arc;
use tools::{Checked, OpenVersion, OpenVersions};

/// A version of a request.
struct HeldVersion {
    name: ModelRef,
    model: Model,
    slot: Arc<SceneSlot>,
    scenes: Arc<SceneCache>,
    surroundings: Surroundings,
    checked: Arc<Checked>,
}

/// Asks for something that may have to be made first.
fn made<T>(watch: &dyn Watch, ask: impl FnOnce(&dyn Fn(), GoOn<'_>) -> Option<T>) -> Result<T, Fault> {
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let began = || watch.begins("making the scene");
    ask(&began, &go_on).ok_or_else(|| Fault::given_up("making the scene"))
}

impl OpenVersion for HeldVersion {
    fn name(&self) -> Option<&ModelRef> {
        Some(&self.name)
    }

    fn model(&self) -> &Model {
        &self.model
    }

    fn scene(&self, watch: &dyn Watch) -> Result<Arc<Scene>, Fault> {
        made(watch, |began, go_on| self.scenes.scene(&self.model, &self.slot, began, go_on))
    }

    fn index(&self, watch: &dyn Watch) -> Result<Arc<Index>, Fault> {
        made(watch, |began, go_on| self.scenes.index(&self.model, &self.slot, began, go_on))
    }

    fn layout(&self, watch: &dyn Watch) -> Result<Arc<Layout>, Fault> {
        made(watch, |began, go_on| self.scenes.layout(&self.model, &self.slot, began, go_on))
    }

    fn ways(&self, watch: &dyn Watch) -> Result<Arc<Ways>, Fault> {
        made(watch, |began, go_on| self.scenes.ways(&self.model, &self.slot, began, go_on))
    }

    fn surroundings(&self) -> Option<Surroundings> {
        Some(self.surroundings.clone())
    }

    fn checked(&self) -> Option<&Checked> {
        Some(&self.checked)
    }
}

/// The versions of a request by role.
pub(crate) fn versions(request: &Request, models: &[&NativeModel], scenes: &Arc<SceneCache>) -> OpenVersions {
    let held = |native: &NativeModel, input: &ModelInput| -> Arc<dyn OpenVersion> {
        Arc::new(HeldVersion {
            name: ModelRef { id: input.id.clone(), version: Some(input.version.clone()) },
            model: native.model.clone(),
            slot: Arc::clone(&native.tiles),
            scenes: Arc::clone(scenes),
            surroundings: native.around(),
            checked: Arc::clone(&native.checked),
        })
    };
    let inputs = request.models.iter().zip(models);
    inputs.map(|(input, native)| (input.role.clone(), held(native, input))).collect()
}
