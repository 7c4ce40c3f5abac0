//! Lighting, equipment, occupancy and infiltration: what is given, and what is said of it.

use super::density::{self, Basis, Load, Method, PEOPLE, Sums, Target, one_target};
use super::facts::Facts;
use super::selector::Selector;
use super::work::Work;
use super::{Change, Fuel};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;

const LIGHTS: Load = Load {
    object_type: "Lights",
    noun: "lights",
    method_field: "design_level_calculation_method",
    methods: &[
        Method { word: "LightingLevel", fields: &["lighting_level"], basis: Basis::Total },
        Method {
            word: "Watts/Area",
            fields: &["watts_per_floor_area", "watts_per_zone_floor_area"],
            basis: Basis::Floor,
        },
        Method { word: "Watts/Person", fields: &["watts_per_person"], basis: Basis::Person },
    ],
};

const ELECTRIC: Load = Load {
    object_type: "ElectricEquipment",
    noun: "electric equipment",
    method_field: "design_level_calculation_method",
    methods: &[
        Method { word: "EquipmentLevel", fields: &["design_level"], basis: Basis::Total },
        Method {
            word: "Watts/Area",
            fields: &["watts_per_floor_area", "watts_per_zone_floor_area"],
            basis: Basis::Floor,
        },
        Method { word: "Watts/Person", fields: &["watts_per_person"], basis: Basis::Person },
    ],
};

const GAS: Load = Load {
    object_type: "GasEquipment",
    noun: "gas equipment",
    method_field: "design_level_calculation_method",
    methods: &[
        Method { word: "EquipmentLevel", fields: &["design_level"], basis: Basis::Total },
        Method {
            word: "Watts/Area",
            fields: &["power_per_floor_area", "power_per_zone_floor_area"],
            basis: Basis::Floor,
        },
        Method { word: "Watts/Person", fields: &["power_per_person"], basis: Basis::Person },
        Method {
            word: "Power/Area",
            fields: &["power_per_floor_area", "power_per_zone_floor_area"],
            basis: Basis::Floor,
        },
        Method { word: "Power/Person", fields: &["power_per_person"], basis: Basis::Person },
    ],
};

const INFILTRATION: Load = Load {
    object_type: "ZoneInfiltration:DesignFlowRate",
    noun: "infiltration",
    method_field: "design_flow_rate_calculation_method",
    methods: &[
        Method { word: "Flow/Zone", fields: &["design_flow_rate"], basis: Basis::Total },
        Method {
            word: "Flow/Area",
            fields: &[
                "flow_rate_per_floor_area",
                "flow_per_zone_floor_area",
                "flow_rate_per_zone_floor_area",
            ],
            basis: Basis::Floor,
        },
        Method {
            word: "Flow/ExteriorArea",
            fields: &["flow_rate_per_exterior_surface_area", "flow_per_exterior_surface_area"],
            basis: Basis::Outer,
        },
        Method {
            word: "Flow/ExteriorWallArea",
            fields: &["flow_rate_per_exterior_surface_area", "flow_per_exterior_surface_area"],
            basis: Basis::OuterWall,
        },
        Method { word: "AirChanges/Hour", fields: &["air_changes_per_hour"], basis: Basis::AirChanges },
    ],
};

/// Lights by their power.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Lighting {
    /// W per m² of floor; or `factor`.
    pub w_per_m2: Option<f64>,
    /// Times what it is.
    pub factor: Option<f64>,
    /// The part of the model.
    pub by: Selector,
}

/// Equipment by its power.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Equipment {
    /// W per m² of floor; or `factor`.
    pub w_per_m2: Option<f64>,
    /// Times what it is.
    pub factor: Option<f64>,
    /// Electric or gas equipment.
    pub fuel: Fuel,
    /// The part of the model.
    pub by: Selector,
}

/// People by their density.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Occupancy {
    /// m² of floor per person; or `factor`.
    pub m2_per_person: Option<f64>,
    /// Times as many people.
    pub factor: Option<f64>,
    /// The part of the model.
    pub by: Selector,
}

/// Infiltration by its design flow.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Infiltration {
    /// Air changes per hour of the zone's volume; or one of the others.
    pub air_changes: Option<f64>,
    /// m³/s per m² of surface to outdoors.
    pub flow_per_exterior_area: Option<f64>,
    /// Times what it is.
    pub factor: Option<f64>,
    /// The part of the model.
    pub by: Selector,
}

fn none_there(load: &Load, facts: &Facts, zones: &[usize]) -> Fault {
    let names: Vec<&str> =
        zones.iter().filter_map(|at| facts.zones.get(*at)).map(|zone| zone.name.as_str()).take(20).collect();
    let message = format!(
        "There is no {} in {}. Add an object of that type first, with its schedule.",
        load.object_type,
        names.join(", ")
    );
    Fault::new(FaultCode::ElementNotFound, message).with("zones", names)
}

/// Names the zones that have no such load.
fn say_without(work: &mut Work, facts: &Facts, load: &Load, zones: &[usize]) {
    let mut with = HashSet::new();
    for object in work.document.of_type(load.object_type) {
        let named = density::place(object).map_or("", |place| place.1);
        with.extend(facts.parts(&work.document, named).into_iter().map(|part| part.zone));
    }
    let without = zones.iter().filter(|zone| !with.contains(zone)).filter_map(|at| facts.zones.get(*at));
    let names: Vec<&str> = without.map(|zone| zone.name.as_str()).collect();
    if !names.is_empty() {
        let more = names.len().saturating_sub(10);
        let shown: Vec<&str> = names.iter().copied().take(10).collect();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        work.skip(format!("{}{more}", shown.join(", ")), format!("no {} there", load.noun));
    }
}

fn bring(work: &mut Work, facts: &Facts, load: &Load, target: Target, by: &Selector) -> Result<Sums, Fault> {
    let zones = by.zones(facts)?;
    let sums = density::apply(work, facts, load, target, &zones)?;
    if sums.objects == 0 {
        return Err(none_there(load, facts, &zones));
    }
    say_without(work, facts, load, &zones);
    Ok(sums)
}

fn per_area(
    work: &mut Work,
    facts: &Facts,
    load: &Load,
    target: Target,
    by: &Selector,
) -> Result<Change, Fault> {
    let sums = bring(work, facts, load, target, by)?;
    work.assume("schedules", "kept", "the density is that of the design level, which the schedules multiply");
    let per = |amount: f64| if sums.floor_area > 0.0 { amount / sums.floor_area } else { 0.0 };
    Ok(Change::new(
        sums.objects,
        format!("{} over {:.0} m² of floor", load.noun, sums.floor_area),
        per(sums.before),
        per(sums.after),
        "W/m²",
    ))
}

impl Lighting {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let given = self.w_per_m2.map(|value| Target::Value(Basis::Floor, value));
        let target =
            one_target([("w_per_m2", given), ("factor", self.factor.map(Target::Factor)), ("", None)])?;
        per_area(work, facts, &LIGHTS, target, &self.by)
    }
}

impl Equipment {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let given = self.w_per_m2.map(|value| Target::Value(Basis::Floor, value));
        let target =
            one_target([("w_per_m2", given), ("factor", self.factor.map(Target::Factor)), ("", None)])?;
        let load = match self.fuel {
            Fuel::Electric => &ELECTRIC,
            Fuel::Gas => &GAS,
        };
        per_area(work, facts, load, target, &self.by)
    }
}

impl Occupancy {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if self.m2_per_person.is_some_and(|value| value <= 0.0) {
            return Err(Fault::invalid("m2_per_person", "`m2_per_person` is above zero."));
        }
        let given = self.m2_per_person.map(|value| Target::Value(Basis::FloorForEach, value));
        let target =
            one_target([("m2_per_person", given), ("factor", self.factor.map(Target::Factor)), ("", None)])?;
        let sums = bring(work, facts, &PEOPLE, target, &self.by)?;
        work.assume(
            "outdoor air and loads per person",
            "follow",
            "EnergyPlus takes them by the number of people",
        );
        let per = |amount: f64| if amount > 0.0 { sums.floor_area / amount } else { 0.0 };
        Ok(Change::new(
            sums.objects,
            format!("people on {:.0} m² of floor", sums.floor_area),
            per(sums.before),
            per(sums.after),
            "m²/person",
        ))
    }
}

impl Infiltration {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let target = one_target([
            ("air_changes", self.air_changes.map(|value| Target::Value(Basis::AirChanges, value))),
            (
                "flow_per_exterior_area",
                self.flow_per_exterior_area.map(|value| Target::Value(Basis::Outer, value)),
            ),
            ("factor", self.factor.map(Target::Factor)),
        ])?;
        let network = work.document.of_type("AirflowNetwork:SimulationControl").next();
        let computes = |own: crate::idf::Object<'_>| {
            own.get("airflownetwork_control")
                .is_some_and(|how| how.to_lowercase().starts_with("multizonewith"))
        };
        if network.is_some_and(computes) {
            let message = "An AirflowNetwork computes the air flows of this model, and infiltration objects do not count.";
            return Err(Fault::new(FaultCode::NotSupported, message));
        }
        let zones = self.by.zones(facts)?;
        let mut others = 0;
        if let Target::Factor(factor) = target {
            for (kind, field) in [
                ("ZoneInfiltration:EffectiveLeakageArea", "effective_air_leakage_area"),
                ("ZoneInfiltration:FlowCoefficient", "flow_coefficient"),
            ] {
                let selected = zones.iter().copied().collect();
                for (handle, _) in density::within(work, facts, kind, &selected)? {
                    let value = work.object(handle)?.number(field).unwrap_or(0.0);
                    work.set(handle, json!({ field: value * factor }))?;
                    others += 1;
                }
            }
        } else {
            let kinds = ["ZoneInfiltration:EffectiveLeakageArea", "ZoneInfiltration:FlowCoefficient"];
            let stated: Vec<(&str, String)> = kinds
                .iter()
                .flat_map(|kind| work.document.of_type(kind).map(|own| (*kind, own.label())))
                .collect();
            for (kind, label) in stated {
                work.skip(
                    format!("{kind} `{label}`"),
                    "its flow follows from the weather; only `factor` scales it",
                );
            }
        }
        let mut sums = density::apply(work, facts, &INFILTRATION, target, &zones)?;
        if sums.objects + others == 0 {
            sums = add_infiltration(work, facts, target, &zones)?;
        }
        say_without(work, facts, &INFILTRATION, &zones);
        work.assume(
            "schedules and coefficients of temperature and wind",
            "kept",
            "the flow given is the design flow, which they multiply",
        );
        let per_hour = |flow: f64| if sums.volume > 0.0 { flow * 3600.0 / sums.volume } else { 0.0 };
        Ok(Change::new(
            sums.objects + others,
            format!("infiltration of {:.0} m³", sums.volume),
            per_hour(sums.before),
            per_hour(sums.after),
            "1/h",
        ))
    }
}

/// Adds infiltration to a model that has none, in the zones with surfaces to outdoors.
fn add_infiltration(work: &mut Work, facts: &Facts, target: Target, zones: &[usize]) -> Result<Sums, Fault> {
    let Target::Value(basis, value) = target else {
        return Err(none_there(&INFILTRATION, facts, zones));
    };
    let mut sums = Sums::default();
    let always = work.constant_schedule("Infiltration always", 1.0)?;
    for zone in zones.iter().filter_map(|at| facts.zones.get(*at)).filter(|zone| zone.outer_area > 0.0) {
        let name = work.free_name(INFILTRATION.object_type, &format!("{} infiltration", zone.name));
        let (method, field, flow) = match basis {
            Basis::Outer => {
                ("Flow/ExteriorArea", "flow_rate_per_exterior_surface_area", value * zone.outer_area)
            }
            _ => ("AirChanges/Hour", "air_changes_per_hour", value * zone.volume / 3600.0),
        };
        let fields = json!({
            "zone_or_zonelist_or_space_or_spacelist_name": zone.name, "zone_or_zonelist_name": zone.name,
            "schedule_name": always, INFILTRATION.method_field: method, field: value,
            "flow_per_exterior_surface_area": if basis == Basis::Outer { json!(value) } else { json!(null) },
            "constant_term_coefficient": 1, "temperature_term_coefficient": 0,
            "velocity_term_coefficient": 0, "velocity_squared_term_coefficient": 0,
        });
        work.add(INFILTRATION.object_type, &name, fields)?;
        sums.after += flow;
        sums.volume += zone.volume;
        sums.floor_area += zone.floor_area;
        sums.objects += 1;
    }
    if sums.objects == 0 {
        return Err(none_there(&INFILTRATION, facts, zones));
    }
    work.assume("infiltration where there was none", "constant", "no dependence on temperature or wind");
    Ok(sums)
}
