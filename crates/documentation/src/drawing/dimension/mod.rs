//! Dimensions: chains of measures between places of the model, with strokes at 45 degrees, their figures over the line.
//!
//! Every measure is that between two places of the model; what is drawn aside, because there is no room, is drawn aside as words only.

mod asked;
mod chain;
mod facade;
mod inner;

pub(super) use asked::draw as draw_asked;
pub use asked::{Asked, End};
pub(super) use chain::{Chain, draw as draw_chain};
pub(super) use facade::{draw as draw_facades, outline};
pub(super) use inner::draw as draw_inner;

use glam::DVec3;

/// The kinds of dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Openings and what lies between them, along a facade.
    Openings,
    /// The stretches of a facade between its corners.
    Walls,
    /// The lines of a grid.
    Grid,
    /// A facade as a whole.
    Overall,
    /// The clear width of a room.
    Room,
    /// The thickness of what lies between two rooms.
    Thickness,
    /// Heights of storeys.
    Storeys,
    /// Heights of openings.
    Heights,
    /// Two places that were asked for.
    Asked,
}

/// A dimension as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimension {
    /// The kind.
    pub of: Of,
    /// Its measure in metres.
    pub metres: f64,
    /// The places that it is measured between, in metres of the world.
    pub ends: [DVec3; 2],
    /// The figures as they are drawn; empty where there was no room for them.
    pub words: String,
}
