//! Walls in plan: what stands upright and encloses, cut at a height, with gaps closed.

use super::Version;
use crate::asked::Asked;
use geometry::{
    Bounds,
    math::signed_area,
    query::{Element, Ray},
    region::{self, Area, Loop},
    section::{Plane, of_mesh},
};
use glam::{DVec2, DVec3};
use ifc::Id;
use std::{cell::RefCell, collections::HashMap};

/// Gaps between walls are closed up to twice this, in metres.
const CLOSE: f64 = 0.025;
/// A wall that ends lower over the floor than this, in metres, is a parapet unless something stands on it.
const LOW: f64 = 1.3;
/// The most between a low wall and an element that stands on it, in metres.
const ON_IT: f64 = 0.5;
/// The most over the cut, in metres, that a door or boundary in no wall may begin.
pub(crate) const WITHIN: f64 = 0.5;
/// The width that lines are given, in metres, where a boundary has no thickness.
const LINE: f64 = 0.005;

/// The upright elements that enclose rooms in a model: walls, roofs, panels and their frames, openings left in.
pub(crate) struct Walls<'a> {
    version: Version<'a>,
    /// The elements that were asked whether they are upright and enclose.
    known: RefCell<HashMap<Id, bool>>,
}

/// A wall that one looks over, where it is not the foot of a higher one.
#[derive(Debug, Clone)]
pub(crate) struct LowWall {
    pub(crate) element: Id,
    /// True if nothing stands on it.
    pub(crate) is_parapet: bool,
    /// The line that told so.
    pub(crate) asked: Asked,
}

/// The walls of one height.
pub(crate) struct Plan {
    /// Outlines, counter-clockwise.
    walls: Vec<Loop>,
    /// The height of the highest wall, in metres.
    pub(crate) top: f64,
}

impl<'a> Walls<'a> {
    pub(crate) fn new(version: Version<'a>) -> Walls<'a> {
        Walls { version, known: RefCell::default() }
    }

    fn is_upright(&self, element: &Element) -> bool {
        let id = element.id();
        if let Some(known) = self.known.borrow().get(&id) {
            return *known;
        }
        let (model, links) = (self.version.scene.model(), self.version.links);
        let is_a = |id: Id, class: &str| model.get(id).is_some_and(|i| i.is_a(class));
        let of_curtain = || links.aggregate_parent(id).is_some_and(|whole| is_a(whole, "IfcCurtainWall"));
        let is_upright = match () {
            () if is_a(id, "IfcWall") || is_a(id, "IfcCurtainWall") => true,
            () if is_a(id, "IfcPlate") || is_a(id, "IfcMember") => of_curtain(),
            () if is_a(id, "IfcSlab") || is_a(id, "IfcRoof") => is_leaning(element),
            () => {
                let whole = links.aggregate_parent(id);
                is_a(id, "IfcBuildingElementPart") && whole.is_some_and(|w| is_a(w, "IfcWall"))
            }
        };
        self.known.borrow_mut().insert(id, is_upright);
        is_upright
    }

    /// Doors and windows that stand in no opening, and virtual boundaries, near a height: their outlines in plan.
    fn others(&self, height: f64) -> Vec<Loop> {
        let Version { scene, shaper, links, .. } = self.version;
        let mut found = Vec::new();
        for class in ["IfcDoor", "IfcWindow", "IfcVirtualElement"] {
            for id in scene.model().of_class(class) {
                let is_far = scene.entry(id).is_some_and(|entry| !is_near(&entry.bounds, height, 0.0));
                if is_far || links.opening_of_filling(id).is_some() {
                    continue;
                }
                let Ok(shape) = shaper.element(id) else { continue };
                let points: Vec<DVec3> = shape.mesh().positions;
                let flat: Vec<DVec2> = points.iter().map(|p| p.truncate()).collect();
                let (low, high) = heights(&points);
                found.extend(slender(&flat).filter(|_| reaches(low, high, height)));
            }
        }
        found
    }

    /// Openings with a door near a height, as far as they are in the wall: for walls that are drawn with a gap there.
    fn doorways(&self, height: f64) -> Vec<Loop> {
        let Version { scene, shaper, links, elements } = self.version;
        let mut found = Vec::new();
        for door in scene.model().of_class("IfcDoor") {
            // a door is about as high as its opening
            if scene.entry(door).is_some_and(|entry| !is_near(&entry.bounds, height, 0.25)) {
                continue;
            }
            let opening = links.opening_of_filling(door);
            let Some((opening, host)) = opening.and_then(|o| Some((o, links.host_of_opening(o)?))) else {
                continue;
            };
            let bodies = [opening, door].into_iter().filter_map(|id| shaper.gross_bodies(id).ok());
            let Some(bodies) = bodies.into_iter().find(|bodies| !bodies.all.is_empty()) else { continue };
            let points: Vec<DVec3> = bodies.iter().flat_map(geometry::Solid::points).collect();
            let (low, high) = heights(&points);
            if !reaches(low, high, height) {
                continue;
            }
            // a wall of parts has no shape of its own
            let parts = std::iter::once(host).chain(links.children(host));
            let built: Vec<DVec3> = parts
                .filter_map(|id| elements.index().get(id))
                .flat_map(|element| element.mesh().positions.iter().copied())
                .collect();
            let flat = |points: &[DVec3]| -> Vec<DVec2> { points.iter().map(|p| p.truncate()).collect() };
            let Some((hole, wall)) = slender(&flat(&points)).zip(slender(&flat(&built))) else {
                continue;
            };
            let within = region::intersection(&[hole], &[wall]);
            found.extend(within.into_iter().map(|area| area.outer));
        }
        found
    }

    /// The walls at a height over a floor, in metres.
    pub(crate) fn plan(&self, height: f64, floor: f64) -> (Plan, Vec<LowWall>) {
        let mut walls: Vec<Loop> = Vec::new();
        let mut top = f64::NEG_INFINITY;
        let mut low_walls = Vec::new();
        let Some(plane) = Plane::level(height) else { return (Plan { walls, top }, low_walls) };
        for element in self.version.elements.index().iter() {
            let b = element.bounds();
            if b.min.z > height || b.max.z < height || !self.is_upright(element) {
                continue;
            }
            if b.max.z <= floor + LOW
                && let Some(wall) = self.low_wall(element.id())
            {
                let is_parapet = wall.is_parapet;
                low_walls.push(wall);
                if is_parapet {
                    continue;
                }
            }
            let cut = of_mesh(element.mesh(), &plane);
            walls
                .extend(cut.areas.into_iter().flat_map(|area| std::iter::once(area.outer).chain(area.holes)));
            walls.extend(cut.lines.iter().flat_map(|line| strips(line, false, LINE)));
            top = top.max(b.max.z);
        }
        walls.extend(self.others(height));
        let is_gap = |outline: &Loop| {
            let open = region::less_all(std::slice::from_ref(outline), &walls);
            open.iter().map(Area::size).sum::<f64>() > 0.5 * signed_area(outline).abs()
        };
        let gaps: Vec<Loop> = self.doorways(height).into_iter().filter(is_gap).collect();
        walls.extend(gaps);
        (Plan { walls, top }, low_walls)
    }

    /// A wall that is so low that one looks over it, unless something stands on it.
    pub(crate) fn low_wall(&self, id: Id) -> Option<LowWall> {
        let index = self.version.elements.index();
        let b = index.get(id)?.bounds();
        let mut wall = LowWall { element: id, is_parapet: true, asked: Asked::default() };
        let top = b.centre().with_z(b.max.z + 0.01);
        let ray = Ray::new(top, DVec3::Z).map(|ray| ray.up_to(ON_IT))?;
        let stands = |other: Id| other != id && index.get(other).is_some_and(|e| self.is_upright(e));
        match index.any_hit(&ray, stands) {
            Some(element) => {
                wall.is_parapet = false;
                wall.asked.met(element);
            }
            None => wall.asked.line(ray),
        }
        Some(wall)
    }
}

/// Returns true if what reaches from one height to another counts among the walls at a height.
fn reaches(low: f64, high: f64, height: f64) -> bool {
    low < height + WITHIN && high > height
}

fn is_near(bounds: &Bounds, height: f64, by: f64) -> bool {
    bounds.is_empty() || reaches(bounds.min.z - by, bounds.max.z + by, height)
}

impl Plan {
    /// Finds the areas that the walls go around, as they lie between the walls' faces.
    pub(crate) fn enclosed(&self) -> Vec<Area> {
        let mut grown = self.walls.clone();
        grown.extend(self.walls.iter().flat_map(|l| strips(l, true, CLOSE)));
        let around = region::union(&grown);
        let mut found = Vec::new();
        for hole in around.iter().flat_map(|area| &area.holes) {
            let turned: Loop = hole.iter().rev().copied().collect();
            let mut wide = vec![turned.clone()];
            wide.extend(strips(&turned, true, CLOSE * 1.01));
            let inner = region::less_all(&crate::facet::loops_of(&region::union(&wide)), &self.walls);
            // closing gaps leaves slivers beside the room: the room is what the hole itself lies in
            let within = |area: &&Area| {
                let shared = region::intersection(
                    std::slice::from_ref(&turned),
                    &area.loops().cloned().collect::<Vec<_>>(),
                );
                shared.iter().map(Area::size).sum::<f64>() > 0.5 * area.size()
            };
            found.extend(inner.iter().filter(within).cloned());
        }
        found
    }
}

/// Rectangles along the sides of a loop, or of a line that does not close, so far to both sides and beyond the ends, in metres.
fn strips(points: &[DVec2], is_loop: bool, by: f64) -> Vec<Loop> {
    let next = points.iter().skip(1).chain(points.first().filter(|_| is_loop));
    let strip = |(a, b): (&DVec2, &DVec2)| -> Option<Loop> {
        let along = (*b - *a).try_normalize()? * by;
        let side = along.perp();
        Some(vec![*a - along - side, *b + along - side, *b + along + side, *a - along + side])
    };
    points.iter().zip(next).filter_map(strip).collect()
}

/// The least and greatest height of points.
fn heights(points: &[DVec3]) -> (f64, f64) {
    points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.z), high.max(p.z)))
}

/// The smallest rectangle around points that runs along two of them farthest apart, at least as thick as a line.
fn slender(points: &[DVec2]) -> Option<Loop> {
    let first = points.first()?;
    let farthest =
        |from: DVec2| points.iter().copied().max_by(|p, q| from.distance(*p).total_cmp(&from.distance(*q)));
    let a = farthest(*first)?;
    let b = farthest(a)?;
    // of a flat box the diagonal is longest: the box runs along the side that is longest
    let candidates = points.iter().filter_map(|p| (*p - a).try_normalize()).chain((b - a).try_normalize());
    let boxed = |along: DVec2| -> (f64, Loop) {
        let side = along.perp();
        let range = |axis: DVec2| {
            points
                .iter()
                .map(|p| p.dot(axis))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
        };
        let ((low, high), (left, right)) = (range(along), range(side));
        let (left, right) = (left.min(right - LINE), right.max(left + LINE));
        let corner = |u: f64, v: f64| along * u + side * v;
        (
            (high - low) * (right - left),
            vec![corner(low, left), corner(high, left), corner(high, right), corner(low, right)],
        )
    };
    let (_, outline) = candidates.map(boxed).min_by(|a, b| a.0.total_cmp(&b.0))?;
    (signed_area(&outline).abs() > 1e-9).then_some(outline)
}

/// Returns true if most of an element's surface neither lies level nor stands upright: a roof plane.
fn is_leaning(element: &Element) -> bool {
    let (mut leaning, mut whole) = (0.0, 0.0);
    let mesh = element.mesh();
    for t in &mesh.triangles {
        let [Some(a), Some(b), Some(c)] = t.map(|i| mesh.positions.get(i as usize)) else { continue };
        let cross = (*b - *a).cross(*c - *a);
        let size = cross.length();
        whole += size;
        if size > 0.0 && (0.05..0.99).contains(&(cross.z / size).abs()) {
            leaning += size;
        }
    }
    leaning > 0.5 * whole
}
