//! The answer of a conversion: the model, and what had to be assumed or left out to make it.

use crate::{
    corrections::{Corrections, Here},
    site::Weather,
};
use contract::Fault;
pub use energy::ops::{Assumption, BuildingCounts, Correction, Finding, ZoneReport, Zoning};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Options of a conversion.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The place of the building and the days it is sized for, as a weather file says; else as the model says, or by default.
    pub weather: Option<Weather>,
    /// Every construction by the element's class instead of by its layers.
    pub default_constructions: bool,
    /// The name of the building; else that of the IfcBuilding.
    pub name: Option<String>,
    /// The spaces that become one zone.
    pub zoning: Zoning,
    /// Values that go before the file's and before assumptions.
    pub corrections: Vec<Correction>,
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
    /// The construction's name.
    pub construction: String,
}

/// A construction of layers beside what the file states of the element it is of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConstructionReport {
    /// Its name in the model.
    pub construction: String,
    /// The GlobalId of the thickest element that it was first made for; empty where none stands there.
    pub element: String,
    /// Sum of its layers, in metres.
    pub thickness: f64,
    /// Thermal transmittance with the films of ISO 6946, in W/(m²·K).
    pub transmittance: f64,
    /// ThermalTransmittance as the file states it of that element, in W/(m²·K); `None` where others stand there, too.
    pub stated_transmittance: Option<f64>,
    /// True if a correction says the transmittance.
    pub is_corrected: bool,
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
    /// The constructions of layers.
    pub constructions: Vec<ConstructionReport>,
    /// The numbers of its parts.
    pub counts: BuildingCounts,
}

impl Converted {
    /// The GlobalIds of spaces by the zone's name, for what a simulation answers; those of a zone of several with a blank between them.
    pub fn spaces(&self) -> BTreeMap<String, String> {
        let ids = |z: &ZoneReport| if z.spaces.is_empty() { z.space.clone() } else { z.spaces.join(" ") };
        self.zones.iter().map(|z| (z.zone.clone(), ids(z))).collect()
    }
}

/// Assumptions and findings as they come, and the corrections that are asked before.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub assumptions: Vec<Assumption>,
    pub findings: Vec<Finding>,
    corrections: Corrections,
    /// Places of assumptions by what, value and source.
    rows: HashMap<(String, String, String), usize>,
    places: HashSet<(usize, String)>,
    found: HashSet<(String, String)>,
}

/// The source of a value that was given by a correction.
pub(crate) const CORRECTED: &str = "a correction";

impl Notes {
    /// Notes with corrections; a Fault where one of them is none.
    pub fn new(corrections: &[Correction]) -> Result<Notes, Fault> {
        Ok(Notes { corrections: Corrections::read(corrections)?, ..Notes::default() })
    }

    /// Notes an assumption; the same one elsewhere is one row.
    pub fn assume(&mut self, what: &str, place: &str, value: &str, source: &str) {
        let key = (what.to_owned(), value.to_owned(), source.to_owned());
        let number = *self.rows.entry(key).or_insert(self.assumptions.len());
        if number == self.assumptions.len() {
            self.assumptions.push(Assumption {
                what: what.to_owned(),
                places: Vec::new(),
                count: 0,
                value: value.to_owned(),
                source: source.to_owned(),
                correct: crate::corrections::values_of(what),
            });
        }
        if let Some(row) = self.assumptions.get_mut(number)
            && self.places.insert((number, place.to_owned()))
        {
            row.count += 1;
            row.places.push(place.to_owned());
        }
    }

    /// Notes a finding, once.
    pub fn find(&mut self, place: &str, message: impl Into<String>) {
        let message = message.into();
        if self.found.insert((place.to_owned(), message.clone())) {
            self.findings.push(Finding { place: place.to_owned(), message });
        }
    }

    /// The number that a correction gives a quantity here, which is noted.
    pub fn number(&mut self, what: &str, place: &str, unit: &str, here: &Here<'_, '_>) -> Option<f64> {
        let value = self.corrections.number(what, here)?;
        self.assume(what, place, format!("{value} {unit}").trim_end(), CORRECTED);
        Some(value)
    }

    /// The word that a correction gives here, which is noted: `yes` or `no`, a boundary, a usage.
    pub fn word(&mut self, what: &str, place: &str, here: &Here<'_, '_>) -> Option<String> {
        let word = self.corrections.word(what, here)?;
        self.assume(what, place, &word, CORRECTED);
        Some(word)
    }

    /// Returns true if a correction gave a quantity its value at a place.
    pub fn is_corrected(&self, what: &str, place: &str) -> bool {
        let mut own = self.assumptions.iter().filter(|a| a.what == what && a.source == CORRECTED);
        own.any(|a| a.places.iter().any(|p| p == place))
    }

    /// Returns true if there is any correction of a quantity.
    pub fn has_corrections(&self, what: &str) -> bool {
        self.corrections.has(what)
    }

    /// A Fault where a correction was for nothing in the building.
    pub fn all_applied(&self) -> Result<(), Fault> {
        self.corrections.all_applied(&self.assumptions)
    }
}
