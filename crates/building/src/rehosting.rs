//! Openings whose wall goes are given another wall: they stay where they are in plan and height as far as the other wall's line goes,
//! and are drawn as deep as that is thick, with their doors and windows.
//!
//! An opening that does not fit refuses the whole, with the room that there is.

use crate::author::Author;
use crate::host::{self, Wall};
use crate::lookup::{guid, label};
use crate::parameters;
use crate::placing::place;
use crate::wall;
use contract::Fault;
use glam::DVec3;
use ifc::{Id, relations};

/// Gives the openings of walls that go to another one; answers them.
pub fn rehost(author: &mut Author, going: &[Id], to: Id) -> Result<Vec<Id>, Fault> {
    let refused = |message: String| Fault::invalid("rehost", message);
    if !author.edit.get(to).is_some_and(|host| host.is_a("IfcWall")) {
        return Err(refused(format!(
            "{} is no wall; openings can be given to walls.",
            label(author.edit, to)
        )));
    }
    if going.contains(&to) {
        return Err(refused(format!("{} goes itself; name a wall that stays.", label(author.edit, to))));
    }
    let mut rehosted = Vec::new();
    for from in going {
        if !author.edit.get(*from).is_some_and(|host| host.is_a("IfcWall")) {
            continue;
        }
        let openings = relations::openings_of(author.edit, *from);
        if openings.is_empty() {
            continue;
        }
        let old = Wall::read(author, *from)?;
        for (opening, extent) in host::openings(author, *from, &old.frame) {
            let new = Wall::read(author, to)?;
            let low = old.frame.transform_point3(extent.low.midpoint(extent.high).with_z(extent.low.z));
            let own = new.frame.into_own(low);
            let aside = (own.y - own.y.clamp(new.faces.0, new.faces.1)).abs();
            if aside > 1_000.0 {
                return Err(refused(format!(
                    "{} lies {} mm beside {}; it has to be a wall that stands in the other's place.",
                    label(author.edit, opening),
                    aside.round(),
                    label(author.edit, to)
                ))
                .with("element_id", guid(author.edit, opening)));
            }
            let size = [extent.size(0), extent.size(2)];
            crate::opening::fit_in_wall(author, &new, own.x, own.z, size[0], size[1], Some(opening))
                .map_err(|fault| fault.with("field", "rehost"))?;
            give(author, opening, to, &new, own, size)?;
            rehosted.push(opening);
        }
    }
    wall::requantify(author, to)?;
    Ok(rehosted)
}

fn give(
    author: &mut Author,
    opening: Id,
    to: Id,
    wall: &Wall,
    own: DVec3,
    size: [f64; 2],
) -> Result<(), Fault> {
    for relation in author.edit.referrers_of(opening, "IfcRelVoidsElement") {
        author.set(relation, "RelatingBuildingElement", to)?;
    }
    let frame = author.frame(opening)?;
    let filling = relations::filling_of(author.edit, opening);
    let stood = filling.map(|filling| author.frame(filling)).transpose()?;
    if let (Some(placement), Some(within)) = (author.placement_of(opening), author.placement_of(to)) {
        author.set(placement, "PlacementRelTo", within)?;
        place(author, opening, &frame)?;
    }
    if let Some((filling, stood)) = filling.zip(stood) {
        place(author, filling, &stood)?;
        let storey = relations::storey_of(author.edit, to);
        if let Some(storey) =
            storey.filter(|storey| relations::direct_container(author.edit, filling) != Some(*storey))
        {
            for relation in author.edit.referrers_of(filling, "IfcRelContainedInSpatialStructure") {
                author.drop_member(relation, "RelatedElements", filling)?;
            }
            author.contain(storey, filling)?;
        }
    }
    parameters::redraw_opening(author, opening, wall, own.x, own.z, size)
}
