//! The part of a model that a measure is limited to: zones, surfaces, constructions, where they face and how high they lie.

use super::facts::{Facts, ZoneFacts};
use crate::geometry::{Kind, Surface};
use crate::pattern::matches;
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The eight points of the compass; each reaches 22.5° to either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Orientation {
    /// North.
    N,
    /// North-east.
    NE,
    /// East.
    E,
    /// South-east.
    SE,
    /// South.
    S,
    /// South-west.
    SW,
    /// West.
    W,
    /// North-west.
    NW,
}

impl Orientation {
    /// The one that an azimuth in degrees from north, clockwise, falls to.
    pub fn from_azimuth(degrees: f64) -> Self {
        const ALL: [Orientation; 8] = [
            Orientation::N,
            Orientation::NE,
            Orientation::E,
            Orientation::SE,
            Orientation::S,
            Orientation::SW,
            Orientation::W,
            Orientation::NW,
        ];
        let at = (degrees / 45.0).round().rem_euclid(8.0) as usize;
        ALL.get(at).copied().unwrap_or(Self::N)
    }
}

/// A limit to part of the model. What is given must all hold; what is left out does not limit. Of a measure on zones (loads, air flows,
/// controls), a limit on surfaces means the zones that such a surface encloses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Selector {
    /// Names of zones; `*` stands for any text.
    pub zones: Vec<String>,
    /// Names of surfaces, windows or doors; `*` stands for any text.
    pub surfaces: Vec<String>,
    /// Names of constructions; `*` stands for any text.
    pub constructions: Vec<String>,
    /// Where outer walls and windows face.
    pub orientation: Vec<Orientation>,
    /// The least height of its middle above the ground, in m.
    pub from_height: Option<f64>,
    /// The greatest height of its middle above the ground, in m.
    pub to_height: Option<f64>,
}

fn any(patterns: &[String], text: &str) -> bool {
    patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, text))
}

impl Selector {
    /// True if it limits nothing.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// True if it names surfaces or constructions.
    pub(super) fn names_surfaces(&self) -> bool {
        !self.surfaces.is_empty() || !self.constructions.is_empty()
    }

    fn limits_surfaces(&self) -> bool {
        self.names_surfaces() || !self.orientation.is_empty()
    }

    fn height(&self, middle: f64) -> bool {
        self.from_height.is_none_or(|from| middle >= from) && self.to_height.is_none_or(|to| middle <= to)
    }

    /// True if a surface, window or door is in it.
    pub(super) fn has_surface(&self, surface: &Surface) -> bool {
        let middle = {
            let (low, high) =
                surface.corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |at, corner| {
                    (at.0.min(corner.z), at.1.max(corner.z))
                });
            f64::midpoint(low, high)
        };
        any(&self.zones, &surface.zone)
            && any(&self.surfaces, &surface.name)
            && any(&self.constructions, &surface.construction)
            && self.height(middle)
            && (self.orientation.is_empty()
                || ((60.0..=120.0).contains(&surface.tilt())
                    && self.orientation.contains(&Orientation::from_azimuth(surface.azimuth()))))
    }

    /// The numbers of the zones in it; a fault that says what there is, if none is.
    pub(super) fn zones(&self, facts: &Facts) -> Result<Vec<usize>, Fault> {
        let of_surfaces = self.limits_surfaces().then(|| {
            let all = Self { zones: Vec::new(), from_height: None, to_height: None, ..self.clone() };
            let own = facts.scene.surfaces.iter();
            let outer = own.filter(|surface| {
                surface.kind != Kind::Shading && (self.names_surfaces() || facts.is_outer(surface))
            });
            let names =
                outer.filter(|surface| all.has_surface(surface)).map(|own| own.zone.trim().to_lowercase());
            names.collect::<std::collections::HashSet<_>>()
        });
        let holds = |zone: &ZoneFacts| {
            any(&self.zones, &zone.name)
                && self.height(zone.middle)
                && of_surfaces.as_ref().is_none_or(|names| names.contains(&zone.name.to_lowercase()))
        };
        let found: Vec<usize> =
            facts.zones.iter().enumerate().filter(|(_, zone)| holds(zone)).map(|(at, _)| at).collect();
        if found.is_empty() { Err(self.nothing("zone", facts)) } else { Ok(found) }
    }

    /// The fault that nothing is in it: what there is.
    pub(super) fn nothing(&self, what: &str, facts: &Facts) -> Fault {
        const LISTED: usize = 40;
        let listed = |names: Vec<&str>| -> Vec<String> {
            let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            names.sort_unstable();
            names.dedup();
            names.truncate(LISTED);
            names
        };
        let zones = listed(facts.zones.iter().map(|zone| zone.name.as_str()).collect());
        let own = facts.scene.surfaces.iter();
        let constructions = listed(own.map(|surface| surface.construction.as_str()).collect());
        let none = if self.is_all() {
            format!("The model has no {what}.")
        } else {
            format!("There is no {what} that `by` selects.")
        };
        let message = format!(
            "{none} The model has the zones {}{}.",
            zones.join(", "),
            if facts.zones.len() > LISTED {
                format!(" and {} more", facts.zones.len() - LISTED)
            } else {
                String::new()
            }
        );
        Fault::new(FaultCode::ElementNotFound, message)
            .with("field", "by")
            .with("zones", zones)
            .with("constructions", constructions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text, is) in [
            ("Zone 1", "zone 1", true),
            ("Zone*", "Zone 12", true),
            ("*_top", "Core_top", true),
            ("*a*a", "a", false),
            ("*a*a", "banana", true),
            ("Zone", "Zone 1", false),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(pattern, text), is, "{pattern} {text}");
        }
    }

    #[test]
    fn every_azimuth_falls_to_one_point_of_the_compass() {
        for (azimuth, point) in
            [(0.0, "N"), (359.0, "N"), (46.0, "NE"), (180.0, "S"), (292.4, "W"), (292.6, "NW")]
        {
            assert_eq!(format!("{:?}", Orientation::from_azimuth(azimuth)), point);
        }
        assert_eq!(Orientation::from_azimuth(f64::NAN), Orientation::N);
    }
}
