//! A wall's height, thickness, ends and length.

use super::change::{Change, number, point};
use super::opening;
use crate::author::Author;
use crate::frame::Frame;
use crate::host::{self, Wall};
use crate::joints;
use crate::lookup::label;
use crate::measures::{mm, positive};
use crate::placing::place;
use crate::polygon::{direction, plan_point};
use crate::quantities::is_ours;
use crate::quantity_sets;
use crate::storey::above_storey;
use crate::wall::{self, LocationLine, WallKind};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};
use serde_json::{Value as Json, json};

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let old = Wall::read(author, id)?;
    if !old.plain {
        return Err(Fault::constraint(format!(
            "The body of the wall {} is cut or built another way (under a roof slope, for one), so its {parameter} cannot be drawn anew. Its properties can be changed, and openings placed in it.",
            label(author.edit, id)
        ))
        .with("field", "parameter_name"));
    }
    let before = shown(author, &old, parameter);
    let mut new = old.clone();
    match parameter {
        "height" => new.height = positive("value", number(value)?)?,
        "thickness" => {
            let thickness = positive("value", number(value)?)?;
            let middle = f64::midpoint(old.faces.0, old.faces.1);
            new.faces = LocationLine::between(old.faces)
                .map_or((middle - thickness / 2.0, middle + thickness / 2.0), |line| line.faces(thickness));
        }
        "length" => {
            let length = positive("value", number(value)?)?;
            let DVec3 { x, y, .. } = old.at(length);
            set_axis(&mut new, plan(&old, 0.0), DVec2::new(x, y))?;
        }
        "start" => set_axis(&mut new, plan_point("value", &point(value)?)?, plan(&old, old.length))?,
        "end" => set_axis(&mut new, plan(&old, 0.0), plan_point("value", &point(value)?)?)?,
        _ => {}
    }
    let from_end = parameter == "start";
    let regenerated = redraw(author, &old, &new, from_end)?;
    let after = shown(author, &Wall::read(author, id)?, parameter);
    Ok(Change { before, after, regenerated })
}

fn plan(wall: &Wall, along: f64) -> DVec2 {
    let DVec3 { x, y, .. } = wall.at(along);
    DVec2::new(x, y)
}

fn set_axis(wall: &mut Wall, start: DVec2, end: DVec2) -> Result<(), Fault> {
    let length = start.distance(end);
    let along = direction(start, end).filter(|_| length >= 1.0).ok_or_else(|| {
        Fault::invalid("value", "That would leave the wall without a length; start and end must be apart.")
    })?;
    wall.frame = Frame::in_plan(start.extend(wall.frame.translation.z), along);
    wall.length = length;
    Ok(())
}

fn shown(author: &Author, wall: &Wall, parameter: &str) -> Json {
    match parameter {
        "height" => json!(mm(wall.height)),
        "thickness" => json!(mm(wall.thickness())),
        "length" => json!(mm(wall.length)),
        "start" => json!(above_storey(author, wall.id, wall.at(0.0))),
        _ => json!(above_storey(author, wall.id, wall.at(wall.length))),
    }
}

/// Draws a wall anew, with its openings at their distance from the start (or from the end) and its neighbours' corners.
fn redraw(author: &mut Author, old: &Wall, new: &Wall, from_end: bool) -> Result<Vec<Id>, Fault> {
    let id = old.id;
    let openings: Vec<_> = host::openings(author, id, &old.frame);
    let neighbours: Vec<Id> =
        joints::connections(author, id).into_iter().map(|(_, _, other, _)| other).collect();
    // the element's own frame follows its axis
    let own = new.local;
    let placed = new.frame * Frame::WORLD.seen_from(&own);
    place(author, id, &placed)?;
    if (old.length - new.length).abs() > 1e-6 {
        let end = own.transform_point3(DVec3::X * new.length);
        let axis = author.axis(own.translation.truncate(), end.truncate())?;
        author.replace_representation(id, "Axis", axis)?;
    }
    let same_plan = old.frame == new.frame && old.length == new.length && old.faces == new.faces;
    let outline = if same_plan { old.outline.clone() } else { joints::cuts(author, new)?.outline(new.faces) };
    write_body(author, new, &outline)?;
    let mut regenerated = Vec::new();
    let fresh = Wall::read(author, id)?;
    let deeper = (old.thickness() - new.thickness()).abs() > 1e-6 || (old.faces.0 - new.faces.0).abs() > 1e-6;
    for (opening, extent) in &openings {
        let middle = f64::midpoint(extent.low.x, extent.high.x);
        let centre = if from_end { middle + new.length - old.length } else { middle };
        let (width, height) = (extent.size(0), extent.size(2));
        crate::opening::fit_in_wall(author, &fresh, centre, extent.low.z, width, height, Some(*opening))
            .map_err(|fault| Fault {
                message: format!("This would cut off an opening. {}", fault.message),
                ..fault
            })?;
        // what is placed within the wall has kept its distance from the start by itself
        if from_end {
            opening::move_along(author, *opening, &fresh, new.length - old.length, 0.0)?;
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
    for neighbour in neighbours {
        if refit(author, neighbour)? {
            regenerated.push(neighbour);
        }
    }
    Ok(regenerated)
}

/// Gives a wall of ours the type and layers of its new thickness. Another program's layers are its own: they decide the
/// thickness, not the other way round.
fn redress(author: &mut Author, id: Id, wall: &Wall) -> Result<(), Fault> {
    if !is_ours(author.edit, id, quantity_sets::WALL) {
        return Err(Fault::constraint(format!(
            "The thickness of the wall {} follows from the material layers of its type, which another program made.",
            label(author.edit, id)
        ))
        .with("field", "parameter_name"));
    }
    let title = relations::type_of(author.edit, id)
        .and_then(|t| author.edit.get(t).and_then(|t| t.name()))
        .unwrap_or_default();
    let kind = [WallKind::Exterior, WallKind::Interior, WallKind::Partition]
        .into_iter()
        .find(|kind| title.starts_with(kind.title()))
        .unwrap_or(WallKind::Interior);
    let material = title.split_once(", ").map(|(_, material)| material.to_owned());
    author.leave(id, "IfcRelDefinesByType")?;
    author.leave(id, "IfcRelAssociatesMaterial")?;
    wall::dress(author, id, kind, wall.thickness(), material.as_deref(), wall.faces)
}

fn write_body(author: &mut Author, wall: &Wall, outline: &[DVec2]) -> Result<(), Fault> {
    let outline: Vec<DVec2> =
        outline.iter().map(|p| wall.local.transform_point3(p.extend(0.0))).map(DVec3::truncate).collect();
    let solid = author.upright(&outline, &[], wall.local.translation.z, wall.height)?;
    let body = author.body(&[solid])?;
    author.replace_representation(wall.id, "Body", body)
}

/// Cuts the ends of a wall of ours anew where its neighbours changed. Answers whether anything changed.
pub fn refit(author: &mut Author, id: Id) -> Result<bool, Fault> {
    if !is_ours(author.edit, id, quantity_sets::WALL) {
        return Ok(false);
    }
    let wall = Wall::read(author, id)?;
    if !wall.plain {
        return Ok(false);
    }
    let outline = joints::cuts(author, &wall)?.outline(wall.faces);
    let same = outline.len() == wall.outline.len()
        && outline.iter().all(|p| wall.outline.iter().any(|q| p.distance(*q) < 0.001));
    if same {
        return Ok(false);
    }
    write_body(author, &wall, &outline)?;
    wall::requantify(author, id)?;
    Ok(true)
}
