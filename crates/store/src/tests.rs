//! What the store promises: atomic commits, refs that move only by compare-and-swap, versions that open from what is
//! kept, an audit log that shows every change to it.

use super::*;
use contract::{EventId, ModelId, ModelKind, OperationId, SessionState, VersionId};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;

pub(crate) async fn open(folder: &std::path::Path) -> Store {
    Store::open(StoreConfig::in_folder(folder)).await.unwrap()
}

pub(crate) fn draft(model: &ModelId, parent: Option<&VersionId>, content: Content) -> Commit {
    let version = match (&content, parent) {
        (Content::Delta(bytes), Some(parent)) => VersionId::of_delta(parent, bytes),
        (Content::Delta(_), None) => VersionId::from("none"),
        (Content::File { sha256, .. }, parent) => VersionId::of_file(model, parent, sha256),
    };
    Commit {
        model: model.clone(),
        new_model: None,
        ref_name: MAIN.into(),
        parent: parent.cloned(),
        version,
        content,
        moved_to: None,
        operation_id: OperationId::new(),
        tool: "create_wall".into(),
        params_sha256: "p".into(),
        author: "ada".into(),
        reasoning: Some("the plan shows it".into()),
        time_ms: now_ms(),
        event_id: EventId::new(),
        event_type: "WallCreated".into(),
        summary: None,
        audit: Some(entry("create_wall")),
        remember: None,
    }
}

fn entry(tool: &str) -> AuditEntry {
    AuditEntry {
        time_ms: now_ms(),
        principal: "ada".into(),
        client: None,
        tool: tool.into(),
        arguments: json!({ "height": 3000 }),
        model_id: None,
        version_before: None,
        version_after: None,
        event_id: None,
        outcome: "ok".into(),
        reasoning: None,
        duration_us: 5,
    }
}

/// A new model with one file; its id and first version.
pub(crate) async fn model(store: &Store, name: &str, bytes: &[u8]) -> (ModelId, VersionId) {
    let blob = store.put_blob(bytes.to_vec()).await.unwrap();
    let id = ModelId::new();
    let mut first = draft(&id, None, Content::File { sha256: blob.sha256, size: blob.size });
    first.new_model = Some(NewModel { name: name.into(), kind: ModelKind::Ifc });
    let version = first.version.clone();
    let outcome = store.commit(first).await.unwrap();
    assert_eq!(outcome, CommitOutcome::Committed { chain: Chain::default() });
    (id, version)
}

/// Commits a delta on the head, however often the head moves; the new version.
pub(crate) async fn add(store: &Store, model: &ModelId, delta: &[u8]) -> (VersionId, usize) {
    let mut tries = 0;
    loop {
        tries += 1;
        let head = store.model(model).await.unwrap().head;
        let commit = draft(model, Some(&head), Content::Delta(delta.to_vec()));
        let version = commit.version.clone();
        match store.commit(commit).await.unwrap() {
            CommitOutcome::Committed { .. } => return (version, tries),
            CommitOutcome::RefMoved { .. } => {}
            CommitOutcome::Replayed(_) => panic!("no key was given"),
        }
    }
}

/// What a version reads as: its file and its deltas, one after another.
async fn content(store: &Store, version: &VersionId) -> Vec<u8> {
    let lineage = store.lineage(version).await.unwrap();
    let mut bytes = store.blob(&lineage.base_sha256).await.unwrap().to_vec();
    for delta in lineage.deltas {
        match delta {
            StoredDelta::Inline(delta) => bytes.extend(delta),
            StoredDelta::Blob { sha256 } => bytes.extend(store.blob(&sha256).await.unwrap()),
        }
    }
    bytes
}

async fn sound(store: &Store) {
    assert_eq!(store.check(true).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, first) = model(&store, "House", b"base;").await;
    let (second, _) = add(&store, &id, b"wall;").await;
    drop(store);
    let store = open(folder.path()).await;
    let found = store.find_model("House").await.unwrap();
    assert_eq!((found.model_id, found.head), (id.clone(), second.clone()));
    assert_eq!(content(&store, &second).await, b"base;wall;");
    let history = store.versions(&id, 10, None).await.unwrap().items;
    assert_eq!(history.iter().map(|v| &v.version).collect::<Vec<_>>(), [&second, &first]);
    assert_eq!(history[0].event_type, "WallCreated");
    assert_eq!(history[0].reasoning.as_deref(), Some("the plan shows it"));
    assert_eq!(store.verify_audit().await.unwrap(), Ok(2));
    sound(&store).await;
}

#[tokio::test]
async fn a_ref_that_moved_refuses_the_commit_and_nothing_of_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, first) = model(&store, "House", b"base;").await;
    let (second, _) = add(&store, &id, b"wall;").await;
    let late = draft(&id, Some(&first), Content::Delta(b"door;".to_vec()));
    let version = late.version.clone();
    assert_eq!(store.commit(late).await.unwrap(), CommitOutcome::RefMoved { head: second });
    assert!(store.version(&id, version.as_str()).await.is_err());
    assert_eq!(store.verify_audit().await.unwrap(), Ok(2), "its audit entry went with it");
    assert_eq!(store.events(None, 0, 10).await.unwrap().len(), 2);
    sound(&store).await;
}

#[tokio::test]
async fn a_commit_that_fails_in_the_middle_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, first) = model(&store, "House", b"base;").await;
    let mut twice = draft(&id, Some(&first), Content::Delta(b"wall;".to_vec()));
    // An event id that is there already is found only after the version was written.
    twice.event_id = store.events(None, 0, 1).await.unwrap().remove(0).event_id;
    assert!(store.commit(twice.clone()).await.is_err());
    assert_eq!(store.model(&id).await.unwrap().head, first);
    assert!(store.version(&id, twice.version.as_str()).await.is_err());
    let stranger = draft(&ModelId::new(), Some(&first), Content::Delta(b"wall;".to_vec()));
    assert!(matches!(store.commit(stranger).await, Err(StoreError::NotFound { what: "model", .. })));
    sound(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn eight_writers_on_one_model_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, _) = model(&store, "House", b"").await;
    let mut events = store.subscribe();
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let (store, id) = (store.clone(), id.clone());
            tokio::spawn(async move {
                for n in 0..25 {
                    add(&store, &id, format!("{writer}.{n};").as_bytes()).await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let head = store.model(&id).await.unwrap().head;
    let text = String::from_utf8(content(&store, &head).await).unwrap();
    let made: BTreeSet<&str> = text.split_terminator(';').collect();
    assert_eq!(made.len(), 200);
    assert_eq!(store.verify_audit().await.unwrap(), Ok(201));
    let mut told = 0;
    while let Ok(event) = events.try_recv() {
        told += 1;
        assert_eq!(event.sequence, told + 1, "events are told in the order of the log");
    }
    assert_eq!(told, 200);
    sound(&store).await;
}

#[tokio::test]
async fn small_deltas_live_in_the_row_and_large_ones_in_the_bucket() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, _) = model(&store, "House", b"").await;
    add(&store, &id, &vec![1; INLINE_DELTA_BYTES]).await;
    let (last, _) = add(&store, &id, &vec![2; INLINE_DELTA_BYTES + 1]).await;
    let lineage = store.lineage(&last).await.unwrap();
    assert!(matches!(lineage.deltas[0], StoredDelta::Inline(_)));
    let StoredDelta::Blob { sha256 } = &lineage.deltas[1] else { panic!("not a blob") };
    let path = store.blob_path(sha256);
    assert_eq!(path.parent().unwrap().file_name().unwrap().to_str(), Some(&sha256[..2]));
    assert_eq!(path.file_name().unwrap().to_str(), Some(&sha256[2..]));
    assert_eq!(content(&store, &last).await.len(), 2 * INLINE_DELTA_BYTES + 1);
    sound(&store).await;
}

#[tokio::test]
async fn a_checkpoint_shortens_what_later_versions_open_from() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, _) = model(&store, "House", b"base;").await;
    let mut versions = Vec::new();
    for n in 0..10 {
        versions.push(add(&store, &id, format!("{n};").as_bytes()).await.0);
    }
    let whole = content(&store, &versions[5]).await;
    let blob = store.put_blob(whole).await.unwrap();
    store.set_checkpoint(&versions[5], &blob.sha256).await.unwrap();
    assert_eq!(store.lineage(&versions[9]).await.unwrap().deltas.len(), 4);
    assert_eq!(store.lineage(&versions[4]).await.unwrap().deltas.len(), 5);
    assert_eq!(content(&store, &versions[9]).await, b"base;0;1;2;3;4;5;6;7;8;9;");
    let head = store.model(&id).await.unwrap().head;
    let next = store.commit(draft(&id, Some(&head), Content::Delta(b"10;".to_vec()))).await.unwrap();
    assert_eq!(next, CommitOutcome::Committed { chain: Chain { deltas: 5, bytes: 4 * 2 + 3 } });
}

#[tokio::test]
async fn a_version_is_found_by_its_first_digits_unless_they_fit_several() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, first) = model(&store, "House", b"base;").await;
    assert_eq!(store.version(&id, &first.as_str()[..8]).await.unwrap().version, first);
    for wrong in ["", "zzzz", "abc", "%%%%", "ffffffffffff"] {
        assert!(matches!(store.version(&id, wrong).await, Err(StoreError::NotFound { .. })), "{wrong}");
    }
    let (_, other) = model(&store, "Barn", b"other;").await;
    assert!(store.version(&id, other.as_str()).await.is_err(), "another model's version is not this one's");
}

#[tokio::test]
async fn names_stand_for_models_only_where_one_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (house, _) = model(&store, "House", b"1").await;
    assert_eq!(store.find_model("House").await.unwrap().model_id, house);
    model(&store, "House", b"2").await;
    let Err(StoreError::Ambiguous { candidates, .. }) = store.find_model("House").await else {
        panic!("two models have this name")
    };
    assert_eq!(candidates.len(), 2);
    assert_eq!(store.find_model(house.as_str()).await.unwrap().model_id, house);
}

#[tokio::test]
async fn lists_are_paged_without_gaps_or_repeats() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    for n in 0..7 {
        model(&store, &format!("House {n}"), b"x").await;
    }
    let (mut seen, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = store.models(3, cursor.as_deref()).await.unwrap();
        seen.extend(page.items.into_iter().map(|model| model.model_id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 7);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 7);
    assert!(store.models(3, Some("nonsense")).await.is_err());
}

#[tokio::test]
async fn an_answer_is_kept_with_its_commit_and_given_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let (id, first) = model(&store, "House", b"base;").await;
    let remembered = Remembered {
        principal: "ada".into(),
        key: "k1".into(),
        request_sha256: "r".into(),
        answer: json!({ "wall_id": "1" }),
    };
    let mut commit = draft(&id, Some(&first), Content::Delta(b"wall;".to_vec()));
    commit.remember = Some(remembered.clone());
    assert!(matches!(store.commit(commit.clone()).await.unwrap(), CommitOutcome::Committed { .. }));
    commit.event_id = EventId::new();
    assert_eq!(store.commit(commit).await.unwrap(), CommitOutcome::Replayed(remembered.clone()));
    assert_eq!(store.answer("ada", "k1").await.unwrap(), Some(remembered));
    assert_eq!(store.answer("bob", "k1").await.unwrap(), None, "keys belong to their principal");
}

#[tokio::test]
async fn sessions_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let state = SessionState { ifc: Some(ModelId::from("m")), energyplus: None };
    store.set_session("key", &state).await.unwrap();
    drop(store);
    let store = open(folder.path()).await;
    assert_eq!(store.session("key").await.unwrap(), Some(state));
    store.clear_session("key").await.unwrap();
    assert_eq!(store.session("key").await.unwrap(), None);
}

#[tokio::test]
async fn a_changed_or_removed_audit_entry_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    for n in 0..5 {
        store.audit(entry(&format!("tool_{n}"))).await.unwrap();
    }
    assert_eq!(store.verify_audit().await.unwrap(), Ok(5));
    let page = store.audit_page(None, 2, None).await.unwrap();
    assert_eq!(page.items[0].tool, "tool_4");
    assert_eq!(store.audit_page(None, 9, page.next_cursor.as_deref()).await.unwrap().items.len(), 3);
    let raw = rusqlite::Connection::open(folder.path().join("pensaer.db")).unwrap();
    assert!(raw.execute("UPDATE audit SET entry = '{}' WHERE sequence = 2", []).is_err(), "append-only");
    raw.execute_batch("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_removed").unwrap();
    let tamper = |statement: &str| raw.execute_batch(statement).unwrap();
    tamper("UPDATE audit SET entry = replace(entry, 'tool_1', 'tool_9') WHERE sequence = 2");
    assert!(store.verify_audit().await.unwrap().unwrap_err().contains("entry 2"));
    tamper("UPDATE audit SET entry = replace(entry, 'tool_9', 'tool_1') WHERE sequence = 2");
    assert_eq!(store.verify_audit().await.unwrap(), Ok(5));
    tamper("DELETE FROM audit WHERE sequence = 3");
    assert!(store.verify_audit().await.unwrap().unwrap_err().contains("entry 3"));
}

#[tokio::test]
async fn a_missing_or_damaged_blob_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path()).await;
    let blob = store.put_blob("base;").await.unwrap();
    let (_, _) = model(&store, "House", b"base;").await;
    std::fs::write(store.blob_path(&blob.sha256), "bass;").unwrap();
    assert_eq!(store.check(false).await.unwrap().len(), 0);
    assert_eq!(store.check(true).await.unwrap().len(), 1);
    std::fs::remove_file(store.blob_path(&blob.sha256)).unwrap();
    assert_eq!(store.check(false).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_file_is_taken_in_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("data")).await;
    let file = folder.path().join("in.ifc");
    std::fs::write(&file, vec![7; 3_000_000]).unwrap();
    assert!(matches!(store.stage(&file, 1_000_000).await, Err(StoreError::TooLarge { .. })));
    let staged = store.stage(&file, 10_000_000).await.unwrap();
    let path = staged.path().to_owned();
    let blob = store.adopt(staged).await.unwrap();
    assert!(!path.exists());
    assert_eq!(store.blob_size(&blob.sha256).await.unwrap(), 3_000_000);
    let again = store.stage(&file, 10_000_000).await.unwrap();
    assert_eq!(store.adopt(again).await.unwrap(), blob, "the same bytes are the same blob");
    drop(store.stage(&file, 10_000_000).await.unwrap());
    let left = std::fs::read_dir(store.blob_folder().join("incoming")).unwrap().count();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_file_that_is_there_is_only_replaced_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("data")).await;
    let blob_path = store.blob_path(&store.put_blob("new").await.unwrap().sha256);
    let target = folder.path().join("out.ifc");
    std::fs::write(&target, "old").unwrap();
    assert!(!store.export(&blob_path, &target, false).await.unwrap());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "old");
    assert!(store.export(&blob_path, &target, true).await.unwrap());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "new");
    let other = folder.path().join("other.ifc");
    assert!(store.export(&blob_path, &other, false).await.unwrap());
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(files.len(), 3, "nothing half written is left: {files:?}");
    assert!(store.export(&blob_path, &folder.path().join("no/such/folder.ifc"), true).await.is_err());
}

#[tokio::test]
async fn a_folder_written_by_a_later_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(open(folder.path()).await);
    let raw = rusqlite::Connection::open(folder.path().join("pensaer.db")).unwrap();
    raw.execute("INSERT INTO migrations (step, time_ms) VALUES (999, 0)", []).unwrap();
    let refused = Store::open(StoreConfig::in_folder(folder.path())).await.err().unwrap();
    assert!(refused.to_string().contains("later program"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Whatever checkpoints are made and whenever, every version reads as its file and all deltas up to it.
    #[test]
    fn checkpoints_never_change_what_a_version_reads_as(
        steps in prop::collection::vec((any::<bool>(), 0_usize..12), 1..24),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let store = open(folder.path()).await;
            let (id, first) = model(&store, "House", b"base;").await;
            let mut expected = vec![(first, b"base;".to_vec())];
            for (n, (checkpoint, at)) in steps.into_iter().enumerate() {
                if checkpoint {
                    let (version, bytes) = &expected[at % expected.len()];
                    let blob = store.put_blob(bytes.clone()).await.unwrap();
                    store.set_checkpoint(version, &blob.sha256).await.unwrap();
                } else {
                    let delta = format!("{n};");
                    let (version, _) = add(&store, &id, delta.as_bytes()).await;
                    let mut bytes = expected.last().unwrap().1.clone();
                    bytes.extend(delta.as_bytes());
                    expected.push((version, bytes));
                }
            }
            for (version, bytes) in &expected {
                assert_eq!(&content(&store, version).await, bytes);
            }
            sound(&store).await;
        });
    }
}
