//! Representation items become bodies, each item once: mapped items are the same body at another place.
//!
//! An item that is not drawn yet says so with its instance and reason; the other items of the representation go on.

mod body;
mod boolean;
mod directed;
mod faces;
mod form;
mod half_space;
mod loft;
mod mapped;
mod pieces;
mod primitive;
mod sectioned;
mod surface;
mod swept;

pub use form::Form;
pub use pieces::{MAX_ITEMS, Piece, Pieces};

use crate::{
    read::{MAX_DEPTH, Reader, ShapeError},
    solid::Solid,
    style::{Colour, Styles},
};
use glam::DAffine3;
use ifc::{Id, Model};
use parking_lot::RwLock;
use std::{collections::HashMap, sync::Arc};

/// The most triangles one item may have; a face with `n` points counts as `n`.
const MAX_CORNERS: usize = 3_000_000;

/// Mapped representations that were made, by instance.
pub type Mapped = HashMap<Id, Arc<Pieces>>;

/// Makes bodies of one model's representation items; a mapped representation is made once for all that map it.
pub struct Shaper<'m> {
    /// The model in metres.
    pub reader: Reader<'m>,
    /// Its styles.
    pub styles: Arc<Styles>,
    mapped: RwLock<Mapped>,
}

impl<'m> Shaper<'m> {
    /// A shaper of one state of a model.
    pub fn new(model: &'m Model) -> Shaper<'m> {
        Shaper::knowing(model, Arc::new(Styles::from_model(model)), Mapped::new())
    }

    /// A shaper for measuring only: it reads no styles.
    pub fn plain(model: &'m Model) -> Shaper<'m> {
        Shaper::knowing(model, Arc::default(), Mapped::new())
    }

    /// A shaper that was told the model's styles and some of its mapped representations.
    pub fn knowing(model: &'m Model, styles: Arc<Styles>, mapped: Mapped) -> Shaper<'m> {
        Shaper { reader: Reader::new(model), styles, mapped: RwLock::new(mapped) }
    }

    /// The mapped representations that it made or was told.
    pub fn into_mapped(self) -> Mapped {
        self.mapped.into_inner()
    }

    /// Adds the bodies of an item at a place.
    pub fn item(&self, id: Id, at: &DAffine3, colour: Option<Colour>, depth: usize, into: &mut Pieces) {
        if into.left == 0 {
            return;
        }
        into.left -= 1;
        into.deepest = into.deepest.max(depth);
        if into.left == 0 {
            into.notes.push(ShapeError::new(id, format!("is one of more than {MAX_ITEMS} items")));
            return;
        }
        if let Err(note) = self.try_item(id, at, colour, depth, into) {
            into.notes.push(note);
        }
    }

    fn try_item(
        &self,
        id: Id,
        at: &DAffine3,
        colour: Option<Colour>,
        depth: usize,
        into: &mut Pieces,
    ) -> Result<(), ShapeError> {
        let item = self.reader.get(id)?;
        if depth > MAX_DEPTH {
            // most likely a circle: what else hangs on it would only go round again
            into.left = 0;
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        let colour = self.styles.of_item(id).or(colour);
        match item.class_name() {
            "IfcMappedItem" => {
                let (mapped, place) = self.mapping(&item, at)?;
                if place.matrix3.determinant().abs() < 1e-15 {
                    return Err(ShapeError::new(id, "is mapped to nothing"));
                }
                self.mapped(&mapped, &place, colour, depth, into);
                Ok(())
            }
            "IfcBooleanResult" | "IfcBooleanClippingResult" => self.boolean(&item, at, colour, depth, into),
            "IfcCsgSolid" => {
                let root = self.reader.reference(&item, "TreeRootExpression")?;
                self.item(root, at, colour, depth + 1, into);
                Ok(())
            }
            "IfcGeometricSet" | "IfcGeometricCurveSet" => {
                for part in item.references("Elements") {
                    let is_shape = self.reader.get(part).is_ok_and(|i| i.is_a("IfcSurface"));
                    if is_shape {
                        self.item(part, at, colour, depth + 1, into);
                    }
                }
                Ok(())
            }
            class => {
                let is_box = class == "IfcBoundingBox";
                match self.solid(id) {
                    Ok(solid) => into.pieces.push(Piece {
                        item: id,
                        solid: Arc::new(solid.into()),
                        at: *at,
                        colour,
                        is_box,
                    }),
                    Err(error) => {
                        // what cannot be drawn but has points in space is shown as their box
                        let points = self.control_points(id);
                        let bounds = crate::math::Bounds::from_points(points);
                        if !bounds.is_empty()
                            && bounds.size().to_array().iter().all(|s| *s > 1e-6)
                            && let Some(solid) = Solid::cuboid(&bounds, &DAffine3::IDENTITY)
                        {
                            into.pieces.push(Piece {
                                item: id,
                                solid: Arc::new(solid.into()),
                                at: *at,
                                colour,
                                is_box: true,
                            });
                        }
                        return Err(error);
                    }
                }
                Ok(())
            }
        }
    }
}
