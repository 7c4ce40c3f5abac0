//! Operations on affine maps that placements need beyond those of [`glam`]: directions of length one, maps back, angles.

use glam::{DAffine3, DVec3};

/// Returns the vector at length one, or `None` where it has no direction: where it is not longer than 1e-12, or not finite.
pub fn unit(vector: DVec3) -> Option<DVec3> {
    let length = vector.length();
    (length.is_finite() && length > 1e-12).then(|| vector * (1.0 / length))
}

/// Returns the map back, or `None` if this one flattens space.
pub fn inverse(map: &DAffine3) -> Option<DAffine3> {
    map.matrix3.determinant().is_normal().then(|| map.inverse())
}

/// Returns the angles in radians about x, then y, then z that turn the world's axes into those of the map, whatever its scale.
pub fn rotation(map: &DAffine3) -> [f64; 3] {
    let [x, y, z] = [map.x_axis, map.y_axis, map.z_axis].map(|axis| unit(axis).unwrap_or(axis));
    let about_y = -x.z.clamp(-1.0, 1.0).asin();
    let cos = about_y.cos();
    [(y.z / cos).atan2(z.z / cos), about_y, (x.y / cos).atan2(x.x / cos)]
}
