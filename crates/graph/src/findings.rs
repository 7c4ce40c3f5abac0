//! Findings of checks as nodes: `?f a check:Finding ; check:rule "GEM051" ; check:severity "error" ; check:element ?e ; check:message ?m`.
//!
//! Who checks is no matter of this crate: the findings of a version are asked of whoever keeps them, when a query first mentions one of
//! these terms. A query that mentions none sees none, also where it asks for everything.

use crate::names::CHECK;
use crate::term::Part;
use contract::Fault;
use foldhash::HashMap;
use std::sync::Arc;

/// The beginning of a finding's local name.
pub const NODE: &str = "finding:";

/// Makes or fetches the findings of a model; called once, when a query first mentions them.
pub type MakeFindings = Arc<dyn Fn() -> Result<Arc<Findings>, Fault> + Send + Sync>;

/// One finding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finding {
    /// Its id, the same as long as rule and element are.
    pub id: String,
    /// The rule, or class and attribute.
    pub rule: String,
    /// `error`, `warning` or `notice`.
    pub severity: &'static str,
    /// The kind of check.
    pub kind: String,
    /// In words.
    pub message: String,
    /// Line and column in the file as it was loaded.
    pub at: Option<String>,
    /// The instance or object concerned, as messages call it: `#12`.
    pub instance: Option<String>,
    /// The instances or objects concerned, by number.
    pub elements: Vec<u32>,
}

/// Predicates of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// `check:rule`.
    Rule,
    /// `check:severity`.
    Severity,
    /// `check:kind`.
    Kind,
    /// `check:message`.
    Message,
    /// `check:at`.
    At,
    /// `check:instance`.
    Instance,
    /// `check:element`.
    Element,
}

impl Check {
    /// Every one.
    pub const ALL: [Check; 7] = [
        Check::Rule,
        Check::Severity,
        Check::Kind,
        Check::Message,
        Check::At,
        Check::Instance,
        Check::Element,
    ];

    fn name(self) -> &'static str {
        match self {
            Check::Rule => "rule",
            Check::Severity => "severity",
            Check::Kind => "kind",
            Check::Message => "message",
            Check::At => "at",
            Check::Instance => "instance",
            Check::Element => "element",
        }
    }

    /// Its IRI.
    pub fn iri(self) -> String {
        format!("{CHECK}{}", self.name())
    }

    /// The one of an IRI.
    pub fn of_iri(iri: &str) -> Option<Self> {
        let name = iri.strip_prefix(CHECK)?;
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// Its meaning, for the vocabulary.
    pub fn meaning(self) -> &'static str {
        match self {
            Check::Rule => "finding to the rule that is broken, or class and attribute",
            Check::Severity => "finding to error, warning or notice",
            Check::Kind => "finding to the kind of check, such as type, reference, where-rule or implementer",
            Check::Message => "finding to its sentence",
            Check::At => "finding to line and column in the file as it was loaded",
            Check::Instance => "finding to the number of the instance or object concerned, such as #12",
            Check::Element => "finding to what it is about, where that is a node",
        }
    }
}

/// The IRI of the class of findings.
pub fn class() -> String {
    format!("{CHECK}Finding")
}

/// The findings of one version.
#[derive(Debug, Default)]
pub struct Findings {
    all: Vec<Finding>,
    /// Findings that are counted and not listed.
    left_out: usize,
    by_id: HashMap<String, usize>,
    by_element: HashMap<u32, Vec<usize>>,
    by_text: HashMap<(Check, String), Vec<usize>>,
}

impl Findings {
    /// Findings, and how many more there are that are not among them. Of several with one id the first counts.
    pub fn new(found: Vec<Finding>, left_out: usize) -> Self {
        let mut made = Self { left_out, ..Self::default() };
        for mut finding in found {
            let at = made.all.len();
            if made.by_id.contains_key(&finding.id) {
                made.left_out += 1;
                continue;
            }
            made.by_id.insert(finding.id.clone(), at);
            finding.elements.sort_unstable();
            finding.elements.dedup();
            for element in &finding.elements {
                made.by_element.entry(*element).or_default().push(at);
            }
            for (check, text) in [
                (Check::Rule, finding.rule.as_str()),
                (Check::Severity, finding.severity),
                (Check::Kind, finding.kind.as_str()),
            ] {
                made.by_text.entry((check, text.to_owned())).or_default().push(at);
            }
            made.all.push(finding);
        }
        made
    }

    /// The number of findings.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of those that are counted and not listed.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The place of a finding by its id.
    pub(crate) fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The id of a finding by its place.
    pub(crate) fn id(&self, at: usize) -> &str {
        self.all.get(at).map(|finding| finding.id.as_str()).unwrap_or_default()
    }

    /// The instances or objects that a finding is about.
    pub(crate) fn elements(&self, at: usize) -> &[u32] {
        self.all.get(at).map(|finding| finding.elements.as_slice()).unwrap_or_default()
    }

    /// The findings about an instance or object.
    pub(crate) fn about(&self, element: u32) -> &[usize] {
        self.by_element.get(&element).map(Vec::as_slice).unwrap_or_default()
    }

    /// The text that a finding has by a predicate; none for elements.
    fn text(&self, at: usize, check: Check) -> Option<&str> {
        let finding = self.all.get(at)?;
        match check {
            Check::Rule => Some(&finding.rule),
            Check::Severity => Some(finding.severity),
            Check::Kind => Some(&finding.kind),
            Check::Message => Some(&finding.message),
            Check::At => finding.at.as_deref(),
            Check::Instance => finding.instance.as_deref(),
            Check::Element => None,
        }
    }

    /// The literal that a finding has by a predicate.
    pub(crate) fn literal(&self, at: usize, check: Check) -> Option<Part> {
        self.text(at, check).map(|text| Part::Text(text.into()))
    }

    /// The findings that have a literal by a predicate.
    pub(crate) fn with_literal(&self, check: Check, literal: &Part) -> Vec<usize> {
        let Part::Text(text) = literal else { return Vec::new() };
        if matches!(check, Check::Rule | Check::Severity | Check::Kind) {
            return self.by_text.get(&(check, text.to_string())).cloned().unwrap_or_default();
        }
        (0..self.all.len()).filter(|at| self.text(*at, check) == Some(&**text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_found_by_rule_element_and_text() {
        let finding = |id: &str, rule: &str, elements: &[u32]| Finding {
            id: id.to_owned(),
            rule: rule.to_owned(),
            severity: "error",
            elements: elements.to_vec(),
            ..Finding::default()
        };
        let found =
            vec![finding("a", "GEM051", &[7, 3, 7]), finding("b", "GEM051", &[3]), finding("a", "x", &[])];
        let findings = Findings::new(found, 5);
        assert_eq!((findings.len(), findings.left_out()), (2, 6), "an id is there once");
        assert_eq!(findings.elements(0), [3, 7]);
        assert_eq!(findings.about(3), [0, 1]);
        assert_eq!(findings.with_literal(Check::Rule, &Part::Text("GEM051".into())), [0, 1]);
        assert_eq!(findings.with_literal(Check::Rule, &Part::Integer(51)), [0usize; 0]);
        assert_eq!(findings.literal(1, Check::At), None);
        assert!(Check::ALL.iter().all(|check| Check::of_iri(&check.iri()) == Some(*check)));
    }
}
