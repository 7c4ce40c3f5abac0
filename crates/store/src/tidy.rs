//! What is thrown away: blobs that nothing names, files that were made from versions and not kept long, whole files of
//! versions that are near another whole file. Versions, events and audit are never.
//!
//! A blob is written before the row that names it. So one that nothing names is left alone while it is young, and whoever
//! writes a blob that is there already makes it young again: what a commit under way relies on stays.

use crate::error::StoreError;
use crate::sql::tidy::{self, Node};
use crate::store::Store;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// The times for which data is kept that can be made again, or that nothing names.
#[derive(Debug, Clone)]
pub struct Retention {
    /// Files that were made of versions and can be made again, such as tiles, conversions, pictures and drawings.
    pub derived: Duration,
    /// Other files that operations made and clients uploaded; for ever if not given.
    pub files: Option<Duration>,
    /// Blobs that nothing names.
    pub unnamed: Duration,
    /// The most deltas between a version and the whole file that it is opened from.
    pub chain: u32,
}

impl Default for Retention {
    fn default() -> Self {
        let day = Duration::from_hours(24);
        Self { derived: day * 30, files: None, unnamed: Duration::from_hours(1), chain: 64 }
    }
}

/// The counts of what was thrown away, or would be.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Discarded {
    /// Names of blobs that can be made again.
    pub derived: u64,
    /// Files by name.
    pub files: u64,
    /// Whole files of versions that are near another.
    pub checkpoints: u64,
    /// Blobs.
    pub blobs: u64,
    /// Bytes of those.
    pub bytes: u64,
    /// Blobs that remain.
    pub kept_blobs: u64,
    /// Bytes of those.
    pub kept_bytes: u64,
}

impl Store {
    /// Throws away what is kept longer than it has to be; with `dry_run` only counts it.
    pub async fn discard(&self, retention: &Retention, dry_run: bool) -> Result<Discarded, StoreError> {
        let now = crate::now_ms();
        let before = |age: Duration| now.saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
        let chain = retention.chain.max(1);
        let nodes = self.database().read(tidy::nodes).await?;
        let spare = spare_checkpoints(&nodes, chain);
        let horizons =
            tidy::Horizons { derived: before(retention.derived), files: retention.files.map(before) };
        let mut discarded = Discarded { checkpoints: spare.len() as u64, ..Discarded::default() };
        let named: HashSet<String> = if dry_run {
            let spare: HashSet<String> = spare.into_iter().collect();
            let (derived, files, named) =
                self.database().read(move |c| tidy::would_keep(c, &horizons, &spare)).await?;
            (discarded.derived, discarded.files) = (derived, files);
            named
        } else {
            let (derived, files) = self.database().write(move |c| tidy::forget(c, &horizons, &spare)).await?;
            (discarded.derived, discarded.files) = (derived, files);
            self.database().read(tidy::named).await?
        };
        let unnamed = before(retention.unnamed);
        for blob in self.blobs().list().await? {
            let goes = !named.contains(&blob.sha256) && blob.written_ms < unnamed;
            if goes && (dry_run || self.blobs().remove_old(&blob.sha256, unnamed).await?) {
                discarded.blobs += 1;
                discarded.bytes += blob.size;
            } else {
                discarded.kept_blobs += 1;
                discarded.kept_bytes += blob.size;
            }
        }
        Ok(discarded)
    }
}

/// Checkpoints without which no version is more than `chain` deltas away from a whole file: the oldest go first.
/// `nodes` stand in an order in which parents come before children.
fn spare_checkpoints(nodes: &[Node], chain: u32) -> Vec<String> {
    let at: HashMap<&str, usize> =
        nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect();
    let parent = |node: &Node| node.parent.as_deref().and_then(|id| at.get(id)).copied();
    // how many deltas follow a version until the next whole file, on its longest branch
    let mut tail = vec![0_u32; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        let below = tail.get(index).copied().unwrap_or_default();
        if !node.is_whole()
            && let Some(above) = parent(node).and_then(|above| tail.get_mut(above))
        {
            *above = (*above).max(below + 1);
        }
    }
    let mut spare = Vec::new();
    let mut depth = vec![0_u32; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let above = parent(node).and_then(|above| depth.get(above)).copied();
        let here = above.map_or(0, |above| above + 1);
        let below = tail.get(index).copied().unwrap_or_default();
        let goes = node.checkpoint && !node.file && above.is_some() && here + below <= chain;
        if goes {
            spare.push(node.id.clone());
        }
        let depth = depth.get_mut(index);
        if let Some(depth) = depth {
            *depth = if node.is_whole() && !goes { 0 } else { here };
        }
    }
    spare
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn longest(nodes: &[Node], without: &[String]) -> u32 {
        let mut depth: HashMap<&str, u32> = HashMap::new();
        for node in nodes {
            let whole = node.file || node.checkpoint && !without.contains(&node.id);
            let here = if whole { 0 } else { node.parent.as_deref().map_or(0, |parent| depth[parent] + 1) };
            depth.insert(&node.id, here);
        }
        depth.values().copied().max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_version_is_further_from_a_whole_file_than_allowed_or_than_it_was(
            shape in prop::collection::vec((any::<prop::sample::Index>(), 0..10_u8), 1..200),
            chain in 1..20_u32,
        ) {
            let mut nodes: Vec<Node> = Vec::new();
            for (at, (above, kind)) in shape.iter().enumerate() {
                let parent = (at > 0).then(|| nodes[above.index(at)].id.clone());
                nodes.push(Node {
                    id: format!("v{at}"),
                    file: parent.is_none() || *kind == 0,
                    checkpoint: *kind == 1 || *kind == 2,
                    parent,
                });
            }
            let spare = spare_checkpoints(&nodes, chain);
            prop_assert!(longest(&nodes, &spare) <= chain.max(longest(&nodes, &[])));
        }
    }

    #[test]
    fn a_checkpoint_between_two_near_ones_goes_and_one_that_is_needed_stays() {
        let node = |at: u32| Node {
            id: at.to_string(),
            parent: (at > 0).then(|| (at - 1).to_string()),
            file: at == 0,
            checkpoint: at == 3 || at == 10,
        };
        let nodes: Vec<Node> = (0..15).map(node).collect();
        assert_eq!(spare_checkpoints(&nodes, 9), ["3"]);
        assert!(spare_checkpoints(&nodes, 8).is_empty());
    }
}
