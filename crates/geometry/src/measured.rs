//! Volume and surface of an element, and what they rest on: exact, of the flat faces that the file gives, or of chords in place of
//! curves; or why there are none.
//!
//! Extrusions and revolutions of profiles with arcs are drawn with chords, which leaves them up to one percent small. Here their
//! profiles are read twice more, with chords halved, and carried on to the round ones: the error of a chord goes with its square.
//! A disk that is swept along lines and arcs has the volume of its area times the way of its middle, bends halved by a plane included.
//! What an opening or a clipping has cut is measured as it was cut, and said to be.

use crate::{
    curve::Fineness,
    element::cut,
    item::{Piece, Pieces, Shaper},
    mesh::Mesh,
    read::{MAX_DEPTH, Reader, ShapeError},
    region::Area,
};
use foldhash::{HashMap, HashMapExt};
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Instance};
use std::f64::consts::{PI, TAU};

/// The ground that a measure stands on; the weaker of two is the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// Flat faces, arcs and turns as the file states them.
    Exact,
    /// The flat faces that the file gives in place of whatever was meant.
    Faces,
    /// Chords in place of curves: up to one percent small.
    Chords,
}

impl Basis {
    /// The ground in a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Basis::Exact => "exact",
            Basis::Faces => "exact for the flat faces that the file gives",
            Basis::Chords => "curves as chords: up to 1 % small",
        }
    }
}

/// The measures of one element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// In cubic metres, openings taken out; several bodies added up.
    pub volume: f64,
    /// The whole surface in square metres; several bodies added up.
    pub surface: f64,
    /// The ground that both stand on.
    pub basis: Basis,
    /// The number of bodies that were added up.
    pub bodies: usize,
}

/// The reason why an element has no volume.
#[derive(Debug, Clone, PartialEq)]
pub enum NoMeasure {
    /// There is no body, or none that can be made.
    Shape(ShapeError),
    /// A box stands for what could not be made.
    Box(ShapeError),
    /// The faces do not close.
    Open {
        /// Edges that no second face runs along the other way.
        edges: usize,
        /// A point of the first of them in the world, in metres.
        at: DVec3,
    },
}

impl std::fmt::Display for NoMeasure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoMeasure::Shape(why) => write!(f, "no volume: {why}"),
            NoMeasure::Box(why) => write!(f, "no volume: only a box stands for the shape ({why})"),
            NoMeasure::Open { edges: 0, .. } => {
                f.write_str("no volume: the mesh is open, its faces do not close")
            }
            NoMeasure::Open { edges, at } => {
                let [x, y, z] = (*at * 1000.0).round().to_array();
                write!(
                    f,
                    "no volume: the mesh is open, {edges} edges lack a second face, the first at [{x}, {y}, {z}] mm"
                )
            }
        }
    }
}

/// Volume and surface of one body, with what they stand on.
struct Part {
    volume: f64,
    surface: f64,
    basis: Basis,
}

/// Volume and surface of an element less its openings.
pub fn measured(shaper: &Shaper<'_>, id: Id) -> Result<Measured, NoMeasure> {
    let product = shaper.reader.get(id).map_err(NoMeasure::Shape)?;
    let frame = shaper.frame(&product).map_err(NoMeasure::Shape)?;
    let Pieces { pieces, mut notes, .. } = shaper.pieces(&product, None);
    let first =
        |notes: &[ShapeError]| notes.first().cloned().unwrap_or_else(|| ShapeError::new(id, "has no body"));
    if pieces.is_empty() {
        return Err(NoMeasure::Shape(first(&notes)));
    }
    if pieces.iter().any(|piece| piece.is_box) {
        return Err(NoMeasure::Box(first(&notes)));
    }
    let openings = shaper.openings(id, &frame, &mut notes);
    let round_openings = !openings.is_empty() && has_round_opening(shaper, id);
    let mut whole = Measured { volume: 0.0, surface: 0.0, basis: Basis::Exact, bodies: pieces.len() };
    for piece in &pieces {
        let part = match cut(piece, &openings, &mut notes) {
            Some(left) => {
                let basis = if round_openings { Basis::Chords } else { basis(shaper, piece.item, 0) };
                of_mesh(&left.mesh(), &left, says_closed(shaper, piece), &frame, basis)?
            }
            None => uncut(shaper, piece, &frame)?,
        };
        whole.volume += part.volume;
        whole.surface += part.surface;
        whole.basis = whole.basis.max(part.basis);
    }
    Ok(whole)
}

/// A piece as the file states it.
fn uncut(shaper: &Shaper<'_>, piece: &Piece, frame: &DAffine3) -> Result<Part, NoMeasure> {
    let at = *frame * piece.at;
    let closed = says_closed(shaper, piece);
    let drawn = of_mesh(piece.solid.mesh(), &piece.solid, closed, &at, basis(shaper, piece.item, 0));
    if let Some(exact) = swept(shaper, piece) {
        // what is a little larger than its chords is the same body; what differs more was not understood
        let same = |a: f64, b: f64| (a - b).abs() <= 0.03 * a.abs().max(b.abs());
        if drawn
            .as_ref()
            .is_ok_and(|drawn| same(drawn.volume, exact.volume) && same(drawn.surface, exact.surface))
        {
            return Ok(exact);
        }
    }
    drawn
}

/// True if a body encloses a volume by what it is, or by the file's own word; faces that nobody calls closed are tried edge by edge.
fn says_closed(shaper: &Shaper<'_>, piece: &Piece) -> bool {
    let model = shaper.reader.model;
    let Some(item) = model.get(piece.item) else { return false };
    match item.class_name() {
        "IfcTriangulatedFaceSet" | "IfcPolygonalFaceSet" => item.attr("Closed").as_bool() == Some(true),
        "IfcTriangulatedIrregularNetwork" => false,
        "IfcFaceBasedSurfaceModel" | "IfcShellBasedSurfaceModel" => {
            let shells = [item.references("FbsmFaces"), item.references("SbsmBoundary")].concat();
            shells.iter().all(|id| model.get(*id).is_some_and(|shell| shell.is_a("IfcClosedShell")))
        }
        _ => piece.solid.closed,
    }
}

fn of_mesh(
    mesh: &Mesh,
    solid: &crate::Solid,
    says_closed: bool,
    at: &DAffine3,
    basis: Basis,
) -> Result<Part, NoMeasure> {
    let mut placed = Mesh::default();
    placed.append_at(mesh, at);
    let measures = placed.measures();
    // an open tube has no net area either
    let sound = measures.is_closed() && (says_closed || open_edges(solid).0 == 0);
    if !sound {
        let (edges, point) = open_edges(solid);
        return Err(NoMeasure::Open { edges, at: at.transform_point3(point) });
    }
    Ok(Part { volume: measures.volume.abs(), surface: measures.area, basis })
}

/// The number of edges that no second face runs along the other way, and a point of the first; points nearer than a hundredth of a
/// millimetre are one.
fn open_edges(solid: &crate::Solid) -> (usize, DVec3) {
    let key = |p: DVec3| p.to_array().map(|v| (v * 1e5).round() as i64);
    let mut edges: HashMap<([i64; 3], [i64; 3]), (i32, DVec3)> = HashMap::new();
    let mut order = Vec::new();
    for l in solid.faces.iter().flat_map(|face| &face.loops) {
        let next = l.iter().skip(1).chain(l.first());
        for (&a, &b) in l.iter().zip(next) {
            let (from, to) = (key(a), key(b));
            if from == to {
                continue;
            }
            let name = if from < to { (from, to) } else { (to, from) };
            edges
                .entry(name)
                .or_insert_with(|| {
                    order.push(name);
                    (0, a)
                })
                .0 += if from < to { 1 } else { -1 };
        }
    }
    let single = |name: &([i64; 3], [i64; 3])| edges.get(name).filter(|(balance, _)| *balance != 0);
    let open: Vec<DVec3> = order.iter().filter_map(single).map(|(_, point)| *point).collect();
    (open.len(), open.first().copied().unwrap_or_default())
}

/// Volume and surface of an extrusion, revolution or swept disk from its profile and path, where nothing but lines, circles and ellipses bounds it.
fn swept(shaper: &Shaper<'_>, piece: &Piece) -> Option<Part> {
    let item = shaper.reader.model.get(piece.item)?;
    let scale = uniform_scale(&piece.at)?;
    let by = |times: usize| {
        let reader = Reader { fineness: Fineness::Times(times), ..shaper.reader.clone() };
        match item.class_name() {
            "IfcExtrudedAreaSolid" => extruded(shaper, &reader, &item),
            "IfcRevolvedAreaSolid" => revolved(&reader, &item),
            "IfcSweptDiskSolid" | "IfcSweptDiskSolidPolygonal" => disk(&reader, &item),
            _ => None,
        }
    };
    let profile = item.reference("SweptArea").or_else(|| item.reference("Directrix"))?;
    if !is_conic(&shaper.reader, profile, 0) {
        return None;
    }
    let (one, two) = (by(1)?, by(2)?);
    // the error of chords goes with their square: a third of the step between both is still missing
    let on = |one: f64, two: f64| two + (two - one) / 3.0;
    Some(Part {
        volume: on(one.0, two.0) * scale.powi(3),
        surface: on(one.1, two.1) * scale.powi(2),
        basis: Basis::Exact,
    })
}

/// The area of a profile in square metres, round where it is round; none where it cannot be read.
pub fn profile_area(reader: &Reader<'_>, profile: Id) -> Option<f64> {
    let size = |reader: &Reader<'_>| Some(reader.profile(profile, 0).ok()?.iter().map(size_of).sum::<f64>());
    let drawn = size(reader)?;
    if !is_conic(reader, profile, 0) {
        return Some(drawn);
    }
    let by = |times: usize| size(&Reader { fineness: Fineness::Times(times), ..reader.clone() });
    let (one, two) = (by(1)?, by(2)?);
    let round = two + (two - one) / 3.0;
    Some(if (round - drawn).abs() < 0.03 * drawn { round } else { drawn })
}

/// The factor of a placement that scales evenly.
fn uniform_scale(at: &DAffine3) -> Option<f64> {
    let axes = [at.matrix3.x_axis, at.matrix3.y_axis, at.matrix3.z_axis].map(DVec3::length);
    let scale = axes[0];
    axes.iter().all(|s| (s - scale).abs() < 1e-9 * scale).then_some(scale)
}

fn edges(l: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    l.iter().copied().zip(l.iter().copied().cycle().skip(1)).take(l.len())
}

/// Area of a loop and the moment of it about the lines x = 0 and y = 0, with the sign of its direction.
fn moments(l: &[DVec2]) -> (f64, DVec2) {
    let Some(&origin) = l.first() else { return (0.0, DVec2::ZERO) };
    let (mut area, mut moment) = (0.0, DVec2::ZERO);
    for (a, b) in edges(l) {
        let (a, b) = (a - origin, b - origin);
        let part = a.perp_dot(b) / 2.0;
        area += part;
        moment += (a + b) * (part / 3.0);
    }
    (area, moment + origin * area)
}

fn extruded(shaper: &Shaper<'_>, reader: &Reader<'_>, item: &Instance<'_>) -> Option<(f64, f64)> {
    let (_, direction, depth) = shaper.sweep(item).ok()?;
    // the direction is in the profile's coordinates
    let path = direction * depth;
    let areas = reader.profile(item.reference("SweptArea")?, 0).ok()?;
    let (mut area, mut sides) = (0.0, 0.0);
    for part in &areas {
        area += size_of(part);
        for (a, b) in part.loops().flat_map(|l| edges(l)) {
            sides += (b - a).extend(0.0).cross(path).length();
        }
    }
    Some((area * path.z.abs(), 2.0 * area + sides))
}

/// The area of a profile with sharp sums: its boundary less its holes.
fn size_of(area: &Area) -> f64 {
    area.loops().map(|l| moments(l).0).sum()
}

fn revolved(reader: &Reader<'_>, item: &Instance<'_>) -> Option<(f64, f64)> {
    let axis = reader.axes(item.reference("Axis")?).ok()?;
    let angle = (item.number("Angle")? * reader.radian).abs().min(TAU);
    let whole = (angle - TAU).abs() < 1e-6;
    let along = axis.z_axis.truncate();
    // the axis lies in the plane of the profile
    if (along.length() - 1.0).abs() > 1e-9 || axis.translation.z.abs() > 1e-9 {
        return None;
    }
    let out = |p: DVec2| along.perp_dot(p - axis.translation.truncate());
    let areas = reader.profile(item.reference("SweptArea")?, 0).ok()?;
    let points = || areas.iter().flat_map(Area::loops).flatten();
    let side = points().map(|p| out(*p)).fold((0.0_f64, 0.0_f64), |(low, high), d| (low.min(d), high.max(d)));
    // a profile on both sides of its axis meets itself
    if side.0 < -1e-9 && side.1 > 1e-9 {
        return None;
    }
    let (mut area, mut volume, mut sides) = (0.0, 0.0, 0.0);
    for l in areas.iter().flat_map(Area::loops) {
        let (size, moment) = moments(l);
        area += size;
        // Pappus: the area times the way of its middle
        volume += (along.perp_dot(moment) - along.perp_dot(axis.translation.truncate()) * size) * angle;
        for (a, b) in edges(l) {
            sides += (b - a).length() * f64::midpoint(out(a), out(b)).abs() * angle;
        }
    }
    Some((volume.abs(), sides + if whole { 0.0 } else { 2.0 * area }))
}

/// Volume and surface of a disk swept along a whole curve, where no bend is so tight that the body meets itself.
fn disk(reader: &Reader<'_>, item: &Instance<'_>) -> Option<(f64, f64)> {
    let radius = reader.length(item, "Radius").ok().filter(|radius| *radius > 1e-6)?;
    let inner = reader.length_or_zero(item, "InnerRadius");
    // bends that are rounded afterwards are drawn, not measured
    if inner >= radius || reader.length_or_zero(item, "FilletRadius") > 0.0 {
        return None;
    }
    let curve = item.reference("Directrix")?;
    let path = reader.between(item, curve, ["StartParam", "EndParam"]).ok()?;
    let length =
        |path: &[DVec3]| path.iter().zip(path.iter().skip(1)).map(|(a, b)| a.distance(*b)).sum::<f64>();
    let way = length(&path);
    let mut all = reader.curve(curve, 0).ok()?;
    // a circle does not name its first point again
    if path.len() == all.len() + 1 {
        all.extend(all.first().copied());
    }
    let whole = length(&all);
    // a part of a curve ends on a chord, which is not the curve
    if (way - whole).abs() > 1e-9 * whole {
        return None;
    }
    let steps: Vec<DVec3> = path.iter().zip(path.iter().skip(1)).map(|(a, b)| *b - *a).collect();
    let closed = path.first()?.distance(*path.last()?) < 1e-6;
    // the plane that halves a bend reaches back so far along both of its sides, for each unit of radius
    let reach = |a: &DVec3, b: &DVec3| {
        let (a, b) = (a.normalize_or_zero(), b.normalize_or_zero());
        a.cross(b).length() / (1.0 + a.dot(b)).max(1e-12)
    };
    let mut bends = vec![if closed { reach(steps.last()?, steps.first()?) } else { 0.0 }];
    bends.extend(steps.iter().zip(steps.iter().skip(1)).map(|(a, b)| reach(a, b)));
    bends.push(*bends.first()?);
    let fits =
        |(step, ends): (&DVec3, &[f64])| radius * ends.iter().sum::<f64>() <= step.length() * (1.0 + 1e-6);
    if !steps.iter().zip(bends.windows(2)).all(fits) {
        return None;
    }
    let area = PI * (radius * radius - inner * inner);
    let ends = if closed { 0.0 } else { 2.0 * area };
    Some((area * way, TAU * (radius + inner) * way + ends))
}

/// True if a profile or curve consists of straight lines and arcs of circles and ellipses alone.
fn is_conic(reader: &Reader<'_>, id: Id, depth: usize) -> bool {
    let Some(instance) = reader.model.get(id).filter(|_| depth < MAX_DEPTH) else { return false };
    let all = |name: &str| instance.references(name).into_iter().all(|id| is_conic(reader, id, depth + 1));
    let one = |name: &str| instance.reference(name).is_some_and(|id| is_conic(reader, id, depth + 1));
    match instance.class_name() {
        "IfcArbitraryClosedProfileDef" => one("OuterCurve"),
        "IfcArbitraryProfileDefWithVoids" => one("OuterCurve") && all("InnerCurves"),
        "IfcCompositeProfileDef" => all("Profiles"),
        "IfcDerivedProfileDef" | "IfcMirroredProfileDef" => one("ParentProfile"),
        "IfcCenterLineProfileDef" | "IfcArbitraryOpenProfileDef" | "IfcOpenCrossProfileDef" => false,
        class if class.ends_with("ProfileDef") => true,
        "IfcPolyline" | "IfcIndexedPolyCurve" | "IfcCircle" | "IfcEllipse" | "IfcLine" => true,
        "IfcTrimmedCurve" => one("BasisCurve"),
        "IfcCompositeCurve" | "Ifc2DCompositeCurve" => all("Segments"),
        "IfcCompositeCurveSegment" => one("ParentCurve"),
        _ => false,
    }
}

/// True if arcs bound a profile or curve, or anything that is no straight line.
fn is_round(reader: &Reader<'_>, profile: Id) -> bool {
    let fine = Reader { fineness: Fineness::Times(4), ..reader.clone() };
    let count = |reader: &Reader<'_>| {
        let areas = reader.profile(profile, 0).ok()?;
        Some(areas.iter().flat_map(Area::loops).map(Vec::len).sum::<usize>())
    };
    !is_conic(reader, profile, 0) || count(reader) != count(&fine)
}

/// The ground that the drawn body of an item stands on.
fn basis(shaper: &Shaper<'_>, id: Id, depth: usize) -> Basis {
    let reader = &shaper.reader;
    let Some(item) = reader.model.get(id).filter(|_| depth < MAX_DEPTH) else { return Basis::Chords };
    let round = |is: bool| if is { Basis::Chords } else { Basis::Exact };
    let of = |name: &str| item.reference(name).map_or(Basis::Exact, |id| basis(shaper, id, depth + 1));
    match item.class_name() {
        "IfcExtrudedAreaSolid" | "IfcExtrudedAreaSolidTapered" => {
            round(item.reference("SweptArea").is_none_or(|profile| is_round(reader, profile)))
        }
        "IfcFacetedBrep"
        | "IfcFacetedBrepWithVoids"
        | "IfcFaceBasedSurfaceModel"
        | "IfcShellBasedSurfaceModel"
        | "IfcTriangulatedFaceSet"
        | "IfcTriangulatedIrregularNetwork"
        | "IfcPolygonalFaceSet" => Basis::Faces,
        "IfcBlock" | "IfcRectangularPyramid" | "IfcHalfSpaceSolid" | "IfcBoxedHalfSpace" => Basis::Exact,
        "IfcPolygonalBoundedHalfSpace" => {
            let points = |reader: &Reader<'_>| {
                reader.curve(item.reference("PolygonalBoundary")?, 0).ok().map(|line| line.len())
            };
            let fine = Reader { fineness: Fineness::Times(4), ..reader.clone() };
            round(points(reader) != points(&fine))
        }
        "IfcBooleanResult" | "IfcBooleanClippingResult" => of("FirstOperand").max(of("SecondOperand")),
        "IfcCsgSolid" => of("TreeRootExpression"),
        "IfcMappedItem" => {
            let parts = item
                .reference("MappingSource")
                .and_then(|map| reader.model.get(map)?.reference("MappedRepresentation"))
                .and_then(|mapped| Some(reader.model.get(mapped)?.references("Items")));
            parts
                .unwrap_or_default()
                .into_iter()
                .map(|id| basis(shaper, id, depth + 1))
                .max()
                .unwrap_or(Basis::Exact)
        }
        "IfcAdvancedBrep" | "IfcAdvancedBrepWithVoids" => {
            let faces = item
                .reference("Outer")
                .and_then(|shell| Some(reader.model.get(shell)?.references("CfsFaces")));
            let is_flat = |id: &Id| {
                let surface = reader.model.get(*id).and_then(|face| face.reference("FaceSurface"));
                surface.and_then(|id| reader.model.get(id)).is_some_and(|surface| surface.is_a("IfcPlane"))
            };
            round(!faces.unwrap_or_default().iter().all(is_flat))
        }
        _ => Basis::Chords,
    }
}

/// True if an opening of an element, or of the wholes that it is a part of, is round anywhere.
fn has_round_opening(shaper: &Shaper<'_>, id: Id) -> bool {
    let model = shaper.reader.model;
    let mut at = Some(id);
    for _ in 0..8 {
        let Some(host) = at else { break };
        for opening in ifc::relations::openings_of(model, host) {
            let Some(opening) = model.get(opening) else { continue };
            let items =
                shaper.body_representations(&opening).into_iter().flat_map(|body| body.references("Items"));
            if items.into_iter().any(|item| basis(shaper, item, 0) == Basis::Chords) {
                return true;
            }
        }
        at = ifc::relations::aggregate_parent(model, host);
    }
    false
}
