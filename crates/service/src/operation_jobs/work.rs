//! Doing such a job: the operation on the version that it names, on a worker of its back end, and the files into the bucket.

use super::Carried;
use crate::call::{Call, Opening};
use crate::{CallContext, JobWatch, JobWorker, Service};
use contract::{
    Action, Artifact, BoxFuture, Effect, EventType, Fault, FaultCode, JobFile, JobRecord, ModelInput,
    OperationId, Request, missing_files_of_fault,
};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{FileRecord, now_ms};

/// The file in a run's scratch that says to its worker that it is to end.
const END: &str = "end";
/// How long a worker may take to hand on what a run left that was ended; less than jobs are given to end.
const FAREWELL: Duration = Duration::from_secs(6);
/// Milliseconds beyond a run's own time, to wait for a place, to end, and to hand files on.
const SPARE_MS: u64 = 10 * 60 * 1000;

impl Call {
    /// Runs the operation in the name of this call, and keeps what it made.
    async fn work_off(&self, job: &JobRecord, carried: &Carried, watch: &JobWatch) -> Result<Value, Fault> {
        self.may_begin()?;
        let (Some(model), Some(version)) = (&job.model_id, &job.version) else {
            return Err(Fault::backend("This job names no model."));
        };
        let model = self.known_model(model).await?;
        self.note(|trace| {
            (trace.model, trace.before) = (Some(model.model_id.clone()), Some(version.clone()));
        });
        self.may(self.what.action, &model)?;
        let input = ModelInput::named("model", model.model_id.clone(), version.clone(), model.kind);
        let scratch = self.scratch()?;
        let files = self.inputs(&carried.files).await?;
        let request = self.request(carried.operation.clone(), vec![input], Some(&scratch));
        let request = Request { backend: Some(carried.backend.clone()), files, ..request };
        let running = self.run_with_its_files(request);
        tokio::pin!(running);
        let artifact = tokio::select! {
            done = &mut running => done?,
            () = watch.unwanted() => {
                // a worker that sees this ends the program and hands on what there is; any other is let go of
                let _ = tokio::fs::write(scratch.path().join(END), b"").await;
                tokio::time::timeout(FAREWELL, &mut running).await.map_err(|_| Fault::given_up(&carried.tool))??
            }
        };
        // nothing is left to who lost the right to it while it was made
        self.inner.as_now(&self.who.principal).await?;
        let mut kept = Vec::new();
        for file in &artifact.files {
            let staged = self.stage_output(file, Some(&scratch)).await?;
            let record = self.keep_file(&file.name, &file.media_type, staged).await?;
            kept.push((file.role.clone(), record));
        }
        let mut result = artifact.result;
        let files = kept.iter().map(|(role, file)| JobFile {
            role: role.clone(),
            key: file.key.clone(),
            name: file.name.clone(),
            size: file.size,
            href: self.file_link(file),
        });
        let files: Vec<JobFile> = files.collect();
        if let Some(members) = result.as_object_mut() {
            members.insert("files".into(), json!(files));
            if let Some(folder) = &carried.output_directory {
                let copied = self.copy_out(carried, folder, &kept).await;
                let (name, said) = match copied {
                    Ok(()) => ("output_directory", folder.display().to_string()),
                    Err(fault) => ("not_copied", fault.message),
                };
                members.insert(name.into(), said.into());
            }
        }
        Ok(result)
    }

    /// Runs it; where its model reads files that the caller sent, with those.
    async fn run_with_its_files(&self, mut request: Request) -> Result<Artifact, Fault> {
        let fault = match self.run_request(request.clone(), None).await {
            Err(fault) if !missing_files_of_fault(&fault).is_empty() => fault,
            done => return done,
        };
        let files = self.files_named(missing_files_of_fault(&fault)).await?;
        if files.is_empty() {
            return Err(fault);
        }
        request.files.extend(files);
        self.run_request(request, None).await
    }

    /// Copies the files of a run into the folder that its caller named.
    async fn copy_out(
        &self,
        carried: &Carried,
        folder: &Path,
        files: &[(String, FileRecord)],
    ) -> Result<(), Fault> {
        if carried.gateway != self.inner.gateway || !self.who.principal.local {
            return Err(Fault::new(
                FaultCode::NotSupported,
                "The run was ended by another gateway than the one that it was asked of; fetch the files by their links.",
            ));
        }
        let path = folder.to_owned();
        let made = tokio::task::spawn_blocking(move || match std::fs::create_dir(&path) {
            Err(error) if !path.is_dir() => Err(error),
            _ => Ok(()),
        });
        made.await.map_err(|error| Fault::backend(error.to_string()))?.map_err(|error| {
            Fault::new(FaultCode::NotFound, format!("{} cannot be made: {error}.", folder.display()))
        })?;
        for (_, file) in files {
            if file.name.starts_with('.') {
                let problem =
                    format!("A file of the run is called {}, which is hidden; it was not copied.", file.name);
                return Err(Fault::new(FaultCode::PermissionDenied, problem));
            }
            let from = self.inner.store.blob_file(&file.sha256).await?;
            if !self.inner.store.export(&from, &folder.join(&file.name), false).await? {
                return Err(Fault::new(
                    FaultCode::Conflict,
                    format!("{} holds a file {} already; it was left as it is.", folder.display(), file.name),
                ));
            }
        }
        Ok(())
    }
}

/// Does operations that were submitted as jobs of a kind.
struct Operations {
    service: Service,
    kind: &'static str,
    event: Option<EventType>,
}

impl Service {
    /// The worker that does the operations that were submitted as jobs of this kind, whose ends are told as such events.
    pub fn operation_jobs(&self, kind: &'static str, event: Option<EventType>) -> Arc<dyn JobWorker> {
        Arc::new(Operations { service: self.clone(), kind, event })
    }
}

impl JobWorker for Operations {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn event(&self) -> Option<EventType> {
        self.event.clone()
    }

    fn run<'a>(&'a self, job: &'a JobRecord, watch: &'a JobWatch) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            let carried: Carried = serde_json::from_value(job.parameters.clone())
                .map_err(|error| Fault::backend(format!("This job cannot be read: {error}.")))?;
            let inner = self.service.inner();
            let arguments = json!({ "job_id": job.job_id, "attempt": job.attempts });
            let opening = Opening {
                tool: &carried.tool,
                effect: Effect::Create,
                action: Action::Create,
                entry: inner.catalogue.get(&carried.tool),
                arguments: &arguments,
                started: Instant::now(),
            };
            let context = CallContext { client: carried.client.clone(), ..CallContext::default() };
            let now = inner.as_now(&carried.principal).await;
            let principal = now.as_ref().unwrap_or(&carried.principal).clone();
            let mut call = Call::new(inner, &context, principal, opening);
            call.what.operation_id = OperationId(job.job_id.clone());
            call.clock.deadline_ms = now_ms().saturating_add(carried.seconds * 1000).saturating_add(SPARE_MS);
            let telling = watch.told_by(&mut call.who.progress);
            // dropping the run ends its program, too; the call says in the audit log that it was given up
            let working = async {
                now?;
                call.work_off(job, &carried, watch).await
            };
            let outcome = tokio::select! {
                outcome = working => outcome,
                never = telling => match never {},
            };
            call.end(outcome.as_ref().map(|_| None)).await;
            outcome
        })
    }
}
