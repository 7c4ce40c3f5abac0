//! Bodies cut by others: boolean results, with what cuts taken as prisms and half spaces.

use super::{MAX_ITEMS, Piece, Pieces, Shaper};
use crate::math::{Frame, dot};
use crate::prism::{Prism, subtract};
use crate::read::{MAX_DEPTH, ShapeError};
use crate::style::Colour;
use ifc::{Id, Instance};
use std::sync::Arc;

impl<'m> Shaper<'m> {
    pub(super) fn boolean(
        &self,
        item: &Instance<'m>,
        at: &Frame,
        colour: Option<Colour>,
        depth: usize,
        into: &mut Pieces,
    ) -> Result<(), ShapeError> {
        let r = &self.reader;
        let (first, second) = (r.reference(item, "FirstOperand")?, r.reference(item, "SecondOperand")?);
        let operator = item.attr("Operator");
        let mut own = Pieces::none(into.left);
        self.item(first, &Frame::IDENTITY, colour, depth + 1, &mut own);
        if own.left == 0 {
            into.left = 0;
            into.notes.append(&mut own.notes);
            return Ok(());
        }
        match operator.as_enum() {
            Some("UNION") => self.item(second, &Frame::IDENTITY, colour, depth + 1, &mut own),
            Some("DIFFERENCE") => {
                let prisms = self.prisms_within(second, depth + 1, &mut own.left);
                let uncut = |reason: String| ShapeError::new(item.id(), format!("is left uncut: {reason}"));
                match prisms {
                    Ok(prisms) => {
                        for piece in own.pieces.iter_mut().filter(|p| !p.is_box) {
                            let mut solid = if piece.at == Frame::IDENTITY {
                                piece.solid.solid().clone()
                            } else {
                                piece.solid.moved(&piece.at)
                            };
                            for prism in &prisms {
                                match subtract(&solid, prism) {
                                    Ok(cut) => solid = cut,
                                    Err(error) => own.notes.push(uncut(error.to_string())),
                                }
                            }
                            *piece = Piece {
                                item: item.id(),
                                solid: Arc::new(solid.into()),
                                at: Frame::IDENTITY,
                                ..*piece
                            };
                        }
                    }
                    Err(error) => own.notes.push(uncut(error.to_string())),
                }
            }
            _ => {
                let reason = "an intersection is not made yet: its first operand is shown".to_owned();
                own.notes.push(ShapeError::new(item.id(), reason));
            }
        }
        into.left = own.left;
        into.deepest = into.deepest.max(own.deepest);
        into.pieces.extend(own.pieces.into_iter().map(|p| Piece { at: at.after(&p.at), ..p }));
        into.notes.append(&mut own.notes);
        Ok(())
    }

    /// An item as prisms to cut with, in the coordinates of the item.
    pub fn prisms(&self, id: Id) -> Result<Vec<Prism>, ShapeError> {
        self.prisms_within(id, 0, &mut MAX_ITEMS.clone())
    }

    fn prisms_within(&self, id: Id, depth: usize, left: &mut usize) -> Result<Vec<Prism>, ShapeError> {
        let r = &self.reader;
        let item = r.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        match item.class_name() {
            "IfcHalfSpaceSolid" | "IfcBoxedHalfSpace" | "IfcPolygonalBoundedHalfSpace" => {
                self.half_space(&item).map(|p| vec![p])
            }
            "IfcExtrudedAreaSolid" => {
                let (frame, direction, depth) = self.sweep(&item)?;
                let areas = r.profile(r.reference(&item, "SweptArea")?, 0)?;
                areas
                    .iter()
                    .map(|a| {
                        Prism::extrusion(a, &frame, direction, depth)
                            .ok_or_else(|| ShapeError::new(id, "is extruded within its own plane"))
                    })
                    .collect()
            }
            "IfcMappedItem" | "IfcBooleanResult" | "IfcBooleanClippingResult" | "IfcCsgSolid" => {
                let mut parts = Pieces::none(*left);
                self.item(id, &Frame::IDENTITY, None, depth + 1, &mut parts);
                *left = parts.left;
                if let Some(note) = parts.notes.into_iter().next() {
                    return Err(note);
                }
                let not = || ShapeError::new(id, "is no prism");
                parts
                    .pieces
                    .iter()
                    .map(|p| match self.prisms_of_piece(p) {
                        Some(prism) => Ok(prism),
                        None => Prism::of_solid(&p.solid.moved(&p.at)).ok_or_else(not),
                    })
                    .collect::<Result<Vec<_>, _>>()
                    .map(|v| v.into_iter().flatten().collect())
            }
            _ => {
                let solid = self.solid(id)?;
                Prism::of_solid(&solid).ok_or_else(|| ShapeError::new(id, "is no prism"))
            }
        }
    }

    /// The prisms of an extrusion that stands in a mapped item.
    fn prisms_of_piece(&self, piece: &Piece) -> Option<Vec<Prism>> {
        let item = self.reader.model.get(piece.item)?;
        if !item.is_a("IfcExtrudedAreaSolid") {
            return None;
        }
        self.prisms(piece.item).ok()?.iter().map(|p| p.moved(&piece.at)).collect()
    }

    fn half_space(&self, item: &Instance<'m>) -> Result<Prism, ShapeError> {
        let r = &self.reader;
        let surface = r.get(r.reference(item, "BaseSurface")?)?;
        if !surface.is_a("IfcPlane") {
            return Err(ShapeError::new(
                surface.id(),
                format!("a half space by {} is not cut yet", surface.class_name()),
            ));
        }
        let plane = r.axes_of(&surface, "Position")?;
        // agreement: the material is on the side that the normal points away from
        let agrees = item.attr("AgreementFlag").as_bool() != Some(false);
        if !item.is_a("IfcPolygonalBoundedHalfSpace") {
            return Ok(Prism::half_space(plane.o, plane.z, !agrees));
        }
        let frame = r.axes_of(item, "Position")?;
        let boundary = r.curve(r.reference(item, "PolygonalBoundary")?, 0)?;
        let area: Vec<[f64; 2]> = boundary.into_iter().map(|p| [p[0], p[1]]).collect();
        let inverse = frame.inverse().ok_or_else(|| ShapeError::new(item.id(), "has no position"))?;
        let (n, o) = (inverse.vector(plane.z), inverse.point(plane.o));
        let (low, high, area) = if n[2].abs() < 1e-6 {
            // the plane stands upright: it cuts the boundary, not the height
            let reach = area.iter().map(|p| p[0].abs() + p[1].abs()).fold(1.0, f64::max) * 4.0
                + o[0].abs()
                + o[1].abs();
            let side = if agrees { -1.0 } else { 1.0 };
            let (dx, dy) = (n[0] * side * reach, n[1] * side * reach);
            let (tx, ty) = (-n[1] * reach, n[0] * reach);
            let half = vec![
                [o[0] - tx, o[1] - ty],
                [o[0] + tx, o[1] + ty],
                [o[0] + tx + dx, o[1] + ty + dy],
                [o[0] - tx + dx, o[1] - ty + dy],
            ];
            let parts = crate::region::intersection(&[area], &[half]);
            (None, None, parts.iter().flat_map(|a| a.loops().cloned()).collect())
        } else {
            let slope = [-n[0] / n[2], -n[1] / n[2], dot(n, o) / n[2]];
            let below = agrees == (n[2] > 0.0);
            if below { (None, Some(slope), vec![area]) } else { (Some(slope), None, vec![area]) }
        };
        Ok(Prism { area: Some(area), frame, low, high })
    }
}
