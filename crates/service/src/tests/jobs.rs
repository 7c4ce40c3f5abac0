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

#[tokio::test]
async fn a_job_is_told_with_what_its_call_would_have_answered() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let direct = world.ask("study", json!({})).await;
    let submitted = world.ask("study", json!({ "as_job": true, "wait": false })).await;
    let id = submitted["job_id"].as_str().unwrap();
    let who = here(world.folder.path());
    let waits = world.service.job(&who, id, Duration::ZERO).await.unwrap();
    assert!(waits.answer.is_none() && waits.record.state == JobState::Queued, "{waits:?}");
    let workers = vec![world.service.calls_as_jobs(), Arc::new(Doubler::default()) as Arc<dyn JobWorker>];
    let _work = world.service.do_jobs(workers, 2, quick());
    let done = world.service.job(&who, id, PATIENCE).await.unwrap();
    let answer = serde_json::to_value(done.answer.unwrap().unwrap()).unwrap();
    assert_eq!(answer["model_version"], direct["model_version"]);
    let bad = world.submit(13).await;
    let failed = world.service.job(&who, &bad.job_id, PATIENCE).await.unwrap();
    assert_eq!(failed.answer.unwrap().unwrap_err().message, "13 is not doubled.");
    let good = world.submit(4).await;
    let done = world.service.job(&who, &good.job_id, PATIENCE).await.unwrap();
    assert_eq!(done.record.result, Some(json!(8)));
    assert!(done.answer.unwrap().is_err(), "no tool tells of such work here");
    let other = CallContext { credentials: Credentials::Local { user: "eve".into() }, ..who };
    let refused = world.service.job(&other, &good.job_id, Duration::ZERO).await;
    assert_eq!(refused.unwrap_err().code, FaultCode::NotFound);
}

#[tokio::test]
async fn a_job_is_ended_by_who_may_ask_for_it() {
    let world = world().await;
    let _work = world.service.do_jobs(vec![Arc::new(Doubler::default())], 1, quick());
    let job = world.submit(0).await;
    let who = here(world.folder.path());
    world.service.end_job(&who, &job.job_id).await.unwrap();
    let ended = world.service.job(&who, &job.job_id, PATIENCE).await.unwrap();
    assert_eq!(ended.record.state, JobState::Cancelled);
    assert!(ended.answer.is_none());
    world.service.end_job(&who, &job.job_id).await.unwrap();
    assert_eq!(world.service.end_job(&who, "none").await.unwrap_err().code, FaultCode::NotFound);
}

#[tokio::test]
async fn models_and_versions_are_offered_to_who_may_see_them() {
    use contract::Completion;
    let world = world().await;
    for name in ["House", "Hut", "Barn"] {
        world.ask("create_project", json!({ "name": name })).await;
    }
    let who = here(world.folder.path());
    let offered = async |wanted: Completion, typed: &str, model: Option<&str>| {
        world.service.complete(&who, &wanted, typed, model).await
    };
    let mut models = offered(Completion::Model, "h", None).await.unwrap();
    models.sort();
    assert_eq!(models, ["House", "Hut"]);
    assert_eq!(offered(Completion::Version, "ma", Some("House")).await.unwrap(), ["main"]);
    let versions = offered(Completion::Version, "", Some("House")).await.unwrap();
    assert_eq!(versions.len(), 2, "the branch and its version: {versions:?}");
    let nowhere = offered(Completion::Version, "", Some("Tower")).await;
    assert_eq!(nowhere.unwrap_err().code, FaultCode::ModelNotFound);
    let nobody = CallContext { credentials: Credentials::None, ..who.clone() };
    let refused = world.service.complete(&nobody, &Completion::Model, "", None).await;
    assert_eq!(refused.unwrap_err().code, FaultCode::Unauthenticated);
}
