//! Changes that wait for somebody's yes. A gated call has run, and what it came to is kept as it would have been committed;
//! a yes commits exactly that, by the same call's name, and nothing else.
//!
//! Nobody decides on what they asked for themselves, whatever roles they hold and through whichever key: it is the
//! principal that counts. Of two who decide at once, one is first; the other is told so.

use crate::answer;
use crate::answer::Answered;
use crate::branches::RefPosition;
use crate::call::Call;
use crate::commit::{Authority, Draft, Proposal};
use crate::permit::Held;
use contract::{
    Action, ApprovalRecord, ApprovalStatus, Approvals, BoxFuture, ChatArtifact, Committed, DiffSummary,
    EventId, EventType, Fault, FaultCode, HeldBy, Manifest, ModelId, ModelKind, ModelOrigin, ModelRecord,
    OperationId, Page, Principal, VersionId,
};
use governance::{GateAsks, Policy};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{ByCall, Content, Decided, HeldChange, MergedFrom, Movement, NewModel, now_ms};

const HOUR_MS: u64 = 3_600_000;
/// A gate that is no longer in the policy leaves this much time.
const HOURS: u64 = 72;

/// A draft as it is kept. Its content is a blob.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    model: ModelId,
    new_model: Option<(String, ModelKind)>,
    #[serde(default)]
    origin: Option<ModelOrigin>,
    parent: Option<VersionId>,
    /// The ref that moves.
    ref_name: String,
    /// The version merged, with the adapter's note.
    merged: Option<(VersionId, Value)>,
    is_delta: bool,
    size: u64,
    moved_to: Option<(Movement, VersionId)>,
    event_type: EventType,
    summary: Option<DiffSummary>,
    #[serde(default)]
    manifest: Option<Box<Manifest>>,
    #[serde(default)]
    parameters: Option<Value>,
    operation_id: OperationId,
    params_sha256: String,
    /// The answer that the call would have had, where the person at its client may decide: to them it is one call.
    #[serde(default)]
    answer: Option<ChatArtifact>,
    /// Who asked, as that was then: what it may is asked anew when the change is committed.
    #[serde(default)]
    requester: Option<Principal>,
}

impl Call {
    /// Keeps a draft until somebody decides, and answers the Fault that says so.
    pub(crate) async fn hold(&self, draft: Draft, answered: Option<Answered>, asked: Held) -> Fault {
        match self.held(draft, answered, asked).await {
            Ok((record, true)) => asks(&record).with("in_person", true),
            Ok((record, false)) => asks(&record),
            Err(fault) => fault,
        }
    }

    /// The record of a change that waits, and whether the person at the client that asks may decide on it.
    async fn held(
        &self,
        draft: Draft,
        answered: Option<Answered>,
        asked: Held,
    ) -> Result<(ApprovalRecord, bool), Fault> {
        let policy = &self.inner.config.policy;
        let gates: Vec<HeldBy> = asked.gates.into_iter().map(|asks| held_by(policy, asks)).collect();
        let hours =
            gates.iter().filter_map(|held| policy.gate(&held.gate)).map(|gate| gate.expires_hours).min();
        let hours = hours.unwrap_or(HOURS);
        let now = now_ms();
        let committed = Committed {
            model_id: draft.model.clone(),
            version: draft.version()?,
            parent: draft.parent.clone(),
            event_id: EventId::new(),
            changes: draft.summary.clone(),
        };
        let (is_delta, blob, size) = match draft.content {
            Content::Delta(bytes) => {
                let blob = self.inner.store.put_blob(bytes).await?;
                (true, blob.sha256, blob.size)
            }
            Content::File { sha256, size } => (false, sha256, size),
        };
        let record = ApprovalRecord {
            approval_id: OperationId::new().0,
            status: ApprovalStatus::Pending,
            tool: self.what.tool.clone(),
            action: self.action_of_change(),
            requested_by: self.who.principal.name.clone(),
            reasoning: self.common.reasoning.clone(),
            may_decide: may_decide(&gates),
            gate: gates.first().map(|held| held.gate.clone()).unwrap_or_default(),
            reason: gates.iter().map(|held| held.reason.as_str()).collect::<Vec<_>>().join(" "),
            gates: if gates.len() > 1 { gates } else { Vec::new() },
            model_id: draft.model.clone(),
            model: asked.model,
            base: draft.parent.clone(),
            changes: draft.summary.clone(),
            requested_ms: now,
            expires_ms: now.saturating_add(hours.saturating_mul(HOUR_MS)),
            decided_by: None,
            in_person: false,
            decided_ms: None,
            comment: None,
            version: None,
        };
        let in_person = self.may_decide(&record, true).is_ok();
        let answer = if in_person {
            Some(answer::of_commit(self, &committed, answered, draft.new_model.is_some()).await?)
        } else {
            None
        };
        let kept = Kept {
            model: draft.model,
            ref_name: draft.ref_name,
            origin: draft.new_model.as_ref().and_then(|new| new.origin.clone()),
            new_model: draft.new_model.map(|new| (new.name, new.kind)),
            parent: draft.parent,
            merged: draft.merged.map(|merged| (merged.version, merged.note)),
            is_delta,
            size,
            moved_to: draft.moved_to,
            event_type: draft.event_type,
            summary: draft.summary,
            manifest: draft.manifest,
            parameters: Some(self.what.arguments.clone()),
            operation_id: self.what.operation_id.clone(),
            params_sha256: self.what.params_sha256.clone(),
            answer,
            requester: Some(self.who.principal.clone()),
        };
        let draft = serde_json::to_value(kept)
            .map_err(|error| Fault::backend(format!("The change cannot be kept: {error}.")))?;
        let request_sha256 = self.request_sha256().to_owned();
        let held = HeldChange { record, draft, blob_sha256: Some(blob), request_sha256 };
        Ok((self.inner.store.hold(held, self.by_call()).await?, in_person))
    }

    /// A page of what waits, or of all that ever did: the caller's own, and that on models that are there for it.
    pub(crate) async fn seen_approvals(
        &self,
        pending: bool,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<ApprovalRecord>, Fault> {
        let mut page = self.inner.store.approvals(pending, limit, cursor).await?;
        page.items.retain(|record| self.sees_approval(record));
        Ok(page)
    }

    /// This call, as events name it.
    fn by_call(&self) -> ByCall {
        ByCall {
            operation_id: self.what.operation_id.clone(),
            tool: self.what.tool.clone(),
            params_sha256: self.what.params_sha256.clone(),
        }
    }

    fn sees_approval(&self, record: &ApprovalRecord) -> bool {
        // a key that is good for some models shows nothing of what its holder does with others
        let is_own = record.requested_by == self.who.principal.name && self.who.principal.within.is_none();
        is_own || self.sees(&stand_in(record))
    }

    /// Decides on a change that waits. A yes commits it.
    pub(crate) async fn decide_on(
        &self,
        id: &str,
        approve: bool,
        comment: Option<&str>,
    ) -> Result<(ApprovalRecord, Option<Committed>), Fault> {
        let held = self.waiting(id).await?;
        self.decide_on_held(held, approve, comment, false).await
    }

    /// Returns the change that waits under this id, where it is there for the caller.
    pub(crate) async fn waiting(&self, id: &str) -> Result<HeldChange, Fault> {
        let held = self.inner.store.held(id).await?.filter(|held| self.sees_approval(&held.record));
        held.ok_or_else(|| {
            let fault =
                Fault::new(FaultCode::NotFound, format!("There is no approval `{id}`. See list_approvals."));
            fault.with("field", "approval_id")
        })
    }

    /// Decides on an approval that was read.
    pub(crate) async fn decide_on_held(
        &self,
        held: HeldChange,
        approve: bool,
        comment: Option<&str>,
        in_person: bool,
    ) -> Result<(ApprovalRecord, Option<Committed>), Fault> {
        let record = &held.record;
        self.note(|trace| trace.model = record.base.as_ref().map(|_| record.model_id.clone()));
        self.may_decide(record, in_person)?;
        if record.status != ApprovalStatus::Pending {
            return Err(decided(record));
        }
        if self.is_dry_run() {
            return Ok((record.clone(), None));
        }
        let decision = Decided {
            approval_id: record.approval_id.clone(),
            status: if approve { ApprovalStatus::Approved } else { ApprovalStatus::Rejected },
            by: self.who.principal.name.clone(),
            in_person,
            comment: comment.map(|text| text.chars().take(2000).collect()),
            time_ms: now_ms(),
            call: self.by_call(),
        };
        if approve {
            return self.commit_held(held, decision).await;
        }
        let entry = self.audit_entry("rejected".into(), None);
        match self.inner.store.reject(decision, entry).await? {
            Some(record) => {
                self.is_not_audited();
                Ok((record, None))
            }
            None => Err(self.decided_already(&held.record.approval_id).await),
        }
    }

    /// Refuses a caller that may not decide on this; on what it asked for itself the person at the client alone may, where the gate
    /// trusts them with it.
    fn may_decide(&self, record: &ApprovalRecord, in_person: bool) -> Result<(), Fault> {
        let policy = &self.inner.config.policy;
        let gates = gates_of(record);
        let trusts = || gates.iter().all(|held| policy.gate(&held.gate).is_some_and(|gate| gate.elicitation));
        if record.requested_by == self.who.principal.name && !(in_person && trusts()) {
            return Err(Fault::new(
                FaultCode::PermissionDenied,
                "You asked for this yourself; somebody else has to decide on it.",
            )
            .with("may_decide", &record.may_decide));
        }
        self.may(Action::Approve, &stand_in(record))?;
        // who may decide is what the policy says now, and never more than it said then
        let may = |roles: &[String]| self.who.principal.roles.iter().any(|role| roles.contains(role));
        for held in gates.iter().filter(|held| held.decides) {
            if !(may(&policy.deciders(&held.gate)) && may(&held.may_decide)) {
                let (gate, roles) = (&held.gate, held.may_decide.join(", "));
                let problem = format!("The gate `{gate}` is decided on by {roles}.");
                return Err(Fault::new(FaultCode::PermissionDenied, problem)
                    .with("gate", gate)
                    .with("may_decide", &held.may_decide));
            }
        }
        Ok(())
    }

    async fn commit_held(
        &self,
        held: HeldChange,
        decision: Decided,
    ) -> Result<(ApprovalRecord, Option<Committed>), Fault> {
        let record = held.record;
        let damaged = || Fault::backend("The change that was kept for this approval cannot be read.");
        let kept: Kept = serde_json::from_value(held.draft).map_err(|_| damaged())?;
        let sha256 = held.blob_sha256.ok_or_else(damaged)?;
        let content = if kept.is_delta {
            Content::Delta(self.inner.store.blob(&sha256).await?.to_vec())
        } else {
            Content::File { sha256, size: kept.size }
        };
        if self.inner.config.policy.read_only {
            return Err(Fault::new(FaultCode::PermissionDenied, "This server is read-only."));
        }
        let requester = kept.requester.ok_or_else(|| {
            let why =
                "It is not kept with which rights this was asked for. Reject it, and have it called again.";
            Fault::new(FaultCode::Conflict, why)
        })?;
        let requester =
            self.inner.as_now(&requester).await.map_err(|fault| no_longer(&record, &fault.message))?;
        let authority = Authority::Approval {
            record: &record,
            requester: &requester,
            operation_id: &kept.operation_id,
            params_sha256: &kept.params_sha256,
            decision: &decision,
        };
        let draft = Draft {
            model: kept.model,
            ref_name: kept.ref_name,
            new_model: kept.new_model.map(|(name, kind)| NewModel { name, kind, origin: kept.origin }),
            parent: kept.parent,
            merged: kept.merged.map(|(version, note)| MergedFrom { version, note }),
            content,
            moved_to: kept.moved_to,
            event_type: kept.event_type,
            summary: kept.summary,
            manifest: kept.manifest,
            parameters: Some(kept.parameters.unwrap_or(Value::Null)),
        };
        let committed = if let Some(base) = draft.parent.clone() {
            let (model, ref_name) = (draft.model.clone(), draft.ref_name.clone());
            let head = self.head_of(&model, &ref_name).await?;
            let position = RefPosition { model, ref_name, head, pinned: None };
            let (draft, base, record) = (&draft, &base, &record);
            let result = self
                .commit_on_head(&position, &authority, |head| async move {
                    let draft = self.moved_to_head(draft, base, head, record).await?;
                    Ok(Proposal::Change(Box::new(draft), None, ()))
                })
                .await?;
            result.without_answer()?.0
        } else {
            Some(self.commit_new_model(draft, None, &authority).await?.0)
        };
        let held = self.inner.store.held(&record.approval_id).await?;
        Ok((held.map_or(record, |held| held.record), committed))
    }

    /// The draft on the head as it is now: as it was kept, or put on what came meanwhile where it still does exactly what
    /// was shown.
    async fn moved_to_head(
        &self,
        draft: &Draft,
        base: &VersionId,
        head: VersionId,
        record: &ApprovalRecord,
    ) -> Result<Draft, Fault> {
        if head == *base {
            return Ok(draft.clone());
        }
        let (Content::Delta(delta), None, None) = (&draft.content, &draft.moved_to, &draft.merged) else {
            return Err(moved_on(record, &head));
        };
        let model = self.inner.store.model(&draft.model).await?;
        let rebased = self.rebased(&model, base, delta, &head).await?;
        if let (Some(delta), true) = (&rebased.delta, rebased.is_same_effect()) {
            let (content, parent) = (Content::Delta(delta.clone()), Some(head));
            let (summary, manifest) = (rebased.summary, Some(Box::new(rebased.manifest)));
            return Ok(Draft { parent, content, summary, manifest, ..draft.clone() });
        }
        let fault = moved_on(record, &head);
        Err(match rebased.differs {
            Some(differs) => fault.with("differs", differs),
            None => fault,
        })
    }

    pub(crate) async fn decided_already(&self, id: &str) -> Fault {
        match self.inner.store.held(id).await {
            Ok(Some(held)) => decided(&held.record),
            Ok(None) => Fault::new(FaultCode::NotFound, format!("There is no approval `{id}`.")),
            Err(error) => error.into(),
        }
    }
}

/// The answer that was kept with a change, as it is now that it is committed.
pub(crate) fn kept_answer(held: &HeldChange, committed: &Committed) -> (ChatArtifact, Option<ModelKind>) {
    let kept: Option<Kept> = serde_json::from_value(held.draft.clone()).ok();
    let kind = kept.as_ref().and_then(|kept| kept.new_model.as_ref().map(|(_, kind)| *kind));
    let mut answer = kept.and_then(|kept| kept.answer).unwrap_or_default();
    answer.model_version = Some(committed.version.clone());
    answer.event_id = Some(committed.event_id.clone());
    (answer, kind)
}

/// A gate that asks, with those who may decide at it now.
fn held_by(policy: &Policy, asks: GateAsks) -> HeldBy {
    let may_decide = policy.deciders(&asks.gate);
    HeldBy { gate: asks.gate, reason: asks.reason, may_decide, decides: asks.decides }
}

/// The gates that hold up a change.
pub(crate) fn gates_of(record: &ApprovalRecord) -> Vec<HeldBy> {
    if !record.gates.is_empty() {
        return record.gates.clone();
    }
    vec![HeldBy {
        gate: record.gate.clone(),
        reason: record.reason.clone(),
        may_decide: record.may_decide.clone(),
        decides: true,
    }]
}

/// The Fault for a change whose requester may not make it any more.
pub(crate) fn no_longer(record: &ApprovalRecord, why: &str) -> Fault {
    let who = &record.requested_by;
    Fault::new(FaultCode::PermissionDenied, format!("{who} may not do this any more: {why} Reject it."))
        .with("requested_by", who)
}

/// The roles that all the strictest gates name, each of which may decide alone; all that any of them names where there is none.
fn may_decide(gates: &[HeldBy]) -> Vec<String> {
    let strictest: Vec<&HeldBy> = gates.iter().filter(|held| held.decides).collect();
    let mut named: Vec<&String> = strictest.iter().flat_map(|held| &held.may_decide).collect();
    named.sort();
    named.dedup();
    let common = named.iter().filter(|role| strictest.iter().all(|held| held.may_decide.contains(role)));
    let common: Vec<String> = common.map(|role| (*role).clone()).collect();
    if common.is_empty() { named.into_iter().cloned().collect() } else { common }
}

/// The model of an approval as policy sees it, also where it is not there yet.
fn stand_in(record: &ApprovalRecord) -> ModelRecord {
    ModelRecord {
        model_id: record.model_id.clone(),
        name: record.model.clone(),
        kind: ModelKind::Ifc,
        head: record.base.clone().unwrap_or_else(|| VersionId(String::new())),
        created_ms: 0,
        changed_ms: 0,
    }
}

/// Returns the Fault that tells the one who asks that approval is needed.
fn asks(record: &ApprovalRecord) -> Fault {
    Fault::new(
        FaultCode::ApprovalRequired,
        format!(
            "{} Nothing was changed yet. Somebody else with {} has to approve {}; do not call again meanwhile.",
            record.reason,
            needed(record),
            record.approval_id
        ),
    )
    .with("approval_id", &record.approval_id)
    .with("gate", &record.gate)
    .with("gates", gates_of(record))
    .with("reason", &record.reason)
    .with("may_decide", &record.may_decide)
    .with("expires_ms", record.expires_ms)
    .with("model_id", &record.model_id)
    .with("changes", &record.changes)
}

/// The roles that who decides has to hold, in words.
fn needed(record: &ApprovalRecord) -> String {
    let is_enough = |role: &String| {
        gates_of(record).iter().filter(|held| held.decides).all(|held| held.may_decide.contains(role))
    };
    if record.may_decide.iter().all(is_enough) {
        return format!("one of the roles {}", record.may_decide.join(", "));
    }
    let each = gates_of(record)
        .into_iter()
        .filter(|held| held.decides)
        .map(|held| format!("one of the roles {} (gate `{}`)", held.may_decide.join(", "), held.gate));
    each.collect::<Vec<_>>().join(" and ")
}

fn decided(record: &ApprovalRecord) -> Fault {
    let by = record.decided_by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
    Fault::new(
        FaultCode::Conflict,
        format!("The approval {} was {}{by} already.", record.approval_id, record.status.as_str()),
    )
    .with("status", record.status)
}

fn moved_on(record: &ApprovalRecord, head: &VersionId) -> Fault {
    let base = record.base.as_ref().map_or("nothing", |base| base.as_str());
    Fault::new(
        FaultCode::Conflict,
        format!(
            "The model has moved on from {base}, which this change was previewed on, to {head}, and on that it would not do what \
             was shown. Reject it, and have {} called again.",
            record.tool
        ),
    )
    .with("approval_id", &record.approval_id)
    .with("head", head)
}

impl Approvals for Call {
    fn approvals<'a>(
        &'a self,
        pending: bool,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ApprovalRecord>, Fault>> {
        Box::pin(self.seen_approvals(pending, limit, cursor))
    }

    fn decide_approval<'a>(
        &'a self,
        id: &'a str,
        approve: bool,
        comment: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(ApprovalRecord, Option<Committed>), Fault>> {
        Box::pin(self.decide_on(id, approve, comment))
    }
}
