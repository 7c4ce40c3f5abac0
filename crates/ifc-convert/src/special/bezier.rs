//! B-spline curves: IFC2X3 has Bézier curves only, IFC4 has knots. A Bézier curve is a B-spline whose inner knots come
//! as often as its degree (ISO 10303-42, 4.4.39), so that way is exact; the other way it is where the knots are such,
//! and otherwise the curve becomes a polyline of points on it.

use crate::Outcome;
use crate::step::{Fate, Step};
use ifc::{Id, Instance, Value};

/// Pieces of a polyline for each span of knots and degree.
const PIECES: usize = 4;
/// Points that one curve may become.
const MOST: usize = 20_000;

impl Step<'_> {
    pub(super) fn bezier_up(&mut self, instance: &Instance<'_>) -> Fate {
        let points = instance.references("ControlPointsList").len();
        let degree =
            instance.attr("Degree").as_i64().and_then(|degree| usize::try_from(degree).ok()).unwrap_or(0);
        if degree == 0 || points < 2 || !(points - 1).is_multiple_of(degree) {
            return self.dropped(instance, "has no whole number of pieces");
        }
        let pieces = (points - 1) / degree;
        let end = degree as i64 + 1;
        let multiplicities = (0..=pieces).map(|at| if at == 0 || at == pieces { end } else { degree as i64 });
        let kept = ["Degree", "ControlPointsList", "CurveForm", "ClosedCurve", "SelfIntersect"];
        let mut attributes: Vec<(&str, Value)> = kept.map(|name| (name, instance.attr(name))).to_vec();
        attributes.push(("KnotMultiplicities", Value::list(multiplicities)));
        attributes.push(("Knots", Value::list((0..=pieces).map(|at| at as f64))));
        attributes.push(("KnotSpec", Value::enumeration("PIECEWISE_BEZIER_KNOTS")));
        let class = match instance.attr("WeightsData") {
            Value::Null => "IfcBSplineCurveWithKnots",
            weights => {
                attributes.push(("WeightsData", weights));
                "IfcRationalBSplineCurveWithKnots"
            }
        };
        self.made(instance, class, &attributes, Outcome::Mapped, &format!("is {class} now"))
    }

    pub(super) fn spline_down(&mut self, instance: &Instance<'_>) -> Fate {
        let Some(spline) = Spline::read(instance) else {
            return self.dropped(instance, "is no curve as it stands");
        };
        let weights = instance.attr("WeightsData");
        if spline.is_bezier() {
            let kept = ["Degree", "ControlPointsList", "CurveForm", "ClosedCurve", "SelfIntersect"];
            let mut attributes: Vec<(&str, Value)> = kept.map(|name| (name, instance.attr(name))).to_vec();
            let class = if weights.is_null() { "IfcBezierCurve" } else { "IfcRationalBezierCurve" };
            attributes.push(("WeightsData", weights));
            return self.made(instance, class, &attributes, Outcome::Mapped, &format!("is {class} now"));
        }
        let points: Vec<Id> = spline
            .points()
            .into_iter()
            .filter_map(|point| self.make("IfcCartesianPoint", &[("Coordinates", Value::list(point))]))
            .collect();
        if points.len() < 2 {
            return self.dropped(instance, "is no curve as it stands");
        }
        let reason = "becomes IfcPolyline through points of the curve";
        self.made(instance, "IfcPolyline", &[("Points", points.into())], Outcome::Approximated, reason)
    }
}

/// A curve with its control points in homogeneous coordinates.
struct Spline {
    degree: usize,
    control: Vec<Vec<f64>>,
    multiplicities: Vec<usize>,
    knots: Vec<f64>,
}

impl Spline {
    fn read(instance: &Instance<'_>) -> Option<Self> {
        let model = instance.model();
        let degree = usize::try_from(instance.attr("Degree").as_i64()?).ok().filter(|degree| *degree > 0)?;
        let weights = instance.attr("WeightsData");
        let weights: Vec<f64> =
            weights.as_list().unwrap_or_default().iter().filter_map(Value::as_f64).collect();
        let mut control = Vec::new();
        for (at, id) in instance.references("ControlPointsList").into_iter().enumerate() {
            let weight = weights.get(at).copied().unwrap_or(1.0);
            let point = model.get(id)?.attr("Coordinates");
            let mut point: Vec<f64> =
                point.as_list()?.iter().filter_map(Value::as_f64).map(|x| x * weight).collect();
            point.push(weight);
            control.push(point);
        }
        let multiplicities = instance.attr("KnotMultiplicities");
        let multiplicities: Vec<usize> = multiplicities
            .as_list()?
            .iter()
            .filter_map(|value| usize::try_from(value.as_i64()?).ok())
            .collect();
        let knots = instance.attr("Knots");
        let knots: Vec<f64> = knots.as_list()?.iter().filter_map(Value::as_f64).collect();
        let total = multiplicities.iter().try_fold(0usize, |sum, count| sum.checked_add(*count))?;
        let sound = total == control.len() + degree + 1
            && multiplicities.len() == knots.len()
            && knots.is_sorted()
            && control.windows(2).all(|pair| pair.first().map(Vec::len) == pair.last().map(Vec::len));
        sound.then_some(Self { degree, control, multiplicities, knots })
    }

    fn is_bezier(&self) -> bool {
        let last = self.multiplicities.len().saturating_sub(1);
        self.multiplicities.iter().enumerate().all(|(at, count)| {
            if at == 0 || at == last { *count == self.degree + 1 } else { *count == self.degree }
        })
    }

    /// Points on the curve, those at knots among them.
    fn points(&self) -> Vec<Vec<f64>> {
        let vector: Vec<f64> = self
            .knots
            .iter()
            .zip(&self.multiplicities)
            .flat_map(|(knot, count)| std::iter::repeat_n(*knot, *count))
            .collect();
        let mut points = Vec::new();
        let pieces = if self.degree == 1 { 1 } else { PIECES * self.degree };
        for span in self.degree..self.control.len() {
            let (Some(from), Some(to)) = (vector.get(span), vector.get(span + 1)) else { break };
            if to <= from || points.len() > MOST {
                continue;
            }
            let first = usize::from(!points.is_empty());
            for step in first..=pieces {
                let at = from + (to - from) * step as f64 / pieces as f64;
                points.extend(self.point(&vector, span, at));
            }
        }
        points
    }

    /// De Boor's algorithm.
    fn point(&self, vector: &[f64], span: usize, at: f64) -> Option<Vec<f64>> {
        let mut level: Vec<Vec<f64>> = self.control.get(span.checked_sub(self.degree)?..=span)?.to_vec();
        for round in 1..=self.degree {
            for place in (round..=self.degree).rev() {
                let low = *vector.get(span + place - self.degree)?;
                let high = *vector.get(span + 1 + place - round)?;
                let share = if high > low { (at - low) / (high - low) } else { 0.0 };
                let before = level.get(place - 1)?.clone();
                for (value, before) in level.get_mut(place)?.iter_mut().zip(before) {
                    *value = before + share * (*value - before);
                }
            }
        }
        let homogeneous = level.pop()?;
        let (weight, point) = homogeneous.split_last()?;
        (*weight != 0.0).then(|| point.iter().map(|x| x / weight).collect())
    }
}
