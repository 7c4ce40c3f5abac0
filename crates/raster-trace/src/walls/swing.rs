//! Swings of doors, looked for where they would be: a quarter of a circle about either end of a gap, and the leaf.

use super::Drawing;
use crate::line::Span;
use glam::DVec2;

/// The share of a quarter that has to be ink.
const INKED: f64 = 0.72;
/// The share of ink beside it above which it is a filling or a hatch.
const BESIDE: f64 = 0.45;
/// How dark a thin grey line is at least, of 255: fainter than what counts as ink elsewhere.
const FAINT: u8 = 24;
/// The deviation in grey values from which on nothing that faint is looked for.
const NOISE: f64 = 1.5;
/// The least radius in pixels: a smaller arc is no other than a line of a hatch.
const SMALLEST: f64 = 20.0;
/// Places that are looked at on a quarter.
const PLACES: u32 = 26;

/// The leaves of the door that swings in a gap: one as wide as it, or two of half.
pub(super) fn leaves(drawing: &Drawing, gap: &Span, thickness: f64) -> Option<u8> {
    leaves_in(&|at| drawing.ink.mask.under(at) == 1, gap, thickness).or_else(|| {
        let is_faint = |at| drawing.ink.darkness.under(at) >= FAINT;
        // in noise and blur there is something faint everywhere
        if drawing.ink.noise < NOISE { leaves_in(&is_faint, gap, thickness) } else { None }
    })
}

/// The same for what counts as ink.
fn leaves_in(ink: &impl Fn(DVec2) -> bool, gap: &Span, thickness: f64) -> Option<u8> {
    if gap.length() < (1.4 * thickness).max(10.0) {
        return None;
    }
    let back = Span::new(gap.end, gap.start);
    let swings = |own: &Span, least, most| {
        [1.0, -1.0].iter().any(|side| swing(ink, own, thickness, *side, [least, most]))
    };
    if swings(gap, 0.76, 1.14) || swings(&back, 0.76, 1.14) {
        return Some(1);
    }
    (swings(gap, 0.38, 0.58) && swings(&back, 0.38, 0.58)).then_some(2)
}

/// True where a quarter is drawn about the start of the gap, on one side of the wall.
fn swing(
    ink: &impl Fn(DVec2) -> bool,
    gap: &Span,
    thickness: f64,
    side: f64,
    [least, most]: [f64; 2],
) -> bool {
    let width = gap.length();
    let step = ((most - least) * width / 24.0).max(1.0);
    let count = ((most - least) * width / step).ceil() as u32;
    let (inward, out) = (gap.direction(), gap.direction().perp() * side);
    let slack = (step / 2.0).max(1.0);
    for along in [0.0, -0.06, 0.06] {
        for aside in [0.0, 0.5, -0.5] {
            let hinge = gap.at(along * width) + out * (aside * thickness);
            for n in 0..=count {
                let radius = least * width + f64::from(n) * step;
                if radius < SMALLEST || share(ink, hinge, inward, out, radius, slack) < INKED {
                    continue;
                }
                let beside = (0.14 * radius).max(4.0);
                let is_bare = [-beside, beside]
                    .iter()
                    .all(|off| share(ink, hinge, inward, out, radius + off, slack) < BESIDE);
                if is_bare && is_leaf(ink, hinge, out, radius) {
                    return true;
                }
            }
        }
    }
    false
}

/// True where a line runs from the hinge to the end of the quarter.
fn is_leaf(ink: &impl Fn(DVec2) -> bool, hinge: DVec2, out: DVec2, radius: f64) -> bool {
    let inked = (0..PLACES).filter(|n| {
        let at = hinge + out * (radius * (0.15 + 0.8 * f64::from(*n) / f64::from(PLACES)));
        let across = out.perp() * (0.02 * radius).max(1.0);
        [0.0, 1.0, -1.0, 2.0, -2.0].iter().any(|aside| ink(at + across * *aside))
    });
    inked.count() as f64 > INKED * f64::from(PLACES)
}

/// The share of a quarter that is ink, without its ends, where the leaf and the wall are.
fn share(
    ink: &impl Fn(DVec2) -> bool,
    hinge: DVec2,
    inward: DVec2,
    out: DVec2,
    radius: f64,
    slack: f64,
) -> f64 {
    let inked = (0..PLACES).filter(|n| {
        let turn = (12.0 + 66.0 * f64::from(*n) / f64::from(PLACES - 1)).to_radians();
        let towards = inward * turn.cos() + out * turn.sin();
        [0.0, slack, -slack].iter().any(|off| ink(hinge + towards * (radius + off)))
    });
    inked.count() as f64 / f64::from(PLACES)
}

#[cfg(test)]
mod tests {
    use super::leaves_in;
    use crate::grid::Grid;
    use crate::line::Span;
    use glam::dvec2;

    fn draw(is_ink: impl Fn(f64, f64) -> bool) -> Grid<u8> {
        let mut own = Grid::new(200, 200);
        for y in 0..200_i64 {
            for x in 0..200_i64 {
                own.set(x, y, u8::from(is_ink(x as f64 + 0.5, y as f64 + 0.5)));
            }
        }
        own
    }

    fn leaves(ink: &Grid<u8>, gap: &Span, thickness: f64) -> Option<u8> {
        leaves_in(&|at| ink.under(at) == 1, gap, thickness)
    }

    #[test]
    fn small_swings_are_seen_from_either_end_and_side_and_hatches_are_none() {
        let gap = Span::new(dvec2(80.0, 100.0), dvec2(116.0, 100.0));
        for (hinge, up) in [(80.0, true), (80.0, false), (116.0, true), (116.0, false)] {
            let ink = draw(|x, y| {
                let from = (x - hinge).hypot(y - 100.0);
                let is_leaf = f64::abs(x - hinge) < 1.0 && from < 35.0;
                let is_arc = (from - 35.0).abs() < 0.8 && (80.0..116.0).contains(&x);
                (y < 100.0) == up && (is_arc || is_leaf)
            });
            assert_eq!(leaves(&ink, &gap, 8.0), Some(1), "{hinge} {up}");
        }
        let both = draw(|x, y| {
            let is_drawn = |hinge: f64| {
                let from = (x - hinge).hypot(y - 100.0);
                (from - 30.0).abs() < 0.8 || ((x - hinge).abs() < 1.0 && from < 30.0)
            };
            y < 100.0 && (79.0..141.0).contains(&x) && (is_drawn(80.0) || is_drawn(140.0))
        });
        let wide = Span::new(gap.start, dvec2(140.0, 100.0));
        assert_eq!(leaves(&both, &wide, 8.0), Some(2));
        assert_eq!(leaves(&draw(|_, _| true), &gap, 8.0), None);
        assert_eq!(leaves(&draw(|x, y| (x + y) % 9.0 < 2.0), &gap, 8.0), None);
        assert_eq!(leaves(&draw(|_, _| false), &gap, 8.0), None);
    }
}
