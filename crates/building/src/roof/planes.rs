//! The planes of a roof over an outline in plan: which side each rises from, and its outline on the underside and on top.
//!
//! Heights are above the line where the underside meets the outline; beyond it, over the eaves, the planes go on downward.
//! Planes are cut upright where they meet, and at the eaves. At the break of a mansard roof, where both rise from one line
//! at two pitches, they are mitred.

use super::form::{Form, RoofShape};
use crate::measures::mm;
use crate::polygon::{direction, distance_to_segment, edges, inset, signed_area, without_collinear};
use contract::Fault;
use geometry::skeleton::{MOST_CORNERS, NoSkeleton, Node, Skeleton};
use glam::{DVec2, DVec3};

/// One plane of a roof, in mm.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plane {
    /// The side that it rises from, counted from 1 as the outline was given.
    pub side: usize,
    /// The way of that side.
    pub along: DVec2,
    /// Its pitch in degrees.
    pub pitch: f64,
    /// True if it lies above the break of a mansard roof.
    pub upper: bool,
    /// The outline of its underside, counter-clockwise seen from above.
    pub low: Vec<DVec3>,
    /// The outline of its top.
    pub high: Vec<DVec3>,
}

impl Plane {
    /// The height of its underside at a point in plan, also beyond its outline.
    pub fn height_at(&self, p: DVec2) -> f64 {
        let Some(origin) = self.low.first() else { return 0.0 };
        let n = self.normal();
        origin.z - (p - origin.truncate()).dot(n.truncate()) / n.z
    }

    /// The direction across it, upward, at length one.
    pub fn normal(&self) -> DVec3 {
        let inward = self.along.perp() * self.pitch.to_radians().sin();
        (-inward).extend(self.pitch.to_radians().cos())
    }
}

/// All planes of a roof.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Planes {
    /// The planes.
    pub all: Vec<Plane>,
    /// The sides that have gables, counted from 1.
    pub gables: Vec<usize>,
    /// Height of the underside at its highest, in mm.
    pub top: f64,
    /// Height of the break of a mansard roof, in mm.
    pub break_height: Option<f64>,
}

/// The outline as it is worked with: counter-clockwise, without corners on a straight line.
pub(crate) struct Plan {
    /// Its corners.
    pub outline: Vec<DVec2>,
    /// For each of its sides, one of the sides as they were given, from 0.
    given: Vec<usize>,
    /// For each side given, its own.
    own: Vec<usize>,
}

impl Plan {
    pub(crate) fn new(points: &[DVec2]) -> Result<Self, Fault> {
        if points.len() > MOST_CORNERS {
            return Err(Fault::invalid(
                "boundary_points",
                format!(
                    "`boundary_points` has {} corners; a roof is made over at most {MOST_CORNERS}.",
                    points.len()
                ),
            ));
        }
        let mut outline = without_collinear(points);
        if signed_area(&outline) < 0.0 {
            outline.reverse();
        }
        let own: Vec<usize> = edges(points)
            .map(|(a, b)| {
                let distance =
                    |(p, q): (DVec2, DVec2)| distance_to_segment(a, p, q).max(distance_to_segment(b, p, q));
                let all: Vec<f64> = edges(&outline).map(distance).collect();
                (0..all.len()).min_by(|i, j| at(&all, *i).total_cmp(&at(&all, *j))).unwrap_or_default()
            })
            .collect();
        let given =
            (0..outline.len()).map(|i| own.iter().position(|o| *o == i).unwrap_or_default()).collect();
        Ok(Self { outline, given, own })
    }

    /// The number of a side as it was given, from 1.
    pub(crate) fn number(&self, side: usize) -> usize {
        self.given.get(side).map_or(side, |g| *g) + 1
    }

    fn side(&self, i: usize) -> (DVec2, DVec2) {
        let n = self.outline.len().max(1);
        let at = |i: usize| self.outline.get(i % n).copied().unwrap_or_default();
        (at(i), at(i + 1))
    }

    fn along(&self, i: usize) -> DVec2 {
        let (a, b) = self.side(i);
        direction(a, b).unwrap_or(DVec2::X)
    }

    fn is_convex(&self, corner: usize) -> bool {
        let n = self.outline.len();
        self.along(corner + n - 1).perp_dot(self.along(corner)) > 1e-9
    }

    /// Returns true if a gable can stand on a side: a wall that goes on inward at neither end.
    fn takes_gable(&self, side: usize) -> bool {
        self.is_convex(side) && self.is_convex((side + 1) % self.outline.len().max(1))
    }

    /// The outline moved outward; a Fault where it would cross itself.
    pub(crate) fn outset(&self, by: f64) -> Result<Vec<DVec2>, Fault> {
        if by == 0.0 {
            return Ok(self.outline.clone());
        }
        inset(&self.outline, &vec![-by; self.outline.len()]).ok_or_else(|| {
            Fault::constraint(format!(
                "An overhang of {} mm makes the roof's edge cross itself; make it smaller.",
                mm(by)
            ))
            .with("field", "overhang")
        })
    }
}

fn at(values: &[f64], i: usize) -> f64 {
    values.get(i).copied().unwrap_or(f64::INFINITY)
}

fn tan(degrees: f64) -> f64 {
    degrees.to_radians().tan()
}

/// How much higher the top lies than the underside, for a thickness across the plane.
fn upright(thickness: f64, pitch: f64) -> f64 {
    thickness / pitch.to_radians().cos()
}

fn unroofed(why: NoSkeleton) -> Fault {
    Fault::constraint(format!(
        "No roof planes can be found over this outline: it {why}. Leave out corners that lie very close together, or give shape=flat."
    ))
    .with("field", "boundary_points")
}

/// The planes of a roof over a plan, whose edge stands out by `overhang`, with the thickness across them.
pub(crate) fn planes(plan: &Plan, form: &Form, overhang: f64, thickness: f64) -> Result<Planes, Fault> {
    let edge = plan.outset(overhang)?;
    match form.shape {
        RoofShape::Flat | RoofShape::Shed => shed(plan, form, &edge, thickness),
        RoofShape::Hip => sloped(plan, form, &edge, &[], overhang, thickness).map_err(unroofed),
        RoofShape::Mansard => mansard(plan, form, &edge, overhang, thickness),
        RoofShape::Gable => {
            let mut gables = gables(plan, form)?;
            loop {
                match sloped(plan, form, &edge, &gables, overhang, thickness) {
                    Ok(planes) => return Ok(planes),
                    // a gable that its neighbours never reach becomes a hip
                    Err(_) if !gables.is_empty() => {
                        gables.pop();
                    }
                    Err(why) => return Err(unroofed(why)),
                }
            }
        }
    }
}

/// One plane over everything, rising from a side.
fn shed(plan: &Plan, form: &Form, edge: &[DVec2], thickness: f64) -> Result<Planes, Fault> {
    let n = plan.outline.len();
    let side = match form.eaves.as_slice() {
        [] => (0..n)
            .max_by(|i, j| {
                // the longest of those that have everything on one side, the first of equals
                let rank = |i: usize| {
                    let (a, b) = plan.side(i);
                    let inward = plan.along(i).perp();
                    let all = plan.outline.iter().all(|p| (*p - a).dot(inward) > -1.0);
                    (all, (a.distance(b) * 10.0).round())
                };
                let ((a, l), (b, m)) = (rank(*i), rank(*j));
                a.cmp(&b).then(l.total_cmp(&m)).then(j.cmp(i))
            })
            .unwrap_or_default(),
        [one] => plan.own.get(*one).copied().unwrap_or_default(),
        _ => {
            return Err(Fault::invalid(
                "eaves",
                "A shed roof rises from one side; give `eaves` as one number, such as [1].",
            ));
        }
    };
    let along = plan.along(side);
    let inward = along.perp();
    let lowest = plan.outline.iter().map(|p| p.dot(inward)).fold(f64::INFINITY, f64::min);
    let low: Vec<DVec3> = edge.iter().map(|p| p.extend((p.dot(inward) - lowest) * tan(form.pitch))).collect();
    let up = DVec3::Z * upright(thickness, form.pitch);
    let high = low.iter().map(|p| *p + up).collect();
    let top = low.iter().map(|p| p.z).fold(0.0, f64::max);
    let plane = Plane { side: plan.number(side), along, pitch: form.pitch, upper: false, low, high };
    Ok(Planes { all: vec![plane], gables: Vec::new(), top, break_height: None })
}

/// The outline of a part in space, without points on a straight line.
fn lifted(points: impl Iterator<Item = Node>, height: impl Fn(f64) -> f64) -> Vec<DVec3> {
    let points: Vec<DVec3> = points.map(|n| n.at.extend(height(n.time))).collect();
    let n = points.len();
    let get = |i: usize| points.get(i % n).copied().unwrap_or_default();
    (0..n)
        .filter(|i| {
            let (a, p, b) = (get(i + n - 1), get(*i), get(i + 1));
            (p - a).cross(b - p).length() > 1e-3 * a.distance(b).max(1.0)
        })
        .map(get)
        .collect()
}

/// Planes of one pitch from all sides but those with gables.
fn sloped(
    plan: &Plan,
    form: &Form,
    edge: &[DVec2],
    gables: &[usize],
    overhang: f64,
    thickness: f64,
) -> Result<Planes, NoSkeleton> {
    let speeds: Vec<f64> = (0..edge.len()).map(|i| if gables.contains(&i) { 0.0 } else { 1.0 }).collect();
    let skeleton = Skeleton::new(edge, &speeds, None)?;
    let slope = tan(form.pitch);
    let up = DVec3::Z * upright(thickness, form.pitch);
    let all = skeleton
        .parts
        .iter()
        .map(|part| {
            let low = lifted(skeleton.outline(part), |time| (time - overhang) * slope);
            let high = low.iter().map(|p| *p + up).collect();
            let along = plan.along(part.side);
            Plane { side: plan.number(part.side), along, pitch: form.pitch, upper: false, low, high }
        })
        .filter(|plane| plane.low.len() > 2)
        .collect();
    Ok(Planes {
        all,
        gables: gables.iter().map(|side| plan.number(*side)).collect(),
        top: (skeleton.depth() - overhang) * slope,
        break_height: None,
    })
}

/// The sides that get gables.
fn gables(plan: &Plan, form: &Form) -> Result<Vec<usize>, Fault> {
    let n = plan.outline.len();
    if !form.eaves.is_empty() {
        let eaves: Vec<usize> = form.eaves.iter().filter_map(|i| plan.own.get(*i).copied()).collect();
        let gables: Vec<usize> = (0..n).filter(|i| !eaves.contains(i)).collect();
        let wrong: Vec<usize> =
            gables.iter().filter(|i| !plan.takes_gable(**i)).map(|i| plan.number(*i)).collect();
        if !wrong.is_empty() {
            let fit: Vec<usize> = (0..n).filter(|i| plan.takes_gable(*i)).map(|i| plan.number(i)).collect();
            return Err(Fault::invalid(
                "eaves",
                format!(
                    "The outline turns inward at the sides {wrong:?}, so that no gable can stand there; add them to `eaves`. Gables can stand on {fit:?}."
                ),
            )
            .with("needed", wrong)
            .with("gables_possible", fit));
        }
        return Ok(gables);
    }
    let mut fit: Vec<(f64, usize)> = if let Some(degrees) = form.ridge_direction {
        let ridge = DVec2::from_angle(degrees.to_radians());
        (0..n).map(|i| (plan.along(i).dot(ridge).abs(), i)).filter(|(cos, _)| *cos < 0.7072).collect()
    } else {
        // where hips would end in a triangle, a gable can stand instead
        let hips = Skeleton::new(&plan.outline, &[], None).map_err(unroofed)?;
        hips.ends()
            .into_iter()
            .map(|i| {
                let (a, b) = plan.side(i);
                (a.distance(b).round(), i)
            })
            .collect()
    };
    fit.retain(|(_, i)| plan.takes_gable(*i));
    fit.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut gables: Vec<usize> = Vec::new();
    for (_, i) in fit {
        let beside = |j: &usize| (*j + 1) % n == i || (i + 1) % n == *j;
        if !gables.iter().any(beside) {
            gables.push(i);
        }
    }
    Ok(gables)
}

/// Steep planes up to a break, flatter ones above it.
fn mansard(plan: &Plan, form: &Form, edge: &[DVec2], overhang: f64, thickness: f64) -> Result<Planes, Fault> {
    let depth = Skeleton::new(edge, &[], None).map_err(unroofed)?.depth() - overhang;
    let (steep, flat) = (tan(form.pitch), tan(form.upper_pitch));
    let largest = 0.9 * depth * steep;
    let height = form.break_height.unwrap_or_else(|| 2400.0_f64.min(0.5 * depth * steep));
    if height > largest {
        return Err(Fault::constraint(format!(
            "A break {} mm up at {}° lies beyond the middle of this outline; it can be up to {} mm high.",
            mm(height),
            form.pitch,
            mm(largest.floor())
        ))
        .with("field", "break_height")
        .with("largest", mm(largest.floor())));
    }
    let reach = overhang + height / steep;
    let lower = Skeleton::new(edge, &[], Some(reach)).map_err(unroofed)?;
    let (rise_low, rise_up) = (upright(thickness, form.pitch), upright(thickness, form.upper_pitch));
    // on top both meet nearer to the edge than below
    let above = reach - (rise_low - rise_up) / (steep - flat);
    let mitred = Skeleton::new(edge, &[], Some(above.max(0.0)))
        .ok()
        .filter(|mitred| above > 1.0 && alike(&lower, mitred));
    let mut all = Vec::new();
    for (i, part) in lower.parts.iter().enumerate() {
        let low: Vec<DVec3> = lower.outline(part).map(|n| n.at.extend((n.time - overhang) * steep)).collect();
        let top = mitred.as_ref().and_then(|m| m.parts.get(i).map(|part| (m, part)));
        let high = match top {
            Some((m, part)) => {
                m.outline(part).map(|n| n.at.extend((n.time - overhang) * steep + rise_low)).collect()
            }
            None => low.iter().map(|p| *p + DVec3::Z * rise_low).collect(),
        };
        let (side, along) = (plan.number(part.side), plan.along(part.side));
        all.push(Plane { side, along, pitch: form.pitch, upper: false, low, high });
    }
    let mut top = height;
    for (k, ring) in lower.rest.iter().enumerate() {
        let corners: Vec<DVec2> =
            ring.iter().filter_map(|(node, _)| lower.nodes.get(*node).map(|n| n.at)).collect();
        let outer = mitred.as_ref().and_then(|m| Some((m, m.rest.get(k)?)));
        let upper = Skeleton::new(&corners, &[], None).map_err(unroofed)?;
        top = top.max(height + upper.depth() * flat);
        for part in &upper.parts {
            let Some((_, side)) = ring.get(part.side) else { continue };
            let low: Vec<DVec3> = upper.outline(part).map(|n| n.at.extend(height + n.time * flat)).collect();
            let high = part
                .outline
                .iter()
                .zip(&low)
                .map(|(node, low)| {
                    let moved = outer
                        .and_then(|(m, ring)| ring.get(*node).and_then(|(node, _)| m.nodes.get(*node)))
                        .map(|n| n.at.extend((n.time - overhang) * steep + rise_low));
                    moved.unwrap_or(*low + DVec3::Z * rise_up)
                })
                .collect();
            let along = plan.along(*side);
            all.push(Plane {
                side: plan.number(*side),
                along,
                pitch: form.upper_pitch,
                upper: true,
                low,
                high,
            });
        }
    }
    Ok(Planes { all, gables: Vec::new(), top, break_height: Some(height) })
}

/// Returns true if two skeletons have the same parts and leave the same rings, so that point lies to point.
fn alike(a: &Skeleton, b: &Skeleton) -> bool {
    let parts =
        |s: &Skeleton| -> Vec<(usize, usize)> { s.parts.iter().map(|p| (p.side, p.outline.len())).collect() };
    let rings = |s: &Skeleton| -> Vec<Vec<usize>> {
        s.rest.iter().map(|ring| ring.iter().map(|(_, side)| *side).collect()).collect()
    };
    parts(a) == parts(b) && rings(a) == rings(b)
}
