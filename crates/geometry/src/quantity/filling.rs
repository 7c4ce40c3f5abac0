//! Openings and what fills them.

use super::{Found, List, shape};
use crate::{bodies::Bodies, cutter, item::Shaper, parameters, read::ShapeError};
use glam::{DAffine3, DVec3};
use ifc::{Id, Instance, relations::Links};

/// Qto_OpeningElementBaseQuantities. Depth and volume are what the host loses; width and height are level and upright in a wall, the
/// two level directions of the opening's box in a slab.
pub(super) fn opening(shaper: &Shaper<'_>, product: &Instance<'_>, body: &Bodies, list: &mut List) {
    let host = Links::of_one(shaper.reader.model).host_of_opening(product.id());
    let host = host.and_then(|id| Some((id, shaper.gross_bodies(id).ok().filter(Bodies::are_sound)?)));
    let through = host.as_ref().and_then(|(_, bodies)| main_direction(bodies, body));
    let Some(n) = through.or_else(|| shape::directions(body, |_| true).first().map(|(n, _)| *n)) else {
        return;
    };
    let wall = n.z.abs() < 0.7;
    let x = if wall { shape::beside(n) } else { level_edge(body, n) };
    let Some(plane) = shape::middle(body, n, x) else { return };
    let outline = shape::cut(body, &plane);
    let area = outline.size();
    if let Some((low, high)) = outline.bounds()
        && let (width, height) = (high.x - low.x, high.y - low.y)
        && (width * height - area).abs() < 1e-3 * area
    {
        list.length("Width", width, Found::Extent);
        list.length("Height", height, Found::Extent);
    }
    let (low, high) = shape::extent(body, n);
    let (from, to) = host.as_ref().map_or((low, high), |(_, host)| shape::extent(host, n));
    list.length("Depth", high.min(to) - low.max(from), Found::TakenOut);
    list.area("Area", area, Found::MiddlePlane);
    if let Some(taken) = host.and_then(|(_, bodies)| taken_out(shaper, product.id(), &bodies)) {
        list.volume("Volume", taken, Found::TakenOut);
    }
}

/// The direction of most of the host's faces that the opening has faces along too.
fn main_direction(host: &Bodies, opening: &Bodies) -> Option<DVec3> {
    let own = shape::directions(opening, |_| true);
    let parallel = |n: DVec3| own.iter().any(|(m, _)| m.dot(n).abs() > 0.999);
    shape::directions(host, |_| true).into_iter().map(|(n, _)| n).find(|n| parallel(*n))
}

fn level_edge(body: &Bodies, n: DVec3) -> DVec3 {
    let sides = shape::directions(body, |m| m.dot(n).abs() < 0.05);
    sides.first().map_or(DVec3::X, |(m, _)| *m)
}

/// Returns the volume that an opening takes out of its host's bodies when nothing else is taken out, in m³.
fn taken_out(shaper: &Shaper<'_>, opening: Id, host: &Bodies) -> Option<f64> {
    let mut cutters = Vec::new();
    shaper.opening(opening, &DAffine3::IDENTITY, &mut cutters).ok()?;
    let mut taken = 0.0;
    for solid in host.iter() {
        let cut = cutter::cut(solid, &cutters);
        if !cut.refused.is_empty() {
            return None;
        }
        taken += cut.left.map_or(0.0, |left| solid.volume() - left.volume());
    }
    Some(taken)
}

/// Qto_DoorBaseQuantities and Qto_WindowBaseQuantities: by the attributes, else by the opening, else by the body. What fills an
/// opening that is no rectangle has the opening's area.
pub(super) fn door_or_window(
    shaper: &Shaper<'_>,
    product: &Instance<'_>,
    list: &mut List,
) -> Result<(), ShapeError> {
    let stated = parameters::stated_size(shaper, product);
    let opening = Links::of_one(shaper.reader.model).opening_of_filling(product.id());
    let opening = opening.and_then(|id| super::base_quantities(shaper, id).ok()?);
    let filled = opening.as_ref().and_then(|o| o.get("Width").zip(o.get("Height")));
    let (width, height, found) = if let Some((w, h)) = stated {
        (w, h, Found::Attribute)
    } else if let Some((w, h)) = filled {
        (w, h, Found::FilledOpening)
    } else {
        let frame = shaper.frame(product)?;
        let bodies = shaper.gross_bodies(product.id())?;
        (shape::size(&bodies, frame.x_axis), shape::size(&bodies, frame.z_axis), Found::Extent)
    };
    list.length("Width", width, found);
    list.length("Height", height, found);
    if let Some(area) = opening.and_then(|o| o.get("Area")).filter(|_| filled.is_none()) {
        list.area("Area", area, Found::FilledOpening);
    } else {
        list.length("Perimeter", 2.0 * (width + height), found);
        list.area("Area", width * height, found);
    }
    Ok(())
}
