//! Where instances stand.

use crate::math::{Frame, P3, cross, dot, length, scale};

/// Where an instanced mesh stands: scaled, turned, moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    pub(super) translation: P3,
    /// Unit quaternion, (x, y, z, w).
    pub(super) rotation: [f64; 4],
    pub(super) scale: P3,
    pub(super) feature: u16,
}

impl Place {
    /// A map as scaling, rotation and translation; `None` where it shears or flattens.
    pub fn from_map(map: &Frame, feature: u16) -> Option<Place> {
        let axes = [map.x, map.y, map.z];
        let mut sizes = axes.map(length);
        if sizes.iter().any(|s| *s < 1e-9) {
            return None;
        }
        let mut unit = [0, 1, 2].map(|i: usize| scale(axes[i], 1.0 / sizes[i]));
        let leans = |a: P3, b: P3| dot(a, b).abs() > 1e-6;
        if leans(unit[0], unit[1]) || leans(unit[1], unit[2]) || leans(unit[2], unit[0]) {
            return None;
        }
        if dot(unit[0], cross(unit[1], unit[2])) < 0.0 {
            // a mirror: one direction runs backwards
            sizes[0] = -sizes[0];
            unit[0] = scale(unit[0], -1.0);
        }
        Some(Place { translation: map.o, rotation: quaternion(unit), scale: sizes, feature })
    }

    /// A vector as the rotation turns it.
    pub(super) fn turned(&self, v: P3) -> P3 {
        let [x, y, z, w] = self.rotation;
        let (axis, t) = ([x, y, z], cross([x, y, z], v));
        let u = cross(axis, t);
        [0, 1, 2].map(|i: usize| v[i] + 2.0 * (w * t[i] + u[i]))
    }
}

/// The rotation with these columns (Shepperd's method: the largest component first).
fn quaternion([x, y, z]: [P3; 3]) -> [f64; 4] {
    let trace = x[0] + y[1] + z[2];
    let q = if trace > 0.0 {
        let s = (trace + 1.0).sqrt() * 2.0;
        [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4.0]
    } else if x[0] > y[1] && x[0] > z[2] {
        let s = (1.0 + x[0] - y[1] - z[2]).sqrt() * 2.0;
        [s / 4.0, (x[1] + y[0]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s]
    } else if y[1] > z[2] {
        let s = (1.0 + y[1] - x[0] - z[2]).sqrt() * 2.0;
        [(x[1] + y[0]) / s, s / 4.0, (y[2] + z[1]) / s, (z[0] - x[2]) / s]
    } else {
        let s = (1.0 + z[2] - x[0] - y[1]).sqrt() * 2.0;
        [(z[0] + x[2]) / s, (y[2] + z[1]) / s, s / 4.0, (x[1] - y[0]) / s]
    };
    let size = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    q.map(|v| v / size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{add, sub};

    fn agrees(map: &Frame) {
        let place = Place::from_map(map, 0).unwrap();
        for p in [[1.0, 2.0, 3.0], [-4.0, 0.5, 7.0], [0.0, 0.0, -1.0]] {
            let scaled = [0, 1, 2].map(|i: usize| p[i] * place.scale[i]);
            let found = add(place.turned(scaled), place.translation);
            assert!(length(sub(found, map.point(p))) < 1e-9, "{map:?} brings {p:?} to {found:?}");
        }
    }

    #[test]
    fn a_place_is_its_map() {
        let turned = Frame::from_axes([5.0, -6.0, 7.0], [0.3, -0.9, 0.2], [1.0, 1.0, 0.0]);
        agrees(&Frame::IDENTITY);
        agrees(&turned);
        agrees(&Frame { x: scale(turned.x, 2.0), y: scale(turned.y, 0.1), ..turned });
        agrees(&Frame { y: scale(turned.y, -1.5), ..turned });
        // half turns, where the quaternion's last part is nought
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let flip = |v: P3| sub(scale(axis, 2.0 * dot(axis, v)), v);
            agrees(&Frame {
                x: flip([1.0, 0.0, 0.0]),
                y: flip([0.0, 1.0, 0.0]),
                z: flip([0.0, 0.0, 1.0]),
                o: [0.0; 3],
            });
        }
    }

    #[test]
    fn what_shears_or_flattens_has_no_place() {
        let lean = Frame { y: [0.5, 1.0, 0.0], ..Frame::IDENTITY };
        assert_eq!(Place::from_map(&lean, 0), None);
        assert_eq!(Place::from_map(&Frame { z: [0.0; 3], ..Frame::IDENTITY }, 0), None);
    }
}
