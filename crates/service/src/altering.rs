//! Changes that platform tools make to a model: an operation on the head, committed as any edit is, and models made out of files that
//! are none themselves.

use crate::call::Call;
use crate::commit::{Authority, Draft, Proposal};
use crate::library::no_file;
use crate::run::Subject;
use contract::{
    Artifact, Fault, FaultCode, FileInput, ModelChanged, ModelId, ModelInput, ModelMade, ModelRecord,
    Operation, Request, VersionId,
};
use serde_json::Value;
use std::path::Path;
use store::{Content, FileRecord, Scratch};

/// The most bytes of a file that is named by its path.
const LARGEST: u64 = 512 << 20;
/// Files of the caller's that one query is given.
const NAMED: usize = 50;

impl Call {
    /// Runs an operation that changes a model, and commits it.
    pub(crate) async fn alter(
        &self,
        model: &ModelId,
        operation: Operation,
        backend: Option<&str>,
    ) -> Result<ModelChanged, Fault> {
        let model = self.known_model(model).await?;
        self.note(|trace| trace.model = Some(model.model_id.clone()));
        self.may(self.action, &model)?;
        self.opens(&model.model_id)?;
        let position = self.position(&model.model_id).await?;
        let scratch = self.scratch()?;
        let (operation, model, position, scratch) = (&operation, &model, &position, &scratch);
        let result = self
            .commit_on_head(position, &Authority::Call, |head| async move {
                let artifact = self.altered(operation, model, &head, backend, scratch).await?;
                let links = self.keep_files(&artifact, Some(scratch)).await?;
                let Some(delta) = self.only_delta(&artifact, Some(scratch)).await? else {
                    return Ok(Proposal::Unchanged((artifact, links)));
                };
                let (event_type, summary) = (self.event_type(&artifact), artifact.diff_summary.clone());
                let draft = Draft::on_head(position, head, Content::Delta(delta), event_type, summary);
                Ok(Proposal::Change(Box::new(draft), None, (artifact, links)))
            })
            .await?;
        let (committed, (artifact, links)) = result.without_answer()?;
        Ok(ModelChanged { committed, artifact, links })
    }

    async fn altered(
        &self,
        operation: &Operation,
        model: &ModelRecord,
        version: &VersionId,
        backend: Option<&str>,
        scratch: &Scratch,
    ) -> Result<Artifact, Fault> {
        self.note(|trace| trace.before = Some(version.clone()));
        let input = ModelInput::named("model", model.model_id.clone(), version.clone(), model.kind);
        let request = self.request(operation.clone(), vec![input], Some(scratch));
        self.run_request(Request { backend: backend.map(str::to_owned), ..request }, None).await
    }

    /// Has an operation make a model of a file that the caller names, and takes it in.
    pub(crate) async fn derive_of_file(
        &self,
        operation: Operation,
        backend: &str,
        role: &str,
        (field, file): (&str, &str),
    ) -> Result<ModelMade, Fault> {
        let record = self.file_given(field, file).await?;
        let scratch = self.scratch()?;
        let mut request = self.request(operation, Vec::new(), Some(&scratch));
        request.backend = Some(backend.to_owned());
        request.files.push(self.file_input(role.to_owned(), &record).await?);
        let artifact = self.execute(request).await?;
        let name = Path::new(&record.name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| "Untitled".to_owned());
        let (committed, artifact, answer) = self.take_new(artifact, &scratch, &name, None).await?;
        let session = answer.and_then(|answer| answer.result.get("session")?.as_str().map(str::to_owned));
        Ok(ModelMade { committed, artifact, session })
    }

    /// A file by its key, as an upload, or by its path on the machine of a caller who sits there.
    async fn file_given(&self, field: &str, named: &str) -> Result<FileRecord, Fault> {
        if let Some(record) = self.inner.store.file(named).await?.filter(|file| self.owns(file)) {
            return Ok(record);
        }
        if let Some(record) = self.inner.store.file_named(&self.principal.name, named).await? {
            return Ok(record);
        }
        if !self.principal.local {
            return Err(no_file(field, named));
        }
        let path = self.local_path(field, named)?;
        if !path.is_file() {
            let problem = format!(
                "There is no file {named}: no key, no upload and no file of that path on this machine."
            );
            return Err(Fault::new(FaultCode::NotFound, problem).with("field", field));
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let staged = self.inner.store.stage(&path, LARGEST).await?;
        self.keep_file(&name, "application/octet-stream", staged).await
    }

    async fn file_input(&self, role: String, record: &FileRecord) -> Result<FileInput, Fault> {
        Ok(FileInput {
            role,
            source: self.path_source(&record.sha256).await?,
            sha256: record.sha256.clone(),
            media_type: record.media_type.clone(),
        })
    }

    /// Those of the caller's files that a model names, by the last part of their path: models are written on other machines.
    pub(crate) async fn files_named<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Vec<FileInput>, Fault> {
        let mut files = Vec::new();
        for name in names.into_iter().take(NAMED) {
            let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
            let by_key = self.inner.store.file(name).await?.filter(|file| self.owns(file));
            let found = match by_key {
                Some(found) => Some(found),
                None => self.inner.store.file_named(&self.principal.name, last).await?,
            };
            if let Some(found) = found {
                files.push(self.file_input(format!("file:{name}"), &found).await?);
            }
        }
        Ok(files)
    }

    /// Runs a query; where it says that it lacks files which the caller has, it runs again with them.
    pub(crate) async fn query_with_files(&self, operation: Operation) -> Result<Artifact, Fault> {
        let (model, version) = self.model_and_version().await?;
        let subject = [Subject { role: "model", model: &model, version: &version }];
        let first = self.run(operation.clone(), &subject, None).await?;
        let names = first.result.get("missing_files").and_then(Value::as_array);
        let names: Vec<&str> = names.into_iter().flatten().filter_map(Value::as_str).collect();
        let files = self.files_named(names).await?;
        if files.is_empty() {
            return Ok(first);
        }
        let scratch = self.scratch()?;
        self.run_on_files(operation, &subject, files, &scratch).await
    }
}
