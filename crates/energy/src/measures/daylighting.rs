//! Lights dimmed by daylight: controls and a reference point in each zone with windows.

use super::Change;
use super::facts::Facts;
use super::selector::Selector;
use super::work::Work;
use crate::geometry::{Kind, polygon};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Lights dimmed by daylight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Daylighting {
    /// The illuminance to keep, in lux.
    pub illuminance: f64,
    /// The share of the lights that is controlled, 0 to 1.
    pub share: f64,
    /// The way in which lights are dimmed.
    pub control: Dimming,
    /// The part of the model.
    pub by: Selector,
}

/// The way in which lights are dimmed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dimming {
    /// Down to a fifth of light at 0.3 of power.
    #[default]
    Continuous,
    /// The same, and off below that.
    ContinuousOff,
    /// In three steps.
    Stepped,
}

/// The height of reference points above the floor, in m.
const HEIGHT: f64 = 0.8;

impl Default for Daylighting {
    fn default() -> Self {
        Self { illuminance: 500.0, share: 1.0, control: Dimming::default(), by: Selector::default() }
    }
}

impl Daylighting {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if !(self.illuminance > 0.0 && self.illuminance <= 100_000.0) {
            return Err(Fault::invalid("illuminance", "`illuminance` is above 0 lux."));
        }
        if !(self.share > 0.0 && self.share <= 1.0) {
            return Err(Fault::invalid("share", "`share` is above 0 and at most 1."));
        }
        let rules = work.document.of_type("GlobalGeometryRules").next();
        let is_world = |field: &str| {
            rules.and_then(|own| own.get(field)).is_some_and(|word| word.eq_ignore_ascii_case("world"))
        };
        if is_world("coordinate_system") != is_world("daylighting_reference_point_coordinate_system") {
            let mut zones = work.document.of_type("Zone");
            let fields = ["direction_of_relative_north", "x_origin", "y_origin", "z_origin"];
            if zones
                .any(|zone| fields.iter().any(|field| zone.number(field).is_some_and(|value| value != 0.0)))
            {
                let message = "Surfaces and daylighting reference points are given in different frames, and zones have origins of their own. \
                    Set both coordinate systems of GlobalGeometryRules alike first.";
                return Err(Fault::new(FaultCode::NotSupported, message));
            }
        }
        let has = |zone: &str| {
            work.document.of_type("Daylighting:Controls").any(|own| {
                let named = own.get("zone_or_space_name").or(own.get("zone_name")).unwrap_or_default();
                facts
                    .parts(&work.document, named)
                    .iter()
                    .any(|part| facts.zones.get(part.zone).is_some_and(|own| own.name == zone))
            })
        };
        let mut plans = Vec::new();
        let mut left = Vec::new();
        for at in self.by.zones(facts)? {
            let Some(zone) = facts.zones.get(at) else { continue };
            let mut own =
                facts.scene.surfaces.iter().filter(|own| own.zone.trim().eq_ignore_ascii_case(&zone.name));
            if !own.clone().any(|own| own.kind == Kind::Window && facts.is_outer(own)) {
                left.push((zone.name.clone(), "no window to outdoors"));
            } else if has(&zone.name) {
                left.push((zone.name.clone(), "it has daylighting controls already"));
            } else {
                let floor = own.by_ref().filter(|own| own.kind == Kind::Floor && own.mirror_of.is_none());
                let floor = floor.max_by(|a, b| a.area().total_cmp(&b.area()));
                let corners = floor.and_then(|floor| polygon::corners(work.document.object(floor.handle)?));
                match corners.and_then(|corners| middle(&corners)) {
                    Some(point) => plans.push((zone.name.clone(), zone.floor_area, point)),
                    None => {
                        left.push((zone.name.clone(), "no floor given by corners whose middle is within it"));
                    }
                }
            }
        }
        for (zone, why) in left {
            work.skip(zone, why);
        }
        if plans.is_empty() {
            let why: Vec<String> =
                work.skipped.iter().take(10).map(|own| format!("{}: {}", own.what, own.why)).collect();
            let message = format!("No zone selected can have daylighting controls. {}.", why.join("; "));
            return Err(Fault::new(FaultCode::ConstraintViolation, message));
        }
        let mut area = 0.0;
        let count = plans.len();
        for (zone, floor, [x, y, z]) in plans {
            let point = work.free_name("Daylighting:ReferencePoint", &format!("{zone} daylight point"));
            let place = json!({
                "zone_or_space_name": zone, "zone_name": zone, "x_coordinate_of_reference_point": x,
                "y_coordinate_of_reference_point": y, "z_coordinate_of_reference_point": z + HEIGHT,
            });
            work.add("Daylighting:ReferencePoint", &point, place)?;
            let controls = work.free_name("Daylighting:Controls", &format!("{zone} daylighting"));
            let word = match self.control {
                Dimming::Continuous => "Continuous",
                Dimming::ContinuousOff => "ContinuousOff",
                Dimming::Stepped => "Stepped",
            };
            let fields = json!({
                "zone_or_space_name": zone, "zone_name": zone, "daylighting_method": "SplitFlux",
                "lighting_control_type": word,
                "minimum_input_power_fraction_for_continuous_or_continuousoff_dimming_control": 0.3,
                "minimum_light_output_fraction_for_continuous_or_continuousoff_dimming_control": 0.2,
                "number_of_stepped_control_steps": if self.control == Dimming::Stepped { json!(3) } else { json!(null) },
                "glare_calculation_daylighting_reference_point_name": point,
                "control_data": [{
                    "daylighting_reference_point_name": point,
                    "fraction_of_lights_controlled_by_reference_point": self.share,
                    "illuminance_setpoint_at_reference_point": self.illuminance,
                }],
            });
            work.add("Daylighting:Controls", &controls, fields)?;
            area += floor;
        }
        work.assume(
            "reference point",
            format!("the middle of the largest floor, {HEIGHT} m above it"),
            "one for each zone",
        );
        if self.control != Dimming::Stepped {
            work.assume("least power and light", "0.3 and 0.2", "defaults of Daylighting:Controls");
        }
        work.assume("lights", "those with Fraction Replaceable 1, or blank", "EnergyPlus dims no others");
        Ok(Change::new(
            count,
            format!("daylighting of {area:.0} m² of floor in {count} zones"),
            0.0,
            self.illuminance,
            "lux",
        ))
    }
}

/// The centroid of a level polygon; none where it is not within it.
fn middle(corners: &[glam::DVec3]) -> Option<[f64; 3]> {
    let first = *corners.first()?;
    let (mut twice, mut sum) = (0.0, glam::DVec2::ZERO);
    let flat: Vec<glam::DVec2> = corners.iter().map(|own| (*own - first).truncate()).collect();
    for (a, b) in flat.iter().zip(flat.iter().cycle().skip(1)) {
        let cross = a.perp_dot(*b);
        twice += cross;
        sum += (*a + *b) * cross;
    }
    let centre = sum / (3.0 * twice);
    if !centre.is_finite() {
        return None;
    }
    let crossings = flat.iter().zip(flat.iter().cycle().skip(1)).filter(|(a, b)| {
        let spans = (a.y > centre.y) != (b.y > centre.y);
        spans && centre.x < (b.x - a.x) * (centre.y - a.y) / (b.y - a.y) + a.x
    });
    (crossings.count() % 2 == 1).then_some([first.x + centre.x, first.y + centre.y, first.z])
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec3;

    #[test]
    fn a_reference_point_lies_within_the_floor() {
        let square = [dvec3(10., 10., 3.), dvec3(10., 14., 3.), dvec3(12., 14., 3.), dvec3(12., 10., 3.)];
        assert_eq!(middle(&square), Some([11.0, 12.0, 3.0]));
        // the middle of an angle lies outside of it
        let angle = [
            dvec3(0., 0., 0.),
            dvec3(10., 0., 0.),
            dvec3(10., 1., 0.),
            dvec3(1., 1., 0.),
            dvec3(1., 10., 0.),
            dvec3(0., 10., 0.),
        ];
        assert_eq!(middle(&angle), None);
        assert_eq!(middle(&[]), None);
    }
}
