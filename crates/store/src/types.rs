//! What goes into the store and comes out of it, in the words of versions and commits.

use contract::{
    ApprovalRecord, ApprovalStatus, AuditRecord, DiffSummary, EventId, EventSubject, EventType, JobRecord,
    Manifest, ModelId, ModelKind, ModelOrigin, OperationId, VersionId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// The ref that every model has.
pub const MAIN: &str = "main";

/// Deltas up to this many bytes live in the version's row; larger ones are blobs.
pub const INLINE_DELTA_BYTES: usize = 64 * 1024;

/// The content of a version: a whole file or a delta on its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// An encoded delta to the parent.
    Delta(Vec<u8>),
    /// A whole file that is already a blob.
    File {
        /// SHA-256 of its bytes, in hexadecimal.
        sha256: String,
        /// Size in bytes.
        size: u64,
    },
}

/// The way in which a version came to carry the content of an earlier one. Undo and redo move a cursor over the edits and are no edits
/// themselves; a restore is an edit like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Movement {
    /// One or more edits taken back.
    Undo,
    /// One or more edits made again.
    Redo,
    /// An older version chosen by its id.
    Restore,
}

impl Movement {
    /// As it stands in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Restore => "restore",
        }
    }

    /// The movement of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Undo, Self::Redo, Self::Restore].into_iter().find(|movement| movement.as_str() == name)
    }
}

/// A model that a commit makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewModel {
    /// Its name; need not be unique.
    pub name: String,
    /// Its kind.
    pub kind: ModelKind,
    /// The model that it was made from, if any.
    pub origin: Option<ModelOrigin>,
}

/// An audit entry before it has a place in the chain.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The caller.
    pub principal: String,
    /// The program that called.
    pub client: Option<String>,
    /// The tool called.
    pub tool: String,
    /// With which arguments, bounded by the caller.
    pub arguments: Value,
    /// The model.
    pub model_id: Option<ModelId>,
    /// The version before.
    pub version_before: Option<VersionId>,
    /// The version after.
    pub version_after: Option<VersionId>,
    /// The event, if something changed.
    pub event_id: Option<EventId>,
    /// `ok`, or the fault.
    pub outcome: Value,
    /// The answer, bounded by the caller.
    pub result: Value,
    /// How the latest operation came about.
    pub manifest: Option<Manifest>,
    /// Why, in the agent's words.
    pub reasoning: Option<String>,
    /// Microseconds from call to answer.
    pub duration_us: u64,
}

impl AuditEntry {
    /// The entry in its place, not yet hashed.
    pub fn into_record(self, sequence: u64) -> AuditRecord {
        AuditRecord {
            sequence,
            time_ms: self.time_ms,
            principal: self.principal,
            client: self.client,
            tool: self.tool,
            arguments: self.arguments,
            model_id: self.model_id,
            version_before: self.version_before,
            version_after: self.version_after,
            event_id: self.event_id,
            result: self.result,
            manifest: self.manifest,
            outcome: self.outcome,
            reasoning: self.reasoning,
            duration_us: self.duration_us,
            rows: Vec::new(),
            hash: String::new(),
        }
    }
}

/// The end of the audit log at one moment: whoever keeps it elsewhere can tell later whether the log was written anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditHead {
    /// The id of the database.
    pub database: String,
    /// The number of the last entry; zero where there is none.
    pub sequence: u64,
    /// The hash of that entry, which covers all before it.
    pub hash: String,
}

/// An answer kept so that a retry with the same key gets it again.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// The principal to whom the key belongs.
    pub principal: String,
    /// The key.
    pub key: String,
    /// SHA-256 over tool and arguments, so that a key used for something else is noticed.
    pub request_sha256: String,
    /// The answer.
    pub answer: Value,
}

/// The source of a merge.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedFrom {
    /// The version.
    pub version: VersionId,
    /// A note of the adapter that merged, which it gets back when versions after both are merged again.
    pub note: Value,
}

/// A ref that begins to point to a version, or that points to it and goes.
#[derive(Debug, Clone, PartialEq)]
pub struct RefChange {
    /// The model.
    pub model: ModelId,
    /// The ref.
    pub name: String,
    /// The version.
    pub version: VersionId,
    /// The event's id.
    pub event_id: EventId,
    /// [`EventType::BranchDeleted`] where the ref goes; with any other it begins.
    pub event_type: EventType,
    /// The operation.
    pub operation_id: OperationId,
    /// The tool.
    pub tool: String,
    /// SHA-256 over the tool's parameters as canonical JSON.
    pub params_sha256: String,
    /// The author.
    pub author: String,
    /// Why, in the agent's words.
    pub reasoning: Option<String>,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The parameters that the event is about.
    pub subject: Option<EventSubject>,
    /// The audit entry that belongs to it, written in the same transaction.
    pub audit: Option<AuditEntry>,
}

/// The outcome of a change of a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefOutcome {
    /// It is durable.
    Done,
    /// There is a ref of this name already; nothing was written.
    Taken,
    /// The ref points to another version by now; nothing was written.
    Moved(VersionId),
    /// There is no such ref.
    Gone,
}

/// One change, to be committed whole or not at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    /// The model.
    pub model: ModelId,
    /// Set where the commit makes the model.
    pub new_model: Option<NewModel>,
    /// The ref that moves, `main` or a branch.
    pub ref_name: String,
    /// The version that the ref has to point to still; `None` for a ref that is new.
    pub parent: Option<VersionId>,
    /// The version that is merged into that one, if it is a merge.
    pub merged: Option<MergedFrom>,
    /// The id of the new version.
    pub version: VersionId,
    /// Its content.
    pub content: Content,
    /// The earlier version whose content it carries, and by which movement; none for content of its own.
    pub moved_to: Option<(Movement, VersionId)>,
    /// The operation that made it.
    pub operation_id: OperationId,
    /// The tool.
    pub tool: String,
    /// SHA-256 over the tool's parameters as canonical JSON.
    pub params_sha256: String,
    /// The author.
    pub author: String,
    /// Why, in the agent's words.
    pub reasoning: Option<String>,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The event's id.
    pub event_id: EventId,
    /// The type of event.
    pub event_type: EventType,
    /// The changes, in a few lines.
    pub summary: Option<DiffSummary>,
    /// How the content came about.
    pub manifest: Option<Box<Manifest>>,
    /// The elements and parameters that the event is about.
    pub subject: Option<EventSubject>,
    /// The audit entry that belongs to it, written in the same transaction.
    pub audit: Option<AuditEntry>,
    /// The approval that this commit follows, decided in the same transaction.
    pub approval: Option<Decided>,
    /// The answer to keep for a retry, in the same transaction.
    pub remember: Option<Remembered>,
}

/// An API key as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyRow {
    /// The part that finds it.
    pub id: String,
    /// The principal to whom it belongs.
    pub principal: String,
    /// Unix time in milliseconds.
    pub created_ms: u64,
    /// The rest, the secret's hash among it.
    pub record: Value,
}

/// A link that needs no other right.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRow {
    /// SHA-256 of the secret that is in it, in hexadecimal.
    pub secret_sha256: String,
    /// The principal that made it, in whose name it is followed.
    pub principal: contract::Principal,
    /// The name of the file that it leads to, or that is given.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// The blob that it leads to; none of a link to give a file.
    pub blob_sha256: Option<String>,
    /// The size of that blob, or how large the file may be.
    pub bytes: u64,
    /// Unix time in milliseconds.
    pub created_ms: u64,
    /// Unix time in milliseconds after which it does not hold any more.
    pub expires_ms: u64,
}

/// A change that waits for somebody's yes, with all that it takes to commit it.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldChange {
    /// The part of it that is shown.
    pub record: ApprovalRecord,
    /// The prepared commit.
    pub draft: Value,
    /// The blob of its content.
    pub blob_sha256: Option<String>,
    /// SHA-256 over the call, so that the same call asks only once.
    pub request_sha256: String,
}

/// The call by which something was asked for or decided, as its event names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByCall {
    /// The operation.
    pub operation_id: OperationId,
    /// The tool.
    pub tool: String,
    /// SHA-256 over the tool's parameters as canonical JSON.
    pub params_sha256: String,
}

/// A job that was begun here.
#[derive(Debug, Clone, PartialEq)]
pub struct JobTaken {
    /// The job.
    pub record: JobRecord,
    /// The gateway that has it, until it ends or its time is over.
    pub owner: String,
}

/// The end of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum JobEnd {
    /// A result.
    Done(Value),
    /// A Fault.
    Failed(Value),
    /// Somebody asked for it to end; what it had come to by then, if that is told.
    Cancelled(Option<Value>),
    /// The gateway that has it ends, and nothing is wrong with the job: it waits again.
    GivenBack,
}

/// A decision on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// On which.
    pub approval_id: String,
    /// Yes or no.
    pub status: ApprovalStatus,
    /// The decider.
    pub by: String,
    /// True if the person at the client that had asked decided.
    pub in_person: bool,
    /// The comment on the decision.
    pub comment: Option<String>,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The call that it came by.
    pub call: ByCall,
}

/// The outcome of a commit.
#[derive(Debug, Clone, PartialEq)]
pub enum CommitOutcome {
    /// It is durable.
    Committed {
        /// The distance of the new version from a whole file.
        chain: Chain,
    },
    /// The ref points to another version by now; nothing was written.
    RefMoved {
        /// The version that it points to.
        head: VersionId,
    },
    /// The approval was decided meanwhile, or its time is over; nothing was written.
    Decided,
    /// Another commit with this idempotency key came first; nothing was written.
    Replayed(Remembered),
}

/// The number of deltas, and of their bytes, between a version and the whole file it is opened from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Chain {
    /// Deltas.
    pub deltas: u32,
    /// Bytes of them.
    pub bytes: u64,
}

/// A delta as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredDelta {
    /// In the version's row.
    Inline(Vec<u8>),
    /// In the bucket.
    Blob {
        /// SHA-256 of its bytes.
        sha256: String,
    },
}

/// The file and the deltas that a version is opened from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// The nearest version at or before it that exists as a whole file.
    pub base_version: VersionId,
    /// The blob of that file.
    pub base_sha256: String,
    /// The deltas from there to the version, in order.
    pub deltas: Vec<StoredDelta>,
}

/// Bytes in the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// SHA-256 of the bytes, in hexadecimal; the blob's name.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
}

/// A file that a client gave, or that an operation made: a name and a type for a blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The key it is asked for by.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// The blob.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
    /// The principal to whom it belongs.
    pub principal: String,
    /// The operation that made it, if one did.
    pub operation_id: Option<OperationId>,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The version that it was made of and can be made of again, if it was made of one.
    pub made_of: Option<(ModelId, VersionId)>,
}

/// A version of an object, to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectDraft {
    /// Its key: names with slashes between them.
    pub key: String,
    /// The id of this version.
    pub version: String,
    /// Its content, which is in the bucket already; none for a delete marker.
    pub blob: Option<Blob>,
    /// Its media type.
    pub media_type: String,
    /// The principal that adds it.
    pub principal: String,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The model that it is about.
    pub model_id: Option<ModelId>,
    /// The version of that model.
    pub model_version: Option<VersionId>,
}

/// A version of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ObjectRecord {
    /// Its key.
    pub key: String,
    /// The id of this version.
    pub version: String,
    /// The hash of its content; none for a delete marker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The size of its content in bytes.
    pub size: u64,
    /// Its media type.
    pub media_type: String,
    /// The principal that added it.
    pub principal: String,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The model that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<ModelId>,
    /// The version of that model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_version: Option<VersionId>,
}

/// A blob as the bucket lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobInfo {
    /// Its hash, and so its name.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// Unix time in milliseconds at which it was written.
    pub written_ms: u64,
}

/// A bucket that is not in the data folder.
#[derive(Clone)]
pub struct BucketConfig {
    /// `s3://NAME/PREFIX?endpoint=URL&region=NAME`.
    pub address: String,
    /// The key's id and the key, where they do not come from the environment as all programs that speak S3 take them
    /// (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, web identity, instance metadata).
    pub key: Option<(String, String)>,
    /// Bytes of copies that are kept on this machine.
    pub copies: u64,
}

impl std::fmt::Debug for BucketConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let key = self.key.as_ref().map(|(id, _)| (id, "…"));
        f.debug_struct("BucketConfig")
            .field("address", &self.address)
            .field("key", &key)
            .field("copies", &self.copies)
            .finish()
    }
}

/// The locations of the store's database, blobs and folder.
#[derive(Clone)]
pub struct StoreConfig {
    /// The folder of this gateway: what it keeps for itself, and whatever has no place of its own below.
    pub folder: PathBuf,
    /// The address of a PostgreSQL database (`postgresql://…`) that may be shared with other gateways. Without one, the
    /// database is a file in the folder.
    pub database: Option<String>,
    /// The folder of blobs, if gateways share one.
    pub blobs: Option<PathBuf>,
    /// The bucket of the blobs, if not in the folder.
    pub bucket: Option<BucketConfig>,
    /// True if another process, the folder's daemon, may have it open too: what that one is at is left alone.
    pub visits: bool,
    /// Refuses every change of record, whoever asks for it: versions, refs, approvals and decisions on them, keys, objects.
    /// Only the traces of reading are kept: audit entries, sessions, answers, jobs, files that were made.
    pub read_only: bool,
}

impl StoreConfig {
    /// Everything in this folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            database: None,
            blobs: None,
            bucket: None,
            visits: false,
            read_only: false,
        }
    }
}
