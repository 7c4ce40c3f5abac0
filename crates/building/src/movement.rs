//! Moving elements: what is placed within them (openings, fillings, parts) moves along; the ends of a wall's neighbours
//! follow it; a door or window moves in its wall with its opening; what stands in a room goes with it; furniture belongs to the room
//! that it stands in then.

use crate::arranging::carrying::{carry, contents};
use crate::author::Author;
use crate::frame::Frame;
use crate::furniture::house;
use crate::lookup::label;
use crate::measures::finite;
use crate::parameters;
use crate::structure::ties;
use crate::{covering, follow, stairs, tops, totals};
use contract::Fault;
use glam::{DAffine3, DVec3};
use ifc::{Id, relations};
use std::collections::BTreeSet;

/// Moves elements by a vector in the world, in mm; answers those that followed: what stands in a room that is moved, beams that end
/// at a column.
pub fn shift(author: &mut Author, asked: &[Id], by: DVec3) -> Result<Vec<Id>, Fault> {
    for (i, way) in by.to_array().iter().enumerate() {
        finite(&format!("by[{i}]"), *way)?;
    }
    let held_in_rooms = contents(author.edit, asked);
    let ids: &[Id] = &asked.iter().chain(&held_in_rooms).copied().collect::<Vec<_>>();
    let map = Frame(DAffine3::from_translation(by));
    let loosened = tops::loosen(author, ids, &[])?;
    let mut moved: BTreeSet<Id> = BTreeSet::new();
    let chosen: BTreeSet<Id> = ids.iter().copied().collect();
    let upright = chosen.iter().copied().filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall")));
    let held = follow::held(author, &upright.collect());
    let housed = house::housed(author, asked, &chosen);
    let (mut lined, mut free): (BTreeSet<Id>, Vec<Id>) = (BTreeSet::new(), Vec::new());
    let mut hosted: Vec<(Id, Option<Id>)> = Vec::new();
    for id in ids {
        let Some(element) = author.edit.get(*id) else { return Err(Fault::no_element(&id.to_string())) };
        if element.reference("ObjectPlacement").is_none() {
            return Err(Fault::constraint(format!(
                "{} has no placement, so it cannot be moved.",
                label(author.edit, *id)
            )));
        }
        if element.is_a("IfcBuildingStorey") {
            return Err(Fault::constraint(format!(
                "A storey is moved by its elevation: modify_parameter on {} with parameter_name elevation.",
                label(author.edit, *id)
            ))
            .with("field", "element_ids"));
        }
        let opening = relations::opening_of_filling(author.edit, *id)
            .or_else(|| element.is_a("IfcOpeningElement").then_some(*id));
        match opening {
            Some(opening) => hosted.push((opening, relations::host_of_opening(author.edit, opening))),
            None => free.push(*id),
        }
    }
    carry(author, &free, &map, &mut moved)?;
    for (opening, host) in hosted {
        lined.extend(host);
        // what moves with its host is not moved twice
        if host.is_none_or(|host| !chosen.contains(&host)) && moved.insert(opening) {
            parameters::shift_opening(author, opening, by)?;
        }
    }
    let mut followed = follow::follow(author, &held)?;
    stairs::carry_shafts(author, &moved, &map)?;
    for id in ids {
        for opening in stairs::opening::cut_for(author.edit, *id) {
            let host = relations::host_of_opening(author.edit, opening);
            if host.is_some_and(|host| !chosen.contains(&host)) && moved.insert(opening) {
                stairs::opening::shift(author, opening, by)?;
            }
        }
        if author.edit.get(*id).is_some_and(|e| e.is_a("IfcSlab") || e.is_a("IfcSpace")) {
            totals::around(author, *id)?;
        }
        if author.edit.get(*id).is_some_and(|e| e.is_a("IfcSpace")) {
            followed.extend(covering::refit(author, *id)?);
        }
    }
    for host in lined {
        covering::refit_beside(author, host)?;
    }
    house::settle(author, &housed)?;
    tops::fasten(author, "by", loosened)?;
    followed.extend(ties::follow(author, &chosen, by)?);
    followed.extend(held_in_rooms);
    followed.retain(|id| !asked.contains(id) && author.edit.contains(*id));
    followed.sort_unstable();
    followed.dedup();
    Ok(followed)
}
