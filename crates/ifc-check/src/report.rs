//! Findings counted whole and listed in part: a hostile file has as many as it has bytes, and a reader wants the
//! first few of each kind.

use super::{Finding, FindingCode};
use std::collections::BTreeMap;

/// Everything that validation found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValidationReport {
    /// The findings listed, at most [`super::ValidationOptions::limit`] of each group, in the order of the file.
    pub findings: Vec<Finding>,
    /// The number of findings of each kind, listed or not, by code, then by subject.
    pub groups: Vec<Group>,
}

/// Findings of one kind about one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The class of the fault.
    pub code: FindingCode,
    /// The rule, with what its exception is about; else `IfcWall.GlobalId`, else the class, else empty.
    pub subject: String,
    /// The number of findings.
    pub count: usize,
}

impl ValidationReport {
    /// The number of findings, listed or not.
    pub fn total(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// True if nothing was found.
    pub fn is_clean(&self) -> bool {
        self.groups.is_empty()
    }

    /// The number of findings of this kind, listed or not.
    pub fn count_of(&self, code: FindingCode) -> usize {
        self.groups.iter().filter(|group| group.code == code).map(|group| group.count).sum()
    }

    /// The findings listed of one group.
    pub fn of_group<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = &'a Finding> {
        self.findings
            .iter()
            .filter(|finding| finding.code == group.code && finding.subject() == group.subject)
    }
}

impl Finding {
    /// The subject that it is grouped by, beside its code: the rule, else class and attribute, else the class.
    pub fn subject(&self) -> String {
        match (&self.rule, &self.class, &self.attribute) {
            (Some(rule), _, _) => match self.exception {
                Some(exception) => format!("{rule} {}", exception.about),
                None => rule.clone(),
            },
            (None, Some(class), Some(attribute)) => format!("{class}.{attribute}"),
            // the names of unknown classes are of the file's making: it may have any number of them
            (None, Some(_), None) if self.code == FindingCode::UnknownClass => String::new(),
            (None, Some(class), None) => class.clone(),
            (None, None, attribute) => attribute.clone().unwrap_or_default(),
        }
    }
}

/// Gathers findings into a report.
pub(super) struct Collector {
    limit: usize,
    findings: Vec<Finding>,
    counts: BTreeMap<FindingCode, BTreeMap<String, usize>>,
}

impl Collector {
    pub fn new(limit: usize) -> Self {
        Self { limit, findings: Vec::new(), counts: BTreeMap::new() }
    }

    /// The most findings of a group that are listed.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Counts one more finding of a group; answers whether it is to be listed.
    pub fn admits(&mut self, code: FindingCode, subject: &str) -> bool {
        self.count(code, subject, 1) < self.limit
    }

    /// Counts findings; answers how many there were before.
    pub fn count(&mut self, code: FindingCode, subject: &str, more: usize) -> usize {
        let subjects = self.counts.entry(code).or_default();
        if let Some(count) = subjects.get_mut(subject) {
            *count += more;
            *count - more
        } else {
            subjects.insert(subject.to_owned(), more);
            0
        }
    }

    /// Lists a finding that was counted.
    pub fn list(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Takes a finding; it is counted, and listed if its group is not full.
    pub fn add(&mut self, finding: Finding) {
        if self.admits(finding.code, &finding.subject()) {
            self.list(finding);
        }
    }

    /// Takes what another one gathered about other groups.
    pub fn absorb(&mut self, other: Self) {
        self.findings.extend(other.findings);
        for (code, subjects) in other.counts {
            for (subject, count) in subjects {
                self.count(code, &subject, count);
            }
        }
    }

    pub fn finish(self) -> ValidationReport {
        let mut findings = self.findings;
        findings.sort_by_key(|finding| (finding.line == 0, finding.line, finding.column, finding.id));
        let group = |code, (subject, count)| Group { code, subject, count };
        let groups = self
            .counts
            .into_iter()
            .flat_map(|(code, subjects)| subjects.into_iter().map(move |found| group(code, found)))
            .collect();
        ValidationReport { findings, groups }
    }
}
