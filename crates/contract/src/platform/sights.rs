//! What people see and select in the viewer, for the agent beside them.

use super::BoxFuture;
use crate::{Fault, ModelId, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place in IFC world coordinates, mm.
pub type Place = [f64; 3];

/// The sight of one page of the viewer: where somebody looks from, what they have selected and where they pointed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// Ids of the elements selected, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selection: Vec<String>,
    /// Storey shown in plan, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storey: Option<String>,
    /// The camera.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<SightCamera>,
    /// Planes that cut the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<SightSection>,
    /// Places and lines that were pointed at, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<SightMark>,
}

/// Where somebody looks from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SightCamera {
    /// mm.
    pub eye: Place,
    /// mm.
    pub target: Place,
}

/// A plane that takes away what its normal points to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SightSection {
    /// mm.
    pub point: Place,
    /// Its direction.
    pub normal: Place,
}

/// A place, or a line of places, that somebody pointed at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SightMark {
    /// mm; one point, or the corners of a line.
    pub points: Vec<Place>,
    /// Ids of the elements that were hit at each point; null where none was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Option<String>>,
}

/// A sight with whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptSight {
    /// The page of the viewer, by a name that it gave itself.
    pub viewer: String,
    /// Who looks.
    pub principal: String,
    /// The model that is shown.
    pub model: ModelId,
    /// The version that is shown.
    pub version: VersionId,
    /// Seconds since it was so.
    pub seconds_ago: u64,
    /// The sight.
    pub sight: Sight,
}

/// The sights that people have before them.
pub trait Sights: Send + Sync {
    /// The sights of pages that show this call's model and were lately heard of, the latest first.
    fn sights(&self) -> BoxFuture<'_, Result<Vec<KeptSight>, Fault>>;
}
