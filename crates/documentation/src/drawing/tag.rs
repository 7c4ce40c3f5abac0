//! The marks of doors, in circles, and windows, in hexagons, beside their openings where nothing else is.

use super::filling::Filling;
use super::sheet::{Letter, Order, Sheet, circle, layer, outlined, through};
use super::words::{Box2, extent};
use glam::DVec2;
use paper::{Part, Subject};

/// The least radius of a mark in mm.
const RADIUS: f64 = 2.6;
/// The distance between the wall and the mark in mm.
const GAP: f64 = 1.2;

/// Draws the marks of the doors and windows that have one.
pub(super) fn draw(sheet: &mut Sheet<'_>, fillings: &[Filling]) {
    for filling in fillings.iter().filter(|f| !f.mark.is_empty()) {
        let height = sheet.style.letters.tag;
        let wide = extent(&filling.mark, height.0).x;
        let radius = (wide / 2.0 + 0.8).max(RADIUS);
        if let Some(middle) = place(sheet, filling, radius) {
            let rim = sheet.line(sheet.style.weights.symbol);
            let outline = if filling.is_door { circle(middle, radius) } else { hexagon(middle, radius) };
            let node = outlined(vec![outline], [255; 4], rim, layer(Subject::Tag, Part::Symbol));
            let text =
                sheet.text(middle, &filling.mark, Letter::middle(height), layer(Subject::Tag, Part::Text));
            sheet.busy.push(Box2 { middle, half: DVec2::splat(radius), along: DVec2::X });
            sheet.texts.push(Box2 { middle, half: DVec2::splat(radius), along: DVec2::X });
            sheet.put(Order::Filling, Some(filling.id), [node, text]);
        }
    }
}

/// The place before the wall that is free of words, and of what else is drawn as far as that can be.
fn place(sheet: &Sheet<'_>, filling: &Filling, radius: f64) -> Option<DVec2> {
    let off = (radius + GAP) / sheet.factor;
    let shifts = [0.0, 0.3, -0.3, 0.6, -0.6];
    let sides = [filling.wall[0].min(filling.own[0]) - off, filling.wall[1].max(filling.own[1]) + off];
    let mut best: Option<(usize, DVec2)> = None;
    for far in [0.0, 2.5, 5.0] {
        for x in shifts {
            for (y, sign) in sides.iter().zip([-1.0, 1.0]) {
                let middle = sheet.at(filling.at(x * filling.width(), y + sign * far / sheet.factor));
                let room = Box2 { middle, half: DVec2::splat(radius), along: DVec2::X };
                if sheet.is_taken(&room) {
                    continue;
                }
                let busy = sheet.busy.iter().filter(|b| b.meets(&room)).count();
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

fn hexagon(middle: DVec2, radius: f64) -> paper::Subpath {
    let corner = |n: i32| middle + DVec2::from_angle(f64::from(n) * std::f64::consts::FRAC_PI_3) * radius * 1.08;
    through(&(0..6).map(corner).collect::<Vec<_>>(), true)
}
