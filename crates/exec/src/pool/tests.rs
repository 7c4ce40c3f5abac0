//! The workers of these tests are this test program, started again.

use super::*;
use crate::WorkerConfig;
use crate::testing::{Lines, after, at_base, file, on, operation};
use contract::Effect;
use serde_json::{Value, json};
use std::io::Write as _;
use std::time::Instant;

/// Not a test: what runs in a worker.
#[test]
#[ignore = "runs only as the worker process of the other tests"]
fn worker_process() {
    let WorkerConfig { socket, .. } = crate::sandbox::receive().unwrap();
    let adapter: Arc<dyn contract::Adapter> = Arc::new(Lines::default());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(crate::serve(vec![adapter], crate::ServeConfig::at(socket))).unwrap();
}

fn config() -> PoolConfig {
    let this = std::env::current_exe().unwrap();
    let command = ["--exact", "pool::tests::worker_process", "--ignored", "--nocapture"].map(Into::into);
    let command = std::iter::once(this.into()).chain(command).collect();
    PoolConfig::new(command, WorkerConfig::default())
}

fn pool() -> Arc<Pool> {
    Arc::new(Pool::start(config()).unwrap())
}

fn count(path: &Path) -> Request {
    on(at_base(path), Effect::Query, "count", Value::Null)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_through_a_worker_process_answers_as_the_host_does() {
    let (_folder, path) = file();
    let pool = pool();
    assert_eq!(pool.run(count(&path)).await.unwrap().result, json!({"lines": 3}));
    let more = on(after(&path, &["a"]), Effect::Create, "append", json!({"text": "b"}));
    assert_eq!(pool.run(more).await.unwrap().changes.len(), 1);
    assert_eq!(pool.info().await.unwrap().adapters[0].name, "lines");
    let fault = pool.run(operation(Effect::Query, "unheard_of", Value::Null)).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::NotSupported);
}

fn kill(id: u32) {
    std::process::Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
}

/// The id of the pool's one worker, once there is one that is none of these.
async fn next_worker(pool: &Pool, not: &[u32]) -> u32 {
    let begun = Instant::now();
    loop {
        if let Some(id) = pool.worker_ids().await.first().filter(|id| !not.contains(id)) {
            return *id;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "no other worker");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn sleeping(pool: &Arc<Pool>, ms: u64) -> tokio::task::JoinHandle<Result<Artifact, Fault>> {
    let pool = Arc::clone(pool);
    tokio::spawn(async move { pool.run(operation(Effect::Query, "sleep", json!({"ms": ms}))).await })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_worker_dies_is_run_again_on_another() {
    let (_folder, path) = file();
    let pool = pool();
    pool.run(count(&path)).await.unwrap();
    let before = next_worker(&pool, &[]).await;
    let held = sleeping(&pool, 700);
    tokio::time::sleep(Duration::from_millis(200)).await;
    kill(before);
    assert_eq!(held.await.unwrap().unwrap().result, json!({"slept": true}));
    assert_ne!(next_worker(&pool, &[]).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_under_which_two_workers_die_ends_as_a_fault_that_says_how() {
    let (_folder, path) = file();
    let pool = pool();
    pool.run(count(&path)).await.unwrap();
    let first = next_worker(&pool, &[]).await;
    let held = sleeping(&pool, 30_000);
    tokio::time::sleep(Duration::from_millis(200)).await;
    kill(first);
    let second = next_worker(&pool, &[first]).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    kill(second);
    let fault = held.await.unwrap().unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    assert!(fault.message.contains("signal: 9") && fault.message.contains("running sleep"), "{fault}");
    assert_eq!(pool.run(count(&path)).await.unwrap().result, json!({"lines": 3}));
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_beside_one_that_kills_its_worker_are_answered() {
    let (_folder, path) = file();
    let mut config = config();
    config.groups[0].workers = 2;
    let pool = Arc::new(Pool::start(config).unwrap());
    let innocent: Vec<_> = (0..6).map(|_| sleeping(&pool, 300)).collect();
    tokio::time::sleep(Duration::from_millis(150)).await;
    let fault = pool.run(on(at_base(&path), Effect::Modify, "abort", Value::Null)).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    for call in innocent {
        assert_eq!(call.await.unwrap().unwrap().result, json!({"slept": true}));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_killed_between_calls_is_not_noticed_by_the_next() {
    let (_folder, path) = file();
    let pool = pool();
    for _ in 0..3 {
        pool.run(count(&path)).await.unwrap();
        kill(next_worker(&pool, &[]).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    pool.run(count(&path)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_that_takes_its_process_down_costs_only_itself() {
    let (_folder, path) = file();
    let pool = pool();
    for _ in 0..2 {
        let fault = pool.run(on(at_base(&path), Effect::Modify, "abort", Value::Null)).await.unwrap_err();
        assert!(fault.message.contains("nothing was committed"), "{fault}");
    }
    pool.run(count(&path)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_does_not_end_is_given_up_and_others_do_not_suffer() {
    let (_folder, path) = file();
    let mut config = config();
    config.call_limit = Duration::from_millis(300);
    config.grace = Duration::from_millis(300);
    let pool = Arc::new(Pool::start(config).unwrap());
    pool.run(count(&path)).await.unwrap();
    let before = pool.worker_ids().await;
    let stuck = {
        let pool = Arc::clone(&pool);
        tokio::spawn(async move { pool.run(operation(Effect::Query, "sleep", json!({"ms": 60_000}))).await })
    };
    // This one is under way when the worker is killed: it has a deadline of its own, later than that.
    tokio::time::sleep(Duration::from_millis(450)).await;
    let patient = crate::host::unix_ms(std::time::SystemTime::now()) + 20_000;
    let innocent = Request { deadline_ms: patient, ..operation(Effect::Query, "sleep", json!({"ms": 400})) };
    let innocent = pool.run(innocent).await;
    assert_eq!(stuck.await.unwrap().unwrap_err().code, FaultCode::Cancelled);
    assert_eq!(innocent.unwrap().result, json!({"slept": true}), "it was run again on the new worker");
    assert_ne!(pool.worker_ids().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_goes_away_does_not_leave_a_stuck_worker_behind() {
    let (_folder, path) = file();
    let mut config = config();
    config.grace = Duration::from_millis(200);
    let pool = Arc::new(Pool::start(config).unwrap());
    pool.run(count(&path)).await.unwrap();
    let before = pool.worker_ids().await;
    let gone = pool.run(operation(Effect::Query, "sleep", json!({"ms": 60_000})));
    assert!(tokio::time::timeout(Duration::from_millis(100), gone).await.is_err());
    let begun = Instant::now();
    while pool.worker_ids().await == before {
        assert!(begun.elapsed() < Duration::from_secs(10), "the worker was not replaced");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn work_that_asks_whether_it_is_wanted_ends_with_its_caller_and_the_worker_stays() {
    let mut config = config();
    config.grace = Duration::from_millis(300);
    let pool = Pool::start(config).unwrap();
    let before = next_worker(&pool, &[]).await;
    // it never ends by itself, and holds the thread that read the request
    let gone = pool.run(operation(Effect::Query, "work", json!({"total": 0})));
    assert!(tokio::time::timeout(Duration::from_millis(200), gone).await.is_err());
    // one that went on would be killed by now
    tokio::time::sleep(Duration::from_millis(900)).await;
    pool.run(operation(Effect::Query, "sleep", json!({"ms": 0}))).await.unwrap();
    assert_eq!(next_worker(&pool, &[]).await, before, "the worker is the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_given_up_while_it_waits_is_never_begun_and_harms_nobody() {
    let (_folder, path) = file();
    let mut config = config();
    config.grace = Duration::from_millis(200);
    let pool = Arc::new(Pool::start(config).unwrap());
    pool.run(count(&path)).await.unwrap();
    let before = next_worker(&pool, &[]).await;
    let threads = std::thread::available_parallelism().unwrap().get();
    // as many as one principal is let in with: some more than there are processors
    let busy: Vec<_> = (0..=threads + crate::host::GUESTS).map(|_| sleeping(&pool, 1500)).collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let abort = pool.run(on(at_base(&path), Effect::Modify, "abort", Value::Null));
    assert!(tokio::time::timeout(Duration::from_millis(200), abort).await.is_err());
    for call in busy {
        assert_eq!(call.await.unwrap().unwrap().result, json!({"slept": true}));
    }
    pool.run(count(&path)).await.unwrap();
    assert_eq!(next_worker(&pool, &[]).await, before, "the worker is the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_that_drains_ends_what_runs_and_begins_nothing() {
    let pool = pool();
    pool.run(operation(Effect::Query, "sleep", json!({"ms": 0}))).await.unwrap();
    let running = sleeping(&pool, 500);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!pool.drain(Duration::from_millis(10)).await);
    let fault = pool.run(operation(Effect::Query, "sleep", json!({"ms": 0}))).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["draining"]), (FaultCode::Busy, &json!(true)));
    assert!(pool.drain(Duration::from_secs(10)).await);
    assert_eq!(running.await.unwrap().unwrap().result, json!({"slept": true}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_that_is_dropped_takes_its_workers_with_it() {
    let pool = pool();
    pool.info().await.unwrap();
    let id = pool.worker_ids().await[0];
    drop(pool);
    let begun = Instant::now();
    while Path::new(&format!("/proc/{id}/exe")).exists() {
        assert!(begun.elapsed() < Duration::from_secs(10), "process {id} is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_no_worker_is_a_fault_that_names_it() {
    let pool =
        Pool::start(PoolConfig::new(vec!["/nonexistent/pensaer".into()], WorkerConfig::default())).unwrap();
    let fault = pool.run(operation(Effect::Query, "count", Value::Null)).await.unwrap_err();
    assert!(fault.message.contains("/nonexistent/pensaer"), "{fault}");
    let pool = Pool::start(PoolConfig::new(vec!["false".into()], WorkerConfig::default())).unwrap();
    let fault = pool.run(operation(Effect::Query, "count", Value::Null)).await.unwrap_err();
    assert!(fault.message.contains("ended at its start"), "{fault}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_back_end_is_chosen_by_name_and_a_lazy_one_starts_when_it_is_asked_for() {
    let (_folder, path) = file();
    let mut config = config();
    let mut other = Group { lazy: true, ..config.groups[0].clone() };
    other.config.backend = "other".into();
    config.groups.push(other);
    config.hints.insert("third".into(), "get it from its maker".into());
    let pool = Pool::start(config).unwrap();
    pool.run(count(&path)).await.unwrap();
    assert_eq!(pool.worker_ids().await.len(), 1);
    let to = |backend: &str| Request { backend: Some(backend.into()), ..count(&path) };
    pool.run(to("native")).await.unwrap();
    assert_eq!(pool.worker_ids().await.len(), 1);
    pool.run(to("other")).await.unwrap();
    assert_eq!(pool.worker_ids().await.len(), 2);
    let fault = pool.run(to("third")).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::NotSupported);
    assert_eq!(fault.data["allowed"], json!(["native", "other"]));
    assert!(fault.message.contains("get it from its maker"), "{fault}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_for_is_counted_by_operation_and_outcome() {
    let (_folder, path) = file();
    let pool = pool();
    for _ in 0..2 {
        pool.run(count(&path)).await.unwrap();
    }
    assert!(pool.run(operation(Effect::Query, "made_up", Value::Null)).await.is_err());
    assert!(pool.run(on(at_base(&path), Effect::Modify, "abort", Value::Null)).await.is_err());
    next_worker(&pool, &[]).await;
    let text = crate::metrics::text_of(pool.as_ref()).unwrap();
    for line in [
        "pensaer_exec_calls_total{operation=\"count\",effect=\"query\",outcome=\"ok\"} 2",
        "pensaer_exec_calls_total{operation=\"other\",effect=\"query\",outcome=\"1008\"} 1",
        "pensaer_exec_calls_total{operation=\"abort\",effect=\"modify\",outcome=\"1010\"} 1",
        "pensaer_exec_call_seconds_count{effect=\"query\"} 3",
        "pensaer_exec_workers_alive{backend=\"native\"} 1",
        "pensaer_exec_retries_total 1",
        "pensaer_exec_calls_running 0",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

/// A service that listens at a socket of its own and is killed when it is dropped.
struct Elsewhere(std::process::Child);

impl Elsewhere {
    fn start(socket: &Path) -> Self {
        let this = std::env::current_exe().unwrap();
        let child = std::process::Command::new(this)
            .args(["--exact", "pool::tests::worker_process", "--ignored", "--nocapture"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn();
        let mut child = child.unwrap();
        let config = WorkerConfig { socket: socket.into(), ..WorkerConfig::default() };
        let document = serde_json::to_string(&config).unwrap();
        writeln!(child.stdin.as_mut().unwrap(), "{document}").unwrap();
        Self(child)
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_joins_is_left_out_when_it_dies_and_comes_back() {
    let (folder, path) = file();
    let socket = folder.path().join("elsewhere");
    let mut config = PoolConfig::empty();
    config.default = "lines".into();
    config.probe_limit = Duration::from_millis(300);
    let url = format!("unix:{}", socket.display());
    config.endpoints.push(crate::EndpointConfig { url: url.clone(), token: None });
    let first = Elsewhere::start(&socket);
    let pool = Pool::start(config).unwrap();
    assert_eq!(sooner_or_later(&pool, &path).await.result, json!({"lines": 3}));
    assert_eq!(pool.info().await.unwrap().adapters[0].name, "lines");
    assert!(pool.run(Request { backend: Some("native".into()), ..count(&path) }).await.is_err());
    drop(first);
    let fault = pool.run(count(&path)).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    assert!(fault.message.contains(&url), "{fault}");
    let _second = Elsewhere::start(&socket);
    sooner_or_later(&pool, &path).await;
}

/// The answer of an endpoint that may not be up yet, or may be left alone for a while.
async fn sooner_or_later(pool: &Pool, path: &Path) -> Artifact {
    let begun = Instant::now();
    loop {
        match pool.run(count(path)).await {
            Ok(answer) => return answer,
            Err(fault) => assert!(begun.elapsed() < Duration::from_secs(20), "it does not come: {fault}"),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_an_endpoint_that_is_lost_go_to_the_next_place() {
    let (folder, path) = file();
    let socket = folder.path().join("elsewhere");
    let elsewhere = Elsewhere::start(&socket);
    let mut config = config();
    config.groups[0].config.backend = "lines".into();
    config.default = "lines".into();
    let url = format!("unix:{}", socket.display());
    config.endpoints.push(crate::EndpointConfig { url, token: None });
    let pool = Arc::new(Pool::start(config).unwrap());
    let to = |model: usize| {
        let mut request = count(&path);
        request.models[0].id = contract::ModelId::from(format!("model-{model}"));
        request
    };
    while pool.backends().is_empty() || !pool.inner.places.all.iter().all(|place| place.has("lines")) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let under_way: Vec<_> = (0..4).map(|_| sleeping(&pool, 600)).collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(elsewhere);
    for model in 0..16 {
        assert_eq!(pool.run(to(model)).await.unwrap().result, json!({"lines": 3}));
    }
    for call in under_way {
        assert_eq!(call.await.unwrap().unwrap().result, json!({"slept": true}));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn how_far_a_call_is_shows_from_outside_and_work_that_nobody_waits_for_ends_by_itself() {
    let (_folder, path) = file();
    let mut config = config();
    config.grace = Duration::from_secs(1);
    let pool = Arc::new(Pool::start(config).unwrap());
    pool.run(count(&path)).await.unwrap();
    let worker = next_worker(&pool, &[]).await;
    let request = operation(Effect::Query, "work", json!({"total": 1_000_000}));
    let id = request.operation_id.clone();
    assert_eq!(pool.progress(&id).await, None, "it was not begun");
    let working = Arc::clone(&pool);
    let call = tokio::spawn(async move { working.run(request).await });
    let progress = loop {
        match pool.progress(&id).await {
            Some(progress) if progress.done > 0 => break progress,
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    assert_eq!((progress.step, progress.what.as_str(), progress.total), (1, "working", Some(1_000_000)));
    call.abort();
    while pool.inner.places.all.iter().any(|place| matches!(place, Place::Local(local) if !local.runs())) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // the worker was asked to stop and did: a new one would have another id
    let running = async || {
        let Place::Local(local) = &pool.inner.places.all[0] else { panic!("a worker") };
        local.progress(&id).await
    };
    while running().await.is_some() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    tokio::time::sleep(pool.inner.config.grace).await;
    assert_eq!(pool.worker_ids().await, [worker]);
    assert_eq!(pool.run(count(&path)).await.unwrap().result, json!({"lines": 3}));
}
