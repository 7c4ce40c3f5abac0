//! Findings of one cause told as one: where a constraint is broken by many elements of one kind, as by an export that lost all storeys,
//! they are one finding that names them all.

use crate::Finding;
use ifc::Id;
use std::collections::{BTreeMap, BTreeSet};

/// Findings of one cause beyond this number are told as one.
pub(crate) const MANY: usize = 10;

/// Joins findings of one cause where there are more than [`MANY`]. `cause` gives the key of a finding, by which it is joined with its like;
/// `say` the message for so many of them.
pub(crate) fn joined<K: Ord>(
    findings: Vec<Finding>,
    cause: impl Fn(&Finding) -> K,
    say: impl Fn(&K, &[Finding]) -> String,
) -> Vec<Finding> {
    let mut groups: BTreeMap<K, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        groups.entry(cause(&finding)).or_default().push(finding);
    }
    groups
        .into_iter()
        .flat_map(|(key, group)| if group.len() > MANY { vec![one(&key, group, &say)] } else { group })
        .collect()
}

fn one<K>(key: &K, group: Vec<Finding>, say: &impl Fn(&K, &[Finding]) -> String) -> Finding {
    let message = say(key, &group);
    let mut seen: BTreeSet<Id> = BTreeSet::new();
    let all = group.iter().flat_map(|finding| &finding.elements);
    let elements: Vec<Id> = all.copied().filter(|id| seen.insert(*id)).collect();
    let severity = group.iter().map(|finding| finding.severity).min();
    let lines = group.iter().flat_map(|finding| finding.lines.clone()).collect();
    let fix = group.iter().flat_map(|finding| finding.fix.clone()).collect();
    // a fix of some of them mends none of the causes whole
    let are_all_mended = group.iter().all(|finding| !finding.fix.is_empty());
    let first = group.into_iter().next();
    let (rule, point, suggestion) = first.map(|f| (f.rule, f.point, f.suggestion)).unwrap_or_default();
    Finding {
        elements,
        lines,
        point,
        suggestion,
        fix: if are_all_mended { fix } else { Vec::new() },
        ..Finding::new(rule, severity.unwrap_or(crate::Severity::Info), Vec::new(), message)
    }
}
