//! An element's bodies at their place in the world, as polygons: what is cut and measured rather than drawn.
//!
//! Gross bodies are as the representation says, net ones are less the openings. Nothing is triangulated and nothing coloured.

use crate::{
    element::cut,
    item::{Piece, Pieces, Shaper},
    read::ShapeError,
    solid::Solid,
};
use glam::DAffine3;
use ifc::Id;

/// One body of an element, in the world.
#[derive(Debug, Clone)]
pub struct Body {
    /// The representation item it was made from.
    pub item: Id,
    /// From the item's coordinates to the world's.
    pub place: DAffine3,
    /// Its faces.
    pub solid: Solid,
}

/// The bodies of one element, in metres, before map conversion.
#[derive(Debug, Clone, Default)]
pub struct Bodies {
    /// All of them.
    pub all: Vec<Body>,
    /// True if a box stands for a body that could not be made.
    pub is_box: bool,
    /// The things that are missing or simplified, and why.
    pub notes: Vec<ShapeError>,
}

impl Bodies {
    /// Returns true if there is at least one body, each encloses a volume, and none is a box in place of the true
    /// shape.
    pub fn are_sound(&self) -> bool {
        !self.is_box && !self.all.is_empty() && self.iter().all(|s| s.closed)
    }

    /// The faces of each.
    pub fn iter(&self) -> impl Iterator<Item = &Solid> {
        self.all.iter().map(|b| &b.solid)
    }

    /// The sum of the volumes in cubic metres; where bodies overlap, what they share counts twice.
    pub fn volume(&self) -> f64 {
        self.iter().map(Solid::volume).sum()
    }
}

impl Shaper<'_> {
    /// The bodies of an element as they are drawn before any opening is taken out. An error where it has none.
    pub fn gross_bodies(&self, id: Id) -> Result<Bodies, ShapeError> {
        self.bodies(id, false, &|_, _| true)
    }

    /// The bodies of an element less its openings. An error where it has none.
    pub fn net_bodies(&self, id: Id) -> Result<Bodies, ShapeError> {
        self.bodies(id, true, &|_, _| true)
    }

    /// The bodies of an element; those that `wanted` refuses, given the piece and its place in the world, are not made.
    pub(crate) fn bodies(
        &self,
        id: Id,
        less_openings: bool,
        wanted: &dyn Fn(&Piece, &DAffine3) -> bool,
    ) -> Result<Bodies, ShapeError> {
        let product = self.reader.get(id)?;
        let frame = self.frame(&product)?;
        let Pieces { mut pieces, mut notes, .. } = self.pieces(&product, None);
        if pieces.is_empty() {
            let first = notes.into_iter().next();
            return Err(first.unwrap_or_else(|| ShapeError::new(id, "has no body")));
        }
        let is_box = pieces.iter().any(|p| p.is_box);
        pieces.retain(|p| wanted(p, &(frame * p.at)));
        let openings = if less_openings && !pieces.is_empty() {
            self.openings(id, &frame, &mut notes)
        } else {
            Vec::new()
        };
        let made = |p: &Piece| Body {
            item: p.item,
            place: frame * p.at,
            solid: match cut(p, &openings, &mut notes) {
                Some(left) => left.moved(&frame),
                None => p.solid.moved(&(frame * p.at)),
            },
        };
        let all = pieces.iter().map(made).collect();
        Ok(Bodies { all, is_box, notes })
    }
}
