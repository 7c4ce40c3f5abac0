//! Changes that platform tools make to a model: an operation on the head, committed as any edit is, and models made out of files that
//! are none themselves.

use crate::call::Call;
use crate::commit::{Authority, Draft, Proposal};
use contract::{
    Artifact, Fault, ModelChanged, ModelId, ModelInput, ModelMade, ModelRecord, Operation, Request, VersionId,
};
use std::path::Path;
use store::{Content, Scratch};

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
        self.may(self.what.action, &model)?;
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
                let event_type = self.event_type(&artifact);
                let draft = Draft::on_head(position, head, Content::Delta(delta), event_type, &artifact);
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
        let (committed, artifact, answer) = self.take_new(artifact, Some(&scratch), &name, None).await?;
        let session = answer.and_then(|answer| answer.result.get("session")?.as_str().map(str::to_owned));
        Ok(ModelMade { committed, artifact, session })
    }
}
