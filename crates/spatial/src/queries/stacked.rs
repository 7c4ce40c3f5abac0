//! Elements above and below one: those whose shadows in plan overlap its own.

use crate::shadow::shadow;
use geometry::query::{Element, Index};
use geometry::region::{self, Area};
use ifc::Id;

/// An element over or under another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The element.
    pub element: Id,
    /// Height between the two boxes in metres; 0 where one stands on the other.
    pub gap: f64,
    /// The part of the plan that both cover, in m².
    pub shared: f64,
}

/// Shadows that share less, in m², lie beside each other.
const BESIDE: f64 = 1e-4;
/// Elements may go into each other this far, in metres, and still lie on each other.
const INTO: f64 = 0.005;

/// Returns the elements that lie wholly above one or, where `above` is false, wholly below; the nearest first.
pub fn stacked(index: &Index, element: &Element, above: bool, wanted: impl Fn(Id) -> bool) -> Vec<Level> {
    let own = element.bounds();
    let own_shadow = shadow(element, f64::NEG_INFINITY, f64::INFINITY);
    let mut found = Vec::new();
    for other in index.iter().filter(|e| e.id() != element.id()) {
        let b = other.bounds();
        let gap = if above { b.min.z - own.max.z } else { own.min.z - b.max.z };
        let beside = (0..2).any(|i| b.min[i] >= own.max[i] || own.min[i] >= b.max[i]);
        if gap < -INTO || beside || b.is_empty() || !wanted(other.id()) {
            continue;
        }
        let both = region::intersection(&shadow(other, f64::NEG_INFINITY, f64::INFINITY), &own_shadow);
        let shared: f64 = both.iter().map(Area::size).sum();
        if shared > BESIDE {
            found.push(Level { element: other.id(), gap: gap.max(0.0), shared });
        }
    }
    found.sort_by(|a, b| a.gap.total_cmp(&b.gap).then(a.element.cmp(&b.element)));
    found
}
