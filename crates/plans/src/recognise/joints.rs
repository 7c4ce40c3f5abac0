//! Ends of walls: drawn to where axes meet; and walls that are none after all.

use super::parts::{Wall, wall_grid};
use super::roles::Role;
use crate::effort::Effort;
use crate::plan::Plan;
use glam::DVec2;

/// Distance in mm that an end may be short of the wall that it meets.
const SLACK: f64 = 80.0;

/// Draws the ends of walls to where their axes meet those of others.
pub(crate) fn meet(walls: &mut [Wall], effort: &Effort<'_>) {
    let grid = wall_grid(walls, 3000.0, effort);
    let mut moved: Vec<(usize, bool, DVec2, f64)> = Vec::new();
    for (number, wall) in walls.iter().enumerate() {
        for is_start in [true, false] {
            let end = if is_start { wall.start } else { wall.end };
            let mut best: Option<(f64, DVec2, f64)> = None;
            let near = grid.around(end, 1500.0);
            if !effort.goes_on(10 + near.len() * 2) {
                return;
            }
            for other in near {
                let Some(own) = walls.get(other).filter(|_| other != number) else { continue };
                if let Some((far, at, beyond)) = meeting(wall, is_start, own)
                    && best.is_none_or(|(least, ..)| far < least)
                {
                    best = Some((far, at, beyond));
                }
            }
            if let Some((_, at, beyond)) = best {
                moved.push((number, is_start, at, beyond));
            }
        }
    }
    for wall in walls.iter_mut() {
        (wall.beyond, wall.is_met) = ([0.0; 2], [false; 2]);
    }
    for (number, is_start, at, beyond) in moved {
        let Some(wall) = walls.get_mut(number) else { continue };
        let n = usize::from(!is_start);
        if let (Some(own), Some(met)) = (wall.beyond.get_mut(n), wall.is_met.get_mut(n)) {
            *own = beyond;
            *met = true;
        }
        // an end is never drawn beyond the other one
        let is_sound = wall.arc.is_some() || {
            let (from, to) = wall.extent();
            let along = wall.way.dot(at);
            if is_start { along < to - 1.0 } else { along > from + 1.0 }
        };
        if is_sound {
            if is_start {
                wall.start = at;
            } else {
                wall.end = at;
            }
        }
    }
}

/// Where the end of a wall meets another one: how far that is, the place, and how far the body goes beyond it.
fn meeting(wall: &Wall, is_start: bool, other: &Wall) -> Option<(f64, DVec2, f64)> {
    let end = if is_start { wall.start } else { wall.end };
    if wall.arc.is_some() {
        // the end of a curved wall goes to the axis that it is nearest to
        let off = other.way.perp_dot(end) - f64::midpoint(other.low, other.high);
        let along = other.way.dot(end);
        let (from, to) = other.extent();
        let is_near = other.arc.is_none()
            && off.abs() < other.thickness() / 2.0 + wall.thickness() / 2.0 + SLACK
            && along > from - SLACK - wall.thickness()
            && along < to + SLACK + wall.thickness();
        if !is_near {
            return None;
        }
        let (centre, radius, _) = wall.arc?;
        let at = on_circle(other, centre, radius, end)?;
        return Some((at.distance(end), at, 0.0));
    }
    if let Some((centre, radius, _)) = other.arc {
        let at = on_circle(wall, centre, radius, end)?;
        let is_near =
            at.distance(end) < other.thickness() + SLACK && other.covers(at, SLACK + wall.thickness());
        return is_near.then_some((at.distance(end), at, 0.0));
    }
    let sine = wall.way.perp_dot(other.way);
    if sine.abs() < 0.15 {
        return None;
    }
    let cosine = wall.way.dot(other.way).abs();
    let axis = |own: &Wall| own.way.perp() * f64::midpoint(own.low, own.high);
    let along = (axis(other) - axis(wall)).perp_dot(other.way) / sine;
    let at = axis(wall) + wall.way * along;
    let (own_half, other_half) = (wall.thickness() / 2.0, other.thickness() / 2.0);
    let far = (along - wall.way.dot(end)).abs();
    let reach = other_half / sine.abs() + own_half * cosine / sine.abs() + SLACK;
    let there = other.way.dot(at);
    let (from, to) = other.extent();
    let slack = own_half / sine.abs() + other_half * cosine / sine.abs() + SLACK;
    if far > reach || there < from - slack || there > to + slack {
        return None;
    }
    // at a corner the bodies fill it; a wall that goes on does that alone
    let is_corner = (there - from).abs() < slack || (there - to).abs() < slack;
    Some((far, at, if is_corner { other_half / sine.abs() } else { 0.0 }))
}

/// The place nearest to another one where the axis of a straight wall meets a circle.
fn on_circle(wall: &Wall, centre: DVec2, radius: f64, near: DVec2) -> Option<DVec2> {
    let off = f64::midpoint(wall.low, wall.high) - wall.way.perp_dot(centre);
    let half = (radius * radius - off * off).max(0.0).sqrt();
    if off.abs() > radius {
        return None;
    }
    let foot = wall.way.dot(centre);
    [foot - half, foot + half]
        .map(|along| wall.point(along))
        .into_iter()
        .min_by(|a, b| a.distance(near).total_cmp(&b.distance(near)))
}

/// Says how sure each wall is, and leaves out those of layers without a name that stand alone or are too thick.
pub(crate) fn select(walls: &mut Vec<Wall>, effort: &Effort<'_>, plan: &mut Plan) {
    // corners first, then walls that end at them
    meet(walls, effort);
    without_pieces(walls, effort);
    let before = walls.len();
    for _ in 0..3 {
        let known = thicknesses(walls);
        let count = walls.len();
        walls.retain(|wall| wall.role != Role::Unknown || is_likely(wall, &known));
        if walls.len() == count {
            break;
        }
        meet(walls, effort);
    }
    let rings = without_frames(walls, effort);
    if rings > 0 {
        plan.assumptions.push(format!(
            "{rings} thin walls that stand in small rings of their own are taken for furniture"
        ));
    }
    let gone = before - walls.len() - rings;
    if gone > 0 {
        plan.assumptions.push(format!(
            "{gone} pairs of lines on layers whose names say nothing are taken for furniture or the like, since they meet no walls"
        ));
    }
    for wall in walls.iter_mut() {
        let met = wall.is_met.iter().filter(|is_met| **is_met).count();
        let base = if wall.role == Role::Wall { 0.88 } else { 0.72 };
        let own = base + met as f64 * 0.05 + if wall.gaps.is_empty() { 0.0 } else { 0.02 };
        wall.confidence = if wall.is_single { own - 0.3 } else { own };
    }
}

/// Leaves out pieces at corners that lie between the faces of walls that meet there.
fn without_pieces(walls: &mut Vec<Wall>, effort: &Effort<'_>) {
    let grid = wall_grid(walls, 3000.0, effort);
    let short: Vec<usize> = (0..walls.len())
        .filter(|n| {
            walls
                .get(*n)
                .is_some_and(|wall| wall.length() < 1200.0 && wall.gaps.is_empty() && wall.arc.is_none())
        })
        .collect();
    let is_piece = |n: usize| {
        let Some(wall) = walls.get(n) else { return false };
        let near: Vec<&Wall> = grid
            .around(wall.start.lerp(wall.end, 0.5), 1500.0)
            .into_iter()
            .filter_map(|number| walls.get(number).filter(|_| effort.goes_on(2)))
            .filter(|own| {
                own.thickness() > wall.thickness() + 1.0
                    && own.covers(wall.start.lerp(wall.end, 0.5), 5.0 + own.thickness())
            })
            .collect();
        (1..8).all(|share| {
            let at = wall.start.lerp(wall.end, f64::from(share) / 8.0);
            near.iter().any(|other| other.covers(at, 5.0))
        })
    };
    let pieces: Vec<usize> = short.into_iter().filter(|n| is_piece(*n)).collect();
    if pieces.is_empty() {
        return;
    }
    let mut number = 0;
    walls.retain(|_| {
        number += 1;
        pieces.binary_search(&(number - 1)).is_err()
    });
    meet(walls, effort);
}

/// Leaves out walls of layers without a name that hang together without an opening, where others that do have some: frames of sheets.
/// And small thin rings of any layer: tables, rugs. Answers how many walls of layers of walls are left out.
fn without_frames(walls: &mut Vec<Wall>, effort: &Effort<'_>) -> usize {
    let mut of: Vec<usize> = (0..walls.len()).collect();
    // paths are made half as long by each walk along them
    fn root(of: &mut [usize], mut n: usize) -> usize {
        while let Some(next) = of.get(n).copied().filter(|next| *next != n) {
            let beyond = of.get(next).copied().unwrap_or(next);
            if let Some(own) = of.get_mut(n) {
                *own = beyond;
            }
            n = beyond;
        }
        n
    }
    let grid = wall_grid(walls, 3000.0, effort);
    for (number, wall) in walls.iter().enumerate() {
        for end in [wall.start, wall.end] {
            for other in grid.around(end, 1000.0) {
                if !effort.goes_on(1) {
                    return 0;
                }
                if other != number
                    && walls.get(other).is_some_and(|own| own.covers(end, SLACK + wall.thickness() / 2.0))
                {
                    let (a, b) = (root(&mut of, number), root(&mut of, other));
                    if let Some(own) = of.get_mut(a.max(b)) {
                        *own = a.min(b);
                    }
                }
            }
        }
    }
    let roots: Vec<usize> = (0..walls.len()).map(|n| root(&mut of, n)).collect();
    let mut clusters: Vec<Cluster> = walls.iter().map(|_| Cluster::default()).collect();
    for (wall, root) in walls.iter().zip(&roots) {
        if let Some(own) = clusters.get_mut(*root) {
            own.add(wall);
        }
    }
    if !clusters.iter().any(|own| own.has_opening) {
        return 0;
    }
    let mut roots = roots.into_iter();
    let mut rings = 0;
    walls.retain(|wall| {
        let own = roots.next().and_then(|root| clusters.get(root));
        let is_ring = wall.role != Role::Unknown && own.is_some_and(Cluster::is_furniture);
        rings += usize::from(is_ring);
        let has_opening = own.is_none_or(|own| own.has_opening);
        !is_ring && (wall.role != Role::Unknown || has_opening || wall.arc.is_some())
    });
    rings
}

/// Walls that hang together.
#[derive(Default)]
struct Cluster {
    count: usize,
    has_opening: bool,
    thickest: f64,
    bounds: Option<[DVec2; 2]>,
}

impl Cluster {
    fn add(&mut self, wall: &Wall) {
        self.count += 1;
        self.has_opening |= wall.gaps.iter().any(|gap| gap.confidence > 0.65);
        self.thickest = self.thickest.max(wall.thickness());
        let [a, b] = wall.body_bounds();
        self.bounds = Some(self.bounds.map_or([a, b], |[least, most]| [least.min(a), most.max(b)]));
    }

    /// True for a table or a rug: a ring no larger than that, with sides as thin as no wall that stands alone.
    fn is_furniture(&self) -> bool {
        let size = self.bounds.map_or(0.0, |[least, most]| (most - least).max_element());
        !self.has_opening && self.count >= 4 && self.thickest < 80.0 && size < 2500.0
    }
}

/// Thicknesses of walls that are surely such, with their length.
fn thicknesses(walls: &[Wall]) -> Vec<(f64, f64)> {
    let mut known: Vec<(f64, f64)> = Vec::new();
    for wall in walls
        .iter()
        .filter(|wall| wall.is_met == [true, true] || wall.gaps.iter().any(|gap| !gap.swings.is_empty()))
    {
        match known.iter_mut().find(|own| (own.0 - wall.thickness()).abs() < 8.0) {
            Some(own) => own.1 += wall.length(),
            None => known.push((wall.thickness(), wall.length())),
        }
    }
    known
}

fn is_likely(wall: &Wall, known: &[(f64, f64)]) -> bool {
    let met = wall.is_met.iter().filter(|is_met| **is_met).count();
    let has_door = wall.gaps.iter().any(|gap| !gap.swings.is_empty());
    let all: f64 = known.iter().map(|own| own.1).sum();
    let own: f64 = known.iter().filter(|own| (own.0 - wall.thickness()).abs() < 8.0).map(|own| own.1).sum();
    let is_known = own > (all * 0.05).max(2000.0);
    if has_door {
        return true;
    }
    match met {
        0 => wall.length() > 2500.0 && is_known || (known.is_empty() && wall.length() > 2000.0),
        1 => is_known || (wall.thickness() < 420.0 && wall.length() > wall.thickness() * 3.0),
        _ => is_known || wall.thickness() < 520.0,
    }
}
