//! Changes: an operation runs on the head, and what it came to is committed if the head is still there; else it runs
//! again, as the same operation, on the new head.

use crate::answer;
use crate::branches::writers_of;
use crate::call::Call;
use crate::run::Subject;
use contract::{
    Artifact, Change as Changed, ChatArtifact, Committed, DiffSummary, Effect, EventId, EventType, Fault,
    FaultCode, Link, ModelId, ModelKind, ModelOrigin, ModelRecord, Operation, VersionId,
};
use serde_json::Value;
use std::sync::Arc;
use store::{Chain, Commit, CommitOutcome, Content, MAIN, MergedFrom, Movement, NewModel, Scratch};

/// How often an operation runs again because someone else was quicker. Within one gateway writers take turns, so each
/// time is another gateway's commit.
const ATTEMPTS: usize = 32;

/// What is to be committed.
pub(crate) struct Draft {
    pub(crate) model: ModelId,
    /// The ref that moves.
    pub(crate) ref_name: String,
    pub(crate) new_model: Option<NewModel>,
    pub(crate) parent: Option<VersionId>,
    pub(crate) merged: Option<MergedFrom>,
    pub(crate) content: Content,
    pub(crate) moved_to: Option<(Movement, VersionId)>,
    pub(crate) event_type: EventType,
    pub(crate) summary: Option<DiffSummary>,
}

impl Draft {
    pub(crate) fn version(&self) -> Result<VersionId, Fault> {
        match (&self.content, &self.parent) {
            (Content::Delta(bytes), Some(parent)) => Ok(VersionId::of_delta(parent, bytes)),
            (Content::Delta(_), None) => Err(Fault::backend("A first version has to be a whole file.")),
            (Content::File { sha256, .. }, parent) => {
                Ok(VersionId::of_file(&self.model, parent.as_ref(), sha256))
            }
        }
    }
}

/// What became of a draft.
pub(crate) enum Landed {
    /// It is the head now. The answer is what a retry with the same key will get.
    Committed(Box<(Committed, ChatArtifact)>),
    /// The head is another by now.
    Moved(VersionId),
    /// The same key was committed meanwhile, elsewhere.
    Replayed(Box<ChatArtifact>),
}

impl Call {
    /// A tool that changes this call's model.
    pub(crate) async fn change(&self, operation: Operation) -> Result<ChatArtifact, Fault> {
        let model = self.model_of_call().await?;
        let place = self.place(&model.model_id).await?;
        if self.is_dry_run() {
            let artifact = self.run_on(&operation, &model, place.version()).await?;
            return answer::of_preview(self, artifact).await;
        }
        let (ref_name, pinned) = (place.ref_name, place.pinned);
        let _turn = self.inner.writers.lock(&writers_of(&model.model_id, &ref_name)).await;
        let mut head = self.head_of(&model.model_id, &ref_name).await?;
        for _ in 0..ATTEMPTS {
            if let Some(pinned) = pinned.as_ref().filter(|pinned| **pinned != head) {
                return Err(conflict(&model.model_id, pinned, &head));
            }
            let artifact = self.run_on(&operation, &model, &head).await?;
            let Some(delta) = self.only_delta(&artifact).await? else {
                return answer::of_unchanged(self, artifact, &head).await;
            };
            let draft = Draft {
                model: model.model_id.clone(),
                ref_name: ref_name.clone(),
                new_model: None,
                parent: Some(head.clone()),
                merged: None,
                content: Content::Delta(delta),
                moved_to: None,
                event_type: self.event_type(&artifact),
                summary: artifact.diff_summary.clone(),
            };
            let links = self.keep_files(&artifact, None).await?;
            match self.commit(draft, Some((&artifact, links))).await? {
                Landed::Committed(done) => return Ok(done.1),
                Landed::Replayed(answer) => return Ok(*answer),
                Landed::Moved(moved) => head = moved,
            }
        }
        Err(too_busy(&model.model_id))
    }

    /// A tool that makes a new model.
    pub(crate) async fn make(&self, operation: Operation) -> Result<ChatArtifact, Fault> {
        let name = operation.params.get("name").and_then(Value::as_str).unwrap_or("Untitled").to_owned();
        let (_, artifact, answer) = self.make_model(operation, &name).await?;
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
    ) -> Result<(Committed, Artifact, Option<ChatArtifact>), Fault> {
        let scratch = self.scratch()?;
        let artifact = self.run(operation, &[], Some(&scratch)).await?;
        self.take_new(artifact, &scratch, name, None).await
    }

    /// Commits the new model that an operation made; no answer for a dry run.
    pub(crate) async fn take_new(
        &self,
        mut artifact: Artifact,
        scratch: &Scratch,
        name: &str,
        origin: Option<ModelOrigin>,
    ) -> Result<(Committed, Artifact, Option<ChatArtifact>), Fault> {
        let model = ModelId::new();
        let new = artifact.changes.iter().find(|change| change.role == "new");
        let (kind, file) = match new {
            Some(Changed { kind, file: Some(file), .. }) => (*kind, file),
            _ => return Err(Fault::backend(format!("{} made no model.", self.tool))),
        };
        let staged = self.stage_output(file, Some(scratch)).await?;
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
        let links = self.keep_files(&artifact, Some(scratch)).await?;
        let blob = self.inner.store.adopt(staged).await?;
        let draft = Draft {
            model: model.clone(),
            ref_name: MAIN.to_owned(),
            new_model: Some(NewModel { name: name.to_owned(), kind, origin }),
            parent: None,
            merged: None,
            content: Content::File { sha256: blob.sha256, size: blob.size },
            moved_to: None,
            event_type: self.event_type(&artifact),
            summary: artifact.diff_summary.clone(),
        };
        artifact.changes.clear();
        let (committed, mut answer) = match self.commit(draft, Some((&artifact, links))).await? {
            Landed::Committed(done) => *done,
            Landed::Moved(_) | Landed::Replayed(_) => return Err(raced()),
        };
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
    ) -> Result<Artifact, Fault> {
        self.note(|trace| trace.before = Some(version.clone()));
        let subject = Subject { role: "model", model, version };
        self.run(operation.clone(), &[subject], None).await
    }

    /// The delta of the one model that an operation changed; none if it changed nothing.
    pub(crate) async fn only_delta(&self, artifact: &Artifact) -> Result<Option<Vec<u8>>, Fault> {
        let mut changes = artifact.changes.iter();
        let Some(change) = changes.next() else { return Ok(None) };
        if changes.next().is_some() || change.role != "model" {
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!(
                    "{} would change several models at once, which is not committed as one here.",
                    self.tool
                ),
            ));
        }
        let Some(source) = &change.delta else {
            return Err(Fault::backend(format!("{} answered a change without its delta.", self.tool)));
        };
        self.delta_bytes(source, None::<&Scratch>).await.map(Some)
    }

    pub(crate) fn event_type(&self, artifact: &Artifact) -> EventType {
        let named = artifact.event_type.as_deref().map(EventType::from);
        named.or_else(|| self.event.clone()).unwrap_or(EventType::ModelChanged)
    }

    /// Commits a draft with its audit entry and, where the caller gave a key, the answer to it.
    pub(crate) async fn commit(
        &self,
        draft: Draft,
        answered: Option<(&Artifact, Vec<Link>)>,
    ) -> Result<Landed, Fault> {
        if let Some(asks) = self.admits(&draft).await? {
            return Err(self.hold(draft, answered, asks).await);
        }
        let version = draft.version()?;
        let is_new = draft.new_model.is_some();
        let committed = Committed {
            model_id: draft.model.clone(),
            version: version.clone(),
            parent: draft.parent.clone(),
            event_id: EventId::new(),
            changes: draft.summary.clone(),
        };
        let mut answer = answer::of_commit(self, &committed, answered, is_new).await?;
        let before = self.trace();
        self.note(|trace| {
            trace.model = Some(committed.model_id.clone());
            trace.before.clone_from(&committed.parent);
            trace.after = Some(version.clone());
            trace.event = Some(committed.event_id.clone());
        });
        let kind = draft.new_model.as_ref().map(|new| new.kind);
        let commit = Commit {
            model: draft.model,
            new_model: draft.new_model,
            ref_name: draft.ref_name,
            parent: draft.parent,
            merged: draft.merged,
            version,
            content: draft.content,
            moved_to: draft.moved_to,
            operation_id: self.operation_id.clone(),
            tool: self.tool.clone(),
            params_sha256: self.params_sha256.clone(),
            author: self.principal.name.clone(),
            reasoning: self.common.reasoning.clone(),
            time_ms: store::now_ms(),
            event_id: committed.event_id.clone(),
            event_type: draft.event_type,
            summary: draft.summary,
            audit: Some(self.audit_entry("ok".into())),
            approval: None,
            remember: self.remembered(serde_json::to_value(&answer).unwrap_or(Value::Null)),
        };
        // Should this future be dropped from here on, the commit may well be made: what the trace says then is that it
        // was, and the entry that went with it is the audit.
        self.note(|trace| trace.committed = true);
        let outcome = self.inner.store.commit(commit).await;
        if !matches!(outcome, Ok(CommitOutcome::Committed { .. })) {
            self.note(|trace| *trace = before);
        }
        match outcome? {
            CommitOutcome::Committed { chain } => {
                self.checkpoint_if_due(&committed, chain, kind);
                answer.event_id = Some(committed.event_id.clone());
                Ok(Landed::Committed(Box::new((committed, answer))))
            }
            CommitOutcome::RefMoved { head } => Ok(Landed::Moved(head)),
            CommitOutcome::Decided => Err(raced()),
            CommitOutcome::Replayed(known) => {
                Ok(Landed::Replayed(Box::new(crate::service::replay(self, &known)?)))
            }
        }
    }

    /// Keeps a whole file of the new head, beside the calls that follow, once opening it takes many deltas.
    fn checkpoint_if_due(&self, committed: &Committed, chain: Chain, new: Option<ModelKind>) {
        let config = &self.inner.config;
        if new.is_some() || (chain.deltas < config.checkpoint_deltas && chain.bytes < config.checkpoint_bytes)
        {
            return;
        }
        let Some(turn) = self.inner.materialising.try_lock(committed.model_id.as_str()) else { return };
        let background = crate::library::Background::of(self);
        let (inner, model, version) =
            (Arc::clone(&self.inner), committed.model_id.clone(), committed.version.clone());
        tokio::spawn(async move {
            let _turn = turn;
            if let Err(fault) = background.checkpoint(&inner, &model, &version).await {
                tracing::warn!(%model, %version, %fault, "no checkpoint was made; opening stays slower");
            }
        });
    }
}

pub(crate) fn conflict(model: &ModelId, pinned: &VersionId, head: &VersionId) -> Fault {
    Fault::new(
        FaultCode::Conflict,
        format!(
            "The model has moved on from version {pinned} to {head}. Look at what changed with diff_versions, then call \
             again with the new version, or without `model_version` to change the newest."
        ),
    )
    .with("model_id", model)
    .with("model_version", pinned)
    .with("head", head)
}

pub(crate) fn too_busy(model: &ModelId) -> Fault {
    Fault::new(
        FaultCode::Busy,
        format!("Others changed the model {ATTEMPTS} times while this was being done. Nothing was committed; try again."),
    )
    .with("model_id", model)
}

pub(crate) fn raced() -> Fault {
    Fault::new(FaultCode::Busy, "The same call was being made elsewhere. Send it again to get its answer.")
}

/// Which of the words for a change fits.
pub(crate) fn status_of(effect: Effect, destructive: bool, changes: Option<&DiffSummary>) -> &'static str {
    match effect {
        Effect::Query => "ok",
        Effect::Create => "created",
        Effect::Modify => {
            let removes = changes.is_none_or(|c| c.added.is_empty() && !c.removed.is_empty());
            if destructive && removes { "deleted" } else { "modified" }
        }
    }
}
