//! What tools on models change: an operation runs on the head and becomes a version, or makes a new model.

use crate::answer;
use crate::call::Call;
use crate::commit::{Authority, CommitResult, Draft, Proposal};
use crate::needs::Provided;
use contract::{
    Artifact, Change as Changed, ChatArtifact, Committed, EventId, EventType, Fault, FaultCode, ModelId,
    ModelOrigin, ModelRecord, Needs, Operation, VersionId, member,
};
use store::{Content, NewModel, Scratch};

impl Call {
    /// A tool that changes this call's model.
    pub(crate) async fn change(&self, operation: Operation, needs: &Needs) -> Result<ChatArtifact, Fault> {
        let model = self.model_of_call().await?;
        let position = self.position(&model.model_id).await?;
        let provided = self.provide(needs, &operation.params).await?;
        let (operation, model, position, provided) = (&operation, &model, &position, &provided);
        let result = self
            .commit_on_head(position, &Authority::Call, |head| async move {
                let scratch = provided.scratch.as_ref();
                let artifact = self.run_on(operation, model, &head, provided).await?;
                let Some(delta) = self.only_delta(&artifact, scratch).await? else {
                    // what it made is there all the same, such as sheets that were drawn again
                    let links = self.keep_files(&artifact, scratch).await?;
                    return Ok(Proposal::Unchanged((artifact, head, links)));
                };
                let links = self.keep_files(&artifact, scratch).await?;
                let event_type = self.event_type(&artifact);
                let draft =
                    Draft::on_head(position, head.clone(), Content::Delta(delta), event_type, &artifact);
                Ok(Proposal::Change(
                    Box::new(draft),
                    Some((artifact.result.clone(), links)),
                    (artifact, head, Vec::new()),
                ))
            })
            .await?;
        match result {
            CommitResult::Committed(_, answer, _) | CommitResult::Replayed(answer) => Ok(*answer),
            CommitResult::Preview(_, (artifact, ..)) => answer::of_preview(self, artifact).await,
            CommitResult::Unchanged((artifact, ..)) if self.is_dry_run() => {
                answer::of_preview(self, artifact).await
            }
            CommitResult::Unchanged((artifact, head, links)) => {
                answer::of_unchanged(self, artifact, &head, links).await
            }
        }
    }

    /// A tool that makes a new model.
    pub(crate) async fn make(&self, operation: Operation, needs: &Needs) -> Result<ChatArtifact, Fault> {
        let name = needs.name.as_deref().and_then(|name| member(&operation.params, name)?.as_str());
        let name = name.unwrap_or("Untitled").to_owned();
        let (_, artifact, answer) = self.make_model(operation, &name, needs).await?;
        match answer {
            Some(answer) => Ok(answer),
            None => answer::of_preview(self, artifact).await,
        }
    }

    /// Runs an operation that makes a model and commits it; no answer for a dry run.
    pub(crate) async fn make_model(
        &self,
        operation: Operation,
        name: &str,
        needs: &Needs,
    ) -> Result<(Committed, Artifact, Option<ChatArtifact>), Fault> {
        let mut provided = self.provide(needs, &operation.params).await?;
        if provided.scratch.is_none() {
            provided.scratch = Some(self.scratch()?);
        }
        let artifact = self.run_provided(operation, None, &provided).await?;
        self.take_new(artifact, provided.scratch.as_ref(), name, None).await
    }

    /// Commits the new model that an operation made; no answer for a dry run.
    pub(crate) async fn take_new(
        &self,
        mut artifact: Artifact,
        scratch: Option<&Scratch>,
        name: &str,
        origin: Option<ModelOrigin>,
    ) -> Result<(Committed, Artifact, Option<ChatArtifact>), Fault> {
        let model = ModelId::new();
        let new = artifact.changes.iter().find(|change| change.role == "new");
        let (kind, file) = match new {
            Some(Changed { kind, file: Some(file), .. }) => (*kind, file),
            _ => return Err(Fault::backend(format!("{} made no model.", self.what.tool))),
        };
        let staged = self.stage_output(file, scratch).await?;
        if self.is_dry_run() {
            let version = VersionId::of_file(&model, None, &staged.blob().sha256);
            let committed = Committed {
                model_id: model,
                version,
                parent: None,
                event_id: EventId::new(),
                changes: artifact.diff_summary.clone(),
            };
            return Ok((committed, artifact, None));
        }
        let links = self.keep_files(&artifact, scratch).await?;
        let blob = self.inner.store.adopt(staged).await?;
        let new_model = NewModel { name: name.to_owned(), kind, origin };
        let content = Content::File { sha256: blob.sha256, size: blob.size };
        let event_type = self.event_type(&artifact);
        let draft = Draft::of_new_model(model.clone(), new_model, content, event_type, &artifact);
        artifact.changes.clear();
        let answered = Some((artifact.result.clone(), links));
        let (committed, mut answer) = self.commit_new_model(draft, answered, &Authority::Call).await?;
        if let Some(token) = self.enter(kind, &model).await? {
            answer.result.insert("session".into(), token.into());
        }
        Ok((committed, artifact, Some(answer)))
    }

    async fn run_on(
        &self,
        operation: &Operation,
        model: &ModelRecord,
        version: &VersionId,
        provided: &Provided,
    ) -> Result<Artifact, Fault> {
        self.note(|trace| trace.before = Some(version.clone()));
        self.run_provided(operation.clone(), Some((model, version)), provided).await
    }

    /// The delta of the one model that an operation changed; none if it changed nothing.
    pub(crate) async fn only_delta(
        &self,
        artifact: &Artifact,
        scratch: Option<&Scratch>,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let mut changes = artifact.changes.iter();
        let Some(change) = changes.next() else { return Ok(None) };
        if changes.next().is_some() || change.role != "model" {
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!(
                    "{} would change several models at once, which is not committed as one here.",
                    self.what.tool
                ),
            ));
        }
        let Some(source) = &change.delta else {
            return Err(Fault::backend(format!("{} answered a change without its delta.", self.what.tool)));
        };
        self.delta_bytes(source, scratch).await.map(Some)
    }

    /// The kind of event that a change is. What a script says of itself does not count, nor a name that is none.
    pub(crate) fn event_type(&self, artifact: &Artifact) -> EventType {
        let declared = self.what.event.clone();
        if declared == Some(EventType::CodeRun) {
            return EventType::CodeRun;
        }
        let named = artifact.event_type.as_deref().and_then(EventType::told_by_service);
        named.or(declared).unwrap_or(EventType::ModelChanged)
    }
}
