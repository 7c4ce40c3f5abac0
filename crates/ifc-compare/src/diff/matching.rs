//! Finds the instance of one model that each of another one is, which was numbered anew.
//!
//! 1. Instances with a GlobalId are matched by it; where one comes more than once, first those of equal content, then
//!    those of one class in their order.
//! 2. Those left over, whose GlobalIds a program made anew, are matched by their content without GlobalId and owner
//!    history: relationships first, and through them what they relate.
//! 3. All else is counted by content. What is as often in one model as in the other has not changed. Of the rest, two
//!    instances are one that changed where the same attribute of matched instances leads to them, and then what they
//!    refer to; what no matched instance leads to is matched by what it refers to, or by its own attributes.
//! 4. What then has no partner was added or removed.

use super::content::mark_of;
use super::forest::{Forest, NOWHERE, class_of};
use super::hash::{self, mix};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// Rounds in which what nothing leads to is matched by what it refers to, each a step further up.
const ROUNDS: usize = 16;
/// Pieces in which contents are counted, so that each one's table stays near the processor.
const PIECES: u64 = 32;

/// A hash that is one already.
#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::bytes(bytes, self.0);
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

type ByHash<T> = HashMap<u64, T, BuildHasherDefault<AsItIs>>;

/// The pairs that were found, by node.
pub(super) struct Matching<'f, 'm> {
    pub before: &'f Forest<'m>,
    pub after: &'f Forest<'m>,
    /// Node after for a node before, and the way back.
    to_after: Vec<u32>,
    to_before: Vec<u32>,
    /// By content, how many more there are before than after.
    surplus: ByHash<i64>,
    /// Pairs that differ in something, to be looked at.
    open: Vec<(u32, u32)>,
    /// Pairs that differ in their own attributes.
    pub changed: Vec<(u32, u32)>,
    /// Nodes of `before` without a partner.
    pub removed: Vec<u32>,
    /// Nodes of `after` without a partner.
    pub added: Vec<u32>,
}

impl<'f, 'm> Matching<'f, 'm> {
    /// Matches two models.
    pub(super) fn new(before: &'f Forest<'m>, after: &'f Forest<'m>) -> Self {
        let mut matching = Self {
            before,
            after,
            to_after: vec![NOWHERE; before.len()],
            to_before: vec![NOWHERE; after.len()],
            surplus: surplus(before, after),
            open: Vec::new(),
            changed: Vec::new(),
            removed: Vec::new(),
            added: Vec::new(),
        };
        matching.by_global_id();
        matching.without_global_id();
        matching.walk();
        matching.leftovers();
        matching
    }

    /// The partner of a node of `before`, where one was found by more than equal content.
    pub(super) fn after_of(&self, node: u32) -> Option<u32> {
        self.to_after.get(node as usize).copied().filter(|mate| *mate != NOWHERE)
    }

    fn before_of(&self, node: u32) -> Option<u32> {
        self.to_before.get(node as usize).copied().filter(|mate| *mate != NOWHERE)
    }

    /// All such pairs, by node of `before`.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0u32..).zip(self.to_after.iter().copied()).filter(|(_, mate)| *mate != NOWHERE)
    }

    /// True if two nodes are one, or of one content.
    pub(super) fn same(&self, before: u32, after: u32) -> bool {
        match self.after_of(before) {
            Some(mate) if mate == after => true,
            _ => self.before.token(before) == self.after.token(after),
        }
    }

    fn pair(&mut self, before: u32, after: u32) {
        if let (Some(one), Some(other)) =
            (self.to_after.get_mut(before as usize), self.to_before.get_mut(after as usize))
        {
            *one = after;
            *other = before;
        }
    }

    fn by_global_id(&mut self) {
        let (mut old, mut new) = (self.before.rooted.as_slice(), self.after.rooted.as_slice());
        while let (Some((one, _)), Some((other, _))) = (old.first(), new.first()) {
            let guid = *one.min(other);
            let of_guid = |list: &mut &[(u64, u32)]| -> Vec<u32> {
                let end = list.iter().position(|(guid_of, _)| *guid_of != guid).unwrap_or(list.len());
                let (group, rest) = list.split_at(end);
                *list = rest;
                group.iter().map(|(_, node)| *node).collect()
            };
            let (mut olds, mut news) = (of_guid(&mut old), of_guid(&mut new));
            if olds.is_empty() || news.is_empty() {
                continue;
            }
            if olds.len() > 1 || news.len() > 1 {
                self.pair_by(&mut olds, &mut news, Forest::content);
                self.pair_by(&mut olds, &mut news, |forest, node| {
                    hash::name(class_of(forest, node).as_bytes())
                });
            }
            for (one, other) in olds.into_iter().zip(news) {
                self.pair(one, other);
            }
        }
        let differing: Vec<(u32, u32)> = self
            .before
            .rooted
            .par_iter()
            .with_min_len(1024)
            .filter_map(|(_, node)| Some((*node, self.after_of(*node)?)))
            .filter(|(one, other)| self.before.content(*one) != self.after.content(*other))
            .collect();
        self.open.extend(differing);
    }

    /// Pairs those nodes of which `key` says the same, in their order, and takes them out of the lists.
    fn pair_by(
        &mut self,
        olds: &mut Vec<u32>,
        news: &mut Vec<u32>,
        key: impl Fn(&Forest<'m>, u32) -> u64,
    ) -> usize {
        let mut by_key: ByHash<VecDeque<u32>> = ByHash::default();
        for node in news.iter() {
            by_key.entry(key(self.after, *node)).or_default().push_back(*node);
        }
        let before = olds.len();
        olds.retain(|node| {
            let mate = by_key.get_mut(&key(self.before, *node)).and_then(VecDeque::pop_front);
            if let Some(mate) = mate {
                self.pair(*node, mate);
            }
            mate.is_none()
        });
        news.retain(|node| self.before_of(*node).is_none());
        before - olds.len()
    }

    /// Matches rooted instances whose GlobalIds differ by the rest of their content.
    fn without_global_id(&mut self) {
        let alone = |rooted: &[(u64, u32)], mates: &[u32]| -> Vec<u32> {
            let free = |node: &u32| mates.get(*node as usize) == Some(&NOWHERE);
            let mut nodes: Vec<u32> = rooted.iter().map(|(_, node)| *node).filter(free).collect();
            nodes.sort_unstable();
            nodes
        };
        let mut olds = alone(&self.before.rooted, &self.to_after);
        let mut news = alone(&self.after.rooted, &self.to_before);
        if olds.is_empty() || news.is_empty() {
            self.removed = olds;
            self.added = news;
            return;
        }
        let of_old = soft_hashes(self.before, &olds, &self.to_after);
        let of_new = soft_hashes(self.after, &news, &self.to_before);
        let mut queue: VecDeque<(u32, u32)> = VecDeque::new();
        for relations_first in [true, false] {
            let mut by_hash: ByHash<VecDeque<u32>> = ByHash::default();
            for node in &news {
                if let (Some(hash), None) = (of_new.get(node), self.before_of(*node)) {
                    by_hash.entry(*hash).or_default().push_back(*node);
                }
            }
            for node in &olds {
                let is_relation =
                    self.before.instance(*node).is_some_and(|instance| instance.is_a("IfcRelationship"));
                if self.after_of(*node).is_some() || is_relation != relations_first {
                    continue;
                }
                let Some(mates) = of_old.get(node).and_then(|hash| by_hash.get_mut(hash)) else { continue };
                while let Some(mate) = mates.pop_front() {
                    if self.before_of(mate).is_none() {
                        queue.push_back((*node, mate));
                        self.pair(*node, mate);
                        break;
                    }
                }
                // what a relationship relates is matched with it
                while let Some((one, other)) = queue.pop_front() {
                    self.open.push((one, other));
                    let (refs, others) = (self.before.references(one), self.after.references(other));
                    for ((target, mark), (mate, mark_of_mate)) in refs.iter().zip(others) {
                        let soft = (of_old.get(target), of_new.get(mate));
                        if mark == mark_of_mate
                            && matches!(soft, (Some(one), Some(other)) if one == other)
                            && self.after_of(*target).is_none()
                            && self.before_of(*mate).is_none()
                        {
                            self.pair(*target, *mate);
                            queue.push_back((*target, *mate));
                        }
                    }
                }
            }
        }
        olds.retain(|node| self.after_of(*node).is_none());
        news.retain(|node| self.before_of(*node).is_none());
        self.removed = olds;
        self.added = news;
    }

    /// Looks at pairs that differ, and at those that they lead to.
    fn walk(&mut self) {
        while let Some((one, other)) = self.open.pop() {
            let aligned = self.align(one, other);
            if !aligned || self.before.local(one) != self.after.local(other) {
                self.changed.push((one, other));
            } else if self.before.is_rooted(one) && self.before.token(one) != self.after.token(other) {
                // another GlobalId and nothing else
                self.changed.push((one, other));
            }
        }
    }

    /// Matches what two matched instances refer to; whether that leaves no difference of their own.
    fn align(&mut self, one: u32, other: u32) -> bool {
        let (old, new) = (self.before.references(one), self.after.references(other));
        let alike = old.len() == new.len()
            && old.iter().zip(new).all(|((a, mark), (b, other))| mark == other && self.same(*a, *b));
        if alike {
            return true;
        }
        let mut groups: BTreeMap<u32, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
        for (target, mark) in old {
            groups.entry(*mark).or_default().0.push(*target);
        }
        for (target, mark) in new {
            groups.entry(*mark).or_default().1.push(*target);
        }
        let mut whole = true;
        for (mut olds, mut news) in groups.into_values() {
            self.take_same(&mut olds, &mut news);
            let candidates = olds.len().min(news.len());
            if candidates > 0 {
                let (mut free_olds, rest): (Vec<u32>, Vec<u32>) =
                    olds.iter().partition(|node| self.is_loose(self.before, **node, 1));
                let (mut free_news, others): (Vec<u32>, Vec<u32>) =
                    news.iter().partition(|node| self.is_loose(self.after, **node, -1));
                self.pair_changed(&mut free_olds, &mut free_news, label);
                self.pair_changed(&mut free_olds, &mut free_news, |forest, node| {
                    hash::name(class_of(forest, node).as_bytes())
                });
                whole &= free_olds.is_empty() && rest.is_empty() && free_news.is_empty() && others.is_empty();
            } else {
                whole &= olds.is_empty() && news.is_empty();
            }
        }
        whole
    }

    /// True if two sets of nodes are the same.
    pub(super) fn same_set(&self, mut olds: Vec<u32>, mut news: Vec<u32>) -> bool {
        self.take_same(&mut olds, &mut news);
        olds.is_empty() && news.is_empty()
    }

    /// Takes out of two lists what is the same in both.
    fn take_same(&self, olds: &mut Vec<u32>, news: &mut Vec<u32>) {
        if let ([one], [other]) = (olds.as_slice(), news.as_slice()) {
            if self.same(*one, *other) {
                olds.clear();
                news.clear();
            }
            return;
        }
        // a node and its partner have one name, whatever their contents
        let old_name = |node: u32| match self.after_of(node) {
            Some(mate) => mix(u64::from(mate), hash::REFERENCE),
            None => self.before.token(node),
        };
        let new_name = |node: u32| match self.before_of(node) {
            Some(_) => mix(u64::from(node), hash::REFERENCE),
            None => self.after.token(node),
        };
        let mut counts: ByHash<usize> = ByHash::default();
        for node in news.iter() {
            *counts.entry(new_name(*node)).or_default() += 1;
        }
        let mut taken: ByHash<usize> = ByHash::default();
        olds.retain(|node| match counts.get_mut(&old_name(*node)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                *taken.entry(old_name(*node)).or_default() += 1;
                false
            }
            _ => true,
        });
        news.retain(|node| match taken.get_mut(&new_name(*node)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
    }

    /// True if a node without GlobalId may be one that changed: it has no partner, and the other model has fewer of
    /// its content.
    fn is_loose(&self, forest: &Forest<'m>, node: u32, sign: i64) -> bool {
        let mate = if sign > 0 { self.after_of(node) } else { self.before_of(node) };
        mate.is_none()
            && !forest.is_rooted(node)
            && self.surplus.get(&forest.token(node)).is_some_and(|surplus| surplus * sign > 0)
    }

    /// Pairs loose nodes of which `key` says the same as changed ones.
    fn pair_changed(
        &mut self,
        olds: &mut Vec<u32>,
        news: &mut Vec<u32>,
        key: impl Fn(&Forest<'m>, u32) -> u64,
    ) -> usize {
        if olds.is_empty() || news.is_empty() {
            return 0;
        }
        let mut by_key: ByHash<VecDeque<u32>> = ByHash::default();
        for node in news.iter() {
            by_key.entry(key(self.after, *node)).or_default().push_back(*node);
        }
        let mut found = 0;
        for node in olds.iter().copied() {
            // every pair made may have used up what was left of a content
            if !self.is_loose(self.before, node, 1) {
                continue;
            }
            let Some(mates) = by_key.get_mut(&key(self.before, node)) else { continue };
            while let Some(mate) = mates.pop_front() {
                if self.is_loose(self.after, mate, -1) {
                    self.pair(node, mate);
                    self.count(node, mate);
                    self.open.push((node, mate));
                    found += 1;
                    break;
                }
            }
        }
        olds.retain(|node| self.after_of(*node).is_none());
        news.retain(|node| self.before_of(*node).is_none());
        found
    }

    /// Two nodes are no longer counted by content.
    fn count(&mut self, one: u32, other: u32) {
        if let Some(surplus) = self.surplus.get_mut(&self.before.token(one)) {
            *surplus -= 1;
        }
        if let Some(surplus) = self.surplus.get_mut(&self.after.token(other)) {
            *surplus += 1;
        }
    }

    /// Matches what no matched instance leads to: styled items, layers, properties of materials and the like.
    fn leftovers(&mut self) {
        let (mut olds, mut news) = (self.loose(self.before, 1), self.loose(self.after, -1));
        for round in 0..ROUNDS {
            if olds.is_empty() || news.is_empty() {
                break;
            }
            // with the same own attributes and the same, or matched, references
            let mut found =
                self.pair_named(&mut olds, &mut news, |local, references, _| mix(local, references));
            if found == 0 {
                // with other attributes, but the same references
                found = self.pair_named(&mut olds, &mut news, |_, references, class| mix(class, references));
            }
            if found == 0 {
                // with other references, where the attributes name one only
                found = self.pair_named(&mut olds, &mut news, |local, _, _| local);
            }
            self.walk();
            olds.retain(|node| self.after_of(*node).is_none());
            news.retain(|node| self.before_of(*node).is_none());
            if found == 0 && round > 0 {
                break;
            }
        }
        self.removed.extend(olds);
        self.added.extend(news);
    }

    /// The nodes that are more often in one model than in the other, in the order of nodes; the last of each content.
    fn loose(&self, forest: &Forest<'m>, sign: i64) -> Vec<u32> {
        if self.surplus.values().all(|surplus| surplus * sign <= 0) {
            return Vec::new();
        }
        let mut left: ByHash<i64> = ByHash::default();
        let mut nodes: Vec<u32> = Vec::new();
        for node in (0..forest.len() as u32).rev() {
            let token = forest.token(node);
            if token == 0 || !self.is_loose(forest, node, sign) {
                continue;
            }
            let all = self.surplus.get(&token).copied().unwrap_or(0) * sign;
            let left = left.entry(token).or_insert(all);
            if *left > 0 {
                *left -= 1;
                nodes.push(node);
            }
        }
        nodes.reverse();
        nodes
    }

    /// Pairs nodes of which `key` says the same, given their own hash, that of their references and that of their
    /// class; only those of which it says so once in each model.
    fn pair_named(
        &mut self,
        olds: &mut Vec<u32>,
        news: &mut Vec<u32>,
        key: impl Fn(u64, u64, u64) -> u64,
    ) -> usize {
        let key_of = |forest: &Forest<'m>, node: u32, name: &dyn Fn(u32) -> u64| {
            let local = forest.local(node);
            let references = forest.gathered(node, name).wrapping_sub(local);
            let class = hash::name(class_of(forest, node).as_bytes());
            // what refers to nothing is told by its own attributes alone
            key(local, if forest.references(node).is_empty() { local } else { references }, class)
        };
        let old_name = |node: u32| match self.after_of(node) {
            Some(mate) => mix(u64::from(mate), hash::REFERENCE),
            None => self.before.token(node),
        };
        let new_name = |node: u32| match self.before_of(node) {
            Some(_) => mix(u64::from(node), hash::REFERENCE),
            None => self.after.token(node),
        };
        let mut found: ByHash<(Vec<u32>, Vec<u32>)> = ByHash::default();
        for node in olds.iter() {
            found.entry(key_of(self.before, *node, &old_name)).or_default().0.push(*node);
        }
        for node in news.iter() {
            found.entry(key_of(self.after, *node, &new_name)).or_default().1.push(*node);
        }
        let mut count = 0;
        for node in olds.clone() {
            let key = key_of(self.before, node, &|node| match self.after_of(node) {
                Some(mate) => mix(u64::from(mate), hash::REFERENCE),
                None => self.before.token(node),
            });
            let Some((one, other)) = found.remove(&key) else { continue };
            if let ([one], [other]) = (one.as_slice(), other.as_slice()) {
                self.pair(*one, *other);
                self.count(*one, *other);
                self.open.push((*one, *other));
                count += 1;
            }
        }
        olds.retain(|node| self.after_of(*node).is_none());
        news.retain(|node| self.before_of(*node).is_none());
        count
    }
}

/// Class and name of a node.
fn label(forest: &Forest<'_>, node: u32) -> u64 {
    let class = hash::name(class_of(forest, node).as_bytes());
    let name = forest.instance(node).and_then(|instance| instance.name());
    mix(class, name.map_or(hash::NULL, |name| hash::plain_text(&name)))
}

/// By content, how many more nodes without GlobalId there are before than after; none where there are as many.
fn surplus(before: &Forest<'_>, after: &Forest<'_>) -> ByHash<i64> {
    let pieces: Vec<ByHash<i64>> = (0..PIECES)
        .into_par_iter()
        .map(|piece| {
            let counted = |forest: &'_ Forest<'_>| -> Vec<u64> {
                let mine = |token: &u64| *token & 1 == 0 && *token != 0 && (token >> 32) % PIECES == piece;
                forest.tokens.iter().copied().filter(mine).collect()
            };
            let (olds, news) = (counted(before), counted(after));
            let mut counts: ByHash<i64> = ByHash::default();
            counts.reserve(olds.len() / 2);
            for token in olds {
                *counts.entry(token).or_default() += 1;
            }
            for token in news {
                *counts.entry(token).or_default() -= 1;
            }
            counts.retain(|_, count| *count != 0);
            counts
        })
        .collect();
    pieces.into_iter().flatten().collect()
}

/// The content of rooted nodes without GlobalId and owner history; what they refer to of the same kind counts so too.
fn soft_hashes(forest: &Forest<'_>, nodes: &[u32], mates: &[u32]) -> HashMap<u32, u64> {
    let owner = mark_of("OwnerHistory");
    let mut hashes: HashMap<u32, u64> = HashMap::new();
    let is_soft = |node: u32| forest.is_rooted(node) && mates.get(node as usize) == Some(&NOWHERE);
    for start in nodes {
        let mut stack = vec![(*start, false)];
        while let Some((node, waited)) = stack.pop() {
            if hashes.contains_key(&node) {
                continue;
            }
            let references = forest.references(node);
            let undone: Vec<u32> = references
                .iter()
                .map(|(target, _)| *target)
                .filter(|target| *target != node && is_soft(*target) && !hashes.contains_key(target))
                .collect();
            if !undone.is_empty() && !waited {
                stack.push((node, true));
                stack.extend(undone.into_iter().map(|target| (target, false)));
                continue;
            }
            let hash = references.iter().filter(|(_, mark)| *mark != owner).fold(
                forest.local(node),
                |sum, (target, mark)| {
                    let content = match hashes.get(target) {
                        Some(hash) => *hash,
                        None if is_soft(*target) => forest.local(*target),
                        None => forest.token(*target),
                    };
                    sum.wrapping_add(mix(u64::from(*mark), content))
                },
            );
            hashes.insert(node, hash);
        }
    }
    hashes
}
