//! The workers of these tests are this test program, started again.

use super::*;
use crate::testing::{Lines, after, at_base, file, on, operation};
use serde_json::{Value, json};
use std::time::Instant;

/// Not a test: what runs in a worker.
#[test]
#[ignore = "runs only as the worker process of the other tests"]
fn worker_process() {
    let Ok(socket) = std::env::var("PENSAER_TEST_SOCKET") else { return };
    let adapter: Arc<dyn contract::Adapter> = Arc::new(Lines::default());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(crate::serve(vec![adapter], crate::ServeConfig::at(socket))).unwrap();
}

fn config() -> PoolConfig {
    let script =
        "PENSAER_TEST_SOCKET=\"$2\" exec \"$0\" --exact pool::tests::worker_process --ignored --nocapture";
    let this = std::env::current_exe().unwrap();
    PoolConfig::new(vec!["sh".into(), "-c".into(), script.into(), this.into()])
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

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_killed_in_the_middle_of_a_call_ends_that_call_and_is_replaced() {
    let (_folder, path) = file();
    let pool = pool();
    pool.run(count(&path)).await.unwrap();
    let before = pool.worker_ids().await;
    let held = {
        let pool = Arc::clone(&pool);
        tokio::spawn(async move { pool.run(operation(Effect::Query, "sleep", json!({"ms": 30_000}))).await })
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    std::process::Command::new("kill").args(["-9", &before[0].to_string()]).status().unwrap();
    let fault = held.await.unwrap().unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    assert!(fault.message.contains("signal: 9") && fault.message.contains("running sleep"), "{fault}");
    assert_eq!(pool.run(count(&path)).await.unwrap().result, json!({"lines": 3}));
    assert_ne!(pool.worker_ids().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_killed_between_calls_is_not_noticed_by_the_next() {
    let (_folder, path) = file();
    let pool = pool();
    for _ in 0..3 {
        pool.run(count(&path)).await.unwrap();
        let id = pool.worker_ids().await[0];
        std::process::Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
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
    let pool = Pool::start(PoolConfig::new(vec!["/nonexistent/pensaer".into()])).unwrap();
    let fault = pool.run(operation(Effect::Query, "count", Value::Null)).await.unwrap_err();
    assert!(fault.message.contains("/nonexistent/pensaer"), "{fault}");
    let pool = Pool::start(PoolConfig::new(vec!["false".into()])).unwrap();
    let fault = pool.run(operation(Effect::Query, "count", Value::Null)).await.unwrap_err();
    assert!(fault.message.contains("ended at its start"), "{fault}");
}
