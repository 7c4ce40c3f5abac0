//! Models opened for rules.

use crate::Subject;
use crate::packs::{Overrides, Pack, Report, check};
use geometry::Scene;
use geometry::query::Index;
use ifc::{Limits, Model};
use spatial::Layout;
use spatial::ways::Ways;
use std::sync::Arc;

/// A model with all that rules look at.
pub(super) struct Opened {
    pub(super) model: Model,
    scene: Scene,
    index: Index,
    layout: Arc<Layout>,
    ways: Ways,
}

impl Opened {
    pub(super) fn new(model: Model) -> Self {
        let scene = Scene::from_model(&model);
        let index = Index::of_scene(&scene, &|_| true);
        let layout = Arc::new(Layout::from_scene(&scene));
        let ways = Ways::from_scene(&scene, &index, Arc::clone(&layout));
        Self { model, scene, index, layout, ways }
    }

    /// A real model of the test data.
    pub(super) fn real(name: &str) -> Option<Self> {
        let (model, _) = Model::open(&testing::model(name)?, &Limits::default()).unwrap();
        Some(Self::new(model))
    }

    pub(super) fn subject(&self) -> Subject<'_> {
        let (model, scene, index) = (&self.model, &self.scene, &self.index);
        Subject { model, scene, index, layout: &self.layout, ways: &self.ways }
    }

    pub(super) fn check(&self, pack: &Pack, overrides: &Overrides) -> Report {
        check(&self.subject(), pack, overrides, &|_, _| true).unwrap()
    }
}
