//! The two ends of one segment of a curve (IfcCurveSegment, IfcGeometryResource, ISO 16739-1:2024): where it begins and where it
//! would have the next one begin. In the plane of its placement: in plan for alignments, distance and height for gradients.

use super::{axis2, inverse, spiral};
use crate::{Id, Instance, Model, Value};
use glam::{DAffine3, DVec2, DVec3};

/// The frames at the beginning and at the end of an IfcCurveSegment, x along the curve, in the file's unit of length. None where its
/// parent curve is of a kind that is not followed, or where what it says of itself cannot be.
pub fn segment_ends(model: &Model, segment: Id) -> Option<[DAffine3; 2]> {
    let segment = model.get(segment)?;
    let parent = model.get(segment.reference("ParentCurve")?)?;
    let ends = if parent.class_name() == "IfcPolynomialCurve" {
        let begin = axis2(model, segment.reference("Placement")?)?;
        let graph = Graph::read(&parent)?;
        let start =
            graph.after(0.0, segment.number("SegmentStart")?, by_parameter(&segment, "SegmentStart"))?;
        let length = segment.number("SegmentLength")?;
        let stop = graph.after(start, length, by_parameter(&segment, "SegmentLength"))?;
        let turn = if length < 0.0 { -1.0 } else { 1.0 };
        let (from, to) = (graph.frame(start, turn)?, graph.frame(stop, turn)?);
        [begin, begin * inverse(&from)? * to]
    } else {
        let piece = spiral::segment(model, &segment)?;
        [piece.at(0.0), piece.at(piece.length)]
    };
    ends.iter().all(DAffine3::is_finite).then_some(ends)
}

/// True if a measure of a segment is one of the parameter, not of the length.
fn by_parameter(segment: &Instance<'_>, attribute: &str) -> bool {
    matches!(segment.attr(attribute), Value::Typed(measure, _) if measure == "IfcParameterValue")
}

/// The most coefficients of a polynomial that are looked at.
const TERMS: usize = 32;

/// A curve of the plane whose coordinates are polynomials of one parameter.
struct Graph {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Graph {
    fn read(curve: &Instance<'_>) -> Option<Self> {
        let of = |name: &str| -> Option<Vec<f64>> {
            let value = curve.attr(name);
            let Some(list) = value.as_list() else { return Some(Vec::new()) };
            let all: Option<Vec<f64>> = list.iter().map(|c| c.as_f64().filter(|c| c.is_finite())).collect();
            all.filter(|all| all.len() <= TERMS)
        };
        let (x, y) = (of("CoefficientsX")?, of("CoefficientsY")?);
        // without coefficients of its own, x is the parameter
        let x = if x.is_empty() { vec![0.0, 1.0] } else { x };
        Some(Self { x, y })
    }

    fn place(&self, at: f64) -> DVec2 {
        let value = |terms: &[f64]| terms.iter().rev().fold(0.0, |sum, c| sum * at + c);
        DVec2::new(value(&self.x), value(&self.y))
    }

    fn pace(&self, at: f64) -> DVec2 {
        let growth = |terms: &[f64]| {
            let terms = terms.iter().enumerate().skip(1).rev();
            terms.fold(0.0, |sum, (power, c)| sum * at + c * power as f64)
        };
        DVec2::new(growth(&self.x), growth(&self.y))
    }

    /// The frame at a parameter, its x axis forwards along the curve or, of a negative turn, backwards.
    fn frame(&self, at: f64, turn: f64) -> Option<DAffine3> {
        let x = (self.pace(at) * turn).try_normalize()?;
        Some(DAffine3::from_cols(x.extend(0.0), x.perp().extend(0.0), DVec3::Z, self.place(at).extend(0.0)))
    }

    /// The length of the curve between two parameters, by Gauss's rule of five points on short steps.
    fn length(&self, from: f64, to: f64) -> f64 {
        const POINTS: [(f64, f64); 5] = [
            (0.0, 0.568_888_888_888_888_9),
            (0.538_469_310_105_683, 0.478_628_670_499_366_5),
            (-0.538_469_310_105_683, 0.478_628_670_499_366_5),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
            (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        let steps = 16;
        let half = (to - from) / f64::from(steps) / 2.0;
        let of_step = |step: i32| -> f64 {
            let middle = from + half * f64::from(2 * step + 1);
            POINTS
                .iter()
                .map(|(place, weight)| weight * half * self.pace(middle + half * place).length())
                .sum()
        };
        (0..steps).map(of_step).sum()
    }

    /// The parameter so far along the curve from another one, by Newton's rule.
    fn after(&self, from: f64, way: f64, is_parameter: bool) -> Option<f64> {
        if is_parameter || way == 0.0 {
            return Some(from + way).filter(|at| at.is_finite());
        }
        let mut at = from + way / self.pace(from).length().max(1e-9);
        for _ in 0..50 {
            let off = self.length(from, at) - way;
            let step = off / self.pace(at).length();
            if !step.is_finite() {
                return None;
            }
            at -= step;
            if step.abs() <= 1e-13 * at.abs().max(1.0) {
                return Some(at);
            }
        }
        None
    }
}
