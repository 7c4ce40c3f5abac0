//! Finding the place of a piece: the point that is given, or in a room the middle, or a stretch along a wall where nothing stands.

use super::kinds::Kind;
use super::room::{Room, obstacles, rooms};
use super::stretch::{Stretch, free, stretches};
use crate::author::Author;
use crate::lookup::label;
use crate::measures::mm;
use crate::polygon::{area, bounds, contains};
use crate::regions;
use crate::space::{outline_in_world, walls_on};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};

/// Parts of an area of mm² that are rounding.
const NOTHING: f64 = 100.0;
/// The most places in a room that are tried for its middle.
const TRIED: usize = 4000;

/// A side of a room: the way one looks from its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Toward +y.
    North,
    /// Toward +x.
    East,
    /// Toward -y.
    South,
    /// Toward -x.
    West,
}

impl Side {
    /// Its direction.
    pub fn direction(self) -> DVec2 {
        match self {
            Self::North => DVec2::Y,
            Self::East => DVec2::X,
            Self::South => DVec2::NEG_Y,
            Self::West => DVec2::NEG_X,
        }
    }
}

/// Where a piece is wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum At {
    /// Its middle at a point in the world, z above the storey, looking in a direction.
    Point(DVec3, [f64; 2]),
    /// In the middle of a room; looking in a direction, if one is given.
    Middle(Id, Option<[f64; 2]>),
    /// Along a wall of a room: on a side of it, by a wall's own id, or wherever there is room; its middle so many mm from the left end
    /// of that stretch, seen from the room. It looks into the room.
    Wall(Id, Option<Side>, Option<Id>, Option<f64>),
}

/// The place of a piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The storey that it is on.
    pub storey: Id,
    /// The room that it stands in.
    pub room: Option<Id>,
    /// The middle of its footprint in the world.
    pub centre: DVec3,
    /// The direction that its front looks in.
    pub facing: [f64; 2],
}

/// Finds the place of a piece, or says what is in the way and what is free. `storey` counts where it is placed by a point.
pub fn placed(
    author: &mut Author,
    storey: Option<Id>,
    kind: Kind,
    size: DVec3,
    at: &At,
) -> Result<Spot, Fault> {
    match *at {
        At::Point(point, facing) => {
            let storey = storey.ok_or_else(|| {
                Fault::invalid("level_id", "`level_id` is needed with a point; give the storey's id or name.")
            })?;
            by_point(author, storey, kind, size, point, facing)
        }
        At::Middle(room, facing) => in_middle(author, kind, size, room, facing),
        At::Wall(room, side, wall, along) => along_wall(author, kind, size, room, side, wall, along),
    }
}

fn storey_of(author: &Author, room: Id) -> Result<Id, Fault> {
    relations::storey_of(author.edit, room).ok_or_else(|| {
        Fault::constraint(format!("The room {} is on no storey.", label(author.edit, room)))
            .with("field", "room")
    })
}

/// The footprint of a piece.
fn footprint(centre: DVec2, facing: DVec2, size: DVec3) -> Vec<DVec2> {
    let (x, y) = (-facing.perp() * size.x / 2.0, facing * size.y / 2.0);
    vec![centre - x - y, centre + x - y, centre + x + y, centre - x + y]
}

fn overlap(a: &[DVec2], b: &[DVec2]) -> f64 {
    regions::intersection(&[a.to_vec()], &[b.to_vec()]).iter().map(|region| area(&region.outer)).sum()
}

/// Returns the part of a footprint that lies outside an outline, in mm².
fn outside(footprint: &[DVec2], outline: &[DVec2]) -> f64 {
    area(footprint) - overlap(footprint, outline)
}

fn by_point(
    author: &mut Author,
    storey: Id,
    kind: Kind,
    size: DVec3,
    point: DVec3,
    facing: [f64; 2],
) -> Result<Spot, Fault> {
    let z = author.frame(storey)?.translation.z + point.z;
    let centre = point.truncate().extend(z);
    let room = checked(author, storey, kind, size, centre, facing, None)?;
    Ok(Spot { storey, room, centre, facing })
}

/// Checks that a piece can stand somewhere in the world, `own` being itself; answers the room that it stands in.
pub(super) fn checked(
    author: &mut Author,
    storey: Id,
    kind: Kind,
    size: DVec3,
    middle: DVec3,
    facing: [f64; 2],
    own_id: Option<Id>,
) -> Result<Option<Id>, Fault> {
    let (centre, z) = (middle.truncate(), middle.z);
    let own = footprint(centre, facing.into(), size);
    let room = rooms(author, storey).into_iter().find(|room| {
        contains(&room.outline, centre) && z > room.floor - 500.0 && z < room.floor + room.height
    });
    if let Some(room) = &room
        && outside(&own, &room.outline) > NOTHING
    {
        let (low, high) = bounds(&room.outline);
        return Err(Fault::constraint(format!(
            "A {} of {} x {} mm does not stand within the room {} there. Move `point`, or place it by `room`, which finds a free place.",
            kind.word(),
            mm(size.x),
            mm(size.y),
            label(author.edit, room.id)
        ))
        .with("field", "point")
        .with("room_from", low.to_array().map(mm))
        .with("room_to", high.to_array().map(mm)));
    }
    match &room {
        Some(room) => under(author, room, size)?,
        None => beside_walls(author, storey, &own, (z, z + size.z))?,
    }
    let all = obstacles(author, storey, room.as_ref(), bounds(&own), (z, z + size.z), kind);
    for obstacle in &all {
        if Some(obstacle.id) == own_id || overlap(&own, &obstacle.footprint) <= NOTHING {
            continue;
        }
        if obstacle.is_door {
            author.assume(format!("it may stand before the door {}", obstacle.name));
        } else {
            let (low, high) = bounds(&obstacle.footprint);
            return Err(Fault::constraint(format!(
                "{} stands there already. Move `point`, or place it by `room`, which finds a free place.",
                obstacle.name
            ))
            .with("field", "point")
            .with("taken_from", low.to_array().map(mm))
            .with("taken_to", high.to_array().map(mm)));
        }
    }
    Ok(room.map(|room| room.id))
}

/// Checks that a footprint between two heights lies in no wall of a storey.
fn beside_walls(author: &Author, storey: Id, own: &[DVec2], z: (f64, f64)) -> Result<(), Fault> {
    for wall in walls_on(author, storey) {
        let foot = wall.frame.translation.z;
        if foot < z.1 - 1.0
            && foot + wall.height > z.0 + 1.0
            && overlap(own, &outline_in_world(&wall)) > NOTHING
        {
            return Err(Fault::constraint(format!(
                "The wall {} stands there. Move `point`.",
                label(author.edit, wall.id)
            ))
            .with("field", "point"));
        }
    }
    Ok(())
}

/// Checks that a piece is not higher than its room.
fn under(author: &Author, room: &Room, size: DVec3) -> Result<(), Fault> {
    if size.z <= room.height + 0.1 {
        return Ok(());
    }
    Err(Fault::constraint(format!(
        "It is {} mm high, the room {} only {} mm.",
        mm(size.z),
        label(author.edit, room.id),
        mm(room.height)
    ))
    .with("field", "height")
    .with("most", mm(room.height)))
}

fn in_middle(
    author: &mut Author,
    kind: Kind,
    size: DVec3,
    room: Id,
    facing: Option<[f64; 2]>,
) -> Result<Spot, Fault> {
    let storey = storey_of(author, room)?;
    let room = Room::read(author, room)?;
    under(author, &room, size)?;
    let (low, high) = bounds(&room.outline);
    let all = obstacles(author, storey, Some(&room), (low, high), (room.floor, room.floor + size.z), kind);
    let middle = low.midpoint(high);
    let ways: Vec<DVec2> = match facing {
        Some(facing) => vec![facing.into()],
        // the longer side of the piece along the longer side of the room
        None if (size.x >= size.y) == (high.x - low.x >= high.y - low.y) => vec![DVec2::NEG_Y, DVec2::NEG_X],
        None => vec![DVec2::NEG_X, DVec2::NEG_Y],
    };
    let fits = |centre: DVec2, facing: DVec2| {
        let own = footprint(centre, facing, size);
        outside(&own, &room.outline) <= NOTHING
            && all.iter().all(|it| overlap(&own, &it.footprint) <= NOTHING)
    };
    let step = ((high - low).max_element() / 40.0).max(100.0);
    let mut places = vec![middle];
    let count = ((high - low) / step).floor();
    for i in 0..=count.x as usize {
        for j in 0..=count.y as usize {
            places.push(low + DVec2::new(i as f64, j as f64) * step);
        }
    }
    places.sort_by(|a, b| a.distance_squared(middle).total_cmp(&b.distance_squared(middle)));
    for centre in places.into_iter().take(TRIED) {
        if let Some(way) = ways.iter().find(|way| fits(centre, **way)) {
            return Ok(Spot {
                storey,
                room: Some(room.id),
                centre: centre.extend(room.floor),
                facing: way.to_array(),
            });
        }
    }
    let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
    Err(Fault::constraint(format!(
        "A {} of {} x {} mm has no place in the room {} ({} x {} mm) beside what stands there and before its doors.",
        kind.word(),
        mm(size.x),
        mm(size.y),
        label(author.edit, room.id),
        mm(high.x - low.x),
        mm(high.y - low.y)
    ))
    .with("field", "room")
    .with("taken_by", names))
}

fn along_wall(
    author: &mut Author,
    kind: Kind,
    size: DVec3,
    room: Id,
    side: Option<Side>,
    wall: Option<Id>,
    along: Option<f64>,
) -> Result<Spot, Fault> {
    let storey = storey_of(author, room)?;
    let room = Room::read(author, room)?;
    under(author, &room, size)?;
    let wanted = stretches(author, &room, side, wall)?;
    let all = obstacles(
        author,
        storey,
        Some(&room),
        bounds(&room.outline),
        (room.floor, room.floor + size.z),
        kind,
    );
    let mut wanted: Vec<Stretch> = wanted
        .into_iter()
        .map(|(from, to)| {
            let (length, along) = (from.distance(to), (to - from).normalize_or_zero());
            let free = free(&room, &all, from, along, length, size.y);
            Stretch { from, along, length, free }
        })
        .collect();
    // a place beside which most is left, unless one is asked for
    if along.is_none() {
        wanted.sort_by(|a, b| b.widest().total_cmp(&a.widest()));
    }
    let Some(stretch) = wanted.first() else {
        return Err(Fault::invalid("wall", "The room has no such wall."));
    };
    let middles = stretch.middles(size.x);
    let none = |text: String| {
        Err(Fault::constraint(text)
            .with("field", if along.is_some() { "offset" } else { "wall" })
            .with("free_offsets", middles.clone())
            .with("widest_free", mm(stretch.widest()))
            .with("taken_by", all.iter().map(|it| it.name.as_str()).collect::<Vec<_>>()))
    };
    let offset = match along {
        Some(offset) if middles.iter().any(|[from, to]| (from - 0.1..=to + 0.1).contains(&offset)) => offset,
        Some(offset) => {
            return none(format!(
                "A {} {} mm wide does not fit with its middle {} mm along that wall, which is {} mm long; see `free_offsets`.",
                kind.word(),
                mm(size.x),
                mm(offset),
                mm(stretch.length)
            ));
        }
        None => {
            let middle = stretch.length / 2.0;
            let near = middles
                .iter()
                .map(|[from, to]| middle.clamp(*from, (*to).max(*from)))
                .min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()));
            let Some(near) = near else {
                return none(format!(
                    "A {} {} x {} mm fits nowhere along {} of the room {}: at most {} mm are free there. Give another wall or size, or `at` middle.",
                    kind.word(),
                    mm(size.x),
                    mm(size.y),
                    if side.is_some() || wall.is_some() { "that wall" } else { "the walls" },
                    label(author.edit, room.id),
                    mm(stretch.widest())
                ));
            };
            author.assume(format!("offset {} mm along its wall", mm(near)));
            near
        }
    };
    let inward = stretch.along.perp();
    let centre = stretch.from + stretch.along * (stretch.length - offset) + inward * (size.y / 2.0);
    Ok(Spot { storey, room: Some(room.id), centre: centre.extend(room.floor), facing: inward.to_array() })
}
