//! The loads and the air of zones: people, lights, equipment, leaks and fresh air, by the rooms of each and their areas.
//!
//! A zone whose rooms are all used alike has its loads by area, so that they follow when it is edited; one of several uses has the sums of
//! its rooms, each by its own hours.

use crate::{
    document::{Document, digits},
    room_use::{People, Use},
    usage::{self, Week},
};
use serde_json::{Map, Value, json};

/// A room of a zone, as large as it is written.
pub(crate) struct Part<'a> {
    pub using: &'a Use,
    /// m²
    pub area: f64,
    /// m³
    pub volume: f64,
}

impl Part<'_> {
    fn people(&self) -> f64 {
        match self.using.people {
            People::None => 0.0,
            People::Number(number) => number,
            People::AreaEach(each) => self.area / each.max(0.1),
        }
    }
}

/// The name of the schedule of what is always there.
const ALWAYS: &str = "Always on";

/// A schedule of one value.
pub(crate) fn constant(document: &mut Document, name: &str, limits: &str, value: f64) {
    document.put(
        "Schedule:Constant",
        name,
        json!({ "schedule_type_limits_name": limits, "hourly_value": digits(value) }),
    );
}

/// The schedules that all zones share.
pub(crate) fn schedules(document: &mut Document) {
    let mut limits = |name: &str, fields: Value| document.put("ScheduleTypeLimits", name, fields);
    limits(
        "Fraction",
        json!({ "lower_limit_value": 0.0, "upper_limit_value": 1.0, "numeric_type": "Continuous" }),
    );
    limits("Temperature", json!({ "numeric_type": "Continuous", "unit_type": "Temperature" }));
    limits(
        "Activity",
        json!({ "lower_limit_value": 0.0, "numeric_type": "Continuous", "unit_type": "ActivityLevel" }),
    );
    constant(document, ALWAYS, "Fraction", 1.0);
    constant(document, "Activity", "Activity", 110.0);
}

/// A week for every day of the year; on the design day of winter it is what a plant must cope with: no gains, all the fresh air.
fn compact(week: &Week, in_winter: f64) -> Value {
    let mut fields = vec![json!({ "field": "Through: 12/31" })];
    let winter = vec![(24, in_winter)];
    for (days, shares) in [
        ("For: Weekdays SummerDesignDay", &week.weekday),
        ("For: WinterDesignDay", &winter),
        ("For: Saturday", &week.saturday),
        ("For: AllOtherDays", &week.other),
    ] {
        fields.push(json!({ "field": days }));
        for (hour, share) in shares {
            fields.push(json!({ "field": format!("Until: {hour:02}:00") }));
            fields.push(json!({ "field": share }));
        }
    }
    Value::Array(fields)
}

/// The schedule of a part of a profile, made where it is not there yet; what has none is always there.
fn schedule(document: &mut Document, profile: &str, what: &str) -> String {
    let Some(of) = usage::profile(profile) else { return ALWAYS.to_owned() };
    let (week, in_winter) = match what {
        "lights" => (&of.lights, 0.0),
        "equipment" => (&of.equipment, 0.0),
        "air" => (&of.people, 1.0),
        _ => (&of.people, 0.0),
    };
    let Some(week) = week else { return ALWAYS.to_owned() };
    let name = format!("{profile} {what}");
    if !document.has("Schedule:Compact", &name) {
        document.put(
            "Schedule:Compact",
            &name,
            json!({ "schedule_type_limits_name": "Fraction", "data": compact(week, in_winter) }),
        );
    }
    name
}

/// The loads and the air of a zone.
pub(crate) fn write(zone: &str, parts: &[Part<'_>], document: &mut Document) {
    let mut profiles: Vec<&str> = parts.iter().map(|part| part.using.usage.profile.as_str()).collect();
    profiles.sort_unstable();
    profiles.dedup();
    for profile in &profiles {
        let own: Vec<&Part<'_>> = parts.iter().filter(|part| part.using.usage.profile == *profile).collect();
        let is_whole = profiles.len() == 1;
        let title = if is_whole { zone.to_owned() } else { format!("{zone} {profile}") };
        of_profile(zone, &title, profile, &own, is_whole, document);
    }
    let volume: f64 = parts.iter().map(|part| part.volume).sum();
    let leaks: f64 = parts.iter().map(|part| part.using.infiltration * part.volume).sum();
    let changes = if volume > 0.0 { leaks / volume } else { 0.0 };
    document.put(
        "ZoneInfiltration:DesignFlowRate",
        &format!("{zone} infiltration"),
        json!({
            "zone_or_zonelist_or_space_or_spacelist_name": zone, "schedule_name": ALWAYS,
            "design_flow_rate_calculation_method": "AirChanges/Hour", "air_changes_per_hour": digits(changes),
        }),
    );
}

/// The one value of a quantity that all rooms have, if they fill the zone; else `None`.
fn common(parts: &[&Part<'_>], is_whole: bool, value: impl Fn(&Use) -> f64) -> Option<f64> {
    let first = value(parts.first()?.using);
    (is_whole && parts.iter().all(|part| (value(part.using) - first).abs() < 1e-12)).then_some(first)
}

/// The loads of the rooms of one profile.
fn of_profile(
    zone: &str,
    title: &str,
    profile: &str,
    parts: &[&Part<'_>],
    is_whole: bool,
    document: &mut Document,
) {
    let place = "zone_or_zonelist_or_space_or_spacelist_name";
    let with = |base: Value, more: Value| {
        let mut fields: Map<String, Value> = base.as_object().cloned().unwrap_or_default();
        fields.extend(more.as_object().cloned().unwrap_or_default());
        Value::Object(fields)
    };
    let people: f64 = parts.iter().map(|part| part.people()).sum();
    if people > 0.0 {
        let each = common(parts, is_whole, |using| match using.people {
            People::AreaEach(each) => each,
            _ => 0.0,
        });
        let number = match each.filter(|each| *each > 0.0) {
            Some(each) => json!({
                "number_of_people_calculation_method": "Area/Person", "floor_area_per_person": digits(each),
            }),
            None => json!({
                "number_of_people_calculation_method": "People", "number_of_people": digits(people),
            }),
        };
        let base = json!({
            place: zone, "number_of_people_schedule_name": schedule(document, profile, "people"),
            "activity_level_schedule_name": "Activity", "fraction_radiant": 0.3,
        });
        document.put("People", &format!("{title} people"), with(base, number));
    }
    let power = |density: Option<f64>, sum: f64, level: &str| match density {
        Some(density) => json!({
            "design_level_calculation_method": "Watts/Area", "watts_per_floor_area": digits(density),
        }),
        None => json!({ "design_level_calculation_method": level, level_field(level): digits(sum) }),
    };
    let lights: f64 = parts.iter().map(|part| part.using.lights * part.area).sum();
    if lights > 0.0 {
        let density = common(parts, is_whole, |using| using.lights);
        let base = json!({
            place: zone, "schedule_name": schedule(document, profile, "lights"),
            "fraction_radiant": 0.42, "fraction_visible": 0.18,
        });
        document.put(
            "Lights",
            &format!("{title} lights"),
            with(base, power(density, lights, "LightingLevel")),
        );
    }
    let equipment: f64 = parts.iter().map(|part| part.using.equipment * part.area).sum();
    if equipment > 0.0 {
        let density = common(parts, is_whole, |using| using.equipment);
        let base = json!({ place: zone, "schedule_name": schedule(document, profile, "equipment"), "fraction_radiant": 0.3 });
        let fields = with(base, power(density, equipment, "EquipmentLevel"));
        document.put("ElectricEquipment", &format!("{title} equipment"), fields);
    }
    air(zone, title, profile, parts, is_whole, document);
}

/// The field of a level in watts.
fn level_field(level: &str) -> &'static str {
    if level == "LightingLevel" { "lighting_level" } else { "design_level" }
}

/// The fresh air of the rooms of one profile: by area, by people; of rooms of several rates the sum.
fn air(zone: &str, title: &str, profile: &str, parts: &[&Part<'_>], is_whole: bool, document: &mut Document) {
    let by_area: f64 = parts.iter().map(|part| part.using.air_per_area * part.area).sum();
    let by_people: f64 = parts.iter().map(|part| part.using.air_per_person * part.people()).sum();
    let rates = [
        (
            "by area",
            "Flow/Area",
            "flow_rate_per_floor_area",
            by_area,
            common(parts, is_whole, |u| u.air_per_area),
        ),
        (
            "by people",
            "Flow/Person",
            "flow_rate_per_person",
            by_people,
            common(parts, is_whole, |u| u.air_per_person),
        ),
    ];
    for (what, method, field, sum, rate) in rates {
        if sum <= 0.0 {
            continue;
        }
        let schedule = schedule(document, profile, "air");
        let (method, field, value) = match rate {
            Some(rate) => (method, field, rate),
            None => ("Flow/Zone", "design_flow_rate", sum),
        };
        document.put(
            "ZoneVentilation:DesignFlowRate",
            &format!("{title} ventilation {what}"),
            json!({
                "zone_or_zonelist_or_space_or_spacelist_name": zone, "schedule_name": schedule,
                "design_flow_rate_calculation_method": method, field: digits(value), "ventilation_type": "Balanced",
            }),
        );
    }
}
