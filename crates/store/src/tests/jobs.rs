//! Jobs, on the way from the one who asks to the one who does them.

use super::place::Place;
use super::*;
use contract::{JobDraft, JobFilter, JobState};
use std::collections::BTreeSet;

const LONG: Duration = Duration::from_secs(600);

fn wanted(kind: &str, n: u32) -> JobDraft {
    JobDraft { kind: kind.into(), about: None, parameters: json!({ "n": n }) }
}

/// Lets time pass, so that those who have jobs have not been heard of since.
async fn silence() {
    tokio::time::sleep(Duration::from_millis(5)).await;
}

pub(super) async fn a_job_is_begun_by_one_and_ends_once(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let draft = JobDraft { about: Some((id.clone(), first.clone())), ..wanted("simulate", 0) };
    let asked = store.submit_job(draft, "ada").await.unwrap();
    assert_eq!((asked.state, asked.attempts, asked.version.as_ref()), (JobState::Queued, 0, Some(&first)));
    for n in 1..20 {
        store.submit_job(wanted("simulate", n), "ada").await.unwrap();
    }
    assert_eq!(store.take_job("draw", LONG).await.unwrap(), None, "of another kind");
    let takers: Vec<_> = (0..8)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut taken = Vec::new();
                while let Some(job) = store.take_job("simulate", LONG).await.unwrap() {
                    taken.push(job);
                }
                taken
            })
        })
        .collect();
    let mut taken = Vec::new();
    for taker in takers {
        taken.extend(taker.await.unwrap());
    }
    let distinct: BTreeSet<_> = taken.iter().map(|job| job.record.job_id.clone()).collect();
    assert_eq!((taken.len(), distinct.len()), (20, 20));
    let job = taken.iter().find(|job| job.record.job_id == asked.job_id).unwrap();
    assert_eq!((job.record.state, job.record.attempts), (JobState::Running, 1));
    assert_eq!(store.beat_job(job, Some(json!({ "percent": 40 }))).await.unwrap(), Some(false));
    assert_eq!(store.beat_job(job, None).await.unwrap(), Some(false));
    assert_eq!(store.job(&asked.job_id).await.unwrap().unwrap().progress, Some(json!({ "percent": 40 })));
    assert!(store.end_job(job, JobEnd::Done(json!({ "kwh": 12 })), None).await.unwrap());
    assert!(!store.end_job(job, JobEnd::Cancelled(None), None).await.unwrap(), "it has ended");
    assert_eq!(store.beat_job(job, None).await.unwrap(), None);
    let ended = store.job(&asked.job_id).await.unwrap().unwrap();
    assert_eq!((ended.state, ended.result), (JobState::Done, Some(json!({ "kwh": 12 }))));
    sound(&store).await;
}

pub(super) async fn a_job_whose_gateway_went_away_is_begun_again_but_not_for_ever(place: &Place<'_>) {
    let store = place.open().await;
    let asked = store.submit_job(wanted("simulate", 1), "ada").await.unwrap();
    let gone = store.take_job("simulate", LONG).await.unwrap().unwrap();
    silence().await;
    assert_eq!(store.take_job("simulate", LONG).await.unwrap(), None, "it was heard of lately");
    let second = store.take_job("simulate", Duration::ZERO).await.unwrap().unwrap();
    assert_eq!((&second.record.job_id, second.record.attempts), (&asked.job_id, 2));
    assert_eq!(store.beat_job(&gone, None).await.unwrap(), None, "it is another's by now");
    assert!(!store.end_job(&gone, JobEnd::Done(json!(1)), None).await.unwrap());
    // one that ends in an orderly way costs no attempt
    assert!(store.end_job(&second, JobEnd::GivenBack, None).await.unwrap());
    for attempt in 2..4 {
        let again = store.take_job("simulate", Duration::ZERO).await.unwrap().unwrap();
        assert_eq!(again.record.attempts, attempt);
        silence().await;
    }
    assert_eq!(store.take_job("simulate", Duration::ZERO).await.unwrap(), None);
    let failed = store.job(&asked.job_id).await.unwrap().unwrap();
    assert_eq!(failed.state, JobState::Failed);
    assert!(failed.result.unwrap()["message"].as_str().unwrap().contains("went away"));
}

pub(super) async fn a_job_that_somebody_gives_up_ends(place: &Place<'_>) {
    let store = place.open().await;
    assert_eq!(store.cancel_job("none").await.unwrap(), None);
    let waits = store.submit_job(wanted("simulate", 1), "ada").await.unwrap();
    assert_eq!(store.cancel_job(&waits.job_id).await.unwrap().unwrap().state, JobState::Cancelled);
    assert_eq!(store.take_job("simulate", LONG).await.unwrap(), None);

    store.submit_job(wanted("simulate", 2), "ada").await.unwrap();
    let runs = store.take_job("simulate", LONG).await.unwrap().unwrap();
    let told = store.cancel_job(&runs.record.job_id).await.unwrap().unwrap();
    assert_eq!((told.state, told.is_ending), (JobState::Running, true));
    assert_eq!(store.beat_job(&runs, None).await.unwrap(), Some(true));
    // whoever was to be told is gone
    silence().await;
    assert_eq!(store.take_job("simulate", Duration::ZERO).await.unwrap(), None);
    let ended = store.cancel_job(&runs.record.job_id).await.unwrap().unwrap();
    assert_eq!((ended.state, ended.is_ending), (JobState::Cancelled, false));
}

pub(super) async fn jobs_are_found_by_whose_and_what_they_are(place: &Place<'_>) {
    let store = place.open().await;
    for n in 0..5 {
        store.submit_job(wanted("simulate", n), "ada").await.unwrap();
        store.submit_job(wanted("draw", n), "ben").await.unwrap();
    }
    store.take_job("draw", LONG).await.unwrap().unwrap();
    let count = |filter: JobFilter| {
        let store = store.clone();
        async move {
            let (mut found, mut cursor) = (0, None::<String>);
            loop {
                let page = store.jobs(&filter, 2, cursor.as_deref()).await.unwrap();
                found += page.items.len();
                cursor = page.next_cursor;
                if cursor.is_none() {
                    return found;
                }
            }
        }
    };
    let all = JobFilter::default;
    assert_eq!(count(all()).await, 10);
    assert_eq!(count(JobFilter { principal: Some("ada".into()), ..all() }).await, 5);
    assert_eq!(count(JobFilter { kind: Some("draw".into()), ..all() }).await, 5);
    assert_eq!(count(JobFilter { state: Some(JobState::Running), ..all() }).await, 1);
    assert_eq!(count(JobFilter { model: Some(ModelId::new()), ..all() }).await, 0);
}
