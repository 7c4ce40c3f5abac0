//! Furniture and sanitary objects: a small library of parametric pieces. A piece is a type with its shape, shared by all of one kind
//! and size, and elements that show it where they stand: at a point, or in a room, along a wall or in its middle.
//!
//! What does not fit where it is wanted is refused with the places that are free.

mod block;
pub mod house;
mod kinds;
mod known;
mod pieces;
mod place;
mod room;
mod stretch;

pub use kinds::{Family, Kind};
pub use known::{Known, PARAMETERS, Shown, change};
pub use place::{At, Side, Spot, placed};

use crate::anything::colour::{self, Colour};
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::lookup::{guid, label, next_name};
use crate::measures::{LARGEST, mm, name};
use crate::storey::{above_storey, level_of};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value, relations};
use schemars::JsonSchema;
use serde::Serialize;

/// A piece asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewFurniture {
    /// Its kind.
    pub kind: Kind,
    /// Width, depth and height in mm.
    pub size: DVec3,
    /// Its place, found by [`placed`].
    pub spot: Spot,
    /// Name.
    pub name: Option<String>,
    /// Material of most of it.
    pub material: Option<String>,
    /// Colour of most of it.
    pub colour: Option<Colour>,
}

/// A piece as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FurnitureAnswer {
    /// GlobalId.
    pub furniture_id: String,
    /// Class.
    pub class: String,
    /// Name.
    pub name: String,
    /// Name of its type.
    pub type_name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Name of the room that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// The middle of its footprint: world x and y, z above the storey, in mm.
    pub position: [f64; 3],
    /// Degrees counter-clockwise; at 0 it looks north.
    pub rotation: f64,
    /// Width, depth and height in mm.
    pub size: [f64; 3],
}

/// The size of a piece: what is given, and the kind's own for the rest.
pub fn size(author: &mut Author, kind: Kind, given: [Option<f64>; 3]) -> Result<DVec3, Fault> {
    let usual = kind.size();
    let [width, depth, height] = given;
    let size = DVec3::new(width.unwrap_or(usual.x), depth.unwrap_or(usual.y), height.unwrap_or(usual.z));
    for field in ["width", "depth", "height"] {
        within_limits(field, field, kind, size)?;
    }
    if given.iter().any(Option::is_none) {
        let [w, d, h] = size.to_array().map(mm);
        author.assume(format!("width {w}, depth {d}, height {h} mm"));
    }
    Ok(size)
}

/// Checks a size in one direction against the least and the most of its kind.
fn within_limits(field: &str, what: &str, kind: Kind, size: DVec3) -> Result<(), Fault> {
    let least = kind.least();
    let (given, least) = match what {
        "width" => (size.x, least.x),
        "depth" => (size.y, least.y),
        "height" => (size.z, least.z),
        _ => return Ok(()),
    };
    if given.is_finite() && given >= least && given <= LARGEST / 500.0 {
        return Ok(());
    }
    Err(Fault::invalid(
        field,
        format!(
            "`{field}` is {given}; a {} takes a {what} of {least} to 20000 mm.",
            kind.word().replace('_', " ")
        ),
    )
    .with("least", least))
}

/// Makes a piece.
pub fn create(author: &mut Author, new: &NewFurniture) -> Result<Id, Fault> {
    let (class, _) = new.kind.family().classes(author.legacy());
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => next_name(author.edit, class, new.kind.title()),
    };
    let storey = author.frame(new.spot.storey)?;
    let facing = DVec2::from(new.spot.facing);
    // the piece's own origin is the middle of its back
    let back = new.spot.centre.truncate() - facing * (new.size.y / 2.0);
    let frame = Frame::in_plan(back.extend(new.spot.centre.z), -facing.perp()).seen_from(&storey);
    let within = author.placement_of(new.spot.storey);
    let placement = author.placement(within, &frame)?;
    let kind = type_of(author, new)?;
    let representation = mapped(author, kind)?;
    let shape = author.shape(&[representation])?;
    let element = author.root(
        class,
        Some(&text),
        &[("ObjectPlacement", placement.into()), ("Representation", shape.into())],
    )?;
    author.contain(new.spot.room.unwrap_or(new.spot.storey), element)?;
    author.type_as(kind, element)?;
    Ok(element)
}

/// The shape of a type, mapped.
fn mapped(author: &mut Author, kind: Id) -> Result<Id, Fault> {
    let map = author.edit.get(kind).and_then(|t| t.references("RepresentationMaps").first().copied());
    let map = map.ok_or_else(|| Fault::backend("The type of the furniture has no shape."))?;
    let origin = author.point3(DVec3::ZERO)?;
    let target = author.create("IfcCartesianTransformationOperator3D", &[("LocalOrigin", origin.into())])?;
    let mapped =
        author.create("IfcMappedItem", &[("MappingSource", map.into()), ("MappingTarget", target.into())])?;
    author.representation("Body", "MappedRepresentation", &[mapped])
}

/// The type of a piece: found by class and name where it has a shape, or written.
fn type_of(author: &mut Author, new: &NewFurniture) -> Result<Id, Fault> {
    let (_, class) = new.kind.family().classes(author.legacy());
    let (parts, main) = pieces::parts(new.kind, new.size);
    let [w, d, h] = new.size.to_array().map(mm);
    let mut title = format!("{} {w} x {d} x {h} mm", new.kind.title());
    let material = match &new.material {
        Some(material) => {
            let material = name("material", material)?;
            title = format!("{title}, {material}");
            material
        }
        None => main.material().to_owned(),
    };
    if let Some(colour) = new.colour {
        title = format!("{title}, {}", colour::text(colour));
    }
    let known = author.edit.of_class_exact(class).into_iter().find(|id| {
        author
            .edit
            .get(*id)
            .is_some_and(|t| t.says("Name", &title) && !t.references("RepresentationMaps").is_empty())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let mut items = Vec::with_capacity(parts.len());
    for part in &parts {
        let item = part.write(author)?;
        let colour = new.colour.filter(|_| part.finish == main).unwrap_or_else(|| part.finish.colour());
        author.paint(item, colour)?;
        items.push(item);
    }
    let body = author.body(&items)?;
    let origin = author.axes(&Frame::WORLD)?;
    let map = author.create(
        "IfcRepresentationMap",
        &[("MappingOrigin", origin.into()), ("MappedRepresentation", body.into())],
    )?;
    let mut attributes = vec![("RepresentationMaps", Value::list([Value::Ref(map)]))];
    if author.has_attribute(class, "AssemblyPlace") {
        attributes.push(("AssemblyPlace", word("FACTORY")));
    }
    if author.has_attribute(class, "PredefinedType") {
        attributes.push(("PredefinedType", word(new.kind.item().unwrap_or("USERDEFINED"))));
    }
    if new.kind.item().is_none() || !author.has_attribute(class, "PredefinedType") {
        attributes.push(("ElementType", new.kind.title().into()));
    }
    let kind = author.root(class, Some(&title), &attributes)?;
    let material = author.material(&material)?;
    author.make_of(material, kind)?;
    Ok(kind)
}

/// A piece as it stands.
pub fn answer(author: &Author, element: Id, size: DVec3) -> Result<FurnitureAnswer, Fault> {
    let frame = author.frame(element)?;
    let middle = frame.transform_point3(DVec3::new(0.0, size.y / 2.0, 0.0));
    let kind = relations::type_of(author.edit, element);
    let rotation = frame.x_axis.y.atan2(frame.x_axis.x).to_degrees().rem_euclid(360.0);
    let room = relations::container(author.edit, element)
        .filter(|id| author.edit.get(*id).is_some_and(|it| it.is_a("IfcSpace")));
    Ok(FurnitureAnswer {
        furniture_id: guid(author.edit, element),
        class: author.edit.get(element).map(|e| e.class_name().to_owned()).unwrap_or_default(),
        name: label(author.edit, element),
        type_name: kind.map(|kind| label(author.edit, kind)).unwrap_or_default(),
        level: level_of(author, element).map(|(storey, _)| label(author.edit, storey)),
        room: room.map(|room| label(author.edit, room)),
        position: above_storey(author, element, middle).to_array(),
        rotation: mm(rotation),
        size: size.to_array().map(mm),
    })
}
