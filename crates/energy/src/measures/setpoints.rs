//! Set points of heating and cooling in the zones selected: other temperatures in the schedules that there are, or schedules by hours.

use super::Change;
use super::density;
use super::facts::Facts;
use super::schedule_values::{DayRule, compact, find, mapped, values};
use super::selector::Selector;
use super::work::{Work, others_use};
use crate::idf::{Handle, Object};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{HashMap, HashSet};

/// Set points of temperature, in °C.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Setpoints {
    /// While heated for use.
    pub heating: Option<f64>,
    /// While cooled for use.
    pub cooling: Option<f64>,
    /// Of heating at other times.
    pub heating_setback: Option<f64>,
    /// Of cooling at other times.
    pub cooling_setback: Option<f64>,
    /// The hours of use; by default those of the schedules that there are.
    pub hours: Option<Hours>,
    /// The part of the model.
    pub by: Selector,
}

/// Hours of use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hours {
    /// The hour at which use begins, 0 to 24.
    pub from: f64,
    /// The hour at which it ends, after `from`.
    pub until: f64,
    /// The days of use.
    #[serde(default)]
    pub days: Days,
}

/// Days of use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Days {
    /// Monday to Friday.
    #[default]
    Weekdays,
    /// Monday to Saturday.
    Workdays,
    /// Every day.
    All,
}

/// Heating or cooling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Heating,
    Cooling,
}

impl Side {
    fn word(self) -> &'static str {
        if self == Self::Heating { "heating" } else { "cooling" }
    }

    /// The value while in use: the warmest of heating, the coolest of cooling.
    fn comfort(self, values: &[f64]) -> f64 {
        let pick = if self == Self::Heating { f64::max } else { f64::min };
        values.iter().copied().reduce(pick).unwrap_or(f64::NAN)
    }
}

/// Fields of objects that hold set points, with what they are for.
const FIELDS: [(&str, &str, Side); 6] = [
    ("ThermostatSetpoint:DualSetpoint", "heating_setpoint_temperature_schedule_name", Side::Heating),
    ("ThermostatSetpoint:DualSetpoint", "cooling_setpoint_temperature_schedule_name", Side::Cooling),
    ("ThermostatSetpoint:SingleHeating", "setpoint_temperature_schedule_name", Side::Heating),
    ("ThermostatSetpoint:SingleCooling", "setpoint_temperature_schedule_name", Side::Cooling),
    ("HVACTemplate:Thermostat", "heating_setpoint_schedule_name", Side::Heating),
    ("HVACTemplate:Thermostat", "cooling_setpoint_schedule_name", Side::Cooling),
];

/// Fields of constant set points of templates.
const CONSTANTS: [(&str, Side); 2] =
    [("constant_heating_setpoint", Side::Heating), ("constant_cooling_setpoint", Side::Cooling)];

impl Setpoints {
    fn given(&self, side: Side) -> (Option<f64>, Option<f64>) {
        match side {
            Side::Heating => (self.heating, self.heating_setback),
            Side::Cooling => (self.cooling, self.cooling_setback),
        }
    }

    fn check(&self) -> Result<(), Fault> {
        let all = [
            ("heating", self.heating),
            ("cooling", self.cooling),
            ("heating_setback", self.heating_setback),
            ("cooling_setback", self.cooling_setback),
        ];
        if all.iter().all(|own| own.1.is_none()) {
            return Err(Fault::invalid(
                "heating",
                "Give at least one of heating, cooling, heating_setback, cooling_setback.",
            ));
        }
        for (field, value) in all {
            if value.is_some_and(|value| !(-50.0..=80.0).contains(&value)) {
                return Err(Fault::invalid(field, format!("`{field}` is between -50 and 80 °C.")));
            }
        }
        let below = |low: Option<f64>, high: Option<f64>| low.zip(high).is_none_or(|(low, high)| low < high);
        let not_above =
            |low: Option<f64>, high: Option<f64>| low.zip(high).is_none_or(|(low, high)| low <= high);
        if !below(self.heating, self.cooling) {
            return Err(Fault::invalid("heating", "`heating` is below `cooling`."));
        }
        if !not_above(self.heating_setback, self.heating) || !not_above(self.cooling, self.cooling_setback) {
            return Err(Fault::invalid(
                "heating_setback",
                "A setback is below the set point of heating, or above that of cooling.",
            ));
        }
        if let Some(hours) = self.hours {
            if !(hours.from >= 0.0 && hours.from < hours.until && hours.until <= 24.0) {
                return Err(Fault::invalid("hours", "`hours` are from 0 to 24, `from` before `until`."));
            }
            for side in [Side::Heating, Side::Cooling] {
                if matches!(self.given(side), (Some(_), None) | (None, Some(_))) {
                    let word = side.word();
                    return Err(Fault::invalid(
                        "hours",
                        format!("With `hours` give both `{word}` and `{word}_setback`."),
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        self.check()?;
        let zones = self.by.zones(facts)?;
        let selected: HashSet<usize> = zones.iter().copied().collect();
        let (holders, served) = holders(work, facts, &selected)?;
        if holders.is_empty() {
            let names: Vec<&str> = facts
                .zones
                .iter()
                .filter(|zone| zone.is_controlled)
                .map(|zone| zone.name.as_str())
                .take(40)
                .collect();
            let message = format!("No zone selected has a thermostat. Zones with one: {}.", names.join(", "));
            return Err(Fault::new(FaultCode::ElementNotFound, message).with("zones", names));
        }
        let free: Vec<&str> = zones
            .iter()
            .filter(|zone| !served.contains(zone))
            .filter_map(|at| facts.zones.get(*at))
            .map(|zone| zone.name.as_str())
            .collect();
        if !free.is_empty() {
            work.skip(free.into_iter().take(10).collect::<Vec<_>>().join(", "), "no thermostat there");
        }
        let mut made: HashMap<(String, Side), String> = HashMap::new();
        let mut told: Vec<String> = Vec::new();
        let mut pair: Option<(f64, f64)> = None;
        for holder in &holders {
            if let Some((label, why)) = self.conflict(work, work.object(*holder)?) {
                work.skip(label, why);
                continue;
            }
            for (kind, field, side) in FIELDS {
                let object = work.object(*holder)?;
                let (comfort, setback) = self.given(side);
                if object.type_name() != kind || (comfort.is_none() && setback.is_none()) {
                    continue;
                }
                let Some(name) = object.get(field).filter(|name| !name.is_empty()).map(str::to_owned) else {
                    continue;
                };
                let key = (name.to_lowercase(), side);
                let new = if let Some(new) = made.get(&key) {
                    new.clone()
                } else {
                    let Some((new, before)) = self.schedule(work, &name, side)? else { continue };
                    if let Some(after) = comfort {
                        told.push(format!("{} {before} → {after} °C", side.word()));
                        pair.get_or_insert((before, after));
                    }
                    if let Some(after) = setback {
                        told.push(format!("{} setback → {after} °C", side.word()));
                        pair.get_or_insert((before, after));
                    }
                    made.insert(key, new.clone());
                    new
                };
                work.set(*holder, json!({ field: new }))?;
            }
            for (field, side) in CONSTANTS {
                let object = work.object(*holder)?;
                if object.type_name() != "HVACTemplate:Thermostat" {
                    continue;
                }
                if let (Some(before), Some(after)) = (object.number(field), self.given(side).0) {
                    work.set(*holder, json!({ field: after }))?;
                    told.push(format!("{} {before} → {after} °C", side.word()));
                    pair.get_or_insert((before, after));
                }
            }
        }
        let Some((before, after)) = pair else {
            let why: Vec<String> =
                work.skipped.iter().take(10).map(|own| format!("{}: {}", own.what, own.why)).collect();
            let message = format!("No set point selected can be changed so. {}.", why.join("; "));
            return Err(Fault::constraint(message));
        };
        told.sort();
        told.dedup();
        if self.hours.is_none() {
            work.assume(
                "hours of use",
                "those of the schedules",
                "the warmest value of heating and the coolest of cooling count as use, all others as setback",
            );
        }
        let what = format!("set points of {} zones: {}", served.len(), told.join(", "));
        Ok(Change::new(holders.len(), what, before, after, "°C"))
    }

    /// The thermostat whose heating would meet the cooling that stays, or the other way round, and why.
    fn conflict(&self, work: &Work, holder: Object<'_>) -> Option<(String, String)> {
        let comfort = |side: Side| {
            let field = FIELDS.iter().find(|own| own.0 == holder.type_name() && own.2 == side)?.1;
            let schedule = find(&work.document, holder.get(field)?)?;
            Some(side.comfort(&values(&work.document, schedule).ok()?))
        };
        let (warm, cool) = (comfort(Side::Heating)?, comfort(Side::Cooling)?);
        let (heating, cooling) = (self.heating.unwrap_or(warm), self.cooling.unwrap_or(cool));
        (warm < cool && heating >= cooling).then(|| {
            let why = format!(
                "heating at {heating} °C would meet cooling at {cooling} °C; give both, heating below cooling"
            );
            (format!("set points `{}`", holder.name()), why)
        })
    }

    /// The schedule that takes the place of one, and its set point in use before; none where its values are not in the model.
    fn schedule(&self, work: &mut Work, name: &str, side: Side) -> Result<Option<(String, f64)>, Fault> {
        let Some(old) = find(&work.document, name) else {
            work.skip(format!("schedule `{name}`"), "it is not in the model");
            return Ok(None);
        };
        let (handle, limits) =
            (old.handle(), old.get("schedule_type_limits_name").unwrap_or_default().to_owned());
        let before = match values(&work.document, old) {
            Ok(values) => side.comfort(&values),
            Err(why) => {
                work.skip(format!("schedule `{name}`"), why);
                return Ok(None);
            }
        };
        let (comfort, setback) = self.given(side);
        let level = comfort.or(setback).unwrap_or(before);
        let wanted = format!("{name} {level}");
        if let (Some(hours), Some(comfort), Some(setback)) = (self.hours, comfort, setback) {
            let rules = day_rules(hours, side, comfort, setback);
            return Ok(Some((compact(work, &wanted, &limits, &rules)?.1, before)));
        }
        let within = if side == Side::Heating { f64::min } else { f64::max };
        let after = comfort.unwrap_or(before);
        let change = |value: f64| -> f64 {
            if (value - before).abs() < 1e-9 { after } else { within(setback.unwrap_or(value), after) }
        };
        Ok(Some((mapped(work, handle, &wanted, &change)?, before)))
    }
}

fn day_rules(hours: Hours, side: Side, comfort: f64, setback: f64) -> Vec<DayRule> {
    let mut until = Vec::new();
    if hours.from > 0.0 {
        until.push((hours.from, setback));
    }
    until.push((hours.until, comfort));
    if hours.until < 24.0 {
        until.push((24.0, setback));
    }
    let days = match hours.days {
        Days::Weekdays => "Weekdays",
        Days::Workdays => "Weekdays Saturday",
        Days::All => "Weekdays Weekends Holidays",
    };
    // equipment is sized for a day of use, that of heating for one without setback
    let (sized, other) = match side {
        Side::Heating => (vec![(24.0, comfort)], "WinterDesignDay"),
        Side::Cooling => (until.clone(), "SummerDesignDay"),
    };
    vec![
        DayRule { days: days.to_owned(), until },
        DayRule { days: other.to_owned(), until: sized },
        DayRule { days: "AllOtherDays".to_owned(), until: vec![(24.0, setback)] },
    ]
}

/// The objects that hold the set points of zones selected, those copied that others share, and the zones.
fn holders(
    work: &mut Work,
    facts: &Facts,
    selected: &HashSet<usize>,
) -> Result<(Vec<Handle>, HashSet<usize>), Fault> {
    let (mut found, mut served): (Vec<Handle>, HashSet<usize>) = (Vec::new(), HashSet::new());
    let controls = density::within(work, facts, "ZoneControl:Thermostat", selected)?;
    served.extend(controls.iter().flat_map(|own| &own.1).map(|part| part.zone));
    let mut users: HashSet<Handle> = controls.iter().map(|own| own.0).collect();
    let mut named: Vec<(Handle, String, Handle)> = Vec::new();
    for (control, _) in &controls {
        for number in 1..=4 {
            let object = work.object(*control)?;
            let field = format!("control_{number}_name");
            let kind = object.get(&format!("control_{number}_object_type")).unwrap_or_default();
            let points = object.get(&field).filter(|name| !name.is_empty());
            let points = points.and_then(|name| work.document.get(kind, name)).filter(|own| own.name() != "");
            if let Some(points) = points {
                named.push((*control, field, points.handle()));
            }
        }
    }
    let templates: Vec<(Handle, usize)> = work
        .document
        .objects()
        .filter(|own| own.type_name().starts_with("HVACTemplate:Zone:"))
        .filter_map(|own| Some((own.handle(), facts.zone(own.get("zone_name")?)?)))
        .filter(|(_, zone)| selected.contains(zone))
        .collect();
    for (template, zone) in templates {
        let object = work.object(template)?;
        let name = object.get("template_thermostat_name").filter(|name| !name.is_empty());
        let thermostat = name.and_then(|name| work.document.get("HVACTemplate:Thermostat", name));
        if let Some(thermostat) = thermostat {
            named.push((template, "template_thermostat_name".to_owned(), thermostat.handle()));
            users.insert(template);
            served.insert(zone);
        }
    }
    let mut copies: HashMap<Handle, (Handle, String)> = HashMap::new();
    for (user, field, points) in named {
        // controls divided just now are not in the graph, and what they share with others is
        if !others_use(&facts.graph, points, &users) {
            if !found.contains(&points) {
                found.push(points);
            }
            continue;
        }
        let (_, name) = if let Some(copy) = copies.get(&points) {
            copy.clone()
        } else {
            let wanted = format!("{} changed", work.object(points)?.name());
            let copy = work.copy(points, &wanted)?;
            copies.insert(points, copy.clone());
            found.push(copy.0);
            copy
        };
        work.set(user, json!({ field: name }))?;
    }
    Ok((found, served))
}
