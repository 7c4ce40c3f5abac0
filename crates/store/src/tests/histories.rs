//! Random histories of many clients at once equal some serial order.
//!
//! The log of events names that order. What is checked: each commit has as its parent what the commit before it on the same
//! model left; who was told that the ref moved was told of a version that was the head while he waited, and left nothing
//! behind; an idempotency key was committed once; a commit that was answered before another began comes before it;
//! replaying the log gives the heads and the contents; and the audit chain holds one entry a commit, in the same order.

use super::cluster::Cluster;
use super::place::Place;
use super::*;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const MODELS: usize = 2;
const KEYS: u8 = 6;

/// The next step of a client.
#[derive(Debug, Clone)]
struct Step {
    model: usize,
    /// True if it looks at the head first; otherwise it builds on what it saw last.
    looks: bool,
    /// An idempotency key that others may use, too.
    key: Option<u8>,
    /// A checkpoint of what it saw last goes before.
    checkpoint: bool,
}

fn step() -> impl Strategy<Value = Step> {
    let key = prop::option::weighted(0.3, 0..KEYS);
    (0..MODELS, prop::bool::weighted(0.8), key, prop::bool::weighted(0.15))
        .prop_map(|(model, looks, key, checkpoint)| Step { model, looks, key, checkpoint })
}

/// A commit as its client saw it. The times are those of one clock that only counts.
#[derive(Debug)]
struct Seen {
    version: VersionId,
    parent: VersionId,
    model: ModelId,
    delta: Vec<u8>,
    key: Option<u8>,
    began: u64,
    ended: u64,
    outcome: CommitOutcome,
}

async fn client(
    store: Store,
    name: usize,
    models: Vec<(ModelId, VersionId)>,
    steps: Vec<Step>,
    clock: Arc<AtomicU64>,
) -> Vec<Seen> {
    let mut last: Vec<VersionId> = models.iter().map(|(_, first)| first.clone()).collect();
    let mut seen = Vec::new();
    for (n, step) in steps.into_iter().enumerate() {
        let id = &models[step.model].0;
        if step.checkpoint {
            let version = &last[step.model];
            let blob = store.put_blob(content(&store, version).await).await.unwrap();
            store.set_checkpoint(version, &blob.sha256).await.unwrap();
        }
        if step.looks {
            last[step.model] = store.model(id).await.unwrap().head;
        }
        let parent = last[step.model].clone();
        let delta = format!("{name}.{n};").into_bytes();
        let mut commit = draft(id, Some(&parent), Content::Delta(delta.clone()));
        commit.remember = step.key.map(|key| Remembered {
            principal: "ada".into(),
            key: key.to_string(),
            request_sha256: "r".into(),
            answer: json!(commit.version),
        });
        if let Some(entry) = &mut commit.audit {
            entry.event_id = Some(commit.event_id.clone());
        }
        let version = commit.version.clone();
        let began = clock.fetch_add(1, Ordering::SeqCst);
        let outcome = store.commit(commit).await.unwrap();
        let ended = clock.fetch_add(1, Ordering::SeqCst);
        match &outcome {
            CommitOutcome::Committed { .. } => last[step.model] = version.clone(),
            CommitOutcome::RefMoved { head } => last[step.model] = head.clone(),
            CommitOutcome::Replayed(_) | CommitOutcome::Decided => {}
        }
        seen.push(Seen { version, parent, model: id.clone(), delta, key: step.key, began, ended, outcome });
    }
    seen
}

async fn equals_a_serial_order(gateways: &[Store], histories: Vec<Vec<Step>>) {
    let store = &gateways[0];
    let mut models = Vec::new();
    for n in 0..MODELS {
        models.push(model(store, &format!("House {n}"), b"base;").await);
    }
    let clock = Arc::new(AtomicU64::new(0));
    let clients: Vec<_> = histories
        .into_iter()
        .enumerate()
        .map(|(name, steps)| {
            let gateway = gateways[name % gateways.len()].clone();
            tokio::spawn(client(gateway, name, models.clone(), steps, Arc::clone(&clock)))
        })
        .collect();
    let mut seen = Vec::new();
    for client in clients {
        seen.extend(client.await.unwrap());
    }
    let committed = |seen: &&Seen| matches!(seen.outcome, CommitOutcome::Committed { .. });
    let made: HashMap<&VersionId, &Seen> =
        seen.iter().filter(committed).map(|seen| (&seen.version, seen)).collect();
    let events = store.events(None, 0, 1000).await.unwrap();
    assert_eq!(events.len(), MODELS + made.len(), "every commit that was answered so, and no other");

    // The log, replayed on a map.
    let mut heads: BTreeMap<&ModelId, (VersionId, Vec<u8>)> =
        models.iter().map(|(id, first)| (id, (first.clone(), b"base;".to_vec()))).collect();
    let mut places: HashMap<&VersionId, usize> = models.iter().map(|(_, first)| (first, 0)).collect();
    let mut until: HashMap<VersionId, u64> = HashMap::new();
    let mut latest = 0;
    for (place, event) in events.iter().enumerate() {
        assert_eq!(event.sequence, place as u64 + 1, "the log has no gaps");
        let Some(seen) = event.version.as_ref().and_then(|version| made.get(version)) else {
            assert!(
                models.iter().any(|(_, first)| Some(first) == event.version.as_ref()),
                "an event of nobody"
            );
            continue;
        };
        let (head, bytes) = heads.get_mut(&seen.model).unwrap();
        assert_eq!(*head, seen.parent, "a commit on what was not the head");
        until.insert(std::mem::replace(head, seen.version.clone()), seen.ended);
        bytes.extend(&seen.delta);
        places.insert(&seen.version, place);
        assert!(seen.ended >= latest, "a commit comes after one that began when it had been answered");
        latest = latest.max(seen.began);
    }
    for (id, (head, bytes)) in &heads {
        assert_eq!(store.model(id).await.unwrap().head, *head);
        assert_eq!(content(store, head).await, *bytes, "replay equals state");
    }
    for seen in &seen {
        match &seen.outcome {
            CommitOutcome::Committed { .. } => {}
            CommitOutcome::RefMoved { head } => {
                assert_ne!(*head, seen.parent);
                assert!(places.contains_key(head), "told of a head that never was");
                assert!(until.get(head).is_none_or(|ended| *ended >= seen.began), "told of a head long gone");
                assert!(store.version(&seen.model, seen.version.as_str()).await.is_err());
            }
            CommitOutcome::Replayed(known) => assert_eq!(known.key, seen.key.unwrap().to_string()),
            CommitOutcome::Decided => panic!("no approval was given"),
        }
    }
    for key in 0..KEYS {
        let times = made.values().filter(|seen| seen.key == Some(key)).count();
        assert!(times <= 1, "key {key} was committed {times} times");
    }
    let mut entries = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = store.audit_page(None, 200, cursor.as_deref()).await.unwrap();
        entries.extend(page.items.into_iter().filter_map(|entry| entry.event_id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    entries.reverse();
    let order: Vec<_> = events
        .iter()
        .filter(|event| event.version.as_ref().is_some_and(|version| made.contains_key(version)))
        .collect();
    assert_eq!(entries, order.iter().map(|event| event.event_id.clone()).collect::<Vec<_>>());
    sound(store).await;
}

fn run<'a>(cases: u32, gateways: usize, place: impl Fn() -> Place<'a>) {
    let histories = prop::collection::vec(prop::collection::vec(step(), 1..12), 2..7);
    let mut runner = TestRunner::new(ProptestConfig { cases, ..ProptestConfig::default() });
    let outcome = runner.run(&histories, |histories| {
        let place = place();
        on_runtime(async {
            let mut stores = Vec::new();
            for n in 0..gateways {
                stores.push(Store::open(place.gateway(&format!("gateway {n}"))).await.unwrap());
            }
            equals_a_serial_order(&stores, histories).await;
        });
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn concurrent_histories_equal_a_serial_order_on_sqlite() {
    run(24, 1, Place::sqlite);
}

#[test]
fn concurrent_histories_of_three_gateways_equal_a_serial_order_on_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    run(8, 3, || Place::postgresql(&cluster));
}
