//! Tables on sheets: schedules, lists of sheets, and what else has rows.

use super::draw::{THIN, cut, lines, rectangle, words, wrapped};
use super::error::BadSheet;
use crate::drawing::words::extent;
use glam::DVec2;
use paper::{Node, Weight};

/// The height of capitals of cells, and of the title, in mm.
pub(super) const CELL: f64 = 2.0;
const TITLE: f64 = 3.0;
/// From line to line within a cell.
const PITCH: f64 = 3.5;
/// Between words and the lines around them.
const PAD: f64 = 1.5;
/// The room of the title.
const HEAD: f64 = 7.0;
/// The narrowest column that words are broken in.
const NARROW: f64 = 12.0;
/// The most lines of a cell.
const LINES: usize = 6;
/// The most cells of a table.
const MANY: usize = 50_000;

/// A table laid out about its upper left corner.
#[derive(Debug, Clone, Default)]
pub(super) struct Laid {
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// Width and height in mm.
    pub size: DVec2,
    /// The lower edge of each row, the header first.
    pub edges: Vec<f64>,
}

/// Lays out a table; its width is what its words need, or what is given.
pub(super) fn lay_out(
    title: &str,
    header: &[String],
    rows: &[Vec<String>],
    (width, most): (Option<f64>, f64),
) -> Result<Laid, BadSheet> {
    let fail = |reason: String| BadSheet::Table { title: title.chars().take(80).collect(), reason };
    if header.is_empty() {
        return Err(fail("it has no columns".into()));
    }
    if rows.len().saturating_mul(header.len()) > MANY {
        return Err(fail(format!("it has more than {MANY} cells; spread it over several sheets")));
    }
    if let Some((n, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != header.len()) {
        return Err(fail(format!(
            "row {} has {} cells, and there are {} columns",
            n + 1,
            row.len(),
            header.len()
        )));
    }
    let columns = columns(header, rows, width, most);
    if columns.iter().any(|width| *width < 2.0 * PAD) {
        return Err(fail("its columns have no room in its width".into()));
    }
    let size_x: f64 = columns.iter().sum();
    let top = if title.is_empty() { 0.0 } else { HEAD };
    let mut laid = Laid::default();
    if !title.is_empty() {
        let words_at = DVec2::new(0.0, HEAD - 2.5);
        let title = cut(title, TITLE, Weight::Bold, size_x);
        laid.nodes.push(Node::Text(words(words_at, &title, TITLE, Weight::Bold)));
    }
    let mut y = top;
    let mut strokes = Vec::new();
    for (n, row) in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)).enumerate() {
        let weight = if n == 0 { Weight::Bold } else { Weight::Regular };
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(&columns)
            .map(|(cell, width)| wrapped(cell, CELL, weight, width - 2.0 * PAD, LINES))
            .collect();
        let tall = cells.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let mut x = 0.0;
        for (cell, width) in cells.iter().zip(&columns) {
            for (line, text) in cell.iter().enumerate() {
                let foot = y + PAD + CELL + PITCH * line as f64;
                laid.nodes.push(Node::Text(words(DVec2::new(x + PAD, foot), text, CELL, weight)));
            }
            x += width;
        }
        y += 2.0 * PAD + CELL + PITCH * (tall - 1) as f64;
        laid.edges.push(y);
        strokes.push([DVec2::new(0.0, y), DVec2::new(size_x, y)]);
    }
    strokes.pop();
    let mut x = 0.0;
    for width in columns.iter().take(columns.len().saturating_sub(1)) {
        x += width;
        strokes.push([DVec2::new(x, top), DVec2::new(x, y)]);
    }
    laid.nodes.push(lines(&strokes, THIN));
    laid.nodes.push(rectangle(DVec2::new(0.0, top), DVec2::new(size_x, y), 2.0 * THIN));
    laid.size = DVec2::new(size_x, y);
    Ok(laid)
}

/// The widths of columns: what the words need; where that is more than there is, the widest are narrowed, all to one width.
fn columns(header: &[String], rows: &[Vec<String>], width: Option<f64>, most: f64) -> Vec<f64> {
    let wide = |cell: &str, weight: Weight| {
        // of what is far longer than any line it is enough that it is
        let cell: String = cell.chars().take(200).collect();
        cell.lines().map(|line| extent(line, CELL, weight).x).fold(0.0, f64::max) + 2.0 * PAD + 0.1
    };
    let mut needed: Vec<f64> = header.iter().map(|cell| wide(cell, Weight::Bold)).collect();
    for row in rows {
        for (needed, cell) in needed.iter_mut().zip(row) {
            *needed = needed.max(wide(cell, Weight::Regular));
        }
    }
    let all: f64 = needed.iter().sum();
    let given = width.filter(|width| width.is_finite() && *width > 0.0);
    let goal = given.unwrap_or(all.min(most)).min(5000.0);
    if all <= goal {
        // what is left over goes to the widest
        let widest = needed.iter().copied().fold(0.0, f64::max);
        if let Some(column) = needed.iter_mut().find(|width| **width == widest) {
            *column += goal - all;
        }
        return needed;
    }
    let fits = |limit: f64| needed.iter().map(|width| width.min(limit)).sum::<f64>() <= goal;
    let (mut low, mut high) = (0.0, needed.iter().copied().fold(NARROW, f64::max));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    needed.iter().map(|width| width.min(low)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::words::Box2;

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|s| (*s).to_owned()).collect()
    }

    #[test]
    fn words_stay_in_their_cells_whatever_they_are() {
        let header = strings(&["Mark", "Type", "Remarks"]);
        let long = "must be checked on site, ".repeat(12);
        let rows = vec![
            strings(&["D1", "Door", &long]),
            strings(&["باب ٢", "<script>&amp;", "Unbreakable".repeat(30).as_str()]),
            strings(&["", "two\nlines", ""]),
        ];
        for width in [None, Some(60.0), Some(300.0)] {
            let laid = lay_out("Doors", &header, &rows, (width, 120.0)).unwrap();
            assert!((laid.size.x - width.unwrap_or(120.0)).abs() < 0.01, "{:?}", laid.size);
            let texts: Vec<Box2> = laid
                .nodes
                .iter()
                .filter_map(|n| if let Node::Text(t) = n { Some(Box2::around(t)) } else { None })
                .collect();
            for (n, own) in texts.iter().enumerate() {
                assert!(texts[n + 1..].iter().all(|other| !own.meets(other)));
                assert!(own.corners().iter().all(|p| p.x >= 0.0 && p.x <= laid.size.x && p.y <= laid.size.y));
            }
        }
    }

    #[test]
    fn what_is_no_table_is_told() {
        let told = |header: &[&str], rows: &[&[&str]]| {
            let rows: Vec<Vec<String>> = rows.iter().map(|r| strings(r)).collect();
            lay_out("Doors", &strings(header), &rows, (None, 180.0)).unwrap_err().to_string()
        };
        assert_eq!(told(&[], &[]), "the table Doors: it has no columns");
        assert_eq!(
            told(&["a", "b"], &[&["1", "2"], &["1"]]),
            "the table Doors: row 2 has 1 cells, and there are 2 columns"
        );
        let many = vec![vec![String::new()]; MANY + 1];
        assert!(lay_out("", &strings(&["a"]), &many, (None, 180.0)).is_err());
        assert!(lay_out("", &strings(&["a", "b"]), &[], (Some(1.0), 180.0)).is_err());
    }
}
