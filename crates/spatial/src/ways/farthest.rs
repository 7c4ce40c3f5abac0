//! The farthest place of each room: where the way from the nearest of some points is longest, as a travel distance is measured.
//!
//! The distance over a floor that is reached from one side is greatest at one of its corners; where ways from two exits or around both
//! sides of an obstacle meet, it may be so anywhere. So the corners are asked, and the floor between them in squares, of which those
//! that can hold something farther are parted again. Parts of a room that no way leads to are left out.

use super::mesh::Mesh;
use super::search::{Spot, ways};
use crate::Rooms;
use crate::facet::{extent, holds};
use geometry::region::Area;
use glam::DVec2;

/// The farthest place of a room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Farthest {
    /// The length of the way to there in metres.
    pub length: f64,
    /// The place.
    pub spot: Spot,
    /// The source that is nearest to it, by its place in the list given.
    pub source: usize,
}

/// The side of the squares that are asked first, in metres.
const FIRST: f64 = 1.0;
/// The side of the last ones: no place is farther than the answer by more than half their diagonal.
const LAST: f64 = 0.125;
/// Squares of a room that are parted at most at a time.
const MOST: usize = 200;

/// A square of a room's floor.
#[derive(Debug, Clone, Copy)]
struct Square {
    room: usize,
    middle: DVec2,
}

/// The floor of a room on which the middle of the traveller can be.
struct Floor {
    layer: usize,
    areas: Vec<Area>,
}

/// Returns the farthest place of each room, in the order of [`Rooms::rooms`]; none of one that no way leads into.
pub fn farthest(mesh: &Mesh, rooms: &Rooms, sources: &[Spot]) -> Vec<Option<Farthest>> {
    let within = |n: usize| mesh.within_room(rooms, n).map(|(layer, areas)| Floor { layer, areas });
    let floors: Vec<Option<Floor>> = (0..rooms.rooms.len()).map(within).collect();
    let mut best: Vec<Option<Farthest>> = vec![None; floors.len()];
    let mut asked: Vec<(usize, Spot)> = Vec::new();
    let mut squares: Vec<Square> = Vec::new();
    for (room, floor) in floors.iter().enumerate() {
        let Some(floor) = floor else { continue };
        let corners = floor.areas.iter().flat_map(Area::loops).flatten();
        asked.extend(corners.filter_map(|p| Some((room, mesh.spot_on(floor.layer, *p)?))));
        asked.extend(mesh.room_spot(rooms, room).map(|spot| (room, spot)));
        squares.extend(grid(room, floor));
    }
    measure(mesh, sources, &asked, &mut best);
    let mut side = FIRST;
    while !squares.is_empty() {
        let spot = |square: &Square| {
            let floor = floors.get(square.room)?.as_ref()?;
            let is_free = floor.areas.iter().any(|area| holds(area.loops(), square.middle));
            is_free.then(|| mesh.spot_on(floor.layer, square.middle)).flatten()
        };
        let spots: Vec<Option<Spot>> = squares.iter().map(spot).collect();
        let asked: Vec<(usize, Spot)> =
            squares.iter().zip(&spots).filter_map(|(square, spot)| Some((square.room, (*spot)?))).collect();
        let mut lengths = measure(mesh, sources, &asked, &mut best).into_iter();
        if side <= LAST {
            break;
        }
        let mut kept: Vec<(f64, Square)> = Vec::new();
        for (square, spot) in squares.iter().zip(&spots) {
            // a square whose middle is not free may still hold free floor
            let length = match spot {
                Some(_) => lengths.next().flatten(),
                None => floors
                    .get(square.room)
                    .and_then(Option::as_ref)
                    .filter(|f| meets(f, square, side))
                    .map(|_| 0.0),
            };
            let known = best.get(square.room).copied().flatten();
            let (Some(length), Some(known)) = (length, known) else { continue };
            let most = length + side * std::f64::consts::FRAC_1_SQRT_2;
            if spot.is_none() || most > known.length {
                kept.push((most, *square));
            }
        }
        kept.sort_by(|a, b| a.1.room.cmp(&b.1.room).then(b.0.total_cmp(&a.0)));
        let mut count = (usize::MAX, 0);
        kept.retain(|(_, square)| {
            count = if count.0 == square.room { (count.0, count.1 + 1) } else { (square.room, 1) };
            count.1 <= MOST
        });
        side /= 2.0;
        squares = kept.iter().flat_map(|(_, square)| parted(*square, side)).collect();
    }
    best
}

/// The squares over the floor of a room.
fn grid(room: usize, floor: &Floor) -> Vec<Square> {
    let Some((low, high)) = extent(floor.areas.iter().flat_map(|a| &a.outer)) else { return Vec::new() };
    let count = ((high - low) / FIRST).ceil().max(DVec2::ONE);
    let (columns, rows) = (count.x as usize, count.y as usize);
    let at = |n: usize| DVec2::new((n % columns) as f64 + 0.5, (n / columns) as f64 + 0.5) * FIRST;
    (0..columns * rows).map(|n| Square { room, middle: low + at(n) }).collect()
}

/// Returns true if free floor may lie in a square whose middle is not free: an outline comes as near as its corners.
fn meets(floor: &Floor, square: &Square, side: f64) -> bool {
    let reach = side * std::f64::consts::FRAC_1_SQRT_2;
    let sides = floor.areas.iter().flat_map(Area::loops).flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)));
    sides.into_iter().any(|(a, b)| {
        let d = *b - *a;
        let t = ((square.middle - *a).dot(d) / d.length_squared().max(1e-18)).clamp(0.0, 1.0);
        square.middle.distance(*a + d * t) <= reach
    })
}

/// The four quarters of a square, which are so long.
fn parted(square: Square, side: f64) -> [Square; 4] {
    let corners =
        [DVec2::new(-0.5, -0.5), DVec2::new(0.5, -0.5), DVec2::new(-0.5, 0.5), DVec2::new(0.5, 0.5)];
    corners.map(|by| Square { room: square.room, middle: square.middle + by * side })
}

/// Measures the ways to some places by one search, keeps the farthest of each room, and returns the lengths.
fn measure(
    mesh: &Mesh,
    sources: &[Spot],
    asked: &[(usize, Spot)],
    best: &mut [Option<Farthest>],
) -> Vec<Option<f64>> {
    let targets: Vec<Spot> = asked.iter().map(|(_, spot)| *spot).collect();
    let found = ways(&mesh.net, sources, &targets);
    let mut lengths = Vec::with_capacity(found.len());
    for ((room, spot), way) in asked.iter().zip(found) {
        lengths.push(way.as_ref().map(|way| way.length));
        if let (Some(way), Some(known)) = (way, best.get_mut(*room))
            && known.is_none_or(|known| way.length > known.length)
        {
            *known = Some(Farthest { length: way.length, spot: *spot, source: way.source });
        }
    }
    lengths
}
