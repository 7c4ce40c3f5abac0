//! Pairs of elements of an index, or of two, that come near each other.

use super::{Element, Index};
use std::sync::Arc;

impl Index {
    /// The pairs of different elements whose boxes come nearer than `margin` metres: of this index, or of this and another. In
    /// the order of their numbers; of one index the smaller number first. `None` where there are more than `limit`.
    pub fn near_pairs(
        &self,
        other: Option<&Index>,
        margin: f64,
        limit: usize,
    ) -> Option<Vec<(Arc<Element>, Arc<Element>)>> {
        let mut found: Vec<(&Arc<Element>, &Arc<Element>)> = Vec::new();
        let them = other.unwrap_or(self);
        let mut add = |a: u32, b: u32| {
            let (Some(a), Some(b)) = (self.at(a), them.at(b)) else { return };
            if a.bounds().meets(&b.bounds(), margin) && found.len() <= limit {
                let turned = other.is_none() && a.id() > b.id();
                found.push(if turned { (b, a) } else { (a, b) });
            }
        };
        let own = self.order();
        if let Some(other) = other {
            own.tree.pairs(&other.order().tree, margin, |left, right| {
                both(left, right, &mut add);
            });
            for &a in &self.late {
                (0..other.slots.len() as u32).for_each(|b| add(a, b));
            }
            for &b in &other.late {
                let early = |a: &u32| !self.late.contains(a);
                (0..self.slots.len() as u32).filter(early).for_each(|a| add(a, b));
            }
        } else {
            own.tree.own_pairs(margin, |left, right| {
                if std::ptr::eq(left, right) {
                    let rest = |i: usize| left.get(i + 1..).unwrap_or_default();
                    for (i, &a) in left.iter().enumerate() {
                        both(&[a], rest(i), &mut add);
                    }
                } else {
                    both(left, right, &mut add);
                }
            });
            for (i, &a) in self.late.iter().enumerate() {
                let earlier = self.late.get(..i).unwrap_or_default();
                let others = |b: &u32| *b != a && (!self.late.contains(b) || earlier.contains(b));
                (0..self.slots.len() as u32).filter(others).for_each(|b| add(a, b));
            }
        }
        if found.len() > limit {
            return None;
        }
        found.sort_unstable_by_key(|(a, b)| (a.id(), b.id()));
        Some(found.into_iter().map(|(a, b)| (a.clone(), b.clone())).collect())
    }
}

/// Every item of one leaf with every one of another.
fn both(left: &[u32], right: &[u32], add: &mut impl FnMut(u32, u32)) {
    for &a in left {
        for &b in right {
            add(a, b);
        }
    }
}
