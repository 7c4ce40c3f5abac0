//! Rooms: floor, walls and ceiling by the way their faces look.

use super::{Found, List, shape};
use crate::bodies::Bodies;
use glam::DVec3;

/// Faces leaning less than this (a sine) from upright are walls.
const UPRIGHT: f64 = 0.05;

/// Qto_SpaceBaseQuantities. What stands inside a room is not looked for: the net values are the gross ones and say so.
pub(super) fn space(body: &Bodies, list: &mut List) {
    let floor = shape::ground_view(body);
    let (area, volume) = (floor.size(), body.volume());
    let height = shape::size(body, DVec3::Z);
    let ceiling = shape::area_of(body, |n| n.z > UPRIGHT);
    if (area * height - volume).abs() < 0.005 * volume {
        list.length("Height", height, Found::Extent);
    }
    list.length("GrossPerimeter", floor.perimeter(), Found::GroundView);
    list.area("GrossFloorArea", area, Found::GroundView);
    list.area("NetFloorArea", area, Found::AsGross);
    list.area("GrossWallArea", shape::area_of(body, |n| n.z.abs() <= UPRIGHT), Found::Faces);
    list.area("GrossCeilingArea", ceiling, Found::Faces);
    list.area("NetCeilingArea", ceiling, Found::AsGross);
    list.volume("GrossVolume", volume, Found::Enclosed);
    list.volume("NetVolume", volume, Found::AsGross);
}
