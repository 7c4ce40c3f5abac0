//! Curves as far as placements stand on them: chains of straight pieces, arcs and spirals, followed by their length,
//! with heights on top where they have them, and cant ([`super::cant`]). How they are read from a file is told in
//! [`super::segments`].

use super::cant::Cant;
use super::{inverse, unit};
use glam::{DAffine3, DVec2, DVec3};
use std::f64::consts::TAU;

/// A piece of a curve: it begins at its frame, along the frame's x axis, and bends in the frame's xy plane.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub frame: DAffine3,
    /// May be infinite.
    pub length: f64,
    /// Curvature by the distance from the beginning: coefficients of a polynomial; none for a straight piece, one for an
    /// arc, more for a spiral.
    pub bend: Vec<f64>,
    /// Curvature that comes on top in a spiral of cosine or sine.
    pub wave: Option<Wave>,
}

/// A curvature that swings: its size times the cosine of an angle that grows with the distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave {
    pub size: f64,
    /// The growth of the angle over a unit of length.
    pub pace: f64,
    /// The angle at the beginning.
    pub phase: f64,
}

impl Wave {
    /// The angle by which the direction has turned after a length.
    fn turn(&self, along: f64) -> f64 {
        self.size / self.pace * ((self.phase + self.pace * along).sin() - self.phase.sin())
    }
}

/// A curve with heights and cant, if it has them.
pub(super) struct Curve {
    pub pieces: Vec<Piece>,
    pub heights: Vec<Height>,
    pub cant: Vec<Cant>,
}

/// Heights from a distance on.
pub(super) struct Height {
    pub from: f64,
    pub level: f64,
    pub slope: f64,
    pub shape: Shape,
}

pub(super) enum Shape {
    Straight,
    /// An arc of this curvature, upwards positive.
    Arc(f64),
    /// A polynomial of the parent curve, begun at this argument.
    Polynomial(Vec<f64>, f64),
}

impl Piece {
    pub fn straight(from: DVec3, to: DVec3) -> Option<Self> {
        let run = to - from;
        Some(Self { frame: frame(from, unit(run)?), length: run.length(), bend: Vec::new(), wave: None })
    }

    /// An arc in the plane of a position, from an angle on.
    pub fn arc(position: &DAffine3, radius: f64, start: f64, sweep: f64) -> Option<Self> {
        if !(radius.is_finite() && radius > 0.0 && sweep.is_finite()) {
            return None;
        }
        let turn = if sweep < 0.0 { -1.0 } else { 1.0 };
        let (sin, cos) = start.sin_cos();
        let x = DVec3::new(-sin * turn, cos * turn, 0.0);
        let from = DVec3::new(radius * cos, radius * sin, 0.0);
        let inner = DAffine3::from_cols(x, DVec3::Z.cross(x), DVec3::Z, from);
        let (frame, length) = (position * inner, radius * sweep.abs());
        Some(Self { frame, length, bend: vec![turn / radius], wave: None })
    }

    /// The frame at a distance from the beginning, its x axis along the piece.
    pub fn at(&self, along: f64) -> DAffine3 {
        let (x, y, heading) = match self.bend.as_slice() {
            [] => (along, 0.0, 0.0),
            [bend] if *bend != 0.0 => {
                let heading = bend * along;
                (heading.sin() / bend, (1.0 - heading.cos()) / bend, heading)
            }
            bend => integrate(bend, self.wave, along),
        };
        let (sin, cos) = heading.sin_cos();
        self.frame
            * DAffine3::from_cols(
                DVec3::new(cos, sin, 0.0),
                DVec3::new(-sin, cos, 0.0),
                DVec3::Z,
                DVec3::new(x, y, 0.0),
            )
    }

    /// The curvature at a distance from the beginning, and how fast it grows.
    pub fn curvature(&self, along: f64) -> [f64; 2] {
        let value = self.bend.iter().rev().fold(0.0, |sum, c| sum * along + c);
        let terms = self.bend.iter().enumerate().skip(1).rev();
        let growth = terms.fold(0.0, |sum, (power, c)| sum * along + c * power as f64);
        let swing = self.wave.map_or([0.0; 2], |wave| {
            let (sin, cos) = (wave.phase + wave.pace * along).sin_cos();
            [wave.size * cos, -wave.size * wave.pace * sin]
        });
        [value + swing[0], growth + swing[1]]
    }

    /// Returns the piece moved so far to its left; spirals stay.
    pub fn beside(&self, offset: f64) -> Self {
        let mut moved = self.clone();
        if let [] | [_] = self.bend.as_slice() {
            moved.frame = self.frame * DAffine3::from_translation(DVec3::Y * offset);
        }
        if let [bend] = self.bend.as_slice() {
            let stretch = 1.0 - bend * offset;
            if stretch.abs() > 1e-12 {
                moved.bend = vec![bend / stretch];
                moved.length *= stretch;
            }
        }
        moved
    }

    /// The distance of a point from the beginning, along the piece or the line or circle that it is of.
    pub fn along(&self, point: DVec3) -> f64 {
        let Some(back) = inverse(&self.frame) else { return f64::NAN };
        let DVec3 { x, y, .. } = back.transform_point3(point);
        match self.bend.as_slice() {
            [bend] if *bend != 0.0 => {
                let heading = (x * bend).atan2(1.0 - y * bend) * bend.signum();
                (if heading < -1e-9 { heading + TAU } else { heading }) / bend.abs()
            }
            _ => x,
        }
    }
}

impl Curve {
    /// The frame at a distance along the curve, beyond its ends along its last or first direction.
    pub fn at(&self, distance: f64) -> Option<DAffine3> {
        if !distance.is_finite() {
            return None;
        }
        let mut rest = distance;
        let mut found = None;
        for (at, piece) in self.pieces.iter().enumerate() {
            if rest <= piece.length || at + 1 == self.pieces.len() {
                found = Some((piece, rest));
                break;
            }
            rest -= piece.length;
        }
        let (piece, along) = found?;
        // a file's lengths of segments are rounded: a little beyond the end is the end
        let plan = piece.at(if along > piece.length { piece.length } else { along });
        let plan = if along > piece.length {
            plan * DAffine3::from_translation(DVec3::X * (along - piece.length))
        } else {
            plan
        };
        let height = self.heights.iter().rev().find(|h| h.from <= distance).or(self.heights.first());
        let cant = self.cant.iter().rev().find(|c| c.from <= distance).or(self.cant.first());
        if height.is_none() && cant.is_none() {
            return Some(plan);
        }
        let (DVec3 { x, y, z }, origin) = (plan.x_axis, plan.translation);
        let run = x.hypot(y);
        let (height, slope) = match height {
            Some(height) => height.at(distance),
            None => (origin.z, if run > 0.0 { z / run } else { 0.0 }),
        };
        let Some((lean, rise)) = cant.map(|cant| cant.at(distance)) else {
            return Some(frame(origin.with_z(height), unit(DVec3::new(x, y, slope))?));
        };
        // the line is lifted straight up, the section turned about the line
        let level = frame(origin.with_z(height + lean.level), unit(DVec3::new(x, y, run * (slope + rise)))?);
        let (sin, cos) = lean.roll.sin_cos();
        let leaning =
            DAffine3::from_cols(DVec3::X, DVec3::new(0.0, cos, -sin), DVec3::new(0.0, sin, cos), DVec3::ZERO);
        Some(level * leaning)
    }
}

impl Height {
    /// Height and slope at a distance.
    fn at(&self, distance: f64) -> (f64, f64) {
        let run = distance - self.from;
        match &self.shape {
            Shape::Straight => (self.level + self.slope * run, self.slope),
            Shape::Arc(bend) => {
                let start = self.slope.atan();
                let sin = (start.sin() + bend * run).clamp(-1.0, 1.0);
                let end = sin.asin();
                (self.level + (start.cos() - end.cos()) / bend, end.tan())
            }
            Shape::Polynomial(coefficients, begin) => {
                let value = |at: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * at + c);
                let slope = |at: f64| {
                    let terms = coefficients.iter().enumerate().skip(1).rev();
                    terms.fold(0.0, |sum, (power, c)| sum * at + c * power as f64)
                };
                (self.level + value(begin + run) - value(*begin), slope(begin + run))
            }
        }
    }
}

/// A frame with this direction as x axis and a z axis as upright as can be.
pub(super) fn frame(origin: DVec3, x: DVec3) -> DAffine3 {
    let y = unit(DVec3::Z.cross(x)).unwrap_or(DVec3::Y);
    DAffine3::from_cols(x, y, x.cross(y), origin)
}

/// Place and heading after a length of such a curvature, by Gauss's rule of five points on short steps.
fn integrate(bend: &[f64], wave: Option<Wave>, length: f64) -> (f64, f64, f64) {
    const POINTS: [(f64, f64); 5] = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (-0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let heading = |at: f64| {
        let terms = bend.iter().enumerate().rev();
        let swing = wave.map_or(0.0, |wave| wave.turn(at));
        terms.fold(0.0, |sum, (power, c)| sum * at + c / (power as f64 + 1.0)) * at + swing
    };
    let steps = 32;
    let half = length / f64::from(steps) / 2.0;
    let (mut x, mut y) = (0.0, 0.0);
    for step in 0..steps {
        let middle = half * f64::from(2 * step + 1);
        for (place, weight) in POINTS {
            let (sin, cos) = heading(middle + half * place).sin_cos();
            x += weight * half * cos;
            y += weight * half * sin;
        }
    }
    (x, y, heading(length))
}

/// The points that two pieces, taken as whole lines and circles of the plane, have in common.
pub(super) fn meetings(a: &Piece, b: &Piece) -> Vec<DVec3> {
    let circle = |piece: &Piece| match piece.bend.as_slice() {
        [bend] if *bend != 0.0 => {
            let centre = piece.frame.transform_point3(DVec3::Y * (1.0 / bend));
            Some((centre.truncate(), 1.0 / bend.abs()))
        }
        _ => None,
    };
    let line = |piece: &Piece| (piece.frame.translation.truncate(), piece.frame.x_axis.truncate());
    let found = match (circle(a), circle(b)) {
        (None, None) => {
            let ((from, run), (other, other_run)) = (line(a), line(b));
            let across = run.perp_dot(other_run);
            if across.abs() < 1e-12 {
                return Vec::new();
            }
            vec![from + (other - from).perp_dot(other_run) / across * run]
        }
        (Some((centre, radius)), None) => on_circle(line(b), centre, radius),
        (None, Some((centre, radius))) => on_circle(line(a), centre, radius),
        (Some((centre, radius)), Some((other, other_radius))) => {
            let apart = centre.distance(other);
            if apart < 1e-12 {
                return Vec::new();
            }
            // the line through both points, at this distance from the first centre
            let foot = (apart * apart + radius * radius - other_radius * other_radius) / (2.0 * apart);
            let toward = (other - centre) / apart;
            on_circle((centre + toward * foot, toward.perp()), centre, radius)
        }
    };
    found.into_iter().map(|point| point.extend(0.0)).collect()
}

/// The points that a line, told by a point and a direction of length one, has in common with a circle.
fn on_circle((from, run): (DVec2, DVec2), centre: DVec2, radius: f64) -> Vec<DVec2> {
    let foot = from + (centre - from).dot(run) * run;
    let square = radius * radius - foot.distance_squared(centre);
    if square < -1e-9 * radius * radius {
        return Vec::new();
    }
    let half = square.max(0.0).sqrt();
    vec![foot - half * run, foot + half * run]
}
