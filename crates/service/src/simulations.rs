//! Simulations: put down as jobs, done in the name of who asked for them, and found again by the tools that read their results.
//!
//! A job carries who it is for, as that was when it was put down; what policy allows is asked again when it is begun, so that
//! a grant that was taken back by then holds. Its files are kept under the job's id, which is also the id of its operation:
//! one that is done twice keeps the same files under the same keys.

mod results;
mod work;

use crate::call::Call;
use contract::{Fault, FaultCode, JobDraft, JobRecord, ModelKind, Principal, SimulationDraft};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use store::FileRecord;

/// The kind of these jobs.
const KIND: &str = "simulation";

/// What a job carries.
#[derive(Debug, Serialize, Deserialize)]
struct Carried {
    run: Run,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weather: Option<Weather>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output_directory: Option<PathBuf>,
    /// What the session had simulated before: its latest again where this is never begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    /// The gateway that it was put down at, on whose machine that folder is.
    gateway: String,
    principal: Principal,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client: Option<String>,
}

/// The parameters of the operation.
#[derive(Debug, Serialize, Deserialize)]
struct Run {
    design_day: bool,
    annual: bool,
    readvars: bool,
    seconds: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program_folder: Option<String>,
}

/// The weather file, by its content.
#[derive(Debug, Serialize, Deserialize)]
struct Weather {
    key: String,
    name: String,
    sha256: String,
    media_type: String,
}

impl From<FileRecord> for Weather {
    fn from(file: FileRecord) -> Self {
        Self { key: file.key, name: file.name, sha256: file.sha256, media_type: file.media_type }
    }
}

impl Call {
    /// Puts a simulation of this call's model down, once everything that it needs is found.
    pub(crate) async fn put_down_simulation(
        &self,
        draft: &SimulationDraft,
    ) -> Result<Option<JobRecord>, Fault> {
        let (model, version) = self.model_and_version().await?;
        if model.kind != ModelKind::EnergyPlus {
            return Err(Fault::invalid(
                "model_id",
                format!("{} is no EnergyPlus model. Only those are simulated.", model.name),
            ));
        }
        if draft.design_day && draft.annual {
            return Err(Fault::invalid(
                "annual",
                "design_day and annual do not go together. Give one of them, or none to run what the model says.",
            ));
        }
        let weather = self.weather_for(draft).await?;
        let output_directory = match &draft.output_directory {
            Some(text) => Some(self.output_directory(text)?),
            None => None,
        };
        if self.is_dry_run() {
            return Ok(None);
        }
        let carried = Carried {
            run: Run {
                design_day: draft.design_day,
                annual: draft.annual,
                readvars: draft.readvars,
                seconds: self.inner.config.simulation.as_secs().max(1),
                program_version: said(draft.program_version.as_deref()),
                program_folder: said(draft.program_folder.as_deref()),
            },
            weather,
            output_directory,
            previous: self.session_state().await?.simulation,
            gateway: self.inner.gateway.clone(),
            principal: self.principal.clone(),
            client: self.client.clone(),
        };
        let parameters = serde_json::to_value(&carried)
            .map_err(|error| Fault::backend(format!("The job cannot be written down: {error}.")))?;
        let about = Some((model.model_id, version));
        let job = self.put_down_job(JobDraft { kind: KIND.to_owned(), about, parameters }).await?;
        self.note_simulation(&job.job_id).await?;
        Ok(Some(job))
    }

    /// The weather file that was named, else the session's where the run needs one.
    async fn weather_for(&self, draft: &SimulationDraft) -> Result<Option<Weather>, Fault> {
        if let Some(named) = draft.weather_file.as_deref().filter(|text| !text.trim().is_empty()) {
            return Ok(Some(self.weather_named(named.trim()).await?.into()));
        }
        if draft.design_day {
            return Ok(None);
        }
        let Some(key) = self.session_state().await?.weather_file else {
            return Err(Fault::invalid(
                "weather_file",
                "This run needs a weather file. Give weather_file, fetch one with download_weather_file, or ask for \
                 design_day=true, which needs none.",
            ));
        };
        let kept = self.inner.store.file(&key).await?.filter(|file| self.owns(file));
        kept.map(|file| Some(file.into())).ok_or_else(|| {
            Fault::invalid(
                "weather_file",
                "The session's weather file is not there any more. Give weather_file, or fetch it again with \
                 download_weather_file.",
            )
        })
    }

    /// The folder that files are copied to: one that is there, or that can be made where its parent is.
    fn output_directory(&self, text: &str) -> Result<PathBuf, Fault> {
        let path = self.local_path("output_directory", text)?;
        let bad = |code: FaultCode, why: String| Err(Fault::new(code, why).with("field", "output_directory"));
        let shown = path.display();
        match std::fs::symlink_metadata(&path) {
            Ok(about) if !about.is_dir() => {
                bad(FaultCode::InvalidParams, format!("{shown} is no folder. Give the path of one."))
            }
            Ok(_) if path.join("eplusout.err").exists() || path.join("eplusout.sql").exists() => bad(
                FaultCode::Conflict,
                format!(
                    "{shown} holds results of a simulation already. Name another folder, or remove them first."
                ),
            ),
            Ok(_) => Ok(path),
            Err(_) if path.parent().is_some_and(Path::is_dir) && path.file_name().is_some() => Ok(path),
            Err(_) => {
                bad(FaultCode::NotFound, format!("The folder above {shown} does not exist. Make it first."))
            }
        }
    }
}

/// What was given, if it says anything.
fn said(given: Option<&str>) -> Option<String> {
    given.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}
