//! Pictures of pixels on pages, read with bounds.

use crate::error::Error;
use std::io::Cursor;

/// The most pixels that a picture may have.
const MANY: u64 = 64 << 20;

/// A picture that is read: red, green, blue and opacity, each row from the left.
pub(crate) struct Pixels {
    /// Pixels across.
    pub(crate) width: u32,
    /// Pixels down.
    pub(crate) height: u32,
    /// Four bytes for each, not multiplied by the opacity.
    pub(crate) bytes: Vec<u8>,
}

fn fail(reason: impl ToString) -> Error {
    Error::Picture { reason: reason.to_string() }
}

/// Reads the size of a picture, and that it is one.
pub(crate) fn size(bytes: &[u8]) -> Result<(u32, u32), Error> {
    let reader = reader(bytes)?;
    Ok((reader.info().width, reader.info().height))
}

/// Reads a picture.
pub(crate) fn read(bytes: &[u8]) -> Result<Pixels, Error> {
    let mut reader = reader(bytes)?;
    let size = reader.output_buffer_size().ok_or_else(|| fail("it has too many pixels"))?;
    let mut read = vec![0; size];
    let frame = reader.next_frame(&mut read).map_err(fail)?;
    let (width, height) = (frame.width, frame.height);
    let own = read.get(..frame.buffer_size()).unwrap_or(&read);
    let bytes = match frame.color_type {
        png::ColorType::Rgba => own.to_vec(),
        png::ColorType::Rgb => {
            each(own, 3, |pixel| if let [r, g, b] = *pixel { [r, g, b, 255] } else { [0; 4] })
        }
        png::ColorType::GrayscaleAlpha => {
            each(own, 2, |pixel| if let [grey, a] = *pixel { [grey, grey, grey, a] } else { [0; 4] })
        }
        png::ColorType::Grayscale => {
            each(own, 1, |pixel| if let [grey] = *pixel { [grey, grey, grey, 255] } else { [0; 4] })
        }
        png::ColorType::Indexed => return Err(fail("its colours are not resolved")),
    };
    Ok(Pixels { width, height, bytes })
}

fn each(bytes: &[u8], size: usize, colour: impl Fn(&[u8]) -> [u8; 4]) -> Vec<u8> {
    bytes.chunks_exact(size).flat_map(colour).collect()
}

fn reader(bytes: &[u8]) -> Result<png::Reader<Cursor<&[u8]>>, Error> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: 1 << 30 });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(fail)?;
    let (width, height) = (header.width, header.height);
    if u64::from(width) * u64::from(height) > MANY {
        return Err(fail(format!("it has {width} by {height} pixels, more than {MANY}")));
    }
    decoder.read_info().map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(colour: png::ColorType, bytes: &[u8]) -> Vec<u8> {
        let mut written = Vec::new();
        let mut encoder = png::Encoder::new(&mut written, 2, 1);
        encoder.set_color(colour);
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
        written
    }

    #[test]
    fn pictures_of_every_kind_are_read_with_opacity() {
        let read = |colour, bytes: &[u8]| super::read(&png(colour, bytes)).unwrap().bytes;
        assert_eq!(read(png::ColorType::Rgb, &[1, 2, 3, 4, 5, 6]), [1, 2, 3, 255, 4, 5, 6, 255]);
        assert_eq!(read(png::ColorType::Grayscale, &[7, 9]), [7, 7, 7, 255, 9, 9, 9, 255]);
        assert_eq!(read(png::ColorType::GrayscaleAlpha, &[7, 1, 9, 2]), [7, 7, 7, 1, 9, 9, 9, 2]);
        assert_eq!(read(png::ColorType::Rgba, &[1, 2, 3, 4, 5, 6, 7, 8]), [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn what_is_no_picture_or_too_large_is_refused() {
        assert!(read(b"").is_err() && size(b"\x89PNG").is_err() && read(b"JFIF....").is_err());
        let good = png(png::ColorType::Rgb, &[0; 6]);
        assert!(read(good.get(..good.len() - 20).unwrap()).is_err());
        let mut written = Vec::new();
        let _ = png::Encoder::new(&mut written, 60_000, 60_000).write_header().unwrap();
        assert!(size(&written).unwrap_err().to_string().contains("60000 by 60000 pixels"));
    }
}
