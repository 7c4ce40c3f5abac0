//! Reading bodies back: the extruded outline of a wall, slab or space as this program or another wrote it, and the
//! corners of whatever else stands for a body.
//!
//! Coordinates are the element's own (within its placement), in mm. Curved profiles are not taken apart: they have
//! corners, so that their extent is known, but no outline.

use crate::frame::Frame;
use crate::polygon::Point;
use ifc::{Id, Instance, Model};

/// An extruded outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// Outline in the frame's plane.
    pub outline: Vec<Point>,
    /// Holes in it.
    pub holes: Vec<Vec<Point>>,
    /// The plane, within the element's placement.
    pub frame: Frame,
    /// The way it is extruded, in the element's coordinates: direction times depth.
    pub sweep: [f64; 3],
    /// True if it is the whole body: nothing is cut off it and no other solid stands beside it.
    pub plain: bool,
}

/// A solid that stands upright: an outline in plan, and heights.
#[derive(Debug, Clone, PartialEq)]
pub struct Prism {
    /// Outline in plan.
    pub outline: Vec<Point>,
    /// Holes in it.
    pub holes: Vec<Vec<Point>>,
    /// Lowest height.
    pub base: f64,
    /// How high it is.
    pub height: f64,
    /// True if it is the whole body.
    pub plain: bool,
}

impl Solid {
    /// The corners at both ends.
    pub fn corners(&self) -> Vec<[f64; 3]> {
        self.outline
            .iter()
            .map(|p| self.frame.out([p[0], p[1], 0.0]))
            .flat_map(|low| [low, std::array::from_fn(|i| low[i] + self.sweep[i])])
            .collect()
    }

    /// As a prism, if it stands upright.
    pub fn prism(&self) -> Option<Prism> {
        let [dx, dy, dz] = self.sweep;
        let level = self.frame.z[2].abs() > 1.0 - 1e-6;
        if !level || dx.hypot(dy) > 1e-6 * dz.abs() || dz == 0.0 {
            return None;
        }
        let flat = |points: &[Point]| -> Vec<Point> {
            points.iter().map(|p| self.frame.out([p[0], p[1], 0.0])).map(|[x, y, _]| [x, y]).collect()
        };
        let at = self.frame.origin[2];
        Some(Prism {
            outline: flat(&self.outline),
            holes: self.holes.iter().map(|h| flat(h)).collect(),
            base: at.min(at + dz),
            height: dz.abs(),
            plain: self.plain,
        })
    }
}

/// The representation of an element with this identifier, such as `Body` or `Axis`.
pub fn representation<'m>(model: &'m Model, element: Id, identifier: &str) -> Option<Instance<'m>> {
    let shape = model.get(model.get(element)?.reference("Representation")?)?;
    shape
        .references("Representations")
        .into_iter()
        .filter_map(|id| model.get(id))
        .find(|r| r.text("RepresentationIdentifier").as_deref() == Some(identifier))
}

/// The first extruded solid of an element's body.
pub fn solid_of(model: &Model, element: Id, length_mm: f64) -> Option<Solid> {
    let items = representation(model, element, "Body")?.references("Items");
    let alone = items.len() == 1;
    let mut found = items.iter().find_map(|item| solid(model, *item, length_mm, 0))?;
    found.plain &= alone;
    Some(found)
}

/// The upright body of an element.
pub fn prism_of(model: &Model, element: Id, length_mm: f64) -> Option<Prism> {
    solid_of(model, element, length_mm)?.prism()
}

fn solid(model: &Model, item: Id, mm: f64, depth: u32) -> Option<Solid> {
    let item = model.get(item)?;
    if depth > 16 {
        return None;
    }
    if item.is_a("IfcExtrudedAreaSolid") {
        let frame = match item.reference("Position") {
            Some(position) => axes(model, position, mm)?,
            None => Frame::WORLD,
        };
        let way = ratios(model, item.reference("ExtrudedDirection")?)?;
        let length = (way[0] * way[0] + way[1] * way[1] + way[2] * way[2]).sqrt();
        let size = item.number("Depth")? * mm / if length > 0.0 { length } else { 1.0 };
        let (outline, holes) = profile(model, item.reference("SweptArea")?, mm)?;
        let sweep = frame.turn_out(way).map(|c| c * size);
        return Some(Solid { outline, holes, frame, sweep, plain: true });
    }
    if item.is_a("IfcBooleanResult") {
        let mut first = solid(model, item.reference("FirstOperand")?, mm, depth + 1)?;
        first.plain = false;
        return Some(first);
    }
    if item.is_a("IfcMappedItem") {
        let (representation, frame) = mapped(model, &item, mm)?;
        let items = model.get(representation)?.references("Items");
        let inner = items.iter().find_map(|item| solid(model, *item, mm, depth + 1))?;
        let (frame, sweep) = (inner.frame.within(&frame), frame.turn_out(inner.sweep));
        // it belongs to all that map it, so it is not for one of them to draw anew
        return Some(Solid { frame, sweep, plain: false, ..inner });
    }
    None
}

/// The representation that a mapped item shows, and where it puts it; `None` where it scales or mirrors it.
fn mapped(model: &Model, item: &Instance, mm: f64) -> Option<(Id, Frame)> {
    let source = model.get(item.reference("MappingSource")?)?;
    let origin = ifc::placement::axis2(model, source.reference("MappingOrigin")?)?;
    let put = ifc::placement::operator(model, item.reference("MappingTarget")?)?.then(&origin.inverse()?);
    let [x, y, z, origin] = put.columns();
    let square = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let turn = [[x, x], [y, y], [z, z]].iter().all(|[a, b]| (square(*a, *b) - 1.0).abs() < 1e-6);
    let right = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    let rigid = turn && square(right, z) > 1.0 - 1e-6;
    rigid
        .then(|| {
            (source.reference("MappedRepresentation"), Frame { x, y, z, origin: origin.map(|c| c * mm) })
        })
        .and_then(|(r, f)| Some((r?, f)))
}

/// The outline and holes of a profile with straight edges.
fn profile(model: &Model, id: Id, mm: f64) -> Option<(Vec<Point>, Vec<Vec<Point>>)> {
    let profile = model.get(id)?;
    if profile.is_a("IfcRectangleProfileDef") {
        if profile.class_name() != "IfcRectangleProfileDef" {
            return None;
        }
        let (x, y) = (profile.number("XDim")? * mm / 2.0, profile.number("YDim")? * mm / 2.0);
        let (origin, along) = profile
            .reference("Position")
            .and_then(|p| axes2(model, p, mm))
            .unwrap_or(([0.0, 0.0], [1.0, 0.0]));
        let turned = |[a, b]: Point| {
            [origin[0] + along[0] * a - along[1] * b, origin[1] + along[1] * a + along[0] * b]
        };
        return Some(([[-x, -y], [x, -y], [x, y], [-x, y]].map(turned).to_vec(), Vec::new()));
    }
    if profile.is_a("IfcArbitraryClosedProfileDef") {
        let open = |mut points: Vec<Point>| {
            if points.len() > 3 && points.first() == points.last() {
                points.pop();
            }
            points
        };
        let outline = open(curve(model, profile.reference("OuterCurve")?, mm)?);
        let holes = profile
            .references("InnerCurves")
            .into_iter()
            .map(|id| curve(model, id, mm).map(open))
            .collect::<Option<Vec<_>>>()?;
        return (outline.len() >= 3).then_some((outline, holes));
    }
    None
}

/// The points of a curve of straight pieces.
pub fn curve(model: &Model, id: Id, mm: f64) -> Option<Vec<Point>> {
    let curve = model.get(id)?;
    if curve.is_a("IfcPolyline") {
        return curve
            .references("Points")
            .into_iter()
            .map(|p| point(model, p, mm).map(|[x, y, _]| [x, y]))
            .collect();
    }
    if curve.is_a("IfcIndexedPolyCurve") {
        return indexed(model, &curve, mm);
    }
    if curve.is_a("IfcTrimmedCurve") {
        return trimmed_line(model, &curve, mm);
    }
    if curve.is_a("IfcCompositeCurve") {
        let mut points: Vec<Point> = Vec::new();
        for segment in curve.references("Segments") {
            let segment = model.get(segment)?;
            let mut part = self::curve(model, segment.reference("ParentCurve")?, mm)?;
            if segment.attr("SameSense").as_bool() == Some(false) {
                part.reverse();
            }
            let joined =
                points.last().zip(part.first()).is_some_and(|(a, b)| crate::polygon::distance(*a, *b) < 0.1);
            points.extend(part.into_iter().skip(usize::from(joined)));
        }
        return Some(points);
    }
    None
}

fn indexed(model: &Model, curve: &Instance, mm: f64) -> Option<Vec<Point>> {
    let list = model.get(curve.reference("Points")?)?.attr("CoordList");
    let points: Vec<Point> = list
        .as_list()?
        .iter()
        .map(|p| {
            let p = p.as_list()?;
            Some([p.first()?.as_f64()? * mm, p.get(1)?.as_f64()? * mm])
        })
        .collect::<Option<_>>()?;
    let segments = curve.attr("Segments");
    let Some(segments) = segments.as_list() else { return Some(points) };
    let mut through: Vec<Point> = Vec::new();
    for segment in segments {
        if let ifc::Value::Typed(kind, _) = segment
            && !kind.eq_ignore_ascii_case("IfcLineIndex")
        {
            return None;
        }
        for index in segment.as_list()? {
            let index = index.as_f64()? as usize;
            let p = *points.get(index.checked_sub(1)?)?;
            if through.last() != Some(&p) {
                through.push(p);
            }
        }
    }
    Some(through)
}

/// A straight line between two trims, by points or by parameters.
fn trimmed_line(model: &Model, curve: &Instance, mm: f64) -> Option<Vec<Point>> {
    let basis = model.get(curve.reference("BasisCurve")?)?;
    if !basis.is_a("IfcLine") {
        return None;
    }
    let origin = point(model, basis.reference("Pnt")?, mm)?;
    let vector = model.get(basis.reference("Dir")?)?;
    let way = ratios(model, vector.reference("Orientation")?)?;
    let size = vector.number("Magnitude")? * mm;
    let end = |name: &str| -> Option<Point> {
        let trims = curve.attr(name);
        let trims = trims.as_list()?;
        let by_point = trims.iter().find_map(ifc::Value::as_ref).and_then(|id| point(model, id, mm));
        if let Some([x, y, _]) = by_point {
            return Some([x, y]);
        }
        let parameter = trims.iter().find_map(ifc::Value::as_f64)?;
        Some([origin[0] + way[0] * size * parameter, origin[1] + way[1] * size * parameter])
    };
    Some(vec![end("Trim1")?, end("Trim2")?])
}

/// A point, its z 0 where it has none.
pub fn point(model: &Model, id: Id, mm: f64) -> Option<[f64; 3]> {
    let coordinates = model.get(id)?.attr("Coordinates");
    let coordinates = coordinates.as_list()?;
    let at = |i: usize| coordinates.get(i).and_then(ifc::Value::as_f64).map(|c| c * mm);
    Some([at(0)?, at(1)?, at(2).unwrap_or(0.0)])
}

fn ratios(model: &Model, direction: Id) -> Option<[f64; 3]> {
    let ratios = model.get(direction)?.attr("DirectionRatios");
    let ratios = ratios.as_list()?;
    let at = |i: usize| ratios.get(i).and_then(ifc::Value::as_f64);
    Some([at(0)?, at(1)?, at(2).unwrap_or(0.0)])
}

/// An IfcAxis2Placement3D as a frame.
pub fn axes(model: &Model, id: Id, mm: f64) -> Option<Frame> {
    let placement = model.get(id)?;
    let origin = point(model, placement.reference("Location")?, mm)?;
    let given = |name: &str| placement.reference(name).and_then(|id| ratios(model, id));
    let z = unit(given("Axis").unwrap_or([0.0, 0.0, 1.0]))?;
    let toward = given("RefDirection").unwrap_or(if z[0].abs() > 1.0 - 1e-9 {
        [0.0, 1.0, 0.0]
    } else {
        [1.0, 0.0, 0.0]
    });
    let off = toward[0] * z[0] + toward[1] * z[1] + toward[2] * z[2];
    let x = unit(std::array::from_fn(|i| toward[i] - off * z[i]))?;
    let y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
    Some(Frame { x, y, z, origin })
}

fn axes2(model: &Model, id: Id, mm: f64) -> Option<(Point, Point)> {
    let placement = model.get(id)?;
    let [x, y, _] = point(model, placement.reference("Location")?, mm)?;
    let toward =
        placement.reference("RefDirection").and_then(|d| ratios(model, d)).unwrap_or([1.0, 0.0, 0.0]);
    let along = unit([toward[0], toward[1], 0.0])?;
    Some(([x, y], [along[0], along[1]]))
}

fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    (length > 1e-12).then(|| v.map(|c| c / length))
}

/// Corners of an element's body in its own coordinates, whatever the body is made of: of its extrusions, or every point
/// that its faces use. Empty where there is none. For extents, not for shapes.
pub fn corners_of(model: &Model, element: Id, length_mm: f64) -> Vec<[f64; 3]> {
    let Some(body) = representation(model, element, "Body") else { return Vec::new() };
    let mut corners = Vec::new();
    for item in body.references("Items") {
        match solid(model, item, length_mm, 0) {
            Some(solid) => corners.extend(solid.corners()),
            None => gather(model, item, length_mm, &mut corners),
        }
    }
    corners
}

/// Points of face sets; they are in the element's coordinates. Solids swept another way are left out.
fn gather(model: &Model, item: Id, mm: f64, corners: &mut Vec<[f64; 3]>) {
    const FACETED: [&str; 4] = [
        "IfcFaceBasedSurfaceModel",
        "IfcShellBasedSurfaceModel",
        "IfcManifoldSolidBrep",
        "IfcTessellatedItem",
    ];
    let Some(instance) = model.get(item) else { return };
    if !FACETED.iter().any(|class| instance.is_a(class)) {
        return;
    }
    let mut seen = std::collections::HashSet::new();
    let mut work = vec![item];
    while let Some(id) = work.pop() {
        // far more than the faces of any wall; a bound, since files may be anything
        if seen.len() > 200_000 || !seen.insert(id) {
            continue;
        }
        let Some(instance) = model.get(id) else { continue };
        if instance.is_a("IfcCartesianPoint") {
            corners.extend(point(model, id, mm));
        } else if instance.is_a("IfcCartesianPointList3D") {
            let list = instance.attr("CoordList");
            for p in list.as_list().unwrap_or_default() {
                let at = |i: usize| {
                    p.as_list().and_then(|p| p.get(i)).and_then(ifc::Value::as_f64).map(|c| c * mm)
                };
                if let (Some(x), Some(y), Some(z)) = (at(0), at(1), at(2)) {
                    corners.push([x, y, z]);
                }
            }
        } else {
            work.extend(crate::sweep::references(model, id));
        }
    }
}
