//! The scenes of the versions that are looked at, their spatial indexes and the layouts of their rooms: made when first asked for, kept while there is room.
//!
//! A viewer asks for the list and then for one tile after another, all of one version, and after an edit for the next version's;
//! so the few versions looked at last are kept, and a new one is made out of the last one of the same file.

use geometry::Scene;
use geometry::query::Index;
use geometry::scene::{BUDGET, GoOn};
use ifc::Model;
use parking_lot::Mutex;
use spatial::Layout;
use spatial::ways::Ways;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

/// Bytes of triangles kept.
const KEPT: u64 = 512 << 20;
/// Scenes kept: what neighbours share is counted in each, so that bytes alone say too much.
const SCENES: usize = 8;

/// A version's scene and, once somebody asked for them, the index of all that is drawn and the layout of its rooms.
pub(crate) struct Shown {
    pub(crate) scene: Arc<Scene>,
    index: OnceLock<Arc<Index>>,
    layout: OnceLock<Arc<Layout>>,
    ways: OnceLock<Arc<Ways>>,
}

impl Shown {
    /// Bytes held.
    fn weight(&self) -> u64 {
        let index = self.index.get().map_or(0, |index| index.weight());
        let layout = self.layout.get().map_or(0, |layout| layout.weight());
        let ways = self.ways.get().map_or(0, |ways| ways.weight());
        self.scene.weight() + index + layout + ways
    }
}

/// Where a model's scene is, if it is kept.
#[derive(Default)]
pub(crate) struct SceneSlot(Mutex<Option<Arc<Shown>>>);

impl SceneSlot {
    fn held(&self) -> Option<Arc<Shown>> {
        // one that is being made is of no use to a neighbour
        self.0.try_lock()?.clone()
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
        self.shown(model, slot, began, go_on).map(|shown| Arc::clone(&shown.scene))
    }

    /// The index of all that is drawn of a model, made out of that of a neighbouring version where there is one; else as above.
    pub(crate) fn index(
        &self,
        model: &Model,
        slot: &Arc<SceneSlot>,
        began: &dyn Fn(),
        go_on: GoOn<'_>,
    ) -> Option<Arc<Index>> {
        let shown = self.shown(model, slot, began, go_on)?;
        let index = shown.index.get_or_init(|| {
            let known = self.neighbour(model, |known| known.index.get().is_some());
            let followed = known.and_then(|known| {
                let mut index = known.index.get()?.as_ref().clone();
                index.follow_scene(&known.scene, &shown.scene, &|_| true);
                Some(index)
            });
            Arc::new(followed.unwrap_or_else(|| Index::of_scene(&shown.scene, &|_| true)))
        });
        Some(Arc::clone(index))
    }

    /// The layout of the rooms of a model, made out of that of a neighbouring version where there is one; else as above.
    pub(crate) fn layout(
        &self,
        model: &Model,
        slot: &Arc<SceneSlot>,
        began: &dyn Fn(),
        go_on: GoOn<'_>,
    ) -> Option<Arc<Layout>> {
        let shown = self.shown(model, slot, began, go_on)?;
        let layout = shown.layout.get_or_init(|| {
            let known = self.neighbour(model, |known| known.layout.get().is_some());
            let followed = known.and_then(|known| {
                let layout = known.layout.get()?;
                Some(layout.following(&known.scene, &shown.scene))
            });
            Arc::new(followed.unwrap_or_else(|| Layout::from_scene(&shown.scene)))
        });
        Some(Arc::clone(layout))
    }

    /// Keeps what was made of a state on the way to a version, so that what is asked of that version is made out of it.
    pub(crate) fn keep_draft(&self, scene: Arc<Scene>, layout: Arc<Layout>) {
        let shown = Shown { scene, index: OnceLock::new(), layout: layout.into(), ways: OnceLock::new() };
        self.keep(&Arc::new(SceneSlot(Mutex::new(Some(Arc::new(shown))))));
    }

    /// Returns true if the layout of the rooms of a version over the same file is kept.
    pub(crate) fn has_layout(&self, model: &Model) -> bool {
        self.neighbour(model, |known| known.layout.get().is_some()).is_some()
    }

    /// The ways of a model, which keep their navigation meshes, made out of those of a neighbouring version where there is one; else as
    /// above.
    pub(crate) fn ways(
        &self,
        model: &Model,
        slot: &Arc<SceneSlot>,
        began: &dyn Fn(),
        go_on: GoOn<'_>,
    ) -> Option<Arc<Ways>> {
        let shown = self.shown(model, slot, began, go_on)?;
        let (index, layout) =
            (self.index(model, slot, began, go_on)?, self.layout(model, slot, began, go_on)?);
        let ways = shown.ways.get_or_init(|| {
            let known = self.neighbour(model, |known| known.ways.get().is_some());
            Arc::new(match known.as_ref().and_then(|known| known.ways.get()) {
                Some(known) => known.following(&shown.scene, &index, layout),
                None => Ways::from_scene(&shown.scene, &index, layout),
            })
        });
        Some(Arc::clone(ways))
    }

    fn shown(
        &self,
        model: &Model,
        slot: &Arc<SceneSlot>,
        began: &dyn Fn(),
        go_on: GoOn<'_>,
    ) -> Option<Arc<Shown>> {
        let shown = {
            let mut held = slot.0.lock();
            if let Some(shown) = held.as_ref() {
                return Some(Arc::clone(shown));
            }
            let known = self.neighbour(model, |_| true);
            // a state on the way to this version may have come to the same
            let is_same =
                |known: &Shown| known.scene.model().differing(model).is_some_and(|ids| ids.is_empty());
            let shown = match known {
                Some(known) if is_same(&known) => known,
                known => {
                    began();
                    let scene = match known {
                        Some(known) => known.scene.following(model, go_on)?,
                        None => Scene::made(model, BUDGET, go_on)?,
                    };
                    Arc::new(Shown {
                        scene: Arc::new(scene),
                        index: OnceLock::new(),
                        layout: OnceLock::new(),
                        ways: OnceLock::new(),
                    })
                }
            };
            Arc::clone(held.insert(shown))
        };
        self.keep(slot);
        Some(shown)
    }

    /// The last one over the same file that will do.
    fn neighbour(&self, model: &Model, will_do: impl Fn(&Shown) -> bool) -> Option<Arc<Shown>> {
        let shelf = self.0.lock();
        let mut held = shelf.iter().rev().filter_map(|slot| slot.held());
        held.find(|shown| shown.scene.model().has_same_base(model) && will_do(shown))
    }

    fn keep(&self, slot: &Arc<SceneSlot>) {
        let mut shelf = self.0.lock();
        shelf.push_back(Arc::clone(slot));
        while (shelf.len() > SCENES || weight(&shelf) > KEPT) && shelf.len() > 1 {
            let Some(oldest) = shelf.pop_front() else { break };
            *oldest.0.lock() = None;
        }
    }
}

/// Bytes held by scenes: of those over one file the newest's, for the older ones share nearly all with it.
fn weight(shelf: &VecDeque<Arc<SceneSlot>>) -> u64 {
    let mut counted: Vec<Arc<Shown>> = Vec::new();
    for shown in shelf.iter().rev().filter_map(|slot| slot.held()) {
        if !counted.iter().any(|known| known.scene.model().has_same_base(shown.scene.model())) {
            counted.push(shown);
        }
    }
    counted.iter().map(|shown| shown.weight()).sum()
}
