//! The lines of grids in plan, with their names in bubbles beyond the dimensions.

use super::sheet::{Letter, Order, Sheet, circle, layer, outlined, stroked, through};
use geometry::Shaper;
use geometry::lines::Source;
use glam::DVec2;
use ifc::Id;
use paper::{Part, Subject, Weight};

/// The radius of a bubble in mm.
const BUBBLE: f64 = 4.0;

/// A line of a grid.
pub(super) struct Axis {
    pub grid: Id,
    pub tag: String,
    pub points: Vec<DVec2>,
}

impl Axis {
    /// Its ends, where it is straight.
    pub fn ends(&self) -> Option<[DVec2; 2]> {
        let (a, b) = (self.points.first().copied()?, self.points.last().copied()?);
        let way = (b - a).normalize_or_zero();
        let is_straight = self.points.iter().all(|p| (*p - a).perp_dot(way).abs() < 1e-3);
        (is_straight && way != DVec2::ZERO).then_some([a, b])
    }
}

/// The lines of all grids of a storey, and of those that belong to none.
pub(super) fn axes(shaper: &Shaper<'_>, storey: Id) -> Vec<Axis> {
    let model = shaper.reader.model;
    let links = ifc::relations::Links::of_one(model);
    let is_near = |grid: &Id| links.storey_of(*grid).is_none_or(|of| of == storey);
    let grids = model.of_class("IfcGrid").into_iter().filter(is_near);
    grids
        .flat_map(|grid| {
            let lines = shaper.lines(grid).unwrap_or_default().into_iter();
            lines.filter_map(move |line| match line.from {
                Source::GridAxis { tag } => {
                    let points = line.points.iter().map(|p| p.truncate()).collect();
                    Some(Axis { grid, tag, points })
                }
                Source::Representation { .. } => None,
            })
        })
        .collect()
}

/// Draws lines of grids across what is drawn so far, and their bubbles at both ends.
pub(super) fn draw(sheet: &mut Sheet<'_>, axes: &[Axis]) {
    let Some([low, high]) = sheet.extent().filter(|_| !axes.is_empty()) else { return };
    let stroke = sheet.dashed(sheet.style.weights.grid, &sheet.style.dashes.grid);
    let rim = sheet.line(sheet.style.weights.grid);
    let letter = Letter { weight: Weight::Bold, ..Letter::middle(sheet.style.letters.grid) };
    for axis in axes {
        let points: Vec<DVec2> = match axis.ends() {
            Some([a, b]) => beyond(sheet.at(a), sheet.at(b), low, high).to_vec(),
            None => axis.points.iter().map(|p| sheet.at(*p)).collect(),
        };
        let line = through(&points, false);
        sheet.put(
            Order::Grid,
            Some(axis.grid),
            [stroked(vec![line], stroke.clone(), Subject::Grid, Part::Seen)],
        );
        let n = points.len();
        let (Some(first), Some(second)) = (points.first().copied(), points.get(1).copied()) else { continue };
        let (Some(last), Some(before)) =
            (points.last().copied(), n.checked_sub(2).and_then(|i| points.get(i)))
        else {
            continue;
        };
        for (end, inner) in [(first, second), (last, *before)] {
            let middle = end + (end - inner).normalize_or_zero() * BUBBLE;
            let round = outlined(
                vec![circle(middle, BUBBLE)],
                [255; 4],
                rim.clone(),
                layer(Subject::Grid, Part::Symbol),
            );
            let node = sheet.text(middle, &axis.tag, letter, layer(Subject::Grid, Part::Text));
            sheet.put(Order::Grid, Some(axis.grid), [round, node]);
        }
    }
}

/// A line on paper between two points, lengthened to where all that is drawn ends.
fn beyond(a: DVec2, b: DVec2, low: DVec2, high: DVec2) -> [DVec2; 2] {
    let way = (b - a).normalize_or_zero();
    let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
    // as far as the box goes on the line's own side, not to its corners
    let reach = |sign: f64| {
        let to = |k: usize| {
            if way[k].abs() < 1e-6 {
                return f64::INFINITY;
            }
            let wall = if (way[k] > 0.0) == (sign > 0.0) { high[k] } else { low[k] };
            sign * (wall - a[k]) / way[k]
        };
        let at = to(0).min(to(1));
        if at.is_finite() { at } else { corners[0].distance(corners[2]) }
    };
    let length = a.distance(b);
    [a - way * (reach(-1.0) + 3.0).max(0.0), a + way * (reach(1.0) + 3.0).max(length)]
}
