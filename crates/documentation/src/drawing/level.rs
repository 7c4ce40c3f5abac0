//! Level marks: triangles with heights, on plans in a room, on sections and elevations in a row beside the drawing.

use super::room::{Room, place};
use super::sheet::{Letter, Order, Sheet, filled, layer, stroked, through};
use super::words::{Box2, extent};
use crate::style::BLACK;
use geometry::region::Loop;
use glam::DVec2;
use paper::{Anchor, Baseline, Fill, Part, Subject, Weight};

/// The height of a triangle in mm.
const TRIANGLE: f64 = 2.6;

/// Draws the height of a storey's floor in its largest room, where nothing else is.
pub(super) fn on_plan(sheet: &mut Sheet<'_>, rooms: &[Room], floor: f64) {
    let Some(room) = rooms.iter().max_by(|a, b| a.area.total_cmp(&b.area)) else { return };
    let words = sheet.style.level(floor);
    let height = sheet.style.letters.level;
    let size =
        DVec2::new(extent(&words, height.0, Weight::Regular).x + TRIANGLE * 2.0, height.0 * 1.6 + TRIANGLE);
    let loops: Vec<Loop> =
        room.loops().into_iter().map(|l| l.into_iter().map(|p| sheet.ground(p)).collect()).collect();
    if let Some(found) = place(sheet, &loops, size, false, true) {
        let tip = found.middle + DVec2::new(TRIANGLE - found.half.x, found.half.y);
        mark(sheet, tip, &words, true);
        sheet.busy.push(found);
    }
}

/// The room that a mark and its words take.
pub(super) fn room_of(sheet: &Sheet<'_>, tip: DVec2, words: &str) -> Box2 {
    let size = extent(words, sheet.style.letters.level.0, Weight::Regular);
    let low = tip - DVec2::new(TRIANGLE * 0.6, TRIANGLE + 0.6 + size.y);
    Box2::between(low, tip + DVec2::new(TRIANGLE * 0.8 + size.x, 0.0))
}

/// A triangle that stands on its tip, filled or open, with a line and words to its right.
pub(super) fn mark(sheet: &mut Sheet<'_>, tip: DVec2, words: &str, is_filled: bool) {
    let half = DVec2::new(TRIANGLE * 0.6, -TRIANGLE);
    let corners = [tip, tip + half, tip + DVec2::new(-half.x, half.y)];
    let triangle = through(&corners, true);
    let height = sheet.style.letters.level;
    let wide = extent(words, height.0, Weight::Regular).x + TRIANGLE;
    let line = through(&[corners[2], tip + DVec2::new(wide, -TRIANGLE)], false);
    let stroke = sheet.line(sheet.style.weights.symbol);
    let mut nodes = Vec::new();
    if is_filled {
        nodes.push(filled(vec![triangle.clone()], Fill::Solid(BLACK), Subject::Level, Part::Symbol));
    }
    nodes.push(stroked(vec![triangle, line], stroke, Subject::Level, Part::Symbol));
    let letter = Letter {
        weight: Weight::Regular,
        anchor: Anchor::Left,
        baseline: Baseline::Foot,
        halo: 0.3,
        ..Letter::middle(height)
    };
    let at = tip + DVec2::new(TRIANGLE * 0.8, -TRIANGLE - 0.6);
    nodes.push(sheet.text(at, words, letter, layer(Subject::Level, Part::Text)));
    sheet.put(Order::Dimension, None, nodes);
}
