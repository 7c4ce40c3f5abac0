//! Walls: a straight axis, a body extruded from its outline in plan, a layer set used along the axis, a type shared by
//! walls of one kind and thickness, base quantities.
//!
//! The quantities follow the definitions of Qto_WallBaseQuantities: gross ones from length, width and height alone,
//! net ones with corners mitred and openings taken out.

use crate::author::{Author, boolean, word};
use crate::bent_body;
use crate::frame::Frame;
use crate::host::Wall;
use crate::kinds::Layer;
use crate::lookup::{free_name, guid, label};
use crate::measured;
use crate::measures::{mm, name, positive};
use crate::opening::shape::{is_recess, share};
use crate::polygon::direction;
use crate::quantities::{Quantities, Quantity, is_ours, read};
use crate::quantity_sets;
use crate::storey::{above_storey, level_of};
use crate::wall_profile::height_of;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// The use of a wall; decides type, layers and whether it counts as external.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WallKind {
    /// Part of the envelope.
    #[default]
    Exterior,
    /// Inside, solid.
    Interior,
    /// Inside, light, bearing nothing.
    Partition,
}

impl WallKind {
    /// The words its types are named by.
    pub fn title(self) -> &'static str {
        match self {
            Self::Exterior => "Exterior wall",
            Self::Interior => "Interior wall",
            Self::Partition => "Partition wall",
        }
    }

    pub(crate) fn predefined(self) -> &'static str {
        if self == Self::Partition { "PARTITIONING" } else { "SOLIDWALL" }
    }

    /// The material that its walls are of where nobody says.
    pub fn material(self) -> &'static str {
        if self == Self::Partition { "Gypsum board on studs" } else { "Masonry" }
    }
}

/// The line of the wall on which its start and end are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LocationLine {
    /// The middle.
    #[default]
    Centre,
    /// The left face, seen from start to end: the wall lies to the right of the line.
    Left,
    /// The right face: the wall lies to the left of the line.
    Right,
}

impl LocationLine {
    /// The y of the right and the left face, seen along the line, for a thickness.
    pub fn faces(self, thickness: f64) -> (f64, f64) {
        match self {
            Self::Centre => (-thickness / 2.0, thickness / 2.0),
            Self::Left => (-thickness, 0.0),
            Self::Right => (0.0, thickness),
        }
    }

    /// The line that lies so between two faces.
    pub fn between(faces: (f64, f64)) -> Option<Self> {
        let thickness = faces.1 - faces.0;
        [Self::Centre, Self::Left, Self::Right]
            .into_iter()
            .find(|line| (line.faces(thickness).0 - faces.0).abs() < 0.1)
    }
}

/// The ends of a wall's body, seen along its axis from its start: the x at its right face and at its left face. A square
/// end has both at the axis' own end; a mitred one does not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuts {
    /// At the start.
    pub start: [f64; 2],
    /// At the end.
    pub end: [f64; 2],
}

impl Cuts {
    /// Square ends.
    pub fn square(length: f64) -> Self {
        Self { start: [0.0; 2], end: [length; 2] }
    }

    /// The outline of the body, counter-clockwise, seen from the axis.
    pub fn outline(&self, faces: (f64, f64)) -> Vec<DVec2> {
        vec![
            DVec2::new(self.start[0], faces.0),
            DVec2::new(self.end[0], faces.0),
            DVec2::new(self.end[1], faces.1),
            DVec2::new(self.start[1], faces.1),
        ]
    }
}

/// A wall asked for. Points in the world in mm, `base` above the storey.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWall {
    /// The storey that holds it.
    pub storey: Id,
    /// The start of the axis.
    pub start: DVec2,
    /// The end of the axis.
    pub end: DVec2,
    /// Height of its base above the storey, in mm.
    pub base: f64,
    /// Height in mm.
    pub height: f64,
    /// Thickness in mm.
    pub thickness: f64,
    /// Its use.
    pub kind: WallKind,
    /// The line that start and end are on.
    pub line: LocationLine,
    /// Name.
    pub name: Option<String>,
    /// Material of its layer.
    pub material: Option<String>,
    /// The cuts of its ends; square where left out.
    pub cuts: Option<Cuts>,
}

/// A wall as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WallAnswer {
    /// GlobalId.
    pub wall_id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Start of its axis: world x and y, z above the storey, in mm.
    pub start: [f64; 3],
    /// End of its axis.
    pub end: [f64; 3],
    /// Length of its axis in mm.
    pub length: f64,
    /// Height in mm.
    pub height: f64,
    /// Thickness in mm.
    pub thickness: f64,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// The make-up of a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Build {
    /// One layer of its material, of a type for its use and thickness.
    #[default]
    Plain,
    /// The layers of a type that is there; without a set, none.
    Type {
        /// The type.
        wall_type: Id,
        /// Its layer set.
        set: Option<Id>,
    },
}

/// Makes a wall.
pub fn create(author: &mut Author, new: &NewWall) -> Result<Id, Fault> {
    create_of(author, new, &Build::Plain)
}

/// Makes a wall of this build-up, whose thickness is that of the wall.
pub fn create_of(author: &mut Author, new: &NewWall, build: &Build) -> Result<Id, Fault> {
    positive("height", new.height)?;
    positive("thickness", new.thickness)?;
    let length = new.start.distance(new.end);
    let Some(along) = direction(new.start, new.end).filter(|_| length >= 1.0) else {
        return Err(Fault::invalid(
            "end",
            "`start` and `end` are in the same place; a wall needs a length of at least 1 mm. Points are mm.",
        ));
    };
    positive("end", length)?;
    let storey_frame = author.frame(new.storey)?;
    let DVec3 { x, y, .. } = storey_frame.into_own(new.start.extend(storey_frame.translation.z));
    let DVec3 { x: dx, y: dy, .. } = storey_frame.turn_into_own(along.extend(0.0));
    let frame = Frame::in_plan(DVec3::new(x, y, new.base), DVec2::new(dx, dy));
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &frame)?;
    let faces = new.line.faces(new.thickness);
    let cuts = new.cuts.unwrap_or_else(|| Cuts::square(length));
    let axis = author.axis(DVec2::ZERO, DVec2::new(length, 0.0))?;
    let solid = author.upright(&cuts.outline(faces), &[], 0.0, new.height)?;
    let body = author.body(&[solid])?;
    let shape = author.shape(&[axis, body])?;
    let wall = stand(author, new, build, placement, shape)?;
    quantify(author, wall)?;
    Ok(wall)
}

/// Writes a wall with its placement and shape into its storey, with type, layers and properties.
pub(crate) fn stand(
    author: &mut Author,
    new: &NewWall,
    build: &Build,
    placement: Id,
    shape: Id,
) -> Result<Id, Fault> {
    let class = if author.legacy() { "IfcWallStandardCase" } else { "IfcWall" };
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcWall", "Wall"),
    };
    let attributes = [("ObjectPlacement", Value::Ref(placement)), ("Representation", shape.into())];
    let wall = author.root(class, Some(&text), &attributes)?;
    author.contain(new.storey, wall)?;
    let faces = new.line.faces(new.thickness);
    match build {
        Build::Plain => dress(author, wall, new.kind, new.thickness, new.material.as_deref(), faces)?,
        Build::Type { .. } => clothe(author, wall, build, faces)?,
    }
    let mut common = vec![("IsExternal", boolean(new.kind == WallKind::Exterior))];
    if new.kind != WallKind::Interior {
        common.push(("LoadBearing", boolean(new.kind == WallKind::Exterior)));
    }
    author.describe(wall, "Pset_WallCommon", &common)?;
    Ok(wall)
}

/// Gives a wall a type that is there, and the use of its layers.
pub(crate) fn clothe(author: &mut Author, wall: Id, build: &Build, faces: (f64, f64)) -> Result<(), Fault> {
    let Build::Type { wall_type, set } = build else { return Ok(()) };
    author.type_as(*wall_type, wall)?;
    let Some(set) = *set else { return Ok(()) };
    let usage = author.layer_set_usage(set, "AXIS2", true, faces.0)?;
    author.make_of(usage, wall)
}

/// Gives a wall its type and layers, taking it out of those it had.
pub(crate) fn dress(
    author: &mut Author,
    wall: Id,
    kind: WallKind,
    thickness: f64,
    material: Option<&str>,
    faces: (f64, f64),
) -> Result<(), Fault> {
    let material = material.unwrap_or_else(|| kind.material());
    let title = if material == kind.material() {
        format!("{} {} mm", kind.title(), mm(thickness))
    } else {
        format!("{} {} mm, {material}", kind.title(), mm(thickness))
    };
    let predefined = if author.legacy() { "STANDARD" } else { kind.predefined() };
    let set = author.layer_set(&title, &Layer::plain(material, thickness))?;
    let wall_type = author.kind("IfcWallType", &title, &[("PredefinedType", word(predefined))])?;
    if author.edit.referrers_of(wall_type, "IfcRelAssociatesMaterial").is_empty() {
        author.make_of(set, wall_type)?;
    }
    author.type_as(wall_type, wall)?;
    let usage = author.layer_set_usage(set, "AXIS2", true, faces.0)?;
    author.make_of(usage, wall)
}

/// Writes a wall's quantities from its shape and its openings. A wall of another program that has no such set is left
/// without one.
pub fn requantify(author: &mut Author, wall: Id) -> Result<(), Fault> {
    if is_ours(author.edit, wall, quantity_sets::WALL) { quantify(author, wall) } else { Ok(()) }
}

pub(crate) fn quantify(author: &mut Author, id: Id) -> Result<(), Fault> {
    // a body that was combined with another is no longer an outline and a height
    let wall = match Wall::read_any(author, id) {
        Ok(wall) if wall.plain => wall,
        _ => return measured::requantify(author, id),
    };
    let (length, width, height) = (wall.length, wall.thickness(), wall.height);
    let line = wall.line();
    let footprint = bent_body::footprint(&line, &wall.outline, wall.faces);
    let whole = if line.is_bent() {
        bent_body::footprint(&line, &bent_body::square(length, wall.faces), wall.faces)
    } else {
        length * width
    };
    let (mut cut_area, mut cut_volume) = (0.0, 0.0);
    for (opening, extent) in wall.openings(author) {
        let depth = extent.high.y.min(wall.faces.1) - extent.low.y.max(wall.faces.0);
        let high = (extent.high.z.min(height) - extent.low.z.max(0.0)).max(0.0);
        let seen = wall.spot(f64::midpoint(extent.low.x, extent.high.x));
        let share = share(author, opening, &seen, false);
        let face = high * extent.size(0) * share;
        // a recess leaves the other face whole
        if !is_recess(author, opening) {
            cut_area += face;
        }
        cut_volume += if line.is_bent() {
            high * share * bent_body::cut(&line, wall.faces, extent.size(0))
        } else {
            face * depth.max(0.0)
        };
    }
    author.quantify(
        id,
        quantity_sets::WALL,
        &[
            ("Length", Quantity::Length(length)),
            ("Width", Quantity::Length(width)),
            ("Height", Quantity::Length(height)),
            ("GrossFootprintArea", Quantity::Area(whole)),
            ("NetFootprintArea", Quantity::Area(footprint)),
            ("GrossSideArea", Quantity::Area(length * height)),
            ("NetSideArea", Quantity::Area(length * height - cut_area)),
            ("GrossVolume", Quantity::Volume(whole * height)),
            ("NetVolume", Quantity::Volume(footprint * height - cut_volume)),
        ],
    )
}

/// A wall as it stands.
pub fn answer(author: &Author, id: Id) -> Result<WallAnswer, Fault> {
    let wall = Wall::read_any(author, id)?;
    Ok(WallAnswer {
        wall_id: guid(author.edit, id),
        name: label(author.edit, id),
        level: level_of(author, id).map(|(storey, _)| label(author.edit, storey)),
        start: above_storey(author, id, wall.at(0.0)).to_array(),
        end: above_storey(author, id, wall.at(wall.length)).to_array(),
        length: mm(wall.length),
        height: mm(height_of(author, &wall)),
        thickness: mm(wall.thickness()),
        quantities: read(author.edit, id, quantity_sets::WALL),
    })
}
