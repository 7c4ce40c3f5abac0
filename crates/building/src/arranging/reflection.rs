//! Shapes turned into their mirror images: extrusions, lines and outlines are drawn anew, so that they can be worked with as
//! before; any other solid is shown through a mirroring map.

use crate::author::{Author, tidy};
use contract::Fault;
use glam::{DAffine3, DMat3, DVec2, DVec3};
use ifc::{Id, Value};
use std::collections::HashMap;

/// Profiles that are the same on both sides of their own y axis.
const EVEN_ACROSS_Y: [&str; 8] = [
    "IfcRectangleProfileDef",
    "IfcRoundedRectangleProfileDef",
    "IfcRectangleHollowProfileDef",
    "IfcCircleProfileDef",
    "IfcCircleHollowProfileDef",
    "IfcEllipseProfileDef",
    "IfcIShapeProfileDef",
    "IfcTShapeProfileDef",
];

/// Profiles that are the same on both sides of their own x axis.
const EVEN_ACROSS_X: [&str; 2] = ["IfcUShapeProfileDef", "IfcCShapeProfileDef"];

/// How deep items are followed into each other.
const DEPTH: usize = 12;

/// Turns the shape of a product into its mirror image by a reflection within its placement, in the file's units. Answers false
/// where a part of it cannot be mirrored; then nothing that matters was written.
pub(super) fn reflect(author: &mut Author, product: Id, map: &DAffine3) -> Result<bool, Fault> {
    let Some(shape) = author.edit.get(product).and_then(|p| p.reference("Representation")) else {
        return Ok(true);
    };
    let old = author.edit.get(shape).map(|s| s.references("Representations")).unwrap_or_default();
    let mut new = Vec::with_capacity(old.len());
    for representation in &old {
        let Some(made) = reflected(author, *representation, map)? else { return Ok(false) };
        new.push(Value::Ref(made));
    }
    let others = author
        .edit
        .referrers(shape)
        .into_iter()
        .any(|user| user != product && author.edit.get(user).is_some_and(|u| u.is_a("IfcProduct")));
    if others {
        let own = author.twin(shape, &[("Representations", Value::List(new))])?;
        author.set(product, "Representation", own)?;
        return Ok(true);
    }
    author.set(shape, "Representations", Value::List(new))?;
    author.sweep(&old)?;
    Ok(true)
}

/// The mirror image of one representation.
fn reflected(author: &mut Author, id: Id, map: &DAffine3) -> Result<Option<Id>, Fault> {
    let Some(representation) = author.edit.get(id) else { return Ok(None) };
    let items = representation.references("Items");
    let identifier = representation.text("RepresentationIdentifier").unwrap_or_default();
    let layers = author.edit.referrers_of(id, "IfcPresentationLayerAssignment");
    let mut new = Vec::with_capacity(items.len());
    for item in &items {
        match item_reflected(author, *item, map, 0)? {
            Some(made) => {
                dress_alike(author, *item, made)?;
                new.push(made);
            }
            None => break,
        }
    }
    let made = if new.len() == items.len() {
        author.twin(id, &[("Items", Value::list(new.into_iter().map(Value::Ref)))])?
    } else if identifier != "Axis" && !items.iter().any(|item| is_text(author, *item)) {
        author.sweep(&new)?;
        let inner = author.twin(id, &[])?;
        let item = mapped(author, inner, map)?;
        let kind = Value::from("MappedRepresentation");
        author.twin(id, &[("RepresentationType", kind), ("Items", Value::list([Value::Ref(item)]))])?
    } else {
        return Ok(None);
    };
    for layer in layers {
        author.add_to(layer, "AssignedItems", made)?;
    }
    Ok(Some(made))
}

/// Returns true for texts, which must not be read backwards.
fn is_text(author: &Author, item: Id) -> bool {
    author.edit.get(item).is_some_and(|item| item.is_a("IfcTextLiteral"))
}

/// Gives a new item the styles and layers of the one it stands for.
fn dress_alike(author: &mut Author, old: Id, new: Id) -> Result<(), Fault> {
    for style in author.edit.referrers_of(old, "IfcStyledItem") {
        author.twin(style, &[("Item", new.into())])?;
    }
    for layer in author.edit.referrers_of(old, "IfcPresentationLayerAssignment") {
        author.add_to(layer, "AssignedItems", new)?;
    }
    Ok(())
}

/// Shows a representation through a map that mirrors it.
fn mapped(author: &mut Author, representation: Id, map: &DAffine3) -> Result<Id, Fault> {
    let origin = point(author, DVec3::ZERO, 3)?;
    let origin = author.create("IfcAxis2Placement3D", &[("Location", origin.into())])?;
    let source = author.create(
        "IfcRepresentationMap",
        &[("MappingOrigin", origin.into()), ("MappedRepresentation", representation.into())],
    )?;
    let at = point(author, map.translation, 3)?;
    let axes = [map.x_axis, map.y_axis, map.z_axis];
    let mut attributes = vec![("LocalOrigin", Value::Ref(at))];
    for (name, axis) in ["Axis1", "Axis2", "Axis3"].into_iter().zip(axes) {
        attributes.push((name, direction(author, axis)?.into()));
    }
    let target = author.create("IfcCartesianTransformationOperator3D", &attributes)?;
    author.create("IfcMappedItem", &[("MappingSource", source.into()), ("MappingTarget", target.into())])
}

/// The mirror image of an item that can be drawn anew.
fn item_reflected(author: &mut Author, id: Id, map: &DAffine3, depth: usize) -> Result<Option<Id>, Fault> {
    let Some(item) = author.edit.get(id).filter(|_| depth < DEPTH) else { return Ok(None) };
    match item.class_name() {
        "IfcExtrudedAreaSolid" => extrusion(author, id, map),
        "IfcPolyline" => {
            let mut points = Vec::new();
            // a closed line ends in the very point that it begins with
            let mut made: HashMap<Id, Id> = HashMap::new();
            for point in item.references("Points") {
                let image = match made.get(&point) {
                    Some(image) => *image,
                    None => match moved(author, point, map)? {
                        Some(image) => image,
                        None => return Ok(None),
                    },
                };
                made.insert(point, image);
                points.push(image);
            }
            author.twin(id, &[("Points", Value::list(points.into_iter().map(Value::Ref)))]).map(Some)
        }
        "IfcCartesianPoint" => moved(author, id, map),
        "IfcIndexedPolyCurve" => indexed(author, id, map),
        "IfcTrimmedCurve" => trimmed(author, id, map),
        "IfcCompositeCurve" => {
            let mut segments = Vec::new();
            for segment in item.references("Segments") {
                let parent = author.edit.get(segment).and_then(|s| s.reference("ParentCurve"));
                let Some(parent) = parent else { return Ok(None) };
                let Some(made) = item_reflected(author, parent, map, depth + 1)? else { return Ok(None) };
                segments.push(Value::Ref(author.twin(segment, &[("ParentCurve", made.into())])?));
            }
            author.twin(id, &[("Segments", Value::List(segments))]).map(Some)
        }
        "IfcGeometricSet" | "IfcGeometricCurveSet" => {
            let mut elements = Vec::new();
            for element in item.references("Elements") {
                let Some(made) = item_reflected(author, element, map, depth + 1)? else { return Ok(None) };
                elements.push(Value::Ref(made));
            }
            author.twin(id, &[("Elements", Value::List(elements))]).map(Some)
        }
        "IfcBoundingBox" => {
            let size = ["XDim", "YDim", "ZDim"].map(|name| item.number(name).unwrap_or_default());
            let corner = item.reference("Corner").and_then(|c| ifc::placement::point(author.edit, c));
            let Some(corner) = corner else { return Ok(None) };
            let (a, b) = (map.transform_point3(corner), map.transform_point3(corner + DVec3::from(size)));
            let corner = point(author, a.min(b), 3)?;
            author.twin(id, &[("Corner", corner.into())]).map(Some)
        }
        _ => Ok(None),
    }
}

/// The mirror image of an extrusion: its plane is mirrored with its x turned back, so that it stays right-handed, and its
/// profile with it.
fn extrusion(author: &mut Author, id: Id, map: &DAffine3) -> Result<Option<Id>, Fault> {
    let Some(solid) = author.edit.get(id) else { return Ok(None) };
    let (profile, way) = (solid.reference("SweptArea"), solid.reference("ExtrudedDirection"));
    let plane = match solid.reference("Position") {
        Some(position) => ifc::placement::axis2(author.edit, position),
        None => Some(DAffine3::IDENTITY),
    };
    let way = way.and_then(|way| ifc::placement::direction(author.edit, way));
    let Some(((profile, plane), way)) = profile.zip(plane).zip(way) else { return Ok(None) };
    let back = DAffine3::from_mat3(DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)));
    let Some(profile) = profile_reflected(author, profile, &back)? else { return Ok(None) };
    let plane = *map * plane * back;
    let location = point(author, plane.translation, 3)?;
    let axis = direction(author, plane.z_axis)?;
    let reference = direction(author, plane.x_axis)?;
    let position = author.create(
        "IfcAxis2Placement3D",
        &[("Location", location.into()), ("Axis", axis.into()), ("RefDirection", reference.into())],
    )?;
    let way = direction(author, back.transform_vector3(way))?;
    let changes =
        [("SweptArea", profile.into()), ("Position", position.into()), ("ExtrudedDirection", way.into())];
    author.twin(id, &changes).map(Some)
}

/// The mirror image of a profile over its y axis.
fn profile_reflected(author: &mut Author, id: Id, back: &DAffine3) -> Result<Option<Id>, Fault> {
    let Some(profile) = author.edit.get(id) else { return Ok(None) };
    let class = profile.class_name();
    let over_y = EVEN_ACROSS_Y.contains(&class);
    if over_y || EVEN_ACROSS_X.contains(&class) {
        let placed = profile.reference("Position");
        let (origin, x) = match placed.and_then(|p| ifc::placement::axis2(author.edit, p)) {
            Some(axes) => (axes.translation, axes.x_axis),
            None => (DVec3::ZERO, DVec3::X),
        };
        let x = if over_y { DVec3::new(x.x, -x.y, 0.0) } else { DVec3::new(-x.x, x.y, 0.0) };
        let location = point(author, back.transform_point3(origin), 2)?;
        let reference = direction2(author, x.truncate())?;
        let position = author.create(
            "IfcAxis2Placement2D",
            &[("Location", location.into()), ("RefDirection", reference.into())],
        )?;
        return author.twin(id, &[("Position", position.into())]).map(Some);
    }
    if class != "IfcArbitraryClosedProfileDef" && class != "IfcArbitraryProfileDefWithVoids" {
        return Ok(None);
    }
    let Some(outer) = profile.reference("OuterCurve") else { return Ok(None) };
    let inner = profile.references("InnerCurves");
    let Some(outer) = outline(author, outer, back)? else { return Ok(None) };
    let mut changes = vec![("OuterCurve", Value::Ref(outer))];
    if !inner.is_empty() {
        let mut holes = Vec::new();
        for hole in inner {
            let Some(made) = outline(author, hole, back)? else { return Ok(None) };
            holes.push(Value::Ref(made));
        }
        changes.push(("InnerCurves", Value::List(holes)));
    }
    author.twin(id, &changes).map(Some)
}

/// The mirror image of an outline; one of straight edges still turns the way it did.
fn outline(author: &mut Author, id: Id, back: &DAffine3) -> Result<Option<Id>, Fault> {
    let Some(made) = item_reflected(author, id, back, 0)? else { return Ok(None) };
    if author.edit.get(made).is_some_and(|curve| curve.is_a("IfcPolyline")) {
        let mut points = author.edit.get(made).map(|curve| curve.references("Points")).unwrap_or_default();
        points.reverse();
        author.set(made, "Points", Value::list(points.into_iter().map(Value::Ref)))?;
    }
    Ok(Some(made))
}

fn indexed(author: &mut Author, id: Id, map: &DAffine3) -> Result<Option<Id>, Fault> {
    let list = author.edit.get(id).and_then(|curve| curve.reference("Points"));
    let Some(list) = list else { return Ok(None) };
    let coordinates = author.edit.get(list).map(|list| list.attr("CoordList")).unwrap_or_default();
    let mut rows = Vec::new();
    for row in coordinates.as_list().unwrap_or_default() {
        let at: Vec<f64> = row.as_list().unwrap_or_default().iter().filter_map(Value::as_f64).collect();
        let p = match at[..] {
            [x, y] => DVec3::new(x, y, 0.0),
            [x, y, z] => DVec3::new(x, y, z),
            _ => return Ok(None),
        };
        let p = map.transform_point3(p).to_array().map(tidy);
        rows.push(Value::list(p.into_iter().take(at.len()).map(Value::Real)));
    }
    let list = author.twin(list, &[("CoordList", Value::List(rows))])?;
    author.twin(id, &[("Points", list.into())]).map(Some)
}

/// The mirror image of an arc, or of a line between two points: angles run the other way.
fn trimmed(author: &mut Author, id: Id, map: &DAffine3) -> Result<Option<Id>, Fault> {
    let Some(curve) = author.edit.get(id) else { return Ok(None) };
    let Some(basis) = curve.reference("BasisCurve") else { return Ok(None) };
    let trims = [curve.attr("Trim1"), curve.attr("Trim2")];
    let sense = curve.attr("SenseAgreement").as_bool().unwrap_or(true);
    let Some(on) = author.edit.get(basis) else { return Ok(None) };
    let mut changes: Vec<(&'static str, Value)> = Vec::new();
    let round = ["IfcCircle", "IfcEllipse"].contains(&on.class_name());
    if round {
        let position = on.reference("Position");
        let Some(position) =
            position.filter(|p| author.edit.get(*p).is_some_and(|p| p.is_a("IfcAxis2Placement2D")))
        else {
            return Ok(None);
        };
        let Some(axes) = ifc::placement::axis2(author.edit, position) else { return Ok(None) };
        let location = point(author, map.transform_point3(axes.translation), 2)?;
        let reference = direction2(author, map.transform_vector3(axes.x_axis).truncate())?;
        let position = author.create(
            "IfcAxis2Placement2D",
            &[("Location", location.into()), ("RefDirection", reference.into())],
        )?;
        changes.push(("BasisCurve", author.twin(basis, &[("Position", position.into())])?.into()));
        changes.push(("SenseAgreement", Value::Boolean(!sense)));
    } else if on.class_name() == "IfcLine" {
        let (from, way) = (on.reference("Pnt"), on.reference("Dir"));
        let Some((from, vector)) = from.zip(way) else { return Ok(None) };
        let Some(from) = moved(author, from, map)? else { return Ok(None) };
        let orientation = author.edit.get(vector).and_then(|v| v.reference("Orientation"));
        let flat = orientation
            .and_then(|o| author.edit.get(o))
            .is_some_and(|o| o.attr("DirectionRatios").as_list().is_some_and(|l| l.len() == 2));
        let Some(way) = orientation.and_then(|o| ifc::placement::direction(author.edit, o)) else {
            return Ok(None);
        };
        let way = map.transform_vector3(way);
        let way = if flat { direction2(author, way.truncate())? } else { direction(author, way)? };
        let vector = author.twin(vector, &[("Orientation", way.into())])?;
        let line = author.twin(basis, &[("Pnt", from.into()), ("Dir", vector.into())])?;
        changes.push(("BasisCurve", line.into()));
    } else {
        return Ok(None);
    }
    for (name, trim) in ["Trim1", "Trim2"].into_iter().zip(trims) {
        let mut members = Vec::new();
        for member in trim.as_list().unwrap_or_default() {
            members.push(match member {
                Value::Ref(p) => match moved(author, *p, map)? {
                    Some(p) => Value::Ref(p),
                    None => return Ok(None),
                },
                Value::Typed(kind, value) if round => match value.as_f64() {
                    Some(angle) => Value::typed(kind, Value::Real(-angle)),
                    None => return Ok(None),
                },
                other => other.clone(),
            });
        }
        changes.push((name, Value::List(members)));
    }
    author.twin(id, &changes).map(Some)
}

/// A point where the map takes it, with as many coordinates as it has.
fn moved(author: &mut Author, id: Id, map: &DAffine3) -> Result<Option<Id>, Fault> {
    let Some(p) = ifc::placement::point(author.edit, id) else { return Ok(None) };
    let coordinates = author.edit.get(id).map(|p| p.attr("Coordinates")).unwrap_or_default();
    let dimensions = coordinates.as_list().map_or(3, <[Value]>::len);
    point(author, map.transform_point3(p), dimensions).map(Some)
}

fn point(author: &mut Author, p: DVec3, dimensions: usize) -> Result<Id, Fault> {
    let coordinates = p.to_array().into_iter().take(dimensions).map(|c| Value::Real(tidy(c)));
    author.create("IfcCartesianPoint", &[("Coordinates", Value::list(coordinates))])
}

fn direction(author: &mut Author, d: DVec3) -> Result<Id, Fault> {
    let ratios = d.to_array().map(|c| Value::Real(tidy(c)));
    author.create("IfcDirection", &[("DirectionRatios", Value::list(ratios))])
}

fn direction2(author: &mut Author, d: DVec2) -> Result<Id, Fault> {
    let ratios = d.to_array().map(|c| Value::Real(tidy(c)));
    author.create("IfcDirection", &[("DirectionRatios", Value::list(ratios))])
}

/// Turns the axes of a grid into their mirror images.
pub(super) fn reflect_grid(author: &mut Author, grid: Id, map: &DAffine3) -> Result<bool, Fault> {
    for list in ["UAxes", "VAxes", "WAxes"] {
        for axis in author.edit.get(grid).map(|g| g.references(list)).unwrap_or_default() {
            let Some(curve) = author.edit.get(axis).and_then(|a| a.reference("AxisCurve")) else { continue };
            let Some(made) = item_reflected(author, curve, map, 0)? else { return Ok(false) };
            author.set(axis, "AxisCurve", made)?;
            author.sweep(&[curve])?;
        }
    }
    Ok(true)
}
