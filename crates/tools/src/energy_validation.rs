//! `validate_model` for EnergyPlus models: the findings in the shape that the tool answers for every kind of model.

use crate::EnergyCall;
use contract::Fault;
use energy::check::{Finding, Options, Severity, check};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// About how many bytes of groups an answer holds.
const BUDGET: usize = 16_000;

#[derive(Deserialize, Default)]
struct Input {
    #[serde(default)]
    object_types: Option<Vec<String>>,
    check_references: Option<bool>,
    parts: Option<Vec<String>>,
    rules: Option<Vec<String>>,
    ids: Option<String>,
    packs: Option<Vec<String>>,
    since: Option<String>,
    report: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// Checks the model against its schema.
pub fn run(call: &mut EnergyCall<'_>, arguments: Value) -> Result<Value, Fault> {
    let input: Input =
        serde_json::from_value(arguments).map_err(|error| Fault::invalid("arguments", error.to_string()))?;
    if let Some(others) = input.parts.filter(|parts| parts.iter().any(|part| part != "schema")) {
        let asked: Vec<&String> = others.iter().filter(|part| *part != "schema").collect();
        return Err(Fault::invalid(
            "parts",
            format!(
                "An EnergyPlus model is checked against its schema and references; {} are parts of checks on IFC models. Leave parts \
                 out, and see check_model_integrity for what a schema does not ask.",
                asked.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(" and ")
            ),
        )
        .with("allowed", ["schema"]));
    }
    if input.rules.is_some() {
        return Err(Fault::invalid(
            "rules",
            "buildingSMART's rules are of IFC models. Leave rules out for an EnergyPlus model.",
        ));
    }
    let of_buildings = [
        ("ids", input.ids.is_some()),
        ("packs", input.packs.is_some()),
        ("since", input.since.is_some()),
        ("report", input.report.is_some()),
    ];
    if let Some((name, _)) = of_buildings.into_iter().find(|(_, is_given)| *is_given) {
        let problem = format!("`{name}` is of IFC models. Leave it out for an EnergyPlus model.");
        return Err(Fault::invalid(name, problem));
    }
    let document = &call.document;
    let types = input.object_types.unwrap_or_default();
    for (at, name) in types.iter().enumerate() {
        if document.schema().get(name).is_none() {
            let near = document.schema().near(name, 5);
            let message = format!("EnergyPlus {} has no type {name}.", document.schema().short_version());
            return Err(Fault::invalid(&format!("object_types[{at}]"), message).with("near_matches", near));
        }
    }
    let start = crate::input::cursor(input.cursor.as_deref())?;
    let limit = crate::input::limit(input.limit, 20, 200)?;
    let options = Options { object_types: &types, references: input.check_references.unwrap_or(true) };
    let found = check(document, options);
    let mut counts = BTreeMap::from([("error", 0), ("warning", 0), ("notice", 0)]);
    let mut groups: BTreeMap<(Severity, String, String), Vec<&Finding>> = BTreeMap::new();
    for finding in &found {
        *counts.entry(level(finding.severity)).or_insert(0) += 1;
        let kind = serde_json::to_value(finding.code).ok().and_then(|code| code.as_str().map(str::to_owned));
        let field = finding.field.as_ref().map(|field| format!(": {field}")).unwrap_or_default();
        let rule = format!("{}{field}", finding.object_type);
        groups.entry((finding.severity, kind.unwrap_or_default(), rule)).or_default().push(finding);
    }
    let group_count = groups.len();
    let (mut shown, mut spent) = (Vec::new(), 0);
    for ((severity, kind, rule), findings) in groups.into_iter().skip(start).take(limit) {
        let first: Vec<Value> = findings
            .iter()
            .take(3)
            .map(|finding| {
                let mut row = json!({"id": finding.name, "message": finding.message});
                let line = finding.handle.and_then(|handle| document.line(handle));
                if let (Some(line), Some(row)) = (line, row.as_object_mut()) {
                    row.insert("at".into(), format!("{line}:1").into());
                }
                row
            })
            .collect();
        let group = json!({"level": level(severity), "kind": kind, "rule": rule, "count": findings.len(), "first": first});
        spent += group.to_string().len();
        shown.push(group);
        if spent > BUDGET {
            break;
        }
    }
    let next = start + shown.len();
    let mut answer = json!({
        "valid": counts.get("error") == Some(&0),
        "schema": format!("EnergyPlus {}", document.schema().version()),
        "checked": ["schema"],
        "counts": counts,
        "groups": shown,
        "group_count": group_count,
    });
    if let (true, Some(answer)) = (next < group_count, answer.as_object_mut()) {
        answer.insert("next_cursor".into(), next.to_string().into());
    }
    Ok(answer)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
