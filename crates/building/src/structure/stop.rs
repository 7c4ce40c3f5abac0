//! The place where a beam meets a column: how far from its axis' end its body stops.

use super::crossing::Grids;
use super::line::Line;
use super::links::{Role, members};
use super::noun::COLUMN;
use super::profile::CrossSection;
use crate::author::Author;
use crate::frame::Frame;
use glam::{DVec2, DVec3};
use ifc::{Id, Model, relations};
use std::collections::BTreeSet;

/// The largest distance in mm, in plan, between a column's placement and its axis.
const REACH: f64 = 2000.0;
/// The steepest beam that stops at columns, as the cosine of its incline.
const STEEPEST: f64 = 0.5;

/// The columns that stand about a storey, by the place of each.
pub struct Columns(Vec<(Id, DVec2)>);

impl Columns {
    /// The columns of a storey, and those on the grids for it.
    pub fn around(author: &Author, storey: Id, grids: &Grids) -> Self {
        let model: &Model = author.edit;
        let mut ids: BTreeSet<Id> = relations::contained(model, storey).into_iter().collect();
        ids.extend(grids.all().flat_map(|grid| members(model, grid)));
        let columns = ids.into_iter().filter(|id| model.get(*id).is_some_and(|e| e.is_a(COLUMN.class)));
        Self(columns.filter_map(|id| Some((id, author.frame(id).ok()?.translation.truncate()))).collect())
    }

    /// The height above a floor of the head of the column that stands on it at a place, in mm; all heights in the world.
    pub fn head(&self, author: &Author, p: DVec2, floor: f64) -> Option<f64> {
        /// A foot that is so far above the floor, or a head so near to it, is that of a column of another storey.
        const NEAR: f64 = 500.0;
        self.0.iter().filter(|(_, at)| at.distance(p) < REACH).find_map(|(id, _)| {
            let line = Line::read(author, *id).ok()?;
            let ends = line.extruded.map(|along| line.at(along).z);
            let (foot, head) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let stands = foot < floor + NEAR && head > floor + NEAR;
            let held = stands.then(|| self.at(author, p.extend(head)))??;
            (held.id == *id).then_some(head - floor)
        })
    }

    /// The column whose body holds a point.
    pub fn at(&self, author: &Author, p: DVec3) -> Option<Line> {
        self.0.iter().filter(|(_, at)| at.distance(p.truncate()) < REACH).find_map(|(id, _)| {
            let line = Line::read(author, *id).ok()?;
            let foot = line.at(line.extruded[0]).z.min(line.at(line.extruded[1]).z);
            let head = line.at(line.extruded[0]).z.max(line.at(line.extruded[1]).z);
            let own = line.frame.into_own(p).truncate() + line.offset;
            let within = own.cmpge(line.section.low - 1.0).all() && own.cmple(line.section.high + 1.0).all();
            (within && p.z > foot - 1.0 && p.z < head + 1.0).then_some(line)
        })
    }
}

/// A beam as its ends see it.
pub struct Bar<'a> {
    /// The axis' frame in the world.
    pub frame: &'a Frame,
    /// Length of the axis.
    pub length: f64,
    /// The cross-section.
    pub section: &'a CrossSection,
    /// The section's point on the axis.
    pub offset: DVec2,
}

impl Bar<'_> {
    /// How far from one end, in mm along the axis, a column takes up the beam's place; the end is cut square or upright.
    pub fn stop(&self, role: Role, is_upright: bool, column: &Line) -> f64 {
        let (at, inward) = match role {
            Role::End => (self.frame.transform_point3(DVec3::Z * self.length), -self.frame.z_axis),
            _ => (self.frame.translation, self.frame.z_axis),
        };
        let level = inward.truncate().length();
        if level < STEEPEST || column.frame.z_axis.z.abs() < 0.999 {
            return 0.0;
        }
        let (x, y) = (self.frame.x_axis, self.frame.y_axis);
        let around: Vec<DVec3> =
            self.section.outline.iter().map(|p| *p - self.offset).map(|p| x * p.x + y * p.y).collect();
        let range = |of: &dyn Fn(&DVec3) -> f64| {
            around.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
        };
        // a beam that lies on the column's head, or passes below its foot, runs through
        let (low, high) = range(&|p| at.z + p.z);
        let (a, b) = (column.at(column.extruded[0]).z, column.at(column.extruded[1]).z);
        if low > a.max(b) - 1.0 || high < a.min(b) + 1.0 {
            return 0.0;
        }
        let way = inward.truncate() / level;
        let (left, right) = range(&|p| way.perp_dot(p.truncate()));
        let outline: Vec<DVec2> = column
            .section
            .outline
            .iter()
            .map(|p| {
                column.frame.transform_point3((*p - column.offset).extend(0.0)).truncate() - at.truncate()
            })
            .map(|p| DVec2::new(p.dot(way), way.perp_dot(p)))
            .collect();
        let Some((nearest, farthest)) = within(&outline, left + 0.1, right - 0.1) else { return 0.0 };
        if nearest > 1.0 || farthest <= 0.0 {
            return 0.0;
        }
        // the face of a square end of a beam that leans is aslant over the column
        let slant = if is_upright { 0.0 } else { -range(&|p| p.truncate().dot(way)).0 };
        (farthest + slant.max(0.0)) / level
    }
}

/// The least and largest x of what of an outline lies between two y.
fn within(outline: &[DVec2], low: f64, high: f64) -> Option<(f64, f64)> {
    let mut found: Option<(f64, f64)> = None;
    let mut take = |x: f64| {
        let (a, b) = found.unwrap_or((x, x));
        found = Some((a.min(x), b.max(x)));
    };
    for (a, b) in crate::polygon::edges(outline) {
        if a.y >= low && a.y <= high {
            take(a.x);
        }
        for y in [low, high] {
            if (a.y - y) * (b.y - y) < 0.0 {
                take(a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y));
            }
        }
    }
    found
}
