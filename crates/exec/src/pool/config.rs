//! What a pool is made of, and how long its places may take.

use super::Linker;
use crate::sandbox::Bounds;
use crate::{EndpointConfig, WorkerConfig};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Worker processes of one back end on this machine.
#[derive(Debug, Clone)]
pub struct Group {
    /// Program and arguments of a worker.
    pub command: Vec<OsString>,
    /// The configuration that each worker is handed, with a socket of its own.
    pub config: WorkerConfig,
    /// How many.
    pub workers: usize,
    /// True if a worker is only started when a call asks for it.
    pub lazy: bool,
    /// The bounds of a worker and everything that it works with, together, where the system has control groups for it.
    pub bounds: Option<Bounds>,
}

/// Workers of a back end that may be installed, or replaced, while the pool runs: it is looked for when a call needs one.
#[derive(Clone)]
pub struct LateGroup {
    /// The name of the adapter, as requests give it.
    pub backend: String,
    /// How many.
    pub workers: usize,
    /// Looks for it; none where it is not here.
    pub find: Arc<dyn Fn() -> Option<Group> + Send + Sync>,
}

impl std::fmt::Debug for LateGroup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LateGroup")
            .field("backend", &self.backend)
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

/// Which places a pool has, and how long they may take.
#[derive(Debug, Clone)]
pub struct PoolConfig {
    /// Workers on this machine, by back end.
    pub groups: Vec<Group>,
    /// Workers on this machine whose back ends are looked for when they are needed.
    pub late: Vec<LateGroup>,
    /// Services elsewhere; they join the groups whose back ends they have.
    pub endpoints: Vec<EndpointConfig>,
    /// The back end of requests that name none.
    pub default: String,
    /// For back ends that may be absent: how to get them.
    pub hints: BTreeMap<String, String>,
    /// The schema hashes of operations as the caller knows them. An endpoint whose hash differs does not get the operation.
    pub expects: BTreeMap<String, String>,
    /// Where messages of workers go; without it, to this process's standard error.
    pub log: Option<PathBuf>,
    /// How long a call without a deadline may take.
    pub call_limit: Duration,
    /// How long a script may take before it is ended from outside: longer than it lets itself.
    pub script_limit: Duration,
    /// How long a call may go on after its deadline before its worker is killed.
    pub grace: Duration,
    /// How long a worker may take to answer for the first time.
    pub start_limit: Duration,
    /// How long an endpoint that does not answer is left alone at most, before it is tried again.
    pub probe_limit: Duration,
    /// Bytes of one answer.
    pub answer_bytes: usize,
    /// Addresses for files, from which endpoints fetch what is too large to be sent along.
    pub link: Option<Linker>,
    /// Bytes of a file that is rather linked to, where there are links.
    pub inline_bytes: u64,
    /// Bytes of a file that can be sent along.
    pub carried_bytes: u64,
    /// Bytes of one file that an endpoint made.
    pub fetched_bytes: u64,
}

impl PoolConfig {
    /// One worker made by starting a command, as the group of its back end.
    pub fn new(command: Vec<OsString>, config: WorkerConfig) -> Self {
        let default = config.backend.clone();
        let group = Group { command, config, workers: 1, lazy: false, bounds: None };
        Self { groups: vec![group], default, ..Self::empty() }
    }

    /// No places yet.
    pub fn empty() -> Self {
        Self {
            groups: Vec::new(),
            late: Vec::new(),
            endpoints: Vec::new(),
            default: WorkerConfig::default().backend,
            hints: BTreeMap::new(),
            expects: BTreeMap::new(),
            log: None,
            call_limit: Duration::from_mins(10),
            script_limit: Duration::from_secs(34),
            grace: Duration::from_secs(5),
            start_limit: Duration::from_secs(20),
            probe_limit: Duration::from_secs(30),
            answer_bytes: 256 << 20,
            link: None,
            inline_bytes: 256 << 10,
            carried_bytes: 48 << 20,
            fetched_bytes: 4 << 30,
        }
    }
}

impl Group {
    /// The name of the adapter, as requests give it.
    pub fn backend(&self) -> &str {
        &self.config.backend
    }
}
