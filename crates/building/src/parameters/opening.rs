//! An opening's size and place, and with it the door or window in it.

use super::change::{Change, number};
use crate::author::Author;
use crate::filling::{self, Filling, Leaf};
use crate::frame::Frame;
use crate::host::{self, Extent, Slab, Wall};
use crate::lookup::{self, guid, label};
use crate::measures::{finite, mm, positive};
use crate::opening;
use crate::placing::place;
use crate::{recess, slab, wall};
use contract::Fault;
use glam::DVec3;
use ifc::{Id, relations};
use serde_json::{Value as Json, json};

/// The slope of a wall against a shift that is taken for one along it: about three degrees.
const ASKEW: f64 = 0.05;

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let opening = relations::opening_of_filling(author.edit, id).unwrap_or(id);
    let host = host_of(author, opening)?;
    if author.edit.get(host).is_some_and(|h| h.is_a("IfcWall")) {
        match parameter {
            "host" => rehost(author, opening, host, value),
            "flipped" | "operation_type" => swing(author, opening, host, parameter, value),
            _ => in_wall(author, opening, host, parameter, value),
        }
    } else {
        in_slab(author, opening, host, parameter, value)
    }
}

fn host_of(author: &Author, opening: Id) -> Result<Id, Fault> {
    relations::host_of_opening(author.edit, opening)
        .ok_or_else(|| Fault::constraint(format!("The opening {} has no host.", label(author.edit, opening))))
}

fn extent_of(author: &Author, opening: Id, host: Id, frame: &Frame) -> Result<Extent, Fault> {
    found(author, opening, host::openings(author, host, frame))
}

fn extent_in(author: &Author, opening: Id, wall: &Wall) -> Result<Extent, Fault> {
    found(author, opening, wall.openings(author))
}

fn found(author: &Author, opening: Id, all: Vec<(Id, Extent)>) -> Result<Extent, Fault> {
    all.into_iter().find(|(id, _)| *id == opening).map(|(_, e)| e).ok_or_else(|| {
        Fault::constraint(format!(
            "The opening {} has no body that can be read from its host. Delete it with what is in it, and place another with create_opening.",
            label(author.edit, opening)
        ))
        .with("element_id", guid(author.edit, opening))
    })
}

fn in_wall(
    author: &mut Author,
    opening: Id,
    host: Id,
    parameter: &str,
    value: &Json,
) -> Result<Change, Fault> {
    let wall = Wall::read_any(author, host)?;
    let extent = extent_in(author, opening, &wall)?;
    let centre = f64::midpoint(extent.low.x, extent.high.x);
    let (mut way, mut sill, mut width, mut height) = (centre, extent.low.z, extent.size(0), extent.size(2));
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
    if parameter == "width" || parameter == "height" || wall.line().is_bent() {
        redraw(author, opening, &wall, way, sill, [width, height])?;
    } else {
        move_along(author, opening, &wall, way - centre, sill - extent.low.z)?;
    }
    wall::requantify(author, host)?;
    crate::covering::refit_beside(author, host)?;
    let regenerated = std::iter::once(host).chain(relations::filling_of(author.edit, opening)).collect();
    Ok(Change { before: json!(before), after: json!(after), regenerated })
}

/// Gives an opening to another wall: `value` names it, alone or as `{"host_id": …, "along": …}`. Without `along` it stands there as near to its old
/// place as the wall goes.
fn rehost(author: &mut Author, opening: Id, host: Id, value: &Json) -> Result<Change, Fault> {
    let wrong = || {
        let problem = "`host` is the id or name of a wall, or {\"host_id\": …, \"along\": mm to its centre}.";
        Fault::invalid("value", problem)
    };
    let (text, along) = match value {
        Json::String(text) => (text.as_str(), None),
        Json::Object(members) => {
            if members.keys().any(|name| name != "host_id" && name != "along") {
                return Err(wrong());
            }
            let text = members.get("host_id").and_then(Json::as_str).ok_or_else(wrong)?;
            let along =
                members.get("along").map(|along| finite("value.along", number(along)?)).transpose()?;
            (text, along)
        }
        _ => return Err(wrong()),
    };
    let to = lookup::element(author.edit, "value", text, &["IfcWall"], "a wall")?;
    let before = guid(author.edit, host);
    if to != host {
        crate::rehosting::give_to(author, opening, host, to, along)?;
    } else if let Some(along) = along {
        return in_wall(author, opening, host, "along", &json!(along));
    }
    let regenerated = [host, to].into_iter().chain(relations::filling_of(author.edit, opening)).collect();
    Ok(Change { before: json!(before), after: json!(guid(author.edit, to)), regenerated })
}

/// Lets a door or window open to the other side of its wall, or in another way.
fn swing(author: &mut Author, opening: Id, host: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let Some(filling) = relations::filling_of(author.edit, opening) else {
        let message = format!("There is no door or window in {}.", label(author.edit, opening));
        return Err(Fault::constraint(message).with("field", "parameter_name"));
    };
    let wall = Wall::read_any(author, host)?;
    let extent = extent_in(author, opening, &wall)?;
    let leaf = leaf_of(author, filling, &wall, extent.size(1), [extent.size(0), extent.size(2)]);
    let frame = author.frame(opening)?;
    if parameter == "operation_type" {
        let Some(given) = value.as_str() else {
            return Err(Fault::invalid("value", "How it opens is a word, such as SINGLE_SWING_RIGHT."));
        };
        let [before, after] = filling::reopen(author, filling, &leaf, given)?;
        return Ok(Change { before: json!(before), after: json!(after), regenerated: vec![filling] });
    }
    let Some(wanted) = value.as_bool() else {
        return Err(Fault::invalid("value", "`flipped` is true or false."));
    };
    let before = author.frame(filling)?.y_axis.dot(frame.y_axis) < 0.0;
    if before != wanted {
        place(author, filling, &(frame * leaf.stands(wanted)))?;
    }
    Ok(Change { before: json!(before), after: json!(wanted), regenerated: vec![filling] })
}

/// The door or window of an opening of this width and height.
fn leaf_of(author: &Author, filling: Id, wall: &Wall, across: f64, [width, height]: [f64; 2]) -> Leaf {
    let is_window = author.edit.get(filling).is_some_and(|f| f.is_a("IfcWindow"));
    let kind = if is_window { Filling::Window } else { Filling::Door };
    Leaf { kind, width, height, depth: if wall.line().is_bent() { across } else { wall.thickness() } }
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
    let mut size = extent.high - extent.low;
    if axis < 2 {
        size[axis] = after;
    }
    let centre = extent.low.midpoint(extent.high).truncate();
    let taken = opening::fit_in_slab(author, &slab, centre, size.x, size.y, Some(opening))?;
    let frame = slab.frame.with_origin(slab.frame.transform_point3(taken.low.with_z(slab.base)));
    let outline = opening::stands(author, opening, &slab.frame, true);
    place(author, opening, &frame)?;
    opening::redraw(author, opening, outline.as_deref(), size.with_z(slab.thickness), true)?;
    slab::requantify(author, host)?;
    Ok(Change { before: json!(before), after: json!(mm(after)), regenerated: vec![host] })
}

/// Draws an opening in a wall anew, with its filling. Fillings drawn by their type's map or by faces are another program's: their
/// size is refused, since frame and opening would part.
pub(crate) fn redraw(
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
            "The shape of {} is drawn by its type, or face by face, as another program made it; it can be moved (along, sill) but not resized. Delete it and place another with create_opening.",
            label(author.edit, filling)
        ))
        .with("field", "parameter_name"));
    }
    redraw_with(author, opening, wall, [centre, sill], [width, height], filling)
}

/// Draws an opening in a wall anew, and leaves what fills it as it is.
pub(crate) fn redraw_alone(
    author: &mut Author,
    opening: Id,
    wall: &Wall,
    at: [f64; 2],
    size: [f64; 2],
) -> Result<(), Fault> {
    redraw_with(author, opening, wall, at, size, None)
}

fn redraw_with(
    author: &mut Author,
    opening: Id,
    wall: &Wall,
    [centre, sill]: [f64; 2],
    [width, height]: [f64; 2],
    filling: Option<Id>,
) -> Result<(), Fault> {
    let stood = wall.openings(author).into_iter().find(|(id, _)| *id == opening);
    let (right, left) = if wall.line().is_bent() {
        wall.across(width)
    } else {
        recess::across(author, opening, wall, stood.as_ref().map(|(_, extent)| extent))
    };
    let spot = wall.spot(centre);
    let frame = spot.with_origin(spot.transform_point3(DVec3::new(-width / 2.0, right, sill)));
    // along an arc it is turned with its place
    let seen = if wall.line().is_bent() { author.frame(opening)? } else { wall.frame };
    let outline = opening::stands(author, opening, &seen, false);
    let forward = author.frame(opening)?.y_axis;
    place(author, opening, &frame)?;
    let size = DVec3::new(width, left - right, height);
    opening::redraw(author, opening, outline.as_deref(), size, false)?;
    if let Some(filling) = filling {
        let leaf = leaf_of(author, filling, wall, left - right, [width, height]);
        // it goes on opening to the side that it opens to
        let is_flipped = author.frame(filling)?.y_axis.dot(forward) < 0.0;
        place(author, filling, &(frame * leaf.stands(is_flipped)))?;
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
    carry(author, opening, wall.frame.transform_vector3(DVec3::new(along, 0.0, up)))
}

/// Moves an opening, and its filling where that is not placed within it.
fn carry(author: &mut Author, opening: Id, by: DVec3) -> Result<(), Fault> {
    let moved = |frame: Frame| frame.with_origin(frame.translation + by);
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
pub fn shift(author: &mut Author, opening: Id, by: DVec3) -> Result<(), Fault> {
    let host = host_of(author, opening)?;
    if author.edit.get(host).is_some_and(|h| h.is_a("IfcWall")) {
        let wall = Wall::read_any(author, host)?;
        let extent = extent_in(author, opening, &wall)?;
        let middle = f64::midpoint(extent.low.x, extent.high.x);
        let spot = wall.spot(middle);
        let own = spot.turn_into_own(by);
        // who moves it along an axis means along a wall that stands a little askew
        if own.y.abs() > (ASKEW * own.x.abs()).max(1.0) {
            let moved = relations::filling_of(author.edit, opening).unwrap_or(opening);
            return Err(Fault::constraint(format!(
                "That would move {} out of its wall, {} mm across it; the wall runs along ({:.3}, {:.3}): move it along that, or up and down. \
                 modify_parameter gives it to another wall (host).",
                label(author.edit, moved), mm(own.y.abs()), spot.x_axis.x, spot.x_axis.y
            ))
            .with("field", "by"));
        }
        let centre = middle + own.x;
        opening::fit_in_wall(
            author,
            &wall,
            centre,
            extent.low.z + own.z,
            extent.size(0),
            extent.size(2),
            Some(opening),
        )?;
        if wall.line().is_bent() {
            let sill = extent.low.z + own.z;
            return redraw(author, opening, &wall, centre, sill, [extent.size(0), extent.size(2)]);
        }
        return move_along(author, opening, &wall, own.x, own.z);
    }
    let slab = Slab::read(author, host)?;
    let extent = extent_of(author, opening, host, &slab.frame)?;
    let own = slab.frame.turn_into_own(by);
    let centre = extent.low.midpoint(extent.high) + own;
    opening::fit_in_slab(author, &slab, centre.truncate(), extent.size(0), extent.size(1), Some(opening))?;
    carry(author, opening, slab.frame.transform_vector3(own.with_z(0.0)))
}
