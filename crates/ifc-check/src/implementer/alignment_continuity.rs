//! ALS016 and ALS017: each segment of an alignment ends where the next one begins, and as it goes on, as far as its transition says so;
//! in plan, and in height.
//!
//! Ends are computed ([`ifc::placement::segment_ends`]) and held against the placement of the next segment. Places may differ by the
//! precision of the geometric context, directions in plan by the angle at which that is missed over the length of the segment, gradients
//! by the precision again. What has a parent curve that cannot be followed is passed over.

use super::alignment_shapes::reached;
use super::alignments::all;
use super::precision::Precisions;
use super::{Context, representations};
use glam::DAffine3;
use ifc::Instance;
use ifc::placement::segment_ends;
use std::collections::HashSet;
use std::f64::consts::{PI, TAU};

/// ALS016: composite curves in representations of type Curve2D.
pub(super) fn in_plan(context: &mut Context<'_, '_>) {
    each_curve(context, "Curve2D", "IfcCompositeCurve", |end, next, length, precision| {
        let angle = |frame: &DAffine3| frame.x_axis.y.atan2(frame.x_axis.x);
        // the nearer way round
        let turn = (angle(next) - angle(end) + PI).rem_euclid(TAU) - PI;
        let allowed = precision.atan2(length.abs());
        (turn.abs() > allowed).then(|| format!("turns by {turn:.3e} radians (at most {allowed:.3e} is due)"))
    });
}

/// ALS017: gradient curves in representations of type Curve3D, in the plane of distance and height.
pub(super) fn in_height(context: &mut Context<'_, '_>) {
    each_curve(context, "Curve3D", "IfcGradientCurve", |end, next, _, precision| {
        let gradient = |frame: &DAffine3| frame.x_axis.y / frame.x_axis.x;
        let change = gradient(next) - gradient(end);
        // of two vertical ends there is no difference
        (change.abs() > precision)
            .then(|| format!("changes its gradient by {change:.3e} (at most {precision:.1e} is due)"))
    });
}

/// The difference in direction that is too much, told, from the end of a segment, the begin of the next one, the length of the former
/// and the precision.
type Turn = fn(&DAffine3, &DAffine3, f64, f64) -> Option<String>;

fn each_curve(context: &mut Context<'_, '_>, kind: &str, class: &str, turn: Turn) {
    let mut precisions = Precisions::new(context.model);
    let mut seen = HashSet::new();
    for alignment in all(context) {
        for one in representations::read(context, &alignment) {
            if !one.says("RepresentationType", kind) {
                continue;
            }
            for curve in reached(context, one.id()) {
                if curve.class_name() == class && seen.insert(curve.id()) {
                    let precision = precisions.precision(curve.id());
                    joints(context, &curve, precision, turn);
                }
            }
        }
    }
}

fn joints(context: &mut Context<'_, '_>, curve: &Instance<'_>, precision: f64, turn: Turn) {
    let segments = context.at(curve, "Segments");
    let ends: Vec<Option<[DAffine3; 2]>> =
        segments.iter().map(|segment| segment_ends(context.model, segment.id())).collect();
    for (pair, ends) in segments.windows(2).zip(ends.windows(2)) {
        let ([segment, next], [Some([_, end]), Some([begin, _])]) = (pair, ends) else { continue };
        let transition = segment.enumeration("Transition").unwrap_or_default();
        let goes_on = matches!(transition.as_str(), "CONTSAMEGRADIENT" | "CONTSAMEGRADIENTSAMECURVATURE");
        if !goes_on && transition != "CONTINUOUS" {
            continue;
        }
        let apart = end.translation.distance(begin.translation);
        if apart > precision {
            context.report_about(segment, Some("Placement"), |named| {
                format!(
                    "{named} is {transition} and ends {apart:.3e} away from where {} begins (at most {precision:.1e} is due); \
                     correct the placement or the length",
                    next.id()
                )
            });
        }
        let length = segment.number("SegmentLength").unwrap_or(0.0);
        if goes_on && let Some(told) = turn(end, begin, length, precision) {
            context.report_about(segment, Some("Placement"), |named| {
                format!("{named} is {transition}, but the curve {told} where {} begins; correct the directions, or the transition", next.id())
            });
        }
    }
}
