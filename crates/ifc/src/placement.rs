//! Where things are: local placements multiplied out to the world's origin, in the file's unit of length.
//!
//! Chains of placements may be long, broken or run in a circle; they end after 256 steps or at the first placement
//! met twice. Axes that are missing, of no length or not at right angles are made good as IFC prescribes
//! (IfcBuildAxes): the third axis leads, the first is made perpendicular to it. Linear placements stand at what they
//! give as their Cartesian position, if anything. Map conversion is not applied.

use crate::{Id, Model, Value};

/// An affine map, rows of [x, y, z, translation]: the columns are the axes and the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform(pub [[f64; 4]; 3]);

impl Transform {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);

    /// From axes and origin.
    pub fn from_axes(x: [f64; 3], y: [f64; 3], z: [f64; 3], origin: [f64; 3]) -> Self {
        Self([0, 1, 2].map(|row| [at(x, row), at(y, row), at(z, row), at(origin, row)]))
    }

    /// A shift.
    pub fn translation(by: [f64; 3]) -> Self {
        Self::from_axes([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], by)
    }

    /// The map that does `inner` first, then this.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        let [x, y, z, origin] = inner.columns();
        Self::from_axes(
            self.apply_direction(x),
            self.apply_direction(y),
            self.apply_direction(z),
            self.apply(origin),
        )
    }

    /// Where a point goes.
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = point;
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }

    /// Where a direction goes: the translation does not count.
    pub fn apply_direction(&self, direction: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = direction;
        self.0.map(|[a, b, c, _]| a * x + b * y + c * z)
    }

    /// The three axes and the origin.
    pub fn columns(&self) -> [[f64; 3]; 4] {
        let [[a, b, c, d], [e, f, g, h], [i, j, k, l]] = self.0;
        [[a, e, i], [b, f, j], [c, g, k], [d, h, l]]
    }

    /// Where the origin goes.
    pub fn origin(&self) -> [f64; 3] {
        let [_, _, _, origin] = self.columns();
        origin
    }

    /// The map back; none if it flattens space.
    pub fn inverse(&self) -> Option<Self> {
        let [x, y, z, origin] = self.columns();
        let determinant = dot(x, cross(y, z));
        if !determinant.is_normal() {
            return None;
        }
        let rows = [cross(y, z), cross(z, x), cross(x, y)].map(|row| scale(row, 1.0 / determinant));
        Some(Self(rows.map(|row| {
            let [a, b, c] = row;
            [a, b, c, -dot(row, origin)]
        })))
    }

    /// The same map with lengths multiplied, such as from the file's unit to mm.
    #[must_use]
    pub fn scaled_origin(&self, factor: f64) -> Self {
        Self(self.0.map(|[a, b, c, d]| [a, b, c, d * factor]))
    }
}

fn at(vector: [f64; 3], row: usize) -> f64 {
    vector.get(row).copied().unwrap_or(0.0)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

fn scale(a: [f64; 3], by: f64) -> [f64; 3] {
    a.map(|value| value * by)
}

fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length.is_finite() && length > 1e-12).then(|| scale(a, 1.0 / length))
}

/// The map from an object placement's own coordinates to the world's, in the file's unit; none if the instance is no
/// placement that can be followed.
pub fn world(model: &Model, placement: Id) -> Option<Transform> {
    let mut chain = Vec::new();
    let mut seen = Vec::new();
    let mut next = Some(placement);
    while let Some(id) = next {
        if seen.contains(&id) || seen.len() >= 256 {
            break;
        }
        seen.push(id);
        let Some(instance) = model.get(id) else { break };
        let relative = if instance.is_a("IfcLocalPlacement") {
            instance.reference("RelativePlacement").and_then(|axes| axis2(model, axes))
        } else if instance.is_a("IfcLinearPlacement") {
            instance.reference("CartesianPosition").and_then(|axes| axis2(model, axes))
        } else if instance.is_a("IfcGridPlacement") {
            None
        } else {
            break;
        };
        chain.push(relative);
        next = instance.reference("PlacementRelTo");
    }
    if chain.is_empty() {
        return None;
    }
    // a grid placement whose axes are not solved counts as its parent's origin
    Some(chain.iter().rev().flatten().fold(Transform::IDENTITY, |world, relative| world.then(relative)))
}

/// The map of a product's placement to the world; the identity for one without.
pub fn of_product(model: &Model, product: Id) -> Transform {
    model
        .get(product)
        .and_then(|instance| instance.reference("ObjectPlacement"))
        .and_then(|placement| world(model, placement))
        .unwrap_or(Transform::IDENTITY)
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SchemaVersion;
    use crate::sample::{HOUSE, model};

    fn close(a: [f64; 3], b: [f64; 3]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} is not {b:?}");
    }

    #[test]
    fn a_chain_of_placements_is_multiplied_out() {
        let house = model(SchemaVersion::Ifc4, HOUSE);
        // the door is 1 m along the wall, which runs north from (10, 0)
        close(of_product(&house, Id(13)).origin(), [10.0, 1.0, 0.0]);
        close(of_product(&house, Id(13)).apply([1.0, 0.0, 0.0]), [10.0, 2.0, 0.0]);
        close(of_product(&house, Id(7)).origin(), [0.0, 0.0, 2.4]);
        assert_eq!(of_product(&house, Id(11)), Transform::IDENTITY);
    }

    #[test]
    fn an_inverse_undoes_a_placement() {
        let house = model(SchemaVersion::Ifc4, HOUSE);
        let there = of_product(&house, Id(13));
        let back = there.inverse().unwrap();
        close(back.apply(there.apply([3.0, 4.0, 5.0])), [3.0, 4.0, 5.0]);
        close(there.then(&back).apply([3.0, 4.0, 5.0]), [3.0, 4.0, 5.0]);
        assert_eq!(Transform([[0.0; 4]; 3]).inverse(), None);
    }

    #[test]
    fn placements_in_a_circle_end() {
        let circle = model(
            SchemaVersion::Ifc4,
            "#1=IFCLOCALPLACEMENT(#2,#3);
            #2=IFCLOCALPLACEMENT(#1,#3);
            #3=IFCAXIS2PLACEMENT3D(#4,$,$);
            #4=IFCCARTESIANPOINT((1.,0.,0.));",
        );
        close(world(&circle, Id(1)).unwrap().origin(), [2.0, 0.0, 0.0]);
        assert_eq!(world(&circle, Id(4)), None);
        assert_eq!(world(&circle, Id(99)), None);
    }

    #[test]
    fn axes_that_are_not_square_are_made_so() {
        let skew = model(
            SchemaVersion::Ifc4,
            "#1=IFCAXIS2PLACEMENT3D(#2,#3,#4);
            #2=IFCCARTESIANPOINT((0.,0.,0.));
            #3=IFCDIRECTION((0.,0.,2.));
            #4=IFCDIRECTION((1.,0.,1.));
            #5=IFCAXIS2PLACEMENT3D(#2,#6,$);
            #6=IFCDIRECTION((1.,0.,0.));
            #7=IFCAXIS2PLACEMENT2D(#8,#9);
            #8=IFCCARTESIANPOINT((1.,2.));
            #9=IFCDIRECTION((0.,1.));",
        );
        close(axis2(&skew, Id(1)).unwrap().columns()[0], [1.0, 0.0, 0.0]);
        // an axis along x takes y as its first axis
        close(axis2(&skew, Id(5)).unwrap().columns()[0], [0.0, 1.0, 0.0]);
        let flat = axis2(&skew, Id(7)).unwrap();
        close(flat.apply([1.0, 0.0, 0.0]), [1.0, 3.0, 0.0]);
    }
}
