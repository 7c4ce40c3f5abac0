//! Openings that pass through a body without touching its edges: most windows, ducts and skylights.
//!
//! If the outline of an opening, seen along its direction, keeps clear of every edge of the body, nothing has to be computed in
//! two dimensions: the faces that it goes through get a hole each, and the tunnel between them gets its sides. The other faces stay as they
//! are to the last bit. It does not matter what the body is. Whatever touches an edge, ends within the body or crosses itself is not for here
//! (`panel`, `prism`).

use crate::math::{Bounds, inverse, signed_area};
use crate::prism::{ASIDE, Prism, Slope, height};
use crate::region::{self, GRID, Loop};
use crate::solid::{Face, Solid};
use glam::{DVec2, DVec3};

/// The distance that an outline keeps from the edges of the body, in metres: as near as that corners count as one elsewhere.
const CLEAR: f64 = 1e-5;

/// The way of an opening through a body.
#[derive(Debug)]
pub struct Passage {
    /// Faces by number with a hole to be added.
    holes: Vec<(usize, Vec<DVec3>)>,
    /// The sides of the tunnels.
    sides: Vec<Face>,
}

/// A face that the opening goes through.
struct Hit {
    face: usize,
    slope: Slope,
    /// True if the body is below it.
    up: bool,
    at_centre: f64,
}

impl Passage {
    /// Returns the way `prism` goes through `solid`; without holes where it goes past it, and `None` where it does neither cleanly.
    pub fn find(solid: &Solid, prism: &Prism) -> Option<Passage> {
        let outline = outline(prism)?;
        let to = inverse(&prism.frame)?;
        if !solid.closed {
            return None;
        }
        let extent = Bounds::from_points(outline.iter().map(|p| p.extend(0.0)));
        let (low, high) = (extent.min.truncate() - CLEAR, extent.max.truncate() + CLEAR);
        let centre = low.midpoint(high);
        let mut hits: Vec<Hit> = Vec::new();
        for (number, face) in solid.faces.iter().enumerate() {
            let mut inside = false;
            for l in &face.loops {
                let Some(&last) = l.last() else { continue };
                let mut a = to.transform_point3(last);
                for &p in l {
                    let b = to.transform_point3(p);
                    if meets_box(a.truncate(), b.truncate(), low, high) {
                        return None;
                    }
                    inside ^= (a.y > centre.y) != (b.y > centre.y)
                        && centre.x < a.x + (centre.y - a.y) / (b.y - a.y) * (b.x - a.x);
                    a = b;
                }
            }
            if inside {
                hits.push(Hit::on_face(number, face, prism, centre)?);
            }
        }
        hits.sort_by(|a, b| a.at_centre.total_cmp(&b.at_centre));
        if hits.len() % 2 == 1 || hits.iter().enumerate().any(|(i, h)| h.up != (i % 2 == 1)) {
            return None;
        }
        let (Some(first), Some(last)) = (hits.first(), hits.last()) else {
            return Some(Passage { holes: Vec::new(), sides: Vec::new() });
        };
        let through = outline.iter().all(|&p| {
            prism.low.is_none_or(|s| height(s, p) <= height(first.slope, p) + ASIDE)
                && prism.high.is_none_or(|s| height(s, p) >= height(last.slope, p) - ASIDE)
                && hits.windows(2).all(|w| height(w[1].slope, p) - height(w[0].slope, p) > CLEAR)
        });
        through.then(|| Passage::through(&hits, &outline, prism))
    }

    fn through(hits: &[Hit], outline: &Loop, prism: &Prism) -> Passage {
        let ring = |hit: &Hit| -> Vec<DVec3> {
            outline.iter().map(|&p| prism.frame.transform_point3(p.extend(height(hit.slope, p)))).collect()
        };
        let mut passage = Passage { holes: Vec::with_capacity(hits.len()), sides: Vec::new() };
        for pair in hits.chunks_exact(2) {
            let (below, mut above) = (ring(&pair[0]), ring(&pair[1]));
            let next = |l: &[DVec3]| l.iter().copied().cycle().skip(1).take(l.len()).collect::<Vec<DVec3>>();
            let (below_next, above_next) = (next(&below), next(&above));
            let corners = below.iter().zip(&above).zip(below_next.iter().zip(&above_next));
            let side = |((a, d), (b, c)): ((&DVec3, &DVec3), (&DVec3, &DVec3))| Face {
                loops: vec![vec![*b, *a, *d, *c]],
            };
            passage.sides.extend(corners.map(side));
            above.reverse();
            passage.holes.push((pair[0].face, below));
            passage.holes.push((pair[1].face, above));
        }
        passage
    }

    /// Returns true if the opening goes past the body.
    pub fn is_past(&self) -> bool {
        self.holes.is_empty()
    }

    /// Takes the opening out of the body that it was found for.
    pub fn open(self, solid: &mut Solid) {
        for (number, hole) in self.holes {
            if let Some(face) = solid.faces.get_mut(number) {
                face.loops.push(hole);
            }
        }
        solid.faces.extend(self.sides);
    }
}

impl Hit {
    /// `None` for a face that is seen nearly edge-on.
    fn on_face(number: usize, face: &Face, prism: &Prism, centre: DVec2) -> Option<Hit> {
        let normal = face.normal()?;
        let axes = [prism.frame.x_axis, prism.frame.y_axis, prism.frame.z_axis];
        let n = axes.map(|a| a.dot(normal));
        if n[2].abs() < 1e-2 {
            return None;
        }
        let points = face.loops.first()?;
        // the middle of the corners, so that a face not quite flat is off by the least
        let sum = points.iter().fold(DVec3::ZERO, |s, p| s + (*p - prism.frame.translation));
        let middle = sum * (1.0 / points.len() as f64);
        let off = normal.dot(middle) / n[2];
        let slope = [-n[0] / n[2], -n[1] / n[2], off];
        Some(Hit { face: number, slope, up: n[2] > 0.0, at_centre: height(slope, centre) })
    }
}

/// The outline of a prism that has just one, counter-clockwise and without crossings.
pub fn outline(prism: &Prism) -> Option<Loop> {
    let [points] = prism.area.as_deref()? else { return None };
    if let Some(simple) = convex(points) {
        return Some(simple);
    }
    let mut areas = region::even_odd(std::slice::from_ref(points));
    let area = areas.pop().filter(|a| areas.is_empty() && a.holes.is_empty())?;
    Some(area.outer)
}

/// The loop itself, counter-clockwise, if it turns one way only and once round.
fn convex(points: &Loop) -> Option<Loop> {
    let mut l: Loop = Vec::with_capacity(points.len());
    for p in points {
        if l.last().is_none_or(|q| p.distance(*q) > GRID) {
            l.push(*p);
        }
    }
    while l.len() > 2 && l.first().zip(l.last()).is_some_and(|(p, q)| p.distance(*q) <= GRID) {
        l.pop();
    }
    let n = l.len();
    let area = signed_area(&l);
    if n < 3 || !area.is_finite() || area.abs() < 1e-8 {
        return None;
    }
    if area < 0.0 {
        l.reverse();
    }
    let step = |i: usize| l[(i + 1) % n] - l[i % n];
    let mut turns = 0;
    for i in 0..n {
        let (u, v) = (step(i), step(i + 1));
        if u.perp_dot(v) <= 0.0 {
            return None;
        }
        // the direction passes the x axis upward once in a full turn
        turns += usize::from(u.y < 0.0 && v.y >= 0.0);
    }
    (turns == 1).then_some(l)
}

/// Returns true if the segment from `a` to `b` meets a box.
fn meets_box(a: DVec2, b: DVec2, low: DVec2, high: DVec2) -> bool {
    for i in 0..2 {
        if a[i].max(b[i]) < low[i] || a[i].min(b[i]) > high[i] {
            return false;
        }
    }
    // all corners of the box on one side of the line: no
    let side = |x: f64, y: f64| (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
    let corners = [side(low.x, low.y), side(high.x, low.y), side(high.x, high.y), side(low.x, high.y)];
    !(corners.iter().all(|s| *s > 0.0) || corners.iter().all(|s| *s < 0.0))
}
