//! The marks of doors, in circles, and windows, in hexagons, both as long as their words, beside their openings where nothing else is.

use super::filling::Filling;
use super::sheet::{Letter, Order, Sheet, circle, layer, outlined, through};
use super::words::{Box2, extent};
use glam::DVec2;
use ifc::Id;
use paper::{Part, Segment, Subject, Subpath, Weight};

/// The least radius of a mark in mm.
const RADIUS: f64 = 2.6;
/// The distance between the wall and the mark in mm.
const GAP: f64 = 1.2;

/// Draws the marks of the doors and windows that have one; those for whose mark there is no room.
pub(super) fn draw(sheet: &mut Sheet<'_>, fillings: &[Filling]) -> Vec<Id> {
    let mut left_out = Vec::new();
    for filling in fillings.iter().filter(|f| !f.mark.is_empty()) {
        let height = sheet.style.letters.tag;
        let wide = extent(&filling.mark, height.0, Weight::Regular).x;
        let half = DVec2::new((wide / 2.0 + 0.8).max(RADIUS), RADIUS);
        if let Some(room) = place(sheet, filling, half) {
            let rim = sheet.line(sheet.style.weights.symbol);
            let outline = if filling.is_door { round(&room) } else { hexagon(&room) };
            let node = outlined(vec![outline], [255; 4], rim, layer(Subject::Tag, Part::Symbol));
            let angle = if room.along == DVec2::X { 0.0 } else { 90.0 };
            let letter = Letter { angle, ..Letter::middle(height) };
            let text = sheet.text(room.middle, &filling.mark, letter, layer(Subject::Tag, Part::Text));
            sheet.busy.push(room);
            sheet.texts.push(room);
            sheet.put(Order::Filling, Some(filling.id), [node, text]);
        } else {
            left_out.push(filling.id);
        }
    }
    left_out
}

/// The place before the wall that is free of words, and of what else is drawn as far as that can be; a long mark is turned along the wall where
/// it has no such place level.
fn place(sheet: &Sheet<'_>, filling: &Filling, half: DVec2) -> Option<Box2> {
    let across = filling.through();
    let shifts = [0.0, 0.3, -0.3, 0.6, -0.6];
    let mut best: Option<(usize, Box2)> = None;
    let is_turnable = half.x > half.y && across.x.abs() > across.y.abs();
    let ways: &[DVec2] = if is_turnable { &[DVec2::X, DVec2::NEG_Y] } else { &[DVec2::X] };
    for along in ways {
        let reach = half.x * along.dot(across).abs() + half.y * along.perp().dot(across).abs();
        let off = (reach + GAP) / sheet.factor;
        let sides = [filling.wall[0].min(filling.own[0]) - off, filling.wall[1].max(filling.own[1]) + off];
        for far in [0.0, 2.5, 5.0] {
            for x in shifts {
                for (y, sign) in sides.iter().zip([-1.0, 1.0]) {
                    let middle = sheet.at(filling.at(x * filling.width(), y + sign * far / sheet.factor));
                    let room = Box2 { middle, half, along: *along };
                    if sheet.is_taken(&room) {
                        continue;
                    }
                    let count = |boxes: &[Box2]| boxes.iter().filter(|b| b.meets(&room)).count();
                    let is_in_wall = sheet.walls.iter().any(|[a, b]| room.is_crossed(*a, *b));
                    let busy = count(&sheet.busy) + 3 * count(&sheet.chains) + 3 * usize::from(is_in_wall);
                    if busy == 0 {
                        return Some(room);
                    }
                    if best.is_none_or(|(known, _)| busy < known) {
                        best = Some((busy, room));
                    }
                }
            }
        }
    }
    best.map(|(_, room)| room)
}

/// A circle, or two half circles with straight lines between them where it is wider than high.
fn round(room: &Box2) -> Subpath {
    let Box2 { middle, half, along } = *room;
    let side = along * (half.x - half.y);
    if side.length() < 1e-6 {
        return circle(middle, half.y);
    }
    let up = along.perp() * half.y;
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

fn hexagon(room: &Box2) -> Subpath {
    let Box2 { middle, half, along } = *room;
    let slant = half.y * 0.58;
    let wide = half.x + slant * 0.4;
    let at = |x: f64, y: f64| middle + along * x + along.perp() * y;
    let points = [
        at(-wide, 0.0),
        at(slant - wide, -half.y),
        at(wide - slant, -half.y),
        at(wide, 0.0),
        at(wide - slant, half.y),
        at(slant - wide, half.y),
    ];
    through(&points, true)
}
