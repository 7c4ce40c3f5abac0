//! Stretches of a room's walls: those that a wish names, and the parts of them before which nothing stands.

use super::place::Side;
use super::room::{Obstacle, Room};
use crate::author::Author;
use crate::host::Wall;
use crate::lookup::label;
use crate::measures::mm;
use crate::polygon::edges;
use crate::regions;
use contract::Fault;
use glam::DVec2;
use ifc::Id;

/// A stretch of a room's wall, with the parts of it that are free for a piece's middle.
pub(super) struct Stretch {
    pub(super) from: DVec2,
    pub(super) along: DVec2,
    pub(super) length: f64,
    /// From and to, seen from `from`, of what is free to stand in.
    pub(super) free: Vec<(f64, f64)>,
}

impl Stretch {
    /// Places for a piece's middle, counted from the left end seen from the room.
    pub(super) fn middles(&self, width: f64) -> Vec<[f64; 2]> {
        let half = width / 2.0;
        let mut all: Vec<[f64; 2]> = self
            .free
            .iter()
            .filter(|(from, to)| to - from >= width - 0.1)
            .map(|(from, to)| [mm(self.length - to + half), mm(self.length - from - half)])
            .collect();
        all.reverse();
        all
    }

    pub(super) fn widest(&self) -> f64 {
        self.free.iter().map(|(from, to)| to - from).fold(0.0, f64::max)
    }
}

/// The edges of a room that a wish names, with the room to their left.
pub(super) fn stretches(
    author: &Author,
    room: &Room,
    side: Option<Side>,
    wall: Option<Id>,
) -> Result<Vec<(DVec2, DVec2)>, Fault> {
    let all: Vec<(DVec2, DVec2)> = edges(&room.outline).collect();
    if let Some(wall) = wall {
        let own = Wall::read(author, wall)?;
        let beside = |p: DVec2| {
            let seen = own.frame.into_own(p.extend(own.frame.translation.z));
            (seen.y - own.faces.0).abs().min((seen.y - own.faces.1).abs()) < 5.0
        };
        let within = |(a, b): &(DVec2, DVec2)| {
            let middle = own.frame.into_own(a.midpoint(*b).extend(own.frame.translation.z)).x;
            let reaches = (-5.0..own.length + 5.0).contains(&middle) || a.distance(*b) > own.length;
            beside(*a) && beside(*b) && reaches
        };
        let found: Vec<_> = all.into_iter().filter(within).collect();
        if found.is_empty() {
            return Err(Fault::invalid(
                "wall",
                format!(
                    "{} bounds no side of the room {}.",
                    label(author.edit, wall),
                    label(author.edit, room.id)
                ),
            ));
        }
        return Ok(found);
    }
    let Some(side) = side else { return Ok(all) };
    let found: Vec<_> = all
        .into_iter()
        .filter(|(a, b)| (-(b - a).normalize_or_zero().perp()).dot(side.direction()) > 0.7)
        .collect();
    if found.is_empty() {
        return Err(Fault::invalid(
            "wall",
            format!("The room {} has no wall on that side.", label(author.edit, room.id)),
        ));
    }
    Ok(found)
}

/// The parts of a stretch before which a piece of a depth can stand.
pub(super) fn free(
    room: &Room,
    obstacles: &[Obstacle],
    from: DVec2,
    along: DVec2,
    length: f64,
    depth: f64,
) -> Vec<(f64, f64)> {
    let inward = along.perp();
    // a little off the wall, so that the wall itself is not in the way
    let strip = vec![
        from + inward * 1.0,
        from + along * length + inward * 1.0,
        from + along * length + inward * depth,
        from + inward * depth,
    ];
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut take = |outline: &[DVec2]| {
        let along: Vec<f64> = outline.iter().map(|p| (*p - from).dot(along)).collect();
        let low = along.iter().copied().fold(f64::INFINITY, f64::min);
        let high = along.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if high - low > 1.0 {
            taken.push((low, high));
        }
    };
    for region in regions::difference(std::slice::from_ref(&strip), std::slice::from_ref(&room.outline)) {
        take(&region.outer);
    }
    for obstacle in obstacles {
        for region in
            regions::intersection(std::slice::from_ref(&strip), std::slice::from_ref(&obstacle.footprint))
        {
            take(&region.outer);
        }
    }
    taken.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut free, mut at) = (Vec::new(), 0.0);
    for (low, high) in taken {
        if low > at {
            free.push((at, low));
        }
        at = at.max(high);
    }
    if length > at {
        free.push((at, length));
    }
    free
}
