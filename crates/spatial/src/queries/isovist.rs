//! The isovist of a point (Benedikt 1979): the part of a level plane at eye height that is seen from it, and by what it is bounded.
//!
//! What crosses the plane hides what is behind it, glass and doors like walls unless the caller leaves them out. Beyond the reach
//! nothing is seen. The outline is exact but for the circle of the reach, which is drawn with chords of two degrees.

use geometry::query::{Element, Index};
use glam::{DVec2, DVec3};
use ifc::Id;
use std::f64::consts::{PI, TAU};

/// An element that bounds the view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sightline {
    /// The element.
    pub element: Id,
    /// The least distance at which it is seen, in metres.
    pub distance: f64,
    /// The angle that it fills, in degrees.
    pub angle: f64,
}

/// The view from a point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Isovist {
    /// Its outline in plan, counter-clockwise, in metres.
    pub outline: Vec<DVec2>,
    /// Its area in m².
    pub area: f64,
    /// The angle in degrees in which nothing is met within reach.
    pub open: f64,
    /// The elements that are seen, the nearest first.
    pub seen: Vec<Sightline>,
}

/// A piece of an element's cut, relative to the point.
struct Piece {
    a: DVec2,
    b: DVec2,
    element: Id,
}

/// Chords of the circle of the reach, in radians.
const CHORD: f64 = PI / 90.0;
/// Angles below this, in radians, are rounding.
const ROUNDING: f64 = 1e-10;

/// Returns the isovist of a point, whose z is the height of the eye, among the elements that `hides` accepts; `reach` in metres. `None`
/// where the point lies in one of them.
pub fn isovist(index: &Index, eye: DVec3, reach: f64, hides: impl Fn(Id) -> bool) -> Option<Isovist> {
    if index.at_point(eye).into_iter().any(&hides) {
        return None;
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for element in index.iter().filter(|e| hides(e.id())) {
        let b = element.bounds();
        let near = (0..2).all(|i| b.min[i] <= eye[i] + reach && b.max[i] >= eye[i] - reach);
        if near && b.min.z <= eye.z && b.max.z >= eye.z {
            cut(element, eye, &mut pieces);
        }
    }
    let mut angles: Vec<f64> = pieces.iter().flat_map(|p| [angle_of(p.a), angle_of(p.b)]).collect();
    angles.extend(pieces.iter().flat_map(|p| on_circle(p, reach)).map(angle_of));
    angles.extend((0..180).map(|i| f64::from(i) * CHORD));
    angles.sort_by(f64::total_cmp);
    angles.dedup_by(|a, b| (*a - *b).abs() < ROUNDING);
    let sorted = Sorted::new(&pieces);
    let mut view = Isovist::default();
    let count = angles.len();
    for (i, from) in angles.iter().enumerate() {
        let to = if i + 1 < count { angles[i + 1] } else { angles[0] + TAU };
        let width = to - from;
        // between two neighbouring angles the same piece is the nearest all along
        let first = sorted.first(f64::midpoint(*from, to), reach);
        let at = |angle: f64| {
            let way = DVec2::from_angle(angle);
            let distance = first.and_then(|p| meets_line(p, way)).map_or(reach, |d| d.min(reach));
            (way * distance, distance)
        };
        let ((p, dp), (q, dq)) = (at(*from), at(to));
        view.area += p.perp_dot(q) / 2.0;
        for point in [p, q] {
            let point = eye.truncate() + point;
            if view.outline.last().is_none_or(|last| last.distance(point) > 1e-7) {
                view.outline.push(point);
            }
        }
        let Some(piece) = first else {
            view.open += width.to_degrees();
            continue;
        };
        let least = nearest(p, q).min(dp).min(dq);
        match view.seen.iter_mut().find(|s| s.element == piece.element) {
            Some(known) => {
                known.angle += width.to_degrees();
                known.distance = known.distance.min(least);
            }
            None => view.seen.push(Sightline {
                element: piece.element,
                distance: least,
                angle: width.to_degrees(),
            }),
        }
    }
    view.seen.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.element.cmp(&b.element)));
    Some(view)
}

/// Pieces by the angles that they are seen under, so that few are asked for each.
struct Sorted<'p> {
    cells: Vec<Vec<&'p Piece>>,
}

/// Cells of the circle.
const CELLS: usize = 360;

impl<'p> Sorted<'p> {
    fn new(pieces: &'p [Piece]) -> Sorted<'p> {
        let mut cells: Vec<Vec<&Piece>> = vec![Vec::new(); CELLS];
        for piece in pieces {
            let (a, b) = (angle_of(piece.a), angle_of(piece.b));
            let turn = (b - a).rem_euclid(TAU);
            let (from, span) = if turn <= PI { (a, turn) } else { (b, TAU - turn) };
            let first = cell(from);
            for i in 0..=(span / TAU * CELLS as f64).ceil() as usize {
                if let Some(list) = cells.get_mut((first + i) % CELLS) {
                    list.push(piece);
                }
            }
        }
        Sorted { cells }
    }

    /// The piece that is met first in a direction.
    fn first(&self, angle: f64, reach: f64) -> Option<&'p Piece> {
        let way = DVec2::from_angle(angle);
        let mut best: Option<(f64, &Piece)> = None;
        for piece in self.cells.get(cell(angle.rem_euclid(TAU)))? {
            let between = piece.a.perp_dot(way) * piece.b.perp_dot(way) <= 0.0;
            let Some(d) = meets_line(piece, way).filter(|d| between && *d > 0.0 && *d <= reach) else {
                continue;
            };
            let nearer = |(known, other): (f64, &Piece)| {
                d < known - 1e-9 || (d <= known + 1e-9 && piece.element < other.element)
            };
            if best.is_none_or(nearer) {
                best = Some((d, piece));
            }
        }
        best.map(|(_, piece)| piece)
    }
}

fn cell(angle: f64) -> usize {
    ((angle / TAU * CELLS as f64) as usize).min(CELLS - 1)
}

fn angle_of(p: DVec2) -> f64 {
    p.y.atan2(p.x).rem_euclid(TAU)
}

/// The distance at which a direction meets the straight line through a piece.
fn meets_line(piece: &Piece, way: DVec2) -> Option<f64> {
    let d = piece.b - piece.a;
    let det = way.perp_dot(d);
    (det.abs() > 1e-15).then(|| piece.a.perp_dot(d) / det)
}

/// The least distance of a line from the origin.
fn nearest(p: DVec2, q: DVec2) -> f64 {
    let d = q - p;
    let t = if d.length_squared() > 0.0 { (-p.dot(d) / d.length_squared()).clamp(0.0, 1.0) } else { 0.0 };
    (p + d * t).length()
}

/// The points where a piece crosses the circle of the reach.
fn on_circle(piece: &Piece, reach: f64) -> Vec<DVec2> {
    let d = piece.b - piece.a;
    let (a, b, c) = (d.length_squared(), 2.0 * piece.a.dot(d), piece.a.length_squared() - reach * reach);
    let root = b * b - 4.0 * a * c;
    if a <= 0.0 || root <= 0.0 || !reach.is_finite() {
        return Vec::new();
    }
    let ends = [-1.0, 1.0].map(|s| (-b + s * root.sqrt()) / (2.0 * a));
    ends.into_iter().filter(|t| (0.0..=1.0).contains(t)).map(|t| piece.a + d * t).collect()
}

/// Adds the lines in which the plane of the eye cuts an element.
fn cut(element: &Element, eye: DVec3, pieces: &mut Vec<Piece>) {
    let mesh = element.mesh();
    for corners in &mesh.triangles {
        let at = |i: u32| mesh.positions.get(i as usize).map(|p| *p - eye);
        let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else { continue };
        let mut ends: Vec<DVec2> = Vec::with_capacity(2);
        for (p, q) in [(a, b), (b, c), (c, a)] {
            // a corner in the plane counts as above it
            if (p.z < 0.0) != (q.z < 0.0) {
                let x = p + (q - p) * (p.z / (p.z - q.z));
                ends.push(x.truncate());
            }
        }
        if let [a, b] = ends[..]
            && a.distance(b) > 1e-9
        {
            pieces.push(Piece { a, b, element: element.id() });
        }
    }
}
