//! Outlines in plan: what a footprint, a slab's edge or a room's boundary must be before anything is built on it, and
//! what can be measured on it.
//!
//! Points are in plan, in millimetres. Straight edges only. Booleans of outlines are in [`crate::regions`].

use contract::Fault;
use glam::DVec2;

/// Points nearer than this are one, in mm.
pub const TOUCH: f64 = 0.01;

/// The largest coordinate taken, in mm: ten thousand kilometres, so that map coordinates in metres given as mm still
/// pass and a slip of units does not.
const FARTHEST: f64 = 1e10;

/// Twice the signed area over two: positive when the points turn counter-clockwise, in mm².
pub fn signed_area(polygon: &[DVec2]) -> f64 {
    let Some(&origin) = polygon.first() else { return 0.0 };
    // relative to the first point, so that far-off coordinates cost no digits
    edges(polygon).map(|(a, b)| (a - origin).perp_dot(b - origin)).sum::<f64>() / 2.0
}

/// Area in mm².
pub fn area(polygon: &[DVec2]) -> f64 {
    signed_area(polygon).abs()
}

/// Length of the closed outline in mm.
pub fn perimeter(polygon: &[DVec2]) -> f64 {
    edges(polygon).map(|(a, b)| a.distance(b)).sum()
}

/// The edges in order, the closing one last.
pub fn edges(polygon: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1))
}

/// The direction from a to b at length one; `None` where they touch.
pub fn direction(a: DVec2, b: DVec2) -> Option<DVec2> {
    let length = a.distance(b);
    (length > 1e-9).then(|| (b - a) / length)
}

/// The point in which two lines, each by a point and a direction, meet; `None` for parallel ones.
pub fn meet(a: DVec2, along_a: DVec2, b: DVec2, along_b: DVec2) -> Option<DVec2> {
    let turn = along_a.perp_dot(along_b);
    if turn.abs() < 1e-9 {
        return None;
    }
    Some(a + along_a * ((b - a).perp_dot(along_b) / turn))
}

/// The smallest box around points: (lowest, highest).
pub fn bounds(points: &[DVec2]) -> (DVec2, DVec2) {
    points.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (p.min(low), p.max(high)))
}

/// Returns true if the point lies inside the outline or on it (within [`TOUCH`]).
pub fn contains(polygon: &[DVec2], point: DVec2) -> bool {
    on_outline(polygon, point, TOUCH) || winding(polygon, point)
}

/// Returns true if the point lies on the outline, within a tolerance in mm.
pub fn on_outline(polygon: &[DVec2], point: DVec2, tolerance: f64) -> bool {
    edges(polygon).any(|(a, b)| distance_to_segment(point, a, b) <= tolerance)
}

fn winding(polygon: &[DVec2], point: DVec2) -> bool {
    edges(polygon).fold(false, |inside, (a, b)| {
        let crosses =
            (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x;
        inside ^ crosses
    })
}

/// The distance of a point from a segment, in mm.
pub fn distance_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let ab = b - a;
    let square = ab.dot(ab);
    let way = if square > 0.0 { ((p - a).dot(ab) / square).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + ab * way)
}

/// Moves every edge inward by its own distance and joins neighbours again; `None` where neighbours stay parallel but
/// move unequally, or where an edge would turn round because the distance is too large for the outline. Vertices keep
/// their order and number.
pub fn inset(polygon: &[DVec2], distances: &[f64]) -> Option<Vec<DVec2>> {
    let inward = if signed_area(polygon) > 0.0 { 1.0 } else { -1.0 };
    let lines: Vec<(DVec2, DVec2)> = edges(polygon)
        .zip(distances)
        .map(|((a, b), way)| direction(a, b).map(|d| (a + d.perp() * (inward * way), d)))
        .collect::<Option<_>>()?;
    let n = lines.len();
    let mut moved = Vec::with_capacity(n);
    for (i, &(here, d)) in lines.iter().enumerate() {
        let &(before, e) = lines.get((i + n - 1) % n)?;
        let corner = match meet(before, e, here, d) {
            Some(corner) => corner,
            None if (here - before).perp_dot(e).abs() < TOUCH && d.dot(e) > 0.0 => here,
            None => return None,
        };
        moved.push(corner);
    }
    let kept = edges(&moved).zip(&lines).all(|((a, b), (_, d))| (b - a).dot(*d) > TOUCH);
    (kept && first_crossing(&moved).is_none()).then_some(moved)
}

/// The first two edges that cross or touch although they are not neighbours.
pub fn first_crossing(polygon: &[DVec2]) -> Option<(usize, usize)> {
    let all: Vec<(DVec2, DVec2)> = edges(polygon).collect();
    let n = all.len();
    for (i, &(a, b)) in all.iter().enumerate() {
        for (j, &(c, d)) in all.iter().enumerate().skip(i + 1) {
            let neighbours = j == i + 1 || (i == 0 && j == n - 1);
            if neighbours {
                // neighbours meet in one point; they must not fold back on each other
                let (tip, back, on) = if j == i + 1 { (b, a, d) } else { (a, b, c) };
                let (u, v) = (back - tip, on - tip);
                if u.perp_dot(v).abs() < 1e-9 * (1.0 + u.length() * v.length()) && u.dot(v) > 0.0 {
                    return Some((i, j));
                }
            } else if segments_touch(a, b, c, d) {
                return Some((i, j));
            }
        }
    }
    None
}

fn segments_touch(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let ab = b - a;
    let cd = d - c;
    let (s, t) = (ab.perp_dot(c - a), ab.perp_dot(d - a));
    let (u, v) = (cd.perp_dot(a - c), cd.perp_dot(b - c));
    if s * t < 0.0 && u * v < 0.0 {
        return true;
    }
    [(c, a, b), (d, a, b), (a, c, d), (b, c, d)]
        .into_iter()
        .any(|(p, from, to)| distance_to_segment(p, from, to) < TOUCH)
}

/// Drops points that lie on the line between their neighbours.
pub fn without_collinear(polygon: &[DVec2]) -> Vec<DVec2> {
    let n = polygon.len();
    let kept: Vec<DVec2> = polygon
        .iter()
        .enumerate()
        .filter(|(i, p)| {
            let before = polygon.get((i + n - 1) % n).copied().unwrap_or_default();
            let after = polygon.get((i + 1) % n).copied().unwrap_or_default();
            distance_to_segment(**p, before, after) > TOUCH / 2.0
        })
        .map(|(_, p)| *p)
        .collect();
    if kept.len() < 3 { polygon.to_vec() } else { kept }
}

/// Drops points in one place, points that lie on the line between their neighbours, and spikes: what folds back on itself by
/// less than `least` mm.
pub fn without_spikes(polygon: &[DVec2], least: f64) -> Vec<DVec2> {
    let mut points = polygon.to_vec();
    loop {
        let n = points.len();
        let found = (0..n).find(|i| {
            let at = |j: usize| points.get(j % n).copied().unwrap_or_default();
            let (before, p, after) = (at(i + n - 1), at(*i), at(i + 1));
            distance_to_segment(p, before, after) < least
                || distance_to_segment(before, p, after) < least
                || distance_to_segment(after, p, before) < least
        });
        match found {
            Some(i) if n > 3 => points.remove(i),
            _ => return points,
        };
    }
}

/// Reads a boundary as an agent gives it: at least three points, no two in one place, not crossing itself, with an
/// area. A last point that repeats the first is dropped. The points keep their order; `field` names the parameter.
pub fn boundary(field: &str, points: &[Vec<f64>]) -> Result<Vec<DVec2>, Fault> {
    let mut polygon = Vec::with_capacity(points.len());
    for (i, point) in points.iter().enumerate() {
        polygon.push(plan_point(&format!("{field}[{i}]"), point)?);
    }
    checked(field, polygon)
}

/// Reads a boundary of which two points may be given: opposite corners of a rectangle along the axes. Counter-clockwise.
pub fn corners(field: &str, points: &[Vec<f64>]) -> Result<Vec<DVec2>, Fault> {
    let mut polygon = if let [a, b] = points {
        let a = plan_point(&format!("{field}[0]"), a)?;
        let b = plan_point(&format!("{field}[1]"), b)?;
        if (b - a).abs().min_element() < 1.0 {
            return Err(Fault::invalid(
                field,
                format!(
                    "Two points of `{field}` are opposite corners of a rectangle; these lie on one line along an axis."
                ),
            ));
        }
        checked(field, vec![a, a.with_x(b.x), b, b.with_x(a.x)])?
    } else {
        boundary(field, points)?
    };
    if signed_area(&polygon) < 0.0 {
        polygon.reverse();
    }
    Ok(polygon)
}

/// Checks a boundary whose points are already read.
pub fn checked(field: &str, mut polygon: Vec<DVec2>) -> Result<Vec<DVec2>, Fault> {
    if let (Some(first), Some(last)) = (polygon.first(), polygon.last())
        && polygon.len() > 3
        && first.distance(*last) < TOUCH
    {
        polygon.pop();
    }
    if polygon.len() < 3 {
        return Err(Fault::invalid(
            field,
            format!(
                "`{field}` needs at least three points [x, y] in mm, in order around the outline; {} given.",
                polygon.len()
            ),
        ));
    }
    if let Some(i) = edges(&polygon).position(|(a, b)| a.distance(b) < TOUCH) {
        return Err(Fault::invalid(
            &format!("{field}[{}]", (i + 1) % polygon.len()),
            format!(
                "Points {i} and {} of `{field}` are in the same place; give each corner once.",
                (i + 1) % polygon.len()
            ),
        ));
    }
    if let Some((i, j)) = first_crossing(&polygon) {
        return Err(Fault::invalid(
            field,
            format!(
                "`{field}` crosses or touches itself: the edge after point {i} meets the edge after point {j}. Give the corners in order around the outline."
            ),
        )
        .with("edges", [i, j]));
    }
    if area(&polygon) < 1.0 {
        return Err(Fault::invalid(
            field,
            format!("`{field}` encloses no area; the points are mm, in order around the outline."),
        ));
    }
    Ok(polygon)
}

/// A point `[x, y]` or `[x, y, z]` taken in plan.
pub fn plan_point(field: &str, point: &[f64]) -> Result<DVec2, Fault> {
    let [x, y, ..] = *point else {
        return Err(Fault::invalid(field, format!("`{field}` must be a point [x, y] or [x, y, z] in mm.")));
    };
    if point.len() > 3 {
        return Err(Fault::invalid(
            field,
            format!("`{field}` has {} numbers; a point is [x, y] or [x, y, z] in mm.", point.len()),
        ));
    }
    if point.iter().any(|c| !c.is_finite() || c.abs() > FARTHEST) {
        return Err(Fault::invalid(
            field,
            format!("`{field}` lies beyond ten thousand kilometres; coordinates are mm."),
        ));
    }
    Ok(DVec2::new(x, y))
}

/// The z of a point `[x, y, z]`; 0 where it is left out.
pub fn height_of(point: &[f64]) -> f64 {
    point.get(2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [DVec2; 4] =
        [DVec2::ZERO, DVec2::new(4000.0, 0.0), DVec2::new(4000.0, 3000.0), DVec2::new(0.0, 3000.0)];

    #[test]
    fn a_rectangle_has_the_area_and_perimeter_of_a_rectangle() {
        assert_eq!(signed_area(&SQUARE), 12e6);
        assert_eq!(perimeter(&SQUARE), 14_000.0);
    }

    #[test]
    fn insetting_a_rectangle_moves_each_edge_inward_whichever_way_it_turns() {
        let inner = inset(&SQUARE, &[200.0; 4]).unwrap();
        let expect = [[200.0, 200.0], [3800.0, 200.0], [3800.0, 2800.0], [200.0, 2800.0]];
        assert_eq!(inner, expect.map(DVec2::from));
        let mut clockwise = SQUARE;
        clockwise.reverse();
        assert_eq!(area(&inset(&clockwise, &[200.0; 4]).unwrap()), 3600.0 * 2600.0);
    }

    #[test]
    fn walls_too_thick_for_their_outline_have_no_inner_outline() {
        assert_eq!(inset(&SQUARE, &[1600.0; 4]), None);
    }

    #[test]
    fn an_outline_that_crosses_itself_is_refused_with_the_edges_that_meet() {
        let bow = vec![vec![0.0, 0.0], vec![4000.0, 3000.0], vec![4000.0, 0.0], vec![0.0, 3000.0]];
        let fault = boundary("footprint", &bow).unwrap_err();
        assert!(fault.message.contains("crosses"), "{}", fault.message);
        assert_eq!(fault.data["edges"], serde_json::json!([0, 2]));
    }

    #[test]
    fn a_closing_point_that_repeats_the_first_is_dropped() {
        let mut points: Vec<Vec<f64>> = SQUARE.iter().map(|p| p.to_array().to_vec()).collect();
        points.push(points[0].clone());
        assert_eq!(boundary("boundary_points", &points).unwrap(), SQUARE);
    }

    #[test]
    fn a_point_on_the_edge_counts_as_inside() {
        assert!(contains(&SQUARE, [4000.0, 1500.0].into()));
        assert!(contains(&SQUARE, [1.0, 1.0].into()));
        assert!(!contains(&SQUARE, [4001.0, 1500.0].into()));
    }
}
