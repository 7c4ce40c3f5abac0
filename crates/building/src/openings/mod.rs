//! Several openings at once: each wish names hosts and a place or a number, and stands for one opening or many.
//!
//! They are made in order, so that a later one goes beside an earlier one. Nothing is made if one cannot be.

mod hosts;
mod spread;

pub use hosts::north;
pub use spread::MOST;

use crate::author::Author;
use crate::filling::Filling;
use crate::host::Wall;
use crate::lookup::label;
use crate::measures::{finite, mm, positive};
use crate::opening::{self, Detail, NewOpening, Place, Stretch};
use contract::Fault;
use hosts::{Host, Wanted};
use ifc::Id;
use serde_json::json;
use spread::Size;
use std::collections::BTreeSet;

/// The most openings of one call.
const MOST_OF_ALL: usize = 2000;

/// The places of the openings of one wish.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// One in each host, at this place.
    At(Place),
    /// One in the middle of each host, in a wall beside what stands there.
    Middle,
    /// So many mm from middle to middle.
    Every(f64),
    /// So many in all, spread evenly over the hosts.
    Count(u32),
    /// So many in each host, spread evenly.
    Each(u32),
}

/// A wish for openings, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// The hosts: ids, names, or words for many.
    pub hosts: Vec<String>,
    /// The name of the parameter they were given by.
    pub hosts_field: &'static str,
    /// The storey that words for hosts are about.
    pub level: Option<Id>,
    /// Where, or how many.
    pub amount: Amount,
    /// Height of the lower edge above the wall's base.
    pub sill: Option<f64>,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// The filling of each.
    pub filling: Filling,
    /// The way they open.
    pub operation: Option<String>,
    /// Name; `{n}` counts, `{host}` is the host's.
    pub name: Option<String>,
    /// The finer points.
    pub detail: Detail,
}

/// Makes the openings of all wishes; answers each with the number of its wish. A Fault names the wish, and where there is room.
pub fn create(author: &mut Author, wishes: &[Wish]) -> Result<Vec<(usize, Id)>, Fault> {
    let (mut made, mut opened) = (Vec::new(), BTreeSet::new());
    for (i, wish) in wishes.iter().enumerate() {
        let before = made.len();
        one(author, wish, i, &mut made, &mut opened).map_err(|fault| of_wish(i, fault))?;
        if made.len() > MOST_OF_ALL {
            return Err(of_wish(
                i,
                Fault::invalid(
                    "count",
                    format!("That would be more than {MOST_OF_ALL} openings in one call."),
                ),
            ));
        }
        if made.len() == before {
            return Err(of_wish(i, Fault::invalid("every", "There is no room for a single opening.")));
        }
    }
    opening::settle(author, &opened)?;
    Ok(made)
}

/// Tells a Fault by the number of its wish.
pub fn of_wish(index: usize, mut fault: Fault) -> Fault {
    let field = fault.data.get("field").and_then(|field| field.as_str()).unwrap_or_default();
    let field = match field {
        "" => format!("openings[{index}]"),
        field => format!("openings[{index}].{field}"),
    };
    fault.message = format!("openings[{index}]: {}", fault.message);
    fault.with("field", field).with("index", index)
}

fn one(
    author: &mut Author,
    wish: &Wish,
    index: usize,
    made: &mut Vec<(usize, Id)>,
    opened: &mut BTreeSet<Id>,
) -> Result<(), Fault> {
    positive("width", wish.width)?;
    positive("height", wish.height)?;
    if let Some(sill) = wish.sill {
        finite("sill", sill)?;
    }
    let wanted = Wanted {
        words: &wish.hosts,
        field: wish.hosts_field,
        level: wish.level,
        door: wish.filling == Filling::Door,
        window: wish.filling == Filling::Window,
        all_sides: matches!(wish.amount, Amount::Each(_)),
    };
    let hosts = hosts::meant(author, &wanted)?;
    let places = places(author, wish, hosts)?;
    let several = places.len() > 1;
    for (n, (host, place)) in places.into_iter().enumerate() {
        let new = NewOpening {
            host,
            place,
            sill: wish.sill,
            width: wish.width,
            height: wish.height,
            filling: wish.filling,
            operation: wish.operation.clone(),
            name: wish.name.as_deref().map(|pattern| named(author, pattern, host, n + 1, several)),
        };
        let (opening, _) =
            opening::cut(author, &new, &wish.detail).map_err(|fault| with_room(author, wish, host, fault))?;
        made.push((index, opening));
        opened.insert(host);
        if made.len() > MOST_OF_ALL {
            return Ok(());
        }
    }
    Ok(())
}

fn named(author: &Author, pattern: &str, host: Id, n: usize, several: bool) -> String {
    let mut text = pattern.to_owned();
    // what the pattern does not tell apart is told apart by its number
    if several && !text.contains("{n}") {
        text.push_str(" {n}");
    }
    text.replace("{n}", &n.to_string()).replace("{host}", &label(author.edit, host))
}

/// Adds to a Fault where in the wall there is room for such an opening.
fn with_room(author: &Author, wish: &Wish, host: Id, fault: Fault) -> Fault {
    let about_place =
        fault.data.get("field").and_then(|f| f.as_str()).is_some_and(|f| f.starts_with("location"));
    if !about_place || fault.data.contains_key("free_along") {
        return fault;
    }
    let Ok(wall) = Wall::read_any(author, host) else { return fault };
    let sill = wish.sill.unwrap_or_else(|| opening::default_sill(wish.filling));
    let free = opening::free(author, &wall, sill, wish.height, wish.width, None);
    fault.with("free_along", free).with("wall_id", crate::lookup::guid(author.edit, host))
}

/// The host and the place of each opening of a wish.
fn places(author: &mut Author, wish: &Wish, hosts: Vec<Host>) -> Result<Vec<(Id, Place)>, Fault> {
    let size = Size {
        width: wish.width,
        height: wish.height,
        sill: wish.sill.unwrap_or_else(|| opening::default_sill(wish.filling)),
    };
    if let Amount::At(place) = wish.amount {
        return hosts
            .into_iter()
            .map(|host| match host {
                Host::Whole(id) => Ok((id, place)),
                Host::Wall(wall, stretch) => within(author, &wall, &stretch, place, &size),
            })
            .collect();
    }
    let mut places = Vec::new();
    let mut walls = Vec::with_capacity(hosts.len());
    for host in hosts {
        match host {
            Host::Wall(wall, stretch) => walls.push((wall, stretch)),
            Host::Whole(id) if wish.amount == Amount::Middle => places.push((id, Place::Centre)),
            Host::Whole(id) => {
                return Err(Fault::invalid(
                    wish.hosts_field,
                    format!(
                        "Openings are spread along walls; {} is none. Give `location` as a point.",
                        label(author.edit, id)
                    ),
                ));
            }
        }
    }
    let numbers = match wish.amount {
        Amount::Every(apart) => return rows(author, &walls, &size, apart),
        Amount::Count(count) => {
            bounded("count", count)?;
            let lengths: Vec<f64> = walls.iter().map(|(_, stretch)| stretch.length()).collect();
            spread::shared(&lengths, size.width, count).ok_or_else(|| {
                Fault::constraint(format!(
                    "{count} openings {} mm wide do not fit beside each other into {} mm of wall.",
                    mm(size.width),
                    mm(lengths.iter().sum())
                ))
                .with("field", "count")
            })?
        }
        Amount::Each(count) => {
            bounded("each_side", count)?;
            vec![count; walls.len()]
        }
        Amount::Middle => vec![1; walls.len()],
        Amount::At(_) => Vec::new(),
    };
    for ((wall, stretch), count) in walls.iter().zip(numbers) {
        let asked = match wish.amount {
            Amount::Each(_) => "each_side",
            Amount::Middle => "width",
            _ => "count",
        };
        let centres =
            spread::count(author, wall, stretch, &size, count).map_err(|fault| fault.with("field", asked))?;
        places.extend(centres.into_iter().map(|at| (wall.id, Place::Along(at))));
    }
    Ok(places)
}

fn bounded(field: &str, count: u32) -> Result<(), Fault> {
    if (1..=MOST).contains(&count) {
        return Ok(());
    }
    Err(Fault::invalid(field, format!("`{field}` is {count}; give 1 to {MOST}.")))
}

/// Rows of openings so many mm apart.
fn rows(
    author: &mut Author,
    walls: &[(Box<Wall>, Stretch)],
    size: &Size,
    apart: f64,
) -> Result<Vec<(Id, Place)>, Fault> {
    let mut places = Vec::new();
    for (wall, stretch) in walls {
        let (centres, left) = spread::every(author, wall, stretch, size, apart)?;
        let text = label(author.edit, wall.id);
        if centres.is_empty() {
            author.assume(format!("{text} is left out: it has no room for one"));
        } else if left > 0 {
            author.assume(format!("{left} of the row in {text} left out, where something else is"));
        }
        places.extend(centres.into_iter().map(|at| (wall.id, Place::Along(at))));
    }
    Ok(places)
}

/// A place within a stretch of a wall, as a place of the whole wall. Places that the stretch has no say in stay as they are.
fn within(
    author: &Author,
    wall: &Wall,
    stretch: &Stretch,
    place: Place,
    size: &Size,
) -> Result<(Id, Place), Fault> {
    if matches!(place, Place::Point(..)) {
        return Ok((wall.id, place));
    }
    let (way, _) = opening::centre(author, wall, stretch, place, size.width)?;
    let half = size.width / 2.0;
    let (from, to) = stretch.clear;
    // a room's stretch ends where the next room begins, though the wall goes on
    if *stretch != Stretch::of_wall(wall) && (way - half < from - 0.1 || way + half > to + 0.1) {
        let text = label(author.edit, wall.id);
        if size.width > stretch.length() {
            let problem = format!(
                "An opening {} mm wide has no room in the {} mm of the wall {text} that are beside the room.",
                mm(size.width),
                mm(stretch.length())
            );
            return Err(Fault::constraint(problem).with("field", "width").with("free_along", json!([])));
        }
        return Err(Fault::constraint(format!(
            "An opening {} mm wide there would leave the {} mm of the wall {} that are beside the room.",
            mm(size.width),
            mm(stretch.length()),
            text
        ))
        .with("field", "location")
        .with("free_along", json!([[mm(from + half), mm(to - half)]])));
    }
    Ok((wall.id, Place::Along(way)))
}
