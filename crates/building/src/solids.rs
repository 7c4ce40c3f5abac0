//! Reading bodies back: the extruded outline of a wall, slab or space as this program or another wrote it, and the
//! corners of whatever else stands for a body.
//!
//! Coordinates are the element's own (within its placement), in mm. Curved profiles are not taken apart, since an outline of
//! straight edges is drawn anew from what is read; for openings, of which only the reach and the looks count, chords stand for
//! their arcs.

use crate::frame::Frame;
use geometry::Shaper;
use geometry::curve::Fineness;
use geometry::read::Reader;
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::{inverse, unit};
use ifc::{Id, Instance, Model};

/// An extruded outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// Outline in the frame's plane.
    pub outline: Vec<DVec2>,
    /// Holes in it.
    pub holes: Vec<Vec<DVec2>>,
    /// The plane, within the element's placement.
    pub frame: Frame,
    /// The way it is extruded, in the element's coordinates: direction times depth.
    pub sweep: DVec3,
    /// True if it is the whole body: nothing is cut off it and no other solid stands beside it.
    pub plain: bool,
}

/// A solid that stands upright: an outline in plan, and heights.
#[derive(Debug, Clone, PartialEq)]
pub struct Prism {
    /// Outline in plan.
    pub outline: Vec<DVec2>,
    /// Holes in it.
    pub holes: Vec<Vec<DVec2>>,
    /// Lowest height, in mm.
    pub base: f64,
    /// Its height, in mm.
    pub height: f64,
    /// True if it is the whole body.
    pub plain: bool,
}

impl Solid {
    /// The corners at both ends.
    pub fn corners(&self) -> Vec<DVec3> {
        self.outline
            .iter()
            .map(|p| self.frame.transform_point3(p.extend(0.0)))
            .flat_map(|low| [low, low + self.sweep])
            .collect()
    }

    /// As a prism, if it stands upright.
    pub fn prism(&self) -> Option<Prism> {
        let DVec3 { x: dx, y: dy, z: dz } = self.sweep;
        let level = self.frame.z_axis.z.abs() > 1.0 - 1e-6;
        if !level || dx.hypot(dy) > 1e-6 * dz.abs() || dz == 0.0 {
            return None;
        }
        let flat = |points: &[DVec2]| -> Vec<DVec2> {
            points.iter().map(|p| self.frame.transform_point3(p.extend(0.0)).truncate()).collect()
        };
        let at = self.frame.translation.z;
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
        .find(|r| r.says("RepresentationIdentifier", identifier))
}

/// The first extruded solid of an element's body in mm, read with the file's unit of length in mm.
pub fn solid_of(model: &Model, element: Id, length_mm: f64) -> Option<Solid> {
    first(model, element, length_mm, None)
}

/// The same with chords for the arcs of a curved profile, in which case it is not plain: to be looked at, not drawn anew.
pub fn chorded_of(model: &Model, element: Id, length_mm: f64) -> Option<Solid> {
    first(model, element, length_mm, Some(Fineness::Drawn))
}

fn first(model: &Model, element: Id, length_mm: f64, chords: Option<Fineness>) -> Option<Solid> {
    let items = representation(model, element, "Body")?.references("Items");
    let alone = items.len() == 1;
    let mut found = items.iter().find_map(|item| solid(model, *item, length_mm, chords, 0))?;
    found.plain &= alone;
    Some(found)
}

/// The upright body of an element in mm, read with the file's unit of length in mm.
pub fn prism_of(model: &Model, element: Id, length_mm: f64) -> Option<Prism> {
    solid_of(model, element, length_mm)?.prism()
}

fn solid(model: &Model, item: Id, length_mm: f64, chords: Option<Fineness>, depth: u32) -> Option<Solid> {
    let item = model.get(item)?;
    if depth > 16 {
        return None;
    }
    if item.is_a("IfcExtrudedAreaSolid") {
        let frame = match item.reference("Position") {
            Some(position) => axes(model, position, length_mm)?,
            None => Frame::WORLD,
        };
        let way = ratios(model, item.reference("ExtrudedDirection")?)?;
        let length = way.length();
        let size = item.number("Depth")? * length_mm / if length > 0.0 { length } else { 1.0 };
        let area = item.reference("SweptArea")?;
        let straight = profile(model, area, length_mm);
        let plain = straight.is_some();
        let (outline, holes) = match (straight, chords) {
            (Some(outlines), _) => outlines,
            (None, Some(fineness)) => chorded(model, area, fineness)?,
            (None, None) => return None,
        };
        let sweep = frame.transform_vector3(way) * size;
        return Some(Solid { outline, holes, frame, sweep, plain });
    }
    if item.is_a("IfcBooleanResult") {
        let mut first = solid(model, item.reference("FirstOperand")?, length_mm, chords, depth + 1)?;
        first.plain = false;
        return Some(first);
    }
    if item.is_a("IfcMappedItem") {
        let (representation, frame) = mapped(model, &item, length_mm)?;
        let items = model.get(representation)?.references("Items");
        let inner = items.iter().find_map(|item| solid(model, *item, length_mm, chords, depth + 1))?;
        let (frame, sweep) = (frame * inner.frame, frame.transform_vector3(inner.sweep));
        // it belongs to all that map it, so it is not for one of them to draw anew
        return Some(Solid { frame, sweep, plain: false, ..inner });
    }
    None
}

/// The representation that a mapped item shows, and where it puts it; `None` where it scales or mirrors it.
fn mapped(model: &Model, item: &Instance, length_mm: f64) -> Option<(Id, Frame)> {
    let source = model.get(item.reference("MappingSource")?)?;
    let origin = ifc::placement::axis2(model, source.reference("MappingOrigin")?)?;
    let put = ifc::placement::operator(model, item.reference("MappingTarget")?)? * inverse(&origin)?;
    let [x, y, z] = [put.x_axis, put.y_axis, put.z_axis];
    let turn = [x, y, z].iter().all(|axis| (axis.length_squared() - 1.0).abs() < 1e-6);
    let rigid = turn && x.cross(y).dot(z) > 1.0 - 1e-6;
    let representation = source.reference("MappedRepresentation")?;
    rigid.then(|| (representation, Frame::from_file_units(put, length_mm)))
}

/// The outline and holes of a profile with straight edges.
fn profile(model: &Model, id: Id, length_mm: f64) -> Option<(Vec<DVec2>, Vec<Vec<DVec2>>)> {
    let profile = model.get(id)?;
    if profile.is_a("IfcRectangleProfileDef") {
        if profile.class_name() != "IfcRectangleProfileDef" {
            return None;
        }
        let (x, y) = (profile.number("XDim")? * length_mm / 2.0, profile.number("YDim")? * length_mm / 2.0);
        let (origin, along) = profile
            .reference("Position")
            .and_then(|p| axes2(model, p, length_mm))
            .unwrap_or((DVec2::ZERO, DVec2::X));
        let turned = |p: [f64; 2]| origin + along.rotate(p.into());
        return Some(([[-x, -y], [x, -y], [x, y], [-x, y]].map(turned).to_vec(), Vec::new()));
    }
    if profile.is_a("IfcArbitraryClosedProfileDef") {
        let open = |mut points: Vec<DVec2>| {
            if points.len() > 3 && points.first() == points.last() {
                points.pop();
            }
            points
        };
        let outline = open(curve(model, profile.reference("OuterCurve")?, length_mm)?);
        let holes = profile
            .references("InnerCurves")
            .into_iter()
            .map(|id| curve(model, id, length_mm).map(open))
            .collect::<Option<Vec<_>>>()?;
        return (outline.len() >= 3).then_some((outline, holes));
    }
    None
}

/// The outline and holes of any profile of one area, with chords for arcs.
fn chorded(model: &Model, id: Id, fineness: Fineness) -> Option<(Vec<DVec2>, Vec<Vec<DVec2>>)> {
    let reader = Reader { fineness, ..Reader::new(model) };
    let mut areas = reader.profile(id, 0).ok()?;
    let area = areas.pop().filter(|_| areas.is_empty())?;
    let in_mm = |points: Vec<DVec2>| points.into_iter().map(|p| p * 1000.0).collect::<Vec<_>>();
    Some((in_mm(area.outer), area.holes.into_iter().map(in_mm).collect()))
}

/// The points in mm of a curve of straight pieces, read with the file's unit of length in mm.
pub fn curve(model: &Model, id: Id, length_mm: f64) -> Option<Vec<DVec2>> {
    let curve = model.get(id)?;
    if curve.is_a("IfcPolyline") {
        return curve
            .references("Points")
            .into_iter()
            .map(|p| point(model, p, length_mm).map(DVec3::truncate))
            .collect();
    }
    if curve.is_a("IfcIndexedPolyCurve") {
        return indexed(model, &curve, length_mm);
    }
    if curve.is_a("IfcTrimmedCurve") {
        return trimmed_line(model, &curve, length_mm);
    }
    if curve.is_a("IfcCompositeCurve") {
        let mut points: Vec<DVec2> = Vec::new();
        for segment in curve.references("Segments") {
            let segment = model.get(segment)?;
            let mut part = self::curve(model, segment.reference("ParentCurve")?, length_mm)?;
            if segment.attr("SameSense").as_bool() == Some(false) {
                part.reverse();
            }
            let joined = points.last().zip(part.first()).is_some_and(|(a, b)| a.distance(*b) < 0.1);
            points.extend(part.into_iter().skip(usize::from(joined)));
        }
        return Some(points);
    }
    None
}

fn indexed(model: &Model, curve: &Instance, length_mm: f64) -> Option<Vec<DVec2>> {
    let list = model.get(curve.reference("Points")?)?.attr("CoordList");
    let points: Vec<DVec2> = list
        .as_list()?
        .iter()
        .map(|p| {
            let p = p.as_list()?;
            Some(DVec2::new(p.first()?.as_f64()? * length_mm, p.get(1)?.as_f64()? * length_mm))
        })
        .collect::<Option<_>>()?;
    let segments = curve.attr("Segments");
    let Some(segments) = segments.as_list() else { return Some(points) };
    let mut through: Vec<DVec2> = Vec::new();
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
fn trimmed_line(model: &Model, curve: &Instance, length_mm: f64) -> Option<Vec<DVec2>> {
    let basis = model.get(curve.reference("BasisCurve")?)?;
    if !basis.is_a("IfcLine") {
        return None;
    }
    let origin = point(model, basis.reference("Pnt")?, length_mm)?;
    let vector = model.get(basis.reference("Dir")?)?;
    let way = ratios(model, vector.reference("Orientation")?)?;
    let size = vector.number("Magnitude")? * length_mm;
    let end = |name: &str| -> Option<DVec2> {
        let trims = curve.attr(name);
        let trims = trims.as_list()?;
        let by_point = trims.iter().find_map(ifc::Value::as_ref).and_then(|id| point(model, id, length_mm));
        let point = match by_point {
            Some(point) => point,
            None => origin + way * size * trims.iter().find_map(ifc::Value::as_f64)?,
        };
        Some(point.truncate())
    };
    Some(vec![end("Trim1")?, end("Trim2")?])
}

/// A point in mm, its z 0 where it has none, read with the file's unit of length in mm.
pub fn point(model: &Model, id: Id, length_mm: f64) -> Option<DVec3> {
    triple(&model.get(id)?, "Coordinates").map(|point| point * length_mm)
}

fn ratios(model: &Model, direction: Id) -> Option<DVec3> {
    triple(&model.get(direction)?, "DirectionRatios")
}

/// The first three numbers of a list, the third nought where there is none.
fn triple(instance: &Instance<'_>, attribute: &str) -> Option<DVec3> {
    let mut plain = [0.0; 3];
    if let Some(count) = instance.numbers(attribute, &mut plain) {
        return (count > 1).then(|| plain.into());
    }
    let list = instance.attr(attribute);
    let at = |i: usize| list.as_list()?.get(i).and_then(ifc::Value::as_f64);
    Some(DVec3::new(at(0)?, at(1)?, at(2).unwrap_or(0.0)))
}

/// An IfcAxis2Placement3D as a frame in mm, read with the file's unit of length in mm.
pub fn axes(model: &Model, id: Id, length_mm: f64) -> Option<Frame> {
    let placement = model.get(id)?;
    let origin = point(model, placement.reference("Location")?, length_mm)?;
    let given = |name: &str| placement.reference(name).and_then(|id| ratios(model, id));
    let z = unit(given("Axis").unwrap_or(DVec3::Z))?;
    let toward = given("RefDirection").unwrap_or(if z.x.abs() > 1.0 - 1e-9 { DVec3::Y } else { DVec3::X });
    let x = unit(toward - toward.dot(z) * z)?;
    Some(Frame(DAffine3::from_cols(x, z.cross(x), z, origin)))
}

fn axes2(model: &Model, id: Id, length_mm: f64) -> Option<(DVec2, DVec2)> {
    let placement = model.get(id)?;
    let origin = point(model, placement.reference("Location")?, length_mm)?;
    let toward = placement.reference("RefDirection").and_then(|d| ratios(model, d)).unwrap_or(DVec3::X);
    let along = unit(toward.with_z(0.0))?;
    Some((origin.truncate(), along.truncate()))
}

/// Corners of an element's body in its own coordinates, whatever the body is made of: of its extrusions, or every point
/// that its faces use. Empty where there is none. For extents, not for shapes.
pub fn corners_of(model: &Model, element: Id, length_mm: f64) -> Vec<DVec3> {
    let Some(body) = representation(model, element, "Body") else { return Vec::new() };
    let mut corners = Vec::new();
    for item in body.references("Items") {
        match solid(model, item, length_mm, None, 0) {
            Some(solid) => corners.extend(solid.corners()),
            None => gather(model, item, length_mm, &mut corners),
        }
    }
    corners
}

/// Corners of all that an element's body takes up in its own coordinates, whatever it is made of: chords stand for arcs, and what is
/// neither extruded nor made of faces is taken as it is drawn. Empty where there is none.
pub fn reach_of(model: &Model, element: Id, length_mm: f64) -> Vec<DVec3> {
    let Some(body) = representation(model, element, "Body") else { return Vec::new() };
    let mut corners = Vec::new();
    for item in body.references("Items") {
        let known = corners.len();
        match solid(model, item, length_mm, Some(Fineness::Times(1)), 0) {
            Some(solid) => corners.extend(solid.corners()),
            None => gather(model, item, length_mm, &mut corners),
        }
        if corners.len() == known {
            return drawn(model, element, length_mm);
        }
    }
    corners
}

/// Corners of an element's body as it is drawn, in its own coordinates.
fn drawn(model: &Model, element: Id, length_mm: f64) -> Vec<DVec3> {
    let Ok(frame) = Frame::of_element(model, element, length_mm) else { return Vec::new() };
    let Ok(bodies) = Shaper::plain(model).gross_bodies(element) else { return Vec::new() };
    let points = bodies.iter().flat_map(|body| body.mesh().positions);
    points.map(|p| frame.into_own(p * 1000.0)).collect()
}

/// Points of face sets; they are in the element's coordinates. Solids swept another way are left out.
fn gather(model: &Model, item: Id, length_mm: f64, corners: &mut Vec<DVec3>) {
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
            corners.extend(point(model, id, length_mm));
        } else if instance.is_a("IfcCartesianPointList3D") {
            let list = instance.attr("CoordList");
            for p in list.as_list().unwrap_or_default() {
                let at = |i: usize| {
                    p.as_list().and_then(|p| p.get(i)).and_then(ifc::Value::as_f64).map(|c| c * length_mm)
                };
                if let (Some(x), Some(y), Some(z)) = (at(0), at(1), at(2)) {
                    corners.push(DVec3::new(x, y, z));
                }
            }
        } else {
            work.extend(crate::sweep::references(model, id));
        }
    }
}
