//! A boundary that a room is to have, before it is written.

use super::surface::Surface;
use geometry::region::Area;
use glam::DAffine3;
use ifc::Id;

/// The level of boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// One for each face and element.
    First,
    /// Divided by what lies behind.
    Second,
}

impl Level {
    /// Its name in files, by the agreement of implementers: `1stLevel`, `2ndLevel`.
    pub fn word(self) -> &'static str {
        match self {
            Level::First => "1stLevel",
            Level::Second => "2ndLevel",
        }
    }
}

/// A boundary that a room is to have.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBoundary {
    /// The IfcSpace.
    pub space: Id,
    /// The element, or an opening that nothing fills; none where the room is open.
    pub element: Option<Id>,
    /// True if nothing physical is there.
    pub is_virtual: bool,
    /// INTERNAL, EXTERNAL or EXTERNAL_EARTH.
    pub side: &'static str,
    /// `2a` or `2b`, on the second level.
    pub kind: Option<&'static str>,
    /// The plane in metres of the world, z out of the room.
    pub plane: DAffine3,
    /// The surface in the plane, in metres.
    pub area: Area,
    /// The boundary that it lies within, by place in the list: before its own.
    pub parent: Option<usize>,
    /// The boundary on the other side, by place in the list.
    pub corresponding: Option<usize>,
}

impl NewBoundary {
    /// True if both are the same but for what they are tied to.
    pub fn is_same(&self, other: &Self) -> bool {
        let own = |it: &Self| (it.space, it.element, it.is_virtual, it.side, it.kind, it.parent.is_some());
        own(self) == own(other) && Surface::wanted(self).is_same(&Surface::wanted(other))
    }
}
