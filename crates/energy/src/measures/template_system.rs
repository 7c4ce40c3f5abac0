//! A system of EnergyPlus' templates in the place of all systems: ExpandObjects makes its objects before a simulation.

use super::Change;
use super::density::within;
use super::facts::Facts;
use super::hvac::{outdoor_air, take_out};
use super::schedule_values::{find, values};
use super::work::Work;
use crate::idf::{Document, Object};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashSet};

/// A system of templates for every zone with a thermostat; every system but hot water for use goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TemplateSystem {
    /// The system.
    pub kind: SystemKind,
    /// Of the chiller or of cooling coils, W/W.
    #[serde(default)]
    pub cooling_cop: Option<f64>,
    /// Of boilers and gas coils, 0 to 1.
    #[serde(default)]
    pub heating_efficiency: Option<f64>,
}

/// Systems of templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SystemKind {
    /// Four-pipe fan coils; air-cooled chiller and boiler.
    FanCoil,
    /// Variable air volume with hot-water reheat; air-cooled chiller and boiler.
    Vav,
    /// Packaged variable air volume: DX cooling, gas heating, hot-water reheat.
    PackagedVav,
    /// A packaged unit for each zone: DX cooling, gas heating.
    Unitary,
    /// Packaged terminal heat pumps.
    Pthp,
    /// Packaged terminal air conditioners with electric heating.
    Ptac,
    /// Hot-water baseboards and a boiler; no cooling and no outdoor air.
    Baseboard,
    /// Variable refrigerant flow, air-cooled.
    Vrf,
}

#[derive(Debug, Clone, Deserialize)]
struct Template {
    zone: String,
    #[serde(default)]
    zone_fields: Map<String, Value>,
    #[serde(default)]
    air_fields: Vec<String>,
    system: Option<System>,
    #[serde(default)]
    plants: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct System {
    r#type: String,
    /// The field of a zone's template that names it.
    link: String,
    #[serde(default)]
    per_zone: bool,
    control_zone: Option<String>,
    #[serde(default)]
    fields: Map<String, Value>,
}

/// Of an air-cooled chiller, W/W: the least full-load efficiency of ASHRAE 90.1-2019, table 6.8.1-3 (EER 10.1).
const CHILLER_COP: f64 = 2.96;
/// Of a gas boiler: the least thermal efficiency of ASHRAE 90.1-2019, table 6.8.1-6.
const BOILER: f64 = 0.8;

/// Set points of cooling from here on mean that a zone is not cooled, °C: prototypes with unit heaters write 40.
const NEVER: f64 = 40.0;
/// The template of zones that are heated alone.
const HEATED_ALONE: &str = "HVACTemplate:Zone:BaseboardHeat";

/// True if set points ask for cooling at some time, or it cannot be told.
fn asks_for_cooling(document: &Document, points: Object<'_>) -> bool {
    let (schedule, constant) = match points.type_name() {
        "ThermostatSetpoint:SingleHeating" => return false,
        "ThermostatSetpoint:DualSetpoint" => ("cooling_setpoint_temperature_schedule_name", ""),
        "HVACTemplate:Thermostat" => ("cooling_setpoint_schedule_name", "constant_cooling_setpoint"),
        _ => return true,
    };
    let named = points.get(schedule).filter(|name| !name.is_empty());
    match named.and_then(|name| find(document, name)) {
        Some(schedule) => {
            values(document, schedule).map_or(true, |values| values.iter().any(|value| *value < NEVER))
        }
        None => points.number(constant).is_none_or(|value| value < NEVER),
    }
}

/// The zones with a thermostat none of whose set points ever asks for cooling.
fn heated_alone(document: &Document, facts: &Facts) -> HashSet<usize> {
    let mut asks: BTreeMap<usize, bool> = BTreeMap::new();
    let mut note = |zone: usize, cooled: bool| *asks.entry(zone).or_default() |= cooled;
    for control in document.of_type("ZoneControl:Thermostat") {
        let points: Vec<Option<Object<'_>>> = (1..=4)
            .filter_map(|number| {
                let kind = control.get(&format!("control_{number}_object_type"))?;
                let name = control.get(&format!("control_{number}_name")).filter(|name| !name.is_empty())?;
                Some(document.get(kind, name))
            })
            .collect();
        // set points that are not in the model say nothing
        let asks = |own: &Option<Object<'_>>| own.is_none_or(|own| asks_for_cooling(document, own));
        let cooled = points.is_empty() || points.iter().any(asks);
        for part in facts.parts(document, control.get("zone_or_zonelist_name").unwrap_or_default()) {
            note(part.zone, cooled);
        }
    }
    for template in document.objects().filter(|own| own.type_name().starts_with("HVACTemplate:Zone:")) {
        let Some(zone) = facts.zone(template.get("zone_name").unwrap_or_default()) else { continue };
        let named = template.get("template_thermostat_name").filter(|name| !name.is_empty());
        if let Some(name) = named {
            let points = document.get("HVACTemplate:Thermostat", name);
            note(zone, points.is_none_or(|own| asks_for_cooling(document, own)));
        }
    }
    asks.into_iter().filter(|own| !own.1).map(|own| own.0).collect()
}

fn table() -> Result<BTreeMap<String, Template>, Fault> {
    serde_json::from_str(include_str!("templates.json"))
        .map_err(|why| Fault::backend(format!("the table of templates: {why}")))
}

impl TemplateSystem {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if self.cooling_cop.is_some_and(|cop| !(cop > 0.0 && cop < 50.0)) {
            return Err(Fault::invalid("cooling_cop", "`cooling_cop` is above 0."));
        }
        if self.heating_efficiency.is_some_and(|share| !(share > 0.0 && share <= 1.0)) {
            return Err(Fault::invalid(
                "heating_efficiency",
                "`heating_efficiency` is above 0 and at most 1.",
            ));
        }
        let name = serde_json::to_value(self.kind).unwrap_or_default();
        let name = name.as_str().unwrap_or_default().to_owned();
        let template =
            table()?.remove(&name).ok_or_else(|| Fault::backend("the table of templates lacks one"))?;
        let controlled: Vec<usize> =
            facts.zones.iter().enumerate().filter(|(_, zone)| zone.is_controlled).map(|own| own.0).collect();
        if controlled.is_empty() {
            let message = "No zone has a thermostat, so there is nothing for a system to meet. Add ZoneControl:Thermostat first.";
            return Err(Fault::new(FaultCode::ElementNotFound, message));
        }
        let air: Vec<Option<String>> =
            controlled.iter().map(|zone| outdoor_air(&work.document, facts, *zone)).collect();
        let thermostats: BTreeMap<usize, String> = work
            .document
            .objects()
            .filter(|own| own.type_name().starts_with("HVACTemplate:Zone:"))
            .filter_map(|own| {
                let named = own.get("template_thermostat_name").filter(|name| !name.is_empty())?;
                Some((facts.zone(own.get("zone_name")?)?, named.to_owned()))
            })
            .collect();
        let heated_alone = heated_alone(&work.document, facts);
        let is_cooled = |zone: &usize| template.zone == HEATED_ALONE || !heated_alone.contains(zone);
        let has_cooled = controlled.iter().any(is_cooled);
        let out = take_out(work, facts)?;
        // the templates make the sizing of their zones
        let zones: HashSet<usize> = controlled.iter().copied().collect();
        let sizing: Vec<_> =
            within(work, facts, "Sizing:Zone", &zones)?.into_iter().map(|own| own.0).collect();
        work.remove(&sizing)?;
        let whole = match &template.system {
            Some(system) if !system.per_zone && has_cooled => {
                let label = name.replace('_', " ");
                Some(self.system(work, system, &format!("System {label}"), None)?)
            }
            _ => None,
        };
        for (at, air) in controlled.iter().zip(&air) {
            let Some(zone) = facts.zones.get(*at) else { continue };
            let is_cooled = is_cooled(at);
            let mut fields = if is_cooled {
                template.zone_fields.clone()
            } else {
                let heat = if template.plants.iter().any(|own| own == "hot_water") {
                    "HotWater"
                } else {
                    "Electric"
                };
                Map::from_iter([("baseboard_heating_type".to_owned(), json!(heat))])
            };
            fields.insert("zone_name".to_owned(), json!(zone.name));
            if let Some(named) = thermostats.get(at) {
                fields.insert("template_thermostat_name".to_owned(), json!(named));
            }
            if let Some(cop) = self.cooling_cop {
                fields.insert("cooling_coil_gross_rated_cop".to_owned(), json!(cop));
            }
            if let Some(air) = air {
                fields.insert("outdoor_air_method".to_owned(), json!("DetailedSpecification"));
                let usual = ["design_specification_outdoor_air_object_name".to_owned()];
                let keys = if template.air_fields.is_empty() || !is_cooled {
                    usual.as_slice()
                } else {
                    template.air_fields.as_slice()
                };
                for key in keys {
                    fields.insert(key.clone(), json!(air));
                }
            } else {
                fields.insert("outdoor_air_method".to_owned(), json!("Flow/Zone"));
                fields.insert("outdoor_air_flow_rate_per_zone".to_owned(), json!(0));
            }
            if let Some(system) = template.system.as_ref().filter(|_| is_cooled) {
                let own = match &whole {
                    Some(name) => name.clone(),
                    None => self.system(work, system, &format!("{} unit", zone.name), Some(&zone.name))?,
                };
                fields.insert(system.link.clone(), json!(own));
            }
            let kind = if is_cooled { &template.zone } else { HEATED_ALONE };
            work.add_template(kind, "", Value::Object(fields))?;
        }
        for plant in template.plants.iter().filter(|plant| has_cooled || *plant == "hot_water") {
            self.plant(work, plant)?;
        }
        size(work, !template.plants.is_empty(), has_cooled && template.system.is_some())?;
        let alone: Vec<&str> = controlled
            .iter()
            .filter(|at| !is_cooled(at))
            .filter_map(|at| Some(facts.zones.get(*at)?.name.as_str()))
            .collect();
        if !alone.is_empty() {
            work.assume(
                "zones heated alone, by baseboards",
                alone.join(", "),
                format!("no set point of theirs asks for cooling below {NEVER} °C"),
            );
        }
        let with_air = air.iter().flatten().count();
        work.assume(
            "outdoor air",
            format!("in {with_air} of {} zones", controlled.len()),
            "the specification that Sizing:Zone named",
        );
        work.assume(
            "all that is not given",
            "defaults of the templates",
            "EnergyPlus: HVACTemplate objects, sizes by its sizing run",
        );
        let removed: usize = out.removed.values().sum();
        let what = format!(
            "{} in {} zones; {removed} objects of systems removed",
            name.replace('_', " "),
            controlled.len()
        );
        Ok(Change { before: None, after: None, ..Change::new(controlled.len(), what, 0.0, 0.0, "") })
    }

    fn system(
        &self,
        work: &mut Work,
        system: &System,
        wanted: &str,
        zone: Option<&str>,
    ) -> Result<String, Fault> {
        let name = work.free_name(&system.r#type, wanted);
        let mut fields = system.fields.clone();
        if let (Some(field), Some(zone)) = (&system.control_zone, zone) {
            fields.insert(field.clone(), json!(zone));
        }
        if let Some(cop) = self.cooling_cop {
            fields.insert("cooling_coil_gross_rated_cop".to_owned(), json!(cop));
            fields.insert("gross_rated_cooling_cop".to_owned(), json!(cop));
        }
        if let Some(share) = self.heating_efficiency {
            fields.insert("gas_heating_coil_efficiency".to_owned(), json!(share));
        }
        work.add_template(&system.r#type, &name, Value::Object(fields))?;
        Ok(name)
    }

    fn plant(&self, work: &mut Work, plant: &str) -> Result<(), Fault> {
        if plant == "chilled_water" {
            let cop = self.cooling_cop.unwrap_or(CHILLER_COP);
            let loop_name = work.free_name("HVACTemplate:Plant:ChilledWaterLoop", "Chilled water");
            work.add_template("HVACTemplate:Plant:ChilledWaterLoop", &loop_name, json!({}))?;
            let name = work.free_name("HVACTemplate:Plant:Chiller", "Chiller");
            let fields = json!({ "chiller_type": "ElectricReciprocatingChiller", "nominal_cop": cop, "condenser_type": "AirCooled" });
            work.add_template("HVACTemplate:Plant:Chiller", &name, fields)?;
            let source = if self.cooling_cop.is_some() {
                "given"
            } else {
                "ASHRAE 90.1-2019, table 6.8.1-3, air-cooled"
            };
            work.assume("COP of the chiller", format!("{cop}"), source);
        } else {
            let share = self.heating_efficiency.unwrap_or(BOILER);
            let loop_name = work.free_name("HVACTemplate:Plant:HotWaterLoop", "Hot water");
            work.add_template("HVACTemplate:Plant:HotWaterLoop", &loop_name, json!({}))?;
            let name = work.free_name("HVACTemplate:Plant:Boiler", "Boiler");
            let fields =
                json!({ "boiler_type": "HotWaterBoiler", "efficiency": share, "fuel_type": "NaturalGas" });
            work.add_template("HVACTemplate:Plant:Boiler", &name, fields)?;
            let source =
                if self.heating_efficiency.is_some() { "given" } else { "ASHRAE 90.1-2019, table 6.8.1-6" };
            work.assume("efficiency of the gas boiler", format!("{share}"), source);
        }
        Ok(())
    }
}

/// Has zones, systems and plants sized.
fn size(work: &mut Work, plants: bool, systems: bool) -> Result<(), Fault> {
    let mut fields = json!({ "do_zone_sizing_calculation": "Yes" });
    if let Some(own) = fields.as_object_mut() {
        if systems {
            own.insert("do_system_sizing_calculation".to_owned(), json!("Yes"));
        }
        if plants {
            own.insert("do_plant_sizing_calculation".to_owned(), json!("Yes"));
        }
    }
    let control = work.document.of_type("SimulationControl").next().map(|own| own.handle());
    match control {
        Some(control) => work.set(control, fields),
        None => work.add("SimulationControl", "", fields).map(|_| ()),
    }
}
