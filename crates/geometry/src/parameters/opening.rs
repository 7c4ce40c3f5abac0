//! Openings, and doors and windows by the opening that they fill: a rectangle in a wall, an outline in a slab.

use super::{
    Answer, By, Outline3,
    plate::outlines,
    wall::{extent, frame_along, wall},
};
use crate::{item::Shaper, read::ShapeError};
use glam::{DVec2, DVec3};
use ifc::placement::unit;
use ifc::{Instance, relations::Links};
use serde::{Deserialize, Serialize};

/// The parameters of an opening or of what fills it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// The number of the wall or slab that it is in, where it is in one.
    pub host: Option<u32>,
    /// In a wall: from the beginning of its axis to the opening's middle.
    pub along: Answer<f64>,
    /// In a wall: from its base to the opening's lower edge.
    pub sill: Answer<f64>,
    /// Level, along the wall; in a slab along its profile's x.
    pub width: Answer<f64>,
    /// Upright; in a slab along its profile's y.
    pub height: Answer<f64>,
    /// In a slab: the middle of the rectangle around the opening, in the coordinates of the slab's profile.
    pub middle: Answer<DVec2>,
    /// In a slab: the opening's outlines where its extrusion begins.
    pub footprint: Answer<Vec<Outline3>>,
}

/// OverallWidth and OverallHeight of a door or window, in metres, where both are given.
pub fn stated_size(shaper: &Shaper<'_>, product: &Instance<'_>) -> Option<(f64, f64)> {
    let stated = |name: &str| shaper.reader.length(product, name).ok().filter(|v| *v > 0.0);
    stated("OverallWidth").zip(stated("OverallHeight"))
}

pub(super) fn opening(shaper: &Shaper<'_>, product: &Instance<'_>) -> Result<Opening, ShapeError> {
    shaper.frame(product)?;
    let r = &shaper.reader;
    let links = Links::of_one(r.model);
    let fills = !product.is_a("IfcOpeningElement");
    let opening = if fills { links.opening_of_filling(product.id()) } else { Some(product.id()) };
    let host = opening.and_then(|o| links.host_of_opening(o));
    let found = opening.ok_or_else(|| ShapeError::new(product.id(), "fills no opening"));
    let held = found.clone().and_then(|o| host.ok_or_else(|| ShapeError::new(o, "is in nothing")));
    let opened = found.and_then(|o| r.get(o));
    let held = held.and_then(|h| r.get(h));
    let in_wall = || {
        let (opening, host) = (opened.clone()?, held.clone()?);
        if !host.is_a("IfcWall") {
            return Err(ShapeError::new(host.id(), "is no wall, in which alone openings stand upright"));
        }
        let frame = frame_along(&wall(shaper, &host)?)
            .ok_or_else(|| ShapeError::new(host.id(), "has no straight level axis"))?;
        within(shaper, &opening, frame.translation, [frame.x_axis, frame.z_axis])
    };
    let in_slab = || {
        let (opening, host) = (opened.clone()?, held.clone()?);
        if host.is_a("IfcWall") {
            return Err(ShapeError::new(host.id(), "is a wall, in which openings are told upright"));
        }
        let frame = shaper.only_sweep(&host)?.frame;
        let none = || ShapeError::new(host.id(), "has a profile without directions");
        let axes = [unit(frame.x_axis).ok_or_else(none)?, unit(frame.y_axis).ok_or_else(none)?];
        let rectangle = within(shaper, &opening, frame.translation, axes)?;
        let mut around = Vec::new();
        for sweep in shaper.sweeps(&opening)? {
            around.extend(outlines(shaper, &sweep, 0.0)?.0);
        }
        Ok((rectangle, around))
    };
    let (upright, flat) = (in_wall(), in_slab());
    let by = if fills { By::Opening } else { By::Extrusion };
    let either = upright.clone().or_else(|why| flat.as_ref().map(|(found, _)| *found).map_err(|_| why));
    let size = |i: usize| Answer::from_result(either.clone().map(|found| (found[i], by)));
    let (mut width, mut height) = (size(2), size(3));
    if fills && let Some((w, h)) = stated_size(shaper, product) {
        (width, height) = (Answer::found(w, By::Attribute), Answer::found(h, By::Attribute));
    }
    Ok(Opening {
        host: host.map(|h| h.0),
        along: Answer::from_result(upright.clone().map(|found| (found[0], by))),
        sill: Answer::from_result(upright.map(|found| (found[1], by))),
        width,
        height,
        middle: Answer::from_result(
            flat.clone().map(|([x, y, _, high], _)| (DVec2::new(x, y + high / 2.0), by)),
        ),
        footprint: Answer::from_result(flat.map(|(_, around)| (around, by))),
    })
}

/// Middle along the first direction, beginning along the second, and the sizes along both, of an opening's extrusions together,
/// seen from an origin.
fn within(
    shaper: &Shaper<'_>,
    opening: &Instance<'_>,
    origin: DVec3,
    directions: [DVec3; 2],
) -> Result<[f64; 4], ShapeError> {
    let mut range = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    for sweep in shaper.sweeps(opening)? {
        for (range, direction) in range.iter_mut().zip(directions) {
            let found = extent(shaper, &sweep, direction);
            let (low, high) = found.ok_or_else(|| ShapeError::new(sweep.profile, "encloses no area"))?;
            *range = (range.0.min(low), range.1.max(high));
        }
    }
    let [(from, to), (low, high)] = range;
    if from > to {
        return Err(ShapeError::new(opening.id(), "has no body"));
    }
    let [start, base] = directions.map(|d| origin.dot(d));
    Ok([f64::midpoint(from, to) - start, low - base, to - from, high - low])
}
