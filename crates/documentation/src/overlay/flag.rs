//! Flags: numbered discs with a line to the place that they are for, where they cover no words.

use super::space::Space;
use super::{Finding, Flag, Reason, Spot};
use crate::beside::{DISC, disc};
use crate::drawing::clip::holds;
use crate::drawing::shapes::{circle, filled, stroked, through};
use crate::drawing::words::Box2;
use crate::drawing::{Drawing, Room};
use crate::style::Style;
use geometry::region::{Area, Loop};
use glam::DVec2;
use paper::{Fill, Node, Part, Stroke, Subject};

/// The distances between a place and its flag that are tried, in mm.
const FAR: [f64; 9] = [7.0, 10.0, 14.0, 19.0, 25.0, 32.0, 42.0, 56.0, 75.0];
/// The directions that are tried.
const WAYS: usize = 24;
/// Millimetres beyond the drawing at which a place still belongs to it.
const BEYOND: f64 = 30.0;
/// The radius of the point at the place, in mm.
const POINT: f64 = 0.6;
/// The step along a line by which its gaps are found, in mm.
const STEP: f64 = 0.25;
/// Points tried in a room along each side.
const POINTS: usize = 9;

/// The place of a finding on the page.
pub(super) fn spot(drawing: &Drawing, spot: Spot, space: &Space) -> Result<DVec2, Reason> {
    let place = &drawing.place;
    match spot {
        Spot::Point(p) if !p.is_finite() => Err(Reason::BadNumbers),
        Spot::Point(p) => {
            let at = place.at(p).ok_or(Reason::OffView)?;
            let is_near = at.cmpge(DVec2::splat(-BEYOND)).all() && at.cmple(drawing.page.size + BEYOND).all();
            if is_near { Ok(at) } else { Err(Reason::OffView) }
        }
        Spot::Element(id) => {
            if let Some(room) = drawing.rooms.iter().find(|room| room.id == Some(id)) {
                return in_room(drawing, room, space).ok_or(Reason::OffView);
            }
            let seen = drawing.shown.iter().find(|seen| seen.element == id).ok_or(Reason::OffView)?;
            let area = seen.cut.areas.iter().max_by(|a, b| a.size().total_cmp(&b.size()));
            let at = if let Some(area) = area {
                inside(&[&area.outer], &[])
            } else {
                // the middle of the longest line, so that the flag points at something
                let all = seen.cut.lines.iter().chain(&seen.visible).flat_map(|l| l.windows(2));
                let ends = all.filter_map(|w| Some((*w.first()?, *w.get(1)?)));
                let longest = ends.max_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)));
                longest.map(|(a, b)| a.midpoint(b))
            };
            at.map(|p| place.flat(p)).filter(|p| p.is_finite()).ok_or(Reason::OffView)
        }
    }
}

/// A point of a room on the page, beside its words.
fn in_room(drawing: &Drawing, room: &Room, space: &Space) -> Option<DVec2> {
    let flat = |p: &DVec2| drawing.place.project(p.extend(0.0));
    let loops: Vec<Loop> =
        room.cut.iter().flat_map(Area::loops).map(|l| l.iter().map(flat).collect()).collect();
    inside(&loops.iter().collect::<Vec<_>>(), &space.words)
}

/// The point within loops that is nearest to their middle and in none of the rooms taken.
fn inside(loops: &[&Loop], taken: &[Box2]) -> Option<DVec2> {
    let ends = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    let points = loops.iter().flat_map(|l| l.iter());
    let [low, high] = points.fold(ends, |[a, b], p| [a.min(*p), b.max(*p)]);
    if !low.is_finite() || !high.is_finite() {
        return None;
    }
    let middle = low.midpoint(high);
    let mut found: Vec<DVec2> = Vec::new();
    for x in 1..=POINTS {
        for y in 1..=POINTS {
            let share = DVec2::new(x as f64, y as f64) / (POINTS + 1) as f64;
            found.push(low + (high - low) * share);
        }
    }
    found.sort_by(|a, b| a.distance_squared(middle).total_cmp(&b.distance_squared(middle)));
    let within: Vec<DVec2> = found.into_iter().filter(|p| holds(loops.iter().copied(), *p)).collect();
    let room = |p: &DVec2| Box2 { middle: *p, half: DVec2::splat(1.2), along: DVec2::X };
    let free = within.iter().find(|p| !taken.iter().any(|b| b.meets(&room(p))));
    free.or(within.first()).copied().or(Some(middle))
}

/// Places the flag of a finding: where neither it nor its line lies on words or flags, near, and on few lines.
pub(super) fn place(number: usize, spot: DVec2, space: &mut Space) -> Flag {
    let room = |middle: DVec2| Box2 { middle, half: DVec2::splat(DISC + 0.4), along: DVec2::X };
    let edge = |middle: DVec2| middle + (spot - middle).normalize_or_zero() * DISC;
    let mut best: Option<(f64, DVec2)> = None;
    for is_strict in [true, false] {
        for far in FAR {
            if best.is_some_and(|(cost, _)| cost < far) {
                break;
            }
            for way in 0..WAYS {
                // from the upper right on
                let turn = (way as f64 / WAYS as f64 - 0.125) * std::f64::consts::TAU;
                let middle = spot + DVec2::from_angle(turn) * far;
                if !space.is_free(&room(middle)) || (is_strict && space.is_crossed(spot, edge(middle))) {
                    continue;
                }
                let crossed = space.leaders.iter().filter(|[a, b]| cross(spot, middle, *a, *b)).count();
                let busy = f64::from(space.busy(middle, DVec2::splat(DISC)));
                let cost = far + busy * 0.8 + crossed as f64 * 12.0;
                if best.is_none_or(|(known, _)| cost < known) {
                    best = Some((cost, middle));
                }
            }
        }
        if best.is_some() {
            break;
        }
    }
    let disc = best.map_or_else(|| beside(spot, space), |(_, middle)| middle);
    space.marks.push(room(disc));
    space.leaders.push([spot, edge(disc)]);
    Flag { number, spot, disc, radius: DISC }
}

/// A place to the left of all that is drawn, as near as there is one.
fn beside(spot: DVec2, space: &Space) -> DVec2 {
    let left = space.words.iter().flat_map(Box2::corners).map(|p| p.x).fold(spot.x.min(0.0), f64::min);
    let free = (0..10_000).map(|n| {
        let (row, side) = ((n + 1) / 2, if n % 2 == 0 { 1.0 } else { -1.0 });
        DVec2::new(left - 2.0 * DISC, spot.y + f64::from(row) * side * (2.0 * DISC + 1.0))
    });
    let is_free = |middle: &DVec2| {
        space.is_free(&Box2 { middle: *middle, half: DVec2::splat(DISC + 0.4), along: DVec2::X })
    };
    free.into_iter().find(is_free).unwrap_or(DVec2::new(left - 2.0 * DISC, spot.y))
}

fn cross(a: DVec2, b: DVec2, p: DVec2, q: DVec2) -> bool {
    let side = |r: DVec2| (b - a).perp_dot(r - a) > 0.0;
    let other = |r: DVec2| (q - p).perp_dot(r - p) > 0.0;
    side(p) != side(q) && other(a) != other(b)
}

/// The lines, points and discs of flags, the discs on top.
pub(super) fn draw(flags: &[Flag], findings: &[Finding], space: &Space, style: &Style) -> Vec<Node> {
    let (mut lines, mut discs) = (Vec::new(), Vec::new());
    for flag in flags {
        let Some(finding) = findings.get(flag.number.saturating_sub(1)) else { continue };
        let colour = finding.severity.colour();
        let stroke = Stroke { width: 0.25, colour, dashes: Vec::new() };
        let edge = flag.disc + (flag.spot - flag.disc).normalize_or_zero() * DISC;
        let parts: Vec<_> = open_parts(flag.spot, edge, &space.words);
        if !parts.is_empty() {
            let lines_of = parts.iter().map(|part| through(part, false)).collect();
            lines.push(stroked(lines_of, stroke, Subject::Finding, Part::Symbol));
        }
        let point = vec![circle(flag.spot, POINT)];
        lines.push(filled(point, Fill::Solid(colour), Subject::Finding, Part::Symbol));
        let number = flag.number.to_string();
        discs.extend(disc(flag.disc, &number, colour, style.letters.room_note.0, Subject::Finding));
    }
    lines.append(&mut discs);
    lines
}

/// The parts of a line that lie on no words: where every way to a flag goes through some, its line has a gap there.
fn open_parts(from: DVec2, to: DVec2, words: &[Box2]) -> Vec<[DVec2; 2]> {
    let near: Vec<Box2> = words.iter().map(|b| b.grown(0.3)).filter(|b| b.is_crossed(from, to)).collect();
    if near.is_empty() {
        return vec![[from, to]];
    }
    let steps = (from.distance(to) / STEP).ceil().clamp(1.0, 4_000.0) as usize;
    let at = |n: usize| from.lerp(to, n as f64 / steps as f64);
    let mut parts: Vec<[DVec2; 2]> = Vec::new();
    let mut is_open = false;
    for n in 0..steps {
        let (a, b) = (at(n), at(n + 1));
        if near.iter().any(|room| room.is_crossed(a, b)) {
            is_open = false;
            continue;
        }
        match parts.last_mut() {
            Some(last) if is_open => last[1] = b,
            _ => parts.push([a, b]),
        }
        is_open = true;
    }
    parts
}
