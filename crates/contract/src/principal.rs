//! Who calls, and what that caller may do.

use crate::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The caller.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Principal {
    /// The name that audit records.
    pub name: String,
    /// Roles held.
    pub roles: Vec<String>,
    /// True if the caller sits at this machine, so that paths mean its own files.
    pub local: bool,
    /// The narrowing of its roles by its key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Narrowing>,
    /// The id of the key that it showed, where it showed one of this server's. It opens nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Those of its roles that neither key nor token brings: the policy names it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<String>,
}

/// The part of its holder's rights that a key takes away. It never adds anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Narrowing {
    /// Only these models, by id or by a pattern of names; all where empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// Only these actions; all where empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
}

/// Some things that a caller may do, somewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Permission {
    /// The actions.
    pub actions: Vec<Action>,
    /// The scope, in words.
    pub on: String,
}
