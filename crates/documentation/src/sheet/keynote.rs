//! Keynotes: numbered notes listed on the sheet, and their bubbles on the views, each with a line to its element.

use super::definition::Keynote;
use super::draw::{THIN, middle, pen, words, wrapped};
use super::place::Room;
use super::table::Laid;
use super::words::Words;
use crate::drawing::shapes::{self, Reach};
use crate::drawing::words::{Box2, extent};
use crate::style::BLACK;
use glam::DVec2;
use paper::{Fill, Layer, Node, Page, Part, Subject, Weight};
use std::collections::{HashMap, HashSet};

/// The smallest radius of a bubble, and the height of its letters, in mm.
const RADIUS: f64 = 3.2;
const LETTER: f64 = 2.0;
/// The radius of the dot on the element.
const DOT: f64 = 0.5;
/// The distances of a bubble from its element, tried one after the other.
const FAR: [f64; 5] = [9.0, 13.0, 18.0, 24.0, 32.0];
/// The directions tried, of a whole turn.
const WAYS: usize = 12;
/// The width of the list's words, and the most lines of one note.
const WIDE: f64 = 76.0;
const LINES: usize = 12;
const TITLE: f64 = 3.0;
const HEAD: f64 = 7.0;
const PITCH: f64 = 3.5;
/// The most characters of a number.
const LONG: usize = 6;

fn number(note: &Keynote) -> String {
    note.number.chars().take(LONG).collect()
}

fn radius(number: &str) -> f64 {
    RADIUS.max(extent(number, LETTER, Weight::Bold).x / 2.0 + 1.2)
}

fn bubble(at: DVec2, number: &str) -> [Node; 2] {
    let layer = Layer { subject: Subject::Tag, part: Part::Symbol };
    let circle = shapes::circle(at, radius(number));
    let mut text = middle(at, number, LETTER, Weight::Bold);
    text.layer = Some(Layer { subject: Subject::Tag, part: Part::Text });
    [shapes::outlined(vec![circle], [255; 4], pen(2.0 * THIN), layer), Node::Text(text)]
}

/// The list of notes about its upper left corner; `None` where there are none.
pub(super) fn list(notes: &[Keynote], words_of: Words) -> Option<Laid> {
    if notes.is_empty() {
        return None;
    }
    let title = words_of.get("notes");
    let mut nodes = vec![Node::Text(words(DVec2::new(0.0, HEAD - 2.5), &title, TITLE, Weight::Bold))];
    let indent = notes.iter().map(|note| radius(&number(note))).fold(RADIUS, f64::max) * 2.0 + 3.0;
    let mut y = HEAD;
    for note in notes {
        let number = number(note);
        let radius = radius(&number);
        nodes.extend(bubble(DVec2::new((indent - 3.0) / 2.0, y + radius), &number));
        let lines = wrapped(&note.text, LETTER, Weight::Regular, WIDE, LINES);
        let first = y + radius + LETTER / 2.0;
        for (n, line) in lines.iter().enumerate() {
            let at = DVec2::new(indent, first + PITCH * n as f64);
            nodes.push(Node::Text(words(at, line, LETTER, Weight::Regular)));
        }
        let foot = first + PITCH * lines.len().saturating_sub(1) as f64;
        y = foot.max(y + 2.0 * radius) + 1.8;
    }
    Some(Laid { nodes, size: DVec2::new(indent + WIDE, y), edges: Vec::new() })
}

/// Where elements lie on a page, by GlobalId.
fn places(page: &Page, wanted: &HashSet<&str>) -> HashMap<String, DVec2> {
    fn walk(nodes: &[Node], wanted: &HashSet<&str>, found: &mut HashMap<String, DVec2>) {
        for node in nodes {
            let Node::Group(group) = node else { continue };
            if let Some(about) =
                group.about.as_ref().filter(|about| wanted.contains(about.global_id.as_str()))
            {
                let mut reach = Reach::default();
                // lines and areas; words may stand beside the element
                group.nodes.iter().filter(|n| !matches!(n, Node::Text(_))).for_each(|node| reach.node(node));
                if let Some([low, high]) = reach.bounds() {
                    found.insert(about.global_id.clone(), low.midpoint(high));
                }
            }
            walk(&group.nodes, wanted, found);
        }
    }
    let mut found = HashMap::new();
    walk(&page.nodes, wanted, &mut found);
    found
}

fn texts(nodes: &[Node], into: &mut Vec<Box2>) {
    for node in nodes {
        match node {
            Node::Group(group) => texts(&group.nodes, into),
            Node::Text(text) => into.push(Box2::around(text)),
            _ => {}
        }
    }
}

/// The bubbles of notes on one view, in the view's own mm, and the GlobalIds that it shows.
pub(super) fn bubbles(page: &Page, notes: &[Keynote]) -> (Vec<Node>, HashSet<String>) {
    let wanted: HashSet<&str> = notes.iter().flat_map(|note| &note.elements).map(String::as_str).collect();
    let places = places(page, &wanted);
    if places.is_empty() {
        return (Vec::new(), HashSet::new());
    }
    let mut taken = Vec::new();
    texts(&page.nodes, &mut taken);
    let view = Room { low: DVec2::ZERO, high: page.size };
    let mut nodes = Vec::new();
    for note in notes {
        let number = number(note);
        let half = DVec2::splat(radius(&number));
        for at in note.elements.iter().filter_map(|id| places.get(id)) {
            let around = FAR.iter().flat_map(|far| {
                (0..WAYS).map(move |n| {
                    // to the upper right first
                    let turn = (n as f64 / WAYS as f64 - 0.125) * std::f64::consts::TAU;
                    *at + DVec2::from_angle(turn) * *far
                })
            });
            let room = |middle: DVec2| Room { low: middle - half, high: middle + half };
            let is_inside = |middle: &DVec2| view.holds(&room(*middle));
            let is_free = |middle: &DVec2| {
                let own = Box2::between(*middle - half, *middle + half);
                !taken.iter().any(|other| other.meets(&own) || other.is_crossed(*middle, *at))
            };
            let mut inside = around.filter(is_inside);
            let first = inside.clone().next().unwrap_or(*at);
            let middle = inside.find(is_free).unwrap_or(first);
            taken.push(Box2::between(middle - half, middle + half));
            let layer = Layer { subject: Subject::Tag, part: Part::Symbol };
            let line = shapes::through(&[*at, middle], false);
            nodes.push(shapes::stroked(vec![line], pen(THIN), layer.subject, layer.part));
            nodes.push(shapes::filled(
                vec![shapes::circle(*at, DOT)],
                Fill::Solid(BLACK),
                layer.subject,
                layer.part,
            ));
            nodes.extend(bubble(middle, &number));
        }
    }
    (nodes, places.into_keys().collect())
}
