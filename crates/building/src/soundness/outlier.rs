//! Elements far from the building: the place where most of a building stands, and how far from it is too far.

use geometry::Bounds;
use glam::DVec3;
use ifc::{Id, Model};

/// Fewer elements have no building among them.
const FEWEST: usize = 10;
/// An element is far off beyond so many times the radius in which nine tenths of all stand.
const TIMES: f64 = 10.0;
/// Nothing nearer than this is far off, in metres.
pub const NEAREST: f64 = 100.0;
/// Classes of elements that reach or lie far out.
const OUTSIDE: [&str; 2] = ["IfcGeographicElement", "IfcCivilElement"];
/// Classes of what is no element and does so.
const PLACES: [&str; 2] = ["IfcSpatialElement", "IfcSite"];

/// The place where most elements of a building stand, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Site {
    /// The median of the middles along each axis.
    pub middle: DVec3,
    /// The farthest that an element stands from there.
    pub limit: f64,
}

impl Site {
    /// Finds the place from the boxes of elements; none where there are too few to have one.
    pub fn from_boxes(boxes: &[Bounds]) -> Option<Self> {
        let middles: Vec<DVec3> = boxes.iter().map(Bounds::centre).filter(|p| p.is_finite()).collect();
        if middles.len() < FEWEST {
            return None;
        }
        let median = |axis: usize| {
            let mut all: Vec<f64> = middles.iter().map(|p| p[axis]).collect();
            let at = all.len() / 2;
            *all.select_nth_unstable_by(at, f64::total_cmp).1
        };
        let middle = DVec3::new(median(0), median(1), median(2));
        let mut radii: Vec<f64> = middles.iter().map(|p| p.distance(middle)).collect();
        let at = (radii.len() - 1) * 9 / 10;
        let radius = *radii.select_nth_unstable_by(at, f64::total_cmp).1;
        Some(Self { middle, limit: (TIMES * radius).max(NEAREST) })
    }

    /// The distance of an element from there in metres, where that is too far.
    pub fn too_far(&self, bounds: &Bounds) -> Option<f64> {
        let off = bounds.centre().distance(self.middle);
        (off - bounds.size().length() / 2.0 > self.limit).then_some(off)
    }
}

/// Returns true of an element that should stand at the building.
pub fn belongs(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|e| !OUTSIDE.iter().chain(&PLACES).any(|class| e.is_a(class)))
}

/// Returns true if every element should stand at the building, so that none need be asked.
pub fn all_belong(model: &Model) -> bool {
    !OUTSIDE.iter().any(|class| model.schema().entity(class).is_some() && model.has_class(class))
}
