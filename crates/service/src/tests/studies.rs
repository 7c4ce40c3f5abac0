//! Questions whose answers are kept by version, and that are asked as jobs: what is made once, for whom it is there, how it ends.

use super::*;
use crate::JobTimes;
use contract::{JobRecord, JobState};
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::Retention;

pub(super) fn quick() -> JobTimes {
    let ms = Duration::from_millis;
    JobTimes { beat: ms(10), silence: ms(2000), look: ms(10), grace: ms(500) }
}

impl World {
    fn runs(&self) -> usize {
        self.executor.runs.load(Ordering::SeqCst)
    }

    /// The job once this holds of it.
    pub(super) async fn when(&self, id: &Value, holds: impl Fn(&JobRecord) -> bool) -> JobRecord {
        let look = async {
            loop {
                let job = self.store.job(id.as_str().unwrap()).await.unwrap().unwrap();
                if holds(&job) {
                    return job;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), look).await.unwrap()
    }
}

#[tokio::test]
async fn the_same_question_about_the_same_version_is_answered_from_what_was_kept() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let first = world.call("study", json!({})).await.unwrap();
    let runs = world.runs();
    let again = world.call("study", json!({})).await.unwrap();
    assert_eq!((world.runs(), &again), (runs, &first), "with its links and its picture");
    assert_eq!(first.pictures.len(), 1);
    let other = world.another_gateway().call(&here(world.folder.path()), "study", json!({})).await.unwrap();
    assert_eq!((world.runs(), &other), (runs, &first));

    // another version is another question, and the first one is still the same
    let before = world.ask("lines", json!({})).await;
    let versions = world.store.models(10, None).await.unwrap().items;
    let (model, version) = (&versions[0].model_id, versions[0].head.clone());
    world.ask("add_line", json!({ "text": "a" })).await;
    let later = world.call("study", json!({})).await.unwrap();
    assert_ne!(later.links, first.links, "{before}");
    let runs = world.runs();
    let back = world.call("study", json!({ "model_version": version })).await.unwrap();
    assert_eq!((world.runs(), back), (runs, first));
    let files = world.store.files_of_version(model, &version, 10).await.unwrap();
    assert_eq!(files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["study.png"]);

    // what is old goes, with its files, and is made again
    let none = Duration::ZERO;
    let all = Retention { derived: none, unnamed: none, ..Retention::default() };
    tokio::time::sleep(Duration::from_millis(5)).await;
    let would = world.store.discard(&all, true).await.unwrap();
    let did = world.store.discard(&all, false).await.unwrap();
    assert_eq!((would.files, did.files, did.derived), (2, 2, 2));
    let made = world.call("study", json!({ "model_version": version })).await.unwrap();
    assert_eq!((world.runs(), made.pictures.len()), (runs + 1, 1));
}

#[tokio::test]
async fn a_further_model_or_version_is_found_by_its_parameters_and_is_part_of_the_question() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "Other" })).await;
    let first = world.store.models(10, None).await.unwrap().items[0].head.clone();
    world.ask("add_line", json!({ "text": "b" })).await;
    let seen = |answer: Value| answer["seen"].clone();
    assert_eq!(seen(world.ask("study", json!({ "other_version": first })).await), json!([2, 1]));
    world.ask("create_project", json!({ "name": "House" })).await;
    assert_eq!(seen(world.ask("study", json!({ "other_id": "Other" })).await), json!([1, 2]));
    world.ask("add_line", json!({ "model_id": "Other", "text": "c" })).await;
    assert_eq!(seen(world.ask("study", json!({ "other_id": "Other" })).await), json!([1, 3]));
    let fault = world.call("study", json!({ "other_id": "Nobody" })).await.unwrap_err();
    assert_eq!(fault.data["field"], "other_id");
}

#[tokio::test]
async fn a_call_as_a_job_reads_the_version_of_its_time_and_tells_how_far_it_is() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let submitted = world.ask("study", json!({ "as_job": true })).await;
    assert_eq!(submitted["status"], "queued");
    world.ask("add_line", json!({ "text": "a" })).await;
    let _work = world.service.do_jobs(vec![world.service.calls_as_jobs()], 1, quick());
    let done = world.when(&submitted["job_id"], |job| job.state.is_over()).await;
    assert_eq!((done.state, &done.result.as_ref().unwrap()["seen"]), (JobState::Done, &json!([1])));
    assert!(done.result.unwrap()["links"][0]["href"].as_str().unwrap().ends_with("study.png"));

    let bad = world.call("study", json!({ "as_job": true, "other_id": "Nobody" })).await.unwrap_err();
    assert_eq!(bad.data["field"], "other_id", "what is wrong from the beginning is told at once");
    let refused = world.call("lines", json!({ "as_job": true })).await.unwrap_err();
    assert_eq!(refused.data["field"], "as_job", "only what may take long");
}

#[tokio::test]
async fn a_call_as_a_job_that_is_cancelled_ends_in_its_worker() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let _work = world.service.do_jobs(vec![world.service.calls_as_jobs()], 1, quick());
    let submitted = world.ask("study", json!({ "as_job": true, "wait": true })).await;
    let told = world.when(&submitted["job_id"], |job| job.progress.is_some()).await;
    assert_eq!(told.progress.unwrap()["what"], "studying");
    assert!(world.executor.waiting.load(Ordering::SeqCst));
    world.store.cancel_job(submitted["job_id"].as_str().unwrap()).await.unwrap();
    let ended = world.when(&submitted["job_id"], |job| job.state.is_over()).await;
    assert_eq!(ended.state, JobState::Cancelled);
    assert!(!world.executor.waiting.load(Ordering::SeqCst), "the worker was let go");
}
