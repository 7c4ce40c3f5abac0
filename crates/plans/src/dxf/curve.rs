//! Curves: ellipses, splines, and lines of several elements.

use super::own::Own;
use crate::drawing::{Polyline, Shape, Vertex};
use glam::DVec2;
use std::f64::consts::TAU;

/// Pieces that one curve becomes at most.
const MOST: usize = 512;

fn polyline(points: Vec<DVec2>, is_closed: bool) -> Option<Shape> {
    let vertices: Vec<Vertex> = points.into_iter().map(|at| Vertex { at, bulge: 0.0 }).collect();
    (vertices.len() > 1).then(|| Shape::Polyline(Box::new(Polyline { vertices, is_closed, width: 0.0 })))
}

/// An ellipse, or an arc where it is a circle.
pub(super) fn ellipse(own: &Own<'_, '_>) -> Option<Shape> {
    let (centre, major) = (own.point(10)?, own.point(11)?);
    let ratio = own.real(40).unwrap_or(1.0);
    let is_down = own.real(230).is_some_and(|z| z < 0.0);
    let minor = major.perp() * if is_down { -ratio } else { ratio };
    let (start, end) = (own.real(41).unwrap_or(0.0), own.real(42).unwrap_or(TAU));
    let sweep = (end - start).rem_euclid(TAU);
    let sweep = if sweep < 1e-9 { TAU } else { sweep };
    if (ratio.abs() - 1.0).abs() < 1e-6 {
        let turn = major.to_angle();
        let start = if is_down { turn - start - sweep } else { turn + start };
        return Some(Shape::Arc { centre, radius: major.length(), start, sweep });
    }
    let count = ((sweep / TAU * 72.0).ceil().max(4.0) as usize).min(72);
    let point = |n: usize| {
        let (sin, cos) = (start + sweep * n as f64 / count as f64).sin_cos();
        centre + major * cos + minor * sin
    };
    polyline((0..=count).map(point).collect(), false)
}

/// A spline as chords, by de Boor's algorithm.
pub(super) fn spline(own: &Own<'_, '_>) -> Option<Shape> {
    let (mut control, mut fit, mut knots, mut weights) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for tag in own.0 {
        match tag.code {
            10 => control.push(DVec2::new(tag.real(), 0.0)),
            20 => control.last_mut()?.y = tag.real(),
            11 => fit.push(DVec2::new(tag.real(), 0.0)),
            21 => fit.last_mut()?.y = tag.real(),
            40 => knots.push(tag.real()),
            41 => weights.push(tag.real()),
            _ => {}
        }
    }
    let is_closed = own.whole(70).unwrap_or(0) & 1 != 0;
    let degree = own.whole(71).unwrap_or(3).clamp(1, 10) as usize;
    if control.len() <= degree || knots.len() != control.len() + degree + 1 {
        return if fit.len() > 1 { polyline(fit, is_closed) } else { polyline(control, is_closed) };
    }
    weights.resize(control.len(), 1.0);
    let (first, last) = (*knots.get(degree)?, *knots.get(control.len())?);
    if last <= first || !(last - first).is_finite() {
        return polyline(control, is_closed);
    }
    let count = (control.len() * 8).min(MOST);
    let points = (0..=count).filter_map(|n| {
        let at = first + (last - first) * n as f64 / count as f64;
        de_boor(at, degree, &knots, &control, &weights)
    });
    polyline(points.collect(), false)
}

fn de_boor(at: f64, degree: usize, knots: &[f64], control: &[DVec2], weights: &[f64]) -> Option<DVec2> {
    let span = (degree..control.len()).rev().find(|n| knots.get(*n).is_some_and(|knot| *knot <= at))?;
    let mut points: Vec<(DVec2, f64)> = (0..=degree)
        .map(|n| {
            let own = span - degree + n;
            let weight = weights.get(own).copied().unwrap_or(1.0);
            (control.get(own).copied().unwrap_or_default() * weight, weight)
        })
        .collect();
    for round in 1..=degree {
        for n in (round..=degree).rev() {
            let (low, high) = (*knots.get(span - degree + n)?, *knots.get(span + 1 + n - round)?);
            let share = if high > low { (at - low) / (high - low) } else { 0.0 };
            let (before, own) = (*points.get(n - 1)?, *points.get(n)?);
            *points.get_mut(n)? = (before.0.lerp(own.0, share), before.1 + (own.1 - before.1) * share);
        }
    }
    let (point, weight) = *points.get(degree)?;
    (weight.abs() > 1e-12).then(|| point / weight)
}

/// The lines of a multi-line.
pub(super) fn multi_line(own: &Own<'_, '_>) -> Vec<Shape> {
    /// Where a vertex is, the direction of its mitre, and how far along that each element lies.
    #[derive(Default)]
    struct Corner {
        at: DVec2,
        mitre: DVec2,
        offsets: Vec<f64>,
    }
    let mut corners: Vec<Corner> = Vec::new();
    let mut parameters = 0;
    for tag in own.0 {
        if tag.code == 11 {
            corners.push(Corner { at: DVec2::new(tag.real(), 0.0), ..Corner::default() });
            continue;
        }
        let Some(corner) = corners.last_mut() else { continue };
        match tag.code {
            21 => corner.at.y = tag.real(),
            13 => corner.mitre.x = tag.real(),
            23 => corner.mitre.y = tag.real(),
            74 => parameters = tag.whole().clamp(0, 1000),
            41 if parameters > 0 => {
                // the first parameter is the distance from the vertex, further ones are cuts
                corner.offsets.push(tag.real());
                parameters = -1;
            }
            _ => {}
        }
    }
    let is_closed = own.whole(71).unwrap_or(0) & 2 != 0;
    let elements = corners.iter().map(|corner| corner.offsets.len()).min().unwrap_or(0);
    (0..elements.min(32))
        .filter_map(|n| {
            let point =
                |corner: &Corner| corner.at + corner.mitre * corner.offsets.get(n).copied().unwrap_or(0.0);
            polyline(corners.iter().map(point).collect(), is_closed)
        })
        .collect()
}
