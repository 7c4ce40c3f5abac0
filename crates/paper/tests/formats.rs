//! The demonstration page in every format, read back and drawn by other programs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod demonstration;

use demonstration::{page, pen, polygon, rectangle, words};
use glam::DVec2;
use paper::{Anchor, Fill, Group, Node, Page, Path, Text, Use, Weight, pdf, png, svg};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A picture as shades of grey, from 0 for white to 1 for black.
struct Shades {
    width: usize,
    height: usize,
    ink: Vec<f64>,
}

fn shades(bytes: &[u8]) -> Shades {
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let samples = frame.color_type.samples();
    let dark = |pixel: &[u8]| {
        1.0 - pixel.iter().take(3).map(|part| f64::from(*part)).sum::<f64>()
            / (255.0 * pixel.len().min(3) as f64)
    };
    let ink = pixels.chunks_exact(samples).map(dark).collect();
    Shades { width: frame.width as usize, height: frame.height as usize, ink }
}

impl Shades {
    fn total(&self) -> f64 {
        self.ink.iter().sum::<f64>()
    }

    /// The mean of each block of pixels.
    fn blocks(&self, size: usize) -> Vec<f64> {
        let (columns, rows) = (self.width / size, self.height / size);
        let block = |n: usize| {
            let (x, y) = (n % columns * size, n / columns * size);
            (y..y + size)
                .flat_map(|y| (x..x + size).map(move |x| (x, y)))
                .map(|(x, y)| self.ink[y * self.width + x])
                .sum::<f64>()
                / (size * size) as f64
        };
        (0..columns * rows).map(block).collect()
    }

    /// The first and last column and row with ink, as left, top, right and bottom.
    fn bounds(&self) -> Option<[usize; 4]> {
        let dark = |(n, ink): (usize, &f64)| (*ink > 0.02).then_some((n % self.width, n / self.width));
        self.ink.iter().enumerate().filter_map(dark).fold(None, |found, (x, y)| {
            let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
            Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
        })
    }
}

fn drawn(page: &Page, dots: f64) -> Shades {
    shades(&png::write(page, png::Resolution::DotsPerInch(dots)).unwrap())
}

fn document(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn one(nodes: Vec<Node>) -> Page {
    Page { size: DVec2::new(100.0, 60.0), nodes, ..Page::default() }
}

#[test]
fn a_page_as_svg() {
    insta::assert_snapshot!(svg::write(&page()));
}

#[test]
fn svg_is_a_document_whatever_its_words_are() {
    let hostile =
        Text { anchor: Anchor::Left, ..words("</text><script>&\"'\u{0}\u{8}\u{FFFF}\n]]>", 10.0, 10.0, 3.0) };
    let about =
        paper::About { global_id: "\"><x y=\"".into(), class: "<&>".into(), name: Some("<b>\u{1}".into()) };
    let mut page = one(vec![Node::Group(Group {
        about: Some(about),
        nodes: vec![Node::Text(hostile)],
        ..Group::default()
    })]);
    page.title = "a < b".into();
    let written = svg::write(&page);
    let root = xml::read(written.as_bytes(), &xml::Limits::default()).unwrap();
    let group = root.child("g").unwrap();
    assert_eq!(group.attribute("data-id"), Some("\"><x y=\""));
    assert_eq!(group.child("text").unwrap().text, "</text><script>&\"' ]]>");
    assert_eq!(root.child("title").unwrap().text, "a < b");
    assert_eq!((root.attribute("width"), root.attribute("viewBox")), (Some("100mm"), Some("0 0 100 60")));
}

#[test]
fn characters_that_no_font_has_are_counted_for_a_page() {
    assert_eq!(page().missing_characters(), 1);
}

#[test]
fn the_same_page_is_the_same_bytes() {
    let written = || (svg::write(&page()), pdf::write(&[page()], &[], &pdf::Metadata::default()).unwrap());
    assert!(written() == written());
}

#[test]
fn words_of_a_pdf_are_found_again() {
    let Some(program) = testing::program("pdftotext") else { return };
    let bytes = pdf::write(&[page()], &[], &pdf::Metadata::default()).unwrap();
    let path = document("words.pdf", &bytes);
    let found = Command::new(program).args(["-layout", path.to_str().unwrap(), "-"]).output().unwrap();
    let found = String::from_utf8(found.stdout).unwrap();
    for said in [
        "Kitchen",
        "24.13 m² ≥ 18 m²",
        "⌀ 32",
        "Wohnzimmer Ägäis",
        "Кухня · Κουζίνα",
        "AVATAR",
        "غرفة المعيشة",
        "חדר מגורים",
        "9000",
        "A-101 ✓",
    ] {
        assert!(found.contains(said), "{said} is not in {found}");
    }
    // halos are no words
    assert_eq!(found.matches("Kitchen").count(), 1, "{found}");
}

#[test]
fn a_document_has_pages_of_their_sizes_bookmarks_and_a_title() {
    let Some(program) = testing::program("pdfinfo") else { return };
    let small = one(vec![Node::Text(words("Second", 50.0, 30.0, 3.0))]);
    let child = pdf::Bookmark {
        title: "Kitchen Ägäis".into(),
        page: 0,
        at: DVec2::new(40.0, 40.0),
        ..pdf::Bookmark::default()
    };
    let bookmarks = [
        pdf::Bookmark { title: "Ground floor".into(), children: vec![child], ..pdf::Bookmark::default() },
        pdf::Bookmark { title: "Second".into(), page: 1, ..pdf::Bookmark::default() },
    ];
    let metadata = pdf::Metadata {
        authors: vec!["A. Architect".into()],
        date: Some((2026, 11, 27, 12, 0, 0)),
        ..pdf::Metadata::default()
    };
    let bytes = pdf::write(&[page(), small.clone()], &bookmarks, &metadata).unwrap();
    let path = document("pages.pdf", &bytes);
    let told = Command::new(program).args(["-l", "2", path.to_str().unwrap()]).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    for said in [
        "Title:           Ground floor <1:50>",
        "A. Architect",
        "Pages:           2",
        "841.89 x 595.276 pts (A4)",
        "283.465 x 170.079 pts",
    ] {
        assert!(told.contains(said), "{said} is not in {told}");
    }
    assert!(told.contains("2026"), "{told}");
    let wrong = [pdf::Bookmark { title: "Third".into(), page: 2, ..pdf::Bookmark::default() }];
    let error = pdf::write(&[page(), small], &wrong, &metadata).unwrap_err();
    assert_eq!(error.to_string(), "the bookmark \"Third\" leads to page 3, of 2");
}

#[test]
fn a_pdf_is_drawn_as_the_png_is() {
    let Some(program) = testing::program("pdftoppm") else { return };
    let bytes = pdf::write(&[page()], &[], &pdf::Metadata::default()).unwrap();
    let path = document("drawn.pdf", &bytes);
    let status = Command::new(program)
        .args(["-r", "300", "-png", "-singlefile"])
        .arg(&path)
        .arg(path.with_extension(""))
        .status();
    assert!(status.unwrap().success());
    let theirs = shades(&fs::read(path.with_extension("png")).unwrap());
    let ours = drawn(&page(), 300.0);
    assert!(ours.height.abs_diff(theirs.height) <= 1);
    let (mine, other) = (ours.total(), theirs.total());
    assert!((mine / other - 1.0).abs() < 0.08, "{mine} {other}");
    // both have the same ink in the same places: poppler draws thin lines at least one pixel wide, which is most of what differs
    assert_eq!(theirs.width, ours.width);
    let clipped = Shades { height: ours.height.min(theirs.height), ..theirs };
    let differences = ours.blocks(60).into_iter().zip(clipped.blocks(60)).map(|(a, b)| (a - b).abs());
    let worst = differences.fold(0.0, f64::max);
    assert!(worst < 0.06, "{worst}");
}

#[test]
fn boxes_of_words_hold_their_pixels_and_no_more() {
    for (said, angle) in
        [("Hxgp", 0.0), ("ÄgjQ", 0.0), ("غرفة", 0.0), ("Kitchen", 90.0), ("Treppe", 37.0), ("חדר 12", -120.0)]
    {
        let text = Text { angle, weight: Weight::Bold, ..words(said, 50.0, 30.0, 5.0) };
        let [left, top, right, bottom] =
            drawn(&one(vec![Node::Text(text.clone())]), 254.0).bounds().unwrap().map(|n| n as f64 / 10.0);
        let corners = text.corners();
        let most = corners.iter().fold(DVec2::NEG_INFINITY, |most, corner| most.max(*corner));
        let least = corners.iter().fold(DVec2::INFINITY, |least, corner| least.min(*corner));
        let inside =
            left >= least.x - 0.3 && top >= least.y - 0.3 && right <= most.x + 0.3 && bottom <= most.y + 0.3;
        assert!(inside, "{said}: {left} {top} {right} {bottom} in {least} {most}");
        if angle == 0.0 {
            assert!(left - least.x < 1.0 && most.x - right < 1.0, "{said}: {left} {right} in {least} {most}");
        }
    }
}

#[test]
fn ink_is_as_much_as_lines_and_areas_say() {
    let line = Path {
        subpaths: vec![polygon(&[(10.0, 30.0), (90.0, 50.0)], false)],
        stroke: pen(0.5, [0, 0, 0, 255], &[]),
        ..Path::default()
    };
    let mm = |page: &Page| drawn(page, 254.0).total() / 100.0;
    let length = DVec2::new(80.0, 20.0).length();
    let cap = std::f64::consts::PI * 0.0625;
    assert!((mm(&one(vec![Node::Path(line.clone())])) - length * 0.5 - cap).abs() < 0.3);
    let dashed = Path { stroke: pen(0.5, [0, 0, 0, 255], &[2.0, 2.0]), ..line };
    assert!((mm(&one(vec![Node::Path(dashed)])) - length * 0.25).abs() < 0.7);
    let hatched = Path {
        subpaths: vec![rectangle(10.0, 10.0, 40.0, 30.0), rectangle(20.0, 15.0, 10.0, 10.0)],
        fill: demonstration::bricks(),
        ..Path::default()
    };
    let Some(Fill::Hatch(own)) = &hatched.fill else { panic!() };
    let mut plain = paper::Hatch::clone(own);
    plain.ground = None;
    let hatched = Path { fill: Some(Fill::Hatch(plain.into())), ..hatched };
    // 0.13 mm of black in every 1.2 mm
    assert!((mm(&one(vec![Node::Path(hatched.clone())])) - 1100.0 * 0.13 / 1.2).abs() < 3.0);
    let clip = Some(vec![rectangle(0.0, 0.0, 15.0, 60.0)]);
    let clipped = Group { clip, nodes: vec![Node::Path(hatched)], ..Group::default() };
    assert!((mm(&one(vec![Node::Group(clipped)])) - 150.0 * 0.13 / 1.2).abs() < 1.0);
}

#[test]
fn pages_without_a_size_and_pictures_without_end_are_refused() {
    let blank = |x: f64, y: f64| Page { size: DVec2::new(x, y), ..Page::default() };
    for page in [blank(0.0, 10.0), blank(f64::NAN, 10.0), blank(1e9, 1.0), blank(-5.0, 5.0)] {
        assert!(matches!(png::write(&page, png::Resolution::Width(100)), Err(paper::Error::Size { .. })));
        assert!(matches!(
            pdf::write(&[page], &[], &pdf::Metadata::default()),
            Err(paper::Error::Size { .. })
        ));
    }
    let error = png::write(&blank(1000.0, 1000.0), png::Resolution::DotsPerInch(1e6)).unwrap_err();
    assert!(error.to_string().ends_with("ask for fewer to the inch"), "{error}");
    assert!(png::write(&blank(10.0, 10.0), png::Resolution::DotsPerInch(f64::NAN)).is_err());
    assert!(pdf::write(&[], &[], &pdf::Metadata::default()).is_err());
    let broken = paper::Picture { at: DVec2::ONE, size: DVec2::ONE, png: b"no picture".as_slice().into() };
    let page = one(vec![Node::Picture(broken)]);
    assert!(
        png::write(&page, png::Resolution::Width(10)).is_err()
            && pdf::write(&[page], &[], &pdf::Metadata::default()).is_err()
    );
}

#[test]
fn symbols_that_multiply_end_with_an_error_and_those_in_a_circle_with_nothing() {
    let place = |symbol: &str| {
        Node::Use(Use { symbol: symbol.into(), at: DVec2::ZERO, angle: 0.0, scale: DVec2::ONE, layer: None })
    };
    let mut page = one(vec![place("s9"), place("circle")]);
    for n in 1..10 {
        page.symbols.insert(format!("s{n}"), vec![place(&format!("s{}", n - 1)); 10]);
    }
    page.symbols.insert("s0".into(), vec![Node::Path(Path::default())]);
    page.symbols.insert("circle".into(), vec![place("circle")]);
    assert!(matches!(png::write(&page, png::Resolution::Width(100)), Err(paper::Error::TooMuch { .. })));
    let written = svg::write(&page);
    assert!(written.len() < 20_000 && !written.contains("circle"));
}

#[test]
fn what_lies_beyond_all_pixels_is_not_drawn() {
    let line = Node::Path(Path {
        subpaths: vec![demonstration::circle(0.0, 0.0, 1e6)],
        stroke: pen(62.0, [0, 0, 0, 255], &[]),
        ..Path::default()
    });
    let far =
        Use { symbol: "far".into(), at: DVec2::ZERO, angle: 6.2, scale: DVec2::new(1e6, 48.0), layer: None };
    let page = Page { symbols: [("far".to_owned(), vec![line])].into(), ..one(vec![Node::Use(far)]) };
    assert_eq!(drawn(&page, 50.0).total(), 0.0);
}

#[test]
fn numbers_that_are_none_are_left_out_of_every_format() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300];
    let mut nodes = Vec::new();
    for number in bad {
        let at = DVec2::new(number, 1.0);
        nodes.push(Node::Path(Path {
            subpaths: vec![rectangle(number, 0.0, 1.0, 1.0)],
            stroke: pen(0.1, [0; 4], &[]),
            fill: demonstration::bricks(),
            layer: None,
        }));
        nodes.push(Node::Path(Path {
            subpaths: vec![rectangle(0.0, 0.0, 1.0, 1.0)],
            stroke: pen(number, [9; 4], &[number]),
            fill: None,
            layer: None,
        }));
        nodes.push(Node::Text(Text { at, ..words("a", 0.0, 0.0, 2.0) }));
        nodes.push(Node::Text(Text { height: number, halo: number, ..words("a", 0.0, 0.0, 2.0) }));
        nodes.push(Node::Text(Text { halo: number, angle: number, ..words("a", 0.0, 0.0, 2.0) }));
        nodes.push(Node::Use(Use { symbol: "tick".into(), at, angle: number, scale: at, layer: None }));
        nodes.push(Node::Picture(paper::Picture { at, size: at, png: demonstration::png() }));
        nodes.push(Node::Group(Group {
            clip: Some(vec![rectangle(number, 0.0, 1.0, 1.0)]),
            nodes: nodes.clone(),
            ..Group::default()
        }));
    }
    let page = Page { symbols: page().symbols, ..one(nodes) };
    let written = svg::write(&page);
    assert!(!written.contains("NaN") && !written.contains("inf"), "{written}");
    assert!(png::write(&page, png::Resolution::Width(200)).is_ok());
    assert!(pdf::write(&[page], &[], &pdf::Metadata::default()).is_ok());
}
