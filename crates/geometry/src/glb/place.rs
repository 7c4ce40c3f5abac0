//! Places of instances.

use glam::{DAffine3, DQuat, DVec3};

/// The place of an instanced mesh: scaled, turned, moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
    pub(super) feature: u16,
}

impl Place {
    /// A map as scaling, rotation and translation; `None` where it shears or flattens. A mirror is a scale below nought along x.
    pub fn from_map(map: &DAffine3, feature: u16) -> Option<Place> {
        let axes = [map.x_axis, map.y_axis, map.z_axis];
        let sizes = axes.map(DVec3::length);
        if sizes.iter().any(|s| *s < 1e-9) {
            return None;
        }
        let [x, y, z] = [0, 1, 2].map(|i: usize| axes[i] * (1.0 / sizes[i]));
        let leans = |a: DVec3, b: DVec3| a.dot(b).abs() > 1e-6;
        if leans(x, y) || leans(y, z) || leans(z, x) {
            return None;
        }
        let (scale, rotation, translation) = map.to_scale_rotation_translation();
        Some(Place { translation, rotation, scale, feature })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orthonormal;

    fn agrees(map: &DAffine3) {
        let place = Place::from_map(map, 0).unwrap();
        for p in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-4.0, 0.5, 7.0), DVec3::NEG_Z] {
            let found = place.rotation * (p * place.scale) + place.translation;
            let expect = map.transform_point3(p);
            assert!(found.abs_diff_eq(expect, 1e-9), "{map:?} brings {p:?} to {found:?}");
        }
    }

    #[test]
    fn a_place_is_its_map() {
        let turned =
            orthonormal(DVec3::new(5.0, -6.0, 7.0), DVec3::new(0.3, -0.9, 0.2), DVec3::new(1.0, 1.0, 0.0));
        agrees(&DAffine3::IDENTITY);
        agrees(&turned);
        agrees(&DAffine3::from_cols(
            turned.x_axis * 2.0,
            turned.y_axis * 0.1,
            turned.z_axis,
            turned.translation,
        ));
        agrees(&DAffine3::from_cols(turned.x_axis, turned.y_axis * -1.5, turned.z_axis, turned.translation));
        // half turns, where the quaternion's last part is nought
        for axis in DVec3::AXES {
            let flip = |v: DVec3| axis * (2.0 * axis.dot(v)) - v;
            agrees(&DAffine3::from_cols(flip(DVec3::X), flip(DVec3::Y), flip(DVec3::Z), DVec3::ZERO));
        }
    }

    #[test]
    fn what_shears_or_flattens_has_no_place() {
        let lean = DAffine3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z, DVec3::ZERO);
        assert_eq!(Place::from_map(&lean, 0), None);
        assert_eq!(
            Place::from_map(&DAffine3::from_cols(DVec3::X, DVec3::Y, DVec3::ZERO, DVec3::ZERO), 0),
            None
        );
    }
}
