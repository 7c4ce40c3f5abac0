//! What a slab that is made later lies over: stairs and ramps, which are drawn anew with their openings in it, and shafts that go on
//! through it.

use super::{opening, parameters, ramp, redraw, shaft};
use crate::author::Author;
use crate::host::Slab;
use crate::lookup::label;
use contract::Fault;
use ifc::{Id, relations};

/// Cuts what stairs, ramps and shafts that stand already need into a slab; answers what was drawn again, the openings last.
pub fn cut_in(author: &mut Author, slab: Id) -> Result<Vec<Id>, Fault> {
    let mut drawn = Vec::new();
    for id in openings_over(author, slab) {
        author.assume(format!("opening for {}", label(author.edit, id)));
        drawn.extend(redraw::again(author, id)?);
    }
    drawn.extend(shaft::go_on(author, slab)?);
    Ok(drawn)
}

/// The stairs and ramps that need an opening in a slab.
pub fn openings_over(author: &Author, slab: Id) -> Vec<Id> {
    let Ok(slab) = Slab::read(author, slab) else { return Vec::new() };
    let Some(storey) = relations::storey_of(author.edit, slab.id).filter(|_| slab.frame.is_upright()) else {
        return Vec::new();
    };
    let climbs = ["IfcStair", "IfcRamp"].into_iter().flat_map(|class| author.edit.of_class(class));
    let over = |id: &Id| {
        let (Ok(frame), Some(own)) = (author.frame(*id), relations::storey_of(author.edit, *id)) else {
            return false;
        };
        let Some(height) = redraw::height_of(author, *id) else { return false };
        // they cut the slabs of the storey that they stand on and of that which they lead to
        if own != storey && super::storey_at(author, own, frame.translation.z + height) != Some(storey) {
            return false;
        }
        match parameters::known(author, *id) {
            Some(known) => {
                let heights = (height, known.headroom);
                known.cut && opening::needs(&frame, &known.layout.places(), heights, &slab)
            }
            None => ramp::Known::read(author, *id).is_some_and(|known| known.needs(&frame, &slab)),
        }
    };
    climbs.filter(over).collect()
}
