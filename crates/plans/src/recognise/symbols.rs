//! Swings of doors as they are drawn.

use super::roles::Role;
use glam::DVec2;
use std::collections::HashSet;

/// The swing of a leaf.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) hinge: DVec2,
    /// The ends of the arc.
    pub(crate) ends: [DVec2; 2],
    /// The end that the leaf is drawn to; the other one is where it closes.
    pub(crate) leaf: Option<usize>,
    /// True if lines go from the hinge to both ends: one is the leaf, the other one the threshold.
    pub(crate) has_threshold: bool,
    pub(crate) role: Role,
    pub(crate) entities: Vec<u32>,
    pub(crate) instance: u32,
}

impl Symbol {
    /// The ends where the leaf may close, the likely one first.
    pub(crate) fn closings(&self) -> [(usize, DVec2); 2] {
        let [a, b] = self.ends;
        if self.leaf == Some(0) { [(1, b), (0, a)] } else { [(0, a), (1, b)] }
    }

    /// The hinge and the end of the open leaf, for the end where it closes.
    pub(crate) fn opened(&self, closing: usize) -> Option<(DVec2, DVec2)> {
        Some((self.hinge, *self.ends.get(1 - closing.min(1))?))
    }

    /// True if more than an arc says that this is a door.
    pub(crate) fn is_sure(&self) -> bool {
        self.leaf.is_some() || self.has_threshold || self.role == Role::Door
    }
}

/// All swings, and the lines that are their leaves.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) swings: Vec<Symbol>,
    pub(super) leaves: HashSet<usize>,
}

impl Symbols {
    pub(crate) fn is_leaf(&self, line: usize) -> bool {
        self.leaves.contains(&line)
    }
}
