//! The changes that a model went through, counted by class and reason, in an order that depends on nothing else.

use serde::Serialize;
use std::collections::BTreeMap;

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It is no longer there.
    Dropped,
    /// It has another class.
    Reclassed,
    /// It has another shape item, which looks the same.
    Reshaped,
    /// It is said elsewhere or otherwise.
    Moved,
    /// It was not there before.
    Added,
}

impl Action {
    /// `dropped`, `reclassed`, `reshaped`, `moved`, `added`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Reclassed => "reclassed",
            Self::Reshaped => "reshaped",
            Self::Moved => "moved",
            Self::Added => "added",
        }
    }
}

/// Instances of one class with which the same happened for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The kind of change.
    pub action: Action,
    /// Their class before.
    pub class: String,
    /// Why, or what became of them.
    pub reason: String,
    /// The number of them.
    pub count: usize,
    /// One of them: its GlobalId, or that of what it belongs to; where there is none, its number in the file, such as `#12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// All changes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Report {
    /// By action, class and reason.
    pub changes: Vec<Change>,
}

impl Report {
    /// The changes as sentences, for people.
    pub fn lines(&self) -> Vec<String> {
        let line = |change: &Change| {
            let Change { action, class, reason, count, example } = change;
            let example = example.as_ref().map(|id| format!(" (such as {id})")).unwrap_or_default();
            format!("{count} {class} {}: {reason}{example}", action.as_str())
        };
        self.changes.iter().map(line).collect()
    }

    /// The number of instances with this kind of change.
    pub fn count(&self, action: Action) -> usize {
        self.changes.iter().filter(|change| change.action == action).map(|change| change.count).sum()
    }
}

/// A report under construction.
#[derive(Debug, Default)]
pub(crate) struct Log {
    changes: BTreeMap<(Action, String, String), (usize, Option<String>)>,
}

impl Log {
    /// Notes a change of one instance.
    pub fn note(
        &mut self,
        action: Action,
        class: &str,
        reason: &str,
        example: impl FnOnce() -> Option<String>,
    ) {
        self.count(action, class, reason, 1, example);
    }

    /// Notes the same change of several instances.
    pub fn count(
        &mut self,
        action: Action,
        class: &str,
        reason: &str,
        count: usize,
        example: impl FnOnce() -> Option<String>,
    ) {
        let slot = self.changes.entry((action, class.to_owned(), reason.to_owned())).or_default();
        slot.0 += count;
        if slot.1.is_none() {
            slot.1 = example();
        }
    }

    pub fn finish(self) -> Report {
        let change =
            |((action, class, reason), (count, example))| Change { action, class, reason, count, example };
        Report { changes: self.changes.into_iter().map(change).collect() }
    }
}
