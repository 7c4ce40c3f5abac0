//! Placements along a curve (IFC4X3): an IfcLinearPlacement at an IfcPointByDistanceExpression of an alignment.
//!
//! The point is so far along the curve, then offset along the curve's own axes; the axes are the curve's there, unless
//! the placement gives its own (IfcAxis2PlacementLinear). Where the curve is of a kind that is not followed, what the
//! file gives as Cartesian position counts, if anything. On a curve with cant the axes lean as its sections do.

use super::curve::Curve;
use super::{axis2, direction, segments, unit};
use crate::{Id, Instance, Model};
use foldhash::HashMap;
use glam::{DAffine3, DVec3};

/// The frames along a curve at distances from its beginning, in the file's unit of length: x is the curve's direction, y to the left
/// and z upwards, both leaning where the curve has cant. None for a curve of a kind that is not followed.
pub fn along(model: &Model, curve: Id, distances: &[f64]) -> Option<Vec<DAffine3>> {
    let curve = segments::read(model, curve)?;
    distances.iter().map(|distance| curve.at(*distance)).collect()
}

/// The distances at which a curve's pieces begin (in plan, in height and in cant), and that of its end, ascending, in the file's unit of
/// length. None for a curve of a kind that is not followed, or one without end.
pub fn stations(model: &Model, curve: Id) -> Option<Vec<f64>> {
    let curve = segments::read(model, curve)?;
    let mut all = vec![0.0];
    let mut end = 0.0;
    for piece in &curve.pieces {
        end += piece.length;
        all.push(end);
    }
    let upon = curve.heights.iter().map(|height| height.from).chain(curve.cant.iter().map(|cant| cant.from));
    all.extend(upon.filter(|from| (0.0..end).contains(from)));
    all.sort_by(f64::total_cmp);
    all.dedup_by(|b, a| *b - *a < 1e-9 * end);
    (end.is_finite() && all.len() > 1).then_some(all)
}

/// The map from a linear placement to what it stands on.
pub(super) fn placed(model: &Model, placement: &Instance<'_>) -> Option<DAffine3> {
    let along = placement.reference("RelativePlacement").and_then(|id| model.get(id));
    along
        .and_then(|along| on_curve(model, &along))
        .or_else(|| placement.reference("CartesianPosition").and_then(|axes| axis2(model, axes)))
}

/// The maps that linear placements compute from their curves, from each to what it stands on, in the file's unit of length: what a
/// file gives as Cartesian position does not count. None for one without a sound place on a curve that is followed. Each curve is read
/// once, however many stand on it.
pub fn on_curves(model: &Model, placements: &[Id]) -> Vec<Option<DAffine3>> {
    let mut curves: HashMap<Id, Option<Curve>> = HashMap::default();
    let place = |id: &Id| {
        let along = model.get(model.get(*id)?.reference("RelativePlacement")?)?;
        let basis = model.get(along.reference("Location")?)?.reference("BasisCurve")?;
        let curve = curves.entry(basis).or_insert_with(|| segments::read(model, basis));
        placed_on(model, &along, curve.as_ref()?)
    };
    placements.iter().map(place).collect()
}

fn on_curve(model: &Model, placement: &Instance<'_>) -> Option<DAffine3> {
    let place = model.get(placement.reference("Location")?)?;
    placed_on(model, placement, &segments::read(model, place.reference("BasisCurve")?)?)
}

/// The map of an IfcAxis2PlacementLinear on its curve.
fn placed_on(model: &Model, placement: &Instance<'_>, curve: &Curve) -> Option<DAffine3> {
    let place = model.get(placement.reference("Location")?)?;
    let there = curve.at(place.number("DistanceAlong")?)?;
    let offset = ["OffsetLongitudinal", "OffsetLateral", "OffsetVertical"];
    let offset = DVec3::from(offset.map(|name| place.number(name).unwrap_or(0.0)));
    let given = |name| placement.reference(name).and_then(|id| direction(model, id)).and_then(unit);
    let (x, z) = (given("RefDirection").unwrap_or(there.x_axis), given("Axis").unwrap_or(there.z_axis));
    let y = unit(z.cross(x))?;
    Some(DAffine3::from_cols(y.cross(z), y, z, there.transform_point3(offset)))
}
