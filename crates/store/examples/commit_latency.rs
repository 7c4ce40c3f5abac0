//! Measures durable commits: one after another, and many writers, each on a model of its own.
//!
//! `cargo run --release -p store --example commit_latency [FOLDER [postgresql://…]]`

use contract::{EventId, ModelId, ModelKind, OperationId, VersionId};
use std::time::{Duration, Instant};
use store::{Commit, Content, MAIN, NewModel, Store, StoreConfig, StoreError};

fn commit(model: &ModelId, parent: Option<&VersionId>, content: Content) -> Commit {
    let version = match (&content, parent) {
        (Content::Delta(bytes), Some(parent)) => VersionId::of_delta(parent, bytes),
        (Content::File { sha256, .. }, parent) => VersionId::of_file(model, parent, sha256),
        (Content::Delta(_), None) => VersionId(String::new()),
    };
    Commit {
        model: model.clone(),
        new_model: parent.is_none().then(|| NewModel {
            name: "House".into(),
            kind: ModelKind::Ifc,
            origin: None,
        }),
        ref_name: MAIN.into(),
        parent: parent.cloned(),
        merged: None,
        version,
        content,
        moved_to: None,
        operation_id: OperationId::new(),
        tool: "create_wall".into(),
        params_sha256: String::new(),
        author: "bench".into(),
        reasoning: None,
        time_ms: store::now_ms(),
        event_id: EventId::new(),
        event_type: contract::EventType::WallCreated,
        summary: None,
        manifest: None,
        subject: None,
        audit: None,
        approval: None,
        remember: None,
    }
}

async fn run(store: Store, commits: u32) -> Result<Vec<Duration>, StoreError> {
    let model = ModelId::new();
    let blob = store.put_blob(model.to_string()).await?;
    let first = commit(&model, None, Content::File { sha256: blob.sha256, size: blob.size });
    let mut head = first.version.clone();
    store.commit(first).await?;
    let mut times = Vec::new();
    for n in 0..commits {
        let mut delta = n.to_le_bytes().to_vec();
        delta.resize(4000, 7);
        let next = commit(&model, Some(&head), Content::Delta(delta));
        head = next.version.clone();
        let clock = Instant::now();
        store.commit(next).await?;
        times.push(clock.elapsed());
    }
    Ok(times)
}

fn report(what: &str, mut times: Vec<Duration>, whole: Duration) {
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    eprintln!(
        "{what}: {} commits in {whole:.2?}, {:.0} a second; median {:.2?}, p99 {:.2?}, max {:.2?}",
        times.len(),
        times.len() as f64 / whole.as_secs_f64(),
        at(0.5),
        at(0.99),
        times.last().copied().unwrap_or_default()
    );
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map_or_else(std::env::temp_dir, Into::into).join("commit-latency");
    let _ = std::fs::remove_dir_all(&folder);
    let config = StoreConfig { database: arguments.next(), ..StoreConfig::in_folder(&folder) };
    let store = Store::open(config).await?;
    for writers in [1_u32, 8, 32] {
        let clock = Instant::now();
        let running: Vec<_> =
            (0..writers).map(|_| tokio::spawn(run(store.clone(), 2000 / writers))).collect();
        let mut times = Vec::new();
        for writer in running {
            times.extend(writer.await??);
        }
        report(&format!("{writers} writers"), times, clock.elapsed());
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
