//! A tree of boxes in flat arrays: over the elements of a scene, and over the triangles of an element. It knows neither; who
//! asks brings a measure for boxes and looks at what the leaves hold.
//!
//! Boxes are split at the median of their middles along the longest side, so the depth is bounded by the logarithm of their
//! number wherever they lie, also all in one place.

mod build;
mod pairs;

use crate::math::Bounds;
use build::{fill, size};
use glam::DVec3;
use std::ops::ControlFlow;

/// The room for a walk: more than half the depth that a tree of 2³² items can reach.
const DEPTH: usize = 64;

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Of a leaf its first place in `order`; of a branch its second child, the first being the next node.
    next: u32,
    /// The number of items of a leaf; nought for a branch.
    count: u32,
}

/// Boxes by place. Items are told by their position in the list the tree was built of.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Tree {
    /// A tree of the boxes that hold something finite.
    pub(super) fn new(boxes: &[Bounds]) -> Tree {
        let sound = |b: &Bounds| !b.is_empty() && b.min.is_finite() && b.max.is_finite();
        let mut order: Vec<u32> = (0_u32..).zip(boxes).filter(|(_, b)| sound(b)).map(|(i, _)| i).collect();
        if order.is_empty() {
            return Tree::default();
        }
        let none = Node { bounds: Bounds::EMPTY, next: 0, count: 0 };
        let mut nodes = vec![none; size(order.len()).0];
        fill(&mut nodes, 0, &mut order, 0, boxes);
        Tree { nodes, order }
    }

    /// The number of items.
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
        // on the stack: most walks are short, and lines ask for thousands
        let (mut waiting, mut count, mut next) = ([0_u32; DEPTH], 0, Some(0));
        while let Some(at) = next {
            let node = self.node(at).filter(|n| wanted(&n.bounds));
            if let Some(node) = node.filter(|node| node.count == 0) {
                if let Some(place) = waiting.get_mut(count) {
                    *place = node.next;
                    count += 1;
                }
                next = Some(at + 1);
                continue;
            }
            next = count.checked_sub(1).and_then(|last| waiting.get(last)).copied();
            count = count.saturating_sub(1);
            let Some(node) = node else { continue };
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
}

/// The distance from a point to a box; nothing inside.
pub(super) fn to_box(p: DVec3, b: &Bounds) -> f64 {
    (b.min - p).max(p - b.max).max(DVec3::ZERO).length()
}

/// The distance between two boxes along each axis; nothing where they overlap.
pub(super) fn gaps(a: &Bounds, b: &Bounds) -> DVec3 {
    (a.min - b.max).max(b.min - a.max).max(DVec3::ZERO)
}
