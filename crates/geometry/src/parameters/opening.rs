//! Openings, and doors and windows by the opening that they fill: a rectangle in the host.

use super::{
    Answer, By,
    wall::{extent, frame_along, wall},
};
use crate::{
    item::Shaper,
    math::{Frame, dot},
    read::ShapeError,
};
use ifc::{Instance, relations::Links};
use serde::{Deserialize, Serialize};

/// The parameters of an opening or of what fills it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// The number of the wall or slab that it is in, where it is in one.
    pub host: Option<u32>,
    /// From the beginning of the wall's axis to the opening's middle.
    pub along: Answer<f64>,
    /// From the wall's base to the opening's lower edge.
    pub sill: Answer<f64>,
    /// Level, along the wall.
    pub width: Answer<f64>,
    /// Upright.
    pub height: Answer<f64>,
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
    let rectangle = (|| {
        let opening = opening.ok_or_else(|| ShapeError::new(product.id(), "fills no opening"))?;
        let host = host.ok_or_else(|| ShapeError::new(opening, "is in nothing"))?;
        let host = r.get(host)?;
        if !host.is_a("IfcWall") {
            return Err(ShapeError::new(host.id(), "is no wall, in which alone openings stand upright"));
        }
        let frame = frame_along(&wall(shaper, &host)?)
            .ok_or_else(|| ShapeError::new(host.id(), "has no straight level axis"))?;
        within(shaper, &r.get(opening)?, &frame)
    })();
    let by = if fills { By::Opening } else { By::Extrusion };
    let answer = |i: usize| Answer::of(rectangle.clone().map(|found| (found[i], by)));
    let (mut width, mut height) = (answer(2), answer(3));
    if fills && let Some((w, h)) = stated_size(shaper, product) {
        (width, height) = (Answer::found(w, By::Attribute), Answer::found(h, By::Attribute));
    }
    Ok(Opening { host: host.map(|h| h.0), along: answer(0), sill: answer(1), width, height })
}

/// Middle along the wall, sill, width and height of an opening's extrusions together, in the frame of its wall.
fn within(shaper: &Shaper<'_>, opening: &Instance<'_>, frame: &Frame) -> Result<[f64; 4], ShapeError> {
    let mut range = [(f64::INFINITY, f64::NEG_INFINITY); 2];
    for sweep in shaper.sweeps(opening)? {
        for (range, direction) in range.iter_mut().zip([frame.x, frame.z]) {
            let found = extent(shaper, &sweep, direction);
            let (low, high) = found.ok_or_else(|| ShapeError::new(sweep.profile, "encloses no area"))?;
            *range = (range.0.min(low), range.1.max(high));
        }
    }
    let [(from, to), (low, high)] = range;
    if from > to {
        return Err(ShapeError::new(opening.id(), "has no body"));
    }
    let (start, base) = (dot(frame.o, frame.x), dot(frame.o, frame.z));
    Ok([f64::midpoint(from, to) - start, low - base, to - from, high - low])
}
