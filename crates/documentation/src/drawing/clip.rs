//! Lines against areas: which parts of a line lie in loops, by the even-odd rule.

use geometry::region::Loop;
use glam::DVec2;

/// Returns true if the loops surround a point.
pub(crate) fn holds<'l>(loops: impl IntoIterator<Item = &'l Loop>, p: DVec2) -> bool {
    let mut inside = false;
    for l in loops {
        for (a, b) in sides(l) {
            if (a.y <= p.y) != (b.y <= p.y) && p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y) {
                inside = !inside;
            }
        }
    }
    inside
}

/// The sides of a loop.
pub(crate) fn sides(l: &Loop) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    l.iter().copied().zip(l.iter().copied().cycle().skip(1))
}

/// The shares of a line at which it crosses sides of loops, in order.
pub(crate) fn crossings<'l>(a: DVec2, b: DVec2, loops: impl IntoIterator<Item = &'l Loop>) -> Vec<f64> {
    let way = b - a;
    let square = way.length_squared();
    let mut at = Vec::new();
    if square <= 0.0 {
        return at;
    }
    for l in loops {
        for (p, q) in sides(l) {
            let (hp, hq) = (way.perp_dot(p - a), way.perp_dot(q - a));
            if (hp > 0.0) != (hq > 0.0) {
                let x = p + (q - p) * (hp / (hp - hq));
                at.push((x - a).dot(way) / square);
            }
        }
    }
    at.sort_by(f64::total_cmp);
    at
}

/// The parts of a line within loops, as shares of it from its start.
pub(crate) fn within(a: DVec2, b: DVec2, loops: &[Loop]) -> Vec<[f64; 2]> {
    let at = crossings(a, b, loops);
    at.as_chunks::<2>()
        .0
        .iter()
        .map(|pair| [pair[0].max(0.0), pair[1].min(1.0)])
        .filter(|pair| pair[1] > pair[0])
        .collect()
}

/// The rest of `whole` without `taken`.
pub(crate) fn less(whole: [f64; 2], taken: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut taken = taken.to_vec();
    taken.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut rest, mut from) = (Vec::new(), whole[0]);
    for [start, end] in taken {
        if start > from {
            rest.push([from, start.min(whole[1])]);
        }
        from = from.max(end);
        if from >= whole[1] {
            break;
        }
    }
    if from < whole[1] {
        rest.push([from, whole[1]]);
    }
    rest.retain(|[a, b]| b > a);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_parted_by_what_it_goes_through() {
        let square = geometry::region::rectangle(DVec2::ONE, DVec2::splat(3.0));
        let (a, b) = (DVec2::new(0.0, 2.0), DVec2::new(4.0, 2.0));
        let inside = within(a, b, std::slice::from_ref(&square));
        assert_eq!(inside, [[0.25, 0.75]]);
        assert_eq!(less([0.0, 1.0], &inside), [[0.0, 0.25], [0.75, 1.0]]);
        assert!(within(a, a, std::slice::from_ref(&square)).is_empty());
        assert!(holds([&square], DVec2::splat(2.0)) && !holds([&square], DVec2::ZERO));
    }
}
