//! Walls along an arc as the model stores them: an axis that is a trimmed circle, a body between two concentric arcs. Read
//! to where its corners lie along and beside the axis, and drawn from that.

use crate::author::{Author, word};
use crate::bend::Line;
use crate::frame::Frame;
use crate::polygon::{edges, signed_area};
use crate::solids;
use contract::Fault;
use geometry::region::rectangle;
use glam::DVec2;
use ifc::{Id, Instance, Model, Value};

/// Corners nearer than this to a face lie on it, in mm.
const ON_FACE: f64 = 0.01;

/// The arc of an axis within its element's placement, in mm, and its length; `None` where it is no single arc.
pub fn axis_of(model: &Model, item: Id, length_mm: f64) -> Option<(Line, f64)> {
    let curve = model.get(item)?;
    if curve.is_a("IfcTrimmedCurve") {
        let (centre, [from, to], left) = trimmed_circle(model, &curve, length_mm)?;
        return arc_round(centre, from, to, left);
    }
    if curve.is_a("IfcCompositeCurve") {
        let [only] = curve.references("Segments")[..] else { return None };
        let segment = model.get(only)?;
        if segment.attr("SameSense").as_bool() == Some(false) {
            return None;
        }
        return axis_of(model, segment.reference("ParentCurve")?, length_mm);
    }
    None
}

fn arc_round(centre: DVec2, from: DVec2, to: DVec2, left: bool) -> Option<(Line, f64)> {
    let angle = |p: DVec2| (p - centre).to_angle();
    let turn = (angle(to) - angle(from)).rem_euclid(std::f64::consts::TAU);
    let sweep = if left { turn } else { turn - std::f64::consts::TAU };
    Line::arc(from, to, sweep)
}

/// The centre of a trimmed circle, its ends in order, and whether it turns left; `None` where its trims are not points.
fn trimmed_circle(model: &Model, curve: &Instance, length_mm: f64) -> Option<(DVec2, [DVec2; 2], bool)> {
    let circle = model.get(curve.reference("BasisCurve")?)?;
    let position = model.get(circle.is_a("IfcCircle").then(|| circle.reference("Position"))??)?;
    if !position.is_a("IfcAxis2Placement2D") {
        return None;
    }
    let centre = solids::point(model, position.reference("Location")?, length_mm)?.truncate();
    let end = |name: &str| -> Option<DVec2> {
        let trims = curve.attr(name);
        let point = trims.as_list()?.iter().find_map(Value::as_ref)?;
        Some(solids::point(model, point, length_mm)?.truncate())
    };
    let left = curve.attr("SenseAgreement").as_bool() != Some(false);
    Some((centre, [end("Trim1")?, end("Trim2")?], left))
}

/// A body between arcs, within its element's placement in mm.
pub struct Body {
    /// Its corners in order.
    pub corners: Vec<DVec2>,
    /// Its lowest height.
    pub base: f64,
    /// Its height.
    pub height: f64,
    /// True if it is the whole body.
    pub plain: bool,
}

/// Reads the body of an element that is extruded upright from an outline of arcs and straight pieces.
pub fn body_of(model: &Model, element: Id, length_mm: f64) -> Option<Body> {
    let items = solids::representation(model, element, "Body")?.references("Items");
    let alone = items.len() == 1;
    let (mut item, mut plain) = (model.get(*items.first()?)?, alone);
    for _ in 0..16 {
        if !item.is_a("IfcBooleanResult") {
            break;
        }
        plain = false;
        item = model.get(item.reference("FirstOperand")?)?;
    }
    if !item.is_a("IfcExtrudedAreaSolid") {
        return None;
    }
    let frame = match item.reference("Position") {
        Some(position) => solids::axes(model, position, length_mm)?,
        None => Frame::WORLD,
    };
    let up = model.get(item.reference("ExtrudedDirection")?)?.attr("DirectionRatios");
    let up: Vec<f64> = up.as_list()?.iter().filter_map(Value::as_f64).collect();
    let is_up = matches!(up[..], [x, y, z] if x.abs() < 1e-9 && y.abs() < 1e-9 && z > 0.0);
    if !is_up || !frame.is_upright() {
        return None;
    }
    let profile = model.get(item.reference("SweptArea")?)?;
    if profile.class_name() != "IfcArbitraryClosedProfileDef" {
        return None;
    }
    let outer = model.get(profile.reference("OuterCurve")?)?;
    if !outer.is_a("IfcCompositeCurve") {
        return None;
    }
    let mut corners: Vec<DVec2> = Vec::new();
    for segment in outer.references("Segments") {
        let segment = model.get(segment)?;
        let id = segment.reference("ParentCurve")?;
        let curve = model.get(id)?;
        let mut part = match solids::curve(model, id, length_mm) {
            Some(points) => points,
            None => trimmed_circle(model, &curve, length_mm)?.1.to_vec(),
        };
        if segment.attr("SameSense").as_bool() == Some(false) {
            part.reverse();
        }
        let joined = corners.last().zip(part.first()).is_some_and(|(a, b)| a.distance(*b) < 0.1);
        corners.extend(part.into_iter().skip(usize::from(joined)));
    }
    if corners.len() > 1 && corners.first().zip(corners.last()).is_some_and(|(a, b)| a.distance(*b) < 0.1) {
        corners.pop();
    }
    let placed = |p: &DVec2| frame.transform_point3(p.extend(0.0)).truncate();
    Some(Body {
        corners: corners.iter().map(placed).collect(),
        base: frame.translation.z,
        height: item.number("Depth")? * length_mm,
        plain,
    })
}

/// True if the edge of an outline along and beside an axis runs along one of the faces.
fn is_on_face((a, b): (DVec2, DVec2), faces: (f64, f64)) -> bool {
    let on = |face: f64| (a.y - face).abs() < ON_FACE && (b.y - face).abs() < ON_FACE;
    (a.x - b.x).abs() > ON_FACE && (on(faces.0) || on(faces.1))
}

/// The area in mm² of an outline that is told along and beside an axis.
pub fn footprint(line: &Line, outline: &[DVec2], faces: (f64, f64)) -> f64 {
    if !line.is_bent() {
        return signed_area(outline).abs();
    }
    let corners: Vec<DVec2> = outline.iter().map(|p| line.at(p.x, p.y)).collect();
    let arcs = edges(outline).filter(|edge| is_on_face(*edge, faces)).map(|(a, b)| {
        let turned = (b.x - a.x) * line.bend;
        let radius = line.radius(a.y);
        radius * radius * (turned - turned.sin()) / 2.0
    });
    (signed_area(&corners) + arcs.sum::<f64>()).abs()
}

/// The outline in plan of what is told along and beside an axis, its arcs by the chords that bodies are drawn with.
pub fn chords(line: &Line, outline: &[DVec2], faces: (f64, f64)) -> Vec<DVec2> {
    let mut points = Vec::new();
    for (a, b) in edges(outline) {
        points.push(line.at(a.x, a.y));
        if line.is_bent() && is_on_face((a, b), faces) {
            let many = geometry::curve::chords(line.radius(a.y) / 1000.0, (b.x - a.x) * line.bend);
            let part = |i: usize| a.x + (b.x - a.x) * i as f64 / many as f64;
            points.extend((1..many).map(|i| line.at(part(i), a.y)));
        }
    }
    points
}

/// The volume in mm³ for each mm of height that an opening of this width takes out of a wall, by its faces.
pub fn cut(line: &Line, faces: (f64, f64), width: f64) -> f64 {
    let under = |left: f64| {
        let (radius, half) = (line.radius(left), width / 2.0);
        half * (radius * radius - half * half).max(0.0).sqrt()
            + radius * radius * (half / radius).clamp(-1.0, 1.0).asin()
    };
    (under(faces.0) - under(faces.1)).abs()
}

/// Writes an axis of this length, as a representation.
pub fn draw_axis(author: &mut Author, line: &Line, length: f64) -> Result<Id, Fault> {
    let curve = trimmed(author, line, 0.0, 0.0, length)?;
    author.representation("Axis", "Curve2D", &[curve])
}

/// Writes a body over an outline that is told along and beside an axis, as a representation.
pub fn draw_body(
    author: &mut Author,
    line: &Line,
    outline: &[DVec2],
    faces: (f64, f64),
    [base, height]: [f64; 2],
) -> Result<Id, Fault> {
    let profile = profile(author, line, outline, faces)?;
    let solid = author.extruded(&Frame::at([0.0, 0.0, base]), profile, height)?;
    author.body(&[solid])
}

/// The part of the circle so far to the left of an axis, from one place along it to another.
fn trimmed(author: &mut Author, line: &Line, left: f64, from: f64, to: f64) -> Result<Id, Fault> {
    let centre = author.point2(line.at(0.0, 1.0 / line.bend))?;
    let position = author.create("IfcAxis2Placement2D", &[("Location", centre.into())])?;
    let radius = author.real(line.radius(left));
    let circle = author.create("IfcCircle", &[("Position", position.into()), ("Radius", radius)])?;
    let (start, end) = (author.point2(line.at(from, left))?, author.point2(line.at(to, left))?);
    author.create(
        "IfcTrimmedCurve",
        &[
            ("BasisCurve", circle.into()),
            ("Trim1", Value::list([Value::Ref(start)])),
            ("Trim2", Value::list([Value::Ref(end)])),
            ("SenseAgreement", Value::Boolean((line.bend > 0.0) == (to > from))),
            ("MasterRepresentation", word("CARTESIAN")),
        ],
    )
}

fn profile(author: &mut Author, line: &Line, outline: &[DVec2], faces: (f64, f64)) -> Result<Id, Fault> {
    // it begins with an arc, so that straight pieces are not broken in two
    let first = edges(outline).position(|edge| is_on_face(edge, faces)).unwrap_or(0);
    let mut turned = outline.to_vec();
    turned.rotate_left(first.min(outline.len()));
    let mut curves = Vec::new();
    let mut run: Vec<DVec2> = Vec::new();
    for (a, b) in edges(&turned) {
        if is_on_face((a, b), faces) {
            if run.len() > 1 {
                curves.push(author.polyline(&run, false)?);
            }
            run.clear();
            curves.push(trimmed(
                author,
                line,
                if (a.y - faces.0).abs() < ON_FACE { faces.0 } else { faces.1 },
                a.x,
                b.x,
            )?);
        } else {
            if run.is_empty() {
                run.push(line.at(a.x, a.y));
            }
            run.push(line.at(b.x, b.y));
        }
    }
    if run.len() > 1 {
        curves.push(author.polyline(&run, false)?);
    }
    let mut segments = Vec::with_capacity(curves.len());
    for curve in curves {
        segments.push(Value::Ref(author.create(
            "IfcCompositeCurveSegment",
            &[
                ("Transition", word("CONTINUOUS")),
                ("SameSense", Value::Boolean(true)),
                ("ParentCurve", curve.into()),
            ],
        )?));
    }
    let outline = author.create(
        "IfcCompositeCurve",
        &[("Segments", Value::List(segments)), ("SelfIntersect", Value::Boolean(false))],
    )?;
    author.create(
        "IfcArbitraryClosedProfileDef",
        &[("ProfileType", word("AREA")), ("OuterCurve", outline.into())],
    )
}

/// The outline of square ends, told along and beside an axis.
pub fn square(length: f64, faces: (f64, f64)) -> Vec<DVec2> {
    rectangle(DVec2::new(0.0, faces.0), DVec2::new(length, faces.1))
}
