//! The results of representation items: bodies at their places, notes, and a measure of how much was looked at.

use super::Form;
use crate::{read::ShapeError, style::Colour};
use glam::DAffine3;
use ifc::Id;
use std::sync::Arc;

/// One body of a representation, at its place.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The representation item it was made from.
    pub item: Id,
    /// The body in the item's own coordinates, shared by all its places.
    pub solid: Arc<Form>,
    /// From the item's coordinates to the representation's.
    pub at: DAffine3,
    /// The colour that the item's style gives.
    pub colour: Option<Colour>,
    /// True if it stands for something that could not be drawn.
    pub is_box: bool,
}

/// The outcome of reading representation items: bodies, and what could not be done.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// The bodies.
    pub pieces: Vec<Piece>,
    /// The things that are missing or simplified.
    pub notes: Vec<ShapeError>,
    /// The number of items that may still be looked at: items that refer to each other in circles or double at every step end.
    pub left: usize,
    /// The level of the most deeply nested of them.
    pub deepest: usize,
}

/// Items that one element may look at, mapped ones counted each time.
pub const MAX_ITEMS: usize = 20_000;

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces { pieces: Vec::new(), notes: Vec::new(), left: MAX_ITEMS, deepest: 0 }
    }
}

impl Pieces {
    pub(super) fn none(left: usize) -> Pieces {
        Pieces { left, ..Pieces::default() }
    }
}
