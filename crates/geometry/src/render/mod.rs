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
mod stage;
#[cfg(test)]
mod tests;

pub use camera::{Camera, Named, Projection};
pub use label::{Label, Target};
pub use stage::{ADDED, CHANGED, HalfSpace, Item, Look, REMOVED, UNCHANGED, of_changes, of_scene};

use crate::{
    math::{P3, add, scale, unit},
    scene::GoOn,
    style::Colour,
};
use band::{Band, Light, single};
use gather::{Facet, Sight};
use ifc::Id;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The least and the greatest width and height of a picture in pixels.
pub const SIDES: std::ops::RangeInclusive<u32> = 16..=8192;

/// The most triangles in a picture: some two hundred bytes each.
pub const MAX_FACETS: usize = 20_000_000;

/// Samples that a band has about.
const BAND: usize = 150_000;

/// What lies behind everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// One colour; clear where its opacity is nought.
    Plain(Colour),
    /// From the top of the picture to its bottom.
    Fading(Colour, Colour),
}

/// How a picture is to be.
#[derive(Debug, Clone)]
pub struct Setting {
    /// In pixels, see [`SIDES`].
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// What lies behind everything.
    pub background: Background,
    /// Whether lines are drawn.
    pub edges: bool,
    /// The angle between two faces, in radians, from which a line parts them.
    pub crease: f64,
    /// Samples along a pixel's side, 1 to 4: so many squared are averaged.
    pub samples: u32,
    /// How dark inner corners are: nothing to one.
    pub corners: f32,
    /// What is drawn lies in all of these.
    pub clip: Vec<HalfSpace>,
    /// The colour of what they cut; without one, a darker colour of the element's own.
    pub cut_colour: Option<Colour>,
    /// The colour of elements that are shown faintly.
    pub ghost: Colour,
    /// What is written on it.
    pub labels: Vec<Label>,
}

impl Setting {
    /// A picture of a size, with lines, on a light ground.
    pub fn new(width: u32, height: u32) -> Setting {
        Setting {
            width,
            height,
            background: Background::Fading([236, 241, 246, 255], [252, 252, 250, 255]),
            edges: true,
            crease: 28_f64.to_radians(),
            samples: 2,
            corners: 0.5,
            clip: Vec::new(),
            cut_colour: None,
            ghost: [150, 156, 164, 26],
            labels: Vec::new(),
        }
    }

    /// Width over height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.width) / f64::from(self.height.max(1))
    }
}

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

/// A picture. All buffers go by rows from the top left.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Red, green, blue and opacity (sRGB), four bytes a pixel.
    pub rgba: Vec<u8>,
    /// Metres from the eye along the line of sight's middle direction; infinite where nothing is.
    pub depth: Vec<f32>,
    /// Which item each pixel shows: its place in the list and one; nought where nothing is.
    pub items: Vec<u32>,
    /// The elements of the items in the list.
    pub elements: Vec<Id>,
}

impl Picture {
    /// The element at a pixel from the top left.
    pub fn element_at(&self, x: u32, y: u32) -> Option<Id> {
        if x >= self.width {
            return None;
        }
        let item = *self.items.get(y as usize * self.width as usize + x as usize)?;
        self.elements.get((item as usize).checked_sub(1)?).copied()
    }

    /// As PNG; without opacity where all is opaque.
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        let failed = |e: png::EncodingError| PictureError::Png(e.to_string());
        let opaque = self.rgba.chunks_exact(4).all(|p| p[3] == 255);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header().map_err(failed)?;
        if opaque {
            let rgb: Vec<u8> = self.rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
            writer.write_image_data(&rgb).map_err(failed)?;
        } else {
            writer.write_image_data(&self.rgba).map_err(failed)?;
        }
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }
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
        let [a, b, c] = facet.at.map(|p| p[1]);
        let band = |y: f64| (y / rows as f64).floor().clamp(0.0, (bands - 1) as f64) as usize;
        let (low, high) = (band(a.min(b).min(c) - 2.0), band(a.max(b).max(c) + 2.0));
        all.iter_mut().take(high + 1).skip(low).for_each(|list: &mut Vec<u32>| list.push(number));
    }
    all
}

fn light(camera: &Camera, setting: &Setting) -> Light {
    // over the viewer's left shoulder
    let lamp = add(add(scale(camera.right(), -0.55), scale(camera.up(), 0.55)), scale(camera.back(), 0.65));
    let lamp: P3 = unit(lamp).unwrap_or([0.0, 0.0, 1.0]);
    let step = 1.0 / (camera.heights_per_metre(1.0) * f64::from(setting.height * setting.samples));
    Light {
        lamp: single(lamp),
        back: single(camera.back()),
        edges: setting.edges,
        perspective: camera.is_perspective(),
        step,
        crease: setting.crease.cos() as f32,
    }
}

/// The background at a share of the picture's height from the top.
fn behind(setting: &Setting, down: f64) -> [f32; 4] {
    let mixed = match setting.background {
        Background::Plain(colour) => colour.map(f32::from),
        Background::Fading(top, bottom) => {
            let t = down.clamp(0.0, 1.0) as f32;
            [0, 1, 2, 3].map(|i| f32::from(top[i]) + (f32::from(bottom[i]) - f32::from(top[i])) * t)
        }
    };
    [mixed[0], mixed[1], mixed[2], mixed[3] / 255.0]
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
