//! Areas in a plane: loops with holes, their union, difference and intersection (by `i_overlay`), and triangles (by
//! `earcut`). Lengths in metres.

use crate::math::{P2, signed_area};
use i_overlay::{
    core::{fill_rule::FillRule, overlay_rule::OverlayRule},
    float::single::SingleFloatOverlay,
};

/// A closed line; the last point is joined to the first.
pub type Loop = Vec<P2>;

/// One area: its outer boundary, counter-clockwise, and its holes, clockwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Area {
    /// The boundary.
    pub outer: Loop,
    /// The holes.
    pub holes: Vec<Loop>,
}

impl Area {
    /// An area from loops in any direction.
    pub fn new(outer: Loop, holes: Vec<Loop>) -> Area {
        let mut area = Area { outer: cleaned(outer), holes: holes.into_iter().map(cleaned).collect() };
        area.holes.retain(|h| h.len() > 2);
        if signed_area(&area.outer) < 0.0 {
            area.outer.reverse();
        }
        for hole in &mut area.holes {
            if signed_area(hole) > 0.0 {
                hole.reverse();
            }
        }
        area
    }

    /// The boundary and then the holes.
    pub fn loops(&self) -> impl Iterator<Item = &Loop> {
        std::iter::once(&self.outer).chain(&self.holes)
    }

    /// What it covers, in square metres.
    pub fn size(&self) -> f64 {
        self.loops().map(|l| signed_area(l)).sum()
    }
}

/// A loop without repeated points.
fn cleaned(mut points: Loop) -> Loop {
    let near = |a: &P2, b: &P2| (a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9;
    points.dedup_by(|a, b| near(a, b));
    while points.len() > 1 && points.first().zip(points.last()).is_some_and(|(a, b)| near(a, b)) {
        points.pop();
    }
    points
}

/// A loop without points on a straight line between their neighbours and without spikes (out and back on the same line),
/// to a tenth of a micrometre's half.
fn straightened(mut points: Loop) -> Loop {
    let mut i = 0;
    let mut kept = 0;
    while points.len() > 2 && kept < points.len() {
        let n = points.len();
        let (a, b, c) = (points[(i + n - 1) % n], points[i % n], points[(i + 1) % n]);
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
        let (lu, lv) = (u[0].hypot(u[1]), v[0].hypot(v[1]));
        let off = (u[0] * v[1] - u[1] * v[0]).abs();
        if off <= 3.0 * GRID * lu.min(lv) || lu < GRID || lv < GRID {
            points.remove(i % n);
            i = (i % n + n - 2) % (n - 1).max(1);
            kept = 0;
        } else {
            i = (i + 1) % n;
            kept += 1;
        }
    }
    points
}

/// What is thinner than this is rounding.
const THIN: f64 = 1e-6;

fn areas(shapes: Vec<Vec<Loop>>) -> Vec<Area> {
    let perimeter = |l: &Loop| {
        let next = l.iter().skip(1).chain(l.first());
        l.iter().zip(next).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).sum::<f64>()
    };
    let thick = |l: &Loop| l.len() > 2 && signed_area(l).abs() > THIN * perimeter(l);
    shapes
        .into_iter()
        .filter_map(|loops| {
            let mut loops = loops.into_iter().map(straightened);
            let outer = loops.next().filter(&thick)?;
            Some(Area::new(outer, loops.filter(&thick).collect()))
        })
        .collect()
}

/// Points are rounded to this, in metres, before areas are combined: what rounding put a hair apart comes together.
pub(crate) const GRID: f64 = 1e-7;

fn rounded(loops: &[Loop]) -> Vec<Loop> {
    let round = |v: f64| (v / GRID).round() * GRID;
    loops.iter().map(|l| l.iter().map(|p| [round(p[0]), round(p[1])]).collect()).collect()
}

fn is_sound(loops: &[Loop]) -> bool {
    loops.iter().flatten().all(|p| p[0].abs() < 1e7 && p[1].abs() < 1e7)
}

/// What the loops enclose by the even-odd rule, as areas that neither overlap nor cross themselves.
pub fn even_odd(loops: &[Loop]) -> Vec<Area> {
    combine(loops, &[], OverlayRule::Subject)
}

/// `subject` less `clip`, both by the even-odd rule. Coordinates beyond 10,000 km count as nothing.
pub fn difference(subject: &[Loop], clip: &[Loop]) -> Vec<Area> {
    combine(subject, clip, OverlayRule::Difference)
}

/// What `subject` and `clip` share, both by the even-odd rule.
pub fn intersection(subject: &[Loop], clip: &[Loop]) -> Vec<Area> {
    combine(subject, clip, OverlayRule::Intersect)
}

fn combine(subject: &[Loop], clip: &[Loop], rule: OverlayRule) -> Vec<Area> {
    if subject.is_empty() || !is_sound(subject) || !is_sound(clip) {
        return Vec::new();
    }
    areas(rounded(subject).overlay_as::<i64>(&rounded(clip), rule, FillRule::EvenOdd))
}

/// `subject` less every one of `clips`, which may overlap; outer loops counter-clockwise, holes of the subject clockwise.
pub fn less_all(subject: &[Loop], clips: &[Loop]) -> Vec<Area> {
    if subject.is_empty() || !is_sound(subject) || !is_sound(clips) {
        return Vec::new();
    }
    areas(rounded(subject).overlay_as::<i64>(&rounded(clips), OverlayRule::Difference, FillRule::NonZero))
}

/// The union of areas that may overlap.
pub fn union(loops: &[Loop]) -> Vec<Area> {
    if loops.is_empty() || !is_sound(loops) {
        return Vec::new();
    }
    let none: Vec<Loop> = Vec::new();
    areas(rounded(loops).overlay_as::<i64>(&none, OverlayRule::Subject, FillRule::NonZero))
}

/// Triangles of a loop with holes: indices into the points of all loops one after the other. A loop that crosses itself gives
/// what `earcut` makes of it.
pub fn triangles(loops: &[Loop]) -> Vec<u32> {
    let mut ears = Ears::default();
    ears.add(loops.iter().map(|l| l.iter().copied()));
    ears.triangles
}

/// The room that triangulating many areas in turn needs.
#[derive(Default)]
pub(crate) struct Ears {
    earcut: earcut::Earcut<f64>,
    /// The points of the last area, loop by loop.
    pub points: Vec<P2>,
    starts: Vec<u32>,
    /// Its triangles, as [`triangles`] has them.
    pub triangles: Vec<u32>,
}

impl Ears {
    /// Triangulates an area, given by its boundary and then its holes.
    pub fn add<L: IntoIterator<Item = P2>>(&mut self, loops: impl IntoIterator<Item = L>) {
        self.points.clear();
        self.starts.clear();
        self.triangles.clear();
        for (i, l) in loops.into_iter().enumerate() {
            if i > 0 {
                self.starts.push(self.points.len() as u32);
            }
            self.points.extend(l);
        }
        let points = &self.points;
        if points.len() > 2 && points.len() < 100_000 && points.iter().flatten().all(|v| v.is_finite()) {
            self.earcut.earcut_slice(points, &self.starts, &mut self.triangles);
        }
    }
}
