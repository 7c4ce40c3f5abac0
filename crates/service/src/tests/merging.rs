//! Changes put on another ground, and branches joined.

use super::*;
use crate::call::{Call, Opening};
use contract::{FaultCode, ModelId, ModelRecord, VersionId};
use std::time::Instant;

/// A call that does nothing by itself.
fn call(world: &World) -> Call {
    let arguments = json!({});
    let opening = Opening {
        tool: "test",
        effect: Effect::Modify,
        action: contract::Action::Modify,
        entry: None,
        arguments: &arguments,
        started: Instant::now(),
    };
    let principal = contract::Principal {
        name: "ada".into(),
        roles: vec!["author".into()],
        local: true,
        ..Default::default()
    };
    Call::new(world.service.inner(), &here(world.folder.path()), principal, opening)
}

/// A model, a change prepared on its head and not committed, and that head.
async fn prepared(world: &World, line: &str) -> (ModelRecord, Vec<u8>, VersionId) {
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    world.ask("set_line", json!({ "text": "height=3" })).await;
    let model = world.store.model(&ModelId(made["model_id"].as_str().unwrap().into())).await.unwrap();
    let call = call(world);
    let operation = contract::Operation {
        effect: Effect::Modify,
        name: "set_line".into(),
        params: json!({ "text": line }),
    };
    let subject = crate::run::Subject { role: "model", model: &model, version: &model.head };
    let artifact = call.run(operation, &[subject], None).await.unwrap();
    let delta = call.only_delta(&artifact, None).await.unwrap().unwrap();
    let head = model.head.clone();
    (model, delta, head)
}

async fn head(world: &World, model: &ModelRecord) -> VersionId {
    world.store.model(&model.model_id).await.unwrap().head
}

#[tokio::test]
async fn a_prepared_change_is_put_on_a_head_that_moved_on_and_still_does_the_same() {
    let world = world().await;
    let (model, delta, base) = prepared(&world, "height=4").await;
    world.ask("add_line", json!({ "text": "wall" })).await;
    let head = head(&world, &model).await;
    world.executor.forget();
    let rebased = call(&world).rebased(&model, &base, &delta, &head).await.unwrap();
    assert!(rebased.is_same_effect());
    assert_eq!(rebased.delta.as_deref(), Some(delta.as_slice()), "the lines of a delta know no place");
    let same = call(&world).rebased(&model, &base, &delta, &base).await.unwrap();
    assert_eq!((same.is_same_effect(), same.delta), (true, Some(delta)));
}

#[tokio::test]
async fn a_prepared_change_that_others_made_meanwhile_does_less() {
    let world = world().await;
    let (model, delta, base) = prepared(&world, "height=4").await;
    world.ask("set_line", json!({ "text": "height=4" })).await;
    let head = head(&world, &model).await;
    let rebased = call(&world).rebased(&model, &base, &delta, &head).await.unwrap();
    assert_eq!((rebased.is_same_effect(), rebased.delta), (false, None));
}

#[tokio::test]
async fn a_prepared_change_that_cannot_hold_beside_others_is_a_conflict_with_both_sides() {
    let world = world().await;
    let (model, delta, base) = prepared(&world, "height=4").await;
    world.ask("set_line", json!({ "text": "height=5" })).await;
    let head = head(&world, &model).await;
    let fault = call(&world).rebased(&model, &base, &delta, &head).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Conflict);
    assert_eq!(fault.data["conflicts"][0]["ours"], "height=5");
    assert_eq!(fault.data["conflicts"][0]["theirs"], "height=4");
    assert!(fault.message.contains("height=5 or height=4"), "{}", fault.message);
}
