//! Rooms and elements in colours by class or word, and the legend of these.

use super::{Colouring, LeftOut, Mark, Reason, Target, Values};
use crate::beside::{self, Block, Row};
use crate::drawing::Drawing;
use crate::drawing::shapes::{filled, through};
use crate::phrases::{Phrases, put};
use geometry::region::{Area, Loop};
use glam::DVec2;
use paper::{Colour, Fill, Node, Part, Stroke, Subject};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Colours from little to much, light enough for words on them.
const STEPS: [[f64; 3]; 5] = [
    [255.0, 250.0, 220.0],
    [222.0, 242.0, 208.0],
    [178.0, 226.0, 212.0],
    [168.0, 207.0, 232.0],
    [196.0, 192.0, 226.0],
];
/// The golden angle, by which hues lie apart however many there are.
const GOLDEN: f64 = 137.507_764;
/// Of what has no value.
const NONE: Colour = [236, 236, 236, 255];
/// Classes or words in a legend; what is beyond has the last colour.
const MOST: usize = 60;

/// The values of a colouring as numbers of classes, and the classes' words and colours.
struct Classes {
    of: Vec<(Target, Option<usize>)>,
    rows: Vec<(String, Colour)>,
}

fn classes(colouring: &Colouring, phrases: &Phrases) -> Classes {
    match &colouring.values {
        Values::Numbers { unit, limits, of } => {
            let mut limits: Vec<f64> = limits.iter().copied().filter(|l| l.is_finite()).collect();
            limits.sort_by(f64::total_cmp);
            limits.dedup();
            limits.truncate(MOST);
            let class = |value: f64| limits.iter().take_while(|limit| value >= **limit).count();
            let of = of.iter().map(|(t, v)| (*t, v.is_finite().then(|| class(*v)))).collect();
            let told = |value: &f64| {
                let text = format!("{}", (value * 1e4).round() / 1e4);
                let decimals = text.split_once('.').map_or(0, |(_, d)| d.len());
                let unit = unit.trim();
                format!("{} {unit}", phrases.number(*value, decimals)).trim_end().to_owned()
            };
            let count = limits.len();
            let words =
                (0..=count).map(|n| match (n.checked_sub(1).and_then(|n| limits.get(n)), limits.get(n)) {
                    (None, Some(high)) => put(phrases.t.below, &[&told(high)]),
                    (Some(low), Some(high)) => format!("{} – {}", told(low), told(high)),
                    (Some(low), None) => put(phrases.t.at_least, &[&told(low)]),
                    (None, None) => unit.clone(),
                });
            let rows = words.enumerate().map(|(n, words)| (words, step(n, count))).collect();
            Classes { of, rows }
        }
        Values::Keys { of } => {
            let keys: BTreeSet<&str> = of.iter().map(|(_, key)| key.as_str()).collect();
            let keys: Vec<&str> = keys.into_iter().collect();
            let class = |key: &str| keys.binary_search(&key).ok().map(|n| n.min(MOST));
            let rows = keys.iter().take(MOST + 1).enumerate().map(|(n, key)| ((*key).to_owned(), hue(n)));
            Classes { of: of.iter().map(|(t, key)| (*t, class(key))).collect(), rows: rows.collect() }
        }
    }
}

/// A colour between the steps.
fn step(number: usize, most: usize) -> Colour {
    let at = if most == 0 { 0.0 } else { number as f64 / most as f64 * (STEPS.len() - 1) as f64 };
    let low = STEPS.get(at.floor() as usize).copied().unwrap_or_default();
    let high = STEPS.get(at.ceil() as usize).copied().unwrap_or(low);
    let mix = |k: usize| {
        let (a, b) = (low.get(k).copied().unwrap_or(0.0), high.get(k).copied().unwrap_or(0.0));
        (a + (b - a) * at.fract()).round() as u8
    };
    [mix(0), mix(1), mix(2), 255]
}

/// A light colour of its own for each number.
fn hue(number: usize) -> Colour {
    let hue = (210.0 + number as f64 * GOLDEN).rem_euclid(360.0);
    // lightness and strength alternate, so that hues that come near again are told apart
    let (light, strong) =
        [(0.86, 0.62), (0.80, 0.45), (0.90, 0.75)].get(number % 3).copied().unwrap_or((0.85, 0.6));
    let chroma = (1.0 - (2.0 * light - 1.0_f64).abs()) * strong;
    let channel = |shift: f64| {
        let k = (shift + hue / 30.0).rem_euclid(12.0);
        let value = light - chroma / 2.0 * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    [channel(0.0), channel(8.0), channel(4.0), 255]
}

fn legend(colouring: &Colouring, classes: &Classes, drawn: &[Option<usize>], phrases: &Phrases) -> Block {
    let count = |class: Option<usize>| drawn.iter().filter(|d| **d == class).count();
    let rim = Stroke { width: 0.15, colour: [90, 90, 90, 255], dashes: Vec::new() };
    let row = |words: &str, colour: Colour, count: usize| {
        Row::plain(beside::Mark::Area(Some(colour), Some(rim.clone())), format!("{words} ({count})"))
    };
    let mut rows: Vec<Row> = classes
        .rows
        .iter()
        .enumerate()
        .map(|(n, (words, colour))| row(words, *colour, count(Some(n))))
        .collect();
    if count(None) > 0 {
        rows.push(row(phrases.t.no_value, NONE, count(None)));
    }
    Block { title: colouring.title.clone(), rows, layer: Subject::Symbol }
}

/// The fills of rooms, their legend, and what is not on the drawing.
pub(super) fn rooms(
    drawing: &Drawing,
    colouring: &Colouring,
    phrases: &Phrases,
) -> (Vec<Node>, Block, Vec<LeftOut>) {
    let classes = classes(colouring, phrases);
    let (mut nodes, mut drawn, mut out) = (Vec::new(), Vec::new(), Vec::new());
    for (n, (target, class)) in classes.of.iter().enumerate() {
        let room = match target {
            Target::Room(place) => drawing.rooms.get(*place),
            Target::Element(id) => drawing.rooms.iter().find(|room| room.id == Some(*id)),
        };
        let Some(room) = room else {
            out.push(LeftOut { mark: Mark::Room(n), reason: Reason::OffView });
            continue;
        };
        if class.is_none() {
            out.push(LeftOut { mark: Mark::Room(n), reason: Reason::BadNumbers });
        }
        let flat = |l: &Loop| l.iter().map(|p| drawing.place.project(p.extend(0.0))).collect::<Vec<DVec2>>();
        let loops = room.cut.iter().flat_map(Area::loops).map(|l| through(&flat(l), true)).collect();
        let colour = class.and_then(|n| classes.rows.get(n)).map_or(NONE, |row| row.1);
        nodes.push(filled(loops, Fill::Solid(colour), Subject::Space, Part::Pattern));
        drawn.push(*class);
    }
    let block = legend(colouring, &classes, &drawn, phrases);
    (nodes, block, out)
}

/// Puts elements into colours, their lines darker; their legend, and what is not on the drawing.
pub(super) fn elements(
    drawing: &Drawing,
    colouring: &Colouring,
    nodes: &mut [Node],
    phrases: &Phrases,
) -> (Block, Vec<LeftOut>) {
    let classes = classes(colouring, phrases);
    let shown: HashMap<ifc::Id, usize> =
        drawing.shown.iter().enumerate().map(|(n, seen)| (seen.element, n)).collect();
    let (mut colours, mut drawn, mut out) = (HashMap::new(), Vec::new(), Vec::new());
    for (n, (target, class)) in classes.of.iter().enumerate() {
        let id = match target {
            Target::Element(id) if shown.contains_key(id) => *id,
            _ => {
                out.push(LeftOut { mark: Mark::Element(n), reason: Reason::OffView });
                continue;
            }
        };
        if class.is_none() {
            out.push(LeftOut { mark: Mark::Element(n), reason: Reason::BadNumbers });
        }
        colours.insert(id, class.and_then(|n| classes.rows.get(n)).map_or(NONE, |row| row.1));
        drawn.push(*class);
    }
    let by_guid: HashMap<&str, Colour> =
        drawing.global_ids.iter().filter_map(|(id, guid)| Some((guid.as_str(), *colours.get(id)?))).collect();
    for node in nodes {
        let Node::Group(group) = node else { continue };
        let own = group.about.as_ref().and_then(|about| by_guid.get(about.global_id.as_str()));
        if let Some(colour) = own {
            group.nodes.iter_mut().for_each(|node| paint(node, *colour));
        }
    }
    (legend(colouring, &classes, &drawn, phrases), out)
}

fn paint(node: &mut Node, colour: Colour) {
    match node {
        Node::Group(group) => group.nodes.iter_mut().for_each(|n| paint(n, colour)),
        Node::Path(path) => {
            let [r, g, b, a] = colour;
            let dark = |c: u8| (f64::from(c) * 0.45) as u8;
            if let Some(stroke) = &mut path.stroke {
                stroke.colour = [dark(r), dark(g), dark(b), a];
            }
            match &mut path.fill {
                Some(Fill::Solid(fill)) => *fill = colour,
                Some(Fill::Hatch(hatch)) => {
                    let mut own = hatch.as_ref().clone();
                    own.ground = Some(colour);
                    *hatch = Arc::new(own);
                }
                None => {}
            }
        }
        Node::Text(_) | Node::Use(_) | Node::Picture(_) => {}
    }
}
