//! Columns and beams: bodies along an axis.

use super::{Found, List, shape};
use crate::{bodies::Bodies, item::Shaper, math::perpendicular};
use glam::DVec3;
use ifc::placement::unit;

impl Shaper<'_> {
    /// The direction in the world that all bodies are extruded along, whatever was clipped off them since.
    pub(super) fn axis_of(&self, bodies: &Bodies) -> Option<DVec3> {
        let mut axis: Option<DVec3> = None;
        for body in &bodies.all {
            let own = unit(body.place.transform_vector3(self.sweep_of_item(body.item).ok()?.path))?;
            if axis.is_some_and(|a| a.dot(own).abs() < 0.9999) {
                return None;
            }
            axis = Some(own);
        }
        axis
    }
}

/// Qto_ColumnBaseQuantities and Qto_BeamBaseQuantities. A column whose faces stand upright is one along z, however stout.
pub(super) fn member(
    extruded: Option<DVec3>,
    is_column: bool,
    gross: &Bodies,
    net: &Bodies,
    list: &mut List,
) {
    // sides are larger than ends: the axis runs along the two largest
    let axis = extruded.or_else(|| {
        let sides = shape::directions(gross, |_| true);
        if is_column && sides.iter().filter(|(n, _)| n.z.abs() < 0.01).count() > 1 {
            return Some(DVec3::Z);
        }
        let (first, _) = sides.first()?;
        let (second, _) = sides.iter().find(|(n, _)| n.dot(*first).abs() < 0.99)?;
        unit(first.cross(*second))
    });
    if let Some(axis) = axis
        && let Some(plane) = shape::middle(gross, axis, perpendicular(axis))
    {
        list.length("Length", shape::size(gross, axis), Found::Extent);
        list.area("CrossSectionArea", shape::cut(gross, &plane).size(), Found::MiddlePlane);
        let outer = shape::area_of(gross, |n| n.dot(axis).abs() < 0.5);
        list.area("OuterSurfaceArea", outer, Found::Faces);
    }
    list.area("GrossSurfaceArea", shape::area_of(gross, |_| true), Found::Faces);
    list.area("NetSurfaceArea", shape::area_of(net, |_| true), Found::Faces);
    list.volume("GrossVolume", gross.volume(), Found::Enclosed);
    list.volume("NetVolume", net.volume(), Found::Enclosed);
}
