//! Elements far from the building: left at an origin, or thrown off by a wrong unit or a point in map coordinates.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::{constraint, outlier};
use geometry::Bounds;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::OUTLIER,
    title: "Elements are at the building",
    text: "No element stands farther from the building than several times its size.",
    why: "A stray element spoils sections, views and totals, and makes far coordinates lose precision.",
    severity: Severity::Warning,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut bodies = context.bodies();
    bodies.retain(|body| body.bounds().centre().is_finite() && outlier::belongs(context.model, body.id()));
    let boxes: Vec<Bounds> = bodies.iter().map(|body| body.bounds()).collect();
    let Some(site) = outlier::Site::from_boxes(&boxes) else { return };
    let limit = site.limit;
    let mut found = Vec::new();
    for body in bodies.into_iter().filter(|body| context.concerns(body.id())) {
        let Some(off) = site.too_far(&body.bounds()) else { continue };
        let place = body.bounds().centre();
        let message = format!(
            "{} stands {off:.0} m from the middle of the building, at {} mm.",
            context.called(body.id()),
            at(place)
        );
        let finding = CONSTRAINT
            .breach(vec![body.id()], message)
            .measured(Quantity::length(off), Required::AtMost(Quantity::length(limit)))
            .at(place)
            .suggest("Move it to where it belongs, or delete it.");
        found.push(finding);
    }
    let say = |(): &(), group: &[Finding]| {
        format!("{} elements stand farther than {limit:.0} m from the middle of the building.", group.len())
    };
    findings.extend(joined(found, |_| (), say));
}
