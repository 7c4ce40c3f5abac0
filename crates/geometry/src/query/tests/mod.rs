//! Bodies whose measures one can work out by hand, random ones against slower ways, and real models.

mod fed;
mod kinds;
mod known;
mod places;
mod real;
mod shared;

use super::Element;
use crate::math::orthonormal;
use crate::{math::Bounds, mesh::Mesh, region::Area, solid::Solid};
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use ifc::placement::unit;

fn block(min: DVec3, max: DVec3) -> Mesh {
    Solid::cuboid(&Bounds { min, max }, &DAffine3::IDENTITY).unwrap().mesh()
}

fn element(id: u32, mesh: Mesh) -> Element {
    Element::new(Id(id), mesh)
}

fn extrusion(points: &[DVec2], foot: f64, height: f64) -> Mesh {
    let frame = DAffine3 { translation: DVec3::new(0.0, 0.0, foot), ..DAffine3::IDENTITY };
    let area = Area::new(points.to_vec(), Vec::new());
    Solid::extrusion(&area, &frame, DVec3::Z, height).unwrap().mesh()
}

/// A round bar along x, as a prism of so many sides.
fn bar(radius: f64, sides: usize, from: f64, to: f64, at: DVec2) -> Mesh {
    let point = |i: usize| {
        let angle = std::f64::consts::TAU * (i as f64 + 0.5) / sides as f64;
        DVec2::new(radius * angle.cos(), radius * angle.sin())
    };
    let area = Area::new((0..sides).map(point).collect(), Vec::new());
    let frame = orthonormal(DVec3::new(from, at.x, at.y), DVec3::X, DVec3::Y);
    Solid::extrusion(&area, &frame, DVec3::Z, to - from).unwrap().mesh()
}

fn moved(mesh: &Mesh, by: &DAffine3) -> Mesh {
    Mesh {
        positions: mesh.positions.iter().map(|p| by.transform_point3(*p)).collect(),
        normals: mesh.normals.iter().map(|n| by.transform_vector3(*n)).collect(),
        triangles: mesh.triangles.clone(),
    }
}

/// A turn about an axis askew, and a way.
fn motion(turn: f64, way: DVec3) -> DAffine3 {
    let axis = unit(DVec3::new(0.3, -0.5, 0.8)).unwrap();
    let about = |v: DVec3| {
        let along = axis * axis.dot(v);
        let (across, side) = (v - along, axis.cross(v));
        along + (across * turn.cos() + side * turn.sin())
    };
    DAffine3::from_cols(about(DVec3::X), about(DVec3::Y), about(DVec3::Z), way)
}

fn near(a: f64, b: f64, by: f64) {
    assert!((a - b).abs() <= by, "{a} is not {b} to {by}");
}
