//! GEM011, GEM111, GEM112 and GEM113: the segments and points of curves.
//!
//! Points are the same if they are nearer than the precision of the context that the curve is drawn in
//! ([`super::precision`]).

use super::precision::Precisions;
use super::{Context, alignment_shapes, representations};
use glam::DVec3;
use ifc::{Id, Instance, Model, Value};
use std::collections::{HashMap, HashSet};

pub(super) fn segments(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    let mut seen = HashSet::new();
    for product in context.of_class("IfcProduct") {
        if product.class_name() == "IfcAlignment" {
            continue;
        }
        for representation in representations::read(context, &product) {
            for curve in context.at(&representation, "Items") {
                let class = curve.class_name();
                let by_curve_segments = matches!(class, "IfcGradientCurve" | "IfcSegmentedReferenceCurve");
                if !(by_curve_segments || class == "IfcCompositeCurve") || !seen.insert(curve.id()) {
                    continue;
                }
                alignment_shapes::segments_of_one_class(context, &curve, by_curve_segments);
            }
        }
    }
}

pub(super) fn duplicate_points(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    for (class, attribute) in [("IfcPolyLoop", "Polygon"), ("IfcPolyline", "Points")] {
        for curve in context.of_class(class) {
            let members = context.at(&curve, attribute);
            let points: Vec<DVec3> =
                members.iter().map(|member| point(&member.attr("Coordinates"))).collect();
            let precision = precisions.precision(curve.id());
            let is_closed = class == "IfcPolyline"
                && points.len() > 1
                && points
                    .first()
                    .zip(points.last())
                    .is_some_and(|(first, last)| first.distance(*last) < precision);
            if let Some((a, b)) = duplicate(&points, precision, is_closed) {
                context.report_about(&curve, Some(attribute), |named| {
                    let id = |at: usize| members.get(at).map_or(Id(0), Instance::id);
                    format!(
                        "{named} has the same point twice, as {} ({}) and {} ({}), within {precision}; leave one out",
                        a + 1,
                        id(a),
                        b + 1,
                        id(b)
                    )
                });
            }
            let ends = members.first().zip(members.last()).map(|(first, last)| (first.id(), last.id()));
            if is_closed
                && let Some((first, last)) = ends
                && first != last
            {
                context.report_about(&curve, Some(attribute), |named| {
                    format!("{named} is closed, but ends in {last}, which only has the coordinates of {first}; end it in {first}")
                });
            }
        }
    }
}

pub(super) fn consecutive_points(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    for curve in context.of_class("IfcIndexedPolyCurve") {
        let Some(points) = listed(context.model, &curve) else { continue };
        let precision = precisions.precision(curve.id());
        let runs = match segment_indices(&curve) {
            None => vec![(0..points.len()).collect()],
            Some(segments) => segments.into_iter().map(|(indices, _)| indices).collect::<Vec<Vec<usize>>>(),
        };
        let near = |pair: &[usize]| match pair {
            [a, b] => points.get(*a).zip(points.get(*b)).is_some_and(|(a, b)| a.distance(*b) < precision),
            _ => false,
        };
        let found = runs.iter().find_map(|run| run.windows(2).find(|pair| near(pair)));
        if let Some([a, b]) = found {
            context.report_about(&curve, Some("Points"), |named| {
                format!("{named} has the same point twice in a row, as {} and {}, within {precision}; leave one out", a + 1, b + 1)
            });
        }
    }
}

pub(super) fn straight_arcs(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    for curve in context.of_class("IfcIndexedPolyCurve") {
        let Some(points) = listed(context.model, &curve) else { continue };
        let precision = precisions.precision(curve.id());
        for (indices, is_arc) in segment_indices(&curve).unwrap_or_default() {
            let [a, b, c] = *indices.as_slice() else { continue };
            let at = |index: usize| points.get(index).copied();
            let (Some(start), Some(middle), Some(end), true) = (at(a), at(b), at(c), is_arc) else {
                continue;
            };
            if is_straight(start, middle, end, precision) {
                context.report_about(&curve, Some("Segments"), |named| {
                    format!(
                        "{named} has an arc through points {}, {} and {}, which are on one line within {precision}; write an IfcLineIndex",
                        a + 1,
                        b + 1,
                        c + 1
                    )
                });
                break;
            }
        }
    }
}

/// Indices into the points, from nought, of each segment, and whether it is an arc; `None` where the curve has no
/// segments and runs through all points.
fn segment_indices(curve: &Instance<'_>) -> Option<Vec<(Vec<usize>, bool)>> {
    let value = curve.attr("Segments");
    let segments = value.as_list()?;
    let index = |value: &Value| usize::try_from(value.as_i64()?).ok()?.checked_sub(1);
    Some(
        segments
            .iter()
            .map(|segment| {
                let indices = segment.as_list().unwrap_or_default().iter().filter_map(index).collect();
                (indices, matches!(segment, Value::Typed(name, _) if name == "IfcArcIndex"))
            })
            .collect(),
    )
}

/// The points of an indexed curve.
fn listed(model: &Model, curve: &Instance<'_>) -> Option<Vec<DVec3>> {
    let list = model.get(curve.reference("Points")?)?.attr("CoordList");
    Some(list.as_list()?.iter().map(point).collect())
}

/// Coordinates; what is lacking is nought.
pub(super) fn point(value: &Value) -> DVec3 {
    let members = value.as_list().unwrap_or_default();
    let number = |at: usize| members.get(at).and_then(Value::as_f64).unwrap_or(0.0);
    DVec3::new(number(0), number(1), number(2))
}

/// Two points nearer than the precision; the first and the last are not compared with each other if `closed`.
///
/// Points are put in cells of that size, so that only neighbours are compared: cells hold few points, for it ends at
/// the first pair.
fn duplicate(points: &[DVec3], precision: f64, closed: bool) -> Option<(usize, usize)> {
    if !(precision.is_finite() && precision > 0.0) {
        return None;
    }
    let last = points.len().checked_sub(1)?;
    let is_pair = |a: usize, b: usize| {
        !(closed && a == 0 && b == last)
            && points.get(a).zip(points.get(b)).is_some_and(|(a, b)| a.distance(*b) < precision)
    };
    if points.len() <= 8 {
        return (0..points.len()).find_map(|b| (0..b).find(|a| is_pair(*a, b)).map(|a| (a, b)));
    }
    let cell =
        |point: &DVec3, offset: DVec3| ((*point / precision).floor() + offset).to_array().map(f64::to_bits);
    let mut cells: HashMap<[u64; 3], Vec<usize>> = HashMap::with_capacity(points.len());
    for (b, point) in points.iter().enumerate() {
        for offset in 0..27u32 {
            let step = |place: u32| f64::from(offset / 3u32.pow(place) % 3) - 1.0;
            let near = cells.get(&cell(point, DVec3::new(step(0), step(1), step(2))));
            if let Some(a) = near.and_then(|near| near.iter().find(|a| is_pair(**a, b))) {
                return Some((*a, b));
            }
        }
        let own = cells.entry(cell(point, DVec3::ZERO)).or_default();
        // nan and infinite coordinates would gather in one cell and be no pair with anything
        if point.is_finite() {
            own.push(b);
        }
    }
    None
}

/// True if the middle point is nearer to the line through the others than the precision, or these are one point.
fn is_straight(start: DVec3, middle: DVec3, end: DVec3, precision: f64) -> bool {
    let run = end - start;
    let chord = run.length();
    chord < precision || run.cross(middle - start).length() / chord < precision
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_found_among_many_points_and_only_within_the_precision() {
        let mut points: Vec<DVec3> = (0..1000).map(|at| DVec3::X * (f64::from(at) * 0.01)).collect();
        assert_eq!(duplicate(&points, 1e-5, false), None);
        points.push(DVec3::X * 5.000_009);
        assert_eq!(duplicate(&points, 1e-5, false), Some((500, 1000)));
        assert_eq!(duplicate(&points, 1e-6, false), None);
        points.pop();
        points.push(DVec3::ZERO);
        assert_eq!(duplicate(&points, 1e-5, false), Some((0, 1000)));
        assert_eq!(duplicate(&points, 1e-5, true), None);
    }

    #[test]
    fn an_arc_that_hardly_bends_is_straight() {
        let (a, c) = (DVec3::ZERO, DVec3::X * 2.0);
        assert!(is_straight(a, [1.0, 1e-6, 0.0].into(), c, 1e-5));
        assert!(!is_straight(a, [1.0, 1e-3, 0.0].into(), c, 1e-5));
        assert!(is_straight(a, [1.0, 1.0, 0.0].into(), a, 1e-5));
    }
}
