//! Ways: a line from a disc at the start to an arrow at the end, with its length beside.

use super::space::Space;
use super::{Reason, Way};
use crate::drawing::Drawing;
use crate::drawing::shapes::{circle, filled, layer, stroked, through};
use crate::drawing::words::{Box2, extent};
use crate::phrases::Phrases;
use crate::style::Style;
use glam::{DVec2, DVec3};
use paper::{Anchor, Baseline, Colour, Fill, Node, Part, Stroke, Subject, Text, Weight};

/// The width of the line, the radius of the disc at its start, and the length of its arrow, in mm.
const WIDTH: f64 = 0.6;
const START: f64 = 1.4;
const ARROW: f64 = 3.2;
/// The most corners of a way that are drawn.
const MOST: usize = 20_000;
/// Millimetres between a way and its length.
const BESIDE: f64 = 1.2;

/// The colours of ways, one after the other.
const COLOURS: [Colour; 6] = [
    [112, 48, 160, 255],
    [0, 112, 140, 255],
    [176, 36, 110, 255],
    [60, 90, 20, 255],
    [140, 70, 20, 255],
    [40, 60, 150, 255],
];

/// The colour of a way by its number.
pub(super) fn colour(number: usize) -> Colour {
    COLOURS.get(number % COLOURS.len()).copied().unwrap_or([0, 0, 0, 255])
}

/// The length of a way in metres; `None` where a number of it is not finite.
pub(super) fn length(way: &Way) -> Option<f64> {
    let sum: f64 = way.points.windows(2).map(|w| ends(w).map_or(0.0, |(a, b)| a.distance(b))).sum();
    (way.points.len() > 1 && way.points.iter().all(|p| p.is_finite()) && sum.is_finite()).then_some(sum)
}

fn ends<T: Copy>(pair: &[T]) -> Option<(T, T)> {
    Some((*pair.first()?, *pair.get(1)?))
}

/// Draws a way; false beside its nodes where a part of it lies off the view.
pub(super) fn draw(
    drawing: &Drawing,
    way: &Way,
    number: usize,
    space: &mut Space,
    style: &Style,
    phrases: &Phrases,
) -> Result<(Vec<Node>, bool), Reason> {
    let metres = length(way).filter(|_| way.points.len() <= MOST).ok_or(Reason::BadNumbers)?;
    let parts = parts(drawing, &way.points);
    let Some((first, last)) = parts.first().zip(parts.last()) else { return Err(Reason::OffView) };
    let is_whole = parts.len() == 1 && first.len() == way.points.len();
    let colour = colour(number);
    let stroke = Stroke { width: WIDTH, colour, dashes: Vec::new() };
    let solid = |subpaths| filled(subpaths, Fill::Solid(colour), Subject::Route, Part::Symbol);
    let mut lines: Vec<Vec<DVec2>> = parts.clone();
    let mut nodes = Vec::new();
    let is_start = way.points.first().and_then(|p| drawing.place.at(*p)) == first.first().copied();
    if is_start && let Some(start) = first.first() {
        nodes.push(solid(vec![circle(*start, START)]));
    }
    let is_end = way.points.last().and_then(|p| drawing.place.at(*p)) == last.last().copied();
    if is_end && let Some(line) = lines.last_mut() {
        let tip = line.last().copied().unwrap_or_default();
        // the direction of the last piece that is long enough to see
        let from = line.iter().rev().find(|p| p.distance(tip) > 0.3).copied();
        if let Some(from) = from {
            let ahead = (tip - from).normalize_or_zero();
            let (back, side) = (tip - ahead * ARROW, ahead.perp() * (ARROW * 0.38));
            nodes.push(solid(vec![through(&[tip, back + side, back - side], true)]));
            if tip.distance(from) > ARROW
                && let Some(end) = line.last_mut()
            {
                *end = tip - ahead * (ARROW * 0.6);
            }
        }
    }
    let subpaths = lines.iter().map(|l| through(l, false)).collect();
    nodes.insert(0, stroked(subpaths, stroke, Subject::Route, Part::Symbol));
    let words = format!("{} m", phrases.number(metres, 2));
    if let Some(text) = label(&parts, &words, colour, style, space) {
        space.marks.push(Box2::around(&text));
        nodes.push(Node::Text(text));
    }
    for (a, b) in parts.iter().flat_map(|l| l.windows(2)).filter_map(ends) {
        space.mark(a, b);
    }
    Ok((nodes, is_whole))
}

/// The parts of a way that lie on the view, as lines on the page.
fn parts(drawing: &Drawing, points: &[DVec3]) -> Vec<Vec<DVec2>> {
    let mut parts: Vec<Vec<DVec2>> = Vec::new();
    let mut line: Vec<DVec2> = Vec::new();
    for point in points {
        match drawing.place.at(*point) {
            Some(at) => line.push(at),
            None if line.len() > 1 => parts.push(std::mem::take(&mut line)),
            None => line.clear(),
        }
    }
    if line.len() > 1 {
        parts.push(line);
    }
    parts.retain(|line| line.windows(2).filter_map(ends).any(|(a, b)| a.distance(b) > 0.1));
    parts
}

/// The length beside the way, from its middle on, where no words are and few lines.
fn label(parts: &[Vec<DVec2>], words: &str, colour: Colour, style: &Style, space: &Space) -> Option<Text> {
    let height = style.letters.room_note.0;
    let size = DVec2::new(extent(words, height, Weight::Bold).x, height);
    let all: Vec<(DVec2, DVec2)> = parts.iter().flat_map(|l| l.windows(2)).filter_map(ends).collect();
    let whole: f64 = all.iter().map(|(a, b)| a.distance(*b)).sum();
    let at = |share: f64| {
        let mut left = whole * share;
        for (a, b) in &all {
            let length = a.distance(*b);
            if left <= length && length > 0.0 {
                return Some((a.lerp(*b, left / length), (*b - *a) / length));
            }
            left -= length;
        }
        None
    };
    let mut best: Option<(f64, DVec2)> = None;
    for share in [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9] {
        let Some((on, along)) = at(share) else { continue };
        for side in [along.perp(), -along.perp()] {
            let off = size.dot(side.abs()) / 2.0 + BESIDE;
            let middle = on + side * off;
            let room = Box2 { middle, half: size / 2.0 + 0.4, along: DVec2::X };
            let own = all.iter().any(|(a, b)| room.is_crossed(*a, *b));
            if own || !space.is_free(&room) {
                continue;
            }
            let cost = f64::from(space.busy(middle, size / 2.0)) + (share - 0.5).abs() * 8.0;
            if best.is_none_or(|(known, _)| cost < known) {
                best = Some((cost, middle));
            }
        }
    }
    best.map(|(_, at)| Text {
        weight: Weight::Bold,
        anchor: Anchor::Middle,
        baseline: Baseline::Middle,
        colour,
        halo: 0.5,
        layer: Some(layer(Subject::Route, Part::Text)),
        ..Text::new(at, words, height)
    })
}
