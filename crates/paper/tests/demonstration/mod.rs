//! A page with every kind of node: two rooms at 1:50 with hatches, symbols, dimensions, words in several scripts and a title block.

use glam::DVec2;
use paper::{
    About, Anchor, Baseline, Colour, Fill, Group, Hatch, HatchLine, Layer, ModelSpace, Node, Page, Part,
    Path, Picture, Segment, Stroke, Subject, Subpath, Text, Use, Weight,
};
use std::f64::consts::TAU;
use std::sync::Arc;

const BLACK: Colour = [0, 0, 0, 255];
const GREY: Colour = [110, 110, 110, 255];
const RED: Colour = [200, 30, 40, 255];

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

pub fn pen(width: f64, colour: Colour, dashes: &[f64]) -> Option<Stroke> {
    Some(Stroke { width, colour, dashes: dashes.to_vec() })
}

pub fn polygon(points: &[(f64, f64)], is_closed: bool) -> Subpath {
    let mut points = points.iter().map(|(x, y)| v(*x, *y));
    let start = points.next().unwrap_or_default();
    Subpath { start, segments: points.map(Segment::Line).collect(), is_closed }
}

pub fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Subpath {
    polygon(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height)], true)
}

pub fn circle(x: f64, y: f64, radius: f64) -> Subpath {
    let start = v(x + radius, y);
    let segments = vec![Segment::Arc { to: start, centre: v(x, y), is_clockwise: true }];
    Subpath { start, segments, is_closed: true }
}

fn layer(subject: Subject, part: Part) -> Option<Layer> {
    Some(Layer { subject, part })
}

fn line(points: &[(f64, f64)], stroke: Option<Stroke>) -> Node {
    Node::Path(Path { subpaths: vec![polygon(points, false)], stroke, ..Path::default() })
}

pub fn words(words: &str, x: f64, y: f64, height: f64) -> Text {
    Text {
        at: v(x, y),
        words: words.into(),
        height,
        weight: Weight::Regular,
        anchor: Anchor::Middle,
        baseline: Baseline::Middle,
        angle: 0.0,
        colour: BLACK,
        halo: 0.0,
        layer: None,
    }
}

fn family(angle: f64, step: (f64, f64), dashes: &[f64]) -> HatchLine {
    HatchLine { angle, origin: v(0.0, 0.0), step: v(step.0, step.1), dashes: dashes.to_vec() }
}

fn hatch(name: &str, width: f64, ground: Option<Colour>, lines: Vec<HatchLine>) -> Option<Fill> {
    let stroke = Stroke { width, colour: BLACK, dashes: Vec::new() };
    Some(Fill::Hatch(Arc::new(Hatch { name: name.into(), lines, stroke, ground })))
}

pub fn bricks() -> Option<Fill> {
    hatch("BRICK", 0.13, Some([246, 226, 216, 255]), vec![family(45.0, (0.0, 1.2), &[])])
}

fn concrete() -> Option<Fill> {
    hatch(
        "CONCRETE",
        0.1,
        Some([235, 235, 235, 255]),
        vec![
            family(45.0, (0.0, 2.0), &[]),
            family(50.0, (1.3, 2.3), &[0.0, -1.7]),
            family(-35.0, (0.7, 1.9), &[0.0, -2.9, 0.4, -1.1]),
        ],
    )
}

fn tiles() -> Option<Fill> {
    hatch("TILES", 0.08, None, vec![family(0.0, (0.0, 4.0), &[]), family(90.0, (0.0, 4.0), &[])])
}

fn parquet() -> Option<Fill> {
    hatch("PARQUET", 0.06, None, vec![family(0.0, (0.0, 2.0), &[]), family(90.0, (2.0, 12.0), &[2.0, -2.0])])
}

fn element(class: &str, id: &str, name: &str, own: Option<Layer>, nodes: Vec<Node>) -> Node {
    let about = Some(About { global_id: id.into(), class: class.into(), name: Some(name.into()) });
    Node::Group(Group { about, layer: own, clip: None, nodes })
}

/// A small picture: a gradient with a hole to see through.
pub fn png() -> Arc<[u8]> {
    let mut written = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut written, 64, 48);
    encoder.set_color(::png::ColorType::Rgba);
    let pixels: Vec<u8> = (0..48_i32)
        .flat_map(|y| (0..64_i32).map(move |x| (x, y)))
        .flat_map(|(x, y)| {
            let is_hole = (x - 32).pow(2) + (y - 24).pow(2) < 144;
            [(x * 4) as u8, (y * 5) as u8, 160, if is_hole { 0 } else { 255 }]
        })
        .collect();
    let written_whole = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixels));
    assert!(written_whole.is_ok());
    written.into()
}

fn walls() -> Vec<Node> {
    let outer = vec![polygon(
        &[
            (40.0, 40.0),
            (220.0, 40.0),
            (220.0, 150.0),
            (130.0, 150.0),
            (130.0, 142.7),
            (212.7, 142.7),
            (212.7, 47.3),
            (47.3, 47.3),
            (47.3, 142.7),
            (112.0, 142.7),
            (112.0, 150.0),
            (40.0, 150.0),
        ],
        true,
    )];
    let inner = vec![
        polygon(&[(128.0, 47.3), (130.3, 47.3), (130.3, 90.0), (128.0, 90.0)], true),
        polygon(&[(128.0, 108.0), (130.3, 108.0), (130.3, 142.7), (128.0, 142.7)], true),
    ];
    let cut = |subpaths: Vec<Subpath>, fill| {
        Node::Path(Path { subpaths, stroke: pen(0.5, BLACK, &[]), fill, layer: None })
    };
    vec![
        element(
            "IfcWall",
            "2O2Fr$t4X7Zf8NOew3FLOH",
            "Outer wall <A> & \"B\"",
            layer(Subject::Wall, Part::Cut),
            vec![cut(outer, bricks())],
        ),
        element(
            "IfcWall",
            "2O2Fr$t4X7Zf8NOew3FLPP",
            "Partition",
            layer(Subject::Wall, Part::Cut),
            vec![cut(inner, concrete())],
        ),
        element(
            "IfcColumn",
            "1O2Fr$t4X7Zf8NOew3FLQQ",
            "Column",
            layer(Subject::Column, Part::Cut),
            vec![cut(vec![circle(170.0, 95.0, 5.0), circle(170.0, 95.0, 2.5)], concrete())],
        ),
        element(
            "IfcColumn",
            "1O2Fr$t4X7Zf8NOew3FLRR",
            "Steel column",
            layer(Subject::Column, Part::Cut),
            vec![cut(vec![rectangle(190.0, 90.0, 6.0, 6.0)], Some(Fill::Solid(BLACK)))],
        ),
    ]
}

fn floor() -> Vec<Node> {
    let area = |subpath: Subpath, fill| {
        Node::Path(Path {
            subpaths: vec![subpath],
            stroke: None,
            fill,
            layer: layer(Subject::Slab, Part::Pattern),
        })
    };
    vec![
        area(rectangle(47.3, 47.3, 80.7, 95.4), tiles()),
        area(rectangle(130.3, 47.3, 82.4, 95.4), parquet()),
    ]
}

fn symbols() -> std::collections::BTreeMap<String, Vec<Node>> {
    let swing = Subpath {
        start: v(0.0, -18.0),
        segments: vec![Segment::Arc { to: v(18.0, 0.0), centre: v(0.0, 0.0), is_clockwise: true }],
        is_closed: false,
    };
    let door = vec![
        Node::Path(Path {
            subpaths: vec![rectangle(0.0, -18.0, 0.8, 18.0)],
            stroke: pen(0.25, BLACK, &[]),
            fill: Some(Fill::Solid([255; 4])),
            layer: None,
        }),
        Node::Path(Path { subpaths: vec![swing], stroke: pen(0.13, BLACK, &[]), fill: None, layer: None }),
    ];
    let chair = vec![
        Node::Path(Path {
            subpaths: vec![rectangle(-4.0, -4.0, 8.0, 8.0)],
            stroke: pen(0.18, GREY, &[]),
            fill: Some(Fill::Solid([255; 4])),
            layer: None,
        }),
        line(&[(-4.0, -3.0), (4.0, -3.0)], pen(0.18, GREY, &[])),
    ];
    let place = |x: f64, y: f64, angle: f64| {
        Node::Use(Use { symbol: "chair".into(), at: v(x, y), angle, scale: DVec2::ONE, layer: None })
    };
    let table = vec![
        place(-8.0, -12.0, 0.0),
        place(8.0, -12.0, 0.0),
        place(-8.0, 12.0, 180.0),
        place(8.0, 12.0, 180.0),
        Node::Path(Path {
            subpaths: vec![rectangle(-16.0, -9.0, 32.0, 18.0)],
            stroke: pen(0.25, GREY, &[]),
            fill: Some(Fill::Solid([255; 4])),
            layer: None,
        }),
        Node::Text(Text { colour: GREY, ..words("Table", 0.0, 0.0, 1.8) }),
    ];
    let tick = vec![line(&[(-0.9, 0.9), (0.9, -0.9)], pen(0.35, BLACK, &[]))];
    [("door", door), ("chair", chair), ("table", table), ("tick", tick)]
        .into_iter()
        .map(|(name, nodes)| (name.into(), nodes))
        .collect()
}

fn place(symbol: &str, x: f64, y: f64, angle: f64, scale: (f64, f64), own: Option<Layer>) -> Node {
    Node::Use(Use { symbol: symbol.into(), at: v(x, y), angle, scale: v(scale.0, scale.1), layer: own })
}

fn furniture() -> Vec<Node> {
    let own = layer(Subject::Furniture, Part::Seen);
    vec![
        element(
            "IfcFurniture",
            "0O2Fr$t4X7Zf8NOew3FL01",
            "Table",
            own,
            vec![place("table", 85.0, 105.0, 0.0, (1.0, 1.0), None)],
        ),
        element(
            "IfcFurniture",
            "0O2Fr$t4X7Zf8NOew3FL02",
            "Table",
            own,
            vec![place("table", 155.0, 70.0, 35.0, (0.8, 0.8), None)],
        ),
        element(
            "IfcDoor",
            "0O2Fr$t4X7Zf8NOew3FL03",
            "Door 0.9 m",
            layer(Subject::Door, Part::Symbol),
            vec![
                place("door", 112.0, 142.7, 0.0, (1.0, 1.0), None),
                place("door", 128.0, 108.0, 90.0, (1.0, 1.0), None),
            ],
        ),
    ]
}

fn dimension(from: f64, to: f64, y: f64, said: &str) -> Node {
    let own = layer(Subject::Dimension, Part::Symbol);
    let thin = || pen(0.13, BLACK, &[]);
    element(
        "IfcAnnotation",
        &format!("dimension {said}"),
        said,
        own,
        vec![
            line(&[(from - 1.5, y), (to + 1.5, y)], thin()),
            line(&[(from, y - 2.0), (from, y + 4.0)], thin()),
            line(&[(to, y - 2.0), (to, y + 4.0)], thin()),
            place("tick", from, y, 0.0, (1.0, 1.0), None),
            place("tick", to, y, 0.0, (1.0, 1.0), None),
            Node::Text(Text {
                baseline: Baseline::Foot,
                layer: layer(Subject::Dimension, Part::Text),
                ..words(said, f64::midpoint(from, to), y - 0.8, 2.0)
            }),
        ],
    )
}

fn notes() -> Vec<Node> {
    let tag = |said: &str, x: f64, y: f64, height: f64, weight: Weight| {
        Node::Text(Text {
            halo: 0.7,
            weight,
            layer: layer(Subject::Tag, Part::Text),
            ..words(said, x, y, height)
        })
    };
    let cloud: Vec<Segment> = (1..=12)
        .map(|n| {
            let at = |n: f64| v(185.0, 115.0) + DVec2::from_angle(n * TAU / 12.0) * v(14.0, 9.0);
            let (a, b) = (at(f64::from(n) - 1.0), at(f64::from(n)));
            Segment::Arc { to: b, centre: (a + b) / 2.0, is_clockwise: true }
        })
        .collect();
    vec![
        tag("Kitchen", 85.0, 66.0, 3.5, Weight::Bold),
        tag("24.13 m² ≥ 18 m²  ⌀ 32", 85.0, 72.0, 2.0, Weight::Regular),
        tag("Wohnzimmer Ägäis", 172.0, 132.0, 3.5, Weight::Bold),
        tag("Кухня · Κουζίνα · AVATAR", 170.0, 138.0, 2.0, Weight::Regular),
        tag("غرفة المعيشة 12 m²", 68.0, 125.0, 3.0, Weight::Regular),
        tag("חדר מגורים (A) 3", 68.0, 133.0, 3.0, Weight::Bold),
        Node::Text(Text {
            angle: 90.0,
            anchor: Anchor::Left,
            ..words("漢 No glyph for this → box", 205.0, 88.0, 1.8)
        }),
        Node::Path(Path {
            subpaths: vec![Subpath { start: v(199.0, 115.0), segments: cloud, is_closed: true }],
            stroke: pen(0.35, RED, &[]),
            fill: None,
            layer: layer(Subject::Revision, Part::Symbol),
        }),
        Node::Text(Text { colour: RED, angle: 30.0, ..words("Check!", 185.0, 115.0, 2.5) }),
        line(&[(30.0, 95.0), (235.0, 95.0)], pen(0.13, BLACK, &[8.0, 1.5, 0.5, 1.5])),
        Node::Path(Path {
            subpaths: vec![circle(240.0, 95.0, 5.0)],
            stroke: pen(0.25, BLACK, &[]),
            fill: None,
            layer: layer(Subject::Grid, Part::Symbol),
        }),
        Node::Text(Text { weight: Weight::Bold, ..words("A", 240.0, 95.0, 3.5) }),
        line(&[(47.3, 60.0), (128.0, 60.0), (128.0, 56.0)], pen(0.18, GREY, &[2.0, 1.0])),
    ]
}

fn sheet() -> Vec<Node> {
    let frame = Node::Path(Path {
        subpaths: vec![rectangle(10.0, 10.0, 277.0, 190.0), rectangle(187.0, 170.0, 100.0, 30.0)],
        stroke: pen(0.7, BLACK, &[]),
        fill: None,
        layer: None,
    });
    let left = |said: &str, x: f64, y: f64, height: f64, weight| {
        Node::Text(Text {
            anchor: Anchor::Left,
            baseline: Baseline::Foot,
            weight,
            ..words(said, x, y, height)
        })
    };
    let clipped = Group {
        clip: Some(vec![circle(265.0, 40.0, 15.0)]),
        nodes: vec![
            Node::Path(Path {
                subpaths: vec![rectangle(240.0, 20.0, 50.0, 50.0)],
                stroke: None,
                fill: bricks(),
                layer: None,
            }),
            line(&[(245.0, 20.0), (285.0, 60.0)], pen(1.4, RED, &[])),
        ],
        ..Group::default()
    };
    let title = layer(Subject::TitleBlock, Part::Seen);
    vec![
        Node::Group(Group {
            layer: title,
            nodes: vec![
                frame,
                left("Ground floor", 190.0, 178.0, 4.0, Weight::Bold),
                left("Scale 1:50, lengths in mm", 190.0, 184.0, 2.0, Weight::Regular),
                Node::Text(Text {
                    anchor: Anchor::Right,
                    baseline: Baseline::Top,
                    ..words("A-101 ✓", 284.0, 190.0, 3.0)
                }),
            ],
            ..Group::default()
        }),
        Node::Group(clipped),
        Node::Path(Path {
            subpaths: vec![circle(265.0, 40.0, 15.0)],
            stroke: pen(0.5, BLACK, &[]),
            fill: None,
            layer: layer(Subject::Symbol, Part::Symbol),
        }),
        Node::Path(Path {
            subpaths: vec![rectangle(250.0, 70.0, 20.0, 10.0)],
            stroke: None,
            fill: Some(Fill::Solid([30, 90, 200, 90])),
            layer: None,
        }),
        Node::Picture(Picture { at: v(246.0, 110.0), size: v(32.0, 24.0), png: png() }),
    ]
}

/// The page.
pub fn page() -> Page {
    let mut nodes = floor();
    nodes.extend(furniture());
    nodes.extend(walls());
    nodes.extend([
        dimension(40.0, 220.0, 162.0, "9000"),
        dimension(40.0, 112.0, 155.0, "3600"),
        dimension(130.0, 220.0, 155.0, "4500"),
    ]);
    nodes.extend(notes());
    nodes.extend(sheet());
    Page {
        size: v(297.0, 210.0),
        title: "Ground floor <1:50>".into(),
        nodes,
        symbols: symbols(),
        model: Some(ModelSpace { origin: v(40.0, 150.0), scale: 50.0 }),
        ..Page::default()
    }
}
