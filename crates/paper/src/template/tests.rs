//! Tests of templates.

use super::{FieldError, Problem, Template};
use crate::page::{Anchor, Fill, Node, Segment, Text, Weight};
use base64::Engine as _;
use glam::DVec2;

fn svg(inside: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='210mm' height='297mm' viewBox='0 0 210 297'>\n{inside}</svg>"
    )
}

fn read(inside: &str) -> Template {
    Template::read(svg(inside).as_bytes()).unwrap()
}

fn texts(nodes: &[Node]) -> Vec<&Text> {
    nodes
        .iter()
        .flat_map(|node| match node {
            Node::Text(text) => vec![text],
            Node::Group(group) => texts(&group.nodes),
            Node::Path(_) | Node::Use(_) | Node::Picture(_) => Vec::new(),
        })
        .collect()
}

fn notes(template: &Template) -> Vec<(usize, &str)> {
    template.notes.iter().map(|note| (note.line, note.element.as_str())).collect()
}

#[test]
fn a_title_block_becomes_nodes_in_mm_with_its_fields_filled() {
    let template = read(
        "<style>.frame { fill: none; stroke: #333; stroke-width: 0.7 }</style>
<g transform='translate(10 20)'><rect class='frame' x='0' y='0' width='100' height='50' rx='2'/></g>
<text x='20' y='30' font-size='5' font-weight='bold' text-anchor='middle'>Project {{ project }}</text>
<text transform='rotate(-90 50 60)' x='50' y='60' style='font-size:4px;fill:red'><tspan>{{date}}</tspan><tspan x='50' dy='6'>{{project}}</tspan></text>",
    );
    assert_eq!((template.size, template.notes.len()), (DVec2::new(210.0, 297.0), 0));
    assert_eq!(template.fields, ["project", "date"]);
    let given = [("project", "House <1>"), ("date", "2026-11-27")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let page = template.page("Sheet", &given.clone().into()).unwrap();
    let [Node::Group(all)] = page.nodes.as_slice() else { panic!() };
    let [Node::Group(group), ..] = all.nodes.as_slice() else { panic!("{all:?}") };
    let [Node::Path(frame)] = group.nodes.as_slice() else { panic!() };
    let stroke = frame.stroke.as_ref().unwrap();
    assert!((stroke.width - 0.7).abs() < 1e-9 && stroke.colour == [51, 51, 51, 255] && frame.fill.is_none());
    assert!((frame.subpaths[0].start - DVec2::new(12.0, 20.0)).length() < 1e-9);
    assert_eq!(
        frame.subpaths[0].segments.iter().filter(|segment| matches!(segment, Segment::Arc { .. })).count(),
        4
    );
    let [title, date, again] = texts(&all.nodes).try_into().unwrap();
    assert_eq!(
        (title.words.as_str(), title.anchor, title.weight),
        ("Project House <1>", Anchor::Middle, Weight::Bold)
    );
    assert!((title.height - 5.0 * 0.714).abs() < 1e-9);
    assert_eq!(
        (date.words.as_str(), date.angle.round(), date.colour),
        ("2026-11-27", 90.0, [255, 0, 0, 255])
    );
    // the next line lies below the first, which is to the right where words run upwards
    assert!((again.at - DVec2::new(56.0, 60.0)).length() < 1e-9, "{again:?}");
    let missing = template.fill(&given[..1].iter().cloned().collect()).unwrap_err();
    assert_eq!(missing, FieldError::Missing { fields: vec!["date".into()] });
}

#[test]
fn a_value_of_several_lines_is_written_below_each_other() {
    let template = read(
        "<text x='10' y='20' font-size='4'>{{address}}</text><g><text transform='rotate(-90)' font-size='4'>{{address}}</text></g>",
    );
    let filled = template.fill(&[("address".to_owned(), "Street 1\nTown".to_owned())].into()).unwrap();
    let nodes = [filled];
    let [first, second, up, right] = texts(&nodes).try_into().unwrap();
    assert_eq!((first.words.as_str(), second.words.as_str()), ("Street 1", "Town"));
    assert!((second.at - DVec2::new(10.0, 25.0)).length() < 1e-9);
    assert!((right.at - up.at - DVec2::new(5.0, 0.0)).length() < 1e-9, "{right:?}");
}

#[test]
fn sizes_are_those_of_the_file() {
    let size = |root: &str| {
        Template::read(format!("<svg {root}/>").as_bytes()).map(|template| template.size.round())
    };
    assert_eq!(size("width='420mm' height='29.7cm'"), Ok(DVec2::new(420.0, 297.0)));
    assert_eq!(size("width='96' height='192px'"), Ok(DVec2::new(25.0, 51.0)));
    assert_eq!(size("width='100mm' viewBox='0 0 2 1'"), Ok(DVec2::new(100.0, 50.0)));
    for bad in [
        "",
        "width='10mm'",
        "width='0' height='5'",
        "viewBox='0 0 1'",
        "width='1e9mm' height='1mm'",
        "width='50%' height='50%'",
        "viewBox='0 0 nan 1'",
    ] {
        assert!(size(bad).is_err(), "{bad}");
    }
}

#[test]
fn what_is_not_understood_is_told_with_its_line() {
    let template = read(
        "<linearGradient id='a'/>
<rect width='5' height='5' fill='url(#a)'/>
<use href='#a'/>
<image href='http://example.com/a.png' width='5' height='5'/>
<image xlink:href='file:///etc/passwd' width='5' height='5'/>
<path d='M0 0L5 5 6' stroke='black'/>
<g transform='spin(5)'><rect width='5' height='5'/></g>
<text x='1 2 3' y='4'>ab<textPath>c</textPath></text>
<foreignObject><div xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>
<sodipodi:namedview xmlns:sodipodi='http://sodipodi'/>
<text><tspan>a</tspan><tspan font-weight='bold'>b</tspan></text>
<text transform='scale(2 1)'>wide</text>
<rect width='50%' height='1e'/>
",
    );
    let told = notes(&template);
    assert_eq!(
        told,
        [
            (2, "linearGradient"),
            (3, "rect"),
            (4, "use"),
            (5, "image"),
            (6, "image"),
            (7, "path"),
            (8, "g"),
            (9, "text"),
            (9, "textPath"),
            (9, "text"),
            (10, "foreignObject"),
            (12, "tspan"),
            (13, "text"),
            (14, "rect"),
            (14, "rect"),
        ],
        "{:?}",
        template.notes
    );
}

#[test]
fn files_that_mean_harm_or_are_broken_are_one_error() {
    let error = |text: &str| Template::read(text.as_bytes()).unwrap_err();
    let bomb = "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>\n<svg><text>&b;</text></svg>";
    assert_eq!(error(bomb).line, 2);
    assert!(error("<svg width='1mm' height='1mm'><g>").to_string().starts_with("line 1"));
    assert!(error("<html/>").reason.contains("no <svg>"));
    assert!(error("").reason.contains("empty"));
    assert!(error(&svg(&"<g>".repeat(100))).reason.contains("deep"));
    assert_eq!(
        error(&svg("<g/>\n<text>{{a</text>")),
        Problem { line: 3, reason: "a field begins with {{ and does not end with }}".into() }
    );
    let many = format!("<path d='M0 0{}' stroke='red'/>", "c9999 0 0 9999 0 0".repeat(10_000));
    assert!(error(&svg(&many)).reason.contains("1000000 pieces"));
    let huge = format!("<path d='M0 0{}'/>", "c9 0 0 9 9 9".repeat(1_000_000));
    assert!(error(&svg(&huge)).reason.contains("1000000 pieces"));
    // far away, or nothing at all
    let template = read(
        "<rect x='1e200' width='1' height='1'/><circle r='nan'/><text font-size='1e9'>a</text><g transform='scale(1e300)'><path d='M1 1L1e300 1'/></g>",
    );
    assert!(
        template.nodes.iter().all(|node| matches!(node, Node::Group(group) if group.nodes.is_empty())),
        "{template:?}"
    );
}

#[test]
fn pictures_within_the_file_are_drawn_in_their_proportions() {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 4, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[0; 8]).unwrap();
    let data = base64::engine::general_purpose::STANDARD.encode(&png);
    let template = read(&format!(
        "<image x='10' y='10' width='20' height='20' xlink:href='data:image/png;base64,{data}'/>"
    ));
    let [Node::Picture(picture)] = template.nodes.as_slice() else { panic!("{template:?}") };
    assert_eq!((picture.at, picture.size), (DVec2::new(10.0, 15.0), DVec2::new(20.0, 10.0)));
    let broken = read("<image width='5' height='5' href='data:image/png;base64,AAAA'/>");
    assert_eq!((notes(&broken).len(), broken.nodes.len()), (1, 0));
}

#[test]
fn shapes_have_their_fills_and_outlines() {
    let template = read(
        "<polygon points='0,0 10,0 10,10' fill='#00f' fill-opacity='.5'/><polyline points='0 0 5 5' fill='none' stroke='red' stroke-dasharray='2 1'/>
<ellipse cx='5' cy='5' rx='4' ry='2'/><line x1='0' y1='0' x2='9' y2='9'/><line x2='9' y2='9' stroke='black'/><circle r='3' style='display:none'/>",
    );
    let paths: Vec<_> = template
        .nodes
        .iter()
        .filter_map(|node| if let Node::Path(path) = node { Some(path) } else { None })
        .collect();
    let [polygon, polyline, ellipse, line] = paths.try_into().unwrap();
    assert_eq!(
        (polygon.fill.clone(), polygon.subpaths[0].is_closed),
        (Some(Fill::Solid([0, 0, 255, 128])), true)
    );
    assert_eq!(polyline.stroke.as_ref().unwrap().dashes, [2.0, 1.0]);
    assert!(ellipse.subpaths[0].segments.len() > 20 && line.fill.is_none());
}
