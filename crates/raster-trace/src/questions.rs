//! What has to be asked: the scale first, then gaps of rooms and doubtful walls.

use crate::Found;
use crate::answer::{GapKind, Proposal, Question, Subject};
use crate::line::Span;
use crate::text::has_figure;
use crate::walls::{Manner, Wall};
use glam::DVec2;

/// A usual clear width of inner doors with their frame, in mm (DIN 18101: 885 and 1010 in the rough).
const DOOR: f64 = 900.0;
/// The confidence from which on the openings of a wall say something of the scale.
const BELIEVED: f64 = 0.5;

/// Gathers questions; `mm` is the scale where one was given.
pub(crate) fn ask(found: &Found, unit: f64, mm: Option<f64>) -> Vec<Question> {
    let mut out = Vec::new();
    match mm {
        None => scale(found, unit, &mut out),
        Some(mm) => out.extend(doubt(found, unit, mm)),
    }
    for room in found.rooms.iter().filter(|room| !room.gaps.is_empty()).take(3) {
        if let Some(gap) = room.gaps.first() {
            out.push(question(
                Subject::Gap,
                gap,
                unit,
                |a, b| format!("The room is open from {a} to {b}. Is there an opening, a wall, or nothing?"),
                None,
            ));
        }
    }
    for (n, wall) in found.walls.iter().enumerate().filter(|(_, wall)| wall.confidence < 0.5).take(3) {
        out.push(question(
            Subject::Wall,
            &wall.axis,
            unit,
            |a, b| format!("Is W{} from {a} to {b} a wall?", n + 1),
            None,
        ));
    }
    out
}

fn question(
    about: Subject,
    span: &Span,
    unit: f64,
    ask: impl Fn(String, String) -> String,
    proposal: Option<Proposal>,
) -> Question {
    let round = |own: DVec2| [own.x, own.y].map(|value| (value * unit * 10.0).round() / 10.0);
    let words = |own: DVec2| format!("({:.0}, {:.0})", own.x * unit, own.y * unit);
    Question {
        about,
        ask: ask(words(span.start), words(span.end)),
        start: round(span.start),
        end: round(span.end),
        pixels: (span.length() * unit * 10.0).round() / 10.0,
        proposal,
    }
}

/// A door in a wall that is believed.
#[derive(Debug, Clone, Copy)]
struct Door {
    span: Span,
    /// The width of one leaf's part, in pixels that were worked on.
    width: f64,
}

/// Doors as wide as doors can be beside their wall's thickness and the whole plan, the narrowest first.
fn doors(found: &Found) -> Vec<Door> {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for wall in &found.walls {
        low = low.min(wall.axis.start).min(wall.axis.end);
        high = high.max(wall.axis.start).max(wall.axis.end);
    }
    let whole = (high - low).max_element();
    let is_plausible = |wall: &Wall, width: f64| {
        // 900 mm beside walls of 60 to 700 mm, in plans of 3 to 150 m
        let is_thick = wall.manner == Manner::Single || (1.2..15.0).contains(&(width / wall.thickness));
        is_thick && (3.0..170.0).contains(&(whole / width))
    };
    let of_wall = |wall: &Wall| -> Vec<Door> {
        wall.gaps
            .iter()
            .filter(|gap| gap.kind == GapKind::Door)
            .map(|gap| Door {
                span: Span::new(wall.axis.at(gap.from), wall.axis.at(gap.to)),
                width: gap.length() / f64::from(gap.leaves.max(1)),
            })
            .filter(|door| is_plausible(wall, door.width))
            .collect()
    };
    let believed = found.walls.iter().filter(|wall| wall.confidence >= BELIEVED);
    let mut all: Vec<Door> = believed.flat_map(of_wall).collect();
    all.sort_by(|a, b| a.width.total_cmp(&b.width));
    all
}

/// The most doors that agree in width within a fifth, of as many the wider ones: narrow ones are of cupboards.
fn agreeing(doors: &[Door]) -> &[Door] {
    let mut best = &doors[..0];
    for (n, first) in doors.iter().enumerate() {
        let count = doors.iter().skip(n).take_while(|door| door.width <= 1.2 * first.width).count();
        if count >= best.len() {
            best = doors.get(n..n + count).unwrap_or_default();
        }
    }
    best
}

fn proposal(mm: f64, pixels: f64, confidence: f64, reason: &str) -> Option<Proposal> {
    let own = mm / pixels;
    // four digits: more would be a pretence
    let digits = 10_f64.powf(3.0 - own.abs().log10().floor());
    (own.is_finite() && own > 0.0).then(|| Proposal {
        mm_per_pixel: (own * digits).round() / digits,
        mm,
        confidence,
        reason: reason.to_owned(),
    })
}

fn scale(found: &Found, unit: f64, out: &mut Vec<Question>) {
    let all = doors(found);
    let doors = agreeing(&all);
    let middle = doors.get(doors.len() / 2);
    let by_door = middle.map(|door| DOOR / door.width);
    let usual = usual_wall(&found.walls);
    // a dimension line is the best answer: it is written there
    let longest = found.strokes.lines.first().map_or(0.0, |line| line.span.length());
    let is_wall = |span: &Span| {
        found.walls.iter().any(|wall| {
            wall.axis.angle_to(span) < 5.0
                && wall.axis.beside(span.middle()).abs() < 0.6 * wall.thickness + 2.0
                && wall.axis.overlap(span) > 0.0
        })
    };
    let dimensions = found.strokes.lines.iter().zip(&found.is_family).filter(|(line, is_family)| {
        !**is_family
            && line.span.length() > 0.08 * longest
            && has_figure(&line.span, &found.words.boxes)
            && !is_wall(&line.span)
    });
    for (line, _) in dimensions.take(2) {
        let own = by_door.and_then(|mm| {
            proposal(
                (mm * line.span.length() / 10.0).round() * 10.0,
                line.span.length() * unit,
                0.5,
                "as it would be if doors were 900 mm wide",
            )
        });
        out.push(question(
            Subject::Scale,
            &line.span,
            unit,
            |a, b| {
                format!(
                    "Which length is written at the line from {a} to {b}? It looks like a dimension line."
                )
            },
            own,
        ));
    }
    if let Some(door) = middle {
        let (count, of) = (doors.len(), all.len());
        out.push(question(
            Subject::Scale,
            &door.span,
            unit,
            |a, b| {
                format!(
                    "How wide is the door from {a} to {b}? By width it agrees with {count} of {of} doors."
                )
            },
            proposal(
                DOOR * door.span.length() / door.width,
                door.span.length() * unit,
                match count {
                    1 => 0.3,
                    2 => 0.5,
                    _ => 0.65,
                },
                "doors are often about 900 mm wide to a leaf",
            ),
        ));
    }
    let longest = found
        .walls
        .iter()
        .filter(|wall| wall.confidence > 0.5)
        .max_by(|a, b| a.axis.length().total_cmp(&b.axis.length()));
    if let Some(wall) = longest {
        let own = by_door
            .and_then(|mm| {
                let mm = (mm * wall.axis.length() / 10.0).round() * 10.0;
                proposal(mm, wall.axis.length() * unit, 0.5, "as it would be if doors were 900 mm wide")
            })
            .or_else(|| {
                let mm = (200.0 / usual? * wall.axis.length() / 10.0).round() * 10.0;
                proposal(
                    mm,
                    wall.axis.length() * unit,
                    0.25,
                    "as it would be if most walls were 200 mm thick",
                )
            });
        out.push(question(
            Subject::Scale,
            &wall.axis,
            unit,
            |a, b| {
                format!("How long is the wall from {a} to {b}, the longest, between the axes that it meets?")
            },
            own,
        ));
    } else if let Some(line) = found.strokes.lines.first() {
        out.push(question(
            Subject::Scale,
            &line.span,
            unit,
            |a, b| format!("Which length has the line from {a} to {b}, the longest?"),
            None,
        ));
    }
}

/// The thickness of most of the walls that have one.
fn usual_wall(walls: &[Wall]) -> Option<f64> {
    let mut all: Vec<f64> =
        walls.iter().filter(|wall| wall.manner != Manner::Single).map(|wall| wall.thickness).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// A given scale by which most of the doors would be no doors.
fn doubt(found: &Found, unit: f64, mm: f64) -> Option<Question> {
    let doors = doors(found);
    let is_off = |door: &&Door| !(500.0..2200.0).contains(&(door.width * unit * mm));
    let off: Vec<&Door> = doors.iter().filter(is_off).collect();
    let agreeing = agreeing(&doors);
    let door = agreeing.iter().find(is_off)?;
    if doors.len() < 2 || off.len() * 2 <= doors.len() {
        return None;
    }
    let own = door.width * unit * mm;
    Some(question(
        Subject::Scale,
        &door.span,
        unit,
        |a, b| {
            format!(
                "By the given scale the door from {a} to {b} is {own:.0} mm wide to a leaf, and {} of {} doors are as odd. Is the scale right?",
                off.len(),
                doors.len()
            )
        },
        proposal(
            DOOR * door.span.length() / door.width,
            door.span.length() * unit,
            0.5,
            "doors are often about 900 mm wide to a leaf",
        ),
    ))
}

#[cfg(test)]
mod tests;
