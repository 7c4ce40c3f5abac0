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
    /// Only tells what would be dropped or changed, and writes no file.
    #[serde(default)]
    pub report_only: bool,
}

impl Export {
    /// The same without the file.
    #[must_use]
    pub fn report(self) -> Self {
        Self { report_only: true, ..self }
    }

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
}

impl PlatformOperation for Export {
    const NAME: &'static str = "export";
    const EFFECT: Effect = Effect::Query;
    type Answer = ExportAnswer;
}
