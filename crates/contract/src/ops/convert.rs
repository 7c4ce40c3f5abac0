//! A version in another version of its schema, and what that cannot hold.

use super::PlatformOperation;
use crate::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Writes `model` in another schema version, as the file `model`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Convert {
    /// The schema version wanted.
    #[schemars(extend("enum" = ["IFC2X3", "IFC4", "IFC4X3"]))]
    pub schema_version: String,
}

impl Convert {
    /// The conversion that writes a file.
    pub fn to(schema_version: &str) -> Self {
        Self { schema_version: schema_version.to_owned() }
    }
}

/// The account of a conversion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertAnswer {
    /// The schema version that it came from.
    pub from: String,
    /// The schema version that it was brought to.
    pub to: String,
    /// Instances by how they came over.
    pub counts: ConvertCounts,
    /// The kinds of instances that were not kept as they were, losses first, to a bound.
    pub notes: Vec<ConvertNote>,
    /// Notes beyond that bound.
    pub more_notes: u64,
    /// Instances made because the target needs them, by class.
    pub made: BTreeMap<String, u64>,
}

/// Instances by how they came over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertCounts {
    /// As they were.
    pub kept: u64,
    /// Entities under another name.
    pub mapped: u64,
    /// The nearest thing.
    pub approximated: u64,
    /// Left out.
    pub dropped: u64,
}

/// A kind of loss, with how often it was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertNote {
    /// The class of the instances.
    pub class: String,
    /// `mapped`, `approximated` or `dropped`.
    pub outcome: String,
    /// The reason.
    pub reason: String,
    /// Instances.
    pub count: u64,
    /// The first of them.
    pub examples: Vec<ConvertExample>,
}

/// An instance that a note is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConvertExample {
    /// Its number in the file that was converted.
    pub id: u32,
    /// Its GlobalId, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub global_id: Option<String>,
}

impl PlatformOperation for Convert {
    const NAME: &'static str = "convert";
    const EFFECT: Effect = Effect::Query;
    type Answer = ConvertAnswer;
}
