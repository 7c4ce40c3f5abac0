//! Commits and refs: what changes models.

use super::Store;
use crate::database::Connection;
use crate::error::StoreError;
use crate::sql;
use crate::sql::commit::StoredContent;
use crate::sql::written::Written;
use crate::types::{AuditEntry, Commit, CommitOutcome, Content, RefChange, RefOutcome};
use contract::{AuditRecord, EventRecord};

impl Store {
    /// Commits one change: version, ref, event, audit entry and remembered answer, durable when this answers. Blobs that
    /// it names have to be there already.
    pub async fn commit(&self, mut commit: Commit) -> Result<CommitOutcome, StoreError> {
        self.may_change()?;
        let small = sql::commit::is_small(&commit.content);
        let kept = match std::mem::replace(&mut commit.content, Content::Delta(Vec::new())) {
            Content::File { sha256, .. } => StoredContent::File(sha256),
            Content::Delta(bytes) if small => StoredContent::Inline(bytes),
            Content::Delta(bytes) => {
                let blob = self.blobs.put(bytes.into()).await?;
                crate::fault_points::pass("blob written");
                StoredContent::Blob(blob.sha256, blob.size)
            }
        };
        self.write_and_tell(move |c| {
            let audit = commit.audit.take();
            sql::commit::commit(c, &commit, audit, &kept)
        })
        .await
    }

    /// Runs a write that appends events, and tells subscribers of them.
    pub(super) async fn write_and_tell<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<(T, Vec<EventRecord>), StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        // Where others commit, too, the log alone says what came when.
        let events = (!self.database.is_shared()).then(|| self.events.clone());
        let tell = move |(_, told): &(T, Vec<EventRecord>)| {
            let Some(events) = events else { return };
            for event in told {
                // Nobody listening is no fault.
                let _ = events.send(event.clone());
            }
        };
        Ok(self.database.write_then(work, tell).await?.0)
    }

    /// Appends an audit entry; durable when this answers.
    pub async fn audit(&self, entry: AuditEntry) -> Result<AuditRecord, StoreError> {
        self.database.write(move |c| sql::audit::append(c, entry, Written::default())).await
    }

    /// Queues an audit entry: it takes its place in the chain now and becomes durable with the next transaction. For
    /// calls that changed nothing. `failed` is told if it could not be written.
    pub fn audit_soon(
        &self,
        entry: AuditEntry,
        failed: impl FnOnce(StoreError) + Send + 'static,
    ) -> Result<(), StoreError> {
        self.database.submit_unheard(move |c| sql::audit::append(c, entry, Written::default()), failed)
    }

    /// Makes or removes a ref, with its event and audit entry; durable when this answers.
    pub async fn change_ref(&self, change: RefChange) -> Result<RefOutcome, StoreError> {
        self.may_change()?;
        self.write_and_tell(move |c| {
            let (outcome, event) = sql::refs::change(c, &change)?;
            Ok((outcome, event.into_iter().collect()))
        })
        .await
    }
}
