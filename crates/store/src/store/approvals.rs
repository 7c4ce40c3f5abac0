//! Keys, and changes that wait for approval.

use super::{PAGE_MAX, Store, time_and_id};
use crate::error::StoreError;
use crate::sql;
use crate::types::{AuditEntry, ByCall, Decided, HeldChange, KeyRow};
use contract::{ApprovalRecord, Page};

impl Store {
    /// Keeps a key, in the place of the one with its id.
    pub async fn put_key(&self, key: KeyRow) -> Result<(), StoreError> {
        self.may_change()?;
        self.database.write(move |c| sql::governance::put_key(c, &key)).await
    }

    /// The key with this id.
    pub async fn key(&self, id: &str) -> Result<Option<KeyRow>, StoreError> {
        let id = id.to_owned();
        self.database.look_up(move |c| sql::governance::key(c, &id)).await
    }

    /// Every key, the oldest first.
    pub async fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        self.database.read(sql::governance::keys).await
    }

    /// Keeps a change that waits for somebody's yes, with its event. The same call asks once: the record answered may be one
    /// that waits already.
    pub async fn hold(&self, held: HeldChange, call: ByCall) -> Result<ApprovalRecord, StoreError> {
        self.may_change()?;
        self.write_and_tell(move |c| {
            let (record, event) = sql::governance::hold(c, &held, &call)?;
            Ok((record, event.into_iter().collect()))
        })
        .await
    }

    /// Writes off, each with its event, what nobody decided on in time; how many there were. Until then it can be decided on
    /// just as little.
    pub async fn expire_approvals(&self) -> Result<usize, StoreError> {
        if self.may_change().is_err() {
            return Ok(0);
        }
        self.write_and_tell(|c| {
            let told = sql::governance::expire(c, crate::now_ms())?;
            Ok((told.len(), told))
        })
        .await
    }

    /// A change that waits or waited.
    pub async fn held(&self, id: &str) -> Result<Option<HeldChange>, StoreError> {
        let id = id.to_owned();
        self.database.read(move |c| sql::governance::held(c, &id, crate::now_ms())).await
    }

    /// Changes that wait, or all that ever did, the latest first; at most 200.
    pub async fn approvals(
        &self,
        pending: bool,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ApprovalRecord>, StoreError> {
        let before = cursor.map(time_and_id).transpose()?;
        let limit = limit.clamp(1, PAGE_MAX);
        self.database.read(move |c| sql::governance::page(c, pending, limit, before, crate::now_ms())).await
    }

    /// Writes a no down, with its event and its audit entry, if it is the first decision and in time. A yes comes with its commit.
    pub async fn reject(
        &self,
        decided: Decided,
        audit: AuditEntry,
    ) -> Result<Option<ApprovalRecord>, StoreError> {
        self.may_change()?;
        self.write_and_tell(move |c| {
            let mut written = sql::written::Written::default();
            let Some(record) = sql::governance::decide(c, &decided, None, &mut written)? else {
                return Ok((None, Vec::new()));
            };
            let event = sql::governance::tell(c, &record, &decided, &mut written)?;
            sql::audit::append(c, audit, written)?;
            Ok((Some(record), vec![event]))
        })
        .await
    }
}
