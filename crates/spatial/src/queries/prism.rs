//! Upright prisms that elements are looked for in: boxes, storeys, rooms and polygons with a height.
//!
//! An element intersects a prism where they share space; one that only touches it does not. It is inside where no part of it is
//! outside, faces in the prism's own faces included. Surfaces that enclose nothing count by the part that lies within.

use crate::{Room, shadow::shadow};
use geometry::query::{Element, Kind, Rules, interference};
use geometry::region::{self, Area, Loop};
use geometry::{Bounds, Mesh};
use glam::DVec2;
use ifc::Id;

/// An upright prism, in metres of the world.
#[derive(Debug)]
pub struct Prism {
    areas: Vec<Area>,
    low: f64,
    high: f64,
    bounds: Bounds,
    body: Element,
}

/// Lengths below this, in metres, are rounding.
const ROUNDING: f64 = 1e-6;

impl Prism {
    /// The prism over areas between two heights. `None` where it holds nothing.
    pub fn new(areas: Vec<Area>, low: f64, high: f64) -> Option<Prism> {
        if !(high - low > ROUNDING && high.is_finite() && low.is_finite()) {
            return None;
        }
        let areas: Vec<Area> = areas.into_iter().filter(|a| a.size() > ROUNDING).collect();
        let mut mesh = Mesh::default();
        for area in &areas {
            extrude(area, low, high, &mut mesh);
        }
        let bounds = Bounds::from_points(mesh.positions.iter().copied());
        let body = Element::new(Id(u32::MAX), mesh);
        (!areas.is_empty()).then_some(Prism { areas, low, high, bounds, body })
    }

    /// The prism of one polygon, in any direction; one that crosses itself counts by the even-odd rule.
    pub fn of_polygon(points: &[DVec2], low: f64, high: f64) -> Option<Prism> {
        Prism::new(region::even_odd(&[points.to_vec()]), low, high)
    }

    /// The prism of a box.
    pub fn of_box(bounds: &Bounds) -> Option<Prism> {
        let outline = region::rectangle(bounds.min.truncate(), bounds.max.truncate());
        Prism::of_polygon(&outline, bounds.min.z, bounds.max.z)
    }

    /// The prism of a room: its own body where that closes, else its floor up to its ceiling.
    pub fn of_room(room: &Room) -> Option<Prism> {
        let prism = Prism::new(room.floor.clone(), room.foot, room.top)?;
        if !room.is_closed {
            return Some(prism);
        }
        let body = Element::new(Id(u32::MAX), room.solid.mesh());
        Some(Prism { bounds: body.bounds(), body, ..prism })
    }

    /// The box around it.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns true if an element shares space with it.
    pub fn meets(&self, element: &Element) -> bool {
        if !self.bounds.meets(&element.bounds(), 0.0) {
            return false;
        }
        if element.is_solid() {
            let found = interference(element, &self.body, &Rules::default());
            return found.is_some_and(|found| found.kind.is_hard());
        }
        !self.part_within(element).is_empty()
    }

    /// Returns true if no part of an element is outside.
    pub fn holds(&self, element: &Element) -> bool {
        let b = element.bounds();
        if b.is_empty() || b.min.z < self.low - ROUNDING || b.max.z > self.high + ROUNDING {
            return false;
        }
        let (low, high) = (self.bounds.min - ROUNDING, self.bounds.max + ROUNDING);
        if !(low.cmple(b.min).all() && b.max.cmple(high).all()) {
            return false;
        }
        if element.is_solid()
            && let Some(found) = interference(element, &self.body, &Rules::default())
            && matches!(found.kind, Kind::Inside { .. } | Kind::Duplicate { .. })
        {
            return true;
        }
        let outline: Vec<Loop> = self.areas.iter().flat_map(|a| a.loops().cloned()).collect();
        let outside = region::less_all(&shadow(element, f64::NEG_INFINITY, f64::INFINITY), &outline);
        outside.iter().map(Area::size).sum::<f64>() < ROUNDING
    }

    /// The shadow in plan of an element's surface between the two heights, as far as it lies over the areas.
    fn part_within(&self, element: &Element) -> Vec<Area> {
        let outline: Vec<Loop> = self.areas.iter().flat_map(|a| a.loops().cloned()).collect();
        region::intersection(&shadow(element, self.low, self.high), &outline)
    }
}

/// Adds the closed surface of an extruded area.
fn extrude(area: &Area, low: f64, high: f64, mesh: &mut Mesh) {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    let flat: Vec<DVec2> = loops.iter().flatten().copied().collect();
    let start = mesh.positions.len() as u32;
    let count = flat.len() as u32;
    mesh.positions.extend(flat.iter().map(|p| p.extend(low)));
    mesh.positions.extend(flat.iter().map(|p| p.extend(high)));
    for t in region::triangles(&loops).as_chunks::<3>().0 {
        let at = |i: u32| flat.get(i as usize).copied().unwrap_or_default();
        let [a, b, c] = *t;
        let is_left = (at(b) - at(a)).perp_dot(at(c) - at(a)) > 0.0;
        let [a, b, c] = if is_left { [a, b, c] } else { [a, c, b] }.map(|i| start + i);
        mesh.triangles.push([a, c, b]);
        mesh.triangles.push([a, b, c].map(|i| i + count));
    }
    let mut first = start;
    for l in &loops {
        let n = l.len() as u32;
        for i in 0..n {
            let (a, b) = (first + i, first + (i + 1) % n);
            mesh.triangles.push([a, b, b + count]);
            mesh.triangles.push([a, b + count, a + count]);
        }
        first += n;
    }
}
