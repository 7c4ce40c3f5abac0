//! The contents of a room, and how wide the floor is that they leave.

use crate::{
    Room,
    facet::loops_of,
    parts::Parts,
    plan::{hull, largest_circle},
    touched::Touched,
};
use geometry::{
    Bounds, Scene,
    region::{self, Area, Loop},
};
use glam::DVec3;
use ifc::{Id, relations::Links};
use rayon::prelude::*;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

/// The classes of what stands in rooms; subtypes count.
const CLASSES: [&str; 8] = [
    "IfcFurnishingElement",
    "IfcFlowTerminal",
    "IfcEnergyConversionDevice",
    "IfcTransportElement",
    "IfcBuildingElementProxy",
    "IfcColumn",
    "IfcStair",
    "IfcStairFlight",
];
/// Of these, what one goes to another storey by.
const CLIMBED: [&str; 3] = ["IfcTransportElement", "IfcStair", "IfcStairFlight"];
/// The height over the floor, in metres, from which things do not take from it.
const HEAD: f64 = 2.0;

/// Something that stands in a room.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The element.
    pub element: Id,
    /// True of what one goes to another storey by: a stair, its flight, a lift.
    pub joins_storeys: bool,
    /// The ground that it takes, in plan: the convex outline of its lower part; empty for what hangs high.
    pub footprint: Loop,
}

/// The things that stand in the rooms of a version.
#[derive(Debug)]
pub(crate) struct Contents {
    /// By room.
    pub(crate) rooms: Vec<Vec<Content>>,
    /// The elements that may stand in rooms, each with the space that the file says it does.
    elements: Arc<[(Id, Option<Id>)]>,
    /// The place at which each was looked for, and the rooms there; by place in that list.
    at: Vec<Option<At>>,
}

/// A place in metres of the world, and the rooms there.
type At = (DVec3, Vec<usize>);

/// The contents of rooms in a version before.
pub(crate) struct Before<'a> {
    pub(crate) parts: &'a Parts,
    pub(crate) contents: &'a Arc<Contents>,
    /// The products whose bodies or places may differ since.
    pub(crate) reshaped: &'a BTreeSet<Id>,
    pub(crate) touched: &'a Touched,
    /// The numbers of rooms then, by those of now.
    pub(crate) olds: &'a [Option<usize>],
    /// The numbers of rooms now, by those of then.
    pub(crate) numbers: &'a [Option<usize>],
    /// The boxes around the rooms whose bodies differ, of both versions.
    pub(crate) changed: &'a [Bounds],
}

impl Before<'_> {
    /// Returns true if what may stand in rooms is what it was, and the file says of each what it said.
    fn are_elements_same(&self) -> bool {
        let touched = self.touched;
        touched.are_classes_same() && !touched.has_class(&CLASSES) && !touched.members_of_class(&CLASSES)
    }

    /// Returns true if rooms and what may stand in them are the same, and nothing of it differs.
    fn is_all_same(&self, layout: &Parts) -> bool {
        let stays = |(id, _): &(Id, Option<Id>)| !self.reshaped.contains(id);
        Arc::ptr_eq(&self.parts.rooms.rooms, &layout.rooms.rooms)
            && self.are_elements_same()
            && self.contents.elements.iter().all(stays)
    }

    /// The place and the rooms of an element, where it stands there still and no room around the place differs.
    fn at(&self, place: usize, element: Id) -> Option<At> {
        let (low, known) = self.contents.at.get(place)?.as_ref()?;
        let at = Bounds { min: *low, max: *low };
        if self.reshaped.contains(&element) || self.changed.iter().any(|b| b.meets(&at, 0.01)) {
            return None;
        }
        let rooms = known.iter().map(|old| self.numbers.get(*old).copied().flatten());
        Some((*low, rooms.collect::<Option<_>>()?))
    }

    /// An element as it stood in a room, where it still stands so.
    fn known(&self, layout: &Parts, room: usize, element: Id) -> Option<Content> {
        let old = self.olds.get(room).copied().flatten()?;
        let [then, now] = [(self.parts, old), (layout, room)].map(|(l, n)| l.rooms.rooms.get(n));
        if self.reshaped.contains(&element) || then?.foot != now?.foot {
            return None;
        }
        self.contents.rooms.get(old)?.iter().find(|content| content.element == element).cloned()
    }
}

/// Finds what stands in each room, by the places of rooms: by its own place, or because the file says so. Parts of a stair stand for
/// the stair where it has no shape.
pub(crate) fn contents(
    scene: &Scene,
    layout: &Parts,
    links: &Links<'_>,
    before: Option<&Before<'_>>,
) -> Arc<Contents> {
    let rooms = &layout.rooms;
    if let Some(same) = before.filter(|before| before.is_all_same(layout)) {
        return Arc::clone(same.contents);
    }
    let is_same = |before: &&Before<'_>| before.are_elements_same();
    let same = before.filter(is_same);
    let elements = same.map_or_else(|| elements(links), |before| Arc::clone(&before.contents.elements));
    // where the list is the same, so are the places in it
    let others = before.filter(|before| !is_same(before));
    let places: HashMap<Id, usize> = others
        .iter()
        .flat_map(|b| b.contents.elements.iter().enumerate())
        .map(|(n, (id, _))| (*id, n))
        .collect();
    let spaces: HashMap<Id, usize> =
        (rooms.rooms.iter().enumerate()).filter_map(|(number, room)| Some((room.space()?, number))).collect();
    let stands = elements.par_iter().enumerate().map(|(place, (id, space))| {
        let old = if same.is_some() { Some(place) } else { places.get(id).copied() };
        let at = before.and_then(|before| before.at(old?, *id)).or_else(|| {
            let b = scene.entry(*id).filter(|entry| entry.is_drawn())?.bounds;
            let low = b.centre().with_z((b.min.z + 0.2).min(b.centre().z));
            let spans = |number: &usize| rooms.rooms.get(*number).is_some_and(|room| room.spans(low));
            Some((low, rooms.at(low).into_iter().filter(spans).collect()))
        });
        let own = at.as_ref().map(|(_, rooms)| rooms.as_slice()).unwrap_or_default();
        let stated = space.and_then(|space| spaces.get(&space)).filter(|stated| !own.contains(stated));
        let content = |number: &usize| {
            let room = rooms.rooms.get(*number)?;
            let known = before.and_then(|before| before.known(layout, *number, *id));
            let made = || Content {
                element: *id,
                joins_storeys: scene.model().get(*id).is_some_and(|i| CLIMBED.iter().any(|c| i.is_a(c))),
                footprint: footprint(scene, room, *id),
            };
            Some((*number, known.unwrap_or_else(made)))
        };
        let contents: Vec<(usize, Content)> = own.iter().chain(stated).filter_map(content).collect();
        (at, contents)
    });
    let stands: Vec<_> = stands.collect();
    let mut found = Contents { rooms: vec![Vec::new(); rooms.rooms.len()], elements, at: Vec::new() };
    for (at, contents) in stands {
        for (number, content) in contents {
            if let Some(list) = found.rooms.get_mut(number) {
                list.push(content);
            }
        }
        found.at.push(at);
    }
    found.into()
}

/// The elements that may stand in rooms, each with the space that the file says it does.
fn elements(links: &Links<'_>) -> Arc<[(Id, Option<Id>)]> {
    let model = links.model();
    let mut seen = HashSet::new();
    let ids = CLASSES.iter().flat_map(|class| model.of_class(class)).filter(|id| seen.insert(*id));
    let space = |id: Id| {
        let container = links.direct_container(id)?;
        model.get(container)?.is_a("IfcSpace").then_some(container)
    };
    ids.map(|id| (id, space(id))).collect()
}

fn footprint(scene: &Scene, room: &Room, id: Id) -> Loop {
    let Some(shape) = scene.shape(id) else { return Vec::new() };
    let points =
        shape.parts.iter().flat_map(|part| part.mesh.positions.iter().map(|p| part.at.transform_point3(*p)));
    let low = points.filter(|p| p.z < room.foot + HEAD).map(glam::DVec3::truncate).collect();
    hull(low)
}

/// The width of a floor: the diameter in metres of the largest circle that lies on it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UsableWidth {
    /// Of the empty floor.
    pub empty: f64,
    /// Of what is left of it beside what stands there.
    pub furnished: f64,
}

impl UsableWidth {
    /// The widths of a room's floor; `taken` is the ground of what stands there, in plan.
    pub(crate) fn of_room(room: &Room, taken: &[Loop]) -> UsableWidth {
        const PRECISION: f64 = 0.005;
        let width = |areas: &[Area]| 2.0 * largest_circle(areas, PRECISION).map_or(0.0, |(_, radius)| radius);
        let empty = width(&room.floor);
        if taken.is_empty() {
            return UsableWidth { empty, furnished: empty };
        }
        UsableWidth { empty, furnished: width(&region::less_all(&loops_of(&room.floor), taken)) }
    }
}
