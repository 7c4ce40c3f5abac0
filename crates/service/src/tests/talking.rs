//! Who is spoken to about what: principals, sessions, names, faults.

use super::*;
use contract::{Action, FaultCode};

fn over_http(session: Option<&str>) -> CallContext {
    CallContext {
        credentials: Credentials::Local { user: "ada".into() },
        mcp_session: session.map(str::to_owned),
        ..CallContext::default()
    }
}

#[tokio::test]
async fn a_caller_who_shows_nothing_is_refused_and_that_is_audited() {
    let world = world().await;
    let fault = world.service.call(&CallContext::default(), "lines", json!({})).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Unauthenticated);
    let last = world.store.audit_page(None, 1, None).await.unwrap().items.remove(0);
    assert_eq!((last.tool.as_str(), &last.outcome["code"]), ("lines", &json!(1015)));
}

#[tokio::test]
async fn a_read_only_server_reads_and_changes_nothing() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let config =
        ServiceConfig { policy: Arc::new(governance::Policy::open(true)), ..ServiceConfig::default() };
    let reading = Service::new(world.store.clone(), world.executor.clone(), catalogue(), config);
    let context = here(world.folder.path());
    assert!(reading.call(&context, "lines", json!({})).await.is_ok());
    for (tool, arguments) in [("add_line", json!({ "text": "x" })), ("undo", json!({})), ("load", json!({}))]
    {
        let fault = reading.call(&context, tool, arguments).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::PermissionDenied, "{tool}");
    }
    let performed =
        reading.perform(&context, "upload", Action::Create, json!({}), |_| Box::pin(async { Ok(()) })).await;
    assert_eq!(performed.unwrap_err().code, FaultCode::PermissionDenied);
}

#[tokio::test]
async fn sessions_are_told_apart_by_session_id_token_and_folder() {
    let world = world().await;
    let call = |context: CallContext, tool: &'static str, arguments: Value| {
        let service = world.service.clone();
        async move { service.call(&context, tool, arguments).await.map(|a| serde_json::to_value(a).unwrap()) }
    };
    let (one, two) = (over_http(Some("one")), over_http(Some("two")));
    call(one.clone(), "create_project", json!({ "name": "A" })).await.unwrap();
    let fault = call(two.clone(), "lines", json!({})).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::NoModelLoaded);
    assert_eq!(fault.message, "No model loaded. Use load_model or new_model first.");
    assert!(call(one, "lines", json!({})).await.is_ok());

    let made = call(over_http(None), "create_project", json!({ "name": "B" })).await.unwrap();
    let token = made["session"].as_str().unwrap().to_owned();
    assert!(call(over_http(None), "lines", json!({})).await.is_err());
    assert!(call(over_http(None), "lines", json!({ "session": token })).await.is_ok());
    let stranger = CallContext {
        credentials: Credentials::Local { user: "bob".into() },
        session_token: Some(token),
        ..CallContext::default()
    };
    assert!(call(stranger, "lines", json!({})).await.is_err(), "a token is of use to its principal only");

    call(here(world.folder.path()), "select", json!({ "id": "B" })).await.unwrap();
    let restarted = world.another_gateway();
    assert!(restarted.call(&here(world.folder.path()), "lines", json!({})).await.is_ok());
    assert!(restarted.call(&here(Path::new("/elsewhere")), "lines", json!({})).await.is_err());
}

#[tokio::test]
async fn a_configured_model_serves_sessions_that_have_none() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let context = CallContext { default_model: Some("House".into()), ..over_http(None) };
    assert!(world.service.call(&context, "lines", json!({})).await.is_ok());
    let context = CallContext { default_model: Some("Hose".into()), ..over_http(None) };
    let fault = world.service.call(&context, "lines", json!({})).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::ModelNotFound);
    assert_eq!(fault.data["near_matches"], json!(["House"]));
}

#[tokio::test]
async fn models_are_named_by_id_or_by_a_name_that_only_one_has() {
    let world = world().await;
    let house = world.ask("create_project", json!({ "name": "House" })).await;
    let answer = world.ask("add_line", json!({ "text": "x", "model_id": "House" })).await;
    assert_eq!(answer["model_id"], house["model_id"]);
    world.ask("create_project", json!({ "name": "House" })).await;
    let fault = world.call("lines", json!({ "model_id": "House" })).await.unwrap_err();
    assert_eq!(fault.data["candidates"].as_array().unwrap().len(), 2);
    assert!(world.call("lines", json!({ "model_id": house["model_id"] })).await.is_ok());
    let fault = world.call("lines", json!({ "model_version": "ffffffff" })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::VersionNotFound);
}

#[tokio::test]
async fn unknown_tools_and_parameters_are_refused_with_what_was_meant() {
    let world = world().await;
    let fault = world.call("add_lin", json!({})).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["near_matches"][0]), (FaultCode::InvalidParams, &json!("add_line")));
    let fault = world.call("add_line", json!({ "txt": "a" })).await.unwrap_err();
    assert_eq!(fault.data["near_matches"], json!(["text"]));
}

#[tokio::test]
async fn what_the_executor_has_forgotten_it_is_given_again() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    world.ask("add_line", json!({ "text": "a" })).await;
    world.ask("add_line", json!({ "text": "b" })).await;
    let before = world.executor.opened_from_sources.load(std::sync::atomic::Ordering::SeqCst);
    world.lines().await;
    assert_eq!(world.executor.opened_from_sources.load(std::sync::atomic::Ordering::SeqCst), before);
    world.executor.forget();
    assert_eq!(world.lines().await, ["a", "b", "first"]);
    assert_eq!(world.executor.opened_from_sources.load(std::sync::atomic::Ordering::SeqCst), before + 1);
}

#[tokio::test]
async fn an_answer_that_is_too_large_becomes_a_file_with_a_link() {
    let config = ServiceConfig { answer_bytes: 2000, ..ServiceConfig::default() };
    let world = world_with(config).await;
    world.ask("create_project", json!({ "name": "House" })).await;
    world.ask("add_line", json!({ "text": "x".repeat(5000) })).await;
    let answer = world.ask("lines", json!({})).await;
    assert!(answer.to_string().len() < 2500);
    assert_eq!(answer["omitted"], json!(["lines"]));
    let href = answer["links"][0]["href"].as_str().unwrap();
    let key = href.split_once("/bucket/files/").unwrap().1.to_owned();
    let found = world
        .service
        .perform(&here(world.folder.path()), "download", Action::Export, json!({}), |platform| {
            Box::pin(async move { platform.file(&key).await })
        })
        .await;
    let (file, name, media_type) = found.unwrap();
    assert_eq!((name.as_str(), media_type.as_str()), ("lines.json", "application/json"));
    assert!(std::fs::metadata(file.path).unwrap().len() > 5000);
}
