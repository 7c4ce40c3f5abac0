//! What a conversion answers: the model, and what had to be assumed or left out to make it.

use crate::site::Weather;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// How to convert.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where the building stands and what it is sized for, as a weather file says; else as the model says, or by default.
    pub weather: Option<Weather>,
    /// Every construction by the element's class instead of by its layers.
    pub default_constructions: bool,
    /// The name of the building; else that of the IfcBuilding.
    pub name: Option<String>,
}

/// A value that the building does not say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Assumption {
    /// The quantity that was assumed, such as `conductivity`.
    pub what: String,
    /// For what: GlobalIds or names, the first [`Notes::PLACES`] of them.
    #[serde(rename = "where")]
    pub places: Vec<String>,
    /// For how many.
    pub count: usize,
    /// The value with its unit.
    pub value: String,
    /// Where it is from, and why.
    pub source: String,
}

/// Something that could not be carried over as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// GlobalId or name.
    #[serde(rename = "where")]
    pub place: String,
    /// The matter, and what was done about it.
    pub message: String,
}

/// A zone beside the space that it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ZoneReport {
    /// The zone's name in the model.
    pub zone: String,
    /// The space's GlobalId.
    pub space: String,
    /// The space's name and long name.
    pub label: String,
    /// Volume enclosed by the zone's surfaces, in m³.
    pub volume: f64,
    /// Volume of the space's body, in m³.
    pub body_volume: f64,
    /// Volume as the file states it, in m³.
    pub stated_volume: Option<f64>,
    /// Sum of the floors, in m².
    pub floor_area: f64,
    /// Floor area as the file states it, in m².
    pub stated_floor_area: Option<f64>,
    /// True if the surfaces enclose the volume.
    pub closed: bool,
    /// The row of the table of usages.
    pub usage: String,
}

/// A surface beside what it is made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SurfaceReport {
    /// Its name in the model.
    pub surface: String,
    /// The zone's name.
    pub zone: String,
    /// `Wall`, `Floor`, `Ceiling`, `Roof`, `Window`, `GlassDoor`, `Door`.
    pub kind: String,
    /// `Outdoors`, `Ground`, `Surface`, `Adiabatic`.
    pub boundary: String,
    /// Gross area, in m²; a window's with its frame.
    pub area: f64,
    /// The outward normal.
    pub normal: [f64; 3],
    /// The GlobalIds of the elements behind it, or of the window or door itself.
    pub elements: Vec<String>,
}

/// How much there is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Zones.
    pub zones: usize,
    /// Surfaces of zones.
    pub surfaces: usize,
    /// Of these, those that have another behind them.
    pub paired: usize,
    /// To the outside air.
    pub outdoors: usize,
    /// To the ground.
    pub ground: usize,
    /// With no heat flow through them.
    pub adiabatic: usize,
    /// Windows and glass doors; one between zones counts once for each.
    pub windows: usize,
    /// Opaque doors; one between zones counts once for each.
    pub doors: usize,
    /// Shading surfaces.
    pub shading: usize,
    /// Second-level space boundaries that the file has with a surface.
    pub stated_boundaries: usize,
    /// Constructions.
    pub constructions: usize,
}

/// The energy model of a building.
#[derive(Debug, Clone)]
pub struct Converted {
    /// The whole EnergyPlus model, as epJSON.
    pub epjson: Value,
    /// The assumptions that were made.
    pub assumptions: Vec<Assumption>,
    /// The findings: what could not be carried over.
    pub findings: Vec<Finding>,
    /// Zone by zone.
    pub zones: Vec<ZoneReport>,
    /// Surface by surface.
    pub surfaces: Vec<SurfaceReport>,
    /// How much there is.
    pub counts: Counts,
}

impl Converted {
    /// The space's GlobalId by the zone's name, for what a simulation answers.
    pub fn spaces(&self) -> BTreeMap<String, String> {
        self.zones.iter().map(|z| (z.zone.clone(), z.space.clone())).collect()
    }
}

/// Assumptions and findings as they come.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub assumptions: Vec<Assumption>,
    pub findings: Vec<Finding>,
}

impl Notes {
    /// How many places an assumption lists.
    pub const PLACES: usize = 12;

    /// Notes an assumption; the same one elsewhere is one row.
    pub fn assume(&mut self, what: &str, place: &str, value: &str, source: &str) {
        let same = |a: &&mut Assumption| a.what == what && a.value == value && a.source == source;
        if let Some(known) = self.assumptions.iter_mut().find(same) {
            if known.places.iter().any(|p| p == place) {
                return;
            }
            known.count += 1;
            if known.places.len() < Self::PLACES {
                known.places.push(place.to_owned());
            }
            return;
        }
        self.assumptions.push(Assumption {
            what: what.to_owned(),
            places: vec![place.to_owned()],
            count: 1,
            value: value.to_owned(),
            source: source.to_owned(),
        });
    }

    /// Notes a finding, once.
    pub fn find(&mut self, place: &str, message: impl Into<String>) {
        let finding = Finding { place: place.to_owned(), message: message.into() };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}
