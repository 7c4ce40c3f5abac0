//! The places of elements by storey: the storey that holds one, and heights counted from it.

use crate::author::Author;
use crate::measures::mm;
use crate::soundness::storeys_in;
use glam::DVec3;
use ifc::{Id, Model, Units};

/// Returns the storey that an element stands in, and the storey's height in the world in mm.
pub fn level_of(author: &Author, element: Id) -> Option<(Id, f64)> {
    let storey = ifc::relations::storey_of(author.edit, element)?;
    Some((storey, author.frame(storey).ok()?.translation.z))
}

/// Returns the storeys of the building that one belongs to, itself among them, with the heights of their floors in the world in mm, from
/// the lowest; all storeys where it belongs to none.
pub fn beside(author: &Author, storey: Id) -> Vec<(Id, f64)> {
    let model: &Model = author.edit;
    let all = match ifc::relations::aggregate_parent(model, storey) {
        Some(whole) => storeys_in(model, whole),
        None => storeys_by_height(model),
    };
    all.into_iter().map(|(id, metres)| (id, metres * 1000.0)).collect()
}

/// Returns a point in the world, in mm, as tools give it: z above the element's storey.
pub fn above_storey(author: &Author, element: Id, p: DVec3) -> DVec3 {
    let zero = level_of(author, element).map_or(0.0, |(_, z)| z);
    DVec3::new(mm(p.x), mm(p.y), mm(p.z - zero))
}

/// Returns the height of a storey's floor in the world in metres: of its placement, or of its attribute where it has none.
pub fn floor_height(model: &Model, storey: Id) -> f64 {
    let metres = Units::from_model(model).length_mm / 1000.0;
    let Some(found) = model.get(storey) else { return 0.0 };
    let own = if found.reference("ObjectPlacement").is_some() {
        Some(ifc::placement::of_product(model, storey).translation.z)
    } else {
        ifc::placement::elevation(model, storey)
    };
    own.unwrap_or(0.0) * metres
}

/// Returns the storeys of a model with the heights of their floors in metres, from the lowest.
pub fn storeys_by_height(model: &Model) -> Vec<(Id, f64)> {
    let mut all: Vec<(Id, f64)> =
        model.of_class("IfcBuildingStorey").into_iter().map(|id| (id, floor_height(model, id))).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    all
}
