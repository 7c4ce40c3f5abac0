//! Lines of two drawings held against each other: the parts of one that the other does not have, and those that lie in areas.

use crate::drawing::clip::{less, within};
use geometry::region::{Area, Loop};
use geometry::view::Seen;
use glam::DVec2;

/// Lines nearer to each other than this, in metres, are one.
const SAME: f64 = 5e-4;
/// Elements with more lines than this are compared as a whole.
const MOST: usize = 3_000;

/// A straight piece, in metres of the plane.
pub(super) type Piece = [DVec2; 2];

/// The lines of an element: the outlines of its cut and the edges seen.
pub(super) fn pieces(seen: &Seen) -> Vec<Piece> {
    let mut all = Vec::new();
    for ring in seen.cut.areas.iter().flat_map(Area::loops) {
        all.extend(ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| [*a, *b]));
    }
    for line in seen.cut.lines.iter().chain(&seen.visible) {
        all.extend(line.windows(2).filter_map(|w| Some([*w.first()?, *w.get(1)?])));
    }
    all.retain(|[a, b]| a.is_finite() && b.is_finite() && a.distance(*b) > 1e-6);
    all
}

/// The parts of lines that lie on none of others.
pub(super) fn only(own: &[Piece], others: &[Piece]) -> Vec<Piece> {
    if own.len() > MOST || others.len() > MOST {
        return own.to_vec();
    }
    let mut rest = Vec::new();
    for [a, b] in own {
        let way = *b - *a;
        let length = way.length();
        let along = way / length;
        let mut shared: Vec<[f64; 2]> = Vec::new();
        for [p, q] in others {
            let off = |r: &DVec2| along.perp_dot(*r - *a).abs();
            if off(p) < SAME && off(q) < SAME {
                let (s, t) = ((*p - *a).dot(along) / length, (*q - *a).dot(along) / length);
                shared.push([s.min(t) - SAME / length, s.max(t) + SAME / length]);
            }
        }
        let left = less([0.0, 1.0], &shared).into_iter().filter(|[s, t]| (t - s) * length > SAME);
        rest.extend(left.map(|[s, t]| [*a + way * s, *a + way * t]));
    }
    rest
}

/// Lines parted into what lies in areas, and what does not.
pub(super) fn parted(pieces: &[Piece], areas: &[(Loops, [DVec2; 2])]) -> [Vec<Piece>; 2] {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for [a, b] in pieces {
        let (low, high) = (a.min(*b), a.max(*b));
        let mut taken = Vec::new();
        for (loops, [least, most]) in areas {
            if low.cmple(*most).all() && high.cmpge(*least).all() {
                taken.extend(within(*a, *b, loops));
            }
        }
        taken.sort_by(|s: &[f64; 2], t| s[0].total_cmp(&t[0]));
        let at = |s: f64| *a + (*b - *a) * s;
        outside.extend(less([0.0, 1.0], &taken).into_iter().map(|[s, t]| [at(s), at(t)]));
        let mut from = 0.0_f64;
        for [s, t] in taken {
            let s = s.max(from);
            if t > s {
                inside.push([at(s), at(t)]);
                from = t;
            }
        }
    }
    [inside, outside]
}

/// The loops of an area.
pub(super) type Loops = Vec<Loop>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_have_is_taken_away_and_areas_part_lines() {
        let p = DVec2::new;
        let own = [[p(0.0, 0.0), p(4.0, 0.0)], [p(0.0, 1.0), p(4.0, 1.0)]];
        let others = [[p(3.0, 0.0), p(1.0, 0.0)], [p(0.0, 0.9), p(4.0, 1.1)]];
        let left = only(&own, &others);
        let length: f64 = left.iter().map(|[a, b]| a.distance(*b)).sum();
        assert_eq!(left.len(), 3);
        assert!((length - 6.0).abs() < 0.01, "{left:?}");
        let square = geometry::region::rectangle(p(1.0, -1.0), p(2.0, 0.5));
        let area = (vec![square], [p(1.0, -1.0), p(2.0, 0.5)]);
        // areas that overlap count once
        let [inside, outside] = parted(&own, &[area.clone(), area]);
        assert_eq!(inside, [[p(1.0, 0.0), p(2.0, 0.0)]]);
        assert_eq!(outside.len(), 3);
    }
}
