//! LIP002: a linear placement comes with the Cartesian position that it computes to, for readers that do not follow curves.

use super::Context;
use glam::DVec3;
use ifc::Id;
use ifc::placement::{axis2, on_curves};
use ifc::units::Units;

/// The most that positions may differ in plan, in metres.
const TOLERANCE: f64 = 1e-4;

pub(super) fn fallback(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    let metre = Units::from_model(context.model).si("IfcLengthMeasure");
    let placements = context.of_class("IfcLinearPlacement");
    let ids: Vec<Id> = placements.iter().map(ifc::Instance::id).collect();
    let computed = on_curves(context.model, &ids);
    for (placement, computed) in placements.iter().zip(computed) {
        let Some(position) = placement.reference("CartesianPosition") else {
            context.report_about(placement, Some("CartesianPosition"), |named| {
                let due =
                    computed.map(|map| format!(" It is {}.", shown(map.translation))).unwrap_or_default();
                format!(
                    "{named} has no CartesianPosition; add it for readers that do not follow alignments.{due}"
                )
            });
            continue;
        };
        // along a curve that is not followed nothing is known
        let (Some(computed), Some(given)) = (computed, axis2(context.model, position)) else { continue };
        let off = (computed.translation - given.translation).truncate().abs() * metre;
        if off.max_element() > TOLERANCE {
            context.report_about(placement, Some("CartesianPosition"), |named| {
                format!(
                    "{named} has a CartesianPosition at {}, but is at {} along its curve; correct it",
                    shown(given.translation),
                    shown(computed.translation)
                )
            });
        }
    }
}

fn shown(at: DVec3) -> String {
    format!("({:.4}, {:.4})", at.x, at.y)
}
