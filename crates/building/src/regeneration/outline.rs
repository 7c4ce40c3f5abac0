//! Outlines whose edges lay on faces that moved: the edges go along, and their neighbours grow or shrink to meet them.

use super::faces::{Face, SAME};
use crate::polygon::{direction, edges, first_crossing, meet, signed_area, without_collinear};
use glam::DVec2;

/// An edge lies on a face if no farther from it than this, in mm.
const ON: f64 = 2.0;
/// Ends of an edge and of a face that are nearer than this are the same.
const ENDS: f64 = 5.0;
/// Faces along an edge shorter than this say nothing of it.
const SHORTEST: f64 = 20.0;
/// A corner goes no farther than this, in mm.
const FARTHEST: f64 = 50_000.0;
/// The least area that is left, in mm².
const LEAST: f64 = 1e5;

/// An outline after its faces moved.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// None of its edges lay on a face that moved.
    Same,
    /// As it is now.
    Moved(Vec<DVec2>),
    /// It would cross itself, turn round, or have no area.
    Lost,
}

/// A piece of an edge: its end as it was, and the line on which it lies now.
struct Piece {
    to: DVec2,
    on: DVec2,
    along: DVec2,
}

/// Returns the outline after faces moved.
pub(super) fn moved(outline: &[DVec2], faces: &[Face]) -> Outcome {
    // a point within an edge near a corner would be passed by a face that moves in
    let outline = &without_collinear(outline)[..];
    let mut pieces: Vec<Piece> = Vec::new();
    let mut any = false;
    for (p, q) in edges(outline) {
        let Some(d) = direction(p, q) else { continue };
        let length = p.distance(q);
        let mut spans: Vec<(f64, f64, &Face)> = faces
            .iter()
            .filter_map(|face| {
                let lies_on = |r: DVec2| d.perp_dot(r - p).abs() <= ON;
                if !lies_on(face.from) || !lies_on(face.to) {
                    return None;
                }
                let (a, b) = (d.dot(face.from - p), d.dot(face.to - p));
                let (low, high) = (a.min(b).max(0.0), a.max(b).min(length));
                (high - low >= SHORTEST.min(length / 2.0)).then_some((low, high, face))
            })
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut at = 0.0;
        for (low, high, face) in spans {
            // the square end of a wall that was turned stops short of the corner; what is left there is no edge of its own
            let slack = |at_corner: bool| if at_corner { ENDS.max(face.thickness / 2.0) } else { ENDS };
            let low = if low - at < slack(at == 0.0) { at } else { low };
            let high = if length - high < slack(true) { length } else { high };
            if high <= low {
                continue;
            }
            if low > at {
                pieces.push(Piece { to: p + d * low, on: p, along: d });
            }
            // the new line leads the way that the edge does
            let turn = if d.dot(face.to - face.from) < 0.0 { -1.0 } else { 1.0 };
            pieces.push(Piece { to: p + d * high, on: face.on, along: face.along * turn });
            any = true;
            at = high;
        }
        if at < length {
            pieces.push(Piece { to: q, on: p, along: d });
        }
    }
    if !any {
        return Outcome::Same;
    }
    let mut points: Vec<DVec2> = Vec::new();
    let mut put = |p: DVec2| {
        if points.last().is_none_or(|last| last.distance(p) > SAME) {
            points.push(p);
        }
    };
    for (i, piece) in pieces.iter().enumerate() {
        let Some(next) = pieces.get((i + 1) % pieces.len()) else { continue };
        let foot = |line: &Piece| line.on + line.along * line.along.dot(piece.to - line.on);
        if piece.along.perp_dot(next.along).abs() > 1e-4 {
            let Some(corner) = meet(piece.on, piece.along, next.on, next.along) else { return Outcome::Lost };
            if corner.distance(piece.to) > FARTHEST {
                return Outcome::Lost;
            }
            put(corner);
        } else {
            // in one line, or a step where a face ends
            put(foot(piece));
            put(foot(next));
        }
    }
    if points.len() > 1 && points.first().zip(points.last()).is_some_and(|(a, b)| a.distance(*b) <= SAME) {
        points.pop();
    }
    let now = without_collinear(&points);
    let (was_area, area) = (signed_area(outline), signed_area(&now));
    if now.len() < 3 || area.abs() < LEAST || area * was_area < 0.0 || first_crossing(&now).is_some() {
        return Outcome::Lost;
    }
    let same =
        now.len() == outline.len() && now.iter().all(|p| outline.iter().any(|q| p.distance(*q) <= SAME));
    if same { Outcome::Same } else { Outcome::Moved(now) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::area;

    fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    fn room() -> Vec<DVec2> {
        vec![p(0.0, 0.0), p(4000.0, 0.0), p(4000.0, 3000.0), p(0.0, 3000.0)]
    }

    #[test]
    fn a_face_that_moves_out_takes_its_edge_and_makes_its_neighbours_longer() {
        let face = Face {
            from: p(0.0, 3000.0),
            to: p(4000.0, 3000.0),
            on: p(0.0, 3500.0),
            along: p(1.0, 0.0),
            thickness: 200.0,
        };
        let Outcome::Moved(now) = moved(&room(), &[face]) else { panic!("it moves") };
        assert_eq!((now.len(), area(&now)), (4, 4000.0 * 3500.0));
    }

    #[test]
    fn a_face_that_moves_in_passes_a_point_of_the_edge_beside_it() {
        let mut outline = room();
        outline.insert(3, p(19.0, 3000.0));
        let face = Face {
            from: p(0.0, 3000.0),
            to: p(0.0, 0.0),
            on: p(60.0, 0.0),
            along: p(0.0, -1.0),
            thickness: 200.0,
        };
        let Outcome::Moved(now) = moved(&outline, &[face]) else { panic!("it moves") };
        assert_eq!((now.len(), area(&now)), (4, 3940.0 * 3000.0));
    }

    #[test]
    fn a_face_that_turns_takes_its_edge_along() {
        let along = p(4000.0, 1000.0).normalize();
        let face = Face {
            from: p(4000.0, 3000.0),
            to: p(0.0, 3000.0),
            on: p(0.0, 3000.0),
            along: -along,
            thickness: 200.0,
        };
        let Outcome::Moved(now) = moved(&room(), &[face]) else { panic!("it moves") };
        assert!((area(&now) - (12e6 + 2e6)).abs() < 1.0, "{now:?}");
    }

    #[test]
    fn a_face_along_half_an_edge_leaves_a_step() {
        let face = Face {
            from: p(0.0, 3000.0),
            to: p(2000.0, 3000.0),
            on: p(0.0, 2500.0),
            along: p(1.0, 0.0),
            thickness: 200.0,
        };
        let Outcome::Moved(now) = moved(&room(), &[face]) else { panic!("it moves") };
        assert_eq!((now.len(), area(&now)), (6, 12e6 - 1e6));
    }

    #[test]
    fn a_face_that_stops_short_of_the_corners_takes_the_whole_edge_along() {
        let face = Face {
            from: p(60.0, 3000.0),
            to: p(3920.0, 3000.0),
            on: p(0.0, 3400.0),
            along: p(1.0, 0.0),
            thickness: 200.0,
        };
        let Outcome::Moved(now) = moved(&room(), &[face]) else { panic!("it moves") };
        assert_eq!((now.len(), area(&now)), (4, 4000.0 * 3400.0));
    }

    #[test]
    fn a_face_elsewhere_says_nothing_and_one_that_crosses_the_room_leaves_nothing() {
        let far = Face {
            from: p(0.0, 9000.0),
            to: p(4000.0, 9000.0),
            on: p(0.0, 9500.0),
            along: p(1.0, 0.0),
            thickness: 200.0,
        };
        assert_eq!(moved(&room(), &[far]), Outcome::Same);
        let across = Face {
            from: p(0.0, 3000.0),
            to: p(4000.0, 3000.0),
            on: p(0.0, -500.0),
            along: p(1.0, 0.0),
            thickness: 200.0,
        };
        assert_eq!(moved(&room(), &[across]), Outcome::Lost);
    }
}
