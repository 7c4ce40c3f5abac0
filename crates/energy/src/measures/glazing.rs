//! Glazing by its U-value and solar heat gain coefficient, as EnergyPlus' simple glazing system, in outer windows.

use super::facts::Facts;
use super::selector::Selector;
use super::work::Work;
use super::{Change, insulate::numbered};
use crate::constructions::{self, Films, HeatFlow};
use crate::geometry::{Kind, Surface};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;

/// Other glazing in outer windows, skylights and doors of glass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceGlazing {
    /// W/(m²·K), films of air included.
    pub u_value: f64,
    /// Solar heat gain coefficient, 0 to 1.
    pub shgc: f64,
    /// 0 to 1; EnergyPlus estimates it where it is not given.
    #[serde(default)]
    pub visible_transmittance: Option<f64>,
    /// The part of the model.
    #[serde(default)]
    pub by: Selector,
}

/// The outer windows that a measure is for; skylights too. None of those that a reason is given for.
pub(super) fn windows<'a>(facts: &'a Facts, by: &Selector) -> Result<Vec<&'a Surface>, Fault> {
    let found: Vec<&Surface> = facts
        .scene
        .surfaces
        .iter()
        .filter(|own| own.kind == Kind::Window && own.mirror_of.is_none() && by.has_surface(own))
        .filter(|own| facts.is_outer(own))
        .collect();
    if found.is_empty() { Err(by.nothing("window to outdoors", facts)) } else { Ok(found) }
}

impl ReplaceGlazing {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        let is_share = |value: f64| value > 0.0 && value < 1.0;
        if !(self.u_value > 0.0 && self.u_value <= 7.0) {
            return Err(Fault::invalid("u_value", "`u_value` is above 0 and at most 7 W/(m²·K)."));
        }
        if !is_share(self.shgc) || !self.visible_transmittance.is_none_or(is_share) {
            let message = "`shgc` and `visible_transmittance` are above 0 and below 1.";
            return Err(Fault::invalid("shgc", message));
        }
        // windows whose shades are drawn over a construction of their own would go back to the old glass with them
        let mut shaded = HashSet::new();
        for control in work.document.of_type("WindowShadingControl") {
            if control.get("construction_with_shading_name").is_some_and(|name| !name.is_empty()) {
                let named =
                    control.groups().filter_map(|group| group.first().map(|name| name.to_lowercase()));
                shaded.extend(named);
            }
        }
        let (mut area, mut weighted, mut known, mut changed) = (0.0, 0.0, 0.0, Vec::new());
        for window in windows(facts, &self.by)? {
            if shaded.contains(&window.name.to_lowercase()) {
                work.skip(
                    format!("window `{}`", window.name),
                    "its shading control has a construction of its own",
                );
                continue;
            }
            let named = constructions::find(&work.document, &window.construction);
            let films = Films::iso_6946(HeatFlow::Horizontal);
            let old = named.and_then(|own| constructions::u_value(&work.document, own, films).ok());
            if let Some(old) = old {
                weighted += old * window.area();
                known += window.area();
            }
            area += window.area();
            changed.push(window.handle);
        }
        if changed.is_empty() {
            return Err(Fault::new(
                FaultCode::ConstraintViolation,
                "Every window selected has a shading control with a construction of its own. Change those first.",
            ));
        }
        let wanted = format!("Glazing U {:.2} g {:.2}", self.u_value, self.shgc);
        let material = work.free_name("WindowMaterial:SimpleGlazingSystem", &wanted);
        let mut fields = json!({ "u_factor": self.u_value, "solar_heat_gain_coefficient": self.shgc });
        if let (Some(visible), Some(fields)) = (self.visible_transmittance, fields.as_object_mut()) {
            fields.insert("visible_transmittance".to_owned(), json!(visible));
        }
        work.add("WindowMaterial:SimpleGlazingSystem", &material, fields)?;
        let construction = work.free_name("Construction", &wanted);
        work.add("Construction", &construction, numbered(&[material]))?;
        let mut framed = 0;
        for handle in &changed {
            work.set(*handle, json!({ "construction_name": construction }))?;
            let object = work.object(*handle)?;
            if object.get("frame_and_divider_name").is_some_and(|name| !name.is_empty()) {
                work.set(*handle, json!({ "frame_and_divider_name": null }))?;
                framed += 1;
            }
        }
        if framed > 0 {
            work.assume(
                "frames",
                format!("taken from {framed} windows"),
                "the U-value given is that of the whole window, frame included",
            );
        }
        if self.visible_transmittance.is_none() {
            work.assume("visible transmittance", "estimated", "EnergyPlus estimates it from the SHGC");
        }
        work.assume(
            "U-value before",
            "as given, or of the panes at the centre by EN 673 with films of ISO 6946",
            if known < area {
                "some of the constructions have none, and are left out of the mean"
            } else {
                "energy::constructions"
            },
        );
        Ok(Change {
            before: (known > 0.0).then(|| crate::digits::to_decimals(weighted / known, 4)),
            after: Some(self.u_value),
            ..Change::new(changed.len(), format!("glazing, {area:.0} m²"), 0.0, self.u_value, "W/(m²·K)")
        })
    }
}
