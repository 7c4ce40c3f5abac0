//! The operations that are no tools: what the platform needs of a model to keep, compare and show it.

use contract::{Effect, OperationInfo};
use serde_json::{Value, json};

/// An operation of this adapter beside the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Own {
    NewEnergyModel,
    Materialise,
    Diff,
    Restore,
    Merge,
    Inspect,
    ReadWeather,
    Simulate,
    Migrate,
    ConvertOsm,
    ZoneResults,
    Summary,
    Object,
    References,
}

impl Own {
    pub(crate) const ALL: [Self; 14] = [
        Self::NewEnergyModel,
        Self::Materialise,
        Self::Diff,
        Self::Restore,
        Self::Merge,
        Self::Inspect,
        Self::ReadWeather,
        Self::Simulate,
        Self::Migrate,
        Self::ConvertOsm,
        Self::ZoneResults,
        Self::Summary,
        Self::Object,
        Self::References,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NewEnergyModel => "new_energy_model",
            Self::Materialise => "materialise",
            Self::Diff => "diff",
            Self::Restore => "restore",
            Self::Merge => "merge",
            Self::Inspect => "inspect",
            Self::ReadWeather => "read_weather",
            Self::Simulate => "simulate",
            Self::Migrate => "migrate",
            Self::ConvertOsm => "convert_osm",
            Self::ZoneResults => "zone_results",
            Self::Summary => "energy_summary",
            Self::Object => "energy_object",
            Self::References => "energy_references",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Whether it runs programs of EnergyPlus' or OpenStudio's makers.
    pub(crate) fn needs_programs(self) -> bool {
        matches!(self, Self::Simulate | Self::Migrate | Self::ConvertOsm)
    }

    fn effect(self) -> Effect {
        match self {
            Self::NewEnergyModel | Self::ConvertOsm => Effect::Create,
            Self::Restore | Self::Merge | Self::Migrate => Effect::Modify,
            Self::Materialise
            | Self::Diff
            | Self::Inspect
            | Self::ReadWeather
            | Self::Simulate
            | Self::ZoneResults
            | Self::Summary
            | Self::Object
            | Self::References => Effect::Query,
        }
    }

    fn input(self) -> Value {
        match self {
            Self::NewEnergyModel => {
                json!({"format": ["idf", "epjson"], "name": "string", "version": "string"})
            }
            Self::Materialise => json!({"output_format": ["idf", "epjson"]}),
            Self::Diff => json!({"detail": ["raw", "summary"]}),
            Self::Merge => json!({
                "resolve": {"key": ["ours", "theirs"]}, "compare_effect": "boolean", "as_merge": "boolean",
                "model_ids": "ids", "theirs_ids": "ids",
            }),
            Self::Simulate => {
                json!({
                    "annual": "boolean", "design_day": "boolean", "readvars": "boolean", "seconds": "integer",
                    "program_version": "string", "program_folder": "string",
                })
            }
            Self::Migrate => {
                json!({"target_version": "string", "program_folder": "string", "keep": "boolean"})
            }
            Self::ConvertOsm => json!({"allow_newer_versions": "boolean"}),
            Self::ZoneResults => json!({"zones": "strings"}),
            Self::Object => json!({"object_type": "string", "name": "string"}),
            Self::References => json!({"name": "string"}),
            Self::Restore | Self::Inspect | Self::ReadWeather | Self::Summary => json!({}),
        }
    }

    pub(crate) fn info(self) -> OperationInfo {
        OperationInfo {
            name: self.name().to_owned(),
            effect: self.effect(),
            schema_sha256: exec::schema_sha256(&self.input(), &Value::Null),
        }
    }
}
