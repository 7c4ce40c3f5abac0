//! Durable state, all of it: models, versions, refs, events, audit, sessions and answers in a database, large bytes in a
//! content-addressed bucket.
//!
//! A version is a delta to its parent or a whole file, and never changes. A commit is one transaction, and a ref moves
//! only if it still points where the committer thought. Store never looks into a delta or a file, knows no tool, and
//! decides nothing about who may do what.
//!
//! The database is SQLite beside the blobs, for one gateway, or PostgreSQL, for many. What is public here speaks of versions
//! and commits, not of SQL: both stand behind the same methods and the same statements.

mod ancestry;
mod audit;
mod backup;
mod blobs;
mod database;
mod error;
mod fault_points;
mod finding;
mod form;
mod heads;
mod history;
mod inspection;
mod mend;
mod objects;
pub mod private;
mod replay;
mod sql;
mod store;
mod tidy;
mod types;

pub use ancestry::{Node, crossings, merge_bases};
pub use audit::{GENESIS, canonical_entry, chain_hash};
pub use backup::{BackupReport, restore};
pub use blobs::{Incoming, Staged};
pub use error::StoreError;
pub use finding::Finding;
pub use form::{Form, form};
pub use history::{Step, redo, undo};
pub use inspection::Inspection;
pub use replay::Projection;
pub use store::{Claim, Scratch, Store};
pub use tidy::{Discarded, Retention};
pub use types::{
    AuditEntry, AuditHead, Blob, BlobInfo, BucketConfig, ByCall, Chain, Commit, CommitOutcome, Content,
    Decided, FileRecord, HeldChange, INLINE_DELTA_BYTES, JobEnd, JobTaken, KeyRow, Lineage, LinkRow, MAIN,
    MergedFrom, Movement, NewModel, ObjectDraft, ObjectRecord, RefChange, RefOutcome, Remembered,
    StoreConfig, StoredDelta,
};

/// Unix time in milliseconds.
pub fn now_ms() -> u64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
