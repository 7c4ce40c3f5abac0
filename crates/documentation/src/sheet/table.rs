//! Tables on sheets: schedules, lists of sheets, and what else has rows.

use super::definition::Table;
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

/// Lays out a table, in pieces of which none is taller than `tallest`, each with the header; its width is what its words need, or what
/// is given, `most` at most.
pub(super) fn lay_out(table: &Table, most: f64, tallest: f64) -> Result<Vec<Laid>, BadSheet> {
    let Table { title, header, rows, .. } = table;
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
    let columns = columns(table, most);
    if columns.iter().any(|width| *width < 2.0 * PAD) {
        return Err(fail("its columns have no room in its width".into()));
    }
    let mut pieces = Vec::new();
    let mut piece = Piece::new(title, header, &columns);
    for (n, cells) in rows.iter().enumerate() {
        let row = Row::new(cells, table.bold.contains(&n), &columns);
        if piece.y + row.tall > tallest && piece.laid.edges.len() > 1 {
            let next = format!("{title} ({})", pieces.len() + 2);
            let title = if title.is_empty() { title } else { &next };
            pieces.push(std::mem::replace(&mut piece, Piece::new(title, header, &columns)));
        }
        piece.add(&row, &table.right);
    }
    pieces.push(piece);
    Ok(pieces.into_iter().map(Piece::finished).collect())
}

/// A row with its words in lines.
struct Row {
    cells: Vec<Vec<String>>,
    weight: Weight,
    tall: f64,
}

impl Row {
    fn new(cells: &[String], is_bold: bool, columns: &[f64]) -> Row {
        let weight = if is_bold { Weight::Bold } else { Weight::Regular };
        // what stands alone in its row may go over all columns
        let is_alone = is_bold && cells.iter().skip(1).all(String::is_empty);
        let whole: f64 = columns.iter().sum();
        let broken = |(cell, width): (&String, &f64)| {
            let width = if is_alone { whole } else { *width };
            wrapped(cell, CELL, weight, width - 2.0 * PAD, LINES)
        };
        let cells: Vec<Vec<String>> = cells.iter().zip(columns).map(broken).collect();
        let lines = cells.iter().map(Vec::len).max().unwrap_or(1).max(1);
        Row { cells, weight, tall: 2.0 * PAD + CELL + PITCH * (lines - 1) as f64 }
    }

    /// True of the heading of a group.
    fn is_alone(&self) -> bool {
        self.weight == Weight::Bold && self.cells.iter().skip(1).all(|cell| cell.iter().all(String::is_empty))
    }
}

/// A piece of a table that is being laid out.
struct Piece<'c> {
    columns: &'c [f64],
    laid: Laid,
    top: f64,
    y: f64,
    strokes: Vec<[DVec2; 2]>,
}

impl<'c> Piece<'c> {
    fn new(title: &str, header: &[String], columns: &'c [f64]) -> Self {
        let top = if title.is_empty() { 0.0 } else { HEAD };
        let mut piece = Piece { columns, laid: Laid::default(), top, y: top, strokes: Vec::new() };
        if !title.is_empty() {
            let title = cut(title, TITLE, Weight::Bold, columns.iter().sum());
            let at = DVec2::new(0.0, HEAD - 2.5);
            piece.laid.nodes.push(Node::Text(words(at, &title, TITLE, Weight::Bold)));
        }
        piece.add(&Row::new(header, true, columns), &[]);
        piece
    }

    fn add(&mut self, row: &Row, right: &[usize]) {
        let mut x = 0.0;
        let is_alone = row.is_alone() && self.columns.len() > 1 && !self.laid.edges.is_empty();
        for (n, (cell, width)) in row.cells.iter().zip(self.columns).enumerate() {
            for (line, text) in cell.iter().enumerate() {
                let foot = self.y + PAD + CELL + PITCH * line as f64;
                let own = extent(text, CELL, row.weight).x;
                let left = if right.contains(&n) { x + width - PAD - own } else { x + PAD };
                self.laid.nodes.push(Node::Text(words(DVec2::new(left, foot), text, CELL, row.weight)));
            }
            x += width;
            let is_last = n + 1 == self.columns.len();
            if !is_last && !is_alone {
                self.strokes.push([DVec2::new(x, self.y), DVec2::new(x, self.y + row.tall)]);
            }
        }
        if !self.laid.edges.is_empty() {
            self.strokes.push([DVec2::new(0.0, self.y), DVec2::new(x, self.y)]);
        }
        self.y += row.tall;
        self.laid.edges.push(self.y);
    }

    fn finished(mut self) -> Laid {
        let wide: f64 = self.columns.iter().sum();
        if !self.strokes.is_empty() {
            self.laid.nodes.push(lines(&joined(self.strokes), THIN));
        }
        let (low, high) = (DVec2::new(0.0, self.top), DVec2::new(wide, self.y));
        self.laid.nodes.push(rectangle(low, high, 2.0 * THIN));
        self.laid.size = DVec2::new(wide, self.y);
        self.laid
    }
}

/// Strokes of which those that go on from another are one with it.
fn joined(mut strokes: Vec<[DVec2; 2]>) -> Vec<[DVec2; 2]> {
    strokes.sort_by(|a, b| a[0].x.total_cmp(&b[0].x).then(a[0].y.total_cmp(&b[0].y)));
    let mut all: Vec<[DVec2; 2]> = Vec::with_capacity(strokes.len());
    for stroke in strokes {
        match all.last_mut() {
            Some(last) if last[1] == stroke[0] && last[0].x == stroke[1].x => last[1] = stroke[1],
            _ => all.push(stroke),
        }
    }
    all
}

/// The widths of columns: what the words need; where that is more than there is, each has room for its longest word, and they share the rest
/// by what they lack. Where not even these have room, the widest are narrowed, all to one width.
fn columns(table: &Table, most: f64) -> Vec<f64> {
    let needed =
        widest(table, |cell, weight| cell.lines().map(|line| room(line, weight)).fold(0.0, f64::max));
    let least = widest(table, |cell, weight| {
        cell.split_whitespace().map(|word| room(word, weight)).fold(0.0, f64::max)
    });
    let all: f64 = needed.iter().sum();
    let given = table.width.filter(|width| width.is_finite() && *width > 0.0);
    let goal = given.unwrap_or(all.min(most)).min(5000.0);
    if all <= goal {
        // what is left over goes to the widest
        let mut needed = needed;
        let widest = needed.iter().copied().fold(0.0, f64::max);
        if let Some(column) = needed.iter_mut().find(|width| **width == widest) {
            *column += goal - all;
        }
        return needed;
    }
    let sum: f64 = least.iter().sum();
    if sum <= goal && all > sum {
        let share = (goal - sum) / (all - sum);
        return needed.iter().zip(&least).map(|(needed, least)| least + (needed - least) * share).collect();
    }
    let fits = |limit: f64| least.iter().map(|width| width.min(limit)).sum::<f64>() <= goal;
    let (mut low, mut high) = (0.0, least.iter().copied().fold(NARROW, f64::max));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if fits(middle) { low = middle } else { high = middle }
    }
    least.iter().map(|width| width.min(low)).collect()
}

/// The room of words on one line with what is around them. Of what is far longer than any line it is enough that it is.
fn room(words: &str, weight: Weight) -> f64 {
    let words: String = words.chars().take(200).collect();
    extent(&words, CELL, weight).x + 2.0 * PAD + 0.1
}

/// The most that a cell of each column takes; headings of groups go over all columns.
fn widest(table: &Table, of_cell: impl Fn(&str, Weight) -> f64) -> Vec<f64> {
    let mut all: Vec<f64> =
        table.header.iter().map(|cell| of_cell(cell, Weight::Bold).max(2.0 * PAD)).collect();
    for (n, row) in table.rows.iter().enumerate() {
        let is_bold = table.bold.contains(&n);
        if is_bold && row.iter().skip(1).all(String::is_empty) {
            continue;
        }
        let weight = if is_bold { Weight::Bold } else { Weight::Regular };
        for (most, cell) in all.iter_mut().zip(row) {
            *most = most.max(of_cell(cell, weight));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::words::Box2;

    fn strings(all: &[&str]) -> Vec<String> {
        all.iter().map(|s| (*s).to_owned()).collect()
    }

    fn table(title: &str, header: &[String], rows: &[Vec<String>]) -> Table {
        Table { title: title.to_owned(), header: header.to_vec(), rows: rows.to_vec(), ..Table::default() }
    }

    fn texts(laid: &Laid) -> Vec<&paper::Text> {
        laid.nodes
            .iter()
            .filter_map(|node| if let Node::Text(text) = node { Some(text) } else { None })
            .collect()
    }

    #[test]
    fn a_table_taller_than_its_room_goes_on_beside_with_its_header() {
        let header = strings(&["Mark", "Width"]);
        let rows: Vec<Vec<String>> = (0..50).map(|n| vec![format!("D{n}"), n.to_string()]).collect();
        let pieces = lay_out(&table("Doors", &header, &rows), 180.0, 100.0).unwrap();
        assert!(pieces.len() > 2);
        let rows: usize = pieces.iter().map(|piece| piece.edges.len() - 1).sum();
        assert_eq!(rows, 50);
        for piece in &pieces {
            assert!(piece.size.y <= 100.0 && (piece.size.x - pieces[0].size.x).abs() < 1e-9);
            assert!(texts(piece).iter().any(|text| text.words == "Mark"));
        }
        assert!(texts(&pieces[1]).iter().any(|text| text.words == "Doors (2)"));
    }

    #[test]
    fn numbers_stand_at_the_right_and_headings_of_groups_go_over_all_columns() {
        let header = strings(&["Mark", "Width of the leaf"]);
        let rows = [strings(&["Ground floor, west", ""]), strings(&["D1", "885"])];
        let own = Table { right: vec![1], bold: vec![0], ..table("", &header, &rows) };
        let laid = lay_out(&own, 180.0, 500.0).unwrap().remove(0);
        let texts = texts(&laid);
        let heading = texts.iter().find(|text| text.words.starts_with("Ground")).unwrap();
        assert_eq!(heading.words, "Ground floor, west");
        let number = texts.iter().find(|text| text.words == "885").unwrap();
        let end = number.at.x + extent("885", CELL, Weight::Regular).x;
        assert!((laid.size.x - PAD - end).abs() < 1e-9, "{end} of {}", laid.size.x);
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
            let table = Table { width, ..table("Doors", &header, &rows) };
            let laid = lay_out(&table, 120.0, f64::INFINITY).unwrap().remove(0);
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
            lay_out(&table("Doors", &strings(header), &rows), 180.0, 500.0).unwrap_err().to_string()
        };
        assert_eq!(told(&[], &[]), "the table Doors: it has no columns");
        assert_eq!(
            told(&["a", "b"], &[&["1", "2"], &["1"]]),
            "the table Doors: row 2 has 1 cells, and there are 2 columns"
        );
        let many = vec![vec![String::new()]; MANY + 1];
        assert!(lay_out(&table("", &strings(&["a"]), &many), 180.0, 500.0).is_err());
        let narrow = Table { width: Some(1.0), ..table("", &strings(&["a", "b"]), &[]) };
        assert!(lay_out(&narrow, 180.0, 500.0).is_err());
    }
}
