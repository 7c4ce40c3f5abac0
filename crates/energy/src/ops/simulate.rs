//! Runs of EnergyPlus, and the numbers of one zone by zone.

use crate::results::errors::Group;
use crate::results::summary::EndUses;
use crate::results::{RunOutcome, Span, ZoneNumbers, ZoneOfRun};
use contract::ops::PlatformOperation;
use contract::{Effect, JobFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Runs EnergyPlus on `model`, with the file `weather` where its span needs one. What it writes is handed on as files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Simulate {
    /// Only the design days.
    pub design_day: bool,
    /// A whole year of the weather file. With neither, what the model says.
    pub annual: bool,
    /// Writes series as CSV, too.
    pub readvars: bool,
    /// Seconds that it may take in all; an hour, if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// The version that the program has to have, to as many numbers as are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program_version: Option<String>,
    /// The folder that the program has to be in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program_folder: Option<String>,
}

/// The end of a run; everything else is in its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimulateAnswer {
    /// The way it ended, and why.
    #[serde(flatten)]
    pub outcome: RunOutcome,
    /// The time that was simulated.
    pub span: Span,
    /// The program, such as `EnergyPlus 25.2.0`.
    pub program: String,
    /// Its messages, the worst first, alike ones together, to a bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Group>,
    /// Messages beyond that bound.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub messages_left_out: usize,
    /// Energy by end use and source, where the run wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_uses: Option<EndUses>,
    /// Remarks on this run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to these")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The result of a simulation's job: how the run ended, and what became of its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimulationResult {
    /// The end of the run.
    #[serde(flatten)]
    pub run: SimulateAnswer,
    /// Its files, kept in the bucket.
    #[serde(default)]
    pub files: Vec<JobFile>,
    /// The weather file that was used, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weather_file: Option<String>,
    /// The folder that its files were copied to, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_directory: Option<String>,
    /// The reason why they were not copied there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_copied: Option<String>,
}

impl PlatformOperation for Simulate {
    const NAME: &'static str = "simulate";
    const EFFECT: Effect = Effect::Query;
    type Answer = SimulateAnswer;
}

/// Reads numbers by zone out of the database of a run, the file `results`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ZoneResults {
    /// The names of the zones.
    pub zones: Vec<String>,
    /// The run whose file it is, where that is not the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_id: Option<String>,
}

impl PlatformOperation for ZoneResults {
    const NAME: &'static str = "zone_results";
    const EFFECT: Effect = Effect::Query;
    type Answer = ZoneNumbers;
}

/// Reads how the run whose file is `results` took zones: areas, levels, design loads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ZoneFacts {
    /// One of them; without it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

/// Zones as a run took them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ZoneFactsAnswer {
    /// The zones.
    pub zones: Vec<ZoneOfRun>,
}

impl PlatformOperation for ZoneFacts {
    const NAME: &'static str = "zone_facts";
    const EFFECT: Effect = Effect::Query;
    type Answer = ZoneFactsAnswer;
}
