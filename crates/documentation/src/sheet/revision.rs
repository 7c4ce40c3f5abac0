//! The table of a sheet's versions above its title block, the newest on top and the heads of its columns at the bottom.

use super::definition::Revision;
use super::draw::{THIN, cut, lines, rectangle, words};
use super::place::Room;
use super::size::Size;
use super::words::Words;
use glam::DVec2;
use paper::{Node, Weight};

/// The height of a row, and of its letters, in mm.
const ROW: f64 = 5.0;
const LETTER: f64 = 2.0;
const PAD: f64 = 1.5;

/// The rows that a size has room for.
fn most(size: Size) -> usize {
    match size {
        Size::A4 | Size::AnsiA | Size::ArchA => 3,
        Size::A3 | Size::A2 | Size::AnsiB | Size::ArchB => 5,
        _ => 10,
    }
}

/// The table with its foot at a height, as wide as the block below; `None` where there are no versions.
pub(super) fn draw(
    revisions: &[Revision],
    size: Size,
    words_of: Words,
    (left, right, foot): (f64, f64, f64),
) -> Option<(Vec<Node>, Room)> {
    if revisions.is_empty() {
        return None;
    }
    let most = most(size);
    let width = right - left;
    // narrow blocks have narrow columns, and none for versions
    let is_narrow = width < 120.0;
    let has_versions = !is_narrow && revisions.iter().any(|r| !r.version.is_empty());
    let cells = |index: &str, date: &str, by: &str, version: &str, text: &str| -> Vec<String> {
        let all = [index, date, by, version, text].map(str::to_owned);
        all.into_iter().enumerate().filter(|(n, _)| *n != 3 || has_versions).map(|(_, cell)| cell).collect()
    };
    let mut rows: Vec<Vec<String>> =
        revisions.iter().rev().map(|r| cells(&r.index, &r.date, &r.by, &r.version, &r.text)).collect();
    if rows.len() > most {
        rows.truncate(most.saturating_sub(1));
        rows.push(cells("…", "", "", "", ""));
    }
    let [index, day, by, version, change] =
        ["index", "day", "by", "version", "change"].map(|key| words_of.get(key));
    let heads = cells(&index, &day, &by, &version, &change);
    let shares: &[f64] = match (is_narrow, has_versions) {
        (true, _) => &[0.15, 0.27, 0.18],
        (false, false) => &[0.09, 0.15, 0.15],
        (false, true) => &[0.09, 0.15, 0.15, 0.13],
    };
    let mut edges = vec![left];
    let mut x = left;
    for share in shares {
        x += share * width;
        edges.push(x);
    }
    edges.push(right);
    let top = foot - ROW * (rows.len() + 1) as f64;
    let mut nodes = Vec::new();
    let mut strokes = Vec::new();
    for (n, row) in rows.iter().chain([&heads]).enumerate() {
        let weight = if n == rows.len() { Weight::Bold } else { Weight::Regular };
        let y = top + ROW * n as f64;
        strokes.push([DVec2::new(left, y), DVec2::new(right, y)]);
        for (cell, pair) in row.iter().zip(edges.windows(2)) {
            let text = cut(&cell.replace(['\n', '\r'], " "), LETTER, weight, pair[1] - pair[0] - 2.0 * PAD);
            let at = DVec2::new(pair[0] + PAD, y + f64::midpoint(ROW, LETTER));
            if !text.is_empty() {
                nodes.push(Node::Text(words(at, &text, LETTER, weight)));
            }
        }
    }
    strokes
        .extend(edges.iter().skip(1).take(shares.len()).map(|x| [DVec2::new(*x, top), DVec2::new(*x, foot)]));
    nodes.push(lines(&strokes, THIN));
    let room = Room { low: DVec2::new(left, top), high: DVec2::new(right, foot) };
    nodes.push(rectangle(room.low, room.high, 2.0 * THIN));
    Some((nodes, room))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(nodes: &[Node]) -> Vec<String> {
        let text = |node: &Node| if let Node::Text(text) = node { Some(text.words.clone()) } else { None };
        nodes.iter().filter_map(text).collect()
    }

    #[test]
    fn the_newest_is_on_top_and_what_has_no_room_is_marked() {
        let revisions: Vec<Revision> = (1..=8)
            .map(|n| Revision {
                index: format!("P{n}"),
                date: format!("2026-0{n}-01"),
                by: "KB".into(),
                version: if n == 8 { "4df02a93".into() } else { String::new() },
                text: "Doors moved ".repeat(n * 3),
            })
            .collect();
        let place = (20.0, 200.0, 100.0);
        let (nodes, room) = draw(&revisions, Size::A3, Words::new("en"), place).unwrap();
        let all = texts(&nodes);
        let index: Vec<&str> =
            all.iter().map(String::as_str).filter(|t| t.starts_with('P') || *t == "…").collect();
        assert_eq!(index, ["P8", "P7", "P6", "P5", "…"]);
        assert!(all.contains(&"4df02a93".to_owned()) && all.contains(&"Version".to_owned()), "{all:?}");
        assert_eq!(room.size(), DVec2::new(180.0, 30.0));
        // long words end within their column
        assert!(all.iter().any(|t| t.starts_with("Doors moved") && t.ends_with('…')));
        for node in &nodes {
            let Node::Text(text) = node else { continue };
            assert!(text.at.x + text.extent().width <= 200.0, "{}", text.words);
        }
        let (nodes, _) = draw(&revisions[..2], Size::A3, Words::new("de"), place).unwrap();
        assert_eq!(texts(&nodes)[0], "P2");
        assert!(!["…", "Version"].iter().any(|word| texts(&nodes).iter().any(|own| own == word)));
        // a narrow block has no room for it
        let (nodes, _) = draw(&revisions, Size::A4, Words::new("en"), (20.0, 110.0, 100.0)).unwrap();
        assert!(!texts(&nodes).contains(&"Version".to_owned()));
        assert!(draw(&[], Size::A3, Words::new("en"), place).is_none());
    }
}
