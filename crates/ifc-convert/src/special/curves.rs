//! Curves over lists of points (IfcIndexedPolyCurve): polylines and, where there are arcs, composite curves with
//! trimmed circles.

use crate::Outcome;
use crate::step::{Fate, Step};
use glam::DVec3;
use ifc::{Id, Instance, Value};

/// A piece of a curve by the numbers of its points, from nought.
enum Piece {
    Line(Vec<usize>),
    Arc([usize; 3]),
}

impl Step<'_> {
    pub(super) fn polycurve(&mut self, instance: &Instance<'_>) -> Fate {
        let Some(list) = instance.reference("Points") else { return self.dropped(instance, "has no points") };
        let count = self.point_count(list);
        let Some(pieces) = pieces(&instance.attr("Segments"), count) else {
            return self.dropped(instance, "speaks of points that it does not have");
        };
        if let [Piece::Line(numbers)] = pieces.as_slice() {
            let points = self.points(list, numbers);
            if points.len() < 2 {
                return self.dropped(instance, "has fewer than two points");
            }
            return self.made(
                instance,
                "IfcPolyline",
                &[("Points", points.into())],
                Outcome::Mapped,
                "is IfcPolyline now",
            );
        }
        let mut curves = Vec::new();
        for piece in &pieces {
            curves.extend(match piece {
                Piece::Line(numbers) => self.line(list, numbers),
                Piece::Arc(numbers) => self.arc(list, *numbers),
            });
        }
        if curves.is_empty() {
            return self.dropped(instance, "has no length");
        }
        let ends = |piece: Option<&Piece>, last: bool| match piece {
            Some(Piece::Line(numbers)) if last => numbers.last().copied(),
            Some(Piece::Line(numbers)) => numbers.first().copied(),
            Some(Piece::Arc([from, _, to])) => Some(if last { *to } else { *from }),
            None => None,
        };
        let closed = ends(pieces.first(), false) == ends(pieces.last(), true);
        let number = curves.len();
        let mut segments = Vec::new();
        for (at, curve) in curves.into_iter().enumerate() {
            let goes_on = at + 1 < number || closed;
            let segment = [
                ("Transition", Value::enumeration(if goes_on { "CONTINUOUS" } else { "DISCONTINUOUS" })),
                ("SameSense", Value::Boolean(true)),
                ("ParentCurve", curve.into()),
            ];
            segments.extend(self.make("IfcCompositeCurveSegment", &segment));
        }
        let crosses = match instance.attr("SelfIntersect") {
            Value::Null => Value::Unknown,
            given => given,
        };
        let attributes = [("Segments", segments.into()), ("SelfIntersect", crosses)];
        self.made(instance, "IfcCompositeCurve", &attributes, Outcome::Mapped, "is IfcCompositeCurve now")
    }

    fn line(&mut self, list: Id, numbers: &[usize]) -> Option<Id> {
        let points = self.points(list, numbers);
        if points.len() < 2 {
            return None;
        }
        self.make("IfcPolyline", &[("Points", points.into())])
    }

    /// The arc from the first point over the second to the third; a polyline if they lie on a line.
    fn arc(&mut self, list: Id, numbers: [usize; 3]) -> Option<Id> {
        let [a, b, c] = numbers.map(|at| self.coordinates(list, at));
        let flat = a.len() == 2;
        let Some(circle) = Circle::through(&a, &b, &c) else { return self.line(list, &numbers) };
        let center = circle.center.as_ref().get(..a.len()).unwrap_or_default().to_vec();
        let center = self.make("IfcCartesianPoint", &[("Coordinates", Value::list(center))])?;
        let position = if flat {
            self.make("IfcAxis2Placement2D", &[("Location", center.into())])?
        } else {
            let axis =
                self.make("IfcDirection", &[("DirectionRatios", Value::list(circle.axis.to_array()))])?;
            let first =
                self.make("IfcDirection", &[("DirectionRatios", Value::list(circle.first.to_array()))])?;
            let placement =
                [("Location", center.into()), ("Axis", axis.into()), ("RefDirection", first.into())];
            self.make("IfcAxis2Placement3D", &placement)?
        };
        let radius = Value::Real(circle.radius);
        let basis = self.make("IfcCircle", &[("Position", position.into()), ("Radius", radius)])?;
        let [from, _, to] = numbers;
        let trims = [from, to].map(|number| self.points(list, &[number]));
        let [from, to] = trims;
        // in a plane the circle always turns counter-clockwise; in space its axis follows the three points
        let sense = !flat || circle.axis.z > 0.0;
        let attributes = [
            ("BasisCurve", basis.into()),
            ("Trim1", from.into()),
            ("Trim2", to.into()),
            ("SenseAgreement", Value::Boolean(sense)),
            ("MasterRepresentation", Value::enumeration("CARTESIAN")),
        ];
        self.make("IfcTrimmedCurve", &attributes)
    }

    /// The number of points in a list.
    pub(super) fn point_count(&mut self, list: Id) -> usize {
        let rows = self.memory.coordinates.entry(list.0).or_insert_with(|| {
            let rows = self.source.get(list).map(|instance| instance.attr("CoordList")).unwrap_or_default();
            let rows = rows.as_list().unwrap_or_default().iter().map(|row| {
                let numbers = row.as_list().unwrap_or_default();
                numbers.iter().filter_map(Value::as_f64).collect::<Vec<f64>>()
            });
            rows.collect()
        });
        rows.len()
    }

    /// The coordinates of a point, in two or three dimensions.
    fn coordinates(&self, list: Id, number: usize) -> Vec<f64> {
        self.memory.coordinates.get(&list.0).and_then(|rows| rows.get(number)).cloned().unwrap_or_default()
    }

    /// Points of a list as instances, each made once; numbers that the list does not have are left out.
    pub(super) fn points(&mut self, list: Id, numbers: &[usize]) -> Vec<Id> {
        let mut points = Vec::with_capacity(numbers.len());
        for number in numbers {
            if let Some(point) = self.memory.points.get(&list.0).and_then(|points| points.get(number)) {
                points.push(*point);
                continue;
            }
            let place = self.coordinates(list, *number);
            if place.is_empty() {
                continue;
            }
            if let Some(point) = self.make("IfcCartesianPoint", &[("Coordinates", Value::list(place))]) {
                self.memory.points.entry(list.0).or_default().insert(*number, point);
                points.push(point);
            }
        }
        points
    }
}

/// The pieces of a curve, lines that follow each other joined; none if they speak of points that are not there.
fn pieces(segments: &Value, count: usize) -> Option<Vec<Piece>> {
    let Some(segments) = segments.as_list() else { return Some(vec![Piece::Line((0..count).collect())]) };
    let mut out: Vec<Piece> = Vec::new();
    for segment in segments {
        let Value::Typed(name, inner) = segment else { return None };
        let mut numbers = Vec::new();
        for number in inner.as_list()? {
            let number = usize::try_from(number.as_i64()?).ok()?.checked_sub(1)?;
            if number >= count {
                return None;
            }
            numbers.push(number);
        }
        match (name.as_str(), numbers.as_slice()) {
            ("IfcArcIndex", [a, b, c]) => out.push(Piece::Arc([*a, *b, *c])),
            ("IfcLineIndex", [first, rest @ ..]) => match out.last_mut() {
                Some(Piece::Line(open)) if open.last() == Some(first) => open.extend_from_slice(rest),
                _ => out.push(Piece::Line(numbers)),
            },
            _ => return None,
        }
    }
    Some(out)
}

struct Circle {
    center: DVec3,
    radius: f64,
    /// The axis round which the three points turn counter-clockwise.
    axis: DVec3,
    /// From the centre to the first point.
    first: DVec3,
}

impl Circle {
    fn through(a: &[f64], b: &[f64], c: &[f64]) -> Option<Self> {
        let [a, b, c] = [a, b, c].map(|p| {
            let at = |axis: usize| p.get(axis).copied().unwrap_or(0.0);
            DVec3::new(at(0), at(1), at(2))
        });
        let (u, v) = (b - a, c - a);
        let normal = u.cross(v);
        let area = normal.length_squared();
        if area <= 1e-18 * u.length_squared() * v.length_squared() || !area.is_finite() {
            return None;
        }
        // the centre from a: (|v|² (u×v)×u … ) / 2|u×v|²
        let to_center =
            (normal.cross(u) * v.length_squared() + v.cross(normal) * u.length_squared()) / (2.0 * area);
        let center = a + to_center;
        let unit = |p: DVec3| p / p.length();
        Some(Self { center, radius: to_center.length(), axis: unit(normal), first: unit(a - center) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_points_lie_on_one_circle() {
        let circle = Circle::through(&[1.0, 0.0], &[0.0, 1.0], &[-1.0, 0.0]).unwrap();
        assert!(circle.center.abs_diff_eq(DVec3::ZERO, 1e-12) && (circle.radius - 1.0).abs() < 1e-12);
        assert!(circle.axis.z > 0.999);
        let circle = Circle::through(&[5.0, 0.0, 2.0], &[3.0, 2.0, 2.0], &[3.0, -2.0, 2.0]).unwrap();
        assert!(circle.center.abs_diff_eq(DVec3::new(3.0, 0.0, 2.0), 1e-12), "{:?}", circle.center);
        assert!(circle.axis.z > 0.999);
        let back = Circle::through(&[1.0, 0.0], &[0.0, -1.0], &[-1.0, 0.0]).unwrap();
        assert!(back.axis.z < -0.999);
        assert!(Circle::through(&[0.0, 0.0], &[1.0, 1.0], &[2.0, 2.0]).is_none());
    }
}
