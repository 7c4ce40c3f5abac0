//! Doors and windows that fill no opening, are no part of anything, and stand in no wall.

use super::Constraint;
use super::context::{Context, at};
use crate::grouping::joined;
use crate::{Finding, Severity};
use geometry::query::Element;
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.unhosted_filling",
    title: "Doors and windows have a host",
    text: "Every door and window fills an opening, is part of a curtain wall or another element, or stands in a wall or roof.",
    why: "A door without a host does not move with its wall, and nothing is cut out for it.",
    severity: Severity::Warning,
    find,
};

/// The farthest that a door or window stands from what it is in, in metres.
const REACH: f64 = 0.050;
/// Classes that hold doors and windows.
const HOSTS: [&str; 10] = [
    "IfcWall",
    "IfcCurtainWall",
    "IfcSlab",
    "IfcRoof",
    "IfcPlate",
    "IfcMember",
    "IfcCovering",
    "IfcBuildingElementPart",
    "IfcBuildingElementProxy",
    "IfcColumn",
];

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for class in ["IfcDoor", "IfcWindow"] {
        for id in context.model.of_class(class).into_iter().filter(|id| context.concerns(*id)) {
            let links = &context.links;
            if links.opening_of_filling(id).is_some() || is_part(context, id) {
                continue;
            }
            let Some(body) = context.body(id) else { continue };
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

fn is_part(context: &Context<'_>, id: Id) -> bool {
    let up = context.links.parent(id).filter(|_| context.links.direct_container(id).is_none());
    let whole = context.links.aggregate_parent(id).or(up);
    whole.is_some_and(|whole| context.is_a(whole, "IfcElement"))
}

fn stands_in_something(context: &Context<'_>, body: &Element) -> bool {
    let near = context.index.near(&body.bounds(), REACH);
    let hosts = near.into_iter().filter(|other| context.is_any(other.id(), &HOSTS));
    let middle = body.bounds().centre();
    hosts.into_iter().any(|other| {
        // a door stands on its slab, and is not in it
        let is_beside = other.bounds().min.z <= middle.z && middle.z <= other.bounds().max.z;
        is_beside && (other.distance(body, REACH).is_some() || other.contains(middle))
    })
}
