//! Openings of any outline through slabs: stair openings, shafts, atria, given by their corners in plan.

use super::{NewOpening, Place, stands, write_outlined};
use crate::author::Author;
use crate::filling::Filling;
use crate::frame::Frame;
use crate::host::{self, Slab};
use crate::lookup::label;
use crate::measures::square_metres;
use crate::polygon::{area, bounds};
use crate::regions::{self, counter_clockwise};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;

/// Cuts an opening of any outline in plan, in mm, through a slab; `field` names the parameter in a Fault where it leaves the
/// slab or meets another of its openings.
pub fn through_slab(author: &mut Author, host: Id, field: &str, outline: &[DVec2]) -> Result<Id, Fault> {
    let slab = Slab::read(author, host)?;
    let own: Vec<DVec2> = counter_clockwise(&outline.iter().map(|p| slab.below(*p)).collect::<Vec<DVec2>>());
    let inside: f64 = regions::intersection(std::slice::from_ref(&own), std::slice::from_ref(&slab.outline))
        .iter()
        .map(|r| area(&r.outer))
        .sum();
    let whole = area(&own);
    if inside < whole - 100.0 {
        return Err(Fault::constraint(format!(
            "`{field}` leaves the slab {}: of its {} m² only {} m² lie within. Draw its corners inside the slab's outline.",
            label(author.edit, host),
            square_metres(whole),
            square_metres(inside)
        ))
        .with("field", field));
    }
    if whole > 0.98 * area(&slab.outline) {
        return Err(Fault::constraint(format!("`{field}` leaves nothing of the slab; make it smaller."))
            .with("field", field));
    }
    if let Some(other) = met(author, &slab, &own) {
        return Err(Fault::constraint(format!(
            "`{field}` would overlap the opening {} in the slab {}.",
            label(author.edit, other),
            label(author.edit, host)
        ))
        .with("field", field)
        .with("overlaps", crate::lookup::guid(author.edit, other)));
    }
    let (low, high) = bounds(&own);
    let face = high - low;
    let share: Vec<DVec2> = own.iter().map(|p| (*p - low) / face).collect();
    let boxed = area(&share) > 0.9999;
    let new = NewOpening {
        host,
        place: Place::Point(low.midpoint(high), None),
        sill: None,
        width: face.x,
        height: face.y,
        filling: Filling::Void,
        operation: None,
        name: None,
    };
    let size = DVec3::new(face.x, face.y, slab.thickness);
    let local = Frame::at(low.extend(slab.base));
    let opening = write_outlined(author, &new, &local, size, (!boxed).then_some(share.as_slice()), true)?;
    crate::slab::requantify(author, host)?;
    crate::roof::requantify_around(author, host)?;
    Ok(opening)
}

/// An opening of the slab that shares area with an outline.
fn met(author: &Author, slab: &Slab, own: &[DVec2]) -> Option<Id> {
    host::openings(author, slab.id, &slab.frame)
        .into_iter()
        .find(|(id, extent)| {
            let (low, high) = (extent.low.truncate(), extent.high.truncate());
            let outline = match stands(author, *id, &slab.frame, true) {
                Some(parts) => parts.into_iter().map(|p| low + p * (high - low)).collect(),
                None => geometry::region::rectangle(low, high),
            };
            let shared = regions::intersection(&[outline], &[own.to_vec()]);
            shared.iter().map(|r| area(&r.outer)).sum::<f64>() > 100.0
        })
        .map(|(id, _)| id)
}
