//! A rule of the checks in words: what it asks and why, what passes and what fails, where it comes from.

use crate::pack_library::{self, ENDINGS, PackFile, RULE_PACKS};
use crate::rule_packs::Asked;
use crate::{Reply, Tool};
use contract::{Effect, Fault, FaultCode, Files, Toolset};
use ifc::SchemaVersion;
use ifc_check::{Explanation, explain, explanations};
use knowledge::Section;
use knowledge::corpora::catalogue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use validation::packs::{self, Pack};
use validation::{RulePage, constraints, egress, fire};

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As findings name it: `SPS007`, `IfcWall.CorrectPredefinedType`, `reference`, `sound.overlap`, `egress.dead_end`,
    /// `ada-2010.404.2.3`.
    rule: String,
}

/// The rule.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    rule: String,
    /// The part of `validate_model` that holds it, `sound` (what tools look at after a change), `constraints`, `fire`, `egress`, or the
    /// pack.
    part: String,
    title: String,
    /// The clause of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<String>,
    asks: String,
    why: String,
    /// `error`, `warning`, `notice`; none for what cannot fail or is no finding of a validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    /// False: disabled by its authors, told as a notice, never decides `valid`.
    active: bool,
    /// An example that passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<String>,
    /// An example that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    fails: Option<String>,
    /// Parameters of a rule of a pack: value and meaning.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    source: String,
    /// The rule in EXPRESS, by schema.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    express: BTreeMap<&'static str, &'static str>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("explain_rule", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .toolset(Toolset::Compliance)
        .description(
            "Explains a rule that a finding names: what it asks, why, what passes and fails, its source.",
        )
        .example("Where elements are contained", json!({ "rule": "SPS007" }))
        .example("Clear width of doors", json!({ "rule": "ada-2010.404.2.3" }))
        .example("A WHERE rule", json!({ "rule": "IfcWall.CorrectPredefinedType" }))
}

pub(crate) async fn run(platform: &(impl Files + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let known = explained(&input);
    if known.is_ok() || !input.rule.contains('.') {
        return known;
    }
    let files = platform.library_files(RULE_PACKS, &ENDINGS).await?;
    of_files(&input.rule, &pack_library::read_all(files)).map_or(known, |found| Ok(Reply::new(found)))
}

/// A rule of a pack of the caller's own.
fn of_files(name: &str, files: &[PackFile]) -> Option<Output> {
    files.iter().find_map(|file| match &file.pack {
        Ok(Asked::Rules(pack)) => rule_of(pack, name.trim()),
        _ => None,
    })
}

fn explained(input: &Input) -> Result<Reply<Output>, Fault> {
    let name = input.rule.trim();
    if let Some(found) = constraint(name).or_else(|| page(name)).or_else(|| of_pack(name)) {
        return Ok(Reply::new(found));
    }
    let found = explain(name).map(of_checks).map_err(|mut near| {
        near.extend(crate::input::near_matches(name, others().iter().map(String::as_str)));
        near.truncate(8);
        // a name of any length may be given
        let name: String = name.chars().take(80).collect();
        Fault::new(
            FaultCode::NotFound,
            format!("No rule is called '{name}'. Give the code of a rule, a rule of the schema as Class.Rule, a kind of finding, a constraint or pack.rule, as findings name them."),
        )
        .with("field", "rule")
        .with("near_matches", near)
    })?;
    Ok(Reply::new(found))
}

/// Every rule that comes with the program, as sections to search: those of packs by pack, all others by their names.
pub(crate) fn sections() -> Vec<Section> {
    let constraints = constraints::constraints().filter_map(|own| constraint(own.id));
    let all = explanations().into_iter().map(of_checks);
    let all = all.chain(constraints).chain(pages().filter_map(|own| page(own.id)));
    let one = |own: Output| catalogue::RulePage {
        text: own.text(),
        versions: versions_with(&own.express),
        code: own.rule,
        title: own.title,
        part: own.part,
    };
    let mut sections = catalogue::rules(all.map(one).collect());
    for pack in packs::shipped() {
        let of_pack = pack.rules.iter().filter_map(|rule| {
            let own = rule_of(pack, &format!("{}.{}", pack.id, rule.id))?;
            let text = own.text();
            Some(catalogue::PackRule { pack: pack.id.clone(), rule: rule.id.clone(), title: own.title, text })
        });
        sections.extend(catalogue::packs(of_pack.collect()));
    }
    sections
}

/// The versions whose schema has a rule.
fn versions_with(express: &BTreeMap<&'static str, &'static str>) -> Vec<String> {
    let has = |version: &SchemaVersion| express.contains_key(version.schema().name());
    SchemaVersion::ALL.into_iter().filter(has).map(|version| version.as_str().to_owned()).collect()
}

impl Output {
    /// The rule as a page to read.
    fn text(&self) -> String {
        let mut lines = vec![self.asks.clone(), self.why.clone()];
        let labelled = [
            ("Clause", self.clause.clone()),
            ("Passes", self.passes.clone()),
            ("Fails", self.fails.clone()),
            ("Suggestion", self.suggestion.clone()),
            ("Source", Some(self.source.clone())),
        ];
        lines.extend(labelled.into_iter().filter_map(|(label, text)| Some(format!("{label}: {}", text?))));
        lines.extend(self.parameters.iter().map(|(name, means)| format!("Parameter {name}: {means}")));
        // the schemas mostly agree
        let mut told: Vec<&str> = Vec::new();
        for (schema, text) in &self.express {
            if !told.contains(text) {
                told.push(text);
                lines.push(format!("{schema}: {text}"));
            }
        }
        lines.retain(|line| !line.trim().is_empty());
        lines.join("\n")
    }
}

/// A rule of the checks on files.
fn of_checks(found: Explanation) -> Output {
    Output {
        rule: found.rule,
        part: found.part.as_str().to_owned(),
        title: found.title,
        clause: None,
        asks: found.asks,
        why: found.why,
        severity: found.severity.map(ifc_check::Severity::as_str),
        active: found.active,
        passes: Some(found.passes),
        fails: Some(found.fails),
        parameters: BTreeMap::new(),
        suggestion: None,
        source: found.source,
        express: found.express,
    }
}

/// The identifiers of all constraints, rules of fire and egress, and rules of packs.
fn others() -> Vec<String> {
    let of_pack = |pack: &Pack| -> Vec<String> {
        pack.rules.iter().map(|rule| format!("{}.{}", pack.id, rule.id)).collect()
    };
    let constraints = constraints::constraints().map(|own| own.id.to_owned());
    constraints
        .chain(pages().map(|page| page.id.to_owned()))
        .chain(packs::shipped().iter().flat_map(of_pack))
        .collect()
}

/// A constraint, with or without the word before its name.
fn constraint(name: &str) -> Option<Output> {
    let own = constraints::constraints().find(|own| own.id == name)?;
    Some(Output {
        rule: own.id.to_owned(),
        part: "constraints".to_owned(),
        title: own.title.to_owned(),
        clause: None,
        asks: own.text.to_owned(),
        why: own.why.to_owned(),
        severity: Some(own.severity.as_str()),
        active: true,
        passes: None,
        fails: None,
        parameters: BTreeMap::new(),
        suggestion: None,
        source: "validate_constraints".to_owned(),
        express: BTreeMap::new(),
    })
}

/// The rules of fire and egress.
fn pages() -> impl Iterator<Item = &'static RulePage> {
    fire::rules().iter().chain(egress::rules())
}

/// A rule of fire or egress.
fn page(name: &str) -> Option<Output> {
    let own = pages().find(|page| page.id == name)?;
    Some(Output {
        rule: own.id.to_owned(),
        part: own.id.split('.').next().unwrap_or_default().to_owned(),
        title: own.title.to_owned(),
        clause: own.clause.map(str::to_owned),
        asks: own.text.to_owned(),
        why: own.why.to_owned(),
        severity: Some(own.severity.as_str()),
        active: true,
        passes: Some(own.passes.to_owned()),
        fails: Some(own.fails.to_owned()),
        parameters: BTreeMap::new(),
        suggestion: None,
        source: own.source.to_owned(),
        express: BTreeMap::new(),
    })
}

/// A rule of a pack, by the pack's identifier and its own.
fn of_pack(name: &str) -> Option<Output> {
    packs::shipped().iter().find_map(|pack| rule_of(pack, name))
}

/// A rule of one pack, where the name begins with the pack's.
fn rule_of(pack: &Pack, name: &str) -> Option<Output> {
    name.strip_prefix(pack.id.as_str()).filter(|rest| rest.starts_with('.'))?;
    let rule = pack.rule(name)?;
    let parameters =
        rule.parameters.iter().map(|own| (own.name.clone(), format!("{}: {}", own.default, own.means)));
    Some(Output {
        rule: format!("{}.{}", pack.id, rule.id),
        part: pack.id.clone(),
        title: rule.title.clone(),
        clause: Some(rule.clause.clone()),
        asks: rule.text.clone(),
        why: rule.why.clone(),
        severity: Some(rule.severity.as_str()),
        active: true,
        passes: None,
        fails: None,
        parameters: parameters.collect(),
        suggestion: Some(rule.suggestion.clone()),
        source: source(pack, rule),
        express: BTreeMap::new(),
    })
}

/// The source of a rule, and how far its figures can be relied on.
fn source(pack: &Pack, rule: &packs::Rule) -> String {
    let own = if rule.source.is_empty() { &pack.source } else { &rule.source };
    let verified = if rule.verified { "compared with the text" } else { "not compared with the text" };
    format!("{own}; figures {verified}")
}

#[cfg(test)]
mod tests {
    use super::{Input, explained, pages};

    #[test]
    fn every_rule_of_fire_and_egress_is_explained_and_named_where_a_name_is_wrong() {
        for page in pages() {
            let told = explained(&Input { rule: format!(" {} ", page.id) }).unwrap().answer;
            assert_eq!((told.rule.as_str(), told.severity), (page.id, Some(page.severity.as_str())));
            assert!(page.id.starts_with(&format!("{}.", told.part)), "{}", page.id);
            assert_eq!(told.passes.as_deref(), Some(page.passes));
        }
        assert!(pages().count() > 15);
        let fault = explained(&Input { rule: "egress.travel_distanse".to_owned() }).err().unwrap();
        assert!(fault.data["near_matches"].to_string().contains("egress.travel_distance"), "{fault}");
    }
}
