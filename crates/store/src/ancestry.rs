//! Where two versions of a model come from: their best common ancestors, and the way from an ancestor to a descendant.
//!
//! A version has one parent, a merge two, and a generation: one more than the larger of its parents'. Versions are looked
//! at from the highest generation down, so that each is looked at once, after everything that comes from it, and only as
//! far back as the answer lies: the cost is that of what came since, not of the whole history.
//!
//! Two versions may have several best common ancestors, none of which comes from another: two branches that took each
//! other's state over crosswise. They are answered newest generation first and then by id, so the first is the same one
//! whichever way round is asked and wherever.

use crate::error::StoreError;
use contract::VersionId;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};

/// The generation and parents of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// One more than the larger of its parents'.
    pub generation: u64,
    /// The version it was made on, and the one merged into that.
    pub parents: [Option<VersionId>; 2],
}

const ONE: u8 = 1;
const OTHER: u8 = 2;
/// It comes before a common ancestor that was found already.
const STALE: u8 = 4;

/// The best common ancestors of two versions.
pub fn merge_bases(
    one: &VersionId,
    other: &VersionId,
    mut look: impl FnMut(&VersionId) -> Result<Node, StoreError>,
) -> Result<Vec<VersionId>, StoreError> {
    let mut queue: BinaryHeap<(u64, VersionId)> = BinaryHeap::new();
    let mut known: HashMap<VersionId, (u8, Node)> = HashMap::new();
    // of those in the queue
    let mut fresh = 0_usize;
    let mut reach = |id: &VersionId,
                     flags: u8,
                     queue: &mut BinaryHeap<(u64, VersionId)>,
                     known: &mut HashMap<VersionId, (u8, Node)>,
                     fresh: &mut usize|
     -> Result<(), StoreError> {
        match known.entry(id.clone()) {
            Entry::Occupied(mut found) => {
                let (had, _) = found.get_mut();
                let now = *had | flags;
                // an ancestor is still in the queue when something that comes from it is looked at
                if now & STALE != 0 && *had & STALE == 0 {
                    *fresh = fresh.saturating_sub(1);
                }
                *had = now;
            }
            Entry::Vacant(free) => {
                let node = look(id)?;
                queue.push((node.generation, id.clone()));
                free.insert((flags, node));
                *fresh += usize::from(flags & STALE == 0);
            }
        }
        Ok(())
    };
    reach(one, ONE, &mut queue, &mut known, &mut fresh)?;
    reach(other, OTHER, &mut queue, &mut known, &mut fresh)?;
    let mut found = Vec::new();
    while fresh > 0 {
        let Some((_, id)) = queue.pop() else { break };
        let Some((mut flags, node)) = known.get(&id).cloned() else { continue };
        if flags & STALE == 0 {
            fresh -= 1;
            if flags & (ONE | OTHER) == ONE | OTHER {
                found.push(id);
                flags |= STALE;
            }
        }
        for parent in node.parents.iter().flatten() {
            reach(parent, flags, &mut queue, &mut known, &mut fresh)?;
        }
    }
    Ok(found)
}

/// The merges by which what is in `ancestor` came into `descendant`, the earliest first: those at which the way between
/// leads through the second parent. The way is the one with the fewest. `None` if it is no ancestor.
pub fn crossings(
    ancestor: &VersionId,
    descendant: &VersionId,
    mut look: impl FnMut(&VersionId) -> Result<Node, StoreError>,
) -> Result<Option<Vec<VersionId>>, StoreError> {
    /// The way on which a version was reached: the number of crossings, the version before it, and whether that has it as second
    /// parent.
    struct Way {
        cost: u32,
        from: Option<(VersionId, bool)>,
    }
    let end = look(ancestor)?.generation;
    let mut queue = BinaryHeap::from([(look(descendant)?.generation, descendant.clone())]);
    let mut ways = HashMap::from([(descendant.clone(), Way { cost: 0, from: None })]);
    let mut reached = false;
    while let Some((_, id)) = queue.pop() {
        if id == *ancestor {
            reached = true;
            break;
        }
        let Some(cost) = ways.get(&id).map(|way| way.cost) else { continue };
        for (parent, second) in look(&id)?.parents.into_iter().zip([false, true]) {
            let Some(parent) = parent else { continue };
            let way = Way { cost: cost + u32::from(second), from: Some((id.clone(), second)) };
            match ways.entry(parent.clone()) {
                Entry::Occupied(mut known) => {
                    if way.cost < known.get().cost {
                        known.insert(way);
                    }
                }
                Entry::Vacant(free) => {
                    let generation = look(&parent)?.generation;
                    if generation >= end {
                        queue.push((generation, parent));
                        free.insert(way);
                    }
                }
            }
        }
    }
    if !reached {
        return Ok(None);
    }
    let mut crossed = Vec::new();
    let mut at = ancestor.clone();
    while let Some((from, second)) = ways.get(&at).and_then(|way| way.from.clone()) {
        if second {
            crossed.push(from.clone());
        }
        at = from;
    }
    Ok(Some(crossed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type History = Vec<Node>;

    fn id(n: usize) -> VersionId {
        VersionId(format!("{n:04}"))
    }

    fn number(id: &VersionId) -> usize {
        id.0.parse().unwrap()
    }

    /// Histories in which every version comes from earlier ones.
    fn histories() -> impl Strategy<Value = History> {
        prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_u8..3), 1..40)
            .prop_map(|steps| {
                let mut history: History = vec![Node { generation: 0, parents: [None, None] }];
                for (first, second, kind) in steps {
                    let (first, second) = (first.index(history.len()), second.index(history.len()));
                    let second = (kind == 0 && first != second).then_some(second);
                    let generation = [Some(first), second]
                        .into_iter()
                        .flatten()
                        .map(|n| history[n].generation + 1)
                        .max()
                        .unwrap();
                    history.push(Node { generation, parents: [Some(id(first)), second.map(id)] });
                }
                history
            })
    }

    fn ancestors(history: &History, of: usize) -> BTreeSet<usize> {
        let mut all = BTreeSet::from([of]);
        let mut open = vec![of];
        while let Some(at) = open.pop() {
            for parent in history[at].parents.iter().flatten() {
                if all.insert(number(parent)) {
                    open.push(number(parent));
                }
            }
        }
        all
    }

    proptest! {
        #[test]
        fn merge_bases_are_the_common_ancestors_that_no_other_comes_from(
            history in histories(), one: prop::sample::Index, other: prop::sample::Index,
        ) {
            let (one, other) = (one.index(history.len()), other.index(history.len()));
            let look = |id: &VersionId| Ok(history[number(id)].clone());
            let found = merge_bases(&id(one), &id(other), look).unwrap();
            let common: BTreeSet<usize> =
                ancestors(&history, one).intersection(&ancestors(&history, other)).copied().collect();
            let best: BTreeSet<usize> = common
                .iter()
                .copied()
                .filter(|n| !common.iter().any(|m| m != n && ancestors(&history, *m).contains(n)))
                .collect();
            prop_assert_eq!(found.iter().map(number).collect::<BTreeSet<_>>(), best.clone());
            prop_assert_eq!(found.len(), best.len());
            prop_assert_eq!(merge_bases(&id(other), &id(one), look).unwrap(), found);
        }

        #[test]
        fn crossings_lead_from_the_ancestor_to_the_descendant(
            history in histories(), one: prop::sample::Index, other: prop::sample::Index,
        ) {
            let (one, other) = (one.index(history.len()), other.index(history.len()));
            let look = |id: &VersionId| Ok(history[number(id)].clone());
            let found = crossings(&id(one), &id(other), look).unwrap();
            prop_assert_eq!(found.is_some(), ancestors(&history, other).contains(&one));
            let mut before = one;
            for merge in found.iter().flatten().map(number) {
                let second = number(history[merge].parents[1].as_ref().unwrap());
                prop_assert!(ancestors(&history, second).contains(&before));
                before = merge;
            }
            prop_assert!(found.is_none() || ancestors(&history, other).contains(&before));
        }
    }

    #[test]
    fn of_a_long_history_only_what_came_since_is_looked_at() {
        let count = 20_000;
        let node = |n: usize| Node { generation: n as u64, parents: [n.checked_sub(1).map(id), None] };
        let looks = std::cell::Cell::new(0);
        let look = |asked: &VersionId| {
            looks.set(looks.get() + 1);
            Ok(match asked.0.strip_prefix('b') {
                Some("1") => Node { generation: count as u64 - 9, parents: [Some(id(count - 10)), None] },
                Some(_) => {
                    Node { generation: count as u64 - 8, parents: [Some(VersionId::from("b1")), None] }
                }
                None => node(number(asked)),
            })
        };
        let found = merge_bases(&id(count), &VersionId::from("b2"), look).unwrap();
        assert_eq!(found, [id(count - 10)]);
        assert!(looks.get() < 20, "{}", looks.get());
        looks.set(0);
        assert_eq!(crossings(&id(count - 10), &id(count), look).unwrap(), Some(vec![]));
        assert!(looks.get() < 50, "{}", looks.get());
    }
}
