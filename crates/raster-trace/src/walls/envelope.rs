//! A side of a building whose wall is drawn thinner than others, as a curtain wall is: a thin band that closes the outline where long walls
//! end freely.

use super::{Drawing, Wall, band};
use crate::line::Span;
use crate::text::has_figure;
use glam::DVec2;

/// The share of such a band that has to be drawn: the others are doors.
const DRAWN: f64 = 0.6;

/// Adds such bands; true if there was one.
pub(super) fn close(walls: &mut Vec<Wall>, drawing: &Drawing, usual: f64) -> bool {
    let free = free_ends(walls, drawing);
    if free.len() < 2 || usual <= 0.0 {
        return false;
    }
    let lines: Vec<band::Band> = drawing
        .lines()
        .map(|(_, line)| line)
        .filter(|line| {
            line.thickness >= 0.3 * usual
                && line.thickness < 2.0 * usual
                && line.span.length() > 0.1 * drawing.extent
                && !walls.iter().any(|wall| lies_in(wall, &line.span))
                && !has_figure(&line.span, &drawing.words.boxes)
        })
        .map(band::Band::from_bar)
        .collect();
    let corners: Vec<DVec2> = walls
        .iter()
        .filter(|wall| wall.axis.length() > 0.1 * drawing.extent && wall.meets != [false; 2])
        .flat_map(|wall| [wall.axis.start, wall.axis.end])
        .collect();
    let found: Vec<Wall> = band::gather(lines, drawing)
        .into_iter()
        .filter(|own| {
            let reach = 3.0 * usual + 4.0;
            let drawn: f64 = own.solid.iter().map(|(from, to)| to - from).sum();
            let ends = [own.axis.start, own.axis.end].map(|end| {
                free.iter().any(|other| own.axis.angle_to(other) > 30.0 && other.end.distance(end) < reach)
            });
            let beside = |side: f64| corners.iter().all(|point| side * own.axis.beside(*point) < reach);
            ends == [true; 2]
                && own.axis.length() > 0.25 * drawing.extent
                && drawn > DRAWN * own.axis.length()
                && (beside(1.0) || beside(-1.0))
        })
        .collect();
    let is_any = !found.is_empty();
    for mut own in found {
        super::gaps::within(&mut own, drawing, usual);
        walls.push(own);
    }
    is_any
}

/// Long walls that meet nothing at an end, each running towards that end.
fn free_ends(walls: &[Wall], drawing: &Drawing) -> Vec<Span> {
    walls
        .iter()
        .filter(|wall| wall.axis.length() > 0.1 * drawing.extent)
        .flat_map(|wall| {
            let back = Span::new(wall.axis.end, wall.axis.start);
            [(back, wall.meets[0]), (wall.axis, wall.meets[1])]
        })
        .filter_map(|(axis, meets)| (!meets).then_some(axis))
        .collect()
}

/// True for a line of a wall that is there; a row of columns is none.
fn lies_in(wall: &Wall, line: &Span) -> bool {
    let drawn: f64 = wall.solid.iter().map(|(from, to)| to - from).sum();
    drawn > 0.5 * wall.axis.length()
        && wall.axis.angle_to(line) < 5.0
        && wall.axis.beside(line.middle()).abs() < 0.8 * wall.thickness + 2.0
        && wall.axis.overlap(line) > 0.3 * line.length()
}
