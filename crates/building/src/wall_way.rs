//! The way of several walls in one call: from start over further points to an end, without crossing itself.

use crate::polygon::{distance_to_segment, plan_point};
use contract::Fault;
use glam::DVec2;

/// The most points between start and end.
const MOST: usize = 200;

/// The points of a wall's way from start to end. A way that meets itself is refused, save where it ends at its start.
pub fn way(start: DVec2, via: &[Vec<f64>], end: DVec2) -> Result<Vec<DVec2>, Fault> {
    if via.len() > MOST {
        return Err(Fault::invalid("via", format!("`via` has {} points; {MOST} are the most.", via.len())));
    }
    let mut points = vec![start];
    for (i, point) in via.iter().enumerate() {
        points.push(plan_point(&format!("via[{i}]"), point)?);
    }
    points.push(end);
    let legs: Vec<(DVec2, DVec2)> = points.iter().copied().zip(points.iter().copied().skip(1)).collect();
    let last = legs.len() - 1;
    for (i, (a, b)) in legs.iter().enumerate() {
        let field = if i < via.len() { format!("via[{i}]") } else { "end".to_owned() };
        if a.distance(*b) < 1.0 {
            return Err(Fault::invalid(
                &field,
                format!("`{field}` is in the same place as the point before it."),
            ));
        }
        for (j, (c, d)) in legs.iter().enumerate().take(i) {
            let closing = j == 0 && i == last && c.distance(*b) < 1.0;
            let meets = if j + 1 == i {
                // back over the leg before
                (*a - *c).normalize_or_zero().dot((*b - *a).normalize_or_zero()) < -0.999
            } else {
                !closing && touch(*a, *b, *c, *d)
            };
            if meets {
                return Err(Fault::invalid(
                    &field,
                    format!(
                        "The way to `{field}` meets leg {j} of the way again; give points in order along walls that do not cross."
                    ),
                ));
            }
        }
    }
    Ok(points)
}

fn touch(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let (ab, cd) = (b - a, d - c);
    let crosses =
        ab.perp_dot(c - a) * ab.perp_dot(d - a) < 0.0 && cd.perp_dot(a - c) * cd.perp_dot(b - c) < 0.0;
    let near = |p: DVec2, from: DVec2, to: DVec2| distance_to_segment(p, from, to) < 1.0;
    crosses || near(c, a, b) || near(d, a, b) || near(a, c, d) || near(b, c, d)
}
