//! The operations that are no tools: what the platform needs of a model to keep, compare and show it.

use contract::{Effect, OperationInfo};
use exec::schema_sha256;
use serde_json::{Value, json};

/// An operation of this adapter beside the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Own {
    Materialise,
    Unpack,
    Convert,
    Diff,
    Restore,
    Merge,
    Inspect,
    Outline,
    Tileset,
    Tile,
    EnergyModel,
    EnergyResults,
}

impl Own {
    pub(crate) const ALL: [Self; 12] = [
        Self::Materialise,
        Self::Unpack,
        Self::Convert,
        Self::Diff,
        Self::Restore,
        Self::Merge,
        Self::Inspect,
        Self::Outline,
        Self::Tileset,
        Self::Tile,
        Self::EnergyModel,
        Self::EnergyResults,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Materialise => "materialise",
            Self::Unpack => "unpack",
            Self::Convert => "convert",
            Self::Diff => "diff",
            Self::Restore => "restore",
            Self::Merge => "merge",
            Self::Inspect => "inspect",
            Self::Outline => "outline",
            Self::Tileset => "tileset",
            Self::Tile => "tile",
            Self::EnergyModel => "energy_model",
            Self::EnergyResults => "energy_results",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    fn effect(self) -> Effect {
        match self {
            Self::EnergyModel => Effect::Create,
            Self::Restore | Self::Merge | Self::EnergyResults => Effect::Modify,
            Self::Materialise
            | Self::Unpack
            | Self::Convert
            | Self::Diff
            | Self::Inspect
            | Self::Outline
            | Self::Tileset
            | Self::Tile => Effect::Query,
        }
    }

    fn input(self) -> Value {
        match self {
            Self::Unpack | Self::Restore | Self::Outline | Self::Tileset => json!({}),
            Self::Materialise => json!({"packed": "boolean", "time_ms": "integer"}),
            Self::Convert => {
                json!({"schema_version": ["IFC2X3", "IFC4", "IFC4X3"], "report_only": "boolean"})
            }
            Self::Diff => json!({"detail": ["raw", "summary"]}),
            Self::Merge => json!({
                "resolve": {"key": ["ours", "theirs"]}, "compare_effect": "boolean", "as_merge": "boolean",
                "model_ids": "ids", "theirs_ids": "ids",
            }),
            Self::Inspect => json!({"accept_problems": "boolean"}),
            Self::Tile => json!({"key": "string"}),
            Self::EnergyResults => json!({"spaces": "map", "results": "map", "run": "map"}),
            Self::EnergyModel => json!({"zoning": ["space"], "constructions": ["auto", "default"]}),
        }
    }

    pub(crate) fn info(self) -> OperationInfo {
        OperationInfo {
            name: self.name().to_owned(),
            effect: self.effect(),
            schema_sha256: schema_sha256(&self.input(), &Value::Null),
        }
    }
}
