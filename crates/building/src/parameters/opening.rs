//! An opening's size and place, and with it the door or window in it.

use super::change::{Change, number};
use crate::author::Author;
use crate::filling::{self, Filling, Leaf};
use crate::frame::Frame;
use crate::host::{self, Extent, Slab, Wall};
use crate::lookup::label;
use crate::measures::{finite, mm, positive};
use crate::opening;
use crate::placing::place;
use crate::{slab, wall};
use contract::Fault;
use ifc::{Id, relations};
use serde_json::{Value as Json, json};

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let opening = relations::opening_of_filling(author.edit, id).unwrap_or(id);
    let host = host_of(author, opening)?;
    if author.edit.get(host).is_some_and(|h| h.is_a("IfcWall")) {
        in_wall(author, opening, host, parameter, value)
    } else {
        in_slab(author, opening, host, parameter, value)
    }
}

fn host_of(author: &Author, opening: Id) -> Result<Id, Fault> {
    relations::host_of_opening(author.edit, opening)
        .ok_or_else(|| Fault::constraint(format!("The opening {} has no host.", label(author.edit, opening))))
}

fn extent_of(author: &Author, opening: Id, host: Id, frame: &Frame) -> Result<Extent, Fault> {
    host::openings(author, host, frame).into_iter().find(|(id, _)| *id == opening).map(|(_, e)| e).ok_or_else(
        || {
            Fault::constraint(format!(
                "The opening {} has no body that can be read.",
                label(author.edit, opening)
            ))
        },
    )
}

fn in_wall(
    author: &mut Author,
    opening: Id,
    host: Id,
    parameter: &str,
    value: &Json,
) -> Result<Change, Fault> {
    let wall = Wall::read(author, host)?;
    let extent = extent_of(author, opening, host, &wall.frame)?;
    let centre = f64::midpoint(extent.low[0], extent.high[0]);
    let (mut way, mut sill, mut width, mut height) = (centre, extent.low[2], extent.size(0), extent.size(2));
    let target = match parameter {
        "width" => &mut width,
        "height" => &mut height,
        "sill" => &mut sill,
        _ => &mut way,
    };
    let before = mm(*target);
    *target = finite("value", number(value)?)?;
    if parameter == "width" || parameter == "height" {
        positive("value", *target)?;
    }
    let after = mm(*target);
    opening::fit_in_wall(author, &wall, way, sill, width, height, Some(opening))
        .map_err(|fault| fault.with("field", "value"))?;
    if parameter == "width" || parameter == "height" {
        redraw(author, opening, &wall, way, sill, [width, height])?;
    } else {
        move_along(author, opening, &wall, way - centre, sill - extent.low[2])?;
    }
    wall::requantify(author, host)?;
    let regenerated = std::iter::once(host).chain(relations::filling_of(author.edit, opening)).collect();
    Ok(Change { before: json!(before), after: json!(after), regenerated })
}

fn in_slab(
    author: &mut Author,
    opening: Id,
    host: Id,
    parameter: &str,
    value: &Json,
) -> Result<Change, Fault> {
    let slab = Slab::read(author, host)?;
    let extent = extent_of(author, opening, host, &slab.frame)?;
    let axis = match parameter {
        "width" => 0,
        "height" => 1,
        _ => {
            return Err(Fault::invalid(
                "parameter_name",
                format!(
                    "An opening in a slab has width and height; {parameter} is for walls. Use move_elements to move it."
                ),
            ));
        }
    };
    let before = mm(extent.size(axis));
    let after = positive("value", number(value)?)?;
    let mut size = [extent.size(0), extent.size(1)];
    if let Some(side) = size.get_mut(axis) {
        *side = after;
    }
    let centre = [f64::midpoint(extent.low[0], extent.high[0]), f64::midpoint(extent.low[1], extent.high[1])];
    let taken = opening::fit_in_slab(author, &slab, centre, size[0], size[1], Some(opening))?;
    let frame = Frame { origin: slab.frame.out([taken.low[0], taken.low[1], slab.base]), ..slab.frame };
    place(author, opening, &frame)?;
    let body = opening::body(author, [size[0], size[1], slab.thickness])?;
    author.replace_representation(opening, "Body", body)?;
    opening::requantify(author, opening, [size[0], size[1], slab.thickness], true)?;
    slab::requantify(author, host)?;
    Ok(Change { before: json!(before), after: json!(mm(after)), regenerated: vec![host] })
}

/// Draws an opening in a wall anew, with its filling. Fillings drawn by their type's map are another program's: their
/// size is refused, since frame and opening would part.
pub(super) fn redraw(
    author: &mut Author,
    opening: Id,
    wall: &Wall,
    centre: f64,
    sill: f64,
    [width, height]: [f64; 2],
) -> Result<(), Fault> {
    let filling = relations::filling_of(author.edit, opening);
    if let Some(filling) = filling
        && !filling::can_reshape(author.edit, filling)
    {
        return Err(Fault::constraint(format!(
            "The shape of {} is drawn by its type, which another program made; it can be moved (along, sill) but not resized. Delete it and place another with create_opening.",
            label(author.edit, filling)
        ))
        .with("field", "parameter_name"));
    }
    let frame = Frame { origin: wall.frame.out([centre - width / 2.0, wall.faces.0, sill]), ..wall.frame };
    place(author, opening, &frame)?;
    let size = [width, wall.thickness(), height];
    let body = opening::body(author, size)?;
    author.replace_representation(opening, "Body", body)?;
    opening::requantify(author, opening, size, false)?;
    if let Some(filling) = filling {
        let window = author.edit.get(filling).is_some_and(|f| f.is_a("IfcWindow"));
        let leaf = Leaf {
            kind: if window { Filling::Window } else { Filling::Door },
            width,
            height,
            depth: wall.thickness(),
        };
        let inset = [0.0, leaf.inset(), 0.0];
        place(author, filling, &Frame { origin: frame.out(inset), ..frame })?;
        filling::reshape(author, filling, &leaf)?;
    }
    Ok(())
}

/// Moves an opening along its wall and up.
pub(super) fn move_along(
    author: &mut Author,
    opening: Id,
    wall: &Wall,
    along: f64,
    up: f64,
) -> Result<(), Fault> {
    carry(author, opening, wall.frame.turn_out([along, 0.0, up]))
}

/// Moves an opening, and its filling where that is not placed within it.
fn carry(author: &mut Author, opening: Id, by: [f64; 3]) -> Result<(), Fault> {
    let moved = |frame: Frame| Frame { origin: std::array::from_fn(|i| frame.origin[i] + by[i]), ..frame };
    let filling = relations::filling_of(author.edit, opening);
    let target = filling.map(|f| author.frame(f).map(moved)).transpose()?;
    let frame = moved(author.frame(opening)?);
    place(author, opening, &frame)?;
    match filling.zip(target) {
        Some((filling, target)) => place(author, filling, &target),
        None => Ok(()),
    }
}

/// Moves an opening with its filling by a vector in the world; in a wall it stays in the wall.
pub fn shift(author: &mut Author, opening: Id, by: [f64; 3]) -> Result<(), Fault> {
    let host = host_of(author, opening)?;
    if author.edit.get(host).is_some_and(|h| h.is_a("IfcWall")) {
        let wall = Wall::read(author, host)?;
        let own = wall.frame.turn_into_own(by);
        if own[1].abs() > 1.0 {
            return Err(Fault::constraint(format!(
                "That would move {} {} mm out of its wall; move it along the wall (direction {:.3}, {:.3}) or up and down.",
                label(author.edit, opening), mm(own[1]), wall.frame.x[0], wall.frame.x[1]
            ))
            .with("field", "by"));
        }
        let extent = extent_of(author, opening, host, &wall.frame)?;
        let centre = f64::midpoint(extent.low[0], extent.high[0]) + own[0];
        opening::fit_in_wall(
            author,
            &wall,
            centre,
            extent.low[2] + own[2],
            extent.size(0),
            extent.size(2),
            Some(opening),
        )?;
        return move_along(author, opening, &wall, own[0], own[2]);
    }
    let slab = Slab::read(author, host)?;
    let extent = extent_of(author, opening, host, &slab.frame)?;
    let own = slab.frame.turn_into_own(by);
    let centre = [
        f64::midpoint(extent.low[0], extent.high[0]) + own[0],
        f64::midpoint(extent.low[1], extent.high[1]) + own[1],
    ];
    opening::fit_in_slab(author, &slab, centre, extent.size(0), extent.size(1), Some(opening))?;
    carry(author, opening, slab.frame.turn_out([own[0], own[1], 0.0]))
}
