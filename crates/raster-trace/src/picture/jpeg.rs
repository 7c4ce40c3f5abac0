//! JPEG: grey, YCbCr, CMYK, baseline and progressive, upright by its Exif orientation.

use super::reduce::Reducer;
use super::{Format, Limits, Picture, exif, finish, resolution, weigh};
use crate::error::Error;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

fn damaged(reason: impl std::fmt::Display) -> Error {
    Error::Damaged { format: "JPEG", reason: reason.to_string() }
}

/// Scans of a progressive file: each is as much work as a whole picture, so that many small ones are a bomb.
const SCANS: usize = 64;

struct Decoded {
    width: u32,
    height: u32,
    orientation: u8,
    samples: usize,
    bytes: Vec<u8>,
}

fn decode(bytes: &[u8], limits: &Limits, is_strict: bool) -> Result<Decoded, Error> {
    let options = DecoderOptions::new_safe()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_max_scans(SCANS)
        .set_strict_mode(is_strict);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let info = decoder.info().ok_or_else(|| damaged("it has no header"))?;
    weigh(u64::from(info.width), u64::from(info.height), limits)?;
    let is_grey = matches!(decoder.input_colorspace(), Some(ColorSpace::Luma));
    let out = if is_grey { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(decoder.options().jpeg_set_out_colorspace(out));
    let orientation = decoder.exif().map_or(1, |block| exif::orientation(block));
    let bytes = decoder.decode().map_err(damaged)?;
    Ok(Decoded {
        width: u32::from(info.width),
        height: u32::from(info.height),
        orientation,
        samples: if is_grey { 1 } else { 3 },
        bytes,
    })
}

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Picture, Error> {
    let mut problems = Vec::new();
    let decoded = match decode(bytes, limits, true) {
        Ok(decoded) => decoded,
        Err(error @ Error::Pixels { .. }) => return Err(error),
        Err(strict) => {
            let decoded = decode(bytes, limits, false)?;
            problems.push(format!("{strict}; what could be read of it is traced"));
            decoded
        }
    };
    let dots_per_inch = density(bytes);
    let Decoded { width, height, orientation, samples, bytes } = decoded;
    if width == 0 || height == 0 || bytes.len() < width as usize * samples {
        return Err(damaged("it holds no rows"));
    }
    let mut reducer = Reducer::new(width, height, limits);
    for row in bytes.chunks_exact(width as usize * samples) {
        reducer.push(row.chunks_exact(samples).map(|pixel| match *pixel {
            [grey] => [grey; 3],
            [r, g, b] => [r, g, b],
            _ => [255; 3],
        }));
    }
    Ok(finish(reducer, Format::Jpeg, orientation, dots_per_inch, problems))
}

/// Dots to the inch by the JFIF header, which is the first segment (ISO/IEC 10918-5, 10.1).
fn density(bytes: &[u8]) -> Option<f64> {
    let [0xff, 0xd8, 0xff, 0xe0, _, _, b'J', b'F', b'I', b'F', 0, _, _, unit, rest @ ..] = bytes else {
        return None;
    };
    let [a, b, c, d, ..] = *rest else { return None };
    let to_the_inch = match unit {
        1 => 1.0,
        2 => 2.54,
        _ => return None,
    };
    let dots = |high, low| f64::from(u16::from_be_bytes([high, low])) * to_the_inch;
    resolution(dots(a, b), dots(c, d))
}
