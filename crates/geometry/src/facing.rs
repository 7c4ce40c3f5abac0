//! The side of an upright element that looks outside: the one without a room or, where there are no rooms to tell by, the one with
//! nothing built before it.
//!
//! A wall is looked at from five places along its middle, on both sides. A door or window looks where the element looks that it is
//! in. What has rooms on both sides, is round, or stands with both sides free looks nowhere.

use crate::{
    item::Shaper,
    query::{Index, Ray},
    read::ShapeError,
};
use glam::DVec3;
use ifc::placement::unit;
use ifc::{Id, Instance, relations::Links};

/// The distance before a face at which is asked what is there, in metres.
const BEFORE: f64 = 0.1;

/// Elements that close off what is behind them.
const BUILT: [&str; 7] =
    ["IfcWall", "IfcCurtainWall", "IfcWindow", "IfcDoor", "IfcPlate", "IfcSlab", "IfcRoof"];

/// The way an element looks, or why it looks nowhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Facing {
    /// Level, at length one, in the world's coordinates.
    Out(DVec3),
    /// There are rooms, or walls, on both sides.
    Within,
    /// Both sides are free.
    Free,
    /// It has no two upright sides.
    NoSides,
}

/// The way that an element, or the one that it is in, looks. An error where it has no shape.
pub fn facing(shaper: &Shaper<'_>, index: &Index, element: Id) -> Result<Facing, ShapeError> {
    let model = shaper.reader.model;
    let links = Links::of_one(model);
    let own = links.host_of(element).unwrap_or(element);
    let product = shaper.reader.get(own)?;
    let mut bodies = shaper.gross_bodies(own);
    if bodies.is_err() {
        // a curtain wall is its parts
        let parts = links.children(own).into_iter().filter_map(|part| shaper.gross_bodies(part).ok());
        let joined = parts.reduce(|mut all, part| {
            all.all.extend(part.all);
            all
        });
        bodies = joined.map_or(bodies, Ok);
    }
    let bodies = bodies?;
    let Some(across) = crate::quantity::across(shaper, &product, &bodies) else { return Ok(Facing::NoSides) };
    let Some(across) = unit(DVec3::new(across.x, across.y, 0.0)) else { return Ok(Facing::NoSides) };
    // a door's own place along its wall, else the whole wall
    let place = if own == element { bodies } else { shaper.gross_bodies(element).unwrap_or(bodies) };
    let along = DVec3::Z.cross(across);
    let extent = |d: DVec3| {
        let points = place.iter().flat_map(crate::Solid::points).map(|p| p.dot(d));
        points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let (thick, long, high) = (extent(across), extent(along), extent(DVec3::Z));
    let wall = wall_extent(shaper, own, across).unwrap_or(thick);
    let external = stated(&links, own).or_else(|| stated(&links, element));
    let (mut rooms, mut free) = ([0_usize; 2], [0_usize; 2]);
    let shares = [0.1, 0.3, 0.5, 0.7, 0.9];
    for share in shares {
        let base = along * (long.0 + (long.1 - long.0) * share) + DVec3::Z * f64::midpoint(high.0, high.1);
        for (side, (way, face)) in [(-1.0, wall.0), (1.0, wall.1)].into_iter().enumerate() {
            let from = base + across * (face + way * BEFORE);
            let is_room = |id: &Id| model.get(*id).is_some_and(|i| i.is_a("IfcSpace"));
            if index.at_point(from).iter().any(is_room) {
                rooms[side] += 1;
            } else if is_free(model, index, from, across * way, [own, element]) {
                free[side] += 1;
            }
        }
    }
    let out = |side: usize| Facing::Out(if side == 0 { -across } else { across });
    let half = shares.len().div_ceil(2);
    Ok(match (rooms, free) {
        _ if external == Some(false) => Facing::Within,
        ([0, b], [a, _]) if b > 0 && (a > 0 || external == Some(true)) => out(0),
        ([a, 0], [_, b]) if a > 0 && (b > 0 || external == Some(true)) => out(1),
        ([a, b], _) if a > 0 || b > 0 => match external {
            Some(true) if a > 2 * b => out(1),
            Some(true) if b > 2 * a => out(0),
            _ => Facing::Within,
        },
        (_, [a, b]) if a >= half && b < half => out(0),
        (_, [a, b]) if b >= half && a < half => out(1),
        (_, [a, b]) if a >= half && b >= half => Facing::Free,
        _ => Facing::Within,
    })
}

/// The extent of the element that a door or window is in, or of an element itself, along a direction.
fn wall_extent(shaper: &Shaper<'_>, own: Id, across: DVec3) -> Option<(f64, f64)> {
    let bodies = shaper.gross_bodies(own).ok()?;
    let points = bodies.iter().flat_map(crate::Solid::points).map(|p| p.dot(across));
    let extent = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    extent.0.is_finite().then_some(extent)
}

/// True if nothing built stands before a point.
fn is_free(model: &ifc::Model, index: &Index, from: DVec3, way: DVec3, but: [Id; 2]) -> bool {
    let is_built = |instance: Instance<'_>| BUILT.iter().any(|class| instance.is_a(class));
    let wanted = |id: Id| !but.contains(&id) && model.get(id).is_some_and(is_built);
    Ray::new(from, way).is_some_and(|ray| index.first_hit(&ray, wanted).is_none())
}

/// The property IsExternal of an element's common set, where it is stated.
fn stated(links: &Links<'_>, element: Id) -> Option<bool> {
    let class = links.model().get(element)?.class_name().to_owned();
    let stem = class.strip_prefix("Ifc")?.trim_end_matches("StandardCase").trim_end_matches("ElementedCase");
    let found = ifc::psets::find_with(links, element, &format!("Pset_{stem}Common"), "IsExternal")?;
    found.value.as_bool()
}
