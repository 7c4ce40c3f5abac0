//! Drawings: a view of a plane on paper, at a scale, as SVG with every element a group of its own.
//!
//! What the plane cuts is filled and has a heavy outline; what is seen beyond it is drawn in thin lines. The sheet is as large as
//! what is on it: names of rooms, storeys beside a section, a title and a bar with the scale. Hidden lines are left out, lines are
//! data and stay sharp. Dimensions, hatches by material and frames are not drawn.

mod path;
mod sheet;
#[cfg(test)]
mod tests;

use crate::view::Seen;
use glam::DVec2;

/// The weight of a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Parts that carry or divide: filled, with a heavy outline.
    Heavy,
    /// Parts that fill, furnish or clothe: white, with a fine outline.
    Light,
}

/// One element on a drawing.
#[derive(Debug, Clone)]
pub struct Figure<'s> {
    /// Its lines and what is cut of it.
    pub seen: &'s Seen,
    /// The id of its group: the element's GlobalId.
    pub id: String,
    /// Its IFC class.
    pub class: String,
    /// Its name, for readers that show one.
    pub name: Option<String>,
    /// The weight of its cut.
    pub cut: Cut,
}

/// Words at a place, in coordinates of the plane (metres).
#[derive(Debug, Clone, PartialEq)]
pub struct Caption {
    /// The middle of the words.
    pub at: DVec2,
    /// One line.
    pub text: String,
}

/// A level line across a section.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelLine {
    /// Its height as the plane's second coordinate, in metres.
    pub height: f64,
    /// The words at its end.
    pub text: String,
}

/// A drawing.
#[derive(Debug, Clone, Default)]
pub struct Drawing<'s> {
    /// The words below it.
    pub title: String,
    /// The number of metres in the world that one metre on paper stands for.
    pub scale: f64,
    /// The elements, each above those before it.
    pub figures: Vec<Figure<'s>>,
    /// Words on it.
    pub captions: Vec<Caption>,
    /// Level lines; those above or below what is drawn are left out.
    pub levels: Vec<LevelLine>,
}

/// A drawing as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The SVG document.
    pub svg: String,
    /// The width and height of the paper in mm.
    pub size: DVec2,
    /// The least and greatest coordinates of the plane that are drawn, in metres.
    pub extent: [DVec2; 2],
}

impl Drawing<'_> {
    /// Returns the drawing as SVG; `None` where it has no line.
    pub fn sheet(&self) -> Option<Sheet> {
        sheet::write(self)
    }
}
