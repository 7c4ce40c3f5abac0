//! What is meant by the hosts of openings: elements by id or name, all outer walls, the walls on a side, a room's.
//!
//! A wall is an outer one if one of its sides lies outside everything that the walls of its storey enclose; the way to that side is
//! the way it faces. North is that of the model's context, else +y.

use crate::author::Author;
use crate::host::Wall;
use crate::lookup::{self, label};
use crate::opening::Stretch;
use crate::polygon::{contains, direction, edges};
use crate::{regions, solids, space, storey};
use contract::Fault;
use glam::DVec2;
use ifc::{Id, relations};

/// The least length of wall beside a room that counts as its own, in mm.
const LEAST: f64 = 100.0;

/// A host, and the stretch of it that is meant.
#[derive(Debug, Clone)]
pub enum Host {
    /// A wall.
    Wall(Box<Wall>, Stretch),
    /// Anything else, as a whole.
    Whole(Id),
}

/// The walls of a storey, with the way that each outer one faces.
struct Plan {
    walls: Vec<(Wall, Option<DVec2>)>,
}

/// The hosts that are asked for.
pub struct Wanted<'w> {
    /// Ids, names or words.
    pub words: &'w [String],
    /// The name of the parameter that they stand in.
    pub field: &'w str,
    /// The storey they are on; without it, whichever have any.
    pub level: Option<Id>,
    /// True for doors, which lead in on the lowest storey and between rooms.
    pub door: bool,
    /// True for windows, which are in outer walls.
    pub window: bool,
    /// True if all walls of a room are meant, not its longest.
    pub all_sides: bool,
}

/// The words that stand for many walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Outer,
    Inner,
    Side(usize),
    EachRoom,
}

const SIDES: [&str; 4] = ["north", "east", "south", "west"];

impl Word {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase().replace([' ', '-'], "_");
        let bare = ["_side", "_walls", "_wall", "_facade", "_face"]
            .iter()
            .find_map(|tail| text.strip_suffix(tail))
            .unwrap_or(&text);
        match bare {
            "outer" | "external" | "exterior" | "outside" | "facades" | "all_outer" | "every_side" => {
                Some(Self::Outer)
            }
            "inner" | "internal" | "interior" | "partition" | "partitions" => Some(Self::Inner),
            "each_room" | "every_room" | "rooms" | "all_rooms" | "per_room" => Some(Self::EachRoom),
            side => SIDES.iter().position(|s| *s == side).map(Self::Side),
        }
    }
}

/// The hosts that words mean, in their order.
pub fn meant(author: &mut Author, wanted: &Wanted<'_>) -> Result<Vec<Host>, Fault> {
    if wanted.words.is_empty() {
        return Err(Fault::invalid(
            wanted.field,
            format!("`{}` is empty; give ids or names, outer_walls, a side (north) or a room.", wanted.field),
        ));
    }
    let mut hosts = Vec::new();
    for text in wanted.words {
        let named =
            ["IfcWall", "IfcSpace"].iter().any(|class| lookup::bearing(author.edit, class, text).is_some());
        match Word::read(text).filter(|_| !named) {
            Some(word) => hosts.extend(by_word(author, wanted, word, text)?),
            None => hosts.extend(by_name(author, wanted, text)?),
        }
    }
    Ok(hosts)
}

fn by_name(author: &mut Author, wanted: &Wanted<'_>, text: &str) -> Result<Vec<Host>, Fault> {
    let classes = ["IfcElement", "IfcSpace"];
    let noun = "a wall, slab or room, nor outer_walls, inner_walls, each_room or a side such as north";
    let id = lookup::element(author.edit, wanted.field, text, &classes, noun)?;
    let is_a = |class: &str| author.edit.get(id).is_some_and(|e| e.is_a(class));
    if is_a("IfcSpace") {
        let Some(storey) = relations::storey_of(author.edit, id) else {
            return Err(Fault::constraint(format!("The room {text} belongs to no storey."))
                .with("field", wanted.field));
        };
        let plan = plan(author, storey);
        return of_room(author, wanted, &plan, id);
    }
    if is_a("IfcWall") {
        let wall = Wall::read_any(author, id)?;
        let stretch = Stretch::of_wall(&wall);
        return Ok(vec![Host::Wall(Box::new(wall), stretch)]);
    }
    Ok(vec![Host::Whole(id)])
}

fn by_word(author: &mut Author, wanted: &Wanted<'_>, word: Word, text: &str) -> Result<Vec<Host>, Fault> {
    let north = north(author);
    let mut hosts = Vec::new();
    let mut facing = [0_usize; 4];
    for storey in storeys(author, wanted) {
        let plan = plan(author, storey);
        let before = hosts.len();
        if word == Word::EachRoom {
            let rooms: Vec<Id> = relations::children(author.edit, storey)
                .into_iter()
                .filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcSpace")))
                .collect();
            for room in rooms {
                match of_room(author, wanted, &plan, room) {
                    Ok(found) => hosts.extend(found),
                    Err(_) => author.assume(format!(
                        "{} is left out: it has no {} that can be opened",
                        label(author.edit, room),
                        if wanted.window { "outer wall" } else { "wall" }
                    )),
                }
            }
        } else {
            for (wall, outward) in &plan.walls {
                let side = outward.map(|way| side_of(way, north));
                if let Some(n) = side.and_then(|side| facing.get_mut(side)) {
                    *n += 1;
                }
                let meant = match word {
                    Word::Outer => side.is_some(),
                    Word::Inner => side.is_none(),
                    Word::Side(wanted) => side == Some(wanted),
                    Word::EachRoom => false,
                };
                if meant {
                    hosts.push(Host::Wall(Box::new(wall.clone()), Stretch::of_wall(wall)));
                }
            }
        }
        let outside = matches!(word, Word::Outer | Word::Side(_));
        if wanted.door && outside && wanted.level.is_none() && hosts.len() > before {
            author.assume(format!("doors to outside on {}", label(author.edit, storey)));
            break;
        }
    }
    if hosts.is_empty() {
        let sides: Vec<&str> =
            SIDES.iter().zip(facing).filter(|(_, n)| *n > 0).map(|(side, _)| *side).collect();
        let hint = match (word, sides.is_empty()) {
            (Word::EachRoom, _) => {
                "There is no room with a wall that can be opened; make rooms with create_rooms.".to_owned()
            }
            (_, true) => {
                "No walls enclose anything there, so none is an outer one; name walls by id.".to_owned()
            }
            (_, false) => format!("Outer walls face {}.", sides.join(", ")),
        };
        return Err(Fault::invalid(
            wanted.field,
            format!("`{}` {text} means no wall in this model. {hint}", wanted.field),
        )
        .with("sides", sides));
    }
    Ok(hosts)
}

/// The storeys that are meant, lowest first.
fn storeys(author: &Author, wanted: &Wanted<'_>) -> Vec<Id> {
    match wanted.level {
        Some(level) => vec![level],
        None => storey::storeys_by_height(author.edit).into_iter().map(|(id, _)| id).collect(),
    }
}

/// Reads the walls of a storey, and which way the outer ones face.
fn plan(author: &Author, storey: Id) -> Plan {
    let walls = space::all_walls_on(author, storey);
    let bodies: Vec<Vec<DVec2>> = walls.iter().map(space::outline_in_world).collect();
    let enclosed = regions::union(&bodies);
    let inside = |p: DVec2| enclosed.iter().any(|region| contains(&region.outer, p));
    let walls = walls
        .into_iter()
        .map(|wall| {
            let line = wall.line();
            let beside = |y: f64| line.at(wall.length / 2.0, y);
            let left = inside(beside(wall.faces.1 + 20.0));
            let right = inside(beside(wall.faces.0 - 20.0));
            let way = line.way_at(wall.length / 2.0).perp();
            let outward = match (left, right) {
                (true, false) => Some(-way),
                (false, true) => Some(way),
                _ => None,
            };
            (wall, outward)
        })
        .collect();
    Plan { walls }
}

/// The stretches of wall beside a room: of its outer walls for windows; the longest unless all are meant.
fn of_room(author: &mut Author, wanted: &Wanted<'_>, plan: &Plan, room: Id) -> Result<Vec<Host>, Fault> {
    let text = label(author.edit, room);
    let mm = author.units().length_mm;
    let frame = author.frame(room)?;
    let outline: Vec<DVec2> = solids::prism_of(author.edit, room, mm)
        .map(|prism| prism.outline.iter().map(|p| frame.transform_point3(p.extend(0.0)).truncate()).collect())
        .ok_or_else(|| {
            Fault::constraint(format!("The room {text} has no outline that can be read; name its walls."))
                .with("field", wanted.field)
        })?;
    let mut stretches: Vec<(usize, Stretch, bool)> = Vec::new();
    for (i, (wall, outward)) in plan.walls.iter().enumerate() {
        for (low, high) in beside(wall, &outline) {
            stretches.push((i, Stretch::between(wall, low, high), outward.is_some()));
        }
    }
    stretches.retain(|(_, stretch, outer)| stretch.length() >= LEAST && (*outer || !wanted.window));
    // a door leads on into the house where it can
    let any_inner = stretches.iter().any(|(_, _, outer)| !outer);
    if wanted.door && any_inner {
        stretches.retain(|(_, _, outer)| !outer);
    }
    if !wanted.all_sides {
        stretches.sort_by(|a, b| b.1.length().total_cmp(&a.1.length()).then(a.0.cmp(&b.0)));
        stretches.truncate(1);
    }
    if stretches.is_empty() {
        let what = if wanted.window { "no outer wall" } else { "no wall beside it" };
        return Err(Fault::invalid(
            wanted.field,
            format!("The room {text} has {what} that can be opened; name a wall instead."),
        ));
    }
    Ok(stretches
        .into_iter()
        .filter_map(|(i, stretch, _)| Some((plan.walls.get(i)?, stretch)))
        .map(|((wall, _), stretch)| Host::Wall(Box::new(wall.clone()), stretch))
        .collect())
}

/// From where to where along a wall the edges of a room's outline run beside it.
fn beside(wall: &Wall, outline: &[DVec2]) -> Vec<(f64, f64)> {
    if wall.line().is_bent() {
        return Vec::new();
    }
    let seen = |p: DVec2| wall.frame.into_own(p.extend(wall.frame.translation.z)).truncate();
    let mut found: Vec<(f64, f64)> = edges(outline)
        .map(|(a, b)| (seen(a), seen(b)))
        .filter(|(a, b)| direction(*a, *b).is_some_and(|d| d.y.abs() < 1e-3))
        // rooms of other programs may reach into the wall, up to its axis
        .filter(|(a, _)| a.y > wall.faces.0 - 20.0 && a.y < wall.faces.1 + 20.0)
        .map(|(a, b)| (a.x.min(b.x).max(0.0), a.x.max(b.x).min(wall.length)))
        .filter(|(low, high)| high - low >= LEAST)
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// The side that a way leads to: the number of its name.
fn side_of(way: DVec2, north: DVec2) -> usize {
    let east = -north.perp();
    let along = [way.dot(north), way.dot(east), -way.dot(north), -way.dot(east)];
    let best = along.iter().enumerate().fold((0, f64::NEG_INFINITY), |best, (i, part)| {
        // of two equally near, the first: a wall that faces north-east is a northern one
        if *part > best.1 + 1e-9 { (i, *part) } else { best }
    });
    best.0
}

/// The way that north is in plan.
pub fn north(author: &Author) -> DVec2 {
    let stated = author.edit.of_class_exact("IfcGeometricRepresentationContext").into_iter().find_map(|id| {
        let direction = author.edit.get(author.edit.get(id)?.reference("TrueNorth")?)?;
        let ratios = direction.attr("DirectionRatios");
        let ratios = ratios.as_list()?;
        let at = |i: usize| ratios.get(i).and_then(ifc::Value::as_f64);
        DVec2::new(at(0)?, at(1)?).try_normalize()
    });
    stated.unwrap_or(DVec2::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_walls_are_read_as_people_write_them() {
        assert_eq!(Word::read("outer_walls"), Some(Word::Outer));
        assert_eq!(Word::read("North side"), Some(Word::Side(0)));
        assert_eq!(Word::read("west"), Some(Word::Side(3)));
        assert_eq!(Word::read("each_room"), Some(Word::EachRoom));
        assert_eq!(Word::read("Wall 1"), None);
    }

    #[test]
    fn a_wall_faces_the_side_it_is_nearest_to() {
        let north = DVec2::Y;
        assert_eq!(side_of(DVec2::new(0.3, 0.9), north), 0);
        assert_eq!(side_of(DVec2::X, north), 1);
        assert_eq!(side_of(DVec2::new(-0.1, -1.0), north), 2);
        assert_eq!(side_of(DVec2::NEG_X, north), 3);
        assert_eq!(side_of(DVec2::X, DVec2::X), 0);
    }
}
