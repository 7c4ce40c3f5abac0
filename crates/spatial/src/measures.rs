//! The measures of a room: floor, volume, perimeter, heights, wall and ceiling, by the definitions of Qto_SpaceBaseQuantities
//! (ISO 16739-1, 6.1): gross with what stands in the room, net without columns, inner walls and openings in the floor.

use crate::{
    Room,
    facet::{Facet, counts, extent, loops_of},
    outline,
    pairing::{self, Piece},
    parts::Parts,
    passage::Side,
};
use geometry::{
    math::signed_area,
    region::{self, Area, Loop},
    section::{Plane, of_mesh},
};
use glam::DVec2;

/// Measures in metres, m² and m³.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoomMeasures {
    /// Floor with what stands on it and with openings in it.
    pub gross_floor_area: f64,
    /// Floor without columns, walls that stand in the room, and openings in the floor.
    pub net_floor_area: f64,
    /// Volume of the body; of one that does not close, floor by mean height.
    pub volume: f64,
    /// Length of all sides of the floor, doors and open sides included.
    pub gross_perimeter: f64,
    /// The same without doors, openings to the floor and open sides.
    pub net_perimeter: f64,
    /// Least height between floor and ceiling over at least a hand's breadth.
    pub least_height: f64,
    /// Volume over gross floor area.
    pub mean_height: f64,
    /// Upright faces of the body, with their openings.
    pub wall_area: f64,
    /// The same without doors, windows, openings, and faces that are open to another room.
    pub net_wall_area: f64,
    /// Upper faces of the body, by their own slope.
    pub ceiling_area: f64,
    /// The levels of the floor with the area of each, the lowest first, where there is more than one.
    pub levels: Vec<(f64, f64)>,
}

/// Levels of a floor nearer than this, in metres, are one.
const SAME_LEVEL: f64 = 0.02;
/// The height over the floor at which columns and walls in the room are cut, in metres: below that of roofs that come down to it.
const CUT: f64 = 0.05;
/// The least height over the floor of what stands in the room, in metres.
const STANDS: f64 = 0.5;
/// An opening whose sill is lower than this over the floor, in metres, takes from the net perimeter.
const TO_FLOOR: f64 = 0.05;

impl RoomMeasures {
    /// The measures of a room of a layout.
    pub fn of_room(layout: &Parts, number: usize) -> RoomMeasures {
        let Some(room) = layout.rooms.rooms.get(number) else { return RoomMeasures::default() };
        let facets: Vec<&Facet> = layout.facets_of(number).map(|(_, facet)| facet).collect();
        let size = |f: &Facet| region::even_odd(&f.loops).iter().map(Area::size).sum::<f64>();
        let of = |wanted: &dyn Fn(f64) -> bool| -> f64 {
            facets.iter().filter(|f| wanted(f.normal().z)).map(|f| size(f)).sum()
        };
        let standing = standing(layout, number, room);
        let floor: Vec<Loop> = loops_of(&room.floor);
        let filled: f64 = room
            .floor
            .iter()
            .flat_map(|a| &a.holes)
            .filter(|h| is_filled(h, &standing))
            .map(|h| signed_area(h).abs())
            .sum();
        let gross = outline::size(&room.floor) + filled;
        let mut taken = standing;
        taken.extend(floor_openings(layout, number));
        let net = outline::size(&region::less_all(&floor, &taken)).clamp(0.0, gross);
        let gross_perimeter: f64 = floor.iter().map(|l| region::perimeter(l)).sum();
        let (least, mean) = heights(&facets);
        let wall_area = of(&|z| z.abs() <= 0.5);
        let volume = if room.is_closed { room.solid.volume() } else { gross * mean };
        RoomMeasures {
            gross_floor_area: gross,
            net_floor_area: net,
            volume,
            gross_perimeter,
            net_perimeter: (gross_perimeter - open_sides(layout, number, room)).max(0.0),
            least_height: least,
            mean_height: if gross > 0.0 { volume / gross } else { mean },
            wall_area,
            net_wall_area: (wall_area - opened(layout, number)).max(0.0),
            ceiling_area: of(&|z| z > 0.5),
            levels: levels(&facets),
        }
    }
}

/// Least and mean height between the floors and ceilings of a body: for every floor the ceiling that comes next above it.
fn heights(facets: &[&Facet]) -> (f64, f64) {
    let flat = |f: &Facet| -> Vec<Loop> {
        let point = |p: &DVec2| f.lift(*p).truncate();
        f.loops.iter().map(|l| l.iter().map(point).collect()).collect()
    };
    let height_at = |f: &Facet, p: DVec2| -> f64 {
        let n = f.normal();
        let o = f.plane.translation;
        o.z - (n.x * (p.x - o.x) + n.y * (p.y - o.y)) / n.z
    };
    let upper: Vec<(&&Facet, Vec<Loop>)> =
        facets.iter().filter(|f| f.normal().z > 0.1).map(|f| (f, flat(f))).collect();
    let (mut least, mut sum, mut whole) = (f64::INFINITY, 0.0, 0.0);
    for floor in facets.iter().filter(|f| f.normal().z < -0.5) {
        let mut left = flat(floor);
        let mut above: Vec<(&&Facet, &Vec<Loop>)> = upper.iter().map(|(f, loops)| (*f, loops)).collect();
        above.sort_by(|a, b| a.0.plane.translation.z.total_cmp(&b.0.plane.translation.z));
        for (ceiling, seen) in above {
            let shared: Vec<Area> = region::intersection(&left, seen).into_iter().filter(counts).collect();
            let over = |p: &DVec2| height_at(ceiling, *p) - height_at(floor, *p);
            let parts: Vec<&Area> = shared
                .iter()
                .filter(|a| a.outer.iter().map(over).fold(f64::NEG_INFINITY, f64::max) > 0.01)
                .collect();
            for area in &parts {
                for p in &area.outer {
                    least = least.min(over(p).max(0.0));
                }
                let middle = area.outer.iter().sum::<DVec2>() / area.outer.len().max(1) as f64;
                sum += over(&middle).max(0.0) * area.size();
                whole += area.size();
            }
            if !parts.is_empty() {
                left = loops_of(&region::difference(&left, seen));
            }
        }
    }
    (if least.is_finite() { least } else { 0.0 }, if whole > 0.0 { sum / whole } else { 0.0 })
}

/// The levels of the floor with their areas, where there is more than one.
fn levels(facets: &[&Facet]) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = Vec::new();
    for facet in facets.iter().filter(|f| f.normal().z < -0.999) {
        let size: f64 = region::even_odd(&facet.loops).iter().map(Area::size).sum();
        let z = facet.plane.translation.z;
        match found.iter_mut().find(|(level, _)| (level - z).abs() < SAME_LEVEL) {
            Some((_, sum)) => *sum += size,
            None => found.push((z, size)),
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    if found.len() < 2 { Vec::new() } else { found }
}

/// Cuts what stands in a room: columns, and walls that are not around it, as counter-clockwise loops in plan.
fn standing(layout: &Parts, number: usize, room: &Room) -> Vec<Loop> {
    let bounds = layout.rooms.bounds(number);
    let Some(plane) = Plane::level(room.foot + CUT) else { return Vec::new() };
    let mut found = Vec::new();
    let near = layout.elements.index().near(&bounds, -TO_FLOOR);
    for element in near.into_iter().filter(|e| layout.elements.is_upright(e.id())) {
        let b = element.bounds();
        // what is no higher lies on the floor: finishes, steps
        if b.min.z < room.foot + CUT && b.max.z > room.foot + STANDS {
            found.extend(of_mesh(element.mesh(), &plane).areas);
        }
    }
    loops_of(&found)
}

/// Returns true if most of a hole in a floor is taken by what stands there.
fn is_filled(hole: &Loop, standing: &[Loop]) -> bool {
    let hole = Area::new(hole.clone(), Vec::new()).outer;
    let whole = signed_area(&hole);
    let open: f64 = region::less_all(std::slice::from_ref(&hole), standing).iter().map(Area::size).sum();
    open < 0.1 * whole
}

/// The openings in the floor of a room, in plan.
fn floor_openings(layout: &Parts, number: usize) -> Vec<Loop> {
    let below = |p: &&crate::passage::Passage| {
        p.is_level() && p.from_room(number).next().is_some() && p.outward(number).z < -0.7
    };
    let square = |p: &crate::passage::Passage| -> Loop {
        let (x, y) = (p.frame.x_axis * p.width / 2.0, p.frame.y_axis * p.height / 2.0);
        let corners = [-x - y, x - y, x + y, y - x].map(|by| (p.frame.translation + by).truncate());
        Area::new(corners.to_vec(), Vec::new()).outer
    };
    layout.passages_at(number).map(|(_, passage)| passage).filter(below).map(square).collect()
}

/// The length of doors, openings that reach the floor, and open sides.
fn open_sides(layout: &Parts, number: usize, room: &Room) -> f64 {
    let mut sum = 0.0;
    let passages = layout.passages_at(number).map(|(_, passage)| passage);
    for passage in passages.filter(|p| !p.is_level() && p.sill() < room.foot + TO_FLOOR) {
        let share: f64 = passage.from_room(number).map(|(_, share)| share).sum();
        sum += passage.width * share;
    }
    for (piece, facet) in open_pieces(layout, number) {
        if let Some((low, high)) = extent(&piece.area.outer).filter(|_| facet.normal().z.abs() < 0.5) {
            sum += high.x - low.x;
        }
    }
    sum
}

/// The area of a room's upright faces that doors, windows and openings take, and of those that are open to other rooms.
fn opened(layout: &Parts, number: usize) -> f64 {
    let share = |p: &crate::passage::Passage| p.from_room(number).map(|(_, share)| share).sum::<f64>();
    let passages = layout.passages_at(number).map(|(_, passage)| passage).filter(|p| !p.is_level());
    let passages: f64 = passages.map(|p| p.area * share(p).min(1.0)).sum();
    let upright = open_pieces(layout, number).filter(|(_, facet)| facet.normal().z.abs() <= 0.5);
    passages + upright.map(|(piece, _)| piece.area.size()).sum::<f64>()
}

/// The parts of a room's faces that are open to another room, with nothing between.
fn open_pieces(layout: &Parts, number: usize) -> impl Iterator<Item = (&Piece, &Facet)> {
    let is_open =
        |piece: &Piece| piece.crossed.is_empty() && matches!(piece.behind, pairing::Behind::Piece(_));
    layout.pieces_of(number).filter(move |(piece, _)| is_open(piece))
}

/// The doors, windows and openings of a room: their places in [`Layout::passages`], with the other side and the part that lies there.
pub fn passages_of(layout: &Parts, room: usize) -> Vec<(usize, Side, f64)> {
    let of = |(number, passage): (usize, &crate::passage::Passage)| -> Vec<(usize, Side, f64)> {
        passage.from_room(room).map(|(side, share)| (number, side, share)).collect()
    };
    layout.passages_at(room).flat_map(of).collect()
}
