//! Walls whose tops are cut, along themselves or by a roof above them, while they or their neighbours change: they are drawn
//! upright before, so that corners are cut as ever, and their tops are cut again after.

use crate::author::Author;
use crate::host::Wall;
use crate::joins::{self, links, write_body};
use crate::lookup::label;
use crate::relations::End;
use crate::roof::{self, walls};
use crate::roof_ties::roof_of;
use crate::wall_profile::Profile;
use crate::wall_top;
use contract::Fault;
use glam::DVec2;
use ifc::Id;
use std::collections::BTreeSet;

/// A wall that was drawn upright for a while.
struct Held {
    id: Id,
    top: Profile,
    start: DVec2,
    length: f64,
    height: f64,
}

/// Walls that were drawn upright for a while, and the roofs above them.
#[derive(Default)]
pub struct Loosened {
    roofs: BTreeSet<Id>,
    held: Vec<Held>,
}

/// Draws these walls and their neighbours upright, as far as their tops are cut; those that are `going` stay as they are.
pub fn loosen(author: &mut Author, ids: &[Id], going: &[Id]) -> Result<Loosened, Fault> {
    let roofs = walls::roofs_over(author, ids);
    for over in &roofs {
        walls::release(author, *over, going)?;
    }
    let mut near: BTreeSet<Id> =
        ids.iter().copied().filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall"))).collect();
    let beside: Vec<Id> = near.iter().flat_map(|id| links(author, *id)).map(|link| link.other).collect();
    near.extend(beside);
    let mut held = Vec::new();
    for id in near {
        if going.contains(&id) || roof_of(author, id).is_some() {
            continue;
        }
        let Ok(mut wall) = Wall::read(author, id) else { continue };
        let Some(top) = Profile::read(author, &wall) else { continue };
        wall.height = top.highest();
        write_body(author, &wall, &wall.outline)?;
        held.push(Held { id, top, start: wall.at(0.0).truncate(), length: wall.length, height: wall.height });
    }
    Ok(Loosened { roofs, held })
}

impl Loosened {
    /// Gives a wall another height at its end, and cuts its corners for that; answers what it was, and the walls that were drawn.
    pub fn set_end(&mut self, author: &mut Author, id: Id, height: f64) -> Result<(f64, Vec<Id>), Fault> {
        let mut wall = Wall::read(author, id)?;
        if !wall.plain {
            return Err(Fault::constraint(format!(
                "The body of the wall {} is cut or built another way, so its top cannot be drawn anew.",
                label(author.edit, id)
            ))
            .with("field", "parameter_name"));
        }
        if !self.held.iter().any(|held| held.id == id) {
            let top = Profile::slope(wall.length, wall.height, wall.height);
            let start = wall.at(0.0).truncate();
            self.held.push(Held { id, top, start, length: wall.length, height: wall.height });
        }
        let held = self.held.iter_mut().find(|held| held.id == id);
        let Some(held) = held else { return Ok((height, Vec::new())) };
        let before = held.top.0.last_mut().map_or(height, |last| std::mem::replace(&mut last.y, height));
        (held.height, wall.height) = (held.top.highest(), held.top.highest());
        write_body(author, &wall, &wall.outline)?;
        let mut drawn = Vec::new();
        for other in
            links(author, id).into_iter().map(|link| link.other).chain([id]).collect::<BTreeSet<Id>>()
        {
            if joins::refit(author, other)? {
                drawn.push(other);
            }
        }
        Ok((before, drawn))
    }
}

/// Cuts the tops again; `field` names the parameter in the Fault of one that would cut an opening. Answers the walls.
pub fn fasten(author: &mut Author, field: &str, loosened: Loosened) -> Result<Vec<Id>, Fault> {
    let mut drawn = Vec::new();
    for held in loosened.held {
        let Ok(wall) = Wall::read(author, held.id) else { continue };
        let is_as_long = (wall.length - held.length).abs() < 0.01;
        let slide = if is_as_long { 0.0 } else { wall.place(held.start).x };
        let top = held.top.on(wall.length, slide, wall.height - held.height);
        wall_top::cut(author, held.id, field, &top)?;
        drawn.push(held.id);
    }
    for over in loosened.roofs {
        if author.edit.contains(over) {
            drawn.extend(roof::follow(author, over)?);
        }
    }
    Ok(drawn)
}

/// Joins a wall with those that it meets, as [`joins::meet`] does, whatever their tops are cut by.
pub fn meet(author: &mut Author, id: Id, at: &[End]) -> Result<(Vec<Id>, Vec<Id>), Fault> {
    // most models have no such walls, and their neighbours need not be looked for twice
    if !author.edit.model().has_class("IfcBooleanClippingResult") {
        return joins::meet(author, id, at);
    }
    let near = joins::touching(author, id);
    // what it does not touch it does not meet
    if near.is_empty() {
        return Ok(Default::default());
    }
    let loosened = loosen(author, &near, &[])?;
    let (made, mut drawn) = joins::meet(author, id, at)?;
    drawn.extend(fasten(author, "start", loosened)?);
    drawn.sort_unstable();
    drawn.dedup();
    Ok((made, drawn))
}
