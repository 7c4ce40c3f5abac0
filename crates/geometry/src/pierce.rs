//! Openings that pass through a body without touching its edges: most windows, ducts and skylights.
//!
//! Where the outline of an opening, seen along its direction, keeps clear of every edge of the body, nothing has to be computed in
//! two dimensions: the faces that it goes through get a hole each, and the tunnel between them gets its sides. The other faces stay as they
//! are to the last bit. It does not matter what the body is. Whatever touches an edge, ends within the body or crosses itself is not for here
//! (`panel`, `prism`).

use crate::math::{Bounds, P2, P3, add, dot, scale, signed_area, sub};
use crate::prism::{ASIDE, Prism, Slope, height};
use crate::region::{self, GRID, Loop};
use crate::solid::{Face, Solid};

/// How far an outline keeps from the edges of the body, in metres: as near as that corners count as one elsewhere.
const CLEAR: f64 = 1e-5;

/// The way of an opening through a body.
#[derive(Debug)]
pub struct Passage {
    /// Faces by number with a hole to be added.
    holes: Vec<(usize, Vec<P3>)>,
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
    /// How `prism` goes through `solid`; without holes where it goes past it, and `None` where it does neither cleanly.
    pub fn find(solid: &Solid, prism: &Prism) -> Option<Passage> {
        let outline = outline(prism)?;
        let to = prism.frame.inverse()?;
        if !solid.closed {
            return None;
        }
        let extent = Bounds::from_points(outline.iter().map(|p| [p[0], p[1], 0.0]));
        let low = [extent.min[0] - CLEAR, extent.min[1] - CLEAR];
        let high = [extent.max[0] + CLEAR, extent.max[1] + CLEAR];
        let centre = [f64::midpoint(low[0], high[0]), f64::midpoint(low[1], high[1])];
        let mut hits: Vec<Hit> = Vec::new();
        for (number, face) in solid.faces.iter().enumerate() {
            let mut inside = false;
            for l in &face.loops {
                let Some(&last) = l.last() else { continue };
                let mut a = to.point(last);
                for &p in l {
                    let b = to.point(p);
                    if meets_box([a[0], a[1]], [b[0], b[1]], low, high) {
                        return None;
                    }
                    inside ^= (a[1] > centre[1]) != (b[1] > centre[1])
                        && centre[0] < a[0] + (centre[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
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
        let ring = |hit: &Hit| -> Vec<P3> {
            outline.iter().map(|&p| prism.frame.point([p[0], p[1], height(hit.slope, p)])).collect()
        };
        let mut passage = Passage { holes: Vec::with_capacity(hits.len()), sides: Vec::new() };
        for pair in hits.chunks_exact(2) {
            let (below, mut above) = (ring(&pair[0]), ring(&pair[1]));
            let next = |l: &[P3]| l.iter().copied().cycle().skip(1).take(l.len()).collect::<Vec<P3>>();
            let (below_next, above_next) = (next(&below), next(&above));
            let corners = below.iter().zip(&above).zip(below_next.iter().zip(&above_next));
            let side =
                |((a, d), (b, c)): ((&P3, &P3), (&P3, &P3))| Face { loops: vec![vec![*b, *a, *d, *c]] };
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
    fn on_face(number: usize, face: &Face, prism: &Prism, centre: P2) -> Option<Hit> {
        let normal = face.normal()?;
        let axes = [prism.frame.x, prism.frame.y, prism.frame.z];
        let n = axes.map(|a| dot(a, normal));
        if n[2].abs() < 1e-2 {
            return None;
        }
        let points = face.loops.first()?;
        // the middle of the corners, so that a face not quite flat is off by the least
        let sum = points.iter().fold([0.0; 3], |s, p| add(s, sub(*p, prism.frame.o)));
        let middle = scale(sum, 1.0 / points.len() as f64);
        let off = dot(normal, middle) / n[2];
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
        if l.last().is_none_or(|q| (p[0] - q[0]).hypot(p[1] - q[1]) > GRID) {
            l.push(*p);
        }
    }
    while l.len() > 2
        && l.first().zip(l.last()).is_some_and(|(p, q)| (p[0] - q[0]).hypot(p[1] - q[1]) <= GRID)
    {
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
    let step = |i: usize| [l[(i + 1) % n][0] - l[i % n][0], l[(i + 1) % n][1] - l[i % n][1]];
    let mut turns = 0;
    for i in 0..n {
        let (u, v) = (step(i), step(i + 1));
        if u[0] * v[1] - u[1] * v[0] <= 0.0 {
            return None;
        }
        // the direction passes the x axis upward once in a full turn
        turns += usize::from(u[1] < 0.0 && v[1] >= 0.0);
    }
    (turns == 1).then_some(l)
}

/// Returns true if the segment from `a` to `b` meets a box.
fn meets_box(a: P2, b: P2, low: P2, high: P2) -> bool {
    for i in 0..2 {
        if a[i].max(b[i]) < low[i] || a[i].min(b[i]) > high[i] {
            return false;
        }
    }
    // all corners of the box on one side of the line: no
    let side = |x: f64, y: f64| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
    let corners =
        [side(low[0], low[1]), side(high[0], low[1]), side(high[0], high[1]), side(low[0], high[1])];
    !(corners.iter().all(|s| *s > 0.0) || corners.iter().all(|s| *s < 0.0))
}
