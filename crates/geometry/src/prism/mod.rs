//! Cutting a body by a prism: how openings leave their walls and slabs, and how half spaces clip a gable.
//!
//! A prism is an area of a plane, drawn along the plane's normal between two limits that may slope or be absent. Every
//! face of the body is cut in two dimensions; the prism's own sides and ends are laid where they meet the inside of the body.
//! Faces that lie exactly in one of the prism's (a door's sill in the wall's foot, an opening as deep as its wall) are decided by
//! looking a few micrometres to the side where the body is.

mod faces;
mod section;
mod sides;

use crate::math::{inverse, is_rigid, orthonormal};
use crate::{
    math::Bounds,
    region::{self, Area, Loop},
    solid::{Face, Solid},
};
use faces::{cut_lying, cut_upright};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use section::Body;
use sides::{lay_end, lay_side};

/// The distance beside a face at which inside is told from outside, in metres.
pub(crate) const ASIDE: f64 = 5e-6;

/// Faces leaning less than this (a cosine) from a direction count as parallel to it.
const UPRIGHT: f64 = 1e-4;

/// A height over the plane, as `u·[0] + v·[1] + [2]`.
pub type Slope = [f64; 3];

/// An extruded area that is to be taken away.
#[derive(Debug, Clone)]
pub struct Prism {
    /// The area, by the even-odd rule, in the frame's xy plane; `None` for the whole plane.
    pub area: Option<Vec<Loop>>,
    /// The place of it: orthonormal, z is the direction in which it is drawn.
    pub frame: DAffine3,
    /// Its lower end; `None` for endless.
    pub low: Option<Slope>,
    /// Its upper end; `None` for endless.
    pub high: Option<Slope>,
}

impl Prism {
    /// The prism of an area in the xy plane of `base` drawn along `direction` (in base's coordinates) by `depth`; the
    /// direction may lean. `None` where it has no volume or the frame scales.
    pub fn extrusion(area: &Area, base: &DAffine3, direction: DVec3, depth: f64) -> Option<Prism> {
        let d = unit(base.transform_vector3(direction))?;
        let normal = unit(base.x_axis.cross(base.y_axis))?;
        let lean = d.dot(normal);
        if lean.abs() < 1e-6 || !is_rigid(base) {
            return None;
        }
        // the prism is drawn along d: its cross-section is the area seen along d, its ends are the leaning caps
        let frame = orthonormal(base.translation, d, base.x_axis);
        let (fx, fy) = (frame.x_axis, frame.y_axis);
        let flat = |p: &DVec2| {
            let v = base.transform_vector3(p.extend(0.0));
            DVec2::new(v.dot(fx), v.dot(fy))
        };
        let low = [-fx.dot(normal) / lean, -fy.dot(normal) / lean, 0.0];
        let high = [low[0], low[1], depth];
        let (low, high) = if depth < 0.0 { (high, low) } else { (low, high) };
        Some(Prism {
            area: Some(area.loops().map(|l| l.iter().map(flat).collect()).collect()),
            frame,
            low: Some(low),
            high: Some(high),
        })
    }

    /// The half space below (or with `above` beyond) a plane given by a point and a normal.
    pub fn half_space(point: DVec3, normal: DVec3, above: bool) -> Prism {
        let frame = orthonormal(point, normal, DVec3::X);
        let (low, high) = if above { (Some([0.0; 3]), None) } else { (None, Some([0.0; 3])) };
        Prism { area: None, frame, low, high }
    }

    /// A closed body as prisms that fill it without overlap, if it can be seen from some side so that every line of sight goes in
    /// once and out once: boxes, wedges, anything convex. Drawn along the direction that needs the fewest, and of those the
    /// shortest, which is the wall's thickness for an opening.
    pub fn of_solid(solid: &Solid) -> Option<Vec<Prism>> {
        let merged;
        let solid = if solid.faces.iter().any(|f| f.loops.iter().any(|l| l.len() < 4)) {
            merged = solid.merged();
            &merged
        } else {
            solid
        };
        if !solid.closed || solid.faces.len() < 4 || solid.faces.len() > 300 {
            return None;
        }
        let normals: Vec<DVec3> = solid.faces.iter().filter_map(Face::normal).collect();
        if normals.len() != solid.faces.len() {
            return None;
        }
        let mut candidates: Vec<(usize, f64, DVec3)> = Vec::new();
        for &n in normals.iter().take(64) {
            let upper = normals.iter().filter(|m| n.dot(**m) > UPRIGHT).count();
            let lower = normals.iter().filter(|m| n.dot(**m) < -UPRIGHT).count();
            let along = Bounds::from_points(solid.points().map(|p| DVec3::new(p.dot(n), 0.0, 0.0)));
            candidates.push((upper * lower, along.size().x, n));
        }
        candidates.sort_by_key(|c| (c.0, (c.1 * 1e4) as i64));
        candidates.iter().take(4).filter(|c| c.0 <= 64).find_map(|c| Prism::along(solid, c.2))
    }

    /// The body as prisms along one direction, or `None` where a line of sight meets it twice.
    fn along(solid: &Solid, direction: DVec3) -> Option<Vec<Prism>> {
        let origin = solid.points().next()?;
        let frame = orthonormal(origin, direction, DVec3::X);
        let local = solid.moved(&inverse(&frame)?);
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for face in &local.faces {
            let n = face.normal()?;
            if n.z.abs() <= UPRIGHT {
                continue;
            }
            let p = *face.loops.first()?.first()?;
            let slope = [-n.x / n.z, -n.y / n.z, n.dot(p) / n.z];
            let loops: Vec<Loop> =
                face.loops.iter().map(|l| l.iter().map(|p| p.truncate()).collect()).collect();
            if n.z > 0.0 { upper.push((slope, loops)) } else { lower.push((slope, loops)) }
        }
        let covered = |faces: &[(Slope, Vec<Loop>)]| {
            let each: f64 = faces
                .iter()
                .map(|(_, ls)| ls.iter().map(|l| crate::math::signed_area(l)).sum::<f64>().abs())
                .sum();
            let all: Vec<Loop> = faces.iter().flat_map(|(_, ls)| ls.iter().cloned()).collect();
            let once: f64 = region::union(&all).iter().map(Area::size).sum();
            ((each - once).abs() < 1e-6 + 1e-4 * each).then_some(each)
        };
        let (above, below) = (covered(&upper)?, covered(&lower)?);
        if (above - below).abs() > 1e-6 + 1e-4 * above {
            return None;
        }
        let mut prisms = Vec::new();
        for (high, top) in &upper {
            for (low, bottom) in &lower {
                let shared = region::intersection(top, bottom);
                if !shared.is_empty() {
                    let area = shared.iter().flat_map(|a| a.loops().cloned()).collect();
                    prisms.push(Prism { area: Some(area), frame, low: Some(*low), high: Some(*high) });
                }
            }
        }
        (!prisms.is_empty()).then_some(prisms)
    }

    /// Another prism with the same direction and ends, moved by a rigid map.
    pub fn moved(&self, by: &DAffine3) -> Option<Prism> {
        if !is_rigid(by) {
            return None;
        }
        let frame = by * self.frame;
        if by.matrix3.determinant() > 0.0 {
            return Some(Prism { frame, ..self.clone() });
        }
        // a mirror: keep the frame right-handed by turning y over
        let frame = DAffine3::from_cols(frame.x_axis, -frame.y_axis, frame.z_axis, frame.translation);
        let turn = |s: Slope| [s[0], -s[1], s[2]];
        Some(Prism {
            area: self
                .area
                .as_ref()
                .map(|ls| ls.iter().map(|l| l.iter().map(|p| p.with_y(-p.y)).collect()).collect()),
            frame,
            low: self.low.map(turn),
            high: self.high.map(turn),
        })
    }
}

/// Why a cut was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CutError {
    /// The body's faces do not close, so inside and outside cannot be told.
    #[error("the body is not closed")]
    Open,
    /// The prism has no area or no direction.
    #[error("the cutting body is degenerate")]
    Degenerate,
    /// Too many faces for the number of edges to cut by.
    #[error("the two bodies have too many faces")]
    Large,
}

/// `solid` less `prism`; the same solid again where they do not meet.
pub fn subtract(solid: &Solid, prism: &Prism) -> Result<Solid, CutError> {
    Ok(cut_out(solid, prism)?.unwrap_or_else(|| solid.clone()))
}

/// `solid` less `prism`; `None` where they do not meet and the solid stays as it is.
pub fn cut_out(solid: &Solid, prism: &Prism) -> Result<Option<Solid>, CutError> {
    if !solid.closed {
        return Err(CutError::Open);
    }
    let to = inverse(&prism.frame).ok_or(CutError::Degenerate)?;
    let body = Body::new(solid.moved(&to));
    let reach = body.reach;
    if reach.is_empty() {
        return Ok(None);
    }
    let whole = rectangle(&reach, 1.0 + reach.size().x.max(reach.size().y));
    let areas = match &prism.area {
        Some(loops) => region::even_odd(loops),
        None => vec![Area::new(whole.clone(), Vec::new())],
    };
    let loops: Vec<Loop> = areas.iter().flat_map(|a| a.loops().cloned()).collect();
    let extent = Bounds::from_points(loops.iter().flatten().map(|p| p.extend(0.0)));
    if extent.is_empty() {
        return Err(CutError::Degenerate);
    }
    let limits =
        Limits { low: prism.low, high: prism.high, below: reach.min.z - 1.0, above: reach.max.z + 1.0 };
    let edges: usize = loops.iter().map(Vec::len).sum();
    if edges.saturating_mul(body.solid.faces.len()) > 100_000_000 {
        return Err(CutError::Large);
    }
    if !meets(&extent, &reach) || limits.misses(&body.solid) {
        return Ok(None);
    }

    let mut faces = Vec::with_capacity(body.solid.faces.len() + edges + 2);
    for face in &body.solid.faces {
        let Some(normal) = face.normal() else { continue };
        if normal.z.abs() < UPRIGHT {
            cut_upright(face, normal, &loops, &extent, &limits, &mut faces);
        } else {
            let area = (loops.as_slice(), prism.area.is_none());
            cut_lying(face, normal, area, &extent, &limits, &mut faces);
        }
    }
    for (slope, up) in [(prism.low, true), (prism.high, false)] {
        if let Some(slope) = slope {
            lay_end(&body, slope, up, &loops, &mut faces)?;
        }
    }
    if prism.area.is_some() {
        for l in &loops {
            for (i, &a) in l.iter().enumerate() {
                let b = l.get((i + 1) % l.len()).copied().unwrap_or(a);
                lay_side(&body, a, b, &limits, &mut faces)?;
            }
        }
    }
    Ok(Some(Solid::new(faces, true).moved(&prism.frame)))
}

/// The two ends, and values beyond the body that stand for endless.
struct Limits {
    low: Option<Slope>,
    high: Option<Slope>,
    below: f64,
    above: f64,
}

/// A slope's value at a point of the plane.
pub(crate) fn height(slope: Slope, p: DVec2) -> f64 {
    slope[0] * p.x + slope[1] * p.y + slope[2]
}

impl Limits {
    /// The part of an upright plane between the ends, from `s0` to `s1` along a line of the prism's plane: as (s, height).
    fn strip(&self, s0: f64, s1: f64, at: &dyn Fn(f64) -> DVec2) -> Option<Loop> {
        let low = |p: DVec2| self.low.map_or(self.below, |s| height(s, p));
        let high = |p: DVec2| self.high.map_or(self.above, |s| height(s, p));
        let room = |s: f64| high(at(s)) - low(at(s));
        // the ends may slope towards each other and cross: nothing is left beyond
        let (d0, d1) = (room(s0), room(s1));
        if d0 <= 0.0 && d1 <= 0.0 {
            return None;
        }
        let meet = s0 + (s1 - s0) * d0 / (d0 - d1);
        let (s0, s1) = (if d0 < 0.0 { meet } else { s0 }, if d1 < 0.0 { meet } else { s1 });
        let (a, b) = (at(s0), at(s1));
        Some(vec![
            DVec2::new(s0, low(a)),
            DVec2::new(s1, low(b)),
            DVec2::new(s1, high(b)),
            DVec2::new(s0, high(a)),
        ])
    }

    /// Returns true if the body lies wholly below the lower or above the upper end.
    fn misses(&self, solid: &Solid) -> bool {
        let beyond = |test: &dyn Fn(DVec3) -> bool| solid.points().all(test);
        self.low.is_some_and(|s| beyond(&|p| p.z <= height(s, p.truncate()) + ASIDE))
            || self.high.is_some_and(|s| beyond(&|p| p.z >= height(s, p.truncate()) - ASIDE))
    }
}

fn rectangle(b: &Bounds, margin: f64) -> Loop {
    region::rectangle(b.min.truncate() - margin, b.max.truncate() + margin)
}

fn meets(a: &Bounds, b: &Bounds) -> bool {
    (0..2).all(|i| a.min[i] <= b.max[i] && b.min[i] <= a.max[i])
}
