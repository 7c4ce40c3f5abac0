//! Curves as far as placements stand on them: chains of straight pieces, arcs and spirals, followed by their length.
//!
//! Read are polylines, indexed polycurves, lines, circles, trimmed lines and circles, and composite curves of such or
//! of the segments of alignments (IfcCurveSegment over line, circle, clothoid or polynomial spiral; ISO 16739-1:2024,
//! 8.9), with a gradient curve's heights (line, arc or parabola) on top. Other curves are not followed.

use super::transform::{cross, unit};
use super::{Transform, axis2, direction, point};
use crate::units::Units;
use crate::{Id, Instance, Model, Value};
use std::f64::consts::TAU;

/// How deep curves may be made of curves.
const DEPTH: usize = 8;

/// A piece of a curve: it begins at its frame, along the frame's x axis, and bends in the frame's xy plane.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    frame: Transform,
    /// May be infinite.
    pub length: f64,
    /// Curvature by the distance from the beginning: coefficients of a polynomial; none for a straight piece.
    bend: Vec<f64>,
}

/// A curve with heights, if it has them.
pub(super) struct Curve {
    pieces: Vec<Piece>,
    heights: Vec<Height>,
}

/// Heights from a distance on.
struct Height {
    from: f64,
    level: f64,
    slope: f64,
    shape: Shape,
}

enum Shape {
    Straight,
    /// An arc of this curvature, upwards positive.
    Arc(f64),
    /// A polynomial of the parent curve, begun at this argument.
    Polynomial(Vec<f64>, f64),
}

impl Piece {
    fn straight(from: [f64; 3], to: [f64; 3]) -> Option<Self> {
        let run = difference(to, from);
        let length = run.iter().map(|part| part * part).sum::<f64>().sqrt();
        Some(Self { frame: frame(from, unit(run)?), length, bend: Vec::new() })
    }

    /// An arc in the plane of a position, from an angle on.
    fn arc(position: &Transform, radius: f64, start: f64, sweep: f64) -> Option<Self> {
        if !(radius.is_finite() && radius > 0.0 && sweep.is_finite()) {
            return None;
        }
        let turn = if sweep < 0.0 { -1.0 } else { 1.0 };
        let (sin, cos) = start.sin_cos();
        let x = [-sin * turn, cos * turn, 0.0];
        let z = [0.0, 0.0, 1.0];
        let inner = Transform::from_axes(x, cross(z, x), z, [radius * cos, radius * sin, 0.0]);
        let (frame, length) = (position.then(&inner), radius * sweep.abs());
        Some(Self { frame, length, bend: vec![turn / radius] })
    }

    /// The frame at a distance from the beginning, its x axis along the piece.
    pub fn at(&self, along: f64) -> Transform {
        let (x, y, heading) = match self.bend.as_slice() {
            [] => (along, 0.0, 0.0),
            [bend] if *bend != 0.0 => {
                let heading = bend * along;
                (heading.sin() / bend, (1.0 - heading.cos()) / bend, heading)
            }
            bend => integrate(bend, along),
        };
        let (sin, cos) = heading.sin_cos();
        self.frame.then(&Transform::from_axes(
            [cos, sin, 0.0],
            [-sin, cos, 0.0],
            [0.0, 0.0, 1.0],
            [x, y, 0.0],
        ))
    }

    /// The same piece so far to its left; spirals stay.
    pub fn beside(&self, offset: f64) -> Self {
        let mut moved = self.clone();
        if let [] | [_] = self.bend.as_slice() {
            moved.frame = self.frame.then(&Transform::translation([0.0, offset, 0.0]));
        }
        if let [bend] = self.bend.as_slice() {
            let stretch = 1.0 - bend * offset;
            if stretch.abs() > 1e-12 {
                moved.bend = vec![bend / stretch];
                moved.length *= stretch;
            }
        }
        moved
    }

    /// How far along the piece, or the line or circle that it is of, a point on it is.
    pub fn along(&self, point: [f64; 3]) -> f64 {
        let Some(back) = self.frame.inverse() else { return f64::NAN };
        let [x, y, _] = back.apply(point);
        match self.bend.as_slice() {
            [bend] if *bend != 0.0 => {
                let heading = (x * bend).atan2(1.0 - y * bend) * bend.signum();
                (if heading < -1e-9 { heading + TAU } else { heading }) / bend.abs()
            }
            _ => x,
        }
    }
}

impl Curve {
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The frame at a distance along the curve, beyond its ends along its last or first direction.
    pub fn at(&self, distance: f64) -> Option<Transform> {
        if !distance.is_finite() {
            return None;
        }
        let mut rest = distance;
        let mut found = None;
        for (at, piece) in self.pieces.iter().enumerate() {
            if rest <= piece.length || at + 1 == self.pieces.len() {
                found = Some((piece, rest));
                break;
            }
            rest -= piece.length;
        }
        let (piece, along) = found?;
        // a file's lengths of segments are rounded: a little beyond the end is the end
        let plan = piece.at(if along > piece.length { piece.length } else { along });
        let plan = if along > piece.length {
            plan.then(&Transform::translation([along - piece.length, 0.0, 0.0]))
        } else {
            plan
        };
        let Some(height) = self.heights.iter().rev().find(|h| h.from <= distance).or(self.heights.first())
        else {
            return Some(plan);
        };
        let (height, slope) = height.at(distance);
        let [[x, y, _], _, _, [a, b, _]] = plan.columns();
        Some(frame([a, b, height], unit([x, y, slope])?))
    }
}

impl Height {
    /// Height and slope at a distance.
    fn at(&self, distance: f64) -> (f64, f64) {
        let run = distance - self.from;
        match &self.shape {
            Shape::Straight => (self.level + self.slope * run, self.slope),
            Shape::Arc(bend) => {
                let start = self.slope.atan();
                let sin = (start.sin() + bend * run).clamp(-1.0, 1.0);
                let end = sin.asin();
                (self.level + (start.cos() - end.cos()) / bend, end.tan())
            }
            Shape::Polynomial(coefficients, begin) => {
                let value = |at: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * at + c);
                let slope = |at: f64| {
                    let terms = coefficients.iter().enumerate().skip(1).rev();
                    terms.fold(0.0, |sum, (power, c)| sum * at + c * power as f64)
                };
                (self.level + value(begin + run) - value(*begin), slope(begin + run))
            }
        }
    }
}

/// A frame with this direction as x axis and a z axis as upright as can be.
fn frame(origin: [f64; 3], x: [f64; 3]) -> Transform {
    let y = unit(cross([0.0, 0.0, 1.0], x)).unwrap_or([0.0, 1.0, 0.0]);
    Transform::from_axes(x, y, cross(x, y), origin)
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let ([a, b, c], [d, e, f]) = (a, b);
    [a - d, b - e, c - f]
}

/// Place and heading after a length of a polynomial curvature, by Gauss's rule of five points on short steps.
fn integrate(bend: &[f64], length: f64) -> (f64, f64, f64) {
    const POINTS: [(f64, f64); 5] = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (-0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let heading = |at: f64| {
        let terms = bend.iter().enumerate().rev();
        terms.fold(0.0, |sum, (power, c)| sum * at + c / (power as f64 + 1.0)) * at
    };
    let steps = 32;
    let half = length / f64::from(steps) / 2.0;
    let (mut x, mut y) = (0.0, 0.0);
    for step in 0..steps {
        let middle = half * f64::from(2 * step + 1);
        for (place, weight) in POINTS {
            let (sin, cos) = heading(middle + half * place).sin_cos();
            x += weight * half * cos;
            y += weight * half * sin;
        }
    }
    (x, y, heading(length))
}

/// The points that two pieces, taken as whole lines and circles of the plane, have in common.
pub(super) fn meetings(a: &Piece, b: &Piece) -> Vec<[f64; 3]> {
    let circle = |piece: &Piece| match piece.bend.as_slice() {
        [bend] if *bend != 0.0 => Some((piece.frame.apply([0.0, 1.0 / bend, 0.0]), 1.0 / bend.abs())),
        _ => None,
    };
    let line = |piece: &Piece| {
        let [x, _, _, origin] = piece.frame.columns();
        (origin, x)
    };
    match (circle(a), circle(b)) {
        (None, None) => {
            let (([ax, ay, _], [adx, ady, _]), ([bx, by, _], [bdx, bdy, _])) = (line(a), line(b));
            let across = adx * bdy - ady * bdx;
            if across.abs() < 1e-12 {
                return Vec::new();
            }
            let along = ((bx - ax) * bdy - (by - ay) * bdx) / across;
            vec![[ax + along * adx, ay + along * ady, 0.0]]
        }
        (Some((centre, radius)), None) => on_circle(line(b), centre, radius),
        (None, Some((centre, radius))) => on_circle(line(a), centre, radius),
        (Some(([ax, ay, _], ar)), Some(([bx, by, _], br))) => {
            let (dx, dy) = (bx - ax, by - ay);
            let apart = dx.hypot(dy);
            if apart < 1e-12 {
                return Vec::new();
            }
            // the line through both points, at this distance from the first centre
            let foot = (apart * apart + ar * ar - br * br) / (2.0 * apart);
            let (x, y) = (dx / apart, dy / apart);
            let line = ([ax + x * foot, ay + y * foot, 0.0], [-y, x, 0.0]);
            on_circle(line, [ax, ay, 0.0], ar)
        }
    }
}

fn on_circle(line: ([f64; 3], [f64; 3]), centre: [f64; 3], radius: f64) -> Vec<[f64; 3]> {
    let (([px, py, _], [dx, dy, _]), [cx, cy, _]) = (line, centre);
    let foot = (cx - px) * dx + (cy - py) * dy;
    let (fx, fy) = (px + foot * dx, py + foot * dy);
    let square = radius * radius - (fx - cx).powi(2) - (fy - cy).powi(2);
    if square < -1e-9 * radius * radius {
        return Vec::new();
    }
    let half = square.max(0.0).sqrt();
    [-half, half].map(|by| [fx + by * dx, fy + by * dy, 0.0]).to_vec()
}

/// A curve by its instance; none if it is of a kind that is not followed.
pub(super) fn read(model: &Model, id: Id) -> Option<Curve> {
    let instance = model.get(id)?;
    // what carries the cant stands on what carries the heights
    let instance = match instance.class_name() {
        "IfcSegmentedReferenceCurve" => model.get(instance.reference("BaseCurve")?)?,
        _ => instance,
    };
    if instance.class_name() == "IfcGradientCurve" {
        let pieces = pieces(model, instance.reference("BaseCurve")?, DEPTH)?;
        let segments = instance.references("Segments");
        let mut heights: Vec<Height> = segments.into_iter().filter_map(|id| height(model, id)).collect();
        heights.sort_by(|a, b| a.from.total_cmp(&b.from));
        return Some(Curve { pieces, heights });
    }
    Some(Curve { pieces: pieces(model, instance.id(), DEPTH)?, heights: Vec::new() })
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
                    all.push(aligned(model, &segment)?);
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

fn chain(points: &[[f64; 3]]) -> Vec<Piece> {
    points.windows(2).filter_map(|pair| Piece::straight(*pair.first()?, *pair.last()?)).collect()
}

fn line(model: &Model, line: &Instance<'_>) -> Option<Piece> {
    let from = point(model, line.reference("Pnt")?)?;
    let run = model.get(line.reference("Dir")?)?;
    let x = unit(direction(model, run.reference("Orientation")?)?)?;
    Some(Piece { frame: frame(from, x), length: f64::INFINITY, bend: Vec::new() })
}

fn indexed(model: &Model, curve: &Instance<'_>) -> Option<Vec<Piece>> {
    let list = model.get(curve.reference("Points")?)?.attr("CoordList");
    let coordinates = |point: &Value| {
        let parts = point.as_list()?;
        let number = |at: usize| parts.get(at).map_or(Some(0.0), Value::as_f64);
        Some([number(0)?, number(1)?, number(2)?])
    };
    let points: Option<Vec<[f64; 3]>> = list.as_list()?.iter().map(coordinates).collect();
    let points = points?;
    let segments = curve.attr("Segments");
    let Some(segments) = segments.as_list() else { return Some(chain(&points)) };
    let mut all = Vec::new();
    for segment in segments {
        let Value::Typed(kind, places) = segment else { return None };
        let through: Option<Vec<[f64; 3]>> = places
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
fn arc_through(from: [f64; 3], over: [f64; 3], to: [f64; 3]) -> Option<Piece> {
    let ([bx, by, _], [cx, cy, _]) = (difference(over, from), difference(to, from));
    let across = 2.0 * (bx * cy - by * cx);
    if across.abs() < 1e-12 {
        return Piece::straight(from, to);
    }
    let (b, c) = (bx * bx + by * by, cx * cx + cy * cy);
    let (x, y) = ((cy * b - by * c) / across, (bx * c - cx * b) / across);
    let start = (-y).atan2(-x);
    let turn = ((cy - y).atan2(cx - x) - start).rem_euclid(TAU);
    let [a, b, height] = from;
    let centre = Transform::translation([a + x, b + y, height]);
    Piece::arc(&centre, x.hypot(y), start, if across > 0.0 { turn } else { turn - TAU })
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
                |trim: &Value| by_point(trim).or_else(|| Some(whole.at(by_number(trim)? * size).origin()));
            Piece::straight(end(from)?, end(to)?)
        }
        "IfcCircle" => {
            let position = axis2(model, basis.reference("Position")?)?;
            let back = position.inverse()?;
            let angle = |trim: &Value| match by_point(trim) {
                Some(point) => {
                    let [x, y, _] = back.apply(point);
                    Some(y.atan2(x))
                }
                None => Some(by_number(trim)? * Units::of(model).angle_deg.to_radians()),
            };
            let (from, to) = (angle(from)?, angle(to)?);
            let turn = (to - from).rem_euclid(TAU);
            let sweep = if agrees { turn } else { turn - TAU };
            Piece::arc(&position, basis.number("Radius")?, from, sweep)
        }
        _ => None,
    }
}

/// A segment of an alignment: a part of its parent curve, moved to where the segment begins.
fn aligned(model: &Model, segment: &Instance<'_>) -> Option<Piece> {
    let frame = axis2(model, segment.reference("Placement")?)?;
    let parent = model.get(segment.reference("ParentCurve")?)?;
    let (start, length) = (segment.number("SegmentStart")?, segment.number("SegmentLength")?);
    let (mut start, mut length) = (start, length);
    let bend = curvature(&parent)?;
    if let ("IfcCircle", Value::Typed(measure, _)) = (parent.class_name(), segment.attr("SegmentLength"))
        && measure == "IfcParameterValue"
    {
        let size = Units::of(model).angle_deg.to_radians() * parent.number("Radius")?;
        (start, length) = (start * size, length * size);
    }
    // the parent's curvature as seen from where the segment begins, backwards if its length is negative
    let turn = if length < 0.0 { -1.0 } else { 1.0 };
    let moved = (0..bend.len()).map(|power| {
        let terms = bend.iter().enumerate().skip(power);
        let sum: f64 = terms.map(|(n, c)| c * choose(n, power) * start.powi((n - power) as i32)).sum();
        turn * sum * f64::powi(turn, power as i32)
    });
    Some(Piece { frame, length: length.abs(), bend: moved.collect() })
}

/// The curvature of a parent curve by its length: coefficients of a polynomial.
fn curvature(parent: &Instance<'_>) -> Option<Vec<f64>> {
    let term = |name: &str| parent.number(name).filter(|value| *value != 0.0);
    let constant = term("ConstantTerm").map_or(0.0, |a| 1.0 / a);
    let linear = term("LinearTerm").map_or(0.0, |a| a / a.abs().powi(3));
    let quadratic = term("QuadraticTerm").map_or(0.0, |a| 1.0 / a.powi(3));
    let cubic = term("CubicTerm").map_or(0.0, |a| a / a.abs().powi(5));
    Some(match parent.class_name() {
        "IfcLine" => Vec::new(),
        "IfcCircle" => vec![1.0 / term("Radius")?],
        "IfcClothoid" => {
            let a = term("ClothoidConstant")?;
            vec![0.0, a / a.abs().powi(3)]
        }
        "IfcSecondOrderPolynomialSpiral" => vec![constant, linear, quadratic],
        "IfcThirdOrderPolynomialSpiral" => vec![constant, linear, quadratic, cubic],
        _ => return None,
    })
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

/// A vertical segment: it begins at a distance and a height, in a direction.
fn height(model: &Model, segment: Id) -> Option<Height> {
    let segment = model.get(segment)?;
    let [[run, rise, _], _, _, [from, level, _]] = axis2(model, segment.reference("Placement")?)?.columns();
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
