//! A model written for other programs.

use super::PlatformOperation;
use crate::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Writes `model` for other programs, as the file `model`: cut to a view definition or to some elements, split, or in another format. Several
/// files are one archive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// The format: `ifc`, `ifczip`, `glb`, `gltf`, `obj`, `gbxml`, `csv` or `parquet`.
    pub format: String,
    /// The schema version wanted, of IFC files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_version: Option<String>,
    /// The view definition that it is cut to, of IFC files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mvd: Option<String>,
    /// The elements that it is cut to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// `storey` or `discipline`: a file for each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// The name of the file, without an ending.
    pub name: String,
    /// The spatial elements of further models that count as one with those of the first: `name`, `elevation` or `apart`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joining: Option<String>,
}

impl Export {
    /// The ending of the file, and its media type.
    pub fn kind(&self) -> (&'static str, &'static str) {
        if self.split.is_some() {
            return ("zip", "application/zip");
        }
        match self.format.as_str() {
            "ifczip" => ("ifczip", "application/zip"),
            "glb" => ("glb", "model/gltf-binary"),
            "gltf" => ("gltf", "model/gltf+json"),
            "gbxml" => ("xml", "application/xml"),
            "obj" | "csv" | "parquet" => ("zip", "application/zip"),
            _ => ("ifc", "application/x-step"),
        }
    }
}

/// A file of those that a model was split into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportPart {
    /// Its name.
    pub name: String,
    /// The products in it.
    pub products: u64,
}

/// The part that a further model has in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportedWith {
    /// The objects that came of it.
    pub objects: u64,
    /// The sites, buildings and storeys that are one with those of the first model, to a bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<String>,
    /// Objects that have a new `GlobalId`, since theirs was taken.
    pub renamed: u64,
    /// Measures converted to the first model's units.
    pub converted: u64,
    /// Differences that were left as they are: georeference, north, places of what was joined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
}

/// The account of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportAnswer {
    /// The schema version of what was written.
    pub schema_version: String,
    /// The changes, a sentence for each kind, to a bound.
    pub changes: Vec<String>,
    /// Kinds of change beyond that bound.
    pub more_changes: u64,
    /// The files of an archive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ExportPart>,
    /// GlobalIds of chosen elements that no spatial element contains, to a bound.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loose: Vec<String>,
    /// One for each further model, in the order in which they were named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<ExportedWith>,
}

impl PlatformOperation for Export {
    const NAME: &'static str = "export";
    const EFFECT: Effect = Effect::Query;
    type Answer = ExportAnswer;
}
