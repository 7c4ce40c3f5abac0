//! Affine maps of space, and the few operations on vectors that they need.

/// An affine map, rows of [x, y, z, translation]: the columns are the axes and the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform(pub [[f64; 4]; 3]);

impl Transform {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// From axes and origin.
    pub fn from_axes(x: [f64; 3], y: [f64; 3], z: [f64; 3], origin: [f64; 3]) -> Self {
        Self([0, 1, 2].map(|row| [at(x, row), at(y, row), at(z, row), at(origin, row)]))
    }

    /// A shift.
    pub fn translation(by: [f64; 3]) -> Self {
        Self::from_axes([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], by)
    }

    /// The map that does `inner` first, then this.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        let [x, y, z, origin] = inner.columns();
        Self::from_axes(
            self.apply_direction(x),
            self.apply_direction(y),
            self.apply_direction(z),
            self.apply(origin),
        )
    }

    /// Where a point goes.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = point;
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }

    /// Where a direction goes: the translation does not count.
    pub fn apply_direction(&self, direction: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = direction;
        self.0.map(|[a, b, c, _]| a * x + b * y + c * z)
    }

    /// The three axes and the origin.
    pub fn columns(&self) -> [[f64; 3]; 4] {
        let [[a, b, c, d], [e, f, g, h], [i, j, k, l]] = self.0;
        [[a, e, i], [b, f, j], [c, g, k], [d, h, l]]
    }

    /// Angles in radians about x, then y, then z that turn the world's axes into these, whatever the scale.
    pub fn rotation(&self) -> [f64; 3] {
        let [x, y, z, _] = self.columns();
        let [[xx, xy, xz], [_, _, yz], [_, _, zz]] = [x, y, z].map(|axis| unit(axis).unwrap_or(axis));
        let about_y = -xz.clamp(-1.0, 1.0).asin();
        let cos = about_y.cos();
        [(yz / cos).atan2(zz / cos), about_y, (xy / cos).atan2(xx / cos)]
    }

    /// Where the origin goes.
    pub fn origin(&self) -> [f64; 3] {
        let [_, _, _, origin] = self.columns();
        origin
    }

    /// The map back; none if it flattens space.
    pub fn inverse(&self) -> Option<Self> {
        let [x, y, z, origin] = self.columns();
        let determinant = dot(x, cross(y, z));
        if !determinant.is_normal() {
            return None;
        }
        let rows = [cross(y, z), cross(z, x), cross(x, y)].map(|row| scale(row, 1.0 / determinant));
        Some(Self(rows.map(|row| {
            let [a, b, c] = row;
            [a, b, c, -dot(row, origin)]
        })))
    }

    /// The same map with lengths multiplied, such as from the file's unit to mm.
    #[must_use]
    pub fn scaled_origin(&self, factor: f64) -> Self {
        Self(self.0.map(|[a, b, c, d]| [a, b, c, d * factor]))
    }
}

pub(super) fn at(vector: [f64; 3], row: usize) -> f64 {
    vector.get(row).copied().unwrap_or(0.0)
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

pub(super) fn scale(a: [f64; 3], by: f64) -> [f64; 3] {
    a.map(|value| value * by)
}

pub(super) fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length.is_finite() && length > 1e-12).then(|| scale(a, 1.0 / length))
}
