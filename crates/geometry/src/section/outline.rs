//! The outline of one body in a plane: every face gives the lines where the plane crosses it, lines are joined at their ends, and
//! the loops are cleaned into areas.
//!
//! The side of the plane that a point is on is decided once for each point, so that two faces always agree about the edge they
//! share, and the lines of a closed body close whatever lies in the plane.

use super::{Outline, Plane};
use crate::{
    math::Bounds,
    mesh::Mesh,
    region::{self, Loop},
    solid::{Face, Solid},
};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use glam::{DVec2, DVec3};

/// The most that a point can be away from the plane and still count as in it, in metres.
pub(super) const NEAR: f64 = 1e-4;

/// Lines beyond this number are no drawing, and cleaning them could take for ever.
const MAX_LINES: usize = 100_000;

/// Open ends beyond this number are not joined across gaps.
const MAX_ENDS: usize = 2_000;

/// A line from one end to the other; the body is at its left.
type Line = [DVec2; 2];

pub(super) fn cut_solid(solid: &Solid, plane: &Plane) -> Outline {
    cut(&solid.faces, size_of(solid.points()), solid.closed, plane)
}

pub(super) fn cut_mesh(mesh: &Mesh, plane: &Plane) -> Outline {
    let at = |i: u32| mesh.positions.get(i as usize).copied();
    let corners = || mesh.triangles.iter().filter_map(|t| Some([at(t[0])?, at(t[1])?, at(t[2])?]));
    // most triangles lie on one side, and need not become faces
    let is_met = |corners: &[DVec3; 3]| {
        let heights = corners.map(|p| plane.flat(p).z);
        heights.iter().any(|z| *z < 0.0) && heights.iter().any(|z| *z >= -NEAR)
    };
    let faces: Vec<Face> =
        corners().filter(is_met).map(|corners| Face { loops: vec![corners.to_vec()] }).collect();
    if faces.is_empty() {
        return Outline::default();
    }
    cut(&faces, size_of(corners().flatten()), mesh.measures().is_closed(), plane)
}

/// The diagonal of the box around points.
fn size_of(points: impl Iterator<Item = DVec3>) -> f64 {
    Bounds::from_points(points.filter(|p| p.is_finite())).size().length()
}

/// The outline of faces that belong to a body of a size.
fn cut(faces: &[Face], size: f64, is_closed: bool, plane: &Plane) -> Outline {
    if !size.is_finite() || size <= 0.0 {
        return Outline::default();
    }
    // files are written to about a micrometre; a body smaller than a millimetre has a finer measure
    let near = (size * 1e-7).max(1e-6).min(size * 1e-3).min(NEAR);
    let mut lines = Vec::new();
    for face in faces {
        cross_face(face, plane, near, &mut lines);
    }
    if lines.is_empty() || lines.len() > MAX_LINES {
        return Outline { is_partial: !lines.is_empty(), ..Outline::default() };
    }
    let mut net = Net::new(2.0 * near);
    let lines: Vec<(usize, usize)> = lines.iter().map(|l| (net.node(l[0]), net.node(l[1]))).collect();
    let (closed, open) = if is_closed { directed(&net, &lines) } else { either_way(&net, &lines) };
    let (mut loops, lines) = join(closed, open, size * 1e-3, is_closed);
    loops.retain(|l| l.len() > 2);
    let areas = if is_closed { region::union(&loops) } else { region::even_odd(&loops) };
    Outline { areas, lines, is_partial: false }
}

/// Adds the lines in which the plane crosses a face, each with the body at its left.
fn cross_face(face: &Face, plane: &Plane, near: f64, lines: &mut Vec<Line>) {
    // where the boundary goes down through the plane a line begins, where it comes up one ends
    let (mut starts, mut ends): (Vec<DVec2>, Vec<DVec2>) = (Vec::new(), Vec::new());
    for l in &face.loops {
        let Some(&last) = l.last() else { continue };
        let mut a = plane.flat(last);
        for &p in l {
            let b = plane.flat(p);
            if !b.is_finite() {
                return;
            }
            match (a.z < -near, b.z < -near) {
                (true, false) => ends.push(crossing(a, b)),
                (false, true) => starts.push(crossing(b, a)),
                _ => {}
            }
            a = b;
        }
    }
    if starts.len() != ends.len() {
        return;
    }
    if starts.len() > 1 {
        // along the line in which the two planes meet, starts and ends take turns
        let n = face.normal().map(|n| DVec2::new(n.dot(plane.frame.x_axis), n.dot(plane.frame.y_axis)));
        let d = n.map_or(ends[0] - starts[0], DVec2::perp);
        let along = |a: &DVec2, b: &DVec2| a.dot(d).total_cmp(&b.dot(d));
        starts.sort_by(along);
        ends.sort_by(along);
    }
    lines.extend(starts.into_iter().zip(ends).map(|(a, b)| [a, b]));
}

/// Returns the point in which the edge from a point below the plane to one that is not meets the plane.
fn crossing(below: DVec3, above: DVec3) -> DVec2 {
    let h = above.z.max(0.0);
    let t = below.z / (below.z - h);
    DVec2::new(below.x + (above.x - below.x) * t, below.y + (above.y - below.y) * t)
}

/// Points of the plane, those that lie together taken as one.
struct Net {
    snap: f64,
    points: Vec<DVec2>,
    cells: HashMap<[i64; 2], Vec<usize>>,
}

impl Net {
    fn new(snap: f64) -> Net {
        Net { snap, points: Vec::new(), cells: HashMap::new() }
    }

    fn node(&mut self, p: DVec2) -> usize {
        let cell = p.to_array().map(|v| (v / self.snap).floor() as i64);
        for dx in -1..=1 {
            for dy in -1..=1 {
                let beside = [cell[0].saturating_add(dx), cell[1].saturating_add(dy)];
                for &i in self.cells.get(&beside).into_iter().flatten() {
                    let q = self.at(i);
                    if p.distance(q) <= self.snap {
                        return i;
                    }
                }
            }
        }
        self.points.push(p);
        self.cells.entry(cell).or_default().push(self.points.len() - 1);
        self.points.len() - 1
    }

    fn at(&self, node: usize) -> DVec2 {
        self.points.get(node).copied().unwrap_or_default()
    }

    fn path(&self, nodes: &[usize]) -> Loop {
        nodes.iter().map(|&n| self.at(n)).collect()
    }
}

/// Lines joined end to start: loops (last point not repeated) and open paths. Lines that run both ways, where two faces of a
/// body lie on each other, take each other away.
fn directed(net: &Net, lines: &[(usize, usize)]) -> (Vec<Loop>, Vec<Loop>) {
    let mut count: HashMap<(usize, usize), i32> = HashMap::new();
    for &(a, b) in lines.iter().filter(|(a, b)| a != b) {
        let (ends, sign) = if a < b { ((a, b), 1) } else { ((b, a), -1) };
        *count.entry(ends).or_default() += sign;
    }
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); net.points.len()];
    let mut surplus = vec![0_i32; net.points.len()];
    // in the order of the faces, so that the same body always gives the same outline
    for &(a, b) in lines {
        let (ends, sign) = if a < b { ((a, b), 1) } else { ((b, a), -1) };
        let Some(left) = count.get_mut(&ends).filter(|left| left.signum() == sign) else { continue };
        *left -= sign;
        if let Some(out) = next.get_mut(a) {
            out.push(b);
        }
        if let Some(s) = surplus.get_mut(a) {
            *s += 1;
        }
        if let Some(s) = surplus.get_mut(b) {
            *s -= 1;
        }
    }
    let mut walk = |from: usize| {
        let mut path = vec![from];
        let mut at = from;
        while let Some(to) = next.get_mut(at).and_then(Vec::pop) {
            path.push(to);
            at = to;
        }
        path
    };
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    // first from where more lines begin than end: these cannot close
    for (node, &more) in surplus.iter().enumerate() {
        for _ in 0..more.max(0) {
            open.push(net.path(&walk(node)));
        }
    }
    for node in 0..net.points.len() {
        loop {
            let mut path = walk(node);
            if path.len() < 2 {
                break;
            }
            path.pop();
            closed.push(net.path(&path));
        }
    }
    (closed, open)
}

/// Lines joined whichever way they run, for surfaces whose faces need not agree.
fn either_way(net: &Net, lines: &[(usize, usize)]) -> (Vec<Loop>, Vec<Loop>) {
    let mut seen = HashSet::new();
    let mut next: Vec<Vec<(usize, usize)>> = vec![Vec::new(); net.points.len()];
    let mut used = vec![false; lines.len()];
    for (i, &(a, b)) in lines.iter().enumerate() {
        if a != b && seen.insert((a.min(b), a.max(b))) {
            for (from, to) in [(a, b), (b, a)] {
                if let Some(out) = next.get_mut(from) {
                    out.push((to, i));
                }
            }
        }
    }
    let odd: Vec<usize> =
        (0..next.len()).filter(|&n| next.get(n).is_some_and(|o| o.len() % 2 == 1)).collect();
    let mut walk = |from: usize| {
        let mut path = vec![from];
        let mut at = from;
        while let Some((to, line)) = next.get_mut(at).and_then(Vec::pop) {
            let Some(used) = used.get_mut(line).filter(|u| !**u) else { continue };
            *used = true;
            path.push(to);
            at = to;
        }
        path
    };
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    for node in odd.into_iter().chain(0..net.points.len()) {
        loop {
            let mut path = walk(node);
            if path.len() < 2 {
                break;
            }
            if path.first() == path.last() {
                path.pop();
                closed.push(net.path(&path));
            } else {
                open.push(net.path(&path));
            }
        }
    }
    (closed, open)
}

/// Closes open paths whose ends lie within `gap`, the nearest first; answers the loops and what stays open.
fn join(mut closed: Vec<Loop>, mut open: Vec<Loop>, gap: f64, one_way: bool) -> (Vec<Loop>, Vec<Loop>) {
    if open.len() > MAX_ENDS {
        return (closed, open);
    }
    let mut done = Vec::new();
    while let Some(mut path) = open.pop() {
        while let Some((&start, &end)) = path.first().zip(path.last()) {
            let far = |p: Option<&DVec2>| p.map_or(f64::INFINITY, |p| p.distance(end));
            let own = if path.len() > 2 { far(Some(&start)) } else { f64::INFINITY };
            let nearest = open
                .iter()
                .enumerate()
                .flat_map(|(i, o)| {
                    let back = if one_way { f64::INFINITY } else { far(o.last()) };
                    [(far(o.first()), i, false), (back, i, true)]
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            match nearest {
                Some((distance, i, turned)) if distance < own && distance <= gap => {
                    let mut other = open.swap_remove(i);
                    if turned {
                        other.reverse();
                    }
                    path.extend(other);
                }
                _ if own <= gap => {
                    closed.push(std::mem::take(&mut path));
                    break;
                }
                _ => break,
            }
        }
        if path.len() > 1 {
            done.push(path);
        }
    }
    (closed, done)
}
