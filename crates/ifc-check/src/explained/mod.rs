//! Rules explained: what each asks, why, what passes and what fails, and where it comes from, in words of our own.
//!
//! Pages lie as data beside this file (`pages/`, TOML): one for each rule of implementers, each kind of finding, each finding on a
//! change, and each label that many WHERE rules share. Severities and titles are those that the rules declare themselves, and the text of
//! a rule in EXPRESS is the schema's. Tests hold that no rule is without a page and no page without a rule.

#[cfg(test)]
mod tests;

use crate::express::{RuleText, RuleTextKind, rule_texts};
use crate::implementer::{Agreement, RULES, rule_of};
use crate::{FindingCode, Severity};
use ifc::SchemaVersion;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// The page of a rule, in our words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    asks: String,
    why: String,
    passes: String,
    fails: String,
    /// Feature, standard and clause; of labels of WHERE rules the class that has it.
    #[serde(default)]
    source: String,
}

type Pages = BTreeMap<String, Page>;

/// A rule, explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Its name, as findings have it: `SPS007`, `IfcWall.CorrectPredefinedType`, `reference`, `sound.overlap`.
    pub rule: String,
    /// The part of the checks that it belongs to.
    pub part: RulePart,
    /// The requirement, in a sentence.
    pub title: String,
    /// The requirement, whole.
    pub asks: String,
    /// The reason for it.
    pub why: String,
    /// The weight of what breaks it; none for what cannot be broken, or does not count in a validation.
    pub severity: Option<Severity>,
    /// False of a rule that its authors have disabled: its findings are told, and never decide whether a model is valid.
    pub active: bool,
    /// An example that passes.
    pub passes: String,
    /// An example that fails.
    pub fails: String,
    /// Where it comes from.
    pub source: String,
    /// The rule in EXPRESS, by the schemas that have it.
    pub express: BTreeMap<&'static str, &'static str>,
}

/// The parts of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RulePart {
    /// Text, header and schema, and the rules written in EXPRESS: kinds of finding.
    Schema,
    /// One rule of the schema written in EXPRESS.
    Express,
    /// buildingSMART's validation rules.
    Implementer,
    /// The look at each change.
    Sound,
}

impl RulePart {
    /// Its name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Express => "rules",
            Self::Implementer => "implementer",
            Self::Sound => "sound",
        }
    }
}

/// Names answered at most where no rule has one.
const NEAR: usize = 8;

const SCHEMAS: [SchemaVersion; 3] = [SchemaVersion::Ifc2x3, SchemaVersion::Ifc4, SchemaVersion::Ifc4x3];

fn read(texts: &[&str]) -> Pages {
    // what cannot be read is no page, and a test looks that all can be
    texts.iter().filter_map(|text| toml::from_str::<Pages>(text).ok()).flatten().collect()
}

fn of_implementers() -> &'static Pages {
    static PAGES: OnceLock<Pages> = OnceLock::new();
    PAGES.get_or_init(|| {
        read(&[
            include_str!("pages/alignments.toml"),
            include_str!("pages/geometry.toml"),
            include_str!("pages/georeference.toml"),
            include_str!("pages/structure.toml"),
        ])
    })
}

fn of_kinds() -> &'static Pages {
    static PAGES: OnceLock<Pages> = OnceLock::new();
    PAGES.get_or_init(|| read(&[include_str!("pages/schema.toml")]))
}

fn of_labels() -> &'static Pages {
    static PAGES: OnceLock<Pages> = OnceLock::new();
    PAGES.get_or_init(|| read(&[include_str!("pages/labels.toml")]))
}

fn of_changes() -> &'static Pages {
    static PAGES: OnceLock<Pages> = OnceLock::new();
    PAGES.get_or_init(|| read(&[include_str!("pages/sound.toml")]))
}

/// Rules that only tell whether a part of the schema is used, and what they look for.
fn of_parts() -> &'static BTreeMap<String, String> {
    static PARTS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    PARTS.get_or_init(|| toml::from_str(include_str!("pages/parts.toml")).unwrap_or_default())
}

/// The findings on a change that have a page, by their kinds: `overlap`.
pub fn explained_changes() -> impl Iterator<Item = &'static str> {
    of_changes().keys().map(String::as_str)
}

/// Explains the rule of a name, in any letter case; else the names near it, the nearest first.
pub fn explain(name: &str) -> Result<Explanation, Vec<String>> {
    let name = name.trim();
    implementer(name)
        .or_else(|| part(name))
        .or_else(|| kind(name))
        .or_else(|| change(name))
        .or_else(|| express(name))
        .ok_or_else(|| near(name))
}

/// Explains every rule that there is.
pub fn explanations() -> Vec<Explanation> {
    let mut all: Vec<Explanation> = RULES.iter().filter_map(|rule| implementer(rule.id)).collect();
    all.extend(of_parts().keys().filter_map(|id| part(id)));
    all.extend(FindingCode::ALL.iter().filter_map(|code| kind(code.as_str())));
    all.extend(explained_changes().filter_map(change));
    let mut express: BTreeMap<String, Vec<(SchemaVersion, RuleText)>> = BTreeMap::new();
    for version in SCHEMAS {
        for rule in rule_texts(version) {
            express.entry(rule.name()).or_default().push((version, rule));
        }
    }
    all.extend(express.into_values().filter_map(|versions| of_express(versions.into_iter())));
    all
}

fn explanation(rule: &str, part: RulePart, page: &Page) -> Explanation {
    Explanation {
        rule: rule.to_owned(),
        part,
        title: String::new(),
        asks: page.asks.clone(),
        why: page.why.clone(),
        severity: None,
        active: true,
        passes: page.passes.clone(),
        fails: page.fails.clone(),
        source: page.source.clone(),
        express: BTreeMap::new(),
    }
}

fn implementer(name: &str) -> Option<Explanation> {
    let rule = rule_of(&name.to_ascii_uppercase())?;
    let page = of_implementers().get(rule.id)?;
    let mut asks = page.asks.clone();
    for exception in rule.exceptions {
        let (about, severity) = (exception.about, exception.severity.as_str());
        let _ = write!(asks, " {about} is only a {severity}: {}.", exception.why);
    }
    Some(Explanation {
        title: rule.title.to_owned(),
        asks,
        severity: Some(rule.agreement.severity()),
        active: rule.agreement != Agreement::NotEnforced,
        ..explanation(rule.id, RulePart::Implementer, page)
    })
}

fn part(name: &str) -> Option<Explanation> {
    let (id, looks_for) = of_parts().get_key_value(&name.to_ascii_uppercase())?;
    let page = Page {
        asks: format!("Nothing: it tells whether a file has this: {looks_for}. It cannot fail."),
        why: "buildingSMART counts by it which parts of the schema are in use.".to_owned(),
        passes: "Every file.".to_owned(),
        fails: "No file.".to_owned(),
        source: format!("{id}; buildingSMART, ifc-gherkin-rules"),
    };
    let title = looks_for.clone();
    Some(Explanation { title, ..explanation(id, RulePart::Implementer, &page) })
}

fn kind(name: &str) -> Option<Explanation> {
    let code = FindingCode::ALL.into_iter().find(|code| code.as_str().eq_ignore_ascii_case(name))?;
    let page = of_kinds().get(code.as_str())?;
    let severity = (code != FindingCode::Implementer).then(|| code.severity());
    let title = format!("Findings of the kind {code}");
    Some(Explanation { title, severity, ..explanation(code.as_str(), RulePart::Schema, page) })
}

fn change(name: &str) -> Option<Explanation> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_prefix("sound.").unwrap_or(&name);
    let (kind, page) = of_changes().get_key_value(name)?;
    let title = format!("Findings of the kind {kind} after a change");
    Some(Explanation { title, ..explanation(&format!("sound.{kind}"), RulePart::Sound, page) })
}

fn express(name: &str) -> Option<Explanation> {
    let called = |version: &SchemaVersion| rule_texts(*version).find(|rule| rule.is_called(name));
    of_express(SCHEMAS.into_iter().filter_map(|version| Some((version, called(&version)?))))
}

/// Explains a rule of the schema by what it is in each version that has it.
fn of_express(versions: impl Iterator<Item = (SchemaVersion, RuleText)>) -> Option<Explanation> {
    let mut found: Option<RuleText> = None;
    let mut texts = BTreeMap::new();
    for (version, rule) in versions {
        texts.insert(version.schema().name(), rule.text);
        found = Some(rule);
    }
    let rule = found?;
    let code = match rule.kind {
        RuleTextKind::Where => FindingCode::WhereRule,
        RuleTextKind::Unique => FindingCode::UniqueRule,
        RuleTextKind::Global => FindingCode::GlobalRule,
    };
    let (of_kind, of_label) = (of_kinds().get(code.as_str())?, of_labels().get(rule.label));
    let name = rule.name();
    let title = match rule.kind {
        RuleTextKind::Where => format!("WHERE rule {} of {}", rule.label, rule.owner),
        RuleTextKind::Unique => format!("UNIQUE rule {} of {}", rule.label, rule.owner),
        RuleTextKind::Global => format!("RULE {} of the schema", rule.owner),
    };
    let mut explained = Explanation {
        title,
        severity: Some(code.severity()),
        express: texts,
        ..explanation(&name, RulePart::Express, of_label.unwrap_or(of_kind))
    };
    if of_label.is_none() {
        explained.asks = match rule.kind {
            RuleTextKind::Where => {
                format!(
                    "Of every {} the expression under `express` is true, where all that it speaks of is given.",
                    rule.owner
                )
            }
            RuleTextKind::Unique => {
                format!(
                    "No two instances of {} have the same values of what stands under `express`.",
                    rule.owner
                )
            }
            RuleTextKind::Global => "What stands under `express` holds for the model as a whole.".to_owned(),
        };
    }
    explained.source = format!(
        "EXPRESS schema of {}, {name}",
        explained.express.keys().copied().collect::<Vec<_>>().join(", ")
    );
    Some(explained)
}

/// Names near a name that no rule has.
fn near(name: &str) -> Vec<String> {
    let mut known: Vec<String> = RULES.iter().map(|rule| rule.id.to_owned()).collect();
    known.extend(of_parts().keys().cloned());
    known.extend(FindingCode::ALL.iter().map(|code| code.as_str().to_owned()));
    known.extend(explained_changes().flat_map(|kind| [kind.to_owned(), format!("sound.{kind}")]));
    known.extend(SCHEMAS.into_iter().flat_map(rule_texts).map(|rule| rule.name()));
    known.sort_unstable();
    known.dedup();
    ifc::schema::near(name, known.iter().map(String::as_str), NEAR).into_iter().map(str::to_owned).collect()
}
