//! Recovery of heat from exhaust air: in ideal loads and templates by their own fields, in outdoor air systems by an exchanger beside the
//! mixer.

use super::Change;
use super::facts::Facts;
use super::selector::Selector;
use super::work::Work;
use crate::idf::{Handle, Object};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Recovery of heat from exhaust air.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeatRecovery {
    /// Sensible effectiveness, 0 to 1.
    pub sensible: f64,
    /// Latent effectiveness, 0 to 1.
    #[serde(default)]
    pub latent: f64,
    /// The zones, of ideal loads and templates for a zone; systems for several zones are all of the model's.
    #[serde(default)]
    pub by: Selector,
}

const EXCHANGER: &str = "HeatExchanger:AirToAir:SensibleAndLatent";
const LIST: &str = "AirLoopHVAC:OutdoorAirSystem:EquipmentList";

impl HeatRecovery {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if !(self.sensible > 0.0 && self.sensible <= 1.0 && (0.0..=1.0).contains(&self.latent)) {
            return Err(Fault::invalid("sensible", "`sensible` is above 0 and at most 1, `latent` 0 to 1."));
        }
        let zones: HashSet<usize> = self.by.zones(facts)?.into_iter().collect();
        let ideal = self.in_fields(work, facts, &zones)?;
        let lists: Vec<Handle> = work.document.of_type(LIST).map(|own| own.handle()).collect();
        let mut systems = 0;
        for list in lists {
            if !self.by.is_all() {
                let name = work.object(list)?.name().to_owned();
                work.skip(
                    format!("outdoor air system of `{name}`"),
                    "systems for several zones are changed only with no limit by zones",
                );
                continue;
            }
            if self.beside_mixer(work, list)? {
                systems += 1;
            }
        }
        if ideal + systems == 0 {
            let why: Vec<String> =
                work.skipped.iter().map(|own| format!("{}: {}", own.what, own.why)).collect();
            let message = format!(
                "There are no ideal loads with outdoor air, no template systems and no outdoor air system that heat could be recovered in. {}",
                why.join("; ")
            );
            return Err(Fault::new(FaultCode::ElementNotFound, message));
        }
        work.assume("bypass", "while the economizer works", "economizer lockout of the exchanger");
        work.assume(
            "power and pressure drop of the exchanger",
            "none",
            "not given: fans and motors stay as they are",
        );
        let fans: Vec<&str> =
            work.document.of_type("Fan:ZoneExhaust").map(|own| own.name()).take(20).collect();
        if !fans.is_empty() {
            let fans = fans.join(", ");
            work.assume(
                "air that exhaust fans draw",
                fans,
                "it leaves the zones without passing an exchanger",
            );
        }
        let what = format!("heat recovery in {ideal} zone systems and {systems} outdoor air systems");
        Ok(Change::new(ideal + systems, what, 0.0, self.sensible, "sensible effectiveness"))
    }

    fn kind(&self) -> &'static str {
        if self.latent > 0.0 { "Enthalpy" } else { "Sensible" }
    }

    /// Sets the fields of objects that recover heat themselves.
    fn in_fields(&self, work: &mut Work, facts: &Facts, zones: &HashSet<usize>) -> Result<usize, Fault> {
        let mut found = Vec::new();
        for object in work.document.objects() {
            let Some(about) = object.about() else { continue };
            if about.position("heat_recovery_type").is_none()
                || about.position("sensible_heat_recovery_effectiveness").is_none()
            {
                continue;
            }
            let zone = zone_served(object, facts, work);
            let inside =
                zone.is_none_or(|zone| zones.contains(&zone)) && (zone.is_some() || self.by.is_all());
            let has_air = object.type_name() != "ZoneHVAC:IdealLoadsAirSystem"
                || object
                    .get("design_specification_outdoor_air_object_name")
                    .is_some_and(|name| !name.is_empty());
            let label = format!("{} `{}`", object.type_name(), object.label());
            if inside {
                found.push((object.handle(), has_air, label));
            }
        }
        let mut changed = 0;
        for (handle, has_air, label) in found {
            if !has_air {
                work.skip(label, "it brings in no outdoor air");
                continue;
            }
            let fields = json!({
                "heat_recovery_type": self.kind(),
                "sensible_heat_recovery_effectiveness": self.sensible,
                "latent_heat_recovery_effectiveness": self.latent,
            });
            work.set(handle, fields)?;
            changed += 1;
        }
        Ok(changed)
    }

    fn effectiveness(&self, object_type: &str, work: &Work) -> Value {
        let mut fields = Map::new();
        let about = work.document.schema().get(object_type);
        for field in about.into_iter().flat_map(|about| &about.fields) {
            let key = &*field.key;
            // full flow, and in versions that have it three quarters of it
            if key.contains("effectiveness_at_") {
                fields.insert(
                    key.to_owned(),
                    json!(if key.starts_with("sensible") { self.sensible } else { self.latent }),
                );
            }
        }
        Value::Object(fields)
    }

    /// Puts an exchanger between the outdoor air and the mixer of a system; true if there is one now.
    fn beside_mixer(&self, work: &mut Work, list: Handle) -> Result<bool, Fault> {
        let object = work.object(list)?;
        let name = object.name().to_owned();
        let what = format!("outdoor air system of `{name}`");
        let all: Vec<String> = object.values().skip(1).map(str::to_owned).collect();
        let components: Vec<(String, String)> = all
            .chunks(2)
            .filter_map(|pair| match pair {
                [kind, name] if !kind.is_empty() => Some((kind.clone(), name.clone())),
                _ => None,
            })
            .collect();
        if let Some((kind, own)) =
            components.iter().find(|own| own.0.to_lowercase().starts_with("heatexchanger:"))
        {
            let there = work.document.get(kind, own).map(|own| own.handle());
            let Some(there) = there.filter(|_| kind.eq_ignore_ascii_case(EXCHANGER)) else {
                work.skip(what, format!("it has a {kind} already"));
                return Ok(false);
            };
            let fields = self.effectiveness(EXCHANGER, work);
            work.set(there, fields)?;
            return Ok(true);
        }
        let mixer = components.iter().position(|own| own.0.eq_ignore_ascii_case("OutdoorAir:Mixer"));
        let found = mixer
            .and_then(|at| components.get(at))
            .and_then(|own| work.document.get("OutdoorAir:Mixer", &own.1));
        let (Some(at), Some(found)) = (mixer, found) else {
            work.skip(what, "it has no OutdoorAir:Mixer");
            return Ok(false);
        };
        if components.len() >= 9 {
            work.skip(what, "its list of equipment is full");
            return Ok(false);
        }
        let node = |field: &str| found.get(field).unwrap_or_default().to_owned();
        let (outer, relief) = (node("outdoor_air_stream_node_name"), node("relief_air_stream_node_name"));
        let handle = found.handle();
        let exchanger = work.free_name(EXCHANGER, &format!("{name} heat recovery"));
        let (to_mixer, from_mixer) =
            (format!("{exchanger} supply outlet"), format!("{exchanger} exhaust inlet"));
        let mut fields = json!({
            "nominal_supply_air_flow_rate": "Autosize",
            "supply_air_inlet_node_name": outer, "supply_air_outlet_node_name": to_mixer,
            "exhaust_air_inlet_node_name": from_mixer, "exhaust_air_outlet_node_name": relief,
            "nominal_electric_power": 0, "supply_air_outlet_temperature_control": "No",
            "heat_exchanger_type": "Plate", "frost_control_type": "None", "economizer_lockout": "Yes",
        });
        if let (Some(fields), Value::Object(own)) =
            (fields.as_object_mut(), self.effectiveness(EXCHANGER, work))
        {
            fields.extend(own);
        }
        work.add(EXCHANGER, &exchanger, fields)?;
        work.set(
            handle,
            json!({ "outdoor_air_stream_node_name": to_mixer, "relief_air_stream_node_name": from_mixer }),
        )?;
        // the controller is told the relief node of the mixer
        let controllers: Vec<Handle> = work
            .document
            .of_type("Controller:OutdoorAir")
            .filter(|own| {
                own.get("relief_air_outlet_node_name").is_some_and(|node| node.eq_ignore_ascii_case(&relief))
            })
            .map(|own| own.handle())
            .collect();
        for controller in controllers {
            work.set(controller, json!({ "relief_air_outlet_node_name": from_mixer }))?;
        }
        let mut now = components;
        now.insert(at, (EXCHANGER.to_owned(), exchanger));
        let mut fields = Map::new();
        for (number, (kind, own)) in now.into_iter().enumerate() {
            fields.insert(format!("component_{}_object_type", number + 1), json!(kind));
            fields.insert(format!("component_{}_name", number + 1), json!(own));
        }
        work.set(list, Value::Object(fields))?;
        Ok(true)
    }
}

/// The zone that an object of ideal loads or a template serves.
fn zone_served(object: Object<'_>, facts: &Facts, work: &Work) -> Option<usize> {
    if let Some(zone) = object.get("zone_name").and_then(|name| facts.zone(name)) {
        return Some(zone);
    }
    let lists =
        facts.graph.to(object.handle()).iter().filter_map(|reference| work.document.object(reference.from));
    let lists = lists.filter(|own| own.type_name() == "ZoneHVAC:EquipmentList");
    let mut connections = lists.flat_map(|list| facts.graph.to(list.handle()));
    connections.find_map(|reference| {
        let own = work.document.object(reference.from)?;
        facts.zone(own.get("zone_name")?)
    })
}
