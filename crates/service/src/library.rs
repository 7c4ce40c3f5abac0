//! Whole files and whole histories: taking files in, giving them out, going back to older versions, comparing.

use crate::CallContext;
use crate::call::{Call, Opening};
use crate::commit::{Authority, Draft, Proposal};
use crate::run::{Subject, kind_by_file_name};
use crate::service::Inner;
use contract::ops::{FileFormat, Inspect, Materialise, PlatformOperation};
use contract::{
    Action, Artifact, BucketFile, Committed, Effect, EventId, EventType, Fault, FaultCode, ImportSource,
    ModelId, ModelImport, ModelInput, ModelKind, ModelRecord, Principal, Source, VersionId,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Blob, Content, FileRecord, NewModel, Staged, now_ms};

/// Bytes of a file that are opened in the time in which one delta is applied.
const FILE_PER_DELTA: u64 = 200_000;
/// A checkpoint is nobody's call; it may take its time.
const CHECKPOINT_LIMIT: Duration = Duration::from_mins(10);

/// Bytes to import: a file just copied in, or a blob that is there.
enum Bytes {
    Staged(Staged),
    Kept(Blob),
}

impl Bytes {
    fn blob(&self) -> &Blob {
        match self {
            Self::Staged(staged) => staged.blob(),
            Self::Kept(blob) => blob,
        }
    }
}

/// True if a file begins as zip archives do.
async fn is_zip(path: &Path) -> bool {
    use tokio::io::AsyncReadExt as _;
    let mut start = [0; 4];
    match tokio::fs::File::open(path).await {
        Ok(mut file) => file.read_exact(&mut start).await.is_ok() && start == *b"PK\x03\x04",
        Err(_) => false,
    }
}

/// The format that a file's name promises, so that none is found under another's name.
fn promised_format(path: &Path, kind: ModelKind) -> Result<FileFormat, Fault> {
    FileFormat::from_file_name(path).filter(|format| format.kind() == kind).ok_or_else(|| {
        let endings: Vec<String> =
            FileFormat::of_kind(kind).map(|format| format!(".{}", format.extension())).collect();
        let problem = format!(
            "A model of the kind {} is written as {}. Give a file_path that ends so.",
            kind.as_str(),
            endings.join(" or ")
        );
        Fault::invalid("file_path", problem).with("allowed", endings)
    })
}

/// The identity of a checkpoint's work.
pub(crate) struct Background(Call);

impl Background {
    pub(crate) fn new(call: &Call) -> Self {
        let principal = Principal { name: "system".into(), ..Principal::default() };
        let opening = Opening {
            tool: "checkpoint",
            effect: Effect::Query,
            action: Action::Query,
            entry: None,
            arguments: &Value::Null,
            started: Instant::now(),
        };
        let mut call = Call::new(&call.inner, &CallContext::default(), principal, opening);
        call.clock.deadline_ms = now_ms() + u64::try_from(CHECKPOINT_LIMIT.as_millis()).unwrap_or(0);
        call.is_not_audited();
        Self(call)
    }

    /// Keeps a version as a whole file, if its deltas are heavy or take longer to apply than the file that they stand on to open.
    pub(crate) async fn checkpoint(
        &self,
        inner: &Arc<Inner>,
        model: &ModelId,
        version: &VersionId,
        is_heavy: bool,
    ) -> Result<(), Fault> {
        if !is_heavy {
            let lineage = inner.store.lineage(version).await?;
            let file = inner.store.blob_size(&lineage.base_sha256).await?;
            if (lineage.deltas.len() as u64).saturating_mul(FILE_PER_DELTA) < file {
                return Ok(());
            }
        }
        // Another gateway may have noticed, too, that it is time.
        let work = format!("checkpoint of {model}");
        let Some(claim) = inner.store.claim(&work, CHECKPOINT_LIMIT).await? else { return Ok(()) };
        let made = match inner.store.model(model).await {
            Ok(model) => self.0.whole_file(&model, version).await.map(|_| ()),
            Err(error) => Err(error.into()),
        };
        inner.store.give_back(claim).await?;
        made
    }
}

impl Call {
    // ---- in

    /// Takes a file in as a new model, or as the new head of one, after an executor has read it whole. Nothing is recorded
    /// of one that cannot be read.
    pub(crate) async fn import_file(&self, import: &ModelImport) -> Result<(Committed, Artifact), Fault> {
        let (mut bytes, file_name) = self.bytes_of(&import.source).await?;
        let kind = import.kind.map_or_else(|| kind_by_file_name(&file_name), Ok)?;
        if kind == ModelKind::Ifc && is_zip(&self.path_of(&bytes).await?).await {
            let (path, sha256) = (self.path_of(&bytes).await?, bytes.blob().sha256.clone());
            let unpacked =
                self.unpacked(&path, &sha256).await.map_err(|fault| about_file(fault, &file_name))?;
            bytes = Bytes::Staged(unpacked);
        }
        let stem = Path::new(&file_name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = stem.unwrap_or_else(|| "Untitled".to_owned());
        let model = ModelId::new();
        let blob = bytes.blob().clone();
        let version = VersionId::of_file(&model, None, &blob.sha256);
        let path = self.path_of(&bytes).await?;
        let input = ModelInput {
            role: "model".into(),
            id: model.clone(),
            version: version.clone(),
            kind,
            base: Some(Source::Path(path.display().to_string())),
            base_version: Some(version.clone()),
            deltas: Vec::new(),
        };
        let artifact = self
            .inspect(input, None)
            .await
            .map_err(|fault| about_file(said_to_be(fault, import.kind), &file_name))?;
        if let Some(wanted) = &import.version {
            require_version(&file_name, &Inspect::read(&artifact)?.schema, wanted)?;
        }
        if self.is_dry_run() {
            let committed =
                Committed { model_id: model, version, parent: None, event_id: EventId::new(), changes: None };
            return Ok((committed, artifact));
        }
        if let Bytes::Staged(staged) = bytes {
            self.inner.store.adopt(staged).await?;
        }
        let content = Content::File { sha256: blob.sha256, size: blob.size };
        let Some(existing) = &import.into else {
            let new_model = NewModel { name, kind, origin: None };
            let draft = Draft::of_new_model(model, new_model, content, EventType::ModelLoaded, &artifact);
            let (committed, _) = self.commit_new_model(draft, None, &Authority::Call).await?;
            return Ok((committed, artifact));
        };
        let position = &self.session_position(existing).await?;
        let (content, read) = (&content, &artifact);
        let result = self
            .commit_on_head(position, &Authority::Call, |head| async move {
                if self.inner.store.model(existing).await?.kind != kind {
                    return Err(Fault::invalid(
                        "kind",
                        "The file holds another kind of model than the one it is to replace.",
                    ));
                }
                let draft = Draft::on_head(position, head, content.clone(), EventType::ModelReplaced, read);
                Ok(Proposal::Change(Box::new(draft), None, ()))
            })
            .await?;
        match result.without_answer()? {
            (Some(committed), ()) => Ok((committed, artifact)),
            (None, ()) => Err(Fault::backend("The file became no version.")),
        }
    }

    async fn path_of(&self, bytes: &Bytes) -> Result<PathBuf, Fault> {
        Ok(match bytes {
            Bytes::Staged(staged) => staged.path().to_owned(),
            Bytes::Kept(blob) => self.inner.store.blob_file(&blob.sha256).await?,
        })
    }

    async fn bytes_of(&self, source: &ImportSource) -> Result<(Bytes, String), Fault> {
        match source {
            ImportSource::Path(text) => {
                let path = self.local_path("file_path", text)?;
                let name =
                    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                let found = tokio::fs::metadata(&path).await;
                if !found.as_ref().is_ok_and(std::fs::Metadata::is_file) {
                    let why = match found {
                        Ok(_) => "is no file".to_owned(),
                        Err(error) => format!("cannot be read: {error}"),
                    };
                    return Err(Fault::new(
                        FaultCode::NotFound,
                        format!(
                            "{} {why}. Give the path of a model on this machine, IFC, IDF or epJSON.",
                            path.display()
                        ),
                    )
                    .with("field", "file_path")
                    .with("path", path.display().to_string()));
                }
                let staged = self.inner.store.stage(&path, self.inner.config.import_bytes).await?;
                Ok((Bytes::Staged(staged), name))
            }
            ImportSource::Key(key) => match self.inner.store.file(key).await? {
                Some(file) if self.owns(&file) => Ok(kept(file)),
                _ => Err(Fault::no_file("bucket_key", key)),
            },
            ImportSource::Upload(name) => {
                match self.inner.store.file_named(&self.who.principal.name, name).await? {
                    Some(file) => Ok(kept(file)),
                    None => Err(Fault::no_file("upload_name", name)),
                }
            }
        }
    }

    // ---- out

    /// The whole file of a version, made if it is not kept, and kept from then on.
    pub(crate) async fn whole_file(
        &self,
        model: &ModelRecord,
        version: &VersionId,
    ) -> Result<BucketFile, Fault> {
        let store = &self.inner.store;
        if let Some(sha256) = store.whole_file(version).await? {
            return self.bucket_file(sha256).await;
        }
        let _turn = self.inner.materialising.lock(version.as_str()).await;
        if let Some(sha256) = store.whole_file(version).await? {
            return self.bucket_file(sha256).await;
        }
        let staged = self.written(model, version, None).await?;
        let blob = store.adopt(staged).await?;
        store.set_checkpoint(version, &blob.sha256).await?;
        Ok(BucketFile { path: store.blob_file(&blob.sha256).await?, sha256: blob.sha256, size: blob.size })
    }

    /// A version as a file, written now, and dated as it was committed: whenever and however often it is written, its bytes
    /// are the same.
    async fn written(
        &self,
        model: &ModelRecord,
        version: &VersionId,
        format: Option<FileFormat>,
    ) -> Result<Staged, Fault> {
        let time_ms = Some(self.inner.store.version(&model.model_id, version.as_str()).await?.time_ms);
        let scratch = self.scratch()?;
        let operation = Materialise { format, time_ms }.operation();
        let subject = Subject { role: "model", model, version };
        let artifact = self.run(operation, &[subject], Some(&scratch)).await?;
        let Some(file) = artifact.files.first() else {
            return Err(Fault::backend("The execution service wrote no file."));
        };
        self.stage_output(file, Some(&scratch)).await
    }

    pub(crate) async fn bucket_file(&self, sha256: String) -> Result<BucketFile, Fault> {
        let size = self.inner.store.blob_size(&sha256).await?;
        Ok(BucketFile { path: self.inner.store.blob_file(&sha256).await?, sha256, size })
    }

    /// Writes the whole file of a version to a path on this machine; without `keep` the file is not kept for the next time.
    pub(crate) async fn save_file(
        &self,
        model: &ModelRecord,
        version: &VersionId,
        path: &str,
        overwrite: bool,
        keep: bool,
    ) -> Result<BucketFile, Fault> {
        let path = self.writable_path("file_path", path).await?;
        let exists = tokio::fs::symlink_metadata(&path).await;
        if exists.as_ref().is_ok_and(std::fs::Metadata::is_dir) || path.file_name().is_none() {
            return Err(Fault::invalid(
                "file_path",
                format!("{} is a folder. Give the path of a file.", path.display()),
            ));
        }
        if exists.is_ok() && !overwrite {
            return Err(there_already(&path));
        }
        let format = promised_format(&path, model.kind)?;
        if exists.is_ok() {
            self.replaces_a_model(&path, model.kind).await?;
        }
        // whole files are kept in the one form that every IFC model has
        let is_kept_form = format == FileFormat::Ifc;
        let bytes = if !is_kept_form || (!keep && self.inner.store.whole_file(version).await?.is_none()) {
            Bytes::Staged(self.written(model, version, Some(format)).await?)
        } else {
            let file = self.whole_file(model, version).await?;
            Bytes::Kept(Blob { sha256: file.sha256, size: file.size })
        };
        let from = self.path_of(&bytes).await?;
        if !self.is_dry_run() && !self.inner.store.export(&from, &path, overwrite).await? {
            return Err(there_already(&path));
        }
        let Blob { sha256, size } = bytes.blob().clone();
        Ok(BucketFile { path, sha256, size })
    }
}

/// Refuses a file whose format is of another version than its caller expects.
fn require_version(file: &str, found: &str, wanted: &str) -> Result<(), Fault> {
    let found_version = found.rsplit(' ').next().unwrap_or(found);
    let wanted_version = wanted.rsplit(' ').next().unwrap_or(wanted);
    let numbers = |version: &str| -> Vec<u32> {
        version
            .trim_start_matches(['v', 'V'])
            .split('.')
            .map_while(|part| part.parse().ok())
            .take(2)
            .collect()
    };
    let (a, b) = (numbers(found_version), numbers(wanted_version));
    let is_it = if a.is_empty() {
        // IFC4X3 stands for its addenda, too
        let (found, wanted) = (found_version.to_ascii_uppercase(), wanted_version.to_ascii_uppercase());
        found.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    } else {
        a.starts_with(&b) && !b.is_empty()
    };
    if is_it {
        return Ok(());
    }
    let problem = format!(
        "{file} is {found}, not {wanted}. Leave `version` out to load it as it is, or convert it first."
    );
    Err(Fault::invalid("version", problem).with("found", found))
}

fn kept(file: FileRecord) -> (Bytes, String) {
    (Bytes::Kept(Blob { sha256: file.sha256, size: file.size }), file.name)
}

fn there_already(path: &Path) -> Fault {
    Fault::new(
        FaultCode::ConstraintViolation,
        format!(
            "{} is there already. Save under another name, or give overwrite=true to replace it.",
            path.display()
        ),
    )
    .with("field", "file_path")
    .with("path", path.display().to_string())
}

/// Names the parameter `kind` in the Fault of a file that cannot be read as what it was said to be.
fn said_to_be(mut fault: Fault, kind: Option<ModelKind>) -> Fault {
    let Some(kind) = kind.filter(|_| fault.code == FaultCode::UnreadableFile) else { return fault };
    let said = kind.as_str();
    let message =
        format!("{} It was read as `kind` {said} says; leave it out to go by the name.", fault.message);
    fault.message = message;
    fault.with("field", "kind")
}

/// A file that cannot be read is called by the name that the caller knows.
fn about_file(fault: Fault, name: &str) -> Fault {
    if fault.data.contains_key("file") { fault } else { fault.with("file", name) }
}
