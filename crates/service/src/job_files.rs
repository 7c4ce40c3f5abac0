//! The files that the session's latest job left, or one that is named, for the tools that read them.

use crate::call::Call;
use contract::{Fault, FileInput, JobFile, JobFiles, JobFilter, JobRecord, JobResult, JobState};
use serde::Deserialize as _;
use serde_json::{Value, json};
use store::FileRecord;

/// Jobs that were never begun, in a row, behind which the latest that was is looked for.
const NEVER_BEGUN: usize = 16;
/// Jobs on a model of which the latest with results is taken.
const LOOKED_AT: u32 = 16;

impl Call {
    /// The files, as an operation takes them, and which job left them.
    pub(crate) async fn files_of_job(
        &self,
        need: &JobFiles,
        params: &Value,
    ) -> Result<(Vec<FileInput>, JobRecord), Fault> {
        let named = need.parameter.as_deref().and_then(|name| Some((name, params.get(name)?.as_str()?)));
        let job = match named {
            Some((parameter, id)) => self.named_job(need, parameter, id).await?,
            None => self.latest_job_with(need).await?,
        };
        let kept = self.kept_of(&job, need).await?;
        let mut files = Vec::new();
        for (role, kept) in kept {
            files.push(self.file_input(format!("{}{role}", need.prefix), &kept).await?);
        }
        Ok((files, job))
    }

    /// The files of the latest job on the call's own model that came to its end, where the call is one of those that they come along with.
    pub(crate) async fn files_beside(
        &self,
        need: &JobFiles,
        params: &Value,
    ) -> Result<Option<(Vec<FileInput>, JobRecord)>, Fault> {
        if !need.beside_when.iter().any(|condition| condition.holds(params)) {
            return Ok(None);
        }
        let filter = JobFilter {
            model: Some(self.model_of_call().await?.model_id),
            kind: Some(need.slot.clone()),
            state: Some(JobState::Done),
            ..JobFilter::default()
        };
        for job in self.seen_jobs(&filter, LOOKED_AT, None).await?.items {
            let kept = match self.kept_of(&job, need).await {
                Ok(kept) => kept,
                // one that was ended or broke down left no results
                Err(fault) if fault.code == need.absent.code => continue,
                Err(fault) => return Err(fault),
            };
            let mut files = Vec::new();
            for (role, kept) in kept {
                files.push(self.file_input(format!("{}{role}", need.prefix), &kept).await?);
            }
            return Ok(Some((files, job)));
        }
        Ok(None)
    }

    /// Says which model and version a job was about: what is told of its files is true of these alone.
    pub(crate) async fn subject_of_job(&self, job: &JobRecord) -> Option<Value> {
        let (id, version) = (job.model_id.as_ref()?, job.version.as_ref()?);
        let model = self.known_model(id).await.ok();
        let is_head = match &model {
            Some(model) => Some(self.session_position(&model.model_id).await.ok()?.version() == version),
            None => None,
        };
        let mut about = json!({ "job_id": job.job_id, "model_id": id, "model_version": version });
        if let Some(members) = about.as_object_mut() {
            members.extend(model.map(|model| ("model".to_owned(), model.name.into())));
            if is_head == Some(false) {
                let note = "The model was changed since; run_simulation tells of it as it is now.";
                members.insert("note".to_owned(), note.into());
            }
        }
        Some(about)
    }

    /// The session's latest job that came to an end, and left something.
    pub(crate) async fn latest_job_with(&self, need: &JobFiles) -> Result<JobRecord, Fault> {
        let known = self.session_state().await?.jobs.remove(&need.slot);
        let Some(mut id) = known.map(|job| job.job_id) else { return Err(need.absent.clone()) };
        let mut job = self.seen_job(&id).await?;
        for _ in 0..NEVER_BEGUN {
            let previous = job.parameters.get("previous").and_then(Value::as_str);
            let Some(previous) = previous.filter(|_| job.state == JobState::Failed) else { break };
            previous.clone_into(&mut id);
            job = self.seen_job(&id).await?;
        }
        at_its_end(job, need)
    }

    /// A job that a parameter names, of the kind that leaves such files.
    async fn named_job(&self, need: &JobFiles, parameter: &str, id: &str) -> Result<JobRecord, Fault> {
        let job = self.seen_job(id).await.map_err(|fault| fault.with("field", parameter))?;
        if job.kind != need.slot {
            let message = format!("The job {id} is of the kind {}, and not {}.", job.kind, need.slot);
            return Err(Fault::invalid(parameter, message));
        }
        at_its_end(job, need).map_err(|fault| fault.with("field", parameter))
    }

    /// The files by their roles.
    pub(crate) async fn files_left(&self, need: &JobFiles) -> Result<Vec<(String, FileRecord)>, Fault> {
        Ok(self.job_and_files(need).await?.1)
    }

    async fn job_and_files(&self, need: &JobFiles) -> Result<(JobRecord, Vec<(String, FileRecord)>), Fault> {
        let job = self.latest_job_with(need).await?;
        let files = self.kept_of(&job, need).await?;
        Ok((job, files))
    }

    /// The files of a job that are still kept; a Fault where the one that has to be there is not.
    async fn kept_of(&self, job: &JobRecord, need: &JobFiles) -> Result<Vec<(String, FileRecord)>, Fault> {
        let mut files = Vec::new();
        let result = job.result.as_ref().and_then(|result| JobResult::deserialize(result).ok());
        for JobFile { role, key, .. } in result.unwrap_or_default().files {
            let Some(kept) = self.inner.store.file(&key).await? else { continue };
            files.push((role, kept));
        }
        if files.iter().any(|(role, _)| *role == need.role) { Ok(files) } else { Err(need.absent.clone()) }
    }
}

/// A job that is done; the Fault for others.
fn at_its_end(job: JobRecord, need: &JobFiles) -> Result<JobRecord, Fault> {
    match job.state {
        JobState::Done => Ok(job),
        JobState::Queued | JobState::Running => {
            let message = need.unfinished.message.replace("{job_id}", &job.job_id);
            Err(Fault { message, ..need.unfinished.clone() }.with("job_id", &job.job_id))
        }
        JobState::Failed | JobState::Cancelled => Err(need.absent.clone().with("job_id", &job.job_id)),
    }
}
