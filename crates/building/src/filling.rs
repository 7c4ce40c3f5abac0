//! Doors and windows: a frame and its leaf or pane as solids, a type shared by those of one size and operation, placed
//! in an opening and held by the storey of the wall.
//!
//! The coordinates are those of IFC: x along the wall, z up, y through it; a door opens toward +y.

use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::lookup::{self, free_name};
use crate::measures::{mm, name};
use crate::quantities::{Quantity, is_ours};
use crate::quantity_sets;
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Model, Value};

/// Width of a frame's members in mm, where the opening has room for them.
const MEMBER: f64 = 50.0;
/// Depth of a frame in mm, where the wall is as thick.
const FRAME_DEPTH: f64 = 100.0;
/// Thickness of a door's leaf in mm.
const LEAF: f64 = 40.0;
/// Thickness of a window's pane in mm.
const PANE: f64 = 24.0;

/// The filling of an opening: none, a door or a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filling {
    /// Nothing.
    #[default]
    Void,
    /// A door.
    Door,
    /// A window.
    Window,
}

/// A door or window by its size in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaf {
    /// Door or window.
    pub kind: Filling,
    /// Overall width in mm.
    pub width: f64,
    /// Overall height in mm.
    pub height: f64,
    /// Thickness of the wall in mm.
    pub depth: f64,
}

impl Leaf {
    fn class(&self) -> &'static str {
        if self.kind == Filling::Window { "IfcWindow" } else { "IfcDoor" }
    }

    fn noun(&self) -> &'static str {
        if self.kind == Filling::Window { "Window" } else { "Door" }
    }

    fn frame_depth(&self) -> f64 {
        self.depth.min(FRAME_DEPTH)
    }

    /// The distance from the wall's right face inwards at which its frame begins, in mm.
    pub fn inset(&self) -> f64 {
        (self.depth - self.frame_depth()) / 2.0
    }

    fn member(&self) -> f64 {
        MEMBER.min(self.width / 8.0).min(self.height / 8.0)
    }
}

/// Makes the door or window of an opening.
pub fn create(
    author: &mut Author,
    host: Id,
    opening: Id,
    leaf: &Leaf,
    operation: Option<&str>,
    text: Option<&str>,
) -> Result<Id, Fault> {
    let operation = operation_of(author, leaf, operation)?;
    let class = leaf.class();
    let text = match text {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, class, leaf.noun()),
    };
    let frame = Frame::at([0.0, leaf.inset(), 0.0]);
    let within = author.placement_of(opening);
    let placement = author.placement(within, &frame)?;
    let body = body(author, leaf, &operation)?;
    let shape = author.shape(&[body])?;
    let attributes = [
        ("ObjectPlacement", Value::Ref(placement)),
        ("Representation", shape.into()),
        ("OverallHeight", author.real(leaf.height)),
        ("OverallWidth", author.real(leaf.width)),
    ];
    let filling = author.root(class, Some(&text), &attributes)?;
    author.fill(opening, filling)?;
    if let Some(container) =
        ifc::relations::container(author.edit, host).or_else(|| ifc::relations::storey_of(author.edit, host))
    {
        author.contain(container, filling)?;
    }
    let kind = kind_of(author, leaf, &operation)?;
    author.type_as(kind, filling)?;
    let set = if leaf.kind == Filling::Window { "Pset_WindowCommon" } else { "Pset_DoorCommon" };
    if let Some(external) = is_external(author.edit, host) {
        author.describe(filling, set, &[("IsExternal", boolean(external))])?;
    }
    quantify(author, filling, leaf)?;
    Ok(filling)
}

/// Writes a door's or window's sizes, shape and quantities anew after its opening changed.
pub fn reshape(author: &mut Author, filling: Id, leaf: &Leaf) -> Result<(), Fault> {
    let operation = lookup::stated(author.edit, filling, &["PartitioningType", "OperationType"])
        .unwrap_or_else(|| default_operation(leaf.kind).to_owned());
    let body = body(author, leaf, &operation)?;
    author.replace_representation(filling, "Body", body)?;
    let (height, width) = (author.real(leaf.height), author.real(leaf.width));
    author.set(filling, "OverallHeight", height)?;
    author.set(filling, "OverallWidth", width)?;
    let ours = ifc::relations::type_of(author.edit, filling)
        .and_then(|t| author.edit.get(t).and_then(|t| t.name()))
        .is_some_and(|t| t.starts_with(leaf.noun()) && t.contains(" mm"));
    if ours {
        author.leave(filling, "IfcRelDefinesByType")?;
        let kind = kind_of(author, leaf, &operation)?;
        author.type_as(kind, filling)?;
    }
    let set = if leaf.kind == Filling::Window { quantity_sets::WINDOW } else { quantity_sets::DOOR };
    if is_ours(author.edit, filling, set) {
        quantify(author, filling, leaf)?;
    }
    Ok(())
}

/// Returns true if the body of a filling is plain solids in its own coordinates, so that it can be written anew;
/// bodies mapped from a type belong to the type.
pub fn can_reshape(model: &Model, filling: Id) -> bool {
    crate::solids::representation(model, filling, "Body")
        .is_none_or(|body| body.text("RepresentationType").as_deref() == Some("SweptSolid"))
}

fn is_external(model: &Model, host: Id) -> Option<bool> {
    ifc::psets::get(model, host, "Pset_WallCommon", "IsExternal").and_then(|value| value.as_bool())
}

fn default_operation(kind: Filling) -> &'static str {
    if kind == Filling::Window { "SINGLE_PANEL" } else { "SINGLE_SWING_LEFT" }
}

/// The enumeration that says how a door opens or a window is parted, in this schema.
fn operation_of(author: &Author, leaf: &Leaf, given: Option<&str>) -> Result<String, Fault> {
    let Some(given) = given.map(|g| g.trim().to_uppercase().replace([' ', '-'], "_")) else {
        return Ok(default_operation(leaf.kind).to_owned());
    };
    let (class, attribute) = match (leaf.kind, author.legacy()) {
        (Filling::Window, true) => ("IfcWindowStyle", "OperationType"),
        (Filling::Window, false) => ("IfcWindow", "PartitioningType"),
        (_, true) => ("IfcDoorStyle", "OperationType"),
        (_, false) => ("IfcDoor", "OperationType"),
    };
    let allowed = lookup::enumeration(author.edit, class, attribute);
    if allowed.contains(&given.as_str()) {
        return Ok(given);
    }
    let near = lookup::near(&given, allowed.iter().copied());
    let hint = near.first().map_or_else(String::new, |n| format!(" Did you mean {n}?"));
    Err(Fault::invalid(
        "operation_type",
        format!("`operation_type` {given} is not one of {class}.{attribute}.{hint}"),
    )
    .with("allowed", allowed))
}

/// The type shared by fillings of this size and operation.
fn kind_of(author: &mut Author, leaf: &Leaf, operation: &str) -> Result<Id, Fault> {
    let title = format!("{} {} x {} mm", leaf.noun(), mm(leaf.width), mm(leaf.height));
    let window = leaf.kind == Filling::Window;
    if author.legacy() {
        let class = if window { "IfcWindowStyle" } else { "IfcDoorStyle" };
        return author.kind(
            class,
            &title,
            &[
                ("OperationType", word(operation)),
                ("ConstructionType", word("NOTDEFINED")),
                ("ParameterTakesPrecedence", Value::Boolean(false)),
                ("Sizeable", Value::Boolean(false)),
            ],
        );
    }
    if window {
        author.kind(
            "IfcWindowType",
            &title,
            &[("PredefinedType", word("WINDOW")), ("PartitioningType", word(operation))],
        )
    } else {
        author.kind(
            "IfcDoorType",
            &title,
            &[("PredefinedType", word("DOOR")), ("OperationType", word(operation))],
        )
    }
}

fn quantify(author: &mut Author, filling: Id, leaf: &Leaf) -> Result<(), Fault> {
    let set = if leaf.kind == Filling::Window { quantity_sets::WINDOW } else { quantity_sets::DOOR };
    author.quantify(
        filling,
        set,
        &[
            ("Width", Quantity::Length(leaf.width)),
            ("Height", Quantity::Length(leaf.height)),
            ("Perimeter", Quantity::Length(2.0 * (leaf.width + leaf.height))),
            ("Area", Quantity::Area(leaf.width * leaf.height)),
        ],
    )
}

/// Frame and leaves as solids, upright in the plane x–z, extruded through the wall.
fn body(author: &mut Author, leaf: &Leaf, operation: &str) -> Result<Id, Fault> {
    let (w, h, m, depth) = (leaf.width, leaf.height, leaf.member(), leaf.frame_depth());
    // the plane's normal is -y, so that its own x and y are the wall's x and z
    let plane = |y: f64| Frame(DAffine3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y, DVec3::Y * y));
    let rectangle = |x0: f64, z0: f64, x1: f64, z1: f64| {
        geometry::region::rectangle(DVec2::new(x0, z0), DVec2::new(x1, z1))
    };
    let window = leaf.kind == Filling::Window;
    let frame = if window {
        author.extrusion(
            &plane(depth),
            &rectangle(0.0, 0.0, w, h),
            &[rectangle(m, m, w - m, h - m)],
            depth,
        )?
    } else {
        let outline =
            [[0.0, 0.0], [m, 0.0], [m, h - m], [w - m, h - m], [w - m, 0.0], [w, 0.0], [w, h], [0.0, h]]
                .map(DVec2::from);
        author.extrusion(&plane(depth), &outline, &[], depth)?
    };
    let thickness = (if window { PANE } else { LEAF }).min(depth);
    let at = plane(f64::midpoint(depth, thickness));
    let bottom = if window { m } else { 0.0 };
    let leaves =
        if operation.starts_with("DOUBLE_DOOR") || operation == "DOUBLE_PANEL_VERTICAL" { 2 } else { 1 };
    let part = (w - 2.0 * m) / f64::from(leaves);
    let mut solids = vec![frame];
    for i in 0..leaves {
        let x = m + part * f64::from(i);
        solids.push(author.extrusion(&at, &rectangle(x, bottom, x + part, h - m), &[], thickness)?);
    }
    author.body(&solids)
}
