//! Gaps in walls: doors, windows, plain openings, crossings with other walls, or the end of one wall and the start of another.

use super::{Drawing, Manner, Wall, swing};
use crate::line::{Span, join_stretches};
use crate::strokes::Arc;
use glam::DVec2;

/// The class of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GapKind {
    /// An arc or a leaf is beside the gap.
    Door,
    /// Thin lines run through the gap along the wall.
    Window,
    /// Nothing is drawn in the gap.
    Opening,
}

/// A gap along the axis of a wall.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gap {
    pub from: f64,
    pub to: f64,
    pub kind: GapKind,
    pub confidence: f64,
    pub reasons: Vec<&'static str>,
    /// The leaves of a door, as far as its swings are seen; else 1.
    pub leaves: u8,
}

impl Gap {
    pub fn length(&self) -> f64 {
        self.to - self.from
    }
}

/// Says what each gap is, and parts walls at those that are none.
pub(super) fn classify(walls: &mut Vec<Wall>, drawing: &Drawing, usual: f64) {
    let others: Vec<(Span, f64)> = walls.iter().map(|wall| (wall.axis, wall.thickness)).collect();
    let mut out = Vec::new();
    for (n, mut wall) in std::mem::take(walls).into_iter().enumerate() {
        if wall.manner == Manner::Filled {
            find_piers(&mut wall, drawing);
        }
        fill_crossings(&mut wall, n, &others);
        out.extend(part(wall, drawing, usual));
    }
    for wall in &mut out {
        if wall.manner == Manner::Double {
            windows_within(wall, drawing);
        }
    }
    *walls = out;
}

/// Looks along the axis for short pieces of the filling, too short to have a direction by themselves.
fn find_piers(wall: &mut Wall, drawing: &Drawing) {
    let (length, thickness) = (wall.axis.length(), wall.thickness);
    let across = wall.axis.direction().perp();
    let beyond = 14.0 * thickness;
    let is_filled = |along: f64| {
        let at = wall.axis.at(along);
        let ink = |aside: f64| drawing.mask.under(at + across * (aside * thickness)) == 1;
        [-0.36, -0.2, 0.0, 0.2, 0.36].iter().filter(|aside| ink(**aside)).count() >= 4
    };
    let (first, last) = (-beyond, length + beyond);
    let mut stretches = wall.solid.clone();
    let mut along = first;
    let mut start: Option<f64> = None;
    while along <= last {
        match (is_filled(along), start) {
            (true, None) => start = Some(along),
            (false, Some(from)) => {
                // what runs on aside is another wall across, or a larger filled thing
                let middle = wall.axis.at(f64::midpoint(from, along));
                let is_bare = [-1.0, 1.0]
                    .iter()
                    .all(|side| drawing.mask.under(middle + across * (side * (thickness * 0.5 + 3.0))) == 0);
                let is_pier = along - from > 0.35 * thickness && along - from < 6.0 * thickness && is_bare;
                if is_pier || (from >= -2.0 && along <= length + 2.0) {
                    stretches.push((from, along));
                }
                start = None;
            }
            _ => {}
        }
        along += 1.0;
    }
    wall.solid = join_stretches(stretches, 2.5 + 0.1 * thickness);
    let (from, to) =
        (wall.solid.first().map_or(0.0, |own| own.0), wall.solid.last().map_or(length, |own| own.1));
    shift(wall, from, to);
}

/// Makes the axis reach from one place to another, and counts all stretches from the new start.
fn shift(wall: &mut Wall, from: f64, to: f64) {
    wall.axis = Span::new(wall.axis.at(from), wall.axis.at(to));
    wall.solid.iter_mut().for_each(|own| *own = (own.0 - from, own.1 - from));
    for gap in &mut wall.gaps {
        gap.from -= from;
        gap.to -= from;
    }
}

/// Where another wall crosses there is no gap.
fn fill_crossings(wall: &mut Wall, own: usize, others: &[(Span, f64)]) {
    for (n, (other, thickness)) in others.iter().enumerate() {
        let angle = wall.axis.angle_to(other);
        if n == own || angle < 25.0 {
            continue;
        }
        let Some(point) = wall.axis.crossing(other) else { continue };
        let half = thickness * 0.5 / angle.to_radians().sin() + 1.5;
        let along = wall.axis.along(point);
        let reach = other.along(point);
        if along > 0.0
            && along < wall.axis.length()
            && reach > -wall.thickness - 4.0
            && reach < other.length() + wall.thickness + 4.0
        {
            wall.solid.push((along - half, along + half));
        }
    }
    wall.solid = join_stretches(std::mem::take(&mut wall.solid), 2.5 + 0.25 * wall.thickness);
    // a crossing alone is no piece of this wall
    let length = wall.axis.length();
    wall.solid.retain(|(from, to)| *to > 0.0 && *from < length);
}

/// Parts a wall at gaps that are none.
fn part(wall: Wall, drawing: &Drawing, usual: f64) -> Vec<Wall> {
    let mut out = Vec::new();
    let mut solid: Vec<(f64, f64)> = Vec::new();
    let mut gaps: Vec<Gap> = Vec::new();
    let mut flush = |solid: &mut Vec<(f64, f64)>, gaps: &mut Vec<Gap>| {
        let (Some(first), Some(last)) = (solid.first(), solid.last()) else { return };
        let (from, to) = (first.0, last.1);
        let mut own = Wall { solid: std::mem::take(solid), gaps: std::mem::take(gaps), ..wall.clone() };
        shift(&mut own, from, to);
        out.push(own);
    };
    for stretch in &wall.solid {
        if let Some(last) = solid.last().copied() {
            match judge(&wall, last.1, stretch.0, drawing, usual) {
                Some(gap) => gaps.push(gap),
                None => flush(&mut solid, &mut gaps),
            }
        }
        solid.push(*stretch);
    }
    flush(&mut solid, &mut gaps);
    out
}

/// Judges the gaps of one wall, which is not parted.
pub(super) fn within(wall: &mut Wall, drawing: &Drawing, usual: f64) {
    let between = wall.solid.iter().zip(wall.solid.iter().skip(1)).map(|(before, after)| (before.1, after.0));
    wall.gaps = between.filter_map(|(from, to)| judge(wall, from, to, drawing, usual)).collect();
}

/// Says what a gap is, or nothing where it parts two walls.
pub(super) fn judge(wall: &Wall, from: f64, to: f64, drawing: &Drawing, usual: f64) -> Option<Gap> {
    let length = to - from;
    let thickness = wall.gauge.max(0.5 * usual);
    if length > 0.4 * drawing.extent || length > 45.0 * thickness {
        return None;
    }
    let gap = |kind, confidence, reasons| Some(Gap { from, to, kind, confidence, reasons, leaves: 1 });
    let (start, end) = (wall.axis.at(from), wall.axis.at(to));
    if length < 0.2 * drawing.extent {
        let drawn = swing::leaves(drawing, &Span::new(start, end), wall.thickness);
        let leaves = drawn.or_else(|| has_swing(&drawing.strokes.arcs, start, end, thickness));
        if let Some(leaves) = leaves {
            let reason = if leaves == 2 {
                "arcs as wide as half of the gap swing from both sides"
            } else {
                "an arc as wide as the gap swings from its side"
            };
            return Some(Gap {
                from,
                to,
                kind: GapKind::Door,
                confidence: 0.9,
                reasons: vec![reason],
                leaves,
            });
        }
    }
    let lines = along_gap(wall, from, to, drawing);
    if lines >= 1 {
        let own = if lines >= 2 { 0.85 } else { 0.7 };
        return gap(GapKind::Window, own, vec!["thin lines run through the gap along the wall"]);
    }
    if length > 14.0 * thickness {
        return None;
    }
    if has_leaf(start, end, drawing) {
        return gap(GapKind::Door, 0.65, vec!["a line as long as the gap stands at its side"]);
    }
    (length < 10.0 * thickness).then_some(Gap {
        from,
        to,
        kind: GapKind::Opening,
        confidence: 0.5,
        reasons: vec!["the wall goes on in one line beyond the gap"],
        leaves: 1,
    })
}

/// The leaves of a door whose arcs are about a gap: one as wide as it, or one of half from either side.
fn has_swing(arcs: &[Arc], start: DVec2, end: DVec2, thickness: f64) -> Option<u8> {
    let width = start.distance(end);
    let near = 0.3 * width + 0.8 * thickness + 3.0;
    let from = |hinge: DVec2, least: f64, most: f64| {
        arcs.iter().any(|arc| {
            hinge.distance(arc.centre) < near && (least..most).contains(&(arc.radius / width.max(1.0)))
        })
    };
    if from(start, 0.62, 1.3) || from(end, 0.62, 1.3) {
        return Some(1);
    }
    (from(start, 0.36, 0.62) && from(end, 0.36, 0.62)).then_some(2)
}

/// The number of thin lines that run through a gap along the wall.
fn along_gap(wall: &Wall, from: f64, to: f64, drawing: &Drawing) -> usize {
    drawing
        .strokes
        .lines
        .iter()
        .filter(|line| line.thickness < 0.6 * wall.gauge.max(4.0))
        .filter(|line| wall.axis.angle_to(&line.span) < 4.0 + drawing.strokes.waver)
        .filter(|line| wall.axis.beside(line.span.middle()).abs() < 0.62 * wall.gauge + 2.5)
        .filter(|line| {
            let (start, end) = wall.axis.shadow(&line.span);
            end.min(to) - start.max(from) > 0.7 * (to - from)
                && end - start < 3.0 * (to - from) + 4.0 * wall.gauge
        })
        .count()
}

/// True where a line as long as the gap stands at one of its sides.
fn has_leaf(start: DVec2, end: DVec2, drawing: &Drawing) -> bool {
    let width = start.distance(end);
    let own = Span::new(start, end);
    drawing.strokes.lines.iter().any(|line| {
        let length = line.span.length();
        let near = 0.25 * width + 4.0;
        let hinge = [line.span.start, line.span.end]
            .into_iter()
            .any(|point| point.distance(start) < near || point.distance(end) < near);
        (0.75..1.3).contains(&(length / width.max(1.0))) && own.angle_to(&line.span) > 25.0 && hinge
    })
}

/// Windows whose wall is drawn on through them: further lines between the faces.
fn windows_within(wall: &mut Wall, drawing: &Drawing) {
    let thickness = wall.thickness;
    let stretches: Vec<(f64, f64)> = drawing
        .strokes
        .lines
        .iter()
        .filter(|line| wall.axis.angle_to(&line.span) < 3.0 + drawing.strokes.waver)
        .filter(|line| wall.axis.beside(line.span.middle()).abs() < 0.36 * thickness)
        .map(|line| wall.axis.shadow(&line.span))
        .filter(|(from, to)| to - from > 1.5 * thickness && to - from < 30.0 * thickness)
        .filter(|(from, to)| *from > -thickness && *to < wall.axis.length() + thickness)
        .filter(|(from, to)| to - from < 0.85 * wall.axis.length())
        .collect();
    for (from, to) in join_stretches(stretches, 1.0) {
        if wall.gaps.iter().all(|gap| gap.to < from || gap.from > to) {
            wall.gaps.push(Gap {
                from,
                to,
                kind: GapKind::Window,
                confidence: 0.7,
                reasons: vec!["a line runs between the faces along the wall"],
                leaves: 1,
            });
        }
    }
    wall.gaps.sort_by(|a, b| a.from.total_cmp(&b.from));
}
