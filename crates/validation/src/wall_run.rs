//! The run of a straight wall as its body shows it: the direction along which it stands, and from where to where.
//!
//! It is read from the upright faces of the body, so that walls of every program have one, whatever they say of their axis. A wall that
//! is bent, or as wide as long, has none.

use geometry::query::Element;
use glam::DVec2;
use ifc::Id;
use std::collections::BTreeMap;

/// A straight wall: extents along and across its direction in metres.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WallRun {
    /// The wall.
    pub id: Id,
    /// Along the wall in plan, at length one.
    pub along: DVec2,
    /// From where to where it goes along that.
    pub length: [f64; 2],
    /// From where to where it goes across, along the perpendicular.
    pub across: [f64; 2],
    /// Its foot and its top.
    pub height: [f64; 2],
}

/// The share of upright faces that look across a straight wall, at least.
const STRAIGHT: f64 = 0.6;
/// A wall is longer than thick by this factor at least.
const LONG: f64 = 1.0;
/// Parts of a half turn by which directions of faces are counted.
const PARTS: f64 = 360.0;

impl WallRun {
    /// Reads the run of a wall from its body, openings left in or not.
    pub fn of_body(body: &Element) -> Option<Self> {
        let across = main_normal(body)?;
        let along = -across.perp();
        let points = || body.mesh().positions.iter().filter(|p| p.is_finite()).map(|p| p.truncate());
        let extent = |way: DVec2| {
            let all = points().map(|p| p.dot(way));
            let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            [low, high]
        };
        let bounds = body.bounds();
        let (length, width) = (extent(along), extent(along.perp()));
        let is_long = length[1] - length[0] > LONG * (width[1] - width[0]);
        is_long.then_some(Self {
            id: body.id(),
            along,
            length,
            across: width,
            height: [bounds.min.z, bounds.max.z],
        })
    }

    /// The extent of another wall along this one's direction.
    fn extent_of(&self, other: &Self) -> [f64; 2] {
        let corners = other.length.map(|l| other.across.map(|a| other.along * l + other.along.perp() * a));
        let all = corners.iter().flatten().map(|p| p.dot(self.along));
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        [low, high]
    }

    /// Returns true if one of its ends lies within `reach` metres of where the other is, seen along this wall.
    pub fn ends_at(&self, other: &Self, reach: f64) -> bool {
        let [low, high] = self.extent_of(other);
        self.length.iter().any(|end| low - reach <= *end && *end <= high + reach)
    }

    /// The sine of the angle between two walls.
    pub fn turn(&self, other: &Self) -> f64 {
        self.along.perp_dot(other.along).abs()
    }

    /// Returns true if two walls stand end to end, in one line: they share a part of their thickness and no length.
    pub fn goes_on_in(&self, other: &Self, reach: f64) -> bool {
        let [low, high] = self.extent_of(other);
        let side = |way: &Self| {
            way.across.map(|a| (way.along.perp() * a + way.along * way.length[0]).dot(self.along.perp()))
        };
        let (own, its) = (self.across, side(other));
        let (its_low, its_high) = (its[0].min(its[1]), its[0].max(its[1]));
        let shared = (own[1].min(its_high) - own[0].max(its_low)).max(0.0);
        let overlap = self.length[1].min(high) - self.length[0].max(low);
        self.turn(other) < 0.05 && shared > 0.01 && overlap < reach
    }

    /// The height over which two walls stand beside each other.
    pub fn shared_height(&self, other: &Self) -> f64 {
        self.height[1].min(other.height[1]) - self.height[0].max(other.height[0])
    }
}

/// The level direction that most of a body's upright area looks in or away from, where it is more than its share.
fn main_normal(body: &Element) -> Option<DVec2> {
    let mesh = body.mesh();
    let mut by_angle: BTreeMap<i64, (f64, DVec2)> = BTreeMap::new();
    let mut whole = 0.0;
    for corners in &mesh.triangles {
        let at = |i: u32| mesh.positions.get(i as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else { continue };
        let twice = (b - a).cross(c - a);
        let level = twice.truncate();
        let area = level.length();
        if !area.is_finite() || area < 1e-9 || twice.z.abs() > area {
            continue;
        }
        let turned = if level.y < 0.0 || (level.y == 0.0 && level.x < 0.0) { -level } else { level };
        let part = (turned.y.atan2(turned.x) / std::f64::consts::PI * PARTS).round().rem_euclid(PARTS);
        let entry = by_angle.entry(part as i64).or_insert((0.0, DVec2::ZERO));
        let same = if entry.1.dot(turned) < 0.0 { -turned } else { turned };
        *entry = (entry.0 + area, entry.1 + same);
        whole += area;
    }
    let (area, sum) = by_angle.into_values().max_by(|a, b| a.0.total_cmp(&b.0))?;
    (area >= STRAIGHT * whole).then(|| sum.try_normalize()).flatten()
}
