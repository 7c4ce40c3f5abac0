//! The navigation mesh: triangles in space over which a point may move, and how they hang together.
//!
//! The borders of the mesh are where the traveller's middle can be at most. Where sheets of triangles meet in a single point only,
//! the point is there once for each, so that no way leads through it.

use super::landmarks::Landmarks;
use glam::DVec3;
use std::collections::HashMap;
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// A triangle without a neighbour at an edge.
pub const NONE: u32 = u32::MAX;

/// A triangle, counter-clockwise seen from above.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    /// Its corners.
    pub corners: [u32; 3],
    /// The triangle across the edge from each corner to the next; [`NONE`] at the border.
    pub beyond: [u32; 3],
    /// The lengths of these edges in metres.
    pub lengths: [f64; 3],
    /// The sheet it belongs to, by its caller's number.
    pub sheet: u32,
}

/// A triangle about a corner, in the order counter-clockwise.
#[derive(Debug, Clone, Copy)]
pub struct Spoke {
    /// The triangle.
    pub triangle: u32,
    /// The place of the corner among the triangle's.
    pub corner: u8,
    /// The angle at which it begins, counted over the surface from where the fan begins.
    pub from: f64,
    /// Its angle at the corner.
    pub angle: f64,
}

/// A corner of the mesh.
#[derive(Debug, Clone, Default)]
pub struct Fan {
    /// The triangles about it.
    pub spokes: Vec<Spoke>,
    /// The angle of all of them together.
    pub total: f64,
    /// True if the triangles go all around.
    pub is_closed: bool,
}

impl Fan {
    /// Returns true if a shortest way can turn here: the surface is more than straight at a border, more than flat within.
    pub fn turns(&self) -> bool {
        const HAIR: f64 = 1e-9;
        if self.is_closed {
            self.total > std::f64::consts::TAU + HAIR
        } else {
            self.total > std::f64::consts::PI + HAIR
        }
    }
}

/// A way between two corners that leads over no triangle, such as a lift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shortcut {
    /// The corners.
    pub ends: [u32; 2],
    /// Its length in metres.
    pub length: f64,
    /// Its caller's number.
    pub number: u32,
}

/// A navigation mesh.
#[derive(Debug, Clone, Default)]
pub struct Net {
    /// Corner points in metres.
    pub points: Vec<DVec3>,
    /// The triangles.
    pub triangles: Vec<Triangle>,
    /// The triangles about each corner.
    pub fans: Vec<Fan>,
    /// Lifts.
    pub shortcuts: Vec<Shortcut>,
    /// The triangles that are neighbours have the same number here.
    pub islands: Vec<u32>,
    /// True once a way with one target was asked for.
    asked: Arc<AtomicBool>,
    landmarks: OnceLock<Landmarks>,
}

impl Net {
    /// A mesh of triangles that share corners by being at the same place, each with the number of its sheet.
    pub fn new(faces: &[([DVec3; 3], u32)]) -> Net {
        let mut net = Net::default();
        let mut known: HashMap<[u64; 3], u32> = HashMap::new();
        for (corners, sheet) in faces {
            let corners = corners.map(|p| {
                // minus nought and nought are one place
                let key = p.to_array().map(|v| (v + 0.0).to_bits());
                *known.entry(key).or_insert_with(|| {
                    net.points.push(p);
                    net.points.len() as u32 - 1
                })
            });
            let [a, b, c] = corners;
            if a == b || b == c || c == a {
                continue;
            }
            let at = |i: u32| net.points.get(i as usize).copied().unwrap_or_default();
            let lengths = [at(a).distance(at(b)), at(b).distance(at(c)), at(c).distance(at(a))];
            net.triangles.push(Triangle { corners, beyond: [NONE; 3], lengths, sheet: *sheet });
        }
        net.join();
        net.fan_out();
        net.number_islands();
        net
    }

    /// Its landmarks: found when a second way with one target is asked for, since they take as long as some ways without them.
    pub(super) fn landmarks(&self) -> Option<&Landmarks> {
        if self.asked.swap(true, Ordering::Relaxed) {
            Some(self.landmarks.get_or_init(|| Landmarks::new(self)))
        } else {
            None
        }
    }

    /// Returns true if a way may lead from one of some triangles to another: they hang together, by shortcuts or without.
    pub(super) fn is_joined(&self, sources: &[u32], target: u32) -> bool {
        let island = |triangle: u32| self.islands.get(triangle as usize).copied();
        let Some(wanted) = island(target) else { return false };
        let mut known: Vec<u32> = sources.iter().filter_map(|triangle| island(*triangle)).collect();
        let at = |corner: u32| island(self.fans.get(corner as usize)?.spokes.first()?.triangle);
        let mut next = 0;
        while let Some(own) = known.get(next).copied() {
            next += 1;
            for [a, b] in self.shortcuts.iter().map(|s| s.ends) {
                for (from, to) in [(a, b), (b, a)] {
                    if at(from) == Some(own) {
                        known.extend(at(to).filter(|to| !known.contains(to)));
                    }
                }
            }
        }
        known.contains(&wanted)
    }

    /// The corner points of a triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        let corners = self.triangles.get(triangle as usize).map_or([0; 3], |t| t.corners);
        corners.map(|i| self.points.get(i as usize).copied().unwrap_or_default())
    }

    fn join(&mut self) {
        let mut open: HashMap<[u32; 2], (u32, u8)> = HashMap::new();
        for t in 0..self.triangles.len() {
            for k in 0..3 {
                let corners = self.triangles[t].corners;
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                // the neighbour goes along the edge the other way
                if let Some((other, j)) = open.remove(&[b, a]) {
                    self.triangles[t].beyond[k] = other;
                    self.triangles[other as usize].beyond[j as usize] = t as u32;
                } else {
                    open.insert([a, b], (t as u32, k as u8));
                }
            }
        }
    }

    /// Orders the triangles about each corner, and parts corners where several fans meet.
    fn fan_out(&mut self) {
        let mut at: Vec<Vec<(u32, u8)>> = vec![Vec::new(); self.points.len()];
        for (t, triangle) in self.triangles.iter().enumerate() {
            for (k, corner) in triangle.corners.iter().enumerate() {
                at[*corner as usize].push((t as u32, k as u8));
            }
        }
        let mut fans: Vec<Fan> = vec![Fan::default(); self.points.len()];
        for (corner, mut left) in at.into_iter().enumerate() {
            let mut is_first = true;
            while let Some(&some) = left.first() {
                let fan = self.fan(some, left.len());
                left.retain(|(t, _)| !fan.spokes.iter().any(|s| s.triangle == *t));
                if is_first {
                    fans[corner] = fan;
                } else {
                    let own = self.points.len() as u32;
                    self.points.push(self.points[corner]);
                    for spoke in &fan.spokes {
                        self.triangles[spoke.triangle as usize].corners[spoke.corner as usize] = own;
                    }
                    fans.push(fan);
                }
                is_first = false;
            }
        }
        self.fans = fans;
    }

    /// The fan that a triangle's corner is in.
    fn fan(&self, (start, corner): (u32, u8), most: usize) -> Fan {
        // clockwise to where the fan begins, if it does
        let (mut t, mut k) = (start, corner);
        let mut is_closed = false;
        for _ in 0..most {
            let next = self.triangles[t as usize].beyond[k as usize];
            if next == NONE {
                break;
            }
            let own = self.triangles[t as usize].corners[k as usize];
            let Some(j) = self.triangles[next as usize].corners.iter().position(|c| *c == own) else { break };
            (t, k) = (next, j as u8);
            if t == start {
                is_closed = true;
                break;
            }
        }
        let mut fan = Fan { is_closed, ..Fan::default() };
        loop {
            let angle = self.angle(t, k);
            fan.spokes.push(Spoke { triangle: t, corner: k, from: fan.total, angle });
            fan.total += angle;
            let own = self.triangles[t as usize].corners[k as usize];
            let next = self.triangles[t as usize].beyond[(k as usize + 2) % 3];
            if next == NONE
                || fan.spokes.first().is_some_and(|s| s.triangle == next)
                || fan.spokes.len() > most
            {
                break;
            }
            let Some(j) = self.triangles[next as usize].corners.iter().position(|c| *c == own) else { break };
            (t, k) = (next, j as u8);
        }
        fan
    }

    /// The angle of a triangle at one of its corners.
    fn angle(&self, triangle: u32, corner: u8) -> f64 {
        let p = self.corners(triangle);
        let k = corner as usize;
        let (u, v) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
        u.cross(v).length().atan2(u.dot(v))
    }

    fn number_islands(&mut self) {
        let mut islands = vec![NONE; self.triangles.len()];
        let mut number = 0;
        for start in 0..self.triangles.len() {
            if islands[start] != NONE {
                continue;
            }
            let mut open = vec![start];
            islands[start] = number;
            while let Some(t) = open.pop() {
                for next in self.triangles[t].beyond {
                    if next != NONE && islands[next as usize] == NONE {
                        islands[next as usize] = number;
                        open.push(next as usize);
                    }
                }
            }
            number += 1;
        }
        self.islands = islands;
    }

    /// The triangles that hold a point in plan, of sheets that `wanted` accepts, each with the point on it.
    pub fn under(&self, p: DVec3, wanted: impl Fn(u32) -> bool) -> Vec<(u32, DVec3)> {
        let mut found = Vec::new();
        for (t, triangle) in self.triangles.iter().enumerate() {
            if !wanted(triangle.sheet) {
                continue;
            }
            let [a, b, c] = self.corners(t as u32);
            let flat = |p: DVec3, q: DVec3, r: DVec3| (q - p).truncate().perp_dot((r - p).truncate());
            let whole = flat(a, b, c);
            let parts = [flat(p, b, c), flat(p, c, a), flat(p, a, b)];
            if whole > 0.0 && parts.iter().all(|part| *part >= -1e-9 * whole.max(1.0)) {
                let z = (a.z * parts[0] + b.z * parts[1] + c.z * parts[2]) / whole;
                found.push((t as u32, p.with_z(z)));
            }
        }
        found
    }

    /// The point of the mesh nearest to a point, of sheets that `wanted` accepts, no farther than `reach` metres.
    pub fn nearest(&self, p: DVec3, reach: f64, wanted: impl Fn(u32) -> bool) -> Option<(u32, DVec3)> {
        let mut best: Option<(f64, u32, DVec3)> = None;
        for (t, _) in self.triangles.iter().enumerate().filter(|(_, t)| wanted(t.sheet)) {
            let [a, b, c] = self.corners(t as u32);
            for (q, r) in [(a, b), (b, c), (c, a)] {
                let d = r - q;
                let share = ((p - q).dot(d) / d.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
                let on = q + d * share;
                let far = on.distance(p);
                if far <= reach && best.is_none_or(|(known, ..)| far < known) {
                    best = Some((far, t as u32, on));
                }
            }
        }
        best.map(|(_, t, on)| (t, on))
    }

    /// About how many bytes it takes, for caches.
    pub fn weight(&self) -> u64 {
        (self.points.len() * 24 + self.triangles.len() * (60 + 3 * 32)) as u64
    }
}
