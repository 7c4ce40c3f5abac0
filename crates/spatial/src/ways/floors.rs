//! Level floors: what one can stand on, as areas in plan at one height.
//!
//! Floors are the level upper faces of slabs, floor coverings, landings and wide treads. Where a room's own floor lies over slabs the
//! part of it that is carried is floor too, so that a screed that is not modelled makes no step; a room under which no slab is
//! modelled at all stands on its own floor, and is told of. Roofs are no floors.

use crate::Rooms;
use crate::facet::loops_of;
use geometry::query::{Element, Index};
use geometry::region::{self, Area, Loop};
use ifc::Id;
use ifc::relations::Links;

/// A level piece of floor.
#[derive(Debug, Clone)]
pub struct Floor {
    /// Its height in metres of the world.
    pub height: f64,
    /// Its outline: outer loops counter-clockwise, holes clockwise.
    pub loops: Vec<Loop>,
    /// Its size in m².
    pub size: f64,
}

/// Upper faces whose normal is at least so steep are level: to 2.5 degrees.
const LEVEL: f64 = 0.999;
/// Faces this near to each other in height, in metres, are one level.
const SAME_LEVEL: f64 = 0.002;
/// Smaller pieces, in m², are edges and notches.
const LEAST: f64 = 0.05;

/// True of an element that is walked on.
fn is_floor(links: &Links<'_>, id: Id) -> bool {
    let Some(instance) = links.model().get(id) else { return false };
    let kind = || links.predefined_type(id).unwrap_or_default();
    if instance.is_a("IfcCovering") {
        return kind() == "FLOORING";
    }
    instance.is_a("IfcSlab") && kind() != "ROOF"
}

/// The level upper faces of a body by height.
pub fn level_faces(element: &Element) -> Vec<Floor> {
    let mesh = element.mesh();
    let mut faces: Vec<(f64, Loop)> = Vec::new();
    for (number, corners) in mesh.triangles.iter().enumerate() {
        if element.normal(number as u32).is_none_or(|n| n.z < LEVEL) {
            continue;
        }
        let at = |i: u32| mesh.positions.get(i as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else { continue };
        faces.push(((a.z + b.z + c.z) / 3.0, vec![a.truncate(), b.truncate(), c.truncate()]));
    }
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let levels = faces.chunk_by(|a, b| b.0 - a.0 < SAME_LEVEL);
    let floor = |level: &[(f64, Loop)]| {
        let height = level.iter().map(|(height, _)| height).sum::<f64>() / level.len().max(1) as f64;
        let loops: Vec<Loop> = level.iter().map(|(_, face)| face.clone()).collect();
        Floor::new(height, region::union(&loops))
    };
    levels.map(floor).collect()
}

impl Floor {
    /// A floor of areas at a height.
    pub fn new(height: f64, areas: Vec<Area>) -> Floor {
        let size = areas.iter().map(Area::size).sum();
        Floor { height, loops: loops_of(&areas), size }
    }
}

/// The floors of a model, and the places in the list of rooms that stand on nothing modelled.
pub fn floors(links: &Links<'_>, index: &Index, rooms: &Rooms) -> (Vec<Floor>, Vec<usize>) {
    let mut elements: Vec<_> = index.iter().filter(|e| is_floor(links, e.id())).collect();
    elements.sort_by_key(|e| e.id());
    let mut found: Vec<Floor> = Vec::new();
    for element in elements {
        found.extend(level_faces(element).into_iter().filter(|f| f.size > LEAST));
    }
    let mut unsupported = Vec::new();
    let mut of_rooms = Vec::new();
    for (number, room) in rooms.rooms.iter().enumerate() {
        // what carries it lies at most a floor's thickness below, or a little above where the room reaches into the slab
        let carried = |f: &&Floor| f.height > room.foot - 0.5 && f.height < room.foot + 0.1;
        let below: Vec<Loop> = found.iter().filter(carried).flat_map(|f| f.loops.iter().cloned()).collect();
        let below = loops_of(&region::union(&below));
        let own: Vec<Loop> = room.floor.iter().flat_map(|a| a.loops().cloned()).collect();
        let whole: f64 = room.floor.iter().map(Area::size).sum();
        let floor = Floor::new(room.foot, region::intersection(&own, &below));
        if floor.size >= 0.3 * whole {
            of_rooms.push(floor);
        } else {
            unsupported.push(number);
            of_rooms.push(Floor::new(room.foot, room.floor.clone()));
        }
    }
    found.extend(of_rooms);
    found.retain(|f| f.size > LEAST);
    (found, unsupported)
}
