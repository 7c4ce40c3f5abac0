//! Doors, windows and openings, with the rooms on both sides of each.
//!
//! Lines through an opening are followed to both sides until they enter a room. An opening that wholly lies within one room, or a
//! recess that does not go through its host, leads nowhere.

use geometry::region::Area;
use glam::{DAffine3, DVec3};
use ifc::Id;

/// The kind of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassageKind {
    /// An IfcDoor.
    Door,
    /// An IfcWindow.
    Window,
    /// An opening that nothing fills.
    Opening,
}

/// One side of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// A room, by its place in [`Rooms::rooms`].
    Room(usize),
    /// The open air.
    Outdoors,
    /// A part of the building without a room.
    Building,
}

impl Side {
    /// The room, by its place in [`Rooms::rooms`].
    pub fn room(self) -> Option<usize> {
        match self {
            Side::Room(room) => Some(room),
            Side::Outdoors | Side::Building => None,
        }
    }
}

/// The two sides of a part of a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The side that the passage's z axis comes from, and the one that it goes to.
    pub sides: [Side; 2],
    /// The part of the passage that lies between these two, from 0 to 1.
    pub share: f64,
}

/// A door, a window or an opening.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The door or window, else the opening.
    pub element: Id,
    /// Its kind.
    pub kind: PassageKind,
    /// The IfcOpeningElement; a door in a curtain wall has none.
    pub opening: Option<Id>,
    /// The wall, slab or other element that is opened.
    pub host: Option<Id>,
    /// The middle; z goes through, x runs along the host, y up.
    pub frame: DAffine3,
    /// Width of the opening in metres, along x.
    pub width: f64,
    /// Height of the opening in metres, along y; in a slab the other of its two lengths.
    pub height: f64,
    /// Area of the opening in m².
    pub area: f64,
    /// Its outline in x and y of the frame, in metres.
    pub outline: Vec<Area>,
    /// The sides, the largest part first.
    pub crossings: Vec<Crossing>,
}

impl Passage {
    /// The height of its lowest point, in metres of the world.
    pub fn sill(&self) -> f64 {
        self.frame.translation.z - self.frame.y_axis.z.abs() * self.height / 2.0
    }

    /// True if it opens a slab or roof and not a wall.
    pub fn is_level(&self) -> bool {
        self.frame.z_axis.z.abs() > 0.7
    }

    /// The sides of all its crossings.
    pub fn sides(&self) -> impl Iterator<Item = Side> {
        self.crossings.iter().flat_map(|crossing| crossing.sides)
    }

    /// The rooms that it opens, each with the other side and its share of the passage.
    pub fn from_room(&self, room: usize) -> impl Iterator<Item = (Side, f64)> {
        let own = Side::Room(room);
        self.crossings.iter().filter_map(move |c| match c.sides {
            [a, b] if a == own && b != own => Some((b, c.share)),
            [a, b] if b == own && a != own => Some((a, c.share)),
            _ => None,
        })
    }

    /// The direction out of a room, at length one.
    pub fn outward(&self, room: usize) -> DVec3 {
        let ends_in = |c: &&Crossing| c.sides[1] == Side::Room(room);
        if self.crossings.iter().any(|c| ends_in(&c)) { -self.frame.z_axis } else { self.frame.z_axis }
    }
}
