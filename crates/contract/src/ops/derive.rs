//! Models made out of models.

use crate::{Artifact, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The part that the answers of all operations have in common that make a new model out of another: the new model's name, and
/// how its parts lead back to the elements of the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Derivation {
    /// The new model's name; empty where it has none of its own.
    #[serde(default)]
    pub name: String,
    /// Ids of elements of the model that it was made from, by the names of the parts made of them.
    #[serde(default)]
    pub elements: BTreeMap<String, String>,
}

impl Derivation {
    /// Reads it out of the answer of such an operation.
    pub fn read(artifact: &Artifact) -> Result<Self, Fault> {
        Self::deserialize(&artifact.result)
            .map_err(|error| super::unreadable(&artifact.manifest.tool, &error))
    }
}
