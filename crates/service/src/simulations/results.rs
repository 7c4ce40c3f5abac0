//! What the session simulated last, for the tools that read it.

use crate::call::Call;
use contract::{Fault, FaultCode, FileInput, JobRecord, JobState, KeptFile, Operation, SimulationRead};
use serde_json::Value;
use store::FileRecord;

/// Runs that were never begun, in a row, behind which the latest that was is looked for.
const NEVER_BEGUN: usize = 16;

impl Call {
    /// The files of the session's latest simulation, as an operation takes them.
    pub(crate) async fn simulated(&self) -> Result<Vec<FileInput>, Fault> {
        let mut files = Vec::new();
        for (role, kept) in self.simulation_files().await? {
            let source = self.path_source(&kept.sha256).await?;
            files.push(FileInput { role, source, sha256: kept.sha256, media_type: kept.media_type });
        }
        Ok(files)
    }

    /// Runs a query on them and keeps what it makes.
    pub(crate) async fn simulation_read(&self, operation: Operation) -> Result<SimulationRead, Fault> {
        let left = self.simulation_files().await?;
        let scratch = self.scratch()?;
        let mut request = self.request(operation, Vec::new(), Some(&scratch));
        request.files = self.simulated().await?;
        let artifact = self.execute(request).await?;
        let mut made = Vec::new();
        for file in artifact.files.iter().filter(|_| !self.is_dry_run()) {
            let staged = self.stage_output(file, Some(&scratch)).await?;
            let record = self.keep_file(&file.name, &file.media_type, staged).await?;
            made.push(self.kept(&file.role, &record));
        }
        let left = left.iter().map(|(role, record)| self.kept(role, record)).collect();
        Ok(SimulationRead { result: artifact.result, made, left })
    }

    /// A file of the bucket as callers see it.
    pub(crate) fn kept(&self, role: &str, record: &FileRecord) -> KeptFile {
        KeptFile {
            role: role.to_owned(),
            name: record.name.clone(),
            key: record.key.clone(),
            href: self.link_to(&record.key),
            media_type: record.media_type.clone(),
            sha256: record.sha256.clone(),
            size: record.size,
            time_ms: record.time_ms,
        }
    }

    /// The session's latest simulation that came to an end, and left something.
    pub(crate) async fn simulated_job(&self) -> Result<JobRecord, Fault> {
        let state = self.session_state().await?;
        let Some(mut id) = state.simulation else { return Err(no_results()) };
        let mut job = self.seen_job(&id).await?;
        for _ in 0..NEVER_BEGUN {
            let previous = job.parameters.get("previous").and_then(Value::as_str);
            let Some(previous) = previous.filter(|_| job.state == JobState::Failed) else { break };
            previous.clone_into(&mut id);
            job = self.seen_job(&id).await?;
        }
        match job.state {
            JobState::Done => Ok(job),
            JobState::Queued | JobState::Running => Err(Fault::new(
                FaultCode::Busy,
                format!("The simulation {id} is not at its end. Ask get_simulation_status how far it is."),
            )
            .with("job_id", &id)),
            JobState::Failed | JobState::Cancelled => Err(no_results().with("job_id", &id)),
        }
    }

    async fn simulation_files(&self) -> Result<Vec<(String, FileRecord)>, Fault> {
        let job = self.simulated_job().await?;
        let mut files = Vec::new();
        let made = job.result.as_ref().and_then(|result| result.get("files")).and_then(Value::as_array);
        for file in made.into_iter().flatten() {
            let text = |name: &str| file.get(name).and_then(Value::as_str).map(str::to_owned);
            let (Some(role), Some(key)) = (text("role"), text("key")) else { continue };
            let Some(kept) = self.inner.store.file(&key).await? else { continue };
            files.push((role, kept));
        }
        if files.iter().any(|(role, _)| role == "results") { Ok(files) } else { Err(no_results()) }
    }
}

/// As clients of energy servers know it.
fn no_results() -> Fault {
    Fault::new(FaultCode::NoSimulationResults, "No simulation results available. Use run_simulation first.")
}
