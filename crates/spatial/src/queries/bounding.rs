//! The bounds of an element: the elements whose faces lie on its own, on which side and with which area.

use geometry::query::{Element, Index, contact};
use glam::DVec3;
use ifc::Id;

/// The side of an element that a face is on, by the way that the face looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Side {
    /// Looking up, to 45 degrees.
    Top,
    /// Looking down.
    Bottom,
    /// Upright; the level direction that it looks in, at length one.
    Upright(DVec3),
}

impl Side {
    /// The side of a face by its outward normal.
    pub fn of_normal(normal: DVec3) -> Side {
        let level = DVec3::new(normal.x, normal.y, 0.0);
        match level.length() {
            flat if normal.z > 0.0 && normal.z >= flat => Side::Top,
            flat if normal.z < 0.0 && -normal.z >= flat => Side::Bottom,
            flat => Side::Upright(level / flat.max(f64::MIN_POSITIVE)),
        }
    }

    /// Returns true if both look the same way, upright ones to a degree.
    pub fn is_same(self, other: Side) -> bool {
        match (self, other) {
            (Side::Upright(a), Side::Upright(b)) => a.dot(b) > 0.99985,
            (a, b) => a == b,
        }
    }
}

/// The contact of an element with another on one side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounding {
    /// The other element.
    pub element: Id,
    /// The side of the first element.
    pub side: Side,
    /// The area that lies on each other, in m².
    pub area: f64,
    /// The middle of the largest patch, in metres of the world.
    pub at: DVec3,
}

/// Areas below this, in m², are edges that meet.
const EDGE: f64 = 1e-6;

/// Returns the contacts of an element with those that `wanted` accepts, faces no farther apart than `gap` metres; the largest first.
pub fn bounding(index: &Index, element: &Element, gap: f64, wanted: impl Fn(Id) -> bool) -> Vec<Bounding> {
    let mut found: Vec<Bounding> = Vec::new();
    for (id, _) in index.around(element, gap) {
        let Some(other) = index.get(id).filter(|_| wanted(id)) else { continue };
        let mut own: Vec<(Bounding, f64)> = Vec::new();
        for patch in contact(element, other, gap).patches {
            let (side, area) = (Side::of_normal(patch.frame.z_axis), patch.area.size());
            let outer = &patch.area.outer;
            let middle = outer.iter().sum::<glam::DVec2>() / outer.len().max(1) as f64;
            let at = patch.frame.transform_point3(middle.extend(0.0));
            match own.iter_mut().find(|(known, _)| known.side.is_same(side)) {
                Some((known, largest)) => {
                    known.area += area;
                    if area > *largest {
                        (known.at, *largest) = (at, area);
                    }
                }
                None => own.push((Bounding { element: id, side, area, at }, area)),
            }
        }
        found.extend(own.into_iter().map(|(one, _)| one).filter(|one| one.area > EDGE));
    }
    found.sort_by(|a, b| b.area.total_cmp(&a.area).then(a.element.cmp(&b.element)));
    found
}

/// The area of an element's own faces by side, in m², the largest first.
pub fn faces_by_side(element: &Element) -> Vec<(Side, f64)> {
    let mesh = element.mesh();
    let mut sides: Vec<(Side, f64)> = Vec::new();
    for (number, corners) in mesh.triangles.iter().enumerate() {
        let at = |i: u32| mesh.positions.get(i as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else { continue };
        let Some(normal) = element.normal(number as u32) else { continue };
        let (side, area) = (Side::of_normal(normal), (b - a).cross(c - a).length() / 2.0);
        match sides.iter_mut().find(|(known, _)| known.is_same(side)) {
            Some((_, sum)) => *sum += area,
            None => sides.push((side, area)),
        }
    }
    sides.sort_by(|a, b| b.1.total_cmp(&a.1));
    sides
}
