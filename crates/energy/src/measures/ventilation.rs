//! Natural ventilation: outdoor air through openings while it cools.

use super::Change;
use super::facts::Facts;
use super::selector::Selector;
use super::work::Work;
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Outdoor air while it cools, through windows that are opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NaturalVentilation {
    /// Air changes per hour while open.
    pub air_changes: f64,
    /// Opened above this temperature of the zone, °C.
    pub min_indoor_temperature: f64,
    /// Opened while it is at least so many K cooler outside.
    pub delta_temperature: f64,
    /// Closed below this temperature outside, °C.
    pub min_outdoor_temperature: f64,
    /// The schedule in which it is allowed, a fraction; by default always.
    pub schedule: Option<String>,
    /// The part of the model; by default zones with windows to outdoors.
    pub by: Selector,
}

impl Default for NaturalVentilation {
    fn default() -> Self {
        Self {
            air_changes: 3.0,
            min_indoor_temperature: 22.0,
            delta_temperature: 2.0,
            min_outdoor_temperature: 12.0,
            schedule: None,
            by: Selector::default(),
        }
    }
}

impl NaturalVentilation {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if !(self.air_changes > 0.0 && self.air_changes <= 100.0) {
            return Err(Fault::invalid("air_changes", "`air_changes` is above 0 and at most 100."));
        }
        for (field, value) in [
            ("min_indoor_temperature", self.min_indoor_temperature),
            ("delta_temperature", self.delta_temperature),
            ("min_outdoor_temperature", self.min_outdoor_temperature),
        ] {
            if !(-50.0..=80.0).contains(&value) {
                return Err(Fault::invalid(field, format!("`{field}` is between -50 and 80.")));
            }
        }
        let schedule = match &self.schedule {
            Some(name) => super::schedule_values::find(&work.document, name)
                .map(|own| own.name().to_owned())
                .ok_or_else(|| {
                    Fault::invalid("schedule", format!("There is no schedule `{name}`. See view_schedules."))
                })?,
            None => work.constant_schedule("Ventilation always", 1.0)?,
        };
        let (mut zones, mut flow, mut volume) = (0, 0.0, 0.0);
        let named = !self.by.zones.is_empty();
        for at in self.by.zones(facts)? {
            let Some(zone) = facts.zones.get(at) else { continue };
            let mut openings = facts
                .scene
                .surfaces
                .iter()
                .filter(|own| own.within.is_some() && own.zone.eq_ignore_ascii_case(&zone.name));
            if !named && !openings.any(|own| facts.is_outer(own)) {
                work.skip(zone.name.clone(), "no window to outdoors");
                continue;
            }
            let name = work
                .free_name("ZoneVentilation:DesignFlowRate", &format!("{} natural ventilation", zone.name));
            let fields = json!({
                "zone_or_zonelist_or_space_or_spacelist_name": zone.name, "zone_or_zonelist_name": zone.name,
                "schedule_name": schedule, "design_flow_rate_calculation_method": "AirChanges/Hour",
                "air_changes_per_hour": self.air_changes, "ventilation_type": "Natural",
                "constant_term_coefficient": 1, "temperature_term_coefficient": 0,
                "velocity_term_coefficient": 0, "velocity_squared_term_coefficient": 0,
                "minimum_indoor_temperature": self.min_indoor_temperature, "maximum_indoor_temperature": 100,
                "delta_temperature": self.delta_temperature,
                "minimum_outdoor_temperature": self.min_outdoor_temperature, "maximum_outdoor_temperature": 100,
                "maximum_wind_speed": 40,
            });
            work.add("ZoneVentilation:DesignFlowRate", &name, fields)?;
            zones += 1;
            volume += zone.volume;
            flow += self.air_changes * zone.volume;
        }
        if zones == 0 {
            return Err(self.by.nothing("zone with a window to outdoors", facts));
        }
        work.assume(
            "flow while open",
            "constant",
            "no dependence on wind and temperature (ZoneVentilation:DesignFlowRate)",
        );
        work.assume(
            "closed",
            format!(
                "while the zone is below {} °C, or outdoors above the zone less {} K",
                self.min_indoor_temperature, self.delta_temperature
            ),
            "given, or the default",
        );
        work.assume("mechanical systems", "go on beside it", "nothing turns them off while windows are open");
        let per_hour = if volume > 0.0 { flow / volume } else { 0.0 };
        Ok(Change::new(
            zones,
            format!("natural ventilation of {volume:.0} m³ in {zones} zones"),
            0.0,
            per_hour,
            "1/h while open",
        ))
    }
}
