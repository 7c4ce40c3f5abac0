//! One call of one principal: what it is about, what it has done so far, and the audit entry that it ends in.

use crate::arguments::Common;
use crate::http_callers;
use crate::redact::{bounded, bounded_of_nobody, redacted};
use crate::service::Inner;
use crate::session::SessionKeys;
use crate::{CallContext, ClientRoots, Credentials, Entry, ProgressSink};
use contract::{
    Action, Actor, Caller, Effect, EventId, EventType, Manifest, ModelId, ModelKind, ModelRecord,
    OperationId, Permission, Principal, VersionId, json_sha256,
};
use governance::LimitsOf;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{Remembered, now_ms};

/// Where a version is asked for, the newest.
pub(crate) const HEAD: &str = "head";

/// The beginning of a call.
pub(crate) struct Opening<'a> {
    pub(crate) tool: &'a str,
    pub(crate) effect: Effect,
    pub(crate) action: Action,
    pub(crate) entry: Option<&'a Entry>,
    pub(crate) arguments: &'a Value,
    pub(crate) started: Instant,
}

/// The caller, and the way in which it asks.
pub(crate) struct Who {
    pub(crate) principal: Principal,
    /// The program that calls.
    pub(crate) client: Option<String>,
    /// The limits of the principal.
    pub(crate) limits: LimitsOf,
    pub(crate) progress: Option<ProgressSink>,
    /// How long it waits for the end of a job that it begins, at most.
    pub(crate) patience: Option<Duration>,
    pub(crate) working_dir: Option<PathBuf>,
    pub(crate) roots: Option<ClientRoots>,
    pub(crate) default_model: Option<String>,
    /// True for the user of this machine, without a key that would narrow their rights.
    pub(crate) is_local_user: bool,
}

/// The tool that is called, or the action that is none, and with what.
pub(crate) struct What {
    pub(crate) tool: String,
    pub(crate) effect: Effect,
    /// The action that has to be granted.
    pub(crate) action: Action,
    pub(crate) destructive: bool,
    /// True if the platform itself answers.
    pub(crate) is_platform: bool,
    /// The kind of the model that it works on; none where either will do.
    pub(crate) kind: Option<ModelKind>,
    /// The type of event that its change is recorded as.
    pub(crate) event: Option<EventType>,
    pub(crate) operation_id: OperationId,
    /// The arguments as audit keeps them.
    pub(crate) arguments: Value,
    pub(crate) params_sha256: String,
    pub(crate) request_sha256: String,
}

/// The times of a call.
pub(crate) struct Clock {
    pub(crate) started: Instant,
    pub(crate) time_ms: u64,
    pub(crate) deadline_ms: u64,
}

/// The models and versions that a call has touched so far, and what it recorded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    pub(crate) model: Option<ModelId>,
    pub(crate) before: Option<VersionId>,
    pub(crate) after: Option<VersionId>,
    pub(crate) event: Option<EventId>,
    /// How its latest operation came about.
    pub(crate) manifest: Option<Box<Manifest>>,
    pub(crate) committed: bool,
    pub(crate) replayed: bool,
}

/// The outcome of a call so far.
#[derive(Default)]
pub(crate) struct CallOutcome {
    trace: Mutex<Trace>,
    /// True once it has begun a job.
    pub(crate) left_job: AtomicBool,
    /// True once the audit entry is written, or where none is to be.
    pub(crate) ended: AtomicBool,
}

/// One call. It implements the capabilities of `contract::Platform`; every method acts in the principal's name.
pub(crate) struct Call {
    pub(crate) inner: Arc<Inner>,
    pub(crate) who: Who,
    pub(crate) what: What,
    /// The parameters that many tools share: which model and version, why, whether only to preview.
    pub(crate) common: Common,
    pub(crate) clock: Clock,
    /// The keys of the session.
    session: Mutex<Option<SessionKeys>>,
    pub(crate) outcome: CallOutcome,
}

impl Call {
    pub(crate) fn new(
        inner: &Arc<Inner>,
        context: &CallContext,
        principal: Principal,
        opening: Opening<'_>,
    ) -> Self {
        let timeout = context.timeout.unwrap_or(inner.config.timeout).min(inner.config.timeout);
        let time_ms = now_ms();
        let spec = opening.entry.map(|entry| &entry.spec);
        let kind = spec.map_or(Some(ModelKind::Ifc), |spec| spec.needs.kind(context.kind));
        let session = SessionKeys::of_call(&principal, context, None);
        Self {
            inner: Arc::clone(inner),
            what: What {
                tool: opening.tool.chars().take(100).collect(),
                effect: opening.effect,
                action: opening.action,
                destructive: spec.is_some_and(|spec| spec.destructive),
                is_platform: spec.is_none_or(|spec| spec.platform),
                kind,
                event: opening.entry.and_then(|entry| entry.event.clone()),
                operation_id: OperationId::new(),
                arguments: bounded(redacted(opening.arguments.clone())),
                params_sha256: String::new(),
                request_sha256: String::new(),
            },
            common: Common::default(),
            clock: Clock {
                started: opening.started,
                time_ms,
                deadline_ms: time_ms.saturating_add(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
            },
            session: Mutex::new(session),
            outcome: CallOutcome::default(),
            who: Who {
                client: context.client.clone(),
                limits: inner.config.policy.limits_of(&principal),
                progress: context.progress.clone(),
                patience: context.patience,
                working_dir: context.working_dir.clone(),
                roots: context.roots.clone(),
                default_model: context.default_model.clone(),
                is_local_user: matches!(context.credentials, Credentials::Local { .. }),
                principal,
            },
        }
    }

    /// A call by someone who is not known.
    pub(crate) fn nobody(
        inner: &Arc<Inner>,
        context: &CallContext,
        tool: &str,
        arguments: &Value,
        started: Instant,
    ) -> Self {
        let name = match context.credentials {
            Credentials::Local { .. } => "local?",
            Credentials::Key { .. } => "key?",
            Credentials::None => "?",
        };
        let principal = Principal { name: name.to_owned(), ..Principal::default() };
        let opening =
            Opening { tool, effect: Effect::Query, action: Action::Query, entry: None, arguments, started };
        let mut call = Self::new(inner, context, principal, opening);
        call.what.arguments = bounded_of_nobody(std::mem::take(&mut call.what.arguments));
        call
    }

    /// Takes the parameters once they are split.
    pub(crate) fn take(&mut self, context: &CallContext, common: Common, own: &Value) {
        self.what.params_sha256 = json_sha256(own);
        let mut request = json!({
            "tool": self.what.tool,
            "arguments": own,
            "model_id": common.model_id,
            "model_version": common.model_version,
            "dry_run": common.dry_run,
        });
        if let Some((backend, members)) = common.backend.as_deref().zip(request.as_object_mut()) {
            members.insert("backend".into(), backend.into());
        }
        self.what.request_sha256 = json_sha256(&request);
        if common.session.is_some() {
            *self.session.lock() =
                SessionKeys::of_call(&self.who.principal, context, common.session.as_deref());
        }
        self.common = common;
        if self.common.backend.is_none() {
            self.common.backend.clone_from(&context.backend);
        }
    }

    /// The back end that is to resolve an operation of this call: what the call says, else what holds for the model, else what
    /// holds for all. What the platform does with models is its own business.
    pub(crate) fn backend(&self, operation: &str, model: Option<&ModelRecord>) -> Option<String> {
        if self.what.is_platform {
            return None;
        }
        let model = model.map(|model| (model.model_id.as_str(), model.name.as_str()));
        let policy = &self.inner.config.backends;
        self.common.backend.clone().or_else(|| policy.choose(operation, model))
    }

    pub(crate) fn is_dry_run(&self) -> bool {
        self.common.dry_run
    }

    pub(crate) fn idempotency_key(&self) -> Option<String> {
        self.common.idempotency_key.clone()
    }

    pub(crate) fn request_sha256(&self) -> &str {
        &self.what.request_sha256
    }

    pub(crate) fn trace(&self) -> Trace {
        self.outcome.trace.lock().clone()
    }

    pub(crate) fn note(&self, change: impl FnOnce(&mut Trace)) {
        change(&mut self.outcome.trace.lock());
    }

    pub(crate) fn note_replayed(&self) {
        self.note(|trace| trace.replayed = true);
    }

    pub(crate) fn is_not_audited(&self) {
        self.outcome.ended.store(true, Ordering::Relaxed);
    }

    pub(crate) fn actor(&self) -> Actor {
        Actor { principal: self.who.principal.name.clone(), client: self.who.client.clone() }
    }

    /// Returns the record to keep so that a retry gets this answer again.
    pub(crate) fn remembered(&self, answer: Value) -> Option<Remembered> {
        self.common.idempotency_key.as_ref().map(|key| Remembered {
            principal: self.who.principal.name.clone(),
            key: key.clone(),
            request_sha256: self.what.request_sha256.clone(),
            answer,
        })
    }

    pub(crate) fn session_keys(&self) -> Option<SessionKeys> {
        self.session.lock().clone()
    }

    pub(crate) fn set_session_keys(&self, keys: SessionKeys) {
        *self.session.lock() = Some(keys);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.outcome.ended.swap(true, Ordering::Relaxed)
            && !self.outcome.trace.lock().committed
            && let Err(error) = self.audit_soon(self.audit_entry("cancelled".into(), None))
        {
            tracing::error!(tool = self.what.tool, %error, "a cancelled call could not be audited");
        }
    }
}

impl Caller for Call {
    fn principal(&self) -> &Principal {
        &self.who.principal
    }

    fn kind(&self) -> Option<ModelKind> {
        self.what.kind
    }

    fn dry_run(&self) -> bool {
        self.is_dry_run()
    }

    fn permissions(&self) -> Vec<Permission> {
        self.granted()
    }

    fn address_of(&self, path: &str) -> String {
        let config = &self.inner.config;
        let key = config.local_key.as_ref().filter(|_| self.who.is_local_user);
        let access = key.map(|key| http_callers::access(key, path)).unwrap_or_default();
        format!("{}{path}{access}", config.public_url)
    }
}
