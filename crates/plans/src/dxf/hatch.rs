//! Hatches: their outlines.

use super::own::Own;
use super::tags::Tag;
use super::words::CodePage;
use crate::drawing::{Fill, Polyline, Shape, Vertex, corners};
use glam::DVec2;
use std::f64::consts::TAU;

/// The tags of a hatch, in order.
struct Walk<'t, 'a> {
    tags: &'t [Tag<'a>],
    at: usize,
}

impl Walk<'_, '_> {
    /// The next value of a code, if it comes before another path begins.
    fn next(&mut self, code: i32) -> Option<f64> {
        let rest = self.tags.get(self.at..)?;
        let step = rest.iter().position(|tag| tag.code == code || tag.code == 92)?;
        let tag = rest.get(step).filter(|tag| tag.code == code)?;
        self.at += step + 1;
        Some(tag.real())
    }

    fn point(&mut self, code: i32) -> Option<DVec2> {
        Some(DVec2::new(self.next(code)?, self.next(code + 10)?))
    }

    /// The next value, if it is of a code.
    fn optional(&mut self, code: i32) -> Option<f64> {
        let tag = self.tags.get(self.at).filter(|tag| tag.code == code)?;
        self.at += 1;
        Some(tag.real())
    }
}

/// The area of a hatch.
pub(super) fn read(own: &Own<'_, '_>, page: CodePage) -> Option<Shape> {
    let pattern = own.bytes(2).map(|name| page.text(name).trim().to_owned());
    let is_solid = own.whole(70).unwrap_or(0) & 1 != 0;
    let start = own.0.iter().position(|tag| tag.code == 91)? + 1;
    let mut walk = Walk { tags: own.0, at: start };
    let mut rings = Vec::new();
    while let Some(step) = own.0.get(walk.at..).and_then(|rest| rest.iter().position(|tag| tag.code == 92)) {
        walk.at += step;
        let flags = walk.optional(92).unwrap_or(0.0) as i64;
        let ring = if flags & 2 != 0 { polyline(&mut walk) } else { edges(&mut walk) };
        rings.extend(ring.filter(|ring| ring.len() > 2));
    }
    let pattern = pattern.filter(|name| !is_solid && !name.eq_ignore_ascii_case("SOLID"));
    (!rings.is_empty()).then(|| Shape::Fill(Box::new(Fill { rings, pattern })))
}

fn polyline(walk: &mut Walk<'_, '_>) -> Option<Vec<DVec2>> {
    let has_bulge = walk.next(72)? != 0.0;
    let _ = walk.optional(73);
    let count = walk.next(93)? as usize;
    let mut vertices = Vec::new();
    for _ in 0..count.min(walk.tags.len()) {
        let at = walk.point(10)?;
        let bulge = if has_bulge { walk.optional(42).unwrap_or(0.0) } else { 0.0 };
        vertices.push(Vertex { at, bulge });
    }
    Some(corners(&Polyline { vertices, is_closed: true, width: 0.0 }))
}

fn edges(walk: &mut Walk<'_, '_>) -> Option<Vec<DVec2>> {
    let count = walk.next(93)? as usize;
    let mut ring: Vec<DVec2> = Vec::new();
    for _ in 0..count.min(walk.tags.len()) {
        match walk.next(72)? as i64 {
            1 => {
                let (from, to) = (walk.point(10)?, walk.point(11)?);
                join(&mut ring, &[from, to]);
            }
            2 => {
                let (centre, radius) = (walk.point(10)?, walk.next(40)?);
                let (start, end) = (walk.next(50)?, walk.next(51)?);
                let is_ccw = walk.next(73)? != 0.0;
                let points = turn(start.to_radians(), end.to_radians(), is_ccw, |way| centre + way * radius);
                join(&mut ring, &points);
            }
            3 => {
                let (centre, major, ratio) = (walk.point(10)?, walk.point(11)?, walk.next(40)?);
                let (start, end) = (walk.next(50)?, walk.next(51)?);
                let is_ccw = walk.next(73)? != 0.0;
                let minor = major.perp() * ratio;
                let points = turn(start.to_radians(), end.to_radians(), is_ccw, |way| {
                    centre + major * way.x + minor * way.y
                });
                join(&mut ring, &points);
            }
            4 => {
                let knots = {
                    walk.next(94)?;
                    walk.next(95)? as usize
                };
                let control = walk.next(96)? as usize;
                for _ in 0..knots.min(walk.tags.len()) {
                    walk.next(40)?;
                }
                let mut points = Vec::new();
                for _ in 0..control.min(walk.tags.len()) {
                    points.push(walk.point(10)?);
                    let _ = walk.optional(42);
                }
                join(&mut ring, &points);
            }
            _ => return None,
        }
    }
    Some(ring)
}

/// Points of an arc of a hatch; one that runs clockwise has its angles measured clockwise, too.
fn turn(start: f64, end: f64, is_ccw: bool, point: impl Fn(DVec2) -> DVec2) -> Vec<DVec2> {
    let (from, sweep) = if is_ccw {
        (start, (end - start).rem_euclid(TAU))
    } else {
        (-start, -(end - start).rem_euclid(TAU))
    };
    let sweep = if sweep.abs() < 1e-9 { TAU } else { sweep };
    let count = ((sweep.abs() / TAU * 72.0).ceil() as usize).clamp(1, 72);
    (0..=count).map(|n| point(DVec2::from_angle(from + sweep * n as f64 / count as f64))).collect()
}

/// Adds the points of an edge, turned round where its other end is the nearer one.
fn join(corners: &mut Vec<DVec2>, points: &[DVec2]) {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let is_turned =
        corners.last().is_some_and(|end| end.distance_squared(*last) < end.distance_squared(*first));
    for n in 0..points.len() {
        let own = if is_turned { points.len() - 1 - n } else { n };
        if let Some(point) = points.get(own)
            && corners.last() != Some(point)
        {
            corners.push(*point);
        }
    }
}
