//! The content of a picture: shapes, and the look of each.

use crate::{element::Shape, math::Bounds, scene::Scene, style::Colour};
use glam::DVec3;
use ifc::Id;
use ifc::placement::unit;
use std::{collections::HashMap, sync::Arc};

/// The look of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// In its own colours.
    #[default]
    Styled,
    /// In one colour.
    Colour(Colour),
    /// Faintly, so that what lies behind is seen; it is in neither the depths nor the element numbers.
    Ghost,
    /// Not at all.
    Hidden,
}

/// One element in a picture.
#[derive(Debug, Clone)]
pub struct Item {
    /// The element.
    pub element: Id,
    /// Its triangles.
    pub shape: Arc<Shape>,
    /// The look of it.
    pub look: Look,
}

impl Item {
    /// The box around it, in metres of the world.
    pub fn bounds(&self) -> Bounds {
        self.shape.bounds()
    }
}

/// Everything that a scene draws, in its own colours; rooms and zones are hidden.
pub fn of_scene(scene: &Scene) -> Vec<Item> {
    let drawn = scene.entries().iter().filter(|e| e.is_drawn());
    drawn
        .filter_map(|e| {
            let look = if e.is_space { Look::Hidden } else { Look::Styled };
            Some(Item { element: e.id, shape: scene.shape(e.id)?, look })
        })
        .collect()
}

/// The colour of what was added to a model.
pub const ADDED: Colour = [62, 160, 85, 255];
/// The colour of what is drawn otherwise than before.
pub const CHANGED: Colour = [232, 160, 40, 255];
/// The colour of what is no more.
pub const REMOVED: Colour = [208, 66, 60, 110];
/// The colour of what is as it was.
pub const UNCHANGED: Colour = [214, 214, 212, 255];

/// Two states of a model in one picture: what was added, changed (in its new shape), removed and left as it was, by GlobalId.
/// Rooms and zones are left out.
pub fn of_changes(before: &Scene, after: &Scene) -> Vec<Item> {
    let old: HashMap<&str, _> = before.entries().iter().map(|e| (e.global_id.as_str(), e)).collect();
    let new: HashMap<&str, _> = after.entries().iter().map(|e| (e.global_id.as_str(), e)).collect();
    let mut items = of_scene(after);
    for item in &mut items {
        let Some(entry) = after.entry(item.element).filter(|_| item.look != Look::Hidden) else { continue };
        item.look = Look::Colour(match old.get(entry.global_id.as_str()) {
            None => ADDED,
            Some(then) if then.digest != entry.digest => CHANGED,
            Some(_) => UNCHANGED,
        });
    }
    let gone = before.entries().iter().filter(|e| {
        e.is_drawn() && !e.is_space && new.get(e.global_id.as_str()).is_none_or(|now| !now.is_drawn())
    });
    items.extend(gone.filter_map(|e| {
        Some(Item { element: e.id, shape: before.shape(e.id)?, look: Look::Colour(REMOVED) })
    }));
    items
}

/// Half of space: what is drawn lies on the side that the direction points to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    point: DVec3,
    inward: DVec3,
}

impl HalfSpace {
    /// From a point of its boundary and the direction of what is kept. `None` without a direction or where a number is not
    /// finite.
    pub fn new(point: DVec3, inward: DVec3) -> Option<HalfSpace> {
        let sound = point.is_finite();
        unit(inward).filter(|_| sound).map(|inward| HalfSpace { point, inward })
    }

    /// All below a height, as in a plan.
    pub fn below(height: f64) -> Option<HalfSpace> {
        HalfSpace::new(DVec3::new(0.0, 0.0, height), DVec3::NEG_Z)
    }

    /// The six sides of a box; nothing for an empty one.
    pub fn inside(bounds: &Bounds) -> Vec<HalfSpace> {
        if bounds.is_empty() {
            return Vec::new();
        }
        DVec3::AXES
            .into_iter()
            .flat_map(|axis| [HalfSpace::new(bounds.min, axis), HalfSpace::new(bounds.max, -axis)])
            .flatten()
            .collect()
    }

    /// A point of its boundary.
    pub(super) fn point(&self) -> DVec3 {
        self.point
    }

    /// The direction of what is kept.
    pub(super) fn inward(&self) -> DVec3 {
        self.inward
    }

    /// Returns the distance at which a point lies inside, in metres.
    pub(super) fn depth(&self, p: DVec3) -> f64 {
        (p - self.point).dot(self.inward)
    }
}
