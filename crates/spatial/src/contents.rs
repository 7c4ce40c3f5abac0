//! The contents of a room, and how wide the floor is that they leave.

use crate::{
    Layout, Room,
    facet::{extent, holds, loops_of},
};
use geometry::{
    Scene,
    math::signed_area,
    region::{self, Area, Loop},
};
use glam::DVec2;
use ifc::{Id, relations::Links};

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

/// Finds what stands in a room: by its place, or because the file says so. Parts of a stair stand for the stair where it has no shape.
pub fn contents(scene: &Scene, layout: &Layout, links: &Links<'_>, room: usize) -> Vec<Content> {
    let model = scene.model();
    let Some(own) = layout.rooms.rooms.get(room) else { return Vec::new() };
    let mut found: Vec<Content> = Vec::new();
    for id in CLASSES.iter().flat_map(|class| model.of_class(class)) {
        if found.iter().any(|content| content.element == id) {
            continue;
        }
        let entry = scene.entry(id).filter(|entry| entry.is_drawn());
        let says_so = own.space().is_some() && links.direct_container(id) == own.space();
        let is_in = entry.is_some_and(|entry| {
            let b = entry.bounds;
            let low = b.centre().with_z((b.min.z + 0.2).min(b.centre().z));
            own.spans(low) && layout.rooms.at(low).contains(&room)
        });
        if is_in || says_so {
            found.push(Content { element: id, footprint: footprint(scene, own, id) });
        }
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

/// The width of a floor: the diameter in metres of the largest circle that lies on it without touching what stands there.
pub fn usable_width(room: &Room, standing: &[Content]) -> f64 {
    let taken: Vec<Loop> = standing.iter().map(|c| c.footprint.clone()).filter(|l| l.len() > 2).collect();
    let floor = loops_of(&room.floor);
    let free = if taken.is_empty() { room.floor.clone() } else { region::less_all(&floor, &taken) };
    2.0 * free.iter().map(largest_circle).fold(0.0, f64::max)
}

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
    let mut waiting: Vec<(f64, DVec2, f64)> = Vec::new();
    let diagonal = std::f64::consts::SQRT_2;
    let cell = |middle: DVec2, half: f64| (radius(middle) + half * diagonal, middle, half);
    let (columns, rows) =
        (((high.x - low.x) / size).ceil() as usize, ((high.y - low.y) / size).ceil() as usize);
    for (column, row) in (0..columns.min(64)).flat_map(|c| (0..rows.min(64)).map(move |r| (c, r))) {
        let at = low + DVec2::new(column as f64, row as f64) * size + half;
        waiting.push(cell(at, half));
    }
    let mut best = 0.0_f64;
    let mut asked = waiting.len();
    while let Some(next) = (0..waiting.len()).max_by(|a, b| waiting[*a].0.total_cmp(&waiting[*b].0)) {
        let (most, middle, half) = waiting.swap_remove(next);
        best = best.max(most - half * diagonal);
        if most - best <= PRECISION || asked > MOST_CELLS {
            break;
        }
        let quarter = half / 2.0;
        for by in [DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0), DVec2::new(-1.0, 1.0), DVec2::ONE] {
            waiting.push(cell(middle + by * quarter, quarter));
            asked += 1;
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
