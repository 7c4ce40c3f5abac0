//! Versions of IFC as a caller names them.

use ifc::SchemaVersion;
use schemars::JsonSchema;
use serde::Deserialize;

/// A schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) enum SchemaName {
    #[serde(rename = "IFC2X3")]
    Ifc2x3,
    #[serde(rename = "IFC4")]
    Ifc4,
    #[serde(rename = "IFC4X3")]
    Ifc4x3,
}

impl SchemaName {
    /// The version of that name.
    pub(crate) fn version(self) -> SchemaVersion {
        match self {
            Self::Ifc2x3 => SchemaVersion::Ifc2x3,
            Self::Ifc4 => SchemaVersion::Ifc4,
            Self::Ifc4x3 => SchemaVersion::Ifc4x3,
        }
    }
}
