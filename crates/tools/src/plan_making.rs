//! The walls, openings and rooms that a plan shows, made on a storey.

use crate::walling;
use building::filling::Filling;
use building::lookup::guid;
use building::opening::{self, Detail, NewOpening, Place};
use building::polygon::contains;
use building::relations::End;
use building::space::{self, NewSpace};
use building::wall::{self, LocationLine, NewWall, WallKind};
use building::{Author, arc_wall, tops};
use contract::{Fault, Watch};
use glam::DVec2;
use ifc::Id;
use plans::plan::{DoorKind, Plan, Side, Wall};

/// Beyond a wall's face, in mm, where it is asked which room lies there.
const BESIDE: f64 = 60.0;
/// The thickness in mm below which a wall between rooms is a partition.
const PARTITION: f64 = 150.0;

/// Heights that a plan does not show, in mm.
pub(crate) struct Heights {
    pub walls: f64,
    pub doors: f64,
    pub windows: f64,
    pub sill: f64,
}

/// Ids of what was made, and what was not.
#[derive(Default)]
pub(crate) struct Made {
    pub walls: Vec<String>,
    pub doors: Vec<String>,
    pub windows: Vec<String>,
    pub openings: Vec<String>,
    /// Id and name.
    pub spaces: Vec<[String; 2]>,
    /// A sentence each.
    pub refused: Vec<String>,
}

/// Makes what a plan shows. Each part is made by itself: one that cannot be is told, and the others are there.
pub(crate) fn make(
    author: &mut Author,
    storey: Id,
    plan: &Plan,
    by: DVec2,
    heights: &Heights,
    without_rooms: bool,
    watch: &dyn Watch,
) -> Result<Made, Fault> {
    let openings = plan.doors.len() + plan.windows.len() + plan.openings.len();
    let total = (plan.walls.len() + openings + if without_rooms { 0 } else { plan.rooms.len() }) as u64;
    let mut done = 0;
    let mut step = || {
        done += 1;
        if watch.at(done, total) { Ok(()) } else { Err(Fault::given_up("import_plan")) }
    };
    let mut made = Made::default();
    let mut walls: Vec<Option<Id>> = Vec::with_capacity(plan.walls.len());
    for own in &plan.walls {
        step()?;
        let wall = attempt(author, |author| wall_of(author, storey, plan, own, by, heights));
        match wall {
            Ok(wall) => {
                made.walls.push(guid(author.edit, wall));
                walls.push(Some(wall));
            }
            Err(fault) => {
                made.refused.push(format!(
                    "A wall at {}: {}",
                    told(DVec2::from(own.start) + by),
                    fault.message
                ));
                walls.push(None);
            }
        }
    }
    let doors = plan.doors.iter().map(|door| {
        let is_flipped = door.swing == Some(Side::Right);
        // a flipped door has its left at the wall's end
        let hangs_left = door.hinge_end.is_none_or(|end| (end == "start") != is_flipped);
        let operation = match door.kind {
            DoorKind::DoubleSwing => "DOUBLE_DOOR_SINGLE_SWING",
            DoorKind::Sliding => "SLIDING_TO_LEFT",
            DoorKind::SingleSwing | DoorKind::Unknown if hangs_left => "SINGLE_SWING_LEFT",
            DoorKind::SingleSwing | DoorKind::Unknown => "SINGLE_SWING_RIGHT",
        };
        (&door.place, Filling::Door, heights.doors, 0.0, Some(operation), is_flipped)
    });
    let windows = plan
        .windows
        .iter()
        .map(|window| (&window.place, Filling::Window, heights.windows, heights.sill, None, false));
    let voids = plan.openings.iter().map(|own| (&own.place, Filling::Void, heights.doors, 0.0, None, false));
    for (place, filling, height, sill, operation, is_flipped) in doors.chain(windows).chain(voids) {
        step()?;
        let noun = match filling {
            Filling::Door => "A door",
            Filling::Window => "A window",
            Filling::Void => "An opening",
        };
        let centre = told(DVec2::from(place.centre) + by);
        let Some(host) = walls.get(place.wall).copied().flatten() else {
            made.refused.push(format!("{noun} at {centre}: its wall was not made."));
            continue;
        };
        let height = height.min(heights.walls - sill);
        let new = NewOpening {
            host,
            place: Place::Along(place.position),
            sill: Some(sill),
            width: place.width,
            height,
            filling,
            operation: operation.map(str::to_owned),
            name: None,
        };
        let detail = Detail { is_flipped, ..Detail::default() };
        match attempt(author, |author| opening::create_detailed(author, &new, &detail)) {
            Ok((opening, filled)) => {
                let id = guid(author.edit, filled.unwrap_or(opening));
                match filling {
                    Filling::Door => made.doors.push(id),
                    Filling::Window => made.windows.push(id),
                    Filling::Void => made.openings.push(id),
                }
            }
            Err(fault) => made.refused.push(format!("{noun} at {centre}: {}", fault.message)),
        }
    }
    if !without_rooms {
        rooms(author, storey, plan, by, heights, &mut made, &mut step)?;
    }
    Ok(made)
}

fn rooms(
    author: &mut Author,
    storey: Id,
    plan: &Plan,
    by: DVec2,
    heights: &Heights,
    made: &mut Made,
    step: &mut dyn FnMut() -> Result<(), Fault>,
) -> Result<(), Fault> {
    for room in &plan.rooms {
        step()?;
        let new = NewSpace {
            storey,
            outline: room.outline.iter().map(|point| DVec2::from(*point) + by).collect(),
            height: space::clear_height(author, storey).min(heights.walls),
            name: room.number.clone().or_else(|| room.name.clone()),
            long_name: room.number.as_ref().and(room.name.clone()),
            usage: None,
        };
        match attempt(author, |author| space::create(author, &new)) {
            Ok(space) => {
                let name = author.edit.get(space).and_then(|space| space.name()).unwrap_or_default();
                made.spaces.push([guid(author.edit, space), name]);
            }
            Err(fault) => {
                let label = told(DVec2::from(room.label) + by);
                made.refused.push(format!("A room at {label}: {}", fault.message));
            }
        }
        if !room.holes.is_empty() {
            author.assume("rooms are drawn without what stands free in them");
        }
    }
    Ok(())
}

/// Does something or, where it fails, nothing.
fn attempt<T>(author: &mut Author, body: impl FnOnce(&mut Author) -> Result<T, Fault>) -> Result<T, Fault> {
    let savepoint = author.edit.savepoint();
    let done = body(author);
    let ended = match done {
        Ok(_) => author.edit.release(&savepoint),
        Err(_) => author.edit.roll_back(&savepoint),
    };
    ended.map_err(|error| Fault::backend(format!("{error}.")))?;
    done
}

fn told(at: DVec2) -> String {
    format!("[{:.0}, {:.0}]", at.x, at.y)
}

/// The length of a wall's axis.
fn length(wall: &Wall) -> f64 {
    let (start, end) = (DVec2::from(wall.start), DVec2::from(wall.end));
    match &wall.arc {
        None => start.distance(end),
        Some(arc) => {
            let centre = DVec2::from(arc.centre);
            let (a, b) = ((start - centre).to_angle(), (end - centre).to_angle());
            let sweep = if arc.is_counter_clockwise { b - a } else { a - b };
            sweep.rem_euclid(std::f64::consts::TAU) * arc.radius
        }
    }
}

/// The middle of a wall's axis.
fn middle(wall: &Wall) -> DVec2 {
    let (start, end) = (DVec2::from(wall.start), DVec2::from(wall.end));
    match &wall.arc {
        None => start.midpoint(end),
        Some(arc) => {
            let centre = DVec2::from(arc.centre);
            let half = length(wall) / arc.radius / 2.0;
            let turn = if arc.is_counter_clockwise { half } else { -half };
            centre + DVec2::from_angle(turn).rotate(start - centre)
        }
    }
}

/// The kind of a wall by the rooms on its sides.
fn kind(plan: &Plan, wall: &Wall) -> WallKind {
    let (start, end) = (DVec2::from(wall.start), DVec2::from(wall.end));
    let left = (end - start).normalize_or_zero().perp() * (wall.thickness / 2.0 + BESIDE);
    // the middle may lie beside another wall that meets this one
    let spots = [0.5, 0.25, 0.75].map(|part| if part == 0.5 { middle(wall) } else { start.lerp(end, part) });
    let has_room = |side: f64| {
        spots.iter().any(|spot| {
            let at = *spot + left * side;
            plan.rooms.iter().any(|room| {
                let outline: Vec<DVec2> = room.outline.iter().map(|point| DVec2::from(*point)).collect();
                contains(&outline, at)
            })
        })
    };
    match (has_room(1.0), has_room(-1.0)) {
        (true, true) if wall.thickness < PARTITION => WallKind::Partition,
        (true, true) => WallKind::Interior,
        _ => WallKind::Exterior,
    }
}

fn wall_of(
    author: &mut Author,
    storey: Id,
    plan: &Plan,
    own: &Wall,
    by: DVec2,
    heights: &Heights,
) -> Result<Id, Fault> {
    let kind = kind(plan, own);
    let (build, thickness) = walling::build(author, kind, [false; 2], Vec::new(), None, Some(own.thickness))?;
    let [start, end] = [own.start, own.end].map(|point| DVec2::from(point) + by);
    let new = NewWall {
        storey,
        start,
        end,
        base: 0.0,
        height: heights.walls,
        thickness,
        kind,
        line: LocationLine::Centre,
        name: None,
        material: None,
        cuts: None,
    };
    let wall = match own.arc {
        None => wall::create_of(author, &new, &build)?,
        Some(_) => arc_wall::create(author, &new, middle(own) + by, &build)?,
    };
    tops::meet(author, wall, &[End::Start, End::End, End::Path])?;
    Ok(wall)
}
