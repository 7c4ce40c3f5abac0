//! Work beside the calls: pieces of upkeep, and jobs.

use super::{PAGE_MAX, Store, time_and_id};
use crate::error::StoreError;
use crate::sql;
use crate::sql::written::{Doing, Written};
use crate::types::{JobEnd, JobTaken};
use contract::{EventId, EventRecord, EventType, JobDraft, JobFilter, JobRecord, OperationId, Page};
use std::time::Duration;

impl Store {
    /// Takes a piece of work, such as `checkpoint of MODEL`, so that no other gateway does it meanwhile; nothing if one
    /// does. Work that is not given back in time, because its gateway is gone, can be taken again.
    pub async fn claim(&self, work: &str, at_most: Duration) -> Result<Option<Claim>, StoreError> {
        let claim = Claim { work: work.to_owned(), holder: uuid::Uuid::now_v7().to_string() };
        let wanted = claim.clone();
        let now = crate::now_ms();
        let until = now.saturating_add(u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX));
        let taken = self
            .database
            .write(move |c| sql::claims::take(c, &wanted.work, &wanted.holder, now, until))
            .await?;
        Ok(taken.then_some(claim))
    }

    /// Gives a piece of work back, done or not.
    pub async fn give_back(&self, claim: Claim) -> Result<(), StoreError> {
        self.database.write(move |c| sql::claims::give_back(c, &claim.work, &claim.holder)).await
    }

    /// Puts a job behind those that wait, for whichever gateway begins it.
    pub async fn submit_job(&self, draft: JobDraft, principal: &str) -> Result<JobRecord, StoreError> {
        let principal = principal.to_owned();
        self.database.write(move |c| sql::jobs::submit(c, &draft, &principal, crate::now_ms())).await
    }

    /// A job.
    pub async fn job(&self, id: &str) -> Result<Option<JobRecord>, StoreError> {
        let id = id.to_owned();
        self.database.look_up(move |c| sql::jobs::job(c, &id)).await
    }

    /// Jobs that fit, the latest first; at most 200.
    pub async fn jobs(
        &self,
        filter: &JobFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<JobRecord>, StoreError> {
        let before = cursor.map(time_and_id).transpose()?;
        let filter = filter.clone();
        self.database.read(move |c| sql::jobs::page(c, &filter, limit.clamp(1, PAGE_MAX), before)).await
    }

    /// Begins the next job of this kind, so that nobody else does: the oldest of those that wait, or whose gateway was not
    /// heard of for `silence`. One under which gateways went away again and again has failed with that.
    pub async fn take_job(&self, kind: &str, silence: Duration) -> Result<Option<JobTaken>, StoreError> {
        let (kind, now) = (kind.to_owned(), crate::now_ms());
        let silent = now.saturating_sub(u64::try_from(silence.as_millis()).unwrap_or(u64::MAX));
        let asked = kind.clone();
        // looking is cheap, writing makes others wait
        if !self.database.read(move |c| sql::jobs::waits(c, &asked, silent)).await? {
            return Ok(None);
        }
        let owner = uuid::Uuid::now_v7().to_string();
        self.database.write(move |c| sql::jobs::take(c, &kind, &owner, (now, silent))).await
    }

    /// Says that a job goes on, and how far it is; whether it is to end. Nothing where another has it by now: then its
    /// outcome does not count any more.
    pub async fn beat_job(
        &self,
        job: &JobTaken,
        progress: Option<serde_json::Value>,
    ) -> Result<Option<bool>, StoreError> {
        let (id, owner) = (job.record.job_id.clone(), job.owner.clone());
        let progress = progress.map(|progress| progress.to_string());
        self.database
            .write(move |c| sql::jobs::beat(c, &id, &owner, progress.as_deref(), crate::now_ms()))
            .await
    }

    /// Writes down what became of a job, with an event of this kind where it is about a model and has ended; false where another has
    /// it by now.
    pub async fn end_job(
        &self,
        job: &JobTaken,
        end: JobEnd,
        told: Option<EventType>,
    ) -> Result<bool, StoreError> {
        let (id, owner) = (job.record.job_id.clone(), job.owner.clone());
        let now = crate::now_ms();
        let told = told.filter(|_| end != JobEnd::GivenBack).zip(job.record.model_id.clone());
        let event = told.map(|(event_type, model_id)| EventRecord {
            event_id: EventId::new(),
            sequence: 0,
            event_type,
            model_id,
            version: job.record.version.clone(),
            ref_name: None,
            begun: None,
            approval: None,
            subject: None,
            tool: job.record.kind.clone(),
            params_sha256: String::new(),
            operation_id: OperationId(id.clone()),
            actor: job.record.principal.clone(),
            reasoning: None,
            time_ms: now,
        });
        self.write_and_tell(move |c| {
            let ended = sql::jobs::end(c, &id, Some(&owner), &end, now)?;
            let Some(event) = event.filter(|_| ended) else { return Ok((ended, Vec::new())) };
            let mut written = Written::default();
            let event = sql::events::append(c, event, &mut written)?;
            let of = Doing {
                time_ms: now,
                model: Some(event.model_id.clone()),
                arguments: serde_json::json!({ "job_id": id }),
                outcome: "ended",
            };
            written.enter(c, &event.actor, &event.tool, of)?;
            Ok((ended, vec![event]))
        })
        .await
    }

    /// Asks for a job to end; the job as it is then. One that runs ends a little later.
    pub async fn cancel_job(&self, id: &str) -> Result<Option<JobRecord>, StoreError> {
        let id = id.to_owned();
        self.database.write(move |c| sql::jobs::cancel(c, &id, crate::now_ms())).await
    }
}

/// A piece of work that this gateway has to itself for a while; see [`Store::claim`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    work: String,
    holder: String,
}
