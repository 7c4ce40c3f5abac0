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
        let Ok(wall) = Wall::read_any(author, *id) else { continue };
        for link in joins::links(author, *id) {
            let Ok(other) = Wall::read_any(author, link.other) else { continue };
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
        let wall = Wall::read_any(author, was.id)?;
        if wall.line().is_bent() || other.line().is_bent() {
            follow_arc(&mut targets, link, was, &wall, other);
            continue;
        }
        let across = wall.frame.y_axis.truncate();
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

/// Brings the ends of two walls together of which one or both run along an arc: where their axes cross now, or as far from the
/// axis of the one that runs through as before. What does not meet near by parts.
fn follow_arc(targets: &mut BTreeMap<Id, Target>, link: &Link, was: &Wall, wall: &Wall, other: &Wall) {
    let by = (wall.at(0.0) - was.at(0.0)).truncate();
    let is_across = wall.line().is_bent() || by.dot(wall.frame.y_axis.truncate()).abs() >= LEAST;
    if by.length() < LEAST || !is_across {
        return;
    }
    let (line, its) = (wall.line(), other.line());
    let beside = |path: &Wall, end: DVec2| path.place(end).y;
    let near =
        |from: DVec2, found: Option<DVec2>| found.filter(|p| p.distance(from) < 4.0 * by.length() + 1.0);
    match (link.own, link.there) {
        (End::Path, End::Path) => {}
        (End::Path, there) => {
            let end = Arm::at_end(other, there).corner;
            if let Some(p) = near(end, its.crossing(0.0, &line, beside(was, end), end)) {
                targets.entry(other.id).or_default().put(there, p);
            }
        }
        (own, End::Path) => {
            let end = Arm::at_end(wall, own).corner;
            let left = beside(other, Arm::at_end(was, own).corner);
            if let Some(p) = near(end, line.crossing(0.0, &its, left, end)) {
                targets.entry(wall.id).or_default().put(own, p);
            }
        }
        (own, there) => {
            let end = Arm::at_end(wall, own).corner;
            if let Some(p) = near(end, line.crossing(0.0, &its, 0.0, end)) {
                targets.entry(other.id).or_default().put(there, p);
                targets.entry(wall.id).or_default().put(own, p);
            }
        }
    }
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
    let old = Wall::read_any(author, id)?;
    let line = old.line();
    let (start, end) = (old.at(0.0).truncate(), old.at(old.length).truncate());
    let (from, to) = (target.start.unwrap_or(start), target.end.unwrap_or(end));
    let (first, last) = (line.place(from, 0.0).x, line.place(to, old.length).x);
    if last - first < 1.0 {
        let moved: Vec<String> = connections.changed.iter().map(|id| label(author.edit, *id)).collect();
        let concerned: Vec<String> =
            std::iter::once(&id).chain(&connections.changed).map(|id| guid(author.edit, *id)).collect();
        return Err(Fault::constraint(format!(
            "With {} there, nothing would be left of the wall {}, which ends at it: its length is {} mm. Move less, or part them first with join_elements none.",
            moved.join(", "),
            label(author.edit, id),
            mm(old.length)
        ))
        .with("field", "by")
        .with("element_id", guid(author.edit, id))
        .with("elements", concerned));
    }
    if from.distance(start) < LEAST && to.distance(end) < LEAST {
        return Ok(());
    }
    let mut new = old.clone();
    if line.is_bent() {
        (new.frame, new.length) = (old.spot(first), last - first);
    } else {
        set_axis(&mut new, from, to)?;
    }
    redraw(author, &old, &new, -first)?;
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
    let (wall, other) = (Wall::read_any(author, was.id)?, Wall::read_any(author, stem)?);
    if wall.frame != was.frame || wall.faces == was.faces {
        return Ok(());
    }
    let corner = Arm::at_end(&other, end).corner;
    let y = wall.place(corner).y;
    let within = y.clamp(wall.faces.0, wall.faces.1);
    if (within - y).abs() < LEAST {
        return Ok(());
    }
    if wall.line().is_bent() || other.line().is_bent() {
        let mut target = Target::default();
        if let Some(p) = other.line().crossing(0.0, &wall.line(), within, corner) {
            target.put(end, p);
        }
        return stretch(author, stem, target, held);
    }
    let normal = wall.frame.y_axis.truncate();
    let Some(way) = slide(other.frame.x_axis.truncate(), normal, within - y) else { return Ok(()) };
    let mut target = Target::default();
    target.put(end, corner + way);
    stretch(author, stem, target, held)
}
