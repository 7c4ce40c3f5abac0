//! What has to be asked: the scale first, then gaps of rooms and doubtful walls.

use crate::Found;
use crate::answer::{GapKind, Proposal, Question, Subject};
use crate::assemble::has_figure;
use crate::line::Span;
use crate::walls::Wall;
use glam::DVec2;

/// A usual clear width of inner doors with their frame, in mm (DIN 18101: 885 and 1010 in the rough).
const DOOR: f64 = 900.0;

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

/// Doors, each with its wall.
fn doors(found: &Found) -> Vec<(Span, f64)> {
    let of_wall = |wall: &Wall| -> Vec<(Span, f64)> {
        wall.gaps
            .iter()
            .filter(|gap| gap.kind == GapKind::Door)
            .map(|gap| (Span::new(wall.axis.at(gap.from), wall.axis.at(gap.to)), gap.length()))
            .collect()
    };
    let mut all: Vec<(Span, f64)> = found.walls.iter().flat_map(of_wall).collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
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
    let doors = doors(found);
    let by_door = doors.get(doors.len() / 2).map(|(_, width)| DOOR / width);
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
    if let Some((span, width)) = doors.get(doors.len() / 2) {
        let count = doors.len();
        out.push(question(
            Subject::Scale,
            span,
            unit,
            |a, b| format!("How wide is the door from {a} to {b}? It is the middle one of {count} by width."),
            proposal(
                DOOR,
                width * unit,
                if count > 2 { 0.6 } else { 0.4 },
                "doors are often about 900 mm wide",
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
    let mut all: Vec<f64> = walls
        .iter()
        .filter(|wall| wall.manner != crate::walls::Manner::Single)
        .map(|wall| wall.thickness)
        .collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

/// A given scale by which doors would be no doors.
fn doubt(found: &Found, unit: f64, mm: f64) -> Option<Question> {
    let doors = doors(found);
    let (span, width) = doors.get(doors.len() / 2)?;
    let own = width * unit * mm;
    if doors.len() < 2 || (500.0..2200.0).contains(&own) {
        return None;
    }
    Some(question(
        Subject::Scale,
        span,
        unit,
        |a, b| {
            format!("By the given scale the door from {a} to {b} is {own:.0} mm wide. Is the scale right?")
        },
        proposal(DOOR, width * unit, 0.5, "doors are often about 900 mm wide"),
    ))
}
