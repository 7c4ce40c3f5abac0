//! Walls that meet without being connected (IfcRelConnectsPathElements), in files that connect walls at all.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around;
use crate::grouping::joined;
use crate::wall_run::WallRun;
use crate::{Finding, Severity};
use building::joins::joins_cleanly;
use building::soundness::constraint;
use geometry::query::{Element, Index};
use ifc::Id;
use serde_json::json;
use std::collections::BTreeMap;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::UNJOINED,
    title: "Walls that meet are joined",
    text: "Where walls of a file are connected with each other, every wall that ends at another one is connected with it.",
    why: "Walls that are not connected do not follow when the other is moved, and their corner is not cleaned up.",
    severity: Severity::Info,
    find,
};

/// Two walls nearer than this meet, in metres.
pub(super) const TOUCHING: f64 = 1e-3;
/// The height over which they stand beside each other, at least, in metres.
const BESIDE: f64 = 0.5;
/// The sine of the least angle between walls that are no lining of each other.
const TURNED: f64 = 0.2;
/// Pairs of which it is tried whether they can be joined, at most.
const MOST_TRIED: usize = 200;
/// Pairs looked at at most.
const MOST_PAIRS: usize = 500_000;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    if context.model.of_class("IfcRelConnectsPathElements").is_empty() {
        context.note(
            "Joins of walls were not looked at: the file connects no walls (IfcRelConnectsPathElements).",
        );
        return;
    }
    let walls = context.bodies().into_iter().filter(|body| context.is_a(body.id(), "IfcWall"));
    let runs: BTreeMap<Id, WallRun> =
        walls.filter_map(|body| Some((body.id(), WallRun::of_body(body)?))).collect();
    let index: Index = context.index.subset(runs.keys().copied());
    let Some(pairs) = index.near_pairs(None, TOUCHING, MOST_PAIRS) else {
        findings
            .push(CONSTRAINT.unjudged("Too many walls are near each other; their joins were not looked at."));
        return;
    };
    let mut found = Vec::new();
    for (a, b) in pairs.iter().filter(|(a, b)| context.concerns(a.id()) || context.concerns(b.id())) {
        let (Some(one), Some(other)) = (runs.get(&a.id()), runs.get(&b.id())) else { continue };
        found.extend(between(context, (one, a), (other, b)));
    }
    // of many on one storey the file connects its walls in another way
    let found = found
        .into_iter()
        .enumerate()
        .map(|(nth, finding)| if nth < MOST_TRIED { joined_by_call(context, finding) } else { finding });
    let found = found.collect();
    let storey = |finding: &Finding| finding.elements.first().and_then(|id| context.storey(*id));
    let say = |storey: &Option<Id>, group: &[Finding]| {
        let on = storey.map_or("no storey".to_owned(), |id| context.called(id));
        format!("{} pairs of walls on {on} meet and are not connected.", group.len())
    };
    findings.extend(joined(found, storey, say));
}

/// The finding on two walls that meet and are not connected, if they do.
pub(super) fn between(
    around: &impl Around,
    (one, a): (&WallRun, &Element),
    (other, b): (&WallRun, &Element),
) -> Option<Finding> {
    if !meet_at_end(one, other) || are_connected(around, one.id, other.id) {
        return None;
    }
    let place = a.distance(b, TOUCHING)?.points[0];
    let (first, second) = (around.called(one.id), around.called(other.id));
    let message = format!("{first} and {second} meet at {} mm and are not connected.", at(place));
    let finding = CONSTRAINT.breach(vec![one.id, other.id], message);
    Some(finding.at(place).suggest("Join them with join_elements."))
}

/// Returns the finding on two walls with the call that joins them, where it does without leaving an overlap or a gap.
pub(super) fn joined_by_call(around: &impl Around, finding: Finding) -> Finding {
    let [a, b] = finding.elements[..] else { return finding };
    let (Some(one), Some(other)) = (around.guid(a), around.guid(b)) else { return finding };
    if !joins_cleanly(around.model(), a, b) {
        return finding;
    }
    finding.mended_by("join_elements", json!({ "element_ids": [one, other], "join_type": "auto" }))
}

fn meet_at_end(one: &WallRun, other: &WallRun) -> bool {
    let is_turned = one.turn(other) > TURNED;
    let ends = one.ends_at(other, 0.01) || other.ends_at(one, 0.01);
    one.shared_height(other) >= BESIDE && ((is_turned && ends) || one.goes_on_in(other, 0.01))
}

/// Returns true if a connection is stated between two walls, or between their wholes, or they are parts of one.
fn are_connected(around: &impl Around, one: Id, other: Id) -> bool {
    let links = around.links();
    let whole = |id: Id| links.aggregate_parent(id).filter(|id| around.is_a(*id, "IfcElement")).unwrap_or(id);
    let (a, b) = (whole(one), whole(other));
    a == b
        || links.connected_to(one).contains(&other)
        || links.connected_to(a).contains(&b)
        || share_neighbour(around, one, other)
}

/// Returns true if both are connected with a third wall: at a corner of three it is enough that each is held by one of the others.
fn share_neighbour(around: &impl Around, one: Id, other: Id) -> bool {
    let links = around.links();
    let own = links.connected_to(one);
    let touches = |id: &Id| {
        let bodies = [one, other].map(|wall| around.body(wall));
        let third = around.body(*id);
        third.is_some_and(|third| {
            bodies.iter().flatten().filter(|body| body.distance(&third, TOUCHING).is_some()).count() == 2
        })
    };
    own.iter().any(|id| links.connected_to(other).contains(id) && touches(id))
}
