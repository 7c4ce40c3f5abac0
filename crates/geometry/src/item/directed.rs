//! Profiles and disks along a directrix: with a fixed reference, with one that leans with the cant of the directrix, upon a surface,
//! with rounded bends.

use super::{Shaper, loft::loft};
use crate::curve::{chords, lean};
use crate::math::orthonormal;
use crate::read::ShapeError;
use crate::solid::Solid;
use crate::surface::{Surface, normal};
use glam::DVec3;
use ifc::Instance;
use ifc::placement::unit;

/// Sections of one body at most.
const MAX_SECTIONS: usize = 20_000;

impl<'m> Shaper<'m> {
    /// A profile along a curve, its x axis as near to the fixed reference as the curve's direction lets it.
    pub(super) fn fixed_reference(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let reference = self.reference(item)?;
        self.along(item, &self.directrix(item)?, |_, _| reference)
    }

    /// As [`Shaper::fixed_reference`], but where the directrix has cant the reference turns about it as its sections do; at the
    /// directrix' own beginning it is as given (`IfcDirectrixDerivedReferenceSweptAreaSolid`, ISO 16739-1:2024).
    pub(super) fn derived_reference(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let curve = r.reference(item, "Directrix")?;
        if !r.get(curve)?.is_a("IfcSegmentedReferenceCurve") {
            return self.fixed_reference(item);
        }
        let reference = self.reference(item)?;
        let mut at = r.stations(curve)?;
        let end = at.last().copied().unwrap_or(0.0);
        let measure =
            |name: &str| item.attr(name).as_f64().or_else(|| item.number(name)).map(|d| d * r.metre);
        let (from, to) =
            (measure("StartParam").unwrap_or(0.0).max(0.0), measure("EndParam").unwrap_or(end).min(end));
        if to - from < 1e-6 || !(to - from).is_finite() {
            return Err(ShapeError::new(item.id(), "ends before it begins"));
        }
        at.retain(|d| *d > from && *d < to);
        at.extend([from, to]);
        let frames = r.frames(curve, &r.distances(curve, at)?)?;
        let begin = r.frames(curve, &[0.0])?.first().map_or(0.0, lean);
        let references: Vec<DVec3> =
            frames.iter().map(|f| turned(reference, f.x_axis, begin - lean(f))).collect();
        let path: Vec<DVec3> = frames.iter().map(|f| f.translation).collect();
        self.along(item, &path, |i, _| references.get(i).copied().unwrap_or(reference))
    }

    fn reference(&self, item: &Instance<'m>) -> Result<DVec3, ShapeError> {
        let r = &self.reader;
        let reference = r.direction(r.reference(item, "FixedReference")?);
        reference.ok_or_else(|| ShapeError::new(item.id(), "has no reference"))
    }

    /// A profile along a curve on a surface, its x axis along the surface's normal.
    pub(super) fn upon_surface(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let surface = r.surface(r.reference(item, "ReferenceSurface")?, 0)?;
        self.along(item, &self.directrix(item)?, |_, p| match &surface {
            Surface::Plane(frame) => frame.z_axis,
            round => normal(round, round.parameters(p, None).0),
        })
    }

    /// A profile along a chain of points, its x axis as near to the reference at each (told by number and place) as can be.
    fn along(
        &self,
        item: &Instance<'m>,
        path: &[DVec3],
        reference: impl Fn(usize, DVec3) -> DVec3,
    ) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let wrong = |what: &str| ShapeError::new(item.id(), what.to_owned());
        let place = r.axes_of(item, "Position")?;
        let steps: Vec<DVec3> = path.windows(2).filter_map(|w| unit(w[1] - w[0])).collect();
        if steps.len() + 1 != path.len() || path.len() > MAX_SECTIONS {
            return Err(wrong("is swept along nothing"));
        }
        let ends = path.first().zip(path.last());
        let closed = path.len() > 3 && ends.is_some_and(|(a, b)| (*a - *b).length() < 1e-6);
        let mut faces = Vec::new();
        for area in r.profile(r.reference(item, "SweptArea")?, 0)? {
            let mut loops: Vec<Vec<Vec<DVec3>>> = vec![Vec::new(); 1 + area.holes.len()];
            for (i, p) in path.iter().enumerate() {
                let reference = reference(i, *p);
                let around = if closed { steps.last() } else { steps.first() };
                let before =
                    i.checked_sub(1).and_then(|b| steps.get(b)).or(around).copied().unwrap_or(reference);
                let after =
                    steps.get(i).or(if closed { steps.first() } else { None }).copied().unwrap_or(before);
                if (reference - before * reference.dot(before)).length() < 1e-9 * reference.length() {
                    return Err(wrong("is swept along its own reference"));
                }
                let frame = orthonormal(*p, before, reference);
                // sections stand in the planes that halve the bends
                let plane = unit(before + after).unwrap_or(before);
                let lean = before.dot(plane).max(0.2);
                for (l, rings) in area.loops().zip(&mut loops) {
                    let ring = l.iter().map(|q| {
                        let v = frame.transform_vector3(q.extend(0.0));
                        place.transform_point3(*p + (v - before * (v.dot(plane) / lean)))
                    });
                    rings.push(ring.collect());
                }
            }
            faces.extend(loft(&loops, !closed).faces);
        }
        Ok(Solid::new(faces, true))
    }

    /// The points of a directrix, between its start and end parameter where they are given.
    pub(super) fn directrix(&self, item: &Instance<'m>) -> Result<Vec<DVec3>, ShapeError> {
        let r = &self.reader;
        let curve = r.reference(item, "Directrix")?;
        let path = r.between(item, curve, ["StartParam", "EndParam"])?;
        let radius = r.length_or_zero(item, "FilletRadius");
        Ok(if radius > 1e-6 { filleted(&path, radius) } else { path })
    }
}

/// A direction turned about an axis of length one.
fn turned(v: DVec3, axis: DVec3, angle: f64) -> DVec3 {
    let (sin, cos) = angle.sin_cos();
    let along = axis * (axis.dot(v) * (1.0 - cos));
    v * cos + axis.cross(v) * sin + along
}

/// A chain whose bends are arcs of a radius, as far as its straight pieces are long enough for them.
fn filleted(path: &[DVec3], radius: f64) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = path.first().copied().into_iter().collect();
    for corner in path.windows(3) {
        let &[a, p, b] = corner else { continue };
        let (Some(u), Some(v)) = (unit(a - p), unit(b - p)) else { continue };
        let angle = u.dot(v).clamp(-1.0, 1.0).acos();
        let reach = radius / (angle / 2.0).tan();
        let room = ((a - p).length() / 2.0).min((b - p).length() / 2.0);
        let ends = [path.first(), path.last()];
        let whole = |q: DVec3| ends.iter().flatten().any(|e| **e == q);
        let room = room.max(if whole(a) && whole(b) { room * 2.0 } else { 0.0 });
        let (Some(middle), true) = (unit(u + v), reach > 1e-9 && reach <= room + 1e-9) else {
            points.push(p);
            continue;
        };
        let centre = p + middle * (radius / (angle / 2.0).sin());
        let (from, to) = (p + u * reach - centre, p + v * reach - centre);
        let Some(axis) = unit(from.cross(to)) else { continue };
        let sweep = std::f64::consts::PI - angle;
        let count = chords(radius, sweep);
        points.extend((0..=count).map(|k| {
            let t = sweep * k as f64 / count as f64;
            centre + (from * t.cos() + axis.cross(from) * t.sin())
        }));
    }
    points.extend(path.last());
    points.dedup_by(|a, b| (*a - *b).length() < 1e-6);
    points
}
