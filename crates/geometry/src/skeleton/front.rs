//! The sides of a polygon on their way inward: loops of corners that run along straight lines until a side has no length
//! left, or a corner runs into another side.
//!
//! What happens at one time is settled together: every corner that touches something stops there as a node, loops are
//! taken apart where they touch themselves, and what has no area left is done. New corners leave from the nodes.

use super::{MOST_CORNERS, NoSkeleton, Node, Part, Skeleton, loops};
use glam::DVec2;

/// A side: its direction, and how fast it moves to the left of it.
#[derive(Debug, Clone, Copy)]
struct Side {
    along: DVec2,
    speed: f64,
}

/// A corner between the side before it and the one that starts from it.
#[derive(Debug, Clone, Copy)]
struct Corner {
    before: usize,
    side: usize,
    /// The node that it left from, where and when.
    node: usize,
    from: DVec2,
    since: f64,
    way: DVec2,
    /// Where it is at the time that is being looked at.
    at: DVec2,
    /// True if it has stopped in its node at that time.
    stopped: bool,
}

pub(super) struct Front {
    sides: Vec<Side>,
    nodes: Vec<Node>,
    rings: Vec<Vec<Corner>>,
    /// Directed pieces of the outlines of the sides' parts, by side.
    pieces: Vec<Vec<(usize, usize)>>,
    /// Points nearer than this are one.
    near: f64,
    time: f64,
    /// The first node of the present time.
    fresh: usize,
}

impl Front {
    pub(super) fn new(polygon: &[DVec2], speeds: &[f64]) -> Result<Self, NoSkeleton> {
        let n = polygon.len();
        let corners = || polygon.iter().zip(polygon.iter().cycle().skip(1));
        let size =
            polygon.iter().fold(0.0, |size: f64, p| size.max(p.distance(*polygon.first().unwrap_or(p))));
        let near = size * 1e-8;
        let origin = polygon.first().copied().unwrap_or_default();
        let area: f64 = corners().map(|(a, b)| (*a - origin).perp_dot(*b - origin)).sum::<f64>() / 2.0;
        let finite =
            polygon.iter().all(|p| p.is_finite()) && speeds.iter().all(|s| s.is_finite() && *s >= 0.0);
        if !(3..=MOST_CORNERS).contains(&n) || !finite || area <= near * size {
            return Err(NoSkeleton::NoPolygon);
        }
        let sides: Vec<Side> = corners()
            .enumerate()
            .map(|(i, (a, b))| Side {
                along: (*b - *a).normalize_or_zero(),
                speed: speeds.get(i).copied().unwrap_or(1.0),
            })
            .collect();
        if corners().any(|(a, b)| a.distance(*b) <= near) {
            return Err(NoSkeleton::NoPolygon);
        }
        let nodes: Vec<Node> = polygon.iter().map(|p| Node { at: *p, time: 0.0 }).collect();
        let ring: Vec<Corner> = polygon
            .iter()
            .enumerate()
            .map(|(i, p)| Corner {
                before: (i + n - 1) % n,
                side: i,
                node: i,
                from: *p,
                since: 0.0,
                way: DVec2::ZERO,
                at: *p,
                stopped: true,
            })
            .collect();
        let pieces = (0..n).map(|i| vec![(i, (i + 1) % n)]).collect();
        let mut front = Self { sides, nodes, rings: vec![ring], pieces, near, time: 0.0, fresh: 0 };
        front.set_off()?;
        Ok(front)
    }

    pub(super) fn run(mut self, until: Option<f64>) -> Result<Skeleton, NoSkeleton> {
        let bound = 20 * self.nodes.len() + 100;
        let mut rest = Vec::new();
        for _ in 0..bound {
            if self.rings.is_empty() {
                return self.finish(rest);
            }
            let next = self.next_time();
            if let Some(end) = until.filter(|end| next.is_none_or(|next| *end < next - self.near)) {
                self.go_to(end);
                rest = self.stop_all();
                return self.finish(rest);
            }
            let next = next.ok_or(NoSkeleton::NeverMeet)?;
            self.go_to(next);
            if !self.settle()? {
                return Err(NoSkeleton::TooClose);
            }
            self.set_off()?;
        }
        Err(NoSkeleton::TooClose)
    }

    fn side(&self, i: usize) -> Side {
        self.sides.get(i).copied().unwrap_or(Side { along: DVec2::X, speed: 0.0 })
    }

    /// The way of a corner between two sides; none where they run against each other, or along each other at two speeds.
    fn way(&self, before: usize, side: usize) -> Result<DVec2, NoSkeleton> {
        let (a, b) = (self.side(before), self.side(side));
        let (n, m) = (a.along.perp(), b.along.perp());
        let turn = n.perp_dot(m);
        if turn.abs() > 1e-7 {
            return Ok(DVec2::new(a.speed * m.y - b.speed * n.y, b.speed * n.x - a.speed * m.x) / turn);
        }
        if n.dot(m) < 0.0 || (a.speed - b.speed).abs() > 1e-9 {
            return Err(NoSkeleton::NeverMeet);
        }
        Ok((n * a.speed + m * b.speed) / 2.0)
    }

    /// Lets every corner that has stopped leave from its node.
    fn set_off(&mut self) -> Result<(), NoSkeleton> {
        let mut rings = std::mem::take(&mut self.rings);
        for ring in &mut rings {
            for corner in ring.iter_mut().filter(|c| c.stopped) {
                corner.way = self.way(corner.before, corner.side)?;
                corner.from = corner.at;
                corner.since = self.time;
                corner.stopped = false;
            }
        }
        self.rings = rings;
        Ok(())
    }

    /// The next time at which a side has no length left or a corner runs into a side.
    fn next_time(&self) -> Option<f64> {
        let mut next = f64::INFINITY;
        for ring in &self.rings {
            let after = || ring.iter().cycle().skip(1);
            for (i, (a, b)) in ring.iter().zip(after()).enumerate() {
                let along = self.side(a.side).along;
                let closing = (a.way - b.way).dot(along);
                if closing > 1e-12 {
                    next = next.min(self.time + ((b.at - a.at).dot(along) / closing).max(0.0));
                }
                let reflex = self.side(a.before).along.perp_dot(along) < -1e-9;
                if reflex {
                    next = next.min(self.run_into(ring, i, a));
                }
            }
        }
        next.is_finite().then_some(next)
    }

    /// When the inner corner `i` of a ring runs into another side of it.
    fn run_into(&self, ring: &[Corner], i: usize, corner: &Corner) -> f64 {
        let n = ring.len();
        let mut first = f64::INFINITY;
        for (j, (a, b)) in ring.iter().zip(ring.iter().cycle().skip(1)).enumerate() {
            if j == i || (j + 1) % n == i {
                continue;
            }
            let side = self.side(a.side);
            let inward = side.along.perp();
            let distance = inward.dot(corner.at - a.at);
            let closing = side.speed - inward.dot(corner.way);
            if distance < -self.near || closing <= 1e-12 {
                continue;
            }
            let after = (distance / closing).max(0.0);
            if self.time + after >= first {
                continue;
            }
            let at = |c: &Corner| (c.at + c.way * after).dot(side.along);
            let slack = self.near * 0.5;
            if at(corner) >= at(a) - slack && at(corner) <= at(b) + slack {
                first = self.time + after;
            }
        }
        first
    }

    fn go_to(&mut self, time: f64) {
        self.time = time.max(self.time);
        self.fresh = self.nodes.len();
        for corner in self.rings.iter_mut().flatten() {
            corner.at = corner.from + corner.way * (self.time - corner.since);
        }
    }

    /// Stops a corner where it is, in a node of the present time.
    fn stop(&mut self, corner: &mut Corner) {
        if corner.stopped {
            return;
        }
        let known =
            self.nodes.iter().skip(self.fresh).position(|n| n.at.distance(corner.at) <= 2.0 * self.near);
        let node = if let Some(i) = known {
            self.fresh + i
        } else {
            self.nodes.push(Node { at: corner.at, time: self.time });
            self.nodes.len() - 1
        };
        self.piece(corner.before, corner.node, node);
        self.piece(corner.side, node, corner.node);
        corner.node = node;
        corner.at = self.nodes.get(node).map_or(corner.at, |n| n.at);
        corner.stopped = true;
    }

    fn piece(&mut self, side: usize, from: usize, to: usize) {
        if let Some(pieces) = self.pieces.get_mut(side).filter(|_| from != to) {
            pieces.push((from, to));
        }
    }

    /// Takes the rings apart where they touch themselves now. Returns false if nothing touched.
    fn settle(&mut self) -> Result<bool, NoSkeleton> {
        let mut work = std::mem::take(&mut self.rings);
        let mut bound = 40 * work.iter().map(Vec::len).sum::<usize>() + 100;
        let mut touched = false;
        while let Some(mut ring) = work.pop() {
            bound = bound.checked_sub(1).ok_or(NoSkeleton::TooClose)?;
            if ring.len() <= 2 {
                touched = true;
                self.close(&mut ring);
            } else if let Some(i) = self.lost_side(&ring) {
                touched = true;
                self.drop_side(&mut ring, i);
                work.push(ring);
            } else if let Some((i, j)) = self.touch(&ring) {
                touched = true;
                let (one, other) = self.split(ring, i, j);
                work.push(one);
                work.push(other);
            } else {
                self.rings.push(ring);
            }
        }
        Ok(touched)
    }

    /// A ring of two sides lies on itself: what is between its corners is a ridge of both.
    fn close(&mut self, ring: &mut [Corner]) {
        for corner in ring.iter_mut() {
            self.stop(corner);
        }
        if let [a, b] = ring {
            self.piece(a.side, b.node, a.node);
            self.piece(b.side, a.node, b.node);
        }
    }

    fn lost_side(&self, ring: &[Corner]) -> Option<usize> {
        ring.iter().zip(ring.iter().cycle().skip(1)).position(|(a, b)| a.at.distance(b.at) <= self.near)
    }

    /// Takes the side that starts from corner `i` and has no length out of a ring.
    fn drop_side(&mut self, ring: &mut Vec<Corner>, i: usize) {
        let n = ring.len();
        ring.rotate_left(i);
        let [first, second, ..] = ring.as_mut_slice() else { return };
        self.stop(first);
        // both end in one node, whichever of them lies nearer to it
        second.at = if second.stopped { second.at } else { first.at };
        self.stop(second);
        if first.node != second.node {
            self.piece(first.side, second.node, first.node);
        }
        second.before = first.before;
        ring.remove(0);
        ring.rotate_right(i.min(n.saturating_sub(2)));
    }

    /// A corner that touches a side which it does not belong to, or another corner: both by their numbers.
    fn touch(&self, ring: &[Corner]) -> Option<(usize, usize)> {
        let n = ring.len();
        for (i, corner) in ring.iter().enumerate() {
            for (j, (a, b)) in ring.iter().zip(ring.iter().cycle().skip(1)).enumerate() {
                if j == i || (j + 1) % n == i {
                    continue;
                }
                let way = b.at - a.at;
                let part = ((corner.at - a.at).dot(way) / way.length_squared()).clamp(0.0, 1.0);
                if corner.at.distance(a.at + way * part) <= self.near {
                    return Some((i, j));
                }
            }
        }
        None
    }

    /// Parts a ring in two where its corner `i` touches the side that starts from corner `j`.
    fn split(&mut self, mut ring: Vec<Corner>, i: usize, j: usize) -> (Vec<Corner>, Vec<Corner>) {
        let n = ring.len();
        ring.rotate_left(i);
        let j = (j + n - i) % n;
        // where it meets a corner, that one is taken apart as well
        let meets = |k: usize| {
            let at = |k: usize| ring.get(k % n).map(|c| c.at).unwrap_or_default();
            at(0).distance(at(k)) <= 2.0 * self.near
        };
        let (cut, corner) = if meets(j) {
            (j, true)
        } else if meets(j + 1) && j + 1 < n {
            (j + 1, true)
        } else {
            (j + 1, false)
        };
        let mut other = ring.split_off(cut.min(ring.len()));
        let Some(first) = ring.first_mut() else { return (ring, other) };
        self.stop(first);
        let here = *first;
        // the last of this ring's sides now ends in the corner
        let last = ring.last().map_or(here.side, |c| c.side);
        let before = here.before;
        if corner && let Some(met) = other.first_mut() {
            met.at = if met.stopped { met.at } else { here.at };
            self.stop(met);
            met.before = before;
        } else {
            other.insert(0, Corner { before, side: last, ..here });
        }
        if let Some(first) = ring.first_mut() {
            first.before = last;
        }
        (ring, other)
    }

    /// Stops every corner and closes the parts there; answers what is left.
    fn stop_all(&mut self) -> Vec<Vec<(usize, usize)>> {
        let mut rings = std::mem::take(&mut self.rings);
        let mut rest = Vec::new();
        for ring in &mut rings {
            for corner in ring.iter_mut() {
                self.stop(corner);
            }
            for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                self.piece(a.side, b.node, a.node);
            }
            rest.push(ring.iter().map(|c| (c.node, c.side)).collect());
        }
        rest
    }

    fn finish(self, rest: Vec<Vec<(usize, usize)>>) -> Result<Skeleton, NoSkeleton> {
        let mut parts = Vec::new();
        for (side, pieces) in self.pieces.iter().enumerate() {
            // a side that stands still sweeps nothing
            if self.side(side).speed == 0.0 {
                continue;
            }
            let outlines = loops(&self.nodes, pieces).ok_or(NoSkeleton::TooClose)?;
            parts.extend(outlines.into_iter().filter(|o| o.len() > 2).map(|outline| Part { side, outline }));
        }
        Ok(Skeleton { nodes: self.nodes, parts, rest })
    }
}
