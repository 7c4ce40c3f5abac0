//! Jobs as those who ask for them and those who do them meet them.

use super::*;
use crate::{JobTimes, JobWatch, JobWorker};
use contract::{Action, FaultCode, JobDraft, JobFilter, JobRecord, JobState};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

fn quick() -> JobTimes {
    let ms = Duration::from_millis;
    JobTimes { beat: ms(10), silence: ms(2000), look: ms(10), grace: ms(50) }
}

/// Answers twice the number that it is given; waits for ever where that is 0, and fails where it is 13.
#[derive(Default)]
struct Doubler {
    begun: AtomicU32,
}

impl JobWorker for Doubler {
    fn kind(&self) -> &'static str {
        "double"
    }

    fn run<'a>(&'a self, job: &'a JobRecord, watch: &'a JobWatch) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            self.begun.fetch_add(1, Ordering::Relaxed);
            watch.at(json!({ "step": "doubling" }));
            match job.parameters["n"].as_u64() {
                Some(0) => std::future::pending().await,
                Some(13) => Err(Fault::backend("13 is not doubled.")),
                n => Ok(json!(n.unwrap_or(0) * 2)),
            }
        })
    }
}

impl World {
    async fn job<T: Send>(
        &self,
        who: &CallContext,
        body: impl for<'a> FnOnce(&'a dyn Platform) -> BoxFuture<'a, Result<T, Fault>> + Send,
    ) -> Result<T, Fault> {
        self.service.perform(who, "jobs", Action::Query, json!({}), body).await
    }

    async fn submit(&self, n: u64) -> JobRecord {
        let draft = JobDraft { kind: "double".into(), about: None, parameters: json!({ "n": n }) };
        let who = here(self.folder.path());
        self.job(&who, |platform| Box::pin(platform.submit_job(draft))).await.unwrap()
    }

    /// The job once this holds of it.
    async fn until(&self, id: &str, holds: impl Fn(&JobRecord) -> bool) -> JobRecord {
        let look = async {
            loop {
                let job = self.store.job(id).await.unwrap().unwrap();
                if holds(&job) {
                    return job;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, look).await.unwrap()
    }
}

#[tokio::test]
async fn jobs_are_done_and_what_they_came_to_is_kept() {
    let world = world().await;
    let _work = world.service.do_jobs(vec![Arc::new(Doubler::default())], 2, quick());
    let (good, bad) = (world.submit(21).await, world.submit(13).await);
    let done = world.until(&good.job_id, |job| job.state.is_over()).await;
    assert_eq!((done.state, done.result), (JobState::Done, Some(json!(42))));
    let failed = world.until(&bad.job_id, |job| job.state.is_over()).await;
    assert_eq!(failed.state, JobState::Failed);
    assert_eq!(failed.result.unwrap()["message"], "13 is not doubled.");
}

#[tokio::test]
async fn a_job_that_is_given_up_ends_also_where_it_does_not_listen() {
    let world = world().await;
    let _work = world.service.do_jobs(vec![Arc::new(Doubler::default())], 1, quick());
    let job = world.submit(0).await;
    let said = world.until(&job.job_id, |job| job.progress.is_some()).await;
    assert_eq!(said.progress, Some(json!({ "step": "doubling" })));
    let (who, id) = (here(world.folder.path()), job.job_id.clone());
    world.job(&who, |platform| Box::pin(async move { platform.cancel_job(&id).await })).await.unwrap();
    let ended = world.until(&job.job_id, |job| job.state.is_over()).await;
    assert_eq!(ended.state, JobState::Cancelled);
    // the place is free again
    let next = world.submit(1).await;
    world.until(&next.job_id, |job| job.state == JobState::Done).await;
}

#[tokio::test]
async fn a_gateway_that_ends_puts_its_jobs_down_for_another() {
    let world = world().await;
    let worker = Arc::new(Doubler::default());
    let work = world.service.do_jobs(vec![worker.clone()], 1, quick());
    let job = world.submit(0).await;
    world.until(&job.job_id, |job| job.state == JobState::Running).await;
    work.end().await;
    let waits = world.store.job(&job.job_id).await.unwrap().unwrap();
    assert_eq!((waits.state, waits.attempts), (JobState::Queued, 0));
    let _other = world.another_gateway().do_jobs(vec![worker.clone()], 1, quick());
    world.until(&job.job_id, |job| job.state == JobState::Running).await;
}

#[tokio::test]
async fn a_job_is_there_for_its_principal_and_for_nobody_else() {
    let world = world().await;
    let job = world.submit(0).await;
    let other =
        CallContext { credentials: Credentials::Local { user: "eve".into() }, ..here(world.folder.path()) };
    let id = job.job_id.clone();
    let found = world.job(&other, |platform| Box::pin(async move { platform.job(&id).await })).await;
    assert_eq!(found.unwrap_err().code, FaultCode::NotFound);
    let list = |who: CallContext| {
        let service = world.service.clone();
        async move {
            let listed = service.perform(&who, "jobs", Action::Query, json!({}), |platform| {
                Box::pin(async move { platform.jobs(&JobFilter::default(), 10, None).await })
            });
            listed.await.unwrap().items.len()
        }
    };
    assert_eq!((list(other).await, list(here(world.folder.path())).await), (0, 1));
}
