//! Elements that belong to no spatial structure, and rooms that belong to no storey.

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::grouping::joined;
use crate::{Finding, Severity};
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.orphan",
    title: "Every element has its place in the building",
    text: "Every element is contained in a storey or another spatial structure, itself or what it is part of; every room belongs to a storey.",
    why: "What belongs to no storey is missing from plans, schedules by storey and trees.",
    severity: Severity::Warning,
    find,
};

/// Elements that belong to others by relations of their own.
const BOUND: [&str; 4] = ["IfcFeatureElement", "IfcVirtualElement", "IfcReinforcingElement", "IfcPort"];

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut found = Vec::new();
    for id in context.model.of_class("IfcElement") {
        if context.concerns(id) && !context.is_any(id, &BOUND) && !is_placed(context, id) {
            found.push(told(context, id, "belongs to no storey, building or site"));
        }
    }
    let has_storeys = !context.model.of_class("IfcBuildingStorey").is_empty();
    for id in context.model.of_class("IfcSpace").into_iter().filter(|_| has_storeys) {
        if context.concerns(id) && context.storey(id).is_none() && !is_outside(context, id) {
            found.push(told(context, id, "belongs to no storey"));
        }
    }
    let class = |finding: &Finding| {
        finding.elements.first().and_then(|id| context.model.get(*id)).map(|e| e.class_name().to_owned())
    };
    let say = |class: &Option<String>, group: &[Finding]| {
        let name = class.as_deref().unwrap_or("instance");
        let place = if name == "IfcSpace" { "no storey" } else { "no storey, building or site" };
        format!("{} elements of the class {name} belong to {place}.", group.len())
    };
    findings.extend(joined(found, class, say));
}

/// Returns true if something spatial holds an element, what it is part of, or what it stands in.
fn is_placed(context: &Context<'_>, id: Id) -> bool {
    let is_spatial = |id: &Id| context.is_any(*id, &["IfcSpatialStructureElement", "IfcSpatialElement"]);
    context.links.upwards(id).iter().skip(1).any(is_spatial)
        || context.links.referenced_structures(id).iter().any(is_spatial)
}

/// Returns true of a space of the site.
fn is_outside(context: &Context<'_>, id: Id) -> bool {
    context.links.aggregate_parent(id).is_some_and(|whole| context.is_a(whole, "IfcSite"))
}

fn told(context: &Context<'_>, id: Id, what: &str) -> Finding {
    let message = format!("{} {what}.", context.called(id));
    let finding =
        CONSTRAINT.breach(vec![id], message).suggest("Assign it to its storey where the model was written.");
    Finding { point: context.middle(id), ..finding }
}
