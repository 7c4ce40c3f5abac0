//! Models of other versions and other programs, brought over by the programs of their makers.

use contract::Effect;
use contract::ops::PlatformOperation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Brings `model` up to a newer version of EnergyPlus, by the makers' transition programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Migrate {
    /// The version wanted; that of the program where none is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_version: Option<String>,
    /// The folder that EnergyPlus has to be in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program_folder: Option<String>,
    /// Hands on the files in between, too.
    pub keep: bool,
}

/// The way that a model was brought up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MigrateAnswer {
    /// The version before.
    pub from: String,
    /// The version after.
    pub to: String,
    /// The programs that ran, by name, in order.
    pub steps: Vec<String>,
    /// Matters that they say to look after, to a bound.
    pub messages: Vec<String>,
    /// Messages beyond that bound.
    #[serde(default)]
    pub messages_left_out: u64,
}

impl PlatformOperation for Migrate {
    const NAME: &'static str = "migrate";
    const EFFECT: Effect = Effect::Modify;
    type Answer = MigrateAnswer;
}

/// Makes an EnergyPlus model of the OpenStudio model in the file `osm`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertOsm {
    /// Reads models of a newer OpenStudio, too.
    pub allow_newer_versions: bool,
}

/// The model that was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertOsmAnswer {
    /// The version of EnergyPlus that it is of.
    pub version: Option<String>,
    /// Its objects.
    pub objects: u64,
    /// Remarks by OpenStudio.
    pub messages: Vec<String>,
    /// Problems that reading it met.
    pub problem_count: u64,
}

impl PlatformOperation for ConvertOsm {
    const NAME: &'static str = "convert_osm";
    const EFFECT: Effect = Effect::Create;
    type Answer = ConvertOsmAnswer;
}
