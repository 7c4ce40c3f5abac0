//! Placements on a grid: an IfcGridPlacement at the crossing of two axes, each moved sideways by an offset.
//!
//! The crossing is in the coordinates of the grid. The first axis is the direction that the placement gives, or leads
//! to a second crossing, or is that of the first grid axis there; the third is the grid's (IfcGridPlacement,
//! IfcVirtualGridIntersection). Axes may be straight or arcs.

use super::curve::{self, Piece};
use super::{direction, segments, unit};
use crate::{Id, Instance, Model};
use glam::{DAffine3, DVec3};

/// The map from a grid placement to its grid.
pub(super) fn placed(model: &Model, placement: &Instance<'_>) -> Option<DAffine3> {
    let (origin, along) = crossing(model, placement.reference("PlacementLocation")?)?;
    let toward = placement.reference("PlacementRefDirection").and_then(|id| {
        let toward = match direction(model, id) {
            Some(given) => given,
            None => crossing(model, id)?.0 - origin,
        };
        unit(toward.with_z(0.0))
    });
    let x = toward.unwrap_or(along);
    Some(DAffine3::from_cols(x, DVec3::Z.cross(x), DVec3::Z, origin))
}

/// The placement of the grid that has the axes.
pub(super) fn placement_of_grid(model: &Model, placement: &Instance<'_>) -> Option<Id> {
    let crossing = model.get(placement.reference("PlacementLocation")?)?;
    let axis = crossing.references("IntersectingAxes").into_iter().next()?;
    let grid = model.referrers_of(axis, "IfcGrid").into_iter().next()?;
    model.get(grid)?.reference("ObjectPlacement")
}

/// Returns the crossing of two axes and the direction of the first one there.
fn crossing(model: &Model, id: Id) -> Option<(DVec3, DVec3)> {
    let instance = model.get(id)?;
    let offsets = instance.attr("OffsetDistances");
    let offset = |at: usize| offsets.as_list().and_then(|list| list.get(at)?.as_f64()).unwrap_or(0.0);
    let axes = instance.references("IntersectingAxes");
    let pieces = |at: usize| {
        let axis = model.get(*axes.get(at)?)?;
        let curve = segments::read(model, axis.reference("AxisCurve")?)?;
        // the offset is to the left of the axis as it runs
        let reversed = axis.attr("SameSense").as_bool() == Some(false);
        let offset = if reversed { -offset(at) } else { offset(at) };
        Some((curve.pieces.iter().map(|piece| piece.beside(offset)).collect::<Vec<_>>(), reversed))
    };
    let ((first, reversed), (second, _)) = (pieces(0)?, pieces(1)?);
    let (point, mut along) = meet(&first, &second, true).or_else(|| meet(&first, &second, false))?;
    if reversed {
        along = -along;
    }
    Some((point.with_z(offset(2)), along))
}

/// The first meeting of two chains of pieces; bounded: only within their ends.
fn meet(first: &[Piece], second: &[Piece], bounded: bool) -> Option<(DVec3, DVec3)> {
    // grids have few axes of few pieces; a file that claims more is not followed
    if first.len().saturating_mul(second.len()) > 1 << 16 {
        return None;
    }
    first.iter().flat_map(|a| second.iter().map(move |b| (a, b))).find_map(|(a, b)| {
        let slack = 1e-9 * (1.0 + a.length.min(1e9) + b.length.min(1e9));
        let on = |piece: &Piece, along: f64| !bounded || (-slack..=piece.length + slack).contains(&along);
        curve::meetings(a, b)
            .into_iter()
            .find(|point| on(a, a.along(*point)) && on(b, b.along(*point)))
            .and_then(|point| Some((point, unit(a.at(a.along(point)).x_axis)?)))
    })
}
