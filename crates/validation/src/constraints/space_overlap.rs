//! Rooms that share space with each other.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use building::soundness::room::{RULES, are_nested, shared};
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::SPACE_OVERLAP,
    title: "Rooms do not overlap",
    text: "The bodies of two rooms share no space, unless one is a part of the other.",
    why: "Areas and volumes are counted twice, and who stands there is in two rooms.",
    severity: Severity::Error,
    find,
};

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
        if !(context.concerns(first) || context.concerns(second)) || are_nested(&context.links, first, second)
        {
            continue;
        }
        let Some(shared) = shared(&a, &b) else { continue };
        let (how, volume, place) = (shared.how, Quantity::volume(shared.volume), shared.found.place);
        let message = format!(
            "The rooms {} and {} {how}: they share {volume}, at {} mm.",
            one.label(),
            other.label(),
            at(place)
        );
        let finding = CONSTRAINT.breach(vec![first, second], message)
            .measured(volume, Required::AtMost(Quantity::volume(RULES.least_volume)))
            .at(place)
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
