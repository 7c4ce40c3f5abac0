//! The rooms of a version, storey by storey: those of the file, and on storeys without any those that are found between walls.
//!
//! A space that is made up of others gives way to them. A space without a body is no room, and is told of.

use crate::outdoors::{is_open_above, is_outside, says_open_air};
use crate::{Origin, Room, Storey, body::body, elements::Elements, found::Search, outline, storey::storeys};
use geometry::{Bounds, Scene, Shaper, query::Index};
use glam::DVec3;
use ifc::{Id, Instance, relations::Links};

/// All rooms of a version.
#[derive(Debug, Default)]
pub struct Rooms {
    /// The storeys, the lowest first.
    pub storeys: Vec<Storey>,
    /// The rooms by storey, then in the order of the file.
    pub rooms: Vec<Room>,
    /// Spaces that are no rooms, each with the reason.
    pub left_out: Vec<(Id, String)>,
    /// The bodies by place; an element's number is the room's place in `rooms`.
    index: Index,
}

impl Rooms {
    /// The rooms of the version that a scene shows.
    pub fn from_scene(scene: &Scene) -> Rooms {
        let shaper = Shaper::plain(scene.model());
        let links = Links::of_many(scene.model());
        Rooms::with_elements(scene, &shaper, &links, &Elements::from_scene(scene, &shaper, &links))
    }

    /// The same, where the elements that enclose rooms are known.
    pub fn with_elements(
        scene: &Scene,
        shaper: &Shaper<'_>,
        links: &Links<'_>,
        elements: &Elements,
    ) -> Rooms {
        let model = scene.model();
        let storeys = storeys(shaper, links);
        let (mut rooms, mut left_out) = (Vec::new(), Vec::new());
        for id in model.of_class("IfcSpace") {
            let Some(space) = model.get(id) else { continue };
            if links.children(id).iter().any(|part| is_space_with_shape(links, *part)) {
                continue;
            }
            match stored(shaper, links, &storeys, elements, &space) {
                Ok(room) => rooms.push(room),
                Err(reason) => left_out.push((id, reason)),
            }
        }
        rooms.sort_by_key(|room| room.storey);
        let bare: Vec<usize> =
            (0..storeys.len()).filter(|s| !rooms.iter().any(|room| room.storey == Some(*s))).collect();
        let stored = Rooms::new(storeys, rooms, left_out);
        if bare.is_empty() {
            return stored;
        }
        let search = Search::new(scene, shaper, links, elements);
        let found = search.rooms(&stored.storeys, &bare, &stored.index);
        let mut rooms = stored.rooms;
        rooms.extend(found);
        rooms.sort_by_key(|room| room.storey);
        Rooms::new(stored.storeys, rooms, stored.left_out)
    }

    fn new(storeys: Vec<Storey>, rooms: Vec<Room>, left_out: Vec<(Id, String)>) -> Rooms {
        let meshes = rooms.iter().enumerate().map(|(n, room)| (Id(n as u32), room.solid.mesh().into()));
        let index = meshes.collect();
        Rooms { storeys, rooms, left_out, index }
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

fn is_space_with_shape(links: &Links<'_>, id: Id) -> bool {
    let instance = links.model().get(id);
    instance.is_some_and(|i| i.is_a("IfcSpace") && i.reference("Representation").is_some())
}

/// A room of the file.
fn stored(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    storeys: &[Storey],
    elements: &Elements,
    space: &Instance<'_>,
) -> Result<Room, String> {
    let id = space.id();
    let (solid, is_closed) = body(shaper, id)?;
    let bounds = solid.bounds();
    let own = links.storey_of(id);
    Ok(Room {
        id: space.guid().unwrap_or_else(|| id.to_string()),
        name: space.name().unwrap_or_default(),
        long_name: space.text("LongName").unwrap_or_default(),
        origin: Origin::Stored(id),
        storey: storeys.iter().position(|s| Some(s.id) == own),
        is_outside: is_outside(space) || (says_open_air(space) && is_open_above(&solid, elements)),
        floor: outline::floor(&solid),
        foot: bounds.min.z,
        top: bounds.max.z,
        solid,
        is_closed,
    })
}
