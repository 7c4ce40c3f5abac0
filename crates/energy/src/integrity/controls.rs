//! Thermostats: set points for every type of control that their schedule asks for, heating below cooling, and one for a zone.

use super::model::{Model, value};
use super::schedules::{each_value, extent, named};
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::Object;
use crate::schedules::{self, Calendar, YearOfHours};
use foldhash::HashMap;

/// Types of set points by the number that a control type schedule has for them, from 1.
const TYPES: [&str; 4] = [
    "ThermostatSetpoint:SingleHeating",
    "ThermostatSetpoint:SingleCooling",
    "ThermostatSetpoint:SingleHeatingOrCooling",
    "ThermostatSetpoint:DualSetpoint",
];

/// Adds thermostats without the set points they need, and set points that cross.
pub fn check(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let mut served: HashMap<String, Object<'_>> = HashMap::default();
    for thermostat in document.of_type("ZoneControl:Thermostat") {
        control_types(document, thermostat, issues);
        let zone = value(thermostat, "zone_or_zonelist_name");
        let list = document.get("ZoneList", zone).filter(|_| !zone.is_empty());
        let zones: Vec<&str> = list.map_or_else(
            || vec![zone],
            |list| list.groups().flatten().filter(|zone| !zone.is_empty()).collect(),
        );
        for zone in zones.into_iter().filter(|zone| !zone.is_empty()) {
            if let Some(other) = served.insert(zone.to_lowercase(), thermostat) {
                let message = format!(
                    "The zone `{zone}` has two thermostats, `{}` and `{}`.",
                    other.name(),
                    thermostat.name()
                );
                let what = "Keep one of them.";
                let both = vec![Subject::from(other), Subject::from(thermostat)];
                issues.push(issue(Severity::Error, IssueKind::Thermostat, both, message, what));
            }
        }
    }
    crossing(document, issues);
}

/// Reports a control type schedule that asks for what the thermostat has not.
fn control_types(document: &Model<'_>, thermostat: Object<'_>, issues: &mut Vec<Issue>) {
    let name = value(thermostat, "control_type_schedule_name");
    let Some(schedule) = named(document, name) else { return };
    let has: Vec<&str> = (1..=4)
        .filter_map(|number| thermostat.get(&format!("control_{number}_object_type")))
        .filter(|type_name| !type_name.is_empty())
        .collect();
    let mut asked = [false; TYPES.len()];
    let mut strange = None;
    each_value(document, schedule, &mut |value| {
        if value == 0.0 {
            return;
        }
        match (value as usize).checked_sub(1).and_then(|at| asked.get_mut(at)) {
            Some(slot) if value.fract() == 0.0 => *slot = true,
            _ => strange = Some(value),
        }
    });
    let mut say = |message: String| {
        let what = "Give the thermostat set points of the type that its control type schedule asks for (1 heating, 2 cooling, 3 either, 4 both).";
        let both = vec![Subject::from(thermostat), Subject::from(schedule)];
        issues.push(issue(Severity::Error, IssueKind::Thermostat, both, message, what));
    };
    if let Some(value) = strange {
        say(format!(
            "The thermostat `{}` goes by the schedule `{name}`, whose value {value} is no type of control.",
            thermostat.name()
        ));
    }
    for ((number, type_name), _) in (1..).zip(TYPES).zip(asked).filter(|(_, asked)| *asked) {
        if !has.iter().any(|own| own.eq_ignore_ascii_case(type_name)) {
            say(format!(
                "The thermostat `{}` has no {type_name}, which its schedule `{name}` asks for by the value {number}.",
                thermostat.name()
            ));
        }
    }
}

/// Reports set points for heating that are above those for cooling at some hour.
fn crossing(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let mut told: HashMap<(String, String), Option<String>> = HashMap::default();
    let mut laid: HashMap<String, Option<YearOfHours>> = HashMap::default();
    let mut calendar = None;
    for dual in document.of_type("ThermostatSetpoint:DualSetpoint") {
        let heating = value(dual, "heating_setpoint_temperature_schedule_name");
        let cooling = value(dual, "cooling_setpoint_temperature_schedule_name");
        let (Some(low), Some(high)) = (named(document, heating), named(document, cooling)) else { continue };
        let pair = (heating.to_lowercase(), cooling.to_lowercase());
        let found = told.entry(pair).or_insert_with(|| {
            let (Some((_, most)), Some((least, _))) = (extent(document, low), extent(document, high)) else {
                return None;
            };
            if most <= least {
                return None;
            }
            let calendar = calendar.get_or_insert_with(|| Calendar::from_document(document.document(), 2017));
            for schedule in [low, high] {
                let laid_out = || schedules::resolve(schedule, calendar, &|_| None).ok();
                laid.entry(schedule.name().to_lowercase()).or_insert_with(laid_out);
            }
            let low = laid.get(&low.name().to_lowercase())?.as_ref()?;
            let high = laid.get(&high.name().to_lowercase())?.as_ref()?;
            crossed(calendar, low, high)
        });
        let Some(found) = found else { continue };
        let message = format!(
            "The set point for heating of `{}` is above that for cooling: {found} (schedules `{heating}` and `{cooling}`).",
            dual.name()
        );
        let objects = vec![dual.into(), low.into(), high.into()];
        let what = "Exchange the schedules, or change their values.";
        issues.push(issue(Severity::Error, IssueKind::Thermostat, objects, message, what));
    }
}

/// The first hour at which one schedule is above the other, in words.
fn crossed(calendar: &Calendar, low: &YearOfHours, high: &YearOfHours) -> Option<String> {
    let above = |low: &[f64; 24], high: &[f64; 24]| low.iter().zip(high).position(|(low, high)| low > high);
    let said = |low: &[f64; 24], high: &[f64; 24], on: String| {
        let hour = above(low, high)?;
        Some(format!("{} over {} °C at {hour}:00 {on}", low.get(hour)?, high.get(hour)?))
    };
    for ((day, low_day), high_day) in calendar.days.iter().zip(&low.days).zip(&high.days) {
        let (Some(low), Some(high)) = (low.profiles.get(*low_day), high.profiles.get(*high_day)) else {
            continue;
        };
        if let Some(found) = said(low, high, format!("on {}", day.label())) {
            return Some(found);
        }
    }
    let design = low.design_days.iter().zip(&high.design_days);
    for ((low, high), word) in design.zip(["summer", "winter"]) {
        if let (Some(low), Some(high)) = (low, high)
            && let Some(found) = said(low, high, format!("on a {word} design day"))
        {
            return Some(found);
        }
    }
    None
}
