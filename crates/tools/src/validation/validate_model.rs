//! Everything that is wrong with the model in one report: syntax, header, types, cardinalities, references, the schema's rules and the
//! agreements of implementers; on request the constraints that every building keeps, requirements of an IDS and packs of rules. Grouped
//! by what is broken so that an agent can read it, with a line on each family.

use crate::elements::id_of;
use crate::report::{
    self, Family, Group, Grouped, Issue, LISTED_SINGLY, Level, Line, Requested, Since, State, USUAL, Wish,
};
use crate::validation::check_ids;
use crate::waivers::{self, Waived};
use crate::{IfcCall, Tool, energy_validation, rule_packs};
use contract::{Effect, Fault, FileNeed, NamedFile, Server};
use ifc::{Id, Model};
use ifc_check::implementer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// About how many bytes of groups an answer holds.
const BUDGET: usize = 16_000;
/// Findings of one kind that are listed; the others are counted.
const LISTED: usize = 100;
/// The role of the earlier version.
const SINCE: &str = "since";

/// A file of the whole report.
#[derive(Debug, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Format {
    /// A page with pictures, to read and print.
    Html,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Only these IFC classes or EnergyPlus types.
    object_types: Option<Vec<String>>,
    /// Also references and inverse attributes.
    #[schemars(extend("default" = true, "x-seldom" = true))]
    check_references: Option<bool>,
    /// IFC: by default the first three, and what is given.
    parts: Option<Vec<Family>>,
    /// Only these of buildingSMART's rules: codes or families.
    #[schemars(extend("x-seldom" = true))]
    rules: Option<Vec<String>>,
    /// Also an IDS: path, bucket key or text.
    #[schemars(extend("x-seldom" = true))]
    ids: Option<String>,
    /// Also packs: ada-2010, … or your own.
    #[schemars(extend("x-seldom" = true))]
    packs: Option<Vec<String>>,
    /// Earlier version: only what is new since.
    #[schemars(extend("x-seldom" = true))]
    since: Option<String>,
    /// The whole as a page with pictures.
    #[schemars(extend("x-seldom" = true))]
    report: Option<Format>,
    /// Groups at most.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = 200, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// One kind of finding.
#[derive(Debug, Serialize, JsonSchema)]
struct GroupRow {
    level: Level,
    /// `type`, `reference`, `where-rule`, `implementer`, `constraint`, `ids`, `pack`, …
    kind: String,
    /// The rule, with what its exception is about; else class and attribute.
    rule: String,
    /// The demand of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    count: usize,
    /// The first few.
    first: Vec<Row>,
}

/// One finding.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Line and column in the file as it was loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    message: String,
    /// The finding's own id, for waive_findings.
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<String>,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// No errors in what was checked.
    valid: bool,
    schema: String,
    checked: Vec<Family>,
    /// A line on each family that was checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    families: Vec<Line>,
    /// Findings by level.
    counts: BTreeMap<Level, usize>,
    groups: Vec<GroupRow>,
    /// Groups in all.
    group_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<Since>,
    /// Findings that were waived, and are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waived: Vec<Waived>,
    #[serde(skip_serializing_if = "Option::is_none")]
    waived_count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("validate_model", Effect::Query, run)
        .description(
            "Checks an IFC model against its schema, WHERE and buildingSMART's rules, on request constraints, an IDS, packs; an EnergyPlus \
             model against schema and references.",
        )
        .any_kind()
        .also_on(Server::Energy)
        .with_energy(energy_validation::run)
        .further_version(SINCE, "since")
        .file(FileNeed::Named(NamedFile {
            role: check_ids::FILE.to_owned(),
            parameter: check_ids::FILE.to_owned(),
        }))
        .file(rule_packs::need("packs"))
        .makes_files()
        .long()
        .example("Everything that the file keeps", json!({}))
        .example("What holds of alignments", json!({ "rules": ["ALB", "ALS016"] }))
        .example("Walls against the schema", json!({ "object_types": ["IfcWall"], "parts": ["schema"] }))
        .example(
            "The building as a page to print: constraints and the quality of the model",
            json!({ "parts": ["constraints", "packs"], "packs": ["model-quality"], "report": "html" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 20, 200)?;
    let requested = requested(call, &input)?;
    let mut found = report::found(State::Now(call), &requested)?;
    let waived = found.waive(call.edit.model());
    let since = match input.since {
        Some(_) => {
            let version = std::sync::Arc::clone(call.version(SINCE)?);
            let before = report::found(State::Earlier(version.as_ref(), call.watch.as_ref()), &requested)?;
            Some(found.since(&before))
        }
        None => None,
    };
    found.word();
    let grouped = report::grouped(&found);
    if let Some(Format::Html) = input.report {
        let page = report::page::html(call, &found, &grouped, &waived, since.as_ref())?;
        call.make_file("report", "findings.html", "text/html", &mut |out| out.write_all(page.as_bytes()))?;
    }
    let model = call.edit.model();
    let shown = shown(model, &grouped, start, limit);
    let (group_count, next) = (grouped.groups.len(), start + shown.len());
    Ok(Output {
        valid: grouped.counts.get(&Level::Error) == Some(&0),
        schema: model.schema().name().to_owned(),
        checked: requested.families,
        counts: grouped.counts,
        groups: shown,
        group_count,
        since,
        waived_count: (!waived.is_empty()).then_some(waived.len()),
        waived: waivers::told(waived),
        next_cursor: (next < group_count).then(|| next.to_string()),
        families: found.lines,
        notes: found.notes,
    })
}

/// The groups from a place on, as many as an answer holds.
fn shown(model: &Model, grouped: &Grouped<'_>, start: usize, limit: usize) -> Vec<GroupRow> {
    let (mut shown, mut spent) = (Vec::new(), 0);
    for group in grouped.groups.iter().skip(start).take(limit) {
        let group = told(model, group);
        spent += group.first.iter().map(|row| row.message.len() + 90).sum::<usize>() + 120;
        shown.push(group);
        if spent > BUDGET {
            break;
        }
    }
    shown
}

/// The demands of a call.
fn requested(call: &IfcCall, input: &Input) -> Result<Requested, Fault> {
    let model = call.edit.model();
    let classes = classes(model, input.object_types.clone().unwrap_or_default())?;
    let is_single = !classes.is_empty() || input.since.is_some() || !waivers::read(model).is_empty();
    let rules = input.rules.clone().map(rules).transpose()?;
    let implementer = [Family::Implementer];
    let parts = match (&input.parts, &rules) {
        (Some(parts), Some(_)) if parts.iter().any(|part| *part != Family::Implementer) => {
            return Err(Fault::invalid(
                "rules",
                "Rules of buildingSMART are of the part implementer. Leave out parts, or rules.",
            ));
        }
        (_, Some(_)) => Some(&implementer[..]),
        (parts, None) => parts.as_deref(),
    };
    let wish =
        Wish { parts, ids: input.ids.as_deref(), packs: input.packs.as_deref(), usual: &USUAL, within: "" };
    Ok(Requested {
        rules,
        references: input.check_references.unwrap_or(true),
        classes,
        listed: if is_single { LISTED_SINGLY } else { LISTED },
        ..Requested::new(call, &wish)?
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

/// A group as an answer tells it.
fn told(model: &Model, group: &Group<'_>) -> GroupRow {
    GroupRow {
        level: group.level,
        kind: group.kind.to_owned(),
        rule: group.rule.to_owned(),
        title: group.title.map(str::to_owned),
        count: group.count,
        first: group.issues.iter().take(3).map(|(finding, issue)| row(model, finding, issue)).collect(),
    }
}

fn row(model: &Model, finding: &str, issue: &Issue) -> Row {
    let id = |id: &Id| if model.contains(*id) { id_of(model, *id) } else { id.to_string() };
    Row {
        id: issue.elements.first().map(id),
        at: issue.at.clone(),
        message: issue.message.clone(),
        finding: Some(finding.to_owned()),
    }
}
