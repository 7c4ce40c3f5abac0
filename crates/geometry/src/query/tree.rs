//! A tree of boxes in flat arrays: over the elements of a scene, and over the triangles of an element. It knows neither; who
//! asks brings a measure for boxes and looks at what the leaves hold.
//!
//! Boxes are split at the median of their middles along the longest side, so the depth is bounded by the logarithm of their
//! number wherever they lie, also all in one place.

use crate::math::{Bounds, P3};
use std::ops::ControlFlow;

/// The most items that a leaf holds.
const LEAF: usize = 4;

/// Below this number of items a branch is built in the thread that asks.
const PARALLEL: usize = 8_192;

/// What half the depth of a tree of 2³² items can reach, and then some.
const DEPTH: usize = 64;

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Of a leaf its first place in `order`; of a branch its second child, the first being the next node.
    next: u32,
    /// How many items a leaf holds; nothing for a branch.
    count: u32,
}

/// Boxes by place. Items are told by their position in the list the tree was built of.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

/// How many nodes a tree of `n` items has, and one of `n + 1`.
fn size(n: usize) -> (usize, usize) {
    if n < LEAF {
        return (1, 1);
    }
    let (half, more) = size(n / 2);
    // of n and of n + 1 items, one splits evenly
    let of = |n: usize, even: usize, odd: usize| {
        if n <= LEAF { 1 } else { 1 + even + odd }
    };
    if n.is_multiple_of(2) {
        (of(n, half, half), of(n + 1, half, more))
    } else {
        (of(n, half, more), of(n + 1, more, more))
    }
}

impl Tree {
    /// A tree of the boxes that hold something finite.
    pub(super) fn new(boxes: &[Bounds]) -> Tree {
        let sound = |b: &Bounds| !b.is_empty() && b.min.iter().chain(&b.max).all(|v| v.is_finite());
        let mut order: Vec<u32> = (0_u32..).zip(boxes).filter(|(_, b)| sound(b)).map(|(i, _)| i).collect();
        if order.is_empty() {
            return Tree::default();
        }
        let none = Node { bounds: Bounds::EMPTY, next: 0, count: 0 };
        let mut nodes = vec![none; size(order.len()).0];
        fill(&mut nodes, 0, &mut order, 0, boxes);
        Tree { nodes, order }
    }

    /// How many items it holds.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    fn items(&self, leaf: &Node) -> &[u32] {
        let first = leaf.next as usize;
        self.order.get(first..first + leaf.count as usize).unwrap_or_default()
    }

    /// The leaf of every item, by the item's number; for [`Tree::refit`].
    pub(super) fn leaves(&self, items: usize) -> Vec<u32> {
        let mut leaves = vec![u32::MAX; items];
        for (at, node) in (0_u32..).zip(&self.nodes) {
            for &item in self.items(node) {
                if let Some(slot) = leaves.get_mut(item as usize) {
                    *slot = at;
                }
            }
        }
        leaves
    }

    /// Makes the boxes of a leaf and of all above it fit again after an item of it changed.
    pub(super) fn refit(&mut self, leaf: u32, of: impl Fn(u32) -> Bounds) {
        let mut path = Vec::with_capacity(DEPTH);
        let mut at = 0;
        while at != leaf {
            let Some(node) = self.node(at) else { return };
            if node.count > 0 {
                return;
            }
            path.push(at);
            at = if leaf < node.next { at + 1 } else { node.next };
        }
        let Some(node) = self.node(leaf) else { return };
        let mut bounds = self.items(node).iter().fold(Bounds::EMPTY, |all, &i| all.join(&of(i)));
        if let Some(node) = self.nodes.get_mut(leaf as usize) {
            node.bounds = bounds;
        }
        for at in path.into_iter().rev() {
            let Some(node) = self.node(at) else { return };
            let child = |i: u32| self.node(i).map_or(Bounds::EMPTY, |n| n.bounds);
            bounds = child(at + 1).join(&child(node.next));
            if let Some(node) = self.nodes.get_mut(at as usize) {
                node.bounds = bounds;
            }
        }
    }

    /// Calls `each` for the items of all leaves whose boxes `wanted` accepts all the way down, until it breaks.
    pub(super) fn visit(
        &self,
        wanted: impl Fn(&Bounds) -> bool,
        mut each: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut stack = Vec::with_capacity(DEPTH);
        stack.push(0);
        while let Some(at) = stack.pop() {
            let Some(node) = self.node(at).filter(|n| wanted(&n.bounds)) else { continue };
            if node.count == 0 {
                stack.push(node.next);
                stack.push(at + 1);
                continue;
            }
            for &item in self.items(node) {
                each(item)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `each` for the items of all leaves whose boxes `wanted` accepts all the way down.
    pub(super) fn each(&self, wanted: impl Fn(&Bounds) -> bool, mut each: impl FnMut(u32)) {
        let _ = self.visit(wanted, |item| {
            each(item);
            ControlFlow::Continue(())
        });
    }

    /// Calls `each` for the items that may lie nearer than `best`, by the least distance that `bound` gives for a box (infinity: never); the
    /// nearer branch first. `each` answers the distance beyond which nothing is wanted any more.
    pub(super) fn closest(
        &self,
        mut best: f64,
        bound: impl Fn(&Bounds) -> f64,
        mut each: impl FnMut(u32, f64) -> f64,
    ) {
        let mut stack = Vec::with_capacity(DEPTH);
        let at = |i: u32| self.node(i).map_or(f64::INFINITY, |n| bound(&n.bounds));
        stack.push((0, at(0)));
        while let Some((i, d)) = stack.pop() {
            let Some(node) = self.node(i).filter(|_| d <= best && d < f64::INFINITY) else { continue };
            if node.count > 0 {
                for &item in self.items(node) {
                    best = each(item, best);
                }
                continue;
            }
            let (first, second) = ((i + 1, at(i + 1)), (node.next, at(node.next)));
            if first.1 <= second.1 {
                stack.extend([second, first]);
            } else {
                stack.extend([first, second]);
            }
        }
    }

    /// Calls `each` for all pairs of leaves of two trees whose boxes come nearer than `margin`.
    pub(super) fn pairs(&self, other: &Tree, margin: f64, mut each: impl FnMut(&[u32], &[u32])) {
        let mut stack = Vec::with_capacity(2 * DEPTH);
        stack.push((0, 0));
        while let Some((i, j)) = stack.pop() {
            let (Some(a), Some(b)) = (self.node(i), other.node(j)) else { continue };
            if !a.bounds.meets(&b.bounds, margin) {
                continue;
            }
            match (a.count > 0, b.count > 0) {
                (true, true) => each(self.items(a), other.items(b)),
                (false, b_leaf) if b_leaf || reach(&a.bounds) >= reach(&b.bounds) => {
                    stack.extend([(a.next, j), (i + 1, j)]);
                }
                _ => stack.extend([(i, b.next), (i, j + 1)]),
            }
        }
    }

    /// Calls `each` for all pairs of leaves of this tree with itself whose boxes come nearer than `margin`; a leaf also with
    /// itself, two leaves once.
    pub(super) fn own_pairs(&self, margin: f64, mut each: impl FnMut(&[u32], &[u32])) {
        let mut stack = Vec::with_capacity(2 * DEPTH);
        stack.push((0, 0));
        while let Some((i, j)) = stack.pop() {
            let (Some(a), Some(b)) = (self.node(i), self.node(j)) else { continue };
            if !a.bounds.meets(&b.bounds, margin) {
                continue;
            }
            match (a.count > 0, b.count > 0) {
                (true, true) => each(self.items(a), self.items(b)),
                (false, false) if i == j => {
                    stack.extend([(i + 1, a.next), (a.next, a.next), (i + 1, i + 1)]);
                }
                (false, b_leaf) if b_leaf || reach(&a.bounds) >= reach(&b.bounds) => {
                    stack.extend([(a.next, j), (i + 1, j)]);
                }
                _ => stack.extend([(i, b.next), (i, j + 1)]),
            }
        }
    }

    /// As [`Tree::closest`], for pairs of leaves of two trees; `bound` measures two boxes.
    pub(super) fn closest_pairs(
        &self,
        other: &Tree,
        mut best: f64,
        bound: impl Fn(&Bounds, &Bounds) -> f64,
        mut each: impl FnMut(&[u32], &[u32], f64) -> f64,
    ) {
        let mut stack = Vec::with_capacity(2 * DEPTH);
        let at = |i: u32, j: u32| match (self.node(i), other.node(j)) {
            (Some(a), Some(b)) => bound(&a.bounds, &b.bounds),
            _ => f64::INFINITY,
        };
        stack.push(((0, 0), at(0, 0)));
        while let Some(((i, j), d)) = stack.pop() {
            let (Some(a), Some(b)) = (self.node(i), other.node(j)) else { continue };
            if d > best || d == f64::INFINITY {
                continue;
            }
            let [near, far] = match (a.count > 0, b.count > 0) {
                (true, true) => {
                    best = each(self.items(a), other.items(b), best);
                    continue;
                }
                (false, b_leaf) if b_leaf || reach(&a.bounds) >= reach(&b.bounds) => {
                    [(i + 1, j), (a.next, j)]
                }
                _ => [(i, j + 1), (i, b.next)],
            };
            let (near, far) = ((near, at(near.0, near.1)), (far, at(far.0, far.1)));
            if near.1 <= far.1 {
                stack.extend([far, near]);
            } else {
                stack.extend([near, far]);
            }
        }
    }
}

/// The longest side of a box.
fn reach(b: &Bounds) -> f64 {
    b.size().into_iter().fold(0.0, f64::max)
}

/// Builds the branch over `order`, whose first node is number `at` and whose first item has place `first`.
fn fill(nodes: &mut [Node], at: u32, order: &mut [u32], first: u32, boxes: &[Bounds]) {
    let of = |i: u32| boxes.get(i as usize).copied().unwrap_or(Bounds::EMPTY);
    let Some((node, rest)) = nodes.split_first_mut() else { return };
    if order.len() <= LEAF {
        let bounds = order.iter().fold(Bounds::EMPTY, |all, &i| all.join(&of(i)));
        *node = Node { bounds, next: first, count: order.len() as u32 };
        return;
    }
    let middles = Bounds::of(order.iter().map(|&i| of(i).centre()));
    let size_of = middles.size();
    let axis = (0..3).fold(0, |best, i| if size_of[i] > size_of[best] { i } else { best });
    let half = order.len() / 2;
    let middle = |i: &u32| {
        let b = of(*i);
        b.min[axis] + b.max[axis]
    };
    order.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
    let (left, right) = order.split_at_mut(half);
    let own = size(half).0;
    let (left_nodes, right_nodes) = rest.split_at_mut(own.min(rest.len()));
    let next = at + 1 + own as u32;
    let mut build_left = || fill(left_nodes, at + 1, left, first, boxes);
    let mut build_right = || fill(right_nodes, next, right, first + half as u32, boxes);
    if boxes.len() > PARALLEL && half > PARALLEL / 4 {
        rayon::join(build_left, build_right);
    } else {
        build_left();
        build_right();
    }
    let bounds = [&*left_nodes, &*right_nodes]
        .iter()
        .filter_map(|n| n.first())
        .fold(Bounds::EMPTY, |all, n| all.join(&n.bounds));
    *node = Node { bounds, next, count: 0 };
}

/// The distance from a point to a box; nothing inside.
pub(super) fn to_box(p: P3, b: &Bounds) -> f64 {
    let gap = |i: usize| (b.min[i] - p[i]).max(p[i] - b.max[i]).max(0.0);
    crate::math::length([gap(0), gap(1), gap(2)])
}

/// The distance between two boxes along each axis; nothing where they overlap.
pub(super) fn gaps(a: &Bounds, b: &Bounds) -> P3 {
    [0, 1, 2].map(|i| (a.min[i] - b.max[i]).max(b.min[i] - a.max[i]).max(0.0))
}
