//! What a service is set up with. Every default works.

use crate::collections::Collection;
use contract::Secret;
use governance::{IsA, Policy};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Which back end resolves a call that names none itself. Where nothing is said, the executor's own choice holds.
#[derive(Debug, Clone, Default)]
pub struct BackendPolicy {
    /// For models, by id or name.
    pub models: BTreeMap<String, String>,
    /// For operations, by name.
    pub operations: BTreeMap<String, String>,
    /// For everything else.
    pub default: Option<String>,
}

impl BackendPolicy {
    /// The back end of an operation on a model, or on none.
    pub(crate) fn choose(&self, operation: &str, model: Option<(&str, &str)>) -> Option<String> {
        let of_model = model.and_then(|(id, name)| self.models.get(id).or_else(|| self.models.get(name)));
        let of_operation = || self.operations.get(operation);
        of_model.or_else(of_operation).or(self.default.as_ref()).cloned()
    }
}

/// Settings of a service.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// The address under which a person's browser reaches viewer and bucket, without a slash at its end.
    pub public_url: String,
    /// The key by which the user of this machine is known over HTTP, where they need one: addresses that are answered to them bring
    /// what lets them in.
    pub local_key: Option<Secret>,
    /// Folders below which files are written for callers on this machine, besides their working directories.
    pub write_dirs: Vec<PathBuf>,
    /// Folders of this server's own, where nothing is written for a caller and nothing is read.
    pub own_folders: Vec<PathBuf>,
    /// Who may do what.
    pub policy: Arc<Policy>,
    /// Which class descends from which.
    pub is_a: IsA,
    /// The largest file that is taken in, in bytes.
    pub import_bytes: u64,
    /// The largest answer, in bytes; more is kept as a file and answered as a link.
    pub answer_bytes: usize,
    /// Which back end resolves what.
    pub backends: BackendPolicy,
    /// Collections of archives that tools fetch from, by name.
    pub collections: BTreeMap<String, Collection>,
    /// Folders of documentation indexes by the corpora that they are of: `v25.2/search.json` and so on.
    pub documentation: BTreeMap<String, PathBuf>,
    /// Folders of files that tools take by name, by the libraries that they are of; one that is not there is empty.
    pub libraries: BTreeMap<String, PathBuf>,
    /// How long one call may take.
    pub timeout: Duration,
    /// How long an operation may take that is done as a job.
    pub job_limit: Duration,
    /// After how many deltas a whole file is kept, so that opening a version stays cheap; on a large file after a multiple of them, when they
    /// would take as long to apply as the file to open.
    pub checkpoint_deltas: u32,
    /// After how many bytes of deltas a whole file is kept.
    pub checkpoint_bytes: u64,
}

impl ServiceConfig {
    /// The beginnings of paths that callers elsewhere are not told.
    pub(crate) fn hidden_roots(&self) -> Vec<String> {
        roots(self.own_folders.iter().chain(&self.write_dirs).map(PathBuf::as_path))
    }
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            public_url: "http://127.0.0.1:8383".to_owned(),
            local_key: None,
            write_dirs: Vec::new(),
            own_folders: Vec::new(),
            policy: Arc::new(Policy::default()),
            is_a: |class, ancestor| class == ancestor,
            import_bytes: 4 << 30,
            answer_bytes: 128 << 10,
            backends: BackendPolicy::default(),
            collections: BTreeMap::new(),
            documentation: BTreeMap::new(),
            libraries: BTreeMap::new(),
            timeout: Duration::from_secs(120),
            job_limit: Duration::from_hours(1),
            checkpoint_deltas: 64,
            checkpoint_bytes: 8 << 20,
        }
    }
}

/// The beginnings of paths that are this server's own: its folders, and where its programs and its user's files lie.
pub(crate) fn roots<'a>(own: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let temporary = std::env::temp_dir();
    let home = std::env::var_os("HOME").map(std::path::PathBuf::from);
    let program = std::env::current_exe().ok().and_then(|program| program.parent().map(Path::to_owned));
    let known = [Some(temporary), home, program].into_iter().flatten();
    let all = own
        .map(Path::to_owned)
        .chain(known)
        .chain(["/usr/", "/opt/", "/var/", "/etc/", "/home/", "/root/"].map(Into::into));
    let text = all.map(|root| root.display().to_string());
    let mut roots: Vec<String> = text.filter(|root| root.len() > 1).collect();
    roots.sort();
    roots.dedup();
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_comes_before_an_operation_and_an_operation_before_the_rest() {
        let named = |name: &str| Some(name.to_owned());
        let policy = BackendPolicy {
            models: BTreeMap::from([("House".to_owned(), "a".to_owned())]),
            operations: BTreeMap::from([("run_code".to_owned(), "b".to_owned())]),
            default: named("c"),
        };
        assert_eq!(policy.choose("run_code", Some(("id", "House"))), named("a"));
        assert_eq!(policy.choose("run_code", Some(("id", "Barn"))), named("b"));
        assert_eq!(policy.choose("create_wall", None), named("c"));
        assert_eq!(BackendPolicy::default().choose("run_code", None), None);
    }
}
