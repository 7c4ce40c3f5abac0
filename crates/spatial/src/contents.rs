//! The contents of a room, and how wide the floor is that they leave.

use crate::{
    Room,
    facet::loops_of,
    parts::Parts,
    plan::{hull, largest_circle},
};
use geometry::{
    Bounds, Scene,
    region::{self, Area, Loop},
};
use glam::DVec3;
use ifc::{Id, relations::Links};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};

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
/// The height over the floor, in metres, from which things do not take from it.
const HEAD: f64 = 2.0;

/// Something that stands in a room.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The element.
    pub element: Id,
    /// The ground that it takes, in plan: the convex outline of its lower part; empty for what hangs high.
    pub footprint: Loop,
}

/// The things that stand in the rooms of a version.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// By room.
    pub(crate) rooms: Vec<Vec<Content>>,
    /// The rooms that elements stand in by their places.
    at: HashMap<Id, Vec<usize>>,
}

/// The contents of rooms in a version before.
pub(crate) struct Before<'a> {
    pub(crate) parts: &'a Parts,
    pub(crate) contents: &'a Contents,
    /// The products whose bodies or places may differ since.
    pub(crate) reshaped: &'a BTreeSet<Id>,
    /// The numbers of rooms then, by those of now.
    pub(crate) olds: &'a [Option<usize>],
    /// The numbers of rooms now, by those of then.
    pub(crate) numbers: &'a [Option<usize>],
    /// The boxes around the rooms whose bodies differ, of both versions.
    pub(crate) changed: &'a [Bounds],
}

impl Before<'_> {
    /// The rooms that an element stands in by a point of it, where it stands there still and no room around the point differs.
    fn at(&self, element: Id, low: DVec3) -> Option<Vec<usize>> {
        let at = Bounds { min: low, max: low };
        if self.reshaped.contains(&element) || self.changed.iter().any(|b| b.meets(&at, 0.01)) {
            return None;
        }
        let known = self.contents.at.get(&element)?;
        known.iter().map(|old| self.numbers.get(*old).copied().flatten()).collect()
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
) -> Contents {
    let model = scene.model();
    let rooms = &layout.rooms;
    let spaces: HashMap<Id, usize> =
        (rooms.rooms.iter().enumerate()).filter_map(|(number, room)| Some((room.space()?, number))).collect();
    let mut found = Contents { rooms: rooms.rooms.iter().map(|_| Vec::new()).collect(), at: HashMap::new() };
    let mut seen = HashSet::new();
    let ids = CLASSES.iter().flat_map(|class| model.of_class(class)).filter(|id| seen.insert(*id));
    let stated = |id: Id| links.direct_container(id).and_then(|container| spaces.get(&container)).copied();
    let asked: Vec<(Id, Option<usize>)> = ids.map(|id| (id, stated(id))).collect();
    let stands: Vec<(Vec<usize>, Vec<(usize, Content)>)> = (asked.par_iter())
        .map(|&(id, stated)| {
            let entry = scene.entry(id).filter(|entry| entry.is_drawn());
            let at = entry.map_or_else(Vec::new, |entry| {
                let b = entry.bounds;
                let low = b.centre().with_z((b.min.z + 0.2).min(b.centre().z));
                let spans = |number: &usize| rooms.rooms.get(*number).is_some_and(|room| room.spans(low));
                let known = before.and_then(|before| before.at(id, low));
                known.unwrap_or_else(|| rooms.at(low).into_iter().filter(spans).collect())
            });
            let content = |number: usize| {
                let room = rooms.rooms.get(number)?;
                let known = before.and_then(|before| before.known(layout, number, id));
                let content =
                    known.unwrap_or_else(|| Content { element: id, footprint: footprint(scene, room, id) });
                Some((number, content))
            };
            let numbers = at.iter().copied().chain(stated.filter(|stated| !at.contains(stated)));
            let contents = numbers.filter_map(content).collect();
            (at, contents)
        })
        .collect();
    for ((id, _), (at, contents)) in asked.into_iter().zip(stands) {
        for (number, content) in contents {
            if let Some(list) = found.rooms.get_mut(number) {
                list.push(content);
            }
        }
        found.at.insert(id, at);
    }
    found
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
