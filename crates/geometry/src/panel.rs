//! Openings of one wall or slab cut together: one difference of outlines, drawn along the thickness again.
//!
//! A wall is drawn upward, its openings through its thickness; seen along the openings it is mostly a panel: an outline with the same
//! depth everywhere. Doors, openings at an edge, and those that touch or overlap are taken from that outline all at once. Corners that
//! stay keep their place to the last bit, neighbouring faces share theirs. What is no panel, or comes nearer to an edge than welding
//! without lying on it, is left to the general way (`prism`).

use crate::math::{Bounds, inverse, signed_area};
use crate::pierce::outline;
use crate::prism::{ASIDE, Prism, height};
use crate::region::{self, Area, GRID, Loop};
use crate::solid::{Face, Solid};
use foldhash::{HashMap, HashMapExt};
use glam::{DAffine3, DVec2, DVec3};

/// Corners nearer to a line than this, in metres, either lie on it or make a sliver.
const NEAR: f64 = 1e-5;

/// The most that corners of the two ends may be off each other, or openings lean, in metres.
const STRAIGHT: f64 = 5e-8;

/// The most edges, of the panel and its openings together: each is looked at with each.
const MOST: usize = 4000;

/// A body of one depth.
struct Panel {
    /// z is the thickness.
    frame: DAffine3,
    /// Of the face looking along z, counter-clockwise, holes clockwise.
    loops: Vec<Loop>,
    low: f64,
    high: f64,
    /// The two ends of each corner, by where it is in the plane.
    corners: HashMap<[i64; 2], Corner>,
}

#[derive(Clone, Copy)]
struct Corner {
    low: DVec3,
    high: DVec3,
}

fn cell(p: DVec2) -> [i64; 2] {
    p.to_array().map(|v| (v / GRID).round() as i64)
}

/// The outcome of cutting a panel.
pub struct Cut {
    /// The body that is left; `None` where nothing met it.
    pub left: Option<Solid>,
    /// Flags of the prisms that are done with.
    pub taken: Vec<bool>,
}

/// `solid` less those of the prisms that can be taken out of it together; `None` where none can.
pub fn cut_out(solid: &Solid, prisms: &[&Prism]) -> Option<Cut> {
    let first = prisms.iter().find(|p| p.area.is_some())?;
    let mut panel = Panel::from_solid(solid, first)?;
    let mut edges: usize = panel.loops.iter().map(Vec::len).sum();
    let mut outlines: Vec<Loop> = Vec::new();
    let mut take = |prism: &&Prism| {
        let found = panel.through(prism).filter(|l| edges + l.len() <= MOST);
        let taken = found.is_some();
        edges += found.as_ref().map_or(0, Vec::len);
        outlines.extend(found);
        taken
    };
    let taken: Vec<bool> = prisms.iter().map(&mut take).collect();
    if outlines.is_empty() || !panel.is_clear_of(&outlines) {
        return None;
    }
    let areas = region::less_all(&panel.loops, &outlines);
    let before: f64 = panel.loops.iter().map(|l| signed_area(l)).sum();
    if (before - areas.iter().map(Area::size).sum::<f64>()).abs() < 1e-9 {
        return Some(Cut { left: None, taken });
    }
    for p in outlines.iter().flatten() {
        let ends = panel.ends(*p);
        panel.corners.entry(cell(*p)).or_insert(ends);
    }
    Some(Cut { left: Some(panel.drawn(&areas)), taken })
}

impl Panel {
    /// The body as seen along a prism's direction, if it is of one depth.
    fn from_solid(solid: &Solid, along: &Prism) -> Option<Panel> {
        if !solid.closed || solid.faces.len() > MOST {
            return None;
        }
        let frame = DAffine3 { translation: solid.points().next()?, ..along.frame };
        let to = inverse(&frame)?;
        let across = Bounds::from_points(
            solid.points().map(|p| DVec3::new((p - frame.translation).dot(frame.z_axis), 0.0, 0.0)),
        );
        let (low, high) = (across.min.x, across.max.x);
        if high - low < 10.0 * NEAR {
            return None;
        }
        let mut panel = Panel { frame, loops: Vec::new(), low, high, corners: HashMap::new() };
        for face in &solid.faces {
            let local =
                |l: &Vec<DVec3>| -> Vec<DVec3> { l.iter().map(|p| to.transform_point3(*p)).collect() };
            let loops: Vec<Vec<DVec3>> = face.loops.iter().map(local).collect();
            let all = |z: f64| loops.iter().flatten().all(|p| (p.z - z).abs() < STRAIGHT);
            let up = face.normal()?.dot(frame.z_axis);
            if all(high) && up > 0.0 {
                panel.loops.extend(loops.iter().map(|l| l.iter().map(|p| p.truncate()).collect::<Loop>()));
            } else if !(all(low) && up < 0.0) {
                panel.side(face, &loops)?;
            }
        }
        Some(panel)
    }

    /// Takes note of a side's corners: it must be a rectangle from one end to the other.
    fn side(&mut self, face: &Face, loops: &[Vec<DVec3>]) -> Option<()> {
        let ([l], [given]) = (loops, face.loops.as_slice()) else { return None };
        let (&[a, b, c, d], &[pa, pb, pc, pd]) = (l.as_slice(), given.as_slice()) else { return None };
        // turned until it starts with an upward edge: from a at the low end to b at the high one
        let turns = [
            [(a, pa), (b, pb), (c, pc), (d, pd)],
            [(b, pb), (c, pc), (d, pd), (a, pa)],
            [(c, pc), (d, pd), (a, pa), (b, pb)],
            [(d, pd), (a, pa), (b, pb), (c, pc)],
        ];
        let is = |z: f64, p: DVec3| (p.z - z).abs() < STRAIGHT;
        let upright = |p: DVec3, q: DVec3| (p.x - q.x).hypot(p.y - q.y) < STRAIGHT;
        let [(a, pa), (b, pb), (c, pc), (d, pd)] = turns.into_iter().find(|[a, b, c, d]| {
            is(self.low, a.0) && is(self.high, b.0) && is(self.high, c.0) && is(self.low, d.0)
        })?;
        if !upright(a, b) || !upright(c, d) {
            return None;
        }
        self.corners.insert(cell(b.truncate()), Corner { low: pa, high: pb });
        self.corners.insert(cell(c.truncate()), Corner { low: pd, high: pc });
        Some(())
    }

    /// The outline of a prism in the panel's plane if it goes all the way through, counter-clockwise.
    fn through(&self, prism: &Prism) -> Option<Loop> {
        let cosine = prism.frame.z_axis.dot(self.frame.z_axis);
        let sine = prism.frame.z_axis.cross(self.frame.z_axis).length();
        let to = inverse(&self.frame)?;
        let ends = |p: &DVec2| -> Option<DVec2> {
            let at = |h: f64| to.transform_point3(prism.frame.transform_point3(p.extend(h)));
            let foot = at(0.0);
            let reach = (self.high - foot.z).abs().max((self.low - foot.z).abs());
            if sine * reach > STRAIGHT {
                return None;
            }
            let (below, above) = if cosine < 0.0 { (prism.high, prism.low) } else { (prism.low, prism.high) };
            let low = below.map_or(f64::NEG_INFINITY, |s| foot.z + cosine * height(s, *p));
            let high = above.map_or(f64::INFINITY, |s| foot.z + cosine * height(s, *p));
            (low <= self.low + ASIDE && high >= self.high - ASIDE).then_some(foot.truncate())
        };
        let mut l: Loop = outline(prism)?.iter().map(ends).collect::<Option<_>>()?;
        if cosine < 0.0 {
            l.reverse();
        }
        Some(l)
    }

    /// The two ends of a new corner.
    fn ends(&self, p: DVec2) -> Corner {
        let at = |z: f64| self.frame.transform_point3(p.extend(z));
        Corner { low: at(self.low), high: at(self.high) }
    }

    /// Returns true if no corner is so near to an edge that a sliver would come of it, unless it lies on it.
    fn is_clear_of(&self, outlines: &[Loop]) -> bool {
        let all: Vec<&Loop> = self.loops.iter().chain(outlines).collect();
        let boxes: Vec<Bounds> =
            all.iter().map(|l| Bounds::from_points(l.iter().map(|p| p.extend(0.0)))).collect();
        let within = |p: &DVec2, b: &Bounds| (0..2).all(|i| p[i] > b.min[i] - NEAR && p[i] < b.max[i] + NEAR);
        all.iter().enumerate().all(|(i, points)| {
            all.iter().zip(&boxes).enumerate().filter(|(j, _)| *j != i).all(|(_, (l, bounds))| {
                points.iter().filter(|p| within(p, bounds)).all(|p| {
                    l.iter().zip(l.iter().skip(1).chain(l.first())).all(|(a, b)| {
                        let off = distance(*p, *a, *b);
                        !(GRID..=NEAR).contains(&off)
                    })
                })
            })
        })
    }

    /// The areas from one end to the other.
    fn drawn(&self, areas: &[Area]) -> Solid {
        let corner = |p: &DVec2| -> Corner {
            let known = self.corners.get(&cell(*p)).copied();
            known.unwrap_or_else(|| self.ends(*p))
        };
        let mut faces =
            Vec::with_capacity(areas.iter().flat_map(Area::loops).map(Vec::len).sum::<usize>() + 2);
        for area in areas {
            let rings: Vec<Vec<Corner>> = area.loops().map(|l| l.iter().map(corner).collect()).collect();
            let low = |r: &Vec<Corner>| r.iter().rev().map(|c| c.low).collect();
            let high = |r: &Vec<Corner>| r.iter().map(|c| c.high).collect();
            faces.push(Face { loops: rings.iter().map(low).collect() });
            faces.push(Face { loops: rings.iter().map(high).collect() });
            for ring in &rings {
                for (a, b) in ring.iter().zip(ring.iter().skip(1).chain(ring.first())) {
                    faces.push(Face { loops: vec![vec![a.low, b.low, b.high, a.high]] });
                }
            }
        }
        Solid::new(faces, true)
    }
}

/// From a point to a segment.
fn distance(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let (u, v) = (b - a, p - a);
    let len = u.length_squared();
    let t = if len > 0.0 { (u.dot(v) / len).clamp(0.0, 1.0) } else { 0.0 };
    (v - t * u).length()
}
