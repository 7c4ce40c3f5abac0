//! Places in mm, the scale, and what is no wall, on drawings of this project and on a box that is drawn here.

#![allow(clippy::unwrap_used)] // helpers of tests

use raster_trace::{
    Error, GapKind, Limits, Options, Picture, RegionKind, Scale, Subject, Trace, read, trace,
};

/// The plan of an office at 1:200 as this project draws it.
fn office() -> Picture {
    read(include_bytes!("pictures/office-plan-200.png"), &Limits::default()).unwrap()
}

fn with(picture: &Picture, scale: Option<Scale>) -> Trace {
    trace(picture, &Options { scale, ..Options::default() }).unwrap()
}

fn scale_questions(found: &Trace) -> usize {
    found.questions.iter().filter(|own| own.about == Subject::Scale).count()
}

#[test]
fn titles_scale_bars_and_columns_are_no_walls_and_thin_facades_are() {
    let found = with(&office(), None);
    // the building reaches from (188, 188) to (858, 598), the title and its bar lie below 780
    for wall in &found.walls {
        for [x, y] in [wall.start, wall.end] {
            assert!((185.0..862.0).contains(&x) && (185.0..602.0).contains(&y), "{wall:?}");
        }
    }
    assert!((9..=13).contains(&found.walls.len()), "{:#?}", found.walls);
    let is_south = |y: f64| (y - 596.0).abs() < 3.0;
    assert!(found.walls.iter().any(|own| {
        is_south(own.start[1]) && is_south(own.end[1]) && (own.end[0] - own.start[0]).abs() > 640.0
    }));
    let has_title = found
        .regions
        .iter()
        .any(|own| own.kind == RegionKind::Text && own.outline[0][1] > 780.0 && own.outline[1][0] > 200.0);
    assert!(has_title, "{:?}", found.regions);
}

#[test]
fn small_swings_in_thin_grey_lines_make_doors() {
    let found = with(&office(), None);
    for (x, y) in [(580.0, 264.0), (580.0, 523.0), (467.0, 523.0), (496.5, 450.0)] {
        let own = found.openings.iter().find(|own| {
            let middle = [0, 1].map(|n| f64::midpoint(own.start[n], own.end[n]));
            (middle[0] - x).hypot(middle[1] - y) < 4.0
        });
        assert!(own.is_some_and(|own| own.kind == GapKind::Door && own.confidence > 0.6), "{x} {y} {own:?}");
    }
}

#[test]
fn the_scale_is_asked_for_by_doors_that_agree_and_only_if_it_is_not_known() {
    let picture = office();
    let known = Scale::of_ratio("1:200", &picture).unwrap();
    let right = known.mm / known.pixels;
    assert!((right - 6000.0 / 130.0).abs() < 0.1, "{right}");
    let found = with(&picture, None);
    let proposed: Vec<f64> =
        found.questions.iter().filter_map(|own| own.proposal.as_ref()).map(|own| own.mm_per_pixel).collect();
    assert!(!proposed.is_empty());
    assert!(proposed.iter().all(|own| (own / right - 1.0).abs() < 0.25), "{proposed:?} for {right}");
    assert_eq!(scale_questions(&with(&picture, Some(known))), 0);
    assert_eq!(scale_questions(&with(&picture, Some(Scale { mm: known.mm * 5.0, ..known }))), 1);
}

#[test]
fn places_in_mm_are_from_the_lower_left_corner_of_the_walls_upwards() {
    let picture = office();
    let found = with(&picture, Some(Scale { pixels: 130.0, mm: 6000.0 }));
    let frame = found.frame.unwrap();
    assert!((frame.origin[0] - 190.0).abs() < 1.5 && (frame.origin[1] - 597.0).abs() < 2.0, "{frame:?}");
    let ends = || found.walls.iter().flat_map(|own| [own.start_mm.unwrap(), own.end_mm.unwrap()]);
    for axis in 0..2 {
        let least = ends().map(|own| own[axis]).fold(f64::INFINITY, f64::min);
        assert!(least.abs() < 0.5, "{least}");
    }
    // 30.85 m and 18.85 m over the faces
    let most = |axis: usize| ends().map(|own| own[axis]).fold(0.0, f64::max);
    assert!((most(0) - 30_750.0).abs() < 150.0 && (most(1) - 18_750.0).abs() < 150.0);
    for own in &found.openings {
        let wall = found.walls.iter().find(|wall| wall.id == own.wall).unwrap();
        let [a, b] = [wall.start_mm.unwrap(), own.start_mm.unwrap()];
        assert!(((a[0] - b[0]).hypot(a[1] - b[1]) - own.from_mm.unwrap()).abs() < 2.0, "{own:?}");
        assert!((own.to_mm.unwrap() - own.from_mm.unwrap() - own.width_mm.unwrap()).abs() <= 1.0);
    }
    let room = found.regions.iter().find(|own| own.kind == RegionKind::Room).unwrap();
    assert_eq!(room.outline.len(), room.outline_mm.len());
    let plain = with(&picture, None);
    assert!(plain.frame.is_none() && plain.walls.iter().all(|own| own.start_mm.is_none()));
    assert!(plain.regions.iter().all(|own| own.outline_mm.is_empty()));
}

#[test]
fn a_plan_that_lies_askew_is_straight_in_mm() {
    let (sin, cos) = 2.0_f64.to_radians().sin_cos();
    let mut rows = Vec::new();
    for y in 0..1000 {
        for x in 0..1200 {
            let (u, v) = (f64::from(x) - 600.0, f64::from(y) - 500.0);
            let (along, down) = ((u * cos + v * sin).abs(), (v * cos - u * sin).abs());
            let is_wall = along < 400.0 && down < 300.0 && (along > 380.0 || down > 280.0);
            rows.push(if is_wall { 0 } else { 255 });
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1200, 1000);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: 3937, yppu: 3937, unit: png::Unit::Meter }));
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&rows).unwrap();
    writer.finish().unwrap();
    let picture = read(&bytes, &Limits::default()).unwrap();
    assert!((picture.dots_per_inch.unwrap() - 100.0).abs() < 0.01);
    let found = with(&picture, Some(Scale::of_ratio("1:50", &picture).unwrap()));
    assert_eq!(found.walls.len(), 4, "{:#?}", found.walls);
    assert!((found.frame.unwrap().turned_back_degrees - 2.0).abs() < 0.1);
    // 780 by 580 pixels of 12.7 mm between the axes
    for wall in &found.walls {
        for [x, y] in [wall.start_mm.unwrap(), wall.end_mm.unwrap()] {
            assert!(x.abs() < 30.0 || (x - 9906.0).abs() < 30.0, "{wall:?}");
            assert!(y.abs() < 30.0 || (y - 7366.0).abs() < 30.0, "{wall:?}");
        }
    }
}

#[test]
fn scales_in_words_are_read_or_refused_with_the_form_that_is_right() {
    let picture = office();
    let mm = |text: &str| Scale::of_ratio(text, &picture).map(|own| own.mm);
    assert_eq!(mm("1 : 100").unwrap() * 2.0, mm("1/200").unwrap());
    for text in ["", "200", "1:0", "1:-5", "1:NaN", "0:1", "1:1e300", "M 1:x"] {
        let error = mm(text).unwrap_err();
        assert!(matches!(error, Error::Ratio { .. }), "{text}: {error}");
        assert!(error.to_string().contains(r#"{"pixels": 100, "mm": 635}"#), "{error}");
    }
    let mut plain = picture.clone();
    plain.dots_per_inch = None;
    let error = Scale::of_ratio("1:200", &plain).unwrap_err();
    assert!(matches!(error, Error::Resolution { .. }), "{error}");
}
