//! Types that no element has.

use super::Constraint;
use super::context::Context;
use crate::around::Around as _;
use crate::{Finding, Quantity, Required, Severity};
use ifc::Id;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: "constraints.unused_type",
    title: "Types are used",
    text: "Every type of a file has at least one occurrence.",
    why: "Types without use fill lists and files; they are left over from what was deleted, or never needed.",
    severity: Severity::Info,
    find,
};

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_unused = |id: &Id| {
        let links = &context.links;
        // a part of another type is used with it
        links.occurrences_of(*id).is_empty() && links.aggregate_parent(*id).is_none()
    };
    let mut unused: Vec<Id> = context.model.of_class("IfcTypeObject").into_iter().filter(is_unused).collect();
    unused.retain(|id| context.concerns(*id));
    unused.sort_unstable();
    if unused.is_empty() {
        return;
    }
    let names: Vec<String> = unused.iter().take(5).map(|id| context.called(*id)).collect();
    let more = if unused.len() > names.len() { " …" } else { "" };
    let message = format!("{} types have no occurrence: {}{more}.", unused.len(), names.join(", "));
    let count = Quantity::count(unused.len());
    let finding = CONSTRAINT
        .breach(unused, message)
        .measured(count, Required::Exactly(Quantity::count(0)))
        .suggest("Leave them if they are a library; else purge them where the model was written.");
    findings.push(finding);
}
