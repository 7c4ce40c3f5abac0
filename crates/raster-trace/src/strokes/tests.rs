//! Strokes of drawings made pixel by pixel.

use super::{Strokes, find};
use crate::distance::to_paper;
use crate::grid::Grid;
use crate::line::Span;
use glam::{DVec2, dvec2};

fn draw(lines: &[(DVec2, DVec2, f64)], arcs: &[(DVec2, f64, f64, f64)]) -> Strokes {
    let mut mask = Grid::new(500, 400);
    let mut grey = Grid::new(500, 400);
    for y in 0..400 {
        for x in 0..500 {
            let at = dvec2(x as f64 + 0.5, y as f64 + 0.5);
            let from_line = lines.iter().map(|(a, b, t)| Span::new(*a, *b).distance(at) - t / 2.0);
            let from_arc = arcs.iter().filter_map(|(c, r, from, to)| {
                let turn = (at - *c).to_angle().to_degrees().rem_euclid(360.0);
                (*from..=*to).contains(&turn).then(|| ((at - *c).length() - r).abs() - 1.0)
            });
            let nearest = from_line.chain(from_arc).fold(f64::INFINITY, f64::min);
            let dark = (0.5 - nearest).clamp(0.0, 1.0);
            grey.set(x, y, (dark * 255.0) as u8);
            mask.set(x, y, u8::from(dark > 0.4));
        }
    }
    find(&mask, &grey, &to_paper(&mask))
}

fn check(found: &Strokes, from: DVec2, to: DVec2, thickness: f64) {
    let wanted = Span::new(from, to);
    let near = found.lines.iter().find(|line| {
        let ends = [line.span.start, line.span.end];
        let order = if ends[0].distance(from) < ends[1].distance(from) { ends } else { [ends[1], ends[0]] };
        order[0].distance(from) < 3.0 + thickness / 2.0
            && order[1].distance(to) < 3.0 + thickness / 2.0
            && wanted.angle_to(&line.span) < 0.4
            && wanted.beside(line.span.middle()).abs() < 0.35
    });
    let all: Vec<_> = found.lines.iter().map(|line| (line.span, line.thickness)).collect();
    let near = near.unwrap_or_else(|| panic!("{wanted:?} among {all:#?}"));
    assert!(
        (near.thickness - thickness).abs() < 0.8 + 0.08 * thickness,
        "{} for {thickness}",
        near.thickness
    );
}

#[test]
fn lines_of_any_direction_and_thickness_are_found_to_parts_of_a_pixel() {
    let lines = [
        (dvec2(20.0, 20.3), dvec2(480.0, 20.3), 2.0),
        (dvec2(30.0, 60.0), dvec2(470.0, 75.4), 3.0),
        (dvec2(40.0, 120.0), dvec2(200.0, 380.0), 2.0),
        (dvec2(260.0, 130.0), dvec2(260.0, 360.0), 14.0),
        (dvec2(320.0, 350.0), dvec2(470.0, 200.0), 9.0),
    ];
    let found = draw(&lines, &[]);
    for (from, to, thickness) in lines {
        check(&found, from, to, thickness);
    }
    assert_eq!(found.lines.len(), 5);
}

#[test]
fn a_face_that_a_hatch_meets_stays_one_line() {
    let mut lines =
        vec![(dvec2(20.0, 100.0), dvec2(480.0, 100.0), 2.0), (dvec2(20.0, 130.0), dvec2(480.0, 130.0), 2.0)];
    for n in 0..54 {
        let x = 22.0 + 8.0 * f64::from(n);
        lines.push((dvec2(x, 130.0), dvec2(x + 30.0, 100.0), 1.2));
    }
    let found = draw(&lines, &[]);
    check(&found, lines[0].0, lines[0].1, 2.0);
    check(&found, lines[1].0, lines[1].1, 2.0);
}

#[test]
fn the_swing_of_a_door_is_an_arc() {
    let found = draw(
        &[(dvec2(200.0, 200.0), dvec2(300.0, 200.0), 2.0), (dvec2(200.0, 200.0), dvec2(200.0, 300.0), 2.0)],
        &[(dvec2(200.0, 200.0), 100.0, 0.0, 90.0)],
    );
    assert_eq!(found.arcs.len(), 1, "{:?}", found.arcs);
    let arc = found.arcs[0];
    assert!(arc.centre.distance(dvec2(200.0, 200.0)) < 3.0 && (arc.radius - 100.0).abs() < 3.0, "{arc:?}");
    assert!(arc.sweep > 75.0, "{arc:?}");
    assert_eq!(found.lines.iter().filter(|line| line.span.length() > 20.0).count(), 2);
}

#[test]
fn an_empty_and_a_full_picture_have_no_lines() {
    assert!(draw(&[], &[]).lines.is_empty());
    let mut full = Grid::new(100, 100);
    full.data.fill(1);
    let found = find(&full, &full, &to_paper(&full));
    assert!(found.lines.len() < 3);
}
