//! The frame of a sheet with centring marks and grid references, by ISO 5457.

use super::draw::{lines, middle, rectangle};
use super::place::Room;
use super::size::{Orientation, Size};
use glam::DVec2;
use paper::{Node, Weight};

/// The width of the frame and of centring marks, clauses 4.2 and 4.3, in mm.
const HEAVY: f64 = 0.7;
/// The width of the lines of the grid reference border, clause 4.4.
const LIGHT: f64 = 0.35;
/// The width of the border outside the frame.
const BORDER: f64 = 5.0;
/// The length of a field of the grid, counted from the centring marks.
const FIELD: f64 = 50.0;
/// The length of a centring mark beyond the frame.
const MARK: f64 = 10.0;
/// The height of the border's letters.
const LETTER: f64 = 3.5;
/// The letters down the sides: all but I and O.
const LETTERS: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ";

/// The area within the frame.
pub(super) fn inside(size: Size, orientation: Orientation) -> Room {
    let [left, other] = size.margins();
    Room { low: DVec2::new(left, other), high: size.extent(orientation) - other }
}

/// The frame with all that belongs to it.
pub(super) fn draw(size: Size, orientation: Orientation) -> Vec<Node> {
    let sheet = size.extent(orientation);
    let frame = inside(size, orientation);
    let (low, high) = (frame.low - BORDER, frame.high + BORDER);
    let centre = sheet / 2.0;
    let mut nodes = vec![rectangle(frame.low, frame.high, HEAVY), rectangle(low, high, LIGHT)];
    let p = DVec2::new;
    nodes.push(lines(
        &[
            [p(centre.x, low.y), p(centre.x, frame.low.y + MARK)],
            [p(centre.x, high.y), p(centre.x, frame.high.y - MARK)],
            [p(low.x, centre.y), p(frame.low.x + MARK, centre.y)],
            [p(high.x, centre.y), p(frame.high.x - MARK, centre.y)],
        ],
        HEAVY,
    ));
    // letters and numbers on A4 and its like stand at the top and the right alone
    let is_small = matches!(size, Size::A4 | Size::AnsiA | Size::ArchA);
    let mut strokes = Vec::new();
    let (across, down) =
        (edges(sheet.x, frame.low.x, frame.high.x), edges(sheet.y, frame.low.y, frame.high.y));
    let mut rows = vec![(low.y, frame.low.y)];
    let mut columns = vec![(frame.high.x, high.x)];
    if !is_small {
        rows.push((frame.high.y, high.y));
        columns.push((low.x, frame.low.x));
    }
    for (from, to) in rows {
        strokes.extend(inner(&across).map(|x| [p(x, from), p(x, to)]));
        for (n, pair) in across.windows(2).enumerate() {
            let at = p(f64::midpoint(pair[0], pair[1]), f64::midpoint(from, to));
            nodes.push(Node::Text(middle(at, &(n + 1).to_string(), LETTER, Weight::Regular)));
        }
    }
    for (from, to) in columns {
        strokes.extend(inner(&down).map(|y| [p(from, y), p(to, y)]));
        for (pair, letter) in down.windows(2).zip(LETTERS.chars()) {
            let at = p(f64::midpoint(from, to), f64::midpoint(pair[0], pair[1]));
            nodes.push(Node::Text(middle(at, letter.encode_utf8(&mut [0; 4]), LETTER, Weight::Regular)));
        }
    }
    nodes.push(lines(&strokes, LIGHT));
    nodes
}

/// The shortest field at a corner; what is shorter belongs to the next.
const SHORTEST: f64 = 15.0;

/// The edges of the grid's fields along a side: fields of 50 mm from its middle on, what is left over added to those at the corners.
fn edges(side: f64, low: f64, high: f64) -> Vec<f64> {
    let half = (side / 2.0 / FIELD).round().max(1.0) as i32;
    let between = (1 - half..half).map(|n| side / 2.0 + f64::from(n) * FIELD);
    let between = between.filter(|edge| edge - low >= SHORTEST && high - edge >= SHORTEST);
    std::iter::once(low).chain(between).chain([high]).collect()
}

fn inner(edges: &[f64]) -> impl Iterator<Item = f64> {
    edges.iter().copied().take(edges.len().saturating_sub(1)).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_as_many_fields_as_the_standard_says() {
        // ISO 5457, table 2: along the long and the short side
        let known = [
            (Size::A0, [24, 16]),
            (Size::A1, [16, 12]),
            (Size::A2, [12, 8]),
            (Size::A3, [8, 6]),
            (Size::A4, [6, 4]),
        ];
        for (size, [long, short]) in known {
            let sheet = size.extent(Orientation::Landscape);
            let frame = inside(size, Orientation::Landscape);
            assert_eq!(edges(sheet.x, frame.low.x, frame.high.x).len() - 1, long, "{}", size.name());
            assert_eq!(edges(sheet.y, frame.low.y, frame.high.y).len() - 1, short, "{}", size.name());
        }
    }

    #[test]
    fn frames_lie_at_the_margins_of_the_standard() {
        let frame = inside(Size::A1, Orientation::Landscape);
        assert_eq!((frame.low, frame.high), (DVec2::new(20.0, 10.0), DVec2::new(831.0, 584.0)));
        let frame = inside(Size::A4, Orientation::Portrait);
        assert_eq!(frame.size(), DVec2::new(180.0, 277.0));
        for size in Size::ALL {
            for orientation in [Orientation::Landscape, Orientation::Portrait] {
                let sheet = size.extent(orientation);
                let frame = inside(size, orientation);
                let edges = edges(sheet.x, frame.low.x, frame.high.x);
                // fields grow along the side, and none is so small that its letter has no room
                assert!(edges.windows(2).all(|w| w[1] - w[0] > 8.0), "{} {edges:?}", size.name());
            }
        }
    }
}
