//! Rooms of a storey with the partitions between them: by boundary as an agent drew them, or by area, laid out along a
//! corridor. Spaces are what remains between the faces of the walls; doors may be set so that every room is reached.

mod doors;
mod layout;
mod partitions;
mod search;
mod storeys;
mod wishes;

pub use storeys::{NewCore, StoreyAnswer, Storeys, StoreysAnswer, create_all};
pub use wishes::Unmet;

use crate::author::Author;
use crate::joins;
use crate::lookup::{guid, label, next_name};
use crate::measures::{mm, name, not_negative, positive, square_metres};
use crate::polygon::{self, area, edges};
use crate::regions;
use crate::relations::End;
use crate::roof;
use crate::space::{self, NewSpace};
use crate::totals;
use crate::wall::{self, LocationLine, NewWall, WallKind};
use contract::Fault;
use glam::DVec2;
use ifc::{Id, relations};
use layout::Plot;
use partitions::Partition;
use schemars::JsonSchema;
use serde::Serialize;
use wishes::{Use, Wish, Wishes, judge};

/// A room asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewRoom {
    /// Its name.
    pub name: String,
    /// Its use.
    pub usage: Option<String>,
    /// Its outline in the world in mm, to the middle of partitions or to their faces.
    pub boundary: Option<Vec<DVec2>>,
    /// Its area in m², if it has no outline.
    pub area: Option<f64>,
    /// True if it needs an outer wall.
    pub outer_wall: bool,
    /// The least clear width that it needs, in mm.
    pub min_width: Option<f64>,
    /// Its length by its width, at most.
    pub max_ratio: Option<f64>,
    /// Width of the doors to it in mm; that of all where left out.
    pub door_width: Option<f64>,
    /// True if it is a wet room; told by its name and usage where left out.
    pub wet: Option<bool>,
}

/// Rooms asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRooms {
    /// The storey.
    pub storey: Id,
    /// The rooms.
    pub rooms: Vec<NewRoom>,
    /// Thickness of the partitions in mm.
    pub partition: f64,
    /// Width of the corridor in mm, where rooms are laid out by area.
    pub corridor: f64,
    /// Clear height in mm; that of the storey's walls where left out.
    pub height: Option<f64>,
    /// True if every room gets a door.
    pub doors: bool,
    /// Names of rooms between which a door is wished.
    pub connect: Vec<[String; 2]>,
    /// Width of the doors in mm.
    pub door_width: f64,
    /// True if the wet rooms are to lie side by side.
    pub wet_together: bool,
}

/// A room as made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RoomAnswer {
    /// GlobalId of the space.
    pub space_id: String,
    /// Name.
    pub name: String,
    /// Floor area between the walls' faces in m².
    pub area: f64,
    /// Area asked for in m².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area_asked: Option<f64>,
    /// Outline of the inner faces in mm.
    pub boundary_points: Vec<[f64; 2]>,
}

/// A partition as made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PartitionAnswer {
    /// GlobalId.
    pub wall_id: String,
    /// Name.
    pub name: String,
    /// Start of its axis: x and y in mm.
    pub start: [f64; 2],
    /// End of its axis.
    pub end: [f64; 2],
    /// Length in mm.
    pub length: f64,
}

/// A door between two rooms: set, or a place where one fits.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DoorAnswer {
    /// The rooms it joins.
    pub rooms: [String; 2],
    /// GlobalId of the partition.
    pub wall_id: String,
    /// Its centre along the partition's axis in mm.
    pub along: f64,
    /// GlobalId of the door, where it was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub door_id: Option<String>,
}

/// The rooms as made.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RoomsAnswer {
    /// The rooms; where they were laid out by area, the corridor is the last.
    pub rooms: Vec<RoomAnswer>,
    /// The partitions.
    pub partitions: Vec<PartitionAnswer>,
    /// Doors that let every room be reached: set if asked for, else where they fit (host_id and along for
    /// create_opening).
    pub doors: Vec<DoorAnswer>,
    /// Wishes that could not be met.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmet: Vec<Unmet>,
}

/// Makes the rooms.
pub fn create(author: &mut Author, new: &NewRooms) -> Result<RoomsAnswer, Fault> {
    positive("partition_thickness", new.partition)?;
    not_negative("corridor_width", new.corridor)?;
    if new.rooms.is_empty() || new.rooms.len() > 500 {
        return Err(Fault::invalid(
            "rooms",
            "`rooms` must list 1 to 500 rooms, each with a name and a boundary or an area.",
        ));
    }
    let wishes = wished(new)?;
    let inside = Inside::of_storey(author, new.storey)?;
    let outline = inside.largest().to_vec();
    if new.rooms.iter().any(|r| r.boundary.is_none()) {
        // a layout by area takes the whole outline
        vacant(author, new.storey, &[Plot { room: None, outline: outline.clone() }])?;
    }
    let plots = plots(new, &wishes, &inside)?;
    vacant(author, new.storey, &plots)?;
    furnish(author, new, &wishes, &inside, &plots, None)
}

/// Makes rooms of plots, with the partitions and doors between them. Of a room with a stair only its `front` can be stepped into.
fn furnish(
    author: &mut Author,
    new: &NewRooms,
    wishes: &Wishes,
    inside: &Inside,
    plots: &[Plot],
    front: Option<&Plot>,
) -> Result<RoomsAnswer, Fault> {
    let outline = inside.largest();
    let outlines: Vec<Vec<DVec2>> = plots.iter().map(|p| p.outline.clone()).collect();
    let mut partitions = partitions::between(&inside.faces, &outlines, new.partition);
    let height = match new.height {
        Some(height) => positive("height", height)?,
        None => space::clear_height(author, new.storey),
    };
    let bodies: Vec<Vec<DVec2>> = partitions.iter().map(|p| p.outline(new.partition)).collect();
    let mut rooms = Vec::new();
    let mut clear = Vec::new();
    for plot in plots {
        let asked = plot.room.and_then(|i| new.rooms.get(i));
        let text = asked.map_or("corridor", |r| r.name.as_str());
        let inner = between_faces(&plot.outline, &bodies, text)?;
        let id = space::write(
            author,
            &NewSpace {
                storey: new.storey,
                outline: inner.clone(),
                height,
                name: Some(text.to_owned()),
                long_name: None,
                usage: asked.map_or_else(|| Some("Circulation".to_owned()), |r| r.usage.clone()),
            },
        )?;
        rooms.push(RoomAnswer {
            space_id: guid(author.edit, id),
            name: label(author.edit, id),
            area: square_metres(area(&inner)),
            area_asked: asked.and_then(|r| r.area),
            boundary_points: inner.iter().map(|p| [mm(p.x), mm(p.y)]).collect(),
        });
        clear.push(inner);
    }
    if let Some(front) = front
        && let Some(at) = plots.iter().position(|plot| plot.room == front.room)
        && let Some(room) = clear.get_mut(at)
    {
        let part = regions::intersection(std::slice::from_ref(room), std::slice::from_ref(&front.outline));
        if let Some(part) = part.into_iter().next() {
            *room = part.outer;
        }
    }
    let (places, without_door) = doors::places(&clear, &mut partitions, plots, wishes);
    let walls = partitions.iter().map(|p| build(author, new, p, height)).collect::<Result<Vec<_>, _>>()?;
    // joined with each other and with what bounds the storey, they follow when that is moved
    for wall in &walls {
        joins::meet(author, *wall, &[End::Start, End::End])?;
    }
    totals::of_storey(author, new.storey)?;
    let (mut unmet, _) = judge(wishes, outline, plots);
    unmet.extend(without_door);
    // whoever says which rooms have a door wants doors
    let set = new.doors || !new.connect.is_empty();
    let mut doors = Vec::new();
    for place in places {
        let Some(wall) = walls.get(place.partition).copied() else { continue };
        let named = |i: usize| rooms.get(i).map(|r| r.name.clone()).unwrap_or_default();
        let door_id =
            if set { Some(doors::set(author, wall, &place, &named(place.rooms[0]), height)?) } else { None };
        doors.push(DoorAnswer {
            rooms: place.rooms.map(named),
            wall_id: guid(author.edit, wall),
            along: mm(place.along),
            door_id,
        });
    }
    // below a pitched roof partitions reach up to it as the walls around them do
    for over in roof::walls::roofs_over(author, &walls) {
        roof::follow(author, over)?;
    }
    let partitions = walls
        .into_iter()
        .map(|id| {
            let stands = wall::answer(author, id)?;
            let flat = |[x, y, _]: [f64; 3]| [x, y];
            Ok(PartitionAnswer {
                wall_id: stands.wall_id,
                name: stands.name,
                start: flat(stands.start),
                end: flat(stands.end),
                length: stands.length,
            })
        })
        .collect::<Result<Vec<_>, Fault>>()?;
    Ok(RoomsAnswer { rooms, partitions, doors, unmet })
}

/// The areas that the walls and curtain walls of a storey enclose.
struct Inside {
    /// Their outlines, the largest first; walls that stand free within count to them.
    areas: Vec<Vec<DVec2>>,
    /// The bodies of the walls in plan.
    walls: Vec<Vec<DVec2>>,
    /// The faces of the walls that look inside.
    faces: Vec<Vec<DVec2>>,
}

impl Inside {
    fn of_storey(author: &Author, storey: Id) -> Result<Self, Fault> {
        let mut walls: Vec<Vec<DVec2>> =
            space::walls_on(author, storey).iter().map(space::outline_in_world).collect();
        walls.extend(space::curtains_on(author, storey));
        let regions = regions::union(&walls);
        let mut areas: Vec<Vec<DVec2>> =
            regions.iter().flat_map(|r| &r.holes).map(|h| regions::counter_clockwise(h)).collect();
        areas.sort_by(|a, b| area(b).total_cmp(&area(a)));
        if areas.is_empty() {
            return Err(Fault::constraint(format!(
                "The walls on {} enclose no area for rooms. Make the outer walls first, for example with create_building_shell.",
                label(author.edit, storey)
            ))
            .with("field", "level_id"));
        }
        let is_within = |outer: &[DVec2]| {
            outer.first().is_some_and(|p| areas.iter().any(|area| polygon::contains(area, *p)))
        };
        let free = regions.iter().map(|r| r.outer.clone()).filter(|outer| is_within(outer));
        let faces = areas.iter().cloned().chain(free).collect();
        Ok(Self { areas, walls, faces })
    }

    /// The largest of the areas.
    fn largest(&self) -> &[DVec2] {
        self.areas.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// The parts of an outline that lie in these areas and beside the walls.
    fn clip(&self, outline: Vec<DVec2>) -> Vec<regions::Region> {
        let pieces = regions::intersection(&[outline], &self.areas);
        pieces
            .into_iter()
            .flat_map(|piece| {
                let mut cut = self.walls.clone();
                cut.extend(piece.holes);
                regions::difference(&[piece.outer], &cut)
            })
            .filter(|part| area(&part.outer) > 0.05e6)
            .collect()
    }
}

/// The wishes, checked.
fn wished(new: &NewRooms) -> Result<Wishes, Fault> {
    let door = |field: &str, width: f64| {
        if (400.0..=6_000.0).contains(&width) {
            return Ok(width);
        }
        Err(Fault::invalid(field, format!("A door {} mm wide is none; give 400 to 6000 mm.", mm(width))))
    };
    let usual = door("door_width", new.door_width)?;
    let rooms = new.rooms.iter().enumerate().map(|(i, room)| {
        let used = Use::named(&room.name, room.usage.as_deref());
        if let Some(ratio) = room.max_ratio.filter(|ratio| !(1.0..=100.0).contains(ratio)) {
            return Err(Fault::invalid(
                &format!("rooms[{i}].max_ratio"),
                format!("`max_ratio` is a room's length by its width, 1 or more, not {ratio}."),
            ));
        }
        let min_width =
            room.min_width.map(|width| positive(&format!("rooms[{i}].min_width"), width)).transpose()?;
        let own = room.door_width.map(|width| door(&format!("rooms[{i}].door_width"), width)).transpose()?;
        Ok(Wish {
            name: room.name.clone(),
            used,
            wet: room.wet.unwrap_or(matches!(used, Use::Bath | Use::Wet)),
            outer_wall: room.outer_wall,
            min_width,
            max_ratio: room.max_ratio,
            door: own.unwrap_or(usual),
        })
    });
    let rooms = rooms.collect::<Result<Vec<_>, Fault>>()?;
    let mut connect: Vec<[usize; 2]> = Vec::new();
    for (i, pair) in new.connect.iter().enumerate() {
        let mut found = [0; 2];
        for (place, text) in found.iter_mut().zip(pair) {
            let same = |room: &NewRoom| room.name.trim().eq_ignore_ascii_case(text.trim());
            *place = new.rooms.iter().position(same).ok_or_else(|| {
                let names = new.rooms.iter().map(|room| room.name.as_str());
                Fault::invalid(&format!("connect[{i}]"), format!("There is no room {text} among `rooms`."))
                    .with("near_matches", crate::lookup::near(text, names))
            })?;
        }
        if found[0] == found[1] {
            let message = format!("{} has no door to itself; name two rooms.", pair[0]);
            return Err(Fault::invalid(&format!("connect[{i}]"), message));
        }
        let turned = [found[1], found[0]];
        if !connect.contains(&found) && !connect.contains(&turned) {
            connect.push(found);
        }
    }
    let (wet_together, partition) = (new.wet_together, new.partition);
    Ok(Wishes { rooms, connect, wet_together, partition, entrance: None })
}

/// Returns the plot of each room; the corridor is the last.
fn plots(new: &NewRooms, wishes: &Wishes, inside: &Inside) -> Result<Vec<Plot>, Fault> {
    let outline = inside.largest();
    for (i, room) in new.rooms.iter().enumerate() {
        name(&format!("rooms[{i}].name"), &room.name)?;
        if let Some(area) = room.area
            && !(area.is_finite() && area > 0.0)
        {
            return Err(Fault::invalid(
                &format!("rooms[{i}].area"),
                format!("The area {area} must be a positive number of m²."),
            ));
        }
    }
    if new.rooms.iter().all(|r| r.boundary.is_some()) {
        let plots = new
            .rooms
            .iter()
            .enumerate()
            .map(|(i, room)| drawn(i, room, inside, new.partition))
            .collect::<Result<Vec<_>, _>>()?;
        apart(new, &plots)?;
        return Ok(plots);
    }
    if let Some(i) = new.rooms.iter().position(|r| r.boundary.is_some() || r.area.is_none()) {
        return Err(Fault::invalid(
            &format!("rooms[{i}]"),
            "Give every room a boundary [[x, y], …] in mm, or every room an area in m².",
        ));
    }
    let areas: Vec<f64> = new.rooms.iter().map(|r| r.area.unwrap_or(0.0) * 1e6).collect();
    let mut plots = if wishes.is_search() && areas.len() <= search::MOST {
        layout::fits(outline, &areas)?;
        search::best(outline, &areas, wishes, new.corridor)?
    } else {
        layout::divide(outline, &areas, new.corridor, new.partition)?
    };
    plots.sort_by_key(|p| p.room.unwrap_or(usize::MAX));
    Ok(plots)
}

/// A room as drawn: drawn to the walls where it nearly reaches them, and cut off at them.
fn drawn(i: usize, room: &NewRoom, inside: &Inside, thickness: f64) -> Result<Plot, Fault> {
    let field = format!("rooms[{i}].boundary");
    let boundary = room.boundary.as_deref().unwrap_or_default();
    let near = thickness.max(100.0);
    let snapped: Vec<DVec2> = boundary
        .iter()
        .map(|p| {
            inside.faces.iter().flat_map(|face| edges(face)).fold(*p, |p, (a, b)| {
                if polygon::distance_to_segment(p, a, b) < near { foot(p, a, b) } else { p }
            })
        })
        .collect();
    let outline = inside.largest();
    match <[regions::Region; 1]>::try_from(inside.clip(snapped)) {
        Ok([only]) if only.holes.is_empty() && area(&only.outer) > 0.1e6 => {
            Ok(Plot { room: Some(i), outline: only.outer })
        }
        Ok(_) => Err(outside(&field, &room.name, outline)),
        Err(parts) if parts.is_empty() => Err(outside(&field, &room.name, outline)),
        Err(parts) => Err(Fault::invalid(
            &field,
            format!(
                "The walls divide the room {} into {} pieces; give each piece as a room.",
                room.name,
                parts.len()
            ),
        )),
    }
}

fn foot(p: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    let ab = b - a;
    a + ab * ((p - a).dot(ab) / ab.dot(ab)).clamp(0.0, 1.0)
}

fn outside(field: &str, text: &str, outline: &[DVec2]) -> Fault {
    let outline: Vec<DVec2> = outline.iter().map(|p| p.map(mm)).collect();
    Fault::invalid(field, format!("The room {text} does not lie inside the storey's walls."))
        .with("inner_outline", outline)
}

/// Refuses rooms that cover each other by more than a partition's worth.
fn apart(new: &NewRooms, plots: &[Plot]) -> Result<(), Fault> {
    for (i, a) in plots.iter().enumerate() {
        for b in plots.iter().skip(i + 1) {
            let common =
                regions::intersection(std::slice::from_ref(&a.outline), std::slice::from_ref(&b.outline));
            let shared: f64 = common.iter().map(|r| area(&r.outer)).sum();
            if shared > 0.1e6 {
                let named = |p: &Plot| {
                    p.room.and_then(|i| new.rooms.get(i)).map(|r| r.name.clone()).unwrap_or_default()
                };
                return Err(Fault::invalid(
                    &format!("rooms[{}].boundary", b.room.unwrap_or(0)),
                    format!(
                        "The rooms {} and {} cover each other by {} m².",
                        named(a),
                        named(b),
                        square_metres(shared)
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// Refuses to put rooms where spaces are already.
fn vacant(author: &Author, storey: Id, plots: &[Plot]) -> Result<(), Fault> {
    let outlines: Vec<Vec<DVec2>> = plots.iter().map(|p| p.outline.clone()).collect();
    for id in relations::children(author.edit, storey) {
        if !author.edit.get(id).is_some_and(|s| s.is_a("IfcSpace")) {
            continue;
        }
        let Ok(there) = space::answer(author, id) else { continue };
        let shared: f64 =
            regions::intersection(&outlines, &[there.boundary_points.into_iter().map(DVec2::from).collect()])
                .iter()
                .map(|r| area(&r.outer))
                .sum();
        if shared > 0.1e6 {
            return Err(Fault::constraint(format!(
                "The space {} is already there ({} m²). Delete it first, or choose another storey.",
                there.name, there.area
            ))
            .with("field", "level_id")
            .with("space_id", there.space_id));
        }
    }
    Ok(())
}

/// Returns the outline that remains of a room between the faces of the partitions, in mm; a Fault that names the room
/// by `text` where none or several remain.
fn between_faces(plot: &[DVec2], bodies: &[Vec<DVec2>], text: &str) -> Result<Vec<DVec2>, Fault> {
    let mut rest = regions::difference(&[plot.to_vec()], bodies);
    rest.sort_by(|a, b| area(&b.outer).total_cmp(&area(&a.outer)));
    let mut parts = rest.into_iter().filter(|r| area(&r.outer) > 0.05e6);
    match (parts.next(), parts.next()) {
        (Some(only), None) if only.holes.is_empty() => Ok(only.outer),
        _ => Err(Fault::constraint(format!(
            "Partitions cut the room {text} into pieces or leave nothing of it; check its boundary against those of its neighbours."
        ))
        .with("field", "rooms")),
    }
}

fn build(author: &mut Author, new: &NewRooms, partition: &Partition, height: f64) -> Result<Id, Fault> {
    let text = next_name(author.edit, "IfcWall", "Partition");
    wall::create(
        author,
        &NewWall {
            storey: new.storey,
            start: partition.start,
            end: partition.end,
            base: 0.0,
            height,
            thickness: new.partition,
            kind: WallKind::Partition,
            line: LocationLine::Centre,
            name: Some(text),
            material: None,
            cuts: Some(partition.cuts),
        },
    )
}
