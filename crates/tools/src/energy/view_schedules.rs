//! The values of schedules on each hour of a year: days that differ, and when they hold.

use crate::energy_results::{BUDGET, fit, weight};
use crate::{EnergyCall, Reply, Tool, parse};
use contract::{Effect, Fault, FaultCode, FileInput, ModelUse, Operation, Queries, Source};
use energy::idf::Object;
use energy::schedules::{Calendar, DAY_TYPES, YearOfHours, all, resolve};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Days of one schedule that are shown.
const PROFILES: usize = 40;
/// Files that are asked for.
const FILES: usize = 50;
/// The most bytes of a file with values: a minute's worth of many columns for a year.
const LARGEST: u64 = 256 << 20;

/// The tool's arguments.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// One schedule; without it all in short.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Year whose weekdays count.
    #[schemars(extend("default" = 2024, "x-seldom" = true))]
    year: Option<i32>,
}

/// A day, and when it holds.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Profile {
    /// Days of the year.
    days: usize,
    /// Kinds of days on which it holds, such as `Monday` or `Holiday`.
    on: Vec<String>,
    /// First and last date.
    from: String,
    until: String,
    /// Means of the 24 hours, those alike together: until which hour, which value.
    until_hour: Vec<(usize, f64)>,
}

/// One schedule.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Told {
    name: String,
    object_type: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    type_limits: String,
    minimum: f64,
    maximum: f64,
    mean: f64,
    /// The number of different days.
    profile_count: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    profiles: Vec<Profile>,
    /// On the design days for cooling and heating, where they are days of their own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    design_days: BTreeMap<String, Vec<(usize, f64)>>,
    /// Kinds of days of which it says nothing in some part of the year: they count as 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unsaid: Vec<String>,
    /// The year, for the page: how many days on end, which profile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calendar: Vec<(usize, usize)>,
}

/// A schedule that cannot be told.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Skipped {
    name: String,
    reason: String,
}

/// The schedules.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    year: i32,
    /// Hours of that year.
    hours: usize,
    total: usize,
    schedules: Vec<Told>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<Skipped>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    /// Files with values that are not among yours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing_files: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("view_schedules", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .model(ModelUse::Current)
        .with_energy(read)
        .description("Schedules over a year as EnergyPlus reads them: days that differ, and when they hold.")
        .page("ui://pensaer/energy-schedules")
        .example("All in short", json!({}))
}

async fn run(platform: &(impl Queries + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let params = json!(input);
    let operation = Operation { effect: Effect::Query, name: "view_schedules".into(), params };
    let read = platform.query_with_named_files(operation).await?;
    let output = serde_json::from_value(read.result)
        .map_err(|error| Fault::backend(format!("The schedules were not answered as such: {error}.")))?;
    Ok(Reply::new(output))
}

/// The content of the upload under the name by which a schedule calls its file.
fn given(files: &[FileInput], name: &str) -> Option<Vec<u8>> {
    let file = files.iter().find(|file| file.role.strip_prefix("file:") == Some(name))?;
    match &file.source {
        Source::Path(path) if std::fs::metadata(path).is_ok_and(|about| about.len() <= LARGEST) => {
            std::fs::read(path).ok()
        }
        source => source.inline_bytes(),
    }
}

fn read(call: &mut EnergyCall<'_>, params: Value) -> Result<Value, Fault> {
    let mut params = params;
    if let Some(members) = params.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    let input: Input = parse(params, &["name", "year"].map(str::to_owned))?;
    serde_json::to_value(schedules(call, input)?)
        .map_err(|error| Fault::backend(format!("The answer cannot be written: {error}.")))
}

fn schedules(call: &EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let document = &call.document;
    let year = input.year.unwrap_or(2024);
    if !(1900..=2100).contains(&year) {
        return Err(Fault::invalid("year", "Give a year from 1900 to 2100."));
    }
    let calendar = Calendar::from_document(document, year);
    let wanted = input.name.as_deref().map(str::trim);
    let chosen: Vec<Object<'_>> = all(document)
        .filter(|object| wanted.is_none_or(|name| object.name().eq_ignore_ascii_case(name)))
        .collect();
    if let (Some(name), true) = (wanted, chosen.is_empty()) {
        let names: Vec<&str> = all(document).map(|object| object.name()).collect();
        let near = energy::schema::nearest(name, names.iter().copied(), 5);
        let message =
            format!("The model has no schedule {name:?}, but {}. Leave name out to see them.", names.len());
        return Err(Fault::new(FaultCode::ElementNotFound, message).with("near_matches", near));
    }
    let mut output = Output {
        year,
        hours: calendar.days.len() * 24,
        total: chosen.len(),
        schedules: Vec::new(),
        skipped: Vec::new(),
        problems: calendar.problems.clone(),
        notice: None,
        missing_files: Vec::new(),
    };
    let missing = RefCell::new(BTreeSet::new());
    let read_file = |name: &str| {
        let bytes = given(call.files, name);
        if bytes.is_none() {
            missing.borrow_mut().insert(name.to_owned());
        }
        bytes
    };
    for object in chosen {
        match resolve(object, &calendar, &read_file) {
            Ok(year) => output.schedules.push(told(object, &calendar, &year, wanted.is_some())),
            Err(reason) => output.skipped.push(Skipped { name: object.label(), reason }),
        }
    }
    output.missing_files = missing.into_inner().into_iter().take(FILES).collect();
    bound(&mut output, wanted.is_some());
    Ok(output)
}

/// Leaves out what is too much, the least needed first.
fn bound(output: &mut Output, one: bool) {
    let skipped = fit(&mut output.skipped, BUDGET / 4);
    output.problems.truncate(20);
    if weight(output) <= BUDGET {
        if skipped > 0 {
            output.notice = Some(format!("{skipped} more schedules cannot be told."));
        }
        return;
    }
    if one {
        for schedule in &mut output.schedules {
            schedule.calendar.clear();
            fit(&mut schedule.profiles, BUDGET / 2);
        }
        output.notice = Some("More days differ than are shown.".to_owned());
        return;
    }
    for keep in [3, 1, 0] {
        for schedule in &mut output.schedules {
            schedule.design_days.clear();
            schedule.profiles.truncate(keep);
        }
        if weight(output) <= BUDGET {
            break;
        }
    }
    let head = weight(output) - weight(&output.schedules);
    let left = fit(&mut output.schedules, BUDGET.saturating_sub(head));
    output.notice = Some(match left {
        0 => "Days are left out; give a name to see a schedule whole.".to_owned(),
        left => format!("{left} schedules and some days are left out; give a name to see one whole."),
    });
}

fn told(object: Object<'_>, calendar: &Calendar, year: &YearOfHours, whole: bool) -> Told {
    let (mut minimum, mut maximum, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
    for value in year.hours() {
        minimum = minimum.min(value);
        maximum = maximum.max(value);
        sum += value;
        count += 1.0;
    }
    let mut profiles: Vec<Profile> = Vec::new();
    for (at, hours) in year.profiles.iter().enumerate().take(PROFILES) {
        let holds =
            year.days.iter().zip(&calendar.days).filter(|(which, _)| **which == at).map(|(_, day)| day);
        let mut on = [false; DAY_TYPES.len()];
        let (mut days, mut from, mut until) = (0, String::new(), String::new());
        for day in holds {
            days += 1;
            if from.is_empty() {
                from = day.label();
            }
            until = day.label();
            if let Some(mark) = on.get_mut(day.kind) {
                *mark = true;
            }
        }
        let on = DAY_TYPES.iter().zip(on).filter(|(_, on)| *on).map(|(name, _)| (*name).to_owned()).collect();
        profiles.push(Profile { days, on, from, until, until_hour: steps(hours) });
    }
    let mut design_days = BTreeMap::new();
    for (name, hours) in ["cooling", "heating"].into_iter().zip(year.design_days) {
        if let Some(hours) = hours.filter(|hours| !year.profiles.contains(hours)) {
            design_days.insert(name.to_owned(), steps(&hours));
        }
    }
    Told {
        name: object.label(),
        object_type: object.type_name().to_owned(),
        type_limits: object.get("schedule_type_limits_name").unwrap_or_default().to_owned(),
        minimum: rounded(minimum),
        maximum: rounded(maximum),
        mean: rounded(sum / count),
        profile_count: year.profiles.len(),
        profiles,
        design_days,
        unsaid: year.unsaid.iter().map(|name| (*name).to_owned()).collect(),
        calendar: if whole { runs(&year.days) } else { Vec::new() },
    }
}

/// Hours of one value together.
fn steps(hours: &[f64; 24]) -> Vec<(usize, f64)> {
    let mut steps: Vec<(usize, f64)> = Vec::new();
    for (hour, value) in hours.iter().enumerate() {
        let value = rounded(*value);
        match steps.last_mut() {
            Some((until, same)) if *same == value => *until = hour + 1,
            _ => steps.push((hour + 1, value)),
        }
    }
    steps
}

/// Days of one profile together.
fn runs(days: &[usize]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for day in days {
        match runs.last_mut() {
            Some((count, same)) if same == day => *count += 1,
            _ => runs.push((1, *day)),
        }
    }
    runs
}

/// Six figures behind the point: what the eye compares, without the dust of sums.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
