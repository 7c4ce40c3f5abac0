//! Placements that are hung elsewhere without anything moving in the world.

use glam::{DAffine3, DVec3};
use ifc::{Edit, EditError, Id, Value, placement};

/// Puts a placement under another one, or under nothing, at this place of the world; lengths in the file's unit.
pub(crate) fn hang(edit: &mut Edit, id: Id, under: Option<Id>, world: &DAffine3) -> Result<(), EditError> {
    let above = under.and_then(|under| placement::world(edit, under)).unwrap_or(DAffine3::IDENTITY);
    let Some(back) = placement::inverse(&above) else { return Ok(()) };
    let own = back * *world;
    let point = |edit: &mut Edit, p: DVec3| {
        edit.create("IfcCartesianPoint", &[("Coordinates", Value::list(p.to_array().map(tidy)))])
    };
    let direction = |edit: &mut Edit, d: DVec3| {
        edit.create("IfcDirection", &[("DirectionRatios", Value::list(d.to_array().map(tidy)))])
    };
    let location = point(edit, own.translation)?;
    let axis = direction(edit, own.z_axis)?;
    let reference = direction(edit, own.x_axis)?;
    let axes = [("Location", location.into()), ("Axis", axis.into()), ("RefDirection", reference.into())];
    let axes = edit.create("IfcAxis2Placement3D", &axes)?;
    edit.set_all(id, &[("PlacementRelTo", under.into()), ("RelativePlacement", axes.into())])
}

fn tidy(v: f64) -> f64 {
    (v * 1e12).round() / 1e12 + 0.0
}

/// Placements that place nothing any more are left out of the chains that lead over them: a placement places one product (IFC2X3).
pub(crate) fn orphans(edit: &mut Edit) -> Result<(), EditError> {
    let before = edit.model().clone();
    let places = |id: Id| !before.referrers_of(id, "IfcProduct").is_empty();
    for id in before.of_class("IfcLocalPlacement") {
        let Some(above) = before.get(id).and_then(|p| p.reference("PlacementRelTo")) else { continue };
        if !places(id) || places(above) {
            continue;
        }
        let mut under = Some(above);
        for _ in 0..ifc::relations::DEPTH {
            match under.filter(|above| !places(*above)).and_then(|above| before.get(above)) {
                Some(empty) => under = empty.reference("PlacementRelTo"),
                None => break,
            }
        }
        if let Some(world) = placement::world(&before, id) {
            hang(edit, id, under.filter(|above| before.contains(*above)), &world)?;
        }
    }
    Ok(())
}
