//! Openings that do not lie within the element that they are said to be cut out of.
//!
//! An opening may reach out of its host to both sides, as other programs draw it; what counts is that it is cut out of it all round
//! ([`building::soundness::hosts`]).

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use building::soundness::hosts::{Fit, built_host};
use geometry::query::{Element, overlap};
use ifc::Id;
use serde_json::json;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::OPENING_OUTSIDE_HOST,
    title: "Openings lie in their hosts",
    text: "The body of an opening lies within that of its host, seen through it.",
    why: "An opening beside its host cuts nothing, and one over its edge leaves a notch where a hole was meant.",
    severity: Severity::Error,
    find,
};

/// An opening that shares less with its host than this misses it, in m³.
const NOTHING: f64 = 1e-6;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for opening in context.model.of_class("IfcOpeningElement") {
        let Some(host) = built_host(&context.links, opening) else { continue };
        if !context.concerns(opening) && !context.concerns(host) {
            continue;
        }
        let (Some(cutter), Some(body)) = (context.uncut(opening), context.uncut(host)) else { continue };
        if Fit::new(context.model, opening, &cutter, &body).is_inside {
            continue;
        }
        found.extend(told(context, [opening, host], &cutter, &body));
    }
    let cause = |finding: &Finding| (finding.severity, finding.elements.get(1).copied());
    let say = |(_, host): &(Severity, Option<Id>), group: &[Finding]| {
        let name = host.map(|id| context.called(id)).unwrap_or_default();
        format!("{} openings of {name} do not lie within it.", group.len())
    };
    findings.extend(joined(found, cause, say));
}

fn told(
    context: &Context<'_>,
    [opening, host]: [Id; 2],
    cutter: &Element,
    body: &Element,
) -> Option<Finding> {
    let (one, other) = (context.called(opening), context.called(host));
    let place = cutter.bounds().centre();
    let shared = overlap(cutter, body).map(|shared| shared.volume);
    let whole = cutter.measures().volume.abs();
    let breach = |message: String| CONSTRAINT.breach(vec![opening, host], message).at(place);
    match shared {
        // of surfaces that do not close nobody can say what they share
        Some(None) => None,
        Some(Some(volume)) if volume > NOTHING => {
            let message = format!("{one} reaches over the edge of {other}, at {} mm.", at(place));
            let finding = breach(message)
                .measured(
                    Quantity::volume(volume),
                    Required::Words(format!("all of it, {}", Quantity::volume(whole))),
                )
                .suggest("Move it into its host, or make it smaller.");
            Some(Finding { severity: Severity::Warning, ..finding })
        }
        _ => {
            let message = format!(
                "{one} does not meet {other}, which it is said to be cut out of, at {} mm.",
                at(place)
            );
            let finding = breach(message)
                .measured(
                    Quantity::volume(0.0),
                    Required::Words(format!("all of it, {}", Quantity::volume(whole))),
                )
                .suggest("Move it into its host, or delete it.");
            // where nothing stands in it, nothing is lost with it
            let is_empty = context.links.fillings_of(opening).is_empty();
            Some(match context.guid(opening).filter(|_| is_empty) {
                Some(guid) => finding.mended_by("delete_elements", json!({ "element_ids": [guid] })),
                None => finding,
            })
        }
    }
}
