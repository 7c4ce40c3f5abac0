//! Ideal loads in the place of all systems: what the zones need, met without equipment.

use super::Change;
use super::facts::Facts;
use super::hvac::{outdoor_air, take_out};
use super::work::Work;
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Ideal loads for every zone with a thermostat; every system but hot water for use goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct IdealLoads {
    /// True if the outdoor air that the zones' sizing specifies is brought in.
    pub outdoor_air: bool,
}

impl Default for IdealLoads {
    fn default() -> Self {
        Self { outdoor_air: true }
    }
}

impl IdealLoads {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let controlled: Vec<usize> =
            facts.zones.iter().enumerate().filter(|(_, zone)| zone.is_controlled).map(|own| own.0).collect();
        if controlled.is_empty() {
            return Err(Fault::new(
                FaultCode::ElementNotFound,
                "No zone has a thermostat, so there is nothing for ideal loads to meet. Add ZoneControl:Thermostat first.",
            ));
        }
        let before = work.document.clone();
        let out = take_out(work, facts)?;
        for zone in out.zones.iter().filter(|zone| !controlled.contains(zone)) {
            if let Some(zone) = facts.zones.get(*zone) {
                work.skip(zone.name.clone(), "it had equipment and no thermostat, and has no equipment now");
            }
        }
        replace_template_thermostats(work, &before, facts)?;
        let mut with_air = 0;
        for at in &controlled {
            let Some(zone) = facts.zones.get(*at) else { continue };
            let name = &zone.name;
            let air = self.outdoor_air.then(|| outdoor_air(&work.document, facts, *at)).flatten();
            with_air += usize::from(air.is_some());
            let unit = work.free_name("ZoneHVAC:IdealLoadsAirSystem", &format!("{name} ideal loads"));
            let mut fields = json!({
                "zone_supply_air_node_name": format!("{name} ideal loads supply"),
                "maximum_heating_supply_air_temperature": 50, "minimum_cooling_supply_air_temperature": 13,
                "maximum_heating_supply_air_humidity_ratio": 0.0156, "minimum_cooling_supply_air_humidity_ratio": 0.0077,
                "heating_limit": "NoLimit", "cooling_limit": "NoLimit",
                "dehumidification_control_type": "ConstantSensibleHeatRatio", "cooling_sensible_heat_ratio": 0.7,
                "humidification_control_type": "None",
                "demand_controlled_ventilation_type": "None", "outdoor_air_economizer_type": "NoEconomizer",
                "heat_recovery_type": "None",
            });
            if let (Some(air), Some(fields)) = (air, fields.as_object_mut()) {
                fields.insert("design_specification_outdoor_air_object_name".to_owned(), json!(air));
                let inlet = format!("{name} ideal loads outdoor air");
                fields.insert("outdoor_air_inlet_node_name".to_owned(), json!(inlet));
            }
            work.add("ZoneHVAC:IdealLoadsAirSystem", &unit, fields)?;
            let list = work.free_name("ZoneHVAC:EquipmentList", &format!("{name} equipment"));
            work.add(
                "ZoneHVAC:EquipmentList",
                &list,
                json!({
                    "load_distribution_scheme": "SequentialLoad",
                    "equipment": [{
                        "zone_equipment_object_type": "ZoneHVAC:IdealLoadsAirSystem", "zone_equipment_name": unit,
                        "zone_equipment_cooling_sequence": 1, "zone_equipment_heating_or_no_load_sequence": 1,
                    }],
                }),
            )?;
            work.add(
                "ZoneHVAC:EquipmentConnections",
                "",
                json!({
                    "zone_name": name, "zone_conditioning_equipment_list_name": list,
                    "zone_air_inlet_node_or_nodelist_name": format!("{name} ideal loads supply"),
                    "zone_air_node_name": format!("{name} zone air"),
                    "zone_return_air_node_or_nodelist_name": format!("{name} return air"),
                }),
            )?;
        }
        work.assume("capacity", "not limited", "ideal loads meet every load");
        work.assume(
            "supply air",
            "50 °C / 13 °C, dehumidified at a sensible heat ratio of 0.7",
            "defaults of ZoneHVAC:IdealLoadsAirSystem",
        );
        work.assume(
            "outdoor air",
            format!("in {with_air} of {} zones", controlled.len()),
            "the specification that Sizing:Zone names; no heat recovery, no economizer",
        );
        let removed: usize = out.removed.values().sum();
        Ok(Change {
            before: None,
            after: None,
            ..Change::new(
                controlled.len(),
                format!("ideal loads in {} zones; {removed} objects of systems removed", controlled.len()),
                0.0,
                0.0,
                "",
            )
        })
    }
}

/// Thermostats of templates become thermostats of their zones, since the templates that named them are gone.
fn replace_template_thermostats(
    work: &mut Work,
    before: &crate::idf::Document,
    facts: &Facts,
) -> Result<(), Fault> {
    let templates = before.objects().filter(|own| own.type_name().starts_with("HVACTemplate:Zone:"));
    let mut control = None;
    for template in templates {
        let zone = facts.zone(template.get("zone_name").unwrap_or_default());
        let Some(zone) = zone.and_then(|at| facts.zones.get(at)).map(|zone| zone.name.clone()) else {
            continue;
        };
        let named = template.get("template_thermostat_name").filter(|name| !name.is_empty());
        let Some(thermostat) = named.and_then(|name| before.get("HVACTemplate:Thermostat", name)) else {
            continue;
        };
        let own = thermostat.name().to_owned();
        let mut schedule = |side: &str| -> Result<String, Fault> {
            let named =
                thermostat.get(&format!("{side}_setpoint_schedule_name")).filter(|name| !name.is_empty());
            if let Some(named) = named {
                return Ok(named.to_owned());
            }
            let usual = if side == "heating" { 20.0 } else { 26.0 };
            let value = thermostat.number(&format!("constant_{side}_setpoint")).unwrap_or(usual);
            let wanted = format!("{own} {side}");
            if before.get("Schedule:Constant", &wanted).is_none()
                && work.document.get("Schedule:Constant", &wanted).is_some()
            {
                return Ok(wanted);
            }
            work.constant_schedule(&wanted, value)
        };
        let (heating, cooling) = (schedule("heating")?, schedule("cooling")?);
        let types = match &control {
            Some(name) => String::clone(name),
            None => control.insert(work.constant_schedule("Dual set point", 4.0)?).clone(),
        };
        let points = format!("{own} set points");
        if work.document.get("ThermostatSetpoint:DualSetpoint", &points).is_none() {
            work.add(
                "ThermostatSetpoint:DualSetpoint",
                &points,
                json!({ "heating_setpoint_temperature_schedule_name": heating, "cooling_setpoint_temperature_schedule_name": cooling }),
            )?;
        }
        let name = work.free_name("ZoneControl:Thermostat", &format!("{zone} thermostat"));
        work.add(
            "ZoneControl:Thermostat",
            &name,
            json!({
                "zone_or_zonelist_name": zone, "control_type_schedule_name": types,
                "control_1_object_type": "ThermostatSetpoint:DualSetpoint", "control_1_name": points,
            }),
        )?;
    }
    let left: Vec<_> = work.document.of_type("HVACTemplate:Thermostat").map(|own| own.handle()).collect();
    work.remove(&left)
}
