//! Outlines in plan: what a footprint, a slab's edge or a room's boundary must be before anything is built on it, and
//! what can be measured on it.
//!
//! Points are `[x, y]` in millimetres. Straight edges only. Booleans of outlines are in [`crate::regions`].

use contract::Fault;

/// A point in plan, in mm.
pub type Point = [f64; 2];

/// Points nearer than this are one, in mm.
pub const TOUCH: f64 = 0.01;

/// The largest coordinate taken, in mm: ten thousand kilometres, so that map coordinates in metres given as mm still
/// pass and a slip of units does not.
const FARTHEST: f64 = 1e10;

/// Twice the signed area over two: positive when the points turn counter-clockwise, in mm².
pub fn signed_area(polygon: &[Point]) -> f64 {
    let Some(&origin) = polygon.first() else { return 0.0 };
    // relative to the first point, so that far-off coordinates cost no digits
    edges(polygon).map(|(a, b)| cross(sub(a, origin), sub(b, origin))).sum::<f64>() / 2.0
}

/// Area in mm².
pub fn area(polygon: &[Point]) -> f64 {
    signed_area(polygon).abs()
}

/// Length of the closed outline in mm.
pub fn perimeter(polygon: &[Point]) -> f64 {
    edges(polygon).map(|(a, b)| distance(a, b)).sum()
}

/// The edges in order, the closing one last.
pub fn edges(polygon: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1))
}

/// The difference of two points.
pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// A point some way along a direction.
pub fn along(from: Point, direction: Point, way: f64) -> Point {
    [from[0] + direction[0] * way, from[1] + direction[1] * way]
}

/// The z of the cross product.
pub fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The dot product.
pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The distance of two points.
pub fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The unit vector from a to b; `None` where they touch.
pub fn direction(a: Point, b: Point) -> Option<Point> {
    let length = distance(a, b);
    (length > 1e-9).then(|| [(b[0] - a[0]) / length, (b[1] - a[1]) / length])
}

/// A quarter turn to the left.
pub fn left(d: Point) -> Point {
    [-d[1], d[0]]
}

/// Where two lines, each by a point and a direction, meet; `None` for parallel ones.
pub fn meet(a: Point, along_a: Point, b: Point, along_b: Point) -> Option<Point> {
    let turn = cross(along_a, along_b);
    if turn.abs() < 1e-9 {
        return None;
    }
    Some(along(a, along_a, cross(sub(b, a), along_b) / turn))
}

/// The smallest box around points: (lowest, highest).
pub fn bounds(points: &[Point]) -> (Point, Point) {
    points.iter().fold(([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]), |(low, high), p| {
        ([low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])])
    })
}

/// Returns true if the point lies inside the outline or on it (within [`TOUCH`]).
pub fn contains(polygon: &[Point], point: Point) -> bool {
    on_outline(polygon, point, TOUCH) || winding(polygon, point)
}

/// Returns true if the point lies on the outline, within a tolerance in mm.
pub fn on_outline(polygon: &[Point], point: Point, tolerance: f64) -> bool {
    edges(polygon).any(|(a, b)| distance_to_segment(point, a, b) <= tolerance)
}

fn winding(polygon: &[Point], point: Point) -> bool {
    edges(polygon).fold(false, |inside, (a, b)| {
        let crosses = (a[1] > point[1]) != (b[1] > point[1])
            && point[0] < (b[0] - a[0]) * (point[1] - a[1]) / (b[1] - a[1]) + a[0];
        inside ^ crosses
    })
}

/// How far a point is from a segment, in mm.
pub fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    let ab = sub(b, a);
    let square = dot(ab, ab);
    let way = if square > 0.0 { (dot(sub(p, a), ab) / square).clamp(0.0, 1.0) } else { 0.0 };
    distance(p, along(a, ab, way))
}

/// Moves every edge inward by its own distance and joins neighbours again; `None` where neighbours stay parallel but
/// move unequally, or where an edge would turn round because the distance is too large for the outline. Vertices keep
/// their order and number.
pub fn inset(polygon: &[Point], distances: &[f64]) -> Option<Vec<Point>> {
    let inward = if signed_area(polygon) > 0.0 { 1.0 } else { -1.0 };
    let lines: Vec<(Point, Point)> = edges(polygon)
        .zip(distances)
        .map(|((a, b), way)| direction(a, b).map(|d| (along(a, left(d), inward * way), d)))
        .collect::<Option<_>>()?;
    let n = lines.len();
    let mut moved = Vec::with_capacity(n);
    for (i, &(here, d)) in lines.iter().enumerate() {
        let &(before, e) = lines.get((i + n - 1) % n)?;
        let corner = match meet(before, e, here, d) {
            Some(corner) => corner,
            None if cross(sub(here, before), e).abs() < TOUCH && dot(d, e) > 0.0 => here,
            None => return None,
        };
        moved.push(corner);
    }
    let kept = edges(&moved).zip(&lines).all(|((a, b), (_, d))| dot(sub(b, a), *d) > TOUCH);
    (kept && first_crossing(&moved).is_none()).then_some(moved)
}

/// The first two edges that cross or touch although they are not neighbours.
pub fn first_crossing(polygon: &[Point]) -> Option<(usize, usize)> {
    let all: Vec<(Point, Point)> = edges(polygon).collect();
    let n = all.len();
    for (i, &(a, b)) in all.iter().enumerate() {
        for (j, &(c, d)) in all.iter().enumerate().skip(i + 1) {
            let neighbours = j == i + 1 || (i == 0 && j == n - 1);
            if neighbours {
                // neighbours meet in one point; they must not fold back on each other
                let (tip, back, on) = if j == i + 1 { (b, a, d) } else { (a, b, c) };
                let (u, v) = (sub(back, tip), sub(on, tip));
                if cross(u, v).abs() < 1e-9 * (1.0 + dot(u, u).sqrt() * dot(v, v).sqrt()) && dot(u, v) > 0.0 {
                    return Some((i, j));
                }
            } else if segments_touch(a, b, c, d) {
                return Some((i, j));
            }
        }
    }
    None
}

fn segments_touch(a: Point, b: Point, c: Point, d: Point) -> bool {
    let ab = sub(b, a);
    let cd = sub(d, c);
    let (s, t) = (cross(ab, sub(c, a)), cross(ab, sub(d, a)));
    let (u, v) = (cross(cd, sub(a, c)), cross(cd, sub(b, c)));
    if s * t < 0.0 && u * v < 0.0 {
        return true;
    }
    [(c, a, b), (d, a, b), (a, c, d), (b, c, d)]
        .into_iter()
        .any(|(p, from, to)| distance_to_segment(p, from, to) < TOUCH)
}

/// Drops points that lie on the line between their neighbours.
pub fn without_collinear(polygon: &[Point]) -> Vec<Point> {
    let n = polygon.len();
    let kept: Vec<Point> = polygon
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

/// Reads a boundary as an agent gives it: at least three points, no two in one place, not crossing itself, with an
/// area. A last point that repeats the first is dropped. The points keep their order; `field` names the parameter.
pub fn boundary(field: &str, points: &[Vec<f64>]) -> Result<Vec<Point>, Fault> {
    let mut polygon = Vec::with_capacity(points.len());
    for (i, point) in points.iter().enumerate() {
        polygon.push(plan_point(&format!("{field}[{i}]"), point)?);
    }
    checked(field, polygon)
}

/// The same for points that are already pairs.
pub fn checked(field: &str, mut polygon: Vec<Point>) -> Result<Vec<Point>, Fault> {
    if let (Some(first), Some(last)) = (polygon.first(), polygon.last())
        && polygon.len() > 3
        && distance(*first, *last) < TOUCH
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
    if let Some(i) = edges(&polygon).position(|(a, b)| distance(a, b) < TOUCH) {
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
pub fn plan_point(field: &str, point: &[f64]) -> Result<Point, Fault> {
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
    Ok([x, y])
}

/// The z of a point `[x, y, z]`; 0 where it is left out.
pub fn height_of(point: &[f64]) -> f64 {
    point.get(2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Point; 4] = [[0.0, 0.0], [4000.0, 0.0], [4000.0, 3000.0], [0.0, 3000.0]];

    #[test]
    fn a_rectangle_has_the_area_and_perimeter_of_a_rectangle() {
        assert_eq!(signed_area(&SQUARE), 12e6);
        assert_eq!(perimeter(&SQUARE), 14_000.0);
    }

    #[test]
    fn insetting_a_rectangle_moves_each_edge_inward_whichever_way_it_turns() {
        let inner = inset(&SQUARE, &[200.0; 4]).unwrap();
        assert_eq!(inner, [[200.0, 200.0], [3800.0, 200.0], [3800.0, 2800.0], [200.0, 2800.0]]);
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
        let mut points: Vec<Vec<f64>> = SQUARE.iter().map(|p| p.to_vec()).collect();
        points.push(points[0].clone());
        assert_eq!(boundary("boundary_points", &points).unwrap(), SQUARE);
    }

    #[test]
    fn a_point_on_the_edge_counts_as_inside() {
        assert!(contains(&SQUARE, [4000.0, 1500.0]));
        assert!(contains(&SQUARE, [1.0, 1.0]));
        assert!(!contains(&SQUARE, [4001.0, 1500.0]));
    }
}
