//! The demonstration page as DXF, read as tags.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod demonstration;

use demonstration::{page, pen, polygon, words};
use glam::DVec2;
use paper::dxf::{LayerStandard, write};
use paper::{Group, ModelSpace, Node, Page, Path, Segment, Subpath, Text};

/// Group codes and values.
fn tags(page: &Page) -> Vec<(u16, String)> {
    let written = String::from_utf8(write(page, LayerStandard::Aia).unwrap()).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert!(lines.len().is_multiple_of(2));
    lines.chunks_exact(2).map(|pair| (pair[0].trim().parse().unwrap(), pair[1].to_owned())).collect()
}

/// The entities of a kind, each as its tags.
fn entities(page: &Page, kind: &str) -> Vec<Vec<(u16, String)>> {
    let all = tags(page);
    let parts = all.split(|(code, _)| *code == 0);
    let kinds = all.iter().filter(|(code, _)| *code == 0).map(|(_, value)| value.clone());
    parts.skip(1).zip(kinds).filter(|(_, own)| own == kind).map(|(part, _)| part.to_vec()).collect()
}

fn numbers(tags: &[(u16, String)], code: u16) -> Vec<f64> {
    tags.iter().filter(|(own, _)| *own == code).map(|(_, value)| value.parse().unwrap()).collect()
}

fn one(node: Node) -> Page {
    Page { size: DVec2::new(100.0, 50.0), nodes: vec![node], ..Page::default() }
}

fn line(subpath: Subpath) -> Node {
    Node::Path(Path { subpaths: vec![subpath], stroke: pen(0.5, [0, 0, 0, 255], &[]), ..Path::default() })
}

#[test]
fn a_view_is_written_in_the_worlds_millimetres_and_a_sheet_in_those_of_paper() {
    let mut page = one(line(polygon(&[(10.0, 10.0), (30.0, 40.0)], false)));
    let [own] = entities(&page, "LINE").try_into().unwrap();
    assert_eq!([10, 20, 11, 21].map(|code| numbers(&own, code)[0]), [10.0, 40.0, 30.0, 10.0]);
    page.model = Some(ModelSpace { origin: DVec2::new(10.0, 40.0), scale: 50.0 });
    let [own] = entities(&page, "LINE").try_into().unwrap();
    assert_eq!([10, 20, 11, 21].map(|code| numbers(&own, code)[0]), [0.0, 1500.0, 1000.0, 0.0]);
}

#[test]
fn arcs_are_arcs_circles_and_bulges() {
    let quarter = |is_clockwise: bool| Segment::Arc {
        to: DVec2::new(20.0, 10.0),
        centre: DVec2::new(10.0, 10.0),
        is_clockwise,
    };
    // from above the middle to its right, clockwise as one looks at it
    let start = DVec2::new(10.0, 0.0);
    let arc = |is_clockwise| Subpath { start, segments: vec![quarter(is_clockwise)], is_closed: false };
    let [own] = entities(&one(line(arc(true))), "ARC").try_into().unwrap();
    assert_eq!([50, 51, 40].map(|code| numbers(&own, code)[0].round()), [0.0, 90.0, 10.0]);
    let [own] = entities(&one(line(arc(false))), "ARC").try_into().unwrap();
    assert_eq!([50, 51].map(|code| numbers(&own, code)[0].round()), [90.0, 0.0]);
    let closed = Subpath { is_closed: true, ..arc(true) };
    let [own] = entities(&one(line(closed)), "LWPOLYLINE").try_into().unwrap();
    assert!((numbers(&own, 42)[0] + (std::f64::consts::PI / 8.0).tan()).abs() < 1e-6);
    let [own] = entities(&one(line(demonstration::circle(50.0, 25.0, 7.0))), "CIRCLE").try_into().unwrap();
    assert_eq!(numbers(&own, 40), [7.0]);
}

#[test]
fn entities_carry_the_element_that_they_show() {
    let all = entities(&page(), "HATCH");
    let wall = all.iter().rfind(|tags| tags.contains(&(2, "BRICK".into()))).unwrap();
    let at = wall.iter().position(|tag| *tag == (1001, "PENSAER".into())).unwrap();
    let said: Vec<&str> = wall[at + 1..].iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(said, ["2O2Fr$t4X7Zf8NOew3FLOH", "IfcWall", "Outer wall <A> & \"B\""]);
    assert!(wall.contains(&(8, "A-WALL-PATT".into())));
    // steps of patterns are in the world's millimetres
    let step = numbers(wall, 45)[0].hypot(numbers(wall, 46)[0]);
    assert!((step - 60.0).abs() < 1e-4, "{step}");
}

#[test]
fn numbers_of_objects_are_given_once_and_those_named_exist() {
    let all = tags(&page());
    let mut own: Vec<&String> = Vec::new();
    let mut kind = "";
    for (code, value) in &all {
        if *code == 0 {
            kind = value;
        }
        if *code == 105 || (*code == 5 && kind != "SECTION") {
            own.push(value);
        }
    }
    let count = own.len();
    own.sort();
    own.dedup();
    assert_eq!(own.len(), count);
    for (code, value) in all.iter().filter(|(code, _)| [330, 340, 350, 360, 390].contains(code)) {
        assert!(value == "0" || own.binary_search(&value).is_ok(), "{code} names {value}");
    }
}

#[test]
fn a_group_within_an_area_is_a_block_with_a_boundary() {
    let group = Group {
        clip: Some(vec![demonstration::rectangle(0.0, 0.0, 20.0, 20.0)]),
        nodes: vec![line(polygon(&[(0.0, 10.0), (50.0, 10.0)], false))],
        ..Group::default()
    };
    let page = one(Node::Group(group.clone()));
    let [filter] = entities(&page, "SPATIAL_FILTER").try_into().unwrap();
    assert_eq!(numbers(&filter, 10), [0.0, 20.0, 20.0, 0.0]);
    assert_eq!(numbers(&filter, 20), [50.0, 50.0, 30.0, 30.0]);
    assert_eq!(entities(&page, "INSERT").len(), 1);
    let nothing = one(Node::Group(Group { clip: Some(Vec::new()), ..group }));
    assert_eq!(entities(&nothing, "LINE").len() + entities(&nothing, "INSERT").len(), 0);
}

#[test]
fn words_and_names_that_would_break_a_drawing_are_written_as_they_are() {
    let hostile = Text { ..words("a\n  0\nEOF\r\n%%c^J", 10.0, 10.0, 2.0) };
    let about = paper::About { global_id: "x\n  0\nEOF".into(), class: "ü".repeat(300), name: None };
    let page =
        one(Node::Group(Group { about: Some(about), nodes: vec![Node::Text(hostile)], ..Group::default() }));
    let all = tags(&page);
    assert_eq!(all.iter().filter(|tag| **tag == (0, "EOF".into())).count(), 1);
    let [text] = entities(&page, "TEXT").try_into().unwrap();
    assert!(text.contains(&(1, "a   0 EOF  %%037%%037c^ J".into())), "{text:?}");
    assert!(text.iter().filter(|(code, _)| *code == 1000).all(|(_, value)| value.len() <= 255));
}

#[test]
fn numbers_that_are_none_are_left_out_and_a_page_without_a_size_is_refused() {
    for number in [f64::NAN, f64::INFINITY, 1e300] {
        let bad = vec![
            line(polygon(&[(number, 0.0), (1.0, 1.0)], false)),
            Node::Text(Text { at: DVec2::new(number, 0.0), ..words("a", 0.0, 0.0, 2.0) }),
            Node::Text(Text { angle: number, height: number, ..words("a", 0.0, 0.0, 2.0) }),
            Node::Picture(paper::Picture { at: DVec2::splat(number), size: DVec2::ONE, png: [].into() }),
            Node::Path(Path {
                subpaths: vec![demonstration::rectangle(0.0, 0.0, number, 1.0)],
                fill: demonstration::bricks(),
                ..Path::default()
            }),
        ];
        let page = Page {
            nodes: bad,
            model: Some(ModelSpace { origin: DVec2::ZERO, scale: number }),
            ..one(line(Subpath::default()))
        };
        let written = String::from_utf8(write(&page, LayerStandard::Aia).unwrap()).unwrap();
        assert!(!written.contains("NaN") && !written.contains("inf"), "{written}");
        let page = Page { size: DVec2::new(number, 1.0), ..Page::default() };
        assert!(
            number > 1e200 && write(&page, LayerStandard::Aia).is_err()
                || number.is_nan() && write(&page, LayerStandard::Aia).is_err()
        );
    }
}

#[test]
fn the_same_page_is_the_same_drawing() {
    assert!(
        write(&page(), LayerStandard::Iso13567).unwrap() == write(&page(), LayerStandard::Iso13567).unwrap()
    );
}
