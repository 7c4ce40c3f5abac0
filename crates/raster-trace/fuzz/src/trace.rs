//! Bytes as the pixels of a small picture: the first two are its size, those left its rows. What is found lies within, and is finite.
use raster_trace::{Limits, Options, read, trace};

/// One input.
pub fn run(bytes: &[u8]) {
    let [width, height, pixels @ ..] = bytes else { return };
    let (width, height) = (u32::from(*width) % 160 + 1, u32::from(*height) % 160 + 1);
    let count = (width * height) as usize;
    // few bytes are repeated, so that there is more than paper
    let rows: Vec<u8> = if pixels.is_empty() {
        vec![255; count]
    } else {
        pixels.iter().copied().cycle().take(count).collect()
    };
    let Some(file) = encode(width, height, &rows) else { unreachable!("a picture is written") };
    let Ok(picture) = read(&file, &Limits::default()) else { unreachable!("what is written is read") };
    let Ok(found) = trace(&picture, &Options::default()) else {
        unreachable!("without a scale nothing is refused")
    };
    let most = f64::from(width.max(height)) * 3.0 + 200.0;
    let points = found
        .segments
        .iter()
        .flat_map(|own| [own.start, own.end])
        .chain(found.walls.iter().flat_map(|own| [own.start, own.end]));
    for point in points.flatten() {
        assert!(point.is_finite() && point.abs() < most, "{point}");
    }
}

fn encode(width: u32, height: u32, rows: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(rows).ok()?;
    writer.finish().ok()?;
    Some(file)
}
