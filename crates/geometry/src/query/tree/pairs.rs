//! Pairs of what two trees hold, or one tree with itself.

use super::{DEPTH, Tree};
use crate::math::Bounds;

impl Tree {
    /// Calls `each` for all pairs of leaves of two trees whose boxes come nearer than `margin`.
    pub(in crate::query) fn pairs(&self, other: &Tree, margin: f64, mut each: impl FnMut(&[u32], &[u32])) {
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
    pub(in crate::query) fn own_pairs(&self, margin: f64, mut each: impl FnMut(&[u32], &[u32])) {
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
    pub(in crate::query) fn closest_pairs(
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
    b.size().to_array().into_iter().fold(0.0, f64::max)
}
