//! Opens every head of every model, in workers of its own that have nothing open yet: whatever a head is opened from is read and
//! applied anew.

use crate::folder::DataFolder;
use crate::settings::Settings;
use crate::{backend, compose};
use anyhow::{Context, Result};
use contract::ops::{Inspect, PlatformOperation as _};
use contract::{
    Actor, Fault, Limits, ModelId, ModelInput, ModelKind, OperationId, Request, Source, VersionId,
};
use exec::{Executor as _, Pool};
use std::collections::BTreeMap;
use store::{Finding, Store, StoredDelta, now_ms};

/// Returns the heads that do not open, each with the reason, and how many do.
pub(super) async fn open_all(settings: &Settings, store: &Store) -> Result<(Vec<Finding>, usize)> {
    let heads = match store.heads().await {
        Ok(heads) => heads,
        Err(error) => {
            return Ok((vec![Finding::told(format!("the heads cannot be told: {error}"), None)], 0));
        }
    };
    if heads.is_empty() {
        return Ok((Vec::new(), 0));
    }
    // refs that point to one version are opened once
    let mut versions: BTreeMap<VersionId, (ModelId, ModelKind, Vec<String>)> = BTreeMap::new();
    for (model, kind, name, version) in heads {
        versions.entry(version).or_insert_with(|| (model, kind, Vec::new())).2.push(name);
    }
    let folder = DataFolder::open(&settings.data_dir)?;
    let mut workers = compose::workers(&folder, settings, store)?;
    workers.count = workers.count.max(1);
    let pool = workers.pool(backend::found(settings))?;
    let pool = Pool::start(pool).context("cannot start a worker to open heads in")?;
    let (mut findings, mut opened) = (Vec::new(), 0);
    for (version, (model, kind, names)) in versions {
        match open(&pool, store, (&model, &version), kind).await {
            Ok(()) => opened += 1,
            Err(fault) => findings.push(Finding::told(
                format!(
                    "{} of model {model} at version {version} does not open: {}",
                    names.join(", "),
                    fault.message
                ),
                Some(
                    "once what it is opened from is whole again, it opens; what that is is told above"
                        .to_owned(),
                ),
            )),
        }
    }
    Ok((findings, opened))
}

async fn open(
    pool: &Pool,
    store: &Store,
    (model, version): (&ModelId, &VersionId),
    kind: ModelKind,
) -> Result<(), Fault> {
    let lineage = store.lineage(version).await?;
    let path = async |sha256: &str| {
        Ok::<_, Fault>(Source::Path(store.blob_file(sha256).await?.display().to_string()))
    };
    let mut input = ModelInput::named("model", model.clone(), version.clone(), kind);
    input.base = Some(path(&lineage.base_sha256).await?);
    input.base_version = Some(lineage.base_version);
    for delta in &lineage.deltas {
        input.deltas.push(match delta {
            StoredDelta::Inline(bytes) => Source::inline(bytes),
            StoredDelta::Blob { sha256 } => path(sha256).await?,
        });
    }
    let request = Request {
        operation_id: OperationId::new(),
        operation: Inspect { accept_problems: true }.operation(),
        backend: None,
        strict: false,
        models: vec![input],
        files: Vec::new(),
        limits: Limits::default(),
        deadline_ms: 0,
        time_ms: now_ms(),
        actor: Actor::default(),
        reasoning: None,
        scratch: None,
    };
    pool.run(request).await.map(|_| ())
}
