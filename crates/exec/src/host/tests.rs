use super::*;
use crate::http::{read_request, router};
use crate::testing::{after, at_base, file, host, on, operation};
use contract::{Delta, Effect, ModelKind, Source, VersionId};
use serde_json::{Value, json};

fn small() -> HostConfig {
    HostConfig { threads: 2, queue: 2, ..HostConfig::default() }
}

fn count(input: contract::ModelInput) -> Request {
    on(input, Effect::Query, "count", Value::Null)
}

#[tokio::test]
async fn a_version_is_its_base_and_its_deltas() {
    let (_folder, path) = file();
    let (host, adapter) = host(small());
    let three = host.execute(count(at_base(&path))).await.unwrap();
    assert_eq!(three.result, json!({"lines": 3}));
    let five = host.execute(count(after(&path, &["a", "b"]))).await.unwrap();
    assert_eq!(five.result, json!({"lines": 5}));
    assert_eq!(adapter.opened.load(Ordering::SeqCst), 1, "the base was open already");
    host.execute(count(after(&path, &["a", "b", "c"]))).await.unwrap();
    assert_eq!(adapter.applied.load(Ordering::SeqCst), 3, "only the third delta was new");
}

#[tokio::test]
async fn a_version_that_is_not_open_is_asked_for_with_its_sources() {
    let (_folder, path) = file();
    let (host, _) = host(small());
    let mut bare = at_base(&path);
    (bare.base, bare.base_version) = (None, None);
    let fault = host.execute(count(bare.clone())).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::VersionNotOpen);
    host.execute(count(at_base(&path))).await.unwrap();
    host.execute(count(bare)).await.unwrap();
}

#[tokio::test]
async fn a_change_is_open_under_the_version_it_makes() {
    let (_folder, path) = file();
    let (host, adapter) = host(small());
    let request = on(at_base(&path), Effect::Create, "append", json!({"text": "four"}));
    let artifact = host.execute(request.clone()).await.unwrap();
    let bytes = artifact.changes[0].delta.as_ref().and_then(Source::inline_bytes).unwrap();
    assert_eq!(Delta::decode(&bytes).unwrap().body, b"four");
    let mut next = at_base(&path);
    next.version = VersionId::of_delta(&next.version, &bytes);
    (next.base, next.base_version) = (None, None);
    assert_eq!(host.execute(count(next)).await.unwrap().result, json!({"lines": 4}));
    assert_eq!(adapter.applied.load(Ordering::SeqCst), 0);
    assert_eq!(artifact.manifest.adapter, "lines");
    assert_eq!(artifact.manifest.operation_id, request.operation_id);
    assert_eq!(artifact.manifest.inputs[0].model.version.as_ref(), Some(&request.models[0].version));
}

#[tokio::test]
async fn deltas_that_do_not_lead_to_the_version_are_refused() {
    let (_folder, path) = file();
    let (host, _) = host(small());
    let mut swapped = after(&path, &["a", "b"]);
    swapped.deltas.swap(0, 1);
    let fault = host.execute(count(swapped)).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["field"]), (FaultCode::InvalidParams, &json!("models[0].deltas")));

    let mut damaged = Delta::new(ModelKind::Ifc, b"a".to_vec()).encode();
    damaged[20] ^= 1;
    let mut input = at_base(&path);
    input.version = VersionId::of_delta(&input.version, &damaged);
    input.deltas.push(Source::inline(&damaged));
    let fault = host.execute(count(input)).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["field"]), (FaultCode::BackendFailed, &json!("models[0].deltas[0]")));
    assert!(host.execute(count(at_base(&path))).await.is_ok());
}

#[tokio::test]
async fn an_operation_is_resolved_by_name_and_effect() {
    let (host, _) = host(small());
    let fault = host.execute(operation(Effect::Query, "cuont", Value::Null)).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["near_matches"]), (FaultCode::NotSupported, &json!(["count"])));
    let fault = host.execute(operation(Effect::Modify, "count", Value::Null)).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["expected"]), (FaultCode::InvalidParams, &json!("query")));
}

#[tokio::test]
async fn a_panic_ends_one_call_and_names_the_operation() {
    let (_folder, path) = file();
    let (host, _) = host(small());
    let fault = host.execute(on(at_base(&path), Effect::Modify, "panic", Value::Null)).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    assert!(fault.message.contains("panic failed") && fault.message.contains("line 7"), "{fault}");
    for _ in 0..4 {
        assert!(host.execute(count(at_base(&path))).await.is_ok(), "its thread was given back");
    }
}

#[tokio::test]
async fn more_calls_than_the_queue_holds_are_turned_away() {
    let (host, _) = host(small());
    let calls: Vec<_> = (0..8)
        .map(|_| {
            let host = Arc::clone(&host);
            tokio::spawn(
                async move { host.execute(operation(Effect::Query, "sleep", json!({"ms": 200}))).await },
            )
        })
        .collect();
    let mut busy = 0;
    for call in calls {
        busy += usize::from(call.await.unwrap().is_err_and(|fault| fault.code == FaultCode::Busy));
    }
    assert_eq!(busy, 4, "two ran, two waited");
}

#[tokio::test]
async fn what_lasts_gives_its_thread_to_what_was_just_begun_as_far_as_more_may_run() {
    let (_folder, path) = file();
    let (host, _) = host(HostConfig { threads: 3, begun: 2, ..HostConfig::default() });
    let sleep = |ms: u64| {
        let host = Arc::clone(&host);
        tokio::spawn(async move { host.execute(operation(Effect::Query, "sleep", json!({"ms": ms}))).await })
    };
    let lasting = [sleep(1500), sleep(1500)];
    while host.running.lock().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(host.execute(count(at_base(&path))).await.unwrap().result, json!({"lines": 3}));
    assert!(lasting.iter().all(|one| !one.is_finished()), "they were not waited for");
    let more = [sleep(30), sleep(30), sleep(30), sleep(30), sleep(30), sleep(30)];
    while more.iter().any(|one| !one.is_finished()) {
        assert!(host.running.lock().len() <= 3, "more run than may");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    for one in lasting.into_iter().chain(more) {
        one.await.unwrap().unwrap();
    }
    // every thread was given back once
    assert_eq!((host.threads.available_permits(), host.running.lock().len()), (2, 0));
}

#[tokio::test]
async fn a_call_past_its_deadline_is_not_begun() {
    let (host, _) = host(small());
    let late = Request { deadline_ms: 1, ..operation(Effect::Query, "sleep", Value::Null) };
    assert_eq!(host.execute(late).await.unwrap_err().code, FaultCode::Cancelled);
}

#[tokio::test]
async fn an_answer_too_large_is_a_fault_that_says_so() {
    let (host, _) = host(small());
    let mut request = operation(Effect::Query, "flood", Value::Null);
    assert!(host.execute(request.clone()).await.is_ok());
    request.limits.result_bytes = 1000;
    let fault = host.execute(request).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["result_bytes"]), (FaultCode::LimitReached, &json!(1000)));
}

/// Each of these is refused by the published schema and by the types, and the types name the member.
#[test]
fn the_types_refuse_what_the_schema_refuses_and_name_the_member() {
    let good = serde_json::to_value(operation(Effect::Query, "count", json!({"a": 1}))).unwrap();
    let schema = jsonschema::validator_for(&contract::schema_of::<Request>()).unwrap();
    assert!(schema.is_valid(&good));
    let check = |path: &str, value: Option<Value>, field: &str| {
        let mut bad = good.clone();
        let (parent, member) = path.rsplit_once('/').unwrap();
        let parent = bad.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
        match value {
            Some(value) => parent.insert(member.into(), value),
            None => parent.remove(member),
        };
        assert!(!schema.is_valid(&bad), "the schema takes {path}");
        let fault = read_request(bad.to_string().as_bytes()).unwrap_err();
        assert_eq!((fault.code, &fault.data["field"]), (FaultCode::InvalidParams, &json!(field)), "{fault}");
    };
    check("/operation/effect", Some(json!("destroy")), "operation.effect");
    check("/operation/name", Some(json!(7)), "operation.name");
    check("/operation/name", None, "operation");
    check("/operation/colour", Some(json!("red")), "operation.colour");
    check("/time_ms", Some(json!("now")), "time_ms");
    check("/models", Some(json!([{"role": "model"}])), "models[0]");
    check("/files", Some(json!([{"role": 1}])), "files[0].role");
    check("/surprise", Some(json!(1)), "surprise");
}

/// Status and body of one call over HTTP.
async fn http(method: &str, path: &str, body: impl Into<axum::body::Body>) -> (u16, Value) {
    use tower::ServiceExt as _;
    let (host, _) = host(small());
    let request = axum::http::Request::builder().method(method).uri(path).body(body.into()).unwrap();
    let answer = router(Arc::new(host), 4096).oneshot(request).await.unwrap();
    let status = answer.status().as_u16();
    let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into()))
}

#[tokio::test]
async fn every_answer_of_the_http_interface_is_an_artifact_or_a_fault() {
    let call = serde_json::to_string(&operation(Effect::Query, "count", json!({}))).unwrap();
    let (status, artifact) = http("POST", "/query", call.clone()).await;
    assert_eq!((status, &artifact["result"]["lines"]), (200, &json!(0)));
    let check = async |method, path, body: String, status, code: FaultCode| {
        let (found, fault) = http(method, path, body).await;
        assert_eq!((found, &fault["code"]), (status, &json!(code.number())), "{method} {path}: {fault}");
        assert!(fault["message"].as_str().unwrap().len() > 20);
    };
    check("POST", "/modify", call.clone(), 400, FaultCode::InvalidParams).await;
    check("POST", "/query", "{".into(), 400, FaultCode::InvalidParams).await;
    check("POST", "/query", "x".repeat(5000), 413, FaultCode::LimitReached).await;
    check("GET", "/query", String::new(), 404, FaultCode::NotFound).await;
    check("POST", "/destroy", call.clone(), 404, FaultCode::NotFound).await;
    check("POST", "/query", call.replace("count", "cout"), 501, FaultCode::NotSupported).await;
    assert_eq!(http("GET", "/healthz", String::new()).await.1["status"], "ok");
    assert_eq!(http("GET", "/info", String::new()).await.1["adapters"][0]["name"], "lines");
    assert_eq!(http("GET", "/openapi.json", String::new()).await.1["openapi"], "3.1.0");
    let figures = http("GET", "/metrics", String::new()).await.1;
    assert!(figures.as_str().unwrap().contains("pensaer_exec_cache_bytes 0"), "{figures}");
}

#[tokio::test]
async fn work_ends_when_its_caller_goes_away() {
    let (host, adapter) = host(small());
    let request = operation(Effect::Query, "work", json!({"total": 0}));
    let id = request.operation_id.clone();
    let executor: Arc<dyn Executor> = Arc::new(Arc::clone(&host));
    let app = router(Arc::clone(&executor), 4096);
    let ask = async || {
        use tower::ServiceExt as _;
        let path = format!("/progress/{id}");
        let request = axum::http::Request::get(path).body(axum::body::Body::empty()).unwrap();
        app.clone().oneshot(request).await.unwrap().status().as_u16()
    };
    assert_eq!(ask().await, 404);
    let running = tokio::spawn(async move { executor.run(request).await });
    while host.progress(&id).await.is_none_or(|progress| progress.done == 0) {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(ask().await, 200);
    assert_eq!(host.progress(&id).await.and_then(|progress| progress.total), None);
    running.abort();
    while adapter.given_up.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    while host.progress(&id).await.is_some() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
