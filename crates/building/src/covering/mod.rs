//! Coverings of rooms: floor, ceiling, cladding of the walls and skirting, each with its thickness and material, tied to the room
//! and to what they cover. Doors and windows are left out of what lies on walls.

mod around;
mod lining;
mod refit;

pub use refit::{refit, refit_beside};

use crate::anything::colour::Colour;
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::kinds::Layer;
use crate::lookup::{enumeration, guid, label, next_name};
use crate::measures::{mm, name, not_negative, positive};
use crate::polygon::{area, edges, without_collinear};
use crate::quantities::{Quantities, Quantity, read};
use crate::regions;
use crate::solids;
use crate::storey::level_of;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, Model, Value, relations};
use lining::Piece;
use schemars::JsonSchema;
use serde::Serialize;

/// The base quantities of coverings.
pub const QUANTITIES: &str = "Qto_CoveringBaseQuantities";
/// The height of skirting where none is given, in mm.
const SKIRTING: f64 = 80.0;

/// The surface of a room that is covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// The floor, upward.
    Floor,
    /// The ceiling, downward.
    Ceiling,
    /// The walls, all round.
    Walls,
    /// The foot of the walls.
    Skirting,
}

impl Surface {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Ceiling => "ceiling",
            Self::Walls => "walls",
            Self::Skirting => "skirting",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Floor => "Flooring",
            Self::Ceiling => "Ceiling",
            Self::Walls => "Cladding",
            Self::Skirting => "Skirting",
        }
    }

    fn item(self) -> &'static str {
        match self {
            Self::Floor => "FLOORING",
            Self::Ceiling => "CEILING",
            Self::Walls => "CLADDING",
            Self::Skirting => "SKIRTINGBOARD",
        }
    }

    /// Thickness and material where none are given.
    fn usual(self) -> (f64, &'static str) {
        match self {
            Self::Floor => (15.0, "Parquet"),
            Self::Ceiling | Self::Walls => (12.5, "Gypsum board"),
            Self::Skirting => (15.0, "Wood"),
        }
    }
}

/// A covering asked for, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCovering {
    /// The room.
    pub room: Id,
    /// The parts of it that are covered.
    pub surface: Surface,
    /// Thickness.
    pub thickness: Option<f64>,
    /// Height on walls; of skirting.
    pub height: Option<f64>,
    /// Distance of a ceiling's top below the top of the room.
    pub drop: f64,
    /// Material.
    pub material: Option<String>,
    /// Colour.
    pub colour: Option<Colour>,
    /// Name; with a number where there are several.
    pub name: Option<String>,
}

/// A covering as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CoveringAnswer {
    /// GlobalId.
    pub covering_id: String,
    /// Name.
    pub name: String,
    /// floor, ceiling, walls or skirting.
    pub surface: String,
    /// Name of its room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Name of what it covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covers: Option<String>,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// A room as coverings see it.
struct Room {
    id: Id,
    storey: Id,
    /// Counter-clockwise, in the world.
    outline: Vec<DVec2>,
    /// Outlines of what stands in it up to its ceiling.
    holes: Vec<Vec<DVec2>>,
    floor: f64,
    height: f64,
}

/// Solids upright in the world, their areas in mm², and what they cover.
struct Shape {
    pieces: Vec<Piece>,
    gross: f64,
    net: f64,
    covers: Option<Id>,
}

/// Makes the covering of a surface: one element, on walls one to each side of the room.
pub fn create(author: &mut Author, new: &NewCovering) -> Result<Vec<Id>, Fault> {
    let room = read_room(author, new.room)?;
    let (usual, material) = new.surface.usual();
    let thickness = new.thickness.unwrap_or(usual);
    positive("thickness", thickness)?;
    not_negative("drop", new.drop)?;
    if new.drop > 0.0 && new.surface != Surface::Ceiling {
        return Err(Fault::invalid("drop", "`drop` lowers a ceiling; leave it out of other surfaces."));
    }
    if new.height.is_some() && matches!(new.surface, Surface::Floor | Surface::Ceiling) {
        return Err(Fault::invalid(
            "height",
            "`height` is that of cladding or skirting; floors and ceilings have a thickness.",
        ));
    }
    let material = match &new.material {
        Some(material) => name("material", material)?,
        None => material.to_owned(),
    };
    if new.thickness.is_none() {
        author.assume(format!("{} {} mm thick", new.surface.title().to_lowercase(), mm(thickness)));
    }
    if new.material.is_none() {
        author.assume(format!("{} of {}", new.surface.title().to_lowercase(), material.to_lowercase()));
    }
    let shapes = shapes(author, new, &room, thickness)?;
    if shapes.is_empty() {
        return Err(
            Fault::constraint("Nothing of these walls is left beside their openings.").with("field", "rooms")
        );
    }
    if matches!(new.surface, Surface::Walls | Surface::Skirting) {
        let height =
            new.height.unwrap_or(if new.surface == Surface::Skirting { SKIRTING } else { room.height });
        let all: f64 = edges(&room.outline).map(|(a, b)| a.distance(b) * height).sum();
        if shapes.iter().map(|shape| shape.gross).sum::<f64>() < all - 1000.0 {
            author.assume("sides of the room without a wall are left out");
        }
    }
    let kind = type_of(author, new.surface, thickness, &material)?;
    let mut made = Vec::with_capacity(shapes.len());
    let several = shapes.len() > 1;
    for (i, shape) in shapes.into_iter().enumerate() {
        let text = match &new.name {
            Some(text) if several => format!("{} {}", name("name", text)?, i + 1),
            Some(text) => name("name", text)?,
            None => next_name(author.edit, "IfcCovering", new.surface.title()),
        };
        made.push(write(author, new, &room, thickness, kind, &shape, &text)?);
    }
    Ok(made)
}

fn read_room(author: &Author, id: Id) -> Result<Room, Fault> {
    let frame = author.frame(id)?;
    let prism = solids::prism_of(author.edit, id, author.units().length_mm).filter(|_| frame.is_upright());
    let prism = prism.ok_or_else(|| {
        Fault::constraint(format!(
            "The room {} has no upright body with straight edges, so that its surfaces are not known.",
            label(author.edit, id)
        ))
        .with("field", "rooms")
    })?;
    let storey = relations::storey_of(author.edit, id).ok_or_else(|| {
        Fault::constraint(format!("The room {} is on no storey.", label(author.edit, id)))
            .with("field", "rooms")
    })?;
    let seen = |points: &[DVec2]| -> Vec<DVec2> {
        points.iter().map(|p| frame.transform_point3(p.extend(prism.base)).truncate()).collect()
    };
    Ok(Room {
        id,
        storey,
        outline: without_collinear(&regions::counter_clockwise(&seen(&prism.outline))),
        holes: prism.holes.iter().map(|hole| seen(hole)).collect(),
        floor: frame.translation.z + prism.base,
        height: prism.height,
    })
}

fn shapes(author: &Author, new: &NewCovering, room: &Room, thickness: f64) -> Result<Vec<Shape>, Fault> {
    match new.surface {
        Surface::Floor | Surface::Ceiling => {
            if thickness + new.drop >= room.height {
                return Err(Fault::invalid(
                    if new.drop > 0.0 { "drop" } else { "thickness" },
                    format!("The room is {} mm high; nothing would be left of it.", mm(room.height)),
                )
                .with("most", mm(room.height)));
            }
            let is_floor = new.surface == Surface::Floor;
            let base = if is_floor { room.floor } else { room.floor + room.height - new.drop - thickness };
            let face = area(&room.outline) - room.holes.iter().map(|hole| area(hole)).sum::<f64>();
            let height = if is_floor { room.floor } else { room.floor + room.height };
            let covers = around::slab_at(author, room.storey, &room.outline, height, is_floor);
            let piece =
                Piece { outline: room.outline.clone(), holes: room.holes.clone(), base, height: thickness };
            Ok(vec![Shape { pieces: vec![piece], gross: face, net: face, covers }])
        }
        Surface::Walls | Surface::Skirting => {
            let skirting = new.surface == Surface::Skirting;
            let height = new.height.unwrap_or(if skirting { SKIRTING } else { room.height });
            positive("height", height)?;
            if height > room.height + 0.1 {
                return Err(Fault::invalid(
                    "height",
                    format!("`height` is {}, the room only {} mm high.", mm(height), mm(room.height)),
                )
                .with("most", mm(room.height)));
            }
            lining::sides(author, room, thickness, height)
        }
    }
}

/// The type of coverings of one surface, thickness and material.
fn type_of(author: &mut Author, surface: Surface, thickness: f64, material: &str) -> Result<Id, Fault> {
    let title = format!("{} {} mm, {material}", surface.title(), mm(thickness));
    let items = enumeration(author.edit, "IfcCoveringType", "PredefinedType");
    let layer = Layer::plain(material, thickness);
    let set = author.layer_set(&title, &layer)?;
    let kind = if items.contains(&surface.item()) {
        author.kind("IfcCoveringType", &title, &[("PredefinedType", word(surface.item()))])?
    } else {
        let words = [("PredefinedType", word("USERDEFINED")), ("ElementType", Value::from("Skirting board"))];
        author.kind("IfcCoveringType", &title, &words)?
    };
    if author.edit.referrers_of(kind, "IfcRelAssociatesMaterial").is_empty() {
        author.make_of(set, kind)?;
    }
    Ok(kind)
}

fn write(
    author: &mut Author,
    new: &NewCovering,
    room: &Room,
    thickness: f64,
    kind: Id,
    shape: &Shape,
    text: &str,
) -> Result<Id, Fault> {
    let storey = author.frame(room.storey)?;
    let own = own_frame(&storey);
    let within = author.placement_of(room.storey);
    let placement = author.placement(within, &own.seen_from(&storey))?;
    let solids = solids_of(author, &own, &shape.pieces)?;
    if let Some(colour) = new.colour {
        for solid in &solids {
            author.paint(*solid, colour)?;
        }
    }
    let body = author.body(&solids)?;
    let representation = author.shape(&[body])?;
    let covering = author.root(
        "IfcCovering",
        Some(text),
        &[("ObjectPlacement", placement.into()), ("Representation", representation.into())],
    )?;
    author.contain(room.id, covering)?;
    author.type_as(kind, covering)?;
    // later schemas say it by the containment alone
    if author.legacy() {
        let coverings = Value::list([Value::Ref(covering)]);
        let ends = [("RelatedSpace", room.id.into()), ("RelatedCoverings", coverings)];
        author.root("IfcRelCoversSpaces", None, &ends)?;
    }
    lies_on(author, covering, shape.covers)?;
    quantify(author, covering, thickness, shape)?;
    Ok(covering)
}

/// The frame of coverings on a storey: told along the world's axes, whatever the storey is turned by.
fn own_frame(storey: &Frame) -> Frame {
    Frame::at(storey.translation)
}

fn solids_of(author: &mut Author, own: &Frame, pieces: &[Piece]) -> Result<Vec<Id>, Fault> {
    let origin = own.translation;
    let flat = |points: &[DVec2]| -> Vec<DVec2> { points.iter().map(|p| *p - origin.truncate()).collect() };
    let mut solids = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let holes: Vec<Vec<DVec2>> = piece.holes.iter().map(|hole| flat(hole)).collect();
        solids.push(author.upright(&flat(&piece.outline), &holes, piece.base - origin.z, piece.height)?);
    }
    Ok(solids)
}

/// Says of a covering what it lies on: by the relation for it in IFC2X3, which later schemas gave up for a plain connection.
fn lies_on(author: &mut Author, covering: Id, covered: Option<Id>) -> Result<(), Fault> {
    let Some(covered) = covered else { return Ok(()) };
    if author.legacy() {
        let coverings = Value::list([Value::Ref(covering)]);
        let ends = [("RelatingBuildingElement", covered.into()), ("RelatedCoverings", coverings)];
        author.root("IfcRelCoversBldgElements", None, &ends)?;
    } else {
        let ends = [("RelatingElement", covered.into()), ("RelatedElement", covering.into())];
        author.root("IfcRelConnectsElements", Some("Covering"), &ends)?;
    }
    Ok(())
}

/// The relations that say what a covering lies on, with what that is.
fn lying(author: &Author, covering: Id) -> Vec<(Id, Id)> {
    let mut found = Vec::new();
    for id in author.edit.referrers(covering) {
        let Some(relation) = author.edit.get(id) else { continue };
        let covered = match relation.class_name() {
            "IfcRelCoversBldgElements" => relation.reference("RelatingBuildingElement"),
            "IfcRelConnectsElements" if relation.reference("RelatedElement") == Some(covering) => {
                relation.reference("RelatingElement")
            }
            _ => None,
        };
        found.extend(covered.map(|covered| (id, covered)));
    }
    found
}

/// The coverings that lie on an element.
pub(crate) fn lying_on(model: &Model, element: Id) -> Vec<Id> {
    let mut found = Vec::new();
    for id in model.referrers(element) {
        let Some(relation) = model.get(id) else { continue };
        match relation.class_name() {
            "IfcRelCoversBldgElements" => found.extend(relation.references("RelatedCoverings")),
            "IfcRelConnectsElements" if relation.reference("RelatingElement") == Some(element) => {
                found.extend(relation.reference("RelatedElement"));
            }
            _ => {}
        }
    }
    found.retain(|id| model.get(*id).is_some_and(|it| it.is_a("IfcCovering")));
    found
}

fn quantify(author: &mut Author, covering: Id, thickness: f64, shape: &Shape) -> Result<(), Fault> {
    author.quantify(
        covering,
        QUANTITIES,
        &[
            ("Width", Quantity::Length(thickness)),
            ("GrossArea", Quantity::Area(shape.gross)),
            ("NetArea", Quantity::Area(shape.net)),
        ],
    )
}

/// A covering as it stands.
pub fn answer(author: &Author, covering: Id, surface: Surface) -> CoveringAnswer {
    let room = relations::container(author.edit, covering);
    CoveringAnswer {
        covering_id: guid(author.edit, covering),
        name: label(author.edit, covering),
        surface: surface.word().to_owned(),
        room: room.map(|room| label(author.edit, room)),
        level: level_of(author, covering).map(|(storey, _)| label(author.edit, storey)),
        covers: lying(author, covering).first().map(|(_, covered)| label(author.edit, *covered)),
        quantities: read(author.edit, covering, QUANTITIES),
    }
}
