//! The configuration of a worker: one document, which it is handed when it is started (see [`crate::sandbox::receive`]).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Megabytes of opened models, where nothing else is said.
pub const CACHE_MB: u64 = 1024;
/// Megabytes of memory beyond those, where nothing else is said.
pub const MEMORY_MB: u64 = 8192;

/// The configuration of a worker: its back end, its socket and what it may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerConfig {
    /// The socket that it listens at.
    pub socket: PathBuf,
    /// The back end: which adapters answer.
    pub backend: String,
    /// The files of that back end on this machine, by what they are to it.
    pub programs: BTreeMap<String, PathBuf>,
    /// True if the programs of its back end are at the other end of its standard output.
    pub is_beside: bool,
    /// Megabytes of memory for opened models.
    pub cache_mb: u64,
    /// Megabytes of memory in all, beyond the cache.
    pub memory_mb: u64,
    /// Folders whose files it may read.
    pub read: Vec<PathBuf>,
    /// Folders whose files it may read and write.
    pub write: Vec<PathBuf>,
    /// The folder for indexes of large files.
    pub indexes: Option<PathBuf>,
}

impl Default for WorkerConfig {
    fn default() -> Self {
        Self {
            socket: PathBuf::new(),
            backend: "native".into(),
            programs: BTreeMap::new(),
            is_beside: false,
            cache_mb: CACHE_MB,
            memory_mb: MEMORY_MB,
            read: Vec::new(),
            write: Vec::new(),
            indexes: None,
        }
    }
}
