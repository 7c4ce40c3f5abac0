//! One triangle against a point, a line or another triangle: nearest points and hits, in `f64`. Triangles without area count as
//! the lines or points that they are.

use glam::DVec3;

/// Three corners, counter-clockwise seen from outside.
pub(super) type Triangle = [DVec3; 3];

/// `n / d` between 0 and 1; 0 where there is nothing to divide by.
fn share(n: f64, d: f64) -> f64 {
    if d > 0.0 { (n / d).clamp(0.0, 1.0) } else { 0.0 }
}

fn between(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    a + (b - a) * t
}

/// The point of the line from `a` to `b` that is nearest to `p`.
pub(super) fn nearest_on_line(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let d = b - a;
    between(a, b, share((p - a).dot(d), d.dot(d)))
}

/// The point of a triangle that is nearest to `p` (by the regions of its corners, edges and face; Ericson, Real-Time Collision
/// Detection, 5.1.5).
pub(super) fn nearest_on_triangle(p: DVec3, [a, b, c]: Triangle) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return between(a, b, share(d1, d1 - d3));
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return between(a, c, share(d2, d2 - d6));
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        return between(b, c, share(d4 - d3, (d4 - d3) + (d5 - d6)));
    }
    let sum = va + vb + vc;
    if sum > 0.0 {
        return a + (ab * (vb / sum) + ac * (vc / sum));
    }
    // rounding of a sliver left no region: one of its edges is as near
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .map(|(s, e)| nearest_on_line(p, s, e))
        .fold(a, |best, q| if (q - p).length() < (best - p).length() { q } else { best })
}

/// The nearest points of the lines from `a` to `b` and from `c` to `d`.
pub(super) fn nearest_on_lines([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> (DVec3, DVec3) {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let sine = uu * vv - uv * uv;
    // of lines that are parallel to rounding, any point will do for a start
    let mut s = if sine > 1e-14 * uu * vv { (uv * vw - vv * uw) / sine } else { 0.0 };
    s = s.clamp(0.0, 1.0);
    let t = share(uv * s + vw, vv);
    let s = share(uv * t - uw, uu);
    // the answer of the second line to the first's last
    let p = between(a, b, s);
    (p, nearest_on_line(p, c, d))
}

/// Returns the point in which the line from `p` to `q` goes through a triangle, if it does; one that lies in its plane does not.
pub(super) fn pierces([p, q]: [DVec3; 2], [a, b, c]: Triangle) -> Option<DVec3> {
    let n = (b - a).cross(c - a);
    let (hp, hq) = (n.dot(p - a), n.dot(q - a));
    if hp * hq > 0.0 || hp == hq {
        return None;
    }
    let x = between(p, q, hp / (hp - hq));
    let inside = |s: DVec3, e: DVec3| n.dot((e - s).cross(x - s)) >= -1e-12 * n.dot(n).max(f64::MIN_POSITIVE);
    (inside(a, b) && inside(b, c) && inside(c, a)).then_some(x)
}

fn edges([a, b, c]: Triangle) -> [[DVec3; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The distance of two triangles and their nearest points; 0 and a common point where they cross.
pub(super) fn distance(s: Triangle, t: Triangle) -> (f64, [DVec3; 2]) {
    let mut best = (f64::INFINITY, [s[0], t[0]]);
    let mut keep = |p: DVec3, q: DVec3| {
        let d = p - q;
        let d = d.dot(d);
        if d < best.0 {
            best = (d, [p, q]);
        }
    };
    for e in edges(s) {
        for f in edges(t) {
            let (p, q) = nearest_on_lines(e, f);
            keep(p, q);
        }
    }
    for p in s {
        keep(p, nearest_on_triangle(p, t));
    }
    for q in t {
        keep(nearest_on_triangle(q, s), q);
    }
    if best.0 > 0.0 {
        let crossing = (edges(s).into_iter().find_map(|e| pierces(e, t)))
            .or_else(|| edges(t).into_iter().find_map(|e| pierces(e, s)));
        if let Some(x) = crossing {
            return (0.0, [x, x]);
        }
    }
    (best.0.sqrt(), best.1)
}

/// Returns the distance at which a ray meets a triangle from either side, in lengths of its direction (Möller and Trumbore). A hair
/// beyond an edge still counts, so that no ray slips through between two triangles.
#[inline]
pub(super) fn hit(origin: DVec3, direction: DVec3, [a, b, c]: Triangle) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let h = direction.cross(ac);
    let det = ab.dot(h);
    // a ray in the triangle's plane passes along it
    if det.abs() <= 1e-14 * ab.length() * ac.length() * direction.length() {
        return None;
    }
    let s = origin - a;
    let u = s.dot(h) / det;
    let q = s.cross(ab);
    let v = direction.dot(q) / det;
    const EDGE: f64 = 1e-10;
    let t = ac.dot(q) / det;
    (u >= -EDGE && v >= -EDGE && u + v <= 1.0 + EDGE && t.is_finite()).then_some(t)
}
