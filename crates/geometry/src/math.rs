//! Points, vectors and affine frames in three dimensions, in metres and `f64`. No building knowledge here.

use serde::{Deserialize, Serialize};

/// A point or vector in a plane, in metres.
pub type P2 = [f64; 2];
/// A point or vector in space, in metres.
pub type P3 = [f64; 3];

/// `a + b`.
pub fn add(a: P3, b: P3) -> P3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`.
pub fn sub(a: P3, b: P3) -> P3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a * s`.
pub fn scale(a: P3, s: f64) -> P3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// The scalar product.
pub fn dot(a: P3, b: P3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
pub fn cross(a: P3, b: P3) -> P3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The Euclidean length.
pub fn length(a: P3) -> f64 {
    dot(a, a).sqrt()
}

/// `a` at length one, or `None` where it has no direction.
pub fn unit(a: P3) -> Option<P3> {
    let l = length(a);
    (l.is_finite() && l > 1e-12).then(|| scale(a, 1.0 / l))
}

/// The vector area of a closed loop (Newell's formula): its direction is the normal, its length the area.
pub fn vector_area(points: &[P3]) -> P3 {
    let Some(&origin) = points.first() else { return [0.0; 3] };
    let mut sum = [0.0; 3];
    for pair in points.windows(2) {
        sum = add(sum, cross(sub(pair[0], origin), sub(pair[1], origin)));
    }
    scale(sum, 0.5)
}

/// The signed area of a closed loop in a plane: positive when counter-clockwise.
pub fn signed_area(points: &[P2]) -> f64 {
    let Some(&[ox, oy]) = points.first() else { return 0.0 };
    points.windows(2).map(|p| (p[0][0] - ox) * (p[1][1] - oy) - (p[1][0] - ox) * (p[0][1] - oy)).sum::<f64>()
        / 2.0
}

/// An affine map: `point(p) = o + p.x·x + p.y·y + p.z·z`. Usually a right-handed orthonormal frame; mapped items may mirror
/// and scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Image of the x direction.
    pub x: P3,
    /// Image of the y direction.
    pub y: P3,
    /// Image of the z direction.
    pub z: P3,
    /// Image of the origin, in metres.
    pub o: P3,
}

impl Frame {
    /// The map that changes nothing.
    pub const IDENTITY: Frame =
        Frame { x: [1.0, 0.0, 0.0], y: [0.0, 1.0, 0.0], z: [0.0, 0.0, 1.0], o: [0.0; 3] };

    /// A right-handed orthonormal frame from an origin, a z direction and a hint for x (made perpendicular to z; a poor
    /// hint is replaced).
    pub fn from_axes(o: P3, z: P3, x: P3) -> Frame {
        let z = unit(z).unwrap_or([0.0, 0.0, 1.0]);
        let x = unit(sub(x, scale(z, dot(x, z)))).unwrap_or_else(|| perpendicular(z));
        Frame { x, y: cross(z, x), z, o }
    }

    /// Maps a point.
    pub fn point(&self, p: P3) -> P3 {
        add(self.o, self.vector(p))
    }

    /// Maps a vector.
    pub fn vector(&self, v: P3) -> P3 {
        let [x, y, z] = [scale(self.x, v[0]), scale(self.y, v[1]), scale(self.z, v[2])];
        add(add(x, y), z)
    }

    /// The map that does `inner` first and then `self`.
    pub fn after(&self, inner: &Frame) -> Frame {
        Frame {
            x: self.vector(inner.x),
            y: self.vector(inner.y),
            z: self.vector(inner.z),
            o: self.point(inner.o),
        }
    }

    /// The factor on volumes; negative for a mirror.
    pub fn determinant(&self) -> f64 {
        dot(self.x, cross(self.y, self.z))
    }

    /// The inverse map, or `None` where it has none.
    pub fn inverse(&self) -> Option<Frame> {
        let det = self.determinant();
        if !det.is_finite() || det.abs() < 1e-18 {
            return None;
        }
        let (a, b, c) = (cross(self.y, self.z), cross(self.z, self.x), cross(self.x, self.y));
        let column = |i: usize| [a[i] / det, b[i] / det, c[i] / det];
        let linear = Frame { x: column(0), y: column(1), z: column(2), o: [0.0; 3] };
        Some(Frame { o: scale(linear.vector(self.o), -1.0), ..linear })
    }

    /// Returns true if lengths and angles are kept (a mirror is allowed).
    pub fn is_rigid(&self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        near(dot(self.x, self.x), 1.0)
            && near(dot(self.y, self.y), 1.0)
            && near(dot(self.z, self.z), 1.0)
            && near(dot(self.x, self.y), 0.0)
            && near(dot(self.y, self.z), 0.0)
            && near(dot(self.z, self.x), 0.0)
    }
}

/// Any unit vector perpendicular to the unit vector `z`.
pub fn perpendicular(z: P3) -> P3 {
    let other = if z[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    unit(sub(other, scale(z, dot(other, z)))).unwrap_or([1.0, 0.0, 0.0])
}

/// An axis-parallel box in space. What unit it is in, the owner says.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lowest coordinates.
    pub min: P3,
    /// Highest coordinates.
    pub max: P3,
}

impl Bounds {
    /// The box that holds nothing.
    pub const EMPTY: Bounds = Bounds { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    /// The box of some points.
    pub fn from_points(points: impl IntoIterator<Item = P3>) -> Bounds {
        points.into_iter().fold(Bounds::EMPTY, Bounds::with)
    }

    /// The box grown to hold a point.
    #[must_use]
    pub fn with(mut self, p: P3) -> Bounds {
        self.add(p);
        self
    }

    /// Grows to hold a point.
    pub fn add(&mut self, p: P3) {
        for (i, &v) in p.iter().enumerate() {
            self.min[i] = self.min[i].min(v);
            self.max[i] = self.max[i].max(v);
        }
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

    /// Returns true if it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.min[0] > self.max[0]
    }

    /// Extents along x, y, z.
    pub fn size(&self) -> P3 {
        sub(self.max, self.min)
    }

    /// The middle.
    pub fn centre(&self) -> P3 {
        scale(add(self.min, self.max), 0.5)
    }

    /// Returns true if the two come nearer than `margin`.
    pub fn meets(&self, other: &Bounds, margin: f64) -> bool {
        (0..3).all(|i| self.min[i] <= other.max[i] + margin && other.min[i] <= self.max[i] + margin)
    }

    /// All coordinates times `factor`.
    pub fn scaled(&self, factor: f64) -> Bounds {
        Bounds { min: scale(self.min, factor), max: scale(self.max, factor) }
    }
}
