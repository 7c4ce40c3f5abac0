//! The pages of rules that are written as code rather than in a pack: what a rule asks and why, what passes and what fails, and where it
//! comes from. Findings are made from them, so that none names a rule without a page.

use crate::{Finding, Severity};
use ifc::Id;

/// A rule of a check, described for who reads its findings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RulePage {
    /// Its identifier, the rule of its findings: `egress.travel_distance`.
    pub id: &'static str,
    /// The clause of its source, where there is one: `IBC 2021 1017.2`. A finding may name another one that asked for more.
    pub clause: Option<&'static str>,
    /// Its name in a few words.
    pub title: &'static str,
    /// The requirement, in one or two sentences.
    pub text: &'static str,
    /// The reason for it.
    pub why: &'static str,
    /// The weight of a breach.
    pub severity: Severity,
    /// An example that passes.
    pub passes: &'static str,
    /// An example that fails.
    pub fails: &'static str,
    /// Its source, and how far its figures can be relied on.
    pub source: &'static str,
}

impl RulePage {
    /// A finding of it, with its weight and its clause, about some elements, the one that it is about first.
    pub(crate) fn finding(&self, elements: Vec<Id>, message: String) -> Finding {
        let finding = Finding::new(self.id, self.severity, elements, message);
        Finding { clause: self.clause.map(str::to_owned), ..finding }
    }
}

/// Holds the pages of a check to what readers expect of them.
#[cfg(test)]
pub(crate) fn assert_are_whole(pages: &[RulePage], prefix: &str) {
    let mut seen = std::collections::BTreeSet::new();
    for page in pages {
        assert!(page.id.starts_with(prefix) && seen.insert(page.id), "{}", page.id);
        for text in [page.title, page.text, page.why, page.passes, page.fails, page.source] {
            assert!(text.len() > 12, "{}: {text:?}", page.id);
        }
        let sentences = [page.text, page.why, page.passes, page.fails];
        assert!(sentences.iter().all(|text| text.ends_with('.')), "{}", page.id);
    }
}
