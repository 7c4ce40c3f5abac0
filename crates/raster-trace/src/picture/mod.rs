//! Files as pictures: PNG and JPEG, upright, over white, reduced to what is worked on.
//!
//! A file is weighed by what its header says before anything is decoded. Rows are reduced by a whole factor while they are
//! read, so that a large scan takes no more memory than a small one. What a damaged file still holds is read, and told as a problem.

mod exif;
mod jpeg;
mod png;
mod reduce;

use crate::error::Error;
use crate::grid::Grid;

/// The most that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Pixels of the picture: by default an A0 sheet at 300 to the inch, and some.
    pub pixels: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// The longest side in pixels that is worked on; larger pictures are reduced by a whole factor.
    pub longest_side: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pixels: 150_000_000, bytes: 256 << 20, longest_side: 4200 }
    }
}

/// A format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Format {
    /// ISO/IEC 15948.
    Png,
    /// ISO/IEC 10918-1.
    Jpeg,
}

/// A picture as it is seen: upright, without opacity.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Pixels across, as seen.
    pub width: u32,
    /// Pixels down, as seen.
    pub height: u32,
    /// The format that it was read from.
    pub format: Format,
    /// Dots to the inch, where the file says it and both directions have the same.
    pub dots_per_inch: Option<f64>,
    /// Pixels of the picture to one that is worked on.
    pub(crate) factor: u32,
    pub(crate) colours: Grid<[u8; 3]>,
    /// The faults of the file, in words.
    pub problems: Vec<String>,
}

/// The size that a header names, checked before anything is decoded.
fn weigh(width: u64, height: u64, limits: &Limits) -> Result<(), Error> {
    if width.saturating_mul(height) > limits.pixels || width > 1 << 17 || height > 1 << 17 {
        return Err(Error::Pixels { width, height, most: limits.pixels });
    }
    Ok(())
}

/// Reads a file.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Picture, Error> {
    if bytes.len() as u64 > limits.bytes {
        return Err(Error::Bytes { bytes: bytes.len() as u64, most: limits.bytes });
    }
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return png::read(bytes, limits);
    }
    if bytes.starts_with(&[0xff, 0xd8]) {
        return jpeg::read(bytes, limits);
    }
    let known = [
        (&b"%PDF"[..], "%PDF, a PDF"),
        (b"GIF8", "GIF8, a GIF"),
        (b"II*\0", "II*, a TIFF"),
        (b"MM\0*", "MM, a TIFF"),
        (b"BM", "BM, a bitmap"),
        (b"RIFF", "RIFF, perhaps WebP"),
        (b"<", "<, perhaps SVG"),
    ];
    let begins = known.iter().find(|(start, _)| bytes.starts_with(start)).map_or_else(
        || match bytes.get(..bytes.len().min(4)) {
            Some([]) | None => "nothing, it is empty".to_owned(),
            Some(start) => start.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "),
        },
        |(_, name)| (*name).to_owned(),
    );
    Err(Error::Format { begins })
}

/// Dots to the inch, or nothing where both directions differ or are none.
fn resolution(across: f64, down: f64) -> Option<f64> {
    let is_one = (across - down).abs() <= 0.01 * across.max(down);
    (is_one && (1.0..100_000.0).contains(&across)).then_some(f64::midpoint(across, down))
}

/// Puts a reduced picture together.
fn finish(
    reducer: reduce::Reducer,
    format: Format,
    orientation: u8,
    dots_per_inch: Option<f64>,
    problems: Vec<String>,
) -> Picture {
    let (mut width, mut height, factor) = (reducer.width, reducer.height, reducer.factor);
    let colours = exif::turn(reducer.finish(), orientation);
    if orientation >= 5 {
        (width, height) = (height, width);
    }
    Picture { width, height, format, dots_per_inch, factor, colours, problems }
}

impl Picture {
    /// The grey values that lines are looked for in: between luma and the darkest channel, so that yellow lines are seen on white.
    pub(crate) fn grey(&self) -> Grid<u8> {
        let data = self
            .colours
            .data
            .iter()
            .map(|[r, g, b]| {
                let luma = (u32::from(*r) * 77 + u32::from(*g) * 151 + u32::from(*b) * 28) >> 8;
                ((luma * 2 + u32::from(*r.min(g).min(b))) / 3) as u8
            })
            .collect();
        Grid { width: self.colours.width, height: self.colours.height, data }
    }
}
