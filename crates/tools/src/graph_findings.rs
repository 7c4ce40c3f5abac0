//! Findings of checks as the graph of a model has them: those of `validate_model` with its defaults, each by itself, made when first asked
//! for and kept with the version. What is waived is left out, as it is there.

use crate::opened::OpenVersion;
use crate::report::{self, Issue, Requested, State};
use contract::{Fault, Watch};
use graph::{Finding, Findings};
use ifc::{Id, Model};
use std::sync::Arc;

/// The findings of a version.
pub(crate) fn findings(version: &dyn OpenVersion, watch: &dyn Watch) -> Result<Arc<Findings>, Fault> {
    let make = || made(version, watch);
    match version.checked() {
        Some(kept) => kept.get_or_make(make),
        None => make(),
    }
}

fn made(version: &dyn OpenVersion, watch: &dyn Watch) -> Result<Arc<Findings>, Fault> {
    let mut found = report::found(State::Earlier(version, watch), &Requested::usual())?;
    found.waive(version.model());
    let unlisted = found.unlisted.values().map(|(count, _)| count).sum();
    let findings = found.issues.into_iter().map(|(id, issue)| finding(version.model(), id, issue));
    Ok(Arc::new(Findings::new(findings.collect(), unlisted)))
}

fn finding(model: &Model, id: String, issue: Issue) -> Finding {
    let number = |id: &Id| model.contains(*id).then_some(id.0);
    Finding {
        id,
        rule: issue.rule,
        severity: issue.level.as_str(),
        kind: issue.kind.0.to_owned(),
        message: issue.message,
        at: issue.at,
        instance: issue.elements.first().map(ToString::to_string),
        elements: issue.elements.iter().filter_map(number).collect(),
    }
}
