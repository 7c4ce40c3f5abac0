//! Upright boxes turned in plan, such as the floor in front of a door, and the part of a body that lies in one.

use geometry::Bounds;
use geometry::query::Element;
use glam::{DVec2, DVec3};

/// An upright box: from `low` to `high` along its own axes, counted from its origin, in metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prism {
    pub(super) origin: DVec3,
    /// The direction of its x axis in plan, at length one.
    pub(super) along: DVec2,
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

impl Prism {
    /// A point of the world in its own coordinates.
    fn local(&self, p: DVec3) -> DVec3 {
        let d = p - self.origin;
        let flat = d.truncate();
        DVec3::new(flat.dot(self.along), flat.dot(self.along.perp()), d.z)
    }

    /// A point of its own in the world.
    pub(super) fn world(&self, p: DVec3) -> DVec3 {
        self.origin + (self.along * p.x + self.along.perp() * p.y).extend(p.z)
    }

    /// The box around it along the axes of the world.
    pub(super) fn bounds(&self) -> Bounds {
        let own = Bounds { min: self.low, max: self.high };
        Bounds::from_points(own.corners().map(|p| self.world(p)))
    }

    /// The box, in its own coordinates, around the part of a body that lies in it; `None` where none does. Of what wholly encloses it, all of it.
    pub(super) fn part(&self, element: &Element) -> Option<Bounds> {
        if !element.bounds().meets(&self.bounds(), 0.0) {
            return None;
        }
        let mesh = element.mesh();
        let mut found = Bounds::EMPTY;
        for corners in &mesh.triangles {
            let at = |i: u32| mesh.positions.get(i as usize).map(|p| self.local(*p));
            let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else {
                continue;
            };
            let (min, max) = (a.min(b).min(c), a.max(b).max(c));
            if min.cmpge(self.high).any() || max.cmple(self.low).any() {
                continue;
            }
            for p in self.clipped(vec![a, b, c]) {
                found.add(p);
            }
        }
        if !found.is_empty() {
            return Some(found);
        }
        let middle = self.world((self.low + self.high) * 0.5);
        element.contains(middle).then_some(Bounds { min: self.low, max: self.high })
    }

    /// The part of a convex polygon, in its own coordinates, that lies in it (Sutherland and Hodgman 1974).
    fn clipped(&self, mut points: Vec<DVec3>) -> Vec<DVec3> {
        for axis in 0..3 {
            for (limit, way) in [(self.low[axis], 1.0), (self.high[axis], -1.0)] {
                let over = |p: &DVec3| (p[axis] - limit) * way;
                let mut kept = Vec::with_capacity(points.len() + 1);
                for (p, q) in points.iter().zip(points.iter().cycle().skip(1)) {
                    let (hp, hq) = (over(p), over(q));
                    if hp >= 0.0 {
                        kept.push(*p);
                    }
                    if (hp < 0.0) != (hq < 0.0) {
                        kept.push(*p + (*q - *p) * (hp / (hp - hq)));
                    }
                }
                points = kept;
            }
        }
        points
    }
}
