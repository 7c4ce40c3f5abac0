//! The cant of a track: how far its cross-section leans and by how much that lifts the line, along an `IfcSegmentedReferenceCurve`
//! (IfcGeometryResource, ISO 16739-1:2024).
//!
//! A segment begins at the distance that its placement's x tells, lifted by its y, upright along its axis (a direction in the plane
//! across the curve: y to the left, z upwards). At its end it has what the next one begins with. In between both change together,
//! as the curvature of the parent curve does along the segment: evenly for a clothoid, in a wave for a spiral of cosine or sine, by a
//! polynomial for the others. Files scale the terms of these parents in two ways (by the length, as buildingSMART's samples have it, or
//! by its square); as only the shape of the change is taken from them, neither is preferred.

use super::curve::Piece;
use super::{axis2, spiral};
use crate::{Id, Instance, Model};

/// A stretch of a curve over which the cant changes in one way.
pub(super) struct Cant {
    /// The distance at which it begins.
    pub from: f64,
    length: f64,
    begin: Lean,
    end: Lean,
    change: Change,
}

/// The difference of a section to one without cant.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Lean {
    /// The height that it is lifted by.
    pub level: f64,
    /// Turned about the direction of the curve, in radians: the left side downwards.
    pub roll: f64,
}

enum Change {
    /// Nothing does until the next stretch begins.
    None,
    /// Evenly.
    Even,
    /// As the curvature of a parent does.
    Bending(Piece),
}

/// The stretches of a segmented reference curve, in their order.
pub(super) fn read(model: &Model, curve: &Instance<'_>) -> Vec<Cant> {
    let segments: Vec<Instance<'_>> =
        curve.references("Segments").into_iter().filter_map(|id| model.get(id)).collect();
    let end = curve.reference("EndPoint").and_then(|id| lean(model, id));
    let begins: Vec<Option<(f64, Lean)>> =
        segments.iter().map(|s| lean(model, s.reference("Placement")?)).collect();
    let mut all = Vec::with_capacity(segments.len());
    for (at, segment) in segments.iter().enumerate() {
        let Some((from, begin)) = begins.get(at).copied().flatten() else { continue };
        let next = begins.get(at + 1).copied().unwrap_or(end);
        let end = next.map_or(begin, |(_, lean)| lean);
        let length = segment.number("SegmentLength").unwrap_or(0.0).abs();
        let parent = segment.reference("ParentCurve").and_then(|id| model.get(id));
        let change = match parent {
            Some(parent) if parent.class_name() == "IfcLine" => even(model, segment, begin, end, length),
            Some(_) => spiral::segment(model, segment).map_or(Change::Even, Change::Bending),
            None => Change::None,
        };
        all.push(Cant { from, length, begin, end, change });
    }
    all.sort_by(|a, b| a.from.total_cmp(&b.from));
    all
}

/// A line leaves all as it is, unless it rises or falls to where the next segment begins.
fn even(model: &Model, segment: &Instance<'_>, begin: Lean, end: Lean, length: f64) -> Change {
    let placed = segment.reference("Placement").and_then(|id| axis2(model, id));
    let slope = placed.map_or(0.0, |at| at.x_axis.y / at.x_axis.x);
    let rise = end.level - begin.level;
    let reaches = rise.abs() > 1e-9 && (slope * length - rise).abs() < 0.01 * rise.abs();
    if reaches { Change::Even } else { Change::None }
}

/// The distance that a placement of a segment tells, and how sections stand there.
fn lean(model: &Model, placement: Id) -> Option<(f64, Lean)> {
    let placed = axis2(model, placement)?;
    let (left, up) = (placed.z_axis.y, placed.z_axis.z);
    let (from, level) = (placed.translation.x, placed.translation.y);
    let sound = [left, up, from, level].iter().all(|v| v.is_finite());
    sound.then(|| (from, Lean { level, roll: left.atan2(up) }))
}

impl Cant {
    /// Returns the lean of the section at a distance, and the rise of the line there over a unit of length beyond that without cant.
    pub fn at(&self, distance: f64) -> (Lean, f64) {
        let run = (distance - self.from).clamp(0.0, self.length);
        let (share, pace) = match &self.change {
            Change::Even if self.length > 0.0 => (run / self.length, 1.0 / self.length),
            Change::Bending(parent) if self.length > 0.0 => {
                let ([from, _], [to, _]) = (parent.curvature(0.0), parent.curvature(self.length));
                let [now, growth] = parent.curvature(run);
                let whole = to - from;
                // a parent whose curvature comes back to where it was tells no way from one end to the other
                if whole.abs() > 1e-15 {
                    ((now - from) / whole, growth / whole)
                } else {
                    (run / self.length, 1.0 / self.length)
                }
            }
            _ => (0.0, 0.0),
        };
        let between = |a: f64, b: f64| a + (b - a) * share;
        let lean = Lean {
            level: between(self.begin.level, self.end.level),
            roll: between(self.begin.roll, self.end.roll),
        };
        (lean, (self.end.level - self.begin.level) * pace)
    }
}
