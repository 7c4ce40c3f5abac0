//! The contents of a room, and how wide the floor is that they leave.

use crate::{
    Room,
    facet::{extent, holds, loops_of},
    parts::Parts,
};
use geometry::{
    Bounds, Scene,
    math::signed_area,
    region::{self, Area, Loop},
};
use glam::{DVec2, DVec3};
use ifc::{Id, relations::Links};
use std::{
    cmp::Ordering,
    collections::{BTreeSet, BinaryHeap, HashMap, HashSet},
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
    for id in CLASSES.iter().flat_map(|class| model.of_class(class)).filter(|id| seen.insert(*id)) {
        let entry = scene.entry(id).filter(|entry| entry.is_drawn());
        let stated = links.direct_container(id).and_then(|container| spaces.get(&container)).copied();
        let at = entry.map_or_else(Vec::new, |entry| {
            let b = entry.bounds;
            let low = b.centre().with_z((b.min.z + 0.2).min(b.centre().z));
            let spans = |number: &usize| rooms.rooms.get(*number).is_some_and(|room| room.spans(low));
            let known = before.and_then(|before| before.at(id, low));
            known.unwrap_or_else(|| rooms.at(low).into_iter().filter(spans).collect())
        });
        for number in at.iter().copied().chain(stated.filter(|stated| !at.contains(stated))) {
            if let Some((room, list)) = rooms.rooms.get(number).zip(found.rooms.get_mut(number)) {
                let known = before.and_then(|before| before.known(layout, number, id));
                list.push(
                    known.unwrap_or_else(|| Content { element: id, footprint: footprint(scene, room, id) }),
                );
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

/// The convex outline of points, counter-clockwise (Andrew's monotone chain).
fn hull(mut points: Vec<DVec2>) -> Loop {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return Vec::new();
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| -> Loop {
        let mut chain: Loop = Vec::new();
        for p in points {
            while let [.., a, b] = chain.as_slice() {
                if (*b - *a).perp_dot(p - *a) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut outline = half(&mut points.iter().copied());
    outline.extend(half(&mut points.iter().rev().copied()));
    if signed_area(&outline).abs() > 1e-6 { outline } else { Vec::new() }
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
        let width = |areas: &[Area]| 2.0 * areas.iter().map(largest_circle).fold(0.0, f64::max);
        let empty = width(&room.floor);
        if taken.is_empty() {
            return UsableWidth { empty, furnished: empty };
        }
        UsableWidth { empty, furnished: width(&region::less_all(&loops_of(&room.floor), taken)) }
    }
}

/// A square with the most that a circle around one of its points may measure.
struct Cell {
    most: f64,
    middle: DVec2,
    half: f64,
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most)
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}

/// The radius of the largest circle in an area, to a centimetre: cells are searched by the best that they may hold (Agafonkin's
/// polylabel).
fn largest_circle(area: &Area) -> f64 {
    const PRECISION: f64 = 0.005;
    const MOST_CELLS: usize = 4000;
    let Some((low, high)) = extent(&area.outer) else { return 0.0 };
    let radius = |p: DVec2| -> f64 {
        let apart = area.loops().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1))).map(|(a, b)| {
            let d = *b - *a;
            let t = ((p - *a).dot(d) / d.length_squared().max(1e-18)).clamp(0.0, 1.0);
            p.distance(*a + d * t)
        });
        let nearest = apart.fold(f64::INFINITY, f64::min);
        if holds(area.loops(), p) { nearest } else { -nearest }
    };
    let size = (high - low).min_element();
    if size.is_nan() || size <= 1e-6 {
        return 0.0;
    }
    let half = size / 2.0;
    let mut waiting: BinaryHeap<Cell> = BinaryHeap::new();
    let diagonal = std::f64::consts::SQRT_2;
    let cell = |middle: DVec2, half: f64| Cell { most: radius(middle) + half * diagonal, middle, half };
    let (columns, rows) =
        (((high.x - low.x) / size).ceil() as usize, ((high.y - low.y) / size).ceil() as usize);
    for (column, row) in (0..columns.min(64)).flat_map(|c| (0..rows.min(64)).map(move |r| (c, r))) {
        let at = low + DVec2::new(column as f64, row as f64) * size + half;
        waiting.push(cell(at, half));
    }
    let mut best = 0.0_f64;
    let mut asked = waiting.len();
    while let Some(next) = waiting.pop() {
        best = best.max(next.most - next.half * diagonal);
        if next.most - best <= PRECISION || asked > MOST_CELLS {
            break;
        }
        let quarter = next.half / 2.0;
        for by in [DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0), DVec2::new(-1.0, 1.0), DVec2::ONE] {
            let part = cell(next.middle + by * quarter, quarter);
            asked += 1;
            if part.most - best > PRECISION {
                waiting.push(part);
            }
        }
    }
    best.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_circle_of_an_l_lies_in_its_corner() {
        let corner = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)];
        let area = Area::new(corner.map(DVec2::from).to_vec(), Vec::new());
        // it touches both outer sides and the inner corner: r = (1 - r) √2
        let wanted = 2.0_f64.sqrt() / (1.0 + 2.0_f64.sqrt());
        let found = largest_circle(&area);
        assert!((found - wanted).abs() < 0.01, "{found} {wanted}");
    }

    #[test]
    fn the_outline_of_points_leaves_out_those_within() {
        let points = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.5), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0)];
        assert_eq!(hull(points.map(DVec2::from).to_vec()).len(), 4);
    }
}
