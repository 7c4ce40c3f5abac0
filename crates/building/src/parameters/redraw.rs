//! Drawing a wall anew by its figures: placement, axis, body, the openings in it, its layers. Ends are square until they
//! are fitted to its neighbours.

use super::opening;
use crate::author::Author;
use crate::bend::Line;
use crate::bent_body;
use crate::frame::Frame;
use crate::host::Wall;
use crate::joins::{Ends, write_body};
use crate::library::buildup::only_material;
use crate::lookup::{guid, label};
use crate::placing::place;
use crate::polygon::direction;
use crate::quantities::is_ours;
use crate::quantity_sets;
use crate::wall::{self, WallKind};
use crate::wall_layers;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};

/// Gives a wall as read another axis, in the world. One along an arc turns by as much in all as before.
pub fn set_axis(wall: &mut Wall, start: DVec2, end: DVec2) -> Result<(), Fault> {
    if wall.line().is_bent() {
        let arc = Line::arc(start, end, wall.bend * wall.length).filter(|(_, length)| *length >= 1.0);
        let Some((line, length)) = arc else {
            return Err(Fault::invalid(
                "value",
                "That would leave the wall without a length; start and end must be apart.",
            ));
        };
        wall.frame = Frame::in_plan(start.extend(wall.frame.translation.z), line.way);
        (wall.length, wall.bend) = (length, line.bend);
        return Ok(());
    }
    let length = start.distance(end);
    let along = direction(start, end).filter(|_| length >= 1.0).ok_or_else(|| {
        Fault::invalid("value", "That would leave the wall without a length; start and end must be apart.")
    })?;
    wall.frame = Frame::in_plan(start.extend(wall.frame.translation.z), along);
    wall.length = length;
    Ok(())
}

/// Draws a wall anew by its new figures, its ends square until they are fitted; its openings keep their distance from
/// the start, and `slide` mm more. Answers what was drawn with it.
pub fn redraw(author: &mut Author, old: &Wall, new: &Wall, slide: f64) -> Result<Vec<Id>, Fault> {
    let id = old.id;
    let openings = old.openings(author);
    let is_bent = new.line().is_bent();
    // the element's own frame follows its axis
    let own = new.local;
    let placed = new.frame * Frame::WORLD.seen_from(&own);
    place(author, id, &placed)?;
    if is_bent {
        if (old.length - new.length).abs() > 1e-6 || (old.bend - new.bend).abs() > 1e-12 {
            let axis = bent_body::draw_axis(author, &new.local_line(), new.length)?;
            author.replace_representation(id, "Axis", axis)?;
        }
    } else if (old.length - new.length).abs() > 1e-6 {
        let end = own.transform_point3(DVec3::X * new.length);
        let axis = author.axis(own.translation.truncate(), end.truncate())?;
        author.replace_representation(id, "Axis", axis)?;
    }
    let same_plan =
        old.frame == new.frame && old.length == new.length && old.faces == new.faces && old.bend == new.bend;
    let outline = if same_plan { old.outline.clone() } else { Ends::square(new).outline() };
    write_body(author, new, &outline)?;
    let mut regenerated = Vec::new();
    let fresh = Wall::read_any(author, id)?;
    // along an arc an opening turns with its place
    let deeper = (old.thickness() - new.thickness()).abs() > 1e-6
        || (old.faces.0 - new.faces.0).abs() > 1e-6
        || (is_bent && !same_plan);
    for (opening, extent) in &openings {
        let centre = f64::midpoint(extent.low.x, extent.high.x) + slide;
        let (width, height) = (extent.size(0), extent.size(2));
        fits(author, &fresh, *opening, centre, extent.low.z, [width, height])?;
        // what is placed within the wall has kept its distance from the start by itself
        if slide != 0.0 && !is_bent {
            opening::move_along(author, *opening, &fresh, slide, 0.0)?;
        }
        if deeper {
            opening::redraw(author, *opening, &fresh, centre, extent.low.z, [width, height])?;
        }
        regenerated.push(*opening);
        regenerated.extend(relations::filling_of(author.edit, *opening));
    }
    if (old.thickness() - new.thickness()).abs() > 1e-6 {
        redress(author, id, &fresh)?;
    }
    wall::requantify(author, id)?;
    Ok(regenerated)
}

/// Refuses what would leave no room for an opening, by its name and with a way out.
fn fits(
    author: &Author,
    wall: &Wall,
    opening: Id,
    centre: f64,
    sill: f64,
    [width, height]: [f64; 2],
) -> Result<(), Fault> {
    let fitted = crate::opening::fit_in_wall(author, wall, centre, sill, width, height, Some(opening));
    fitted.map(|_| ()).map_err(|fault| {
        let shown = relations::filling_of(author.edit, opening).unwrap_or(opening);
        let message = format!(
            "This would cut off {} in the wall {}. {} Move or delete it first, or change the wall less.",
            label(author.edit, shown),
            label(author.edit, wall.id),
            fault.message
        );
        Fault { message, ..fault }
            .with("element_id", guid(author.edit, shown))
            .with("wall_id", guid(author.edit, wall.id))
    })
}

/// Refuses ends of a wall that cut off one of its openings.
pub fn openings_fit(author: &Author, id: Id) -> Result<(), Fault> {
    let wall = Wall::read_any(author, id)?;
    for (opening, extent) in wall.openings(author) {
        let centre = f64::midpoint(extent.low.x, extent.high.x);
        fits(author, &wall, opening, centre, extent.low.z, [extent.size(0), extent.size(2)])?;
    }
    Ok(())
}

/// Returns true if a wall, or its type, has layers that say how thick it is.
fn has_layers(author: &Author, id: Id) -> bool {
    let material = relations::Links::of_one(author.edit).material_of(id);
    material.and_then(|set| author.edit.get(set)).is_some_and(|set| set.is_a("IfcMaterialLayerSet"))
}

/// Gives a wall of ours the type and layers of its new thickness. Another program's layers are its own: they decide the
/// thickness, not the other way round.
fn redress(author: &mut Author, id: Id, wall: &Wall) -> Result<(), Fault> {
    if !is_ours(author.edit, id, quantity_sets::WALL) {
        if !has_layers(author, id) {
            return Ok(());
        }
        return Err(Fault::constraint(format!(
            "The thickness of the wall {} follows from the material layers of its type, which another program made. With assign_material they can become others of the same thickness in all; for another thickness make a wall in its place with create_wall, and hand its openings on with delete_elements `rehost`.",
            label(author.edit, id)
        ))
        .with("field", "parameter_name"));
    }
    let wall_type = relations::type_of(author.edit, id);
    let kind = wall_type.and_then(|t| wall_layers::use_of(author, t)).unwrap_or(WallKind::Interior);
    let layers = wall_type.map(|t| wall_layers::layers_of(author, t)).unwrap_or_default();
    if layers.len() > 1 {
        let thickened = wall_layers::thickened(&layers, wall.thickness()).ok_or_else(|| {
            Fault::constraint(format!(
                "The wall {} has {} layers; its core cannot become so thin. Give it another build-up.",
                label(author.edit, id),
                layers.len()
            ))
            .with("field", "value")
        })?;
        let (build, _) = wall_layers::with_layers(author, kind, &thickened)?;
        author.leave(id, "IfcRelDefinesByType")?;
        author.leave(id, "IfcRelAssociatesMaterial")?;
        return wall::clothe(author, id, &build, wall.faces);
    }
    let material = only_material(author, id);
    author.leave(id, "IfcRelDefinesByType")?;
    author.leave(id, "IfcRelAssociatesMaterial")?;
    wall::dress(author, id, kind, wall.thickness(), material.as_deref(), wall.faces)
}
