//! What a drawing is made of where walls are looked for: lines, arcs, areas and words, each with its role.

use super::roles::Role;
use glam::DVec2;

/// A straight line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) from: DVec2,
    pub(crate) to: DVec2,
    pub(crate) role: Role,
    /// The entity that it is of.
    pub(crate) entity: u32,
    pub(crate) layer: u32,
    pub(crate) instance: u32,
    /// True for a linetype with gaps.
    pub(crate) is_dashed: bool,
    /// The number of pieces of its entity.
    pub(crate) pieces: u32,
}

impl Line {
    pub(crate) fn length(&self) -> f64 {
        self.from.distance(self.to)
    }

    pub(crate) fn middle(&self) -> DVec2 {
        (self.from + self.to) / 2.0
    }
}

/// An arc, or a circle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) centre: DVec2,
    pub(crate) radius: f64,
    pub(crate) start: f64,
    pub(crate) sweep: f64,
    pub(crate) role: Role,
    pub(crate) entity: u32,
    pub(crate) instance: u32,
}

impl Arc {
    pub(crate) fn point(&self, share: f64) -> DVec2 {
        self.centre + DVec2::from_angle(self.start + self.sweep * share) * self.radius
    }
}

/// A line that is as wide as a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wide {
    pub(crate) from: DVec2,
    pub(crate) to: DVec2,
    pub(crate) width: f64,
    pub(crate) role: Role,
    pub(crate) entity: u32,
}

/// An area.
#[derive(Debug, Clone)]
pub(crate) struct Area {
    pub(crate) rings: Vec<Vec<DVec2>>,
    /// About as thick as this: twice its area by the length of its outlines.
    pub(crate) thickness: f64,
    pub(crate) role: Role,
    pub(crate) entity: u32,
    pub(crate) layer: u32,
}

/// Words.
#[derive(Debug, Clone)]
pub(crate) struct Note {
    pub(crate) words: String,
    pub(crate) at: DVec2,
    pub(crate) height: f64,
    pub(crate) role: Role,
    pub(crate) entity: u32,
}

/// All that is drawn.
#[derive(Debug, Default)]
pub(crate) struct Primitives {
    pub(crate) lines: Vec<Line>,
    pub(crate) arcs: Vec<Arc>,
    pub(crate) wides: Vec<Wide>,
    pub(crate) areas: Vec<Area>,
    pub(crate) notes: Vec<Note>,
    /// Entities on layers that are left out.
    pub(crate) ignored: Vec<u32>,
    /// The number of entities.
    pub(crate) count: usize,
}

/// True if a point lies within a ring.
pub(crate) fn contains(ring: &[DVec2], point: DVec2) -> bool {
    let mut is_inside = false;
    for (a, b) in ring.iter().zip(ring.iter().skip(1).chain(ring.first())) {
        if (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
            is_inside = !is_inside;
        }
    }
    is_inside
}
