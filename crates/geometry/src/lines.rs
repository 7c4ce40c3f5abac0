//! Lines of elements: axes of walls, footprints, annotations, the axes of a grid, the curves of an alignment, points.
//!
//! Bodies and surfaces are left to [`crate::element`]; curves are followed as everywhere here, by chords. A segmented reference curve
//! is drawn as the line about which the cant turns the track, lifted or lowered as its segments say.

use crate::{
    item::{MAX_ITEMS, Shaper},
    read::{MAX_DEPTH, ShapeError},
};
use glam::{DAffine3, DVec3};
use ifc::{Id, Instance};

/// A line in the world, in metres, before map conversion. A point is a line of one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyline3 {
    /// The representation item or grid axis that it was made from.
    pub item: Id,
    /// The instance that it came from.
    pub from: Source,
    /// Its points; a closed line does not repeat its first.
    pub points: Vec<DVec3>,
    /// True if its last point is joined to its first.
    pub closed: bool,
}

/// The origin of a line in the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A representation of the element.
    Representation {
        /// The `IfcShapeRepresentation`.
        id: Id,
        /// Its RepresentationIdentifier, such as `Axis` or `FootPrint`; empty where it has none.
        identifier: String,
    },
    /// An axis of a grid.
    GridAxis {
        /// Its AxisTag; empty where it has none.
        tag: String,
    },
}

impl Polyline3 {
    /// Returns true if it is of a representation of this identifier.
    pub fn is_of(&self, name: &str) -> bool {
        matches!(&self.from, Source::Representation { identifier, .. } if identifier.eq_ignore_ascii_case(name))
    }

    /// Its length in metres.
    pub fn length(&self) -> f64 {
        let sides: f64 = self.points.windows(2).map(|w| (w[1] - w[0]).length()).sum();
        let last = self.points.first().zip(self.points.last()).map_or(0.0, |(a, b)| (*a - *b).length());
        if self.closed { sides + last } else { sides }
    }
}

/// The lines of an element, and what of them could not be drawn.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// All of them.
    pub lines: Vec<Polyline3>,
    /// The things that are missing, and why.
    pub notes: Vec<ShapeError>,
    looked_at: usize,
}

impl Shaper<'_> {
    /// The lines of an element; none for one that has only bodies. An error where there are some and none could be drawn.
    pub fn lines(&self, id: Id) -> Result<Vec<Polyline3>, ShapeError> {
        let Lines { lines, notes, .. } = self.lines_and_notes(id)?;
        match notes.into_iter().next() {
            Some(note) if lines.is_empty() => Err(note),
            _ => Ok(lines),
        }
    }

    /// As [`Shaper::lines`], with what could not be drawn beside the rest.
    pub fn lines_and_notes(&self, id: Id) -> Result<Lines, ShapeError> {
        let r = &self.reader;
        let product = r.get(id)?;
        let frame = self.frame(&product)?;
        let mut into = Lines::default();
        for axis in ["UAxes", "VAxes", "WAxes"].iter().flat_map(|name| product.references(name)) {
            if let Err(note) = self.grid_axis(axis, &frame, &mut into) {
                into.notes.push(note);
            }
        }
        let shape = product.reference("Representation").and_then(|s| r.model.get(s));
        for representation in shape.map(|s| s.references("Representations")).unwrap_or_default() {
            let Some(given) = r.model.get(representation) else { continue };
            let identifier = given.text("RepresentationIdentifier").unwrap_or_default();
            let from = Source::Representation { id: representation, identifier };
            for item in given.references("Items") {
                self.line_item(item, &frame, &from, 0, &mut into);
            }
        }
        Ok(into)
    }

    fn grid_axis(&self, id: Id, frame: &DAffine3, into: &mut Lines) -> Result<(), ShapeError> {
        let r = &self.reader;
        let axis = r.get(id)?;
        let curve = r.get(r.reference(&axis, "AxisCurve")?)?;
        let from = Source::GridAxis { tag: axis.text("AxisTag").unwrap_or_default() };
        let before = into.lines.len();
        self.curve_line(&curve, id, frame, &from, into)?;
        if axis.truth("SameSense") == Some(false) {
            into.lines.iter_mut().skip(before).for_each(|l| l.points.reverse());
        }
        Ok(())
    }

    fn line_item(&self, id: Id, at: &DAffine3, from: &Source, depth: usize, into: &mut Lines) {
        into.looked_at += 1;
        if into.looked_at > MAX_ITEMS || depth > MAX_DEPTH {
            if into.looked_at <= MAX_ITEMS + 1 {
                into.looked_at = MAX_ITEMS + 1;
                into.notes.push(ShapeError::new(id, "is nested too deeply or one of too many items"));
            }
            return;
        }
        if let Err(note) = self.try_line_item(id, at, from, depth, into) {
            into.notes.push(note);
        }
    }

    fn try_line_item(
        &self,
        id: Id,
        at: &DAffine3,
        from: &Source,
        depth: usize,
        into: &mut Lines,
    ) -> Result<(), ShapeError> {
        let r = &self.reader;
        let item = r.get(id)?;
        if item.is_a("IfcMappedItem") {
            let (mapped, place) = self.mapping(&item, at)?;
            for part in mapped.references("Items") {
                self.line_item(part, &place, from, depth + 1, into);
            }
        } else if item.is_a("IfcGeometricSet") {
            for part in item.references("Elements") {
                self.line_item(part, at, from, depth + 1, into);
            }
        } else if item.is_a("IfcAnnotationFillArea") {
            let inner = item.references("InnerBoundaries");
            for curve in item.reference("OuterBoundary").into_iter().chain(inner) {
                self.line_item(curve, at, from, depth + 1, into);
            }
        } else if item.is_a("IfcCurve") {
            self.curve_line(&item, id, at, from, into)?;
        } else if item.is_a("IfcEdgeCurve") {
            self.line_item(r.reference(&item, "EdgeGeometry")?, at, from, depth + 1, into);
        } else if item.is_a("IfcCartesianPoint") || item.is_a("IfcVertexPoint") {
            let point = item.reference("VertexGeometry").unwrap_or(id);
            let points = vec![at.transform_point3(r.point(point)?)];
            into.lines.push(Polyline3 { item: id, from: from.clone(), points, closed: false });
        }
        Ok(())
    }

    fn curve_line(
        &self,
        curve: &Instance<'_>,
        item: Id,
        at: &DAffine3,
        from: &Source,
        into: &mut Lines,
    ) -> Result<(), ShapeError> {
        let mut points: Vec<DVec3> =
            self.reader.curve(curve.id(), 0)?.into_iter().map(|p| at.transform_point3(p)).collect();
        points.dedup_by(|a, b| (*a - *b).length() < 1e-9);
        let ends = points.first().copied().zip(points.last().copied());
        let meets = points.len() > 2 && ends.is_some_and(|(a, b)| (a - b).length() < 1e-6);
        if meets {
            points.pop();
        }
        let closed = meets || curve.is_a("IfcConic");
        into.lines.push(Polyline3 { item, from: from.clone(), points, closed });
        Ok(())
    }
}
