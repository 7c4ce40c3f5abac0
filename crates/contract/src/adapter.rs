//! The contract of a BIM back end, and of the host that starts foreign programs for it.
//!
//! An adapter resolves operations on models of the kinds it knows. It is given opened models and returns what came of
//! the operation; where versions are kept, who asked and whether they may is not its business.

use crate::{Delta, DiffRaw, Effect, Fault, FileInput, FileOut, ModelKind, Request, Watch, json_sha256};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One operation that an adapter resolves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OperationInfo {
    /// Its name.
    pub name: String,
    /// Query, create or modify.
    pub effect: Effect,
    /// SHA-256 over its input and output schemas; a pool routes only where it matches.
    pub schema_sha256: String,
}

impl OperationInfo {
    /// The entry of an operation with these schemas.
    pub fn new(name: &str, effect: Effect, input: &Value, output: &Value) -> Self {
        let schema_sha256 = json_sha256(&json!([input, output]));
        Self { name: name.to_owned(), effect, schema_sha256 }
    }
}

/// The description of an adapter: kinds of models, operations, languages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdapterInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The kinds of model it opens.
    pub kinds: Vec<ModelKind>,
    /// The operations it resolves.
    pub operations: Vec<OperationInfo>,
    /// The languages `run_code` takes.
    pub languages: Vec<String>,
}

/// The answer of `/info`: the program that listens, and the adapters behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HostInfo {
    /// The program's name, such as `pensaer`.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The adapters it hosts; an operation goes to the first that resolves it for the kind of model given.
    pub adapters: Vec<AdapterInfo>,
    /// The confinement of the operations.
    #[serde(default)]
    pub sandbox: Sandbox,
}

/// The limits that the operating system enforces on the process that runs operations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Sandbox {
    /// The version of landlock that bounds its files and ports; none where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub landlock: Option<u32>,
    /// True if seccomp bounds its system calls: no new process, no new socket, no look at others.
    pub seccomp: bool,
    /// True if nothing that it starts could gain a privilege.
    pub no_new_privileges: bool,
    /// True if memory, files and their sizes are bounded.
    pub limits: bool,
    /// Namespaces that it has to itself: `user`, `network`, `ipc`, `uts`.
    pub namespaces: Vec<String>,
    /// The number of the user without rights that it became, where it was root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<u32>,
    /// The resources that control groups bound for it and for everything that it works with, together: `memory`, `pids`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub control_groups: Vec<String>,
    /// Limits that could not be enforced, each with the reason.
    pub missing: Vec<String>,
}

impl Sandbox {
    /// True if code that nobody has looked at may run in it: neither files nor system calls are open to it.
    pub fn holds(&self) -> bool {
        self.landlock.is_some() && self.seccomp && self.no_new_privileges
    }

    /// Returns the enforced limits, in words for a manifest.
    pub fn walls(&self) -> Vec<String> {
        let landlock = self.landlock.map(|version| format!("landlock {version}"));
        let named = [
            (self.seccomp, "seccomp"),
            (self.no_new_privileges, "no_new_privileges"),
            (self.limits, "limits"),
        ];
        let named = named.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name.to_owned());
        let namespaces = self.namespaces.iter().map(|name| format!("{name} namespace"));
        let user = self.user.map(|user| format!("user {user}"));
        let groups = self.control_groups.iter().map(|name| format!("control group for {name}"));
        landlock.into_iter().chain(named).chain(namespaces).chain(user).chain(groups).collect()
    }
}

/// A version opened by an adapter; only that adapter knows what is inside. Cheap to clone, immutable, shared by calls.
#[derive(Clone)]
pub struct OpenedModel {
    /// The adapter's own representation.
    pub inner: Arc<dyn Any + Send + Sync>,
    /// Bytes of memory it holds, as far as the adapter can tell; the cache is bounded by it.
    pub weight: u64,
}

/// The outcome of an operation, before it becomes an `Artifact`.
#[derive(Default)]
pub struct Outcome {
    /// Its answer.
    pub result: Value,
    /// The change to each model it changed, by role, with the model after it, so that the next call finds it open.
    pub changes: Vec<(String, Delta, OpenedModel)>,
    /// A new model, as a whole file, if it made one.
    pub new_model: Option<(ModelKind, Vec<u8>)>,
    /// Files it made.
    pub files: Vec<FileOut>,
    /// The difference in a few lines.
    pub diff_summary: Option<crate::DiffSummary>,
    /// The difference whole, where asked for.
    pub diff_raw: Option<DiffRaw>,
    /// The type of event that the change is.
    pub event_type: Option<String>,
}

/// A BIM back end. Calls come from several threads at once; models are immutable.
pub trait Adapter: Send + Sync {
    /// Describes the adapter.
    fn info(&self) -> AdapterInfo;

    /// Opens a file. The file stays in place for as long as the model lives, so it may be mapped.
    fn open(&self, kind: ModelKind, file: &Path) -> Result<OpenedModel, Fault>;

    /// Opens a version: an opened one with a delta applied.
    fn apply(&self, model: &OpenedModel, delta: &Delta) -> Result<OpenedModel, Fault>;

    /// Runs one operation. `models` stand in the order of `request.models`. `watch` is told how far work is that may take
    /// long, and asked whether it is still wanted; where it is not, [`Fault::given_up`] is the answer.
    fn run(
        &self,
        request: &Request,
        models: &[OpenedModel],
        files: &[FileInput],
        watch: &Arc<dyn Watch>,
    ) -> Result<Outcome, Fault>;
}

/// A foreign program to be started in a sandbox of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// Its name in the host's allow-list, such as `energyplus`.
    pub program: String,
    /// Arguments.
    pub arguments: Vec<String>,
    /// The folder that it works in and may write to: one within the caller's own scratch, and not a link.
    pub folder: PathBuf,
    /// Milliseconds that it may run.
    pub wall_ms: u64,
    /// Bytes of memory that it may use.
    pub memory_bytes: u64,
    /// Bytes of one file that it may write.
    pub file_bytes: u64,
}

/// The end of a foreign program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launched {
    /// Its exit code, if it ended by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// True if it was killed because its time was over.
    pub timed_out: bool,
    /// True if it was killed because nobody wanted it any more.
    pub cancelled: bool,
}

/// Starts foreign programs; adapters never do.
pub trait Launcher: Send + Sync {
    /// Runs a program to its end, to its limits, or until it is not `wanted` any more; it is gone when this returns. What
    /// it prints is told as it comes, to a bound.
    fn launch(
        &self,
        launch: &Launch,
        said: &mut dyn FnMut(&str),
        wanted: &dyn Fn() -> bool,
    ) -> Result<Launched, Fault>;
}
