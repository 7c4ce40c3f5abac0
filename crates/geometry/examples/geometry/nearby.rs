//! Measures how quickly a scene answers, on made elements: a line of JSON. Boxes of the sizes of a building's elements scattered so that each
//! meets a few others, and two balls of half a million triangles each.
//! `cargo run --release -p geometry --example geometry -- nearby [BOXES]`.

use crate::Arguments;
use crate::figures::{memory, timed};
use geometry::{
    Mesh, Solid,
    math::Bounds,
    query::{Element, Index, Ray, Rules, interferences, overlap},
};
use glam::{DAffine3, DVec3};
use ifc::Id;
use serde_json::json;
use std::{error::Error, f64::consts::PI, sync::Arc};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self) -> DVec3 {
        [0; 3].map(|_| self.next()).into()
    }
}

fn boxes(count: usize) -> Vec<(Id, Arc<Mesh>)> {
    let mut dice = Dice(7);
    let side = (count as f64).cbrt() * 1.6;
    (0..count as u32)
        .filter_map(|i| {
            let min = dice.vector() * side;
            let size = DVec3::from([0; 3].map(|_| 0.1 + 1.5 * dice.next() * dice.next()));
            let max = min + size;
            let mesh = Solid::cuboid(&Bounds { min, max }, &DAffine3::IDENTITY)?.mesh();
            Some((Id(i + 1), Arc::new(mesh)))
        })
        .collect()
}

fn ball(x: f64, rings: u32) -> Mesh {
    let mut mesh = Mesh::default();
    let slices = 2 * rings;
    for i in 0..=rings {
        for j in 0..slices {
            let (a, b) = (PI * f64::from(i) / f64::from(rings), 2.0 * PI * f64::from(j) / f64::from(slices));
            let n = DVec3::new(a.sin() * b.cos(), a.sin() * b.sin(), a.cos());
            mesh.positions.push(DVec3::X * x + n);
            mesh.normals.push(n);
        }
    }
    for i in 0..rings {
        for j in 0..slices {
            let at = |i: u32, j: u32| i * slices + j % slices;
            let (p, q, r, s) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            mesh.triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    mesh
}

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let count = arguments.next().map_or(Ok(30_000), |n| n.parse())?;
    let meshes = boxes(count);
    let (mut scene, fill) = timed(|| meshes.iter().cloned().collect::<Index>());
    let (pairs, first) = timed(|| scene.near_pairs(None, 0.0, usize::MAX - 1));
    let (_, again) = timed(|| scene.near_pairs(None, 0.0, usize::MAX - 1));
    let pairs = pairs.map_or(0, |p| p.len());
    let (found, clashes) = timed(|| interferences(&scene, None, &Rules::default(), &|_, _| true));
    let (hits, rays) = timed(|| {
        let mut dice = Dice(3);
        let mut ray = || Ray::new(dice.vector() * 40.0, dice.vector() - 0.5);
        (0..10_000).filter_map(|_| scene.first_hit(&ray()?, |_| true)).count()
    });
    let (near, nearest) = timed(|| {
        let mut dice = Dice(5);
        (0..10_000).map(|_| scene.nearest(dice.vector() * 50.0, 5, 100.0).len()).sum::<usize>()
    });
    let ((), changes) = timed(|| {
        for (id, mesh) in meshes.iter().take(1000) {
            scene.insert(*id, mesh.clone());
        }
    });
    let (a, b) = (Element::new(Id(1), ball(0.0, 500)), Element::new(Id(2), ball(1.0, 500)));
    let (shared, balls) = timed(|| overlap(&a, &b));
    let (_, balls_again) = timed(|| overlap(&a, &b));
    let c = Element::new(Id(3), ball(2.5, 500));
    let (apart, distance) = timed(|| a.distance(&c, 10.0));
    println!(
        "{}",
        json!({
            "boxes": count, "pairs": pairs, "hard": found.map_or(0, |f| f.len()), "fill": fill, "tree and pairs": first,
            "pairs again": again, "interferences": clashes, "10,000 rays": rays, "hits": hits,
            "10,000 nearest five": nearest, "near": near, "1,000 replacements": changes,
            "balls share (5π/12 = 1.3090)": shared.and_then(|s| s.volume), "balls": balls, "balls again": balls_again,
            "balls apart (0.5)": apart.map(|d| d.metres), "distance": distance, "peak_mb": memory("VmHWM:"),
        })
    );
    Ok(())
}
