//! Inner corners are darker, for less of the sky is seen from them.
//!
//! Measured on the distances of the picture alone: where two pixels on opposite sides are nearer, on average, than the one
//! between, that one lies in a hollow. Planes are not darkened, however they lean.

use super::{Picture, camera::Camera};
use rayon::prelude::*;

/// The distance to which a corner is felt, in metres.
const REACH: f64 = 0.9;

/// Half of the circle, for every pixel lies between two opposite ones; turned from pixel to pixel.
const DIRECTIONS: usize = 4;

/// The number of pairs in each direction.
const STEPS: usize = 3;

/// The side of the square within which directions are turned, and over which the result is averaged.
const TURN: usize = 4;

pub(super) fn darken(picture: &mut Picture, camera: &Camera, strength: f32) {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let depth = &picture.depth;
    let perspective = camera.is_perspective();
    // what is linear on a plane
    let linear = |z: f32| if perspective { 1.0 / z } else { -z };
    let hollow: Vec<f32> = (0..width * height)
        .into_par_iter()
        .with_min_len(width * 8)
        .map(|at| {
            let z = depth[at];
            if !z.is_finite() {
                return 0.0;
            }
            let (x, y) = ((at % width) as f64, (at / width) as f64);
            let pixels = REACH * camera.heights_per_metre(f64::from(z)) * height as f64;
            let radius = pixels.clamp(3.0, 60.0);
            let metres = (radius / pixels * REACH) as f32;
            let turned = ((at % width % TURN) * TURN + at / width % TURN) as f64 / (TURN * TURN) as f64;
            let own = linear(z);
            let to_metres = if perspective { z * z } else { 1.0 };
            let mut sum = 0.0;
            for direction in 0..DIRECTIONS {
                let angle = (direction as f64 + turned) * std::f64::consts::PI / DIRECTIONS as f64;
                let (dy, dx) = angle.sin_cos();
                for step in 1..=STEPS {
                    let away = radius * (step as f64 - 0.5 * turned) / STEPS as f64;
                    let at = |sign: f64| {
                        let (i, j) = ((x + sign * dx * away).round(), (y + sign * dy * away).round());
                        let inside = i >= 0.0 && j >= 0.0 && i < width as f64 && j < height as f64;
                        let there =
                            if inside { depth[j as usize * width + i as usize] } else { f32::INFINITY };
                        // what stands far before or behind has nothing to do with this corner
                        ((there - z).abs() < 2.5 * metres).then(|| linear(there))
                    };
                    if let (Some(a), Some(b)) = (at(1.0), at(-1.0)) {
                        let depth = (f32::midpoint(a, b) - own) * to_metres;
                        let level = metres * step as f32 / STEPS as f32;
                        sum += (depth / level - 0.02).clamp(0.0, 0.6);
                    }
                }
            }
            sum / (DIRECTIONS * STEPS) as f32
        })
        .collect();
    picture.rgba.par_chunks_mut(width * 4).enumerate().for_each(|(y, row)| {
        for (x, pixel) in row.chunks_exact_mut(4).enumerate() {
            let z = depth[y * width + x];
            if !z.is_finite() {
                continue;
            }
            let (mut sum, mut count) = (0.0, 0.0_f32);
            let half = TURN / 2;
            for j in y.saturating_sub(half)..(y + half).min(height) {
                for i in x.saturating_sub(half)..(x + half).min(width) {
                    let other = depth[j * width + i];
                    if (other - z).abs() < 0.02 * z.max(1.0) + 0.1 {
                        sum += hollow[j * width + i];
                        count += 1.0;
                    }
                }
            }
            let dark = 1.0 - (sum / count.max(1.0) * 2.2).min(0.75) * strength;
            for c in pixel.iter_mut().take(3) {
                *c = (f32::from(*c) * dark).round() as u8;
            }
        }
    });
}
