//! Tiles: the model cut up for viewers, by storey and then by place, each a GLB named by what is in it.
//!
//! The cutting depends on places alone (squares of a fixed grid, halved while they hold too much), so an edit changes the tiles
//! it touches and leaves the names of the others as they were: two versions share what did not change. Names and properties
//! are not in the tiles; a renamed door changes none.

mod content;
mod layout;

pub(crate) use content::glb;
pub(crate) use layout::{Layout, lay_out};

use crate::math::Bounds;
use glam::DVec3;
use serde::Serialize;
use serde_json::{Value, json};

/// Part of every key: raised when the same shapes are written differently.
pub const TILER: &str = "pensaer-tiles-2";

/// One tile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileInfo {
    /// Names the content: 32 hexadecimal digits.
    pub key: String,
    /// GlobalId of the storey (or other spatial structure) that its elements are in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storey: Option<String>,
    /// The origin of the GLB's coordinates: IFC world coordinates (z up), metres.
    pub origin: DVec3,
    /// The box around its elements: IFC world coordinates (z up), metres.
    pub bounds: Bounds,
    /// The number of elements in it.
    pub elements: usize,
    /// The number of triangles.
    pub triangles: usize,
}

/// A storey that has tiles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoreyInfo {
    /// Its GlobalId.
    pub global_id: String,
    /// Its name.
    pub name: String,
    /// Its class; a model without storeys has its building or site here.
    pub class: String,
    /// Its height in metres, if it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevation: Option<f64>,
}

/// An element that is not shown, or not as it should be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unmeshed {
    /// Its GlobalId.
    pub global_id: String,
    /// Its class.
    pub class: String,
    /// The instance at fault, such as `#12`.
    pub item: String,
    /// The reason.
    pub reason: String,
}

/// The list of a model's tiles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tileset {
    /// The tiles, storey by storey from below.
    pub tiles: Vec<TileInfo>,
    /// The storeys, from below.
    pub storeys: Vec<StoreyInfo>,
    /// The box around everything, in metres; none for a model without shapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// The number of elements that are drawn, boxes included.
    pub drawn: usize,
    /// Elements that are not shown at all.
    pub unmeshed: Vec<Unmeshed>,
    /// Elements that a box stands for.
    pub boxes: Vec<Unmeshed>,
    /// Elements that are shown without an opening, a clipping or an item.
    pub simplified: Vec<Unmeshed>,
}

impl Tileset {
    /// As a 3D Tiles 1.1 tileset; what only our viewer needs is in `extras`. Addresses are `tiles/KEY.glb`.
    pub fn to_3d_tiles(&self) -> Value {
        let volume = |b: &Bounds| {
            let (c, h) = (b.centre(), b.size().map(|s| s / 2.0));
            json!({"box": [c.x, c.y, c.z, h.x, 0, 0, 0, h.y, 0, 0, 0, h.z]})
        };
        let children: Vec<Value> = self
            .tiles
            .iter()
            .map(|t| {
                let o = t.origin;
                let relative = Bounds { min: t.bounds.min - o, max: t.bounds.max - o };
                json!({
                    "boundingVolume": volume(&relative), "geometricError": 0,
                    "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, o.x, o.y, o.z, 1],
                    "content": {"uri": format!("tiles/{}.glb", t.key)},
                    "extras": {"key": t.key, "storey": t.storey, "elements": t.elements, "triangles": t.triangles},
                })
            })
            .collect();
        let whole = self.bounds.unwrap_or(Bounds { min: DVec3::ZERO, max: DVec3::ZERO });
        let error = whole.size().length();
        json!({
            "asset": {"version": "1.1", "tilesetVersion": TILER},
            "geometricError": error,
            "root": {"boundingVolume": volume(&whole), "geometricError": error, "refine": "ADD", "children": children},
            "extras": {
                "storeys": self.storeys, "drawn": self.drawn,
                "unmeshed": self.unmeshed, "boxes": self.boxes, "simplified": self.simplified,
            },
        })
    }
}
