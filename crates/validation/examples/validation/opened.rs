//! A model that is opened, with all that checks look at.

use geometry::Scene;
use geometry::query::Index;
use ifc::Model;
use spatial::Layout;
use spatial::ways::Ways;
use std::sync::Arc;
use std::time::Instant;
use validation::Subject;

/// A model with its shapes, rooms and ways.
pub struct Opened {
    model: Model,
    scene: Scene,
    index: Index,
    pub layout: Arc<Layout>,
    ways: Ways,
}

impl Opened {
    /// Opens a file, and tells how long its scene, rooms and ways took.
    pub fn new(path: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let (model, _) = Model::open(path.as_ref(), &ifc::Limits::default())?;
        let begin = Instant::now();
        let scene = Scene::from_model(&model);
        let index = Index::of_scene(&scene, &|_| true);
        let layout = Arc::new(Layout::from_scene(&scene));
        let ways = Ways::from_scene(&scene, &index, Arc::clone(&layout));
        println!("made in {:.0} ms", begin.elapsed().as_secs_f64() * 1e3);
        Ok(Self { model, scene, index, layout, ways })
    }

    pub fn subject(&self) -> Subject<'_> {
        Subject {
            model: &self.model,
            scene: &self.scene,
            index: &self.index,
            layout: &self.layout,
            ways: &self.ways,
        }
    }
}
