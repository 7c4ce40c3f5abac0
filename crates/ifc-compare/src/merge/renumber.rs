//! Things under other ids: what a merge took over from the other side got ids of this side, so versions that met
//! once and meet again have to be brought to one numbering before they are compared.
//!
//! An [`IdMap`] is what a merge leaves to be remembered for that.

use ifc::delta::{Content, DeltaError, Was};
use ifc::{Delta, Id, Model};
use std::collections::BTreeSet;

/// A table of ids of one version and those of another that they stand for. Ids that are in no piece stand for nothing there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdMap {
    /// Runs of ids in ascending order: from, up to but without, and what the first of them becomes.
    pieces: Vec<(u32, u32, u32)>,
}

impl Default for IdMap {
    /// Every id stands for itself.
    fn default() -> Self {
        Self { pieces: vec![(0, u32::MAX, 0)] }
    }
}

impl IdMap {
    /// A map of these runs: from, up to but without, and what the first becomes. `None` where they overlap.
    pub fn of_runs(mut runs: Vec<(u32, u32, u32)>) -> Option<Self> {
        runs.retain(|(from, end, _)| from < end);
        runs.sort_unstable();
        let apart = runs.windows(2).all(|two| matches!(two, [(_, end, _), (from, ..)] if end <= from));
        let fits = runs.iter().all(|(from, end, to)| to.checked_add(end - from - 1).is_some());
        (apart && fits).then_some(Self { pieces: runs })
    }

    /// Its runs, as [`IdMap::of_runs`] takes them.
    pub fn runs(&self) -> &[(u32, u32, u32)] {
        &self.pieces
    }

    /// The id that an id stands for.
    pub fn get(&self, id: u32) -> Option<u32> {
        let place = self.pieces.partition_point(|(from, ..)| *from <= id);
        let (from, end, to) = *self.pieces.get(place.checked_sub(1)?)?;
        (id < end).then(|| to + (id - from))
    }

    /// True if every id stands for itself.
    pub fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// The other way round.
    #[must_use]
    pub fn inverted(&self) -> Self {
        let mut pieces: Vec<_> =
            self.pieces.iter().map(|(from, end, to)| (*to, to.saturating_add(end - from), *from)).collect();
        pieces.sort_unstable();
        Self { pieces }
    }

    /// This map and then `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let mut pieces = Vec::new();
        for (from, end, to) in &self.pieces {
            let last = to.saturating_add(end - from);
            let begin = next.pieces.partition_point(|(_, end, _)| end <= to);
            for (other, other_end, target) in next.pieces.iter().skip(begin) {
                let (low, high) = ((*to).max(*other), last.min(*other_end));
                if low >= high {
                    break;
                }
                pieces.push((from + (low - to), from + (high - to), target + (low - other)));
            }
        }
        Self { pieces }
    }

    /// Returns the table with an id of its own, from `free` on, for every id of a model that stands for nothing; and the next free
    /// one. `None` where ids run out.
    pub(super) fn with_new(&self, model: &Model, mut free: u32) -> Option<(Self, u32)> {
        let mut runs: Vec<(u32, u32, u32)> = Vec::new();
        for id in model.ids().map(|id| id.0).filter(|id| self.get(*id).is_none()) {
            match runs.last_mut() {
                Some((from, end, to)) if *end == id && *to + (id - *from) == free => *end = id + 1,
                _ => runs.push((id, id.checked_add(1)?, free)),
            }
            free = free.checked_add(1)?;
        }
        runs.extend(&self.pieces);
        Some((Self::of_runs(runs)?, free))
    }
}

/// A model with every id put through a map, which has to have all of them. What does not change its id and refers to
/// nothing that does stays as it is.
pub(super) fn renumbered(model: &Model, map: &IdMap) -> Result<Model, DeltaError> {
    if map.is_identity() {
        return Ok(model.clone());
    }
    let moved: BTreeSet<u32> = model.ids().map(|id| id.0).filter(|id| map.get(*id) != Some(*id)).collect();
    let mut rewritten = moved.clone();
    for id in &moved {
        rewritten.extend(model.referrers(Id(*id)).into_iter().map(|id| id.0));
    }
    let new_id = |id: Id| map.get(id.0).map(Id).ok_or(DeltaError::Missing(id));
    let mut delta = Delta::default();
    for id in &rewritten {
        let Some(instance) = model.get(Id(*id)) else { continue };
        let values = instance.attributes();
        let values = values.iter().map(|value| {
            value.map_refs(&mut |id| {
                // what refers to nothing goes on doing so
                if model.contains(id) { new_id(id) } else { Ok(id) }
            })
        });
        let content = Content {
            class: instance.class_name().to_owned(),
            values: values.collect::<Result<_, DeltaError>>()?,
        };
        let to = new_id(Id(*id))?.0;
        let was = if model.contains(Id(to)) { Was::Present } else { Was::Absent };
        delta.put.push((to, was, content));
    }
    delta.put.sort_by_key(|(id, ..)| *id);
    let taken: BTreeSet<u32> = delta.put.iter().map(|(id, ..)| *id).collect();
    delta.removed = moved.difference(&taken).copied().collect();
    model.apply(&delta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn maps() -> impl Strategy<Value = IdMap> {
        (1_u32..20, 1_u32..10, 0_u32..15).prop_map(|(below, count, by)| {
            IdMap::of_runs(vec![(0, below, 0), (below, below + count, below + by)]).unwrap()
        })
    }

    proptest! {
        #[test]
        fn maps_behind_each_other_and_turned_round_are_what_their_parts_say(
            one in maps(), two in maps(), ids in prop::collection::vec(0_u32..60, 20),
        ) {
            let both = one.then(&two);
            let back = one.inverted();
            for id in ids {
                prop_assert_eq!(both.get(id), one.get(id).and_then(|id| two.get(id)));
                if let Some(there) = one.get(id) {
                    prop_assert_eq!(back.get(there), Some(id));
                }
            }
            prop_assert_eq!(one.then(&IdMap::default()), one);
        }
    }

    #[test]
    fn a_model_under_other_ids_says_the_same() {
        let model = crate::sample::edits::house();
        let last = model.next_id().0;
        let map = IdMap::of_runs(vec![(0, 50, 0), (50, last, 70)]).unwrap();
        let moved = renumbered(&model, &map).unwrap();
        assert_eq!((moved.len(), crate::sample::dangling(&moved)), (model.len(), vec![]));
        assert!(!moved.contains(Id(60)), "it is 80 now");
        let back = renumbered(&moved, &map.inverted()).unwrap();
        assert_eq!(Delta::between(&model, &back).len(), 0);
    }
}
