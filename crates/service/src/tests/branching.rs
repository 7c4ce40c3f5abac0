//! Branches as their callers see them: where a session is, what a change goes to, how both sides become one.

use super::*;
use contract::{EventType, FaultCode, ModelId};

async fn house(world: &World) -> ModelId {
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    world.ask("set_line", json!({ "text": "height=3" })).await;
    ModelId(made["model_id"].as_str().unwrap().into())
}

async fn set(world: &World, text: &str) -> Value {
    world.ask("set_line", json!({ "text": text })).await
}

async fn lines_of(world: &World, version: &str) -> Vec<String> {
    words(&world.ask("lines", json!({ "model_version": version })).await["lines"])
}

#[tokio::test]
async fn a_session_works_on_its_branch_and_main_stays_as_it_is() {
    let world = world().await;
    let id = house(&world).await;
    world.ask("create_branch", json!({ "name": "side" })).await;
    set(&world, "height=4").await;
    assert_eq!(world.lines().await, ["first", "height=4"]);
    assert_eq!(lines_of(&world, "main").await, ["first", "height=3"]);
    // another session of the same model is on main
    let elsewhere = here(std::path::Path::new("/somewhere/else"));
    let arguments = json!({ "model_id": id, "text": "width=1" });
    world.service.call(&elsewhere, "set_line", arguments).await.unwrap();
    assert_eq!(lines_of(&world, "main").await, ["first", "height=3", "width=1"]);
    assert_eq!(world.lines().await, ["first", "height=4"]);
    // one call may name a branch
    world.ask("set_line", json!({ "text": "depth=1", "model_version": "main" })).await;
    assert_eq!(lines_of(&world, "main").await, ["depth=1", "first", "height=3", "width=1"]);
    // undo and redo are the branch's own
    world.ask("undo", json!({})).await;
    assert_eq!(world.lines().await, ["first", "height=3"]);
    world.ask("undo", json!({ "steps": -1 })).await;
    assert_eq!(world.lines().await, ["first", "height=4"]);
    world.ask("switch_branch", json!({ "name": "main" })).await;
    assert_eq!(world.lines().await, ["depth=1", "first", "height=3", "width=1"]);
    assert_eq!(world.store.check(true).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_merge_is_a_version_with_two_parents_and_the_session_goes_with_it() {
    let world = world().await;
    let id = house(&world).await;
    world.ask("create_branch", json!({ "name": "side" })).await;
    let theirs = set(&world, "height=4").await;
    world.ask("set_line", json!({ "text": "width=1", "model_version": "main" })).await;
    let preview = world.ask("merge_branch", json!({ "source": "side", "dry_run": true })).await;
    assert_eq!(preview["status"], "preview");
    let merged = world.ask("merge_branch", json!({ "source": "side", "reasoning": "it is good" })).await;
    assert_eq!(world.lines().await, ["first", "height=4", "width=1"], "the session is on main now");
    let version = world.store.version(&id, merged["model_version"].as_str().unwrap()).await.unwrap();
    assert_eq!(version.merged.unwrap().0, theirs["model_version"].as_str().unwrap());
    assert_eq!(version.event_type, EventType::VersionMerged);
    assert_eq!(version.reasoning.as_deref(), Some("it is good"));
    world.executor.forget();
    assert_eq!(world.lines().await, ["first", "height=4", "width=1"], "it opens from what is kept");
    // there is nothing left to merge, and what is done on the branch afterwards is merged from there
    let again = world.ask("merge_branch", json!({ "source": "side" })).await;
    assert_eq!((again.get("event_id"), &again["base"]), (None, &theirs["model_version"]));
    world.ask("set_line", json!({ "text": "height=5", "model_version": "side" })).await;
    let again = world.ask("merge_branch", json!({ "source": "side" })).await;
    assert_eq!(again["base"], theirs["model_version"]);
    assert_eq!(world.lines().await, ["first", "height=5", "width=1"]);
    // a merge is undone as one edit
    world.ask("undo", json!({})).await;
    assert_eq!(world.lines().await, ["first", "height=4", "width=1"]);
    assert_eq!(world.store.check(true).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_target_that_has_not_moved_gets_a_merge_version_all_the_same() {
    let world = world().await;
    let id = house(&world).await;
    world.ask("create_branch", json!({ "name": "side" })).await;
    set(&world, "height=4").await;
    let merged = world.ask("merge_branch", json!({ "source": "side" })).await;
    let version = world.store.version(&id, merged["model_version"].as_str().unwrap()).await.unwrap();
    assert!(version.merged.is_some() && version.parent.is_some());
    assert_eq!(world.lines().await, ["first", "height=4"]);
}

#[tokio::test]
async fn conflicts_say_both_sides_and_commit_nothing_until_they_are_decided() {
    let world = world().await;
    let id = house(&world).await;
    world.ask("create_branch", json!({ "name": "side" })).await;
    set(&world, "height=4").await;
    let main = world.ask("set_line", json!({ "text": "height=5", "model_version": "main" })).await;
    let fault = world.call("merge_branch", json!({ "source": "side" })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Conflict);
    let conflict = &fault.data["conflicts"][0];
    assert_eq!([&conflict["ours"], &conflict["theirs"]], ["height=5", "height=4"]);
    assert_eq!(world.store.model(&id).await.unwrap().head.0, main["model_version"].as_str().unwrap());
    assert_eq!(world.lines().await, ["first", "height=4"], "the session stayed where it was");
    let arguments = json!({ "source": "side", "resolve": { "height": "theirs" }, "idempotency_key": "m" });
    let merged = world.ask("merge_branch", arguments.clone()).await;
    assert_eq!(world.ask("merge_branch", arguments).await, merged, "a retry is answered, not done again");
    assert_eq!(world.lines().await, ["first", "height=4"]);
    assert_eq!(lines_of(&world, main["model_version"].as_str().unwrap()).await, ["first", "height=5"]);
}

#[tokio::test]
async fn branches_are_named_well_deleted_and_brought_back() {
    let world = world().await;
    let id = house(&world).await;
    for name in ["main", "head", "beef", "../x", ""] {
        let fault = world.call("create_branch", json!({ "name": name })).await.unwrap_err();
        assert_eq!((fault.code, &fault.data["field"]), (FaultCode::InvalidParams, &json!("name")), "{name}");
    }
    world.ask("create_branch", json!({ "name": "side" })).await;
    let there = world.call("create_branch", json!({ "name": "side" })).await.unwrap_err();
    assert!(there.message.contains("already"), "{there}");
    set(&world, "height=4").await;
    let gone = world.ask("delete_branch", json!({ "name": "side" })).await;
    assert_eq!(world.lines().await, ["first", "height=3"], "the session is on main");
    let fault = world.call("switch_branch", json!({ "name": "side" })).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["branches"]), (FaultCode::NotFound, &json!(["main"])));
    assert!(world.call("delete_branch", json!({ "name": "main" })).await.is_err());
    world.ask("create_branch", json!({ "name": "side", "from": gone["head"] })).await;
    assert_eq!(world.lines().await, ["first", "height=4"]);
    let events = world.store.events(Some(&id), 0, 20).await.unwrap();
    let kinds: Vec<&str> = events.iter().map(|event| event.event_type.as_str()).collect();
    let expected =
        ["ModelChanged", "ModelChanged", "BranchCreated", "ModelChanged", "BranchDeleted", "BranchCreated"];
    assert_eq!(kinds, expected);
    assert_eq!(world.store.replay().await.unwrap(), world.store.projection().await.unwrap());
}

#[tokio::test]
async fn a_session_that_is_cleared_has_no_model_and_the_model_stays() {
    let world = world().await;
    let id = house(&world).await;
    world.ask("create_branch", json!({ "name": "side" })).await;
    world.ask("clear_session", json!({})).await;
    assert_eq!(world.call("lines", json!({})).await.unwrap_err().code, FaultCode::NoModelLoaded);
    world.ask("select", json!({ "id": id })).await;
    set(&world, "height=9").await;
    assert_eq!(lines_of(&world, "main").await, ["first", "height=9"], "it begins on main again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn merges_from_two_gateways_at_once_are_both_there() {
    let world = world().await;
    let id = house(&world).await;
    for name in ["a", "b", "c", "d"] {
        world.ask("create_branch", json!({ "name": name, "from": "main", "stay": true })).await;
        let arguments = json!({ "text": format!("{name}=1"), "model_version": name });
        world.ask("set_line", arguments).await;
    }
    let gateways = [world.service.clone(), world.another_gateway()];
    let merging: Vec<_> = ["a", "b", "c", "d"]
        .into_iter()
        .enumerate()
        .map(|(n, name)| {
            let (service, context) = (gateways[n % 2].clone(), here(world.folder.path()));
            tokio::spawn(async move {
                service.call(&context, "merge_branch", json!({ "source": name })).await.unwrap();
            })
        })
        .collect();
    for merge in merging {
        merge.await.unwrap();
    }
    assert_eq!(lines_of(&world, "main").await, ["a=1", "b=1", "c=1", "d=1", "first", "height=3"]);
    assert_eq!(world.store.replay().await.unwrap(), world.store.projection().await.unwrap());
    assert_eq!(world.store.model(&id).await.unwrap().name, "House");
}
