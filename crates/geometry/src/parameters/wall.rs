//! Walls: axis, height, thickness, levels, and on which side of the axis the layers lie.

use super::{Answer, By, Sweep};
use crate::math::orthonormal;
use crate::{item::Shaper, lines::Polyline3, read::ShapeError, section};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use ifc::{Id, Instance};
use serde::{Deserialize, Serialize};

/// The line that a wall stands along.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Straight.
    Line {
        /// Its beginning.
        start: DVec3,
        /// Its end.
        end: DVec3,
    },
    /// A part of a circle.
    Arc {
        /// Its beginning.
        start: DVec3,
        /// A point midway.
        middle: DVec3,
        /// Its end.
        end: DVec3,
        /// The circle's middle.
        centre: DVec3,
        /// In metres.
        radius: f64,
    },
    /// Several pieces, as points.
    Chain(Vec<DVec3>),
}

impl Axis {
    /// Its length in metres.
    pub fn length(&self) -> f64 {
        match self {
            Axis::Line { start, end } => (*end - *start).length(),
            Axis::Arc { start, middle, end, radius, .. } => {
                let half =
                    |a: DVec3, b: DVec3| ((b - a).length() / (2.0 * radius)).clamp(-1.0, 1.0).asin() * 2.0;
                (half(*start, *middle) + half(*middle, *end)) * radius
            }
            Axis::Chain(points) => points.windows(2).map(|w| (w[1] - w[0]).length()).sum(),
        }
    }

    /// The direction of a straight axis.
    pub fn direction(&self) -> Option<DVec3> {
        match self {
            Axis::Line { start, end } => unit(*end - *start),
            _ => None,
        }
    }

    fn of_line(line: &Polyline3) -> Option<Axis> {
        let points = &line.points;
        let (start, end) = (*points.first()?, *points.last()?);
        let along = unit(end - start);
        let off = |p: &DVec3| {
            let d = *p - start;
            along.map_or(d.length(), |n| (d - n * d.dot(n)).length())
        };
        if points.len() < 2 || (line.closed && points.len() < 3) {
            return None;
        }
        if !line.closed && points.iter().map(off).fold(0.0, f64::max) < 1e-6 {
            return Some(Axis::Line { start, end });
        }
        let middle = *points.get(points.len() / 2)?;
        if !line.closed
            && points.len() > 4
            && let Some(centre) = centre(start, middle, end)
        {
            let radius = (start - centre).length();
            if points.iter().all(|p| ((*p - centre).length() - radius).abs() < 1e-6 * (1.0 + radius)) {
                return Some(Axis::Arc { start, middle, end, centre, radius });
            }
        }
        let mut chain = points.clone();
        chain.extend(line.closed.then_some(start));
        Some(Axis::Chain(chain))
    }
}

/// The middle of the circle through three points.
fn centre(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec3> {
    let (ab, ac) = (b - a, c - a);
    let n = ab.cross(ac);
    let square = n.dot(n);
    let to = n.cross(ab) * ac.dot(ac) - n.cross(ac) * ab.dot(ab);
    (square > 1e-12).then(|| a + to * (1.0 / (2.0 * square)))
}

/// The position of a wall's layers, across its axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// The direction across, at length one; distances are counted along it from the element's own origin.
    pub across: DVec3,
    /// The face with the least distance.
    pub from: f64,
    /// The face with the greatest.
    pub to: f64,
}

/// The parameters of a wall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wall {
    /// The line that it stands along.
    pub axis: Answer<Axis>,
    /// From base to top.
    pub height: Answer<f64>,
    /// Across the axis.
    pub thickness: Answer<f64>,
    /// The height of its lower end in the world.
    pub base: Answer<f64>,
    /// The height of its upper end in the world.
    pub top: Answer<f64>,
    /// The position of its material layers.
    pub layers: Answer<Layers>,
}

pub(super) fn wall(shaper: &Shaper<'_>, product: &Instance<'_>) -> Result<Wall, ShapeError> {
    shaper.frame(product)?;
    let sweep = shaper.only_sweep(product).and_then(|s| {
        if s.is_upright() { Ok(s) } else { Err(ShapeError::new(s.item, "is not extruded upright")) }
    });
    let measure = |of: &dyn Fn(&Sweep) -> f64| match &sweep {
        Ok(s) => Answer::found(of(s), s.by()),
        Err(error) => Answer::from_result(Err(error.clone())),
    };
    let layers = layers(shaper, product.id());
    let axis = axis(shaper, product, sweep.as_ref());
    let thickness = match (&layers, &sweep) {
        (Ok(l), _) => Answer::found(l.to - l.from, By::MaterialLayers),
        (Err(_), Ok(sweep)) => Answer::from_result(
            across(shaper, sweep, axis.value())
                .map(|size| (size, By::Profile))
                .ok_or_else(|| ShapeError::new(sweep.profile, "is not across a straight axis")),
        ),
        (Err(error), Err(_)) => Answer::from_result(Err(error.clone())),
    };
    Ok(Wall {
        axis,
        height: measure(&|s| s.levels().1 - s.levels().0),
        thickness,
        base: measure(&|s| s.levels().0),
        top: measure(&|s| s.levels().1),
        layers: Answer::from_result(layers.map(|l| (l, By::MaterialLayers))),
    })
}

fn layers(shaper: &Shaper<'_>, wall: Id) -> Result<Layers, ShapeError> {
    let found = section::Layers::read(shaper, wall)?;
    let found = found.and_then(|l| Some((l.across(), l.extent()?)));
    let (across, (from, to)) =
        found.ok_or_else(|| ShapeError::new(wall, "has no IfcMaterialLayerSetUsage with layers"))?;
    Ok(Layers { across, from, to })
}

/// The axis as it is drawn; where it is not, the middle line of a profile that is a rectangle.
fn axis(shaper: &Shaper<'_>, product: &Instance<'_>, sweep: Result<&Sweep, &ShapeError>) -> Answer<Axis> {
    let drawn = shaper.lines(product.id()).ok().and_then(|lines| {
        let of = |name: &str| lines.iter().find(|l| l.is_of(name)).and_then(Axis::of_line);
        of("Axis").or_else(|| of("Reference"))
    });
    if let Some(axis) = drawn {
        return Answer::found(axis, By::AxisRepresentation);
    }
    let middle = sweep.map_err(Clone::clone).and_then(|s| {
        let corners = rectangle(shaper, s)?;
        let [a, b, c, d] = corners;
        let mid = |p: DVec2, q: DVec2| s.point(p.midpoint(q), 0.0);
        let (start, end) =
            if a.distance(b) >= b.distance(c) { (mid(a, d), mid(b, c)) } else { (mid(a, b), mid(d, c)) };
        Ok((Axis::Line { start, end }, By::Profile))
    });
    Answer::from_result(middle)
}

/// The corners of a profile that is a rectangle.
pub(super) fn rectangle(shaper: &Shaper<'_>, sweep: &Sweep) -> Result<[DVec2; 4], ShapeError> {
    let other = || ShapeError::new(sweep.profile, "is no rectangle");
    let areas = shaper.profile_areas(sweep)?;
    let [area] = areas.as_slice() else { return Err(other()) };
    let &[a, b, c, d] = area.outer.as_slice() else { return Err(other()) };
    let (u, v) = (b - a, d - a);
    let square = u.dot(v).abs() < 1e-6 * u.length() * v.length();
    let closes = (a + c - b - d).length() < 1e-6;
    if square && closes && area.holes.is_empty() { Ok([a, b, c, d]) } else { Err(other()) }
}

/// The size of a profile across a straight axis.
fn across(shaper: &Shaper<'_>, sweep: &Sweep, axis: Option<&Axis>) -> Option<f64> {
    let along = axis?.direction()?;
    let across = unit(DVec3::Z.cross(along))?;
    let (low, high) = extent(shaper, sweep, across)?;
    Some(high - low)
}

/// Returns the extent of a sweep's profile along a direction of the world, both ends of its way included.
pub(super) fn extent(shaper: &Shaper<'_>, sweep: &Sweep, along: DVec3) -> Option<(f64, f64)> {
    let areas = shaper.profile_areas(sweep).ok()?;
    let points = areas.iter().flat_map(|a| &a.outer).flat_map(|p| [0.0, 1.0].map(|way| sweep.point(*p, way)));
    let range = points
        .map(|p| p.dot(along))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    (range.0 <= range.1).then_some(range)
}

/// The frame of a wall along its straight axis: x along it, z upwards, its origin at the axis' beginning, at the wall's base.
pub(super) fn frame_along(wall: &Wall) -> Option<DAffine3> {
    let Axis::Line { start, .. } = wall.axis.value()? else { return None };
    let along = wall.axis.value()?.direction()?;
    let base = wall.base.value().copied().unwrap_or(start.z);
    (along.z.abs() < 1e-6).then(|| orthonormal(start.with_z(base), DVec3::Z, along))
}
