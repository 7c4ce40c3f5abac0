//! Booleans of outlines in plan: which rooms a set of walls encloses, what remains of a room beside its partitions.
//!
//! Results are snapped to a thousandth of a millimetre: the overlay works on an integer grid of its own, and what was
//! drawn at 5950 mm must come back at 5950 mm.

use crate::polygon::{TOUCH, direction, edges, meet, without_collinear, without_spikes};
use glam::DVec2;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;

/// A connected area: its outer outline, counter-clockwise, and the holes in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The outer outline.
    pub outer: Vec<DVec2>,
    /// The outlines of its holes.
    pub holes: Vec<Vec<DVec2>>,
}

/// Everything covered by any of the outlines.
pub fn union(outlines: &[Vec<DVec2>]) -> Vec<Region> {
    overlay(outlines, &[], OverlayRule::Union)
}

/// Returns the regions that both cover.
pub fn intersection(a: &[Vec<DVec2>], b: &[Vec<DVec2>]) -> Vec<Region> {
    overlay(a, b, OverlayRule::Intersect)
}

/// Returns the regions that `a` covers and `b` does not.
pub fn difference(a: &[Vec<DVec2>], b: &[Vec<DVec2>]) -> Vec<Region> {
    overlay(a, b, OverlayRule::Difference)
}

/// An outline moved outward by so many mm, inward where that is negative; edges too short to be moved are passed over. Answers
/// the largest region that remains.
pub fn offset(outline: &[DVec2], by: f64) -> Option<Vec<DVec2>> {
    let outline = counter_clockwise(outline);
    let edges: Vec<(DVec2, DVec2, DVec2)> =
        edges(&outline).filter_map(|(a, b)| Some((a, b, direction(a, b)?))).collect();
    let mut strips = Vec::new();
    for (i, (a, b, way)) in edges.iter().enumerate() {
        let aside = way.perp() * -by;
        strips.push(vec![*a, *b, *b + aside, *a + aside]);
        let Some((_, _, onward)) = edges.get((i + 1) % edges.len()) else { continue };
        // where the strips of two edges part, their corner lies between
        if way.perp_dot(*onward) * by > 0.0 {
            let next = onward.perp() * -by;
            let corner = meet(*b + aside, *way, *b + next, *onward).unwrap_or(*b + aside);
            if corner.distance(*b) < by.abs() * 3.0 {
                strips.push(vec![*b, *b + aside, corner, *b + next]);
            }
        }
    }
    let regions = if by > 0.0 {
        strips.push(outline);
        union(&strips)
    } else {
        difference(&[outline], &strips)
    };
    regions
        .into_iter()
        .map(|region| without_spikes(&region.outer, 0.1))
        .max_by(|a, b| crate::polygon::area(a).total_cmp(&crate::polygon::area(b)))
}

fn overlay(a: &[Vec<DVec2>], b: &[Vec<DVec2>], rule: OverlayRule) -> Vec<Region> {
    // one orientation for all, so that NonZero joins what overlaps instead of cancelling it
    let turned = |outlines: &[Vec<DVec2>]| -> Vec<Vec<[f64; 2]>> {
        outlines.iter().map(|o| counter_clockwise(o).into_iter().map(Into::into).collect()).collect()
    };
    turned(a)
        .overlay(&turned(b), rule, FillRule::NonZero)
        .into_iter()
        .filter_map(|shape| {
            let mut contours = shape.into_iter().map(|contour| snapped(&contour));
            let outer = counter_clockwise(&contours.next()?);
            if crate::polygon::area(&outer) < 1.0 {
                return None;
            }
            Some(Region { outer, holes: contours.filter(|hole| crate::polygon::area(hole) >= 1.0).collect() })
        })
        .collect()
}

/// The outline turned so that its area counts as positive.
pub fn counter_clockwise(outline: &[DVec2]) -> Vec<DVec2> {
    let mut outline = outline.to_vec();
    if crate::polygon::signed_area(&outline) < 0.0 {
        outline.reverse();
    }
    outline
}

/// Spikes of regions that are thinner are taken off, in mm.
const HAIR: f64 = 0.01;

/// A contour of the overlay's, its points to a thousandth of a millimetre.
fn snapped(contour: &[[f64; 2]]) -> Vec<DVec2> {
    let round = |c: f64| (c * 1000.0).round() / 1000.0;
    let mut points: Vec<DVec2> = Vec::with_capacity(contour.len());
    for p in contour {
        let p = DVec2::from(p.map(round));
        if points.last().is_none_or(|last| last.distance(p) >= TOUCH) {
            points.push(p);
        }
    }
    // where edges of what is cut lie on each other but for a rounding, a hair is left
    without_spikes(&without_collinear(&points), HAIR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::area;

    fn rectangle(x: f64, y: f64, w: f64, h: f64) -> Vec<DVec2> {
        vec![DVec2::new(x, y), DVec2::new(x + w, y), DVec2::new(x + w, y + h), DVec2::new(x, y + h)]
    }

    #[test]
    fn four_walls_that_only_touch_enclose_one_room() {
        let walls = [
            rectangle(0.0, 0.0, 4000.0, 200.0),
            rectangle(0.0, 2800.0, 4000.0, 200.0),
            rectangle(0.0, 200.0, 200.0, 2600.0),
            rectangle(3800.0, 200.0, 200.0, 2600.0),
        ];
        let regions = union(&walls);
        assert_eq!(regions.len(), 1);
        assert_eq!(regions[0].holes.len(), 1);
        assert_eq!(area(&regions[0].holes[0]), 3600.0 * 2600.0);
    }

    #[test]
    fn an_outline_moves_outward_and_inward_though_an_edge_is_short() {
        let notched =
            [(0.0, 0.0), (1000.0, 0.0), (1000.0, 500.0), (990.0, 500.0), (990.0, 1000.0), (0.0, 1000.0)];
        let notched: Vec<DVec2> = notched.map(DVec2::from).to_vec();
        let out = offset(&notched, 40.0).unwrap();
        assert_eq!(area(&out), 1080.0 * 580.0 + 1070.0 * 500.0);
        let inner = offset(&notched, -40.0).unwrap();
        assert_eq!(area(&inner), 920.0 * 420.0 + 910.0 * 500.0);
    }

    #[test]
    fn what_remains_of_a_room_beside_a_partition_is_exact() {
        let rest =
            difference(&[rectangle(200.0, 200.0, 5000.0, 3000.0)], &[rectangle(5150.0, 0.0, 100.0, 4000.0)]);
        assert_eq!(rest.len(), 1);
        assert_eq!(area(&rest[0].outer), 4950.0 * 3000.0);
    }
}
