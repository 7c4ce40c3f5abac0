//! Spaces: rooms as parts of their storey, extruded over the outline between their walls.

use crate::author::{Author, boolean, word};
use crate::bent_body;
use crate::frame::Frame;
use crate::host::{self, Wall};
use crate::lookup::{free_name, guid, label};
use crate::measures::{mm, name, positive, square_metres};
use crate::polygon::{area, perimeter};
use crate::quantities::{Quantities, Quantity, is_ours, read};
use crate::quantity_sets;
use crate::roof_ties;
use crate::solids;
use crate::totals;
use crate::{project, regions};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value, relations};
use schemars::JsonSchema;
use serde::Serialize;

/// A space asked for: outline in the world in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSpace {
    /// The storey it is part of.
    pub storey: Id,
    /// Its outline: the inner faces of what bounds it.
    pub outline: Vec<DVec2>,
    /// Its clear height in mm.
    pub height: f64,
    /// Name, often a number.
    pub name: Option<String>,
    /// Full name.
    pub long_name: Option<String>,
    /// Its use.
    pub usage: Option<String>,
}

/// A space as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SpaceAnswer {
    /// GlobalId.
    pub space_id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Floor area in m².
    pub area: f64,
    /// Clear height in mm.
    pub height: f64,
    /// Outline in the world in mm.
    pub boundary_points: Vec<[f64; 2]>,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// Makes a space.
pub fn create(author: &mut Author, new: &NewSpace) -> Result<Id, Fault> {
    let space = write(author, new)?;
    totals::of_storey(author, new.storey)?;
    Ok(space)
}

/// Makes a space and leaves the totals to the caller, who makes several.
pub(crate) fn write(author: &mut Author, new: &NewSpace) -> Result<Id, Fault> {
    positive("height", new.height)?;
    let frame = author.frame(new.storey)?;
    let outline: Vec<DVec2> = new
        .outline
        .iter()
        .map(|p| frame.into_own(p.extend(frame.translation.z)))
        .map(DVec3::truncate)
        .collect();
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &Frame::WORLD)?;
    let solid = author.upright(&outline, &[], 0.0, new.height)?;
    let body = author.body(&[solid])?;
    let shape = author.shape(&[body])?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcSpace", "Space"),
    };
    let inside = if author.legacy() { "InteriorOrExteriorSpace" } else { "PredefinedType" };
    // IFC4X3 deprecates INTERNAL as a predefined type
    let of_kind = if author.is_latest() { "SPACE" } else { "INTERNAL" };
    let mut attributes = vec![
        ("ObjectPlacement", Value::Ref(placement)),
        ("Representation", shape.into()),
        ("CompositionType", word("ELEMENT")),
        (inside, word(of_kind)),
    ];
    if let Some(long) = new.long_name.as_deref().or(new.usage.as_deref()) {
        attributes.push(("LongName", long.into()));
    }
    let space = author.root("IfcSpace", Some(&text), &attributes)?;
    author.aggregate(new.storey, space)?;
    // in IFC2X3 the attribute InteriorOrExteriorSpace says it, and the set has no such property
    if !author.legacy() {
        author.describe(space, "Pset_SpaceCommon", &[("IsExternal", boolean(false))])?;
    }
    if let Some(usage) = &new.usage {
        let value = Value::typed("IfcLabel", usage.as_str());
        author.describe(space, "Pset_SpaceOccupancyRequirements", &[("OccupancyType", value)])?;
    }
    quantify(author, space)?;
    Ok(space)
}

/// Writes a space's quantities anew where it carries ours.
pub fn requantify(author: &mut Author, space: Id) -> Result<(), Fault> {
    if is_ours(author.edit, space, quantity_sets::SPACE) { quantify(author, space) } else { Ok(()) }
}

fn quantify(author: &mut Author, id: Id) -> Result<(), Fault> {
    let Some(prism) = solids::prism_of(author.edit, id, author.units().length_mm) else { return Ok(()) };
    let (floor, round) = (area(&prism.outline), perimeter(&prism.outline));
    author.quantify(
        id,
        quantity_sets::SPACE,
        &[
            ("Height", Quantity::Length(prism.height)),
            ("GrossPerimeter", Quantity::Length(round)),
            ("GrossFloorArea", Quantity::Area(floor)),
            ("NetFloorArea", Quantity::Area(floor)),
            ("GrossCeilingArea", Quantity::Area(floor)),
            ("GrossWallArea", Quantity::Area(round * prism.height)),
            ("GrossVolume", Quantity::Volume(floor * prism.height)),
            ("NetVolume", Quantity::Volume(floor * prism.height)),
        ],
    )
}

/// The clear height of rooms on a storey in mm: up to the underside of the next storey's slab, else the height of the
/// storey's walls, of those below a pitched roof that which they have without it, else 3000 mm.
pub fn clear_height(author: &Author, storey: Id) -> f64 {
    let walls = all_walls_on(author, storey);
    let own = |wall: &Wall| roof_ties::own_height(author, wall.id).unwrap_or(wall.height);
    let tallest = walls.iter().map(own).fold(0.0_f64, f64::max);
    if tallest > 0.0 {
        return tallest;
    }
    let here = project::elevation_of(author, storey);
    let next = author
        .edit
        .of_class("IfcBuildingStorey")
        .into_iter()
        .map(|id| project::elevation_of(author, id) - here)
        .filter(|way| *way > 1000.0)
        .fold(f64::INFINITY, f64::min);
    if next.is_finite() { next } else { 3000.0 }
}

/// The walls that a storey holds, as far as they can be read.
pub fn walls_on(author: &Author, storey: Id) -> Vec<Wall> {
    relations::contained(author.edit, storey)
        .into_iter()
        .filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall")))
        .filter_map(|id| Wall::read(author, id).ok())
        .collect()
}

/// The outlines in plan of the members of the curtain walls that a storey holds, in the world. They fill all of a curtain
/// wall's length: above a door there is a transom.
pub fn curtains_on(author: &Author, storey: Id) -> Vec<Vec<DVec2>> {
    let is_a = |id: &Id, class: &str| author.edit.get(*id).is_some_and(|e| e.is_a(class));
    relations::contained(author.edit, storey)
        .into_iter()
        .filter(|id| is_a(id, "IfcCurtainWall"))
        .flat_map(|wall| relations::children(author.edit, wall))
        .filter(|part| is_a(part, "IfcMember"))
        .filter_map(|part| {
            let frame = author.frame(part).ok()?;
            let corners = solids::corners_of(author.edit, part, author.units().length_mm);
            let host::Extent { low, high } = host::Extent::around(corners)?;
            // a transom lies: seen from above, its box is that of another pair of its axes
            let [x, y, z] = [frame.x_axis, frame.y_axis, frame.z_axis].map(|axis| axis.z.abs() > 1.0 - 1e-6);
            let box_in_plan = if z {
                [low, low.with_x(high.x), high.with_z(low.z), low.with_y(high.y)]
            } else if x {
                [low, low.with_y(high.y), high.with_x(low.x), low.with_z(high.z)]
            } else if y {
                [low, low.with_x(high.x), high.with_y(low.y), low.with_z(high.z)]
            } else {
                return None;
            };
            let outline = box_in_plan.map(|p| frame.transform_point3(p).truncate());
            Some(regions::counter_clockwise(&outline))
        })
        .collect()
}

/// The walls that a storey holds as far as they can be read, those along arcs as well.
pub fn all_walls_on(author: &Author, storey: Id) -> Vec<Wall> {
    relations::contained(author.edit, storey)
        .into_iter()
        .filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall")))
        .filter_map(|id| Wall::read_any(author, id).ok())
        .collect()
}

/// The outline of a wall's body in the world; arcs are drawn by their chords.
pub fn outline_in_world(wall: &Wall) -> Vec<DVec2> {
    bent_body::chords(&wall.line(), &wall.outline, wall.faces)
}

/// The areas that walls enclose between their faces, the largest first.
pub fn enclosed(walls: &[Wall]) -> Vec<Vec<DVec2>> {
    let bodies: Vec<Vec<DVec2>> = walls.iter().map(outline_in_world).collect();
    let mut rooms: Vec<Vec<DVec2>> = regions::union(&bodies)
        .into_iter()
        .flat_map(|r| r.holes)
        .map(|h| regions::counter_clockwise(&h))
        .collect();
    rooms.sort_by(|a, b| area(b).total_cmp(&area(a)));
    rooms
}

/// The one room that the walls given enclose.
pub fn between(author: &Author, field: &str, ids: &[Id]) -> Result<Vec<DVec2>, Fault> {
    let walls = ids.iter().map(|id| Wall::read_any(author, *id)).collect::<Result<Vec<_>, _>>()?;
    let rooms = enclosed(&walls);
    match rooms.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Fault::constraint(
            "These walls do not enclose a room: somewhere their bodies do not touch. Name all walls around it, or give boundary_points.",
        )
        .with("field", field)),
        several => Err(Fault::constraint(format!(
            "These walls enclose {} rooms; name only those around one, or give boundary_points.",
            several.len()
        ))
        .with("field", field)
        .with("rooms_m2", several.iter().map(|r| square_metres(area(r))).collect::<Vec<_>>())),
    }
}

/// A space as it stands.
pub fn answer(author: &Author, id: Id) -> Result<SpaceAnswer, Fault> {
    let frame = author.frame(id)?;
    let prism = solids::prism_of(author.edit, id, author.units().length_mm).ok_or_else(|| {
        Fault::constraint(format!("The space {} has no upright body to read.", label(author.edit, id)))
    })?;
    Ok(SpaceAnswer {
        space_id: guid(author.edit, id),
        name: label(author.edit, id),
        level: relations::storey_of(author.edit, id).map(|storey| label(author.edit, storey)),
        area: square_metres(area(&prism.outline)),
        height: mm(prism.height),
        boundary_points: prism
            .outline
            .iter()
            .map(|p| frame.transform_point3(p.extend(0.0)))
            .map(|DVec3 { x, y, .. }| [mm(x), mm(y)])
            .collect(),
        quantities: read(author.edit, id, quantity_sets::SPACE),
    })
}
