//! Jobs as transports ask for them that have a way of their own to tell of long work: how far one is, and what its call would have answered.

use crate::{CallContext, Service, tool_jobs};
use contract::{Action, ChatArtifact, Fault, JobRecord, JobState};
use serde_json::json;
use std::time::Duration;

/// A job, and at its end the answer of the call that began it.
#[derive(Debug)]
pub struct SeenJob {
    /// How far it is.
    pub record: JobRecord,
    /// The answer or the Fault; none before the end, and none where it was broken off.
    pub answer: Option<Result<ChatArtifact, Fault>>,
}

impl Service {
    /// A job at its end, or as far as it is after so long.
    pub async fn job(&self, context: &CallContext, id: &str, wait: Duration) -> Result<SeenJob, Fault> {
        let wanted = id.to_owned();
        let record = self
            .perform(context, "get_job", Action::Query, json!({ "job_id": id }), |platform| {
                Box::pin(async move { platform.await_job(&wanted, wait).await })
            })
            .await?;
        let answer = match record.state {
            JobState::Queued | JobState::Running | JobState::Cancelled => None,
            JobState::Failed => Some(Err(fault_of(&record))),
            JobState::Done => Some(self.answer_of_job(context, &record).await),
        };
        Ok(SeenJob { record, answer })
    }

    /// Asks for a job to end; one that has ended stays as it is.
    pub async fn end_job(&self, context: &CallContext, id: &str) -> Result<(), Fault> {
        let wanted = id.to_owned();
        // who may ask may give up what it asked
        self.perform(context, "cancel_job", Action::Query, json!({ "job_id": id }), |platform| {
            Box::pin(async move {
                if !platform.job(&wanted).await?.state.is_over() {
                    platform.cancel_job(&wanted).await?;
                }
                Ok(())
            })
        })
        .await
    }

    /// The answer of a call that was done as a job; of other work what the tool answers that tells of it.
    async fn answer_of_job(&self, context: &CallContext, job: &JobRecord) -> Result<ChatArtifact, Fault> {
        if let Some(reader) = self.catalogue().reader_of_jobs(&job.kind) {
            return self.call(context, reader, json!({ "job_id": job.job_id })).await;
        }
        if job.kind != tool_jobs::KIND {
            return Err(Fault::backend(format!("No tool tells of jobs of the kind {}.", job.kind)));
        }
        serde_json::from_value(job.result.clone().unwrap_or_default())
            .map_err(|error| Fault::backend(format!("The answer of this job cannot be read: {error}.")))
    }
}

fn fault_of(job: &JobRecord) -> Fault {
    let read = serde_json::from_value(job.result.clone().unwrap_or_default());
    let fault = read.unwrap_or_else(|_| Fault::backend("The job failed, and did not say why."));
    fault.with("job_id", &job.job_id)
}
