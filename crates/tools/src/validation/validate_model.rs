//! Everything that is wrong with the model: syntax, header, types, cardinalities, references, the schema's rules and the
//! agreements of implementers, grouped by what is broken so that an agent can read it.

use crate::elements::id_of;
use crate::{IfcCall, Tool, energy_validation};
use contract::{Effect, Fault, Server};
use ifc::{Id, Model};
use ifc_check::implementer;
use ifc_check::{Finding, FindingCode, Severity, ValidationOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// About how many bytes of groups an answer holds.
const BUDGET: usize = 16_000;
/// Findings of one group that are looked at when only some classes are asked for.
const LOOKED_AT: usize = 100_000;

/// A part of the checks.
#[derive(Deserialize, Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Part {
    /// Syntax, header, types, cardinalities, references, GlobalIds.
    Schema,
    /// WHERE, UNIQUE and global rules.
    Rules,
    /// buildingSMART's validation rules.
    Implementer,
}

/// The weight of a finding.
#[derive(Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum Level {
    Error,
    Warning,
    Notice,
}

/// The tool's arguments.
#[derive(Deserialize, JsonSchema)]
pub struct Input {
    /// Only these IFC classes or EnergyPlus types.
    object_types: Option<Vec<String>>,
    /// Also references and inverse attributes.
    #[schemars(extend("default" = true, "x-seldom" = true))]
    check_references: Option<bool>,
    /// Of IFC models only these; without it all.
    parts: Option<Vec<Part>>,
    /// Only these of buildingSMART's rules: codes or families.
    #[schemars(extend("x-seldom" = true))]
    rules: Option<Vec<String>>,
    /// Groups at most.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = 200, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// One kind of finding.
#[derive(Serialize, JsonSchema)]
struct Group {
    level: Level,
    /// `type`, `reference`, `where-rule`, `implementer`, …
    kind: &'static str,
    /// The rule, with what its exception is about; else class and attribute.
    rule: String,
    /// The demand of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    count: usize,
    /// The first few.
    first: Vec<Row>,
}

/// One finding.
#[derive(Serialize, JsonSchema)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Line and column in the file as it was loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    message: String,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// No errors.
    valid: bool,
    schema: String,
    checked: Vec<Part>,
    /// Findings by level.
    counts: BTreeMap<Level, usize>,
    groups: Vec<Group>,
    /// Groups in all.
    group_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("validate_model", Effect::Query, run)
        .description(
            "Checks an IFC model against ISO 10303-21, its schema with WHERE rules and buildingSMART's rules, an \
             EnergyPlus model against its schema and references. Groups of findings, worst first; explain_rule explains one.",
        )
        .any_kind()
        .also_on(Server::Energy)
        .with_energy(energy_validation::run)
        .example("Everything", json!({}))
        .example("What holds of alignments", json!({ "rules": ["ALB", "ALS016"] }))
        .example("Walls against the schema", json!({ "object_types": ["IfcWall"], "parts": ["schema"] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let model = call.edit.model();
    let rules = input.rules.map(rules).transpose()?;
    let mut parts = match (input.parts, &rules) {
        (Some(parts), Some(_)) if parts.iter().any(|part| *part != Part::Implementer) => {
            return Err(Fault::invalid(
                "rules",
                "Rules of buildingSMART are of the part implementer. Leave out parts, or rules.",
            ));
        }
        (_, Some(_)) => vec![Part::Implementer],
        (parts, None) => parts.unwrap_or_else(|| vec![Part::Schema, Part::Rules, Part::Implementer]),
    };
    parts.sort_unstable();
    parts.dedup();
    let classes = classes(model, input.object_types.unwrap_or_default())?;
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 20, 200)?;
    let all = classes.is_empty();
    let watch = call.watch.as_ref();
    let go_on = |part: &'static str, done: usize, total: usize| {
        if done == 0 {
            watch.begins(part);
        }
        watch.at(done as u64, total as u64)
    };
    let options = ValidationOptions {
        schema: parts.contains(&Part::Schema),
        rules: parts.contains(&Part::Rules),
        implementer: parts.contains(&Part::Implementer),
        limit: if all { 100 } else { LOOKED_AT },
    };
    let found = match &rules {
        Some(rules) => ifc_check::validate_rules(model, rules, options.limit, &go_on),
        None => ifc_check::validate_while(model, &options, &go_on),
    };
    let Some(report) = found else {
        return Err(Fault::given_up("validate_model"));
    };
    let references = input.check_references.unwrap_or(true);
    let wanted = |finding: &Finding| {
        let of_class = all
            || finding
                .id
                .and_then(|id| model.get(id))
                .is_some_and(|i| classes.iter().any(|class| i.is_a(class)));
        of_class && (references || !matches!(finding.code, FindingCode::Reference | FindingCode::Inverse))
    };
    let mut groups: BTreeMap<(Level, FindingCode, String), (usize, Vec<&Finding>)> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| wanted(finding)) {
        let group = groups.entry((level(finding), finding.code, finding.subject())).or_default();
        group.0 += 1;
        if group.1.len() < 3 {
            group.1.push(finding);
        }
    }
    if all {
        // those that are counted but not listed belong to the last group of their kind and subject
        for counted in &report.groups {
            let listed: usize = groups
                .iter()
                .filter(|((_, code, subject), _)| *code == counted.code && *subject == counted.subject)
                .map(|(_, (count, _))| count)
                .sum();
            let group = groups
                .iter_mut()
                .rfind(|((_, code, subject), _)| *code == counted.code && *subject == counted.subject);
            if let Some((_, (count, _))) = group {
                *count += counted.count.saturating_sub(listed);
            }
        }
    }
    let mut counts = BTreeMap::from([(Level::Error, 0), (Level::Warning, 0), (Level::Notice, 0)]);
    for ((level, _, _), (count, _)) in &groups {
        *counts.entry(*level).or_default() += count;
    }
    let group_count = groups.len();
    let (mut shown, mut spent) = (Vec::new(), 0);
    for ((level, code, rule), (count, first)) in groups.into_iter().skip(start).take(limit) {
        let group = Group {
            level,
            kind: code.as_str(),
            title: rule.split(' ').next().and_then(implementer::rule_of).map(|rule| rule.title),
            rule,
            count,
            first: first.into_iter().map(|finding| row(model, finding)).collect(),
        };
        spent += group.first.iter().map(|row| row.message.len() + 60).sum::<usize>() + 120;
        shown.push(group);
        if spent > BUDGET {
            break;
        }
    }
    let next = start + shown.len();
    Ok(Output {
        valid: counts.get(&Level::Error) == Some(&0),
        schema: model.schema().name().to_owned(),
        checked: parts,
        counts,
        groups: shown,
        group_count,
        next_cursor: (next < group_count).then(|| next.to_string()),
    })
}

/// The rules of these codes and families.
fn rules(names: Vec<String>) -> Result<Vec<&'static implementer::Rule>, Fault> {
    let mut all: Vec<&implementer::Rule> = Vec::new();
    for (at, name) in names.into_iter().enumerate() {
        let found = implementer::rules_called(&name).map_err(|near| {
            let name: String = name.chars().take(80).collect();
            let message = format!("No rule and no family is called '{name}'. Give a code such as SPS007, or a family such as SPS.");
            Fault::invalid(&format!("rules[{at}]"), message).with("near_matches", near)
        })?;
        all.extend(found);
    }
    // one asked for twice is held once
    let mut seen = BTreeSet::new();
    all.retain(|rule| seen.insert(rule.id));
    if all.is_empty() {
        return Err(Fault::invalid("rules", "Give at least one code or family, or leave rules out."));
    }
    Ok(all)
}

/// The classes asked for, as the schema spells them.
fn classes(model: &Model, names: Vec<String>) -> Result<Vec<String>, Fault> {
    let schema = model.schema();
    let known = |(at, name): (usize, String)| match schema.entity(name.trim()) {
        Some(entity) => Ok(entity.name.to_owned()),
        None => Err(Fault::invalid(
            &format!("object_types[{at}]"),
            format!("{} has no class {name}.", schema.name()),
        )
        .with("near_matches", schema.near_entities(&name, 5))),
    };
    names.into_iter().enumerate().map(known).collect()
}

/// The level of a finding, by the published table.
fn level(finding: &Finding) -> Level {
    match finding.severity() {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
        Severity::Notice => Level::Notice,
    }
}

fn row(model: &Model, finding: &Finding) -> Row {
    let id = |id: Id| if model.contains(id) { id_of(model, id) } else { id.to_string() };
    Row {
        id: finding.id.map(id),
        at: (finding.line > 0).then(|| format!("{}:{}", finding.line, finding.column)),
        message: finding.message.clone(),
    }
}
