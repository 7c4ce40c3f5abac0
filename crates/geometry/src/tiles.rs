//! Tiles: the model cut up for viewers, by storey and then by place, each a GLB named by what is in it.
//!
//! The cutting depends on places alone (squares of a fixed grid, halved while they hold too much), so an edit changes the tiles
//! it touches and leaves the names of the others as they were: two versions share what did not change. Names and properties
//! are not in the tiles; a renamed door changes none.

use crate::{
    element::{Shape, drawable},
    glb::{self, Batch, Kind},
    item::Shaper,
    math::{Bounds, P3},
};
use ifc::{Id, Model};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write};

/// Part of every key: raised when the same shapes are written differently.
pub const TILER: &str = "pensaer-tiles-1";
/// A square is halved when it holds more triangles than this.
const TRIANGLES: usize = 60_000;
/// The side of the grid's largest square, in metres, and how often it may be halved (to one metre).
const WORLD: (f64, u32) = (16_777_216.0, 24);

/// One tile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TileInfo {
    /// Names the content: 32 hexadecimal digits.
    pub key: String,
    /// GlobalId of the storey (or other spatial structure) that its elements are in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storey: Option<String>,
    /// What the GLB's coordinates are relative to: IFC world coordinates (z up), metres.
    pub origin: P3,
    /// The box around its elements: IFC world coordinates (z up), metres.
    pub bounds: Bounds,
    /// How many elements are in it.
    pub elements: usize,
    /// How many triangles.
    pub triangles: usize,
    /// Size of the GLB in bytes.
    pub bytes: usize,
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
    /// What is wrong.
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
    /// How many elements are drawn, boxes included.
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
            json!({"box": [c[0], c[1], c[2], h[0], 0, 0, 0, h[1], 0, 0, 0, h[2]]})
        };
        let children: Vec<Value> = self
            .tiles
            .iter()
            .map(|t| {
                let o = t.origin;
                let relative = Bounds { min: crate::math::sub(t.bounds.min, o), max: crate::math::sub(t.bounds.max, o) };
                json!({
                    "boundingVolume": volume(&relative), "geometricError": 0,
                    "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, o[0], o[1], o[2], 1],
                    "content": {"uri": format!("tiles/{}.glb", t.key)},
                    "extras": {"key": t.key, "storey": t.storey, "elements": t.elements, "triangles": t.triangles, "bytes": t.bytes},
                })
            })
            .collect();
        let whole = self.bounds.unwrap_or(Bounds { min: [0.0; 3], max: [0.0; 3] });
        let error = crate::math::length(whole.size());
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

/// A model's tiles with their content.
#[derive(Debug, Clone)]
pub struct Tiles {
    /// The list.
    pub tileset: Tileset,
    content: BTreeMap<String, Vec<u8>>,
}

impl Tiles {
    /// Makes all tiles of a model, in parallel. The result depends on the model alone.
    pub fn of(model: &Model) -> Tiles {
        let shaper = Shaper::new(model);
        let ids = drawable(model);
        let shapes: Vec<_> = ids.par_iter().map(|id| (*id, shaper.element(*id))).collect();
        build(model, shapes)
    }

    /// The GLB of a key.
    pub fn glb(&self, key: &str) -> Option<&[u8]> {
        self.content.get(key).map(Vec::as_slice)
    }

    /// Bytes held, for caches.
    pub fn weight(&self) -> u64 {
        self.content.values().map(|v| v.len() as u64 + 512).sum()
    }
}

/// The list of a model's tiles. Meshes the model: a worker that serves tiles too keeps [`Tiles`].
pub fn tileset(model: &Model) -> Tileset {
    Tiles::of(model).tileset
}

/// One tile as GLB, or `None` where the model has no such tile.
pub fn tile(model: &Model, key: &str) -> Option<Vec<u8>> {
    Tiles::of(model).content.remove(key)
}

/// An element ready to be put into a tile.
struct Entry {
    guid: String,
    class: String,
    is_space: bool,
    bounds: Bounds,
    triangles: usize,
    shape: Shape,
}

/// Elements by the spatial structure they are shown with.
type Groups = BTreeMap<Option<Id>, Vec<Entry>>;

fn build(model: &Model, shapes: Vec<(Id, Result<Shape, crate::read::ShapeError>)>) -> Tiles {
    let mut groups = Groups::new();
    let (mut unmeshed, mut boxes, mut simplified) = (Vec::new(), Vec::new(), Vec::new());
    let mut drawn = 0;
    for (id, shape) in shapes {
        let Some(product) = model.get(id) else { continue };
        let (guid, class) = (product.guid().unwrap_or_default(), product.class_name().to_owned());
        let entry = |e: &crate::read::ShapeError| Unmeshed {
            global_id: guid.clone(),
            class: class.clone(),
            item: e.item.to_string(),
            reason: e.reason.clone(),
        };
        match shape {
            Err(error) => unmeshed.push(entry(&error)),
            Ok(shape) => {
                let list = if shape.is_box { &mut boxes } else { &mut simplified };
                list.extend(shape.notes.first().map(entry));
                drawn += 1;
                let bounds = shape.bounds();
                let storey = storey_of(model, id);
                let is_space = product.is_a("IfcSpace") || product.is_a("IfcSpatialZone");
                let triangles = shape.triangles();
                groups.entry(storey).or_default().push(Entry {
                    guid,
                    class,
                    is_space,
                    bounds,
                    triangles,
                    shape,
                });
            }
        }
    }
    let elevation = |id: &Option<Id>| id.and_then(|id| ifc_elevation(model, id)).unwrap_or(f64::NEG_INFINITY);
    let mut order: Vec<Option<Id>> = groups.keys().copied().collect();
    order.sort_by(|a, b| elevation(a).total_cmp(&elevation(b)).then(a.cmp(b)));
    let storeys = order.iter().flatten().filter_map(|id| storey_info(model, *id)).collect();
    let mut squares: Vec<(Option<String>, Vec<Entry>)> = Vec::new();
    for storey in order {
        let guid = storey.and_then(|s| model.get(s)).and_then(|s| s.guid());
        let mut leaves = Vec::new();
        let half = WORLD.0 / 2.0;
        split(groups.remove(&storey).unwrap_or_default(), [-half, -half], WORLD.0, WORLD.1, &mut leaves);
        squares.extend(leaves.into_iter().map(|l| (guid.clone(), l)));
    }
    let made: Vec<(TileInfo, Vec<u8>)> =
        squares.into_par_iter().map(|(storey, entries)| make(storey, &entries)).collect();
    let bounds = made.iter().fold(Bounds::EMPTY, |all, (t, _)| all.join(&t.bounds));
    let mut content = BTreeMap::new();
    let mut tiles = Vec::with_capacity(made.len());
    for (info, glb) in made {
        content.insert(info.key.clone(), glb);
        tiles.push(info);
    }
    let bounds = (!bounds.is_empty()).then_some(bounds);
    Tiles { tileset: Tileset { tiles, storeys, bounds, drawn, unmeshed, boxes, simplified }, content }
}

/// The storey an element is shown with; without one, the spatial structure it is in.
fn storey_of(model: &Model, id: Id) -> Option<Id> {
    let is_spatial = |id: &Id| {
        model.get(*id).is_some_and(|i| i.is_a("IfcSpatialStructureElement") || i.is_a("IfcSpatialElement"))
    };
    ifc::relations::storey_of(model, id)
        .or_else(|| ifc::relations::container(model, id))
        .or_else(|| ifc::relations::aggregate_parent(model, id).filter(is_spatial))
        .or(Some(id).filter(is_spatial))
}

fn ifc_elevation(model: &Model, storey: Id) -> Option<f64> {
    let metre = ifc::units::Units::of(model).length_mm / 1000.0;
    model.get(storey)?.number("Elevation").map(|e| e * metre)
}

fn storey_info(model: &Model, id: Id) -> Option<StoreyInfo> {
    let storey = model.get(id)?;
    Some(StoreyInfo {
        global_id: storey.guid()?,
        name: storey.name().filter(|n| !n.is_empty()).or(storey.text("LongName")).unwrap_or_default(),
        class: storey.class_name().to_owned(),
        elevation: ifc_elevation(model, id),
    })
}

fn split(entries: Vec<Entry>, corner: [f64; 2], side: f64, depth: u32, into: &mut Vec<Vec<Entry>>) {
    let total: usize = entries.iter().map(|e| e.triangles).sum();
    // element numbers are 16 bits wide
    let fits = total <= TRIANGLES && u16::try_from(entries.len()).is_ok();
    if entries.is_empty() {
        return;
    }
    if fits || entries.len() == 1 {
        into.push(entries);
        return;
    }
    if depth == 0 {
        let mut rest = entries;
        while rest.len() > usize::from(u16::MAX) {
            let tail = rest.split_off(usize::from(u16::MAX));
            into.push(std::mem::replace(&mut rest, tail));
        }
        into.push(rest);
        return;
    }
    let half = side / 2.0;
    let middle = [corner[0] + half, corner[1] + half];
    let mut quarters: [Vec<Entry>; 4] = Default::default();
    for entry in entries {
        let c = entry.bounds.centre();
        let at = usize::from(c[0] >= middle[0]) + 2 * usize::from(c[1] >= middle[1]);
        if let Some(quarter) = quarters.get_mut(at) {
            quarter.push(entry);
        }
    }
    for (i, quarter) in quarters.into_iter().enumerate() {
        let corner = [corner[0] + half * (i % 2) as f64, corner[1] + half * (i / 2) as f64];
        split(quarter, corner, half, depth - 1, into);
    }
}

/// sRGB to linear light, as glTF wants vertex colours.
fn linear(v: u8) -> u8 {
    let v = f64::from(v) / 255.0;
    let l = if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) };
    (l * 255.0).round() as u8
}

fn make(storey: Option<String>, entries: &[Entry]) -> (TileInfo, Vec<u8>) {
    let bounds = entries.iter().fold(Bounds::EMPTY, |all, e| all.join(&e.bounds));
    // whole metres, so that the origin has few digits and small edits do not move it
    let origin = [bounds.min[0].floor(), bounds.min[1].floor(), bounds.min[2].floor()];
    let mut batches: BTreeMap<Kind, Batch> = BTreeMap::new();
    let mut list = Vec::with_capacity(entries.len());
    let mut triangles = 0;
    for (feature, entry) in entries.iter().enumerate() {
        let mut ranges = Vec::new();
        let mut by_kind: BTreeMap<Kind, Vec<&crate::element::Part>> = BTreeMap::new();
        for part in &entry.shape.parts {
            let kind = match part.colour[3] {
                _ if entry.is_space => Kind::Space,
                255 => Kind::Opaque,
                _ => Kind::Clear,
            };
            by_kind.entry(kind).or_default().push(part);
        }
        for (kind, parts) in by_kind {
            let batch = batches.entry(kind).or_default();
            let first = batch.indices.len() / 3;
            for part in parts {
                let mut mesh = crate::Mesh::default();
                mesh.append_at(&part.mesh, &part.at);
                mesh.soften();
                let start = batch.positions.len() as u32;
                let up = |v: P3| [v[0] as f32, v[2] as f32, -v[1] as f32];
                batch.positions.extend(mesh.positions.iter().map(|p| up(crate::math::sub(*p, origin))));
                batch.normals.extend(mesh.normals.iter().map(|n| up(*n)));
                let [r, g, b, a] = part.colour;
                let colour = [linear(r), linear(g), linear(b), a];
                batch.colours.extend(std::iter::repeat_n(colour, mesh.positions.len()));
                batch.features.extend(std::iter::repeat_n(feature as u16, mesh.positions.len()));
                batch.indices.extend(mesh.triangles.iter().flatten().map(|i| i + start));
            }
            let count = batch.indices.len() / 3 - first;
            triangles += count;
            ranges.push(json!([kind as u8, first, count]));
        }
        let mut item = json!({"id": entry.guid, "class": entry.class, "ranges": ranges});
        if let (true, Some(map)) = (entry.shape.is_box, item.as_object_mut()) {
            map.insert("box".into(), json!(true));
        }
        list.push(item);
    }
    let batches: Vec<(Kind, Batch)> = batches.into_iter().collect();
    let glb = glb::write(&batches, &json!({"tiler": TILER, "elements": list}));
    let mut hash = Sha256::new();
    hash.update(TILER.as_bytes());
    hash.update(&glb);
    let mut key = String::with_capacity(32);
    for byte in hash.finalize().iter().take(16) {
        // writing to a string cannot fail
        let _ = write!(key, "{byte:02x}");
    }
    let info = TileInfo { key, storey, origin, bounds, elements: entries.len(), triangles, bytes: glb.len() };
    (info, glb)
}
