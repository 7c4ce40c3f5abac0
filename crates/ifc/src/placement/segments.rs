//! The curves of a file that placements are followed along: polylines, indexed polycurves, lines, circles, trimmed lines
//! and circles, and composite curves of such or of the segments of alignments (see [`super::spiral`]), with a gradient
//! curve's heights (line, arc or parabola) and a segmented reference curve's cant on top. Other curves are not followed.

use super::curve::{Curve, Height, Piece, Shape, frame};
use super::{axis2, cant, direction, inverse, point, spiral, unit};
use crate::units::Units;
use crate::{Id, Instance, Model, Value};
use glam::{DAffine3, DVec3};
use std::f64::consts::TAU;

/// The most levels that curves may be made of curves.
const DEPTH: usize = 8;

/// A curve by its instance; none if it is of a kind that is not followed.
pub(super) fn read(model: &Model, id: Id) -> Option<Curve> {
    let instance = model.get(id)?;
    // what carries the cant stands on what carries the heights
    let (instance, cant) = match instance.class_name() {
        "IfcSegmentedReferenceCurve" => {
            (model.get(instance.reference("BaseCurve")?)?, cant::read(model, &instance))
        }
        _ => (instance, Vec::new()),
    };
    if instance.class_name() == "IfcGradientCurve" {
        let pieces = pieces(model, instance.reference("BaseCurve")?, DEPTH)?;
        let segments = instance.references("Segments");
        let mut heights: Vec<Height> = segments.into_iter().filter_map(|id| height(model, id)).collect();
        heights.sort_by(|a, b| a.from.total_cmp(&b.from));
        return Some(Curve { pieces, heights, cant });
    }
    Some(Curve { pieces: pieces(model, instance.id(), DEPTH)?, heights: Vec::new(), cant })
}

fn pieces(model: &Model, id: Id, depth: usize) -> Option<Vec<Piece>> {
    let depth = depth.checked_sub(1)?;
    let instance = model.get(id)?;
    let found: Vec<Piece> = match instance.class_name() {
        "IfcPolyline" => {
            let points: Option<Vec<_>> =
                instance.references("Points").into_iter().map(|id| point(model, id)).collect();
            chain(&points?)
        }
        "IfcIndexedPolyCurve" => indexed(model, &instance)?,
        "IfcLine" => vec![line(model, &instance)?],
        "IfcCircle" => {
            let position = axis2(model, instance.reference("Position")?)?;
            vec![Piece::arc(&position, instance.number("Radius")?, 0.0, TAU)?]
        }
        "IfcTrimmedCurve" => vec![trimmed(model, &instance)?],
        "IfcCompositeCurve" => {
            let mut all = Vec::new();
            for segment in instance.references("Segments") {
                let segment = model.get(segment)?;
                if segment.class_name() == "IfcCurveSegment" {
                    all.push(spiral::segment(model, &segment)?);
                } else if segment.attr("SameSense").as_bool() == Some(false) {
                    return None;
                } else {
                    all.extend(pieces(model, segment.reference("ParentCurve")?, depth)?);
                }
            }
            all
        }
        _ => return None,
    };
    (!found.is_empty()).then_some(found)
}

fn chain(points: &[DVec3]) -> Vec<Piece> {
    points.windows(2).filter_map(|pair| Piece::straight(*pair.first()?, *pair.last()?)).collect()
}

fn line(model: &Model, line: &Instance<'_>) -> Option<Piece> {
    let from = point(model, line.reference("Pnt")?)?;
    let run = model.get(line.reference("Dir")?)?;
    let x = unit(direction(model, run.reference("Orientation")?)?)?;
    Some(Piece { frame: frame(from, x), length: f64::INFINITY, bend: Vec::new(), wave: None })
}

fn indexed(model: &Model, curve: &Instance<'_>) -> Option<Vec<Piece>> {
    let list = model.get(curve.reference("Points")?)?.attr("CoordList");
    let coordinates = |point: &Value| {
        let parts = point.as_list()?;
        let number = |at: usize| parts.get(at).map_or(Some(0.0), Value::as_f64);
        Some(DVec3::new(number(0)?, number(1)?, number(2)?))
    };
    let points: Option<Vec<DVec3>> = list.as_list()?.iter().map(coordinates).collect();
    let points = points?;
    let segments = curve.attr("Segments");
    let Some(segments) = segments.as_list() else { return Some(chain(&points)) };
    let mut all = Vec::new();
    for segment in segments {
        let Value::Typed(kind, places) = segment else { return None };
        let through: Option<Vec<DVec3>> = places
            .as_list()?
            .iter()
            .map(|place| points.get(usize::try_from(place.as_i64()?).ok()?.checked_sub(1)?).copied())
            .collect();
        match (kind.as_str(), through?.as_slice()) {
            ("IfcArcIndex", [from, over, to]) => all.push(arc_through(*from, *over, *to)?),
            (_, through) => all.extend(chain(through)),
        }
    }
    Some(all)
}

/// The arc of the plane through three points; a straight piece where they lie on a line.
fn arc_through(from: DVec3, over: DVec3, to: DVec3) -> Option<Piece> {
    let (b, c) = ((over - from).truncate(), (to - from).truncate());
    let across = 2.0 * b.perp_dot(c);
    if across.abs() < 1e-12 {
        return Piece::straight(from, to);
    }
    // from the first point to the centre
    let way = (b * c.length_squared() - c * b.length_squared()).perp() / across;
    let start = (-way).to_angle();
    let turn = ((c - way).to_angle() - start).rem_euclid(TAU);
    let centre = DAffine3::from_translation(from + way.extend(0.0));
    Piece::arc(&centre, way.length(), start, if across > 0.0 { turn } else { turn - TAU })
}

fn trimmed(model: &Model, curve: &Instance<'_>) -> Option<Piece> {
    let basis = model.get(curve.reference("BasisCurve")?)?;
    let trims = ["Trim1", "Trim2"].map(|name| curve.attr(name));
    let by_point = |trim: &Value| trim.as_list()?.iter().find_map(|t| point(model, t.as_ref()?));
    let by_number = |trim: &Value| trim.as_list()?.iter().find_map(Value::as_f64);
    let [from, to] = &trims;
    let agrees = curve.attr("SenseAgreement").as_bool() != Some(false);
    match basis.class_name() {
        "IfcLine" => {
            let whole = line(model, &basis)?;
            let size = model.get(basis.reference("Dir")?)?.number("Magnitude").unwrap_or(1.0);
            let end =
                |trim: &Value| by_point(trim).or_else(|| Some(whole.at(by_number(trim)? * size).translation));
            Piece::straight(end(from)?, end(to)?)
        }
        "IfcCircle" => {
            let position = axis2(model, basis.reference("Position")?)?;
            let back = inverse(&position)?;
            let angle = |trim: &Value| match by_point(trim) {
                Some(point) => Some(back.transform_point3(point).truncate().to_angle()),
                None => Some(by_number(trim)? * Units::from_model(model).angle_deg.to_radians()),
            };
            let (from, to) = (angle(from)?, angle(to)?);
            let turn = (to - from).rem_euclid(TAU);
            let sweep = if agrees { turn } else { turn - TAU };
            Piece::arc(&position, basis.number("Radius")?, from, sweep)
        }
        _ => None,
    }
}

/// A vertical segment: it begins at a distance and a height, in a direction.
fn height(model: &Model, segment: Id) -> Option<Height> {
    let segment = model.get(segment)?;
    let placed = axis2(model, segment.reference("Placement")?)?;
    let (DVec3 { x: run, y: rise, .. }, DVec3 { x: from, y: level, .. }) =
        (placed.x_axis, placed.translation);
    let parent = model.get(segment.reference("ParentCurve")?)?;
    let shape = match parent.class_name() {
        "IfcLine" => Shape::Straight,
        "IfcCircle" => {
            let turn = segment.number("SegmentLength")?;
            Shape::Arc(turn.signum() / parent.number("Radius").filter(|radius| *radius > 0.0)?)
        }
        "IfcPolynomialCurve" => {
            let coefficients = parent.attr("CoefficientsY");
            let coefficients = coefficients.as_list()?.iter().filter_map(Value::as_f64).take(16).collect();
            Shape::Polynomial(coefficients, segment.number("SegmentStart")?)
        }
        _ => return None,
    };
    (run.abs() > 1e-12).then(|| Height { from, level, slope: rise / run, shape })
}
