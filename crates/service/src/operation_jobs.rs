//! Operations done as jobs: in the name of who asked for them, and found again by the tools that read what they left.
//!
//! A job carries who it is for, as that was when it was submitted; what policy allows is asked again when it is begun, so that
//! a grant that was taken back by then holds. Its files are kept under the job's id, which is also the id of its operation:
//! one that is done twice keeps the same files under the same keys.

mod work;

use crate::call::Call;
use contract::{
    Fault, FaultCode, JobDraft, JobRecord, KeptFile, Operation, OperationJob, OutputFolder, Principal,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The content of a job.
#[derive(Debug, Serialize, Deserialize)]
struct Carried {
    /// The tool in whose name it is done.
    tool: String,
    operation: Operation,
    backend: String,
    /// The files, by their content.
    files: Vec<KeptFile>,
    /// Seconds that the operation may take.
    seconds: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_directory: Option<PathBuf>,
    /// The job that the session had before: its latest again where this is never begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    /// The gateway that it was submitted at, on whose machine that folder is.
    gateway: String,
    principal: Principal,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client: Option<String>,
}

impl Call {
    /// Submits an operation on this call's model as a job, once everything that it needs is found.
    pub(crate) async fn submit(&self, job: OperationJob) -> Result<Option<JobRecord>, Fault> {
        let (model, version) = self.model_and_version().await?;
        let output_directory = match &job.output {
            Some(output) => Some(self.output_directory(output).await?),
            None => None,
        };
        if self.is_dry_run() {
            return Ok(None);
        }
        let carried = Carried {
            tool: self.what.tool.clone(),
            operation: job.operation,
            backend: job.backend,
            files: job.files,
            seconds: self.inner.config.job_limit.as_secs().max(1),
            output_directory,
            previous: self.session_state().await?.jobs.remove(&job.slot).map(|job| job.job_id),
            gateway: self.inner.gateway.clone(),
            principal: self.who.principal.clone(),
            client: self.who.client.clone(),
        };
        let parameters = serde_json::to_value(&carried)
            .map_err(|error| Fault::backend(format!("The job cannot be written down: {error}.")))?;
        let kind = model.kind;
        let about = Some((model.model_id, version));
        let record = self.submit_draft(JobDraft { kind: job.kind, about, parameters }).await?;
        self.keep_job(&job.slot, &record.job_id, kind).await?;
        Ok(Some(record))
    }

    /// The folder that files are copied to: one that is there, or that can be made where its parent is.
    async fn output_directory(&self, output: &OutputFolder) -> Result<PathBuf, Fault> {
        let path = self.writable_path(&output.field, &output.path).await?;
        let bad = |code: FaultCode, why: String| Err(Fault::new(code, why).with("field", &output.field));
        let shown = path.display();
        match std::fs::symlink_metadata(&path) {
            Ok(about) if !about.is_dir() => {
                bad(FaultCode::InvalidParams, format!("{shown} is no folder. Give the path of one."))
            }
            Ok(_) if output.marks.iter().any(|mark| path.join(mark).exists()) => bad(
                FaultCode::Conflict,
                format!(
                    "{shown} holds {} already. Name another folder, or remove them first.",
                    output.contents
                ),
            ),
            Ok(_) | Err(_) => Ok(path),
        }
    }
}
