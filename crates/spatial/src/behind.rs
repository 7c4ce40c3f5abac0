//! The far side of a piece of a room's face that looks at no other room.
//!
//! Asked by lines outward from points of it. What is under the lowest floors, or below the terrain, is the ground. A face that the end
//! of a wall or slab meets, or behind which the building goes on without a room, is told apart. All else is outdoors.

use crate::{
    asked::Asked,
    elements::{Crossed, Elements},
    facet::Facet,
};
use geometry::region::Area;
use glam::DVec3;

/// The far side of a line that leaves a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Far {
    /// The open air.
    Outdoors,
    /// Earth.
    Ground,
    /// The end of an element that goes on: a slab that runs into a wall.
    End,
    /// Part of the building that has no space.
    Unknown,
}

/// Elements this far apart, in metres, are one construction with a cavity.
const CAVITY: f64 = 0.3;
/// The thickest construction, in metres; what is thicker is the end of something.
pub const THICKEST: f64 = 1.2;
/// The distance before a face at which elements may begin, in metres: a space may stop short of them.
const REACH: f64 = 0.5;
/// Lines begin this far behind the face, in metres, so that a face in the plane of an element's is met.
const BACK: f64 = 0.01;

/// Returns what the lines of a piece say together: the far side that most of its area has, and the elements on the
/// heaviest line that agrees; `terrain` is its height in metres.
pub fn behind(
    elements: &Elements,
    facet: &Facet,
    area: &Area,
    terrain: f64,
    asked: &mut Asked,
) -> (Far, Vec<Crossed>) {
    let mut votes: Vec<(Far, f64, Vec<Crossed>)> = Vec::new();
    for (point, weight) in Facet::samples(area) {
        let (far, crossed) = at(elements, facet.above(point, -BACK), facet.normal(), terrain, asked);
        match votes.iter_mut().find(|(f, ..)| *f == far) {
            Some((_, sum, known)) => {
                *sum += weight;
                if known.is_empty() {
                    *known = crossed;
                }
            }
            None => votes.push((far, weight, crossed)),
        }
    }
    let best = votes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or((Far::Outdoors, Vec::new()), |(far, _, crossed)| (far, crossed))
}

/// The elements from a face outward that are one construction, and where it ends.
pub fn run(
    elements: &Elements,
    from: DVec3,
    normal: DVec3,
    reach: f64,
    asked: &mut Asked,
) -> (Vec<Crossed>, f64) {
    let mut end = 0.0_f64;
    let mut run: Vec<Crossed> = Vec::new();
    for c in elements.crossed(from, normal, reach, asked) {
        let allowed = if run.is_empty() { REACH } else { CAVITY };
        if c.from - end > allowed {
            break;
        }
        end = end.max(c.to);
        run.push(c);
    }
    (run, end)
}

fn at(
    elements: &Elements,
    from: DVec3,
    normal: DVec3,
    terrain: f64,
    asked: &mut Asked,
) -> (Far, Vec<Crossed>) {
    let (run, end) = run(elements, from, normal, 30.0, asked);
    let beyond = from + normal * (end + 0.03);
    let is_floor = normal.z < -0.5;
    // a floor far above the terrain whose line reaches it ran down a wall
    if is_floor && beyond.z <= terrain + 0.3 && from.z <= terrain + THICKEST {
        return (Far::Ground, run);
    }
    if !is_floor && normal.z < 0.5 && from.z < terrain - 0.05 {
        return (Far::Ground, run);
    }
    if end > THICKEST {
        return (Far::End, run);
    }
    if elements.encloses(beyond, asked) {
        return (Far::Unknown, run);
    }
    (Far::Outdoors, run)
}
