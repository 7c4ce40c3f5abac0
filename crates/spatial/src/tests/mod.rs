//! Real models: what is computed of them beside what their exporters say.

mod boundaries;
mod depths;
mod following;
mod found;
mod made;
mod quantities;
mod space_boundaries;

use crate::Layout;
use geometry::Scene;
use ifc::{Limits, Model};

/// A model of the test data; `None`, and a word about it, where there is none.
fn open(name: &str) -> Option<Model> {
    Some(Model::open(&testing::model(name)?, &Limits::default()).unwrap().0)
}

fn layout(model: &Model) -> Layout {
    Layout::from_scene(&Scene::from_model(model))
}
