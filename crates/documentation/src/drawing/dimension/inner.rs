//! The clear widths of rooms, along and across: never through words or stairs, clear of furniture as far as that can be, and only where the
//! figures have room between the walls.

use super::super::clip::{sides, within};
use super::super::room::Room;
use super::super::sheet::Sheet;
use super::super::words::{Box2, extent};
use super::chain::STEP;
use super::{Chain, Dimension, Of, draw_chain};
use geometry::region::Loop;
use geometry::section::Plane;
use glam::DVec2;
use paper::Weight;

/// The lines tried through a room.
const LINES: usize = 15;
/// The share of a room at its sides where no line is tried: a dimension is not to be taken for a part of the wall.
const EDGE: f64 = 0.1;
/// The shortest dimension inside, in mm of paper.
const SHORTEST: f64 = 9.0;
/// The least and greatest thickness in metres of a wall that a chain goes through.
const LEAST_WALL: f64 = 0.02;
const MOST_WALL: f64 = 0.8;
/// Two widths of one room that differ less than this, in metres, are one.
const SAME: f64 = 0.01;

/// Draws chains through the rooms, so that every room is measured once in each direction: from the best line through one room on into
/// those that lie beside it on the same line.
pub(in crate::drawing) fn draw(
    sheet: &mut Sheet<'_>,
    plane: &Plane,
    rooms: &[Room],
    main: DVec2,
) -> Vec<Dimension> {
    let loops: Vec<Vec<Loop>> = rooms.iter().map(Room::loops).collect();
    let mut order: Vec<usize> = (0..rooms.len()).collect();
    let area = |n: &usize| rooms.get(*n).map_or(0.0, |room| room.area);
    order.sort_by(|a, b| area(b).total_cmp(&area(a)));
    let mut told = Vec::new();
    for along in [main, main.perp()] {
        let mut done = vec![false; rooms.len()];
        for &room in &order {
            let Some(own) = loops.get(room).filter(|_| done.get(room) == Some(&false)) else { continue };
            let Some([from, to]) = best(sheet, own, along) else { continue };
            let mut parts = vec![[from.dot(along), to.dot(along)]];
            if let Some(done) = done.get_mut(room) {
                *done = true;
            }
            while let Some((other, part)) = next(sheet, &loops, &done, &parts, from, along) {
                parts.push(part);
                if let Some(done) = done.get_mut(other) {
                    *done = true;
                }
            }
            let off = from - along * from.dot(along);
            let feet = parts.iter().flatten().map(|t| off + along * *t).collect();
            let chain = Chain { of: Of::Room, feet, along, on: from, extended: false, element: None };
            for mut dimension in draw_chain(sheet, plane, &chain) {
                let [a, b] = dimension.ends.map(|p| plane.flat(p).truncate());
                let middle = a.midpoint(b).dot(along);
                if !parts.iter().any(|[from, to]| middle > *from && middle < *to) {
                    dimension.of = Of::Thickness;
                }
                told.push(dimension);
            }
        }
    }
    told
}

/// A room that is not measured yet and lies beside the parts of a chain, on its line, no more than a wall away: its number, and the part
/// that it adds.
fn next(
    sheet: &Sheet<'_>,
    loops: &[Vec<Loop>],
    done: &[bool],
    parts: &[[f64; 2]],
    from: DVec2,
    along: DVec2,
) -> Option<(usize, [f64; 2])> {
    let low = parts.iter().map(|p| p[0]).fold(f64::INFINITY, f64::min);
    let high = parts.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
    let across = along.perp();
    let off = from - along * from.dot(along);
    let y = from.dot(across);
    for (number, own) in loops.iter().enumerate().filter(|(n, _)| done.get(*n) == Some(&false)) {
        let range = |axis: DVec2| {
            let all = own.iter().flatten().map(|p| p.dot(axis));
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
        };
        let ((left, right), (bottom, top)) = (range(along), range(across));
        let edge = (top - bottom) * EDGE;
        if !(bottom + edge..=top - edge).contains(&y) {
            continue;
        }
        let (a, b) = (off + along * (left - 1.0), off + along * (right + 1.0));
        let width = right - left + 2.0;
        for [s, t] in within(a, b, own) {
            let part = [left - 1.0 + width * s, left - 1.0 + width * t];
            let gap = if part[0] > low { part[0] - high } else { low - part[1] };
            let is_beside = (LEAST_WALL..=MOST_WALL).contains(&gap);
            // a stretch that is much shorter than the room says little of it
            let is_typical = (part[1] - part[0]) > 0.6 * (right - left);
            let ends = part.map(|t| sheet.at(off + along * t));
            let is_long = ends[0].distance(ends[1]) >= SHORTEST;
            if is_beside && is_typical && is_long && is_free(sheet, own, ends) {
                return Some((number, part));
            }
        }
    }
    None
}

/// The line through a room that measures it best: the width that most lines have, clear of words.
fn best(sheet: &Sheet<'_>, loops: &[Loop], along: DVec2) -> Option<[DVec2; 2]> {
    let across = along.perp();
    let points = || loops.iter().flatten();
    let range = |axis: DVec2| {
        points()
            .map(|p| p.dot(axis))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
    };
    let ((left, right), (low, high)) = (range(along), range(across));
    if !(right - left).is_finite() || !(high - low).is_finite() {
        return None;
    }
    let mut lines: Vec<(f64, [DVec2; 2])> = Vec::new();
    for n in 0..LINES {
        let share = EDGE + (1.0 - 2.0 * EDGE) * (n as f64 + 0.5) / LINES as f64;
        let y = low + (high - low) * share;
        let (a, b) = (along * (left - 1.0) + across * y, along * (right + 1.0) + across * y);
        let parts = within(a, b, loops);
        let longest = parts.into_iter().max_by(|p, q| (p[1] - p[0]).total_cmp(&(q[1] - q[0])));
        let Some([from, to]) = longest else { continue };
        let ends = [a.lerp(b, from), a.lerp(b, to)];
        if ends[0].distance(ends[1]) * sheet.factor >= SHORTEST {
            // away from the middle, where the room's name is
            lines.push(((share - 0.28).abs().min((share - 0.72).abs()) * 20.0, ends));
        }
    }
    let width = |ends: &[DVec2; 2]| ends[0].distance(ends[1]);
    let alike = |w: f64| lines.iter().filter(|(_, other)| (width(other) - w).abs() < SAME).count();
    let cost = |aside: f64, ends: &[DVec2; 2]| {
        let (p, q) = (sheet.at(ends[0]), sheet.at(ends[1]));
        let crossed = sheet.texts.iter().filter(|t| t.grown(1.2).is_crossed(p, q)).count();
        let words = extent(
            &sheet.style.measure(width(ends)).words(),
            sheet.style.letters.dimension.0,
            Weight::Regular,
        );
        let way = (q - p).normalize_or_zero();
        let text = Box2 { middle: p.midpoint(q), half: words / 2.0 + 1.5, along: way };
        let met = sheet.texts.iter().filter(|t| t.meets(&text)).count();
        let busy = sheet.busy.iter().filter(|b| b.is_crossed(p, q)).count();
        aside + crossed as f64 * 60.0 + met as f64 * 40.0 + busy as f64 * 8.0
            - alike(width(ends)) as f64 * 1.5
            - width(ends) * 0.5
    };
    let free = lines.iter().filter(|(_, ends)| is_free(sheet, loops, ends.map(|p| sheet.at(p))));
    let priced = free.map(|(aside, ends)| (cost(*aside, ends), ends));
    priced.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, ends)| *ends)
}

/// Returns true if a line on paper crosses neither words nor stairs, and the place that its figures would take first lies within the walls of
/// its room.
fn is_free(sheet: &Sheet<'_>, loops: &[Loop], [p, q]: [DVec2; 2]) -> bool {
    if sheet.texts.iter().chain(&sheet.climbs).any(|taken| taken.is_crossed(p, q)) {
        return false;
    }
    let (height, gap) = (sheet.style.letters.dimension.0, sheet.style.dimensions.text_gap.0);
    let words = sheet.style.measure(p.distance(q) / sheet.factor).words();
    let half = extent(&words, height, Weight::Regular) / 2.0;
    let way = (q - p).normalize_or_zero();
    // above the line, or to the left of one that is read from the right
    let up = if way.y.abs() > 0.5 { DVec2::NEG_X } else { DVec2::NEG_Y };
    let slack = p.distance(q) / 2.0 - half.x - 0.5;
    let steps = (slack / STEP).max(0.0) as i32;
    let asides = (1..=steps.min(40)).flat_map(|n| [f64::from(n) * STEP, -f64::from(n) * STEP]);
    let boxes = std::iter::once(0.0).chain(asides).map(|aside| Box2 {
        middle: p.midpoint(q) + way * aside + up * (gap + height / 2.0),
        half,
        along: way,
    });
    let mut free = boxes.filter(|room| !sheet.is_taken(&room.grown(0.25)));
    let walls = || loops.iter().flat_map(sides).map(|(a, b)| (sheet.at(a), sheet.at(b)));
    free.next().is_some_and(|room| slack >= 0.0 && !walls().any(|(a, b)| room.is_crossed(a, b)))
}
