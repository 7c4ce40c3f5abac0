//! Elements that share space with others, as nothing that is built does.
//!
//! What is meant to meet is left out: an opening and its host, a door and its wall, a covering and what it covers, parts of one whole,
//! and what the file says is connected. Two walls that meet are to be cut there, whatever the file says. Elements that are there twice
//! are told as such ([`super::duplicate`]), and what goes into a copy is told of its original alone.

use super::Constraint;
use super::context::{Context, at};
use super::duplicate;
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::framing::{FRAME, goes_too_far};
use building::soundness::overlap::{RULES, is_meant, takes_space};
use geometry::query::{Element, Index, Interference, Kind, interference};
use ifc::Id;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.overlap",
    title: "Elements do not share space",
    text: "Bodies of building elements, furniture and fixtures touch at most, but for what the file binds, such as a door and its wall. Walls that run through slabs and frames that stand in walls are warnings.",
    why: "Two things cannot be built in one place, and volumes and areas are counted twice.",
    severity: Severity::Error,
    find,
};

/// Pairs of near elements that are looked at at most.
const MOST_PAIRS: usize = 2_000_000;
/// Overlaps shallower than this are told as warnings, in metres: tolerances of drawing.
const SHALLOW: f64 = 0.010;

/// The same of what is fitted into a building: floors and walls are drawn without their finishes, in metres.
const FINISH: f64 = 0.030;
/// Classes of what is fitted into a building.
const FITTED: [&str; 5] =
    ["IfcDoor", "IfcWindow", "IfcFurnishingElement", "IfcFlowTerminal", "IfcStairFlight"];

/// A pair of elements that come near each other.
type Pair = (Arc<Element>, Arc<Element>);

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(pairs) = pairs(context) else {
        let message = format!(
            "More than {MOST_PAIRS} pairs of elements are near each other; overlaps were not looked for."
        );
        findings.push(CONSTRAINT.unjudged(&message));
        return;
    };
    let copies: BTreeMap<Id, Id> = duplicate::groups(context)
        .into_iter()
        .flat_map(|group| group.clone().into_iter().map(move |id| (id, group.first().copied().unwrap_or(id))))
        .collect();
    let original = |id: Id| copies.get(&id).copied().unwrap_or(id);
    let wanted: Vec<Pair> = pairs
        .into_iter()
        .filter(|(a, b)| {
            let is_copy = original(a.id()) == original(b.id())
                || original(a.id()) != a.id()
                || original(b.id()) != b.id();
            !is_copy && !is_meant(&context.links, a.id(), b.id())
        })
        .collect();
    let found: Vec<(Interference, Pair)> =
        wanted.into_par_iter().filter_map(|(a, b)| Some((interference(&a, &b, &RULES)?, (a, b)))).collect();
    let told = found.into_iter().filter_map(|(found, (a, b))| told(context, &found, &a, &b)).collect();
    let class = |id: &Id| context.model.get(*id).map(|e| e.class_name()).unwrap_or_default();
    let cause = |finding: &Finding| {
        let mut classes: Vec<&str> = finding.elements.iter().map(class).collect();
        classes.sort_unstable();
        let storey = finding.elements.first().and_then(|id| context.storey(*id));
        (classes, storey, finding.severity)
    };
    let say = |(classes, storey, _): &(Vec<&str>, Option<Id>, Severity), group: &[Finding]| {
        let on = storey.map_or(String::new(), |id| format!(" on {}", context.called(id)));
        format!(
            "{} pairs of {}{on} share space. The first: {}",
            group.len(),
            classes.join(" and "),
            first(group)
        )
    };
    findings.extend(joined(told, cause, say));
}

fn first(group: &[Finding]) -> &str {
    group.first().map(|finding| finding.message.as_str()).unwrap_or_default()
}

/// The pairs of elements that take up space and come near each other; none where there are too many.
fn pairs(context: &Context<'_>) -> Option<Vec<Pair>> {
    let all = context.bodies().into_iter().filter(|body| takes_space(context.model, body.id()));
    let all: Vec<&Arc<Element>> = all.collect();
    let mut ids: BTreeSet<Id> = all.iter().map(|body| body.id()).collect();
    let asked: Vec<&&Arc<Element>> = all.iter().filter(|body| context.concerns(body.id())).collect();
    if asked.len() < all.len() {
        let near = asked.iter().flat_map(|body| context.index.near(&body.bounds(), 0.0));
        let around: BTreeSet<Id> =
            near.map(|body| body.id()).chain(asked.iter().map(|body| body.id())).collect();
        ids.retain(|id| around.contains(id));
    }
    let subset: Index = context.index.subset(ids);
    let mut pairs = subset.near_pairs(None, -RULES.tolerance, MOST_PAIRS)?;
    pairs.retain(|(a, b)| context.concerns(a.id()) || context.concerns(b.id()));
    Some(pairs)
}

fn told(context: &Context<'_>, found: &Interference, a: &Element, b: &Element) -> Option<Finding> {
    let (one, other) = (context.called(found.a), context.called(found.b));
    let is_frame = |id: Id| context.is_any(id, &FRAME);
    let place = found.place;
    let (message, volume, depth) = match found.kind {
        Kind::Duplicate { volume } => {
            (format!("{one} and {other} are the same body at the same place: they"), volume?, None)
        }
        Kind::Inside { volume } => (format!("{one} lies wholly in {other}: they"), volume, None),
        Kind::Contains { volume } => (format!("{other} lies wholly in {one}: they"), volume, None),
        Kind::Hard { depth, volume: Some(volume) }
            if !(is_frame(found.a) && is_frame(found.b))
                || goes_too_far(context.model, (found.a, a), (found.b, b), volume) =>
        {
            let deep = Quantity::length(depth);
            (format!("{one} and {other} go {deep} into each other and"), volume, Some(depth))
        }
        // of open surfaces nobody can say what they hold; members of a frame meet in nodes
        Kind::Hard { .. } | Kind::Touching { .. } | Kind::Clearance { .. } => return None,
    };
    let message = format!("{message} share {}, at {} mm.", space(volume), at(place));
    let finding = CONSTRAINT
        .breach(vec![found.a, found.b], message)
        .at(place)
        .suggest("Move or shorten one of them, join them if they are walls, or cut one out of the other.");
    let finding = match depth {
        Some(depth) => {
            finding.measured(Quantity::length(depth), Required::AtMost(Quantity::length(RULES.tolerance)))
        }
        None => {
            finding.measured(Quantity::volume(volume), Required::AtMost(Quantity::volume(RULES.least_volume)))
        }
    };
    let is_fitted = context.is_any(found.a, &FITTED) || context.is_any(found.b, &FITTED);
    let is_shallow = depth.is_some_and(|depth| depth < if is_fitted { FINISH } else { SHALLOW });
    let is_usual = is_shallow || is_left_whole(context, found.a, found.b);
    Some(Finding { severity: if is_usual { Severity::Warning } else { finding.severity }, ..finding })
}

/// Returns true of two elements that are often drawn through each other and cut on site by custom: the frame in what it carries, walls in
/// slabs and roofs, casings of doors in the next wall.
fn is_left_whole(context: &Context<'_>, a: Id, b: Id) -> bool {
    const PLATES: [&str; 5] = ["IfcSlab", "IfcRoof", "IfcStair", "IfcStairFlight", "IfcRamp"];
    let pair = |one: &[&str], other: &[&str]| {
        (context.is_any(a, one) && context.is_any(b, other))
            || (context.is_any(b, one) && context.is_any(a, other))
    };
    let enclosing = ["IfcWall", "IfcSlab", "IfcRoof", "IfcCurtainWall", "IfcPlate"];
    pair(&FRAME, &enclosing)
        || pair(&["IfcWall", "IfcCurtainWall", "IfcPlate"], &PLATES)
        || pair(&["IfcDoor", "IfcWindow"], &["IfcWall"])
}

/// A shared volume in words, small ones in litres.
fn space(cubic_metres: f64) -> String {
    if cubic_metres < 0.1 {
        format!("{:.2} litres", cubic_metres * 1e3)
    } else {
        Quantity::volume(cubic_metres).to_string()
    }
}
