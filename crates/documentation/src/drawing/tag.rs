//! The marks of doors, in circles, and windows, in hexagons, both as long as their words, beside their openings where nothing else is.

use super::filling::Filling;
use super::sheet::{Letter, Order, Sheet, circle, layer, outlined, through};
use super::words::{Box2, extent};
use glam::DVec2;
use paper::{Part, Segment, Subject, Subpath, Weight};

/// The least radius of a mark in mm.
const RADIUS: f64 = 2.6;
/// The distance between the wall and the mark in mm.
const GAP: f64 = 1.2;

/// Draws the marks of the doors and windows that have one.
pub(super) fn draw(sheet: &mut Sheet<'_>, fillings: &[Filling]) {
    for filling in fillings.iter().filter(|f| !f.mark.is_empty()) {
        let height = sheet.style.letters.tag;
        let wide = extent(&filling.mark, height.0, Weight::Regular).x;
        let half = DVec2::new((wide / 2.0 + 0.8).max(RADIUS), RADIUS);
        if let Some(middle) = place(sheet, filling, half) {
            let rim = sheet.line(sheet.style.weights.symbol);
            let outline = if filling.is_door { round(middle, half) } else { hexagon(middle, half) };
            let node = outlined(vec![outline], [255; 4], rim, layer(Subject::Tag, Part::Symbol));
            let text =
                sheet.text(middle, &filling.mark, Letter::middle(height), layer(Subject::Tag, Part::Text));
            let room = Box2 { middle, half, along: DVec2::X };
            sheet.busy.push(room);
            sheet.texts.push(room);
            sheet.put(Order::Filling, Some(filling.id), [node, text]);
        }
    }
}

/// The place before the wall that is free of words, and of what else is drawn as far as that can be.
fn place(sheet: &Sheet<'_>, filling: &Filling, half: DVec2) -> Option<DVec2> {
    let across = filling.through();
    let off = (half.dot(across.abs()) + GAP) / sheet.factor;
    let shifts = [0.0, 0.3, -0.3, 0.6, -0.6];
    let sides = [filling.wall[0].min(filling.own[0]) - off, filling.wall[1].max(filling.own[1]) + off];
    let mut best: Option<(usize, DVec2)> = None;
    for far in [0.0, 2.5, 5.0] {
        for x in shifts {
            for (y, sign) in sides.iter().zip([-1.0, 1.0]) {
                let middle = sheet.at(filling.at(x * filling.width(), y + sign * far / sheet.factor));
                let room = Box2 { middle, half, along: DVec2::X };
                if sheet.is_taken(&room) {
                    continue;
                }
                let count = |boxes: &[Box2]| boxes.iter().filter(|b| b.meets(&room)).count();
                let busy = count(&sheet.busy) + 3 * count(&sheet.chains);
                if busy == 0 {
                    return Some(middle);
                }
                if best.is_none_or(|(known, _)| busy < known) {
                    best = Some((busy, middle));
                }
            }
        }
    }
    best.map(|(_, middle)| middle)
}

/// A circle, or two half circles with straight lines between them where it is wider than high.
fn round(middle: DVec2, half: DVec2) -> Subpath {
    let side = DVec2::new(half.x - half.y, 0.0);
    if side.x < 1e-6 {
        return circle(middle, half.y);
    }
    let up = DVec2::new(0.0, half.y);
    let arc = |to: DVec2, centre: DVec2| Segment::Arc { to, centre, is_clockwise: true };
    let (left, right) = (middle - side, middle + side);
    Subpath {
        start: left - up,
        segments: vec![
            Segment::Line(right - up),
            arc(right + up, right),
            Segment::Line(left + up),
            arc(left - up, left),
        ],
        is_closed: true,
    }
}

fn hexagon(middle: DVec2, half: DVec2) -> Subpath {
    let slant = DVec2::new(half.y * 0.58, 0.0);
    let (x, y) = (DVec2::new(half.x + slant.x * 0.4, 0.0), DVec2::new(0.0, half.y));
    let points = [
        middle - x,
        middle - x + slant - y,
        middle + x - slant - y,
        middle + x,
        middle + x - slant + y,
        middle - x + slant + y,
    ];
    through(&points, true)
}
