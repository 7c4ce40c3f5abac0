//! The audit log, sessions, what pages of the viewer show, and answers kept for retries.

use super::{PAGE_MAX, Store, bad_cursor};
use crate::error::StoreError;
use crate::types::{AuditHead, Remembered};
use crate::{heads, sql};
use contract::{AuditFilter, AuditRecord, KeptSight, ModelId, Page, SessionState};

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
        self.database.settled().await?;
        self.database.read(move |c| sql::audit::page(c, &filter, limit.clamp(1, PAGE_MAX), before)).await
    }

    /// The number of audit entries if the chain holds from its first to its last, else what is wrong with it.
    pub async fn verify_audit(&self) -> Result<Result<u64, String>, StoreError> {
        self.database.settled().await?;
        let verified = self.database.read(sql::log::verify).await?;
        Ok(verified.map(|(count, _)| count))
    }

    /// As [`Store::verify_audit`], and every head in `known` and every one that was noted in the folder has to be in the log
    /// still, and every row that the log vouches for has to be as it says. Answers the head.
    pub async fn verify_audit_against(
        &self,
        mut known: Vec<(u64, String)>,
    ) -> Result<Result<AuditHead, Vec<String>>, StoreError> {
        known.extend(heads::read(&self.folder.join(heads::FILE))?);
        self.database
            .read(move |c| {
                let log = sql::log::read(c, true)?;
                let mut problems = log.problems.clone();
                problems.extend(sql::check::not_in_log(c, &known)?);
                let (rows, _) = sql::vouched::hold(c, &log)?;
                problems.extend(rows.into_iter().map(|finding| finding.problem));
                if !problems.is_empty() {
                    return Ok(Err(problems));
                }
                let database = sql::identity::read(c)?.unwrap_or_default();
                Ok(Ok(AuditHead { database, sequence: log.entries, hash: log.head }))
            })
            .await
    }

    /// The head of the audit log as it stands, with the id of the database; an entry before it is not looked at.
    pub async fn audit_head(&self) -> Result<AuditHead, StoreError> {
        self.database
            .read(|c| {
                let (sequence, hash) = sql::audit::head(c)?.unwrap_or((0, crate::GENESIS.to_owned()));
                Ok(AuditHead { database: sql::identity::read(c)?.unwrap_or_default(), sequence, hash })
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
        self.database.settled().await?;
        self.database.read(move |c| sql::audit::after(c, after, limit.clamp(1, PAGE_MAX))).await
    }

    /// Returns the stored state of a client's session.
    pub async fn session(&self, key: &str) -> Result<Option<SessionState>, StoreError> {
        let key = key.to_owned();
        self.database.look_up(move |c| sql::sessions::session(c, &key)).await
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

    /// Keeps what a page of the viewer shows, in the place of what it showed before.
    pub async fn put_sight(&self, sight: KeptSight) -> Result<(), StoreError> {
        self.database.write(move |c| sql::sights::put(c, &sight)).await
    }

    /// Forgets a page of the viewer.
    pub async fn forget_sight(&self, principal: &str, viewer: &str) -> Result<(), StoreError> {
        let (principal, viewer) = (principal.to_owned(), viewer.to_owned());
        self.database.write(move |c| sql::sights::forget(c, &principal, &viewer)).await
    }

    /// The sights of pages of the viewer that show a model, the latest first, leaving out those not heard of since a time.
    pub async fn sights(&self, model: &ModelId, since_ms: u64) -> Result<Vec<KeptSight>, StoreError> {
        let model = model.clone();
        self.database.read(move |c| sql::sights::of_model(c, &model, since_ms)).await
    }

    /// The answer kept under a principal's idempotency key.
    pub async fn answer(&self, principal: &str, key: &str) -> Result<Option<Remembered>, StoreError> {
        let (principal, key) = (principal.to_owned(), key.to_owned());
        self.database.look_up(move |c| sql::sessions::answer(c, &principal, &key)).await
    }

    /// Keeps an answer that came without a commit.
    pub async fn remember(&self, remembered: Remembered) -> Result<(), StoreError> {
        self.database.write(move |c| sql::sessions::remember(c, &remembered, crate::now_ms())).await
    }
}
