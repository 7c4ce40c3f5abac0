//! Convex bodies cut by planes: what two of them share, measured in another way than the one under test. Nothing of the crate's
//! own booleans or overlaps is used here.

use glam::DVec3;

/// The body that a face comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    First,
    Second,
}

/// A flat face, its corners counter-clockwise as seen from outside.
#[derive(Debug, Clone)]
pub(super) struct Face {
    pub(super) corners: Vec<DVec3>,
    pub(super) normal: DVec3,
    owner: Owner,
}

/// A convex body by its faces.
#[derive(Debug, Clone)]
pub(super) struct Convex {
    pub(super) faces: Vec<Face>,
}

impl Convex {
    /// Makes a body of the first of two from the corners of its faces.
    pub(super) fn new(faces: Vec<Vec<DVec3>>) -> Convex {
        let face = |corners: Vec<DVec3>| {
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            Face { corners, normal, owner: Owner::First }
        };
        Convex { faces: faces.into_iter().map(face).collect() }
    }

    /// Returns what is left under a plane: Sutherland and Hodgman's clipping of each face, and a face that closes the cut.
    fn cut(&self, plane: &Face) -> Convex {
        let over = |p: DVec3| plane.normal.dot(p - plane.corners[0]);
        let (mut faces, mut rim) = (Vec::new(), Vec::new());
        for face in &self.faces {
            let mut kept = Vec::new();
            let next = face.corners.iter().cycle().skip(1);
            for (&p, &q) in face.corners.iter().zip(next) {
                let (hp, hq) = (over(p), over(q));
                if hp <= 0.0 {
                    kept.push(p);
                }
                if (hp > 0.0) != (hq > 0.0) {
                    let at = p + (q - p) * (hp / (hp - hq));
                    kept.push(at);
                    rim.push(at);
                }
            }
            if kept.len() > 2 {
                faces.push(Face { corners: kept, ..face.clone() });
            }
        }
        if rim.len() > 2 {
            let corners = around(rim, plane.normal);
            faces.push(Face { corners, normal: plane.normal, owner: Owner::Second });
        }
        Convex { faces }
    }

    /// Returns the body shared with another.
    pub(super) fn shared(&self, other: &Convex) -> Convex {
        other.faces.iter().fold(self.clone(), |body, plane| body.cut(plane))
    }

    /// Returns the volume in cubic metres: the sum of the cones over the faces.
    pub(super) fn volume(&self) -> f64 {
        let Some(apex) = self.faces.first().map(|f| f.corners[0]) else { return 0.0 };
        let cone = |f: &Face| {
            let fan = f.corners.windows(2).skip(1);
            let twice = |w: &[DVec3]| (w[0] - f.corners[0]).cross(w[1] - f.corners[0]).dot(f.normal);
            fan.map(twice).sum::<f64>() * f.normal.dot(f.corners[0] - apex) / 6.0
        };
        self.faces.iter().map(cone).sum()
    }

    /// Returns the depth of a penetration whose shared body this is: the least extent square to a face between a corner that the first
    /// bounds and one that the second does; where there is none, the least extent. A corner is bounded by whose three faces meet there,
    /// or by whose one face an edge of the other goes through.
    pub(super) fn depth(&self) -> f64 {
        let corners = self.corners();
        let (mut out, mut through) = (f64::INFINITY, f64::INFINITY);
        for face in &self.faces {
            let heights = corners.iter().map(|(p, owner)| (face.normal.dot(*p - corners[0].0), *owner));
            let low = heights.clone().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            let high = heights.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            through = through.min(high.0 - low.0);
            // the top is the face itself, whose corners may be bounded by either; so is the other end where a face lies across it
            let across = self.faces.iter().find(|other| other.normal.dot(face.normal) < 1e-9 - 1.0);
            if across.map_or(low.1, |other| other.owner) != face.owner {
                out = out.min(high.0 - low.0);
            }
        }
        if out.is_finite() { out } else { through }
    }

    /// The corners, each with whose it is.
    fn corners(&self) -> Vec<(DVec3, Owner)> {
        let mut found: Vec<(DVec3, [usize; 2])> = Vec::new();
        for face in &self.faces {
            for &p in &face.corners {
                let known = found.iter().position(|(q, _)| p.distance(*q) < 1e-9);
                let at = known.unwrap_or_else(|| {
                    found.push((p, [0, 0]));
                    found.len() - 1
                });
                found[at].1[face.owner as usize] += 1;
            }
        }
        let owner = |count: [usize; 2]| match count {
            [3, 0] | [1, 2] => Owner::First,
            [0, 3] | [2, 1] => Owner::Second,
            other => panic!("a corner of {other:?} faces"),
        };
        found.into_iter().map(|(p, count)| (p, owner(count))).collect()
    }
}

/// Points of a convex rim in one plane, counter-clockwise about a direction, each once.
fn around(mut points: Vec<DVec3>, normal: DVec3) -> Vec<DVec3> {
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let x = normal.any_orthonormal_vector();
    let y = normal.cross(x);
    let angle = |p: &DVec3| (*p - middle).dot(y).atan2((*p - middle).dot(x));
    points.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    points.dedup_by(|p, q| p.distance(*q) < 1e-12);
    points
}
