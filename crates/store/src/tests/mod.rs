//! What the store promises: atomic commits, refs that move only by compare-and-swap, versions that open from what is kept,
//! an audit log that shows every change to it; the same on every database.

mod approvals;
mod branches;
pub(crate) mod bucket;
pub(crate) mod cluster;
mod conformance;
mod crashes;
mod gateways;
mod histories;
mod integrity;
mod jobs;
mod limits;
mod outages;
pub(crate) mod place;
mod upkeep;

use crate::*;
use contract::{EventId, EventType, ModelId, ModelKind, OperationId, VersionId};
use serde_json::json;
use std::time::Duration;

/// Longer than anything takes on a machine that is busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn on_runtime<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build();
    runtime.unwrap().block_on(work)
}

/// A store in a folder.
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
        merged: None,
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
        event_type: EventType::WallCreated,
        summary: None,
        manifest: None,
        subject: None,
        audit: Some(entry("create_wall")),
        approval: None,
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
        result: serde_json::Value::Null,
        manifest: None,
        reasoning: None,
        duration_us: 5,
    }
}

/// A new model with one file; its id and first version.
pub(crate) async fn model(store: &Store, name: &str, bytes: &[u8]) -> (ModelId, VersionId) {
    let blob = store.put_blob(bytes.to_vec()).await.unwrap();
    let id = ModelId::new();
    let mut first = draft(&id, None, Content::File { sha256: blob.sha256, size: blob.size });
    first.new_model = Some(NewModel { name: name.into(), kind: ModelKind::Ifc, origin: None });
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
            CommitOutcome::Decided => panic!("no approval was given"),
        }
    }
}

/// The content of a version: its file and its deltas, one after another.
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
