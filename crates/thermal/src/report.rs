//! The answer of a conversion: the model, and what had to be assumed or left out to make it.

use crate::site::Weather;
pub use energy::ops::{Assumption, BuildingCounts, Finding, ZoneReport};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Options of a conversion.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The place of the building and the days it is sized for, as a weather file says; else as the model says, or by default.
    pub weather: Option<Weather>,
    /// Every construction by the element's class instead of by its layers.
    pub default_constructions: bool,
    /// The name of the building; else that of the IfcBuilding.
    pub name: Option<String>,
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
    /// The numbers of its parts.
    pub counts: BuildingCounts,
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
    /// The most places that an assumption lists.
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
