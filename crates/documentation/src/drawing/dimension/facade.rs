//! Chains outside along the facades: openings, stretches between corners or lines of the grid, and the whole.

use super::super::clip::{less, sides};
use super::super::filling::Filling;
use super::super::sheet::Sheet;
use super::super::viewed::Figure;
use super::{Chain, Dimension, Of, draw_chain};
use geometry::region::{self, Area, Loop};
use geometry::section::Plane;
use glam::DVec2;
use paper::Subject;

/// The distance in metres by which holes reach into the walls beside them, so that both join.
const JOIN: f64 = 0.005;
/// Parts of a building smaller than this, in m², are not dimensioned.
const LEAST_AREA: f64 = 0.5;
/// Sides whose normal differs less than this from a facade's, as a cosine, belong to it.
const PARALLEL: f64 = 0.9998;
/// The distance in metres within which an opening's face lies in a facade.
const FACE: f64 = 0.12;
/// Millimetres of paper before a facade within which chains keep clear of what is drawn.
const NEAR: f64 = 20.0;
/// Stretches of a facade shorter than this, in metres, are the rounding of corners.
const SHORT: f64 = 0.02;
/// Steps of a facade that are no deeper than this, in metres, such as the mullions of a curtain wall, are told with the openings alone.
const SHALLOW: f64 = 0.12;

/// The facades of a storey.
pub(in crate::drawing) struct Facades {
    /// The outlines of what is built, openings closed.
    pub outline: Vec<Area>,
    /// The direction of most walls, at length one.
    pub along: DVec2,
}

/// A stretch of a facade: from where to where, and how far out.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: f64,
    to: f64,
    out: f64,
}

/// The outline of what is built on a storey, and the direction of most of its walls. `None` where nothing is.
pub(in crate::drawing) fn outline(figures: &[Figure], fillings: &[Filling]) -> Option<Facades> {
    let is_wall =
        |f: &&Figure| matches!(f.role.subject, Subject::Wall | Subject::Column | Subject::CurtainWall);
    let mut loops: Vec<Loop> = figures
        .iter()
        .filter(is_wall)
        .flat_map(|f| &f.seen.cut.areas)
        .flat_map(|a| a.loops().cloned())
        .collect();
    for filling in fillings {
        let ([l, r], [a, b]) = (filling.x, filling.wall);
        let (l, r) = (l - JOIN, r + JOIN);
        loops.push(vec![filling.at(l, a), filling.at(r, a), filling.at(r, b), filling.at(l, b)]);
    }
    let mut outline = region::union(&loops);
    outline.retain(|area| area.size() > LEAST_AREA);
    let along = direction(&outline)?;
    Some(Facades { outline, along })
}

/// The direction of most sides, by their length, between that of x and 90 degrees from it.
fn direction(outline: &[Area]) -> Option<DVec2> {
    // four times the angle makes all four sides of a rectangle one
    let mut sum = DVec2::ZERO;
    for (a, b) in outline.iter().flat_map(Area::loops).flat_map(sides) {
        let way = b - a;
        sum += DVec2::from_angle(4.0 * way.to_angle()) * way.length();
    }
    if sum.length() < 1e-9 {
        return None;
    }
    let angle = sum.to_angle() / 4.0;
    // a tenth of a degree of it is how the outlines were rounded
    Some(if angle.abs() < 2e-5 { DVec2::X } else { DVec2::from_angle(angle) })
}

/// Draws the chains of all four sides. Each stands outside of what swings, and of what else is drawn not far before its facade, such as the
/// edge of a roof; chains outside of a whole terrace would be lost.
pub(in crate::drawing) fn draw(
    sheet: &mut Sheet<'_>,
    plane: &Plane,
    facades: &Facades,
    fillings: &[Filling],
    grid: &[[DVec2; 2]],
    [swings, drawn]: [&[DVec2]; 2],
) -> Vec<Dimension> {
    let style = sheet.style.dimensions.clone();
    let mut told = Vec::new();
    let u = facades.along;
    for out in [-u.perp(), u.perp(), -u, u] {
        // from left to right as one reads
        let along = if (out.dot(u)).abs() < 0.5 { u } else { u.perp() };
        let stretches = joined(visible(&facades.outline, along, out), SHORT);
        let Some(most) = stretches.iter().map(|s| s.out).reduce(f64::max) else { continue };
        let near = most + NEAR / sheet.factor;
        let before = drawn.iter().map(|p| p.dot(out)).filter(|depth| *depth <= near);
        let edge = swings.iter().map(|p| p.dot(out)).chain(before).fold(most, f64::max);
        let place = |t: f64, depth: f64| along * t + out * depth;
        let corners_of = |stretches: &[Stretch]| -> Vec<DVec2> {
            stretches.iter().flat_map(|s| [place(s.from, s.out), place(s.to, s.out)]).collect()
        };
        let corners = corners_of(&stretches);
        let walls = corners_of(&joined(stretches.clone(), SHALLOW));
        let mut jambs: Vec<DVec2> = Vec::new();
        for filling in fillings.iter().filter(|f| f.through().dot(out).abs() > PARALLEL) {
            let faces = filling.wall.map(|y| filling.at(0.0, y).dot(out));
            let face = faces[0].max(faces[1]);
            let ends = filling.x.map(|x| filling.at(x, 0.0).dot(along));
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let middle = f64::midpoint(from, to);
            let in_facade = |s: &&Stretch| (s.out - face).abs() < FACE && middle > s.from && middle < s.to;
            if let Some(stretch) = stretches.iter().find(in_facade) {
                jambs.extend([place(from, stretch.out), place(to, stretch.out)]);
            }
        }
        let ends = |feet: &[DVec2]| {
            let by = |p: &&DVec2| p.dot(along);
            let first = feet.iter().min_by(|a, b| by(a).total_cmp(&by(b))).copied();
            first.zip(feet.iter().max_by(|a, b| by(a).total_cmp(&by(b))).copied())
        };
        let Some((first, last)) = ends(&corners) else { continue };
        let step = style.step.0 / 1000.0;
        let at = |p: &DVec2| p.dot(along);
        // the ends of the facade first, then openings, and corners that are no small steps
        let thinned = |wanted: &[&[DVec2]]| {
            let mut kept = vec![first, last];
            for p in wanted.iter().copied().flatten() {
                if kept.iter().all(|k| (at(k) - at(p)).abs() >= step) {
                    kept.push(*p);
                }
            }
            kept
        };
        let openings = if sheet.rule.opening_dimensions { thinned(&[&jambs, &corners]) } else { Vec::new() };
        let walls = thinned(&[&walls]);
        let lines: Vec<DVec2> = grid
            .iter()
            .filter(|[a, b]| (*b - *a).normalize_or_zero().dot(out).abs() > PARALLEL)
            .map(|[a, _]| place(a.dot(along), most))
            .collect();
        let rows = [
            (Of::Openings, openings),
            (Of::Walls, walls),
            (Of::Grid, lines),
            (Of::Overall, vec![first, last]),
        ];
        let mut before: Option<Vec<i64>> = None;
        let mut row = 0;
        for (of, feet) in rows {
            let mut key: Vec<i64> = feet.iter().map(|p| (p.dot(along) * 500.0).round() as i64).collect();
            key.sort_unstable();
            key.dedup();
            // a row that tells what the one before told, or the whole once more, is left out
            let is_whole = key.len() == 2 && of != Of::Overall;
            if key.len() < 2 || is_whole || before.as_ref() == Some(&key) {
                continue;
            }
            let depth = edge + (style.first_row.0 + style.row.0 * f64::from(row)) / sheet.factor;
            let chain = Chain { of, feet, along, on: out * depth, extended: true, element: None };
            told.extend(draw_chain(sheet, plane, &chain));
            before = Some(key);
            row += 1;
        }
    }
    told
}

/// The stretches of outlines that face a direction, as far as none lies before them.
fn visible(outline: &[Area], along: DVec2, out: DVec2) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = outline
        .iter()
        .flat_map(|area| sides(&area.outer))
        .filter(|(a, b)| (-(*b - *a).perp()).normalize_or_zero().dot(out) > 0.02)
        .map(|(a, b)| {
            let (s, t) = (a.dot(along), b.dot(along));
            Stretch { from: s.min(t), to: s.max(t), out: f64::midpoint(a.dot(out), b.dot(out)) }
        })
        .filter(|s| s.to - s.from > SHORT)
        .collect();
    all.sort_by(|a, b| b.out.total_cmp(&a.out));
    let (mut taken, mut found) = (Vec::new(), Vec::new());
    for stretch in all {
        let free = less([stretch.from, stretch.to], &taken);
        found.extend(free.iter().filter(|[a, b]| b - a > SHORT).map(|[from, to]| Stretch {
            from: *from,
            to: *to,
            out: stretch.out,
        }));
        taken.push([stretch.from, stretch.to]);
    }
    found.sort_by(|a: &Stretch, b: &Stretch| a.from.total_cmp(&b.from));
    found
}

/// Stretches, in order along the facade, with those that go on in one line as one, however they are parted: no further apart across than a step.
fn joined(stretches: Vec<Stretch>, step: f64) -> Vec<Stretch> {
    let mut joined: Vec<Stretch> = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        match joined.last_mut() {
            Some(last) if stretch.from - last.to < SHORT && (stretch.out - last.out).abs() < step => {
                last.to = last.to.max(stretch.to);
                last.out = last.out.max(stretch.out);
            }
            _ => joined.push(stretch),
        }
    }
    joined
}
