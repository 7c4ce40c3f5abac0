//! Branches and merges, and the log from which they can be made again.

use super::place::Place;
use super::*;

/// The change that makes a branch, or with [`EventType::BranchDeleted`] removes it.
pub(super) fn ref_change(model: &ModelId, name: &str, at: &VersionId, kind: EventType) -> RefChange {
    RefChange {
        model: model.clone(),
        name: name.into(),
        version: at.clone(),
        event_id: EventId::new(),
        event_type: kind,
        operation_id: OperationId::new(),
        tool: "create_branch".into(),
        params_sha256: "p".into(),
        author: "ada".into(),
        reasoning: None,
        time_ms: now_ms(),
        subject: None,
        audit: Some(entry("create_branch")),
    }
}

/// Does so.
async fn branch(store: &Store, model: &ModelId, name: &str, at: &VersionId, kind: EventType) -> RefOutcome {
    store.change_ref(ref_change(model, name, at, kind)).await.unwrap()
}

/// Commits a delta on a ref, with a version merged by it or none.
async fn on(
    store: &Store,
    model: &ModelId,
    name: &str,
    delta: &[u8],
    merged: Option<&VersionId>,
) -> VersionId {
    let head = store.head(model, name).await.unwrap().unwrap();
    let mut commit = draft(model, Some(&head), Content::Delta(delta.to_vec()));
    commit.ref_name = name.into();
    commit.merged =
        merged.map(|version| MergedFrom { version: version.clone(), note: json!({ "into": name }) });
    let version = commit.version.clone();
    let outcome = store.commit(commit).await.unwrap();
    assert!(matches!(outcome, CommitOutcome::Committed { .. }), "{outcome:?}");
    version
}

pub(super) async fn branches_come_move_merge_and_go(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let mut events = store.subscribe();
    assert_eq!(branch(&store, &id, "side", &first, EventType::BranchCreated).await, RefOutcome::Done);
    assert_eq!(branch(&store, &id, "side", &first, EventType::BranchCreated).await, RefOutcome::Taken);
    // at a server, what came before may be told only now
    let told = loop {
        let told = tokio::time::timeout(PATIENCE, events.recv()).await.unwrap().unwrap();
        if told.event_type == EventType::BranchCreated {
            break told;
        }
    };
    assert_eq!(told.ref_name.as_deref(), Some("side"));
    let ours = on(&store, &id, MAIN, b"ours;", None).await;
    let theirs = on(&store, &id, "side", b"theirs;", None).await;
    assert_eq!(content(&store, &theirs).await, b"base;theirs;");
    assert_eq!(store.model(&id).await.unwrap().head, ours, "a model's head is that of main");
    assert_eq!(store.merge_bases(&ours, &theirs).await.unwrap(), vec![first.clone()]);
    let merged = on(&store, &id, MAIN, b"merged;", Some(&theirs)).await;
    let record = store.version(&id, merged.as_str()).await.unwrap();
    assert_eq!((record.parent, record.merged), (Some(ours.clone()), Some(theirs.clone())));
    let later = on(&store, &id, "side", b"later;", None).await;
    assert_eq!(store.merge_bases(&merged, &later).await.unwrap(), vec![theirs.clone()]);
    assert_eq!(store.merge_notes(&theirs, &merged).await.unwrap(), [json!({ "into": MAIN })]);
    assert_eq!(store.merge_notes(&theirs, &later).await.unwrap(), Vec::<serde_json::Value>::new());
    assert!(store.merge_notes(&later, &merged).await.is_err(), "it is not before it");
    assert_eq!(
        branch(&store, &id, "side", &theirs, EventType::BranchDeleted).await,
        RefOutcome::Moved(later.clone())
    );
    assert_eq!(branch(&store, &id, "side", &later, EventType::BranchDeleted).await, RefOutcome::Done);
    assert_eq!(branch(&store, &id, "side", &later, EventType::BranchDeleted).await, RefOutcome::Gone);
    assert_eq!(store.head(&id, "side").await.unwrap(), None);
    assert_eq!(content(&store, &later).await, b"base;theirs;later;", "its versions stay");
    let refs = store.refs(&id).await.unwrap();
    assert_eq!(refs.iter().map(|found| found.name.as_str()).collect::<Vec<_>>(), [MAIN]);
    sound(&store).await;
}

pub(super) async fn a_version_of_another_model_is_neither_merged_nor_branched_from(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let (_, strange) = model(&store, "Barn", b"other;").await;
    let mut commit = draft(&id, Some(&first), Content::Delta(b"x;".to_vec()));
    commit.merged = Some(MergedFrom { version: strange.clone(), note: json!(null) });
    assert!(store.commit(commit).await.is_err());
    let change = RefChange { audit: None, ..ref_change(&id, "side", &strange, EventType::BranchCreated) };
    assert!(store.change_ref(change).await.is_err());
    assert_eq!(store.refs(&id).await.unwrap().len(), 1);
    sound(&store).await;
}

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

pub(super) async fn the_log_alone_makes_models_and_refs_again(place: &Place<'_>) {
    let store = place.open().await;
    for seed in 0..3 {
        let mut chance = Chance(seed);
        let mut models = Vec::new();
        for step in 0..40 {
            let name = format!("branch{}", chance.below(3));
            if models.is_empty() || chance.below(12) == 0 {
                models.push(model(&store, &format!("{seed}.{step}"), b"base;").await.0);
                continue;
            }
            let id = &models[chance.below(models.len())];
            let head = store.head(id, &name).await.unwrap();
            let main = store.head(id, MAIN).await.unwrap().unwrap();
            let delta = format!("{seed}.{step};");
            match (chance.below(4), head) {
                (0, Some(head)) => {
                    branch(&store, id, &name, &head, EventType::BranchDeleted).await;
                }
                (1, Some(head)) if head != main => {
                    on(&store, id, MAIN, delta.as_bytes(), Some(&head)).await;
                }
                (2, Some(_)) => drop(on(&store, id, &name, delta.as_bytes(), None).await),
                (2 | 3, None) => {
                    branch(&store, id, &name, &main, EventType::BranchCreated).await;
                }
                _ => drop(on(&store, id, MAIN, delta.as_bytes(), None).await),
            }
        }
    }
    assert_eq!(store.replay().await.unwrap(), store.projection().await.unwrap());
    sound(&store).await;
}

pub(super) async fn refs_changed_behind_the_logs_back_are_found(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    add(&store, &id, b"wall;").await;
    place.sql(&format!("UPDATE refs SET version_id = '{first}'")).unwrap();
    let problems = store.check(false).await.unwrap();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains(&format!("ref main of model {id} was changed")), "{problems:?}");
    assert!(problems[1].contains("by the event log"), "{problems:?}");
    assert!(place.sql("DELETE FROM events").is_err(), "events are appended to only");
}

#[test]
fn a_database_from_before_branches_is_brought_up_to_them() {
    let place = Place::sqlite();
    std::fs::create_dir_all(place.config().folder).unwrap();
    place.sql(include_str!("../sql/migrations/01_models.sql")).unwrap();
    place
        .sql(
            "CREATE TABLE migrations (step INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL) STRICT;
             INSERT INTO migrations VALUES (1, 0);
             INSERT INTO models VALUES ('m', 'House', 'ifc', 0);
             INSERT INTO versions (version_id, model_id, parent_id, delta, file_sha256, deltas, bytes, operation_id, tool,
                 author, time_ms, event_id, event_type)
             VALUES ('v1', 'm', NULL, NULL, 'f', 0, 0, 'o', 't', 'a', 0, 'e1', 'ProjectCreated'),
                 ('v2', 'm', 'v1', x'00', NULL, 1, 1, 'o', 't', 'a', 0, 'e2', 'WallCreated'),
                 ('v3', 'm', 'v2', x'00', NULL, 2, 2, 'o', 't', 'a', 0, 'e3', 'PipeBent');
             INSERT INTO refs VALUES ('m', 'main', 'v3', 0);
             INSERT INTO events VALUES (1, 'e1', 'ProjectCreated', 'm', 'v1', 'a', NULL, 't', 'p', 'o', 0),
                 (2, 'e2', 'WallCreated', 'm', 'v2', 'a', NULL, 't', 'p', 'o', 0),
                 (3, 'e3', 'PipeBent', 'm', 'v3', 'a', NULL, 't', 'p', 'o', 0);",
        )
        .unwrap();
    on_runtime(async {
        let store = place.open().await;
        assert_eq!(store.replay().await.unwrap(), store.projection().await.unwrap());
        let (id, head) = (ModelId::from("m"), VersionId::from("v3"));
        assert_eq!(store.head(&id, MAIN).await.unwrap(), Some(head.clone()));
        let events = store.events(None, 0, 10).await.unwrap();
        assert_eq!(events[2].event_type, EventType::Other("PipeBent".into()));
        branch(&store, &id, "side", &VersionId::from("v2"), EventType::BranchCreated).await;
        let side = on(&store, &id, "side", b"x", None).await;
        assert_eq!(store.merge_bases(&head, &side).await.unwrap(), [VersionId::from("v2")]);
        let problems = store.check(false).await.unwrap();
        assert!(problems.iter().all(|problem| problem.contains("blob f")), "{problems:?}");
    });
}
