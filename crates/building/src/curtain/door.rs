//! Doors of curtain walls: a slim frame with a leaf of glass in it, placed in a panel's stead.

use super::NewDoor;
use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::lookup::{enumeration, free_name, near};
use crate::measures::{mm, name};
use contract::Fault;
use geometry::region::rectangle;
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;

/// Width of the frame's members, in mm.
const MEMBER: f64 = 60.0;

/// Writes a door without its place, or draws the one there is anew; answers it and its type.
pub(super) fn write(
    author: &mut Author,
    size: DVec2,
    depth: f64,
    new: &NewDoor,
    operation: &str,
    existing: Option<Id>,
) -> Result<(Id, Id), Fault> {
    let body = body(author, size, depth, operation.starts_with("DOUBLE_DOOR"))?;
    let (width, height) = (author.real(size.x), author.real(size.y));
    let door = if let Some(door) = existing {
        author.replace_representation(door, "Body", body)?;
        author.set(door, "OverallHeight", height)?;
        author.set(door, "OverallWidth", width)?;
        if let Some(text) = &new.name {
            author.set(door, "Name", name("name", text)?.as_str())?;
        }
        door
    } else {
        let text = match &new.name {
            Some(text) => name("name", text)?,
            None => free_name(author.edit, "IfcDoor", "Door"),
        };
        let shape = author.shape(&[body])?;
        let attributes =
            [("Representation", shape.into()), ("OverallHeight", height), ("OverallWidth", width)];
        let door = author.root("IfcDoor", Some(&text), &attributes)?;
        author.describe(door, "Pset_DoorCommon", &[("IsExternal", boolean(true))])?;
        door
    };
    let title = format!("Glazed door {} x {} mm", mm(size.x), mm(size.y));
    let kind = if author.legacy() {
        author.kind(
            "IfcDoorStyle",
            &title,
            &[
                ("OperationType", word(operation)),
                ("ConstructionType", word("NOTDEFINED")),
                ("ParameterTakesPrecedence", ifc::Value::Boolean(false)),
                ("Sizeable", ifc::Value::Boolean(false)),
            ],
        )?
    } else {
        let words = [("PredefinedType", word("DOOR")), ("OperationType", word(operation))];
        author.kind("IfcDoorType", &title, &words)?
    };
    if author.edit.referrers_of(kind, "IfcRelAssociatesMaterial").is_empty() {
        let glass = author.material("Glass")?;
        author.make_of(glass, kind)?;
    }
    Ok((door, kind))
}

/// The way a door opens, in this schema.
pub(super) fn operation(author: &Author, field: &str, given: Option<&str>) -> Result<String, Fault> {
    let Some(given) = given.map(|g| g.trim().to_uppercase().replace([' ', '-'], "_")) else {
        return Ok("SINGLE_SWING_LEFT".to_owned());
    };
    let class = if author.legacy() { "IfcDoorStyle" } else { "IfcDoor" };
    let allowed = enumeration(author.edit, class, "OperationType");
    if allowed.contains(&given.as_str()) {
        return Ok(given);
    }
    let near = near(&given, allowed.iter().copied());
    let hint = near.first().map_or_else(String::new, |n| format!(" Did you mean {n}?"));
    Err(Fault::invalid(field, format!("`{field}` {given} is not one of {class}.OperationType.{hint}"))
        .with("allowed", allowed))
}

fn body(author: &mut Author, size: DVec2, depth: f64, two: bool) -> Result<Id, Fault> {
    let (w, h, m) = (size.x, size.y, MEMBER.min(size.x / 8.0));
    let plane = |y: f64| Frame(DAffine3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y, DVec3::Y * y));
    let outline =
        [[0.0, 0.0], [m, 0.0], [m, h - m], [w - m, h - m], [w - m, 0.0], [w, 0.0], [w, h], [0.0, h]]
            .map(DVec2::from);
    let frame = author.extrusion(&plane(depth), &outline, &[], depth)?;
    author.paint(frame, [82, 86, 90, 255])?;
    let mut solids = vec![frame];
    let leaves = if two { 2 } else { 1 };
    let part = (w - 2.0 * m) / f64::from(leaves);
    let thickness = 40.0_f64.min(depth);
    for i in 0..leaves {
        let x = m + part * f64::from(i);
        let outer = rectangle(DVec2::new(x, 0.0), DVec2::new(x + part, h - m));
        let rail = 70.0_f64.min(part / 6.0);
        let pane = rectangle(DVec2::new(x + rail, rail), DVec2::new(x + part - rail, h - m - rail));
        let at = f64::midpoint(depth, thickness);
        let leaf = author.extrusion(&plane(at), &outer, std::slice::from_ref(&pane), thickness)?;
        author.paint(leaf, [82, 86, 90, 255])?;
        let glass = author.extrusion(&plane(f64::midpoint(depth, 12.0)), &pane, &[], 12.0)?;
        author.paint(glass, [184, 214, 224, 96])?;
        solids.extend([leaf, glass]);
    }
    author.body(&solids)
}
