//! Measures how long it takes to cut three openings out of a wall, together, one by one and as booleans of solids, and to combine round
//! bodies: microseconds each, one line a case. `cargo run --release -p geometry --example geometry -- booleans`.

use geometry::csg::{self, Op};
use geometry::cutter::{self, Cutter};
use geometry::math::orthonormal;
use geometry::prism::{self, Prism};
use geometry::region::Area;
use geometry::{Bounds, Solid};
use glam::{DAffine3, DVec2, DVec3};
use std::error::Error;
use std::f64::consts::TAU;
use std::time::Instant;

/// The shortest of a few hundred runs: what the work takes when nothing disturbs it.
fn fastest<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut best = f64::MAX;
    let mut last = work();
    for _ in 0..300 {
        let start = Instant::now();
        last = work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best * 1e6, last)
}

fn opening(x: f64, z: f64, sides: usize) -> Option<Prism> {
    let ring = (0..sides).map(|i| TAU * (i as f64 + 0.5) / sides as f64);
    let area =
        Area::new(ring.map(|a| DVec2::new(x + 0.5 * a.cos(), z + 0.5 * a.sin())).collect(), Vec::new());
    let frame = orthonormal(DVec3::new(0.0, 0.3, 0.0), DVec3::NEG_Y, DVec3::X);
    Prism::extrusion(&area, &frame, DVec3::Z, 0.4)
}

fn ball(n: usize, at: DVec3) -> Option<Solid> {
    // a stack of rings is close enough to a ball for a clock
    let ring = |z: f64| -> Vec<DVec3> {
        let r = (1.0 - z * z).max(0.0).sqrt();
        (0..n)
            .map(|i| TAU * i as f64 / n as f64)
            .map(|a| at + DVec3::new(r * a.cos(), r * a.sin(), z))
            .collect()
    };
    let mut faces = Vec::new();
    let rings: Vec<Vec<DVec3>> = (1..n / 2).map(|k| ring(-(TAU * k as f64 / n as f64).cos())).collect();
    let mut add = |l: Vec<DVec3>| faces.push(geometry::Face { loops: vec![l] });
    for pair in rings.windows(2) {
        for i in 0..n {
            let j = (i + 1) % n;
            add(vec![pair[0][i], pair[0][j], pair[1][j]]);
            add(vec![pair[0][i], pair[1][j], pair[1][i]]);
        }
    }
    add(rings.first()?.iter().rev().copied().collect());
    add(rings.last()?.clone());
    Some(Solid::new(faces, true))
}

pub fn run() -> Result<(), Box<dyn Error>> {
    let bounds = Bounds { min: DVec3::ZERO, max: DVec3::new(7.0, 0.2, 3.0) };
    let wall = Solid::cuboid(&bounds, &DAffine3::IDENTITY).ok_or("no wall")?;
    // the middle of a door lies so that the wall's foot goes through it
    for (name, sides, z) in [("box", 4, 1.5), ("round", 64, 1.5), ("door", 4, 0.25), ("round door", 64, 0.25)]
    {
        let prisms: Option<Vec<Prism>> = [1.0, 3.0, 5.0].iter().map(|x| opening(*x, z, sides)).collect();
        let prisms = prisms.ok_or("no opening")?;
        let cutters: Vec<Cutter> = prisms.iter().cloned().map(Cutter::Prism).collect();
        let (flat, cut) = fastest(|| cutter::cut(&wall, &cutters));
        let (single, by_one) =
            fastest(|| prisms.iter().try_fold(wall.clone(), |left, prism| prism::subtract(&left, prism)));
        let mut bodies = Vec::new();
        for cutter in &cutters {
            bodies.extend(cutter.within(&bounds)?);
        }
        let all: Vec<&Solid> = bodies.iter().collect();
        let (solid, left) = fastest(|| csg::less(&wall, &all));
        let volumes = [cut.left.map_or(0.0, |l| l.volume()), by_one?.volume(), left?.volume()];
        println!(
            "three {name} openings: {flat:.1} µs together, {single:.1} µs one by one, {solid:.1} µs as solids; \
             m³ left: {volumes:?}"
        );
    }
    for n in [16, 48, 128] {
        let (a, b) =
            (ball(n, DVec3::ZERO).ok_or("no ball")?, ball(n, DVec3::new(0.5, 0.3, 0.2)).ok_or("no ball")?);
        for op in [Op::Union, Op::Difference, Op::Intersection] {
            let start = Instant::now();
            let volume = csg::combine(&a, &b, op)?.volume();
            let took = start.elapsed().as_secs_f64() * 1e3;
            println!(
                "{op:?} of balls of {} triangles: {took:.2} ms, {volume:.4} m³",
                a.mesh().triangles.len()
            );
        }
        let (a, b) = (a.mesh(), b.mesh());
        let start = Instant::now();
        let shared = csg::shared_volume(&a, &b)?;
        println!("shared volume of the same: {:.2} ms, {shared:.4} m³", start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}
