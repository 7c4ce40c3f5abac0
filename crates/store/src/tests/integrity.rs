//! One flipped bit, a row that went or came, a log written anew: each is found and named, and what is proven by a hash is brought
//! back.

use super::approvals::{LATER, by_call, decided, held};
use super::place::{Kind, Place};
use super::*;
use contract::{Actor, ApprovalStatus, DiffSummary, EventSubject, Manifest};
use std::fmt::Write as _;

/// A store with some of everything that is vouched for.
struct Furnished {
    store: Store,
    model: ModelId,
    first: VersionId,
    /// With its delta in the row.
    small: VersionId,
    /// With its delta in the bucket.
    large: VersionId,
    blob: String,
    approval: String,
}

async fn furnished(place: &Place<'_>) -> Furnished {
    let store = place.open().await;
    let (id, first) = model(&store, "House", b"base;").await;
    let mut commit = draft(&id, Some(&first), Content::Delta(b"a wall of three metres".to_vec()));
    let manifest = Manifest {
        operation_id: commit.operation_id.clone(),
        tool: "create_wall".into(),
        adapter: "native".into(),
        adapter_version: "1".into(),
        inputs: Vec::new(),
        params_sha256: "p".into(),
        started_ms: 1,
        duration_us: 2,
        actor: Actor::default(),
        reasoning: None,
        sandbox: vec!["landlock 7".into()],
    };
    commit.manifest = Some(Box::new(manifest));
    commit.summary =
        Some(DiffSummary { added: [("IfcWall".to_owned(), 1)].into(), ..DiffSummary::default() });
    commit.subject = Some(EventSubject::of_change(commit.summary.as_ref(), json!({ "height": 3000 })));
    if let Some(entry) = &mut commit.audit {
        entry.model_id = Some(id.clone());
    }
    let small = commit.version.clone();
    assert!(matches!(store.commit(commit).await.unwrap(), CommitOutcome::Committed { .. }));
    let (large, _) = add(&store, &id, &vec![7; 100_000]).await;
    let asked = store.hold(held(&id, Some(&large), None, LATER), by_call("delete_elements")).await.unwrap();
    let no = decided(&asked.approval_id, ApprovalStatus::Rejected);
    assert!(store.reject(no, entry("decide_approval")).await.unwrap().is_some());
    for table in ["audit", "events"] {
        place.unlock(table);
    }
    let blob = contract::sha256_hex(&vec![7; 100_000]);
    Furnished { store, model: id, first, small, large, blob, approval: asked.approval_id }
}

/// The one finding of a store.
async fn only(store: &Store, deep: bool) -> String {
    let found = store.check(deep).await.unwrap();
    assert!(!found.is_empty(), "nothing was found");
    found.join("\n")
}

pub(super) async fn one_flipped_bit_is_found_and_named_wherever_it_is(place: &Place<'_>) {
    let Furnished { store, model, small, large, blob, approval, .. } = furnished(place).await;
    sound(&store).await;
    let version = format!("version_id = '{small}'");
    let in_approval = format!("approval_id = '{approval}'");
    let decision = format!("approval_id = '{approval}' AND event_type = 'ApprovalDecided'");
    let event = format!("version_id = '{small}'");
    let of_main = "name = 'main'".to_owned();
    let third = "sequence = 3".to_owned();
    let bits = [
        (
            "versions",
            "delta",
            &version,
            Kind::Bytes,
            vec![format!("version {small} of model {model}"), "delta".into()],
        ),
        (
            "versions",
            "manifest",
            &version,
            Kind::Text,
            vec![format!("version {small} of model {model} was changed: its column manifest")],
        ),
        (
            "versions",
            "summary",
            &version,
            Kind::Text,
            vec![format!("version {small} of model {model} was changed: its column summary")],
        ),
        (
            "versions",
            "author",
            &version,
            Kind::Text,
            vec![format!("version {small} of model {model} was changed: its column author")],
        ),
        (
            "versions",
            "time_ms",
            &version,
            Kind::Number,
            vec![format!("version {small} of model {model} was changed: its column time_ms")],
        ),
        (
            "models",
            "name",
            &"kind = 'ifc'".to_owned(),
            Kind::Text,
            vec![format!("model {model} was changed: its column name")],
        ),
        (
            "refs",
            "changed_ms",
            &of_main,
            Kind::Number,
            vec![format!("ref main of model {model} was changed: its column changed_ms")],
        ),
        (
            "events",
            "subject",
            &event,
            Kind::Text,
            vec![format!("of model {model} was changed: its column subject")],
        ),
        (
            "events",
            "reasoning",
            &event,
            Kind::Text,
            vec![format!("of model {model} was changed: its column reasoning")],
        ),
        (
            "events",
            "actor",
            &decision,
            Kind::Text,
            vec![format!("of model {model} was changed: its column actor")],
        ),
        (
            "approvals",
            "record",
            &in_approval,
            Kind::Text,
            vec![format!("approval {approval} of model {model} was changed: its column record")],
        ),
        (
            "approvals",
            "draft",
            &in_approval,
            Kind::Text,
            vec![format!("approval {approval} of model {model} was changed: its column draft")],
        ),
        (
            "approvals",
            "expires_ms",
            &in_approval,
            Kind::Number,
            vec![format!("approval {approval} of model {model} was changed: its column expires_ms")],
        ),
        ("audit", "principal", &third, Kind::Text, vec!["audit entry 3: its column principal".to_owned()]),
        ("audit", "tool", &third, Kind::Text, vec!["audit entry 3: its column tool".to_owned()]),
        ("audit", "time_ms", &third, Kind::Number, vec!["audit entry 3: its column time_ms".to_owned()]),
        ("audit", "hash", &third, Kind::Text, vec!["audit entry 3 was changed".to_owned()]),
        ("audit", "entry", &third, Kind::Text, vec!["audit entry 3".to_owned()]),
    ];
    for (table, column, of, kind, says) in bits {
        place.flip(table, column, of, kind);
        let found = only(&store, true).await;
        for says in says {
            assert!(found.contains(&says), "{table}.{column}: {found}");
        }
        if table != "versions" || column != "delta" {
            // it takes no reading of every change to find this
            only(&store, false).await;
        }
        if table != "audit" || column == "principal" {
            let verified = store.verify_audit_against(Vec::new()).await.unwrap();
            assert_eq!(verified.is_ok(), column == "delta", "{table}.{column}: {verified:?}");
        }
        place.flip(table, column, of, kind);
        sound(&store).await;
    }
    let path = place.blob(&store, &blob).await;
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[50_000] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let found = only(&store, true).await;
    assert!(
        found.contains(&format!("blob {blob} is damaged: delta of version {large} of model {model}")),
        "{found}"
    );
    bytes[50_000] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    sound(&store).await;
}

pub(super) async fn one_flipped_bit_is_flipped_back_where_a_hash_proves_it(place: &Place<'_>) {
    let Furnished { store, model, first, small, .. } = furnished(place).await;
    let before = content(&store, &small).await;
    let manifest = store.manifest(&small).await.unwrap();
    let events = store.events(None, 0, 100).await.unwrap();
    place.flip("versions", "delta", &format!("version_id = '{small}'"), Kind::Bytes);
    place.flip("versions", "manifest", &format!("version_id = '{small}'"), Kind::Text);
    place.flip("events", "reasoning", &format!("version_id = '{small}'"), Kind::Text);
    place.sql(&format!("UPDATE refs SET version_id = '{first}', changed_ms = 1")).unwrap();
    // a whole file made later, and a picture: both are made again
    let whole = store.put_blob(before.clone()).await.unwrap();
    store.set_checkpoint(&small, &whole.sha256).await.unwrap();
    let picture = store.put_blob("picture").await.unwrap();
    store.put_derived("picture/1", &picture, "image/png").await.unwrap();
    for blob in [&whole, &picture] {
        std::fs::write(place.blob(&store, &blob.sha256).await, "nothing").unwrap();
    }
    let found = store.inspect(true, None).await.unwrap();
    let mendable = found.findings.iter().filter(|finding| finding.is_mendable).count();
    assert_eq!(mendable, 6, "{:?}", found.findings);
    assert_eq!(store.repair(&found, "ada", "admin fsck --repair").await.unwrap(), 6);
    sound(&store).await;
    // forgotten, or brought back where this machine has a copy of what is in the bucket
    if let Some(sha256) = store.whole_file(&small).await.unwrap() {
        assert_eq!(store.blob(&sha256).await.unwrap(), before);
    }
    if let Some(blob) = store.derived("picture/1").await.unwrap() {
        assert_eq!(store.blob(&blob.sha256).await.unwrap(), "picture");
    }
    assert_eq!(content(&store, &small).await, before);
    assert_eq!(store.manifest(&small).await.unwrap(), manifest);
    assert_eq!(store.events(None, 0, 100).await.unwrap(), events);
    assert_ne!(store.model(&model).await.unwrap().head, first);
    let last = store.audit_page(None, 1, None).await.unwrap().items.remove(0);
    assert_eq!((last.principal.as_str(), last.tool.as_str()), ("ada", "admin fsck --repair"));
    assert!(place.sql("DELETE FROM events").unwrap_err().contains("append-only"), "the lock is on again");
    let again = store.inspect(true, None).await.unwrap();
    assert_eq!(store.repair(&again, "ada", "admin fsck --repair").await.unwrap(), 0);
}

pub(super) async fn rows_that_went_and_rows_that_came_are_found(place: &Place<'_>) {
    let Furnished { store, model, first, large, approval, .. } = furnished(place).await;
    place.unchecked(&format!("DELETE FROM versions WHERE version_id = '{large}';"));
    let found = only(&store, true).await;
    assert!(
        found.contains(&format!("version {large}")) && found.contains("is gone; audit entry 3 wrote it"),
        "{found}"
    );
    assert!(found.contains("events are about a version that is not there"), "{found}");

    let place = &place.another();
    let Furnished { store, .. } = furnished(place).await;
    place.unchecked("DELETE FROM events WHERE sequence = 2; DELETE FROM approvals;");
    let found = only(&store, false).await;
    assert!(found.contains("event ") && found.contains("is gone; audit entry 2 wrote it"), "{found}");
    assert!(found.contains("approval ") && found.contains("is gone; audit entry 5 wrote it"), "{found}");
    drop((model, first, approval));

    let place = &place.another();
    let Furnished { store, model, first, .. } = furnished(place).await;
    place
        .sql(&format!(
            "INSERT INTO refs (model_id, name, version_id, changed_ms) VALUES ('{model}', 'mine', '{first}', 1);
             INSERT INTO events (sequence, event_id, event_type, model_id, version_id, actor, tool, params_sha256, operation_id,
                 time_ms, ref_name) VALUES (9, 'e', 'BranchCreated', '{model}', '{first}', 'eve', 't', 'p', 'o', 1, 'mine')"
        ))
        .unwrap();
    let found = only(&store, false).await;
    assert!(found.contains(&format!("no audit entry knows ref mine of model {model}")), "{found}");
    assert!(found.contains(&format!("no audit entry knows event e of model {model}")), "{found}");
}

/// Writes the whole log anew, every entry changed by `change` and every hash made to fit.
async fn write_anew(place: &Place<'_>, store: &Store, change: impl Fn(&mut contract::AuditRecord)) {
    let mut previous = GENESIS.to_owned();
    let mut statements = String::new();
    for mut entry in store.audit_after(0, 200).await.unwrap() {
        change(&mut entry);
        let canonical = canonical_entry(&entry).unwrap();
        previous = chain_hash(&previous, &canonical);
        let text = canonical.replace('\'', "''");
        write!(
            statements,
            "UPDATE audit SET entry = '{text}', hash = '{previous}', principal = '{}' WHERE sequence = {};",
            entry.principal, entry.sequence
        )
        .unwrap();
    }
    place.unchecked(&statements);
}

pub(super) async fn a_log_written_anew_is_found_by_a_head_kept_elsewhere(place: &Place<'_>) {
    let store = furnished(place).await.store;
    let kept = store.audit_head().await.unwrap();
    let known = vec![(kept.sequence, kept.hash.clone())];
    assert_eq!(store.verify_audit_against(known.clone()).await.unwrap(), Ok(kept));
    write_anew(place, &store, |entry| entry.principal = entry.principal.replace("ada", "eve")).await;
    // consistent in itself
    sound(&store).await;
    assert!(store.verify_audit_against(Vec::new()).await.unwrap().is_ok());
    let said = store.verify_audit_against(known.clone()).await.unwrap().unwrap_err().join("\n");
    assert!(said.contains("written anew"), "{said}");
    place.unchecked("DELETE FROM audit WHERE sequence > 2;");
    let said = store.verify_audit_against(known).await.unwrap().unwrap_err().join("\n");
    assert!(said.contains("cut off after 2"), "{said}");
    // and the rows that the end had vouched for are strangers now
    assert!(said.contains("no audit entry knows"), "{said}");
}

pub(super) async fn rows_from_before_entries_vouched_for_any_are_told_and_not_faulted(place: &Place<'_>) {
    let Furnished { store, model, small, .. } = furnished(place).await;
    // as a program of before left it
    write_anew(place, &store, |entry| entry.rows.clear()).await;
    place.unlock("identity");
    place.sql("DELETE FROM identity").unwrap();
    drop(store);
    let store = place.open().await;
    let found = store.inspect(true, None).await.unwrap();
    assert_eq!(found.findings.len(), 0, "{:?}", found.findings);
    let notes = found.notes.join("\n");
    for says in
        ["3 versions not covered", "5 events not covered", "1 approval not covered", "written before 2"]
    {
        assert!(notes.contains(says), "{notes}");
    }
    let (new, _) = add(&store, &model, b"door;").await;
    sound(&store).await;
    // what is new is covered, and what is old has its events for witnesses
    place.flip("versions", "author", &format!("version_id = '{new}'"), Kind::Text);
    place.flip("versions", "tool", &format!("version_id = '{small}'"), Kind::Text);
    let found = only(&store, false).await;
    assert!(
        found.contains(&format!("version {new} of model {model} was changed: its column author")),
        "{found}"
    );
    assert!(
        found.contains(&format!("version {small} of model {model} and its event 2 differ in tool")),
        "{found}"
    );
}

pub(super) async fn what_the_store_does_by_itself_is_in_the_chain(place: &Place<'_>) {
    let Furnished { store, model, small, .. } = furnished(place).await;
    let whole = store.put_blob(content(&store, &small).await).await.unwrap();
    store.set_checkpoint(&small, &whole.sha256).await.unwrap();
    let late = store.hold(held(&model, None, None, 1), by_call("create_wall")).await.unwrap();
    assert_eq!(store.expire_approvals().await.unwrap(), 1);
    sound(&store).await;
    let log = store.audit_page(None, 3, None).await.unwrap().items;
    let steps: Vec<_> =
        log.iter().map(|entry| (entry.principal.as_str(), entry.tool.as_str(), &entry.outcome)).collect();
    let (expired, asked, ok) = (json!("expired"), json!("held"), json!("ok"));
    let expected = [
        ("nobody", "delete_elements", &expired),
        ("ada", "delete_elements", &asked),
        ("system", "checkpoint", &ok),
    ];
    assert_eq!(steps, expected);
    let other = store.put_blob("another building").await.unwrap();
    place
        .sql(&format!(
            "UPDATE versions SET checkpoint_sha256 = '{}' WHERE version_id = '{small}'",
            other.sha256
        ))
        .unwrap();
    let found = only(&store, true).await;
    assert!(
        found.contains(&format!("whole file of version {small}")) && found.contains("checkpoint_sha256"),
        "{found}"
    );
    place
        .sql(&format!("UPDATE approvals SET status = 'pending' WHERE approval_id = '{}'", late.approval_id))
        .unwrap();
    let found = only(&store, false).await;
    assert!(found.contains(&format!("approval {} of model {model}", late.approval_id)), "{found}");
}

#[tokio::test]
async fn a_copy_has_what_no_single_bit_explains() {
    let place = Place::sqlite();
    let Furnished { store, small, large, blob, .. } = furnished(&place).await;
    let copy = place.folder().join("copy");
    store.backup(&copy).await.unwrap();
    let before = content(&store, &small).await;
    place
        .sql(&format!(
            "UPDATE versions SET delta = X'00', manifest = '{{}}' WHERE version_id = '{small}';
             UPDATE events SET reasoning = 'no reason' WHERE version_id = '{small}'; DELETE FROM approvals;"
        ))
        .unwrap();
    std::fs::write(store.blob_file(&blob).await.unwrap(), "nothing").unwrap();
    let alone = store.inspect(true, None).await.unwrap();
    assert!(alone.findings.iter().all(|finding| !finding.is_mendable), "{:?}", alone.findings);
    let remedies: Vec<_> = alone.findings.iter().filter_map(|finding| finding.remedy.as_deref()).collect();
    assert!(
        remedies.iter().any(|remedy| remedy.contains("2 versions from this one on do not open")),
        "{remedies:?}"
    );
    let found = store.inspect(true, Some(&copy)).await.unwrap();
    assert_eq!(found.findings.len(), 5, "{:?}", found.findings);
    assert_eq!(store.repair(&found, "ada", "admin fsck --repair").await.unwrap(), 5);
    sound(&store).await;
    assert_eq!(content(&store, &small).await, before);
    place.unchecked(&format!("DELETE FROM versions WHERE version_id = '{large}';"));
    let found = store.inspect(true, Some(&copy)).await.unwrap();
    assert_eq!(store.repair(&found, "ada", "admin fsck --repair").await.unwrap(), 1, "{:?}", found.findings);
    sound(&store).await;
    let no_copy = store.inspect(false, Some(place.folder())).await.unwrap_err().to_string();
    assert!(no_copy.contains("is no copy"), "{no_copy}");
}
