//! Prisms of which the parts are known: for the program as the mesh of an extruded outline, for the test as convex pieces.

use super::convex::Convex;
use crate::{mesh::Mesh, query::tests::moved, region::Area, solid::Solid};
use glam::{DAffine3, DMat3, DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// A prism over an outline, moved. Metres.
#[derive(Debug, Clone)]
pub(super) struct Body {
    outline: Vec<DVec2>,
    hole: Vec<DVec2>,
    /// Convex pieces that make up the outline less the hole.
    pieces: Vec<Vec<DVec2>>,
    foot: f64,
    top: f64,
    at: DAffine3,
}

/// The corners of a rectangle, counter-clockwise.
fn rectangle(min: DVec2, max: DVec2) -> Vec<DVec2> {
    vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
}

/// The corners of a regular polygon about the origin, with a side that is level at the bottom.
fn regular(sides: usize, radius: f64) -> Vec<DVec2> {
    let corner = |i: usize| {
        let angle = TAU * (i as f64 + 0.5) / sides as f64 - PI / 2.0;
        DVec2::new(angle.cos(), angle.sin()) * radius
    };
    (0..sides).map(corner).collect()
}

/// The area of a regular polygon.
pub(super) fn section(sides: usize, radius: f64) -> f64 {
    0.5 * radius * radius * (TAU / sides as f64).sin() * sides as f64
}

/// The width of a regular polygon with an even number of sides, from side to side.
pub(super) fn width(sides: usize, radius: f64) -> f64 {
    2.0 * radius * (PI / sides as f64).cos()
}

impl Body {
    fn new(outline: Vec<DVec2>, pieces: Vec<Vec<DVec2>>, [foot, top]: [f64; 2]) -> Body {
        Body { outline, hole: Vec::new(), pieces, foot, top, at: DAffine3::IDENTITY }
    }

    /// A box between two corners.
    pub(super) fn cuboid(min: DVec3, max: DVec3) -> Body {
        let outline = rectangle(min.truncate(), max.truncate());
        Body::new(outline.clone(), vec![outline], [min.z, max.z])
    }

    /// A round bar about z, as a prism of so many sides.
    pub(super) fn bar(sides: usize, radius: f64, levels: [f64; 2]) -> Body {
        let outline = regular(sides, radius);
        Body::new(outline.clone(), vec![outline], levels)
    }

    /// An L of two legs from the origin along x and y, each so wide.
    pub(super) fn angle(legs: DVec2, wide: f64, levels: [f64; 2]) -> Body {
        let DVec2 { x, y } = legs;
        let outline = [[0.0, 0.0], [x, 0.0], [x, wide], [wide, wide], [wide, y], [0.0, y]].map(DVec2::from);
        let low = rectangle(DVec2::ZERO, DVec2::new(x, wide));
        let high = rectangle(DVec2::new(0.0, wide), DVec2::new(wide, y));
        Body::new(outline.to_vec(), vec![low, high], levels)
    }

    /// A U that is open upwards: a web of the width along x and two flanges along y, all so thick.
    pub(super) fn channel(size: DVec2, thick: f64, levels: [f64; 2]) -> Body {
        let (DVec2 { x, y }, t) = (size, thick);
        let corners = [[0.0, 0.0], [x, 0.0], [x, y], [x - t, y], [x - t, t], [t, t], [t, y], [0.0, y]];
        let web = rectangle(DVec2::ZERO, DVec2::new(x, t));
        let flange = |from: f64| rectangle(DVec2::new(from, t), DVec2::new(from + t, y));
        let pieces = vec![web, flange(0.0), flange(x - t)];
        Body::new(corners.map(DVec2::from).to_vec(), pieces, levels)
    }

    /// A sleeve about z: a regular polygon less a smaller one of as many sides.
    pub(super) fn sleeve(sides: usize, [outer, inner]: [f64; 2], levels: [f64; 2]) -> Body {
        let (outline, hole) = (regular(sides, outer), regular(sides, inner));
        let piece = |i: usize| {
            let j = (i + 1) % sides;
            vec![outline[i], outline[j], hole[j], hole[i]]
        };
        let pieces = (0..sides).map(piece).collect();
        Body { hole, ..Body::new(outline, pieces, levels) }
    }

    /// The body moved.
    pub(super) fn moved(mut self, by: &DAffine3) -> Body {
        self.at = *by * self.at;
        self
    }

    /// The body with z along x, and x along y.
    pub(super) fn lying(self) -> Body {
        self.moved(&DAffine3::from_mat3(DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X)))
    }

    /// The body with another corner as the first of its outline, so that it is cut into other triangles.
    pub(super) fn rotated_outline(mut self) -> Body {
        self.outline.rotate_left(1);
        self
    }

    /// The mesh in the world.
    pub(super) fn mesh(&self, world: &DAffine3) -> Mesh {
        let holes = if self.hole.is_empty() { Vec::new() } else { vec![self.hole.clone()] };
        let area = Area::new(self.outline.clone(), holes);
        let foot = DAffine3::from_translation(DVec3::new(0.0, 0.0, self.foot));
        let solid = Solid::extrusion(&area, &foot, DVec3::Z, self.top - self.foot).unwrap();
        moved(&solid.mesh(), &(*world * self.at))
    }

    /// The convex pieces.
    pub(super) fn convexes(&self) -> Vec<Convex> {
        self.pieces.iter().map(|piece| self.convex(piece)).collect()
    }

    fn convex(&self, piece: &[DVec2]) -> Convex {
        let lift = |z: f64| move |p: &DVec2| self.at.transform_point3(p.extend(z));
        let low: Vec<DVec3> = piece.iter().map(lift(self.foot)).collect();
        let high: Vec<DVec3> = piece.iter().map(lift(self.top)).collect();
        let side = |i: usize| {
            let j = (i + 1) % piece.len();
            vec![low[i], low[j], high[j], high[i]]
        };
        let mut faces: Vec<Vec<DVec3>> = (0..piece.len()).map(side).collect();
        faces.push(low.iter().rev().copied().collect());
        faces.push(high);
        Convex::new(faces)
    }

    /// The volume that two bodies share: the sum over their pieces.
    pub(super) fn shared_volume(&self, other: &Body) -> f64 {
        let others = other.convexes();
        let own = self.convexes();
        own.iter().flat_map(|a| others.iter().map(|b| a.shared(b).volume())).sum()
    }
}
