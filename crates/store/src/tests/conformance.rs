//! One suite over what is public of the store, for every database behind it.
//!
//! A case is a function from a [`Place`]. On SQLite each is a test of its own; on PostgreSQL one test runs them all, each
//! in a schema of its own at one server, and says which failed.

use super::approvals::*;
use super::branches::*;
use super::bucket::Server;
use super::cluster::Cluster;
use super::integrity::*;
use super::jobs::*;
use super::place::Place;
use super::*;
use contract::SessionState;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

macro_rules! cases {
    ($($case:ident,)+) => {
        mod on_sqlite {
            use super::*;

            $(
                #[test]
                fn $case() {
                    on_runtime(super::$case(&Place::sqlite()));
                }
            )+

            #[test]
            fn checkpoints_never_change_what_a_version_reads_as() {
                super::checkpoints_never_change_what_a_version_reads_as(12, Place::sqlite);
            }
        }

        #[test]
        fn every_case_holds_on_postgresql_and_s3() {
            let Some(cluster) = Cluster::start() else { return };
            let bucket = Server::start();
            let place = || Place::postgresql(&cluster).with_bucket(bucket.as_ref());
            let mut failed = Vec::new();
            let mut hold = |name: &'static str, case: &dyn Fn()| {
                if catch_unwind(AssertUnwindSafe(case)).is_err() {
                    failed.push(name);
                }
            };
            $( hold(stringify!($case), &|| on_runtime($case(&place()))); )+
            hold("checkpoints_never_change_what_a_version_reads_as", &|| {
                checkpoints_never_change_what_a_version_reads_as(4, place);
            });
            assert_eq!(failed, Vec::<&str>::new());
        }
    };
}

cases! {
    branches_come_move_merge_and_go,
    a_version_of_another_model_is_neither_merged_nor_branched_from,
    the_log_alone_makes_models_and_refs_again,
    refs_changed_behind_the_logs_back_are_found,
    what_was_committed_is_there_after_a_restart,
    a_ref_that_moved_refuses_the_commit_and_nothing_of_it_is_kept,
    a_commit_that_fails_in_the_middle_leaves_nothing_behind,
    eight_writers_on_one_model_lose_nothing,
    small_deltas_live_in_the_row_and_large_ones_in_the_bucket,
    a_checkpoint_shortens_what_later_versions_open_from,
    a_version_is_found_by_its_first_digits_unless_they_fit_several,
    names_stand_for_models_only_where_one_has_them,
    lists_are_paged_without_gaps_or_repeats,
    an_answer_is_kept_with_its_commit_and_given_again,
    sessions_outlive_the_process,
    work_is_done_by_one_at_a_time,
    a_changed_or_removed_audit_entry_is_found,
    a_missing_or_damaged_blob_is_found,
    a_file_is_taken_in_whole_or_not_at_all,
    a_file_that_is_there_is_only_replaced_when_asked,
    tables_made_by_a_later_program_are_refused,
    an_object_keeps_every_version_and_its_deletion_is_one,
    of_two_writers_of_an_object_who_expect_the_same_one_wins,
    a_read_only_store_changes_nothing_of_record,
    every_step_of_an_approval_is_an_event,
    what_waits_too_long_is_written_off_once,
    what_a_pending_approval_needs_is_not_thrown_away,
    a_job_is_begun_by_one_and_ends_once,
    a_job_whose_gateway_went_away_is_begun_again_but_not_for_ever,
    a_job_that_somebody_gives_up_ends,
    jobs_are_found_by_whose_and_what_they_are,
    one_flipped_bit_is_found_and_named_wherever_it_is,
    one_flipped_bit_is_flipped_back_where_a_hash_proves_it,
    rows_that_went_and_rows_that_came_are_found,
    a_log_written_anew_is_found_by_a_head_kept_elsewhere,
    rows_from_before_entries_vouched_for_any_are_told_and_not_faulted,
    what_the_store_does_by_itself_is_in_the_chain,
}

async fn what_was_committed_is_there_after_a_restart(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let (second, _) = add(&store, &id, b"wall;").await;
    drop(store);
    let store = place.open().await;
    let found = store.find_model("House").await.unwrap();
    assert_eq!((found.model_id, found.head), (id.clone(), second.clone()));
    assert_eq!(content(&store, &second).await, b"base;wall;");
    let history = store.versions(&id, 10, None).await.unwrap().items;
    assert_eq!(history.iter().map(|v| &v.version).collect::<Vec<_>>(), [&second, &first]);
    assert_eq!(history[0].event_type, contract::EventType::WallCreated);
    assert_eq!(history[0].reasoning.as_deref(), Some("the plan shows it"));
    assert_eq!(store.verify_audit().await.unwrap(), Ok(2));
    sound(&store).await;
}

async fn a_ref_that_moved_refuses_the_commit_and_nothing_of_it_is_kept(place: &Place<'_>) {
    let store = place.open().await;
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

async fn a_commit_that_fails_in_the_middle_leaves_nothing_behind(place: &Place<'_>) {
    let store = place.open().await;
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

async fn eight_writers_on_one_model_lose_nothing(place: &Place<'_>) {
    let store = place.open().await;
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
    while told < 200 {
        let event = tokio::time::timeout(PATIENCE, events.recv()).await.unwrap().unwrap();
        // The model's own event may still be on its way to those who came after it.
        if event.sequence > 1 {
            told += 1;
            assert_eq!(event.sequence, told + 1, "events are told in the order of the log");
        }
    }
    sound(&store).await;
}

async fn small_deltas_live_in_the_row_and_large_ones_in_the_bucket(place: &Place<'_>) {
    let store = place.open().await;
    let (id, _) = model(&store, "House", b"").await;
    add(&store, &id, &vec![1; INLINE_DELTA_BYTES]).await;
    let (last, _) = add(&store, &id, &vec![2; INLINE_DELTA_BYTES + 1]).await;
    let lineage = store.lineage(&last).await.unwrap();
    assert!(matches!(lineage.deltas[0], StoredDelta::Inline(_)));
    let StoredDelta::Blob { sha256 } = &lineage.deltas[1] else { panic!("not a blob") };
    let path = store.blob_file(sha256).await.unwrap();
    assert_eq!(path.parent().unwrap().file_name().unwrap().to_str(), Some(&sha256[..2]));
    assert_eq!(path.file_name().unwrap().to_str(), Some(&sha256[2..]));
    assert_eq!(content(&store, &last).await.len(), 2 * INLINE_DELTA_BYTES + 1);
    sound(&store).await;
}

async fn a_checkpoint_shortens_what_later_versions_open_from(place: &Place<'_>) {
    let store = place.open().await;
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

async fn a_version_is_found_by_its_first_digits_unless_they_fit_several(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    assert_eq!(store.version(&id, &first.as_str()[..8]).await.unwrap().version, first);
    for wrong in ["", "zzzz", "abc", "%%%%", "ffffffffffff"] {
        assert!(matches!(store.version(&id, wrong).await, Err(StoreError::NotFound { .. })), "{wrong}");
    }
    let (_, other) = model(&store, "Barn", b"other;").await;
    assert!(store.version(&id, other.as_str()).await.is_err(), "another model's version is not this one's");
}

async fn names_stand_for_models_only_where_one_has_them(place: &Place<'_>) {
    let store = place.open().await;
    let (house, _) = model(&store, "House", b"1").await;
    assert_eq!(store.find_model("House").await.unwrap().model_id, house);
    model(&store, "House", b"2").await;
    let Err(StoreError::Ambiguous { candidates, .. }) = store.find_model("House").await else {
        panic!("two models have this name")
    };
    assert_eq!(candidates.len(), 2);
    assert_eq!(store.find_model(house.as_str()).await.unwrap().model_id, house);
}

async fn lists_are_paged_without_gaps_or_repeats(place: &Place<'_>) {
    let store = place.open().await;
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

async fn an_answer_is_kept_with_its_commit_and_given_again(place: &Place<'_>) {
    let store = place.open().await;
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

async fn sessions_outlive_the_process(place: &Place<'_>) {
    let store = place.open().await;
    let state = SessionState { ifc: Some(ModelId::from("m")), ..SessionState::default() };
    store.set_session("key", &state).await.unwrap();
    drop(store);
    let store = place.open().await;
    assert_eq!(store.session("key").await.unwrap(), Some(state));
    store.clear_session("key").await.unwrap();
    assert_eq!(store.session("key").await.unwrap(), None);
}

async fn work_is_done_by_one_at_a_time(place: &Place<'_>) {
    let store = place.open().await;
    let tries = (0..8).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.claim("checkpoint", PATIENCE).await.unwrap() })
    });
    let mut taken = Vec::new();
    for claim in tries.collect::<Vec<_>>() {
        taken.extend(claim.await.unwrap());
    }
    assert_eq!(taken.len(), 1);
    let other = store.claim("another", Duration::ZERO).await.unwrap().unwrap();
    store.give_back(taken.remove(0)).await.unwrap();
    assert!(store.claim("checkpoint", PATIENCE).await.unwrap().is_some());
    // Whoever let its time pass has lost it, and takes nothing from the next by giving it back.
    tokio::time::sleep(Duration::from_millis(2)).await;
    assert!(store.claim("another", PATIENCE).await.unwrap().is_some());
    store.give_back(other).await.unwrap();
    assert!(store.claim("another", PATIENCE).await.unwrap().is_none());
}

async fn a_changed_or_removed_audit_entry_is_found(place: &Place<'_>) {
    let store = place.open().await;
    for n in 0..5 {
        store.audit(entry(&format!("tool_{n}"))).await.unwrap();
    }
    assert_eq!(store.verify_audit().await.unwrap(), Ok(5));
    let page = store.audit_page(None, 2, None).await.unwrap();
    assert_eq!(page.items[0].tool, "tool_4");
    assert_eq!(store.audit_page(None, 9, page.next_cursor.as_deref()).await.unwrap().items.len(), 3);
    for statement in
        ["UPDATE audit SET entry = '{}' WHERE sequence = 2", "DELETE FROM audit WHERE sequence = 5"]
    {
        assert!(place.sql(statement).unwrap_err().contains("append-only"), "{statement}");
    }
    place.unlock("audit");
    let tamper = |statement: &str| place.sql(statement).unwrap();
    tamper("UPDATE audit SET entry = replace(entry, 'tool_1', 'tool_9') WHERE sequence = 2");
    assert!(store.verify_audit().await.unwrap().unwrap_err().contains("entry 2"));
    tamper("UPDATE audit SET entry = replace(entry, 'tool_9', 'tool_1') WHERE sequence = 2");
    assert_eq!(store.verify_audit().await.unwrap(), Ok(5));
    tamper("DELETE FROM audit WHERE sequence = 3");
    assert!(store.verify_audit().await.unwrap().unwrap_err().contains("entry 3"));
}

async fn a_missing_or_damaged_blob_is_found(place: &Place<'_>) {
    let store = place.open().await;
    let blob = store.put_blob("base;").await.unwrap();
    let (_, _) = model(&store, "House", b"base;").await;
    let bytes = place.blob(&store, &blob.sha256).await;
    std::fs::write(&bytes, "bass;").unwrap();
    assert_eq!(store.check(false).await.unwrap().len(), 0);
    assert_eq!(store.check(true).await.unwrap().len(), 1);
    std::fs::remove_file(&bytes).unwrap();
    assert_eq!(store.check(false).await.unwrap().len(), 1);
}

async fn a_file_is_taken_in_whole_or_not_at_all(place: &Place<'_>) {
    let store = place.open().await;
    let file = place.folder().join("in.ifc");
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

async fn a_file_that_is_there_is_only_replaced_when_asked(place: &Place<'_>) {
    let store = place.open().await;
    let new = store.put_blob("new").await.unwrap();
    let blob_path = store.blob_file(&new.sha256).await.unwrap();
    let target = place.folder().join("out.ifc");
    std::fs::write(&target, "old").unwrap();
    assert!(!store.export(&blob_path, &target, false).await.unwrap());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "old");
    assert!(store.export(&blob_path, &target, true).await.unwrap());
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "new");
    let other = place.folder().join("other.ifc");
    assert!(store.export(&blob_path, &other, false).await.unwrap());
    let names = std::fs::read_dir(place.folder()).unwrap().flatten().map(|entry| entry.file_name());
    let files: Vec<_> = names.filter(|name| name != "data" && name != "blobs").collect();
    assert_eq!(files.len(), 2, "nothing half written is left: {files:?}");
    assert!(store.export(&blob_path, &place.folder().join("no/such/folder.ifc"), true).await.is_err());
}

async fn tables_made_by_a_later_program_are_refused(place: &Place<'_>) {
    drop(place.open().await);
    place.sql("INSERT INTO migrations (step, time_ms) VALUES (998, 0)").unwrap();
    let refused = place.try_open().await.err().unwrap().to_string();
    assert!(refused.contains("a later program (step 998"), "{refused}");
    place.sql("INSERT INTO migrations (step, time_ms, program) VALUES (999, 0, '9.1.0')").unwrap();
    let refused = place.try_open().await.err().unwrap().to_string();
    assert!(refused.contains("a later program, Pensaer 9.1.0 (step 999"), "{refused}");
}

/// Whatever checkpoints are made and whenever, every version reads as its file and all deltas up to it.
fn checkpoints_never_change_what_a_version_reads_as<'a>(cases: u32, place: impl Fn() -> Place<'a>) {
    let steps = prop::collection::vec((any::<bool>(), 0_usize..12), 1..24);
    let mut runner = TestRunner::new(ProptestConfig { cases, ..ProptestConfig::default() });
    let outcome = runner.run(&steps, |steps| {
        on_runtime(checkpoints(&place(), steps));
        Ok(())
    });
    outcome.unwrap();
}

async fn checkpoints(place: &Place<'_>, steps: Vec<(bool, usize)>) {
    let store = place.open().await;
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
}

fn object(key: &str, blob: Option<Blob>) -> ObjectDraft {
    ObjectDraft {
        key: key.into(),
        version: OperationId::new().0,
        blob,
        media_type: "application/pdf".into(),
        principal: "ada".into(),
        time_ms: now_ms(),
        model_id: None,
        model_version: None,
    }
}

async fn an_object_keeps_every_version_and_its_deletion_is_one(place: &Place<'_>) {
    let store = place.open().await;
    let blobs = [store.put_blob("first").await.unwrap(), store.put_blob("second").await.unwrap()];
    let mut versions = Vec::new();
    for blob in blobs.iter().cloned() {
        let put = store.put_object(object("plans/ground.pdf", Some(blob)), None).await.unwrap();
        versions.push(put.unwrap().version);
    }
    store.put_object(object("plans/%.pdf", Some(blobs[0].clone())), None).await.unwrap().unwrap();
    let newest = store.object("plans/ground.pdf", None).await.unwrap().unwrap();
    assert_eq!((newest.sha256.as_ref(), &newest.version), (Some(&blobs[1].sha256), &versions[1]));
    let first = store.object("plans/ground.pdf", Some(&versions[0])).await.unwrap().unwrap();
    assert_eq!(first.sha256.as_ref(), Some(&blobs[0].sha256));

    let listed = store.objects("plans/", 1, None).await.unwrap();
    assert_eq!(listed.items[0].key, "plans/%.pdf");
    let rest = store.objects("plans/", 1, listed.next_cursor.as_deref()).await.unwrap();
    assert_eq!((rest.items[0].key.as_str(), rest.next_cursor), ("plans/ground.pdf", None));
    assert!(store.objects("plan%", 10, None).await.unwrap().items.is_empty(), "a prefix is no pattern");

    store.put_object(object("plans/ground.pdf", None), None).await.unwrap().unwrap();
    assert_eq!(store.object("plans/ground.pdf", None).await.unwrap().unwrap().sha256, None);
    assert_eq!(store.objects("plans/", 10, None).await.unwrap().items.len(), 1);
    let history = store.object_versions("plans/ground.pdf", 2, None).await.unwrap();
    assert_eq!((history.items.len(), history.items[1].version == versions[1]), (2, true));
    let rest = store.object_versions("plans/ground.pdf", 2, history.next_cursor.as_deref()).await.unwrap();
    assert_eq!((rest.items[0].version == versions[0], rest.next_cursor), (true, None));
    for key in ["", "/a", "a//b", "a/../b", "a\\b", "a\nb", &"x".repeat(513)] {
        assert!(store.put_object(object(key, None), None).await.is_err(), "{key:?}");
    }
    // nothing of it is thrown away, the deleted neither
    let all = Retention { unnamed: Duration::ZERO, ..Retention::default() };
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(store.discard(&all, false).await.unwrap().blobs, 0);
    assert!(place.sql("DELETE FROM objects").is_err(), "versions stay");
}

async fn a_read_only_store_changes_nothing_of_record(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let asked = || held(&id, Some(&first), None, LATER);
    let waiting = store.hold(asked(), by_call("delete_elements")).await.unwrap().approval_id;
    let kept = store.put_blob("pdf".as_bytes()).await.unwrap();
    drop(store);

    let config = StoreConfig { read_only: true, ..place.config() };
    let store = Store::open(config).await.unwrap();
    let refused = |error: StoreError| assert!(matches!(error, StoreError::ReadOnly), "{error}");
    refused(store.commit(draft(&id, Some(&first), Content::Delta(b"x;".to_vec()))).await.unwrap_err());
    refused(store.change_ref(ref_change(&id, "draft", &first, EventType::BranchCreated)).await.unwrap_err());
    refused(store.hold(asked(), by_call("delete_elements")).await.unwrap_err());
    let no = decided(&waiting, contract::ApprovalStatus::Rejected);
    refused(store.reject(no, entry("decide_approval")).await.unwrap_err());
    refused(store.put_object(object("plans/a.pdf", Some(kept)), None).await.unwrap_err());
    let key = KeyRow { id: "k1".into(), principal: "ada".into(), created_ms: now_ms(), record: json!({}) };
    refused(store.put_key(key).await.unwrap_err());
    assert_eq!(store.expire_approvals().await.unwrap(), 0);
    assert_eq!(store.head(&id, crate::MAIN).await.unwrap(), Some(first));
    // what reading leaves behind is kept
    store.audit(entry("query_elements")).await.unwrap();
    store
        .set_session("ada", &SessionState { ifc: Some(id.clone()), ..SessionState::default() })
        .await
        .unwrap();
    assert!(store.session("ada").await.unwrap().is_some());
    sound(&store).await;
}

async fn of_two_writers_of_an_object_who_expect_the_same_one_wins(place: &Place<'_>) {
    let store = place.open().await;
    let write = |expected: &str| store.put_object(object("report.json", None), Some(expected.into()));
    let blob = store.put_blob("{}").await.unwrap();
    let first =
        store.put_object(object("report.json", Some(blob.clone())), Some(String::new())).await.unwrap();
    let first = first.unwrap().version;
    let taken = write("").await.unwrap().unwrap_err();
    assert_eq!(taken.map(|newest| newest.version), Some(first.clone()));
    let mut racing = Vec::new();
    for _ in 0..6 {
        let (store, first, blob) = (store.clone(), first.clone(), blob.clone());
        racing.push(tokio::spawn(async move {
            store.put_object(object("report.json", Some(blob)), Some(first)).await.unwrap().is_ok()
        }));
    }
    let mut won = 0;
    for racer in racing {
        won += usize::from(racer.await.unwrap());
    }
    assert_eq!(won, 1);
}
