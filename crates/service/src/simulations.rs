//! What the session simulated last, for the tools that read it.

use crate::call::Call;
use contract::{Fault, FaultCode, FileInput, JobState};
use serde_json::Value;

impl Call {
    /// The files of the session's latest simulation.
    pub(crate) async fn simulated(&self) -> Result<Vec<FileInput>, Fault> {
        let state = self.session_state().await?;
        let Some(id) = &state.simulation else { return Err(no_results()) };
        let job = self.seen_job(id).await?;
        match job.state {
            JobState::Done => {}
            JobState::Queued | JobState::Running => {
                return Err(Fault::new(
                    FaultCode::Busy,
                    format!(
                        "The simulation {id} is not at its end. Ask get_simulation_status how far it is."
                    ),
                )
                .with("job_id", id));
            }
            JobState::Failed | JobState::Cancelled => return Err(no_results().with("job_id", id)),
        }
        let mut files = Vec::new();
        let made = job.result.as_ref().and_then(|result| result.get("files")).and_then(Value::as_array);
        for file in made.into_iter().flatten() {
            let text = |name: &str| file.get(name).and_then(Value::as_str).map(str::to_owned);
            let (Some(role), Some(key)) = (text("role"), text("key")) else { continue };
            let Some(kept) = self.inner.store.file(&key).await? else { continue };
            files.push(FileInput {
                role,
                source: self.path_source(&kept.sha256).await?,
                sha256: kept.sha256,
                media_type: kept.media_type,
            });
        }
        if files.iter().any(|file| file.role == "results") { Ok(files) } else { Err(no_results()) }
    }
}

/// As clients of energy servers know it.
fn no_results() -> Fault {
    Fault::new(FaultCode::NoModelLoaded, "No simulation results available. Use run_simulation first.")
}
