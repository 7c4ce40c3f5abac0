//! Doors and windows that fill no opening, are no part of anything, and stand in no wall.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Severity};
use building::soundness::{constraint, fillings};
use geometry::query::Element;
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::UNHOSTED_FILLING,
    title: "Doors and windows have a host",
    text: "Every door and window fills an opening, is part of a curtain wall or another element, or stands in a wall or roof.",
    why: "A door without a host does not move with its wall, and nothing is cut out for it.",
    severity: Severity::Warning,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for class in ["IfcDoor", "IfcWindow"] {
        for id in context.model.of_class(class).into_iter().filter(|id| context.concerns(*id)) {
            if !fillings::is_unbound(&context.links, id) {
                continue;
            }
            let Some(body) = context.standing(id) else { continue };
            if stands_in_something(context, body) {
                continue;
            }
            let place = body.bounds().centre();
            let message = format!(
                "{} fills no opening and stands in no wall, at {} mm.",
                context.called(id),
                at(place)
            );
            let finding = CONSTRAINT.breach(vec![id], message)
                .at(place)
                .suggest("Delete it and make it again in its wall with create_opening, or draw the wall that it belongs to.");
            found.push(finding);
        }
    }
    let storey = |finding: &Finding| finding.elements.first().and_then(|id| context.storey(*id));
    let say = |storey: &Option<Id>, group: &[Finding]| {
        let on = storey.map_or("no storey".to_owned(), |id| context.called(id));
        format!("{} doors and windows on {on} fill no opening and stand in no wall.", group.len())
    };
    findings.extend(joined(found, storey, say));
}

fn stands_in_something(context: &Context<'_>, body: &Element) -> bool {
    let near = context.index.near(&body.bounds(), fillings::REACH);
    let mut hosts = near
        .into_iter()
        .filter(|other| other.id() != body.id() && fillings::is_host(context.model, other.id()));
    hosts.any(|other| fillings::stands_in(body, other))
}
