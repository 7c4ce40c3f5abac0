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
    Inspect,
}

impl Own {
    pub(crate) const ALL: [Self; 5] =
        [Self::NewEnergyModel, Self::Materialise, Self::Diff, Self::Restore, Self::Inspect];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NewEnergyModel => "new_energy_model",
            Self::Materialise => "materialise",
            Self::Diff => "diff",
            Self::Restore => "restore",
            Self::Inspect => "inspect",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    fn effect(self) -> Effect {
        match self {
            Self::NewEnergyModel => Effect::Create,
            Self::Restore => Effect::Modify,
            Self::Materialise | Self::Diff | Self::Inspect => Effect::Query,
        }
    }

    fn input(self) -> Value {
        match self {
            Self::NewEnergyModel => {
                json!({"format": ["idf", "epjson"], "name": "string", "version": "string"})
            }
            Self::Materialise => json!({"output_format": ["idf", "epjson"]}),
            Self::Diff => json!({"detail": ["raw", "summary"]}),
            Self::Restore | Self::Inspect => json!({}),
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
