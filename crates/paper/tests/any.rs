//! Pages of any nodes with any numbers are written or refused in every format, and what is written can be read.

use glam::DVec2;
use paper::{
    About, Anchor, Baseline, Fill, Group, Hatch, HatchLine, Layer, ModelSpace, Node, Page, Part, Path,
    Picture, Segment, Stroke, Subject, Subpath, Text, Use, Weight, dxf, pdf, png, svg,
};
use proptest::prelude::*;
use std::sync::Arc;

/// Numbers of paper mostly, and all others.
fn number() -> BoxedStrategy<f64> {
    prop_oneof![
        8 => -20.0..120.0_f64,
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1.0), Just(50.0), Just(1e-9), Just(1e6), Just(-1e6)],
        1 => any::<f64>(),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::MAX), Just(f64::MIN_POSITIVE)],
    ]
    .boxed()
}

fn point() -> BoxedStrategy<DVec2> {
    (number(), number()).prop_map(|(x, y)| DVec2::new(x, y)).boxed()
}

fn subpath() -> BoxedStrategy<Subpath> {
    let segment = prop_oneof![
        point().prop_map(Segment::Line),
        (point(), point(), any::<bool>()).prop_map(|(to, centre, is_clockwise)| Segment::Arc {
            to,
            centre,
            is_clockwise
        }),
    ];
    (point(), prop::collection::vec(segment, 0..6), any::<bool>())
        .prop_map(|(start, segments, is_closed)| Subpath { start, segments, is_closed })
        .boxed()
}

fn stroke() -> BoxedStrategy<Stroke> {
    (number(), any::<[u8; 4]>(), prop::collection::vec(number(), 0..5))
        .prop_map(|(width, colour, dashes)| Stroke { width, colour, dashes })
        .boxed()
}

fn fill() -> BoxedStrategy<Fill> {
    let line = (number(), point(), point(), prop::collection::vec(number(), 0..4))
        .prop_map(|(angle, origin, step, dashes)| HatchLine { angle, origin, step, dashes });
    let hatch = (".{0,8}", prop::collection::vec(line, 0..3), stroke(), any::<Option<[u8; 4]>>()).prop_map(
        |(name, lines, stroke, ground)| Fill::Hatch(Arc::new(Hatch { name, lines, stroke, ground })),
    );
    prop_oneof![any::<[u8; 4]>().prop_map(Fill::Solid), hatch].boxed()
}

fn layer() -> BoxedStrategy<Option<Layer>> {
    prop_oneof![
        Just(None),
        Just(Some(Layer { subject: Subject::Wall, part: Part::Cut })),
        Just(Some(Layer { subject: Subject::Grid, part: Part::Hidden }))
    ]
    .boxed()
}

fn node() -> BoxedStrategy<Node> {
    let path = (
        prop::collection::vec(subpath(), 0..4),
        prop::option::of(stroke()),
        prop::option::of(fill()),
        layer(),
    )
        .prop_map(|(subpaths, stroke, fill, layer)| Node::Path(Path { subpaths, stroke, fill, layer }))
        .boxed();
    let text =
        (point(), "\\PC{0,12}|.{0,6}", number(), number(), number(), any::<[u8; 4]>(), 0..9_usize, layer())
            .prop_map(|(at, words, height, angle, halo, colour, kind, layer)| {
                let anchor = [Anchor::Left, Anchor::Middle, Anchor::Right][kind % 3];
                let baseline = [Baseline::Foot, Baseline::Middle, Baseline::Top][kind / 3];
                let weight = if kind % 2 == 0 { Weight::Regular } else { Weight::Bold };
                Node::Text(Text { at, words, height, weight, anchor, baseline, angle, colour, halo, layer })
            });
    let place = (prop_oneof![Just("a"), Just("b"), Just("none")], point(), number(), point(), layer())
        .prop_map(|(symbol, at, angle, scale, layer)| {
            Node::Use(Use { symbol: symbol.into(), at, angle, scale, layer })
        });
    let picture = (point(), point()).prop_map(|(at, size)| Node::Picture(Picture { at, size, png: dot() }));
    let leaf = prop_oneof![4 => path, 3 => text, 1 => place, 1 => picture];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let about = prop::option::of((".{0,5}", "\\PC{0,5}").prop_map(|(global_id, class)| About {
            global_id,
            class,
            name: None,
        }));
        (
            about,
            layer(),
            prop::option::of(prop::collection::vec(subpath(), 0..3)),
            prop::collection::vec(inner, 0..4),
        )
            .prop_map(|(about, layer, clip, nodes)| Node::Group(Group { about, layer, clip, nodes }))
    })
    .boxed()
}

/// A picture of one pixel.
fn dot() -> Arc<[u8]> {
    let mut written = Vec::new();
    let encoder = ::png::Encoder::new(&mut written, 1, 1);
    let whole = encoder.write_header().and_then(|mut writer| writer.write_image_data(&[0]));
    assert!(whole.is_ok());
    written.into()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_page_is_written_or_refused(
        nodes in prop::collection::vec(node(), 0..8),
        a in prop::collection::vec(node(), 0..3),
        b in prop::collection::vec(node(), 0..3),
        model in prop::option::of((point(), number())),
        title in ".{0,9}",
    ) {
        let symbols = [("a".to_owned(), a), ("b".to_owned(), b)].into();
        let model = model.map(|(origin, scale)| ModelSpace { origin, scale });
        let page = Page { size: DVec2::new(100.0, 80.0), title, nodes, symbols, model, ..Page::default() };
        let written = svg::write(&page);
        let read = xml::read(written.as_bytes(), &xml::Limits::default());
        prop_assert!(read.is_ok(), "{read:?}\n{written}");
        prop_assert!(!written.contains("NaN") && !written.contains("\"inf"));
        prop_assert!(png::write(&page, png::Resolution::Width(50)).is_ok());
        let documents = [(); 2].map(|()| pdf::write(std::slice::from_ref(&page), &[], &pdf::Metadata::default()));
        prop_assert!(documents[0].is_ok() && documents[0] == documents[1]);
        let drawing = dxf::write(&page, dxf::LayerStandard::Aia).map(String::from_utf8);
        let Ok(Ok(drawing)) = drawing else { panic!("{drawing:?}") };
        let lines: Vec<&str> = drawing.lines().collect();
        prop_assert!(lines.len().is_multiple_of(2));
        for pair in lines.chunks_exact(2) {
            let code: u16 = pair[0].trim().parse().unwrap_or(u16::MAX);
            prop_assert!(code < 1100, "{pair:?}");
            if (10..=59).contains(&code) || (140..=149).contains(&code) {
                prop_assert!(pair[1].parse::<f64>().is_ok_and(f64::is_finite), "{pair:?}");
            }
        }
    }
}
