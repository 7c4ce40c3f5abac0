//! Findings counted whole and listed in part: a hostile file has as many as it has bytes, and a reader wants the
//! first few of each kind.

use super::{Finding, FindingCode};
use std::collections::BTreeMap;

/// Everything that validation found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings listed, at most [`super::Options::limit`] of each group, in the order of the file.
    pub findings: Vec<Finding>,
    /// How many there are of each kind, listed or not, by code, then by subject.
    pub groups: Vec<Group>,
}

/// Findings of one kind about one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What kind of fault.
    pub code: FindingCode,
    /// The rule, else `IfcWall.GlobalId`, else the class, else empty.
    pub subject: String,
    /// How many findings there are.
    pub count: usize,
}

impl Report {
    /// How many findings there are, listed or not.
    pub fn total(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.groups.is_empty()
    }

    /// How many findings of this kind there are, listed or not.
    pub fn count_of(&self, code: FindingCode) -> usize {
        self.groups.iter().filter(|group| group.code == code).map(|group| group.count).sum()
    }
}

/// Gathers findings into a report.
pub(super) struct Collector {
    limit: usize,
    findings: Vec<Finding>,
    counts: BTreeMap<(FindingCode, String), usize>,
}

impl Collector {
    pub fn new(limit: usize) -> Self {
        Self { limit, findings: Vec::new(), counts: BTreeMap::new() }
    }

    /// Takes a finding; it is counted, and listed if its group is not full.
    pub fn add(&mut self, finding: Finding) {
        let count = self.counts.entry((finding.code, subject(&finding))).or_default();
        *count += 1;
        if *count <= self.limit {
            self.findings.push(finding);
        }
    }

    pub fn finish(self) -> Report {
        let mut findings = self.findings;
        findings.sort_by_key(|finding| (finding.line == 0, finding.line, finding.column, finding.id));
        let groups =
            self.counts.into_iter().map(|((code, subject), count)| Group { code, subject, count }).collect();
        Report { findings, groups }
    }
}

/// What a finding is grouped by, beside its code.
fn subject(finding: &Finding) -> String {
    match (&finding.rule, &finding.class, &finding.attribute) {
        (Some(rule), _, _) => rule.clone(),
        (None, Some(class), Some(attribute)) => format!("{class}.{attribute}"),
        // an unknown class is a name of the file's making: it may have any number of them
        (None, Some(_), None) if finding.code == FindingCode::UnknownClass => String::new(),
        (None, Some(class), None) => class.clone(),
        (None, None, attribute) => attribute.clone().unwrap_or_default(),
    }
}
