//! The versions of models that a call reads, with what their worker keeps beside them: the scene, the spatial index, and the layout of
//! rooms.
//!
//! They are made when first asked for, and out of those of a neighbouring version where there is one; whoever asks again finds them
//! made. A call is given each version under a role: `model` is the one that it works on, others stand under the role that the
//! tool's description names for them.

use crate::checked::Checked;
use building::soundness::Surroundings;
use contract::{Fault, ModelRef, Watch};
use geometry::Scene;
use geometry::query::Index;
use geometry::scene::BUDGET;
use ifc::relations::Links;
use ifc::{Id, Model};
use spatial::Layout;
use spatial::ways::Ways;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

/// A version that is held open.
pub trait OpenVersion: Send + Sync {
    /// The model and version, where they have names.
    fn name(&self) -> Option<&ModelRef>;

    /// The model as it is in this version.
    fn model(&self) -> &Model;

    /// Its shapes as they are drawn.
    fn scene(&self, watch: &dyn Watch) -> Result<Arc<Scene>, Fault>;

    /// The shapes by place: all that is drawn, rooms included.
    fn index(&self, watch: &dyn Watch) -> Result<Arc<Index>, Fault>;

    /// Its rooms, and what lies between them.
    fn layout(&self, watch: &dyn Watch) -> Result<Arc<Layout>, Fault>;

    /// Floors, doors and stairs as who goes about meets them, with the navigation meshes made of them so far.
    fn ways(&self, watch: &dyn Watch) -> Result<Arc<Ways>, Fault> {
        let (scene, index) = (self.scene(watch)?, self.index(watch)?);
        Ok(Arc::new(Ways::from_scene(scene.as_ref(), index.as_ref(), self.layout(watch)?)))
    }

    /// The boxes of what stands on its storeys, as far as earlier changes had them looked up; `None` where nobody keeps them.
    fn surroundings(&self) -> Option<Surroundings> {
        None
    }

    /// The place for findings of checks; `None` where nobody keeps them.
    fn checked(&self) -> Option<&Checked> {
        None
    }
}

/// The versions of a call by role.
pub type OpenVersions = BTreeMap<String, Arc<dyn OpenVersion>>;

/// A model that nobody keeps anything for: its scene is made anew whenever it is asked for.
pub(crate) struct Unkept(pub(crate) Model);

impl OpenVersion for Unkept {
    fn name(&self) -> Option<&ModelRef> {
        None
    }

    fn model(&self) -> &Model {
        &self.0
    }

    fn scene(&self, watch: &dyn Watch) -> Result<Arc<Scene>, Fault> {
        watch.begins("making the scene");
        let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
        Scene::made(&self.0, BUDGET, &go_on).map(Arc::new).ok_or_else(|| Fault::given_up("making the scene"))
    }

    fn index(&self, watch: &dyn Watch) -> Result<Arc<Index>, Fault> {
        Ok(Arc::new(Index::of_scene(self.scene(watch)?.as_ref(), &|_| true)))
    }

    fn layout(&self, watch: &dyn Watch) -> Result<Arc<Layout>, Fault> {
        Ok(Arc::new(Layout::from_scene(self.scene(watch)?.as_ref())))
    }
}

/// A version with an edit on it that is not finished: what is kept for the version follows the edit.
pub(crate) struct Edited {
    before: Arc<dyn OpenVersion>,
    model: Model,
    scene: OnceLock<Arc<Scene>>,
}

impl Edited {
    /// The version `before` as an edit left it by now.
    pub(crate) fn new(before: Arc<dyn OpenVersion>, model: Model) -> Self {
        Self { before, model, scene: OnceLock::new() }
    }
}

impl OpenVersion for Edited {
    fn name(&self) -> Option<&ModelRef> {
        None
    }

    fn model(&self) -> &Model {
        &self.model
    }

    fn scene(&self, watch: &dyn Watch) -> Result<Arc<Scene>, Fault> {
        if let Some(scene) = self.scene.get() {
            return Ok(Arc::clone(scene));
        }
        let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
        let scene = self.before.scene(watch)?.following(&self.model, &go_on);
        let scene = Arc::new(scene.ok_or_else(|| Fault::given_up("making the scene"))?);
        Ok(Arc::clone(self.scene.get_or_init(|| scene)))
    }

    fn index(&self, watch: &dyn Watch) -> Result<Arc<Index>, Fault> {
        let mut index = self.before.index(watch)?.as_ref().clone();
        index.follow_scene(self.before.scene(watch)?.as_ref(), self.scene(watch)?.as_ref(), &|_| true);
        Ok(Arc::new(index))
    }

    fn layout(&self, watch: &dyn Watch) -> Result<Arc<Layout>, Fault> {
        let before = self.before.layout(watch)?;
        Ok(Arc::new(before.following(self.before.scene(watch)?.as_ref(), self.scene(watch)?.as_ref())))
    }
}

/// Returns words as part of a file's name: letters and figures, the others as hyphens.
pub(crate) fn file_stem(words: &str) -> String {
    let hyphened: String = words.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let parts: Vec<&str> = hyphened.split('-').filter(|part| !part.is_empty()).collect();
    parts.join("-").chars().take(60).collect()
}

/// Returns those of some elements that are drawn; of one that is not itself, its parts and what it holds.
pub(crate) fn with_shape(scene: &Scene, links: &Links<'_>, chosen: &[Id]) -> HashSet<Id> {
    let is_drawn = |id: &Id| scene.entry(*id).is_some_and(|e| e.is_drawn());
    let mut found = HashSet::new();
    for id in chosen {
        if is_drawn(id) {
            found.insert(*id);
        } else {
            let is_space = |id: &Id| scene.entry(*id).is_some_and(|e| e.is_space);
            found.extend(links.decomposition(*id).into_iter().filter(|id| is_drawn(id) && !is_space(id)));
        }
    }
    found
}
