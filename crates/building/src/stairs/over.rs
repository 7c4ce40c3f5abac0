//! What a slab that is made later lies over: stairs and ramps, which are drawn anew with their openings in it, and shafts that go on
//! through it.

use super::cutting::{Need, cut_again};
use super::{opening, redraw, shaft};
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
        drawn.extend(if redraw::stands_as_drawn(author, id) {
            redraw::again(author, id)?
        } else {
            cut_again(author, id)?
        });
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
        let need = Need::read(author, *id).filter(|need| need.storeys.contains(&storey));
        let stand = need.as_ref().and_then(|_| redraw::stand(author, *id));
        need.zip(stand)
            .is_some_and(|(need, stand)| opening::needs(&stand.map, &need.places, need.heights, &slab))
    };
    climbs.filter(over).collect()
}
