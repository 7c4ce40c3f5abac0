//! Entities: lines, polylines, circles, texts, references to blocks.

use super::drawing::{Drawing, Space};
use super::layers::weight;
use super::tags::words;
use crate::page::Segment;
use crate::page::{Anchor, Baseline, Colour, Stroke, Subpath, Text, Use, Weight};
use crate::shape::{Arc, dashes, is_near};
use glam::DVec2;
use std::f64::consts::TAU;

/// A point of a polyline and the bulge of the piece that begins there.
pub(super) type Vertex = (DVec2, f64);

/// The points of a subpath in the drawing, pieces that are nearly circles in halves.
pub(super) fn vertices(subpath: &Subpath, space: &Space) -> Vec<Vertex> {
    let mut found = Vec::with_capacity(subpath.segments.len() + 1);
    let mut last = subpath.start;
    for segment in &subpath.segments {
        match *segment {
            Segment::Line(to) => {
                found.push((space.place(last), 0.0));
                last = to;
            }
            Segment::Arc { to, centre, is_clockwise } => {
                match Arc::new(last, to, centre, is_clockwise) {
                    Some(arc) if arc.sweep.abs() > TAU * 0.7 => {
                        let bulge = -(arc.sweep / 8.0).tan();
                        found.push((space.place(last), bulge));
                        found.push((space.place(arc.at(0.5)), bulge));
                    }
                    // y goes up in a drawing, so that what is clockwise on paper turns backwards
                    Some(arc) => found.push((space.place(last), -(arc.sweep / 4.0).tan())),
                    None => found.push((space.place(last), 0.0)),
                }
                last = to;
            }
        }
    }
    let is_back = (last - subpath.start).length() < 1e-9;
    if !(subpath.is_closed && is_back) {
        found.push((space.place(last), 0.0));
    }
    found
}

impl Drawing<'_> {
    /// Begins an entity with what all have in common.
    fn begin(&mut self, kind: &str, layer: &str, stroke: Option<(&Stroke, bool)>, class: &str) {
        let (handle, owner) = (self.next(), self.space.owner);
        self.tags.text(0, kind).handle(5, handle).handle(330, owner).text(100, "AcDbEntity").text(8, layer);
        if let Some((stroke, has_linetype)) = stroke {
            let dashes = dashes(stroke);
            if has_linetype {
                let own = if dashes.is_empty() { "Continuous".to_owned() } else { self.linetype(&dashes) };
                if own != self.linetype_of(layer) {
                    self.tags.text(6, &own);
                }
            }
            self.colour(stroke.colour, false);
            let weight = weight(stroke.width);
            if weight != self.weight_of(layer) {
                self.tags.whole(370, i64::from(weight));
            }
            self.opacity(stroke.colour);
        }
        self.tags.text(100, class);
    }

    /// Writes a colour where it says something: greys are left to the layer, but not those of areas.
    pub(super) fn colour(&mut self, [red, green, blue, _]: Colour, is_area: bool) {
        let is_grey = red == green && green == blue;
        if !is_grey || (is_area && red > 0) {
            let true_colour = i64::from(red) << 16 | i64::from(green) << 8 | i64::from(blue);
            self.tags.whole(420, true_colour);
        }
    }

    /// Writes an opacity that is not whole.
    pub(super) fn opacity(&mut self, [.., opacity]: Colour) {
        if opacity < 255 {
            self.tags.whole(440, 0x0200_0000 | i64::from(opacity));
        }
    }

    /// Writes the line of a subpath.
    pub(super) fn outline(&mut self, subpath: &Subpath, stroke: &Stroke, layer: &str) {
        let with = Some((stroke, true));
        if let ([Segment::Arc { to, centre, is_clockwise }], start) =
            (subpath.segments.as_slice(), subpath.start)
            && let Some(arc) = Arc::new(start, *to, *centre, *is_clockwise)
            && (!subpath.is_closed || arc.sweep.abs() >= TAU - 1e-9)
        {
            let is_whole = arc.sweep.abs() >= TAU - 1e-9;
            self.begin(if is_whole { "CIRCLE" } else { "ARC" }, layer, with, "AcDbCircle");
            let (middle, radius) = (self.place(arc.centre), arc.radius * self.space.scale);
            self.tags.place(10, middle).real(40, radius);
            if !is_whole {
                // from start to end counter-clockwise, where y goes up
                let (from, to) = (-arc.from, -(arc.from + arc.sweep));
                let (from, to) = if arc.sweep > 0.0 { (to, from) } else { (from, to) };
                let degrees = |angle: f64| angle.to_degrees().rem_euclid(360.0);
                self.tags.text(100, "AcDbArc").real(50, degrees(from)).real(51, degrees(to));
            }
            self.about();
            return;
        }
        if let ([Segment::Line(to)], false) = (subpath.segments.as_slice(), subpath.is_closed) {
            self.begin("LINE", layer, with, "AcDbLine");
            let (from, to) = (self.place(subpath.start), self.place(*to));
            self.tags.place(10, from).place(11, to);
            self.about();
            return;
        }
        let vertices = vertices(subpath, &self.space);
        if vertices.len() < 2 {
            return;
        }
        self.space.reach.extend(vertices.iter().map(|(point, _)| *point));
        self.begin("LWPOLYLINE", layer, with, "AcDbPolyline");
        self.tags.whole(90, vertices.len() as i64).whole(70, i64::from(subpath.is_closed)).real(43, 0.0);
        for (point, bulge) in vertices {
            self.tags.point(10, point);
            if bulge != 0.0 {
                self.tags.real(42, bulge);
            }
        }
        self.about();
    }

    /// Writes words. Programs draw them in a font of their own, anchored as on the page.
    pub(super) fn text(&mut self, text: &Text, layer: &str) {
        let Some(line) = text.line() else { return };
        if !is_near(text.at) || line.words.trim().is_empty() {
            return;
        }
        let (handle, owner, place) = (self.next(), self.space.owner, self.place(text.at));
        self.tags.text(0, "TEXT").handle(5, handle).handle(330, owner).text(100, "AcDbEntity").text(8, layer);
        self.colour(text.colour, false);
        self.opacity(text.colour);
        let across = match text.anchor {
            Anchor::Left => 0,
            Anchor::Middle => 1,
            Anchor::Right => 2,
        };
        let up = match text.baseline {
            Baseline::Foot => 0,
            Baseline::Middle => 2,
            Baseline::Top => 3,
        };
        let style = match text.weight {
            Weight::Regular => super::REGULAR,
            Weight::Bold => super::BOLD,
        };
        let height = text.height * self.space.scale;
        self.tags.text(100, "AcDbText").place(10, place).real(40, height).text(1, &words(&line.words));
        self.tags.real(50, text.angle.rem_euclid(360.0)).text(7, style).whole(72, across);
        if across != 0 || up != 0 {
            self.tags.place(11, place);
        }
        self.tags.text(100, "AcDbText");
        if up != 0 {
            self.tags.whole(73, up);
        }
        self.about();
        // nearly what it covers, so that views of all show it
        let corners = text.corners();
        for corner in corners {
            self.place(corner);
        }
    }

    /// Writes a symbol at a place.
    pub(super) fn insert(&mut self, own: &Use, layer: &str) {
        let Some(name) = self.block(&own.symbol) else { return };
        if crate::canvas::map(own).is_none() {
            return;
        }
        self.begin("INSERT", layer, None, "AcDbBlockReference");
        let place = self.place(own.at);
        self.tags.text(2, &name).place(10, place).real(41, own.scale.x).real(42, own.scale.y).real(43, 1.0);
        self.tags.real(50, own.angle.rem_euclid(360.0));
        self.about();
    }

    /// Writes a reference to the block of a group that is drawn within an area, which an object of the number `filter` says.
    pub(super) fn clipped(&mut self, block: &str, layer: &str, handle: u32, dictionary: u32) {
        let owner = self.space.owner;
        self.tags.text(0, "INSERT").handle(5, handle);
        self.tags.text(102, "{ACAD_XDICTIONARY").handle(360, dictionary).text(102, "}");
        self.tags.handle(330, owner).text(100, "AcDbEntity").text(8, layer).text(100, "AcDbBlockReference");
        self.tags.text(2, block).place(10, DVec2::ZERO);
        self.about();
    }

    /// Writes which element the entity shows.
    pub(super) fn about(&mut self) {
        if let Some(about) = self.abouts.last() {
            self.tags
                .text(1001, super::APPLICATION)
                .text(1000, &short(&about.global_id))
                .text(1000, &short(&about.class));
            if let Some(name) = &about.name {
                self.tags.text(1000, &short(name));
            }
        }
    }
}

/// Words of at most 255 bytes, which is what extended data holds.
fn short(text: &str) -> String {
    let mut line = words(text);
    while line.len() > 255 {
        line.pop();
    }
    line
}
