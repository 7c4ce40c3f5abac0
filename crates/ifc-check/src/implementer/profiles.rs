//! SWE001 and SWE002: profiles that are swept: outlines that do not cross themselves, and no mirroring where there is a class for it.

use super::faces::told;
use super::precision::Precisions;
use super::self_intersections::meeting;
use super::{Context, named};
use geometry::curve::Fineness;
use geometry::read::Reader;
use ifc::placement::operator;
use ifc::{Id, Instance};

/// SWE001: outer and inner curves of arbitrary profiles do not cross themselves.
pub(super) fn simple_outlines(context: &mut Context<'_, '_>) {
    let mut precisions = Precisions::new(context.model);
    let reader = Reader::new(context.model);
    for profile in context.of_class("IfcArbitraryClosedProfileDef") {
        for attribute in ["OuterCurve", "InnerCurves"] {
            for curve in profile.references(attribute) {
                let precision = precisions.precision(profile.id());
                if let Some((a, b)) = crossing(context, &reader, curve, precision) {
                    let is_polygon = context.model.get(curve).is_some_and(|curve| curve.is_a("IfcPolyline"));
                    context.report_about(&profile, Some(attribute), |name| {
                        let told = if is_polygon { told(a, b) } else { "correct it, or make two of it".to_owned() };
                        format!("{name} has an outline {curve} in {attribute} that crosses or touches itself: {told}")
                    });
                }
            }
        }
    }
}

/// The parts of a curve that meet; none where it cannot be followed.
fn crossing(
    context: &Context<'_, '_>,
    reader: &Reader<'_>,
    curve: Id,
    precision: f64,
) -> Option<(usize, usize)> {
    let precision = precision * reader.metre;
    let points = reader.curve(curve, 0).ok()?;
    context.left.set(context.left.get().saturating_sub(points.len()));
    let found = meeting(&points, false, precision, &context.left)?;
    if context.model.get(curve)?.is_a("IfcPolyline") {
        return Some(found);
    }
    // chords of arcs close to each other may meet where the arcs do not
    let finer = Reader { fineness: Fineness::Times(8), ..reader.clone() };
    let points = finer.curve(curve, 0).ok()?;
    context.left.set(context.left.get().saturating_sub(points.len()));
    meeting(&points, false, precision, &context.left)
}

/// SWE002: derived profiles do not mirror, and tapered sweeps do not at all.
pub(super) fn no_mirroring(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    for profile in context.of_exactly("IfcDerivedProfileDef") {
        if mirrors(&profile) {
            context.report_about(&profile, Some("Operator"), |named| {
                format!("{named} mirrors by its Operator; use IfcMirroredProfileDef")
            });
        }
    }
    for class in ["IfcExtrudedAreaSolidTapered", "IfcRevolvedAreaSolidTapered"] {
        for solid in context.of_class(class) {
            for attribute in ["SweptArea", "EndSweptArea"] {
                let profile = solid.reference(attribute).and_then(|id| context.model.get(id));
                let Some(profile) = profile.filter(|profile| profile.is_a("IfcDerivedProfileDef")) else {
                    continue;
                };
                if profile.is_a("IfcMirroredProfileDef") || mirrors(&profile) {
                    context.report_about(&solid, Some(attribute), |name| {
                        format!("{name} tapers to or from {}, which mirrors; use a profile that only moves and scales", named(&profile))
                    });
                }
            }
        }
    }
}

/// True if the operator of a derived profile turns its plane over.
fn mirrors(profile: &Instance<'_>) -> bool {
    let map = profile.reference("Operator").and_then(|id| operator(profile.model(), id));
    // what has no size is no mirror, but no profile either
    map.is_some_and(|map| map.matrix3.x_axis.truncate().perp_dot(map.matrix3.y_axis.truncate()) <= 0.0)
}
