//! Storeys whose levels contradict each other: stated elevation and placement differ, two lie on one level, or their numbers do not
//! rise as they do.

use super::Constraint;
use super::context::Context;
use crate::around::Around;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use ifc::Id;
use spatial::Storey;
use std::collections::BTreeMap;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::STOREY_LEVELS,
    title: "Storeys lie one above the other",
    text: "The elevation that a storey states is that of its placement, no two storeys of a building have the same one, and their numbers rise with it.",
    why: "Programs take the one or the other for the level of a plan, and put elements on the wrong storey.",
    severity: Severity::Warning,
    find,
};

/// Levels nearer than this are one, in metres.
const SAME: f64 = 1e-3;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let storeys = &context.layout.rooms.storeys;
    if storeys.is_empty() {
        findings.push(CONSTRAINT.unjudged("The model has no storeys; their levels were not judged."));
        return;
    }
    findings.extend(among(context, storeys));
}

/// The findings on the storeys of a model, the lowest first.
pub(super) fn among(around: &impl Around, storeys: &[Storey]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = storeys.iter().filter_map(|storey| misplaced(around, storey)).collect();
    let mut by_building: BTreeMap<Option<Id>, Vec<&Storey>> = BTreeMap::new();
    for storey in storeys {
        by_building.entry(storey.building).or_default().push(storey);
    }
    for own in by_building.values() {
        for pair in own.windows(2) {
            findings.extend(same_level(around, pair[0], pair[1]));
        }
        findings.extend(out_of_order(around, own));
    }
    findings
}

/// The finding on a storey that states another elevation than its placement gives it.
fn misplaced(around: &impl Around, storey: &Storey) -> Option<Finding> {
    let instance = around.model().get(storey.id)?;
    instance.reference("ObjectPlacement")?;
    let metre = around.shaper().reader.metre;
    let stated = instance.number("Elevation").filter(|v| v.is_finite())? * metre;
    let zero = storey.building.map_or(0.0, |id| ifc::placement::of_product(around.model(), id).translation.z);
    let placed = storey.elevation - zero * metre;
    // some state it from the building's zero, others from the world's
    if (stated - placed).abs() <= SAME || (stated - storey.elevation).abs() <= SAME {
        return None;
    }
    let [said, is] = [stated, placed].map(Quantity::length);
    let message = format!(
        "{} states the elevation {said}, but its placement lies {is} above the building's zero.",
        around.called(storey.id)
    );
    Some(
        CONSTRAINT.breach(vec![storey.id], message)
            .measured(said, Required::Exactly(is))
            .suggest("Set the Elevation of the storey to the height of its placement, if that is where its elements stand."),
    )
}

fn same_level(around: &impl Around, one: &Storey, other: &Storey) -> Option<Finding> {
    // a part of a storey lies beside the others
    let is_part = |storey: &Storey| {
        around
            .model()
            .get(storey.id)
            .and_then(|s| s.enumeration("CompositionType"))
            .is_some_and(|c| c != "ELEMENT")
            || around
                .links()
                .aggregate_parent(storey.id)
                .is_some_and(|up| around.is_a(up, "IfcBuildingStorey"))
    };
    let apart = other.elevation - one.elevation;
    if apart > SAME || is_part(one) || is_part(other) {
        return None;
    }
    let (first, second) = (around.called(one.id), around.called(other.id));
    let level = Quantity::length(one.elevation);
    let message = format!("{first} and {second} lie on the same level, {level}.");
    let finding = CONSTRAINT
        .breach(vec![one.id, other.id], message)
        .measured(Quantity::length(apart), Required::AtLeast(Quantity::length(SAME)))
        .suggest("Put what is on one of them on the other and delete it, or give it its own elevation.");
    Some(finding)
}

/// A name without its first number, and that number: `Level 2` gives `level #` and 2.
fn numbered(name: &str) -> Option<(String, i64)> {
    let start = name.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = name.split_at(start);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    let number: i64 = digits.parse().ok()?;
    let is_below = before.trim_end().ends_with('-') && before.trim_end().len() <= 1;
    let before = if is_below { "" } else { before };
    // a height in a name is no number of a storey, nor is what stands before other figures
    if after.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let key = format!("{}#{}", before.trim().to_lowercase(), after.trim().to_lowercase());
    Some((key, if is_below { -number } else { number }))
}

/// The findings on storeys of one name whose numbers go up where they go down.
fn out_of_order(around: &impl Around, storeys: &[&Storey]) -> Vec<Finding> {
    let mut by_name: BTreeMap<String, Vec<(&Storey, i64)>> = BTreeMap::new();
    for storey in storeys {
        if let Some((key, number)) = numbered(&storey.name) {
            by_name.entry(key).or_default().push((storey, number));
        }
    }
    let mut findings = Vec::new();
    for group in by_name.values() {
        let is_fault = |pair: &&[(&Storey, i64)]| {
            pair[1].1 < pair[0].1 && pair[1].0.elevation - pair[0].0.elevation > SAME
        };
        let faults: Vec<_> = group.windows(2).filter(is_fault).collect();
        // basements are counted downwards
        if faults.len() + 1 == group.len() && group.iter().all(|(s, _)| s.elevation < group_top(storeys)) {
            continue;
        }
        for pair in faults {
            let (low, high) = (pair[0].0, pair[1].0);
            let message = format!(
                "{} lies above {}, at {} and {}.",
                around.called(high.id),
                around.called(low.id),
                Quantity::length(high.elevation),
                Quantity::length(low.elevation)
            );
            let finding = CONSTRAINT
                .breach(vec![high.id, low.id], message)
                .suggest("Change their names or their elevations, so that numbers rise with the levels.");
            findings.push(finding);
        }
    }
    findings
}

/// The level of the ground, below which storeys are counted downwards: the zero of the building, or its middle storey where all lie
/// on one side of that.
fn group_top(storeys: &[&Storey]) -> f64 {
    let highest = storeys.last().map_or(0.0, |storey| storey.elevation);
    let lowest = storeys.first().map_or(0.0, |storey| storey.elevation);
    if lowest < 0.0 && highest > 0.0 { SAME } else { highest }
}
