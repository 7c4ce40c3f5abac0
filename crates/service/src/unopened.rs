//! Versions that were just made as whole files, and that no executor holds open for that reason: the first operation on one brings its
//! sources along, instead of being refused for want of them.

use contract::VersionId;
use parking_lot::Mutex;
use std::collections::HashSet;

/// So many are remembered; those that were made before them are asked for like all others.
const MOST: usize = 10_000;

/// Versions that nobody has opened yet.
#[derive(Debug, Default)]
pub(crate) struct Unopened(Mutex<HashSet<VersionId>>);

impl Unopened {
    /// Remembers a version that was made.
    pub(crate) fn add(&self, version: &VersionId) {
        let mut known = self.0.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(version.clone());
    }

    /// True the first time that it is asked about a version that was made here.
    pub(crate) fn take(&self, version: &VersionId) -> bool {
        self.0.lock().remove(version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_unopened_until_it_is_asked_for_once() {
        let (unopened, version) = (Unopened::default(), VersionId::from("v"));
        assert!(!unopened.take(&version));
        unopened.add(&version);
        assert!(unopened.take(&version) && !unopened.take(&version));
        for n in 0..=MOST {
            unopened.add(&VersionId::from(n.to_string().as_str()));
        }
        assert!(unopened.0.lock().len() <= MOST && unopened.take(&VersionId::from("10000")));
    }
}
