//! Any bytes are a font or are refused. What is read draws words of every kind in every format, and measures them with numbers.
use glam::DVec2;
use paper::{Anchor, Baseline, Fonts, Node, Page, Text, Weight, dxf, pdf, png, svg};

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(fonts) = Fonts::read(bytes, None) else { return };
    let _scope = fonts.enter();
    let words = ["Room 12.5 (A)", "غرفة 12", "漢 fi", "\u{0}x\u{301}"];
    let text = |(row, words): (usize, &&str)| Text {
        at: DVec2::new(5.0, 5.0 * row as f64 + 5.0),
        words: (*words).to_owned(),
        height: 2.5,
        weight: if row % 2 == 0 { Weight::Regular } else { Weight::Bold },
        anchor: Anchor::Middle,
        baseline: Baseline::Middle,
        angle: 30.0,
        colour: [0, 0, 0, 255],
        halo: 0.3,
        layer: None,
    };
    let texts: Vec<Text> = words.iter().enumerate().map(text).collect();
    for text in &texts {
        assert!(text.corners().iter().all(|corner| corner.is_finite()));
    }
    let nodes = texts.into_iter().map(Node::Text).collect();
    let page = Page { size: DVec2::new(60.0, 40.0), nodes, ..Page::default() };
    let written = svg::write(&page);
    assert!(!written.contains("NaN") && xml::read(written.as_bytes(), &xml::Limits::default()).is_ok());
    assert!(dxf::write(&page, dxf::LayerStandard::Aia).is_ok());
    // outlines that cannot be put into a document are told, and never end the program
    let _ = pdf::write(std::slice::from_ref(&page), &[], &pdf::Metadata::default());
    assert!(png::write(&page, png::Resolution::Width(60)).is_ok());
}
