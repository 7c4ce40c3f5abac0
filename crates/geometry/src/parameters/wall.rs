//! Walls: axis, height, thickness, levels, and on which side of the axis the layers lie.

use super::{Answer, By, Sweep};
use crate::{
    item::Shaper,
    lines::Polyline3,
    math::{Frame, P2, P3, cross, dot, length, scale, sub, unit},
    read::ShapeError,
    section,
};
use ifc::{Id, Instance};
use serde::{Deserialize, Serialize};

/// The line that a wall stands along.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Straight.
    Line {
        /// Its beginning.
        start: P3,
        /// Its end.
        end: P3,
    },
    /// A part of a circle.
    Arc {
        /// Its beginning.
        start: P3,
        /// A point midway.
        middle: P3,
        /// Its end.
        end: P3,
        /// The circle's middle.
        centre: P3,
        /// In metres.
        radius: f64,
    },
    /// Several pieces, as points.
    Chain(Vec<P3>),
}

impl Axis {
    /// Its length in metres.
    pub fn length(&self) -> f64 {
        match self {
            Axis::Line { start, end } => length(sub(*end, *start)),
            Axis::Arc { start, middle, end, radius, .. } => {
                let half = |a: P3, b: P3| (length(sub(b, a)) / (2.0 * radius)).clamp(-1.0, 1.0).asin() * 2.0;
                (half(*start, *middle) + half(*middle, *end)) * radius
            }
            Axis::Chain(points) => points.windows(2).map(|w| length(sub(w[1], w[0]))).sum(),
        }
    }

    /// The direction of a straight axis.
    pub fn direction(&self) -> Option<P3> {
        match self {
            Axis::Line { start, end } => unit(sub(*end, *start)),
            _ => None,
        }
    }

    fn of_line(line: &Polyline3) -> Option<Axis> {
        let points = &line.points;
        let (start, end) = (*points.first()?, *points.last()?);
        let along = unit(sub(end, start));
        let off = |p: &P3| {
            let d = sub(*p, start);
            along.map_or(length(d), |n| length(sub(d, scale(n, dot(d, n)))))
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
            let radius = length(sub(start, centre));
            if points.iter().all(|p| (length(sub(*p, centre)) - radius).abs() < 1e-6 * (1.0 + radius)) {
                return Some(Axis::Arc { start, middle, end, centre, radius });
            }
        }
        let mut chain = points.clone();
        chain.extend(line.closed.then_some(start));
        Some(Axis::Chain(chain))
    }
}

/// The middle of the circle through three points.
fn centre(a: P3, b: P3, c: P3) -> Option<P3> {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let n = cross(ab, ac);
    let square = dot(n, n);
    let to = sub(scale(cross(n, ab), dot(ac, ac)), scale(cross(n, ac), dot(ab, ab)));
    (square > 1e-12).then(|| crate::math::add(a, scale(to, 1.0 / (2.0 * square))))
}

/// Where the layers of a wall lie, across its axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// The direction across, at length one; distances are counted along it from the element's own origin.
    pub across: P3,
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
    /// Where its material layers lie.
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
        let mid = |p: P2, q: P2| s.point([f64::midpoint(p[0], q[0]), f64::midpoint(p[1], q[1])], 0.0);
        let size = |p: P2, q: P2| (p[0] - q[0]).hypot(p[1] - q[1]);
        let (start, end) =
            if size(a, b) >= size(b, c) { (mid(a, d), mid(b, c)) } else { (mid(a, b), mid(d, c)) };
        Ok((Axis::Line { start, end }, By::Profile))
    });
    Answer::from_result(middle)
}

/// The corners of a profile that is a rectangle.
pub(super) fn rectangle(shaper: &Shaper<'_>, sweep: &Sweep) -> Result<[P2; 4], ShapeError> {
    let other = || ShapeError::new(sweep.profile, "is no rectangle");
    let areas = shaper.profile_areas(sweep)?;
    let [area] = areas.as_slice() else { return Err(other()) };
    let &[a, b, c, d] = area.outer.as_slice() else { return Err(other()) };
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [d[0] - a[0], d[1] - a[1]]);
    let size = u[0].hypot(u[1]) * v[0].hypot(v[1]);
    let square = (u[0] * v[0] + u[1] * v[1]).abs() < 1e-6 * size;
    let closes = (a[0] + c[0] - b[0] - d[0]).hypot(a[1] + c[1] - b[1] - d[1]) < 1e-6;
    if square && closes && area.holes.is_empty() { Ok([a, b, c, d]) } else { Err(other()) }
}

/// The size of a profile across a straight axis.
fn across(shaper: &Shaper<'_>, sweep: &Sweep, axis: Option<&Axis>) -> Option<f64> {
    let along = axis?.direction()?;
    let across = unit(cross([0.0, 0.0, 1.0], along))?;
    let (low, high) = extent(shaper, sweep, across)?;
    Some(high - low)
}

/// How far a sweep's profile reaches along a direction of the world, both ends of its way included.
pub(super) fn extent(shaper: &Shaper<'_>, sweep: &Sweep, along: P3) -> Option<(f64, f64)> {
    let areas = shaper.profile_areas(sweep).ok()?;
    let points = areas.iter().flat_map(|a| &a.outer).flat_map(|p| [0.0, 1.0].map(|way| sweep.point(*p, way)));
    let range = points
        .map(|p| dot(p, along))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
    (range.0 <= range.1).then_some(range)
}

/// The frame of a wall along its straight axis: x along it, z upwards, its origin at the axis' beginning, at the wall's base.
pub(super) fn frame_along(wall: &Wall) -> Option<Frame> {
    let Axis::Line { start, .. } = wall.axis.value()? else { return None };
    let along = wall.axis.value()?.direction()?;
    let base = wall.base.value().copied().unwrap_or(start[2]);
    (along[2].abs() < 1e-6).then(|| Frame::from_axes([start[0], start[1], base], [0.0, 0.0, 1.0], along))
}
