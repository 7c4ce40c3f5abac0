//! Layers that are drawn over a model in a picture: a way, and floors of rooms in colours by what is computed of them.

use geometry::element::{Part, Shape};
use geometry::mesh::Mesh;
use geometry::region::{self, Loop};
use geometry::render::{Item, Look};
use geometry::style::Colour;
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use spatial::Layout;
use spatial::depth::depths;
use std::sync::Arc;

/// The measure that colours rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RoomColours {
    /// Area of the floor.
    Area,
    /// Doors and openings passed from outside.
    Depth,
}

/// A colour of the picture and what has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LegendEntry {
    /// As `#rrggbb`.
    colour: String,
    /// The rooms that have it: a range of areas in m², or a number of doors.
    says: String,
    /// The number of rooms.
    rooms: usize,
}

/// Floors of rooms in colours.
pub struct ColouredRooms {
    /// One item for each room.
    pub items: Vec<Item>,
    /// The colours that are there, the least value first.
    pub legend: Vec<LegendEntry>,
}

/// From the least to the greatest: colours that differ in lightness, too (ColorBrewer YlGnBu, 6 classes).
const RAMP: [Colour; 6] = [
    [255, 255, 204, 255],
    [199, 233, 180, 255],
    [127, 205, 187, 255],
    [65, 182, 196, 255],
    [44, 127, 184, 255],
    [37, 52, 148, 255],
];
/// The colour of rooms without a value.
const NO_VALUE: Colour = [200, 200, 200, 255];
/// The colour of a way.
const WAY: Colour = [226, 60, 24, 255];
/// Upper ends of classes of area in m²; what is larger is in the last.
const AREAS: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 80.0];
/// Metres by which a layer lies over the floor, so that it is seen.
const ABOVE: f64 = 0.015;
/// Metres by which a way lies over its points: over what a floor is finished with, and over treads.
const OVER: f64 = 0.15;
/// Half the width of a way, in metres.
const HALF: f64 = 0.06;

/// The way through points in metres of the world, as a ribbon with a disc at its start and an arrow at its end.
pub fn way(points: &[DVec3]) -> Option<Item> {
    let mut triangles: Vec<[DVec3; 3]> = Vec::new();
    let mut quad = |a: DVec3, b: DVec3, across: DVec3| {
        triangles.push([a - across, b - across, b + across]);
        triangles.push([a - across, b + across, a + across]);
    };
    let lifted: Vec<DVec3> = points.iter().map(|p| p + DVec3::Z * OVER).collect();
    let ahead = |a: DVec3, b: DVec3| (b - a).truncate().normalize_or_zero();
    for pair in lifted.windows(2) {
        let [a, b] = [pair.first()?, pair.get(1)?];
        let way = ahead(*a, *b);
        // a ride straight up is seen from the side alone
        let across = if way == DVec2::ZERO { DVec3::X } else { way.perp().extend(0.0) } * HALF;
        quad(*a, *b, across);
    }
    let around = |k: u32| DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 16.0).extend(0.0);
    for (number, p) in lifted.iter().enumerate() {
        let radius = if number == 0 { 3.0 * HALF } else { HALF };
        triangles.extend((0..16).map(|k| [*p, p + around(k) * radius, p + around(k + 1) * radius]));
    }
    let (last, before) = (*lifted.last()?, *lifted.iter().rev().nth(1)?);
    let way = ahead(before, last).extend(0.0);
    let side = DVec3::new(-way.y, way.x, 0.0);
    triangles.push([last + way * (3.0 * HALF), last + side * (3.0 * HALF), last - side * (3.0 * HALF)]);
    Some(item(Id(0), &triangles, WAY))
}

/// The floors of rooms, of one storey or of all, in colours by a measure; nothing where there are no rooms.
pub fn rooms(layout: &Layout, by: RoomColours, storey: Option<Id>) -> ColouredRooms {
    let all = &layout.rooms;
    let wanted = |number: &usize| {
        let own = all.rooms.get(*number).and_then(|room| all.storeys.get(room.storey?)).map(|s| s.id);
        storey.is_none() || own == storey
    };
    let depths = if by == RoomColours::Depth { depths(layout) } else { Vec::new() };
    let deepest = depths.iter().flatten().copied().max().unwrap_or(0);
    let mut classes: Vec<(usize, String, Colour, usize)> = Vec::new();
    let mut items = Vec::new();
    for number in (0..all.rooms.len()).filter(wanted) {
        let Some(room) = all.rooms.get(number) else { continue };
        let (class, says, colour) = match by {
            RoomColours::Area => of_area(room.floor.iter().map(region::Area::size).sum()),
            RoomColours::Depth => of_depth(depths.get(number).copied().flatten(), deepest),
        };
        match classes.iter_mut().find(|(known, ..)| *known == class) {
            Some((.., count)) => *count += 1,
            None => classes.push((class, says, colour, 1)),
        }
        let height = room.foot + ABOVE;
        let mut triangles = Vec::new();
        for area in &room.floor {
            let loops: Vec<Loop> = area.loops().cloned().collect();
            let points: Vec<DVec3> = loops.iter().flatten().map(|p| p.extend(height)).collect();
            let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
            triangles.extend(region::triangles(&loops).as_chunks::<3>().0.iter().map(|t| t.map(at)));
        }
        items.push(item(room.space().unwrap_or(Id(0)), &triangles, colour));
    }
    classes.sort_by_key(|(class, ..)| *class);
    let legend = classes.into_iter().map(|(_, says, [r, g, b, _], rooms)| LegendEntry {
        colour: format!("#{r:02x}{g:02x}{b:02x}"),
        says,
        rooms,
    });
    ColouredRooms { items, legend: legend.collect() }
}

fn of_area(area: f64) -> (usize, String, Colour) {
    let class = AREAS.iter().position(|end| area < *end).unwrap_or(AREAS.len());
    let says = match (class.checked_sub(1).and_then(|at| AREAS.get(at)), AREAS.get(class)) {
        (None, Some(end)) => format!("below {end} m²"),
        (Some(start), Some(end)) => format!("{start} to {end} m²"),
        (start, None) => format!("{} m² and more", start.unwrap_or(&0.0)),
    };
    (class, says, RAMP.get(class).copied().unwrap_or(NO_VALUE))
}

fn of_depth(depth: Option<usize>, deepest: usize) -> (usize, String, Colour) {
    let Some(depth) = depth else { return (usize::MAX, "not reached from outside".to_owned(), NO_VALUE) };
    let says =
        if depth == 1 { "1 door from outside".to_owned() } else { format!("{depth} doors from outside") };
    // more depths than colours share them
    let last = RAMP.len() - 1;
    let place = if deepest <= last { depth } else { (depth * last).div_ceil(deepest) };
    (depth, says, RAMP.get(place.min(last)).copied().unwrap_or(NO_VALUE))
}

/// Triangles in one colour, each with the side up that is seen from above.
fn item(element: Id, triangles: &[[DVec3; 3]], colour: Colour) -> Item {
    let mut mesh = Mesh::default();
    for [a, b, c] in triangles {
        let normal = (*b - *a).cross(*c - *a).normalize_or_zero();
        let (corners, normal) = if normal.z < 0.0 { ([*a, *c, *b], -normal) } else { ([*a, *b, *c], normal) };
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(corners);
        mesh.normals.extend([normal; 3]);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    let part = Part { item: element, mesh: Arc::new(mesh.into()), at: DAffine3::IDENTITY, colour };
    let shape = Shape { parts: vec![part], ..Shape::default() };
    Item { element, shape: Arc::new(shape), look: Look::Styled }
}
