//! Elements that share space with others, as nothing that is built does.
//!
//! What is meant to meet is left out: an opening and its host, a door and its wall, a covering and what it covers, parts of one whole,
//! and what the file says is connected; two walls that meet at a corner are to be cut there, whatever the file says.

use super::bodies::Bodies;
use super::custom::{Custom, custom};
use super::framing::{FRAME, goes_too_far};
use super::{Finding, Kind, called, constraint, finding};
use crate::measures::mm;
use geometry::query::{Element, Interference, Kind as Way, Relation, Rules, interference};
use ifc::relations::Links;
use ifc::{Id, Model};
use std::collections::BTreeSet;

/// Bodies that go no deeper into each other touch, in metres; nor those that share no more m³.
pub const RULES: Rules =
    Rules { tolerance: 2e-3, least_volume: 1e-4, clearance: 0.0, touching: false, most_pairs: usize::MAX };

/// Elements that take up no space of their own, lie in others by nature, or run through them.
const NO_BODIES: [&str; 10] = [
    "IfcFeatureElement",
    "IfcCovering",
    "IfcVirtualElement",
    "IfcReinforcingElement",
    "IfcElementComponent",
    "IfcGeographicElement",
    "IfcCivilElement",
    "IfcTransportElement",
    "IfcBuildingElementPart",
    "IfcEquipmentElement",
];

/// Returns true of an element that nothing else may share space with, as far as no bond of the file says so.
pub fn takes_space(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|e| {
        e.is_a("IfcElement")
            && !NO_BODIES.iter().any(|class| e.is_a(class))
            // ducts and pipes go through what they go through; fixtures stand like furniture
            && (!e.is_a("IfcDistributionElement") || e.is_a("IfcFlowTerminal"))
    })
}

/// Returns true of two elements that the file binds so that they may share space.
pub fn is_meant(links: &Links<'_>, a: Id, b: Id) -> bool {
    let is_wall = |id: Id| links.model().get(id).is_some_and(|e| e.is_a("IfcWall"));
    match Relation::between(links, a, b) {
        Relation::Connected => !(is_wall(a) && is_wall(b)),
        relation => relation.belongs_together(),
    }
}

/// The judgement on two elements that come near each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// They share no space, or only as much as members of a frame do in a node.
    Apart,
    /// They share space by custom.
    Custom(Custom),
    /// They share space as nothing that is built does.
    Overlap(Shared),
}

/// The space that two elements share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// The interference, with a place in metres.
    pub found: Interference,
    /// The volume in cubic metres.
    pub volume: f64,
    /// The depth in metres; none where one lies wholly in the other.
    pub depth: Option<f64>,
}

/// Judges whether two elements may share space that the file does not bind. `floors` gives the heights of the storeys' floors in metres,
/// and is asked where they decide.
pub fn judge(model: &Model, a: &Element, b: &Element, floors: impl FnOnce() -> Vec<f64>) -> Verdict {
    let Some(found) = interference(a, b, &RULES) else { return Verdict::Apart };
    let is_frame = |id: Id| model.get(id).is_some_and(|e| FRAME.iter().any(|class| e.is_a(class)));
    let (volume, depth) = match found.kind {
        Way::Duplicate { volume: Some(volume) } | Way::Inside { volume } | Way::Contains { volume } => {
            (volume, None)
        }
        Way::Hard { depth, volume: Some(volume) }
            if !(is_frame(a.id()) && is_frame(b.id()))
                || goes_too_far(model, (a.id(), a), (b.id(), b), volume) =>
        {
            (volume, Some(depth))
        }
        // of open surfaces nobody can say what they hold; the frame meets in its nodes, as far as framing goes
        _ => return Verdict::Apart,
    };
    match custom(model, a, b, &found, floors) {
        Some(custom) => Verdict::Custom(custom),
        None => Verdict::Overlap(Shared { found, volume, depth }),
    }
}

/// Adds a finding for each pair of which one was touched.
pub(super) fn find(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    let mut seen: BTreeSet<(Id, Id)> = BTreeSet::new();
    for id in &bodies.change.touched {
        if !takes_space(bodies.model(), *id) {
            continue;
        }
        let Some(bounds) = bodies.bounds(*id) else { continue };
        for (other, _) in bodies.near(bounds, -RULES.tolerance) {
            let pair = (other.min(*id), other.max(*id));
            if other == *id
                || !seen.insert(pair)
                || !takes_space(bodies.model(), other)
                || is_meant(&bodies.links, *id, other)
            {
                continue;
            }
            findings.extend(between(bodies, *id, other));
        }
    }
}

/// Returns true if two elements shared as much at the same place before, or more: who cuts a window into a wall, makes it lower or lifts a whole
/// storey is not told what the wall stood in all along.
fn was_there(
    bodies: &Bodies<'_>,
    (a, now_a): (Id, &Element),
    (b, now_b): (Id, &Element),
    found: &Interference,
) -> bool {
    const APART: f64 = 5e-3;
    let both = (bodies.former_cut(a), bodies.former_cut(b));
    let (Some(one), Some(other)) = both else { return false };
    let Some(former) = interference(&one, &other, &RULES) else { return false };
    let shift = |then: &Element, now: &Element| now.bounds().centre() - then.bounds().centre();
    let (shift_a, shift_b) = (shift(&one, now_a), shift(&other, now_b));
    // both may have been moved as one
    let stood = if shift_a.distance(shift_b) < APART { former.place + shift_a } else { former.place };
    let is_there = stood.distance(found.place) < APART;
    match (former.kind, found.kind) {
        (Way::Hard { volume: Some(then), .. }, Way::Hard { volume: Some(now), .. }) => {
            now < then * 0.999 || (now <= then * 1.001 && is_there)
        }
        (then, now) => then == now && is_there,
    }
}

fn between(bodies: &Bodies<'_>, a: Id, b: Id) -> Option<Finding> {
    let (one, other) = (bodies.cut(a)?, bodies.cut(b)?);
    let model = bodies.model();
    let Verdict::Overlap(shared) = judge(model, &one, &other, || bodies.floors()) else { return None };
    if was_there(bodies, (a, &one), (b, &other), &shared.found) {
        return None;
    }
    let (first, second) = (called(model, a), called(model, b));
    let mut rule = constraint::OVERLAP;
    let say = match shared.found.kind {
        Way::Duplicate { .. } => {
            if super::twice::is_twice(model, &one, &other) {
                rule = constraint::DUPLICATE;
            }
            format!("{first} and {second} are the same body at the same place.")
        }
        Way::Inside { .. } => format!("{first} lies wholly in {second}."),
        Way::Contains { .. } => format!("{second} lies wholly in {first}."),
        _ => {
            let place = shared.found.place * 1000.0;
            format!(
                "{first} and {second} share {} litres, {} mm deep, at [{}, {}, {}].",
                (shared.volume * 1e6).round() / 1e3,
                mm(shared.depth.unwrap_or_default() * 1000.0),
                place.x.round(),
                place.y.round(),
                place.z.round()
            )
        }
    };
    Some(finding(model, (Kind::Overlap, rule), &[a, b], say))
}
