//! What a platform tool may ask of the system it runs in: models, versions, sessions, audit, and operations on models.
//!
//! Service implements it for one call of one principal; every method acts in that principal's name.

use crate::records::{
    AuditFilter, AuditRecord, ModelOrigin, ModelRecord, Page, RefRecord, VersionRecord, WeatherKept,
};
use crate::{
    ApprovalRecord, Artifact, DiffRaw, DiffSummary, EventId, Fault, JobDraft, JobFilter, JobRecord, Link,
    ModelId, ModelKind, Operation, Permission, Principal, SimulationDraft, VersionId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

/// A future that a trait object returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A branch that came, went or was gone to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchMoved {
    /// Its name, and where it points or pointed.
    pub branch: RefRecord,
    /// The event recorded, if one was.
    pub event_id: Option<EventId>,
    /// The token by which later calls find the session, where the transport gives them nothing else to find it by.
    pub session: Option<String>,
}

/// What a merge came to.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchMerged {
    /// The commit; none if the target had all of the source already.
    pub committed: Option<Committed>,
    /// The version that both sides come from.
    pub base: VersionId,
    /// The version that was merged.
    pub source: VersionId,
    /// As above.
    pub session: Option<String>,
}

/// A commit that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Committed {
    /// The model.
    pub model_id: ModelId,
    /// The version that is now its head.
    pub version: VersionId,
    /// The version before, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<VersionId>,
    /// The event recorded.
    pub event_id: EventId,
    /// What changed, where the operation said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<DiffSummary>,
}

/// A model that was made from another.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The commit that began it.
    pub committed: Committed,
    /// What it was made from.
    pub origin: ModelOrigin,
    /// Its name.
    pub name: String,
    /// What the query answered, and files that it made besides.
    pub artifact: Artifact,
    /// Links to those files.
    pub links: Vec<Link>,
    /// The token by which later calls find the session, where the transport gives them nothing else to find it by.
    pub session: Option<String>,
}

/// A model that was made of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelMade {
    /// The commit that began it.
    pub committed: Committed,
    /// The answer of the query that made it.
    pub artifact: Artifact,
    /// The token by which later calls find the session, where the transport gives them nothing else to find it by.
    pub session: Option<String>,
}

/// What a platform tool changed of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelChanged {
    /// The commit; for a dry run what it would be; none where nothing would be different.
    pub committed: Option<Committed>,
    /// What the operation answered.
    pub artifact: Artifact,
    /// Links to files that it made besides.
    pub links: Vec<Link>,
}

/// Where a file to be taken in is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportSource {
    /// A path as the caller wrote it; only for callers at this machine.
    Path(String),
    /// A key in the bucket, as an upload or another tool answered it.
    Key(String),
    /// The name of a file that the caller uploaded.
    Upload(String),
}

/// A file in the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketFile {
    /// Where it lies on this machine.
    pub path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
}

/// A link that needs no other right and holds for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimedLink {
    /// Where it leads.
    pub url: String,
    /// Unix time in milliseconds until which it holds.
    pub expires_ms: u64,
}

/// A file that was kept in the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptFile {
    /// What the operation that made it calls it; empty for an upload.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its key: operation and name.
    pub key: String,
    /// Where a browser finds it.
    pub href: String,
    /// Its media type.
    pub media_type: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
    /// Unix time in milliseconds at which it was kept.
    pub time_ms: u64,
}

/// What a query on a simulation's results came to.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulationRead {
    /// The answer.
    pub result: Value,
    /// Files that the query made.
    pub made: Vec<KeptFile>,
    /// Files that the simulation itself left.
    pub left: Vec<KeptFile>,
}

/// The system, seen from one call. Where the call is a dry run, nothing that these methods do is kept.
pub trait Platform: Send + Sync {
    /// Who calls.
    fn principal(&self) -> &Principal;

    /// The kind of model that this call is about, where it is about one.
    fn kind(&self) -> Option<ModelKind>;

    /// Whether the call only asks what would happen.
    fn dry_run(&self) -> bool;

    /// The model this call is about: `model_id` if given, else the session's; a Fault if there is none.
    fn current_model(&self) -> BoxFuture<'_, Result<ModelRecord, Fault>>;

    /// The version this call is about: `model_version` if given, else the head.
    fn current_version(&self) -> BoxFuture<'_, Result<VersionId, Fault>>;

    /// Makes a model the session's own. Answers the token by which later calls find the session, where the transport
    /// gives them nothing else to find it by.
    fn set_current_model<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<String>, Fault>>;

    /// One model, by its id, or by its exact name where only one has it.
    fn model<'a>(&'a self, id_or_name: &'a str) -> BoxFuture<'a, Result<ModelRecord, Fault>>;

    /// Models, the latest changed first.
    fn models<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ModelRecord>, Fault>>;

    /// Versions of a model from its head back.
    fn versions<'a>(
        &'a self,
        model: &'a ModelId,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<VersionRecord>, Fault>>;

    /// Every version of a model, of all its branches, no version before one that it comes from.
    fn history<'a>(
        &'a self,
        model: &'a ModelId,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<VersionRecord>, Fault>>;

    /// The refs of a model, by name.
    fn refs<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Vec<RefRecord>, Fault>>;

    /// The branch that this call reads and changes: the one that `model_version` names, else the session's, else `main`.
    fn current_branch(&self) -> BoxFuture<'_, Result<String, Fault>>;

    /// Begins a branch of this call's model at a branch or version, or where the call is, and with `switch` makes it the
    /// session's own.
    fn create_branch<'a>(
        &'a self,
        name: &'a str,
        from: Option<&'a str>,
        switch: bool,
    ) -> BoxFuture<'a, Result<BranchMoved, Fault>>;

    /// Makes a branch of this call's model the session's own.
    fn switch_branch<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<BranchMoved, Fault>>;

    /// Gives up a branch of this call's model; its versions stay.
    fn delete_branch<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<BranchMoved, Fault>>;

    /// Adds what was done on a branch or up to a version to another branch, which becomes the session's own. `resolve` has
    /// `ours` (the target's) or `theirs` by the keys of conflicts; conflicts that are left are a Fault, and nothing is
    /// committed. Where both sides were merged into each other, several versions are a nearest common one: `ancestor` says
    /// which one the changes are counted from, if that matters.
    fn merge_branch<'a>(
        &'a self,
        source: &'a str,
        target: &'a str,
        resolve: &'a Map<String, Value>,
        ancestor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<BranchMerged, Fault>>;

    /// Unix time in milliseconds at which the session took a model up; zero where it did not.
    fn session_since<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<u64, Fault>>;

    /// Forgets what the session was working on.
    fn clear_session(&self) -> BoxFuture<'_, Result<(), Fault>>;

    /// One version; `id` is a branch's name, `head`, or the version's id, which may be shortened to its first digits where
    /// that is unambiguous.
    fn version<'a>(&'a self, model: &'a ModelId, id: &'a str) -> BoxFuture<'a, Result<VersionRecord, Fault>>;

    /// Takes a file in as a new model or, with `into`, as the new head of one that is there, after reading it whole; the
    /// artifact is what the reading came to. Without a name the model is called as the file is, without a kind it is
    /// judged by the file's extension.
    fn import<'a>(
        &'a self,
        source: &'a ImportSource,
        name: Option<&'a str>,
        kind: Option<ModelKind>,
        into: Option<&'a ModelId>,
    ) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>>;

    /// Runs an operation that makes a new model, and commits it under this name.
    fn create_model<'a>(
        &'a self,
        operation: Operation,
        name: &'a str,
    ) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>>;

    /// Runs a query on a model of this kind (the one that the call names, else the session's) that makes the file of a new model,
    /// and takes that in under this name, with a note of where it is from; it becomes the session's own. The query is given
    /// the weather file that `weather` names (a path of a caller at this machine, a key, or the name of an upload), else the
    /// session's, as the file `weather`, with its design days as the file `design_days`. A weather file that was named is the
    /// session's from then on. The note is the [`Derivation`](crate::ops::Derivation) in the answer of the query.
    fn derive_model<'a>(
        &'a self,
        from: ModelKind,
        operation: Operation,
        weather: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Derived, Fault>>;

    /// Runs a query on a file that the caller names in the parameter `field` (a key, the name of an upload, or for callers at this
    /// machine a path), which is given it under this role, and takes in the model that it makes, as above.
    fn derive_from_file<'a>(
        &'a self,
        operation: Operation,
        backend: &'a str,
        role: &'a str,
        field: &'a str,
        file: &'a str,
    ) -> BoxFuture<'a, Result<ModelMade, Fault>>;

    /// Runs an operation that changes a model, on that back end where one is named, and commits it as any edit is: on the
    /// branch that the call or its session is on, with policy and approval as for the model's own tools.
    fn change_model<'a>(
        &'a self,
        model: &'a ModelId,
        operation: Operation,
        backend: Option<&'a str>,
    ) -> BoxFuture<'a, Result<ModelChanged, Fault>>;

    /// What a model was made from, if that was another one.
    fn origin<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<ModelOrigin>, Fault>>;

    /// Fetches the archive of a weather station, by its path below the collection or its mirror, unless it is here; keeps the
    /// weather, design days and statistics in it, and makes the weather the session's own.
    fn fetch_weather<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<WeatherKept, Fault>>;

    /// Makes an older version's content the head again, as a new version. `None` if the head is no different.
    fn restore<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<Option<Committed>, Fault>>;

    /// Takes `steps` edits back, or with a negative number makes undone edits again, as a new version. Answers how many
    /// it was: fewer where there are not as many. A Fault if there is none.
    fn undo<'a>(&'a self, model: &'a ModelId, steps: i32) -> BoxFuture<'a, Result<(Committed, u32), Fault>>;

    /// The whole file of a version, in the bucket.
    fn materialise<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;

    /// Writes the whole file of a version to a path as the caller wrote it; only for callers at this machine. A file
    /// that is there is replaced in one step with `overwrite`, and is a Fault without. Answers the path in full.
    fn save<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        path: &'a str,
        overwrite: bool,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;

    /// The same for one that is to leave: to a path where nothing is, and without keeping the file here.
    fn write_version<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        path: &'a str,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;

    /// What differs between two versions of a model.
    fn diff<'a>(
        &'a self,
        model: &'a ModelId,
        base: &'a VersionId,
        target: &'a VersionId,
    ) -> BoxFuture<'a, Result<(DiffRaw, DiffSummary), Fault>>;

    /// Runs a query on this call's model and version.
    fn query(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>>;

    /// The JSON that a query on this call's model and version answers, made once and kept under `key`. A key has to name
    /// everything that the answer depends on, the version of the program that makes it included.
    fn derived_value<'a>(&'a self, key: &'a str, operation: Operation)
    -> BoxFuture<'a, Result<Value, Fault>>;

    /// The first file that a query on this call's model and version makes, made once and kept under `key`, as above.
    fn derived_file<'a>(
        &'a self,
        key: &'a str,
        operation: Operation,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;

    /// The file that an operation made or a client uploaded, by its key, with its name and media type.
    fn file<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(BucketFile, String, String), Fault>>;

    /// A link from which whoever has it may read a file for so long.
    fn link_to<'a>(
        &'a self,
        file: &'a BucketFile,
        name: &'a str,
        media_type: &'a str,
        seconds: u64,
    ) -> BoxFuture<'a, Result<TimedLink, Fault>>;

    /// A link to which whoever has it may send one file of this name within so long; it is then one of the caller's uploads.
    fn link_for<'a>(
        &'a self,
        name: &'a str,
        max_bytes: Option<u64>,
        seconds: u64,
    ) -> BoxFuture<'a, Result<TimedLink, Fault>>;

    /// Audit entries, the latest first.
    fn audit<'a>(
        &'a self,
        filter: &'a AuditFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<AuditRecord>, Fault>>;

    /// Changes that wait for somebody's yes, or all that ever did, the latest first.
    fn approvals<'a>(
        &'a self,
        pending: bool,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ApprovalRecord>, Fault>>;

    /// Says yes or no to one of them. A yes commits exactly what was previewed.
    fn decide_approval<'a>(
        &'a self,
        id: &'a str,
        approve: bool,
        comment: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(ApprovalRecord, Option<Committed>), Fault>>;

    /// Puts work down that outlasts the call, to be done in the caller's name by whichever gateway begins it.
    fn submit_job(&self, draft: JobDraft) -> BoxFuture<'_, Result<JobRecord, Fault>>;

    /// A job of the caller's, or about a model that is there for the caller.
    fn job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>>;

    /// Such jobs, the latest first. A page may be shorter than asked for.
    fn jobs<'a>(
        &'a self,
        filter: &'a JobFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<JobRecord>, Fault>>;

    /// Asks for a job to end; the job as it is then. One that runs ends a little later.
    fn cancel_job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>>;

    /// Puts a simulation of this call's model and version down as a job, and makes it the session's own. None for a dry run, once
    /// all that was named is found.
    fn simulate<'a>(&'a self, draft: &'a SimulationDraft) -> BoxFuture<'a, Result<Option<JobRecord>, Fault>>;

    /// The job at its end, or as it is after so long; who calls is told meanwhile how far it is.
    fn await_job<'a>(&'a self, id: &'a str, patience: Duration) -> BoxFuture<'a, Result<JobRecord, Fault>>;

    /// Keeps a file that the caller gives, under a name of its choice.
    fn keep_file<'a>(
        &'a self,
        name: &'a str,
        media_type: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<KeptFile, Fault>>;

    /// Files that the caller gave or had made, the latest first.
    fn files<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<KeptFile>, Fault>>;

    /// The session's latest simulation that came to results; a Fault where there is none.
    fn latest_simulation(&self) -> BoxFuture<'_, Result<JobRecord, Fault>>;

    /// Runs a query on this call's model and version. Those of the caller's files that its answer names under `missing_files` are
    /// given to it in a second run, as files of the role `file:` and that name.
    fn query_with_named_files(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>>;

    /// Runs a query on the results of the session's latest simulation; a Fault where there are none.
    fn read_simulation(&self, operation: Operation) -> BoxFuture<'_, Result<SimulationRead, Fault>>;

    /// Runs a query that needs no model, only the version of EnergyPlus that the session's model is of, where there is one.
    fn query_without_model(&self, operation: Operation) -> BoxFuture<'_, Result<Value, Fault>>;

    /// Writes a file of the bucket to a path as the caller wrote it in the parameter `field`; only for callers at this machine,
    /// and never over a file that is there. Answers the path in full.
    fn write_file<'a>(
        &'a self,
        key: &'a str,
        field: &'a str,
        path: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>>;

    /// What the caller may do, and where.
    fn permissions(&self) -> Vec<Permission>;

    /// The address under which a person's browser reaches the viewer and the bucket, without a slash at its end.
    fn public_url(&self) -> String;
}
