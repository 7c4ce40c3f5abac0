//! Surfaces that one walks on: slabs, floor coverings, stairs, ramps and the ground under a point.

use crate::packs::context::Context;
use geometry::query::Ray;
use glam::{DVec2, DVec3};
use ifc::Id;

/// The classes of elements that are walked on.
const WALKED: [&str; 6] =
    ["IfcSlab", "IfcStair", "IfcStairFlight", "IfcRamp", "IfcRampFlight", "IfcCovering"];
/// The classes that the ground is modelled by.
const GROUND: [&str; 3] = ["IfcSite", "IfcGeographicElement", "IfcCivilElement"];
/// The least upward part of a face's normal that one can stand on.
const LEVEL: f64 = 0.9;

/// A surface under a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Surface {
    pub(super) element: Id,
    pub(super) height: f64,
}

/// True of an element that is walked on, or of the ground.
pub(super) fn is_walked(context: &Context<'_>, id: Id) -> bool {
    if context.is_a(id, &["IfcCovering"]) {
        return context.links.predefined_type(id).is_some_and(|kind| kind == "FLOORING");
    }
    context.is_a(id, &WALKED) || context.is_a(id, &GROUND)
}

/// The highest surface under a point of the plan, between two heights in metres.
pub(super) fn under(context: &Context<'_>, at: DVec2, low: f64, high: f64) -> Option<Surface> {
    let ray = Ray::new(at.extend(high), DVec3::NEG_Z)?.up_to((high - low).max(0.0));
    let hits = context.subject.index.hits(&ray);
    let mut walked = hits.into_iter().filter(|hit| hit.normal.z > LEVEL && is_walked(context, hit.element));
    walked.next().map(|hit| Surface { element: hit.element, height: hit.point.z })
}
