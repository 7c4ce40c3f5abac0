//! Shortest ways over a navigation mesh, exact and at any angle, from some points to some or to all.
//!
//! The continuous Dijkstra method on triangles in space (Mitchell, Mount and Papadimitriou 1987): what a source sees is carried
//! from edge to edge as windows, each with where it is seen from, laid flat into the plane of the triangle that it enters. Windows
//! and corners are taken in the order of their least distance. Ways turn only at corners where the surface is more than straight,
//! and only around them. A window that corners of its triangle reach sooner all along is dropped (Xin and Wang 2009). With one
//! target the order is that of A*, by the straight distance left or, where that is more, by what landmarks say of it.

use super::landmarks::Left;
use super::net::{NONE, Net, Triangle};
use glam::{DVec2, DVec3};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// A point on the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// The point, in metres of the world.
    pub point: DVec3,
    /// A triangle that it lies on.
    pub triangle: u32,
}

/// The way that leads to a target.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its length in metres.
    pub length: f64,
    /// The place of its source in the list given.
    pub source: usize,
    /// Its points from the source to the target, those where it crosses from one plane to another included.
    pub points: Vec<DVec3>,
    /// The shortcuts taken: number, and the place of the point in `points` where each begins.
    pub shortcuts: Vec<(u32, usize)>,
}

/// The place that a label or a window was reached from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum From {
    /// From a source, by its place in the list.
    Source(u32),
    /// From a corner.
    Corner(u32),
}

/// A part of an edge that is seen from one place, entering a triangle across the edge.
#[derive(Debug, Clone, Copy)]
struct Window {
    triangle: u32,
    edge: u8,
    /// From where to where it is seen, in metres along the edge.
    span: [f64; 2],
    /// The place it is seen from: x along the edge, y negative, away from the triangle.
    root: DVec2,
    /// The length of the way to there.
    before: f64,
    from: From,
    /// The window that it came through.
    parent: u32,
}

/// The shortest way known to a corner.
#[derive(Debug, Clone, Copy)]
struct Label {
    length: f64,
    from: Option<From>,
    /// The window through which it was seen, if there is one.
    window: u32,
    /// The angle in its fan at which it was reached; none for a shortcut.
    angle: Option<f64>,
    shortcut: u32,
    is_done: bool,
}

const FAR: Label =
    Label { length: f64::INFINITY, from: None, window: NONE, angle: None, shortcut: NONE, is_done: false };

/// The shortest way known to a target.
#[derive(Debug, Clone, Copy)]
struct Reach {
    length: f64,
    from: From,
    window: u32,
}

enum Task {
    Corner(u32),
    Window(u32),
}

struct Next {
    least: f64,
    task: Task,
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.least == other.least
    }
}
impl Eq for Next {}
impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        other.least.total_cmp(&self.least)
    }
}

/// Lengths below this, in metres, are rounding.
const HAIR: f64 = 1e-9;

/// One search.
struct Search<'n> {
    net: &'n Net,
    sources: &'n [Spot],
    targets: &'n [Spot],
    /// The targets on each triangle.
    on: Vec<Vec<usize>>,
    labels: Vec<Label>,
    reached: Vec<Option<Reach>>,
    windows: Vec<Window>,
    queue: BinaryHeap<Next>,
    shortcuts: HashMap<u32, Vec<(u32, f64, u32)>>,
    /// The length left as landmarks tell it, where there is one target.
    left: Option<Left<'n>>,
}

/// Returns the length of the shortest way from a spot to each corner; infinite where no way leads.
pub(super) fn to_corners(net: &Net, source: Spot) -> Vec<f64> {
    let sources = [source];
    let mut search = Search::new(net, &sources, &[]);
    search.run(f64::INFINITY);
    search.labels.iter().map(|label| label.length).collect()
}

/// Returns the shortest way to each target from whichever source is nearest; `None` for those that no way leads to.
pub fn ways(net: &Net, sources: &[Spot], targets: &[Spot]) -> Vec<Option<Found>> {
    let mut search = Search::new(net, sources, targets);
    search.run(0.0);
    (0..targets.len()).map(|target| search.found(target)).collect()
}

/// Returns the lengths alone, in metres.
pub fn lengths(net: &Net, sources: &[Spot], targets: &[Spot]) -> Vec<Option<f64>> {
    let mut search = Search::new(net, sources, targets);
    search.run(0.0);
    search.reached.iter().map(|reach| reach.map(|reach| reach.length)).collect()
}

impl<'n> Search<'n> {
    fn new(net: &'n Net, sources: &'n [Spot], targets: &'n [Spot]) -> Search<'n> {
        let mut on: Vec<Vec<usize>> = vec![Vec::new(); net.triangles.len()];
        for (number, target) in targets.iter().enumerate() {
            for triangle in around(net, *target) {
                if let Some(list) = on.get_mut(triangle as usize) {
                    list.push(number);
                }
            }
        }
        let mut shortcuts: HashMap<u32, Vec<(u32, f64, u32)>> = HashMap::new();
        for s in &net.shortcuts {
            let [a, b] = s.ends;
            shortcuts.entry(a).or_default().push((b, s.length, s.number));
            shortcuts.entry(b).or_default().push((a, s.length, s.number));
        }
        Search {
            net,
            sources,
            targets,
            on,
            labels: vec![FAR; net.points.len()],
            reached: vec![None; targets.len()],
            windows: Vec::new(),
            queue: BinaryHeap::new(),
            shortcuts,
            left: match (sources, targets) {
                ([_, ..], [target]) => {
                    net.landmarks().and_then(|known| known.left(net, *target, &around(net, *target)))
                }
                _ => None,
            },
        }
    }

    /// Searches until all targets are reached, and in any case all that is nearer than `least` metres.
    fn run(&mut self, least: f64) {
        let begun: Vec<u32> = self.sources.iter().map(|source| source.triangle).collect();
        if least <= 0.0 && !self.targets.iter().any(|target| self.net.is_joined(&begun, target.triangle)) {
            return;
        }
        for (number, source) in self.sources.iter().enumerate() {
            self.begin(number as u32, *source);
        }
        while let Some(next) = self.queue.pop() {
            if next.least >= self.farthest().max(least) {
                break;
            }
            match next.task {
                Task::Corner(corner) => self.turn(corner),
                Task::Window(window) => self.enter(window),
            }
        }
    }

    /// The length beyond which nothing is wanted any more.
    fn farthest(&self) -> f64 {
        let mut most = 0.0_f64;
        for reach in &self.reached {
            let Some(reach) = reach else { return f64::INFINITY };
            most = most.max(reach.length);
        }
        most
    }

    /// The least length still ahead from a corner.
    fn ahead_of_corner(&self, corner: u32) -> f64 {
        let [target] = self.targets else { return 0.0 };
        let point = self.net.points.get(corner as usize).copied().unwrap_or_default();
        let told = self.left.as_ref().map_or(0.0, |left| left.left_from_corner(corner));
        point.distance(target.point).max(told)
    }

    /// The least length still ahead from anywhere in a window.
    fn ahead_of_window(&self, window: &Window) -> f64 {
        let [target] = self.targets else { return 0.0 };
        let Some(triangle) = self.net.triangles.get(window.triangle as usize) else { return 0.0 };
        let k = window.edge as usize;
        let length = triangle.lengths[k];
        let points = self.net.corners(window.triangle);
        let (a, b, _) = edge(&points, window.edge);
        let way = (b - a) / length.max(f64::MIN_POSITIVE);
        let near = (target.point - a).dot(way).clamp(window.span[0], window.span[1]);
        let straight = (a + way * near).distance(target.point);
        let ends = [triangle.corners[k], triangle.corners[(k + 1) % 3]];
        let told = self.left.as_ref().map_or(0.0, |left| left.left_from_edge(ends, length, window.span));
        straight.max(told)
    }

    fn begin(&mut self, number: u32, source: Spot) {
        let from = From::Source(number);
        for triangle in around(self.net, source) {
            self.see_targets(triangle, source.point, 0.0, from);
            let points = self.net.corners(triangle);
            for k in 0..3u8 {
                let (a, b, c) = edge(&points, k);
                // seen from within the triangle: the edge to each neighbour, and the corner where it begins
                self.relax_direct(triangle, k, source.point, 0.0, from);
                let local = flat(a, b, c, source.point);
                if local.y > HAIR {
                    let span = [0.0, a.distance(b)];
                    self.leave(triangle, k, span, local, 0.0, from, NONE);
                }
            }
        }
    }

    /// Targets on a triangle that is seen whole from a point on it.
    fn see_targets(&mut self, triangle: u32, point: DVec3, before: f64, from: From) {
        for number in self.on.get(triangle as usize).cloned().unwrap_or_default() {
            let length = before + self.targets.get(number).map_or(f64::INFINITY, |t| t.point.distance(point));
            self.reach(number, Reach { length, from, window: NONE });
        }
    }

    fn reach(&mut self, target: usize, reach: Reach) {
        if let Some(known) = self.reached.get_mut(target)
            && known.is_none_or(|known| reach.length < known.length)
        {
            *known = Some(reach);
        }
    }

    /// A corner of a triangle that is seen along the triangle from a point on it.
    fn relax_direct(&mut self, triangle: u32, corner: u8, point: DVec3, before: f64, from: From) {
        let points = self.net.corners(triangle);
        let (a, b, _) = edge(&points, corner);
        let back = point - a;
        let turn = (b - a).cross(back).length().atan2((b - a).dot(back));
        self.relax(triangle, corner, before + back.length(), from, NONE, turn);
    }

    /// A corner reached in a length, from within a triangle, at an angle counted from the edge that begins there.
    fn relax(&mut self, triangle: u32, corner: u8, length: f64, from: From, window: u32, turn: f64) {
        let Some(vertex) = self.net.triangles.get(triangle as usize).map(|t| t.corners[corner as usize])
        else {
            return;
        };
        let Some(fan) = self.net.fans.get(vertex as usize) else { return };
        let Some(label) = self.labels.get_mut(vertex as usize) else { return };
        if length >= label.length - HAIR {
            return;
        }
        let spoke = fan.spokes.iter().find(|s| s.triangle == triangle);
        let angle = spoke.map(|s| s.from + turn.min(s.angle));
        *label = Label { length, from: Some(from), window, angle, shortcut: NONE, is_done: false };
        if fan.turns() || (!self.shortcuts.is_empty() && self.shortcuts.contains_key(&vertex)) {
            let least = length + self.ahead_of_corner(vertex);
            self.queue.push(Next { least, task: Task::Corner(vertex) });
        }
    }

    /// Goes on from a corner, to all that is seen only around it.
    fn turn(&mut self, corner: u32) {
        let Some(label) = self.labels.get_mut(corner as usize) else { return };
        if label.is_done {
            return;
        }
        label.is_done = true;
        let label = *label;
        let (Some(fan), Some(point)) =
            (self.net.fans.get(corner as usize), self.net.points.get(corner as usize).copied())
        else {
            return;
        };
        for (other, length, number) in self.shortcuts.get(&corner).cloned().unwrap_or_default() {
            let reached = label.length + length;
            if let Some(known) = self.labels.get_mut(other as usize).filter(|l| reached < l.length - HAIR) {
                *known = Label { length: reached, from: Some(From::Corner(corner)), shortcut: number, ..FAR };
                let least = reached + self.ahead_of_corner(other);
                self.queue.push(Next { least, task: Task::Corner(other) });
            }
        }
        if !fan.turns() && label.angle.is_some() {
            return;
        }
        let from = From::Corner(corner);
        for spoke in &fan.spokes {
            if !around_corner(label.angle, spoke.from, spoke.from + spoke.angle, fan.total, fan.is_closed) {
                continue;
            }
            let k = (spoke.corner + 1) % 3;
            self.see_targets(spoke.triangle, point, label.length, from);
            self.relax_direct(spoke.triangle, k, point, label.length, from);
            self.relax_direct(spoke.triangle, (k + 1) % 3, point, label.length, from);
            let points = self.net.corners(spoke.triangle);
            let (a, b, c) = edge(&points, k);
            let local = flat(a, b, c, point);
            self.leave(spoke.triangle, k, [0.0, a.distance(b)], local, label.length, from, NONE);
        }
    }

    /// A window through an edge of a triangle, seen from its own side, into the triangle beyond. `root` is laid flat with the
    /// triangle's inside at positive y.
    #[allow(clippy::too_many_arguments)]
    fn leave(
        &mut self,
        triangle: u32,
        k: u8,
        span: [f64; 2],
        root: DVec2,
        before: f64,
        from: From,
        parent: u32,
    ) {
        let Some(own) = self.net.triangles.get(triangle as usize) else { return };
        let beyond = own.beyond[k as usize];
        let length = own.lengths[k as usize];
        let start = own.corners[k as usize];
        if beyond == NONE || span[1] - span[0] <= HAIR {
            return;
        }
        let Some(next) = self.net.triangles.get(beyond as usize) else { return };
        // the neighbour's edge ends where this one starts
        let Some(edge_of_next) =
            (0..3usize).find(|j| next.corners[(j + 1) % 3] == start && next.beyond[*j] == triangle)
        else {
            return;
        };
        let window = Window {
            triangle: beyond,
            edge: edge_of_next as u8,
            span: [length - span[1], length - span[0]],
            root: DVec2::new(length - root.x, -root.y),
            before,
            from,
            parent,
        };
        if self.is_useless(&window) {
            return;
        }
        let near = window.root.x.clamp(window.span[0], window.span[1]);
        let least = before + window.root.distance(DVec2::new(near, 0.0)) + self.ahead_of_window(&window);
        let number = self.windows.len() as u32;
        self.windows.push(window);
        self.queue.push(Next { least, task: Task::Window(number) });
    }

    /// Returns true if corners of the triangle that a window enters reach all that it reaches sooner.
    fn is_useless(&self, window: &Window) -> bool {
        let Some(triangle) = self.net.triangles.get(window.triangle as usize) else { return true };
        let k = window.edge as usize;
        let label = |j: usize| {
            let corner = triangle.corners[j % 3];
            self.labels.get(corner as usize).map_or(f64::INFINITY, |l| l.length)
        };
        let [from, to] = window.span.map(|x| DVec2::new(x, 0.0));
        let [to_from, to_to] = [from, to].map(|p| window.before + window.root.distance(p));
        let end = DVec2::new(triangle.lengths[k], 0.0);
        label(k) + to.x < to_to - HAIR
            || label(k + 1) + end.distance(from) < to_from - HAIR
            || is_hidden_by_apex(window, apex_of(triangle, k), label(k + 2))
    }

    /// Carries a window through the triangle that it enters.
    fn enter(&mut self, number: u32) {
        let Some(window) = self.windows.get(number as usize).copied() else { return };
        if self.is_useless(&window) {
            return;
        }
        let Some(triangle) = self.net.triangles.get(window.triangle as usize).copied() else { return };
        let k = window.edge as usize;
        let (root, [x0, x1]) = (window.root, window.span);
        if root.y > -1e-12 {
            return;
        }
        let points = self.net.corners(window.triangle);
        let (a, b, c) = edge(&points, window.edge);
        // where the line from the root to a point crosses the edge
        let crossing = |p: DVec2| root.x + (p.x - root.x) * -root.y / (p.y - root.y);
        for target in self.on.get(window.triangle as usize).cloned().unwrap_or_default() {
            let Some(point) = self.targets.get(target).map(|t| t.point) else { continue };
            let p = flat(a, b, c, point);
            let x = crossing(p);
            if x >= x0 - HAIR && x <= x1 + HAIR {
                let length = window.before + root.distance(p);
                self.reach(target, Reach { length, from: window.from, window: number });
            }
        }
        let apex = apex_of(&triangle, k);
        let end = DVec2::new(triangle.lengths[k], 0.0);
        let at = crossing(apex);
        if at >= x0 - HAIR && at <= x1 + HAIR {
            let back = root - apex;
            let to_start = -apex;
            let turn = to_start.perp_dot(back).abs().atan2(to_start.dot(back));
            let length = window.before + back.length();
            self.relax(window.triangle, (window.edge + 2) % 3, length, window.from, number, turn);
        }
        // the edge from the end of this one to the apex, then that from the apex to its start
        for (j, p, q, low, high) in
            [(1u8, end, apex, x0.max(at), x1), (2u8, apex, DVec2::ZERO, x0, x1.min(at))]
        {
            if high - low <= 0.0 {
                continue;
            }
            let on_edge = |x: f64| {
                let way = DVec2::new(x, 0.0) - root;
                let d = q - p;
                let det = way.perp_dot(d);
                let share = if det.abs() > 1e-300 { way.perp_dot(root - p) / det } else { 0.0 };
                share.clamp(0.0, 1.0) * d.length()
            };
            // seen from the left the edge runs from its end to its start
            let (first, last) = (on_edge(high), on_edge(low));
            let length = p.distance(q).max(f64::MIN_POSITIVE);
            let axis = (q - p) / length;
            let rel = root - p;
            let local = DVec2::new(rel.dot(axis), axis.perp_dot(rel));
            let span = [first.min(last), first.max(last)];
            self.leave(
                window.triangle,
                (window.edge + j) % 3,
                span,
                local,
                window.before,
                window.from,
                number,
            );
        }
    }

    /// The way to a target, if there is one.
    fn found(&self, target: usize) -> Option<Found> {
        let reach = self.reached.get(target).copied().flatten()?;
        let mut backwards = vec![self.targets.get(target)?.point];
        let mut taken: Vec<(u32, usize)> = Vec::new();
        let (mut from, mut window) = (reach.from, reach.window);
        // no corner comes twice
        for _ in 0..=self.labels.len() {
            self.cross_back(window, &mut backwards);
            match from {
                From::Source(number) => {
                    backwards.push(self.sources.get(number as usize)?.point);
                    let count = backwards.len();
                    backwards.reverse();
                    let shortcuts = taken.iter().rev().map(|(n, at)| (*n, count - 1 - at)).collect();
                    let points = backwards;
                    return Some(Found { length: reach.length, source: number as usize, points, shortcuts });
                }
                From::Corner(corner) => {
                    let label = self.labels.get(corner as usize)?;
                    backwards.push(*self.net.points.get(corner as usize)?);
                    if label.shortcut != NONE {
                        // it begins at the corner before
                        taken.push((label.shortcut, backwards.len()));
                    }
                    (from, window) = (label.from?, label.window);
                }
            }
        }
        None
    }

    /// Adds the points where the straight line to the last one crosses the edges that it was seen through, from the last to the first.
    fn cross_back(&self, mut number: u32, points: &mut Vec<DVec3>) {
        while let Some(window) = self.windows.get(number as usize) {
            let Some(last) = points.last().copied() else { return };
            let corners = self.net.corners(window.triangle);
            let (a, b, c) = edge(&corners, window.edge);
            let p = flat(a, b, c, last);
            let x = window.root.x + (p.x - window.root.x) * -window.root.y / (p.y - window.root.y);
            let length = a.distance(b).max(f64::MIN_POSITIVE);
            points.push(a + (b - a) * (x / length).clamp(0.0, 1.0));
            number = window.parent;
        }
    }
}

/// The corner across an edge, laid flat: x along the edge, y into the triangle.
fn apex_of(triangle: &Triangle, k: usize) -> DVec2 {
    let [base, right, left] = [k, k + 1, k + 2].map(|i| triangle.lengths[i % 3]);
    let x = (base * base + left * left - right * right) / (2.0 * base.max(f64::MIN_POSITIVE));
    DVec2::new(x, (left * left - x * x).max(0.0).sqrt())
}

/// Returns true if the apex is so much nearer that no point between the window's ends is reached sooner through the window.
fn is_hidden_by_apex(window: &Window, apex: DVec2, label: f64) -> bool {
    // the difference of two distances changes no faster than twice the way
    let [a, b] = window.span;
    let middle = DVec2::new(f64::midpoint(a, b), 0.0);
    label + apex.distance(middle) + (b - a) < window.before + window.root.distance(middle)
}

/// Returns true if directions of a fan between two angles are seen only around its corner, coming from the angle `back`: on either
/// side as much as half a turn away.
fn around_corner(back: Option<f64>, from: f64, to: f64, total: f64, is_closed: bool) -> bool {
    use std::f64::consts::PI;
    const SLACK: f64 = 1e-7;
    let Some(back) = back else { return true };
    if !is_closed {
        return from <= back - PI + SLACK || to >= back + PI - SLACK;
    }
    // counted from where it comes in: allowed from half a turn to half a turn before coming around
    let (low, high) = (back + PI - SLACK, back + total - PI + SLACK);
    [-total, 0.0, total].iter().any(|turn| from + turn <= high && to + turn >= low)
}

/// The corners of a triangle, beginning with where an edge begins.
fn edge(points: &[DVec3; 3], k: u8) -> (DVec3, DVec3, DVec3) {
    let k = k as usize;
    (points[k % 3], points[(k + 1) % 3], points[(k + 2) % 3])
}

/// A point on a triangle laid flat: x along the edge from `a` to `b`, y towards `c`.
fn flat(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> DVec2 {
    let along = (b - a).normalize_or_zero();
    let up = c - a;
    let up = (up - along * up.dot(along)).normalize_or_zero();
    DVec2::new((p - a).dot(along), (p - a).dot(up))
}

/// The triangles that a spot lies on: its own and, on an edge or a corner, those around.
fn around(net: &Net, spot: Spot) -> Vec<u32> {
    let mut found = vec![spot.triangle];
    let mut next = 0;
    while let Some(triangle) = found.get(next).copied() {
        next += 1;
        let points = net.corners(triangle);
        for k in 0..3u8 {
            let (a, b, c) = edge(&points, k);
            // rounding may have put it a little beyond the edge of the triangle that it was found on
            let is_on = flat(a, b, c, spot.point).y <= HAIR;
            let beyond = net.triangles.get(triangle as usize).map_or(NONE, |t| t.beyond[k as usize]);
            if is_on && beyond != NONE && !found.contains(&beyond) && found.len() < 64 {
                let points = net.corners(beyond);
                if (0..3u8).all(|j| {
                    let (a, b, c) = edge(&points, j);
                    flat(a, b, c, spot.point).y >= -HAIR
                }) {
                    found.push(beyond);
                }
            }
        }
    }
    found
}
