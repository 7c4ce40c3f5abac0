//! The model that checks look at, with what follows from it.

use geometry::Scene;
use geometry::query::Index;
use ifc::Model;
use spatial::Layout;
use spatial::ways::Ways;

/// A model with its shapes, its rooms and the ways between them.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its shapes.
    pub scene: &'a Scene,
    /// Its bodies by place, rooms included.
    pub index: &'a Index,
    /// Its rooms and what lies between them.
    pub layout: &'a Layout,
    /// Its floors, doors, flights and lifts.
    pub ways: &'a Ways,
}
