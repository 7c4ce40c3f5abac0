//! Whatever two sets of faces are, open, inside out, crossing themselves, at nought or at infinity, what is combined of them is a
//! closed body or refused, within the time allowed.
//!
//! A set of faces is written as a small program: blocks, prisms, balls and loose triangles, and what spoils them.

use geometry::csg::{self, Op};
use geometry::cutter::{self, Cutter};
use geometry::math::orthonormal;
use geometry::prism::Prism;
use geometry::region::Area;
use geometry::{Bounds, Face, Solid};
use glam::{DAffine3, DVec3};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Steps of one body's program, so that an input's cost is bounded.
const STEPS: usize = 24;

/// Values that arithmetic trips over, for the highest bytes; the others are eighths of a metre.
const ODD: [f64; 16] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    1e300,
    -1e300,
    1e-300,
    1e9,
    -9.9e8,
    1e5,
    1e-5,
    4e-6,
    -1.1e-5,
    1.000_001,
    0.1,
    1.0 / 3.0,
    1e-9,
];

struct Program<'b>(&'b [u8]);

impl Program<'_> {
    /// The next byte; noughts beyond the end.
    fn byte(&mut self) -> usize {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        usize::from(*first)
    }

    fn value(&mut self) -> f64 {
        let byte = self.byte();
        byte.checked_sub(240).map_or((byte as f64 - 120.0) / 8.0, |i| ODD[i % ODD.len()])
    }

    fn point(&mut self) -> DVec3 {
        [0; 3].map(|_| self.value()).into()
    }

    fn body(&mut self) -> Solid {
        let mut faces: Vec<Face> = Vec::new();
        for _ in 0..STEPS {
            match self.byte() % 10 {
                0 => break,
                1 => faces.extend(block(self.point(), self.point())),
                2 => {
                    let count = 3 + self.byte() % 8;
                    let outer = (0..count).map(|_| glam::DVec2::new(self.value(), self.value())).collect();
                    let base =
                        DAffine3 { translation: DVec3::new(0.0, 0.0, self.value()), ..DAffine3::IDENTITY };
                    let depth = self.value();
                    let made = Solid::extrusion(&Area::new(outer, Vec::new()), &base, DVec3::Z, depth);
                    faces.extend(made.into_iter().flat_map(|s| s.faces));
                }
                3 => faces.push(Face { loops: vec![vec![self.point(), self.point(), self.point()]] }),
                4 => {
                    let i = self.byte();
                    if !faces.is_empty() {
                        faces.swap_remove(i % faces.len());
                    }
                }
                5 => {
                    let i = self.byte() % faces.len().max(1);
                    faces.get_mut(i).into_iter().flat_map(|f| &mut f.loops).for_each(|l| l.reverse());
                }
                6 => {
                    let (i, k, p) = (self.byte(), self.byte(), self.point());
                    let count = faces.len().max(1);
                    let loops = faces.get_mut(i % count).into_iter().flat_map(|f| &mut f.loops);
                    loops.filter(|l| !l.is_empty()).for_each(|l| {
                        let n = l.len();
                        l[k % n] = p;
                    });
                }
                7 => faces.extend(ball(4 + self.byte() % 12, self.value(), self.point())),
                8 => {
                    let at = orthonormal(self.point(), self.point(), self.point());
                    faces = Solid::new(faces, true).moved(&at).faces;
                }
                _ => {
                    let i = self.byte() % faces.len().max(1);
                    faces.extend(faces.get(i).cloned());
                }
            }
        }
        Solid::new(faces, true)
    }
}

/// A block, inside out where an odd number of its sides is negative.
fn block(min: DVec3, max: DVec3) -> Vec<Face> {
    Solid::cuboid(&Bounds { min, max }, &DAffine3::IDENTITY).map_or_else(Vec::new, |s| s.faces)
}

/// Triangles between rings of `around` points.
fn ball(around: usize, radius: f64, centre: DVec3) -> Vec<Face> {
    let up = around / 2;
    let point = |i: usize, k: usize| -> DVec3 {
        let (a, b) = (TAU * (i % around) as f64 / around as f64, TAU / 2.0 * (k as f64 / up as f64 - 0.5));
        let ring = if k == 0 || k == up { 0.0 } else { b.cos() };
        let unit = DVec3::new(ring * a.cos(), ring * a.sin(), b.sin());
        centre + radius * unit
    };
    let triangle = |l: [DVec3; 3]| Face { loops: vec![l.to_vec()] };
    let pairs = (0..up).flat_map(|k| (0..around).map(move |i| (k, i)));
    let quads = pairs.flat_map(|(k, i)| {
        let [a, b, c, d] = [point(i, k), point(i + 1, k), point(i + 1, k + 1), point(i, k + 1)];
        [(k > 0).then(|| triangle([a, b, c])), (k + 1 < up).then(|| triangle([a, c, d]))]
    });
    quads.flatten().collect()
}

/// By how much a body's triangles do not close, in square metres.
fn missing(solid: &Solid) -> f64 {
    let measures = solid.mesh().measures();
    measures.open * measures.area
}

/// The result of a boolean is made of numbers and encloses what it says.
fn sound(solid: &Solid) {
    assert!(solid.points().all(DVec3::is_finite));
    let measures = solid.mesh().measures();
    // corners nearer than a hundredth of a millimetre count as one: a face of that size may be there or not
    let missing = missing(solid);
    assert!(missing <= 1e-4 * measures.area + 1e-10, "open by {missing} of {} m²", measures.area);
    assert!(measures.volume > -1e-5 * (1.0 + measures.area), "{} m³", measures.volume);
}

/// One input.
pub fn run(bytes: &[u8]) {
    let mut program = Program(bytes);
    let (a, b) = (program.body(), program.body());
    // a part that the other does not meet stays what it is, also where its polygons cross themselves
    let [whole_a, whole_b] = [&a, &b].map(|body| csg::watertight(body).is_ok() && missing(body) <= 1e-9);
    for op in [Op::Union, Op::Difference, Op::Intersection] {
        if let Ok(solid) = csg::combine(&a, &b, op)
            && whole_a
            && whole_b
        {
            sound(&solid);
        }
    }
    if let Ok(volume) = csg::shared_volume(&a.mesh(), &b.mesh()) {
        assert!(volume.is_finite() && volume >= 0.0);
    }
    for body in [&a, &b] {
        if let Ok(found) = csg::shells(body) {
            let count = found.points.len() as u32;
            let faces = found.shells.iter().flat_map(|s| s.outer.iter().chain(s.hollows.iter().flatten()));
            assert!(faces.flatten().flatten().all(|i| *i < count));
        }
    }
    let mut cutters = vec![Cutter::Body(Arc::new(b.clone())), Cutter::AllBut(Arc::new(b.clone()))];
    cutters.extend(Prism::of_solid(&b).into_iter().flatten().map(Cutter::Prism));
    // what no cutter meets comes back as it was given, whatever it is made of
    let given = a.points().all(DVec3::is_finite);
    for cutter in cutters {
        if let Some(left) = cutter::cut(&a, &[cutter]).left.filter(|_| given) {
            assert!(left.points().all(DVec3::is_finite));
        }
    }
}
