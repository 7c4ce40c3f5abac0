//! Doors, windows and furniture as blocks: the same symbol, moved and turned by quarters, is drawn once and placed where it stands, as whoever
//! goes on with a drawing wants it.

use crate::drawing::shapes::Reach;
use glam::DVec2;
use paper::{Fill, Node, Page, Path, Segment, Subject, Subpath, Use};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The layers whose elements are blocks.
const SUBJECTS: [Subject; 5] =
    [Subject::Door, Subject::Window, Subject::Furniture, Subject::Sanitary, Subject::Electrical];

/// Makes blocks of the symbols on a page. What it shows stays the same, to a thousandth of a millimetre.
pub fn with_blocks(mut page: Page) -> Page {
    let mut known: HashMap<String, String> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for node in &mut page.nodes {
        let Node::Group(group) = node else { continue };
        let Some(about) = &group.about else { continue };
        let is_symbol = |node: &Node| match node {
            Node::Path(path) => {
                path.layer.is_some_and(|layer| SUBJECTS.contains(&layer.subject))
                    && !matches!(path.fill, Some(Fill::Hatch(_)))
            }
            _ => false,
        };
        let Some(at) = group.nodes.iter().position(is_symbol) else { continue };
        let layer = group.nodes.iter().find_map(|node| match node {
            Node::Path(path) if is_symbol(node) => path.layer,
            _ => None,
        });
        let (parts, mut nodes): (Vec<Node>, Vec<Node>) =
            std::mem::take(&mut group.nodes).into_iter().partition(is_symbol);
        let turns = (0..4).filter_map(|quarters| turned(&parts, quarters));
        let Some(best) = turns.min_by(|a, b| a.key.cmp(&b.key)) else {
            group.nodes = nodes;
            continue;
        };
        let name = known.entry(best.key).or_insert_with(|| {
            let class = about.class.trim_start_matches("Ifc").to_owned();
            let number = numbers.entry(class.clone()).or_default();
            *number += 1;
            let name = format!("{class} {number}");
            page.symbols.insert(name.clone(), best.nodes);
            name
        });
        let block = Use {
            symbol: name.clone(),
            at: best.at,
            angle: -90.0 * f64::from(best.quarters),
            scale: DVec2::ONE,
            layer,
        };
        nodes.insert(at.min(nodes.len()), Node::Use(block));
        group.nodes = nodes;
    }
    page
}

/// Parts turned by quarters to the left, about the corner of their box.
struct Turned {
    /// All that they are, in words: the same for the same symbol.
    key: String,
    nodes: Vec<Node>,
    quarters: u8,
    /// The place of the corner.
    at: DVec2,
}

fn turned(parts: &[Node], quarters: u8) -> Option<Turned> {
    let mut nodes: Vec<Node> = parts.to_vec();
    let mut reach = Reach::default();
    for node in &mut nodes {
        if let Node::Path(path) = node {
            each(path, &mut |p| *p = turn(*p, quarters));
        }
        reach.node(node);
    }
    let [low, _] = reach.bounds()?;
    let mut key = String::new();
    for node in &mut nodes {
        let Node::Path(path) = node else { continue };
        let _ = write!(key, "{:?}{:?}{:?}", path.layer, path.stroke, path.fill);
        each(path, &mut |p| {
            *p -= low;
            let [x, y] = [p.x, p.y].map(|v| (v * 1000.0).round() as i64);
            let _ = write!(key, " {x} {y}");
        });
        let arcs = path.subpaths.iter().map(|own| (own.is_closed, own.segments.iter().map(side)));
        arcs.for_each(|(closed, sides)| {
            let _ = write!(key, ";{closed}{:?}", sides.collect::<Vec<_>>());
        });
    }
    Some(Turned { key, nodes, quarters, at: turn(low, (4 - quarters) % 4) })
}

/// 0 of a line, 1 and 2 of arcs to the left and to the right.
fn side(segment: &Segment) -> u8 {
    match segment {
        Segment::Line(_) => 0,
        Segment::Arc { is_clockwise, .. } => 1 + u8::from(*is_clockwise),
    }
}

/// Every point of a path.
fn each(path: &mut Path, with: &mut impl FnMut(&mut DVec2)) {
    for Subpath { start, segments, .. } in &mut path.subpaths {
        with(start);
        for segment in segments {
            match segment {
                Segment::Line(to) => with(to),
                Segment::Arc { to, centre, .. } => {
                    with(to);
                    with(centre);
                }
            }
        }
    }
}

/// A point turned about the origin by quarters to the left, as one sees it on a page whose y goes down.
fn turn(p: DVec2, quarters: u8) -> DVec2 {
    match quarters % 4 {
        0 => p,
        1 => DVec2::new(p.y, -p.x),
        2 => -p,
        _ => DVec2::new(-p.y, p.x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::shapes::{layer, stroked, through};
    use paper::{About, Group, Part, Stroke};

    /// A door: a leaf and its swing, turned by quarters, at a place.
    fn door(number: usize, at: DVec2, quarters: u8) -> Node {
        let p = |x: f64, y: f64| at + turn(DVec2::new(x, y), quarters);
        let arc = Segment::Arc { to: p(9.0, 0.0), centre: p(0.0, 0.0), is_clockwise: true };
        let swing = Subpath { start: p(0.0, -9.0), segments: vec![arc], is_closed: false };
        let stroke = Stroke { width: 0.1, colour: [0, 0, 0, 255], dashes: Vec::new() };
        let leaf = through(&[p(0.0, 0.0), p(0.0, -9.0)], false);
        let about = About { global_id: format!("door {number}"), class: "IfcDoor".into(), name: None };
        let symbol = stroked(vec![leaf, swing], stroke.clone(), Subject::Door, Part::Symbol);
        let mark = stroked(vec![through(&[at, at + 1.0], false)], stroke, Subject::Tag, Part::Symbol);
        Node::Group(Group { about: Some(about), nodes: vec![symbol, mark], ..Group::default() })
    }

    #[test]
    fn the_same_door_is_one_block_however_it_stands() {
        let doors: Vec<Node> =
            (0..8).map(|n| door(n, DVec2::new(20.0 * n as f64 + 0.37, 50.0), n as u8 % 4)).collect();
        let page = Page { size: DVec2::new(300.0, 100.0), nodes: doors.clone(), ..Page::default() };
        let blocks = with_blocks(page);
        assert_eq!(blocks.symbols.keys().collect::<Vec<_>>(), ["Door 1"]);
        for (before, after) in doors.iter().zip(&blocks.nodes) {
            let (Node::Group(before), Node::Group(after)) = (before, after) else { panic!() };
            let [Node::Use(own), mark] = after.nodes.as_slice() else { panic!("{after:?}") };
            assert_eq!((mark, own.layer), (&before.nodes[1], Some(layer(Subject::Door, Part::Symbol))));
            // the block where it is placed is the door
            let quarters = ((own.angle / 90.0).round() as i64).rem_euclid(4) as u8;
            let mut symbol = blocks.symbols[&own.symbol][0].clone();
            let mut was = before.nodes[0].clone();
            let (Node::Path(symbol), Node::Path(was)) = (&mut symbol, &mut was) else { panic!() };
            let mut points = Vec::new();
            each(symbol, &mut |p| points.push(own.at + turn(*p, quarters)));
            let mut wanted = Vec::new();
            each(was, &mut |p| wanted.push(*p));
            assert!(points.iter().zip(&wanted).all(|(p, q)| p.distance(*q) < 1e-9), "{points:?} {wanted:?}");
        }
    }

    #[test]
    fn a_door_that_opens_to_the_other_side_is_another_block() {
        let mut mirrored = door(1, DVec2::new(40.0, 50.0), 0);
        let Node::Group(group) = &mut mirrored else { panic!() };
        let Some(Node::Path(path)) = group.nodes.first_mut() else { panic!() };
        each(path, &mut |p| p.x = 80.0 - p.x);
        for subpath in &mut path.subpaths {
            for segment in &mut subpath.segments {
                if let Segment::Arc { is_clockwise, .. } = segment {
                    *is_clockwise = false;
                }
            }
        }
        let nodes = vec![door(0, DVec2::new(10.0, 10.0), 0), mirrored];
        let blocks = with_blocks(Page { size: DVec2::new(100.0, 100.0), nodes, ..Page::default() });
        assert_eq!(blocks.symbols.len(), 2);
    }
}
