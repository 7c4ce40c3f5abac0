//! The rooms of a version, storey by storey: those of the file, and on storeys without any those that are found between walls.
//!
//! A space that is made up of others gives way to them. A space without a body is no room, and is told of.

use crate::asked::Change;
use crate::outdoors::{OPEN_ABOVE, is_open_above, is_outside, says_open_air};
use crate::touched::Touched;
use crate::{
    Origin, Room, Storey,
    body::body,
    elements::Elements,
    found::{self, FoundStorey},
    outline,
    storey::storeys,
};
use geometry::{Bounds, Scene, Shaper, Solid, query::Index, region::Area};
use glam::DVec3;
use ifc::{Id, Instance, Model, relations::Links};
use rayon::prelude::*;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

/// All rooms of a version.
#[derive(Debug, Default, Clone)]
pub struct Rooms {
    /// The storeys, the lowest first.
    pub storeys: Arc<Vec<Storey>>,
    /// The rooms by storey, then in the order of the file.
    pub rooms: Arc<Vec<Room>>,
    /// Spaces that are no rooms, each with the reason.
    pub left_out: Vec<(Id, String)>,
    /// The bodies by place; an element's number is the room's place in `rooms`.
    index: Arc<Index>,
    /// The storeys that were searched for rooms.
    found: Arc<Vec<FoundStorey>>,
    /// The spaces that are not made up of others, also those without a body.
    spaces: Arc<[Id]>,
    /// Those that are called what lies outdoors: whether they do hangs on what is above.
    called_outdoors: Arc<HashSet<Id>>,
}

impl Rooms {
    /// The rooms of the version that a scene shows.
    pub fn from_scene(scene: &Scene) -> Rooms {
        let shaper = Shaper::plain(scene.model());
        let links = Links::of_many(scene.model());
        Rooms::with_elements(scene, &shaper, &links, &Elements::from_scene(scene, &shaper, &links), None)
    }

    /// The same, where the elements that enclose rooms are known, and may be the rooms of a version before, whose bodies are taken over
    /// where nothing reshaped them.
    pub(crate) fn with_elements(
        scene: &Scene,
        shaper: &Shaper<'_>,
        links: &Links<'_>,
        elements: &Elements,
        before: Option<&Before<'_>>,
    ) -> Rooms {
        let model = scene.model();
        if let Some(same) = before.and_then(|before| before.unchanged(model, elements)) {
            return same;
        }
        let storeys = before
            .filter(|before| before.are_storeys_same(model))
            .map_or_else(|| storeys(shaper, links).into(), |before| Arc::clone(&before.rooms.storeys));
        let same = before.filter(|before| before.touched.are_rooms_same() && before.rooms.storeys == storeys);
        let spaces = same
            .filter(|before| !before.touched.reaches_class(&["IfcSpace"]))
            .map_or_else(|| spaces(links), |before| Arc::clone(&before.rooms.spaces));
        let mut known = before.map(Before::stored).unwrap_or_default();
        let bodies: Vec<Option<Result<Body, String>>> =
            (spaces.par_iter()).map(|id| (!known.contains_key(id)).then(|| made_body(shaper, *id))).collect();
        let mut called_outdoors = HashSet::new();
        let (mut rooms, mut left_out) = (Vec::new(), Vec::new());
        for (id, body) in spaces.iter().copied().zip(bodies) {
            let Some(space) = model.get(id) else { continue };
            let is_called_outdoors = match same.filter(|before| !before.touched.has(id)) {
                Some(before) => before.rooms.called_outdoors.contains(&id),
                None => says_open_air(&space),
            };
            if is_called_outdoors {
                called_outdoors.insert(id);
            }
            let body = match (body, known.remove(&id)) {
                (_, Some(room)) if same.is_some_and(|b| !b.touched.has(id)) && !is_called_outdoors => {
                    rooms.push(room);
                    continue;
                }
                (_, Some(room)) => Body { solid: room.solid, floor: room.floor, is_closed: room.is_closed },
                (Some(Ok(body)), None) => body,
                (Some(Err(reason)), None) => {
                    left_out.push((id, reason));
                    continue;
                }
                (None, None) => continue,
            };
            rooms.push(stored(links, &storeys, elements, &space, body, is_called_outdoors));
        }
        rooms.sort_by_key(|room| room.storey);
        let with_rooms: HashSet<usize> = rooms.iter().filter_map(|room| room.storey).collect();
        let bare: Vec<usize> = (0..storeys.len()).filter(|s| !with_rooms.contains(s)).collect();
        let known = before.map(|before| before.rooms);
        let stored = Rooms::new(storeys, rooms, left_out, known);
        let stored = Rooms { spaces, called_outdoors: called_outdoors.into(), ..stored };
        if bare.is_empty() {
            return stored;
        }
        let of_before = before.map(|before| found::Before {
            storeys: &before.rooms.storeys,
            found: &before.rooms.found,
            changed: before.changed,
            change: before.change,
        });
        let version = found::Version { scene, shaper, links, elements };
        let (others, found) =
            found::rooms(version, &stored.storeys, &bare, &stored.index, of_before.as_ref());
        let mut rooms = Arc::unwrap_or_clone(stored.rooms);
        rooms.extend(others);
        rooms.sort_by_key(|room| room.storey);
        let (spaces, called_outdoors, found) = (stored.spaces, stored.called_outdoors, found.into());
        Rooms { found, spaces, called_outdoors, ..Rooms::new(stored.storeys, rooms, stored.left_out, known) }
    }

    fn new(
        storeys: Arc<Vec<Storey>>,
        rooms: Vec<Room>,
        left_out: Vec<(Id, String)>,
        before: Option<&Rooms>,
    ) -> Rooms {
        let mut index = before.map(|before| Index::clone(&before.index)).unwrap_or_default();
        for (number, room) in rooms.iter().enumerate() {
            let old = before.and_then(|before| before.rooms.get(number));
            if !old.is_some_and(|old| Arc::ptr_eq(&old.solid, &room.solid)) {
                index.insert(Id(number as u32), room.solid.mesh());
            }
        }
        for number in rooms.len()..before.map_or(0, |before| before.rooms.len()) {
            index.remove(Id(number as u32));
        }
        let (rooms, index) = (rooms.into(), index.into());
        Rooms { storeys, rooms, left_out, index, ..Rooms::default() }
    }

    /// The rooms whose bodies hold a point, in metres, by their places in `rooms`: none outdoors and in walls, more than one where
    /// spaces overlap.
    pub fn at(&self, p: DVec3) -> Vec<usize> {
        self.index.at_point(p).into_iter().map(|number| number.0 as usize).collect()
    }

    /// The bodies by place; an element's number is the room's place in `rooms`.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The rooms of a storey, by their places in `rooms`.
    pub fn on_storey(&self, storey: usize) -> impl Iterator<Item = usize> {
        let on = move |(_, room): &(usize, &Room)| room.storey == Some(storey);
        self.rooms.iter().enumerate().filter(on).map(|(number, _)| number)
    }

    /// The box around a room, in metres.
    pub fn bounds(&self, room: usize) -> Bounds {
        self.index.get(Id(room as u32)).map_or(Bounds::EMPTY, |element| element.bounds())
    }
}

/// The spaces that are not made up of others.
fn spaces(links: &Links<'_>) -> Arc<[Id]> {
    let is_whole = |id: &Id| links.children(*id).iter().any(|part| is_space_with_shape(links, *part));
    links.model().of_class("IfcSpace").into_iter().filter(|id| !is_whole(id)).collect()
}

fn is_space_with_shape(links: &Links<'_>, id: Id) -> bool {
    let instance = links.model().get(id);
    instance.is_some_and(|i| i.is_a("IfcSpace") && i.reference("Representation").is_some())
}

/// The body of a space with its floor in plan, and whether it closes.
struct Body {
    solid: Arc<Solid>,
    floor: Vec<Area>,
    is_closed: bool,
}

fn made_body(shaper: &Shaper<'_>, space: Id) -> Result<Body, String> {
    let (solid, is_closed) = body(shaper, space)?;
    Ok(Body { floor: outline::floor(&solid), solid: solid.into(), is_closed })
}

/// The rooms of a version before, and the products whose bodies or places may differ since.
pub(crate) struct Before<'a> {
    pub(crate) rooms: &'a Rooms,
    pub(crate) reshaped: &'a BTreeSet<Id>,
    pub(crate) touched: &'a Touched,
    /// The boxes around all that differs, of both versions.
    pub(crate) changed: &'a [Bounds],
    /// The elements among that.
    pub(crate) change: &'a Change,
}

impl Before<'_> {
    /// The rooms of the file whose bodies stay.
    fn stored(&self) -> HashMap<Id, Room> {
        let stays = |room: &&Room| room.space().is_some_and(|id| !self.reshaped.contains(&id));
        let rooms = self.rooms.rooms.iter().filter(stays);
        rooms.filter_map(|room| Some((room.space()?, room.clone()))).collect()
    }

    /// The rooms, where the change leaves all of them as they are.
    fn unchanged(&self, model: &Model, elements: &Elements) -> Option<Rooms> {
        let rooms = self.rooms;
        let is_space = |id: &Id| model.get(*id).is_some_and(|product| product.is_a("IfcSpace"));
        let are_spaces_same = self.are_storeys_same(model)
            && !self.touched.reaches_class(&["IfcSpace"])
            && !self.reshaped.iter().any(is_space);
        if !are_spaces_same || !found::stay(&rooms.storeys, &rooms.found, self.change, self.changed) {
            return None;
        }
        // whether such a room lies outdoors hangs on what is above it
        let differs = |room: &Room| {
            let called = room.space().filter(|id| rooms.called_outdoors.contains(id));
            let near = called.filter(|_| self.change.is_near(&room.solid.bounds(), OPEN_ABOVE + 0.1));
            near.and_then(|id| model.get(id)).is_some_and(|space| {
                (is_outside(&space) || is_open_above(&room.solid, elements)) != room.is_outside
            })
        };
        let is_same = rooms.called_outdoors.is_empty() || !rooms.rooms.iter().any(differs);
        is_same.then(|| rooms.clone())
    }

    fn are_storeys_same(&self, model: &Model) -> bool {
        let storey = "IfcBuildingStorey";
        let is_storey = |id: &Id| model.get(*id).is_some_and(|product| product.is_a(storey));
        self.touched.are_rooms_same()
            && !self.touched.has_class(&[storey])
            && !self.reshaped.iter().any(is_storey)
    }
}

/// A room of the file.
fn stored(
    links: &Links<'_>,
    storeys: &[Storey],
    elements: &Elements,
    space: &Instance<'_>,
    body: Body,
    is_called_outdoors: bool,
) -> Room {
    let id = space.id();
    let bounds = body.solid.bounds();
    let own = links.storey_of(id);
    Room {
        id: space.guid().unwrap_or_else(|| id.to_string()),
        name: space.name().unwrap_or_default(),
        long_name: space.text("LongName").unwrap_or_default(),
        origin: Origin::Stored(id),
        storey: storeys.iter().position(|s| Some(s.id) == own),
        is_outside: is_outside(space) || (is_called_outdoors && is_open_above(&body.solid, elements)),
        floor: body.floor,
        foot: bounds.min.z,
        top: bounds.max.z,
        solid: body.solid,
        is_closed: body.is_closed,
    }
}
