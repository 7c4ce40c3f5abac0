//! Layers that are drawn over a model in a picture: a way, and floors of rooms in colours by what is computed of them.

use contract::Fault;
use contract::ops::{LegendEntry, OverlayRoom, RoomColours};
use geometry::element::{Part, Shape};
use geometry::mesh::Mesh;
use geometry::region::{self, Loop};
use geometry::render::{Item, Look};
use geometry::style::Colour;
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use spatial::Layout;
use spatial::depth::depths;
use std::sync::Arc;

/// Floors of rooms in colours.
pub(crate) struct ColouredRooms {
    /// The floor of each room.
    pub(crate) floors: Vec<ColouredFloor>,
    /// The colours that are there, the least value first.
    pub(crate) legend: Vec<LegendEntry>,
}

/// The floor of a room in its colour.
pub(crate) struct ColouredFloor {
    /// The room, by its place in [`spatial::Rooms::rooms`].
    number: usize,
    /// The IfcSpace.
    space: Option<Id>,
    colour: Colour,
    /// Height of the floor in metres of the world.
    height: f64,
    /// Corners in plan, and three for each triangle.
    points: Vec<DVec2>,
    triangles: Vec<u32>,
}

impl ColouredFloor {
    /// The floor as a part of a picture.
    pub(crate) fn item(&self) -> Item {
        let at =
            |i: u32| self.points.get(i as usize).copied().unwrap_or_default().extend(self.height + ABOVE);
        let triangles: Vec<[DVec3; 3]> =
            self.triangles.as_chunks::<3>().0.iter().map(|t| t.map(at)).collect();
        item(self.space.unwrap_or(Id(0)), &triangles, self.colour)
    }

    /// The floor as a viewer is sent it, and the box around it.
    pub(crate) fn layer(&self, layout: &Layout) -> (OverlayRoom, [DVec3; 2]) {
        let room = layout.rooms.rooms.get(self.number);
        let layer = OverlayRoom {
            id: room.map(|room| room.id.clone()).unwrap_or_default(),
            name: room.map(spatial::Room::label).unwrap_or_default(),
            colour: hex(self.colour),
            height: self.height,
            points: self.points.iter().map(|p| p.to_array().map(millimetres)).collect(),
            triangles: self.triangles.clone(),
        };
        let top = room.map_or(self.height, |room| room.top.min(self.height + 2.5));
        let (low, high) = spatial::facet::extent(&self.points).unwrap_or_default();
        (layer, [low.extend(self.height), high.extend(top)])
    }
}

/// Metres to the millimetre, which is what a viewer shows.
pub(crate) fn millimetres(metres: f64) -> f64 {
    (metres * 1e3).round() / 1e3
}

fn hex([r, g, b, _]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
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
pub(crate) const AREAS: [f64; 5] = [5.0, 10.0, 20.0, 40.0, 80.0];
/// Metres by which a layer lies over the floor, so that it is seen.
const ABOVE: f64 = 0.015;
/// Metres by which a way lies over its points: over what a floor is finished with, and over treads.
const OVER: f64 = 0.15;
/// Half the width of a way, in metres.
const HALF: f64 = 0.06;

/// The most points of a way, and the farthest that one may lie from the origin, in mm.
const MOST_POINTS: usize = 10_000;
const FARTHEST: f64 = 1e10;

/// The points of a way in metres; `field` names the parameter that gives them in mm.
pub(crate) fn places(field: &str, points: &[[f64; 3]]) -> Result<Vec<DVec3>, Fault> {
    let is_place = |v: &f64| v.is_finite() && v.abs() <= FARTHEST;
    if let Some(at) = points.iter().position(|point| !point.iter().all(is_place)) {
        let problem = format!("`{field}[{at}]` is no place: give [x, y, z] in mm.");
        return Err(Fault::invalid(field, problem));
    }
    if !(2..=MOST_POINTS).contains(&points.len()) {
        let count = points.len();
        let problem =
            format!("`{field}` has {count} points; give 2 to {MOST_POINTS}, as `path_finding` answers them.");
        return Err(Fault::invalid(field, problem));
    }
    Ok(points.iter().map(|p| DVec3::from_array(*p) / 1000.0).collect())
}

/// The Fault of a storey, or of a model, without rooms.
pub(crate) fn no_rooms(storey: Option<Id>) -> Fault {
    let what = if storey.is_some() { "storey" } else { "model" };
    Fault::invalid("rooms", format!("There are no rooms on this {what}, and its walls enclose none."))
}

/// The way through points in metres of the world, as a ribbon with a disc at its start and an arrow at its end.
pub(crate) fn way(points: &[DVec3]) -> Option<Item> {
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
pub(crate) fn rooms(layout: &Layout, by: RoomColours, storey: Option<Id>) -> ColouredRooms {
    let all = &layout.rooms;
    let wanted = |number: &usize| {
        let own = all.rooms.get(*number).and_then(|room| all.storeys.get(room.storey?)).map(|s| s.id);
        storey.is_none() || own == storey
    };
    let depths = if by == RoomColours::Depth { depths(layout) } else { Vec::new() };
    let deepest = depths.iter().flatten().copied().max().unwrap_or(0);
    let mut classes: Vec<(usize, String, Colour, usize)> = Vec::new();
    let mut floors = Vec::new();
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
        let mut floor = ColouredFloor {
            number,
            space: room.space(),
            colour,
            height: room.foot,
            points: Vec::new(),
            triangles: Vec::new(),
        };
        for area in &room.floor {
            let loops: Vec<Loop> = area.loops().cloned().collect();
            let first = floor.points.len() as u32;
            floor.points.extend(loops.iter().flatten());
            floor.triangles.extend(region::triangles(&loops).into_iter().map(|i| first + i));
        }
        floors.push(floor);
    }
    classes.sort_by_key(|(class, ..)| *class);
    let legend =
        classes.into_iter().map(|(_, says, colour, rooms)| LegendEntry { colour: hex(colour), says, rooms });
    ColouredRooms { floors, legend: legend.collect() }
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
    let mut shape = Shape::default();
    shape.parts.push(part);
    Item { element, shape: Arc::new(shape), look: Look::Styled }
}
