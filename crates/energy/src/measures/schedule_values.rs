//! The values of a schedule, and schedules made of others by changing their values, or of values by kind of day.
//!
//! A year with its weeks and days is copied down to its days, which other schedules may share.

use super::work::Work;
use crate::idf::{Document, Handle, Object};
use contract::Fault;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

const DAYS: [&str; 3] = ["Schedule:Day:Hourly", "Schedule:Day:Interval", "Schedule:Day:List"];
const WEEKS: [&str; 2] = ["Schedule:Week:Daily", "Schedule:Week:Compact"];

/// A schedule by its name, of whatever type.
pub(super) fn find<'a>(document: &'a Document, name: &str) -> Option<Object<'a>> {
    if name.trim().is_empty() {
        return None;
    }
    crate::schedules::TYPES.iter().find_map(|kind| document.get(kind, name))
}

/// The positions of values in an object that holds some, with what stands there.
fn numbers(object: Object<'_>) -> Vec<(usize, f64)> {
    let from = match object.type_name() {
        "Schedule:Day:List" => 4,
        "Schedule:Day:Interval" => 3,
        _ => 2,
    };
    let all = object.values().enumerate().skip(from);
    all.filter_map(|(at, text)| Some((at, text.trim().parse::<f64>().ok()?)))
        .filter(|(_, value)| value.is_finite())
        .collect()
}

/// The weeks of a year and the days of these.
fn parts(document: &Document, object: Object<'_>) -> Result<(Vec<Handle>, Vec<Handle>), String> {
    let (mut weeks, mut days): (Vec<Handle>, Vec<Handle>) = (Vec::new(), Vec::new());
    for name in object.values().skip(2).filter(|text| text.trim().parse::<f64>().is_err() && !text.is_empty())
    {
        let week = WEEKS
            .iter()
            .find_map(|kind| document.get(kind, name))
            .ok_or(format!("there is no week `{name}`"))?;
        if !weeks.contains(&week.handle()) {
            weeks.push(week.handle());
        }
        for name in week.values().skip(1).filter(|text| !text.is_empty()) {
            // in a compact week kinds of days stand between the names
            let day = DAYS.iter().find_map(|kind| document.get(kind, name)).map(|day| day.handle());
            days.extend(day.filter(|day| !days.contains(day)));
        }
    }
    Ok((weeks, days))
}

/// Every value that a schedule takes; a reason where they are not in the model.
pub(super) fn values(document: &Document, object: Object<'_>) -> Result<Vec<f64>, String> {
    let found: Vec<f64> = match object.type_name() {
        "Schedule:Constant" => object.number("hourly_value").into_iter().collect(),
        "Schedule:Compact" => numbers(object).into_iter().map(|own| own.1).collect(),
        "Schedule:Year" => {
            let days = parts(document, object)?.1.into_iter().filter_map(|day| document.object(day));
            days.flat_map(|day| numbers(day).into_iter().map(|own| own.1)).collect()
        }
        other => return Err(format!("values of {other} are not in the model")),
    };
    if found.is_empty() { Err("it has no values".to_owned()) } else { Ok(found) }
}

fn text(value: f64) -> String {
    crate::digits::to_decimals(value, 6).to_string()
}

/// Changes the values that stand in an object itself.
fn change(work: &mut Work, handle: Handle, by: &dyn Fn(f64) -> f64) -> Result<(), Fault> {
    let object = work.object(handle)?;
    if object.type_name() == "Schedule:Constant" {
        let value = object.number("hourly_value").unwrap_or(0.0);
        return work.set(handle, json!({ "hourly_value": by(value) }));
    }
    let mut record = object.to_record();
    for (at, value) in numbers(object) {
        if let Some(place) = record.values.get_mut(at) {
            *place = text(by(value)).into();
        }
    }
    work.document.put(handle, Some(record));
    Ok(())
}

/// Puts other names where these stand in an object.
fn rename_within(work: &mut Work, handle: Handle, names: &HashMap<String, String>) -> Result<(), Fault> {
    let mut record = work.object(handle)?.to_record();
    for place in record.values.iter_mut().skip(1) {
        if let Some(name) = names.get(&place.to_lowercase()) {
            *place = name.as_str().into();
        }
    }
    work.document.put(handle, Some(record));
    Ok(())
}

fn not_known(name: &str, why: &str) -> Fault {
    Fault::constraint(format!("The schedule `{name}` cannot be changed: {why}.")).with("schedule", name)
}

/// Changes every value of a schedule. What others may share below it is copied.
pub(super) fn map(work: &mut Work, handle: Handle, by: &dyn Fn(f64) -> f64) -> Result<(), Fault> {
    let object = work.object(handle)?;
    let name = object.name().to_owned();
    values(&work.document, object).map_err(|why| not_known(&name, &why))?;
    if object.type_name() != "Schedule:Year" {
        return change(work, handle, by);
    }
    let (weeks, days) = parts(&work.document, object).map_err(|why| not_known(&name, &why))?;
    let mut named = HashMap::new();
    for day in days {
        let old = work.object(day)?.name().to_owned();
        let (copy, new) = work.copy(day, &format!("{old} of {name}"))?;
        change(work, copy, by)?;
        named.insert(old.to_lowercase(), new);
    }
    let mut of_year = HashMap::new();
    for week in weeks {
        let old = work.object(week)?.name().to_owned();
        let (copy, new) = work.copy(week, &format!("{old} of {name}"))?;
        rename_within(work, copy, &named)?;
        of_year.insert(old.to_lowercase(), new);
    }
    rename_within(work, handle, &of_year)
}

/// A copy of a schedule with every value changed; its name.
pub(super) fn mapped(
    work: &mut Work,
    handle: Handle,
    wanted: &str,
    by: &dyn Fn(f64) -> f64,
) -> Result<String, Fault> {
    let (copy, name) = work.copy(handle, wanted)?;
    map(work, copy, by)?;
    Ok(name)
}

/// A kind of days and the hours of one, as a compact schedule has them.
pub(super) struct DayRule {
    /// Such as `Weekdays SummerDesignDay`.
    pub days: String,
    /// Until an hour, and the value; the last is 24.
    pub until: Vec<(f64, f64)>,
}

/// A compact schedule of a year in which every week is the same; the days that no rule is for are those of the last.
pub(super) fn compact(
    work: &mut Work,
    wanted: &str,
    limits: &str,
    rules: &[DayRule],
) -> Result<(Handle, String), Fault> {
    let mut data = vec![json!({ "field": "Through: 12/31" })];
    for rule in rules {
        data.push(json!({ "field": format!("For: {}", rule.days) }));
        for (hour, value) in &rule.until {
            let minutes = (hour * 60.0).round().clamp(1.0, 1440.0) as u32;
            data.push(json!({ "field": format!("Until: {:02}:{:02}", minutes / 60, minutes % 60) }));
            data.push(json!({ "field": text(*value) }));
        }
    }
    let name = work.free_name("Schedule:Compact", wanted);
    let mut fields = Map::new();
    if !limits.is_empty() {
        fields.insert("schedule_type_limits_name".to_owned(), json!(limits));
    }
    fields.insert("data".to_owned(), Value::Array(data));
    let handle = work.add("Schedule:Compact", &name, Value::Object(fields))?;
    Ok((handle, name))
}
