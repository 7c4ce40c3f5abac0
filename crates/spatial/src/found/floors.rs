//! Floors: what one may stand on, near a storey.

use super::{CUT, OFF};
use crate::{
    facet::{counts, loops_of},
    outline,
};
use geometry::{
    math::signed_area,
    query::{Index, Ray},
    region::{self, Area, Loop},
};
use glam::{DVec2, DVec3};

/// The least area of a room, in m²; what is smaller is a duct or a cavity.
const LEAST_AREA: f64 = 0.5;
/// The least width of a room, were it a strip, in metres.
const LEAST_WIDTH: f64 = 0.35;
/// The part of a room that must have a floor.
const FLOORED: f64 = 0.3;
/// The largest hole in a floor that is part of the room around it, in m²: a stair comes up there. A larger one is air of the room below.
const STAIR: f64 = 6.0;

/// The height of most floors near a storey's level, in metres.
pub(super) fn floor_level(floors: &Index, elevation: f64) -> Option<f64> {
    let mut levels: Vec<(f64, f64)> = Vec::new();
    for element in floors.iter().filter(|e| {
        let b = e.bounds();
        b.max.z > elevation - OFF && b.min.z < elevation + OFF
    }) {
        let mesh = element.mesh();
        for t in &mesh.triangles {
            let [Some(a), Some(b), Some(c)] = t.map(|i| mesh.positions.get(i as usize)) else { continue };
            let cross = (*b - *a).cross(*c - *a);
            if cross.z < 0.999 * cross.length() || cross.z <= 0.0 || (a.z - elevation).abs() > OFF / 2.0 {
                continue;
            }
            match levels.iter_mut().find(|(z, _)| (*z - a.z).abs() < 0.005) {
                Some((_, sum)) => *sum += cross.z / 2.0,
                None => levels.push((a.z, cross.z / 2.0)),
            }
        }
    }
    let most = levels.iter().map(|(_, area)| *area).fold(0.0, f64::max);
    // of a slab and the finish on it the finish
    levels.into_iter().filter(|(_, area)| *area > 0.4 * most).map(|(z, _)| z).reduce(f64::max)
}

/// The floor in what walls go around, and its height; `None` where there is none.
pub(super) fn floor(
    floors: &Index,
    area: Area,
    (level, has_floors): (f64, bool),
) -> Option<(f64, Vec<Area>)> {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    // a storey whose floor nobody drew is floor all over
    let (foot, floored) = if has_floors { floor_under(floors, &loops, level)? } else { (level, 1.0) };
    Some((foot, with_floor(floors, &loops, floored, foot)))
}

/// The parts of a floor that no room has taken yet; `None` where too little is left.
pub(super) fn free(floor: Vec<Area>, foot: f64, taken: &Index) -> Option<Vec<Area>> {
    let floor: Vec<Area> = floor.into_iter().filter(|a| is_wide(a) && !is_taken(a, foot, taken)).collect();
    (outline::size(&floor) >= LEAST_AREA).then_some(floor)
}

/// The height of the floor under an area, and the part of the area that has one; `None` where it has none.
fn floor_under(floors: &Index, loops: &[Loop], level: f64) -> Option<(f64, f64)> {
    let mut heights: Vec<(f64, f64)> = Vec::new();
    let mut whole = 0.0;
    for (p, weight) in samples(loops) {
        whole += weight;
        let from = p.extend(level + CUT);
        let Some(ray) = Ray::new(from, -DVec3::Z).map(|r| r.up_to(OFF)) else { continue };
        if let Some(hit) = floors.first_hit(&ray, |_| true) {
            match heights.iter_mut().find(|(z, _)| (*z - hit.point.z).abs() < 0.02) {
                Some((_, sum)) => *sum += weight,
                None => heights.push((hit.point.z, weight)),
            }
        }
    }
    let floored: f64 = heights.iter().map(|(_, weight)| weight).sum();
    let (foot, _) = heights.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let share = floored / whole.max(1e-9);
    (share >= FLOORED).then_some((foot, share))
}

/// An area less the large holes in its floor.
fn with_floor(floors: &Index, loops: &[Loop], floored: f64, foot: f64) -> Vec<Area> {
    let whole = region::even_odd(loops);
    let size = outline::size(&whole);
    if size * (1.0 - floored) < STAIR {
        return whole;
    }
    let covered = upper_faces(floors, foot);
    let open = region::difference(loops, &loops_of(&covered));
    let holes: Vec<Area> = open.into_iter().filter(|hole| hole.size() > STAIR).collect();
    if holes.is_empty() { whole } else { region::difference(loops, &loops_of(&holes)) }
}

/// The floors near a height, in plan.
fn upper_faces(floors: &Index, foot: f64) -> Vec<Area> {
    let mut loops: Vec<Loop> = Vec::new();
    for element in floors.iter() {
        let mesh = element.mesh();
        for t in &mesh.triangles {
            let [Some(a), Some(b), Some(c)] = t.map(|i| mesh.positions.get(i as usize)) else { continue };
            let cross = (*b - *a).cross(*c - *a);
            if cross.z > 0.5 * cross.length() && cross.z > 1e-9 && (a.z - foot).abs() < OFF {
                loops.push([a, b, c].map(|p| p.truncate()).to_vec());
            }
        }
    }
    region::union(&loops)
}

fn is_wide(area: &Area) -> bool {
    counts(area) && crate::facet::width(area) > LEAST_WIDTH
}

/// Returns true if an area is air of a room that is known.
fn is_taken(area: &Area, foot: f64, taken: &Index) -> bool {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    let (mut within, mut whole) = (0.0, 0.0);
    for (p, weight) in samples(&loops) {
        whole += weight;
        if !taken.at_point(p.extend(foot + 0.5)).is_empty() {
            within += weight;
        }
    }
    within > 0.5 * whole
}

/// Points in an area, the middles of its triangles, each with its share of the area in m².
fn samples(loops: &[Loop]) -> Vec<(DVec2, f64)> {
    let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
    let mut found = Vec::new();
    for t in region::triangles(loops).as_chunks::<3>().0 {
        let [Some(a), Some(b), Some(c)] = t.map(|i| points.get(i as usize).copied()) else { continue };
        let size = signed_area(&[a, b, c, a]).abs();
        for (wa, wb, wc) in [(0.6, 0.2, 0.2), (0.2, 0.6, 0.2), (0.2, 0.2, 0.6)] {
            found.push((a * wa + b * wb + c * wc, size / 3.0));
        }
    }
    found
}
