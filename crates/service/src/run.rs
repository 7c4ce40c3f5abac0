//! Operations on models: what is sent to an executor, and how its answer is taken.

use crate::answer::QueryResult;
use crate::artifact_check::{Asked, fault_of_service};
use crate::call::Call;
use contract::ops::{FileFormat, Inspect, PlatformOperation, Unpack};
use contract::{
    Artifact, Caller as _, Fault, FaultCode, FileInput, FileOut, Limits, ModelId, ModelInput, ModelKind,
    ModelRecord, ModelUse, Needs, Operation, Progress, Request, Source, VersionId,
};
use percent_encoding::utf8_percent_encode;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use store::{FileRecord, Scratch, Staged, StoredDelta};

/// How often an executor is asked how far an operation is, where somebody wants to know.
const PULSE: Duration = Duration::from_millis(400);

/// The media type of what does not say a good one.
const PLAIN: &str = "application/octet-stream";

/// A model that an operation works on.
pub(crate) struct Subject<'a> {
    pub(crate) role: &'a str,
    pub(crate) model: &'a ModelRecord,
    pub(crate) version: &'a VersionId,
}

/// A version that is nowhere kept: what a change that was prepared leads to.
pub(crate) struct Prepared<'a> {
    pub(crate) role: &'a str,
    pub(crate) model: &'a ModelRecord,
    /// The version that it was prepared on.
    pub(crate) base: &'a VersionId,
    pub(crate) delta: &'a [u8],
}

impl Call {
    /// Runs an operation. Versions are only named at first; sources follow where the executor does not hold one open.
    pub(crate) async fn run(
        &self,
        operation: Operation,
        subjects: &[Subject<'_>],
        scratch: Option<&Scratch>,
    ) -> Result<Artifact, Fault> {
        self.run_with(operation, subjects, None, scratch).await
    }

    /// The same with files beside the models.
    pub(crate) async fn run_on_files(
        &self,
        operation: Operation,
        subjects: &[Subject<'_>],
        files: Vec<FileInput>,
        scratch: Option<&Scratch>,
    ) -> Result<Artifact, Fault> {
        self.run_all(operation, subjects, None, files, scratch).await
    }

    /// The same with a version beside the others that is not committed.
    pub(crate) async fn run_with(
        &self,
        operation: Operation,
        subjects: &[Subject<'_>],
        prepared: Option<&Prepared<'_>>,
        scratch: Option<&Scratch>,
    ) -> Result<Artifact, Fault> {
        self.run_all(operation, subjects, prepared, Vec::new(), scratch).await
    }

    async fn run_all(
        &self,
        operation: Operation,
        subjects: &[Subject<'_>],
        prepared: Option<&Prepared<'_>>,
        files: Vec<FileInput>,
        scratch: Option<&Scratch>,
    ) -> Result<Artifact, Fault> {
        let unstored = prepared.map(|prepared| VersionId::of_delta(prepared.base, prepared.delta));
        let beside = prepared.zip(unstored.as_ref()).map(|(prepared, version)| Subject {
            role: prepared.role,
            model: prepared.model,
            version,
        });
        let named = subjects
            .iter()
            .chain(&beside)
            .map(|subject| {
                let ModelRecord { model_id, kind, .. } = subject.model;
                ModelInput::named(subject.role, model_id.clone(), subject.version.clone(), *kind)
            })
            .collect();
        let backend = self.backend(&operation.name, subjects.first().map(|subject| subject.model));
        let strict = backend.is_some() && self.common.backend.is_some();
        let request = Request { backend, strict, files, ..self.request(operation, named, scratch) };
        self.run_request(request, prepared).await
    }

    /// Has an executor run a request whose models are only named; sources follow where it does not hold one open.
    pub(crate) async fn run_request(
        &self,
        mut request: Request,
        prepared: Option<&Prepared<'_>>,
    ) -> Result<Artifact, Fault> {
        let mut is_new = false;
        for input in &request.models {
            is_new |= self.inner.unopened.take(&input.version);
        }
        // what nobody can hold open yet need not be asked for without its sources
        if !is_new {
            match self.execute(request.clone()).await {
                Err(fault) if fault.code == FaultCode::VersionNotOpen => {}
                other => return other.inspect(|artifact| self.note_manifest(artifact)),
            }
        }
        for input in &mut request.models {
            let prepared = prepared.filter(|prepared| prepared.role == input.role);
            let kept = prepared.map_or(&input.version, |prepared| prepared.base);
            let lineage = self.inner.store.lineage(kept).await?;
            input.base = Some(self.path_source(&lineage.base_sha256).await?);
            input.base_version = Some(lineage.base_version);
            for delta in &lineage.deltas {
                input.deltas.push(match delta {
                    StoredDelta::Inline(bytes) => Source::inline(bytes),
                    StoredDelta::Blob { sha256 } => self.path_source(sha256).await?,
                });
            }
            input.deltas.extend(prepared.map(|prepared| Source::inline(prepared.delta)));
        }
        let done = self.execute(request).await;
        done.inspect(|artifact| self.note_manifest(artifact)).map_err(|fault| match fault.code {
            FaultCode::VersionNotOpen => {
                Fault::backend("The execution service could not open the version that it was given.")
            }
            _ => fault,
        })
    }

    fn note_manifest(&self, artifact: &Artifact) {
        self.note(|trace| trace.manifest = Some(Box::new(artifact.manifest.clone())));
    }

    /// Has an executor run a request; whoever wants to know is told how far it is.
    pub(crate) async fn execute(&self, request: Request) -> Result<Artifact, Fault> {
        let asked = Asked::from_request(&request);
        asked.checked(self.executed(request).await.map_err(fault_of_service)?)
    }

    async fn executed(&self, request: Request) -> Result<Artifact, Fault> {
        let executor = &self.inner.executor;
        let Some(sink) = &self.who.progress else { return executor.run(request).await };
        let id = request.operation_id.clone();
        let told = async {
            let mut last = Progress::default();
            loop {
                tokio::time::sleep(PULSE).await;
                match executor.progress(&id).await {
                    Some(now) if now != last => {
                        last = now.clone();
                        sink.tell(now);
                    }
                    _ => {}
                }
            }
        };
        tokio::select! {
            answer = executor.run(request) => answer,
            () = told => Err(Fault::backend("The call was not run to its end.")),
        }
    }

    /// Runs an operation on a file that is no version yet.
    pub(crate) async fn inspect(
        &self,
        model: ModelInput,
        scratch: Option<&Scratch>,
    ) -> Result<Artifact, Fault> {
        let request = self.request(Inspect::default().operation(), vec![model], scratch);
        self.execute(request).await
    }

    /// The IFC file within an ifcZIP, staged as a file of its own: what is kept is what is in it.
    pub(crate) async fn unpacked(&self, archive: &Path, sha256: &str) -> Result<Staged, Fault> {
        let scratch = self.scratch()?;
        let mut request = self.request(Unpack {}.operation(), Vec::new(), Some(&scratch));
        request.files.push(FileInput {
            role: "archive".into(),
            source: Source::Path(archive.display().to_string()),
            sha256: sha256.to_owned(),
            media_type: "application/zip".into(),
        });
        let artifact = self.execute(request).await?;
        let Some(file) = artifact.files.first() else {
            return Err(Fault::backend("The execution service unpacked no file."));
        };
        self.stage_output(file, Some(&scratch)).await
    }

    pub(crate) fn request(
        &self,
        operation: Operation,
        models: Vec<ModelInput>,
        scratch: Option<&Scratch>,
    ) -> Request {
        Request {
            operation_id: self.what.operation_id.clone(),
            operation,
            backend: None,
            strict: false,
            models,
            files: Vec::<FileInput>::new(),
            limits: Limits::default(),
            deadline_ms: self.clock.deadline_ms,
            time_ms: self.clock.time_ms,
            actor: self.actor(),
            reasoning: self.common.reasoning.clone(),
            scratch: scratch.map(|scratch| scratch.path().display().to_string()),
        }
    }

    pub(crate) async fn path_source(&self, sha256: &str) -> Result<Source, Fault> {
        Ok(Source::Path(self.inner.store.blob_file(sha256).await?.display().to_string()))
    }

    /// A folder for result files, for operations that may make any.
    pub(crate) fn scratch(&self) -> Result<Scratch, Fault> {
        Ok(self.inner.store.scratch()?)
    }

    /// A query by an agent: on this call's model and version, or on none.
    pub(crate) async fn ask(
        &self,
        operation: Operation,
        needs: &Needs,
    ) -> Result<contract::ChatArtifact, Fault> {
        let own = match needs.model_of(&operation.params) {
            ModelUse::Current => Some(self.model_and_version().await?),
            ModelUse::None | ModelUse::Optional | ModelUse::New => None,
        };
        let provided = self.provide(needs, &operation.params).await?;
        let own = own.as_ref().map(|(model, version)| (model, version));
        let key = needs.kept.then(|| self.answer_key(&operation, &provided.subjects(own)));
        let made_of =
            own.filter(|_| needs.kept).map(|(model, version)| (model.model_id.clone(), version.clone()));
        let make = async {
            let artifact = self.run_provided(operation, own, &provided).await?;
            if !artifact.changes.is_empty() {
                return Err(Fault::backend(format!("{} changed a model while reading it.", self.what.tool)));
            }
            let kept = self.keep_files_of(&artifact, provided.scratch.as_ref(), made_of.as_ref()).await?;
            let roles = artifact.files.into_iter().map(|file| file.role);
            Ok(QueryResult {
                result: artifact.result,
                changes: artifact.diff_summary,
                files: roles.zip(kept).collect(),
            })
        };
        crate::answer::of_query(self, self.kept_or_made(key, make).await?).await
    }

    /// The model of a kind that the session works on; none where there is none, or it is not there for the caller.
    pub(crate) async fn session_model(&self, kind: Option<ModelKind>) -> Option<(ModelRecord, VersionId)> {
        let state = self.session_state().await.ok()?;
        let model = match (crate::session::current(&state, kind), &self.who.default_model) {
            (Some(model), _) => self.known_model(model).await,
            (None, Some(wanted)) => self.find_model(wanted).await,
            (None, None) => return None,
        };
        let model = model.ok().filter(|model| kind.is_none_or(|kind| model.kind == kind))?;
        self.opens(&model.model_id).ok()?;
        let version = self.session_position(&model.model_id).await.ok()?.version().clone();
        Some((model, version))
    }

    /// The model and the version that this call reads.
    pub(crate) async fn model_and_version(&self) -> Result<(ModelRecord, VersionId), Fault> {
        let model = self.model_of_call().await?;
        let version = self.position(&model.model_id).await?.version().clone();
        self.note(|trace| trace.before = Some(version.clone()));
        Ok((model, version))
    }

    /// The bytes that an operation made, wherever they are, staged for the bucket and checked against their hash.
    pub(crate) async fn stage_output(
        &self,
        file: &FileOut,
        scratch: Option<&Scratch>,
    ) -> Result<Staged, Fault> {
        let limit = self.inner.config.import_bytes;
        let staged = match &file.source {
            Source::Path(path) => {
                let path = Path::new(path);
                // A worker may point only into the folder that it was given.
                let inside = scratch.is_some_and(|scratch| {
                    matches!((path.canonicalize(), scratch.path().canonicalize()), (Ok(path), Ok(folder)) if path.starts_with(&folder))
                });
                if !inside {
                    return Err(Fault::backend(format!(
                        "{} answered a file outside its folder.",
                        self.what.tool
                    )));
                }
                self.inner.store.stage(path, limit).await?
            }
            Source::Inline(_) => {
                let bytes = file.source.inline_bytes().ok_or_else(|| {
                    Fault::backend(format!("{} answered a file that cannot be read.", self.what.tool))
                })?;
                let mut incoming = self.inner.store.incoming(limit)?;
                incoming.write(&bytes)?;
                incoming.finish().await?
            }
            Source::Href(_) => {
                return Err(Fault::new(
                    FaultCode::NotSupported,
                    "Files behind links are not taken from an execution service here.",
                ));
            }
        };
        if !file.sha256.is_empty() && staged.blob().sha256 != file.sha256 {
            return Err(Fault::backend(format!(
                "{} answered a file that does not match its hash.",
                self.what.tool
            )));
        }
        Ok(staged)
    }

    /// The bytes of a delta that an operation answered.
    pub(crate) async fn delta_bytes(
        &self,
        source: &Source,
        scratch: Option<&Scratch>,
    ) -> Result<Vec<u8>, Fault> {
        if let Some(bytes) = source.inline_bytes() {
            return Ok(bytes);
        }
        let file = FileOut {
            role: "delta".into(),
            name: "delta".into(),
            source: source.clone(),
            sha256: String::new(),
            size: 0,
            media_type: String::new(),
        };
        let staged = self.stage_output(&file, scratch).await?;
        tokio::fs::read(staged.path())
            .await
            .map_err(|error| Fault::backend(format!("The change cannot be read: {error}.")))
    }

    /// Keeps the files that an operation made and answers links to them.
    pub(crate) async fn keep_files(
        &self,
        artifact: &Artifact,
        scratch: Option<&Scratch>,
    ) -> Result<Vec<contract::Link>, Fault> {
        let kept = self.keep_files_of(artifact, scratch, None).await?;
        Ok(kept.iter().map(|file| self.link(file)).collect())
    }

    /// Keeps the files that an operation made, with the version that they were made of, if they were of one.
    pub(crate) async fn keep_files_of(
        &self,
        artifact: &Artifact,
        scratch: Option<&Scratch>,
        made_of: Option<&(ModelId, VersionId)>,
    ) -> Result<Vec<FileRecord>, Fault> {
        let mut kept = Vec::new();
        for file in artifact.files.iter().filter(|_| !self.is_dry_run()) {
            let staged = self.stage_output(file, scratch).await?;
            kept.push(self.keep_file_of(&file.name, &file.media_type, staged, made_of.cloned()).await?);
        }
        Ok(kept)
    }

    /// A link to a file that was kept.
    pub(crate) fn link(&self, file: &FileRecord) -> contract::Link {
        contract::Link { title: file.name.clone(), href: self.file_link(file) }
    }

    /// Keeps one file under this call's operation.
    pub(crate) async fn keep_file(
        &self,
        name: &str,
        media_type: &str,
        staged: Staged,
    ) -> Result<FileRecord, Fault> {
        self.keep_file_of(name, media_type, staged, None).await
    }

    async fn keep_file_of(
        &self,
        name: &str,
        media_type: &str,
        staged: Staged,
        made_of: Option<(ModelId, VersionId)>,
    ) -> Result<FileRecord, Fault> {
        let name = plain_name(name)?;
        let blob = self.inner.store.adopt(staged).await?;
        let record = FileRecord {
            key: format!("{}/{name}", self.what.operation_id),
            name,
            media_type: if crate::files::is_media_type(media_type) { media_type } else { PLAIN }.to_owned(),
            sha256: blob.sha256,
            size: blob.size,
            principal: self.who.principal.name.clone(),
            operation_id: Some(self.what.operation_id.clone()),
            time_ms: self.clock.time_ms,
            made_of,
        };
        self.inner.store.put_file(record.clone()).await?;
        Ok(record)
    }

    pub(crate) fn file_link(&self, record: &FileRecord) -> String {
        self.link_to(&record.key)
    }

    /// The address of a file by its key.
    pub(crate) fn link_to(&self, key: &str) -> String {
        self.address_of(&format!(
            "{}{}",
            crate::files::LINKED,
            utf8_percent_encode(key, crate::collections::PATH)
        ))
    }
}

/// A file name that is a name and no path.
pub(crate) fn plain_name(name: &str) -> Result<String, Fault> {
    let bad = name.is_empty()
        || name.len() > 200
        || name == "."
        || name == ".."
        || name.chars().any(|c| c.is_control() || c == '/' || c == '\\');
    if bad {
        return Err(Fault::invalid(
            "name",
            "A file's name has to be 1 to 200 bytes without slashes and control characters.",
        ));
    }
    Ok(name.to_owned())
}

/// The kind of model that a file holds, by its name.
pub(crate) fn kind_by_file_name(name: &str) -> Result<ModelKind, Fault> {
    FileFormat::from_file_name(Path::new(name)).map(FileFormat::kind).ok_or_else(|| {
        let kinds: BTreeSet<&str> = FileFormat::ALL.iter().map(|format| format.kind().as_str()).collect();
        let listed = kinds.iter().copied().collect::<Vec<_>>().join(" or ");
        Fault::invalid(
            "kind",
            format!("The file name {name} does not tell what kind of model it is. Give `kind`: {listed}."),
        )
        .with("allowed", kinds)
    })
}
