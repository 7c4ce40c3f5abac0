//! Between a building and its energy model: zones out of spaces, and what a simulation found of zones back to those spaces.

use contract::Effect;
use contract::ops::{Derivation, PlatformOperation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The elements that become zones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Zoning {
    /// Every space.
    #[default]
    Space,
    /// The heated spaces of a storey, and its unheated ones.
    Storey,
    /// Spaces of one usage on one storey.
    Usage,
    /// Spaces of one usage on one storey whose outer walls face the same quarter of the compass; those without outer walls are the core.
    Orientation,
}

/// The source of constructions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Constructions {
    /// The elements' layers; what they do not say is taken from data sets.
    #[default]
    Auto,
    /// The data sets, by the elements' classes.
    Default,
}

/// The value of a correction: a number in the unit of the assumption, yes or no, or a word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CorrectionValue {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A word, or a number with its unit as assumptions have it.
    Text(String),
}

/// A value that goes before what the building says or does not say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The quantity, as assumptions call it.
    pub what: String,
    /// For what: GlobalIds, names, usages or IFC classes; each must be in the building.
    #[serde(rename = "where")]
    pub places: Vec<String>,
    /// The value.
    pub value: CorrectionValue,
}

/// Makes an EnergyPlus model of the building `model`, placed and sized by the files `weather` and `design_days` where those are
/// given. All assumptions and findings are in the file `report`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DeriveEnergyModel {
    /// The elements that become zones.
    pub zoning: Zoning,
    /// The source of constructions.
    pub constructions: Constructions,
    /// Values that go before assumptions; of two for the same the later counts.
    pub corrections: Vec<Correction>,
}

/// The energy model of a building, and what had to be assumed or left out to make it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeriveAnswer {
    /// Its name, and GlobalIds of spaces by the names of their zones; those of a zone of several have a blank between them.
    #[serde(flatten)]
    pub derivation: Derivation,
    /// Numbers of its parts.
    pub counts: BuildingCounts,
    /// Areas in m², by kind of surface and what is behind it.
    pub areas_m2: BTreeMap<String, f64>,
    /// The weather file, if one was given.
    pub weather: Option<WeatherNote>,
    /// Zone by zone.
    pub zones: Vec<ZoneReport>,
    /// Values that the building does not say.
    pub assumptions: Vec<Assumption>,
    /// Parts that could not be carried over as they are.
    pub findings: Vec<Finding>,
}

impl PlatformOperation for DeriveEnergyModel {
    const NAME: &'static str = "energy_model";
    const EFFECT: Effect = Effect::Create;
    type Answer = DeriveAnswer;
}

/// The weather file that an energy model was placed by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WeatherNote {
    /// Its place.
    pub name: String,
    /// Design days that were taken over.
    pub design_days: u64,
    /// True if it knows temperatures of the ground.
    pub ground_temperatures: bool,
}

/// A value that the building does not say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assumption {
    /// The quantity that was assumed, such as `conductivity`.
    pub what: String,
    /// For what: GlobalIds or names, the first of them.
    #[serde(rename = "where")]
    pub places: Vec<String>,
    /// For how many.
    pub count: usize,
    /// The value with its unit.
    pub value: String,
    /// Its source, and the reason.
    pub source: String,
    /// The values that a correction may give it; of what cannot be corrected none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correct: Option<String>,
}

/// Something that could not be carried over as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// GlobalId or name.
    #[serde(rename = "where")]
    pub place: String,
    /// The matter, and what was done about it.
    pub message: String,
}

/// A zone beside the spaces that it is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ZoneReport {
    /// The zone's name in the model.
    pub zone: String,
    /// The space's GlobalId; of several the first.
    pub space: String,
    /// The GlobalIds of all, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spaces: Vec<String>,
    /// The space's name and long name; of several the zone's name.
    pub label: String,
    /// Volume enclosed by the surfaces of its spaces, in m³.
    pub volume: f64,
    /// Volume of the spaces' bodies, in m³.
    pub body_volume: f64,
    /// Volume as the file states it, in m³.
    pub stated_volume: Option<f64>,
    /// Sum of the floors, in m².
    pub floor_area: f64,
    /// Floor area as the file states it, in m².
    pub stated_floor_area: Option<f64>,
    /// True if the surfaces enclose the volume.
    pub closed: bool,
    /// The row of the table of usages; of several spaces all of theirs.
    pub usage: String,
    /// True if it is heated and cooled.
    #[serde(default)]
    pub conditioned: bool,
}

/// The numbers of parts in the energy model of a building.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BuildingCounts {
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
    /// Walls and slabs within zones, by zone and construction.
    #[serde(default)]
    pub internal_masses: usize,
    /// Shading surfaces.
    pub shading: usize,
    /// Second-level space boundaries that the file has with a surface.
    pub stated_boundaries: usize,
    /// Constructions.
    pub constructions: usize,
}

/// Writes what a simulation found of zones to the spaces of the building `model`: one property set in each, of one run alone.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteResults {
    /// GlobalIds of spaces by the names of their zones; those of a zone of several have a blank between them.
    pub spaces: BTreeMap<String, String>,
    /// Numbers by zone and property.
    pub results: BTreeMap<String, BTreeMap<String, f64>>,
    /// The source of those numbers: texts by property.
    pub run: BTreeMap<String, String>,
}

/// The spaces and properties that were written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WriteResultsAnswer {
    /// The name of the property set.
    pub set: String,
    /// Spaces that have it now.
    pub space_count: u64,
    /// Names of its properties.
    pub properties: BTreeSet<String>,
    /// Zones of which no space is known.
    pub zones_without_space: Vec<String>,
    /// GlobalIds of spaces that are in the building no more.
    pub spaces_gone: Vec<String>,
}

impl PlatformOperation for WriteResults {
    const NAME: &'static str = "energy_results";
    const EFFECT: Effect = Effect::Modify;
    type Answer = WriteResultsAnswer;
}
