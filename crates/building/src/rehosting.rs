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
    bind(author, opening, to)?;
    let filling = relations::filling_of(author.edit, opening);
    if filling.is_some_and(|filling| !crate::filling::can_reshape(author.edit, filling)) {
        // drawn by another program, it stays as and where it is
        return parameters::redraw_opening_alone(author, opening, wall, [own.x, own.z], size);
    }
    parameters::redraw_opening(author, opening, wall, own.x, own.z, size)
}

/// Binds an opening to another wall, and what fills it to the storey of that; both stay where they are.
fn bind(author: &mut Author, opening: Id, to: Id) -> Result<(), Fault> {
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
    Ok(())
}

/// Gives one opening to another wall, at `along` or as near to where it stood as that wall goes.
pub(crate) fn give_to(
    author: &mut Author,
    opening: Id,
    from: Id,
    to: Id,
    along: Option<f64>,
) -> Result<(), Fault> {
    let (old, new) = (Wall::read_any(author, from)?, Wall::read_any(author, to)?);
    if old.line().is_bent() || new.line().is_bent() {
        let problem = "An opening is not given from or to a wall along an arc; delete it and place another with create_opening.";
        return Err(Fault::constraint(problem).with("field", "value"));
    }
    let stood = old.openings(author).into_iter().find(|(id, _)| *id == opening);
    let Some((_, extent)) = stood else {
        let problem = format!("{} has no body that can be read from its wall.", label(author.edit, opening));
        return Err(Fault::constraint(problem).with("element_id", guid(author.edit, opening)));
    };
    let size = [extent.size(0), extent.size(2)];
    let low = old.frame.transform_point3(extent.low.midpoint(extent.high).with_z(extent.low.z));
    let mut own = new.frame.into_own(low);
    own.x = along.unwrap_or_else(|| {
        let (first, last) = (new.reach().0 + size[0] / 2.0, new.reach().1 - size[0] / 2.0);
        own.x.clamp(first, last.max(first))
    });
    // over the floor of its wall, whatever storey that is on
    own.z = extent.low.z;
    crate::opening::fit_in_wall(author, &new, own.x, own.z, size[0], size[1], Some(opening))
        .map_err(|fault| fault.with("field", "value"))?;
    let filling = relations::filling_of(author.edit, opening);
    let keeps_shape = filling.filter(|filling| !crate::filling::can_reshape(author.edit, *filling));
    let within = match keeps_shape {
        Some(filling) => Some((
            filling,
            author.frame(filling)?,
            old.frame.into_own(low).with_y(middle(&old)),
            middle(&new),
        )),
        None => None,
    };
    bind(author, opening, to)?;
    match within {
        // drawn by another program, it goes as it is: from the middle of one wall to that of the other
        Some((filling, frame, stood, depth)) => {
            parameters::redraw_opening_alone(author, opening, &new, [own.x, own.z], size)?;
            let into_old = frame.seen_from(&old.frame);
            let moved = new.frame * into_old.with_origin(into_old.translation + own.with_y(depth) - stood);
            place(author, filling, &moved)?;
        }
        None => parameters::redraw_opening(author, opening, &new, own.x, own.z, size)?,
    }
    wall::requantify(author, from)?;
    wall::requantify(author, to)?;
    for wall in [from, to] {
        crate::covering::refit_beside(author, wall)?;
    }
    Ok(())
}

fn middle(wall: &Wall) -> f64 {
    f64::midpoint(wall.faces.0, wall.faces.1)
}
