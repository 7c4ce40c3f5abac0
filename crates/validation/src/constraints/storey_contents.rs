//! Elements that are assigned to one storey and stand on another.

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use geometry::Bounds;
use ifc::Id;
use spatial::Storey;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.storey_contents",
    title: "Elements are on the storey that they stand on",
    text: "What a storey contains begins below the floor of the next storey, and does not lie wholly below the storey underneath.",
    why: "Plans and schedules by storey show the element where it is not.",
    severity: Severity::Warning,
    find,
};

/// The least height between two floors of which one is the next storey, in metres: lower ones are half storeys.
const STOREY: f64 = 2.0;
/// An element may begin so far above the next floor and still belong below: rails and upstands on slabs, in metres.
const ABOVE: f64 = 1.0;
/// Classes that lie outside of their storey by nature.
const BEYOND: [&str; 7] = [
    "IfcFooting",
    "IfcPile",
    "IfcRoof",
    "IfcGeographicElement",
    "IfcCivilElement",
    "IfcDistributionElement",
    "IfcTransportElement",
];

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let storeys = &context.layout.rooms.storeys;
    let mut found = Vec::new();
    for (place, storey) in storeys.iter().enumerate() {
        let same = |other: &&Storey| other.building == storey.building;
        let above =
            storeys.iter().skip(place).filter(same).find(|s| s.elevation >= storey.elevation + STOREY);
        let below =
            storeys.iter().take(place).rev().filter(same).find(|s| s.elevation <= storey.elevation - STOREY);
        for id in context.links.contained(storey.id) {
            if !context.concerns(id) || context.is_any(id, &BEYOND) {
                continue;
            }
            let Some(bounds) = extent(context, id) else { continue };
            if let Some(above) = above.filter(|above| bounds.min.z > above.elevation + ABOVE) {
                found.push(told(context, id, bounds, storey, above, "begins above the floor of"));
            } else if let Some(below) = below.filter(|below| bounds.max.z < below.elevation) {
                found.push(told(context, id, bounds, storey, below, "ends below the floor of"));
            }
        }
    }
    let storey = |finding: &Finding| finding.elements.first().and_then(|id| context.storey(*id));
    let say = |storey: &Option<Id>, group: &[Finding]| {
        let name = storey.map(|id| context.called(id)).unwrap_or_default();
        format!("{} elements that {name} contains stand on another storey.", group.len())
    };
    findings.extend(joined(found, storey, say));
}

/// The box of an element, or of its parts where it has no body.
fn extent(context: &Context<'_>, id: Id) -> Option<Bounds> {
    let own = context.index.get(id).map(|body| body.bounds());
    let bounds = own.or_else(|| {
        let parts = context.links.children(id).into_iter().filter_map(|part| context.index.get(part));
        parts.map(|body| body.bounds()).reduce(|a, b| a.join(&b))
    });
    bounds.filter(|b| b.min.is_finite() && b.max.is_finite())
}

fn told(context: &Context<'_>, id: Id, bounds: Bounds, own: &Storey, other: &Storey, how: &str) -> Finding {
    let (storey, there) = (context.called(own.id), context.called(other.id));
    let message = format!("{} is contained in {storey} and {how} {there}.", context.called(id));
    CONSTRAINT
        .breach(vec![id], message)
        .measured(Quantity::length(bounds.min.z - own.elevation), Required::Words(format!("within {storey}")))
        .at(bounds.centre())
        .suggest(format!("Assign it to the storey on which it stands, or move it to {storey}."))
}
