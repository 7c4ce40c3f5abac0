//! Reads axes: points, directions, axis placements and transformation operators.

use super::Transform;
use super::transform::{cross, dot, scale, unit};
use crate::{Id, Model, Value};

/// The map of an IfcAxis2Placement2D, an IfcAxis2Placement3D or an IfcAxis1Placement.
pub fn axis2(model: &Model, placement: Id) -> Option<Transform> {
    let instance = model.get(placement)?;
    let origin = instance.reference("Location").and_then(|id| point(model, id)).unwrap_or_default();
    let direction_of = |name| instance.reference(name).and_then(|id| direction(model, id)).and_then(unit);
    if instance.is_a("IfcAxis2Placement2D") {
        let [x, y, _] = direction_of("RefDirection").unwrap_or([1.0, 0.0, 0.0]);
        return Some(Transform::from_axes([x, y, 0.0], [-y, x, 0.0], [0.0, 0.0, 1.0], origin));
    }
    if !instance.is_a("IfcPlacement") {
        return None;
    }
    let z = direction_of("Axis").unwrap_or([0.0, 0.0, 1.0]);
    let x = perpendicular(direction_of("RefDirection"), z);
    Some(Transform::from_axes(x, cross(z, x), z, origin))
}

/// The map of an IfcCartesianTransformationOperator 2D or 3D, with its scale or scales.
pub fn operator(model: &Model, operator: Id) -> Option<Transform> {
    let instance = model.get(operator)?;
    if !instance.is_a("IfcCartesianTransformationOperator") {
        return None;
    }
    let origin = instance.reference("LocalOrigin").and_then(|id| point(model, id)).unwrap_or_default();
    let axis = |name| instance.reference(name).and_then(|id| direction(model, id)).and_then(unit);
    let first = instance.number("Scale").unwrap_or(1.0);
    let second = instance.number("Scale2").unwrap_or(first);
    let third = instance.number("Scale3").unwrap_or(first);
    let (x, y, z) = if instance.is_a("IfcCartesianTransformationOperator2D") {
        let [x, y, _] = axis("Axis1").unwrap_or([1.0, 0.0, 0.0]);
        let plain = [-y, x, 0.0];
        let mirrored = axis("Axis2").is_some_and(|given| dot(given, plain) < 0.0);
        ([x, y, 0.0], if mirrored { scale(plain, -1.0) } else { plain }, [0.0, 0.0, 1.0])
    } else {
        let z = axis("Axis3").unwrap_or([0.0, 0.0, 1.0]);
        let x = perpendicular(axis("Axis1"), z);
        let plain = cross(z, x);
        let mirrored = axis("Axis2").is_some_and(|given| dot(given, plain) < 0.0);
        (x, if mirrored { scale(plain, -1.0) } else { plain }, z)
    };
    Some(Transform::from_axes(scale(x, first), scale(y, second), scale(z, third), origin))
}

/// The first axis made perpendicular to the third; IfcFirstProjAxis for what is missing or parallel.
fn perpendicular(x: Option<[f64; 3]>, z: [f64; 3]) -> [f64; 3] {
    let project = |x: [f64; 3]| {
        let along = dot(x, z);
        let [a, b, c] = x;
        let [d, e, f] = z;
        unit([a - along * d, b - along * e, c - along * f])
    };
    x.and_then(project)
        .or_else(|| project([1.0, 0.0, 0.0]).filter(|_| dot([1.0, 0.0, 0.0], z).abs() < 1.0 - 1e-9))
        .or_else(|| project([0.0, 1.0, 0.0]))
        .unwrap_or([1.0, 0.0, 0.0])
}

/// The coordinates of an IfcCartesianPoint; a missing third is nought.
pub fn point(model: &Model, id: Id) -> Option<[f64; 3]> {
    let instance = model.get(id)?;
    if instance.is_a("IfcCartesianPoint") { numbers(&instance.attr("Coordinates")) } else { None }
}

/// The ratios of an IfcDirection; a missing third is nought.
pub fn direction(model: &Model, id: Id) -> Option<[f64; 3]> {
    let instance = model.get(id)?;
    if instance.is_a("IfcDirection") { numbers(&instance.attr("DirectionRatios")) } else { None }
}

fn numbers(value: &Value) -> Option<[f64; 3]> {
    let list = value.as_list()?;
    if list.len() < 2 {
        return None;
    }
    let number =
        |place: usize| list.get(place).map_or(Some(0.0), Value::as_f64).filter(|value| value.is_finite());
    Some([number(0)?, number(1)?, number(2)?])
}
