//! Changes: many at once, pinned, repeated, previewed, undone, cut off.

use super::*;
use contract::{FaultCode, ModelId};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[tokio::test]
async fn a_change_answers_what_was_written_and_is_recorded() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    assert_eq!(made["status"], "created");
    let mut events = world.service.subscribe();
    let answer = world.ask("add_line", json!({ "text": "wall", "reasoning": "the plan shows it" })).await;
    assert_eq!(answer["status"], "created");
    assert!(answer["line_id"].as_str().unwrap().starts_with("wall "));
    assert_eq!(answer["changes"]["added"]["Line"], 1);
    assert!(answer.get("model_id").is_none(), "the session's own model is not repeated: {answer}");
    let event = events.try_recv().unwrap();
    assert_eq!(answer["event_id"], event.event_id.0);
    assert_eq!(answer["model_version"], json!(event.version));
    assert_eq!(event.event_type.as_str(), "ElementCreated");
    assert_eq!((event.tool.as_str(), event.ref_name.as_deref()), ("add_line", Some("main")));
    assert_eq!(world.lines().await, ["first", "wall"]);
    let audit = world.store.audit_page(None, 10, None).await.unwrap().items;
    let entry = audit.iter().find(|entry| entry.tool == "add_line").unwrap();
    assert_eq!(entry.reasoning.as_deref(), Some("the plan shows it"));
    assert_eq!(entry.outcome, "ok");
    assert_eq!(entry.version_after, event.version);
    assert_eq!(entry.result["line_id"], answer["line_id"], "the answer is kept");
    let about = event.subject.unwrap();
    assert_eq!(about.parameters["text"], "wall");
    let version = event.version.unwrap();
    let manifest = world.store.manifest(&version).await.unwrap().unwrap();
    assert_eq!((manifest.tool.as_str(), &manifest.operation_id), ("add_line", &event.operation_id));
    assert_eq!(entry.manifest.as_ref(), Some(&manifest));
    assert!(world.store.verify_audit().await.unwrap().is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn eight_clients_of_two_gateways_add_to_one_model_and_nothing_is_lost() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    let id = made["model_id"].as_str().unwrap().to_owned();
    let gateways = [world.service.clone(), world.another_gateway()];
    let clients: Vec<_> = (0..8)
        .map(|client: usize| {
            let (service, id) = (gateways[client % 2].clone(), id.clone());
            let context = here(world.folder.path());
            tokio::spawn(async move {
                for n in 0..10 {
                    let arguments = json!({ "text": format!("{client}.{n}"), "model_id": id });
                    service.call(&context, "add_line", arguments).await.unwrap();
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let lines = world.lines().await;
    assert_eq!(lines.len(), 81);
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), 81);
    let ran = world.executor.runs.load(Ordering::SeqCst);
    assert!(ran > 82, "two gateways do meet, and run again: {ran}");
    assert_eq!(world.store.events(Some(&ModelId(id)), 0, 100).await.unwrap().len(), 81);
    assert_eq!(world.store.check(true).await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn clients_of_one_gateway_take_turns_and_never_run_twice() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    world.executor.delay_ms.store(2, Ordering::SeqCst);
    let before = world.executor.runs.load(Ordering::SeqCst);
    let clients: Vec<_> = (0..8)
        .map(|n| {
            let (service, context) = (world.service.clone(), here(world.folder.path()));
            tokio::spawn(
                async move { service.call(&context, "add_line", json!({ "text": n.to_string() })).await },
            )
        })
        .collect();
    for client in clients {
        client.await.unwrap().unwrap();
    }
    // The first opened the version from its sources: one more.
    assert!(world.executor.runs.load(Ordering::SeqCst) - before <= 9);
}

#[tokio::test]
async fn a_pinned_version_that_is_no_longer_the_head_is_a_conflict() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    let pinned = made["model_version"].clone();
    let first = world.ask("add_line", json!({ "text": "a", "model_version": pinned })).await;
    let fault = world.call("add_line", json!({ "text": "b", "model_version": pinned })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Conflict);
    assert_eq!(fault.data["head"], first["model_version"]);
    assert_eq!(world.lines().await, ["a", "first"]);
    let old = world.ask("lines", json!({ "model_version": pinned })).await;
    assert_eq!(words(&old["lines"]), ["first"], "old versions stay readable");
}

#[tokio::test]
async fn a_repeated_key_gives_the_first_answer_and_changes_nothing_more() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let arguments = json!({ "text": "wall", "idempotency_key": "k" });
    let first = world.ask("add_line", arguments.clone()).await;
    let again = world.ask("add_line", arguments.clone()).await;
    assert_eq!(first, again);
    let elsewhere = world.another_gateway().call(&here(world.folder.path()), "add_line", arguments).await;
    assert_eq!(serde_json::to_value(elsewhere.unwrap()).unwrap(), first);
    let other = world.call("add_line", json!({ "text": "door", "idempotency_key": "k" })).await.unwrap_err();
    assert_eq!((other.code, &other.data["field"]), (FaultCode::InvalidParams, &json!("idempotency_key")));
    assert_eq!(world.lines().await, ["first", "wall"]);
    let undone = world.ask("undo", json!({ "idempotency_key": "u" })).await;
    assert_eq!(world.ask("undo", json!({ "idempotency_key": "u" })).await, undone);
    assert_eq!(world.ask("undo", json!({ "idempotency_key": "u" })).await["steps"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_key_from_many_at_once_makes_one_change() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let gateways = [world.service.clone(), world.another_gateway()];
    let calls: Vec<_> = (0..10)
        .map(|n| {
            let (service, context) = (gateways[n % 2].clone(), here(world.folder.path()));
            let arguments = json!({ "text": "wall", "idempotency_key": "k" });
            tokio::spawn(async move { service.call(&context, "add_line", arguments).await.unwrap() })
        })
        .collect();
    let mut answers = BTreeSet::new();
    for call in calls {
        answers.insert(serde_json::to_string(&call.await.unwrap()).unwrap());
    }
    assert_eq!(answers.len(), 1, "{answers:#?}");
    assert_eq!(world.lines().await, ["first", "wall"]);
}

#[tokio::test]
async fn a_dry_run_shows_the_change_and_commits_nothing() {
    let world = world().await;
    let preview = world.ask("create_project", json!({ "name": "House", "dry_run": true })).await;
    assert_eq!(preview["status"], "preview");
    assert!(world.store.models(10, None).await.unwrap().items.is_empty());
    world.ask("create_project", json!({ "name": "House" })).await;
    let preview = world.ask("add_line", json!({ "text": "wall", "dry_run": true })).await;
    assert_eq!(preview["status"], "preview");
    assert_eq!(preview["changes"]["added"]["Line"], 1);
    assert!(preview.get("event_id").is_none() && preview.get("model_version").is_none());
    assert_eq!(world.lines().await, ["first"]);
    world.ask("add_line", json!({ "text": "wall" })).await;
    let preview = world.ask("undo", json!({ "dry_run": true })).await;
    assert_eq!(preview["changes"]["removed"]["Line"], 1);
    assert_eq!(world.lines().await, ["first", "wall"]);
}

#[tokio::test]
async fn a_change_that_changes_nothing_makes_no_version() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    let answer = world.ask("leave_it", json!({})).await;
    assert_eq!(answer["status"], "unchanged");
    assert_eq!(answer["model_version"], made["model_version"]);
    assert!(answer.get("event_id").is_none());
}

#[tokio::test]
async fn undo_redo_and_restore_are_new_versions() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    for text in ["a", "b", "c"] {
        world.ask("add_line", json!({ "text": text })).await;
    }
    world.ask("undo", json!({ "steps": 2 })).await;
    assert_eq!(world.lines().await, ["a", "first"]);
    world.ask("undo", json!({ "steps": -1 })).await;
    assert_eq!(world.lines().await, ["a", "b", "first"]);
    let all = world.ask("undo", json!({ "steps": -5 })).await;
    assert_eq!(all["steps"], 1);
    assert_eq!(world.lines().await, ["a", "b", "c", "first"]);
    assert_eq!(
        world.call("undo", json!({ "steps": -1 })).await.unwrap_err().code,
        FaultCode::ConstraintViolation
    );
    world.ask("restore", json!({ "to": made["model_version"] })).await;
    assert_eq!(world.lines().await, ["first"]);
    world.ask("undo", json!({})).await;
    assert_eq!(world.lines().await, ["a", "b", "c", "first"], "a restore is undone as one edit");
    world.ask("undo", json!({})).await;
    world.ask("add_line", json!({ "text": "d" })).await;
    assert!(
        world.call("undo", json!({ "steps": -1 })).await.is_err(),
        "after an edit there is nothing to redo"
    );
    let id = ModelId(made["model_id"].as_str().unwrap().into());
    let history = world.store.versions(&id, 50, None).await.unwrap().items;
    assert_eq!(history.len(), 1 + 3 + 3 + 1 + 2 + 1);
    assert_eq!(history.iter().filter(|version| version.same_as.is_some()).count(), 6);
    world.executor.forget();
    assert_eq!(world.lines().await, ["a", "b", "d", "first"], "and all of it opens from what is kept");
}

#[tokio::test]
async fn undo_reaches_an_earlier_edit_even_where_the_content_is_the_same() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    world.ask("add_line", json!({ "text": "a" })).await;
    world.ask("restore", json!({ "to": made["model_version"] })).await;
    let undone = world.ask("undo", json!({ "steps": 2 })).await;
    assert_eq!(undone["steps"], 2);
    assert_eq!(world.lines().await, ["first"]);
    world.ask("undo", json!({ "steps": -1 })).await;
    assert_eq!(world.lines().await, ["a", "first"]);
    world.ask("undo", json!({ "steps": -1 })).await;
    world.executor.forget();
    assert_eq!(world.lines().await, ["first"]);
    assert_eq!(world.store.check(true).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_backend_that_fails_commits_nothing_and_is_audited_with_the_reason() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    let fault = world.call("die", json!({ "reasoning": "to see" })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    let model = world.store.find_model("House").await.unwrap();
    assert_eq!(model.head.0, made["model_version"].as_str().unwrap());
    let last = world.store.audit_page(None, 1, None).await.unwrap().items.remove(0);
    assert_eq!((last.tool.as_str(), &last.outcome["code"]), ("die", &json!(1010)));
    assert_eq!(last.reasoning.as_deref(), Some("to see"));
    assert_eq!(last.model_id, Some(model.model_id));
}

#[tokio::test]
async fn a_call_given_up_is_audited_and_changes_nothing() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    world.executor.delay_ms.store(10_000, Ordering::SeqCst);
    let call = world.call("add_line", json!({ "text": "wall" }));
    assert!(tokio::time::timeout(Duration::from_millis(50), call).await.is_err());
    world.executor.delay_ms.store(0, Ordering::SeqCst);
    world.ask("add_line", json!({ "text": "door" })).await;
    assert_eq!(world.lines().await, ["door", "first"]);
    let audit = world.store.audit_page(None, 10, None).await.unwrap().items;
    assert!(audit.iter().any(|entry| entry.outcome == "cancelled"));
}

#[tokio::test]
async fn a_long_history_gets_a_whole_file_and_opens_from_it() {
    let config = ServiceConfig { checkpoint_deltas: 8, ..ServiceConfig::default() };
    let world = world_with(config).await;
    world.ask("create_project", json!({ "name": "House" })).await;
    for n in 0..30 {
        world.ask("add_line", json!({ "text": format!("{n:02}") })).await;
    }
    let head = world.store.find_model("House").await.unwrap().head;
    let mut deltas = usize::MAX;
    for _ in 0..100 {
        deltas = world.store.lineage(&head).await.unwrap().deltas.len();
        if deltas < 16 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(deltas < 16, "{deltas} deltas are left");
    world.executor.forget();
    assert_eq!(world.lines().await.len(), 31);
    assert_eq!(world.store.check(true).await.unwrap(), Vec::<String>::new());
}
