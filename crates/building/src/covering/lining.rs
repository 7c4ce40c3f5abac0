//! What lies on the walls of a room: along each side a strip, mitred at the corners, less the openings in the walls behind.

use super::around::{Beside, Open, beside, walls, walls_beyond};
use super::{Room, Shape};
use crate::author::Author;
use crate::host::Wall;
use crate::measures::mm;
use crate::polygon::{direction, edges, inset};
use contract::Fault;
use glam::DVec2;

/// An upright solid.
pub(super) struct Piece {
    pub(super) outline: Vec<DVec2>,
    pub(super) holes: Vec<Vec<DVec2>>,
    pub(super) base: f64,
    pub(super) height: f64,
}

/// The strips along the sides of a room, from its floor up to a height.
pub(super) fn sides(author: &Author, room: &Room, thickness: f64, height: f64) -> Result<Vec<Shape>, Fault> {
    let inner = inset(&room.outline, &vec![thickness; room.outline.len()]).ok_or_else(|| {
        Fault::invalid(
            "thickness",
            format!("`thickness` {} mm leaves nothing of the room between its walls.", mm(thickness)),
        )
    })?;
    let (mut walls, is_whole) = walls(author, room);
    let top = room.floor + height;
    let see = |walls: &[Wall]| -> Vec<Beside> {
        edges(&room.outline).map(|(a, b)| beside(author, walls, a, b, top)).collect()
    };
    let gaps = |sides: &[Beside]| -> Vec<Vec<(f64, f64)>> {
        edges(&room.outline).zip(sides).map(|((a, b), side)| side.gaps(a.distance(b))).collect()
    };
    let mut beside = see(&walls);
    let mut bare = gaps(&beside);
    if bare.iter().any(|gaps| !gaps.is_empty()) {
        walls.extend(walls_beyond(author, room));
        beside = see(&walls);
        bare = gaps(&beside);
    }
    // where no wall is known at all, or some cannot be read, the room is all there is to go by
    if !is_whole || beside.iter().all(|side| side.walled.is_empty()) {
        bare = vec![Vec::new(); beside.len()];
    }
    let mut all = Vec::new();
    let sides = edges(&room.outline).zip(edges(&inner)).zip(beside.into_iter().zip(bare));
    for (((a, b), (c, d)), (side, bare)) in sides {
        let Some(along) = direction(a, b) else { continue };
        let length = a.distance(b);
        let (covers, mut open) = (side.covers, side.open);
        let missing: f64 = bare.iter().map(|(from, to)| to - from).sum();
        open.extend(
            bare.into_iter().map(|along| Open { along, heights: (f64::NEG_INFINITY, f64::INFINITY) }),
        );
        let seen = |p: DVec2| (p - a).dot(along);
        let strip = Strip { a, along, length, inner: (seen(c), seen(d)), thickness };
        let (pieces, net) = strip.pieces(&open, room.floor, height);
        if !pieces.is_empty() {
            all.push(Shape { pieces, gross: (length - missing) * height, net, covers });
        }
    }
    Ok(all)
}

struct Strip {
    a: DVec2,
    along: DVec2,
    length: f64,
    /// Where its inner side begins and ends.
    inner: (f64, f64),
    thickness: f64,
}

impl Strip {
    /// The solids that it is made of between its openings, and the area of its outer face.
    fn pieces(&self, open: &[Open], floor: f64, height: f64) -> (Vec<Piece>, f64) {
        let top = floor + height;
        let open: Vec<&Open> =
            open.iter().filter(|o| o.heights.1 > floor + 0.1 && o.heights.0 < top - 0.1).collect();
        let mut cuts = vec![0.0, self.length];
        cuts.extend(open.iter().flat_map(|o| [o.along.0, o.along.1]));
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|a, b| (*a - *b).abs() < 0.1);
        let (mut pieces, mut face) = (Vec::new(), 0.0);
        for [from, to] in cuts.array_windows::<2>() {
            let middle = f64::midpoint(*from, *to);
            let mut taken: Vec<(f64, f64)> = open
                .iter()
                .filter(|o| o.along.0 < middle && middle < o.along.1)
                .map(|o| (o.heights.0.max(floor), o.heights.1.min(top)))
                .collect();
            taken.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut at = floor;
            let mut bands = Vec::new();
            for (low, high) in taken {
                if low > at + 0.1 {
                    bands.push((at, low));
                }
                at = at.max(high);
            }
            if top > at + 0.1 {
                bands.push((at, top));
            }
            let outline = self.outline(*from, *to);
            for (low, high) in bands {
                face += (to - from) * (high - low);
                if outline.len() > 2 {
                    let (outline, holes) = (outline.clone(), Vec::new());
                    pieces.push(Piece { outline, holes, base: low, height: high - low });
                }
            }
        }
        (pieces, face)
    }

    /// The outline in plan of a part of it; slanted where it ends at a corner.
    fn outline(&self, from: f64, to: f64) -> Vec<DVec2> {
        let inward = self.along.perp() * self.thickness;
        let start = if from < 0.1 { self.inner.0 } else { from.max(self.inner.0) };
        let end = if to > self.length - 0.1 { self.inner.1 } else { to.min(self.inner.1) };
        let at = |u: f64| self.a + self.along * u;
        let mut outline = vec![at(from), at(to)];
        if end > start + 0.1 {
            outline.extend([at(end) + inward, at(start) + inward]);
        } else if end > start - 0.1 {
            outline.push(at(f64::midpoint(start, end)) + inward);
        } else {
            outline.clear();
        }
        outline
    }
}
