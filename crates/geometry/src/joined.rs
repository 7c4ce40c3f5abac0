//! Prisms that are one opening in two pieces: the halves that some programs draw from either face of a wall, or an opening given twice.
//!
//! Each half ends within the wall, where it has to be cut face by face; together they go through it, which is a hole in an outline.

use crate::cutter::Cutter;
use crate::prism::Prism;
use crate::region::GRID;
use glam::{DVec2, DVec3};
use std::borrow::Cow;

/// Prisms looked at for their like; a body with more has been cut from something other than windows.
const MANY: usize = 128;

/// Directions that differ less than this are the same.
const TURNED: f64 = 1e-9;

/// The thinnest gap between two ends, in metres; less is rounding.
const THIN: f64 = 1e-6;

/// Returns the cutters with those prisms made one that have the same outline and direction and overlap or touch.
pub(crate) fn joined(cutters: &[Cutter]) -> Cow<'_, [Cutter]> {
    if cutters.len() < 2 || cutters.len() > MANY {
        return Cow::Borrowed(cutters);
    }
    let mut found: Vec<Cutter> = Vec::new();
    let mut any = false;
    for cutter in cutters {
        let whole = if let Cutter::Prism(prism) = cutter { take_in(&mut found, prism) } else { false };
        any |= whole;
        if !whole {
            found.push(cutter.clone());
        }
    }
    if any { Cow::Owned(found) } else { Cow::Borrowed(cutters) }
}

/// Makes one of those found longer by a prism, if it is a piece of the same.
fn take_in(found: &mut [Cutter], prism: &Prism) -> bool {
    for known in found {
        if let Cutter::Prism(known) = known
            && let Some([low, high]) = both(known, prism)
        {
            (known.low, known.high) = (Some([0.0, 0.0, low]), Some([0.0, 0.0, high]));
            return true;
        }
    }
    false
}

/// The ends of the first prism when the second is added to it; `None` if they are not pieces of one.
fn both(a: &Prism, b: &Prism) -> Option<[f64; 2]> {
    let [[a_low, a_high], [b_low, b_high]] = [ends(a)?, ends(b)?];
    let turn = a.frame.z_axis.dot(b.frame.z_axis);
    if turn.abs() < 1.0 - TURNED {
        return None;
    }
    let ([one], [other]) = (a.area.as_deref()?, b.area.as_deref()?) else { return None };
    if one.len() != other.len() {
        return None;
    }
    let local = |p: DVec3| {
        let from = p - a.frame.translation;
        DVec3::new(from.dot(a.frame.x_axis), from.dot(a.frame.y_axis), from.dot(a.frame.z_axis))
    };
    let base = local(b.frame.translation).z;
    let (low, high) = (base + b_low * turn.signum(), base + b_high * turn.signum());
    let (b_low, b_high) = (low.min(high), low.max(high));
    if b_low > a_high + THIN || a_low > b_high + THIN {
        return None;
    }
    let other = other.iter().map(|p| local(b.frame.transform_point3(p.extend(0.0))).truncate());
    same(one, &other.collect::<Vec<_>>()).then(|| [a_low.min(b_low), a_high.max(b_high)])
}

/// Returns the ends of a prism, if both are at right angles to it.
fn ends(prism: &Prism) -> Option<[f64; 2]> {
    let flat = |slope: [f64; 3]| (slope[0].abs() < TURNED && slope[1].abs() < TURNED).then_some(slope[2]);
    let ends = [flat(prism.low?)?, flat(prism.high?)?];
    (ends[0] < ends[1]).then_some(ends)
}

/// Returns true if two loops are the same, wherever they begin and whichever way they run.
fn same(one: &[DVec2], other: &[DVec2]) -> bool {
    let near = |p: &DVec2, q: &DVec2| (p.x - q.x).abs() < GRID && (p.y - q.y).abs() < GRID;
    let Some(first) = other.first() else { return false };
    let Some(start) = one.iter().position(|p| near(p, first)) else { return false };
    let n = one.len();
    let along = |step: usize| {
        let mut at = start;
        other.iter().all(|q| {
            let p = one.get(at);
            at = (at + step) % n;
            p.is_some_and(|p| near(p, q))
        })
    };
    along(1) || along(n - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutter::cut;
    use crate::math::{Bounds, orthonormal};
    use crate::solid::Solid;
    use glam::DAffine3;

    fn wall() -> Solid {
        let bounds = Bounds { min: DVec3::ZERO, max: DVec3::new(4.0, 0.3, 3.0) };
        Solid::cuboid(&bounds, &DAffine3::IDENTITY).unwrap()
    }

    /// A round opening of 1 m at (2, y, 1.5), drawn from `y` in the direction of y or against it.
    fn round(y: f64, back: bool, depth: f64) -> Cutter {
        let z = if back { DVec3::NEG_Y } else { DVec3::Y };
        let frame = orthonormal(DVec3::new(2.0, y, 1.5), z, DVec3::X);
        let point = |i: u32| {
            let t = f64::from(i) * std::f64::consts::TAU / 64.0;
            DVec2::new(0.5 * t.cos(), 0.5 * t.sin())
        };
        let area = Some(vec![(0..64).map(point).collect()]);
        Cutter::Prism(Prism { area, frame, low: Some([0.0; 3]), high: Some([0.0, 0.0, depth]) })
    }

    #[test]
    fn halves_drawn_from_either_face_are_one_opening() {
        let halves = [round(0.1, false, 0.5), round(0.2, true, 0.5)];
        let one = joined(&halves);
        let [Cutter::Prism(whole)] = one.as_ref() else { panic!("not one: {one:?}") };
        assert!((whole.low.unwrap()[2] + 0.4).abs() < 1e-12 && (whole.high.unwrap()[2] - 0.5).abs() < 1e-12);
        let left = cut(&wall(), &halves).left.unwrap();
        let disc = 64.0 / 2.0 * (std::f64::consts::TAU / 64.0).sin() * 0.25;
        assert!((left.volume() - (3.6 - disc * 0.3)).abs() < 1e-9, "{}", left.volume());
        assert_eq!(left.faces.len(), 6 + 64, "a clean hole");
    }

    #[test]
    fn what_leaves_a_wall_between_stays_two() {
        let apart = [round(0.1, true, 0.5), round(0.2, false, 0.5)];
        assert_eq!(joined(&apart).len(), 2);
        let left = cut(&wall(), &apart).left.unwrap();
        let disc = 64.0 / 2.0 * (std::f64::consts::TAU / 64.0).sin() * 0.25;
        assert!((left.volume() - (3.6 - disc * 0.2)).abs() < 1e-9, "{}", left.volume());
    }

    #[test]
    fn another_outline_is_another_opening() {
        let Cutter::Prism(mut other) = round(0.2, true, 0.5) else { unreachable!() };
        for p in other.area.iter_mut().flatten().flatten() {
            p.x += 1e-3;
        }
        assert_eq!(joined(&[round(0.1, false, 0.5), Cutter::Prism(other)]).len(), 2);
    }
}
