//! The scenes of the versions that viewers look at: made when first asked for, kept while there is room.
//!
//! A viewer asks for the list and then for one tile after another, all of one version, and after an edit for the next version's;
//! so the few versions looked at last are kept, and a new one is made out of the last one of the same file.

use geometry::Scene;
use geometry::scene::{BUDGET, GoOn};
use ifc::Model;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of triangles kept.
const KEPT: u64 = 512 << 20;
/// Scenes kept: what neighbours share is counted in each, so that bytes alone say too much.
const SCENES: usize = 8;

/// Where a model's scene is, if it is kept.
#[derive(Default)]
pub(crate) struct SceneSlot(Mutex<Option<Arc<Scene>>>);

impl SceneSlot {
    fn held(&self) -> Option<Arc<Scene>> {
        // one that is being made is of no use to a neighbour
        self.0.try_lock().ok()?.clone()
    }
}

/// The slots that hold scenes, the oldest first.
#[derive(Default)]
pub(crate) struct SceneCache(Mutex<VecDeque<Arc<SceneSlot>>>);

impl SceneCache {
    /// The scene of a model; `began` is told if it has to be made, and there is none where `go_on` ended that. Who asks
    /// while it is being made waits for it.
    pub(crate) fn scene(
        &self,
        model: &Model,
        slot: &Arc<SceneSlot>,
        began: &dyn Fn(),
        go_on: GoOn<'_>,
    ) -> Option<Arc<Scene>> {
        let scene = {
            let mut held = slot.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(scene) = held.as_ref() {
                return Some(Arc::clone(scene));
            }
            began();
            let scene = match self.neighbour(model) {
                Some(known) => known.following(model, go_on)?,
                None => Scene::made(model, BUDGET, go_on)?,
            };
            Arc::clone(held.insert(Arc::new(scene)))
        };
        self.keep(slot);
        Some(scene)
    }

    /// The last scene over the same file.
    fn neighbour(&self, model: &Model) -> Option<Arc<Scene>> {
        let shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.iter().rev().filter_map(|slot| slot.held()).find(|scene| scene.model().has_same_base(model))
    }

    fn keep(&self, slot: &Arc<SceneSlot>) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.push_back(Arc::clone(slot));
        while (shelf.len() > SCENES || weight(&shelf) > KEPT) && shelf.len() > 1 {
            let Some(oldest) = shelf.pop_front() else { break };
            *oldest.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// Bytes held by scenes: of those over one file the newest's, for the older ones share nearly all with it.
fn weight(shelf: &VecDeque<Arc<SceneSlot>>) -> u64 {
    let mut counted: Vec<Arc<Scene>> = Vec::new();
    for scene in shelf.iter().rev().filter_map(|slot| slot.held()) {
        if !counted.iter().any(|known| known.model().has_same_base(scene.model())) {
            counted.push(scene);
        }
    }
    counted.iter().map(|scene| scene.weight()).sum()
}
