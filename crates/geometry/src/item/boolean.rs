//! Boolean results: what one item leaves of another, what two share, and two as one.
//!
//! Differences are cut in two dimensions where the second operand is a prism or a half space; all else is combined as solids.
//! Operands that cannot be combined are shown as its first operand, or for a union as its parts, with the reason.

use super::{MAX_ITEMS, Piece, Pieces, Shaper};
use crate::csg::{self, Op};
use crate::cutter::{self, Cutter};
use crate::math::Bounds;
use crate::prism::Prism;
use crate::read::{MAX_DEPTH, ShapeError};
use crate::solid::Solid;
use crate::style::Colour;
use glam::DAffine3;
use ifc::{Id, Instance};
use std::sync::Arc;
use std::time::Instant;

impl<'m> Shaper<'m> {
    pub(super) fn boolean(
        &self,
        item: &Instance<'m>,
        at: &DAffine3,
        colour: Option<Colour>,
        depth: usize,
        into: &mut Pieces,
    ) -> Result<(), ShapeError> {
        let r = &self.reader;
        let (mut first, mut second) =
            (r.reference(item, "FirstOperand")?, r.reference(item, "SecondOperand")?);
        let operator = item.attr("Operator");
        let is_endless = |id: Id| r.get(id).is_ok_and(|i| i.is_a("IfcHalfSpaceSolid"));
        if operator.as_enum() == Some("INTERSECTION") && is_endless(first) {
            (first, second) = (second, first);
        }
        let mut own = Pieces::none(into.left);
        self.item(first, &DAffine3::IDENTITY, colour, depth + 1, &mut own);
        if own.left > 0 {
            match operator.as_enum() {
                Some("UNION") => {
                    self.item(second, &DAffine3::IDENTITY, colour, depth + 1, &mut own);
                    own.timed(item.id(), |own| own.unite(item.id()));
                }
                Some("DIFFERENCE") => match self.cutters_within(second, depth + 1, &mut own.left) {
                    Ok(cutters) => own.timed(item.id(), |own| own.cut(item.id(), &cutters)),
                    Err(error) => own.note(item.id(), &format!("is left uncut: {error}")),
                },
                Some("INTERSECTION") => match self.cutters_within(second, depth + 1, &mut own.left) {
                    Ok(cutters) => own.timed(item.id(), |own| own.share(item.id(), &cutters)),
                    Err(error) => own.note(item.id(), &format!("is its first operand: {error}")),
                },
                _ => own.note(item.id(), "has no operator: its first operand is shown"),
            }
        }
        into.left = own.left;
        into.deepest = into.deepest.max(own.deepest);
        into.pieces.extend(own.pieces.into_iter().map(|p| Piece { at: at * p.at, ..p }));
        into.notes.append(&mut own.notes);
        Ok(())
    }

    /// An item as what it takes away, in the coordinates of the item.
    pub fn cutters(&self, id: Id) -> Result<Vec<Cutter>, ShapeError> {
        self.cutters_within(id, 0, &mut MAX_ITEMS.clone())
    }

    fn cutters_within(&self, id: Id, depth: usize, left: &mut usize) -> Result<Vec<Cutter>, ShapeError> {
        let r = &self.reader;
        let item = r.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        if *left == 0 {
            return Err(ShapeError::new(id, format!("is one of more than {MAX_ITEMS} items")));
        }
        *left -= 1;
        match item.class_name() {
            "IfcHalfSpaceSolid" | "IfcBoxedHalfSpace" | "IfcPolygonalBoundedHalfSpace" => {
                self.half_space(&item).map(|c| vec![c])
            }
            "IfcExtrudedAreaSolid" => Ok(self.extruded(&item)?.into_iter().map(Cutter::Prism).collect()),
            "IfcBooleanResult" | "IfcBooleanClippingResult"
                if item.attr("Operator").as_enum() == Some("UNION") =>
            {
                // what both take away together one takes away after the other
                let mut both = self.cutters_within(r.reference(&item, "FirstOperand")?, depth + 1, left)?;
                both.extend(self.cutters_within(r.reference(&item, "SecondOperand")?, depth + 1, left)?);
                Ok(both)
            }
            "IfcMappedItem" | "IfcBooleanResult" | "IfcBooleanClippingResult" | "IfcCsgSolid" => {
                let mut parts = Pieces::none(*left);
                self.item(id, &DAffine3::IDENTITY, None, depth + 1, &mut parts);
                *left = parts.left;
                if let Some(note) = parts.notes.into_iter().next() {
                    return Err(note);
                }
                let mut cutters = Vec::with_capacity(parts.pieces.len());
                for piece in &parts.pieces {
                    match self.prisms_of_piece(piece) {
                        Some(prisms) => cutters.extend(prisms.into_iter().map(Cutter::Prism)),
                        None => cutters.extend(cutters_of(id, piece.solid.moved(&piece.at))?),
                    }
                }
                Ok(cutters)
            }
            _ => cutters_of(id, self.solid(id)?),
        }
    }

    fn extruded(&self, item: &Instance<'m>) -> Result<Vec<Prism>, ShapeError> {
        let r = &self.reader;
        let (frame, direction, depth) = self.sweep(item)?;
        let areas = r.profile(r.reference(item, "SweptArea")?, 0)?;
        let prism = |a| {
            Prism::extrusion(a, &frame, direction, depth)
                .ok_or_else(|| ShapeError::new(item.id(), "is extruded within its own plane"))
        };
        areas.iter().map(prism).collect()
    }

    /// The prisms of an extrusion that stands in a mapped item.
    fn prisms_of_piece(&self, piece: &Piece) -> Option<Vec<Prism>> {
        let item = self.reader.model.get(piece.item)?;
        if item.class_name() != "IfcExtrudedAreaSolid" {
            return None;
        }
        self.extruded(&item).ok()?.iter().map(|p| p.moved(&piece.at)).collect()
    }
}

/// A body as what it takes away: as prisms where it can be seen so.
fn cutters_of(id: Id, solid: Solid) -> Result<Vec<Cutter>, ShapeError> {
    if !solid.closed {
        return Err(ShapeError::new(id, "is no body: its faces do not close"));
    }
    Ok(match Prism::of_solid(&solid) {
        Some(prisms) => prisms.into_iter().map(Cutter::Prism).collect(),
        None => vec![Cutter::Body(Arc::new(solid))],
    })
}

impl Piece {
    /// A body in the coordinates of its representation.
    fn unplaced(item: Id, solid: Solid, colour: Option<Colour>) -> Piece {
        Piece { item, solid: Arc::new(solid.into()), at: DAffine3::IDENTITY, colour, is_box: false }
    }

    fn is_body(&self) -> bool {
        !self.is_box && self.solid.closed && !self.solid.faces.is_empty()
    }
}

impl Pieces {
    fn note(&mut self, item: Id, reason: &str) {
        self.notes.push(ShapeError::new(item, reason));
    }

    /// Combines, and counts a thousandth of a second as four items: trees of booleans end as trees of items do, within seconds.
    fn timed(&mut self, item: Id, combine: impl FnOnce(&mut Pieces)) {
        let started = Instant::now();
        combine(self);
        let spent = usize::try_from(started.elapsed().as_micros() / 250).unwrap_or(usize::MAX);
        if self.left > 0 && self.left <= spent {
            self.note(item, "takes too long to combine");
        }
        self.left = self.left.saturating_sub(spent);
    }

    /// All bodies of a union as one; what is no body stays beside it.
    fn unite(&mut self, item: Id) {
        let bodies: Vec<&Piece> = self.pieces.iter().filter(|p| p.is_body()).collect();
        let (Some(first), true) = (bodies.first(), bodies.len() > 1) else { return };
        let colour = first.colour;
        let placed: Vec<Solid> = bodies.iter().map(|p| p.solid.moved(&p.at)).collect();
        match csg::union(&placed.iter().collect::<Vec<_>>()) {
            Ok(whole) => {
                self.pieces.retain(|p| !p.is_body());
                self.pieces.push(Piece::unplaced(item, whole, colour));
            }
            Err(error) => self.note(item, &format!("is shown as its parts, which may overlap: {error}")),
        }
    }

    /// Takes the cutters away from every body.
    fn cut(&mut self, item: Id, cutters: &[Cutter]) {
        let mut refused = Vec::new();
        for piece in self.pieces.iter_mut().filter(|p| !p.is_box) {
            let whole = piece.solid.moved(&piece.at);
            let cut = cutter::cut(&whole, cutters);
            refused.extend(cut.refused);
            *piece = Piece::unplaced(item, cut.left.unwrap_or(whole), piece.colour);
        }
        for reason in refused {
            self.note(item, &format!("is left uncut: {reason}"));
        }
    }

    /// Leaves of every body what lies in any of the cutters.
    fn share(&mut self, item: Id, cutters: &[Cutter]) {
        let shared = |piece: &Piece| -> Result<Solid, csg::CsgError> {
            let whole = piece.solid.moved(&piece.at);
            let around: Bounds = whole.bounds();
            let bodies: Result<Vec<Option<Solid>>, _> = cutters.iter().map(|c| c.within(&around)).collect();
            let bodies: Vec<Solid> = bodies?.into_iter().flatten().collect();
            if let [one] = bodies.as_slice() {
                return csg::combine(&whole, one, Op::Intersection);
            }
            let all = csg::union(&bodies.iter().collect::<Vec<_>>())?;
            csg::combine(&whole, &all, Op::Intersection)
        };
        let mut refused = Vec::new();
        for piece in self.pieces.iter_mut().filter(|p| !p.is_box) {
            match shared(piece) {
                Ok(solid) => *piece = Piece::unplaced(item, solid, piece.colour),
                Err(error) => refused.push(error.to_string()),
            }
        }
        for reason in refused {
            self.note(item, &format!("is its first operand: {reason}"));
        }
    }
}
