//! Elements far from the building: left at an origin, or thrown off by a wrong unit or a point in map coordinates.

use super::Constraint;
use super::context::{Context, at};
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use geometry::query::Element;
use glam::DVec3;
use std::sync::Arc;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.outlier",
    title: "Elements are at the building",
    text: "No element stands farther from the building than several times its size.",
    why: "A stray element spoils sections, views and totals, and makes far coordinates lose precision.",
    severity: Severity::Warning,
    find,
};

/// Fewer elements have no building among them.
const FEWEST: usize = 10;
/// An element is far off beyond so many times the radius in which nine tenths of all stand.
const TIMES: f64 = 10.0;
/// Nothing nearer than this is far off, in metres.
const NEAREST: f64 = 100.0;
/// Classes that reach or lie far out.
const OUTSIDE: [&str; 3] = ["IfcGeographicElement", "IfcCivilElement", "IfcSpatialElement"];

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut bodies = context.bodies();
    bodies.retain(|body| {
        body.bounds().centre().is_finite()
            && !context.is_any(body.id(), &OUTSIDE)
            && !context.is_a(body.id(), "IfcSite")
    });
    if bodies.len() < FEWEST {
        return;
    }
    let middle = median(&bodies);
    let off = |body: &Element| body.bounds().centre().distance(middle);
    let mut radii: Vec<f64> = bodies.iter().map(|body| off(body)).collect();
    radii.sort_by(f64::total_cmp);
    let radius = radii.get((bodies.len() - 1) * 9 / 10).copied().unwrap_or(0.0);
    let limit = (TIMES * radius).max(NEAREST);
    let mut found = Vec::new();
    for body in bodies.into_iter().filter(|body| context.concerns(body.id())) {
        let nearest = off(body) - body.bounds().size().length() / 2.0;
        if nearest <= limit {
            continue;
        }
        let place = body.bounds().centre();
        let message = format!(
            "{} stands {:.0} m from the middle of the building, at {} mm.",
            context.called(body.id()),
            off(body),
            at(place)
        );
        let finding = CONSTRAINT
            .breach(vec![body.id()], message)
            .measured(Quantity::length(off(body)), Required::AtMost(Quantity::length(limit)))
            .at(place)
            .suggest("Move it to where it belongs, or delete it.");
        found.push(finding);
    }
    let say = |(): &(), group: &[Finding]| {
        format!("{} elements stand farther than {limit:.0} m from the middle of the building.", group.len())
    };
    findings.extend(joined(found, |_| (), say));
}

/// The median of the middles along each axis.
fn median(bodies: &[&Arc<Element>]) -> DVec3 {
    let of = |axis: usize| {
        let mut all: Vec<f64> = bodies.iter().map(|body| body.bounds().centre()[axis]).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    };
    DVec3::new(of(0), of(1), of(2))
}
