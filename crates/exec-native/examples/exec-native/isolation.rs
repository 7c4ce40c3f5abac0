//! What it costs that an operation runs in a confined worker: the same call by the adapter alone, by a host in this process, and by
//! a worker over its Unix socket, on a model that is open everywhere. One line of JSON, medians in microseconds.
//! `cargo run --release -p exec-native --example exec-native -- isolation MODEL.ifc target/release/pensaer [CALLS]`.

use crate::Arguments;
use contract::{
    Actor, Adapter, Effect, Limits, ModelId, ModelInput, ModelKind, Operation, OperationId, Request, Source,
    Unwatched, VersionId, Watch,
};
use exec::{Executor, Host, HostConfig, Pool, PoolConfig, WorkerConfig};
use exec_native::NativeAdapter;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn request(file: &Path, name: &str, params: &Value) -> Request {
    let version = VersionId::from(contract::sha256_hex(file.display().to_string().as_bytes()));
    Request {
        operation_id: OperationId::new(),
        operation: Operation { effect: Effect::Query, name: name.into(), params: params.clone() },
        backend: None,
        strict: false,
        models: vec![ModelInput {
            role: "model".into(),
            id: ModelId::from("m"),
            version: version.clone(),
            kind: ModelKind::Ifc,
            base: Some(Source::Path(file.display().to_string())),
            base_version: Some(version),
            deltas: Vec::new(),
        }],
        files: Vec::new(),
        limits: Limits::default(),
        deadline_ms: 0,
        time_ms: 1_700_000_000_000,
        actor: Actor { principal: "bench".into(), client: None },
        reasoning: None,
        scratch: None,
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    (middle.as_secs_f64() * 1e7).round() / 10.0
}

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let file = PathBuf::from(arguments.next().ok_or("which model?")?).canonicalize()?;
    let program = PathBuf::from(arguments.next().ok_or("which pensaer?")?).canonicalize()?;
    let calls: usize = arguments.next().map_or(Ok(2000), |count| count.parse())?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async move {
        // as whoever serves clients calls: from a task, on a thread of the runtime
        tokio::spawn(async move { measure(&file, &program, calls).await.map_err(|error| error.to_string()) })
            .await
    })??;
    Ok(())
}

async fn measure(file: &Path, program: &Path, calls: usize) -> Result<(), Box<dyn Error + Send + Sync>> {
    let adapter = Arc::new(NativeAdapter::default());
    let model = adapter.open(ModelKind::Ifc, file)?;
    let host = Host::new(vec![Arc::clone(&adapter) as Arc<dyn Adapter>], HostConfig::default());
    let folder = file.parent().unwrap_or(Path::new("/"));
    let config = WorkerConfig { read: vec![folder.into()], ..WorkerConfig::default() };
    let pool = Pool::start(PoolConfig::new(vec![program.into(), "worker".into()], config))?;
    let wall = json!({"selector": "IfcWall", "limit": 1});
    let found = host.run(request(file, "query_elements", &wall)).await?;
    let id = found.result.pointer("/rows/0/id").cloned().ok_or("the file has no wall")?;
    let mut all = Map::new();
    let unwatched: Arc<dyn Watch> = Arc::new(Unwatched);
    for (name, params) in [("query_elements", wall), ("get_element", json!({ "element_id": id }))] {
        let (mut alone, mut hosted, mut apart) = (Vec::new(), Vec::new(), Vec::new());
        pool.run(request(file, name, &params)).await?;
        // in turns, so that whatever else the machine does meets all three
        for _ in 0..calls {
            let ask = request(file, name, &params);
            let begun = Instant::now();
            adapter.run(&ask, std::slice::from_ref(&model), &[], &unwatched)?;
            alone.push(begun.elapsed());
            let ask = request(file, name, &params);
            let begun = Instant::now();
            host.run(ask).await?;
            hosted.push(begun.elapsed());
            let ask = request(file, name, &params);
            let begun = Instant::now();
            pool.run(ask).await?;
            apart.push(begun.elapsed());
        }
        let [alone, hosted, apart] = [alone, hosted, apart].map(median);
        let overhead = ((apart - alone) * 10.0).round() / 10.0;
        all.insert(
            name.into(),
            json!({"adapter_us": alone, "host_us": hosted, "worker_us": apart, "overhead_us": overhead}),
        );
    }
    println!("{}", Value::Object(all));
    Ok(())
}
