//! Primitives of constructive solid geometry: block, pyramid, cylinder, cone and sphere (ISO 10303-42 `csg_primitive`).

use super::Shaper;
use crate::curve::chords;
use crate::math::Bounds;
use crate::read::ShapeError;
use crate::solid::{Face, Solid};
use glam::{DAffine3, DVec2, DVec3};
use ifc::Instance;
use std::f64::consts::{PI, TAU};

impl<'m> Shaper<'m> {
    /// A primitive, or nothing for a class that is none.
    pub(super) fn primitive(&self, item: &Instance<'m>) -> Result<Option<Solid>, ShapeError> {
        let r = &self.reader;
        let size = |name: &str| {
            let found = r.length(item, name)?;
            if found > 0.0 {
                Ok(found)
            } else {
                Err(ShapeError::new(item.id(), format!("{name} is not positive")))
            }
        };
        let at = r.axes_of(item, "Position")?;
        let solid = match item.class_name() {
            "IfcBlock" => {
                let size = [size("XLength")?, size("YLength")?, size("ZLength")?];
                return Ok(Solid::cuboid(&Bounds::from_points([DVec3::ZERO, size.into()]), &at));
            }
            "IfcRectangularPyramid" => {
                let (x, y, z) = (size("XLength")?, size("YLength")?, size("Height")?);
                let base = crate::region::rectangle(DVec2::ZERO, DVec2::new(x, y));
                let base: Vec<DVec3> = base.into_iter().map(|p| p.extend(0.0)).collect();
                pointed(&base, DVec3::new(x / 2.0, y / 2.0, z), &at)
            }
            "IfcRightCircularCone" => {
                let (radius, height) = (size("BottomRadius")?, size("Height")?);
                pointed(&ring(radius, 0.0), DVec3::new(0.0, 0.0, height), &at)
            }
            "IfcRightCircularCylinder" => {
                let (radius, height) = (size("Radius")?, size("Height")?);
                let place = |z: f64| ring(radius, z).into_iter().map(|p| at.transform_point3(p)).collect();
                super::loft::loft(&[vec![place(0.0), place(height)]], true)
            }
            "IfcSphere" => sphere(size("Radius")?, &at),
            _ => return Ok(None),
        };
        Ok(Some(solid))
    }
}

/// A circle about the z axis.
fn ring(radius: f64, z: f64) -> Vec<DVec3> {
    let n = chords(radius, TAU);
    (0..n)
        .map(|i| TAU * i as f64 / n as f64)
        .map(|a| DVec3::new(radius * a.cos(), radius * a.sin(), z))
        .collect()
}

/// A base, counter-clockwise seen from the apex, and triangles to the apex.
fn pointed(base: &[DVec3], apex: DVec3, at: &DAffine3) -> Solid {
    let top = at.transform_point3(apex);
    let base: Vec<DVec3> = base.iter().map(|p| at.transform_point3(*p)).collect();
    let next = base.iter().skip(1).chain(base.first());
    let mut faces: Vec<Face> =
        base.iter().zip(next).map(|(a, b)| Face { loops: vec![vec![*a, *b, top]] }).collect();
    faces.push(Face { loops: vec![base.iter().rev().copied().collect()] });
    Solid::new(faces, true)
}

/// A sphere of flat triangles, between meridians and circles of latitude.
pub(super) fn sphere(radius: f64, at: &DAffine3) -> Solid {
    // it falls short of the round one in both directions: half as many chords again keep its volume within a percent
    let around = chords(radius, 1.5 * TAU).max(48);
    let up = around / 2;
    let point = |i: usize, k: usize| {
        let (a, b) = (TAU * (i % around) as f64 / around as f64, PI * k as f64 / up as f64 - PI / 2.0);
        at.transform_point3(DVec3::new(
            radius * b.cos() * a.cos(),
            radius * b.cos() * a.sin(),
            radius * b.sin(),
        ))
    };
    let mut faces = Vec::with_capacity(2 * around * up);
    for k in 0..up {
        for i in 0..around {
            let [a, b, c, d] = [point(i, k), point(i + 1, k), point(i + 1, k + 1), point(i, k + 1)];
            if k > 0 {
                faces.push(Face { loops: vec![vec![a, b, c]] });
            }
            if k + 1 < up {
                faces.push(Face { loops: vec![vec![a, c, d]] });
            }
        }
    }
    Solid::new(faces, true)
}

/// A ring of flat triangles about the frame's z axis: a tube of radius `minor` about a circle of radius `major`.
pub(super) fn torus(major: f64, minor: f64, at: &DAffine3) -> Solid {
    let (around, about) = (chords(major + minor, 1.5 * TAU).max(48), chords(minor, 1.5 * TAU).max(48));
    let point = |i: usize, k: usize| {
        let (a, b) = (TAU * (i % around) as f64 / around as f64, TAU * (k % about) as f64 / about as f64);
        let r = major + minor * b.cos();
        at.transform_point3(DVec3::new(r * a.cos(), r * a.sin(), minor * b.sin()))
    };
    let mut faces = Vec::with_capacity(2 * around * about);
    for i in 0..around {
        for k in 0..about {
            let [a, b, c, d] = [point(i, k), point(i + 1, k), point(i + 1, k + 1), point(i, k + 1)];
            faces.push(Face { loops: vec![vec![a, b, c]] });
            faces.push(Face { loops: vec![vec![a, c, d]] });
        }
    }
    faces.retain(|f| f.normal().is_some());
    Solid::new(faces, true)
}
