//! Path data as polylines whose arcs are bulges, curves as chords.

use crate::drawing::{Polyline, Vertex};
use glam::DVec2;
use kurbo::{Arc, Point, SvgArc, Vec2};
use svgtypes::{PathParser, PathSegment};

/// Pieces that one curve becomes.
const PIECES: usize = 16;

/// The polylines of path data; what is wrong ends it, as browsers do.
pub(super) fn read(data: &str, most: usize) -> Vec<Polyline> {
    let mut pen = Pen::default();
    for segment in PathParser::from(data) {
        let Ok(segment) = segment else { break };
        pen.segment(segment);
        if pen.count > most {
            break;
        }
    }
    pen.finish()
}

#[derive(Default)]
struct Pen {
    made: Vec<Polyline>,
    vertices: Vec<Vertex>,
    at: DVec2,
    start: DVec2,
    /// The control point that a smooth curve goes on from, and whether that is a cubic one.
    control: Option<(DVec2, bool)>,
    count: usize,
}

impl Pen {
    fn put(&mut self, to: DVec2, bulge: f64) {
        if self.vertices.is_empty() {
            self.vertices.push(Vertex { at: self.at, bulge: 0.0 });
        }
        if let Some(last) = self.vertices.last_mut() {
            last.bulge = bulge;
        }
        self.vertices.push(Vertex { at: to, bulge: 0.0 });
        self.at = to;
        self.count += 1;
    }

    fn end(&mut self, is_closed: bool) {
        let mut vertices = std::mem::take(&mut self.vertices);
        if vertices.len() < 2 {
            return;
        }
        let is_back = vertices.first().zip(vertices.last()).is_some_and(|(a, b)| a.at.distance(b.at) < 1e-9);
        let is_closed = is_closed || (is_back && vertices.len() > 2);
        if is_closed && is_back {
            vertices.pop();
        }
        self.made.push(Polyline { vertices, is_closed, width: 0.0 });
    }

    fn curve(&mut self, a: DVec2, b: DVec2, to: DVec2) {
        let from = self.at;
        for n in 1..=PIECES {
            let t = n as f64 / PIECES as f64;
            let s = 1.0 - t;
            let point = s * s * s * from + 3.0 * s * s * t * a + 3.0 * s * t * t * b + t * t * t * to;
            self.put(if n == PIECES { to } else { point }, 0.0);
        }
    }

    fn arc(&mut self, radii: DVec2, turn: f64, is_large: bool, is_sweep: bool, to: DVec2) {
        let from = self.at;
        let own = SvgArc {
            from: Point::new(from.x, from.y),
            to: Point::new(to.x, to.y),
            radii: Vec2::new(radii.x, radii.y),
            x_rotation: turn.to_radians(),
            large_arc: is_large,
            sweep: is_sweep,
        };
        let Some(arc) = Arc::from_svg_arc(&own) else { return self.put(to, 0.0) };
        if (arc.radii.x - arc.radii.y).abs() <= arc.radii.x.abs() * 1e-6 {
            // in halves, since the bulge of nearly a whole turn is without bound
            let middle = DVec2::new(arc.center.x, arc.center.y)
                + DVec2::from_angle(arc.x_rotation + arc.start_angle + arc.sweep_angle / 2.0) * arc.radii.x;
            if arc.sweep_angle.abs() > std::f64::consts::PI {
                self.put(middle, (arc.sweep_angle / 8.0).tan());
                self.put(to, (arc.sweep_angle / 8.0).tan());
            } else {
                self.put(to, (arc.sweep_angle / 4.0).tan());
            }
            return;
        }
        let count = PIECES * 2;
        for n in 1..count {
            let angle = arc.start_angle + arc.sweep_angle * n as f64 / count as f64;
            let own = DVec2::new(arc.radii.x * angle.cos(), arc.radii.y * angle.sin());
            let turned = DVec2::from_angle(arc.x_rotation).rotate(own);
            self.put(DVec2::new(arc.center.x, arc.center.y) + turned, 0.0);
        }
        self.put(to, 0.0);
    }

    fn segment(&mut self, segment: PathSegment) {
        let at = self.at;
        let base = |abs: bool| if abs { DVec2::ZERO } else { at };
        let mut control = None;
        match segment {
            PathSegment::MoveTo { abs, x, y } => {
                self.end(false);
                self.at = base(abs) + DVec2::new(x, y);
                self.start = self.at;
            }
            PathSegment::LineTo { abs, x, y } => self.put(base(abs) + DVec2::new(x, y), 0.0),
            PathSegment::HorizontalLineTo { abs, x } => self.put(DVec2::new(base(abs).x + x, at.y), 0.0),
            PathSegment::VerticalLineTo { abs, y } => self.put(DVec2::new(at.x, base(abs).y + y), 0.0),
            PathSegment::CurveTo { abs, x1, y1, x2, y2, x, y } => {
                let from = base(abs);
                let b = from + DVec2::new(x2, y2);
                self.curve(from + DVec2::new(x1, y1), b, from + DVec2::new(x, y));
                control = Some((b, true));
            }
            PathSegment::SmoothCurveTo { abs, x2, y2, x, y } => {
                let a = self.control.filter(|own| own.1).map_or(at, |own| at * 2.0 - own.0);
                let b = base(abs) + DVec2::new(x2, y2);
                self.curve(a, b, base(abs) + DVec2::new(x, y));
                control = Some((b, true));
            }
            PathSegment::Quadratic { abs, x1, y1, x, y } => {
                let own = base(abs) + DVec2::new(x1, y1);
                self.quadratic(own, base(abs) + DVec2::new(x, y));
                control = Some((own, false));
            }
            PathSegment::SmoothQuadratic { abs, x, y } => {
                let own = self.control.filter(|own| !own.1).map_or(at, |own| at * 2.0 - own.0);
                self.quadratic(own, base(abs) + DVec2::new(x, y));
                control = Some((own, false));
            }
            PathSegment::EllipticalArc { abs, rx, ry, x_axis_rotation, large_arc, sweep, x, y } => {
                self.arc(DVec2::new(rx, ry), x_axis_rotation, large_arc, sweep, base(abs) + DVec2::new(x, y));
            }
            PathSegment::ClosePath { .. } => {
                self.end(true);
                self.at = self.start;
            }
        }
        self.control = control;
    }

    fn quadratic(&mut self, control: DVec2, to: DVec2) {
        let at = self.at;
        self.curve(at + (control - at) * (2.0 / 3.0), to + (control - to) * (2.0 / 3.0), to);
    }

    fn finish(mut self) -> Vec<Polyline> {
        self.end(false);
        self.made
    }
}

/// A whole ellipse.
pub(super) fn ellipse(centre: DVec2, radii: DVec2) -> Polyline {
    if (radii.x - radii.y).abs() < radii.x * 1e-9 {
        let corner = |x: f64| Vertex { at: centre + DVec2::new(x, 0.0), bulge: 1.0 };
        return Polyline { vertices: vec![corner(-radii.x), corner(radii.x)], is_closed: true, width: 0.0 };
    }
    let point = |n: usize| {
        let way = DVec2::from_angle(n as f64 / 48.0 * std::f64::consts::TAU);
        Vertex { at: centre + way * radii, bulge: 0.0 }
    };
    Polyline { vertices: (0..48).map(point).collect(), is_closed: true, width: 0.0 }
}
