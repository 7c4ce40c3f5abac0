//! The pipeline that every call passes: authenticate, authorise, validate, run, commit, audit.

use crate::arguments::{Common, near_matches, split};
use crate::audit_state::AuditState;
use crate::call::{Call, Opening};
use crate::identity::{Authenticator, LocalUser, as_now, authenticate};
use crate::locks::Locks;
use crate::refusals::{Refusals, Uncounted};
use crate::unopened::Unopened;
use crate::{CallContext, Catalogue, Credentials, Entry, ServiceConfig, answer};
use contract::{
    Action, BoxFuture, ChatArtifact, Effect, EventRecord, Fault, FaultCode, ModelKind, ModelUse, Operation,
    OperationId, Platform, Principal, ToolSpec,
};
use exec::Executor;
use governance::{Meter, Running};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use store::{FileRecord, Incoming, Remembered, Staged, Store, now_ms};
use tokio::sync::{Notify, broadcast};

/// Where OAuth clients learn whose tokens are taken here (RFC 9728).
pub const METADATA: &str = "/.well-known/oauth-protected-resource";

/// The state that all calls share.
pub(crate) struct Inner {
    pub(crate) store: Store,
    pub(crate) executor: Arc<dyn Executor>,
    pub(crate) catalogue: Catalogue,
    pub(crate) config: ServiceConfig,
    pub(crate) authenticators: Vec<Box<dyn Authenticator>>,
    /// The meter of what every principal has taken of its limits.
    pub(crate) meter: Meter,
    /// The refused calls of those who are not known.
    pub(crate) refusals: Refusals,
    /// The state of the audit log.
    pub(crate) audit: AuditState,
    /// Those who change a model take turns, so that a gateway does not race itself; the store decides all the same.
    pub(crate) writers: Locks,
    pub(crate) keys: Locks,
    pub(crate) materialising: Locks,
    /// Versions that were made here as whole files and that no executor has opened yet.
    pub(crate) unopened: Unopened,
    /// Rung where a job was submitted here.
    pub(crate) new_jobs: Arc<Notify>,
    /// This gateway's name in jobs that only it can do whole.
    pub(crate) gateway: String,
}

impl Inner {
    /// Who calls, counted against its limits for as long as the guard is held.
    pub(crate) async fn admit(&self, context: &CallContext) -> Result<Principal, Fault> {
        authenticate(&self.authenticators, context, &self.config.policy).await
    }

    /// A principal that was let in earlier, with the rights that it has now.
    pub(crate) async fn as_now(&self, was: &Principal) -> Result<Principal, Fault> {
        as_now(&self.authenticators, was, &self.config.policy).await
    }

    fn begin(&self, principal: &Principal) -> Result<Running, Fault> {
        let limits = self.config.policy.limits_of(principal);
        self.meter.begin(&principal.name, limits, now_ms())
    }

    /// Who calls, and what counts the call while it runs. A refusal is written down.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        context: &CallContext,
        tool: &str,
        arguments: &Value,
        started: Instant,
    ) -> Result<(Principal, Running), Fault> {
        self.audit.may_serve(&self.store).await?;
        let principal = match self.admit(context).await {
            Ok(principal) => principal,
            Err(fault) => {
                let (is_first, before) = self.refusals.count(context.peer, now_ms());
                self.note_refusals(before).await;
                if is_first {
                    Call::nobody(self, context, tool, arguments, started).end(Err(&fault)).await;
                }
                return Err(fault);
            }
        };
        let running = self.begin_as(&principal, context, tool, arguments, started).await?;
        Ok((principal, running))
    }

    /// Writes down how many calls of somebody who is not known were refused in a minute that is over.
    pub(crate) async fn note_refusals(self: &Arc<Self>, refused: Vec<Uncounted>) {
        for Uncounted { from, calls } in refused {
            let arguments = json!({ "from": from, "calls": calls });
            let context = CallContext::default();
            let fault = Fault::new(
                FaultCode::Unauthenticated,
                "More calls of somebody who is not known were refused.",
            );
            let call = Call::nobody(self, &context, "refused", &arguments, Instant::now());
            call.end(Err(&fault.with("calls", calls))).await;
        }
    }

    /// Counts a call of somebody who is known while it runs. Of those refused by a limit, some are written down.
    pub(crate) async fn begin_as(
        self: &Arc<Self>,
        principal: &Principal,
        context: &CallContext,
        tool: &str,
        arguments: &Value,
        started: Instant,
    ) -> Result<Running, Fault> {
        let refused = match self.begin(principal) {
            Ok(running) => return Ok(running),
            Err(fault) => fault,
        };
        if let Some(untold) = self.meter.tell_refusal(&principal.name, now_ms()) {
            let opening = Opening {
                tool,
                effect: Effect::Query,
                action: Action::Query,
                entry: None,
                arguments,
                started,
            };
            let told =
                if untold == 0 { refused.clone() } else { refused.clone().with("refused_before", untold) };
            Call::new(self, context, principal.clone(), opening).end(Err(&told)).await;
        }
        Err(refused)
    }
}

/// The service. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

impl Service {
    /// A service over a store, an executor and the tools of the catalogue, for the user of this machine.
    pub fn new(
        store: Store,
        executor: Arc<dyn Executor>,
        catalogue: Catalogue,
        config: ServiceConfig,
    ) -> Self {
        Self::with_authenticators(store, executor, catalogue, config, vec![Box::new(LocalUser)])
    }

    /// A service that asks these who calls, one after another.
    pub fn with_authenticators(
        store: Store,
        executor: Arc<dyn Executor>,
        catalogue: Catalogue,
        config: ServiceConfig,
        authenticators: Vec<Box<dyn Authenticator>>,
    ) -> Self {
        let (writers, keys, materialising) = (Locks::default(), Locks::default(), Locks::default());
        Self {
            inner: Arc::new(Inner {
                store,
                executor,
                catalogue,
                config,
                authenticators,
                meter: Meter::default(),
                refusals: Refusals::default(),
                audit: AuditState::default(),
                writers,
                keys,
                materialising,
                unopened: Unopened::default(),
                new_jobs: Arc::default(),
                gateway: OperationId::new().0,
            }),
        }
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    /// The tools.
    pub fn catalogue(&self) -> &Catalogue {
        &self.inner.catalogue
    }

    /// Its settings.
    pub fn config(&self) -> &ServiceConfig {
        &self.inner.config
    }

    /// True if a back end of this name is here.
    pub fn has_backend(&self, name: &str) -> bool {
        self.inner.executor.backends().iter().any(|backend| backend == name)
    }

    /// Everything that is committed from now on. A receiver that lags is told so and reads the rest with
    /// [`Service::events`].
    pub fn subscribe(&self) -> broadcast::Receiver<EventRecord> {
        self.inner.store.subscribe()
    }

    /// Why nothing is served, if nothing is: the audit log cannot be written.
    pub fn trouble(&self) -> Option<String> {
        self.inner.audit.trouble()
    }

    /// Writes down what is counted by the minute: refused calls of those who are not known.
    pub async fn end_minute(&self) {
        self.inner.note_refusals(self.inner.refusals.over(now_ms())).await;
    }

    /// Events after a position in the log, in order; at most 1000.
    pub async fn events(&self, after: u64, limit: u32) -> Result<Vec<EventRecord>, Fault> {
        Ok(self.inner.store.events(None, after, limit).await?)
    }

    /// The position of the last event in the log; zero where there is none yet.
    pub async fn last_event(&self) -> Result<u64, Fault> {
        Ok(self.inner.store.last_event().await?)
    }

    /// Calls a tool: the one way in for every transport. Dropping the future gives the call up; what was committed by
    /// then stays, and the audit log says so.
    pub fn call<'a>(
        &'a self,
        context: &'a CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>> {
        // boxed, so that the way through a call is compiled here and not in each crate that awaits one
        Box::pin(self.pass(context, tool, arguments))
    }

    async fn pass(&self, context: &CallContext, tool: &str, arguments: Value) -> Result<ChatArtifact, Fault> {
        let started = Instant::now();
        let (principal, _running) = self.inner.enter(context, tool, &arguments, started).await?;
        let Some(entry) = self.inner.catalogue.get(tool) else {
            let fault = self.unknown_tool(tool);
            let opening = Opening {
                tool,
                effect: Effect::Query,
                action: Action::Query,
                entry: None,
                arguments: &arguments,
                started,
            };
            Call::new(&self.inner, context, principal, opening).end(Err(&fault)).await;
            return Err(fault);
        };
        let effect = entry.spec.effect_of(&arguments);
        let action = entry.spec.action_of(&arguments);
        let opening = Opening { tool, effect, action, entry: Some(entry), arguments: &arguments, started };
        let mut call = Call::new(&self.inner, context, principal, opening);
        let outcome = self.run(&mut call, context, entry, arguments).await;
        call.end(outcome.as_ref().map(|answer| Some(&answer.result))).await;
        outcome.map_err(|fault| with_section(&entry.spec, call.outward(fault)))
    }

    /// Runs something that is no tool, such as a download or a tile for the viewer, through the same pipeline: who is it,
    /// may they do this, run, audit. `name` is the one that audit records; `arguments` may hold `model_id`
    /// and `model_version`, which the platform given to `body` then works on. The answer is not bounded or reshaped.
    pub async fn perform<T, F>(
        &self,
        context: &CallContext,
        name: &str,
        action: Action,
        arguments: Value,
        body: F,
    ) -> Result<T, Fault>
    where
        T: Send,
        F: for<'a> FnOnce(&'a dyn Platform) -> BoxFuture<'a, Result<T, Fault>> + Send,
    {
        self.perform_on(context, name, action, None, arguments, body).await
    }

    /// The same about models of a kind, where the context does not say which.
    pub(crate) async fn perform_on<T, F>(
        &self,
        context: &CallContext,
        name: &str,
        action: Action,
        kind: Option<ModelKind>,
        arguments: Value,
        body: F,
    ) -> Result<T, Fault>
    where
        T: Send,
        F: for<'a> FnOnce(&'a dyn Platform) -> BoxFuture<'a, Result<T, Fault>> + Send,
    {
        let started = Instant::now();
        let (principal, _running) = self.inner.enter(context, name, &arguments, started).await?;
        let effect = action.effect();
        let opening = Opening { tool: name, effect, action, entry: None, arguments: &arguments, started };
        let mut call = Call::new(&self.inner, context, principal, opening);
        call.what.kind = kind.or(call.what.kind);
        let outcome = async {
            call.may_begin()?;
            call.take(context, Common::of_action(&arguments), &arguments);
            // what is made once for all is given out to those alone who may see what it was made of
            if call.common.model_id.is_some() {
                call.model_of_call().await?;
            }
            body(&call).await
        }
        .await;
        call.end(outcome.as_ref().map(|_| None)).await;
        outcome.map_err(|fault| call.outward(fault))
    }

    /// Checks that somebody who is known calls and holds any role here; otherwise answers the Fault, and what the header `WWW-Authenticate`
    /// is to say beside it (RFC 6750, RFC 9728).
    pub async fn admits(&self, context: &CallContext) -> Result<Principal, (Fault, String)> {
        let metadata = match &self.inner.config.policy.issuer {
            Some(_) => format!(", resource_metadata=\"{}{METADATA}\"", self.inner.config.public_url),
            None => String::new(),
        };
        let sent = matches!(context.credentials, Credentials::Key { .. });
        match self.inner.admit(context).await {
            Ok(principal) if self.inner.config.policy.grants_of(&principal).is_empty() => {
                let why = format!("{} is known, and is granted nothing here.", principal.name);
                let challenge = format!("Bearer realm=\"pensaer\", error=\"insufficient_scope\"{metadata}");
                Err((Fault::new(FaultCode::PermissionDenied, why), challenge))
            }
            Ok(principal) => Ok(principal),
            Err(fault) => {
                let error = if sent { ", error=\"invalid_token\"" } else { "" };
                Err((fault, format!("Bearer realm=\"pensaer\"{error}{metadata}")))
            }
        }
    }

    /// Counts the beginning of a session, which is a call like any other, against the limits of who begins it.
    pub async fn begins_session(&self, context: &CallContext) -> Result<(), Fault> {
        self.inner.enter(context, "initialize", &Value::Null, Instant::now()).await.map(|_| ())
    }

    /// Who calls; for transports that have an answer of their own for those who are not known.
    pub async fn principal(&self, context: &CallContext) -> Result<Principal, Fault> {
        self.inner.admit(context).await
    }

    /// Begins to take in a file that a client sends.
    pub async fn incoming(&self, context: &CallContext) -> Result<Incoming, Fault> {
        let principal = self.inner.admit(context).await?;
        let call = self.upload_call(context, principal, &Value::Null);
        let begun = call
            .may_begin()
            .and_then(|()| self.inner.store.incoming(self.inner.config.import_bytes).map_err(Fault::from));
        begun.map_err(|fault| call.outward(fault))
    }

    fn upload_call(&self, context: &CallContext, principal: Principal, arguments: &Value) -> Call {
        let opening = Opening {
            tool: "upload",
            effect: Effect::Create,
            action: Action::Create,
            entry: None,
            arguments,
            started: Instant::now(),
        };
        let call = Call::new(&self.inner, context, principal, opening);
        if arguments.is_null() {
            call.is_not_audited();
        }
        call
    }

    /// Keeps a file that a client sent, under a name of its choice. The record's key is a `bucket_key` for `load_model`.
    pub async fn upload(
        &self,
        context: &CallContext,
        name: &str,
        media_type: &str,
        staged: Staged,
    ) -> Result<FileRecord, Fault> {
        let arguments = json!({ "name": name, "sha256": staged.blob().sha256, "size": staged.blob().size });
        let (principal, _running) = self.inner.enter(context, "upload", &arguments, Instant::now()).await?;
        let call = self.upload_call(context, principal, &arguments);
        let outcome = self.keep_upload(&call, name, media_type, staged).await;
        call.end(outcome.as_ref().map(|_| None)).await;
        outcome.map_err(|fault| call.outward(fault))
    }

    async fn keep_upload(
        &self,
        call: &Call,
        name: &str,
        media_type: &str,
        staged: Staged,
    ) -> Result<FileRecord, Fault> {
        call.may_begin()?;
        call.takes(staged.blob().size)?;
        call.keep_file(name, media_type, staged).await
    }

    async fn run(
        &self,
        call: &mut Call,
        context: &CallContext,
        entry: &Entry,
        arguments: Value,
    ) -> Result<ChatArtifact, Fault> {
        let spec = &entry.spec;
        call.may_begin()?;
        let (own, common) = split(spec, arguments)?;
        let own = Value::Object(own);
        call.take(context, common, &own);
        let Some(key) = call.idempotency_key() else { return self.answer(call, entry, own).await };
        // A retry that comes while the first is still running waits for its answer.
        let _turn = self.inner.keys.lock(&format!("{}\n{key}", call.who.principal.name)).await;
        if let Some(known) = self.inner.store.answer(&call.who.principal.name, &key).await? {
            return replay(call, &known);
        }
        let answered = self.answer(call, entry, own).await?;
        if !call.is_dry_run() {
            let answer = serde_json::to_value(&answered).unwrap_or(Value::Null);
            let remembered = call.remembered(answer);
            if let Some(remembered) = remembered {
                self.inner.store.remember(remembered).await?;
            }
        }
        Ok(answered)
    }

    pub(crate) async fn answer(&self, call: &Call, entry: &Entry, own: Value) -> Result<ChatArtifact, Fault> {
        if let Some(body) = &entry.body {
            let reply = body(call, own).await?;
            return answer::of_reply(call, reply).await;
        }
        if call.common.as_job {
            return call.submit_call(entry, own).await;
        }
        let spec = &entry.spec;
        let operation = Operation { effect: spec.effect, name: spec.name.clone(), params: own };
        let needs = &spec.needs;
        match (needs.model_of(&operation.params), call.what.effect) {
            (ModelUse::New, _) => call.make(operation, needs).await,
            (ModelUse::Current, Effect::Create | Effect::Modify) => call.change(operation, needs).await,
            (ModelUse::Current | ModelUse::None | ModelUse::Optional, _) => call.ask(operation, needs).await,
        }
    }

    fn unknown_tool(&self, tool: &str) -> Fault {
        let near = near_matches(tool, self.inner.catalogue.names());
        let hint = match near.first() {
            Some(first) => format!("Did you mean {first}?"),
            None => "List the tools to see what there is.".to_owned(),
        };
        Fault::new(FaultCode::InvalidParams, format!("There is no tool {tool}. {hint}"))
            .with("tool", tool)
            .with("near_matches", near)
    }
}

pub(crate) fn replay(call: &Call, known: &Remembered) -> Result<ChatArtifact, Fault> {
    if known.request_sha256 != call.request_sha256() {
        return Err(Fault::invalid(
            "idempotency_key",
            "This idempotency key was used for another call. Use a new key for a new call; repeat a key only with the \
             same tool and the same arguments.",
        ));
    }
    let answer = serde_json::from_value(known.answer.clone())
        .map_err(|error| Fault::backend(format!("The answer kept for this key cannot be read: {error}.")))?;
    call.note_replayed();
    Ok(answer)
}

/// A Fault about how a tool was called, with the section of the documentation on that tool, where it names none of its own.
fn with_section(spec: &ToolSpec, fault: Fault) -> Fault {
    let is_about_call = matches!(fault.code, FaultCode::InvalidParams | FaultCode::NotSupported);
    if !is_about_call || spec.for_pages_only || fault.data.contains_key("section") {
        return fault;
    }
    fault.with("section", format!("tools/{}", spec.name))
}
