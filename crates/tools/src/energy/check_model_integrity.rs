//! The parts of a model that do not hold together, beyond what its schema asks.

use crate::energy_objects::BUDGET;
use crate::{EnergyCall, Reply, Tool, weather_files};
use contract::{
    Effect, Fault, FaultCode, FileNeed, Files, ModelKind, ModelUse, NamedFile, Needs, Operation, Queries,
    Sessions, Source,
};
use energy::integrity::{Issue, IssueKind, Severity, Surroundings, check};
use energy::weather::Epw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

/// The role of the session's weather file.
const WEATHER: &str = "weather";
/// Bytes within which the heading of a weather file ends.
const HEADING: u64 = 256 << 10;
/// The number of objects of one issue that are named.
const OBJECTS: usize = 12;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// At most as many.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = 500, "x-seldom" = true))]
    limit: Option<usize>,
}

/// The query on the model: the tool's arguments, and what is known beside it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Check {
    limit: Option<usize>,
    /// True if the session has a weather file; none if that is not known.
    weather: Option<bool>,
    /// Its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    weather_file: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Row {
    /// `error` (severe to EnergyPlus), `warning` or `notice`.
    severity: String,
    /// Such as `zone_not_closed` or `dangling_node`.
    kind: String,
    message: String,
    /// The remedy, where it is not as for the issue above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    /// Types and names of those that the message does not name; `object_count` says how many there are in all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    objects: Vec<String>,
    object_count: usize,
}

/// The issues.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    issues: Vec<Row>,
    total: usize,
    /// Issues by kind.
    counts: BTreeMap<String, usize>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("check_model_integrity", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .description(
            "What EnergyPlus would call severe before it runs: zones, surfaces, windows, constructions, schedules, nodes, loops, set points, \
             sizing, periods; each with the remedy.",
        )
        .model(ModelUse::Current)
        .with_energy(of_model)
        .example("All", json!({}))
}

async fn run(
    platform: &(impl Files + Queries + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let limit = crate::input::limit(input.limit, 50, 500)?;
    let weather = weather_files::of_session(platform).await?;
    let check = Check {
        limit: Some(limit),
        weather: Some(weather.is_some()),
        weather_file: weather.map(|weather| weather.key),
    };
    let operation =
        Operation { effect: Effect::Query, name: "check_model_integrity".into(), params: json!(check) };
    let file = NamedFile { role: WEATHER.to_owned(), parameter: "weather_file".to_owned() };
    let needs = Needs {
        files: vec![FileNeed::Named(file)],
        ..Needs::model(ModelUse::Current, ModelKind::EnergyPlus)
    };
    let found = platform.query_needing(operation, &needs).await?.result;
    let output = serde_json::from_value(found)
        .map_err(|error| Fault::backend(format!("The issues cannot be read: {error}.")))?;
    Ok(Reply::new(output))
}

fn of_model(call: &mut EnergyCall<'_>, params: Value) -> Result<Value, Fault> {
    let input: Check =
        serde_json::from_value(params).map_err(|error| Fault::invalid("arguments", error.to_string()))?;
    let limit = crate::input::limit(input.limit, 50, 500)?;
    // a weather file that cannot be read is one more issue, and hides none of the model
    let (heading, unreadable) = match heading(call) {
        Ok(heading) => (heading, None),
        Err(fault) => (None, Some(fault)),
    };
    let around = Surroundings { weather: input.weather, heading: heading.as_ref() };
    let issues = unreadable.map(|fault| Issue {
        severity: Severity::Error,
        kind: IssueKind::NoWeatherOrLocation,
        message: fault.message,
        suggestion: "Give the session another with get_weather_summary (use_it) or download_weather_file."
            .to_owned(),
        objects: Vec::new(),
    });
    let issues: Vec<Issue> = issues.into_iter().chain(check(&call.document, around)).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for issue in &issues {
        *counts.entry(word(issue.kind)).or_default() += 1;
    }
    let total = issues.len();
    let (mut rows, mut spent) = (Vec::new(), 0);
    let mut above: Option<String> = None;
    for issue in issues.into_iter().take(limit) {
        let unnamed = issue.objects.iter().filter(|it| !issue.message.contains(&it.name));
        let objects = unnamed.take(OBJECTS).map(|it| format!("{}: {}", it.object_type, it.name));
        let is_new = above.as_ref() != Some(&issue.suggestion);
        let row = Row {
            severity: word(issue.severity),
            kind: word(issue.kind),
            objects: objects.collect(),
            object_count: issue.objects.len(),
            message: issue.message,
            suggestion: is_new.then(|| issue.suggestion.clone()),
        };
        above = Some(issue.suggestion);
        spent += serde_json::to_string(&row).map_or(0, |text| text.len());
        if spent > BUDGET && !rows.is_empty() {
            break;
        }
        rows.push(row);
    }
    let output = Output { issues: rows, total, counts };
    serde_json::to_value(output)
        .map_err(|error| Fault::backend(format!("The issues cannot be written: {error}.")))
}

/// The heading of the weather file that came with the call.
fn heading(call: &EnergyCall<'_>) -> Result<Option<Epw>, Fault> {
    let Some(file) = call.files.iter().find(|file| file.role == WEATHER) else { return Ok(None) };
    let Source::Path(path) = &file.source else { return Ok(None) };
    let unreadable = |error: std::io::Error| {
        Fault::new(FaultCode::UnreadableFile, format!("The session's weather file cannot be read: {error}."))
    };
    let mut bytes = Vec::new();
    File::open(path).map_err(unreadable)?.take(HEADING).read_to_end(&mut bytes).map_err(unreadable)?;
    Epw::read_heading(&bytes).map(Some)
}

/// The spelling of a kind or severity.
fn word(value: impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
