//! The part of a surface that lies within closed lines, as triangles.
//!
//! The lines come with their points in space, and these points are the corners of the triangles at the border: neighbouring faces that
//! share an edge share its points, and a shell of such faces is closed. The lines are brought to the plane of the two parameters, told
//! in steps of a grid that is fine enough, so that a triangle of about one step is flat enough in any direction. There a constrained
//! Delaunay triangulation joins the lines with the grid's points that lie within.
//!
//! On surfaces that come round again a line may go around: two such lines are joined along a seam, one is closed by a pole. A line
//! through a pole (as along the seam of a sphere) has there a point for each direction it comes and goes in. It is not tried to mend
//! lines that cross themselves.

mod grid;
mod loops;

use super::Surface;
use crate::delaunay::{Corner, triangulated};
use glam::{DVec2, DVec3};
use grid::grid;
use loops::{close, gathered, unrolled};

/// Grid points within one face at most, and steps along one side of its box.
const MAX_INNER: usize = 400_000;
const MAX_STEPS: f64 = 20_000.0;
/// Points of the bounds of one face at most, and how much may be looked at for all of them together.
const MAX_BORDER: usize = 200_000;
const MAX_SEARCH: usize = 1_000_000_000;

/// A closed line in the plane of parameters, and how often it goes around in each direction until it meets its first corner again.
struct Line {
    corners: Vec<Corner>,
    around: [i32; 2],
}

/// Triangles of the part of `surface` within the loops. `same` says that the loops, which have the inside on their left seen from the
/// side the face looks to, are seen from the side of the surface's normal. Triangles look the way the face does. The error is a reason.
pub fn within(surface: &Surface, loops: &[Vec<DVec3>], same: bool) -> Result<Vec<[DVec3; 3]>, String> {
    let mut points: Vec<DVec3> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let border: usize = loops.iter().map(Vec::len).sum();
    if border > MAX_BORDER || border.saturating_mul(surface.pieces()) > MAX_SEARCH {
        return Err(format!("has {border} points at its bounds, too many for its surface"));
    }
    for l in loops {
        let mut own = l.clone();
        if !same {
            own.reverse();
        }
        own.dedup_by(|a, b| (*a - *b).length() < 1e-9);
        while own.len() > 1 && own.first().zip(own.last()).is_some_and(|(a, b)| (*a - *b).length() < 1e-9) {
            own.pop();
        }
        if own.len() < 2 {
            continue;
        }
        let start = points.len() as u32;
        points.extend_from_slice(&own);
        lines.push(unrolled(surface, &own, start)?);
    }
    if lines.is_empty() {
        let limits = surface.limits().ok_or("has no bounds")?;
        return whole(surface, limits, same);
    }
    let (mut low, mut high) = range(lines.iter().flat_map(|l| &l.corners).map(|c| c.at));
    if lines.iter().filter(|l| l.around != [0, 0]).count() == 1 {
        // a pole closes it
        for v in surface.poles().into_iter().flatten() {
            (low.y, high.y) = (low.y.min(v), high.y.max(v));
        }
    }
    let steps = surface.steps(low.into(), high.into());
    let closed = close(surface, lines, &steps, &mut points)?;
    let mut flat: Vec<Vec<Corner>> = closed
        .into_iter()
        .map(|l| {
            l.into_iter()
                .map(|c| Corner { at: DVec2::new(steps[0].count_to(c.at.x), steps[1].count_to(c.at.y)), ..c })
                .collect()
        })
        .collect();
    let outer = gathered(surface, &steps, &mut flat);
    let (low, high) = range(flat.iter().flatten().map(|c| c.at));
    if !(high.x - low.x < MAX_STEPS && high.y - low.y < MAX_STEPS) {
        return Err("would need too many triangles".to_owned());
    }
    let inner = grid(&flat, low, high)?;
    let triangles = triangulated(&flat, &inner)?;
    let at = |c: &Corner| {
        if c.point == u32::MAX {
            surface.point([steps[0].parameter(c.at.x), steps[1].parameter(c.at.y)])
        } else {
            points.get(c.point as usize).copied().unwrap_or_default()
        }
    };
    // lines that go the other way than the face says they do: the lines are right, as on flat faces
    let turned = outer < 0.0;
    let made: Vec<[DVec3; 3]> = triangles
        .iter()
        .map(|[a, b, c]| if same ^ turned { [at(a), at(b), at(c)] } else { [at(a), at(c), at(b)] })
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    if made.is_empty() {
        return Err("has bounds that enclose nothing".to_owned());
    }
    Ok(made)
}

/// Triangles of all of a surface between ends of its parameters. The error is a reason.
pub fn whole(surface: &Surface, [us, vs]: [[f64; 2]; 2], same: bool) -> Result<Vec<[DVec3; 3]>, String> {
    let steps = surface.steps([us[0].min(us[1]), vs[0].min(vs[1])], [us[0].max(us[1]), vs[0].max(vs[1])]);
    let lines = [(0, us), (1, vs)].map(|(i, [from, to])| {
        let (a, b) = (steps[i].count_to(from), steps[i].count_to(to));
        let (a, b) = (a.min(b), a.max(b));
        let count = if b - a < MAX_STEPS { (b - a).ceil() as usize } else { usize::MAX };
        let first = (a + 1e-6).floor() + 1.0;
        let inner = (0..count.min(MAX_INNER)).map(|k| first + k as f64).take_while(|k| *k < b - 1e-6);
        let mut all: Vec<f64> = std::iter::once(from.min(to))
            .chain(inner.map(|k| steps[i].parameter(k)))
            .chain([from.max(to)])
            .collect();
        all.dedup();
        if count == usize::MAX || all.len() < 2 || !all.iter().all(|v| v.is_finite()) {
            all.clear();
        }
        all
    });
    if lines.iter().any(Vec::is_empty) || lines[0].len().saturating_mul(lines[1].len()) > MAX_INNER {
        return Err("has no sound extent, or would need too many triangles".to_owned());
    }
    let [us, vs] = &lines;
    let round = |i: usize, l: &[f64]| {
        let full = l.last().zip(l.first()).map_or(0.0, |(b, a)| b - a);
        surface.periods()[i].is_some_and(|p| (p - full).abs() < 1e-6 * p)
    };
    let (round_u, round_v) = (round(0, us), round(1, vs));
    let rows: Vec<Vec<DVec3>> =
        us.iter().map(|u| vs.iter().map(|v| surface.point([*u, *v])).collect()).collect();
    let point = |i: usize, k: usize| {
        let i = if round_u && i + 1 == us.len() { 0 } else { i };
        let k = if round_v && k + 1 == vs.len() { 0 } else { k };
        rows[i][k]
    };
    let mut made = Vec::with_capacity(2 * us.len() * vs.len());
    let same_point = |a: DVec3, b: DVec3| (a - b).length() < 1e-9;
    for i in 0..us.len() - 1 {
        for k in 0..vs.len() - 1 {
            let [a, b, c, d] = [point(i, k), point(i + 1, k), point(i + 1, k + 1), point(i, k + 1)];
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                if !(same_point(a, b) || same_point(b, c) || same_point(c, a)) {
                    made.push(if same { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    Ok(made)
}

/// The points around all of a surface between ends of its parameters, counter-clockwise in their plane.
pub fn rim(surface: &Surface, [us, vs]: [[f64; 2]; 2]) -> Vec<DVec3> {
    let steps = surface.steps([us[0], vs[0]], [us[1], vs[1]]);
    let corners = [[us[0], vs[0]], [us[1], vs[0]], [us[1], vs[1]], [us[0], vs[1]]];
    let mut points = Vec::new();
    for (a, b) in corners.iter().zip(corners.iter().skip(1).chain(corners.first())) {
        let (p, q) = ([0, 1].map(|i| steps[i].count_to(a[i])), [0, 1].map(|i| steps[i].count_to(b[i])));
        let pieces = (p[0] - q[0]).abs().max((p[1] - q[1]).abs()).ceil().clamp(1.0, 4096.0) as usize;
        points.extend((0..pieces).map(|k| {
            let share = k as f64 / pieces as f64;
            surface.point([0, 1].map(|i| steps[i].parameter(p[i] + (q[i] - p[i]) * share)))
        }));
    }
    points
}

fn range(points: impl Iterator<Item = DVec2>) -> (DVec2, DVec2) {
    points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (p.min(low), p.max(high)))
}
