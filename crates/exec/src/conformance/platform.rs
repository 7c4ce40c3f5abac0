//! The operations of the platform, as far as an executor claims them: they have the schemas of this version, answer in the form of their
//! types, and do what those say. An executor without any is not asked.

use super::{Checked, Finding, Suite, ensure, finding};
use contract::ops::{
    Diff, Inspect, Materialise, Merge, MergeAnswer, PlatformOperation, Restore, WrittenFile,
};
use contract::{Artifact, ModelInput, OperationInfo, Request, Source, VersionId, sha256_hex};

/// The operation, if it is claimed, held against a check.
async fn hold<O: PlatformOperation>(
    claimed: &[OperationInfo],
    check: &str,
    held: impl Future<Output = Checked>,
) -> Finding {
    let ours = O::info();
    match claimed.iter().find(|theirs| theirs.name == ours.name) {
        None => {
            let skipped = Some(format!("{} is not claimed", ours.name));
            Finding { check: check.to_owned(), problem: None, skipped }
        }
        Some(theirs) if *theirs != ours => {
            let problem = format!(
                "{} is claimed as {} with the schemas {}, and is {} with {} here",
                ours.name,
                theirs.effect.as_str(),
                theirs.schema_sha256,
                ours.effect.as_str(),
                ours.schema_sha256
            );
            finding(check.to_owned(), Err(problem))
        }
        Some(_) => finding(check.to_owned(), held.await),
    }
}

fn called(role: &str, input: ModelInput) -> ModelInput {
    ModelInput { role: role.to_owned(), ..input }
}

/// The version after another delta.
fn on(mut input: ModelInput, delta: &[u8]) -> ModelInput {
    input.version = VersionId::of_delta(&input.version, delta);
    input.deltas.push(Source::inline(delta));
    input
}

impl Suite<'_> {
    pub(super) async fn platform_operations(&self) -> Vec<Finding> {
        let info = self.executor.info().await;
        let claimed: Vec<OperationInfo> =
            info.into_iter().flat_map(|info| info.adapters).flat_map(|adapter| adapter.operations).collect();
        vec![
            hold::<Inspect>(&claimed, "inspect counts what is in a version", self.inspect()).await,
            hold::<Materialise>(&claimed, "materialise writes a version as a file", self.materialise()).await,
            hold::<Diff>(&claimed, "diff finds what a change changed, and nothing else", self.diff()).await,
            hold::<Restore>(&claimed, "restore makes a version what another one is", self.restore()).await,
            hold::<Merge>(&claimed, "merge adds what the other side did", self.merge()).await,
        ]
    }

    async fn ask<O: PlatformOperation>(
        &self,
        operation: &O,
        models: Vec<ModelInput>,
    ) -> Result<Artifact, String> {
        let request = Request { models, ..Self::request(&operation.operation(), self.base()) };
        self.executor.run(request).await.map_err(|fault| fault.to_string())
    }

    async fn inspect(&self) -> Checked {
        let artifact = self.ask(&Inspect::default(), vec![self.base()]).await?;
        let answer = Inspect::read(&artifact).map_err(|fault| fault.to_string())?;
        ensure(!answer.schema.is_empty() && answer.instances > 0, || {
            "it names no schema, or finds nothing".to_owned()
        })
    }

    async fn materialise(&self) -> Checked {
        let artifact = self.ask(&Materialise::default(), vec![self.base()]).await?;
        let WrittenFile { size } = Materialise::read(&artifact).map_err(|fault| fault.to_string())?;
        let [file] = artifact.files.as_slice() else {
            return Err(format!("expected one file, got {}", artifact.files.len()));
        };
        ensure(file.role == "model" && file.size == size && size > 0, || {
            format!("the file has the role {:?} and {} bytes; {size} were told", file.role, file.size)
        })?;
        // a large one is behind an address
        let Some(bytes) = file.source.inline_bytes() else { return Ok(()) };
        ensure(bytes.len() as u64 == size && sha256_hex(&bytes) == file.sha256, || {
            "the file is not what is told of it".to_owned()
        })
    }

    async fn diff(&self) -> Checked {
        let after = self.after(&self.change().await?);
        let between = async |base: ModelInput, target: ModelInput| {
            let models = vec![called("base", base), called("target", target)];
            let artifact = self.ask(&Diff::default(), models).await?;
            Diff::read(&artifact).map_err(|fault| fault.to_string())
        };
        let none = between(self.base(), self.base()).await?;
        ensure(none.summary.is_empty(), || "a version differs from itself".to_owned())?;
        let some = between(self.base(), after).await?;
        ensure(!some.summary.is_empty() && some.raw.is_some(), || "it finds nothing".to_owned())
    }

    async fn restore(&self) -> Checked {
        let before = self.query(self.base()).await.map_err(|fault| fault.to_string())?;
        let after = self.after(&self.change().await?);
        let models = vec![after.clone(), called("target", self.base())];
        let back = self.delta_of(&self.ask(&Restore {}, models).await?)?;
        let restored = self.query(on(after, &back)).await.map_err(|fault| fault.to_string())?;
        ensure(restored.result == before.result, || "the query answers otherwise than before".to_owned())
    }

    async fn merge(&self) -> Checked {
        let after = self.after(&self.change().await?);
        let changed = self.query(after.clone()).await.map_err(|fault| fault.to_string())?;
        let models = vec![self.base(), called("base", self.base()), called("theirs", after)];
        let artifact = self.ask(&Merge::default(), models).await?;
        let answer = Merge::read(&artifact).map_err(|fault| fault.to_string())?;
        ensure(matches!(answer, MergeAnswer::Joined { .. }), || {
            "one side changed nothing, and it finds conflicts".to_owned()
        })?;
        let delta = self.delta_of(&artifact)?;
        let merged = self.query(on(self.base(), &delta)).await.map_err(|fault| fault.to_string())?;
        ensure(merged.result == changed.result, || {
            "the query answers otherwise than on the side that was added".to_owned()
        })
    }
}
