//! The adapter in worker processes. These are this test program, started again.

use super::*;
use contract::FaultCode;
use exec::{Pool, PoolConfig, ServeConfig, WorkerConfig};
use std::time::Duration;

/// Not a test: what runs in a worker.
#[test]
#[ignore = "runs only as the worker process of the other tests"]
fn worker_process() {
    let WorkerConfig { socket, .. } = exec::sandbox::receive().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let adapter: Arc<dyn Adapter> = Arc::new(adapter());
    runtime.block_on(exec::serve(vec![adapter], ServeConfig::at(socket))).unwrap();
}

pub(super) fn pool() -> Arc<Pool> {
    let this = std::env::current_exe().unwrap();
    let command = ["--exact", "tests::workers::worker_process", "--ignored", "--nocapture"].map(Into::into);
    let command = std::iter::once(this.into()).chain(command).collect();
    Arc::new(Pool::start(PoolConfig::new(command, WorkerConfig::default())).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_adapter_in_a_worker_process_conforms() {
    let (folder, path) = file(SMALL);
    let unreadable = folder.path().join("notes.ifc");
    std::fs::write(&unreadable, "Dear colleague, attached is the model.").unwrap();
    let subject = exec::conformance::Subject {
        kind: ModelKind::Ifc,
        file: path,
        unreadable,
        query: Operation { effect: Effect::Query, name: "count_walls".into(), params: json!({}) },
        change: Operation { effect: Effect::Modify, name: "set_attribute".into(), params: Value::Null },
        elsewhere: false,
        meanings: Vec::new(),
    };
    let change = json!({"name": "East"});
    let change = Operation { effect: Effect::Create, name: "add_wall".into(), params: change };
    let subject = exec::conformance::Subject { change, ..subject };
    for finding in exec::conformance::check(pool().as_ref(), &subject).await {
        assert_eq!(finding.problem, None, "{}", finding.check);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_ends_one_call_and_the_next_opens_the_model_again() {
    let (_folder, path) = file(SMALL);
    let (pool, input) = (pool(), model(&path));
    let change =
        run(pool.as_ref(), Effect::Create, "add_wall", &input, json!({"name": "East"})).await.unwrap();
    let next = after(&input, &change);
    let fault = run(pool.as_ref(), Effect::Modify, "crash", &next, json!({})).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    assert!(fault.message.contains("crash") && fault.message.contains("nothing was committed"), "{fault}");
    let walls = run(pool.as_ref(), Effect::Query, "count_walls", &next, json!({})).await.unwrap();
    assert_eq!(walls.result["walls"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_worker_is_killed_is_run_again_once() {
    let (_folder, path) = file(SMALL);
    let (pool, input) = (pool(), model(&path));
    run(pool.as_ref(), Effect::Query, "count_walls", &input, json!({})).await.unwrap();
    let held = {
        let (pool, input) = (Arc::clone(&pool), input.clone());
        tokio::spawn(async move { run(pool.as_ref(), Effect::Query, "wait", &input, json!({})).await })
    };
    let mut killed = Vec::new();
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let id = loop {
            match pool.worker_ids().await.first() {
                Some(id) if !killed.contains(id) => break *id,
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        killed.push(id);
        tokio::time::sleep(Duration::from_millis(200)).await;
        std::process::Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
    }
    let fault = held.await.unwrap().unwrap_err();
    assert!(fault.message.contains("signal: 9") && fault.message.contains("wait"), "{fault}");
    run(pool.as_ref(), Effect::Query, "count_walls", &input, json!({})).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_call_twice_makes_the_same_wall_in_two_processes() {
    let (_folder, path) = file(SMALL);
    let add = request(Effect::Create, "add_wall", vec![model(&path)], json!({"name": "East"}));
    let here = pool().run(add.clone()).await.unwrap();
    let there = pool().run(add).await.unwrap();
    assert_eq!(here.result, there.result);
    assert_eq!(here.changes, there.changes);
}

/// Two walls' shapes that no program should follow to their end: a tree of booleans a hundred thousand deep, and one that
/// is its own operand.
fn endless_shapes() -> String {
    use std::fmt::Write as _;
    let mut shapes = String::from("#100=IFCBLOCK(#7,1.,1.,1.);\n");
    for id in 101..100_000 {
        let _ = writeln!(shapes, "#{id}=IFCBOOLEANRESULT(.UNION.,#{},#100);", id - 1);
    }
    shapes.push_str("#100000=IFCBOOLEANRESULT(.DIFFERENCE.,#100000,#100);\n");
    for (at, (wall, body)) in [(10, 99_999), (9, 100_000)].into_iter().enumerate() {
        let at = 200_000 + at * 10;
        let _ = writeln!(
            shapes,
            "#{at}=IFCSHAPEREPRESENTATION(#90,'Body','CSG',(#{body}));\n#{}=IFCPRODUCTDEFINITIONSHAPE($,$,(#{at}));",
            at + 1
        );
        let _ = writeln!(shapes, "#{}=IFCWALL('{wall:0>22}',$,'Endless',$,$,#8,#{},$,$);", at + 2, at + 1);
    }
    shapes.push_str("#90=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#7,$);\n");
    SMALL.replace("ENDSEC;\nEND-ISO", &format!("{shapes}ENDSEC;\nEND-ISO"))
}

#[tokio::test(flavor = "multi_thread")]
async fn shapes_without_end_cost_at_most_their_own_call() {
    let (_folder, path) = file(endless_shapes());
    let (pool, input) = (pool(), model(&path));
    let walls = run(pool.as_ref(), Effect::Query, "count_walls", &input, json!({})).await.unwrap();
    assert_eq!(walls.result["walls"], 4);
    let tileset = request(Effect::Query, "tileset", vec![input.clone()], Value::Null);
    match pool.run(tileset).await {
        Ok(artifact) => println!("{}", artifact.result["extras"]),
        Err(fault) => assert!(fault.message.contains("nothing was committed"), "{fault}"),
    }
    run(pool.as_ref(), Effect::Query, "count_walls", &input, json!({})).await.unwrap();
}
