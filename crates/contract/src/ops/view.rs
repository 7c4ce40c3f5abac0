//! What viewers ask of a version: its tree, its shapes as 3D Tiles, and what a link lays over them.

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

/// The measure that colours rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoomColours {
    /// Area of the floor.
    Area,
    /// Doors and openings passed from outside.
    Depth,
}

/// A colour and what has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LegendEntry {
    /// As `#rrggbb`.
    pub colour: String,
    /// The rooms that have it: a range of areas in m², or a number of doors.
    pub says: String,
    /// The number of rooms.
    pub rooms: usize,
}

/// Makes what a viewer lays over `model`, as the file `overlay`: an [`OverlayFile`] in JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Overlay {
    /// Elements to highlight: ids or selectors.
    pub elements: Vec<String>,
    /// The measure by which floors of rooms are coloured.
    pub rooms: Option<RoomColours>,
    /// The storey that is shown, by id or name; else the one on which all lies.
    pub level_id: Option<String>,
    /// A way to draw: points in mm.
    pub path: Vec<[f64; 3]>,
}

/// The contents of an overlay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverlayAnswer {
    /// Name of the storey whose plan is shown; none where the whole building is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storey: Option<String>,
    /// Elements that are highlighted.
    pub elements: usize,
    /// Colours of rooms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legend: Vec<LegendEntry>,
}

impl PlatformOperation for Overlay {
    const NAME: &'static str = "overlay";
    const EFFECT: Effect = Effect::Query;
    type Answer = OverlayAnswer;
}

/// An overlay as the viewer reads it; lengths and points in metres of the world.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverlayFile {
    /// The height at which the building is cut to show a storey's plan; none where the whole building is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<f64>,
    /// The least corner of the box that has to be seen.
    pub min: [f64; 3],
    /// The greatest corner of that box.
    pub max: [f64; 3],
    /// GlobalIds of highlighted elements.
    pub elements: Vec<String>,
    /// The measure that colours rooms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colours: Option<RoomColours>,
    /// Colours of rooms.
    pub legend: Vec<LegendEntry>,
    /// Floors of rooms.
    pub rooms: Vec<OverlayRoom>,
    /// Points of a way.
    pub path: Vec<[f64; 3]>,
}

/// The floor of a room in its colour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverlayRoom {
    /// The room's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// As `#rrggbb`.
    pub colour: String,
    /// Height of its floor.
    pub height: f64,
    /// Corners in plan.
    pub points: Vec<[f64; 2]>,
    /// Three corners for each triangle, by their places in `points`.
    pub triangles: Vec<u32>,
}
