//! A schedule changed: its values multiplied, or replaced by values for kinds of days.

use super::Change;
use super::density::place;
use super::facts::Facts;
use super::schedule_values::{DayRule, compact, find, map, values};
use super::selector::Selector;
use super::work::Work;
use crate::idf::{Handle, set_value};
use crate::schema::nearest;
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The greatest factor or value that is taken.
const MOST: f64 = 1e6;

/// One value for all day, or 24 for its hours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DayValues {
    /// For all day.
    One(f64),
    /// For each hour.
    Hours(Vec<f64>),
}

/// Values for kinds of days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Week {
    /// Monday to Friday, and every day that is not given.
    pub weekdays: DayValues,
    /// Saturday.
    #[serde(default)]
    pub saturday: Option<DayValues>,
    /// Sunday and holidays.
    #[serde(default)]
    pub sunday: Option<DayValues>,
    /// The design day of cooling.
    #[serde(default)]
    pub summer_design_day: Option<DayValues>,
    /// The design day of heating.
    #[serde(default)]
    pub winter_design_day: Option<DayValues>,
}

/// Another course of a schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeSchedule {
    /// The name of the schedule.
    pub schedule: String,
    /// Times what it is; or `replace`.
    #[serde(default)]
    pub factor: Option<f64>,
    /// Values for kinds of days.
    #[serde(default)]
    pub replace: Option<Week>,
    /// Only for objects in this part of the model, which get a copy; by default for all that use it.
    #[serde(default)]
    pub by: Selector,
}

fn hours(values: &DayValues) -> Result<Vec<(f64, f64)>, Fault> {
    let all = match values {
        DayValues::One(value) => vec![(24.0, *value)],
        DayValues::Hours(hours) if hours.len() == 24 => {
            hours.iter().enumerate().map(|(at, value)| ((at + 1) as f64, *value)).collect()
        }
        DayValues::Hours(hours) => {
            let message = format!("A day has one value or 24, and not {}.", hours.len());
            return Err(Fault::invalid("replace", message));
        }
    };
    if all.iter().any(|(_, value)| !(-MOST..=MOST).contains(value)) {
        return Err(Fault::invalid("replace", "Values are numbers up to a million."));
    }
    // hours that follow with the same value are one span
    let mut spans: Vec<(f64, f64)> = Vec::new();
    for (until, value) in all {
        match spans.last_mut() {
            Some(last) if last.1 == value => last.0 = until,
            _ => spans.push((until, value)),
        }
    }
    Ok(spans)
}

impl Week {
    fn rules(&self) -> Result<Vec<DayRule>, Fault> {
        let mut rules = Vec::new();
        for (days, values) in [
            ("Saturday", &self.saturday),
            ("Sunday Holiday", &self.sunday),
            ("SummerDesignDay", &self.summer_design_day),
            ("WinterDesignDay", &self.winter_design_day),
        ] {
            if let Some(values) = values {
                rules.push(DayRule { days: days.to_owned(), until: hours(values)? });
            }
        }
        rules.push(DayRule { days: "AllOtherDays".to_owned(), until: hours(&self.weekdays)? });
        Ok(rules)
    }
}

/// The mean of the values that a schedule takes, to be told.
fn mean(work: &Work, handle: Handle) -> f64 {
    let found =
        work.document.object(handle).and_then(|own| values(&work.document, own).ok()).unwrap_or_default();
    found.iter().sum::<f64>() / found.len().max(1) as f64
}

/// The greatest value that the type of a schedule allows.
fn upper_limit(work: &Work, handle: Handle) -> Option<f64> {
    let name =
        work.document.object(handle)?.get("schedule_type_limits_name").filter(|name| !name.is_empty())?;
    work.document.get("ScheduleTypeLimits", name)?.number("upper_limit_value")
}

impl ChangeSchedule {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let Some(old) = find(&work.document, &self.schedule) else {
            let names: Vec<&str> = crate::schedules::all(&work.document).map(|own| own.name()).collect();
            let near = nearest(&self.schedule, names.iter().copied(), 3);
            let shown = if near.is_empty() { names.iter().copied().take(20).collect() } else { near };
            let message =
                format!("There is no schedule `{}`. The model has {}.", self.schedule, shown.join(", "));
            return Err(Fault::new(FaultCode::ElementNotFound, message).with("near_matches", shown));
        };
        let (handle, name) = (old.handle(), old.name().to_owned());
        let is_one = self.factor.is_some() != self.replace.is_some();
        if !is_one || self.factor.is_some_and(|factor| !(-MOST..=MOST).contains(&factor)) {
            return Err(Fault::invalid(
                "factor",
                "Give one of factor, replace; a factor is a number up to a million.",
            ));
        }
        let before = mean(work, handle);
        let (own, users) = if self.by.is_all() {
            (handle, facts.graph.to(handle).len())
        } else {
            self.copy(work, facts, handle, &name)?
        };
        if let Some(factor) = self.factor {
            map(work, own, &|value| value * factor)?;
            let limit = upper_limit(work, own);
            if let Some(limit) = limit {
                let found = work
                    .document
                    .object(own)
                    .and_then(|it| values(&work.document, it).ok())
                    .unwrap_or_default();
                if found.iter().any(|value| *value > limit) {
                    map(work, own, &|value| value.min(limit))?;
                    work.skip(
                        format!("values above {limit}"),
                        "the type of the schedule allows no more; they are at that limit",
                    );
                }
            }
        } else if let Some(week) = &self.replace {
            let object = work.object(own)?;
            let kept = object.name().to_owned();
            let limits = object.get("schedule_type_limits_name").unwrap_or_default().to_owned();
            let rules = week.rules()?;
            work.remove(&[own])?;
            let (made, _) = compact(work, &kept, &limits, &rules)?;
            return Ok(Change::new(
                users,
                format!("schedule `{kept}`, which {users} fields name"),
                before,
                mean(work, made),
                "mean of the values that it takes",
            ));
        }
        let kept = work.object(own)?.name().to_owned();
        Ok(Change::new(
            users,
            format!("schedule `{kept}`, which {users} fields name"),
            before,
            mean(work, own),
            "mean of the values that it takes",
        ))
    }

    /// A copy for the objects in the zones selected, and how many fields name it.
    fn copy(
        &self,
        work: &mut Work,
        facts: &Facts,
        handle: Handle,
        name: &str,
    ) -> Result<(Handle, usize), Fault> {
        let zones: HashSet<usize> = self.by.zones(facts)?.into_iter().collect();
        let mut places: Vec<(Handle, usize)> = Vec::new();
        for reference in facts.graph.to(handle) {
            let Some(object) = work.document.object(reference.from) else { continue };
            let label = format!("{} `{}`", object.type_name(), object.label());
            let parts = facts.parts(&work.document, place(object).map_or("", |place| place.1));
            let inside = parts.iter().filter(|part| zones.contains(&part.zone)).count();
            if !parts.is_empty() && inside == parts.len() {
                places.push((reference.from, reference.position as usize));
            } else if inside > 0 {
                work.skip(label, "it is for zones of which some are not selected");
            } else if parts.is_empty() {
                work.skip(label, "it names no zone");
            }
        }
        if places.is_empty() {
            let message = format!("Nothing in the zones selected names the schedule `{name}` by itself.");
            return Err(Fault::new(FaultCode::ElementNotFound, message));
        }
        let (copy, new) = work.copy(handle, &format!("{name} changed"))?;
        for (user, position) in &places {
            let mut record = work.object(*user)?.to_record();
            set_value(&mut record.values, *position, new.clone());
            work.document.put(*user, Some(record));
        }
        Ok((copy, places.len()))
    }
}
