//! Pictures with a trace over them.

use crate::{Limits, Options, overlay, read, trace};

fn png(width: u32, height: u32, grey: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    let pixels: Vec<u8> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| grey(x, y)).collect();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    out
}

fn size(bytes: &[u8]) -> (u32, u32) {
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (side(16), side(20))
}

#[test]
fn the_longest_side_is_what_models_are_shown() {
    for (width, height, wanted) in
        [(4000, 1000, (1568, 392)), (1200, 600, (1200, 600)), (300, 300, (900, 900)), (1, 1, (900, 900))]
    {
        let picture = read(&png(width, height, |_, _| 255), &Limits::default()).unwrap();
        let found = trace(&picture, &Options::default()).unwrap();
        assert_eq!(size(&overlay(&picture, &found).unwrap()), wanted);
    }
}

#[test]
fn walls_are_drawn_in_colour_where_they_are() {
    // four filled walls
    let is_wall = |x: u32, y: u32| {
        let within = |n: u32, from: u32, to: u32| (from..to).contains(&n);
        (within(x, 100, 1100) && within(y, 100, 900)) && !(within(x, 120, 1080) && within(y, 120, 880))
    };
    let picture =
        read(&png(1200, 1000, |x, y| if is_wall(x, y) { 0 } else { 255 }), &Limits::default()).unwrap();
    let found = trace(&picture, &Options::default()).unwrap();
    assert_eq!(found.walls.len(), 4, "{:#?}", found.walls);
    let drawn = overlay(&picture, &found).unwrap();
    let map = read(&drawn, &Limits::default()).unwrap();
    let [red, _, blue] = map.colours.at(300, 110);
    assert!(blue > red + 60, "{red} {blue}");
    assert_eq!(map.colours.at(20, 20), [255; 3]);
}
