//! Bodies whose measures one can work out by hand, random ones against slower ways, and real models.

mod fed;
mod kinds;
mod places;
mod real;
mod shared;

use super::Element;
use crate::{
    math::{Bounds, Frame, P2, P3, add, cross, scale, unit},
    mesh::Mesh,
    region::Area,
    solid::Solid,
};
use ifc::Id;

fn block(min: P3, max: P3) -> Mesh {
    Solid::cuboid(&Bounds { min, max }, &Frame::IDENTITY).unwrap().mesh()
}

fn element(id: u32, mesh: Mesh) -> Element {
    Element::new(Id(id), mesh)
}

fn extrusion(points: &[P2], foot: f64, height: f64) -> Mesh {
    let frame = Frame { o: [0.0, 0.0, foot], ..Frame::IDENTITY };
    let area = Area::new(points.to_vec(), Vec::new());
    Solid::extrusion(&area, &frame, [0.0, 0.0, 1.0], height).unwrap().mesh()
}

/// A round bar along x, as a prism of so many sides.
fn bar(radius: f64, sides: usize, from: f64, to: f64, at: P2) -> Mesh {
    let point = |i: usize| {
        let angle = std::f64::consts::TAU * (i as f64 + 0.5) / sides as f64;
        [radius * angle.cos(), radius * angle.sin()]
    };
    let area = Area::new((0..sides).map(point).collect(), Vec::new());
    let frame = Frame::from_axes([from, at[0], at[1]], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    Solid::extrusion(&area, &frame, [0.0, 0.0, 1.0], to - from).unwrap().mesh()
}

fn moved(mesh: &Mesh, by: &Frame) -> Mesh {
    Mesh {
        positions: mesh.positions.iter().map(|p| by.point(*p)).collect(),
        normals: mesh.normals.iter().map(|n| by.vector(*n)).collect(),
        triangles: mesh.triangles.clone(),
    }
}

/// A turn about an axis askew, and a way.
fn motion(turn: f64, way: P3) -> Frame {
    let axis = unit([0.3, -0.5, 0.8]).unwrap();
    let about = |v: P3| {
        let along = scale(axis, crate::math::dot(axis, v));
        let (across, side) = (crate::math::sub(v, along), cross(axis, v));
        add(along, add(scale(across, turn.cos()), scale(side, turn.sin())))
    };
    Frame { x: about([1.0, 0.0, 0.0]), y: about([0.0, 1.0, 0.0]), z: about([0.0, 0.0, 1.0]), o: way }
}

fn near(a: f64, b: f64, by: f64) {
    assert!((a - b).abs() <= by, "{a} is not {b} to {by}");
}
