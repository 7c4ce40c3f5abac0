//! Sweeps of a profile or a disk: along a direction, about an axis, along a curve.

use super::{Shaper, loft::between};
use crate::curve::chords;
use crate::math::orthonormal;
use crate::read::ShapeError;
use crate::region::Area;
use crate::solid::{Face, Solid};
use glam::{DAffine3, DVec2, DVec3};
use ifc::Instance;
use ifc::placement::unit;
use std::f64::consts::TAU;

impl<'m> Shaper<'m> {
    pub(super) fn extrusion(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let (frame, direction, depth) = self.sweep(item)?;
        let mut faces = Vec::new();
        for area in r.profile(r.reference(item, "SweptArea")?, 0)? {
            let solid = Solid::extrusion(&area, &frame, direction, depth);
            let solid =
                solid.ok_or_else(|| ShapeError::new(item.id(), "is extruded within its own plane"))?;
            faces.extend(solid.faces);
        }
        Ok(Solid::new(faces, true))
    }

    /// Position, direction and depth of an extrusion.
    pub(crate) fn sweep(&self, item: &Instance<'m>) -> Result<(DAffine3, DVec3, f64), ShapeError> {
        let r = &self.reader;
        let direction = r.direction(r.reference(item, "ExtrudedDirection")?);
        let direction = direction.ok_or_else(|| ShapeError::new(item.id(), "has no direction"))?;
        let depth = r.length(item, "Depth")?;
        if depth < 1e-7 {
            return Err(ShapeError::new(item.id(), "has no depth"));
        }
        Ok((r.axes_of(item, "Position")?, direction, depth))
    }

    pub(super) fn revolution(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let frame = r.axes_of(item, "Position")?;
        let axis = r.axes(r.reference(item, "Axis")?)?;
        let angle = item.number("Angle").unwrap_or(0.0) * r.radian;
        let angle = angle.clamp(-TAU, TAU);
        if !angle.is_finite() || angle.abs() < 1e-6 {
            return Err(ShapeError::new(item.id(), "is revolved by nothing"));
        }
        let whole = (angle.abs() - TAU).abs() < 1e-6;
        let mut faces = Vec::new();
        let tapered = item.is_a("IfcRevolvedAreaSolidTapered");
        let areas = if tapered {
            self.tapering(item)?
        } else {
            let own = |a: Area| a.loops().map(|l| (l.clone(), l.clone())).collect();
            r.profile(r.reference(item, "SweptArea")?, 0)?.into_iter().map(own).collect()
        };
        for area in areas {
            let reach = |p: &DVec2| {
                let d = p.extend(0.0) - axis.translation;
                (d - axis.z_axis * d.dot(axis.z_axis)).length()
            };
            let all = area.iter().flat_map(|(a, b)| a.iter().chain(b));
            let radius = all.map(reach).fold(0.0, f64::max);
            // a round profile is short of its area already: with half as many chords again, both together stay below a percent
            let steps = chords(radius, 1.5 * angle).max(3);
            let turned = |(p, end): (&DVec2, &DVec2), step: usize| {
                let p = between(p, end, step as f64 / steps as f64);
                let a = angle * step as f64 / steps as f64;
                let d = p.extend(0.0) - axis.translation;
                let along = axis.z_axis * d.dot(axis.z_axis);
                let out = d - along;
                let around = axis.z_axis.cross(out);
                let q = along + out * a.cos() + around * a.sin();
                frame.transform_point3(axis.translation + q)
            };
            for (l, m) in &area {
                for step in 0..steps {
                    let next = if whole { (step + 1) % steps } else { step + 1 };
                    for (i, a) in l.iter().zip(m).enumerate() {
                        let after = (i + 1) % l.len();
                        let Some(b) = l.get(after).zip(m.get(after)) else { continue };
                        let corners = [turned(a, step), turned(b, step), turned(b, next), turned(a, next)];
                        // as two triangles: a turned edge is not flat
                        faces.push(Face { loops: vec![vec![corners[0], corners[1], corners[2]]] });
                        faces.push(Face { loops: vec![vec![corners[0], corners[2], corners[3]]] });
                    }
                }
            }
            if !whole {
                let cap = |step: usize, reversed: bool| Face {
                    loops: area
                        .iter()
                        .map(|(l, m)| {
                            let points = l.iter().zip(m).map(|p| turned(p, step));
                            if reversed { points.rev().collect() } else { points.collect() }
                        })
                        .collect(),
                };
                faces.push(cap(0, true));
                faces.push(cap(steps, false));
            }
        }
        faces.retain(|f| f.normal().is_some());
        Ok(Solid::new(faces, true))
    }

    pub(super) fn swept_disk(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let radius = r.length(item, "Radius")?;
        let path = self.directrix(item)?;
        if path.len() < 2 || radius < 1e-6 || path.len() > 20_000 {
            return Err(ShapeError::new(item.id(), "is swept along nothing"));
        }
        // sections stand in the planes that halve the bends
        let steps: Vec<DVec3> = path.windows(2).filter_map(|w| unit(w[1] - w[0])).collect();
        if steps.len() + 1 != path.len() {
            return Err(ShapeError::new(item.id(), "is swept along nothing"));
        }
        let count = chords(radius, TAU).min(32);
        let closed = path.len() > 3 && (path[0] - path[path.len() - 1]).length() < 1e-6;
        // a path that comes back begins at the bend between its last piece and its first
        let come_from = if closed { steps[steps.len() - 1] } else { steps[0] };
        let mut frame = orthonormal(path[0], come_from, DVec3::new(0.3, 0.5, 0.8));
        let mut rings: Vec<Vec<DVec3>> = Vec::with_capacity(path.len());
        let mut hollow: Vec<Vec<DVec3>> = Vec::with_capacity(path.len());
        let inner = r.length(item, "InnerRadius").ok().filter(|i| *i > 1e-6 && *i < radius);
        for (i, &p) in path.iter().enumerate() {
            let before = if i > 0 { steps[i - 1] } else { come_from };
            let after = steps.get(i).copied().unwrap_or(if closed { steps[0] } else { before });
            let plane = unit(before + after).unwrap_or(before);
            let lean = before.dot(plane).max(0.2);
            // the ring before the bend, pushed along its direction on to the halving plane
            let ring = |radius: f64, frame: &DAffine3| -> Vec<DVec3> {
                (0..count)
                    .map(|k| TAU * k as f64 / count as f64)
                    .map(|a| frame.x_axis * (radius * a.cos()) + frame.y_axis * (radius * a.sin()))
                    .map(|v| p + (v - before * (v.dot(plane) / lean)))
                    .collect()
            };
            rings.push(ring(radius, &frame));
            hollow.extend(inner.map(|i| ring(i, &frame)));
            // the next piece begins at the ring that this one ends with, untwisted
            let meets = frame.x_axis - before * (frame.x_axis.dot(plane) / lean);
            frame = orthonormal(p, after, meets);
        }
        if closed {
            for rings in [&mut rings, &mut hollow] {
                if let (Some(first), Some(last)) = (rings.first().cloned(), rings.last_mut()) {
                    *last = first;
                }
            }
        }
        let mut faces = Vec::new();
        let mut tube = |rings: &[Vec<DVec3>], inside: bool| {
            for pair in rings.windows(2) {
                for k in 0..count {
                    let n = (k + 1) % count;
                    let q = [pair[0][k], pair[0][n], pair[1][n], pair[1][k]];
                    let mut add = |mut t: Vec<DVec3>| {
                        if inside {
                            t.reverse();
                        }
                        faces.push(Face { loops: vec![t] });
                    };
                    add(vec![q[0], q[1], q[2]]);
                    add(vec![q[0], q[2], q[3]]);
                }
            }
        };
        tube(&rings, false);
        tube(&hollow, true);
        if !closed {
            let end = |i: usize, reversed: bool| {
                let turn = |l: &Vec<DVec3>, r: bool| -> Vec<DVec3> {
                    if r { l.iter().rev().copied().collect() } else { l.clone() }
                };
                let mut loops = vec![turn(&rings[i], reversed)];
                loops.extend(hollow.get(i).map(|l| turn(l, !reversed)));
                Face { loops }
            };
            faces.push(end(0, true));
            faces.push(end(path.len() - 1, false));
        }
        Ok(Solid::new(faces, true))
    }
}
