//! Noise: its measure, pixels struck by salt or pepper, and blur against the rest.

use crate::grid::{AROUND, Grid};
use rayon::prelude::*;

/// The standard deviation of noise in grey values (Immerkær 1996, by the median, so that lines do not count).
pub(super) fn deviation(grey: &Grid<u8>) -> f64 {
    let mut counts = vec![0_u64; 2048];
    let step = (grey.data.len() / 2_000_000).max(1);
    let mut total = 0_u64;
    for y in (1..grey.height.saturating_sub(1)).step_by(step) {
        for x in 1..grey.width.saturating_sub(1) {
            let (x, y) = (x as i64, y as i64);
            let at = |dx: i64, dy: i64| i32::from(grey.at(x + dx, y + dy));
            let edges = at(0, -1) + at(0, 1) + at(-1, 0) + at(1, 0);
            let corners = at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1);
            let value = (corners - 2 * edges + 4 * at(0, 0)).unsigned_abs() as usize;
            if let Some(count) = counts.get_mut(value) {
                *count += 1;
            }
            total += 1;
        }
    }
    let mut seen = 0;
    for (value, count) in counts.iter().enumerate() {
        seen += count;
        if seen * 2 >= total {
            return value as f64 / (6.0 * 0.6745);
        }
    }
    0.0
}

/// The least difference to its surroundings by which a pixel is struck.
const STRUCK: i32 = 56;

/// Gives pixels that are unlike nearly all around them the median of these. Lines keep theirs: their pixels have two neighbours alike.
/// Answers the share of pixels that were mended; where that is next to nothing, nothing is changed.
pub(super) fn mend_struck(grey: &mut Grid<u8>) -> f64 {
    let mut share = 0.0;
    for round in 0..2 {
        let old = grey.clone();
        let mended: Vec<(usize, u8)> = (0..old.height)
            .into_par_iter()
            .flat_map_iter(|y| {
                let old = &old;
                (0..old.width).filter_map(move |x| Some((y * old.width + x, mend(old, x as i64, y as i64)?)))
            })
            .collect();
        let part = mended.len() as f64 / old.data.len().max(1) as f64;
        if round == 0 {
            share = part;
        }
        if part < 5e-4 {
            break;
        }
        for (at, value) in mended {
            if let Some(own) = grey.data.get_mut(at) {
                *own = value;
            }
        }
    }
    share
}

fn mend(grey: &Grid<u8>, x: i64, y: i64) -> Option<u8> {
    if x < 1 || y < 1 || x + 1 >= grey.width as i64 || y + 1 >= grey.height as i64 {
        return None;
    }
    let own = i32::from(grey.at(x, y));
    // most pixels are like the one beside them
    if (own - i32::from(grey.at(x - 1, y))).abs() < STRUCK
        && (own - i32::from(grey.at(x + 1, y))).abs() < STRUCK
    {
        return None;
    }
    let mut around = AROUND.map(|(dx, dy)| grey.at(x + dx, y + dy));
    around.sort_unstable();
    let median = around.get(4).copied()?;
    let away = i32::from(median) - own;
    // a line runs on to either side, darker or lighter: at its steps it is grey
    let alike = around
        .iter()
        .filter(|value| (i32::from(median) - i32::from(**value)) * away.signum() * 2 > away.abs());
    (away.abs() >= STRUCK && alike.count() <= 1).then_some(median)
}

/// A Gaussian blur.
pub(super) fn blur(grey: &Grid<u8>, radius: f64) -> Grid<u8> {
    let reach = (radius * 2.5).ceil() as i64;
    let weights: Vec<f64> =
        (-reach..=reach).map(|n| (-(n * n) as f64 / (2.0 * radius * radius)).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let weights: Vec<u32> = weights.iter().map(|own| (own / sum * 65536.0).round() as u32).collect();
    let (width, height) = (grey.width, grey.height);
    let pass = |from: &Grid<u8>, dx: i64, dy: i64| -> Grid<u8> {
        let mut to = Grid::new(width, height);
        to.data.par_chunks_exact_mut(width.max(1)).enumerate().for_each(|(y, row)| {
            for (x, own) in row.iter_mut().enumerate() {
                let mut sum = 32768_u32;
                for (n, weight) in weights.iter().enumerate() {
                    let step = n as i64 - reach;
                    let u = (x as i64 + dx * step).clamp(0, width as i64 - 1);
                    let v = (y as i64 + dy * step).clamp(0, height as i64 - 1);
                    sum += weight * u32::from(from.at(u, v));
                }
                *own = (sum >> 16).min(255) as u8;
            }
        });
        to
    };
    pass(&pass(grey, 1, 0), 0, 1)
}
