//! The words and marks below a drawing: its title and scale, the bar of a round length, and the arrow to north.

use super::sheet::{Letter, Order, Sheet, circle, filled, layer, outlined, stroked, through};
use crate::style::BLACK;
use glam::DVec2;
use paper::{Anchor, Baseline, Fill, Part, Subject, Weight};

/// Millimetres between the drawing and what stands below it.
const GAP: f64 = 12.0;
/// The longest bar, and its height, in mm.
const BAR: f64 = 60.0;
const BAR_HEIGHT: f64 = 1.6;
/// The radius of the arrow to north, in mm.
const COMPASS: f64 = 6.0;

/// Draws title, scale, bar, and the arrow where an angle from the top of the page to north (degrees, counter-clockwise) is given.
pub(super) fn draw(sheet: &mut Sheet<'_>, title: &str, north: Option<f64>) {
    let Some([low, high]) = sheet.extent() else { return };
    let letters = sheet.style.letters.clone();
    let (left, top) = (low.x, high.y + GAP);
    let foot = top + letters.title.0;
    let title_letter = Letter {
        weight: Weight::Bold,
        anchor: Anchor::Left,
        baseline: Baseline::Foot,
        ..Letter::middle(letters.title)
    };
    let at = DVec2::new(left, foot);
    let mut nodes = vec![sheet.text(at, title, title_letter, layer(Subject::TitleBlock, Part::Text))];
    let bar_top = foot + 4.0;
    let scale = sheet.scale;
    let words = format!("1:{}", (scale * 1000.0).round() / 1000.0);
    let small = Letter { weight: Weight::Regular, ..title_letter };
    let small = Letter { height: letters.scale, ..small };
    let scale_at = DVec2::new(left, bar_top + letters.scale.0);
    nodes.push(sheet.text(scale_at, &words, small, layer(Subject::TitleBlock, Part::Text)));
    let bar_left = left + super::words::extent(&words, letters.scale.0, Weight::Regular).x + 6.0;
    let end = bar(sheet, DVec2::new(bar_left, bar_top), &mut nodes);
    if let Some(angle) = north {
        let beside = end.max(left + super::words::extent(title, letters.title.0, Weight::Bold).x);
        let middle = DVec2::new(beside + 14.0, top + COMPASS);
        arrow(sheet, middle, angle, &mut nodes);
    }
    sheet.put(Order::Frame, None, nodes);
}

/// A bar of the greatest of 1, 2 and 5 times a power of ten metres that is short enough, in four parts; its right end.
fn bar(sheet: &mut Sheet<'_>, at: DVec2, nodes: &mut Vec<paper::Node>) -> f64 {
    let most = BAR / sheet.factor;
    let power = 10_f64.powf(most.log10().floor());
    let metres = [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|m| *m <= most).unwrap_or(power);
    let length = metres * sheet.factor;
    let box_of = |from: f64, to: f64| {
        let (a, b) = (at.x + length * from, at.x + length * to);
        through(
            &[
                DVec2::new(a, at.y),
                DVec2::new(b, at.y),
                DVec2::new(b, at.y + BAR_HEIGHT),
                DVec2::new(a, at.y + BAR_HEIGHT),
            ],
            true,
        )
    };
    let stroke = sheet.line(sheet.style.weights.symbol);
    nodes.push(outlined(vec![box_of(0.0, 1.0)], [255; 4], stroke, layer(Subject::TitleBlock, Part::Symbol)));
    let dark = vec![box_of(0.0, 0.25), box_of(0.5, 0.75)];
    nodes.push(filled(dark, Fill::Solid(BLACK), Subject::TitleBlock, Part::Symbol));
    let letter = Letter {
        anchor: Anchor::Left,
        baseline: Baseline::Foot,
        ..Letter::middle(sheet.style.letters.scale)
    };
    let decimal = sheet.style.words().decimal;
    let number = format!("{} m", (metres * 1000.0).round() / 1000.0).replace('.', &decimal);
    let place = DVec2::new(at.x + length + 1.5, at.y + sheet.style.letters.scale.0);
    nodes.push(sheet.text(place, &number, letter, layer(Subject::TitleBlock, Part::Text)));
    place.x + super::words::extent(&number, letter.height.0, Weight::Regular).x
}

/// A circle with an arrow that points to north, and its letter beyond the tip.
fn arrow(sheet: &mut Sheet<'_>, middle: DVec2, angle: f64, nodes: &mut Vec<paper::Node>) {
    let (sin, cos) = angle.to_radians().sin_cos();
    let (ahead, right) = (DVec2::new(-sin, -cos), DVec2::new(cos, -sin));
    let stroke = sheet.line(sheet.style.weights.symbol);
    nodes.push(stroked(vec![circle(middle, COMPASS)], stroke, Subject::Symbol, Part::Symbol));
    let tip = middle + ahead * COMPASS;
    let tail = middle - ahead * COMPASS * 0.75;
    let half = through(&[tip, tail + right * COMPASS * 0.55, middle - ahead * COMPASS * 0.45], true);
    let other = through(&[tip, tail - right * COMPASS * 0.55, middle - ahead * COMPASS * 0.45], true);
    nodes.push(filled(vec![half.clone()], Fill::Solid(BLACK), Subject::Symbol, Part::Symbol));
    let stroke = sheet.line(sheet.style.weights.symbol);
    nodes.push(stroked(vec![half, other], stroke, Subject::Symbol, Part::Symbol));
    let words = sheet.style.words().north;
    let letter = Letter { weight: Weight::Bold, ..Letter::middle(sheet.style.letters.scale) };
    let place = tip + ahead * 2.6;
    nodes.push(sheet.text(place, &words, letter, layer(Subject::Symbol, Part::Text)));
}
