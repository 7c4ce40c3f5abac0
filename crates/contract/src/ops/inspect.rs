//! The gate through which a file becomes a model: it is read whole, and what is in it is counted.

use super::PlatformOperation;
use crate::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Reads `model` whole, as opening does not. A file whose content is in doubt is a Fault.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Inspect {
    /// Answers also where the content is in doubt.
    pub accept_problems: bool,
}

/// The contents of a file, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InspectAnswer {
    /// The schema that the file names, such as `IFC4`.
    pub schema: String,
    /// Instances or objects.
    #[serde(default)]
    pub instances: u64,
    /// Classes or types that have any.
    #[serde(default)]
    pub classes: u64,
    /// Facts that only models of this kind have, by name.
    #[serde(flatten)]
    pub particulars: Map<String, Value>,
    /// Problems found, all of them.
    #[serde(default)]
    pub problem_count: u64,
    /// Their number by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub problems_by_code: BTreeMap<String, u64>,
    /// The first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<FileProblem>,
}

/// A problem that reading went past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileProblem {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The kind of problem.
    pub code: String,
    /// The matter, and how it was taken.
    pub message: String,
}

impl PlatformOperation for Inspect {
    const NAME: &'static str = "inspect";
    const EFFECT: Effect = Effect::Query;
    type Answer = InspectAnswer;
}
