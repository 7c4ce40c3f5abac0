//! Sides decided without rounding: the questions about corners and edges of two meshes whose answers must agree with each
//! other, or a shared body would have holes.
//!
//! Signs come from Shewchuk's adaptive predicates (crate `robust`). Where points lie in one plane, which in buildings is the rule
//! (walls stand on slabs, doors fill openings), the **second** mesh counts as moved by (ε, ε², ε³) with ε as small as one likes
//! (simulation of simplicity, Edelsbrunner and Mücke 1990): every question then has an answer, all answers agree, and volumes
//! are the true ones because nothing is really moved.

use super::triangle::Triangle;
use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

fn space(p: DVec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

fn sign(v: f64) -> i32 {
    i32::from(v > 0.0) - i32::from(v < 0.0)
}

/// The sign of the first number that has one.
fn first(signs: impl IntoIterator<Item = i32>) -> i32 {
    signs.into_iter().find(|s| *s != 0).unwrap_or(0)
}

/// The two axes beside each axis, so that the cross product's component along it is theirs.
const BESIDE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// The signs of the components of a triangle's normal. None for a triangle without area.
fn normal([a, b, c]: Triangle) -> impl Iterator<Item = i32> {
    BESIDE.into_iter().map(move |[u, v]| {
        let flat = |p: DVec3| Coord { x: p[u], y: p[v] };
        sign(orient2d(flat(a), flat(b), flat(c)))
    })
}

/// Returns true if three points have an area at all.
pub(super) fn has_area(t: Triangle) -> bool {
    first(normal(t)) != 0
}

/// The one of two meshes that a question asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edges {
    /// Points and edges of the first mesh, triangles of the second.
    OfFirst,
    /// Points and edges of the second mesh, triangles of the first.
    OfSecond,
}

/// On which side of a triangle's plane a point lies: 1 outside (where the normal points), -1 inside. 0 only for triangles
/// without area.
pub(super) fn side(p: DVec3, t: Triangle, of: Edges) -> i32 {
    let [a, b, c] = t;
    // orient3d is positive below the plane
    let plain = -sign(orient3d(space(a), space(b), space(c), space(p)));
    if plain != 0 {
        return plain;
    }
    let moved = first(normal(t));
    if of == Edges::OfSecond { moved } else { -moved }
}

/// Returns the way round in which the line through `p` and `q` passes the line from `r` to `s`: the sign of the volume of the tetrahedron
/// `p q r s`. 0 only for lines of one direction.
fn passes(p: DVec3, q: DVec3, r: DVec3, s: DVec3, of: Edges) -> i32 {
    let plain = sign(orient3d(space(q), space(r), space(s), space(p)));
    if plain != 0 {
        return plain;
    }
    let moved = first(
        BESIDE
            .into_iter()
            .map(|[u, v]| cross_sign([[r[u], s[u]], [r[v], s[v]]], [[p[u], q[u]], [p[v], q[v]]])),
    );
    if of == Edges::OfFirst { moved } else { -moved }
}

/// Returns true if the edge from `p` to `q`, whose ends lie on either side of the triangle's plane, goes through the
/// triangle.
pub(super) fn goes_through([p, q]: [DVec3; 2], [a, b, c]: Triangle, of: Edges) -> bool {
    let one = passes(p, q, a, b, of);
    one == passes(p, q, b, c, of) && one == passes(p, q, c, a, of)
}

/// 1 where the edge from `p` to `q` goes in through the triangle, -1 where it comes out, 0 where it does not meet it.
pub(super) fn step(edge: [DVec3; 2], t: Triangle, of: Edges) -> i32 {
    let (from, to) = (side(edge[0], t, of), side(edge[1], t, of));
    if from == to || from == 0 || to == 0 || !goes_through(edge, t, of) { 0 } else { from }
}

/// The sign of the cross product of two directions in a plane, each given by two coordinates along either axis.
fn cross_sign([sx, sy]: [[f64; 2]; 2], [ex, ey]: [[f64; 2]; 2]) -> i32 {
    let [a, b, c, d] = [sx, ey, sy, ex].map(|[from, to]| to - from);
    let (left, right) = (a * b, c * d);
    let plain = left - right;
    if plain.abs() > 1e-15 * (left.abs() + right.abs()) {
        return sign(plain);
    }
    // differences and products as sums of two numbers that are exact together
    let [a, b, c, d] = [sx, ey, sy, ex].map(|[from, to]| difference(to, from));
    let mut sum: Vec<f64> = Vec::with_capacity(32);
    for (x, y, turn) in [(a, b, 1.0), (c, d, -1.0)] {
        for u in x {
            for v in y {
                let product = u * v * turn;
                grow(&mut sum, (u * turn).mul_add(v, -product));
                grow(&mut sum, product);
            }
        }
    }
    // the parts do not overlap, so the last that is not zero has the sign of all
    first(sum.iter().rev().map(|v| sign(*v)))
}

/// `a - b` as a number and what rounding took from it.
fn difference(a: f64, b: f64) -> [f64; 2] {
    let x = a - b;
    let back = a - x;
    let around = x + back;
    [(a - around) + (back - b), x]
}

/// Adds a number to a sum of numbers that do not overlap, the smallest first (Shewchuk 1997, figure 6).
fn grow(sum: &mut Vec<f64>, add: f64) {
    let mut carry = add;
    for part in sum.iter_mut() {
        let x = carry + *part;
        let back = x - carry;
        *part = (carry - (x - back)) + (*part - back);
        carry = x;
    }
    sum.push(carry);
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Triangle = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];

    #[test]
    fn a_point_above_is_outside_and_one_below_inside() {
        for of in [Edges::OfFirst, Edges::OfSecond] {
            assert_eq!(side(DVec3::new(1.0, 1.0, 1e-300), FLOOR, of), 1);
            assert_eq!(side(DVec3::new(1.0, 1.0, -1e-300), FLOOR, of), -1);
        }
    }

    #[test]
    fn a_point_in_the_plane_is_on_the_side_to_which_the_second_mesh_is_moved() {
        assert_eq!(side(DVec3::new(9.0, 1.0, 0.0), FLOOR, Edges::OfFirst), -1);
        assert_eq!(side(DVec3::new(9.0, 1.0, 0.0), FLOOR, Edges::OfSecond), 1);
        let [a, b, c] = FLOOR;
        assert_eq!(side(DVec3::new(9.0, 1.0, 0.0), [a, c, b], Edges::OfFirst), 1);
    }

    #[test]
    fn an_edge_through_a_corner_or_the_common_edge_of_two_triangles_enters_exactly_once() {
        let [a, b, c] = FLOOR;
        let other = [b, DVec3::new(4.0, 4.0, 0.0), c];
        for of in [Edges::OfFirst, Edges::OfSecond] {
            for x in [[2.0, 2.0], [1.0, 3.0], [1.0, 1.0], [3.0, 3.0]] {
                let edge = [[x[0], x[1], 1.0], [x[0], x[1], -1.0]].map(DVec3::from);
                assert_eq!(step(edge, FLOOR, of) + step(edge, other, of), 1, "{x:?}");
                let back = [edge[1], edge[0]];
                assert_eq!(step(back, [a, b, c], of) + step(back, other, of), -1);
            }
        }
    }

    #[test]
    fn the_sign_of_a_cross_product_is_right_where_rounding_loses_it() {
        let tiny = f64::EPSILON;
        // (1 + ε)·(1 - ε) - 1·1 = -ε²
        assert_eq!(cross_sign([[0.0, 1.0 + tiny], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0 - tiny]]), -1);
        assert_eq!(cross_sign([[0.0, 1.0], [0.0, 1.0 - tiny]], [[0.0, 1.0 + tiny], [0.0, 1.0]]), 1);
        assert_eq!(cross_sign([[0.1, 0.4], [0.2, 0.5]], [[0.1, 0.4], [0.2, 0.5]]), 0);
    }
}
