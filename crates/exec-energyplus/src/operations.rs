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
    Summary,
    Object,
    References,
}

impl Own {
    pub(crate) const ALL: [Self; 11] = [
        Self::NewEnergyModel,
        Self::Materialise,
        Self::Diff,
        Self::Restore,
        Self::Merge,
        Self::Inspect,
        Self::ReadWeather,
        Self::Simulate,
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
            Self::Summary => "energy_summary",
            Self::Object => "energy_object",
            Self::References => "energy_references",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    fn effect(self) -> Effect {
        match self {
            Self::NewEnergyModel => Effect::Create,
            Self::Restore | Self::Merge => Effect::Modify,
            Self::Materialise
            | Self::Diff
            | Self::Inspect
            | Self::ReadWeather
            | Self::Simulate
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
