//! Moving elements: what is placed within them (openings, fillings, parts) moves along; the ends of a wall's neighbours
//! follow it; a door or window moves in its wall with its opening; furniture belongs to the room that it stands
//! in then.

use crate::arranging::carrying::hanging_on;
use crate::author::Author;
use crate::frame::Frame;
use crate::furniture::house;
use crate::lookup::label;
use crate::measures::finite;
use crate::parameters;
use crate::placing::place;
use crate::structure::ties;
use crate::{covering, follow, stairs, tops, totals};
use contract::Fault;
use glam::{DAffine3, DVec3};
use ifc::{Id, relations};
use std::collections::BTreeSet;

/// Moves elements by a vector in the world, in mm; answers those that followed, such as beams that end at a column.
pub fn shift(author: &mut Author, ids: &[Id], by: DVec3) -> Result<Vec<Id>, Fault> {
    for (i, way) in by.to_array().iter().enumerate() {
        finite(&format!("by[{i}]"), *way)?;
    }
    let loosened = tops::loosen(author, ids, &[])?;
    let mut moved: BTreeSet<Id> = BTreeSet::new();
    let chosen: BTreeSet<Id> = ids.iter().copied().collect();
    let upright = chosen.iter().copied().filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall")));
    let held = follow::held(author, &upright.collect());
    let housed = house::housed(author, ids);
    let mut lined: BTreeSet<Id> = BTreeSet::new();
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
        if let Some(opening) = opening {
            let host = relations::host_of_opening(author.edit, opening);
            lined.extend(host);
            // what moves with its host is not moved twice
            if host.is_none_or(|host| !chosen.contains(&host)) && moved.insert(opening) {
                parameters::shift_opening(author, opening, by)?;
            }
            continue;
        }
        shift_one(author, *id, by, &mut moved)?;
    }
    let mut followed = follow::follow(author, &held)?;
    stairs::carry_shafts(author, &moved, &DAffine3::from_translation(by))?;
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
            covering::refit(author, *id)?;
            house::settle_in(author, *id)?;
        }
    }
    for host in lined {
        covering::refit_beside(author, host)?;
    }
    house::settle(author, &housed)?;
    tops::fasten(author, "by", loosened)?;
    followed.extend(ties::follow(author, &chosen, by)?);
    followed.retain(|id| !chosen.contains(id));
    followed.sort_unstable();
    followed.dedup();
    Ok(followed)
}

/// Moves one element, and the dependents whose placements do not follow its own.
fn shift_one(author: &mut Author, id: Id, by: DVec3, moved: &mut BTreeSet<Id>) -> Result<(), Fault> {
    if !moved.insert(id) {
        return Ok(());
    }
    let has_place = |id: &Id| author.placement_of(*id).is_some();
    let dependents = hanging_on(author.edit, id).into_iter().filter(has_place);
    let before: Vec<(Id, Frame)> =
        dependents.filter_map(|d| author.frame(d).ok().map(|frame| (d, frame))).collect();
    let mut frame = author.frame(id)?;
    frame.0.translation += by;
    place(author, id, &frame)?;
    for (dependent, was) in before {
        let follows = author
            .frame(dependent)
            .is_ok_and(|now| (now.translation - was.translation).abs_diff_eq(by, 0.01));
        if follows {
            moved.insert(dependent);
        } else {
            shift_one(author, dependent, by, moved)?;
        }
    }
    Ok(())
}
