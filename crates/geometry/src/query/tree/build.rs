//! Builds a tree of boxes: halved at the median, large branches in parallel.

use super::Node;
use crate::math::Bounds;

/// The most items that a leaf holds.
const LEAF: usize = 4;

/// Below this number of items a branch is built in the thread that asks.
const PARALLEL: usize = 8_192;

/// Returns the numbers of nodes of a tree of `n` items and of one of `n + 1`.
pub(super) fn size(n: usize) -> (usize, usize) {
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

/// Builds the branch over `order`, whose first node is number `at` and whose first item has place `first`.
pub(super) fn fill(nodes: &mut [Node], at: u32, order: &mut [u32], first: u32, boxes: &[Bounds]) {
    let of = |i: u32| boxes.get(i as usize).copied().unwrap_or(Bounds::EMPTY);
    let Some((node, rest)) = nodes.split_first_mut() else { return };
    if order.len() <= LEAF {
        let bounds = order.iter().fold(Bounds::EMPTY, |all, &i| all.join(&of(i)));
        *node = Node { bounds, next: first, count: order.len() as u32 };
        return;
    }
    let middles = Bounds::from_points(order.iter().map(|&i| of(i).centre()));
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
