//! Reads axes: points, directions, axis placements and transformation operators, with lengths in the file's unit.

use super::unit;
use crate::{Id, Instance, Model, Value};
use glam::{DAffine3, DVec2, DVec3};

/// The map of an IfcAxis2Placement2D, an IfcAxis2Placement3D or an IfcAxis1Placement, its origin in the file's unit.
pub fn axis2(model: &Model, placement: Id) -> Option<DAffine3> {
    let instance = model.get(placement)?;
    let origin = instance.reference("Location").and_then(|id| point(model, id)).unwrap_or_default();
    let direction_of = |name| instance.reference(name).and_then(|id| direction(model, id)).and_then(unit);
    if instance.is_a("IfcAxis2Placement2D") {
        let x = direction_of("RefDirection").map_or(DVec2::X, DVec3::truncate);
        return Some(DAffine3::from_cols(x.extend(0.0), x.perp().extend(0.0), DVec3::Z, origin));
    }
    if !instance.is_a("IfcPlacement") {
        return None;
    }
    let z = direction_of("Axis").unwrap_or(DVec3::Z);
    let x = perpendicular(direction_of("RefDirection"), z);
    Some(DAffine3::from_cols(x, z.cross(x), z, origin))
}

/// The map of an IfcCartesianTransformationOperator 2D or 3D, with its scale or scales, its origin in the file's unit.
pub fn operator(model: &Model, operator: Id) -> Option<DAffine3> {
    let instance = model.get(operator)?;
    if !instance.is_a("IfcCartesianTransformationOperator") {
        return None;
    }
    let origin = instance.reference("LocalOrigin").and_then(|id| point(model, id)).unwrap_or_default();
    let axis = |name| instance.reference(name).and_then(|id| direction(model, id)).and_then(unit);
    let first = instance.number("Scale").unwrap_or(1.0);
    let second = instance.number("Scale2").unwrap_or(first);
    let third = instance.number("Scale3").unwrap_or(first);
    let (x, plain, z) = if instance.is_a("IfcCartesianTransformationOperator2D") {
        let x = axis("Axis1").map_or(DVec2::X, DVec3::truncate);
        (x.extend(0.0), x.perp().extend(0.0), DVec3::Z)
    } else {
        let z = axis("Axis3").unwrap_or(DVec3::Z);
        let x = perpendicular(axis("Axis1"), z);
        (x, z.cross(x), z)
    };
    let mirrored = axis("Axis2").is_some_and(|given| given.dot(plain) < 0.0);
    let y = if mirrored { -plain } else { plain };
    Some(DAffine3::from_cols(x * first, y * second, z * third, origin))
}

/// The first axis made perpendicular to the third; IfcFirstProjAxis for what is missing or parallel.
fn perpendicular(x: Option<DVec3>, z: DVec3) -> DVec3 {
    let project = |x: DVec3| unit(x - x.dot(z) * z);
    x.and_then(project)
        .or_else(|| project(DVec3::X).filter(|_| z.x.abs() < 1.0 - 1e-9))
        .or_else(|| project(DVec3::Y))
        .unwrap_or(DVec3::X)
}

/// The coordinates of an IfcCartesianPoint in the file's unit; a missing third is nought.
pub fn point(model: &Model, id: Id) -> Option<DVec3> {
    let instance = model.get(id)?;
    if instance.is_a("IfcCartesianPoint") { numbers(&instance, "Coordinates") } else { None }
}

/// The ratios of an IfcDirection; a missing third is nought.
pub fn direction(model: &Model, id: Id) -> Option<DVec3> {
    let instance = model.get(id)?;
    if instance.is_a("IfcDirection") { numbers(&instance, "DirectionRatios") } else { None }
}

fn numbers(instance: &Instance<'_>, attribute: &str) -> Option<DVec3> {
    let mut plain = [0.0; 3];
    if let Some(count) = instance.numbers(attribute, &mut plain) {
        return (count > 1).then(|| DVec3::from(plain)).filter(|vector| vector.is_finite());
    }
    // more than three, of which the first count
    let value = instance.attr(attribute);
    let list = value.as_list()?;
    if list.len() < 2 {
        return None;
    }
    let number =
        |place: usize| list.get(place).map_or(Some(0.0), Value::as_f64).filter(|value| value.is_finite());
    Some(DVec3::new(number(0)?, number(1)?, number(2)?))
}
