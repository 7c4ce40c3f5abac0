//! Versions as whole files, and the file within an archive.

use super::PlatformOperation;
use crate::{Effect, ModelKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The form of a model's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// An IFC file, as STEP text.
    Ifc,
    /// An archive with one IFC file.
    IfcZip,
    /// The text of an EnergyPlus model.
    Idf,
    /// An EnergyPlus model as JSON.
    EpJson,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Ifc, Self::IfcZip, Self::Idf, Self::EpJson];

    /// The ending of a file's name, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ifc => "ifc",
            Self::IfcZip => "ifczip",
            Self::Idf => "idf",
            Self::EpJson => "epJSON",
        }
    }

    /// The kind of model that is written so.
    pub fn kind(self) -> ModelKind {
        match self {
            Self::Ifc | Self::IfcZip => ModelKind::Ifc,
            Self::Idf | Self::EpJson => ModelKind::EnergyPlus,
        }
    }

    /// The formats of a kind of model.
    pub fn of_kind(kind: ModelKind) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |format| format.kind() == kind)
    }

    /// The format that the name of a file promises by its ending.
    pub fn from_file_name(name: &Path) -> Option<Self> {
        name.extension().and_then(|extension| Self::from_extension(&extension.to_string_lossy()))
    }

    /// The format that the ending of a file's name promises.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }
}

/// Writes `model` whole, as the file `model`; instances that nobody touched are the bytes that they were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Materialise {
    /// The form of the file; that of the model's own file, if none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<FileFormat>,
    /// Unix time in milliseconds that the file is to name, where its format has a place for it; that of the request, if none is
    /// given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// A file that was written; it stands among the artifact's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenFile {
    /// Bytes.
    pub size: u64,
}

impl PlatformOperation for Materialise {
    const NAME: &'static str = "materialise";
    const EFFECT: Effect = Effect::Query;
    type Answer = WrittenFile;
}

/// Takes the model's file out of the file `archive`, as the file `model`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Unpack {}

impl PlatformOperation for Unpack {
    const NAME: &'static str = "unpack";
    const EFFECT: Effect = Effect::Query;
    type Answer = WrittenFile;
}
