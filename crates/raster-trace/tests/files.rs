//! Files of every kind that is read, damaged ones, and ones that are too large.

#![allow(clippy::unwrap_used)] // helpers of tests

use raster_trace::{Error, Format, Limits, Options, Picture, Scale, read, trace};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/picture")
}

fn seed(name: &str) -> Vec<u8> {
    fs::read(folder().join(name)).unwrap()
}

fn read_all(bytes: &[u8]) -> Picture {
    read(bytes, &Limits::default()).unwrap()
}

fn encode(width: u32, height: u32, colour: png::ColorType, depth: png::BitDepth, rows: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == png::ColorType::Indexed {
        encoder.set_palette(vec![255, 255, 255, 0, 0, 0]);
        encoder.set_trns(vec![255, 255]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(rows).unwrap();
    writer.finish().unwrap();
    out
}

/// A bar of 300 by 20 pixels at (50, 100) on 400 by 200, as one sample to a pixel: true for ink.
fn is_ink(x: u32, y: u32) -> bool {
    (50..350).contains(&x) && (100..120).contains(&y)
}

fn rows(sample: impl Fn(bool) -> Vec<u8>) -> Vec<u8> {
    (0..200).flat_map(|y| (0..400).map(move |x| is_ink(x, y))).flat_map(sample).collect()
}

fn check(bytes: &[u8]) {
    let picture = read_all(bytes);
    let found = trace(&picture, &Options::default()).unwrap();
    let [first, ..] = found.segments.as_slice() else { panic!("{found:?}") };
    assert!((first.thickness - 20.0).abs() < 1.5, "{first:?}");
    let mut ends = [first.start, first.end];
    ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
    for (end, wanted) in ends.iter().zip([[50.0, 110.0], [350.0, 110.0]]) {
        assert!((end[0] - wanted[0]).abs() < 3.0 && (end[1] - wanted[1]).abs() < 1.0, "{first:?}");
    }
}

#[test]
fn png_of_every_colour_type_and_depth_is_read() {
    use png::BitDepth::{Eight, One, Sixteen};
    use png::ColorType::{Grayscale, GrayscaleAlpha, Indexed, Rgb, Rgba};
    let grey = |ink: bool| if ink { 0_u8 } else { 255 };
    check(&encode(400, 200, Grayscale, Eight, &rows(|ink| vec![grey(ink)])));
    check(&encode(400, 200, Grayscale, Sixteen, &rows(|ink| vec![grey(ink); 2])));
    check(&encode(400, 200, Rgb, Eight, &rows(|ink| vec![grey(ink); 3])));
    check(&encode(400, 200, Rgb, Sixteen, &rows(|ink| vec![grey(ink); 6])));
    // what is seen through is paper, whatever its colour
    check(&encode(400, 200, GrayscaleAlpha, Eight, &rows(|ink| vec![0, if ink { 255 } else { 0 }])));
    check(&encode(400, 200, Rgba, Eight, &rows(|ink| vec![0, 0, 0, if ink { 255 } else { 0 }])));
    check(&encode(
        400,
        200,
        Rgba,
        Sixteen,
        &rows(|ink| if ink { vec![0, 0, 0, 0, 0, 0, 255, 255] } else { vec![0; 8] }),
    ));
    let bits: Vec<u8> = rows(|ink| vec![u8::from(ink)])
        .chunks(8)
        .map(|own| own.iter().fold(0, |sum, bit| sum << 1 | bit))
        .collect();
    check(&encode(400, 200, Indexed, One, &bits));
    let inverse: Vec<u8> = bits.iter().map(|own| !own).collect();
    check(&encode(400, 200, Grayscale, One, &inverse));
    // yellow lines on white are seen
    check(&encode(400, 200, Rgb, Eight, &rows(|ink| if ink { vec![255, 230, 0] } else { vec![255; 3] })));
}

#[test]
fn every_seed_is_a_picture_of_one_bar_or_is_refused() {
    for (name, format) in [
        ("interlaced.png", Format::Png),
        ("grey.jpg", Format::Jpeg),
        ("colour.jpg", Format::Jpeg),
        ("progressive.jpg", Format::Jpeg),
        ("cmyk.jpg", Format::Jpeg),
        ("turned.jpg", Format::Jpeg),
    ] {
        let bytes = seed(name);
        let picture = read_all(&bytes);
        assert_eq!((picture.format, picture.width, picture.height), (format, 400, 200), "{name}");
        assert!(picture.problems.is_empty(), "{name}: {:?}", picture.problems);
        check(&bytes);
    }
}

#[test]
fn damaged_files_are_read_in_part_or_refused() {
    for name in ["interlaced.png", "colour.jpg", "progressive.jpg"] {
        let bytes = seed(name);
        for n in 0..60 {
            let length = bytes.len() * n / 60;
            match read(&bytes[..length], &Limits::default()) {
                Ok(picture) => assert!(!picture.problems.is_empty(), "{name} cut to {length} bytes"),
                Err(error) => {
                    assert!(matches!(error, Error::Damaged { .. } | Error::Format { .. }), "{error}");
                }
            }
        }
    }
    let whole = encode(
        400,
        200,
        png::ColorType::Grayscale,
        png::BitDepth::Eight,
        &rows(|ink| vec![if ink { 0 } else { 255 }]),
    );
    let part = read_all(&whole[..whole.len() - 30]);
    assert!(part.problems[0].contains("rest"), "{:?}", part.problems);
}

#[test]
fn other_formats_are_named() {
    let begins = |bytes: &[u8]| read(bytes, &Limits::default()).unwrap_err().to_string();
    assert!(begins(b"%PDF-1.7").contains("PDF"));
    assert!(begins(b"").contains("empty"));
    assert!(begins(b"\x01\x02\x03\x04\x05").contains("01 02 03 04"));
}

#[test]
fn bombs_are_refused_by_their_header() {
    // a header alone: nothing is decoded
    let header = |width: u32, height: u32| {
        let mut chunk = b"IHDR".to_vec();
        chunk.extend(width.to_be_bytes());
        chunk.extend(height.to_be_bytes());
        chunk.extend([8, 2, 0, 0, 0]);
        let mut out = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
        out.extend(chunk);
        out.extend([0; 4]);
        out
    };
    for (width, height) in [(20_000, 20_000), (u32::MAX, u32::MAX), (1, 1_000_000_000)] {
        let error = read(&header(width, height), &Limits::default()).unwrap_err();
        assert!(matches!(error, Error::Pixels { .. }), "{error}");
        assert!(error.to_string().contains("make it smaller"));
    }
    let mut jpeg = seed("grey.jpg");
    let at = jpeg.windows(2).position(|own| own == [0xff, 0xc0]).unwrap();
    jpeg[at + 5..at + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    assert!(matches!(read(&jpeg, &Limits::default()), Err(Error::Pixels { .. })));
    let limits = Limits { bytes: 10, ..Limits::default() };
    assert!(matches!(read(&jpeg, &limits), Err(Error::Bytes { .. })));
}

#[test]
fn empty_black_and_tiny_pictures_have_nothing_and_say_so() {
    for (width, height, level) in
        [(1, 1, 0), (1, 1, 255), (500, 400, 0), (500, 400, 255), (2, 900, 0), (900, 1, 255)]
    {
        let rows = vec![level; width as usize * height as usize];
        let picture =
            read_all(&encode(width, height, png::ColorType::Grayscale, png::BitDepth::Eight, &rows));
        let found = trace(&picture, &Options::default()).unwrap();
        assert!(found.walls.is_empty() && found.segments.is_empty(), "{width} {height} {level}");
        assert!(found.problems[0].contains("nothing"), "{:?}", found.problems);
    }
}

#[test]
fn a_large_picture_is_worked_on_reduced_and_answered_in_its_own_pixels() {
    let (width, height) = (9000_u32, 2000_u32);
    let rows: Vec<u8> = (0..height)
        .flat_map(|y| {
            (0..width).map(move |x| if (900..8100).contains(&x) && (800..900).contains(&y) { 0 } else { 255 })
        })
        .collect();
    let picture = read_all(&encode(width, height, png::ColorType::Grayscale, png::BitDepth::Eight, &rows));
    let found = trace(&picture, &Options::default()).unwrap();
    let first = &found.segments[0];
    assert!((first.thickness - 100.0).abs() < 6.0, "{first:?}");
    assert!(
        (first.start[1] - 850.0).abs() < 3.0 && (first.start[0] - first.end[0]).abs() > 7150.0,
        "{first:?}"
    );
}

#[test]
fn a_scale_is_applied_or_refused() {
    let bytes = seed("grey.jpg");
    let with = |pixels, mm| {
        trace(&read_all(&bytes), &Options { scale: Some(Scale { pixels, mm }), ..Options::default() })
    };
    assert_eq!(with(100.0, 5000.0).unwrap().mm_per_pixel, Some(50.0));
    for (pixels, mm) in [(0.0, 1.0), (1.0, -1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (1e-300, 1e300)] {
        assert!(matches!(with(pixels, mm), Err(Error::Scale { .. })));
    }
    assert!(trace(&read_all(&bytes), &Options::default()).unwrap().mm_per_pixel.is_none());
}
