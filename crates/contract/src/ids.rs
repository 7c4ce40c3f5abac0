//! Names of things that live longer than a call: models, versions, operations, events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The text of the id.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
    };
}

id! {
    /// A model: a document with a history. A UUID (version 7).
    ModelId
}
id! {
    /// One immutable state of a model: 64 hexadecimal digits, a hash over its parent and its delta.
    VersionId
}
id! {
    /// One operation asked for. New GlobalIds derive from it, so that a retry makes the same elements.
    OperationId
}
id! {
    /// A fact appended to the event log.
    EventId
}

impl ModelId {
    /// A new, time-ordered id.
    pub fn new() -> Self {
        Self(uuid::Uuid::now_v7().to_string())
    }
}

impl Default for ModelId {
    fn default() -> Self {
        Self::new()
    }
}

impl OperationId {
    /// A new, time-ordered id.
    pub fn new() -> Self {
        Self(uuid::Uuid::now_v7().to_string())
    }
}

impl Default for OperationId {
    fn default() -> Self {
        Self::new()
    }
}

impl EventId {
    /// A new, time-ordered id.
    pub fn new() -> Self {
        Self(uuid::Uuid::now_v7().to_string())
    }
}

impl Default for EventId {
    fn default() -> Self {
        Self::new()
    }
}

impl VersionId {
    /// The version that `delta` makes of `parent`: SHA-256 over both, so that the worker that ran the operation and
    /// the store that commits it name the same state without talking.
    pub fn of_delta(parent: &VersionId, delta: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"delta\0");
        hash.update(parent.0.as_bytes());
        hash.update([0]);
        hash.update(delta);
        Self(hex(&hash.finalize()))
    }

    /// The version that a whole file makes within a model, with its parent if it has one.
    pub fn of_file(model: &ModelId, parent: Option<&VersionId>, file_sha256: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"file\0");
        hash.update(model.0.as_bytes());
        hash.update([0]);
        hash.update(parent.map_or("", |p| p.0.as_str()).as_bytes());
        hash.update([0]);
        hash.update(file_sha256.as_bytes());
        Self(hex(&hash.finalize()))
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    // every commit writes dozens of hashes, so not by the formatter
    let digit = |half: u8| char::from(if half < 10 { b'0' + half } else { b'a' + half - 10 });
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The kind of document that a model is; decides which adapter may touch it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// An IFC building model.
    #[default]
    Ifc,
    /// An EnergyPlus model.
    EnergyPlus,
}

impl ModelKind {
    /// The kind's name as it stands in requests and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ifc => "ifc",
            Self::EnergyPlus => "energyplus",
        }
    }
}
