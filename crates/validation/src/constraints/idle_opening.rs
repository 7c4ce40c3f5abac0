//! Openings that are cut into nothing (IfcOpeningElement without IfcRelVoidsElement).

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Severity};
use building::soundness::constraint;
use serde_json::json;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::IDLE_OPENING,
    title: "Openings void something",
    text: "Every opening is related to the element that it is cut out of.",
    why: "An opening without a host cuts nothing; it is left over from an element that was deleted.",
    severity: Severity::Warning,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for id in context.model.of_class("IfcOpeningElement") {
        if !context.concerns(id) || context.links.host_of_opening(id).is_some() {
            continue;
        }
        let message = format!("{} voids no element.", context.called(id));
        let point = context.uncut(id).map(|body| body.bounds().centre());
        let finding = Finding { point, ..CONSTRAINT.breach(vec![id], message) };
        let is_free = context.links.fillings_of(id).is_empty();
        found.push(match context.guid(id).filter(|_| is_free) {
            Some(guid) => {
                finding.suggest("Delete it.").mended_by("delete_elements", json!({ "element_ids": [guid] }))
            }
            None => finding.suggest("Relate it to the wall or slab that its door or window stands in."),
        });
    }
    let say = |(): &(), group: &[Finding]| format!("{} openings void no element.", group.len());
    findings.extend(joined(found, |_| (), say));
}
