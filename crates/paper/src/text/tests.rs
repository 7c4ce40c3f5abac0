//! Tests of words laid out.

use super::face::order;
use super::line::line;
use crate::page::{Anchor, Baseline, Text, Weight};
use glam::DVec2;

pub(crate) fn text(words: &str) -> Text {
    Text {
        at: DVec2::new(100.0, 50.0),
        words: words.into(),
        height: 2.5,
        weight: Weight::Regular,
        anchor: Anchor::Left,
        baseline: Baseline::Foot,
        angle: 0.0,
        colour: [0, 0, 0, 255],
        halo: 0.0,
        layer: None,
    }
}

#[test]
fn a_line_is_as_wide_as_its_glyphs_with_kerning() {
    let width = |words: &str| text(words).extent().width;
    assert!((width("HH") - 2.0 * width("H")).abs() < 1e-9);
    assert!(width("AV") < width("A") + width("V"));
    // 741 units of 1000 to an em, in the font's own table
    assert!((width("H") - 0.741 * 2.5 / 0.714).abs() < 1e-9);
    let bold = Text { weight: Weight::Bold, ..text("Kitchen") };
    assert!(bold.extent().width > width("Kitchen") * 1.02);
}

#[test]
fn arabic_letters_join_and_run_from_right_to_left() {
    let joined = line("سلام", Weight::Regular);
    let [run] = joined.runs.as_slice() else { panic!("{joined:?}") };
    assert!(joined.is_right_to_left && joined.missing == 0);
    // lam and alef are one glyph, which stands for both
    let ranges: Vec<_> = run.glyphs.iter().map(|glyph| glyph.range.clone()).collect();
    assert_eq!(ranges.first(), Some(&(6..8)), "the last letter stands first: {ranges:?}");
    assert!(ranges.contains(&(2..6)), "{ranges:?}");
    let apart: f64 = "سلام".chars().map(|char| line(&char.to_string(), Weight::Regular).width).sum();
    assert!(joined.width < apart * 0.9);
}

#[test]
fn words_of_both_directions_stand_in_visual_order() {
    let mixed = line("Room חדר 12", Weight::Regular);
    let seen: Vec<&str> = mixed.runs.iter().map(|run| &mixed.words[run.range.clone()]).collect();
    assert_eq!(seen, ["Room ", "12", "חדר "]);
}

#[test]
fn characters_that_no_font_has_are_boxes_and_counted() {
    assert_eq!(text("漢字 A").missing(), 2);
    let signs = line("Ω ≤ 5 ⌀ → ✓ שלום", Weight::Regular);
    assert_eq!(signs.missing, 0);
    // fonts of signs have no space
    assert!(signs.runs.iter().all(|run| run.glyphs.iter().all(|glyph| glyph.id != 0)), "{signs:?}");
    let drawn = line("漢", Weight::Bold);
    assert_eq!((drawn.runs[0].glyphs[0].id, drawn.runs[0].face), (0, order(Weight::Bold)[0]));
    assert!(drawn.width > 0.3);
}

#[test]
fn corners_turn_with_the_words_and_keep_to_the_anchor() {
    let plain = text("Wohnzimmer");
    let extent = plain.extent();
    let [lower_left, lower_right, upper_right, _] = plain.corners();
    assert!((lower_left - DVec2::new(100.0, 50.0 + extent.below)).length() < 1e-9);
    assert!((upper_right - DVec2::new(100.0 + extent.width, 50.0 - extent.above)).length() < 1e-9);
    assert!((lower_right.x - upper_right.x).abs() < 1e-9);
    // h is higher than a capital
    assert!((2.5..2.8).contains(&extent.above));
    let up = Text { angle: 90.0, ..plain.clone() };
    // read from below to above: its end lies above its beginning, its feet to the right
    let [lower_left, lower_right, ..] = up.corners();
    assert!((lower_right - lower_left - DVec2::new(0.0, -extent.width)).length() < 1e-9);
    assert!((lower_left - DVec2::new(100.0 + extent.below, 50.0)).length() < 1e-9);
    let middle = Text { anchor: Anchor::Middle, baseline: Baseline::Middle, angle: 30.0, ..plain };
    let [a, b, c, d] = middle.corners();
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    let off = DVec2::new(-sin, -cos) * ((extent.above - extent.below) / 2.0 - 1.25);
    let centre = (a + b + c + d) / 4.0;
    assert!((centre - middle.at - off).length() < 1e-9, "{centre} {off}");
}

#[test]
fn numbers_that_are_no_lengths_draw_nothing() {
    for (height, angle) in [(f64::NAN, 0.0), (0.0, 0.0), (-1.0, 0.0), (f64::INFINITY, 0.0), (2.5, f64::NAN)] {
        let bad = Text { height, angle, ..text("a") };
        assert_eq!((bad.extent().width, bad.missing()), (0.0, 0));
    }
    assert_eq!(text("").extent().width, 0.0);
    assert_eq!(text("\u{1}\u{7F}\u{FFFF}").extent().width, 0.0);
    assert_eq!(text("a\nb").extent().width, text("a b").extent().width);
    assert!(text(&"wide ".repeat(100_000)).extent().width > 1e5);
    assert!(text(&"\u{202E}א".repeat(20_000)).extent().width > 1e4);
}
