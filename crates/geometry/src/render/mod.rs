//! Pictures of shapes, drawn by the processor: for reports, for reviews of a change, and for agents that look at a model.
//!
//! A picture is colours, distances and element numbers by pixel. It is drawn in bands of rows, in parallel, and is the same for
//! the same shapes whatever the number of threads. Opaque faces go by depth and are lit from the sky and by a lamp over the
//! viewer's shoulder; corners that light hardly reaches are darker. Lines part elements and faces that meet at an angle: they
//! are found where neighbouring samples differ in element, depth or direction. Clear faces are sorted at every sample and laid
//! over each other from the far to the near, exactly.
//!
//! It casts no shadows and knows no textures. Lines as data for drawings are made by `view`.

mod band;
mod camera;
mod corners;
mod gather;
mod label;
mod lines;
mod picture;
mod setting;
mod stage;
#[cfg(test)]
mod tests;

pub use camera::{Camera, Named, Projection};
pub use label::{Label, Target};
pub use picture::Picture;
pub use setting::{Background, Setting};
pub use stage::{ADDED, CHANGED, HalfSpace, Item, Look, REMOVED, UNCHANGED, of_changes, of_scene};

use crate::scene::GoOn;
use band::{Band, Light};
use gather::{Facet, Sight};
use glam::DVec3;
use ifc::placement::unit;
use rayon::prelude::*;
use setting::behind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The least and the greatest width and height of a picture in pixels.
pub const SIDES: std::ops::RangeInclusive<u32> = 16..=8192;

/// The most triangles in a picture: some two hundred bytes each.
pub const MAX_FACETS: usize = 20_000_000;

/// Samples that a band has about.
const BAND: usize = 150_000;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The size is out of bounds.
    #[error("a picture is {} to {} pixels wide and high, with 1 to 4 samples along a pixel", SIDES.start(), SIDES.end())]
    Size,
    /// More triangles than are drawn at once.
    #[error("more than {MAX_FACETS} triangles are in the picture")]
    Triangles,
    /// It was ended.
    #[error("the picture was cancelled")]
    Cancelled,
    /// It could not be written as PNG.
    #[error("the picture could not be written: {0}")]
    Png(String),
}

/// Draws a picture. `go_on` is told how many steps (items and bands of rows) are done, of how many, from any thread; where it
/// answers no, the picture is cancelled.
pub fn draw(
    items: &[Item],
    camera: &Camera,
    setting: &Setting,
    go_on: GoOn<'_>,
) -> Result<Picture, PictureError> {
    if !SIDES.contains(&setting.width)
        || !SIDES.contains(&setting.height)
        || !(1..=4).contains(&setting.samples)
    {
        return Err(PictureError::Size);
    }
    let (width, height) = (setting.width as usize, setting.height as usize);
    let samples = setting.samples as usize;
    let rows = (BAND / (width * samples * samples)).clamp(1, height);
    let bands = height.div_ceil(rows);
    let steps = items.len() + bands;
    let done = AtomicUsize::new(0);
    let step = || {
        let at = done.fetch_add(1, Ordering::Relaxed) + 1;
        if go_on(at, steps) { Ok(()) } else { Err(PictureError::Cancelled) }
    };

    let facets = facets(items, &Sight::new(setting, camera), &step)?;
    let in_bands = by_band(&facets, rows * samples, bands);
    let light = light(camera, setting);
    let mut picture = Picture {
        width: setting.width,
        height: setting.height,
        rgba: vec![0; width * height * 4],
        depth: vec![f32::INFINITY; width * height],
        items: vec![0; width * height],
        elements: items.iter().map(|i| i.element).collect(),
    };
    let pieces = picture
        .rgba
        .par_chunks_mut(rows * width * 4)
        .zip(picture.depth.par_chunks_mut(rows * width))
        .zip(picture.items.par_chunks_mut(rows * width))
        .zip(&in_bands)
        .enumerate();
    pieces.try_for_each(|(number, (((rgba, depth), items), facets_in))| {
        step()?;
        let own_rows = depth.len() / width;
        let top = (number * rows * samples) as i64 - 1;
        let mut band = Band::new(&facets, &light, width * samples, top, own_rows * samples + 2);
        band.draw(facets_in, |row| behind(setting, row as f64 / (height * samples) as f64));
        resolve(&band, width, samples, rgba, depth, items);
        Ok(())
    })?;
    if setting.corners > 0.0 {
        corners::darken(&mut picture, camera, setting.corners.min(1.0));
    }
    label::write(&mut picture, items, camera, &setting.labels);
    Ok(picture)
}

fn facets(
    items: &[Item],
    sight: &Sight<'_>,
    step: &(impl Fn() -> Result<(), PictureError> + Sync),
) -> Result<Vec<Facet>, PictureError> {
    let count = AtomicUsize::new(0);
    let of = |(number, item): (usize, &Item)| {
        step()?;
        let mut own = Vec::new();
        sight.item(number as u32, item, &mut own);
        if count.fetch_add(own.len(), Ordering::Relaxed) + own.len() > MAX_FACETS {
            return Err(PictureError::Triangles);
        }
        Ok(own)
    };
    let all: Result<Vec<Vec<Facet>>, PictureError> = items.par_iter().enumerate().map(of).collect();
    Ok(all?.into_iter().flatten().collect())
}

/// The numbers of the facets that each band of so many rows of samples shows, with the row beyond each of its ends.
fn by_band(facets: &[Facet], rows: usize, bands: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new(); bands];
    for (number, facet) in (0..).zip(facets) {
        let [a, b, c] = facet.at.map(|p| p.y);
        let band = |y: f64| (y / rows as f64).floor().clamp(0.0, (bands - 1) as f64) as usize;
        let (low, high) = (band(a.min(b).min(c) - 2.0), band(a.max(b).max(c) + 2.0));
        all.iter_mut().take(high + 1).skip(low).for_each(|list: &mut Vec<u32>| list.push(number));
    }
    all
}

fn light(camera: &Camera, setting: &Setting) -> Light {
    // over the viewer's left shoulder
    let lamp = camera.right() * -0.55 + camera.up() * 0.55 + camera.back() * 0.65;
    let lamp: DVec3 = unit(lamp).unwrap_or(DVec3::Z);
    let step = 1.0 / (camera.heights_per_metre(1.0) * f64::from(setting.height * setting.samples));
    Light {
        lamp: lamp.as_vec3(),
        back: camera.back().as_vec3(),
        edges: setting.edges,
        perspective: camera.is_perspective(),
        step,
        crease: setting.crease.cos() as f32,
    }
}

/// Samples become pixels.
fn resolve(
    band: &Band<'_>,
    width: usize,
    samples: usize,
    rgba: &mut [u8],
    depth: &mut [f32],
    items: &mut [u32],
) {
    let wide = width * samples;
    let share = 1.0 / (samples * samples) as f32;
    for (at, ((pixel, depth), item)) in rgba.chunks_exact_mut(4).zip(depth).zip(items).enumerate() {
        let (x, y) = (at % width, at / width);
        // one row of samples more at the top
        let first = (y * samples + 1) * wide + x * samples;
        let mut sum = [0.0_f32; 4];
        for row in 0..samples {
            for c in band.colour.iter().skip(first + row * wide).take(samples) {
                for i in 0..3 {
                    sum[i] += c[i] * c[3];
                }
                sum[3] += c[3];
            }
        }
        let cover = sum[3].max(1e-6);
        for i in 0..3 {
            pixel[i] = (sum[i] / cover).round().clamp(0.0, 255.0) as u8;
        }
        pixel[3] = (sum[3] * share * 255.0).round().clamp(0.0, 255.0) as u8;
        let middle = first + (samples / 2) * wide + samples / 2;
        *depth = band.away.get(middle).copied().unwrap_or(f32::INFINITY);
        *item = band.item.get(middle).copied().unwrap_or(0);
    }
}
