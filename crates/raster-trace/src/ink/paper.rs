//! The level of the paper, and how much darker than it each pixel is.

use crate::grid::Grid;
use rayon::prelude::*;

fn counts(values: impl Iterator<Item = u8>) -> [u64; 256] {
    let mut counts = [0; 256];
    for value in values {
        if let Some(count) = counts.get_mut(usize::from(value)) {
            *count += 1;
        }
    }
    counts
}

/// The value below which a part of all lies.
fn part(counts: &[u64; 256], share: f64) -> u8 {
    let total: u64 = counts.iter().sum();
    let mut seen = 0;
    for (value, count) in counts.iter().enumerate() {
        seen += count;
        if seen as f64 > share * total as f64 {
            return value as u8;
        }
    }
    255
}

/// True for light lines on dark: the median lies nearer to the dark end.
pub(super) fn is_inverted(grey: &Grid<u8>) -> bool {
    let counts = counts(grey.data.iter().copied());
    let (dark, middle, light) = (part(&counts, 0.002), part(&counts, 0.5), part(&counts, 0.998));
    light.saturating_sub(dark) >= 24 && middle - dark < light - middle
}

/// Darkness against the paper, 0 to 255; nothing where paper and ink differ less than `contrast`.
pub(super) fn darkness(grey: &Grid<u8>, contrast: u8) -> Option<Grid<u8>> {
    let lightest = grey.data.iter().copied().max().unwrap_or(0);
    let darkest = grey.data.iter().copied().min().unwrap_or(0);
    if lightest - darkest < contrast {
        return None;
    }
    let side = (grey.width.max(grey.height) / 40).max(16);
    let (across, down) = (grey.width.div_ceil(side), grey.height.div_ceil(side));
    let mut levels: Vec<u8> = (0..across * down)
        .into_par_iter()
        .map(|n| {
            let (left, top) = (n % across * side, n / across * side);
            let right = (left + side).min(grey.width);
            let rows = top..(top + side).min(grey.height);
            let values = rows.flat_map(|y| {
                grey.data.get(y * grey.width + left..y * grey.width + right).unwrap_or_default()
            });
            part(&counts(values.copied()), 0.75)
        })
        .collect();
    // what is filled is no paper: its level is that of what is about
    let lightest = levels.iter().copied().max().unwrap_or(0);
    let around = |levels: &[u8], n: usize, reach: i64| -> Vec<u8> {
        let (x, y) = ((n % across) as i64, (n / across) as i64);
        (-reach..=reach)
            .flat_map(|dy| (-reach..=reach).map(move |dx| (x + dx, y + dy)))
            .filter(|(x, y)| *x >= 0 && *y >= 0 && *x < across as i64 && *y < down as i64)
            .filter_map(|(x, y)| levels.get(y as usize * across + x as usize).copied())
            .collect()
    };
    let old = levels.clone();
    for (n, own) in levels.iter_mut().enumerate() {
        let mut near = around(&old, n, 2);
        near.sort_unstable();
        let usual = near.get(near.len() * 3 / 4).copied().unwrap_or(*own);
        if f64::from(*own) < 0.75 * f64::from(usual) {
            *own = usual;
        }
        if f64::from(*own) < 0.3 * f64::from(lightest) {
            *own = (f64::from(lightest) * 0.3) as u8;
        }
    }
    let smooth: Vec<f32> = (0..levels.len())
        .map(|n| {
            let near = around(&levels, n, 1);
            near.iter().map(|own| f32::from(*own)).sum::<f32>() / near.len().max(1) as f32
        })
        .collect();
    let level = |x: usize, y: usize| -> f32 {
        let u = ((x as f32 + 0.5) / side as f32 - 0.5).clamp(0.0, (across - 1) as f32);
        let v = ((y as f32 + 0.5) / side as f32 - 0.5).clamp(0.0, (down - 1) as f32);
        let (i, j) = (u as usize, v as usize);
        let (i1, j1) = ((i + 1).min(across - 1), (j + 1).min(down - 1));
        let at = |i: usize, j: usize| smooth.get(j * across + i).copied().unwrap_or(255.0);
        let (fu, fv) = (u - i as f32, v - j as f32);
        let top = at(i, j) * (1.0 - fu) + at(i1, j) * fu;
        let bottom = at(i, j1) * (1.0 - fu) + at(i1, j1) * fu;
        top * (1.0 - fv) + bottom * fv
    };
    // 255 for what is as light as the paper
    let mut relative = Grid::new(grey.width, grey.height);
    let width = grey.width;
    relative.data.par_chunks_exact_mut(width.max(1)).enumerate().for_each(|(y, row)| {
        for (x, own) in row.iter_mut().enumerate() {
            let value = f32::from(grey.at(x as i64, y as i64));
            *own = (value * 255.0 / level(x, y).max(1.0)).min(255.0) as u8;
        }
    });
    let own = counts(relative.data.iter().copied());
    let darkest = part(&own, 0.003);
    // one line on a large sheet is below each share of its pixels
    let darkest = if 255 - darkest < 100 { part(&own, 0.0003) } else { darkest };
    let range = 255 - darkest;
    if range < contrast {
        return None;
    }
    relative.data.par_iter_mut().for_each(|own| {
        *own = (u32::from(255 - *own) * 255 / u32::from(range)).min(255) as u8;
    });
    Some(relative)
}

/// The least darkness that noise does not reach: `left` is the deviation of what is left of it.
pub(super) fn least(left: f64) -> u8 {
    (46.0 + left * 2.5).clamp(46.0, 120.0) as u8
}

/// The darkness from which on there is ink, and that which ink has to reach somewhere.
pub(super) fn threshold(darkness: &Grid<u8>, least: u8) -> (u8, u8) {
    let counts = counts(darkness.data.iter().copied());
    let around = |at: usize| -> f64 {
        let own = counts.get(at.saturating_sub(8)..(at + 9).min(256)).unwrap_or_default();
        own.iter().sum::<u64>() as f64
    };
    let all: f64 = counts.iter().skip(usize::from(least)).sum::<u64>() as f64;
    // of two places that are nearly as empty, that nearer to a quarter: a line of one pixel may lie on two
    let cost = |at: usize| around(at) / all.max(1.0) + (at as f64 - 64.0).abs() / 255.0 * 0.3;
    let low = (usize::from(least)..=140).min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(64);
    (low as u8, (low + 28).min(200) as u8)
}
