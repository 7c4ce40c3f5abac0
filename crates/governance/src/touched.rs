//! What a change really touched, as its difference says: policy is held against this and not only against parameters.

use contract::{Action, DiffSummary};
use std::collections::BTreeMap;

/// The elements, storeys and classes that a change touched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Elements added, by class.
    pub added: BTreeMap<String, u64>,
    /// Elements modified, by class.
    pub modified: BTreeMap<String, u64>,
    /// Elements removed, by class.
    pub removed: BTreeMap<String, u64>,
    /// Storeys they are on.
    pub storeys: Vec<String>,
    /// True if some are on none.
    pub elsewhere: bool,
    /// Instances in the file.
    pub instances: u64,
    /// True if a whole file takes the place of what was there, so that anything may be different.
    pub replaced: bool,
    /// True if it makes a model that was not there.
    pub new_model: bool,
}

impl Touched {
    /// Reads what was touched from the summary of a difference.
    pub fn by(summary: &DiffSummary) -> Self {
        Self {
            added: summary.added.clone(),
            modified: summary.modified.clone(),
            removed: summary.removed.clone(),
            storeys: summary.storeys.clone(),
            elsewhere: summary.elsewhere > 0,
            instances: summary.instances,
            ..Self::default()
        }
    }

    /// A file in the place of what was there.
    pub fn replaced() -> Self {
        Self { replaced: true, ..Self::default() }
    }

    /// A model that was not there.
    pub fn new_model() -> Self {
        Self { new_model: true, ..Self::default() }
    }

    /// Elements added, modified and removed.
    pub fn elements(&self) -> u64 {
        let counts =
            [&self.added, &self.modified, &self.removed].into_iter().flat_map(|counts| counts.values());
        counts.copied().fold(0, u64::saturating_add)
    }

    /// The classes touched.
    pub fn classes(&self) -> impl Iterator<Item = &str> {
        [&self.added, &self.modified, &self.removed].into_iter().flat_map(BTreeMap::keys).map(String::as_str)
    }

    /// The grants that it needs: for each, any of some actions on a class. What cannot be named is of no class and needs a grant that
    /// is not narrowed to classes.
    pub(crate) fn needs(&self, asked: Action) -> Vec<Need<'_>> {
        let need = |any: &[Action], class| Need { any: any.to_vec(), class };
        if self.new_model {
            return vec![need(&[Action::Create], None)];
        }
        if self.replaced {
            return [Action::Create, Action::Modify, Action::Delete]
                .map(|action| need(&[action], None))
                .into();
        }
        let mut needs: Vec<Need<'_>> = Vec::new();
        needs.extend(self.added.keys().map(|class| need(&[Action::Create], Some(class.as_str()))));
        // what is made or removed changes its hosts and neighbours
        let beside = [Action::Modify, asked];
        let modify =
            if matches!(asked, Action::Create | Action::Delete) { &beside[..] } else { &beside[..1] };
        needs.extend(self.modified.keys().map(|class| need(modify, Some(class.as_str()))));
        needs.extend(self.removed.keys().map(|class| need(&[Action::Delete], Some(class.as_str()))));
        if needs.is_empty() {
            needs.push(need(&[asked], None));
        }
        needs
    }

    /// The places touched; `None` is what stands on no storey.
    pub(crate) fn places(&self) -> Vec<Option<&str>> {
        let mut places: Vec<Option<&str>> = self.storeys.iter().map(|name| Some(name.as_str())).collect();
        if self.elsewhere || places.is_empty() {
            places.push(None);
        }
        places
    }
}

/// One of the things that has to be granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Need<'a> {
    /// Any of these will do.
    pub(crate) any: Vec<Action>,
    /// The class that it is about.
    pub(crate) class: Option<&'a str>,
}
