//! Recesses: niches in one face of a wall that do not go through it.

use crate::author::{Author, word};
use crate::host::{Extent, Wall};
use crate::lookup::{free_name, label};
use crate::measures::{mm, name, positive};
use crate::opening::shape::{RECESS, is_recess};
use crate::opening::{self, Place, Stretch, centre, fit_in_wall};
use crate::wall;
use contract::Fault;
use glam::DVec3;
use ifc::{Id, Value};

/// The least thickness of the wall that stays behind a recess, in mm.
const BEHIND: f64 = 10.0;

/// A recess asked for, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRecess {
    /// The wall.
    pub host: Id,
    /// Its centre.
    pub place: Place,
    /// Height of its lower edge above the wall's base.
    pub sill: Option<f64>,
    /// Width along the wall.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// How deep it goes.
    pub depth: f64,
    /// True if it is in the left face, seen from start to end.
    pub left: bool,
    /// Name.
    pub name: Option<String>,
}

/// Makes a recess.
pub fn create(author: &mut Author, new: &NewRecess) -> Result<Id, Fault> {
    positive("width", new.width)?;
    positive("height", new.height)?;
    positive("depth", new.depth)?;
    let wall = Wall::read(author, new.host)?;
    let deepest = wall.thickness() - BEHIND;
    if new.depth > deepest {
        return Err(Fault::invalid(
            "depth",
            format!(
                "`depth` is {} mm in the wall {}, which is {} mm thick; at most {} mm, or cut an opening.",
                mm(new.depth),
                label(author.edit, new.host),
                mm(wall.thickness()),
                mm(deepest.max(0.0))
            ),
        ));
    }
    let (along, point_sill) = centre(author, &wall, &Stretch::of_wall(&wall), new.place, new.width)?;
    let sill = new.sill.or(point_sill).unwrap_or(0.0);
    let extent = fit_in_wall(author, &wall, along, sill, new.width, new.height, None)?;
    let y = if new.left { wall.faces.1 - new.depth } else { wall.faces.0 };
    let local = wall.local.with_origin(wall.local.transform_point3(DVec3::new(extent.low.x, y, sill)));
    let within = author.placement_of(new.host);
    let placement = author.placement(within, &local)?;
    let size = DVec3::new(new.width, new.depth, new.height);
    let body = opening::body(author, None, size, false)?;
    let shape = author.shape(&[body])?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcOpeningElement", RECESS),
    };
    let kind = if author.has_attribute("IfcOpeningElement", "PredefinedType") {
        ("PredefinedType", word("RECESS"))
    } else {
        ("ObjectType", RECESS.into())
    };
    let attributes = [("ObjectPlacement", Value::Ref(placement)), ("Representation", shape.into()), kind];
    let recess = author.root("IfcOpeningElement", Some(&text), &attributes)?;
    author.void(new.host, recess)?;
    opening::quantify(author, recess, None, size, false)?;
    wall::requantify(author, new.host)?;
    Ok(recess)
}

/// From where to where across a wall an opening is to be drawn: through it, or a recess as deep as it was from the face
/// that it is nearest to.
pub fn across(author: &Author, opening: Id, wall: &Wall, stood: Option<&Extent>) -> (f64, f64) {
    let Some(stood) = stood.filter(|_| is_recess(author, opening)) else { return wall.faces };
    let depth = stood.size(1).min(wall.thickness());
    let is_left = (stood.high.y - wall.faces.1).abs() < (stood.low.y - wall.faces.0).abs();
    if is_left { (wall.faces.1 - depth, wall.faces.1) } else { (wall.faces.0, wall.faces.0 + depth) }
}
