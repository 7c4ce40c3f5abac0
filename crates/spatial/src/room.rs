//! A room: its body, its outline in plan, and what it is called.

use geometry::{Solid, region::Area};
use glam::{DVec2, DVec3};
use ifc::Id;
use std::sync::Arc;

/// The source of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// An IfcSpace of the file.
    Stored(Id),
    /// Space between walls, slabs and virtual boundaries, on a storey that has no IfcSpace.
    Found,
}

/// A room of a building, in metres of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Room {
    /// The GlobalId of the IfcSpace. A room that was found has its name, which is the same as long as the storey's walls are.
    pub id: String,
    /// Name of the IfcSpace, such as `A102`; of a room that was found, `Level 1 room 2`: storey and number.
    pub name: String,
    /// LongName of the IfcSpace, such as `Living Room`; empty where there is none.
    pub long_name: String,
    /// Tells whether the file has it or it was found.
    pub origin: Origin,
    /// The place of its storey in [`crate::Rooms::storeys`].
    pub storey: Option<usize>,
    /// True if it lies outdoors, as a terrace or a balcony: the file says so, or its name and the open sky over it do.
    pub is_outside: bool,
    /// The floor in plan: areas with holes that do not overlap, x and y of the world.
    pub floor: Vec<Area>,
    /// Height of the lowest part of its floor.
    pub foot: f64,
    /// Height of the highest part of its ceiling.
    pub top: f64,
    /// Its body: inner faces, the normals looking out of the room.
    pub solid: Arc<Solid>,
    /// True if the body encloses a volume; of another, volume and heights are what can be said.
    pub is_closed: bool,
}

impl Room {
    /// The IfcSpace, of a room that the file has.
    pub fn space(&self) -> Option<Id> {
        match self.origin {
            Origin::Stored(id) => Some(id),
            Origin::Found => None,
        }
    }

    /// True if the room is not in the file but was found between walls.
    pub fn is_found(&self) -> bool {
        self.origin == Origin::Found
    }

    /// Name and long name, as people call it.
    pub fn label(&self) -> String {
        let both = [self.name.trim(), self.long_name.trim()];
        let mut parts: Vec<&str> = both.into_iter().filter(|part| !part.is_empty()).collect();
        parts.dedup();
        if parts.is_empty() { self.id.clone() } else { parts.join(" ") }
    }

    /// Returns true if a point of the plan lies on its floor; its edge belongs to it or not.
    pub fn covers(&self, p: DVec2) -> bool {
        self.floor.iter().any(|area| crate::facet::holds(area.loops(), p))
    }

    /// Returns true if a point lies between its floor and its ceiling, by plan and height. Under sloped ceilings this is more than
    /// the body; [`crate::Rooms::at`] asks that.
    pub fn spans(&self, p: DVec3) -> bool {
        (self.foot..=self.top).contains(&p.z) && self.covers(p.truncate())
    }
}
