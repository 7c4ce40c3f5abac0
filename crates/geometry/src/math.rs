//! Operations on vectors, affine maps and planes that shapes need beyond those of [`glam`], in `f64`. No building knowledge here.
//!
//! Points and vectors are [`DVec2`] and [`DVec3`], maps are [`DAffine3`]: usually right-handed orthonormal frames, but mapped items
//! may mirror and scale. Lengths are metres unless a name says otherwise.

use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use serde::{Deserialize, Serialize};

/// Returns the vector area of a closed loop (Newell's formula): its direction is the normal, its length the area.
pub fn vector_area(points: &[DVec3]) -> DVec3 {
    let Some(&origin) = points.first() else { return DVec3::ZERO };
    let mut sum = DVec3::ZERO;
    for pair in points.windows(2) {
        sum += (pair[0] - origin).cross(pair[1] - origin);
    }
    sum * 0.5
}

/// Returns the signed area of a closed loop in a plane: positive when counter-clockwise.
pub fn signed_area(points: &[DVec2]) -> f64 {
    let Some(&origin) = points.first() else { return 0.0 };
    points.windows(2).map(|p| (p[0] - origin).perp_dot(p[1] - origin)).sum::<f64>() / 2.0
}

/// Returns a right-handed orthonormal frame from an origin, a z direction and a hint for x (made perpendicular to z; a poor hint is
/// replaced).
pub fn orthonormal(origin: DVec3, z: DVec3, x: DVec3) -> DAffine3 {
    let z = unit(z).unwrap_or(DVec3::Z);
    let x = unit(x - z * x.dot(z)).unwrap_or_else(|| perpendicular(z));
    DAffine3::from_cols(x, z.cross(x), z, origin)
}

/// Returns the map back, or `None` if this one flattens space or nearly so.
pub fn inverse(map: &DAffine3) -> Option<DAffine3> {
    if map.matrix3.determinant().abs() < 1e-18 { None } else { ifc::placement::inverse(map) }
}

/// Returns true if a map keeps lengths and angles (a mirror is allowed).
pub fn is_rigid(map: &DAffine3) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let [x, y, z] = [map.x_axis, map.y_axis, map.z_axis];
    near(x.dot(x), 1.0)
        && near(y.dot(y), 1.0)
        && near(z.dot(z), 1.0)
        && near(x.dot(y), 0.0)
        && near(y.dot(z), 0.0)
        && near(z.dot(x), 0.0)
}

/// Returns some unit vector perpendicular to the unit vector `z`.
pub fn perpendicular(z: DVec3) -> DVec3 {
    let other = if z.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    unit(other - z * other.dot(z)).unwrap_or(DVec3::X)
}

/// An axis-parallel box in space. Its unit is its owner's to say.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lowest coordinates.
    pub min: DVec3,
    /// Highest coordinates.
    pub max: DVec3,
}

impl Bounds {
    /// The box that holds nothing.
    pub const EMPTY: Bounds = Bounds { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    /// The box of some points.
    #[inline]
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Bounds {
        points.into_iter().fold(Bounds::EMPTY, Bounds::with)
    }

    /// The box grown to hold a point.
    #[must_use]
    #[inline]
    pub fn with(mut self, p: DVec3) -> Bounds {
        self.add(p);
        self
    }

    /// Grows to hold a point.
    #[inline]
    pub fn add(&mut self, p: DVec3) {
        // of the two the point comes first: one that is not a number leaves the box as it is
        self.min = p.min(self.min);
        self.max = p.max(self.max);
    }

    /// The box that holds both.
    pub fn join(&self, other: &Bounds) -> Bounds {
        let mut joined = *self;
        if !other.is_empty() {
            joined.add(other.min);
            joined.add(other.max);
        }
        joined
    }

    /// The eight corners: those of its foot, then those above them.
    pub fn corners(&self) -> impl Iterator<Item = DVec3> + use<> {
        let (low, high) = (self.min, self.max);
        (0..8).map(move |i| DVec3::select(glam::BVec3::new(i & 1 == 0, i & 2 == 0, i & 4 == 0), low, high))
    }

    /// Returns true if it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Extents along x, y, z.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// The middle.
    pub fn centre(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    /// Returns true if the two come nearer than `margin`.
    #[inline]
    pub fn meets(&self, other: &Bounds, margin: f64) -> bool {
        self.min.cmple(other.max + margin).all() && other.min.cmple(self.max + margin).all()
    }

    /// All coordinates times `factor`.
    pub fn scaled(&self, factor: f64) -> Bounds {
        Bounds { min: self.min * factor, max: self.max * factor }
    }
}
