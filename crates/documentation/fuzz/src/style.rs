//! Any text is a style or is refused with a reason, and with a line that it has. What is read has words, rows and hatches for all that a
//! drawing asks of it, and its hatches are drawn in every format without a number that is none.
use documentation::style::Style;
use glam::DVec2;
use paper::{Fill, Node, Page, Path, Segment, Subpath, dxf, pdf, svg};

/// One input.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let style = match Style::from_toml(&text) {
        Ok(style) => style,
        Err(bad) => {
            assert!(!bad.to_string().is_empty());
            let lines = text.matches('\n').count() + 1;
            assert!(bad.line.is_none_or(|line| (1..=lines).contains(&line)), "{bad}");
            return;
        }
    };
    assert!(style.words.contains_key(&style.language), "{}", style.language);
    for scale in [1.0, 50.0, 100.0, 200.0, 10_000.0] {
        assert!(style.at_scale(scale).weight.0 >= 0.0);
    }
    for length in [0.0, -0.0004, 1.005, -3.2, 1e9] {
        let told = [style.measure(length).words(), style.level(length), style.area(length)];
        assert!(told.iter().all(|words| !words.is_empty() && !words.contains("NaN")), "{told:?}");
    }
    assert!(
        style.hatch_name("Concrete") == "other" || style.hatches.contains_key(style.hatch_name("Concrete"))
    );
    let nodes = style.hatches.keys().enumerate().map(|(at, name)| {
        let low = DVec2::new(at as f64 * 12.0, 0.0);
        let fill = style.fill(name, style.weights.hatch.0);
        if let Fill::Hatch(hatch) = &fill {
            assert!(hatch.lines.iter().all(|line| line.step.is_finite() && line.angle.is_finite()));
        }
        Node::Path(Path { subpaths: vec![square(low)], stroke: None, fill: Some(fill), layer: None })
    });
    let page = Page {
        size: DVec2::new(style.hatches.len() as f64 * 12.0 + 1.0, 10.0),
        title: "Hatches".into(),
        nodes: nodes.take(40).collect(),
        ..Page::default()
    };
    let written = svg::write(&page);
    assert!(!written.contains("NaN") && !written.contains("inf"), "{written}");
    assert!(dxf::write(&page, dxf::LayerStandard::Aia).is_ok());
    assert!(
        pdf::write(std::slice::from_ref(&page), &[], &pdf::Metadata::default()).is_ok()
            || page.size.x > 5000.0
    );
}

/// A square of 10 mm.
fn square(low: DVec2) -> Subpath {
    let corner = |x: f64, y: f64| low + DVec2::new(x, y);
    let segments = [corner(10.0, 0.0), corner(10.0, 10.0), corner(0.0, 10.0)].map(Segment::Line);
    Subpath { start: low, segments: segments.to_vec(), is_closed: true }
}
