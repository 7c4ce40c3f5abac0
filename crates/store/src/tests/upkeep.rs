//! Copies, ways back from them, and what is thrown away.

use super::*;
use std::path::Path;

/// A store with a model of several versions, a file and a blob that can be made again.
async fn furnished(folder: &Path) -> (Store, ModelId) {
    let store = open(folder).await;
    let (id, _) = model(&store, "House", b"base;").await;
    for n in 0..5 {
        add(&store, &id, format!("delta {n}").as_bytes()).await;
    }
    let derived = store.put_blob("tile").await.unwrap();
    store.put_derived("tile/1", &derived, "model/gltf-binary").await.unwrap();
    (store, id)
}

#[tokio::test]
async fn a_copy_is_restored_as_it_was_and_a_second_one_only_brings_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let (store, id) = furnished(&folder.path().join("data")).await;
    let copy = folder.path().join("copy");
    let first = store.backup(&copy).await.unwrap();
    assert_eq!((first.blobs, first.copied), (2, 2));
    add(&store, &id, &vec![7; 100_000]).await;
    let second = store.backup(&copy).await.unwrap();
    assert_eq!((second.blobs, second.copied), (3, 1));
    let expected = store.versions(&id, 100, None).await.unwrap();

    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    restore(&copy, &other).await.unwrap();
    let restored = open(&other).await;
    assert_eq!(restored.versions(&id, 100, None).await.unwrap(), expected);
    assert_eq!(restored.check(true).await.unwrap(), Vec::<String>::new());
    let again = restore(&copy, &other).await.unwrap_err().to_string();
    assert!(again.contains("holds a store already"), "{again}");
}

#[tokio::test]
async fn a_damaged_copy_is_refused_and_a_damaged_original_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = furnished(&folder.path().join("data")).await;
    let copy = folder.path().join("copy");
    store.backup(&copy).await.unwrap();
    let base = store.put_blob("base;").await.unwrap();
    let (first, rest) = base.sha256.split_at(2);
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(copy.join("blobs").join(first).join(rest), "fake;").unwrap();
    let refused = restore(&copy, &other).await.unwrap_err().to_string();
    assert!(refused.contains(&base.sha256), "{refused}");
    assert!(!other.join("pensaer.db").exists(), "no store is there by half");
    std::fs::write(copy.join("pensaer.db"), "not a database").unwrap();
    assert!(restore(&copy, &folder.path().join("third")).await.is_err());

    std::fs::write(store.blob_file(&base.sha256).await.unwrap(), "fake;").unwrap();
    let noticed = store.backup(&folder.path().join("next")).await.unwrap_err().to_string();
    assert!(noticed.contains("fsck"), "{noticed}");
}

#[tokio::test]
async fn what_nothing_names_goes_when_it_is_old_and_nothing_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let (store, id) = furnished(folder.path()).await;
    let stray = store.put_blob("stray").await.unwrap();
    // what waits for a yes, and what a link leads to, is named by them alone
    let waits = store.put_blob("waits").await.unwrap();
    let head = store.model(&id).await.unwrap().head;
    let waiting = approvals::held(&id, Some(&head), Some(&waits), approvals::LATER);
    store.hold(waiting, approvals::by_call("delete_elements")).await.unwrap();
    let linked = store.put_blob("linked").await.unwrap();
    let link = LinkRow {
        secret_sha256: "s".into(),
        principal: contract::Principal::default(),
        name: "plan.svg".into(),
        media_type: "image/svg+xml".into(),
        blob_sha256: Some(linked.sha256.clone()),
        bytes: linked.size,
        created_ms: now_ms(),
        expires_ms: approvals::LATER,
    };
    store.put_link(link).await.unwrap();
    let keep = Retention::default();
    assert_eq!(store.discard(&keep, false).await.unwrap().blobs, 0, "all of it is young");
    tokio::time::sleep(Duration::from_millis(5)).await;
    let none = Duration::ZERO;
    let all = Retention { derived: none, unnamed: none, ..Retention::default() };
    let would = store.discard(&all, true).await.unwrap();
    assert_eq!((would.blobs, would.derived), (2, 1));
    assert!(store.blob_file(&stray.sha256).await.unwrap().exists(), "it was only asked");
    let did = store.discard(&all, false).await.unwrap();
    assert_eq!(did, would);
    assert!(!store.blob_file(&stray.sha256).await.unwrap().exists());
    for blob in [&waits, &linked] {
        assert!(store.blob_file(&blob.sha256).await.unwrap().exists());
    }
    assert_eq!(store.check(true).await.unwrap(), Vec::<String>::new());
    assert!(store.lineage(&store.model(&id).await.unwrap().head).await.is_ok());
    // written again, it is there again
    assert_eq!(store.put_blob("stray").await.unwrap(), stray);
    assert!(store.blob_file(&stray.sha256).await.unwrap().exists());
}
