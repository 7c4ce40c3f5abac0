//! Pages as PNG, drawn with the outlines of the same glyphs as in PDF.

mod glyphs;
mod raster;

use crate::canvas::draw;
use crate::error::{Error, LARGEST};
use crate::page::Page;
use raster::Raster;

/// The most pixels of a picture: an A0 sheet at 200 to the inch.
const MANY: u64 = 64 << 20;

/// The size of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// Pixels to the inch.
    DotsPerInch(f64),
    /// Pixels across.
    Width(u32),
}

/// Draws a page on white, without opacity.
pub fn write(page: &Page, resolution: Resolution) -> Result<Vec<u8>, Error> {
    let _fonts = page.fonts.enter();
    let most = f64::from(LARGEST);
    let is_size = |length: f64| length > 0.0 && length <= most;
    if !is_size(page.size.x) || !is_size(page.size.y) {
        return Err(Error::Size { most: LARGEST });
    }
    // pixels to a mm
    let scale = match resolution {
        Resolution::DotsPerInch(dots) => dots / 25.4,
        Resolution::Width(width) => f64::from(width) / page.size.x,
    };
    let pixels = |length: f64| (length * scale).round().max(1.0);
    let (width, height) = (pixels(page.size.x), pixels(page.size.y));
    if !scale.is_finite() || scale <= 0.0 || width * height > MANY as f64 {
        return Err(Error::Pixels { width: width as u64, height: height as u64, most: MANY });
    }
    let too_many = Error::Pixels { width: width as u64, height: height as u64, most: MANY };
    let mut raster = Raster::new(width as u32, height as u32, scale).ok_or(too_many)?;
    draw(page, &mut raster)?;
    encode(&raster, scale)
}

fn encode(raster: &Raster, scale: f64) -> Result<Vec<u8>, Error> {
    let fail = |error: png::EncodingError| Error::Document { reason: error.to_string() };
    // all is drawn on white, so that nothing is seen through
    let is_grey =
        raster.pixels().iter().all(|pixel| pixel.red() == pixel.green() && pixel.green() == pixel.blue());
    let pixels: Vec<u8> = if is_grey {
        raster.pixels().iter().map(|pixel| pixel.red()).collect()
    } else {
        raster.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
    };
    let mut written = Vec::new();
    let (width, height) = raster.size();
    let mut encoder = png::Encoder::new(&mut written, width, height);
    encoder.set_color(if is_grey { png::ColorType::Grayscale } else { png::ColorType::Rgb });
    encoder.set_compression(png::Compression::Balanced);
    // mostly white, row for row: filters that suit photographs cost time and make it larger
    encoder.set_filter(png::Filter::NoFilter);
    let dots = (scale * 1000.0).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: dots, yppu: dots, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header().map_err(fail)?;
    writer.write_image_data(&pixels).map_err(fail)?;
    writer.finish().map_err(fail)?;
    Ok(written)
}
