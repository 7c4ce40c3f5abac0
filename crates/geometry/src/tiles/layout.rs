//! The distribution of elements to tiles.

use super::{StoreyInfo, TILER, TileInfo, Tileset, Unmeshed};
use crate::{
    drawn::digest,
    math::Bounds,
    scene::{Entry, Groups},
};
use glam::DVec3;
use ifc::{Id, Model};
use sha2::{Digest as _, Sha256};
use std::{collections::HashMap, fmt::Write, sync::Arc};

/// A square is halved when it holds more triangles than this.
const TRIANGLES: usize = 60_000;
/// The side of the grid's largest square, in metres, and how often it may be halved (to one metre).
const WORLD: (f64, u32) = (16_777_216.0, 24);

/// A scene's tiles, and which of its entries each holds.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub tileset: Tileset,
    pub members: HashMap<String, Vec<u32>>,
}

impl Layout {
    /// Returns the origin of a tile's coordinates, in metres of the world.
    pub fn origin(&self, key: &str) -> Option<DVec3> {
        self.tileset.tiles.iter().find(|t| t.key == key).map(|t| t.origin)
    }
}

/// Puts a scene's entries into tiles. Depends on them alone.
pub(crate) fn lay_out(model: &Model, entries: &[Arc<Entry>]) -> Layout {
    let mut groups = Groups::new();
    let (mut unmeshed, mut boxes, mut simplified) = (Vec::new(), Vec::new(), Vec::new());
    let mut drawn = 0;
    for (at, entry) in entries.iter().enumerate() {
        let note = entry.notes.first().map(|why| Unmeshed {
            global_id: entry.global_id.clone(),
            class: entry.class.clone(),
            item: why.item.to_string(),
            reason: why.reason.clone(),
        });
        if !entry.is_drawn() {
            unmeshed.extend(note);
            continue;
        }
        if entry.is_box { &mut boxes } else { &mut simplified }.extend(note);
        drawn += 1;
        groups.entry(entry.storey).or_default().push(at as u32);
    }
    let metre = ifc::units::Units::from_model(model).length_mm / 1000.0;
    let height = |id: &Option<Id>| id.and_then(|id| elevation(model, id, metre)).unwrap_or(f64::NEG_INFINITY);
    let mut order: Vec<(f64, Option<Id>)> = groups.keys().map(|id| (height(id), *id)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let storeys = order.iter().filter_map(|(_, id)| storey_info(model, (*id)?, metre)).collect();
    let (mut tiles, mut members) = (Vec::new(), HashMap::new());
    for (_, storey) in order {
        let guid = storey.and_then(|s| model.get(s)).and_then(|s| s.guid());
        let mut squares = Vec::new();
        let half = WORLD.0 / 2.0;
        let group = groups.remove(&storey).unwrap_or_default();
        split(entries, group, [-half, -half], WORLD.0, WORLD.1, &mut squares);
        for square in squares {
            let tile = info(guid.clone(), entries, &square);
            members.insert(tile.key.clone(), square);
            tiles.push(tile);
        }
    }
    let bounds = tiles.iter().fold(Bounds::EMPTY, |all, t: &TileInfo| all.join(&t.bounds));
    let bounds = (!bounds.is_empty()).then_some(bounds);
    Layout { tileset: Tileset { tiles, storeys, bounds, drawn, unmeshed, boxes, simplified }, members }
}

fn elevation(model: &Model, storey: Id, metre: f64) -> Option<f64> {
    ifc::placement::elevation(model, storey).map(|e| e * metre)
}

fn storey_info(model: &Model, id: Id, metre: f64) -> Option<StoreyInfo> {
    let storey = model.get(id)?;
    Some(StoreyInfo {
        global_id: storey.guid()?,
        name: storey.name().filter(|n| !n.is_empty()).or(storey.text("LongName")).unwrap_or_default(),
        class: storey.class_name().to_owned(),
        elevation: elevation(model, id, metre),
    })
}

fn split(
    all: &[Arc<Entry>],
    members: Vec<u32>,
    corner: [f64; 2],
    side: f64,
    depth: u32,
    into: &mut Vec<Vec<u32>>,
) {
    let entry = |at: &u32| all.get(*at as usize);
    let total: usize = members.iter().filter_map(entry).map(|e| e.triangles).sum();
    // element numbers are 16 bits wide
    let fits = total <= TRIANGLES && u16::try_from(members.len()).is_ok();
    if members.is_empty() {
        return;
    }
    if fits || members.len() == 1 {
        into.push(members);
        return;
    }
    if depth == 0 {
        into.extend(members.chunks(usize::from(u16::MAX)).map(<[u32]>::to_vec));
        return;
    }
    let half = side / 2.0;
    let middle = [corner[0] + half, corner[1] + half];
    let mut quarters: [Vec<u32>; 4] = Default::default();
    for at in members {
        let c = entry(&at).map(|e| e.bounds.centre()).unwrap_or_default();
        let quarter = usize::from(c.x >= middle[0]) + 2 * usize::from(c.y >= middle[1]);
        if let Some(quarter) = quarters.get_mut(quarter) {
            quarter.push(at);
        }
    }
    for (i, quarter) in quarters.into_iter().enumerate() {
        let corner = [corner[0] + half * (i % 2) as f64, corner[1] + half * (i / 2) as f64];
        split(all, quarter, corner, half, depth - 1, into);
    }
}

fn info(storey: Option<String>, all: &[Arc<Entry>], members: &[u32]) -> TileInfo {
    let entries = || members.iter().filter_map(|at| all.get(*at as usize));
    let bounds = entries().fold(Bounds::EMPTY, |all, e| all.join(&e.bounds));
    // whole metres, so that the origin has few digits and small edits do not move it
    let origin = bounds.min.map(f64::floor);
    let mut hash = Sha256::new_with_prefix(TILER.as_bytes());
    for v in origin.to_array() {
        hash.update(v.to_le_bytes());
    }
    for entry in entries() {
        hash.update(entry.digest);
    }
    let mut key = String::with_capacity(32);
    for byte in digest(hash) {
        // writing to a string cannot fail
        let _ = write!(key, "{byte:02x}");
    }
    let triangles = entries().map(|e| e.triangles).sum();
    TileInfo { key, storey, origin, bounds, elements: members.len(), triangles }
}
