//! Changes that wait for somebody's yes, with an event for each step on their way.

use super::place::Place;
use super::*;
use contract::{Action, ApprovalRecord, ApprovalStatus, EventRecord};

pub(super) fn by_call(tool: &str) -> ByCall {
    ByCall { operation_id: OperationId::new(), tool: tool.into(), params_sha256: format!("{tool}'s") }
}

pub(super) fn held(
    model: &ModelId,
    base: Option<&VersionId>,
    blob: Option<&Blob>,
    expires_ms: u64,
) -> HeldChange {
    let id = OperationId::new().0;
    HeldChange {
        request_sha256: id.clone(),
        record: ApprovalRecord {
            approval_id: id,
            status: ApprovalStatus::Pending,
            tool: "delete_elements".into(),
            action: Action::Delete,
            requested_by: "ada".into(),
            reasoning: Some("nobody needs it".into()),
            gate: "care".into(),
            gates: Vec::new(),
            reason: "It deletes.".into(),
            may_decide: vec!["approver".into()],
            model_id: model.clone(),
            model: "House".into(),
            base: base.cloned(),
            changes: None,
            requested_ms: now_ms(),
            expires_ms,
            decided_by: None,
            in_person: false,
            decided_ms: None,
            comment: None,
            version: None,
        },
        draft: json!({}),
        blob_sha256: blob.map(|blob| blob.sha256.clone()),
    }
}

pub(super) fn decided(id: &str, status: ApprovalStatus) -> Decided {
    Decided {
        approval_id: id.into(),
        status,
        by: "ben".into(),
        in_person: false,
        comment: Some("so be it".into()),
        time_ms: now_ms(),
        call: by_call("decide_approval"),
    }
}

pub(super) const LATER: u64 = 1 << 60;

/// The events of the log that are about approvals.
async fn told(store: &Store) -> Vec<EventRecord> {
    let events = store.events(None, 0, 1000).await.unwrap();
    events.into_iter().filter(|event| event.approval.is_some()).collect()
}

pub(super) async fn every_step_of_an_approval_is_an_event(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let mut hears = store.subscribe();
    let asked = held(&id, Some(&first), None, LATER);
    let asked_by = by_call("delete_elements");
    let record = store.hold(asked.clone(), asked_by.clone()).await.unwrap();
    assert_eq!(store.hold(asked, by_call("delete_elements")).await.unwrap(), record, "asked once");

    let mut commit = draft(&id, Some(&first), Content::Delta(b"gone;".to_vec()));
    let version = commit.version.clone();
    commit.approval = Some(decided(&record.approval_id, ApprovalStatus::Approved));
    let outcome = store.commit(commit.clone()).await.unwrap();
    assert!(matches!(outcome, CommitOutcome::Committed { .. }), "{outcome:?}");
    let late = decided(&record.approval_id, ApprovalStatus::Rejected);
    assert_eq!(
        store.reject(late, entry("decide_approval")).await.unwrap(),
        None,
        "the first decision counts"
    );

    let other = store.hold(held(&id, Some(&version), None, LATER), by_call("x")).await.unwrap();
    let no = decided(&other.approval_id, ApprovalStatus::Rejected);
    assert!(store.reject(no, entry("decide_approval")).await.unwrap().is_some());

    let told = told(&store).await;
    let steps: Vec<_> = told
        .iter()
        .map(|event| {
            (event.event_type.as_str(), event.approval.as_ref().unwrap().status, event.actor.as_str())
        })
        .collect();
    let expected = [
        ("ApprovalRequested", ApprovalStatus::Pending, "ada"),
        ("ApprovalDecided", ApprovalStatus::Approved, "ben"),
        ("ApprovalRequested", ApprovalStatus::Pending, "ada"),
        ("ApprovalDecided", ApprovalStatus::Rejected, "ben"),
    ];
    assert_eq!(steps, expected);
    let (asked, yes) = (&told[0], &told[1]);
    assert_eq!(
        (asked.tool.as_str(), &asked.params_sha256, &asked.operation_id, asked.reasoning.as_deref()),
        ("delete_elements", &asked_by.params_sha256, &asked_by.operation_id, Some("nobody needs it"))
    );
    assert_eq!((asked.version.as_ref(), asked.ref_name.as_ref()), (Some(&first), None));
    assert_eq!((yes.version.as_ref(), yes.reasoning.as_deref()), (Some(&version), Some("so be it")));
    assert_eq!(yes.tool, "decide_approval");
    // those who follow along hear the same, in the same order
    let mut heard = Vec::new();
    while heard.len() < told.len() {
        let event = tokio::time::timeout(PATIENCE, hears.recv()).await.unwrap().unwrap();
        heard.extend(event.approval.is_some().then_some(event));
    }
    assert_eq!(heard, told);
    sound(&store).await;
}

pub(super) async fn what_waits_too_long_is_written_off_once(place: &Place<'_>) {
    let store = place.open().await;
    // of a model that is not there yet
    let id = ModelId::new();
    let record = store.hold(held(&id, None, None, 1), by_call("create_project")).await.unwrap();
    assert_eq!(
        store.held(&record.approval_id).await.unwrap().unwrap().record.status,
        ApprovalStatus::Expired
    );
    assert_eq!(store.expire_approvals().await.unwrap(), 1);
    assert_eq!(store.expire_approvals().await.unwrap(), 0);
    let yes = decided(&record.approval_id, ApprovalStatus::Rejected);
    assert_eq!(store.reject(yes, entry("decide_approval")).await.unwrap(), None);
    let told = told(&store).await;
    assert_eq!(told.len(), 2);
    assert_eq!((told[1].actor.as_str(), &told[1].version), ("nobody", &None));
    assert_eq!(told[1].approval.as_ref().unwrap().status, ApprovalStatus::Expired);
    assert_eq!(told[1].operation_id, told[0].operation_id);
    let listed = store.approvals(false, 10, None).await.unwrap().items;
    assert_eq!(listed[0].status, ApprovalStatus::Expired);
    sound(&store).await;
}

pub(super) async fn what_a_pending_approval_needs_is_not_thrown_away(place: &Place<'_>) {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let waits = store.put_blob(vec![7; 100_000]).await.unwrap();
    let stray = store.put_blob(vec![8; 100_000]).await.unwrap();
    store.hold(held(&id, Some(&first), Some(&waits), LATER), by_call("x")).await.unwrap();
    tokio::time::sleep(Duration::from_millis(5)).await;
    let all = Retention { derived: Duration::ZERO, unnamed: Duration::ZERO, ..Retention::default() };
    store.discard(&all, false).await.unwrap();
    assert_eq!(store.blob(&waits.sha256).await.unwrap().len(), 100_000);
    assert!(store.blob(&stray.sha256).await.is_err());
    sound(&store).await;
}
