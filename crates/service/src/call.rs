//! One call of one principal: what it is about, what it has done so far, and the audit entry that it ends in.

use crate::arguments::Common;
use crate::redact::{redacted, text_without};
use crate::service::Inner;
use crate::session;
use crate::{CallContext, Credentials, Entry, ProgressSink};
use contract::{
    Action, Actor, Effect, EventId, EventType, Fault, FaultCode, ModelId, ModelKind, ModelRecord,
    OperationId, Principal, Server, SessionState, VersionId, json_sha256,
};
use governance::LimitsOf;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use store::{AuditEntry, MAIN, Remembered, now_ms};

/// Arguments up to this size are audited whole.
const AUDITED_ARGUMENTS: usize = 8 << 10;
/// Of larger arguments, the members up to this size.
const AUDITED_MEMBER: usize = 512;

/// Where a version is asked for, the newest.
pub(crate) const HEAD: &str = "head";

/// What a call begins with.
pub(crate) struct Opening<'a> {
    pub(crate) tool: &'a str,
    pub(crate) effect: Effect,
    pub(crate) action: Action,
    pub(crate) entry: Option<&'a Entry>,
    pub(crate) arguments: &'a Value,
    pub(crate) started: Instant,
}

/// What a call has come to so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    pub(crate) model: Option<ModelId>,
    pub(crate) before: Option<VersionId>,
    pub(crate) after: Option<VersionId>,
    pub(crate) event: Option<EventId>,
    pub(crate) committed: bool,
    pub(crate) replayed: bool,
}

/// One call. It implements `contract::Platform`; every method acts in the principal's name.
pub(crate) struct Call {
    pub(crate) inner: Arc<Inner>,
    pub(crate) principal: Principal,
    pub(crate) client: Option<String>,
    pub(crate) progress: Option<ProgressSink>,
    pub(crate) working_dir: Option<PathBuf>,
    pub(crate) default_model: Option<String>,
    pub(crate) tool: String,
    pub(crate) effect: Effect,
    /// What it has to be granted.
    pub(crate) action: Action,
    /// What its caller is limited to.
    pub(crate) limits: LimitsOf,
    pub(crate) server: Option<Server>,
    pub(crate) destructive: bool,
    /// Whether the platform itself answers.
    is_platform: bool,
    /// The kind of the model that it works on; none where either will do.
    pub(crate) kind: Option<ModelKind>,
    pub(crate) event: Option<EventType>,
    pub(crate) common: Common,
    pub(crate) operation_id: OperationId,
    pub(crate) time_ms: u64,
    pub(crate) deadline_ms: u64,
    pub(crate) params_sha256: String,
    request_sha256: String,
    arguments: Value,
    started: Instant,
    session: Mutex<Option<String>>,
    trace: Mutex<Trace>,
    ended: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        let server = spec.map(|spec| spec.server);
        let takes_any = spec.is_some_and(|spec| !spec.also_on.is_empty());
        let kind = match (server, context.server) {
            (Some(Server::Energy), _) => Some(ModelKind::EnergyPlus),
            (_, Some(Server::Energy)) if takes_any => Some(ModelKind::EnergyPlus),
            (_, None) if takes_any => None,
            _ => Some(ModelKind::Ifc),
        };
        let session = session::session_key(&principal, context, None);
        Self {
            inner: Arc::clone(inner),
            client: context.client.clone(),
            progress: context.progress.clone(),
            working_dir: context.working_dir.clone(),
            default_model: context.default_model.clone(),
            tool: opening.tool.chars().take(100).collect(),
            effect: opening.effect,
            action: opening.action,
            limits: inner.config.policy.limits_of(&principal),
            server,
            destructive: spec.is_some_and(|spec| spec.destructive),
            is_platform: spec.is_none_or(|spec| spec.platform),
            kind,
            event: opening.entry.and_then(|entry| entry.event.clone()),
            common: Common::default(),
            operation_id: OperationId::new(),
            time_ms,
            deadline_ms: time_ms.saturating_add(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
            params_sha256: String::new(),
            request_sha256: String::new(),
            arguments: bounded(&redacted(opening.arguments)),
            started: opening.started,
            session: Mutex::new(session),
            trace: Mutex::default(),
            ended: AtomicBool::new(false),
            principal,
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
        Self::new(inner, context, principal, opening)
    }

    /// Takes the parameters once they are split.
    pub(crate) fn take(&mut self, context: &CallContext, common: Common, own: &Value) {
        self.params_sha256 = json_sha256(own);
        let mut request = json!({
            "tool": self.tool,
            "arguments": own,
            "model_id": common.model_id,
            "model_version": common.model_version,
            "dry_run": common.dry_run,
        });
        if let Some((backend, members)) = common.backend.as_deref().zip(request.as_object_mut()) {
            members.insert("backend".into(), backend.into());
        }
        self.request_sha256 = json_sha256(&request);
        if common.session.is_some() {
            *lock(&self.session) = session::session_key(&self.principal, context, common.session.as_deref());
        }
        self.common = common;
        if self.common.backend.is_none() {
            self.common.backend.clone_from(&context.backend);
        }
    }

    /// The back end that is to resolve an operation of this call: what the call says, else what holds for the model, else what
    /// holds for all. What the platform does with models is its own business.
    pub(crate) fn backend(&self, operation: &str, model: Option<&ModelRecord>) -> Option<String> {
        if self.is_platform {
            return None;
        }
        let model = model.map(|model| (model.model_id.as_str(), model.name.as_str()));
        let policy = &self.inner.config.backends;
        self.common.backend.clone().or_else(|| policy.choose(operation, model))
    }

    pub(crate) fn who(&self) -> &Principal {
        &self.principal
    }

    pub(crate) fn is_dry_run(&self) -> bool {
        self.common.dry_run
    }

    pub(crate) fn idempotency_key(&self) -> Option<String> {
        self.common.idempotency_key.clone()
    }

    pub(crate) fn request_sha256(&self) -> &str {
        &self.request_sha256
    }

    pub(crate) fn trace(&self) -> Trace {
        lock(&self.trace).clone()
    }

    pub(crate) fn note(&self, change: impl FnOnce(&mut Trace)) {
        change(&mut lock(&self.trace));
    }

    pub(crate) fn note_replayed(&self) {
        self.note(|trace| trace.replayed = true);
    }

    pub(crate) fn is_not_audited(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    pub(crate) fn actor(&self) -> Actor {
        Actor { principal: self.principal.name.clone(), client: self.client.clone() }
    }

    /// What to keep so that a retry gets this answer again.
    pub(crate) fn remembered(&self, answer: Value) -> Option<Remembered> {
        self.common.idempotency_key.as_ref().map(|key| Remembered {
            principal: self.principal.name.clone(),
            key: key.clone(),
            request_sha256: self.request_sha256.clone(),
            answer,
        })
    }

    // ---- audit

    pub(crate) fn audit_entry(&self, outcome: Value) -> AuditEntry {
        let trace = self.trace();
        AuditEntry {
            time_ms: self.time_ms,
            principal: self.principal.name.clone(),
            client: self.client.clone(),
            tool: self.tool.clone(),
            arguments: self.arguments.clone(),
            model_id: trace.model,
            version_before: trace.before,
            version_after: trace.after,
            event_id: trace.event,
            outcome,
            reasoning: self.common.reasoning.as_deref().map(text_without),
            duration_us: u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX),
        }
    }

    /// Writes the audit entry, unless it went with the commit. What was refused, failed or changed something is durable
    /// before the answer; the entry of a successful reading becomes durable right after it.
    pub(crate) async fn end(&self, outcome: Result<(), &Fault>) {
        if self.ended.swap(true, Ordering::Relaxed) {
            return;
        }
        let trace = self.trace();
        let written = match outcome {
            Ok(()) if trace.committed => Ok(()),
            Ok(()) if trace.replayed => self.inner.store.audit_soon(self.audit_entry("replayed".into())),
            Ok(()) if self.is_dry_run() => self.inner.store.audit_soon(self.audit_entry("preview".into())),
            Ok(()) if self.effect == Effect::Query => {
                self.inner.store.audit_soon(self.audit_entry("ok".into()))
            }
            Ok(()) => self.inner.store.audit(self.audit_entry("ok".into())).await.map(|_| ()),
            Err(fault) => self
                .inner
                .store
                .audit(self.audit_entry(bounded(&redacted(&fault.to_json()))))
                .await
                .map(|_| ()),
        };
        if let Err(error) = written {
            tracing::error!(tool = self.tool, %error, "a call could not be audited");
        }
    }

    // ---- models and sessions

    /// The state of the session, if there is one.
    pub(crate) async fn session_state(&self) -> Result<SessionState, Fault> {
        let key = lock(&self.session).clone();
        match key {
            Some(key) => Ok(self.inner.store.session(&key).await?.unwrap_or_default()),
            None => Ok(SessionState::default()),
        }
    }

    /// Makes a model the session's own, on the branch where the session was if it is the same model; answers a token where
    /// the session has nothing else to be found by.
    pub(crate) async fn enter(&self, kind: ModelKind, model: &ModelId) -> Result<Option<String>, Fault> {
        let state = self.session_state().await?;
        let branch = session::branch(&state, model).map(str::to_owned);
        self.enter_at(kind, model, branch.as_deref().unwrap_or(MAIN)).await
    }

    /// The same on this branch.
    pub(crate) async fn enter_at(
        &self,
        kind: ModelKind,
        model: &ModelId,
        branch: &str,
    ) -> Result<Option<String>, Fault> {
        if self.is_dry_run() {
            return Ok(None);
        }
        self.alter_session(|state| session::set_current(state, kind, model, branch, self.time_ms)).await
    }

    /// Changes what the session remembers, and begins one where there is none; answers its token, where it has nothing else to
    /// be found by.
    pub(crate) async fn alter_session(
        &self,
        change: impl FnOnce(&mut SessionState) + Send,
    ) -> Result<Option<String>, Fault> {
        let mut state = self.session_state().await?;
        let known = lock(&self.session).clone();
        let (key, token) = if let Some(key) = known {
            (key, None)
        } else {
            let token = OperationId::new().0;
            (session::token_key(&self.principal, &token), Some(token))
        };
        let before = state.clone();
        change(&mut state);
        if state != before {
            self.inner.store.set_session(&key, &state).await?;
        }
        *lock(&self.session) = Some(key);
        Ok(token.or_else(|| self.common.session.clone()))
    }

    /// Makes a simulation the session's latest, where something ties this call to a session.
    pub(crate) async fn note_simulation(&self, job: &str) -> Result<(), Fault> {
        let key = lock(&self.session).clone();
        if let Some(key) = key {
            let mut state = self.inner.store.session(&key).await?.unwrap_or_default();
            session::set_simulation(&mut state, job);
            self.inner.store.set_session(&key, &state).await?;
        }
        Ok(())
    }

    /// Forgets what the session was working on.
    pub(crate) async fn forget_session(&self) -> Result<(), Fault> {
        let key = lock(&self.session).clone();
        if let Some(key) = key {
            self.inner.store.clear_session(&key).await?;
        }
        Ok(())
    }

    /// A model by id or name, with near matches if there is none.
    pub(crate) async fn find_model(&self, id_or_name: &str) -> Result<ModelRecord, Fault> {
        match self.inner.store.find_model(id_or_name).await {
            // the others that have this name may be there for others alone
            Err(store::StoreError::Ambiguous { what, id, candidates }) => {
                let mut seen = Vec::new();
                for candidate in candidates {
                    seen.extend(self.known_model(&ModelId(candidate)).await.ok());
                }
                match seen.len() {
                    0 => Err(self.no_such_model(id_or_name).await?),
                    1 => Ok(seen.remove(0)),
                    _ => {
                        let candidates = seen.into_iter().map(|model| model.model_id.0).collect();
                        Err(store::StoreError::Ambiguous { what, id, candidates }.into())
                    }
                }
            }
            Ok(model) if self.sees(&model) => Ok(model),
            Ok(_) | Err(store::StoreError::NotFound { .. }) => Err(self.no_such_model(id_or_name).await?),
            Err(error) => Err(error.into()),
        }
    }

    async fn no_such_model(&self, id_or_name: &str) -> Result<Fault, Fault> {
        let page = self.seen_models(200, None).await?;
        let names = page.items.iter().map(|model| model.name.as_str());
        let near = crate::arguments::near_matches(id_or_name, names);
        let fault = crate::permit::no_model(id_or_name);
        Ok(if near.is_empty() { fault } else { fault.with("near_matches", near) })
    }

    /// The model that this call is about, where it may do with it what it is to do.
    pub(crate) async fn model_of_call(&self) -> Result<ModelRecord, Fault> {
        let model = self.model_of_call_unnoted().await?;
        self.note(|trace| trace.model = Some(model.model_id.clone()));
        self.may(self.action, &model)?;
        self.opens(&model.model_id)?;
        Ok(model)
    }

    async fn model_of_call_unnoted(&self) -> Result<ModelRecord, Fault> {
        if let Some(wanted) = &self.common.model_id {
            return self.find_model(wanted).await;
        }
        let state = self.session_state().await?;
        let current = match self.kind {
            Some(kind) => session::current(&state, kind),
            None => session::latest(&state),
        };
        if let Some(model) = current {
            return self.known_model(model).await;
        }
        match &self.default_model {
            Some(wanted) => self.find_model(wanted).await,
            None => Err(Fault::no_model_loaded()),
        }
    }

    /// A path as the caller wrote it, in full.
    pub(crate) fn local_path(&self, field: &str, text: &str) -> Result<PathBuf, Fault> {
        if !self.principal.local {
            return Err(Fault::new(
                FaultCode::PermissionDenied,
                format!(
                    "`{field}` means a file on the server's machine, which only its own user may name. Upload the file \
                     and give `upload_name` or `bucket_key`; download results through their links."
                ),
            )
            .with("field", field));
        }
        let path = match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
            (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
            _ => PathBuf::from(text),
        };
        if text.is_empty() || text.contains('\0') {
            return Err(Fault::invalid(field, format!("`{field}` is no path.")));
        }
        if path.is_absolute() {
            return Ok(path);
        }
        match &self.working_dir {
            Some(directory) => Ok(directory.join(path)),
            None => Err(Fault::invalid(
                field,
                format!(
                    "`{text}` is a relative path, and this client said no working directory. Give the path in full."
                ),
            )),
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.ended.swap(true, Ordering::Relaxed)
            && !lock(&self.trace).committed
            && let Err(error) = self.inner.store.audit_soon(self.audit_entry("cancelled".into()))
        {
            tracing::error!(tool = self.tool, %error, "a cancelled call could not be audited");
        }
    }
}

/// A value as audit keeps it: whole if it is small, else with its large members replaced by their size and hash.
fn bounded(value: &Value) -> Value {
    let size = |value: &Value| value.to_string().len();
    let cut = |value: &Value| json!({ "cut": true, "bytes": size(value), "sha256": json_sha256(value) });
    if size(value) <= AUDITED_ARGUMENTS {
        return value.clone();
    }
    let Value::Object(map) = value else { return cut(value) };
    let mut kept = Map::new();
    for (name, member) in map.iter().take(32) {
        let member = if size(member) <= AUDITED_MEMBER { member.clone() } else { cut(member) };
        kept.insert(name.chars().take(100).collect(), member);
    }
    Value::Object(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_arguments_are_audited_by_size_and_hash_and_small_ones_whole() {
        let small = json!({ "start": [0, 0], "end": [5000, 0] });
        assert_eq!(bounded(&small), small);
        let large = json!({ "name": "x", "points": vec![1; 50_000] });
        let kept = bounded(&large);
        assert_eq!(kept["name"], "x");
        assert_eq!(kept["points"]["cut"], true);
        assert!(kept.to_string().len() < AUDITED_ARGUMENTS);
    }
}
