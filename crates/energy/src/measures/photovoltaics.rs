//! Photovoltaics on roofs: a share of the area with cells of one efficiency, and an inverter to the building's electricity.

use super::Change;
use super::facts::{Facts, is_outdoors};
use super::insulate::net_area;
use super::selector::Selector;
use super::work::Work;
use crate::geometry::Kind;
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Photovoltaics on roofs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Photovoltaics {
    /// The share of the roofs' area, skylights left out, that is covered with cells, 0 to 1.
    pub area_share: f64,
    /// Of the modules, 0 to 1.
    pub efficiency: f64,
    /// Of the inverter, 0 to 1.
    pub inverter_efficiency: f64,
    /// The part of the model. Surfaces of other kinds that it names get cells too.
    pub by: Selector,
}

impl Default for Photovoltaics {
    fn default() -> Self {
        Self { area_share: 0.5, efficiency: 0.2, inverter_efficiency: 0.96, by: Selector::default() }
    }
}

impl Photovoltaics {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        for (field, value) in [
            ("area_share", self.area_share),
            ("efficiency", self.efficiency),
            ("inverter_efficiency", self.inverter_efficiency),
        ] {
            if !(value > 0.0 && value <= 1.0) {
                return Err(Fault::invalid(field, format!("`{field}` is above 0 and at most 1.")));
            }
        }
        let named = !self.by.surfaces.is_empty();
        let mut chosen = Vec::new();
        for own in facts.scene.surfaces.iter().filter(|own| own.within.is_none() && own.mirror_of.is_none()) {
            let is_roof = matches!(own.kind, Kind::Roof | Kind::Ceiling) && is_outdoors(own);
            let can = is_roof
                || (named && (own.kind == Kind::Shading || (own.kind == Kind::Wall && is_outdoors(own))));
            if !can || !self.by.has_surface(own) {
                continue;
            }
            let mut generators = work.document.of_type("Generator:Photovoltaic");
            let has_one = generators.any(|cells| {
                cells.get("surface_name").is_some_and(|name| name.eq_ignore_ascii_case(&own.name))
            });
            drop(generators);
            if has_one {
                work.skip(format!("`{}`", own.name), "it has photovoltaics already");
            } else {
                chosen.push((own.name.clone(), net_area(facts, own)));
            }
        }
        if chosen.is_empty() && !work.skipped.is_empty() {
            return Err(Fault::new(
                FaultCode::ConstraintViolation,
                "The roofs selected have photovoltaics already.",
            ));
        }
        if chosen.is_empty() {
            return Err(self.by.nothing("roof to outdoors", facts));
        }
        let performance = work.free_name("PhotovoltaicPerformance:Simple", "PV cells");
        work.add(
            "PhotovoltaicPerformance:Simple",
            &performance,
            json!({
                "fraction_of_surface_area_with_active_solar_cells": self.area_share,
                "conversion_efficiency_input_mode": "Fixed",
                "value_for_cell_efficiency_if_fixed": self.efficiency,
            }),
        )?;
        let always = work.constant_schedule("PV always", 1.0)?;
        let mut outputs: Vec<Value> = Vec::new();
        let mut cells = 0.0;
        for (surface, area) in &chosen {
            let name = work.free_name("Generator:Photovoltaic", &format!("PV {surface}"));
            work.add(
                "Generator:Photovoltaic",
                &name,
                json!({
                    "surface_name": surface,
                    "photovoltaic_performance_object_type": "PhotovoltaicPerformance:Simple",
                    "module_performance_name": performance,
                    "heat_transfer_integration_mode": "Decoupled",
                    "number_of_series_strings_in_parallel": 1,
                    "number_of_modules_in_series": 1,
                }),
            )?;
            let own = area * self.area_share;
            cells += own;
            outputs.push(json!({
                "generator_name": name,
                "generator_object_type": "Generator:Photovoltaic",
                "generator_rated_electric_power_output": own * self.efficiency * 1000.0,
                // EnergyPlus counts generators by their fields, and loses some where the last one is left out
                "generator_rated_thermal_to_electrical_power_ratio": 0,
            }));
        }
        let list = work.free_name("ElectricLoadCenter:Generators", "PV generators");
        work.add("ElectricLoadCenter:Generators", &list, json!({ "generator_outputs": outputs }))?;
        let inverter = work.free_name("ElectricLoadCenter:Inverter:Simple", "PV inverter");
        work.add(
            "ElectricLoadCenter:Inverter:Simple",
            &inverter,
            json!({
                "availability_schedule_name": always, "radiative_fraction": 0,
                "inverter_efficiency": self.inverter_efficiency,
            }),
        )?;
        let center = work.free_name("ElectricLoadCenter:Distribution", "PV");
        work.add(
            "ElectricLoadCenter:Distribution",
            &center,
            json!({
                "generator_list_name": list,
                "generator_operation_scheme_type": "Baseload",
                "electrical_buss_type": "DirectCurrentWithInverter",
                "inverter_name": inverter,
            }),
        )?;
        work.assume(
            "efficiency of modules",
            format!("{}", self.efficiency),
            "the same at any temperature (PhotovoltaicPerformance:Simple)",
        );
        work.assume(
            "efficiency of the inverter",
            format!("{}", self.inverter_efficiency),
            "given, or 0.96 by default",
        );
        work.assume("cells", "in the plane of the surface", "they neither shade nor cool what they lie on");
        Ok(Change::new(
            chosen.len(),
            format!("{cells:.0} m² of cells on {} surfaces", chosen.len()),
            0.0,
            cells * self.efficiency,
            "kW at 1000 W/m²",
        ))
    }
}
