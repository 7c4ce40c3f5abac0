//! Areas that show what walls are made of: fills and hatches.

use crate::effort::Effort;
use crate::recognise::grid::Grid;
use crate::recognise::roles::Role;
use crate::recognise::shapes::{Area, Primitives, contains};
use glam::DVec2;

/// Areas that show what walls are made of.
pub(super) struct Material<'a> {
    areas: Vec<(&'a Area, DVec2, DVec2)>,
    grid: Grid,
    pub(super) effort: &'a Effort<'a>,
}

impl<'a> Material<'a> {
    pub(super) fn new(found: &'a Primitives, role: Role, effort: &'a Effort<'a>) -> Self {
        let mut areas: Vec<(&Area, DVec2, DVec2)> = Vec::new();
        let mut grid = Grid::new(4000.0);
        for area in &found.areas {
            let is_one = area.role == role || (area.role == Role::Hatch && role == Role::Wall);
            if !is_one || !(35.0..=750.0).contains(&area.thickness) || areas.len() > 20_000 {
                continue;
            }
            let corners = || area.rings.iter().flatten().copied();
            let (least, most) = (
                corners().fold(DVec2::INFINITY, DVec2::min),
                corners().fold(DVec2::NEG_INFINITY, DVec2::max),
            );
            grid.put(areas.len(), least, most);
            areas.push((area, least, most));
        }
        Self { areas, grid, effort }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// True if a place lies in an area: within an odd number of its outlines.
    fn covers(&self, at: DVec2) -> bool {
        self.grid.near(at, at).into_iter().filter_map(|n| self.areas.get(n)).any(|(area, least, most)| {
            self.effort.goes_on(1)
                && at.cmpge(*least).all()
                && at.cmple(*most).all()
                && self.effort.goes_on(area.rings.iter().map(Vec::len).sum())
                && area.rings.iter().filter(|ring| contains(ring, at)).count() % 2 == 1
        })
    }

    /// The share of a strip that lies in areas.
    pub(super) fn share(&self, way: DVec2, low: f64, high: f64, from: f64, to: f64) -> f64 {
        let middle = f64::midpoint(low, high);
        let hits = (0..7).filter(|n| {
            self.covers(way * (from + (to - from) * (f64::from(*n) + 0.5) / 7.0) + way.perp() * middle)
        });
        hits.count() as f64 / 7.0
    }
}
