//! What lies between two or more profiles: tapered extrusions, solids of sections along a curve, and profiles swept along a curve
//! with a fixed reference.

use super::Shaper;
use crate::curve::DEFLECTION;
use crate::math::{Frame, P2, P3, add, dot, length, scale, sub, unit};
use crate::read::ShapeError;
use crate::region::{Area, Loop};
use crate::solid::{Face, Solid};
use ifc::{Id, Instance};

/// Sections of one body at most.
const MAX_SECTIONS: usize = 20_000;

/// The loops of two areas with as many points each. Loops of equal number go point by point; others (a circle and a lesser one,
/// which has fewer chords) get a point wherever the other has one, measured by the share of their length.
pub(super) fn matched(a: &Area, b: &Area) -> Option<Vec<(Loop, Loop)>> {
    if a.holes.len() != b.holes.len() {
        return None;
    }
    let pair = |(a, b): (&Loop, &Loop)| {
        if a.len() == b.len() {
            return (a.clone(), b.clone());
        }
        let mut at: Vec<f64> = shares(a).into_iter().chain(shares(b)).collect();
        at.sort_by(f64::total_cmp);
        at.dedup_by(|x, y| (*x - *y).abs() < 1e-9);
        (resampled(a, &at), resampled(b, &at))
    };
    Some(a.loops().zip(b.loops()).map(pair).collect())
}

/// How far along a closed line each point stands, as a share of the whole.
fn shares(l: &Loop) -> Vec<f64> {
    let mut sum = 0.0;
    let mut at = Vec::with_capacity(l.len());
    for (p, q) in l.iter().zip(l.iter().skip(1).chain(l.first())) {
        at.push(sum);
        sum += (q[0] - p[0]).hypot(q[1] - p[1]);
    }
    at.into_iter().map(|s| s / sum.max(1e-300)).collect()
}

fn resampled(l: &Loop, at: &[f64]) -> Loop {
    let own = shares(l);
    at.iter()
        .filter_map(|&t| {
            let i = own.partition_point(|s| *s <= t).checked_sub(1)?;
            let (p, q) = (l.get(i)?, l.get((i + 1) % l.len())?);
            let (from, to) = (own.get(i)?, own.get(i + 1).copied().unwrap_or(1.0));
            let share = if to - from > 1e-12 { (t - from) / (to - from) } else { 0.0 };
            Some([p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share])
        })
        .collect()
}

/// The point that lies at a share between two.
pub(super) fn between(a: &P2, b: &P2, share: f64) -> P2 {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// A body between rings: for each loop of its section (the boundary counter-clockwise seen from the end) the same number of rings,
/// each with the same number of points. Sides are triangles, since they may be twisted; ends are capped unless the last ring meets
/// the first.
pub(super) fn loft(loops: &[Vec<Vec<P3>>], capped: bool) -> Solid {
    let mut faces = Vec::new();
    for rings in loops {
        for pair in rings.windows(2) {
            let [low, high] = pair else { continue };
            for (i, (a, d)) in low.iter().zip(high).enumerate() {
                let next = (i + 1) % low.len();
                if let (Some(b), Some(c)) = (low.get(next), high.get(next)) {
                    faces.push(Face { loops: vec![vec![*a, *b, *c]] });
                    faces.push(Face { loops: vec![vec![*a, *c, *d]] });
                }
            }
        }
    }
    faces.retain(|f| f.normal().is_some());
    if capped {
        let first = loops.iter().filter_map(|r| r.first());
        faces.push(Face { loops: first.map(|l| l.iter().rev().copied().collect()).collect() });
        faces.push(Face { loops: loops.iter().filter_map(|r| r.last().cloned()).collect() });
    }
    Solid::new(faces, true)
}

impl<'m> Shaper<'m> {
    /// The pairs of loops of a body's first and last profile.
    pub(super) fn tapering(&self, item: &Instance<'m>) -> Result<Vec<Vec<(Loop, Loop)>>, ShapeError> {
        let r = &self.reader;
        let first = r.profile(r.reference(item, "SweptArea")?, 0)?;
        let last = r.profile(r.reference(item, "EndSweptArea")?, 0)?;
        let unlike = || ShapeError::new(item.id(), "has profiles of different make at its ends");
        if first.len() != last.len() {
            return Err(unlike());
        }
        first.iter().zip(&last).map(|(a, b)| matched(a, b).ok_or_else(unlike)).collect()
    }

    pub(super) fn tapered(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let (frame, direction, depth) = self.sweep(item)?;
        let path = scale(direction, depth);
        let mut faces = Vec::new();
        for area in self.tapering(item)? {
            let lift = |l: &Loop, by: P3| -> Vec<P3> {
                l.iter().map(|p| frame.point(add([p[0], p[1], 0.0], by))).collect()
            };
            let loops: Vec<_> = area.iter().map(|(a, b)| vec![lift(a, [0.0; 3]), lift(b, path)]).collect();
            faces.extend(loft(&loops, true).faces);
        }
        Ok(Solid::new(faces, true))
    }

    /// Sections at distances along a curve (an alignment): each stands upright across it, its x to the left and its y upwards.
    pub(super) fn sectioned(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let wrong = |what: &str| ShapeError::new(item.id(), what.to_owned());
        let directrix = r.reference(item, "Directrix")?;
        let mut stations = Vec::new();
        for position in item.references("CrossSectionPositions") {
            stations.push(self.station(position)?);
        }
        let mut areas = Vec::new();
        for section in item.references("CrossSections") {
            let mut one = r.profile(section, 0)?;
            let area = one.pop().filter(|_| one.is_empty());
            areas.push(area.ok_or_else(|| wrong("has a section of several areas"))?);
        }
        if stations.len() != areas.len() || stations.len() < 2 {
            return Err(wrong("has not as many sections as places for them"));
        }
        let frames = |at: &[f64]| {
            let along: Vec<f64> = at.iter().map(|d| d / r.metre).collect();
            let found = ifc::placement::along(r.model, directrix, &along);
            let found = found.ok_or_else(|| ShapeError::new(directrix, "is a curve that is not followed"))?;
            let frame = |t: ifc::placement::Transform| {
                let [x, y, z, o] = t.columns();
                Frame { x: y, y: z, z: x, o: scale(o, r.metre) }
            };
            Ok::<Vec<Frame>, ShapeError>(found.into_iter().map(frame).collect())
        };
        let mut faces = Vec::new();
        for (ends, shapes) in stations.windows(2).zip(areas.windows(2)) {
            let ([from, to], [one, two]) = (ends, shapes) else { continue };
            if to.0 - from.0 < 1e-6 {
                return Err(wrong("has sections that do not follow each other"));
            }
            let pairs = matched(one, two).ok_or_else(|| wrong("has sections of different make"))?;
            // as many steps as keep the middle of each within what chords may stray
            let mut steps = 4;
            let placed = loop {
                let at: Vec<f64> = (0..=2 * steps)
                    .map(|i| from.0 + (to.0 - from.0) * f64::from(i) / f64::from(2 * steps))
                    .collect();
                let all = frames(&at)?;
                let strays = all.chunks_exact(2).zip(all.iter().skip(2).step_by(2)).any(|(pair, end)| {
                    let [start, middle] = pair else { return false };
                    length(sub(middle.o, scale(add(start.o, end.o), 0.5))) > DEFLECTION * 4.0
                });
                if !strays || steps >= 2048 {
                    break all.into_iter().step_by(2).collect::<Vec<_>>();
                }
                steps *= 2;
            };
            let ring = |k: usize, frame: &Frame, pair: &(Loop, Loop)| -> Vec<P3> {
                let share = k as f64 / f64::from(steps);
                let aside = between(&from.1, &to.1, share);
                let points = pair.0.iter().zip(&pair.1).map(|(a, b)| between(a, b, share));
                points.map(|p| frame.point([p[0] + aside[0], p[1] + aside[1], 0.0])).collect()
            };
            let loops: Vec<Vec<Vec<P3>>> = pairs
                .iter()
                .map(|pair| placed.iter().enumerate().map(|(k, f)| ring(k, f, pair)).collect())
                .collect();
            faces.extend(loft(&loops, true).faces);
        }
        Ok(Solid::new(faces, true))
    }

    /// Distance along and offset (to the left, upwards) of a section, in metres.
    fn station(&self, position: Id) -> Result<(f64, P2), ShapeError> {
        let r = &self.reader;
        let mut place = r.get(position)?;
        if place.is_a("IfcAxis2PlacementLinear") {
            if place.reference("Axis").is_some() || place.reference("RefDirection").is_some() {
                return Err(ShapeError::new(position, "has axes of its own, which is not drawn yet"));
            }
            place = r.get(r.reference(&place, "Location")?)?;
        }
        if r.length_or_zero(&place, "OffsetLongitudinal").abs() > 1e-9 {
            return Err(ShapeError::new(place.id(), "is offset along its curve, which is not drawn yet"));
        }
        let aside = [r.length_or_zero(&place, "OffsetLateral"), r.length_or_zero(&place, "OffsetVertical")];
        Ok((r.length(&place, "DistanceAlong")?, aside))
    }

    /// A profile along a curve, its x axis as near to the fixed reference as the curve's direction lets it.
    pub(super) fn fixed_reference(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let wrong = |what: &str| ShapeError::new(item.id(), what.to_owned());
        let place = r.axes_of(item, "Position")?;
        let reference = r.direction(r.reference(item, "FixedReference")?);
        let reference = reference.ok_or_else(|| wrong("has no reference"))?;
        let path = self.directrix(item)?;
        let steps: Vec<P3> = path.windows(2).filter_map(|w| unit(sub(w[1], w[0]))).collect();
        if steps.len() + 1 != path.len() || path.len() > MAX_SECTIONS {
            return Err(wrong("is swept along nothing"));
        }
        let ends = path.first().zip(path.last());
        let closed = path.len() > 3 && ends.is_some_and(|(a, b)| length(sub(*a, *b)) < 1e-6);
        let mut faces = Vec::new();
        for area in r.profile(r.reference(item, "SweptArea")?, 0)? {
            let mut loops: Vec<Vec<Vec<P3>>> = vec![Vec::new(); 1 + area.holes.len()];
            for (i, p) in path.iter().enumerate() {
                let around = if closed { steps.last() } else { steps.first() };
                let before =
                    i.checked_sub(1).and_then(|b| steps.get(b)).or(around).copied().unwrap_or(reference);
                let after =
                    steps.get(i).or(if closed { steps.first() } else { None }).copied().unwrap_or(before);
                if unit(sub(reference, scale(before, dot(reference, before)))).is_none() {
                    return Err(wrong("is swept along its own reference"));
                }
                let frame = Frame::from_axes(*p, before, reference);
                // sections stand in the planes that halve the bends
                let plane = unit(add(before, after)).unwrap_or(before);
                let lean = dot(before, plane).max(0.2);
                for (l, rings) in area.loops().zip(&mut loops) {
                    let ring = l.iter().map(|q| {
                        let v = frame.vector([q[0], q[1], 0.0]);
                        place.point(add(*p, sub(v, scale(before, dot(v, plane) / lean))))
                    });
                    rings.push(ring.collect());
                }
            }
            faces.extend(loft(&loops, !closed).faces);
        }
        Ok(Solid::new(faces, true))
    }

    /// The points of a directrix, between its start and end parameter where they are given.
    pub(super) fn directrix(&self, item: &Instance<'m>) -> Result<Vec<P3>, ShapeError> {
        let r = &self.reader;
        let curve = r.get(r.reference(item, "Directrix")?)?;
        let mut path = r.curve(curve.id(), 0)?;
        let full_circle = curve.is_a("IfcConic");
        if full_circle {
            path.extend(path.first().copied());
        }
        let (start, end) = (item.number("StartParam"), item.number("EndParam"));
        if start.is_none() && end.is_none() {
            path.dedup_by(|a, b| length(sub(*a, *b)) < 1e-6);
            return Ok(path);
        }
        // where a point stands among the others: by segments, or by angle on a circle
        let whole = (path.len() - 1) as f64;
        let place = if full_circle {
            r.radian / std::f64::consts::TAU * whole
        } else if curve.is_a("IfcPolyline") {
            1.0
        } else {
            // the length of the parameter of other curves is that of their pieces: only the whole is certain
            let pieces = curve.references("Segments").len().max(1) as f64;
            let (from, to) = (start.unwrap_or(0.0), end.unwrap_or(pieces));
            if from.abs() < 1e-6 && ((to - pieces).abs() < 1e-6 || curve.is_a("IfcTrimmedCurve")) {
                path.dedup_by(|a, b| length(sub(*a, *b)) < 1e-6);
                return Ok(path);
            }
            let class = curve.class_name();
            return Err(ShapeError::new(
                item.id(),
                format!("is trimmed along {class}, which is not drawn yet"),
            ));
        };
        let from = (start.unwrap_or(0.0) * place).clamp(0.0, whole);
        let to = end.map_or(whole, |e| e * place).clamp(0.0, whole);
        if from >= to {
            return Err(ShapeError::new(item.id(), "ends before it begins"));
        }
        let at = |t: f64| {
            let i = (t.floor() as usize).min(path.len() - 2);
            let (a, b) = (path.get(i)?, path.get(i + 1)?);
            Some(add(*a, scale(sub(*b, *a), t - i as f64)))
        };
        let inner = path.iter().enumerate().filter(|(i, _)| (*i as f64) > from && (*i as f64) < to);
        let mut part: Vec<P3> = at(from).into_iter().chain(inner.map(|(_, p)| *p)).chain(at(to)).collect();
        part.dedup_by(|a, b| length(sub(*a, *b)) < 1e-6);
        Ok(part)
    }
}
