//! Walls and slabs: bodies between two main faces.

use super::{Found, List, shape};
use crate::{bodies::Bodies, item::Shaper};
use glam::DVec3;
use ifc::placement::unit;
use ifc::{Instance, relations::Links};

/// Faces leaning less than this (a sine) from upright count as upright.
const UPRIGHT: f64 = 0.05;

impl Shaper<'_> {
    /// The level direction across a wall that its layers are said to lie along (IfcMaterialLayerSetUsage, AXIS2).
    pub(super) fn layered_across(&self, wall: &Instance<'_>) -> Option<DVec3> {
        let usage = Links::of_one(self.reader.model).composition_of(wall.id())?.usage?;
        let y = self.frame(wall).ok()?.y_axis;
        (usage.direction.as_deref() == Some("AXIS2") && y.z.abs() < UPRIGHT).then(|| unit(y)).flatten()
    }
}

/// The direction across a wall: that of its layers where it has faces that way, else that of most of its upright area. `None`
/// where no direction has more than its share, as in round walls.
pub(super) fn across(layered: Option<DVec3>, gross: &Bodies) -> Option<DVec3> {
    let upright = |n: DVec3| n.z.abs() < UPRIGHT;
    let all = shape::area_of(gross, upright);
    let directions = shape::directions(gross, upright);
    if let Some(y) = layered
        && let Some((n, area)) = directions.iter().find(|(n, _)| n.dot(y).abs() > 0.9999)
        && *area > 0.1 * all
    {
        return Some(*n);
    }
    let (n, area) = directions.first()?;
    (*area > 0.4 * all).then_some(*n)
}

/// Qto_WallBaseQuantities.
pub(super) fn wall(layered: Option<DVec3>, gross: &Bodies, net: &Bodies, list: &mut List) {
    let (footprint, net_footprint) = (shape::ground_view(gross), shape::ground_view(net));
    let (volume, net_volume) = (gross.volume(), net.volume());
    let height = shape::size(gross, DVec3::Z);
    let middle = across(layered, gross)
        .and_then(|n| Some((n, shape::middle(gross, n, shape::beside(n))?)))
        .map(|(n, plane)| (n, plane, shape::cut(gross, &plane)));
    let mut sides = None;
    if let Some((n, plane, side)) = middle
        && let Some((low, high)) = side.bounds().filter(|_| !side.areas.is_empty())
    {
        // along the centre line, so that mitred ends count by half
        list.length("Length", high.x - low.x, Found::MiddlePlane);
        let width = shape::size(gross, n);
        list.length("Width", width, Found::Extent);
        sides = Some((side.size(), shape::cut(net, &plane).size(), Found::MiddlePlane));
    } else {
        // a strip of length l and width w has the area l·w and the perimeter 2·(l + w)
        let (half, area) = (footprint.perimeter() / 2.0, footprint.size());
        let root = (half * half / 4.0 - area).max(0.0).sqrt();
        let (long, wide) = (half / 2.0 + root, half / 2.0 - root);
        if wide > 1e-3 {
            list.length("Length", long, Found::Strip);
            list.length("Width", wide, Found::Strip);
            sides = Some((volume / wide, net_volume / wide, Found::Strip));
        }
    }
    list.length("Height", height, Found::Extent);
    list.area("GrossFootprintArea", footprint.size(), Found::GroundView);
    list.area("NetFootprintArea", net_footprint.size(), Found::GroundView);
    if let Some((side, net_side, found)) = sides {
        list.area("GrossSideArea", side, found);
        list.area("NetSideArea", net_side, found);
    }
    list.volume("GrossVolume", volume, Found::Enclosed);
    list.volume("NetVolume", net_volume, Found::Enclosed);
}

/// Qto_SlabBaseQuantities. Level or leaning: areas are measured along the slab. Without constant thickness only volumes.
pub(super) fn slab(gross: &Bodies, net: &Bodies, list: &mut List) {
    let volume = gross.volume();
    let n = shape::directions(gross, |_| true).first().map(|(n, _)| *n);
    // along an edge of the outline, so that a rectangle is as large as its box
    let x = n.and_then(|n| {
        let sides = shape::directions(gross, |m| m.dot(n).abs() < UPRIGHT);
        sides.first().map(|(m, _)| n.cross(*m))
    });
    if let Some(n) = n
        && let Some(plane) = shape::middle(gross, n, x.unwrap_or(DVec3::X))
    {
        let outline = shape::cut(gross, &plane);
        let (thickness, area) = (shape::size(gross, n), outline.size());
        if (area * thickness - volume).abs() < 0.005 * volume {
            list.length("Width", thickness, Found::Extent);
            if let Some((low, high)) = outline.bounds()
                && let (length, depth) = (high.x - low.x, high.y - low.y)
                && (length * depth - area).abs() < 1e-4 * area
            {
                list.length("Length", length.max(depth), Found::MiddlePlane);
                list.length("Depth", length.min(depth), Found::MiddlePlane);
            }
            list.length("Perimeter", outline.perimeter(), Found::MiddlePlane);
            list.area("GrossArea", area, Found::MiddlePlane);
            list.area("NetArea", shape::cut(net, &plane).size(), Found::MiddlePlane);
        }
    }
    list.volume("GrossVolume", volume, Found::Enclosed);
    list.volume("NetVolume", net.volume(), Found::Enclosed);
}
