//! A picture that was drawn, and its bytes as PNG.

use super::PictureError;
use ifc::Id;

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
    /// The item that each pixel shows: its place in the list and one; nought where nothing is.
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
