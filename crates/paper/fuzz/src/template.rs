//! Any bytes are a template or are refused. What is read can be filled with words of every kind, and drawn in every format without a
//! number that is none.
use paper::template::Template;
use paper::{dxf, pdf, png, svg};
use std::collections::BTreeMap;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(template) = Template::read(bytes) else { return };
    let words = ["a\u{0}b", "</text>{{x}}", "غرفة 12", "漢\u{202E}x"];
    let values: BTreeMap<String, String> = template
        .fields
        .iter()
        .zip(words.iter().cycle())
        .map(|(name, words)| (name.clone(), (*words).to_owned()))
        .collect();
    let Ok(page) = template.page("Title", &values) else {
        unreachable!("all fields are given, and none else")
    };
    let written = svg::write(&page);
    assert!(!written.contains("NaN"));
    // what an SVG writer makes is a template again, unless its fields are words that look like fields
    match Template::read(written.as_bytes()) {
        Ok(again) => assert!((again.size - page.size).abs().max_element() < 0.02),
        Err(problem) => {
            assert!(problem.reason.contains("field") || page.size.min_element() < 0.01, "{problem}");
        }
    }
    let drawing = dxf::write(&page, dxf::LayerStandard::Iso13567);
    assert!(drawing.is_ok_and(|drawing| !drawing.windows(3).any(|part| part == b"NaN")));
    assert!(pdf::write(std::slice::from_ref(&page), &[], &pdf::Metadata::default()).is_ok());
    if page.size.y < page.size.x * 100.0 {
        assert!(png::write(&page, png::Resolution::Width(60)).is_ok());
    }
}
