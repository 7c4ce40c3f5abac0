//! Places of things: placements multiplied out to the world's origin, in the file's unit of length.
//!
//! A local placement stands on another one, a grid placement on the crossing of two axes of a grid, a linear placement
//! on a curve, at a distance along it. Chains may be long, broken or run in a circle; they end after 256 steps or at
//! the first placement met twice. Axes that are missing, of no length or not at right angles are made good as IFC
//! prescribes (IfcBuildAxes): the third axis leads, the first is made perpendicular to it. Map conversion is not
//! applied; see [`crate::georeference`].

mod axes;
mod cant;
mod curve;
mod ends;
mod grid;
mod linear;
mod segments;
mod spiral;
#[cfg(test)]
mod tests;
mod transform;

pub use axes::{axis2, direction, operator, point};
pub use ends::segment_ends;
pub use linear::{along, on_curves, stations};
pub use transform::{inverse, rotation, unit};

use crate::{Id, Model};
use glam::DAffine3;

/// The most placements in a chain.
const DEPTH: usize = 256;

/// The map from an object placement's own coordinates to the world's, in the file's unit; none if the instance is no
/// placement. One whose axes cannot be solved counts as the origin of what it stands on.
pub fn world(model: &Model, placement: Id) -> Option<DAffine3> {
    followed(model, placement).0
}

/// The map of a placement that a change may build on: as [`world`], but none where the chain runs in a circle or has no end that is
/// found, since what is written relative to it would be somewhere else.
pub fn resolved(model: &Model, placement: Id) -> Option<DAffine3> {
    let (map, ends) = followed(model, placement);
    map.filter(|_| ends)
}

/// The map to the world, and whether the chain came to an end.
fn followed(model: &Model, placement: Id) -> (Option<DAffine3>, bool) {
    let mut chain = Vec::new();
    let mut seen = Vec::new();
    let mut next = Some(placement);
    let mut ends = true;
    while let Some(id) = next {
        if seen.contains(&id) || seen.len() >= DEPTH {
            ends = false;
            break;
        }
        seen.push(id);
        let Some(instance) = model.get(id) else { break };
        next = instance.reference("PlacementRelTo");
        if instance.is_a("IfcLocalPlacement") {
            chain.push(instance.reference("RelativePlacement").and_then(|axes| axis2(model, axes)));
        } else if instance.is_a("IfcGridPlacement") {
            chain.push(grid::placed(model, &instance));
            // the axes of a grid are where the grid is
            next = grid::placement_of_grid(model, &instance).or(next);
        } else if instance.is_a("IfcLinearPlacement") {
            chain.push(linear::placed(model, &instance));
        } else {
            break;
        }
    }
    if chain.is_empty() {
        return (None, ends);
    }
    (Some(chain.iter().rev().flatten().fold(DAffine3::IDENTITY, |world, relative| world * relative)), ends)
}

/// The elevation of a storey above its building's zero, in the file's unit: its attribute, else (IFC4X3 deprecates the attribute) the
/// height of its placement above that of the building; none for what has neither.
pub fn elevation(model: &Model, storey: Id) -> Option<f64> {
    let instance = model.get(storey)?;
    let placed = || {
        let own = world(model, instance.reference("ObjectPlacement")?)?;
        let above = crate::relations::upwards(model, storey);
        let whole = above.into_iter().find(|id| model.get(*id).is_some_and(|w| w.is_a("IfcBuilding")));
        let zero = whole.map_or(0.0, |building| of_product(model, building).translation.z);
        Some(own.translation.z - zero)
    };
    instance.number("Elevation").or_else(placed)
}

/// The map of a product's placement to the world, in the file's unit; the identity for one without.
pub fn of_product(model: &Model, product: Id) -> DAffine3 {
    model
        .get(product)
        .and_then(|instance| instance.reference("ObjectPlacement"))
        .and_then(|placement| world(model, placement))
        .unwrap_or(DAffine3::IDENTITY)
}
