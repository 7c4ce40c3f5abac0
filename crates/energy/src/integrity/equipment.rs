//! Equipment of zones: lists that a zone takes, in an order that can be followed, and shares of loads that are not more than all.

use super::model::{Model, value};
use super::schedules::{extent, named};
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::Object;
use foldhash::{HashMap, HashSet};

/// Fields that are shares of one whole, by type of object.
const SHARES: [(&str, &[&str]); 5] = [
    ("Lights", &["return_air_fraction", "fraction_radiant", "fraction_visible"]),
    ("ElectricEquipment", &["fraction_latent", "fraction_radiant", "fraction_lost"]),
    ("GasEquipment", &["fraction_latent", "fraction_radiant", "fraction_lost"]),
    ("HotWaterEquipment", &["fraction_latent", "fraction_radiant", "fraction_lost"]),
    ("SteamEquipment", &["fraction_latent", "fraction_radiant", "fraction_lost"]),
];

/// Adds lists of equipment that cannot be followed, and shares above one.
pub fn check(document: &Model<'_>, issues: &mut Vec<Issue>) {
    lists(document, issues);
    terminals(document, issues);
    shares(document, issues);
    curves(document, issues);
    night_cycles(document, issues);
    sizing(document, issues);
}

fn say(issues: &mut Vec<Issue>, objects: Vec<Subject>, message: String, what: &str) {
    issues.push(issue(Severity::Error, IssueKind::Equipment, objects, message, what));
}

fn lists(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let mut taken: HashMap<String, Object<'_>> = HashMap::default();
    let mut zones: HashMap<String, Object<'_>> = HashMap::default();
    for connections in document.of_type("ZoneHVAC:EquipmentConnections") {
        let list = value(connections, "zone_conditioning_equipment_list_name");
        if let Some(other) = taken.insert(list.to_lowercase(), connections).filter(|_| !list.is_empty()) {
            let message = format!("The list of equipment `{list}` is that of two zones.");
            let both = vec![Subject::from(other), Subject::from(connections)];
            say(issues, both, message, "Give each zone a ZoneHVAC:EquipmentList of its own.");
        }
        let zone = value(connections, "zone_name");
        if let Some(other) = zones.insert(zone.to_lowercase(), connections).filter(|_| !zone.is_empty()) {
            let message = format!("The zone `{zone}` has two ZoneHVAC:EquipmentConnections.");
            let both = vec![Subject::from(other), Subject::from(connections)];
            say(issues, both, message, "Keep one of them.");
        }
    }
    for list in document.of_type("ZoneHVAC:EquipmentList") {
        if !taken.contains_key(&list.name().to_lowercase()) && document.get("Space", list.name()).is_none() {
            let in_spaces = document.of_type("SpaceHVAC:EquipmentConnections").next().is_some();
            if !in_spaces {
                let message = format!("The list of equipment `{}` is that of no zone.", list.name());
                let what = "Name it in the zone's ZoneHVAC:EquipmentConnections, or remove it.";
                say(issues, vec![list.into()], message, what);
            }
        }
        order(list, issues);
    }
}

/// Reports places in the order of equipment that are beyond the list, or taken twice.
fn order(list: Object<'_>, issues: &mut Vec<Issue>) {
    let Some(group) = list.about().and_then(|about| about.extensible.as_ref()) else { return };
    let count = list.groups().filter(|group| group.get(1).is_some_and(|name| !name.is_empty())).count();
    for key in ["zone_equipment_cooling_sequence", "zone_equipment_heating_or_no_load_sequence"] {
        let Some(at) = group.fields.iter().position(|field| *field.key == *key) else { continue };
        let word = if key.contains("cooling") { "cooling" } else { "heating" };
        let mut places: Vec<usize> = list
            .groups()
            .filter_map(|group| group.get(at)?.parse::<f64>().ok())
            .filter(|place| *place >= 1.0)
            .map(|place| place as usize)
            .collect();
        places.sort_unstable();
        let beyond = places.last().copied().filter(|place| *place > count);
        let twice =
            places.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first().copied());
        let why = match (beyond, twice) {
            (Some(place), _) => format!("is {place}, and the list has {count}"),
            (None, Some(place)) => format!("is {place} for two of them"),
            (None, None) => continue,
        };
        let message =
            format!("ZoneHVAC:EquipmentList `{}`: the place in the order of {word} {why}.", list.name());
        say(issues, vec![list.into()], message, "Number the equipment from 1, each place once.");
    }
}

/// Reports an air distribution unit that lets out elsewhere than the terminal in it.
fn terminals(document: &Model<'_>, issues: &mut Vec<Issue>) {
    for unit in document.of_type("ZoneHVAC:AirDistributionUnit") {
        let (type_name, name) = (unit.get("air_terminal_object_type"), unit.get("air_terminal_name"));
        let outlet = value(unit, "air_distribution_unit_outlet_node_name");
        let (Some(type_name), Some(name)) = (type_name, name.filter(|name| !name.is_empty())) else {
            continue;
        };
        let Some(terminal) = document.get(type_name, name) else { continue };
        if !outlet.is_empty() && !terminal.values().any(|value| value.eq_ignore_ascii_case(outlet)) {
            let message = format!(
                "ZoneHVAC:AirDistributionUnit `{}` lets out at `{outlet}`, and the terminal in it, `{name}`, does not.",
                unit.name()
            );
            let both = vec![Subject::from(unit), Subject::from(terminal)];
            say(issues, both, message, "Give both the same outlet node, an inlet of the zone.");
        }
    }
}

fn shares(document: &Model<'_>, issues: &mut Vec<Issue>) {
    for (type_name, fields) in SHARES {
        for object in document.of_type(type_name) {
            let sum: f64 = fields.iter().filter_map(|field| object.number(field)).sum();
            if sum > 1.000_001 {
                let message = format!(
                    "{type_name} `{}`: its shares ({}) come to {sum:.3}.",
                    object.name(),
                    fields.join(", ")
                );
                say(issues, vec![object.into()], message, "Lower them; together they are at most 1.");
            }
        }
    }
    for controls in document.of_type("Daylighting:Controls") {
        let Some(group) = controls.about().and_then(|about| about.extensible.as_ref()) else { continue };
        let key = "fraction_of_lights_controlled_by_reference_point";
        let Some(at) = group.fields.iter().position(|field| *field.key == *key) else { continue };
        let sum: f64 = controls.groups().filter_map(|group| group.get(at)?.parse::<f64>().ok()).sum();
        if sum > 1.000_001 {
            let message = format!(
                "Daylighting:Controls `{}` controls {sum:.3} of the lights of its zone.",
                controls.name()
            );
            say(issues, vec![controls.into()], message, "Lower the fractions; together they are at most 1.");
        }
    }
}

/// Reports curves whose lowest argument is above the highest.
fn curves(document: &Model<'_>, issues: &mut Vec<Issue>) {
    for curve in document.objects().filter(|object| object.type_name().starts_with("Curve:")) {
        for axis in ["x", "y", "z"] {
            let bound = |word: &str| value(curve, &format!("{word}_value_of_{axis}")).parse::<f64>().ok();
            let (Some(least), Some(most)) = (bound("minimum"), bound("maximum")) else { continue };
            if least > most {
                let message = format!(
                    "{} `{}` holds for {axis} from {least} to {most}, which is nothing.",
                    curve.type_name(),
                    curve.name()
                );
                say(issues, vec![curve.into()], message, "Exchange the minimum and the maximum.");
            }
        }
    }
}

/// Reports managers that go by zones and name none.
fn night_cycles(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let by_zones = [
        ("CycleOnControlZone", "control_zone_or_zone_list_name"),
        ("CycleOnAnyCoolingOrHeatingZone", "cooling_control_zone_or_zone_list_name"),
        ("CycleOnAnyCoolingZone", "cooling_control_zone_or_zone_list_name"),
        ("CycleOnAnyHeatingZone", "heating_control_zone_or_zone_list_name"),
        ("CycleOnAnyHeatingZoneFansOnly", "heating_zone_fans_only_zone_or_zone_list_name"),
    ];
    for manager in document.of_type("AvailabilityManager:NightCycle") {
        let kind = value(manager, "control_type");
        let field =
            by_zones.iter().find(|(word, _)| kind.eq_ignore_ascii_case(word)).map(|(_, field)| *field);
        if let Some(field) = field.filter(|field| value(manager, field).is_empty()) {
            let message = format!(
                "AvailabilityManager:NightCycle `{}` is to {kind}, and names no zone ({field}).",
                manager.name()
            );
            say(issues, vec![manager.into()], message, "Name a zone or a list of zones.");
        }
    }
}

/// The highest set point for cooling of a model.
fn warmest(document: &Model<'_>) -> Option<f64> {
    let dual = document.of_type("ThermostatSetpoint:DualSetpoint");
    let duals = dual.filter_map(|one| one.get("cooling_setpoint_temperature_schedule_name"));
    let single = document.of_type("ThermostatSetpoint:SingleCooling");
    let names: HashSet<&str> =
        duals.chain(single.filter_map(|one| one.get("setpoint_temperature_schedule_name"))).collect();
    let extents = names.into_iter().filter_map(|name| extent(document, named(document, name)?));
    extents.map(|(_, most)| most).reduce(f64::max)
}

/// Reports zones whose supply air for heating is to be colder than that for cooling, or that for cooling warmer than any room.
fn sizing(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let warmest = warmest(document);
    for zone in document.of_type("Sizing:Zone") {
        let named = value(zone, "zone_or_zonelist_name");
        let cold = zone.number("zone_cooling_design_supply_air_temperature");
        let by_temperature = |key: &str| {
            zone.get(key)
                .is_some_and(|word| word.is_empty() || word.eq_ignore_ascii_case("SupplyAirTemperature"))
        };
        let cools = by_temperature("zone_cooling_design_supply_air_temperature_input_method");
        if let (Some(cold), Some(warmest), true) = (cold, warmest, cools)
            && cold > warmest
        {
            let message = format!(
                "Sizing:Zone `{named}`: supply air for cooling is to have {cold} °C, and no room is kept warmer than {warmest} °C."
            );
            say(issues, vec![zone.into()], message, "Lower it; air for cooling is colder than the room.");
            continue;
        }
        if !cools || !by_temperature("zone_heating_design_supply_air_temperature_input_method") {
            continue;
        }
        let warm = zone.number("zone_heating_design_supply_air_temperature");
        let (Some(cold), Some(warm)) = (cold, warm) else { continue };
        if warm < cold {
            let message = format!(
                "Sizing:Zone `{named}`: supply air for heating is to have {warm} °C, and for cooling {cold} °C."
            );
            say(issues, vec![zone.into()], message, "Exchange them; air for heating is the warmer.");
        }
    }
}
