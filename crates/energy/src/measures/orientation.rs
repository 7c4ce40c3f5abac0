//! The building turned on its site.

use super::Change;
use super::facts::Facts;
use super::work::Work;
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A turn of the building; what shades it from its site stays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Clockwise as seen from above, in degrees, on top of how it stands.
    pub degrees: f64,
}

impl Turn {
    pub(super) fn apply(&self, work: &mut Work, facts: &Facts) -> Result<Change, Fault> {
        if !self.degrees.is_finite() || self.degrees.abs() > 360.0 {
            return Err(Fault::invalid("degrees", "`degrees` is between -360 and 360."));
        }
        let building =
            work.document.of_type("Building").next().map(|own| (own.handle(), own.number("north_axis")));
        let Some((building, axis)) = building else {
            return Err(Fault::new(
                FaultCode::ElementNotFound,
                "The model has no Building object to turn. Add it first.",
            ));
        };
        let stands = if facts.scene.world { 0.0 } else { axis.unwrap_or(0.0) };
        if facts.scene.world {
            make_relative(work)?;
        }
        let turned = (stands + self.degrees).rem_euclid(360.0);
        work.set(building, json!({ "north_axis": turned }))?;
        work.assume("shading of the site", "stays", "Shading:Site objects do not turn with the building");
        Ok(Change::new(1, "north axis of the building".to_owned(), stands, turned, "°"))
    }
}

/// Makes coordinates relative, which in the world's frame the north axis does not turn. Where zones have no origin and no turn of
/// their own that changes nothing else.
fn make_relative(work: &mut Work) -> Result<(), Fault> {
    let fields = ["direction_of_relative_north", "x_origin", "y_origin", "z_origin"];
    let placed = work
        .document
        .of_type("Zone")
        .find(|zone| fields.iter().any(|field| zone.number(field).is_some_and(|value| value != 0.0)));
    if let Some(zone) = placed {
        let message = format!(
            "Coordinates are in the world's frame, and zone `{}` has an origin of its own that they leave out: the building cannot be \
             turned by its north axis. Clear the origins and turns of the zones first.",
            zone.name()
        );
        return Err(Fault::new(FaultCode::NotSupported, message));
    }
    let rules: Vec<_> = work.document.of_type("GlobalGeometryRules").map(|own| own.handle()).collect();
    for handle in rules {
        work.set(
            handle,
            json!({
                "coordinate_system": "Relative", "daylighting_reference_point_coordinate_system": "Relative",
                "rectangular_surface_coordinate_system": "Relative",
            }),
        )?;
    }
    work.assume(
        "coordinates",
        "relative",
        "in the world's frame EnergyPlus leaves out the north axis; zones have no origins, so nothing moves",
    );
    Ok(())
}
