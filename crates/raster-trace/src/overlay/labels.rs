//! Ids on plates, placed so that they do not lie on each other.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use tiny_skia::{Pixmap, PremultipliedColorU8};

const HEIGHT: i64 = 16;

pub(super) struct Labels {
    width: i64,
    height: i64,
    taken: Vec<[i64; 4]>,
}

impl Labels {
    pub fn new(width: u32, height: u32) -> Self {
        Self { width: i64::from(width), height: i64::from(height), taken: Vec::new() }
    }

    /// Writes an id near a point; where there is no room it is left out.
    pub fn write(&mut self, map: &mut Pixmap, text: &str, at: (f32, f32), ink: [u8; 3]) {
        let letter = get_raster_width(FontWeight::Regular, RasterHeight::Size16) as i64;
        let (wide, high) = (letter * text.len() as i64 + 2, HEIGHT);
        let (x, y) = (at.0 as i64 - wide / 2, at.1 as i64 - high / 2);
        let steps =
            [(0, 0), (0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, 1), (0, -2), (0, 2), (2, 0), (-2, 0)];
        let place =
            steps.iter().map(|(dx, dy)| [x + dx * (wide + 1), y + dy * (high + 1), wide, high]).find(|own| {
                let [left, top, wide, high] = *own;
                left >= 0
                    && top >= 0
                    && left + wide <= self.width
                    && top + high <= self.height
                    && self.taken.iter().all(|other| {
                        left >= other[0] + other[2]
                            || other[0] >= left + wide
                            || top >= other[1] + other[3]
                            || other[1] >= top + high
                    })
            });
        let Some(own @ [left, top, wide, high]) = place else { return };
        self.taken.push(own);
        for v in 0..high {
            for u in 0..wide {
                self.mix(map, left + u, top + v, [255; 3], 205);
            }
        }
        for (n, letter_of) in text.chars().enumerate() {
            let Some(raster) = get_raster(letter_of, FontWeight::Regular, RasterHeight::Size16) else {
                continue;
            };
            for (v, row) in raster.rows().enumerate() {
                for (u, dark) in row.iter().enumerate() {
                    self.mix(map, left + 1 + n as i64 * letter + u as i64, top + v as i64, ink, *dark);
                }
            }
        }
    }

    fn mix(&self, map: &mut Pixmap, x: i64, y: i64, colour: [u8; 3], part: u8) {
        if x < 0 || y < 0 || x >= self.width || y >= self.height {
            return;
        }
        let Some(own) = map.pixels_mut().get_mut((y * self.width + x) as usize) else { return };
        let blend = |from: u8, to: u8| {
            ((u32::from(from) * u32::from(255 - part) + u32::from(to) * u32::from(part)) / 255) as u8
        };
        let [r, g, b] = colour;
        let mixed = PremultipliedColorU8::from_rgba(
            blend(own.red(), r),
            blend(own.green(), g),
            blend(own.blue(), b),
            255,
        );
        if let Some(mixed) = mixed {
            *own = mixed;
        }
    }
}
