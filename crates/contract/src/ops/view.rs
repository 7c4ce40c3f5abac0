//! What viewers ask of a version: its tree, and its shapes as 3D Tiles.

use super::{PlatformOperation, WrittenFile};
use crate::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Lists the whole tree of `model`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Outline {}

/// A model as a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutlineAnswer {
    /// The roots: projects, and last what stands nowhere.
    pub tree: Vec<OutlineNode>,
}

/// A thing in the tree, with what is below it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutlineNode {
    /// GlobalId; empty for a heading.
    pub id: String,
    /// Class; empty for a heading.
    pub class: String,
    /// Name, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Parts, contents and fillings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<OutlineNode>,
}

impl PlatformOperation for Outline {
    const NAME: &'static str = "outline";
    const EFFECT: Effect = Effect::Query;
    type Answer = OutlineAnswer;
}

/// Lists the tiles of `model`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tileset {}

/// A tileset in the words of the standard, OGC 3D Tiles 1.1, which says what its members are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TilesetAnswer(pub Map<String, Value>);

impl PlatformOperation for Tileset {
    const NAME: &'static str = "tileset";
    const EFFECT: Effect = Effect::Query;
    type Answer = TilesetAnswer;
}

/// Makes one tile of `model`, as the GLB file `tile`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tile {
    /// The key that the tileset names it by.
    pub key: String,
}

impl PlatformOperation for Tile {
    const NAME: &'static str = "tile";
    const EFFECT: Effect = Effect::Query;
    type Answer = WrittenFile;
}
