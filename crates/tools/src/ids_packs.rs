//! Requirements in IDS files used like packs of rules: a specification is a rule, and what fails it are findings.

use crate::IfcCall;
use crate::rule_packs::{IdsPack, Judged, RuleRow, kept};
use contract::Fault;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use validation::ids::{self, Document, Specification, SpecificationResult, Status};

/// The rules of a document, as findings name them, in its order.
pub(crate) fn rules(document: &Document) -> Vec<String> {
    ids::rule_names(document)
}

/// Leaves only those specifications of a document that are wanted, by rule, identifier or name.
pub(crate) fn only(pack: &str, document: &mut Document, wanted: &[&str]) -> Result<(), Fault> {
    let names = rules(document);
    let mut all: Vec<(String, Specification)> =
        names.into_iter().zip(std::mem::take(&mut document.specifications)).collect();
    let names = |(rule, own): &(String, Specification)| {
        let short = rule.strip_prefix("ids.").map(str::to_owned);
        short.into_iter().chain([rule.clone(), own.name.clone()]).chain(own.identifier.clone()).collect()
    };
    kept(pack, &mut all, wanted, names)?;
    document.specifications = all.into_iter().map(|(_, own)| own).collect();
    Ok(())
}

/// Holds the model against an IDS document. Specifications for other schemas than the model's are checked all the same, and noted:
/// what was not looked at would else pass.
pub(crate) fn held(call: &IfcCall, pack: &IdsPack) -> Result<Judged, Fault> {
    let (document, model) = (&pack.document, call.edit.model());
    call.watch.begins("checking requirements");
    let watch = Arc::clone(&call.watch);
    let mut asked = || watch.wanted();
    let report = ids::check(document, model, false, &mut asked);
    let report = report.ok_or_else(|| Fault::given_up("checking requirements"))?;
    let all = document.specifications.iter().zip(&report.specifications).zip(rules(document));
    let rows = all.filter_map(|((own, result), rule)| row(rule, own, result)).collect();
    let others = report.specifications.iter().filter(|own| own.is_for_others).count();
    let mut notes = Vec::new();
    if others > 0 {
        notes.push(format!(
            "{others} of {} specifications are for other schemas than the model's, and were checked all the same.",
            document.specifications.len()
        ));
    }
    notes.extend(pack.harmless.iter().map(|problem| format!("{problem}.")));
    let findings = ids::findings(document, &report, model);
    Ok(Judged { checked: document.specifications.len(), rows, findings, notes })
}

/// A specification that failed or was not looked at.
fn row(rule: String, own: &Specification, result: &SpecificationResult) -> Option<RuleRow> {
    let failing = result.requirements.iter().flat_map(|one| &one.failed).map(|failure| failure.id);
    let failing = failing.collect::<BTreeSet<_>>().len();
    let failed = match result.status {
        Status::Passed => return None,
        Status::Skipped => 0,
        // one that prohibits what is there, or asks for what is not, fails as a whole
        Status::Failed => failing.max(1),
    };
    let reason = result.reason.clone().filter(|_| result.status == Status::Skipped);
    Some(RuleRow {
        rule,
        clause: own.identifier.clone().unwrap_or_default(),
        title: own.name.clone(),
        applicable: result.applicable.len(),
        failed,
        not_judged: reason.map(|reason| BTreeMap::from([(reason, 1)])).unwrap_or_default(),
    })
}
