//! What follows a wall that is moved or changed: the ends of its neighbours go to where the axes cross now, stems to
//! where they stopped, and every corner around is cut anew. Openings stay where they are in the world.
//!
//! A wall moved along itself takes nobody along: it parts from neighbours that it no longer touches. So do walls that run
//! on in one line with it, and those of other programs, whose ends are not ours to move.

use crate::author::Author;
use crate::host::Wall;
use crate::joins::{self, Arm, Link, is_fixed};
use crate::lookup::{guid, label};
use crate::measures::mm;
use crate::parameters::{openings_fit, redraw, set_axis};
use crate::polygon::meet;
use crate::relations::End;
use contract::Fault;
use glam::DVec2;
use ifc::Id;
use std::collections::{BTreeMap, BTreeSet};

/// Shifts across smaller than this take nobody along, in mm.
const LEAST: f64 = 0.01;

/// A connection of a wall before it was changed, with both walls as they were.
struct Held {
    link: Link,
    wall: Wall,
    other: Wall,
}

/// The connections of walls before they are changed.
#[derive(Default)]
pub struct Connections {
    held: Vec<Held>,
    changed: BTreeSet<Id>,
    /// Ends of other walls that stand in the same corners.
    beside: BTreeSet<(Id, bool)>,
}

/// The new ends of a wall's axis.
#[derive(Default, Clone, Copy)]
struct Target {
    start: Option<DVec2>,
    end: Option<DVec2>,
}

impl Target {
    fn put(&mut self, end: End, at: DVec2) {
        let place = if end == End::Start { &mut self.start } else { &mut self.end };
        place.get_or_insert(at);
    }
}

/// Remembers the connections of walls that will be changed.
pub fn held(author: &Author, walls: &BTreeSet<Id>) -> Connections {
    let mut connections = Connections { changed: walls.clone(), ..Connections::default() };
    for id in walls {
        let Ok(wall) = Wall::read(author, *id) else { continue };
        for link in joins::links(author, *id) {
            let Ok(other) = Wall::read(author, link.other) else { continue };
            for third in joins::links(author, link.other) {
                if third.there != End::Path && third.own == link.there {
                    connections.beside.insert((third.other, third.there == End::Start));
                }
            }
            connections.held.push(Held { link, wall: wall.clone(), other });
        }
    }
    connections
}

/// Brings neighbours after walls that were moved, and cuts the corners. Answers the walls that were drawn again.
pub fn follow(author: &mut Author, connections: &Connections) -> Result<Vec<Id>, Fault> {
    let mut targets: BTreeMap<Id, Target> = BTreeMap::new();
    for Held { link, wall: was, other } in &connections.held {
        if connections.changed.contains(&link.other) || is_fixed(author, other) || is_fixed(author, was) {
            continue;
        }
        let wall = Wall::read(author, was.id)?;
        let across = Arm::through(&wall, DVec2::ZERO)[0].away.perp();
        let shift = across.dot((wall.at(0.0) - was.at(0.0)).truncate());
        if shift.abs() < LEAST {
            continue;
        }
        let its_way = other.frame.x_axis.truncate();
        match (link.own, link.there) {
            (own, there) if own != End::Path && there != End::Path => {
                let (at, way) = (wall.at(0.0).truncate(), wall.frame.x_axis.truncate());
                let Some(corner) = meet(at, way, other.at(0.0).truncate(), its_way) else { continue };
                targets.entry(other.id).or_default().put(there, corner);
                targets.entry(wall.id).or_default().put(own, corner);
            }
            (End::Path, there) => {
                let Some(way) = slide(its_way, across, shift) else { continue };
                let end = Arm::at_end(other, there).corner + way;
                targets.entry(other.id).or_default().put(there, end);
            }
            (own, End::Path) => {
                let normal = its_way.perp();
                let moved = Arm::at_end(&wall, own).corner;
                let aside = normal.dot(moved - Arm::at_end(was, own).corner);
                let Some(way) = slide(wall.frame.x_axis.truncate(), normal, -aside) else { continue };
                targets.entry(wall.id).or_default().put(own, moved + way);
            }
            _ => {}
        }
    }
    for (id, target) in &targets {
        stretch(author, *id, *target, connections)?;
    }
    let mut drawn = settle(author, connections, false)?;
    for id in targets.keys() {
        openings_fit(author, *id)?;
        if !drawn.contains(id) {
            drawn.push(*id);
        }
    }
    Ok(drawn)
}

/// The way along a direction that leads so far across a line with this normal.
fn slide(way: DVec2, normal: DVec2, across: f64) -> Option<DVec2> {
    let slope = way.dot(normal);
    (slope.abs() > 0.05).then(|| way * (across / slope))
}

/// Brings an end of a wall to a point on its line.
pub fn bring(author: &mut Author, id: Id, end: End, to: DVec2) -> Result<(), Fault> {
    let mut target = Target::default();
    target.put(end, to);
    stretch(author, id, target, &Connections::default())
}

/// Gives a wall new ends on its own line; its openings stay where they are.
fn stretch(author: &mut Author, id: Id, target: Target, connections: &Connections) -> Result<(), Fault> {
    let old = Wall::read(author, id)?;
    let way = old.frame.x_axis.truncate();
    let (start, end) = (old.at(0.0).truncate(), old.at(old.length).truncate());
    let (from, to) = (target.start.unwrap_or(start), target.end.unwrap_or(end));
    if (to - from).dot(way) < 1.0 {
        let moved: Vec<String> = connections.changed.iter().map(|id| label(author.edit, *id)).collect();
        return Err(Fault::constraint(format!(
            "With {} there, nothing would be left of the wall {}, which ends at it: its length is {} mm. Move less, or part them first with join_elements none.",
            moved.join(", "),
            label(author.edit, id),
            mm(old.length)
        ))
        .with("field", "by")
        .with("element_id", guid(author.edit, id)));
    }
    if from.distance(start) < LEAST && to.distance(end) < LEAST {
        return Ok(());
    }
    let mut new = old.clone();
    set_axis(&mut new, from, to)?;
    redraw(author, &old, &new, (start - from).dot(way))?;
    Ok(())
}

/// Cuts the corners anew around walls that were changed where they stand: stems go with the faces they stop at; walls
/// that were drawn with square ends are fitted, whoever made them. Answers the walls that were drawn again.
pub fn settle(author: &mut Author, connections: &Connections, square: bool) -> Result<Vec<Id>, Fault> {
    let mut drawn = Vec::new();
    for Held { link, wall: was, other } in &connections.held {
        if link.own == End::Path && link.there != End::Path && !is_fixed(author, other) {
            to_face(author, was, link.there, other.id, connections)?;
        }
    }
    let mut around: BTreeSet<Id> = connections.changed.clone();
    around.extend(connections.held.iter().map(|held| held.other.id));
    around.extend(connections.beside.iter().map(|(id, _)| *id));
    for id in &around {
        let is_square = square && connections.changed.contains(id);
        let is_drawn = if is_square { joins::fit(author, *id)? } else { joins::refit(author, *id)? };
        if is_drawn {
            drawn.push(*id);
        }
    }
    // what lost its corner may end on a neighbour's path now
    for (id, is_start) in &connections.beside {
        let end = if *is_start { End::Start } else { End::End };
        if !connections.changed.contains(id) && joins::links(author, *id).iter().all(|l| l.own != end) {
            drawn.extend(joins::meet(author, *id, &[end])?.1);
        }
    }
    drawn.extend(joins::part(author, &connections.changed)?);
    // an end that was joined and lies in another wall now is joined there
    let joined = connections.held.iter().map(|held| (held.wall.id, held.link.own));
    drawn.extend(joins::rejoin(author, &joined.filter(|(_, end)| *end != End::Path).collect())?);
    drawn.sort_unstable();
    drawn.dedup();
    Ok(drawn)
}

/// Brings the end of a stem back to the face of a wall that became thinner.
fn to_face(author: &mut Author, was: &Wall, end: End, stem: Id, held: &Connections) -> Result<(), Fault> {
    let (wall, other) = (Wall::read(author, was.id)?, Wall::read(author, stem)?);
    if wall.frame != was.frame || wall.faces == was.faces {
        return Ok(());
    }
    let corner = Arm::at_end(&other, end).corner;
    let y = wall.frame.into_own(corner.extend(wall.frame.translation.z)).y;
    let within = y.clamp(wall.faces.0, wall.faces.1);
    let normal = wall.frame.y_axis.truncate();
    let Some(way) = slide(other.frame.x_axis.truncate(), normal, within - y) else { return Ok(()) };
    let mut target = Target::default();
    target.put(end, corner + way);
    stretch(author, stem, target, held)
}
