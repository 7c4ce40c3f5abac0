//! Distances of two places, each an element or a point, with the two points between which they are measured.

use geometry::query::{Element, Kind, Rules, interference};
use geometry::{Bounds, Mesh};
use glam::DVec3;
use ifc::Id;
use std::sync::Arc;

/// An element or a point, in metres of the world.
#[derive(Debug, Clone)]
pub enum Place {
    /// A point.
    Point(DVec3),
    /// An element by its triangles.
    Body(Arc<Element>),
}

/// A distance in metres, and the points between which it lies, the first place's first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The distance.
    pub metres: f64,
    /// Its two ends.
    pub points: [DVec3; 2],
}

/// The relation in which two places stand to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing {
    /// Neither meets the other.
    Apart,
    /// Their surfaces meet, with the area that lies on each other in m².
    Touching(f64),
    /// They share space, to a depth in metres.
    Overlapping(f64),
    /// Both are the same shape at the same place.
    Same,
    /// The first lies in the second.
    Inside,
    /// The second lies in the first.
    Contains,
}

/// A number that no element of a file has: of a body that stands for a point.
const NOBODY: Id = Id(u32::MAX);

impl Place {
    /// The box around it.
    pub fn bounds(&self) -> Bounds {
        match self {
            Place::Point(p) => Bounds::from_points([*p]),
            Place::Body(element) => element.bounds(),
        }
    }

    /// The middle: the point itself, or the middle of the box around the element.
    pub fn middle(&self) -> DVec3 {
        self.bounds().centre()
    }

    /// The place as triangles; a point is one without extent.
    fn body(&self) -> Arc<Element> {
        match self {
            Place::Body(element) => Arc::clone(element),
            Place::Point(p) => {
                let mesh = Mesh { positions: vec![*p], normals: Vec::new(), triangles: vec![[0, 0, 0]] };
                Arc::new(Element::new(NOBODY, mesh))
            }
        }
    }
}

/// Returns the least distance in space: 0 where the places share a point, also where one lies inside the solid other. `None` where
/// one has no triangle.
pub fn shortest(a: &Place, b: &Place) -> Option<Measured> {
    match (a, b) {
        (Place::Point(p), Place::Point(q)) => Some(between(*p, *q)),
        (Place::Point(p), Place::Body(e)) => to_body(*p, e),
        (Place::Body(e), Place::Point(p)) => {
            let found = to_body(*p, e)?;
            Some(Measured { points: [found.points[1], found.points[0]], ..found })
        }
        (Place::Body(e), Place::Body(f)) => {
            let found = e.distance(f, f64::INFINITY)?;
            let first = |of: &Element| of.mesh().positions.first().copied();
            let inner = match (first(e), first(f)) {
                _ if found.metres == 0.0 => None,
                (Some(p), _) if f.is_solid() && f.contains(p) => Some(p),
                (_, Some(q)) if e.is_solid() && e.contains(q) => Some(q),
                _ => None,
            };
            Some(inner.map_or(Measured { metres: found.metres, points: found.points }, |p| between(p, p)))
        }
    }
}

/// Returns the distance of the two middles: of elements that of the boxes around them.
pub fn centre(a: &Place, b: &Place) -> Measured {
    between(a.middle(), b.middle())
}

/// Returns the least distance in plan, of the shadows on the ground: 0 where one lies above the other. The points have the heights of the
/// places where they are nearest.
pub fn horizontal(a: &Place, b: &Place) -> Option<Measured> {
    let (a, b) = (a.body(), b.body());
    let found = a.plan_distance(&b, f64::INFINITY)?;
    Some(Measured { metres: found.metres, points: found.points })
}

/// Returns the height between the top of the lower place and the foot of the higher one: 0 where they share a level. The points are
/// those heights over the place where both are nearest in plan.
pub fn vertical(a: &Place, b: &Place) -> Option<Measured> {
    let (low, high) = (a.bounds(), b.bounds());
    let plan = horizontal(a, b)?;
    let heights = if high.min.z >= low.max.z {
        [low.max.z, high.min.z]
    } else if low.min.z >= high.max.z {
        [low.min.z, high.max.z]
    } else {
        [low.min.z.max(high.min.z); 2]
    };
    let [p, q] = plan.points;
    let points = [p.with_z(heights[0]), q.with_z(heights[1])];
    Some(Measured { metres: (heights[1] - heights[0]).abs(), points })
}

/// Returns how two places stand to each other, surfaces no farther apart than `tolerance` metres taken to touch.
pub fn standing(a: &Place, b: &Place, tolerance: f64) -> Standing {
    let near = |p: DVec3, e: &Element| e.nearest_surface_point(p, tolerance).is_some();
    match (a, b) {
        (Place::Point(p), Place::Point(q)) if p.distance(*q) <= tolerance => Standing::Same,
        (Place::Point(p), Place::Body(e)) | (Place::Body(e), Place::Point(p)) if near(*p, e) => {
            Standing::Touching(0.0)
        }
        (Place::Point(p), Place::Body(e)) if e.contains(*p) => Standing::Inside,
        (Place::Body(e), Place::Point(p)) if e.contains(*p) => Standing::Contains,
        (Place::Body(e), Place::Body(f)) => {
            let rules = Rules { tolerance, touching: true, ..Rules::default() };
            match interference(e, f, &rules).map(|found| found.kind) {
                None | Some(Kind::Clearance { .. }) => Standing::Apart,
                Some(Kind::Touching { area }) => Standing::Touching(area),
                Some(Kind::Hard { depth, .. }) => Standing::Overlapping(depth),
                Some(Kind::Duplicate { .. }) => Standing::Same,
                Some(Kind::Inside { .. }) => Standing::Inside,
                Some(Kind::Contains { .. }) => Standing::Contains,
            }
        }
        _ => Standing::Apart,
    }
}

fn between(p: DVec3, q: DVec3) -> Measured {
    Measured { metres: p.distance(q), points: [p, q] }
}

/// From a point to an element; 0 for a point inside a solid.
fn to_body(p: DVec3, e: &Element) -> Option<Measured> {
    if e.contains(p) {
        return Some(between(p, p));
    }
    let (metres, q) = e.nearest_surface_point(p, f64::INFINITY)?;
    Some(Measured { metres, points: [p, q] })
}
