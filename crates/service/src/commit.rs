//! The one way in which models change: a draft is made on the head of a ref and committed if the head is still there; else it is
//! made again, by the same operation, on the new head.
//!
//! Here alone stand the turn of writers, the check of a pinned version, the bound of attempts, the approval gate, and what is
//! written with a commit: its event, its audit entry, and the answer for a retry. How a draft comes about is for the callers.

use crate::answer::{self, Answered};
use crate::branches::RefPosition;
use crate::call::{Call, Trace};
use crate::library::Background;
use contract::{
    ApprovalRecord, Artifact, ChatArtifact, Committed, DiffSummary, EventId, EventSubject, EventType, Fault,
    FaultCode, Manifest, ModelId, ModelKind, OperationId, Principal, RefRecord, VersionId,
};
use serde_json::Value;
use std::sync::Arc;
use store::{
    Chain, Commit, CommitOutcome, Content, Decided, MAIN, MergedFrom, Movement, NewModel, RefChange,
    RefOutcome,
};

/// The number of times that a draft is made because someone else was quicker. Within one gateway writers take turns, so each time is
/// another gateway's commit.
const ATTEMPTS: usize = 32;

/// A version that is to be committed.
#[derive(Clone)]
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
    /// How the content came about.
    pub(crate) manifest: Option<Box<Manifest>>,
    /// The parameters that it was asked for with, where another call than the one that commits it asked.
    pub(crate) parameters: Option<Value>,
}

impl Draft {
    /// The draft of a version that follows this head.
    pub(crate) fn on_head(
        position: &RefPosition,
        head: VersionId,
        content: Content,
        event_type: EventType,
        artifact: &Artifact,
    ) -> Self {
        Self {
            model: position.model.clone(),
            ref_name: position.ref_name.clone(),
            new_model: None,
            parent: Some(head),
            merged: None,
            content,
            moved_to: None,
            event_type,
            summary: artifact.diff_summary.clone(),
            manifest: Some(Box::new(artifact.manifest.clone())),
            parameters: None,
        }
    }

    /// The draft of a model's first version.
    pub(crate) fn of_new_model(
        model: ModelId,
        new_model: NewModel,
        content: Content,
        event_type: EventType,
        artifact: &Artifact,
    ) -> Self {
        Self {
            model,
            ref_name: MAIN.to_owned(),
            new_model: Some(new_model),
            parent: None,
            merged: None,
            content,
            moved_to: None,
            event_type,
            summary: artifact.diff_summary.clone(),
            manifest: Some(Box::new(artifact.manifest.clone())),
            parameters: None,
        }
    }

    /// The id of the version that it becomes.
    pub(crate) fn version(&self) -> Result<VersionId, Fault> {
        match (&self.content, &self.parent) {
            (Content::Delta(bytes), Some(parent)) => Ok(VersionId::of_delta(parent, bytes)),
            (Content::Delta(_), None) => Err(Fault::backend("A first version has to be a whole file.")),
            (Content::File { sha256, .. }, parent) => {
                Ok(VersionId::of_file(&self.model, parent.as_ref(), sha256))
            }
        }
    }

    fn committed(&self) -> Result<Committed, Fault> {
        Ok(Committed {
            model_id: self.model.clone(),
            version: self.version()?,
            parent: self.parent.clone(),
            event_id: EventId::new(),
            changes: self.summary.clone(),
        })
    }

    /// The commit as a dry run tells it: on the same head, and never made.
    fn previewed(self) -> Committed {
        let version = self.parent.clone().unwrap_or_else(|| VersionId(String::new()));
        Committed {
            model_id: self.model,
            version,
            parent: self.parent,
            event_id: EventId::new(),
            changes: self.summary,
        }
    }
}

/// The outcome of an operation on a head, with whatever else its caller wants back.
pub(crate) enum Proposal<T> {
    /// Nothing would be different.
    Unchanged(T),
    /// A version to commit, and what the caller of the tool is answered.
    Change(Box<Draft>, Option<Answered>, T),
}

/// The outcome of a commit.
pub(crate) enum CommitResult<T> {
    /// Nothing would be different, so nothing was committed.
    Unchanged(T),
    /// The commit that would be made, told to a dry run.
    Preview(Committed, T),
    /// The version is the head now. The answer is what a retry with the same key will get.
    Committed(Committed, Box<ChatArtifact>, T),
    /// Another commit with this key came first, elsewhere; the answer of that call.
    Replayed(Box<ChatArtifact>),
}

impl<T> CommitResult<T> {
    /// The commit, made or previewed, without an answer of its own; a Fault where another call made it.
    pub(crate) fn without_answer(self) -> Result<(Option<Committed>, T), Fault> {
        match self {
            Self::Unchanged(rest) => Ok((None, rest)),
            Self::Preview(committed, rest) | Self::Committed(committed, _, rest) => {
                Ok((Some(committed), rest))
            }
            Self::Replayed(_) => Err(raced()),
        }
    }
}

/// In whose name a commit is made, and by what right.
pub(crate) enum Authority<'a> {
    /// In the name of the call itself; policy decides whether somebody else has to say yes first.
    Call,
    /// In the name of a call that was held, by the yes to it.
    Approval {
        record: &'a ApprovalRecord,
        /// Who asked, with the rights of now.
        requester: &'a Principal,
        operation_id: &'a OperationId,
        params_sha256: &'a str,
        decision: &'a Decided,
    },
}

/// The outcome of one attempt.
enum Attempt {
    Committed(Box<Committed>, Box<ChatArtifact>),
    Moved,
    Replayed(Box<ChatArtifact>),
}

impl Call {
    /// Commits what `propose` makes of the head of a ref. Where the head moves meanwhile it is asked again. In a dry run it is
    /// asked once, on the version that the call reads, and nothing is committed.
    pub(crate) async fn commit_on_head<T, F>(
        &self,
        position: &RefPosition,
        authority: &Authority<'_>,
        propose: impl Fn(VersionId) -> F,
    ) -> Result<CommitResult<T>, Fault>
    where
        F: Future<Output = Result<Proposal<T>, Fault>>,
    {
        if self.is_dry_run() {
            return Ok(match propose(position.version().clone()).await? {
                Proposal::Unchanged(rest) => CommitResult::Unchanged(rest),
                Proposal::Change(draft, _, rest) => CommitResult::Preview(draft.previewed(), rest),
            });
        }
        let _turn = self.writers_turn(&position.model, &position.ref_name).await;
        for _ in 0..ATTEMPTS {
            let head = self.head_of(&position.model, &position.ref_name).await?;
            position.require_pinned(&head)?;
            let (draft, answered, rest) = match propose(head).await? {
                Proposal::Unchanged(rest) => return Ok(CommitResult::Unchanged(rest)),
                Proposal::Change(draft, answered, rest) => (draft, answered, rest),
            };
            match self.attempt(*draft, answered, authority).await? {
                Attempt::Committed(committed, answer) => {
                    return Ok(CommitResult::Committed(*committed, answer, rest));
                }
                Attempt::Replayed(answer) => return Ok(CommitResult::Replayed(answer)),
                Attempt::Moved => {}
            }
        }
        Err(too_busy(&position.model))
    }

    /// Commits the first version of a model. Nobody else can be quicker, except the same call elsewhere.
    pub(crate) async fn commit_new_model(
        &self,
        draft: Draft,
        answered: Option<Answered>,
        authority: &Authority<'_>,
    ) -> Result<(Committed, ChatArtifact), Fault> {
        match self.attempt(draft, answered, authority).await? {
            Attempt::Committed(committed, answer) => Ok((*committed, *answer)),
            Attempt::Moved | Attempt::Replayed(_) => Err(raced()),
        }
    }

    /// Commits a draft, if policy admits it and its parent is still the head, with its event, its audit entry and, where the
    /// caller gave a key, the answer to it.
    async fn attempt(
        &self,
        draft: Draft,
        answered: Option<Answered>,
        authority: &Authority<'_>,
    ) -> Result<Attempt, Fault> {
        match authority {
            Authority::Call => {
                if let Some(asks) = self.admits(&draft).await? {
                    return Err(self.hold(draft, answered, asks).await);
                }
            }
            Authority::Approval { record, requester, .. } => {
                self.still_admits(&draft, record, requester).await?;
            }
        }
        let committed = draft.committed()?;
        let mut answer = match authority {
            Authority::Call => {
                answer::of_commit(self, &committed, answered, draft.new_model.is_some()).await?
            }
            Authority::Approval { .. } => ChatArtifact::default(),
        };
        let kind = draft.new_model.as_ref().map(|new| new.kind);
        let before = self.trace();
        self.note(|trace| {
            trace.model = Some(committed.model_id.clone());
            trace.before.clone_from(&committed.parent);
            trace.after = Some(committed.version.clone());
            trace.event = Some(committed.event_id.clone());
        });
        let commit = self.commit_of(draft, &committed, &answer, authority);
        self.note_committed();
        let outcome = self.inner.store.commit(commit).await;
        if !matches!(outcome, Ok(CommitOutcome::Committed { .. })) {
            self.note_not_committed(before);
        }
        match (outcome?, authority) {
            (CommitOutcome::Committed { chain }, _) => {
                if kind.is_some() {
                    self.inner.unopened.add(&committed.version);
                }
                self.checkpoint_if_due(&committed, chain, kind);
                answer.event_id = Some(committed.event_id.clone());
                Ok(Attempt::Committed(Box::new(committed), Box::new(answer)))
            }
            (CommitOutcome::RefMoved { .. }, _) => Ok(Attempt::Moved),
            (CommitOutcome::Decided, Authority::Call) => Err(raced()),
            (CommitOutcome::Replayed(known), Authority::Call) => {
                Ok(Attempt::Replayed(Box::new(crate::service::replay(self, &known)?)))
            }
            (CommitOutcome::Decided | CommitOutcome::Replayed(_), Authority::Approval { record, .. }) => {
                Err(self.decided_already(&record.approval_id).await)
            }
        }
    }

    /// The commit as the store takes it, in the name of whoever asked for the change.
    fn commit_of(
        &self,
        draft: Draft,
        committed: &Committed,
        answer: &ChatArtifact,
        authority: &Authority<'_>,
    ) -> Commit {
        let parameters = draft.parameters.unwrap_or_else(|| self.what.arguments.clone());
        let commit = Commit {
            model: draft.model,
            new_model: draft.new_model,
            ref_name: draft.ref_name,
            parent: draft.parent,
            merged: draft.merged,
            version: committed.version.clone(),
            content: draft.content,
            moved_to: draft.moved_to,
            operation_id: self.what.operation_id.clone(),
            tool: self.what.tool.clone(),
            params_sha256: self.what.params_sha256.clone(),
            author: self.who.principal.name.clone(),
            reasoning: self.common.reasoning.clone(),
            time_ms: store::now_ms(),
            event_id: committed.event_id.clone(),
            event_type: draft.event_type,
            subject: Some(EventSubject::of_change(draft.summary.as_ref(), parameters)),
            summary: draft.summary,
            manifest: draft.manifest,
            audit: None,
            approval: None,
            remember: None,
        };
        match authority {
            Authority::Call => Commit {
                audit: Some(self.audit_entry("ok".into(), Some(&answer.result))),
                remember: self.remembered(serde_json::to_value(answer).unwrap_or(Value::Null)),
                ..commit
            },
            Authority::Approval { record, operation_id, params_sha256, decision, .. } => Commit {
                operation_id: (*operation_id).clone(),
                tool: record.tool.clone(),
                params_sha256: (*params_sha256).to_owned(),
                author: record.requested_by.clone(),
                reasoning: record.reasoning.clone(),
                time_ms: decision.time_ms,
                audit: Some(self.audit_entry("approved".into(), None)),
                approval: Some((*decision).clone()),
                ..commit
            },
        }
    }

    /// Makes or removes a branch, with its event and the audit entry.
    pub(crate) async fn change_ref(
        &self,
        model: &ModelId,
        branch: &RefRecord,
        event_type: EventType,
    ) -> Result<EventId, Fault> {
        let event_id = EventId::new();
        let before = self.trace();
        self.note(|trace| {
            trace.model = Some(model.clone());
            trace.before = Some(branch.version.clone());
            trace.event = Some(event_id.clone());
        });
        let change = RefChange {
            model: model.clone(),
            name: branch.name.clone(),
            version: branch.version.clone(),
            event_id: event_id.clone(),
            event_type,
            operation_id: self.what.operation_id.clone(),
            tool: self.what.tool.clone(),
            params_sha256: self.what.params_sha256.clone(),
            author: self.who.principal.name.clone(),
            reasoning: self.common.reasoning.clone(),
            time_ms: store::now_ms(),
            subject: Some(EventSubject {
                parameters: self.what.arguments.clone(),
                ..EventSubject::default()
            }),
            audit: Some(self.audit_entry("ok".into(), None)),
        };
        self.note_committed();
        let outcome = self.inner.store.change_ref(change).await;
        if !matches!(outcome, Ok(RefOutcome::Done)) {
            self.note_not_committed(before);
        }
        match outcome? {
            RefOutcome::Done => Ok(event_id),
            RefOutcome::Taken => Err(crate::branches::taken(&branch.name)),
            RefOutcome::Moved(head) => Err(conflict(model, &branch.version, &head)),
            RefOutcome::Gone => Err(self.no_branch(model, &branch.name).await),
        }
    }

    /// Waits until no other call of this gateway changes the ref.
    pub(crate) async fn writers_turn(&self, model: &ModelId, ref_name: &str) -> crate::locks::Held {
        self.inner.writers.lock(&format!("{model}\n{ref_name}")).await
    }

    /// Notes a commit just before it is made. Should the future be dropped from here on, the commit may well be made: the trace
    /// then says that it was, and the entry that went with it is the audit.
    fn note_committed(&self) {
        self.note(|trace| trace.committed = true);
    }

    fn note_not_committed(&self, before: Trace) {
        self.note(|trace| *trace = before);
    }

    /// Keeps a whole file of the new head, beside the calls that follow, once opening it takes many deltas.
    fn checkpoint_if_due(&self, committed: &Committed, chain: Chain, new: Option<ModelKind>) {
        let config = &self.inner.config;
        let is_heavy = chain.bytes >= config.checkpoint_bytes;
        // how large the file is they stand on is looked up once in so many
        let are_many = chain.deltas > 0 && chain.deltas.is_multiple_of(config.checkpoint_deltas.max(1));
        if new.is_some() || !(is_heavy || are_many) {
            return;
        }
        let Some(turn) = self.inner.materialising.try_lock(committed.model_id.as_str()) else { return };
        let background = Background::new(self);
        let (inner, model, version) =
            (Arc::clone(&self.inner), committed.model_id.clone(), committed.version.clone());
        tokio::spawn(async move {
            let _turn = turn;
            if let Err(fault) = background.checkpoint(&inner, &model, &version, is_heavy).await {
                tracing::warn!(%model, %version, %fault, "no checkpoint was made; opening stays slower");
            }
        });
    }
}

/// The refusal of a change whose pinned version is no longer the head.
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

fn too_busy(model: &ModelId) -> Fault {
    Fault::new(
        FaultCode::Busy,
        format!("Others changed the model {ATTEMPTS} times while this was being done. Nothing was committed; try again."),
    )
    .with("model_id", model)
}

fn raced() -> Fault {
    Fault::new(FaultCode::Busy, "The same call was being made elsewhere. Send it again to get its answer.")
}
