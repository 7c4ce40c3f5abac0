//! The openings of stairs and ramps that were turned, mirrored or copied: cut where these stand now. Flights and landings stay as they are.

use super::layout::Step;
use super::{opening, parameters, ramp, redraw};
use crate::author::Author;
use contract::Fault;
use ifc::{Id, relations};
use std::collections::BTreeSet;

/// The room that a stair or ramp needs over it.
pub(super) struct Need {
    /// The places over which there has to be room.
    pub places: Vec<Step>,
    /// The height that it climbs and the clear height over its places, in mm.
    pub heights: (f64, f64),
    /// The storeys whose slabs it cuts: that on which it stands and that to which it leads.
    pub storeys: Vec<Id>,
}

impl Need {
    /// Reads what a stair or ramp needs; `None` for one that cuts nothing.
    pub(super) fn read(author: &Author, id: Id) -> Option<Self> {
        let (places, heights) = match parameters::known(author, id) {
            Some(known) if !known.cut => return None,
            Some(known) => (known.layout.places(), (known.height(), known.headroom)),
            None => ramp::Known::read(author, id)?.needed()?,
        };
        let own = relations::storey_of(author.edit, id)?;
        let mut storeys = vec![own];
        storeys.extend(super::storey_at(author, own, author.frame(id).ok()?.translation.z + heights.0));
        Some(Self { places, heights, storeys })
    }
}

/// Cuts anew what the stairs and ramps among elements that were put elsewhere need of the slabs over them.
pub(crate) fn cut_among(author: &mut Author, touched: &BTreeSet<Id>) -> Result<(), Fault> {
    for id in touched {
        if author.edit.get(*id).is_some_and(|e| e.is_a("IfcStair") || e.is_a("IfcRamp")) {
            cut_again(author, *id)?;
        }
    }
    Ok(())
}

/// Cuts the openings of a stair or ramp where it stands now, mirrored or not; its flights stay as they are.
pub(super) fn cut_again(author: &mut Author, id: Id) -> Result<Vec<Id>, Fault> {
    let (Some(need), Some(stand)) = (Need::read(author, id), redraw::stand(author, id)) else {
        return Ok(Vec::new());
    };
    let slabs = opening::slabs_on(author, &need.storeys);
    opening::cut(author, id, &stand.map, &need.places, need.heights, &slabs)
}
