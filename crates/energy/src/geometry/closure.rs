//! How surfaces close around what they enclose.
//!
//! In a closed zone every piece of every edge is passed twice, once each way. Edges are cut where corners of other
//! surfaces lie on them, so that a wall beside two others is no gap. A piece passed once is a gap; passed twice the same
//! way, one of both surfaces faces inwards.

use super::Surface;
use super::polygon::area_vector;
use glam::DVec3;
use std::collections::HashMap;

/// Corners closer than this are one, in metres; EnergyPlus takes 1 cm too.
pub const TOLERANCE: f64 = 0.01;
/// Gaps shorter than this in all are passed over.
pub const SHORT: f64 = 0.1;
/// Zones with more corners than this are not looked into.
const LARGEST: usize = 5_000;

/// True if surfaces close around what they enclose; none where they have too many corners to tell.
pub fn is_closed(surfaces: &[&Surface]) -> Option<bool> {
    Some(Edges::of_surfaces(surfaces)?.gap <= SHORT)
}

/// The surfaces that pass a piece of edge, once for each time, and the balance of both directions.
#[derive(Default)]
struct Passed {
    by: Vec<usize>,
    balance: i32,
    length: f64,
}

/// The lengths of the edges of some surfaces, in metres.
pub struct Edges {
    /// Of those that border on nothing.
    pub gap: f64,
    /// Of these, by surface.
    pub open: Vec<f64>,
    /// Of those that are passed twice the same way, by surface.
    pub clashing: Vec<f64>,
    /// Of all, by surface.
    pub around: Vec<f64>,
}

impl Edges {
    /// Goes around every surface; none where there are too many corners.
    pub fn of_surfaces(surfaces: &[&Surface]) -> Option<Self> {
        if surfaces.iter().map(|surface| surface.corners.len()).sum::<usize>() > LARGEST {
            return None;
        }
        let mut points = Points::default();
        let number = |points: &mut Points, surface: &Surface| -> Vec<usize> {
            surface.corners.iter().map(|point| points.number(*point)).collect()
        };
        let loops: Vec<Vec<usize>> = surfaces.iter().map(|surface| number(&mut points, surface)).collect();
        let mut edges: HashMap<(usize, usize), Passed> = HashMap::new();
        for (surface, corners) in loops.iter().enumerate() {
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                for (from, to) in points.pieces(*a, *b) {
                    let passed = edges.entry((from.min(to), from.max(to))).or_default();
                    passed.by.push(surface);
                    passed.balance += if from < to { 1 } else { -1 };
                    passed.length = points.distance(from, to);
                }
            }
        }
        let none = || vec![0.0; surfaces.len()];
        let mut found = Self { gap: 0.0, open: none(), clashing: none(), around: none() };
        for passed in edges.values() {
            for surface in &passed.by {
                if let Some(length) = found.around.get_mut(*surface) {
                    *length += passed.length;
                }
            }
            let (tally, counts) = if passed.by.len() % 2 == 1 {
                found.gap += passed.length;
                (&mut found.open, true)
            } else {
                (&mut found.clashing, passed.balance != 0)
            };
            for surface in passed.by.iter().filter(|_| counts) {
                if let Some(length) = tally.get_mut(*surface) {
                    *length += passed.length;
                }
            }
        }
        Some(found)
    }
}

/// The volume within closed surfaces that face outwards, in m³; negative where they face inwards.
pub fn volume_within(surfaces: &[&Surface]) -> f64 {
    let under = |surface: &&Surface| {
        surface.corners.first().map_or(0.0, |first| first.dot(area_vector(&surface.corners)) / 6.0)
    };
    surfaces.iter().map(under).sum()
}

/// Corners, those within the tolerance counted as one.
#[derive(Default)]
struct Points {
    all: Vec<DVec3>,
    cells: HashMap<[i64; 3], Vec<usize>>,
}

impl Points {
    fn cell(point: DVec3) -> [i64; 3] {
        point.to_array().map(|part| (part / TOLERANCE).floor() as i64)
    }

    fn number(&mut self, point: DVec3) -> usize {
        let cell = Self::cell(point);
        for step in 0..27_i64 {
            let beside = [cell[0] + step % 3 - 1, cell[1] + step / 3 % 3 - 1, cell[2] + step / 9 - 1];
            let known = self.cells.get(&beside).into_iter().flatten().copied();
            if let Some(found) = known
                .into_iter()
                .find(|at| self.at(*at).is_some_and(|other| other.distance(point) < TOLERANCE))
            {
                return found;
            }
        }
        self.all.push(point);
        self.cells.entry(cell).or_default().push(self.all.len() - 1);
        self.all.len() - 1
    }

    fn at(&self, number: usize) -> Option<DVec3> {
        self.all.get(number).copied()
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        self.at(a).zip(self.at(b)).map_or(0.0, |(a, b)| a.distance(b))
    }

    /// An edge cut at every corner that lies on it.
    fn pieces(&self, a: usize, b: usize) -> Vec<(usize, usize)> {
        let (Some(start), Some(end)) = (self.at(a), self.at(b)) else { return Vec::new() };
        let span = start.distance(end);
        if a == b || span < TOLERANCE {
            return Vec::new();
        }
        let along = (end - start) / span;
        let mut on: Vec<(f64, usize)> = vec![(0.0, a), (span, b)];
        for (number, point) in self.all.iter().enumerate() {
            if number == a || number == b {
                continue;
            }
            let reach = (*point - start).dot(along);
            let foot = start + along * reach;
            if reach > TOLERANCE && reach < span - TOLERANCE && foot.distance(*point) < TOLERANCE {
                on.push((reach, number));
            }
        }
        on.sort_by(|a, b| a.0.total_cmp(&b.0));
        on.iter().zip(on.iter().skip(1)).map(|(a, b)| (a.1, b.1)).collect()
    }
}
