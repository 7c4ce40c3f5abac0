//! Areas in a plane: loops with holes, their union, difference and intersection (by `i_overlay`), and triangles (by
//! `earcut`). Lengths in metres.

use crate::delaunay::{self, Corner};
use crate::math::signed_area;
use glam::DVec2;
use i_overlay::{
    core::{fill_rule::FillRule, overlay_rule::OverlayRule},
    float::single::SingleFloatOverlay,
};

/// A closed line; the last point is joined to the first.
pub type Loop = Vec<DVec2>;

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

    /// Returns its area, in m².
    pub fn size(&self) -> f64 {
        self.loops().map(|l| signed_area(l)).sum()
    }
}

/// A loop without repeated points.
fn cleaned(mut points: Loop) -> Loop {
    let near = |a: &DVec2, b: &DVec2| (a - b).abs().cmplt(DVec2::splat(1e-9)).all();
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
        let (u, v) = (b - a, c - b);
        let (lu, lv) = (u.length(), v.length());
        let off = u.perp_dot(v).abs();
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

/// The thinnest loop, in metres; less is rounding.
const THIN: f64 = 1e-6;

/// A rectangle by its lowest and highest corners, counter-clockwise.
pub fn rectangle(low: DVec2, high: DVec2) -> Loop {
    vec![low, low.with_x(high.x), high, high.with_x(low.x)]
}

/// The length of a loop all around.
pub fn perimeter(points: &[DVec2]) -> f64 {
    let next = points.iter().skip(1).chain(points.first());
    points.iter().zip(next).map(|(a, b)| a.distance(*b)).sum()
}

/// Areas of the loops that `i_overlay` answers.
fn areas(shapes: Vec<Vec<Vec<[f64; 2]>>>) -> Vec<Area> {
    let thick = |l: &Loop| l.len() > 2 && signed_area(l).abs() > THIN * perimeter(l);
    shapes
        .into_iter()
        .filter_map(|loops| {
            let own = |l: Vec<[f64; 2]>| straightened(l.into_iter().map(DVec2::from).collect());
            let mut loops = loops.into_iter().map(own);
            let outer = loops.next().filter(&thick)?;
            Some(Area::new(outer, loops.filter(&thick).collect()))
        })
        .collect()
}

/// Points are rounded to this, in metres, before areas are combined: what rounding put a hair apart comes together.
pub(crate) const GRID: f64 = 1e-7;

/// Loops as `i_overlay` takes them.
fn rounded(loops: &[Loop]) -> Vec<Vec<[f64; 2]>> {
    let round = |v: f64| (v / GRID).round() * GRID;
    loops.iter().map(|l| l.iter().map(|p| p.to_array().map(round)).collect()).collect()
}

fn is_sound(loops: &[Loop]) -> bool {
    loops.iter().flatten().all(|p| p.abs().cmplt(DVec2::splat(1e7)).all())
}

/// Returns what the loops enclose by the even-odd rule, as areas that neither overlap nor cross themselves.
pub fn even_odd(loops: &[Loop]) -> Vec<Area> {
    combine(loops, &[], OverlayRule::Subject)
}

/// `subject` less `clip`, both by the even-odd rule. Coordinates beyond 10,000 km count as nothing.
pub fn difference(subject: &[Loop], clip: &[Loop]) -> Vec<Area> {
    combine(subject, clip, OverlayRule::Difference)
}

/// Returns the areas that `subject` and `clip` share, both by the even-odd rule.
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

/// Returns the areas that loops on both sides share, all counter-clockwise; those of one side may overlap.
pub fn shared(subject: &[Loop], clip: &[Loop]) -> Vec<Area> {
    if subject.is_empty() || clip.is_empty() || !is_sound(subject) || !is_sound(clip) {
        return Vec::new();
    }
    areas(rounded(subject).overlay_as::<i64>(&rounded(clip), OverlayRule::Intersect, FillRule::NonZero))
}

/// The union of areas that may overlap.
pub fn union(loops: &[Loop]) -> Vec<Area> {
    if loops.is_empty() || !is_sound(loops) {
        return Vec::new();
    }
    let none: Vec<Vec<[f64; 2]>> = Vec::new();
    areas(rounded(loops).overlay_as::<i64>(&none, OverlayRule::Subject, FillRule::NonZero))
}

/// Returns the areas that the loops go around counter-clockwise (`FillRule::Positive`) or clockwise
/// (`FillRule::Negative`).
fn around(loops: &[Loop], rule: FillRule) -> Vec<Area> {
    if !is_sound(loops) {
        return Vec::new();
    }
    let none: Vec<Vec<[f64; 2]>> = Vec::new();
    areas(rounded(loops).overlay_as::<i64>(&none, OverlayRule::Subject, rule))
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
    pub points: Vec<DVec2>,
    starts: Vec<u32>,
    /// Its triangles, as [`triangles`] has them.
    pub triangles: Vec<u32>,
    /// True if the points are others than those that were given, because its lines cross.
    pub is_redrawn: bool,
}

impl Ears {
    /// Triangulates an area, given by its boundary and then its holes. Answers whether the triangles cover as much as the loops
    /// enclose; where lines cross, they may not.
    pub fn add<L: IntoIterator<Item = DVec2>>(&mut self, loops: impl IntoIterator<Item = L>) -> bool {
        self.cut(loops);
        self.is_redrawn = false;
        if self.error() <= self.allowed() {
            return true;
        }
        // ears lap over each other where a loop touches itself, or nearly
        let (cut, error) = (self.triangles.clone(), self.error());
        if !self.net() || self.error() > error {
            self.triangles = cut;
        }
        self.error() <= self.allowed()
    }

    /// By how much the triangles' surface is not what the loops enclose.
    fn error(&self) -> f64 {
        (self.size() - self.wanted()).abs()
    }

    /// Returns the part of that, in m², that is rounding.
    fn allowed(&self) -> f64 {
        1e-6 * self.wanted() + 1e-10
    }

    /// Returns the area that the loops enclose, in m², holes taken off.
    fn wanted(&self) -> f64 {
        self.loops().map(signed_area).sum::<f64>().abs()
    }

    /// The surface of all triangles.
    fn size(&self) -> f64 {
        let at = |i: &u32| self.points.get(*i as usize).copied().unwrap_or_default();
        let size = |t: &[u32; 3]| signed_area(&t.each_ref().map(at)).abs();
        self.triangles.as_chunks::<3>().0.iter().map(size).sum()
    }

    fn loops(&self) -> impl Iterator<Item = &[DVec2]> {
        let end = self.points.len() as u32;
        let starts = std::iter::once(0).chain(self.starts.iter().copied());
        let ends = self.starts.iter().copied().chain([end]);
        starts.zip(ends).map(|(a, b)| self.points.get(a as usize..b as usize).unwrap_or_default())
    }

    /// The triangles by another way, which takes longer and bears loops that touch themselves; `false` where lines cross.
    fn net(&mut self) -> bool {
        let mut number = 0..;
        let mut corner = |at: &DVec2| Corner { at: *at, point: number.next().unwrap_or_default() };
        let lines: Vec<Vec<Corner>> = self.loops().map(|l| l.iter().map(&mut corner).collect()).collect();
        let made = delaunay::triangulated(&lines, &[]);
        if let Ok(made) = &made {
            self.triangles = made.iter().flatten().map(|c| c.point).collect();
        }
        made.is_ok()
    }

    /// Triangulates loops whose lines cross: the triangles of what they go around, between other points; those around which they go clockwise face
    /// the other way, so that together they are as large as the loops say and close with what stands on the loops' sides. Where a
    /// single line goes around something twice, a fan, which does too.
    pub fn redraw(&mut self) {
        let wanted = self.wanted();
        let loops: Vec<Loop> = self.loops().map(<[DVec2]>::to_vec).collect();
        let rules = if loops.iter().map(|l| signed_area(l)).sum::<f64>() < 0.0 {
            [FillRule::Negative, FillRule::Positive]
        } else {
            [FillRule::Positive, FillRule::Negative]
        };
        let [with, against] = rules.map(|rule| around(&loops, rule));
        let size = |areas: &[Area]| areas.iter().map(Area::size).sum::<f64>();
        if (size(&with) - size(&against) - wanted).abs() > 1e-5 * wanted + 1e-9 {
            if let [only] = loops.as_slice() {
                let corners = 1..(only.len() as u32).saturating_sub(1);
                self.triangles = corners.flat_map(|i| [0, i, i + 1]).collect();
            }
            return;
        }
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for (area, turn) in with.iter().map(|a| (a, false)).chain(against.iter().map(|a| (a, true))) {
            self.cut(area.loops().map(|l| l.iter().copied()));
            let at = |i: &u32| self.points.get(*i as usize).copied().unwrap_or_default();
            let start = points.len() as u32;
            for t in self.triangles.as_chunks::<3>().0 {
                let is_clockwise = signed_area(&t.each_ref().map(at)) < 0.0;
                let [a, b, c] = t.map(|i| i + start);
                triangles.extend(if is_clockwise == turn { [a, b, c] } else { [a, c, b] });
            }
            points.append(&mut self.points);
        }
        (self.points, self.triangles, self.is_redrawn) = (points, triangles, true);
    }

    fn cut<L: IntoIterator<Item = DVec2>>(&mut self, loops: impl IntoIterator<Item = L>) {
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
        if points.len() > 2 && points.len() < 100_000 && points.iter().all(|p| p.is_finite()) {
            self.earcut.earcut(points.iter().map(DVec2::to_array), &self.starts, &mut self.triangles);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Triangles of a loop, and whether they cover what it encloses.
    fn cut(points: &[DVec2]) -> (Ears, bool) {
        let mut ears = Ears::default();
        let fits = ears.add([points.iter().copied()]);
        (ears, fits)
    }

    #[test]
    fn a_loop_that_goes_along_one_side_twice_is_covered_once() {
        // a square with a slit from its left to its middle
        let (ears, fits) = cut(&[
            DVec2::ZERO,
            DVec2::new(2.0, 0.0),
            DVec2::new(2.0, 2.0),
            DVec2::new(0.0, 2.0),
            DVec2::Y,
            DVec2::ONE,
            DVec2::Y,
        ]);
        assert!(fits && (ears.size() - 4.0).abs() < 1e-12, "{}", ears.size());
    }

    #[test]
    fn a_spike_that_crosses_a_side_is_cut_off() {
        // a square with a slit from its left to beyond its right
        let (mut ears, fits) = cut(&[
            DVec2::ZERO,
            DVec2::new(2.0, 0.0),
            DVec2::new(2.0, 2.0),
            DVec2::new(0.0, 2.0),
            DVec2::Y,
            DVec2::new(3.0, 1.0),
            DVec2::Y,
        ]);
        assert!(!fits);
        ears.redraw();
        assert!(ears.is_redrawn && (ears.size() - 4.0).abs() < 1e-6, "{}", ears.size());
    }

    #[test]
    fn what_a_loop_goes_around_twice_counts_twice() {
        let (mut ears, fits) = cut(&[
            DVec2::ZERO,
            DVec2::new(3.0, 0.0),
            DVec2::new(0.0, 3.0),
            DVec2::new(-1.0, -1.0),
            DVec2::new(4.0, -1.0),
            DVec2::new(-1.0, 4.0),
        ]);
        if !fits {
            ears.redraw();
        }
        let at = |i: &u32| ears.points[*i as usize];
        let triangles = ears.triangles.as_chunks::<3>().0;
        let signed: f64 = triangles.iter().map(|t| signed_area(&t.each_ref().map(at))).sum();
        // the inner part, that the line goes around twice, counts twice
        assert!((signed.abs() - 16.0).abs() < 1e-9, "{signed}");
    }

    #[test]
    fn the_lesser_half_of_a_bow_tie_faces_the_other_way() {
        for turn in [false, true] {
            let mut points = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 1.0]].map(DVec2::from);
            if turn {
                points.reverse();
            }
            let (mut ears, fits) = cut(&points);
            ears.redraw();
            assert!(!fits && ears.is_redrawn);
            let at = |i: &u32| ears.points[*i as usize];
            let triangles = ears.triangles.as_chunks::<3>().0;
            let signed: f64 = triangles.iter().map(|t| signed_area(&t.each_ref().map(at))).sum();
            // (2/3, 2/3) is where the two lines meet
            assert!((signed - (4.0 / 3.0 - 1.0 / 3.0)).abs() < 1e-6, "{signed}");
            assert!((ears.size() - (4.0 / 3.0 + 1.0 / 3.0)).abs() < 1e-6, "{}", ears.size());
        }
    }
}
