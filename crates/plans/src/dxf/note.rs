//! Words and dimensions.

use super::own::Own;
use super::words::{CodePage, line, paragraphs as stripped};
use crate::drawing::{Dimension, Shape, Text};
use glam::DVec2;

/// The width of a letter beside its height, about.
const LETTER: f64 = 0.85;

/// A line of words.
pub(super) fn text(own: &Own<'_, '_>, page: CodePage) -> Option<Shape> {
    let words = line(&page.text(own.bytes(1)?));
    if words.is_empty() {
        return None;
    }
    let (height, angle) = (own.real(40).unwrap_or(1.0).abs(), own.real(50).unwrap_or(0.0));
    let (across, up) = (own.whole(72).unwrap_or(0), own.whole(73).or(own.whole(74)).unwrap_or(0));
    let place = own.point(10)?;
    let at = if across != 0 || up != 0 { own.point(11).unwrap_or(place) } else { place };
    let width =
        words.chars().count() as f64 * height * LETTER * own.real(41).filter(|own| *own > 0.0).unwrap_or(1.0);
    let along = match across {
        0 => width / 2.0,
        2 => -width / 2.0,
        _ => 0.0,
    };
    let upward = match up {
        0 | 1 if across != 4 => height / 2.0,
        3 => -height / 2.0,
        _ => 0.0,
    };
    let way = DVec2::from_angle(angle.to_radians());
    // fitted between two points
    let middle = if matches!(across, 3 | 5) {
        (place + at) / 2.0 + way.perp() * upward
    } else {
        at + way * along + way.perp() * upward
    };
    Some(Shape::Text(Box::new(Text { words, middle, height, angle })))
}

/// Words of several lines.
pub(super) fn paragraphs(own: &Own<'_, '_>, page: CodePage) -> Option<Shape> {
    let mut bytes = Vec::new();
    for tag in own.0.iter().filter(|tag| matches!(tag.code, 1 | 3)) {
        bytes.extend_from_slice(tag.bytes());
    }
    let words = stripped(&page.text(&bytes));
    if words.is_empty() {
        return None;
    }
    let height = own.real(40).unwrap_or(1.0).abs();
    let way = match own.point(11) {
        Some(way) if way.length() > 1e-9 => way.normalize(),
        _ => DVec2::from_angle(own.real(50).unwrap_or(0.0).to_radians()),
    };
    let lines = words.lines().count() as f64;
    let longest = words.lines().map(|own| own.chars().count()).max().unwrap_or(0) as f64;
    let size = DVec2::new(longest * height * LETTER, height * (1.0 + (lines - 1.0) * 5.0 / 3.0));
    let anchor = own.whole(71).unwrap_or(1) - 1;
    let along = [size.x / 2.0, 0.0, -size.x / 2.0].get(anchor.rem_euclid(3) as usize).copied().unwrap_or(0.0);
    let upward =
        [-size.y / 2.0, 0.0, size.y / 2.0].get((anchor / 3).clamp(0, 2) as usize).copied().unwrap_or(0.0);
    let middle = own.point(10)? + way * along + way.perp() * upward;
    Some(Shape::Text(Box::new(Text { words, middle, height, angle: way.to_angle().to_degrees() })))
}

/// A linear dimension; the reason where it is none.
pub(super) fn dimension(own: &Own<'_, '_>, page: CodePage) -> Result<Shape, &'static str> {
    let kind = own.whole(70).unwrap_or(0) & 7;
    if !matches!(kind, 0 | 1) {
        return Err("only linear dimensions are read");
    }
    let (Some(from), Some(to)) = (own.point(13), own.point(14)) else {
        return Err("it has no points that it measures");
    };
    let measured = if kind == 0 {
        // the angle is one of the entity's plane
        let way = own.plane().transform_vector2(DVec2::from_angle(own.real(50).unwrap_or(0.0).to_radians()));
        (to - from).dot(way).abs()
    } else {
        from.distance(to)
    };
    let stated = own
        .bytes(1)
        .map(|text| stripped(&page.text(text)))
        .filter(|words| !words.is_empty() && !words.contains("<>"));
    Ok(Shape::Dimension(Box::new(Dimension { from, to, measured, stated })))
}
