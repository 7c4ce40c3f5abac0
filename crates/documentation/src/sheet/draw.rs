//! Lines and words of sheets.

use crate::drawing::shapes;
use crate::drawing::words::extent;
use crate::style::BLACK;
use glam::DVec2;
use paper::{Anchor, Baseline, Layer, Node, Part, Stroke, Subject, Text, Weight};

/// The layer of words on sheets.
pub(super) const TEXT: Layer = Layer { subject: Subject::TitleBlock, part: Part::Text };
/// The width in mm of lines of tables.
pub(super) const THIN: f64 = 0.18;
/// The share of its height that words may shrink to before they are cut.
const LEAST: f64 = 0.75;

/// A black line.
pub(super) fn pen(width: f64) -> Stroke {
    Stroke { width, colour: BLACK, dashes: Vec::new() }
}

/// Lines through points, each open.
pub(super) fn lines(all: &[[DVec2; 2]], width: f64) -> Node {
    let subpaths = all.iter().map(|ends| shapes::through(ends, false)).collect();
    shapes::stroked(subpaths, pen(width), Subject::TitleBlock, Part::Seen)
}

/// A rectangle without a fill.
pub(super) fn rectangle(low: DVec2, high: DVec2, width: f64) -> Node {
    let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
    shapes::stroked(vec![shapes::through(&corners, true)], pen(width), Subject::TitleBlock, Part::Seen)
}

/// Words with their left foot at a place.
pub(super) fn words(at: DVec2, words: &str, height: f64, weight: Weight) -> Text {
    Text { weight, layer: Some(TEXT), ..Text::new(at, words, height) }
}

/// Words with their middle at a place.
pub(super) fn middle(at: DVec2, text: &str, height: f64, weight: Weight) -> Text {
    Text { anchor: Anchor::Middle, baseline: Baseline::Middle, ..words(at, text, height, weight) }
}

/// Words cut to a width in mm, with `…` at the end where they were longer; nothing where not even that has room.
pub(super) fn cut(words: &str, height: f64, weight: Weight, width: f64) -> String {
    if extent(words, height, weight).x <= width {
        return words.to_owned();
    }
    // an em is wider than any letter on average: what is far too long is not laid out
    let most = (width / height * 8.0).max(0.0) as usize + 1;
    let ends: Vec<usize> = words.char_indices().map(|(at, _)| at).take(most).collect();
    let shortened = |count: usize| {
        let end = ends.get(count).copied().unwrap_or_default();
        format!("{}…", words.get(..end).unwrap_or_default().trim_end())
    };
    let count = ends.partition_point(|end| {
        let part = format!("{}…", words.get(..*end).unwrap_or_default().trim_end());
        extent(&part, height, weight).x <= width
    });
    if count == 0 { String::new() } else { shortened(count - 1) }
}

/// Makes words fit a width: smaller, to three quarters at most, and then cut.
pub(super) fn squeeze(text: &mut Text, width: f64) {
    let own = text.extent().width;
    if own <= width {
        return;
    }
    let share = (width / own).max(LEAST);
    text.height *= share;
    text.words = cut(&text.words, text.height, text.weight, width);
}

/// Words in lines of at most a width, broken at spaces; a word longer than a line is cut.
pub(super) fn wrapped(words: &str, height: f64, weight: Weight, width: f64, most: usize) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    for line in words.lines() {
        let mut own = String::new();
        for word in line.split_whitespace() {
            let longer = if own.is_empty() { word.to_owned() } else { format!("{own} {word}") };
            if own.is_empty() || extent(&longer, height, weight).x <= width {
                own = longer;
            } else {
                done.push(std::mem::replace(&mut own, word.to_owned()));
            }
            if done.len() > most {
                break;
            }
        }
        done.push(own);
        if done.len() > most {
            break;
        }
    }
    let is_cut = done.len() > most;
    done.truncate(most);
    if let Some(last) = done.last_mut().filter(|_| is_cut) {
        // longer than the line, so that the end is marked
        last.push_str(" …");
    }
    done.into_iter().map(|line| cut(&line, height, weight, width)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_to_their_width_and_marked() {
        let wide = |words: &str| extent(words, 2.5, Weight::Regular).x;
        for text in [
            "Ground floor of the east wing",
            "مخطط الطابق الأرضي للجناح الشرقي",
            "東京都の計画",
            "<b>&amp;\u{200b}</b>",
        ] {
            for width in [0.5, 3.0, 8.0, 15.0, 500.0] {
                let cut = cut(text, 2.5, Weight::Regular, width);
                assert!(wide(&cut) <= width || cut.is_empty(), "{text} {width}: {cut}");
                assert!(cut == text || cut.is_empty() || cut.ends_with('…'), "{cut}");
            }
        }
        assert_eq!(cut("abc", 2.5, Weight::Regular, 500.0), "abc");
        assert!(cut(&"long ".repeat(100_000), 2.5, Weight::Regular, 20.0).len() < 40);
    }

    #[test]
    fn words_are_broken_into_lines_of_their_width() {
        let text = "All dimensions are to be checked on site before work begins, and told to the architect";
        let lines = wrapped(text, 2.5, Weight::Regular, 50.0, 9);
        assert!(
            lines.len() > 2 && lines.iter().all(|l| extent(l, 2.5, Weight::Regular).x <= 50.0),
            "{lines:?}"
        );
        assert_eq!(lines.join(" "), text);
        let few = wrapped(text, 2.5, Weight::Regular, 50.0, 2);
        assert!(few.len() == 2 && few[1].ends_with('…'), "{few:?}");
        assert_eq!(wrapped("", 2.5, Weight::Regular, 50.0, 2).len(), 0);
    }
}
