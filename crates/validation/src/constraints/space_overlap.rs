//! Rooms that share space with each other.

use super::Constraint;
use super::context::{Context, at};
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use geometry::query::{Kind, Rules, interference};
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.space_overlap",
    title: "Rooms do not overlap",
    text: "The bodies of two rooms share no space, unless one is a part of the other.",
    why: "Areas and volumes are counted twice, and who stands there is in two rooms.",
    severity: Severity::Error,
    find,
};

/// Rooms that go no deeper into each other, or share no more m³, lie beside each other as drawn.
const RULES: Rules =
    Rules { tolerance: 0.005, least_volume: 1e-3, clearance: 0.0, touching: false, most_pairs: usize::MAX };
/// Pairs of rooms that are looked at at most.
const MOST_PAIRS: usize = 200_000;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let rooms = &context.layout.rooms;
    let Some(pairs) = rooms.index().near_pairs(None, -RULES.tolerance, MOST_PAIRS) else {
        findings.push(
            CONSTRAINT.unjudged("There are too many rooms at one place to hold them against each other."),
        );
        return;
    };
    let space = |number: Id| rooms.rooms.get(number.0 as usize).and_then(|room| Some((room, room.space()?)));
    let mut found = Vec::new();
    for (a, b) in pairs {
        let (Some((one, first)), Some((other, second))) = (space(a.id()), space(b.id())) else { continue };
        if !(context.concerns(first) || context.concerns(second)) || are_nested(context, first, second) {
            continue;
        }
        let Some(shared) = interference(&a, &b, &RULES) else { continue };
        let (how, volume) = match shared.kind {
            Kind::Duplicate { volume } => ("are the same room twice", volume),
            Kind::Inside { volume } => {
                ("lie in each other: the first lies wholly in the second", Some(volume))
            }
            Kind::Contains { volume } => {
                ("lie in each other: the second lies wholly in the first", Some(volume))
            }
            Kind::Hard { volume, .. } => ("overlap", volume),
            Kind::Touching { .. } | Kind::Clearance { .. } => continue,
        };
        let Some(volume) = volume.map(Quantity::volume) else { continue };
        let message = format!(
            "The rooms {} and {} {how}: they share {volume}, at {} mm.",
            one.label(),
            other.label(),
            at(shared.place)
        );
        let finding = CONSTRAINT.breach(vec![first, second], message)
            .measured(volume, Required::AtMost(Quantity::volume(RULES.least_volume)))
            .at(shared.place)
            .suggest("Draw the outline of one of them to the wall between them, or delete the one that is there twice.");
        found.push(finding);
    }
    let storey = |finding: &Finding| finding.elements.first().and_then(|id| context.storey(*id));
    let say = |storey: &Option<Id>, group: &[Finding]| {
        let on = storey.map_or("no storey".to_owned(), |id| context.called(id));
        format!("{} pairs of rooms on {on} share space.", group.len())
    };
    findings.extend(joined(found, storey, say));
}

/// Returns true if one space is a part of the other, or is an area that is measured over rooms.
fn are_nested(context: &Context<'_>, a: Id, b: Id) -> bool {
    let upwards = |id: Id, other: Id| context.links.upwards(id).contains(&other);
    let is_total = |id: Id| {
        let kind = context.links.predefined_type(id).unwrap_or_default();
        let composition = context.model.get(id).and_then(|space| space.enumeration("CompositionType"));
        kind == "GFA" || composition.is_some_and(|c| c == "COMPLEX" || c == "PARTIAL")
    };
    upwards(a, b) || upwards(b, a) || is_total(a) || is_total(b)
}
