//! What a caller does to the system, in the words that policy is written in.

use crate::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One kind of thing that a role may be granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Reads models and what follows from them.
    Query,
    /// Adds elements, or makes models.
    Create,
    /// Changes what is there.
    Modify,
    /// Removes what is there.
    Delete,
    /// Takes whole files out.
    Export,
    /// Decides what others asked for.
    Approve,
    /// Sees and does what concerns everybody: the audit log, keys.
    Administer,
}

impl Action {
    /// Every action, the mildest first.
    pub const ALL: [Self; 7] = [
        Self::Query,
        Self::Create,
        Self::Modify,
        Self::Delete,
        Self::Export,
        Self::Approve,
        Self::Administer,
    ];

    /// As it is written in a policy.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Create => "create",
            Self::Modify => "modify",
            Self::Delete => "delete",
            Self::Export => "export",
            Self::Approve => "approve",
            Self::Administer => "administer",
        }
    }

    /// The action of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }

    /// The effect of something that is no tool and has to be granted this.
    pub fn effect(self) -> Effect {
        match self {
            Self::Query | Self::Export | Self::Administer => Effect::Query,
            Self::Create => Effect::Create,
            Self::Modify | Self::Delete | Self::Approve => Effect::Modify,
        }
    }

    /// True if a model is another afterwards.
    pub fn changes_models(self) -> bool {
        matches!(self, Self::Create | Self::Modify | Self::Delete)
    }

    /// Returns the action of an operation of this effect, where nothing more is known of it.
    pub fn for_effect(effect: Effect) -> Self {
        match effect {
            Effect::Query => Self::Query,
            Effect::Create => Self::Create,
            Effect::Modify => Self::Modify,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
