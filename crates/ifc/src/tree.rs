//! A sorted map whose copies share what they have in common: copying it costs nothing, and a change costs the few nodes on the way to
//! what it changes. Sets are maps to nothing.
//!
//! A B-tree (Bayer and McCreight, 1972) whose nodes are copied when they are written to and others hold them, too. Branches know how many
//! entries lie below each child, so that those before a place are counted without a look at them. A node that empties is taken out, one
//! that only becomes small is left: what is taken out of a model is little beside what is put in.

use std::collections::HashSet;
use std::sync::Arc;

/// The most entries of a leaf, and the most children of a branch.
const WIDTH: usize = 32;

/// A sorted map.
pub struct Tree<K, V = ()> {
    root: Option<Arc<Node<K, V>>>,
    length: usize,
}

enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    Branch(Vec<Child<K, V>>),
}

/// A node below a branch.
#[derive(Clone)]
struct Child<K, V> {
    /// No key below is less, but that of the first child of a branch, to which all lesser keys go.
    first: K,
    /// The number of entries below.
    size: usize,
    node: Arc<Node<K, V>>,
}

impl<K: Clone, V: Clone> Clone for Node<K, V> {
    /// A copy is made to be written to, and so has room.
    fn clone(&self) -> Self {
        fn with_room<T: Clone>(list: &[T]) -> Vec<T> {
            let mut copy = Vec::with_capacity(WIDTH);
            copy.extend_from_slice(list);
            copy
        }
        match self {
            Self::Leaf(entries) => Self::Leaf(with_room(entries)),
            Self::Branch(children) => Self::Branch(with_room(children)),
        }
    }
}

impl<K, V> Clone for Tree<K, V> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone(), length: self.length }
    }
}

impl<K, V> Default for Tree<K, V> {
    fn default() -> Self {
        Self { root: None, length: 0 }
    }
}

impl<K: std::fmt::Debug, V: std::fmt::Debug> std::fmt::Debug for Tree<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K, V> Tree<K, V> {
    /// The number of entries.
    pub fn len(&self) -> usize {
        self.length
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// All entries, by key.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.from(|_| false)
    }

    /// The entries from the first on whose key is not before a place; what is before it comes before all that is not.
    pub fn from(&self, is_before: impl Fn(&K) -> bool) -> Iter<'_, K, V> {
        let mut iter = Iter { above: Vec::new(), leaf: [].iter() };
        let mut next = self.root.as_deref();
        while let Some(node) = next.take() {
            match node {
                Node::Leaf(entries) => {
                    let at = entries.partition_point(|(key, _)| is_before(key));
                    iter.leaf = entries.get(at..).unwrap_or_default().iter();
                }
                Node::Branch(children) => {
                    let at = place(children, &is_before);
                    let mut rest = children.get(at..).unwrap_or_default().iter();
                    next = rest.next().map(|child| &*child.node);
                    iter.above.push(rest);
                }
            }
        }
        iter
    }

    /// The number of entries whose keys are before a place.
    pub fn count_before(&self, is_before: impl Fn(&K) -> bool) -> usize {
        let mut count = 0;
        let mut next = self.root.as_deref();
        while let Some(node) = next.take() {
            match node {
                Node::Leaf(entries) => count += entries.partition_point(|(key, _)| is_before(key)),
                Node::Branch(children) => {
                    let at = place(children, &is_before);
                    let passed = children.get(..at).unwrap_or_default();
                    count += passed.iter().map(|child| child.size).sum::<usize>();
                    next = children.get(at).map(|child| &*child.node);
                }
            }
        }
        count
    }
}

/// The child in which a place is.
fn place<K, V>(children: &[Child<K, V>], is_before: impl Fn(&K) -> bool) -> usize {
    children.partition_point(|child| is_before(&child.first)).saturating_sub(1)
}

/// The child in which a key is, or would be.
fn place_of<K: Ord, V>(children: &[Child<K, V>], key: &K) -> usize {
    children.partition_point(|child| child.first <= *key).saturating_sub(1)
}

impl<K: Ord, V> Tree<K, V> {
    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let at = entries.binary_search_by(|(other, _)| other.cmp(key)).ok()?;
                    return entries.get(at).map(|(_, value)| value);
                }
                Node::Branch(children) => node = &children.get(place_of(children, key))?.node,
            }
        }
    }

    /// True if it has a key.
    pub fn contains(&self, key: &K) -> bool {
        self.get(key).is_some()
    }
}

impl<K, V> Node<K, V> {
    /// The number of nodes from here down to a leaf.
    fn height(&self) -> usize {
        let (mut height, mut node) = (1, self);
        while let Self::Branch(children) = node {
            let Some(first) = children.first() else { break };
            (height, node) = (height + 1, &first.node);
        }
        height
    }
}

/// Nodes of one height, by key.
type Row<'t, K, V> = Vec<&'t Arc<Node<K, V>>>;

/// The nodes below those of a row.
fn below<'t, K, V>(row: &Row<'t, K, V>) -> Row<'t, K, V> {
    let children = row.iter().filter_map(|node| match &***node {
        Node::Branch(children) => Some(children),
        Node::Leaf(_) => None,
    });
    children.flatten().map(|child| &child.node).collect()
}

/// The entries of the leaves in a row.
fn entries<'t, K, V>(row: &Row<'t, K, V>) -> Vec<(&'t K, &'t V)> {
    let leaves = row.iter().filter_map(|node| match &***node {
        Node::Leaf(entries) => Some(entries),
        Node::Branch(_) => None,
    });
    leaves.flatten().map(|(key, value)| (key, value)).collect()
}

/// The entries of two maps, each by key.
type Both<'t, K, V> = [Vec<(&'t K, &'t V)>; 2];

impl<K, V> Tree<K, V> {
    /// The entries in the leaves that two maps do not share: all in which they differ, and the neighbours of those. Costs what was written
    /// since one was a copy of the other.
    pub fn apart<'t>(&'t self, other: &'t Self) -> Both<'t, K, V> {
        let mut rows = [self, other].map(|tree| tree.root.iter().collect::<Row<'t, K, V>>());
        let mut heights = [self, other].map(|tree| tree.root.as_ref().map_or(0, |root| root.height()));
        loop {
            if heights[0] == heights[1] {
                let known = rows.each_ref().map(|row| {
                    row.iter().map(|node| Arc::as_ptr(node)).collect::<HashSet<*const Node<K, V>>>()
                });
                rows[0].retain(|node| !known[1].contains(&Arc::as_ptr(node)));
                rows[1].retain(|node| !known[0].contains(&Arc::as_ptr(node)));
            }
            let highest = heights[0].max(heights[1]);
            if highest <= 1 || rows.iter().all(Vec::is_empty) {
                return rows.each_ref().map(entries);
            }
            for (row, height) in rows.iter_mut().zip(&mut heights) {
                if *height == highest {
                    *row = below(row);
                    *height -= 1;
                }
            }
        }
    }
}

impl<V> Tree<u32, V> {
    /// [`Tree::get`] for keys that are mostly numbers in a row, as ids are: the place is guessed before it is looked for.
    pub fn find(&self, key: u32) -> Option<&V> {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let guess = key.checked_sub(entries.first()?.0)? as usize;
                    if let Some((_, value)) = entries.get(guess).filter(|(other, _)| *other == key) {
                        return Some(value);
                    }
                    let at = entries.binary_search_by_key(&key, |(other, _)| *other).ok()?;
                    return entries.get(at).map(|(_, value)| value);
                }
                Node::Branch(children) => node = &guessed(children, key)?.node,
            }
        }
    }
}

/// The child in which a number is, or would be.
fn guessed<V>(children: &[Child<u32, V>], key: u32) -> Option<&Child<u32, V>> {
    let (first, last) = (children.first()?, children.last()?);
    // what is new is asked about most
    if key >= last.first {
        return Some(last);
    }
    let share = u64::from(key.saturating_sub(first.first)) * (children.len() as u64 - 1);
    let at = (share / u64::from(last.first.saturating_sub(first.first).max(1))) as usize;
    let is_there = |child: &Child<u32, V>| child.first <= key;
    if children.get(at).is_some_and(is_there) && !children.get(at + 1).is_some_and(is_there) {
        return children.get(at);
    }
    children.get(place_of(children, &key))
}

impl<K: Ord + Clone, V: Clone> Tree<K, V> {
    /// Puts a value in the place of what the key had.
    pub fn insert(&mut self, key: K, value: V) {
        let Some(root) = &mut self.root else {
            let mut entries = Vec::with_capacity(WIDTH);
            entries.push((key, value));
            self.root = Some(Arc::new(Node::Leaf(entries)));
            self.length = 1;
            return;
        };
        let Put { is_new, split } = put(root, key, value);
        self.length += usize::from(is_new);
        if let Some(right) = split
            && let Some(first) = root.first().cloned()
        {
            let left = Child { first, size: self.length - right.size, node: Arc::clone(root) };
            let mut children = Vec::with_capacity(WIDTH);
            children.extend([left, right]);
            *root = Arc::new(Node::Branch(children));
        }
    }

    /// Takes a key out, if it is there.
    pub fn remove(&mut self, key: &K) {
        let Some(root) = &mut self.root else { return };
        // without it nothing is written to, and so nothing copied
        if !root.has(key) {
            return;
        }
        take(root, key);
        self.length -= 1;
        if self.length == 0 {
            self.root = None;
        } else if let Node::Branch(children) = &**root
            && let [only] = children.as_slice()
        {
            self.root = Some(Arc::clone(&only.node));
        }
    }
}

impl<K: Ord, V> Node<K, V> {
    fn has(&self, key: &K) -> bool {
        match self {
            Self::Leaf(entries) => entries.binary_search_by(|(other, _)| other.cmp(key)).is_ok(),
            Self::Branch(children) => {
                children.get(place_of(children, key)).is_some_and(|child| child.node.has(key))
            }
        }
    }

    /// The first key of a leaf, or that by which the first child of a branch is found.
    fn first(&self) -> Option<&K> {
        match self {
            Self::Leaf(entries) => entries.first().map(|(key, _)| key),
            Self::Branch(children) => children.first().map(|child| &child.first),
        }
    }
}

/// The outcome of putting an entry below a node.
struct Put<K, V> {
    is_new: bool,
    /// The right half of a node that had no room.
    split: Option<Child<K, V>>,
}

fn put<K: Ord + Clone, V: Clone>(node: &mut Arc<Node<K, V>>, key: K, value: V) -> Put<K, V> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => {
            let place = entries.binary_search_by(|(other, _)| other.cmp(&key));
            match place {
                Ok(at) => {
                    if let Some((_, known)) = entries.get_mut(at) {
                        *known = value;
                    }
                    Put { is_new: false, split: None }
                }
                Err(at) => {
                    let right = insert_at(entries, at, (key, value));
                    let split = right.and_then(|right| {
                        let first = right.first()?.0.clone();
                        Some(Child { first, size: right.len(), node: Arc::new(Node::Leaf(right)) })
                    });
                    Put { is_new: true, split }
                }
            }
        }
        Node::Branch(children) => {
            let at = place_of(children, &key);
            let Some(child) = children.get_mut(at) else { return Put { is_new: false, split: None } };
            let Put { is_new, split } = put(&mut child.node, key, value);
            child.size += usize::from(is_new);
            let Some(new) = split else { return Put { is_new, split: None } };
            child.size -= new.size;
            let right = insert_at(children, at + 1, new);
            let split = right.and_then(|right| {
                let first = right.first()?.first.clone();
                let size = right.iter().map(|child| child.size).sum();
                Some(Child { first, size, node: Arc::new(Node::Branch(right)) })
            });
            Put { is_new, split }
        }
    }
}

/// Puts a member into a list of a node; the right half where there was no room. What is put at the end, as new ids are, begins a node of
/// its own, so that those before it are full.
fn insert_at<T>(list: &mut Vec<T>, at: usize, member: T) -> Option<Vec<T>> {
    if list.len() < WIDTH {
        list.insert(at, member);
        return None;
    }
    let half = if at == WIDTH { WIDTH } else { WIDTH / 2 };
    let mut right = Vec::with_capacity(WIDTH);
    right.extend(list.drain(half..));
    if at >= half {
        right.insert(at - half, member);
    } else {
        list.insert(at, member);
    }
    Some(right)
}

/// Takes a key out that is there.
fn take<K: Ord + Clone, V: Clone>(node: &mut Arc<Node<K, V>>, key: &K) {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => {
            if let Ok(at) = entries.binary_search_by(|(other, _)| other.cmp(key)) {
                entries.remove(at);
            }
        }
        Node::Branch(children) => {
            let at = place_of(children, key);
            let Some(child) = children.get_mut(at) else { return };
            child.size -= 1;
            if child.size == 0 {
                children.remove(at);
            } else {
                take(&mut child.node, key);
            }
        }
    }
}

/// The entries of a map from some place on, by key.
pub struct Iter<'t, K, V> {
    /// The children that are still to come, of each branch above the leaf.
    above: Vec<std::slice::Iter<'t, Child<K, V>>>,
    leaf: std::slice::Iter<'t, (K, V)>,
}

impl<'t, K, V> Iterator for Iter<'t, K, V> {
    type Item = (&'t K, &'t V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.leaf.next() {
                return Some((key, value));
            }
            let Some(child) = self.above.last_mut()?.next() else {
                self.above.pop();
                continue;
            };
            match &*child.node {
                Node::Leaf(entries) => self.leaf = entries.iter(),
                Node::Branch(children) => self.above.push(children.iter()),
            }
        }
    }
}

impl<'t, K, V> IntoIterator for &'t Tree<K, V> {
    type Item = (&'t K, &'t V);
    type IntoIter = Iter<'t, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Holds a tree against the map of the standard library: contents, places, counts.
    fn check(tree: &Tree<u16, u32>, expected: &BTreeMap<u16, u32>) {
        assert!(tree.iter().eq(expected.iter()));
        assert_eq!(tree.len(), expected.len());
        for bound in [0, 1, 77, 500, 1023, u16::MAX] {
            assert!(tree.from(|key| *key < bound).eq(expected.range(bound..)));
            assert_eq!(tree.count_before(|key| *key < bound), expected.range(..bound).count());
            assert_eq!(tree.get(&bound), expected.get(&bound));
        }
    }

    #[test]
    fn numbers_are_found_with_and_without_gaps() {
        let mut tree = Tree::default();
        let keys = (0..3000u32).filter(|n| n % 500 < 300).chain((0..50).map(|n| 9_000 + n * n * 37));
        let keys: Vec<u32> = keys.collect();
        for key in &keys {
            tree.insert(*key, *key);
        }
        for key in (0..3000).step_by(7) {
            tree.remove(&key);
        }
        for key in 0..110_000 {
            assert_eq!(tree.find(key), tree.get(&key));
        }
        assert_eq!(tree.find(u32::MAX), None);
    }

    /// Holds what is said to differ between two trees against what does; neighbours may be among it, and stand in both then.
    fn check_apart(a: &Tree<u16, u32>, b: &Tree<u16, u32>) {
        let [in_a, in_b] = a.apart(b).map(|list| list.into_iter().collect::<BTreeMap<_, _>>());
        for (key, value) in a {
            assert_eq!(b.get(key) != Some(value), in_a.get(key) != in_b.get(key), "{key}");
        }
        for (key, value) in b {
            assert_eq!(a.get(key) != Some(value), in_a.get(key) != in_b.get(key), "{key}");
        }
    }

    #[test]
    fn copies_are_apart_where_they_were_written_to() {
        let mut tree = Tree::default();
        for key in 0..5000u16 {
            tree.insert(key, 0);
        }
        let mut copy = tree.clone();
        assert_eq!(tree.apart(&copy), [Vec::new(), Vec::new()]);
        copy.insert(77, 1);
        copy.remove(&4000);
        copy.insert(6000, 2);
        check_apart(&tree, &copy);
        assert!(tree.apart(&copy)[0].len() <= 3 * WIDTH);
    }

    proptest! {
        #[test]
        fn it_holds_what_a_map_of_the_standard_library_holds(
            steps in prop::collection::vec((any::<bool>(), 0u16..1024, any::<u32>()), 0..3000),
            copied in 0usize..3000,
        ) {
            let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
            let mut copy = None;
            for (at, (adds, key, value)) in steps.iter().enumerate() {
                if at == copied {
                    copy = Some((tree.clone(), map.clone()));
                }
                // one in four is taken out
                if *adds || value % 2 == 0 {
                    tree.insert(*key, *value);
                    map.insert(*key, *value);
                } else {
                    tree.remove(key);
                    map.remove(key);
                }
            }
            check(&tree, &map);
            // a copy stays as it was
            if let Some((copy, map)) = copy {
                check(&copy, &map);
                check_apart(&copy, &tree);
                check_apart(&tree, &copy);
            }
            check_apart(&Tree::default(), &tree);
            for key in map.keys().copied().collect::<Vec<_>>() {
                tree.remove(&key);
            }
            prop_assert!(tree.is_empty() && tree.iter().next().is_none());
        }
    }

    #[test]
    fn keys_that_only_grow_or_shrink_are_found() {
        for backwards in [false, true] {
            let (mut tree, mut map) = (Tree::default(), BTreeMap::new());
            for n in 0..5000u16 {
                let key = if backwards { 5000 - n } else { n };
                tree.insert(key, u32::from(n));
                map.insert(key, u32::from(n));
            }
            check(&tree, &map);
            for key in (0..4000).filter(|key| key % 3 > 0) {
                tree.remove(&key);
                map.remove(&key);
            }
            check(&tree, &map);
        }
    }
}
