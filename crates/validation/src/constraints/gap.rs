//! Gaps of drawing: walls that nearly end at another wall, and slabs that nearly reach a wall, but leave a slit of a few centimetres
//! that nothing fills.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around;
use crate::grouping::joined;
use crate::wall_run::WallRun;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use geometry::query::{Distance, Element, Index};
use glam::DVec3;
use ifc::Id;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::WALL_GAP,
    title: "Walls close at their ends",
    text: "A wall that ends within 50 mm of another wall reaches it.",
    why: "Rooms, areas and fire compartments leak through slits that were not meant; sections show gaps that nobody builds.",
    severity: Severity::Warning,
    find,
};

pub(super) const SLIT: Constraint = Constraint {
    id: constraint::SLAB_GAP,
    title: "Slabs reach their walls",
    text: "A slab that comes within 50 mm of a wall touches it, or something fills the slit.",
    why: "A slit along a slab lets sound, smoke and fire through, and leaves the wall without a hold.",
    severity: Severity::Warning,
    find: find_slits,
};

/// Two bodies nearer than this touch, in metres.
const TOUCHING: f64 = 1e-3;
/// The widest gap that is taken for a mistake, in metres.
pub(super) const WIDEST: f64 = 0.050;
/// The height over which two walls stand beside each other, at least, in metres.
const BESIDE: f64 = 0.5;
/// The share of a gap that runs along the wall that ends there, at least.
const ALONG: f64 = 0.6;
/// Pairs looked at at most.
const MOST_PAIRS: usize = 500_000;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let walls: Vec<&Arc<Element>> =
        context.bodies().into_iter().filter(|body| context.is_a(body.id(), "IfcWall")).collect();
    let runs: BTreeMap<Id, WallRun> =
        walls.iter().filter_map(|body| Some((body.id(), WallRun::of_body(body)?))).collect();
    let index: Index = context.index.subset(runs.keys().copied());
    let Some(pairs) = index.near_pairs(None, WIDEST, MOST_PAIRS) else {
        findings.push(
            CONSTRAINT.unjudged("Too many walls are near each other; gaps between them were not looked for."),
        );
        return;
    };
    for (a, b) in pairs.iter().filter(|(a, b)| context.concerns(a.id()) || context.concerns(b.id())) {
        let (Some(one), Some(other)) = (runs.get(&a.id()), runs.get(&b.id())) else { continue };
        findings.extend(between(context, (one, a), (other, b)));
    }
}

/// The finding on the gap between two walls, if there is one.
pub(super) fn between(
    around: &impl Around,
    (one, a): (&WallRun, &Element),
    (other, b): (&WallRun, &Element),
) -> Option<Finding> {
    if one.shared_height(other) < BESIDE || !(one.ends_at(other, WIDEST) || other.ends_at(one, WIDEST)) {
        return None;
    }
    let gap = gap(a, b)?;
    let place = middle(&gap, a, b);
    if !is_at_end(one, other, &gap) || is_filled(around, &[place, before_end(one, other, &gap)]) {
        return None;
    }
    let (first, second) = (around.called(a.id()), around.called(b.id()));
    let width = Quantity::length(gap.metres);
    let message = format!("{first} and {second} leave a gap of {width} between them, at {} mm.", at(place));
    let finding = with_gap(CONSTRAINT.breach(vec![a.id(), b.id()], message), &gap, place)
        .suggest("Join the two with join_elements, or lengthen the one that ends short; leave it if it is a movement joint.");
    Some(finding)
}

/// The gap between two elements.
fn gap(a: &Element, b: &Element) -> Option<Distance> {
    a.distance(b, WIDEST).filter(|gap| gap.metres > TOUCHING)
}

/// Returns true if something stands at one of some points.
fn is_filled(around: &impl Around, points: &[DVec3]) -> bool {
    let mut standing = points.iter().flat_map(|p| around.at_point(*p));
    standing.any(|id| !around.is_a(id, "IfcSpatialElement"))
}

/// The point midway between the axes' end of the wall that ends there and the other wall.
fn before_end(one: &WallRun, other: &WallRun, gap: &Distance) -> DVec3 {
    let level = gap.vector().truncate();
    let along = |run: &WallRun| level.dot(run.along).abs();
    let run = if along(one) >= along(other) { one } else { other };
    let place = gap.points[0].midpoint(gap.points[1]).truncate();
    let middle = run.along.perp() * f64::midpoint(run.across[0], run.across[1]);
    let low = one.height[0].max(other.height[0]);
    let high = one.height[1].min(other.height[1]);
    (run.along * place.dot(run.along) + middle).extend(f64::midpoint(low, high))
}

/// The middle of a gap, at half of the height that both elements have beside each other.
fn middle(gap: &Distance, a: &Element, b: &Element) -> DVec3 {
    let place = gap.points[0].midpoint(gap.points[1]);
    let (one, other) = (a.bounds(), b.bounds());
    let (low, high) = (one.min.z.max(other.min.z), one.max.z.min(other.max.z));
    if low < high { place.with_z(f64::midpoint(low, high)) } else { place }
}

/// Returns true if a gap lies at the end of one of two walls, and does not run along both as a cavity does.
fn is_at_end(one: &WallRun, other: &WallRun, gap: &Distance) -> bool {
    let vector = gap.vector();
    let level = vector.truncate();
    if level.length() < 0.7 * vector.length() {
        return false;
    }
    let along = |run: &WallRun| level.dot(run.along).abs() >= ALONG * level.length();
    let ends = |run: &WallRun, its: &WallRun| along(run) && run.ends_at(its, WIDEST);
    if one.turn(other) < 0.05 {
        return one.goes_on_in(other, WIDEST) && along(one);
    }
    ends(one, other) || ends(other, one)
}

fn with_gap(finding: Finding, gap: &Distance, place: DVec3) -> Finding {
    let finding = finding
        .measured(Quantity::length(gap.metres), Required::AtMost(Quantity::length(TOUCHING)))
        .at(place);
    Finding { lines: vec![gap.points.to_vec()], ..finding }
}

fn find_slits(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let (mut walls, mut slabs) = (Vec::new(), Vec::new());
    for body in context.bodies() {
        if context.is_a(body.id(), "IfcWall") {
            walls.push(body.id());
        } else if is_floor(context, body.id()) {
            slabs.push(body.id());
        }
    }
    let (walls, slabs) = (context.index.subset(walls), context.index.subset(slabs));
    let Some(pairs) = slabs.near_pairs(Some(&walls), WIDEST, MOST_PAIRS) else {
        findings
            .push(SLIT.unjudged("Too many walls are near slabs; slits between them were not looked for."));
        return;
    };
    let mut found = Vec::new();
    for (slab, wall) in pairs.iter().filter(|(a, b)| context.concerns(a.id()) || context.concerns(b.id())) {
        found.extend(slit(context, slab, wall));
    }
    let cause = |finding: &Finding| finding.elements.first().copied();
    let say = |slab: &Option<Id>, group: &[Finding]| {
        let name = slab.map(|id| context.called(id)).unwrap_or_default();
        format!("{name} leaves slits to {} walls.", group.len())
    };
    findings.extend(joined(found, cause, say));
}

/// Returns true of a wall that stands against another part of the slab's whole, as below the ridge of a roof.
fn reaches_other_part(around: &impl Around, slab: Id, wall: &Element) -> bool {
    let links = around.links();
    let parts = links.aggregate_parent(slab).map(|whole| links.decomposition(whole)).unwrap_or_default();
    let mut others = parts.into_iter().filter(|id| *id != slab).filter_map(|id| around.body(id));
    others.any(|part| part.distance(wall, TOUCHING).is_some())
}

/// Returns true of a slab that closes off what is below it; a landing is free at its sides.
pub(super) fn is_floor(around: &impl Around, id: Id) -> bool {
    let links = around.links();
    let stair = links.aggregate_parent(id).filter(|whole| around.is_any(*whole, &["IfcStair", "IfcRamp"]));
    around.is_a(id, "IfcSlab")
        && stair.is_none()
        && links.predefined_type(id).is_none_or(|kind| kind != "LANDING")
}

/// The finding on the slit between a slab and a wall, if there is one.
pub(super) fn slit(around: &impl Around, slab: &Element, wall: &Element) -> Option<Finding> {
    let gap = gap(slab, wall)?;
    let place = middle(&gap, slab, wall);
    if is_filled(around, &[place]) || reaches_other_part(around, slab.id(), wall) {
        return None;
    }
    let (one, other) = (around.called(slab.id()), around.called(wall.id()));
    let width = Quantity::length(gap.metres);
    let message = format!("{one} leaves a slit of {width} to {other}, at {} mm.", at(place));
    let finding = with_gap(SLIT.breach(vec![slab.id(), wall.id()], message), &gap, place)
        .suggest("Draw the slab's outline to the wall's face, or the wall up to the slab.");
    Some(finding)
}
