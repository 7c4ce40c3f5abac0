//! Shapes of one element in two versions held against each other: the same, moved, or another.
//!
//! Points are compared as sets, so that the order in which a program wrote them does not matter.

use geometry::Mesh;
use glam::{DAffine3, DVec3};
use ifc::placement::unit;
use std::collections::HashMap;

/// Points nearer to each other than this, in metres, are one.
const SAME: f64 = 2e-4;
/// The share by which surfaces may differ.
const SAME_AREA: f64 = 1e-4;

/// The relation of two shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Relation {
    /// The same points.
    Same,
    /// The same points, elsewhere.
    Moved(DAffine3),
    /// Other points.
    Other,
}

/// Compares two shapes; `rigid` is the map that the element's placement suggests.
pub(super) fn relation(before: &Mesh, after: &Mesh, rigid: Option<DAffine3>) -> Relation {
    let (old, new) = (before.measures(), after.measures());
    if (old.area - new.area).abs() > SAME_AREA * old.area.max(new.area).max(1e-6) {
        return Relation::Other;
    }
    if old.bounds.is_empty() || new.bounds.is_empty() {
        return if old.bounds.is_empty() && new.bounds.is_empty() { Relation::Same } else { Relation::Other };
    }
    let target = Points::new(&after.positions);
    let is_mapped = |map: &DAffine3| {
        let mapped: Vec<DVec3> = before.positions.iter().map(|p| map.transform_point3(*p)).collect();
        target.hold(&mapped) && Points::new(&mapped).hold(&after.positions)
    };
    if is_mapped(&DAffine3::IDENTITY) {
        return Relation::Same;
    }
    let shift = DAffine3::from_translation(new.bounds.min - old.bounds.min);
    let found = [Some(shift), rigid.filter(geometry::math::is_rigid)].into_iter().flatten().find(is_mapped);
    found.map_or(Relation::Other, Relation::Moved)
}

/// Points found by place.
struct Points {
    cells: HashMap<[i64; 3], Vec<DVec3>>,
}

/// The side of a cell in metres.
const CELL: f64 = 4.0 * SAME;

fn cell(p: DVec3) -> [i64; 3] {
    [p.x, p.y, p.z].map(|v| (v / CELL).floor() as i64)
}

impl Points {
    fn new(points: &[DVec3]) -> Points {
        let mut cells: HashMap<[i64; 3], Vec<DVec3>> = HashMap::with_capacity(points.len());
        for point in points {
            let own = cells.entry(cell(*point)).or_default();
            // corners of faces that meet are one
            if !own.contains(point) {
                own.push(*point);
            }
        }
        Points { cells }
    }

    /// Returns true if each of some points is one of these.
    fn hold(&self, points: &[DVec3]) -> bool {
        points.iter().all(|p| {
            let (low, high) = (cell(*p - SAME), cell(*p + SAME));
            (low[0]..=high[0]).any(|x| {
                (low[1]..=high[1]).any(|y| {
                    (low[2]..=high[2]).any(|z| {
                        let near = self.cells.get(&[x, y, z]);
                        near.is_some_and(|near| near.iter().any(|q| q.distance_squared(*p) < SAME * SAME))
                    })
                })
            })
        })
    }
}

/// The angle in degrees that a rigid map turns by.
pub(super) fn turn(map: &DAffine3) -> f64 {
    let [x, y, z] = [map.x_axis, map.y_axis, map.z_axis];
    let (Some(x), Some(y), Some(z)) = (unit(x), unit(y), unit(z)) else { return 0.0 };
    ((x.x + y.y + z.z - 1.0) / 2.0).clamp(-1.0, 1.0).acos().to_degrees()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(corners: [DVec3; 3]) -> Mesh {
        Mesh { positions: corners.to_vec(), normals: vec![DVec3::Z; 3], triangles: vec![[0, 1, 2]] }
    }

    #[test]
    fn the_order_of_points_does_not_matter_and_moves_are_found() {
        let [a, b, c] = [DVec3::ZERO, DVec3::X * 2.0, DVec3::Y];
        let old = mesh([a, b, c]);
        assert_eq!(relation(&old, &mesh([b, c, a]), None), Relation::Same);
        let by = DVec3::new(0.25, -1.0, 3.0);
        let Relation::Moved(map) = relation(&old, &mesh([b + by, c + by, a + by]), None) else { panic!() };
        assert!((map.translation - by).length() < 1e-9 && turn(&map) < 1e-6);
        let turned = DAffine3::from_rotation_z(30_f64.to_radians());
        let at = |p: DVec3| turned.transform_point3(p);
        let new = mesh([at(a), at(b), at(c)]);
        let Relation::Moved(map) = relation(&old, &new, Some(turned)) else { panic!() };
        assert!((turn(&map) - 30.0).abs() < 1e-6);
        assert_eq!(relation(&old, &new, None), Relation::Other);
        assert_eq!(relation(&old, &mesh([a, b, c * 1.01]), None), Relation::Other);
        assert_eq!(relation(&old, &Mesh::default(), None), Relation::Other);
    }
}
