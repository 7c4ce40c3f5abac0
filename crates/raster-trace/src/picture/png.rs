//! PNG of every colour type, depth and interlace, over white.

use super::reduce::Reducer;
use super::{Format, Limits, Picture, exif, finish, resolution, weigh};
use crate::error::Error;
use png::{ColorType, Decoder, Transformations};
use std::io::Cursor;

fn damaged(reason: impl std::fmt::Display) -> Error {
    Error::Damaged { format: "PNG", reason: reason.to_string() }
}

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Picture, Error> {
    // the header's chunk is the first, of a fixed length
    let side = |at: usize| -> Option<u64> {
        Some(u64::from(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?)))
    };
    if let (Some(width), Some(height)) = (side(16), side(20)) {
        weigh(width, height, limits)?;
    }
    let own = png::Limits { bytes: usize::try_from(limits.pixels).unwrap_or(usize::MAX).saturating_mul(8) };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), own);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let info = reader.info();
    let (width, height, interlaced) = (info.width, info.height, info.interlaced);
    let orientation = info.exif_metadata.as_deref().map_or(1, exif::orientation);
    let dots_per_inch = info
        .pixel_dims
        .filter(|own| own.unit == png::Unit::Meter)
        .and_then(|own| resolution(f64::from(own.xppu) * 0.0254, f64::from(own.yppu) * 0.0254));
    weigh(u64::from(width), u64::from(height), limits)?;
    let (colour, _) = reader.output_color_type();
    let samples = colour.samples();
    let mut reducer = Reducer::new(width, height, limits);
    let mut problems = Vec::new();
    if interlaced {
        let size = reader.output_buffer_size().ok_or_else(|| damaged("its size is no size"))?;
        // of what is not there the paper is white
        let mut buffer = vec![255; size];
        if let Err(error) = reader.next_frame(&mut buffer) {
            problems.push(format!("the PNG ends early or is damaged: {error}"));
        }
        for row in buffer.chunks_exact((width as usize * samples).max(1)) {
            reducer.push(over_white(row, colour));
        }
    } else {
        loop {
            match reader.next_row() {
                Ok(Some(row)) => reducer.push(over_white(row.data(), colour)),
                Ok(None) => break,
                Err(error) => {
                    problems.push(format!(
                        "the PNG is damaged after row {} of {height}: {error}; the rest is taken as empty paper",
                        reducer.rows()
                    ));
                    break;
                }
            }
        }
        if reducer.rows() == 0 {
            return Err(damaged(problems.pop().unwrap_or_else(|| "it has no rows".into())));
        }
    }
    Ok(finish(reducer, Format::Png, orientation, dots_per_inch, problems))
}

fn over_white(row: &[u8], colour: ColorType) -> impl Iterator<Item = [u8; 3]> {
    let samples = colour.samples();
    row.chunks_exact(samples).map(move |pixel| {
        let (colours, opacity) = match *pixel {
            [grey] => ([grey; 3], 255),
            [grey, opacity] => ([grey; 3], opacity),
            [r, g, b] => ([r, g, b], 255),
            [r, g, b, opacity] => ([r, g, b], opacity),
            _ => ([255; 3], 255),
        };
        if opacity == 255 {
            return colours;
        }
        let (part, rest) = (u32::from(opacity), 255 - u32::from(opacity));
        colours.map(|value| ((u32::from(value) * part + 255 * rest + 127) / 255) as u8)
    })
}
