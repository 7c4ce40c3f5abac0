//! Partitions between rooms: one wall along every line that rooms share, and where lines meet the longer runs through
//! and the other stops at its face, so that no two stand in the same place.
//!
//! Edges on the faces of walls that stand already get no partition.

use crate::polygon::{direction, distance_to_segment, edges, meet};
use crate::wall::Cuts;
use glam::DVec2;

/// Shorter pieces are left out, in mm.
const SHORTEST: f64 = 50.0;
/// Lines nearer than this are one, in mm.
const SAME: f64 = 1.0;

/// A partition: the middle line from start to end, and how its ends are cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// Start of its axis.
    pub start: DVec2,
    /// End of its axis.
    pub end: DVec2,
    /// The cuts of its ends.
    pub cuts: Cuts,
}

impl Partition {
    /// Its body in plan.
    pub fn outline(&self, thickness: f64) -> Vec<DVec2> {
        let Some(d) = direction(self.start, self.end) else { return Vec::new() };
        let half = thickness / 2.0;
        self.cuts
            .outline((-half, half))
            .into_iter()
            .map(|DVec2 { x, y }| self.start + d * x + d.perp() * y)
            .collect()
    }

    /// The length of its axis.
    pub fn length(&self) -> f64 {
        self.start.distance(self.end)
    }

    /// The same body with its axis the other way round.
    pub fn turned(&self) -> Self {
        let length = self.length();
        let back = |[right, left]: [f64; 2]| [length - left, length - right];
        let cuts = Cuts { start: back(self.cuts.end), end: back(self.cuts.start) };
        Self { start: self.end, end: self.start, cuts }
    }
}

/// A line, and the stretches of it that carry a partition.
struct Track {
    origin: DVec2,
    along: DVec2,
    stretches: Vec<[f64; 2]>,
}

impl Track {
    fn way(&self, p: DVec2) -> f64 {
        (p - self.origin).dot(self.along)
    }

    fn at(&self, way: f64) -> DVec2 {
        self.origin + self.along * way
    }

    /// The distance of a point to its left, in mm.
    fn aside(&self, p: DVec2) -> f64 {
        self.along.perp_dot(p - self.origin)
    }
}

/// The partitions between rooms, inside the faces of the walls that stand already. Parallel edges nearer than `thickness` and a half, as rooms given by
/// their inner faces have them, share one partition in their middle.
pub fn between(faces: &[Vec<DVec2>], rooms: &[Vec<DVec2>], thickness: f64) -> Vec<Partition> {
    let mut tracks = tracks(faces, rooms, thickness * 1.5);
    for track in &mut tracks {
        track.stretches = joined(std::mem::take(&mut track.stretches), thickness);
    }
    let mut segments: Vec<(DVec2, DVec2)> = tracks
        .iter()
        .flat_map(|t| t.stretches.iter().map(|s| (t.at(s[0]), t.at(s[1]))))
        .filter(|(a, b)| a.distance(*b) >= SHORTEST)
        .collect();
    segments.sort_by(|a, b| b.0.distance(b.1).total_cmp(&a.0.distance(a.1)));
    let half = thickness / 2.0;
    let mut placed: Vec<(DVec2, DVec2)> = Vec::new();
    for i in 0..segments.len() {
        let Some(&(a, b)) = segments.get(i) else { break };
        let Some(d) = direction(a, b) else { continue };
        let rest = segments.get(i + 1..).unwrap_or_default();
        // where this one ends on a shorter line they make a corner or a tee, which this one fills
        let corner = |p: DVec2, away: DVec2| {
            let meets = |from: DVec2, to: DVec2| {
                distance_to_segment(p, from, to) <= half + SAME
                    && direction(from, to).is_some_and(|e| e.perp_dot(away).abs() > 0.1)
            };
            !touches(faces, p)
                && rest.iter().any(|&(c, e)| meets(c, e))
                && !placed.iter().any(|&(c, e)| distance_to_segment(p, c, e) < half + SAME)
        };
        let start = if corner(a, d) { a + d * -half } else { a };
        let end = if corner(b, d) { b + d * half } else { b };
        for piece in free_pieces(start, end, d, &placed, half) {
            placed.push(piece);
        }
    }
    placed
        .into_iter()
        .filter(|(a, b)| a.distance(*b) >= SHORTEST)
        .map(|(a, b)| cut(faces, a, b, half))
        .collect()
}

/// The sides of all faces.
fn sides(faces: &[Vec<DVec2>]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    faces.iter().flat_map(|face| edges(face))
}

fn touches(faces: &[Vec<DVec2>], p: DVec2) -> bool {
    sides(faces).any(|(a, b)| distance_to_segment(p, a, b) < SAME)
}

/// The edges of rooms, less what lies on faces, gathered by the lines they lie on.
fn tracks(faces: &[Vec<DVec2>], rooms: &[Vec<DVec2>], near: f64) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    let mut all: Vec<(DVec2, DVec2)> =
        rooms.iter().flat_map(|room| edges(room).collect::<Vec<_>>()).collect();
    all.sort_by(|a, b| b.0.distance(b.1).total_cmp(&a.0.distance(a.1)));
    for (a, b) in all {
        let Some(d) = direction(a, b) else { continue };
        for [from, to] in off_faces(faces, a, b, d) {
            let (p, q) = (a + d * from, a + d * to);
            let on = tracks.iter_mut().find(|t| {
                t.along.perp_dot(d).abs() < 1e-6
                    && t.aside(p).abs() < near
                    && (t.aside(p).abs() < SAME || overlaps(t, t.way(p), t.way(q)))
            });
            match on {
                Some(track) => {
                    // two faces of one partition: its middle is between them
                    let shift = track.aside(p) / 2.0;
                    if shift.abs() > SAME / 2.0 {
                        track.origin += track.along.perp() * shift;
                    }
                    let (s, e) = (track.way(p), track.way(q));
                    track.stretches.push([s.min(e), s.max(e)]);
                }
                None => tracks.push(Track { origin: p, along: d, stretches: vec![[0.0, p.distance(q)]] }),
            }
        }
    }
    tracks
}

fn overlaps(track: &Track, a: f64, b: f64) -> bool {
    track.stretches.iter().any(|s| s[0] < a.max(b) - SAME && a.min(b) + SAME < s[1])
}

/// The stretches of an edge that do not lie on a face.
fn off_faces(faces: &[Vec<DVec2>], a: DVec2, b: DVec2, d: DVec2) -> Vec<[f64; 2]> {
    let mut free = vec![[0.0, a.distance(b)]];
    for (p, q) in sides(faces) {
        let parallel = direction(p, q).is_some_and(|e| d.perp_dot(e).abs() < 1e-4);
        if !parallel || d.perp_dot(p - a).abs() > SAME {
            continue;
        }
        let (s, e) = ((p - a).dot(d), (q - a).dot(d));
        free = without(&free, [s.min(e), s.max(e)]);
    }
    free.retain(|s| s[1] - s[0] > SAME);
    free
}

fn without(stretches: &[[f64; 2]], gap: [f64; 2]) -> Vec<[f64; 2]> {
    stretches
        .iter()
        .flat_map(|s| [[s[0], s[1].min(gap[0])], [s[0].max(gap[1]), s[1]]])
        .filter(|s| s[1] - s[0] > 1e-6)
        .collect()
}

/// Stretches that overlap or nearly touch, joined.
fn joined(mut stretches: Vec<[f64; 2]>, gap: f64) -> Vec<[f64; 2]> {
    stretches.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut out: Vec<[f64; 2]> = Vec::new();
    for s in stretches {
        match out.last_mut() {
            Some(last) if s[0] <= last[1] + gap => last[1] = last[1].max(s[1]),
            _ => out.push(s),
        }
    }
    out
}

/// Returns the pieces of a line that are left beside the partitions that are there already.
fn free_pieces(
    start: DVec2,
    end: DVec2,
    d: DVec2,
    placed: &[(DVec2, DVec2)],
    half: f64,
) -> Vec<(DVec2, DVec2)> {
    let length = start.distance(end);
    let mut free = vec![[0.0, length]];
    for &(p, q) in placed {
        let Some(e) = direction(p, q) else { continue };
        let sine = d.perp_dot(e).abs();
        let Some(at) = meet(start, d, p, e).filter(|_| sine > 0.05) else { continue };
        let (own, other) = ((at - start).dot(d), (at - p).dot(e));
        let reach = half / sine + half * d.dot(e).abs() / sine;
        let crossed = own > -reach && own < length + reach && other > -reach && other < p.distance(q) + reach;
        if crossed {
            free = without(&free, [own - reach, own + reach]);
        }
    }
    free.into_iter()
        .filter(|s| s[1] - s[0] >= SHORTEST)
        .map(|s| (start + d * s[0], start + d * s[1]))
        .collect()
}

/// A partition whose ends on a face follow its slope.
fn cut(faces: &[Vec<DVec2>], start: DVec2, end: DVec2, half: f64) -> Partition {
    let length = start.distance(end);
    let mut cuts = Cuts::square(length);
    if let Some(d) = direction(start, end) {
        let sloped = |p: DVec2| -> Option<[f64; 2]> {
            let (a, b) = sides(faces).find(|(a, b)| distance_to_segment(p, *a, *b) < SAME)?;
            let e = direction(a, b)?;
            if d.dot(e).abs() < 1e-6 {
                return None;
            }
            let face = |y: f64| {
                let on = meet(start + d.perp() * y, d, a, e)?;
                (distance_to_segment(on, a, b) < SAME).then(|| (on - start).dot(d))
            };
            Some([face(-half)?, face(half)?])
        };
        if let Some(cut) = sloped(start) {
            cuts.start = cut;
        }
        if let Some(cut) = sloped(end) {
            cuts.end = cut;
        }
    }
    Partition { start, end, cuts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::area;
    use crate::regions;

    fn rectangle(x: f64, y: f64, w: f64, h: f64) -> Vec<DVec2> {
        vec![DVec2::new(x, y), DVec2::new(x + w, y), DVec2::new(x + w, y + h), DVec2::new(x, y + h)]
    }

    fn check(outline: &[DVec2], rooms: &[Vec<DVec2>], expected: usize) -> Vec<Partition> {
        let made = between(&[outline.to_vec()], rooms, 100.0);
        assert_eq!(made.len(), expected, "{made:?}");
        let bodies: Vec<Vec<DVec2>> = made.iter().map(|p| p.outline(100.0)).collect();
        let apart: f64 = bodies.iter().map(|b| area(b)).sum();
        let joined: f64 = regions::union(&bodies)
            .iter()
            .map(|r| area(&r.outer) - r.holes.iter().map(|h| area(h)).sum::<f64>())
            .sum();
        assert!((apart - joined).abs() < 10.0, "two partitions stand in the same place");
        let outside: f64 =
            regions::difference(&bodies, &[outline.to_vec()]).iter().map(|r| area(&r.outer)).sum();
        assert!(outside < 10.0, "a partition stands in an outer wall");
        made
    }

    #[test]
    fn rooms_on_both_sides_of_a_line_share_one_partition() {
        let outline = rectangle(0.0, 0.0, 8000.0, 5000.0);
        let made = check(
            &outline,
            &[rectangle(0.0, 0.0, 3000.0, 5000.0), rectangle(3000.0, 0.0, 5000.0, 5000.0)],
            1,
        );
        assert_eq!(made[0].start.x, 3000.0);
        assert_eq!(made[0].start.distance(made[0].end), 5000.0);
    }

    #[test]
    fn partitions_that_cross_are_not_there_twice() {
        let outline = rectangle(0.0, 0.0, 8000.0, 6000.0);
        let rooms = [
            rectangle(0.0, 0.0, 4000.0, 3000.0),
            rectangle(4000.0, 0.0, 4000.0, 3000.0),
            rectangle(0.0, 3000.0, 4000.0, 3000.0),
            rectangle(4000.0, 3000.0, 4000.0, 3000.0),
        ];
        check(&outline, &rooms, 3);
    }

    #[test]
    fn a_room_in_the_middle_has_four_partitions_with_filled_corners() {
        let outline = rectangle(0.0, 0.0, 8000.0, 6000.0);
        let made = check(&outline, &[rectangle(2000.0, 2000.0, 3000.0, 2000.0)], 4);
        let total: f64 = made.iter().map(|p| area(&p.outline(100.0))).sum();
        assert!((total - (3100.0 * 2100.0 - 2900.0 * 1900.0)).abs() < 1.0, "{total}");
    }

    #[test]
    fn rooms_given_by_their_inner_faces_share_the_partition_between() {
        let outline = rectangle(0.0, 0.0, 8000.0, 5000.0);
        let made = check(
            &outline,
            &[rectangle(0.0, 0.0, 2950.0, 5000.0), rectangle(3050.0, 0.0, 4950.0, 5000.0)],
            1,
        );
        assert_eq!(made[0].start.x, 3000.0);
    }

    #[test]
    fn a_partition_against_a_sloping_wall_follows_its_face() {
        let outline = [[0.0, 0.0], [8000.0, 0.0], [6000.0, 4000.0], [0.0, 4000.0]].map(DVec2::from);
        let left = [[0.0, 0.0], [8000.0, 0.0], [7000.0, 2000.0], [0.0, 2000.0]].map(DVec2::from).to_vec();
        check(&outline, &[left], 1);
    }
}
