//! Entities: lines, arcs, polylines, references to blocks.

use super::block::{Content, Drawn, Look, Reference};
use super::curve;
use super::hatch;
use super::note;
use super::own::Own;
use super::tags::Tag;
use super::words::CodePage;
use crate::builder::Builder;
use crate::drawing::{Fill, Limits, Polyline, Shape, Vertex};
use crate::error::Error;
use glam::{DAffine2, DVec2};
use std::f64::consts::TAU;

/// Reads entities one after the other; those with parts (polylines, references with attributes) wait for them.
pub(super) struct Reader {
    page: CodePage,
    limits: Limits,
    count: usize,
    open: Option<Open>,
}

enum Open {
    Polyline { drawn: Drawn, map: DAffine2, is_mesh: bool },
    Reference(Reference),
}

impl Reader {
    pub(super) fn new(page: CodePage, limits: Limits) -> Self {
        Self { page, limits, count: 0, open: None }
    }

    /// Reads an entity by its kind and tags; nothing before the first one.
    pub(super) fn entity(
        &mut self,
        kind: Option<&Tag<'_>>,
        tags: &[Tag<'_>],
        content: &mut Content,
        builder: &mut Builder<'_>,
    ) -> Result<(), Error> {
        let Some(kind) = kind else { return Ok(()) };
        builder.check()?;
        self.count += 1;
        if self.count > self.limits.entities.saturating_mul(4) {
            let remedy = "save each storey by itself";
            return Err(Error::TooMany {
                of: "entities in one block",
                most: self.limits.entities * 4,
                remedy,
            });
        }
        let own = Own(tags);
        let kind = kind.bytes().trim_ascii();
        if kind == b"VERTEX" || kind == b"SEQEND" || kind == b"ATTRIB" {
            self.part(kind, &own, content);
            return Ok(());
        }
        self.finish(content);
        let layer =
            own.bytes(8).map_or_else(|| "0".to_owned(), |name| self.page.text(name).trim().to_owned());
        let is_paper = own.whole(67) == Some(1)
            || own.bytes(410).is_some_and(|name| !name.trim_ascii().eq_ignore_ascii_case(b"Model"));
        if is_paper {
            let kind = String::from_utf8_lossy(kind);
            builder.pass(&kind, &layer, "it lies in paper space", None);
            return Ok(());
        }
        if own.whole(60) == Some(1) {
            content.passed.push((
                String::from_utf8_lossy(kind).into_owned(),
                layer,
                "it is invisible",
                own.point(10),
            ));
            return Ok(());
        }
        let look = Look {
            layer,
            colour: own.whole(62),
            true_colour: own.whole(420),
            linetype: own.bytes(6).map(|name| self.page.text(name)).unwrap_or_default(),
            weight: own.whole(370),
        };
        let source = own.tag(5).map_or(0, Tag::handle);
        self.read(kind, &own, look, source, content);
        Ok(())
    }

    fn read(&mut self, kind: &[u8], own: &Own<'_, '_>, look: Look, source: u64, content: &mut Content) {
        let plane = own.plane();
        let mut shapes: Vec<Shape> = Vec::new();
        let mut failed = None;
        match kind {
            b"LINE" => {
                if let (Some(from), Some(to)) = (own.point(10), own.point(11)) {
                    shapes.push(Shape::Segment { from, to });
                }
            }
            b"CIRCLE" | b"ARC" => {
                if let (Some(centre), Some(radius)) = (own.point(10), own.real(40)) {
                    let (start, end) = if kind == b"ARC" {
                        (own.real(50).unwrap_or(0.0), own.real(51).unwrap_or(360.0))
                    } else {
                        (0.0, 360.0)
                    };
                    let sweep = (end - start).rem_euclid(360.0);
                    let sweep = if sweep < 1e-9 { TAU } else { sweep.to_radians() };
                    shapes
                        .push(Shape::Arc { centre, radius, start: start.to_radians(), sweep }.mapped(&plane));
                }
            }
            b"LWPOLYLINE" => shapes.extend(light_polyline(own).map(|shape| shape.mapped(&plane))),
            b"ELLIPSE" => shapes.extend(curve::ellipse(own)),
            b"SPLINE" | b"HELIX" => shapes.extend(curve::spline(own)),
            b"MLINE" => shapes.extend(curve::multi_line(own)),
            b"SOLID" | b"TRACE" => shapes.extend(solid(own).map(|shape| shape.mapped(&plane))),
            b"3DFACE" => shapes.extend(face(own)),
            b"HATCH" => shapes.extend(hatch::read(own, self.page).map(|shape| shape.mapped(&plane))),
            b"TEXT" | b"ATTDEF" => {
                // the definition of an attribute is drawn only where it is the same everywhere
                let is_drawn = kind == b"TEXT" || own.whole(70).unwrap_or(0) & 2 != 0;
                if is_drawn {
                    shapes.extend(note::text(own, self.page).map(|shape| shape.mapped(&plane)));
                } else {
                    return;
                }
            }
            b"MTEXT" => shapes.extend(note::paragraphs(own, self.page)),
            b"DIMENSION" => match note::dimension(own, self.page) {
                Ok(shape) => {
                    // the words may stand in the block that shows it
                    if let Some(block) = own.bytes(2) {
                        let name = self.page.text(block).trim().to_uppercase();
                        content.shown.push((content.drawn.len(), name));
                    }
                    shapes.push(shape);
                }
                Err(reason) => failed = Some(reason),
            },
            b"POLYLINE" => return self.polyline(own, look, source, content),
            b"INSERT" => return self.reference(own, look, source, content),
            b"POINT" => failed = Some("points show nothing"),
            b"LEADER" | b"MULTILEADER" | b"MLEADER" => failed = Some("leaders are not read"),
            b"WIPEOUT" => failed = Some("masks show nothing"),
            b"IMAGE" | b"PDFUNDERLAY" | b"DWFUNDERLAY" | b"DGNUNDERLAY" | b"OLE2FRAME" | b"OLEFRAME" => {
                failed = Some("pictures and underlays are not read");
            }
            b"VIEWPORT" => failed = Some("it belongs to a sheet"),
            b"XLINE" | b"RAY" => failed = Some("lines without end are for construction"),
            b"3DSOLID" | b"BODY" | b"REGION" | b"SURFACE" | b"MESH" => {
                failed = Some("solids are not read, only what is drawn flat");
            }
            b"ACAD_TABLE" | b"TOLERANCE" => failed = Some("tables are not read"),
            _ => failed = Some("entities of this kind are not read"),
        }
        if shapes.is_empty() && failed.is_none() {
            failed = Some("it has no shape: numbers are missing");
        }
        if let Some(reason) = failed {
            let kind = String::from_utf8_lossy(kind).chars().take(60).collect();
            content.passed.push((kind, look.layer, reason, own.point(10)));
            return;
        }
        let look = content.look(look);
        content.drawn.extend(shapes.into_iter().map(|shape| Drawn { look, source, shape }));
    }

    fn polyline(&mut self, own: &Own<'_, '_>, look: Look, source: u64, content: &mut Content) {
        let flags = own.whole(70).unwrap_or(0);
        let shape = Shape::Polyline(Box::new(Polyline {
            vertices: Vec::new(),
            is_closed: flags & 1 != 0,
            width: own.real(40).unwrap_or(0.0).min(own.real(41).unwrap_or(0.0)),
        }));
        let map = if flags & 8 != 0 { DAffine2::IDENTITY } else { own.plane() };
        let look = content.look(look);
        self.open = Some(Open::Polyline {
            drawn: Drawn { look, source, shape },
            map,
            is_mesh: flags & (16 | 64) != 0,
        });
    }

    fn reference(&mut self, own: &Own<'_, '_>, look: Look, source: u64, content: &mut Content) {
        let Some(name) = own.bytes(2) else { return };
        let scale = DVec2::new(own.real(41).unwrap_or(1.0), own.real(42).unwrap_or(1.0));
        let (at, angle) = (own.point(10).unwrap_or_default(), own.real(50).unwrap_or(0.0));
        let map = own.plane()
            * DAffine2::from_translation(at)
            * DAffine2::from_angle(angle.to_radians())
            * DAffine2::from_scale(scale);
        let count = |code| own.whole(code).unwrap_or(1).clamp(1, 10_000) as u32;
        let distance = DVec2::new(own.real(44).unwrap_or(0.0), own.real(45).unwrap_or(0.0));
        let name = self.page.text(name).trim().to_owned();
        let look = content.look(look);
        let array = (count(70), count(71), distance);
        if map.is_finite() {
            self.open = Some(Open::Reference(Reference {
                look,
                source,
                name,
                map,
                array,
                angle,
                attributes: Vec::new(),
            }));
        }
    }

    fn part(&mut self, kind: &[u8], own: &Own<'_, '_>, content: &mut Content) {
        match (kind, &mut self.open) {
            (b"VERTEX", Some(Open::Polyline { drawn, .. })) => {
                // those that control a spline are not on it
                let is_control = own.whole(70).unwrap_or(0) & 16 != 0;
                if let (Shape::Polyline(line), Some(at), false) =
                    (&mut drawn.shape, own.point(10), is_control)
                {
                    line.vertices.push(Vertex { at, bulge: own.real(42).unwrap_or(0.0) });
                }
            }
            (b"ATTRIB", Some(Open::Reference(reference))) => {
                let is_hidden = own.whole(70).unwrap_or(0) & 1 != 0;
                if let (Some(shape), false) = (note::text(own, self.page), is_hidden) {
                    let source = own.tag(5).map_or(0, Tag::handle);
                    reference.attributes.push(Drawn { look: 0, source, shape: shape.mapped(&own.plane()) });
                }
            }
            (b"SEQEND", _) => self.finish(content),
            _ => {}
        }
    }

    /// Ends what waits for parts.
    pub(super) fn finish(&mut self, content: &mut Content) {
        match self.open.take() {
            Some(Open::Polyline { drawn, is_mesh: true, .. }) => {
                let layer =
                    content.looks.get(drawn.look as usize).map(|look| look.layer.clone()).unwrap_or_default();
                content.passed.push((
                    "POLYLINE".into(),
                    layer,
                    "meshes are not read, only what is drawn flat",
                    None,
                ));
            }
            Some(Open::Polyline { mut drawn, map, .. }) => {
                drawn.shape = drawn.shape.mapped(&map);
                content.drawn.push(drawn);
            }
            Some(Open::Reference(reference)) => content.references.push(reference),
            None => {}
        }
    }
}

fn light_polyline(own: &Own<'_, '_>) -> Option<Shape> {
    let mut vertices: Vec<Vertex> = Vec::with_capacity(own.0.len() / 2);
    let mut widths = (f64::INFINITY, 0);
    for tag in own.0 {
        match tag.code {
            10 => vertices.push(Vertex { at: DVec2::new(tag.real(), 0.0), bulge: 0.0 }),
            20 => vertices.iter_mut().last()?.at.y = tag.real(),
            42 => vertices.iter_mut().last()?.bulge = tag.real(),
            40 | 41 => widths = (widths.0.min(tag.real()), widths.1 + 1),
            _ => {}
        }
    }
    // a width that changes is an arrow, not a wall
    let each = if widths.1 >= vertices.len() && widths.0.is_finite() { widths.0 } else { 0.0 };
    let width = own.real(43).unwrap_or(each).max(0.0);
    let is_closed = own.whole(70).unwrap_or(0) & 1 != 0;
    (vertices.len() > 1).then(|| Shape::Polyline(Box::new(Polyline { vertices, is_closed, width })))
}

fn solid(own: &Own<'_, '_>) -> Option<Shape> {
    let (a, b, c) = (own.point(10)?, own.point(11)?, own.point(12)?);
    let d = own.point(13).unwrap_or(c);
    // the third and fourth corner stand in the order of a Z
    let mut ring = vec![a, b, d, c];
    ring.dedup();
    Some(Shape::Fill(Box::new(Fill { rings: vec![ring], pattern: None })))
}

fn face(own: &Own<'_, '_>) -> Option<Shape> {
    let (a, b, c) = (own.point(10)?, own.point(11)?, own.point(12)?);
    let mut corners = vec![a, b, c, own.point(13).unwrap_or(c)];
    corners.dedup();
    let vertices = corners.into_iter().map(|at| Vertex { at, bulge: 0.0 }).collect();
    Some(Shape::Polyline(Box::new(Polyline { vertices, is_closed: true, width: 0.0 })))
}
