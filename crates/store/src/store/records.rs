//! The audit log, sessions, and answers kept for retries.

use super::{PAGE_MAX, Store, bad_cursor};
use crate::error::StoreError;
use crate::types::Remembered;
use crate::{heads, sql};
use contract::{AuditFilter, AuditRecord, ModelId, Page, SessionState};

impl Store {
    /// Audit entries, the latest first; of one model, if given; at most 200.
    pub async fn audit_page(
        &self,
        model: Option<&ModelId>,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<AuditRecord>, StoreError> {
        let filter = AuditFilter { model: model.cloned(), ..AuditFilter::default() };
        self.audit_entries(&filter, limit, cursor).await
    }

    /// Audit entries that fit, the latest first; at most 200.
    pub async fn audit_entries(
        &self,
        filter: &AuditFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<AuditRecord>, StoreError> {
        let filter = filter.clone();
        let before = cursor.map(|text| text.parse::<u64>().map_err(|_| bad_cursor(text))).transpose()?;
        self.database.read(move |c| sql::audit::page(c, &filter, limit.clamp(1, PAGE_MAX), before)).await
    }

    /// The number of audit entries if the chain holds from its first to its last, else what is wrong with it.
    pub async fn verify_audit(&self) -> Result<Result<u64, String>, StoreError> {
        self.database.read(sql::audit::verify).await
    }

    /// As [`Store::verify_audit`], and every head in `known` and every one that was noted in the folder has to be in the log
    /// still. Answers the head.
    pub async fn verify_audit_against(
        &self,
        mut known: Vec<(u64, String)>,
    ) -> Result<Result<(u64, String), String>, StoreError> {
        known.extend(heads::read(&self.folder.join(heads::FILE))?);
        self.database
            .read(move |c| {
                let count = match sql::audit::verify(c)? {
                    Ok(count) => count,
                    Err(problem) => return Ok(Err(problem)),
                };
                for (sequence, hash) in known {
                    match sql::audit::hash_of(c, sequence)? {
                        None => {
                            return Ok(Err(format!(
                                "audit entry {sequence} was there and is gone: the log was cut off after {count}"
                            )));
                        }
                        Some(found) if found != hash => {
                            return Ok(Err(format!("audit entry {sequence} is another than the one noted")));
                        }
                        Some(_) => {}
                    }
                }
                let hash = sql::audit::hash_of(c, count)?.unwrap_or_else(|| crate::GENESIS.to_owned());
                Ok(Ok((count, hash)))
            })
            .await
    }

    /// Notes the audit log's head in the folder, beside the database.
    pub async fn note_audit_head(&self) -> Result<(), StoreError> {
        let head = self.database.read(sql::audit::head).await?;
        let path = self.folder.join(heads::FILE);
        let Some((sequence, hash)) = head else { return Ok(()) };
        tokio::task::spawn_blocking(move || heads::note(&path, sequence, &hash))
            .await
            .map_err(|error| StoreError::Database(error.to_string()))?
    }

    /// Audit entries after one, in order; at most 200.
    pub async fn audit_after(&self, after: u64, limit: u32) -> Result<Vec<AuditRecord>, StoreError> {
        self.database.read(move |c| sql::audit::after(c, after, limit.clamp(1, PAGE_MAX))).await
    }

    /// Returns the stored state of a client's session.
    pub async fn session(&self, key: &str) -> Result<Option<SessionState>, StoreError> {
        let key = key.to_owned();
        self.database.read(move |c| sql::sessions::session(c, &key)).await
    }

    /// Keeps what a client is working on.
    pub async fn set_session(&self, key: &str, state: &SessionState) -> Result<(), StoreError> {
        let (key, state) = (key.to_owned(), state.clone());
        self.database.write(move |c| sql::sessions::set_session(c, &key, &state, crate::now_ms())).await
    }

    /// Forgets a session.
    pub async fn clear_session(&self, key: &str) -> Result<(), StoreError> {
        let key = key.to_owned();
        self.database.write(move |c| sql::sessions::clear_session(c, &key)).await
    }

    /// The answer kept under a principal's idempotency key.
    pub async fn answer(&self, principal: &str, key: &str) -> Result<Option<Remembered>, StoreError> {
        let (principal, key) = (principal.to_owned(), key.to_owned());
        self.database.read(move |c| sql::sessions::answer(c, &principal, &key)).await
    }

    /// Keeps an answer that came without a commit.
    pub async fn remember(&self, remembered: Remembered) -> Result<(), StoreError> {
        self.database.write(move |c| sql::sessions::remember(c, &remembered, crate::now_ms())).await
    }
}
