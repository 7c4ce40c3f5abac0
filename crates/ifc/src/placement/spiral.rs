//! The segments that alignments are made of in plan: a part of a line, a circle or a spiral, moved to where the segment
//! begins (IfcCurveSegment, IfcSpiral and its subtypes; IfcGeometryResource, ISO 16739-1:2024).
//!
//! A spiral is told by its curvature over its length: a polynomial whose coefficient of degree n is a term of the spiral
//! to the power of -(n + 1), and in spirals of cosine and sine a swing over the length of the segment. A length below
//! nought goes backwards along the parent curve.

use super::axis2;
use super::curve::{Piece, Wave};
use crate::units::Units;
use crate::{Instance, Model, Value};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A segment of an alignment: a part of its parent curve, moved to where the segment begins.
pub(super) fn segment(model: &Model, segment: &Instance<'_>) -> Option<Piece> {
    let frame = axis2(model, segment.reference("Placement")?)?;
    let parent = model.get(segment.reference("ParentCurve")?)?;
    let (mut start, mut length) = (segment.number("SegmentStart")?, segment.number("SegmentLength")?);
    if let ("IfcCircle", Value::Typed(measure, _)) = (parent.class_name(), segment.attr("SegmentLength"))
        && measure == "IfcParameterValue"
    {
        let size = Units::from_model(model).angle_deg.to_radians() * parent.number("Radius")?;
        (start, length) = (start * size, length * size);
    }
    // the parent's curvature as seen from where the segment begins, backwards if its length is negative
    let turn = if length < 0.0 { -1.0 } else { 1.0 };
    let bend = curvature(&parent)?;
    let moved = (0..bend.len()).map(|power| {
        let terms = bend.iter().enumerate().skip(power);
        let sum: f64 = terms.map(|(n, c)| c * choose(n, power) * start.powi((n - power) as i32)).sum();
        turn * sum * f64::powi(turn, power as i32)
    });
    let wave = swing(&parent, length.abs()).map(|wave| Wave {
        size: turn * wave.size,
        pace: turn * wave.pace,
        phase: wave.phase + wave.pace * start,
    });
    Some(Piece { frame, length: length.abs(), bend: moved.collect(), wave })
}

/// The curvature of a parent curve by its length, without what swings: coefficients of a polynomial.
fn curvature(parent: &Instance<'_>) -> Option<Vec<f64>> {
    let term = |name: &str| parent.number(name).filter(|value| *value != 0.0);
    // of odd degree a term keeps its sign, which an even power would take from it
    let coefficients = |names: &[&str]| {
        let of = |(degree, name): (usize, &&str)| {
            term(name).map_or(0.0, |a| a.signum() / a.abs().powi(degree as i32 + 1))
        };
        names.iter().enumerate().map(of).collect::<Vec<f64>>()
    };
    const TERMS: [&str; 8] = [
        "ConstantTerm",
        "LinearTerm",
        "QuadraticTerm",
        "CubicTerm",
        "QuarticTerm",
        "QuinticTerm",
        "SexticTerm",
        "SepticTerm",
    ];
    Some(match parent.class_name() {
        "IfcLine" => Vec::new(),
        "IfcCircle" => vec![1.0 / term("Radius")?],
        "IfcClothoid" => {
            let a = term("ClothoidConstant")?;
            vec![0.0, a / a.abs().powi(3)]
        }
        "IfcSecondOrderPolynomialSpiral"
        | "IfcThirdOrderPolynomialSpiral"
        | "IfcSeventhOrderPolynomialSpiral" => coefficients(&TERMS),
        "IfcCosineSpiral" | "IfcSineSpiral" => coefficients(&["ConstantTerm", "LinearTerm"]),
        _ => return None,
    })
}

/// The part of a parent curve's curvature that swings, over a segment of this length.
fn swing(parent: &Instance<'_>, length: f64) -> Option<Wave> {
    let term = |name: &str| parent.number(name).filter(|value| *value != 0.0);
    if length <= 0.0 {
        return None;
    }
    match parent.class_name() {
        "IfcCosineSpiral" => Some(Wave { size: 1.0 / term("CosineTerm")?, pace: PI / length, phase: 0.0 }),
        "IfcSineSpiral" => {
            Some(Wave { size: 1.0 / term("SineTerm")?, pace: TAU / length, phase: -FRAC_PI_2 })
        }
        _ => None,
    }
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}
