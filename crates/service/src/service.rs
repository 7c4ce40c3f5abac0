//! The pipeline that every call passes: authenticate, authorise, validate, run, commit, audit.

use crate::arguments::{Common, near_matches, split};
use crate::call::{Call, Opening};
use crate::identity::{Authenticator, LocalUser, authenticate};
use crate::locks::Locks;
use crate::policy::{Policy, Target, decide, require};
use crate::{CallContext, Catalogue, Entry, ServiceConfig, answer};
use contract::{
    BoxFuture, ChatArtifact, Effect, EventRecord, Fault, FaultCode, ModelUse, Operation, Platform,
};
use exec::Executor;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;
use store::{FileRecord, Incoming, Remembered, Staged, Store};
use tokio::sync::broadcast;

/// What all calls share.
pub(crate) struct Inner {
    pub(crate) store: Store,
    pub(crate) executor: Arc<dyn Executor>,
    pub(crate) catalogue: Catalogue,
    pub(crate) config: ServiceConfig,
    pub(crate) authenticators: Vec<Box<dyn Authenticator>>,
    /// Those who change a model take turns, so that a gateway does not race itself; the store decides all the same.
    pub(crate) writers: Locks,
    pub(crate) keys: Locks,
    pub(crate) materialising: Locks,
}

impl Inner {
    pub(crate) fn policy(&self) -> Policy {
        Policy { read_only: self.config.read_only }
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
                writers,
                keys,
                materialising,
            }),
        }
    }

    #[cfg(test)]
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

    /// Everything that is committed from now on. A receiver that lags is told so and reads the rest with
    /// [`Service::events`].
    pub fn subscribe(&self) -> broadcast::Receiver<EventRecord> {
        self.inner.store.subscribe()
    }

    /// Events after a position in the log, in order; at most 1000.
    pub async fn events(&self, after: u64, limit: u32) -> Result<Vec<EventRecord>, Fault> {
        Ok(self.inner.store.events(None, after, limit).await?)
    }

    /// Calls a tool: the one way in for every transport. Dropping the future gives the call up; what was committed by
    /// then stays, and the audit log says so.
    pub async fn call(
        &self,
        context: &CallContext,
        tool: &str,
        arguments: Value,
    ) -> Result<ChatArtifact, Fault> {
        let started = Instant::now();
        let principal = match authenticate(&self.inner.authenticators, context) {
            Ok(principal) => principal,
            Err(fault) => {
                Call::nobody(&self.inner, context, tool, &arguments, started).end(Err(&fault)).await;
                return Err(fault);
            }
        };
        let Some(entry) = self.inner.catalogue.get(tool) else {
            let fault = self.unknown_tool(tool);
            let opening =
                Opening { tool, effect: Effect::Query, entry: None, arguments: &arguments, started };
            Call::new(&self.inner, context, principal, opening).end(Err(&fault)).await;
            return Err(fault);
        };
        let effect = entry.spec.effect_of(&arguments);
        let opening = Opening { tool, effect, entry: Some(entry), arguments: &arguments, started };
        let mut call = Call::new(&self.inner, context, principal, opening);
        let outcome = self.run(&mut call, context, entry, arguments).await;
        call.end(outcome.as_ref().map(|_| ())).await;
        outcome
    }

    /// Runs something that is no tool, such as a download or a tile for the viewer, through the same pipeline: who is it,
    /// may they have this effect, run, audit. `action` is the name that audit records; `arguments` may hold `model_id`
    /// and `model_version`, which the platform given to `body` then works on. The answer is not bounded or reshaped.
    pub async fn perform<T, F>(
        &self,
        context: &CallContext,
        action: &str,
        effect: Effect,
        arguments: Value,
        body: F,
    ) -> Result<T, Fault>
    where
        T: Send,
        F: for<'a> FnOnce(&'a dyn Platform) -> BoxFuture<'a, Result<T, Fault>> + Send,
    {
        let started = Instant::now();
        let principal = match authenticate(&self.inner.authenticators, context) {
            Ok(principal) => principal,
            Err(fault) => {
                Call::nobody(&self.inner, context, action, &arguments, started).end(Err(&fault)).await;
                return Err(fault);
            }
        };
        let opening = Opening { tool: action, effect, entry: None, arguments: &arguments, started };
        let mut call = Call::new(&self.inner, context, principal, opening);
        let outcome = async {
            let target = Target { tool: action, model: None };
            require(decide(&self.inner.policy(), call.who(), effect, &target))?;
            call.take(context, Common::of_action(&arguments), &arguments);
            body(&call).await
        }
        .await;
        call.end(outcome.as_ref().map(|_| ())).await;
        outcome
    }

    /// Begins to take in a file that a client sends.
    pub fn incoming(&self, context: &CallContext) -> Result<Incoming, Fault> {
        let principal = authenticate(&self.inner.authenticators, context)?;
        let target = Target { tool: "an upload", model: None };
        require(decide(&self.inner.policy(), &principal, Effect::Create, &target))?;
        Ok(self.inner.store.incoming(self.inner.config.import_bytes)?)
    }

    /// Keeps a file that a client sent, under a name of its choice. The record's key is a `bucket_key` for `load_model`.
    pub async fn upload(
        &self,
        context: &CallContext,
        name: &str,
        media_type: &str,
        staged: Staged,
    ) -> Result<FileRecord, Fault> {
        let principal = authenticate(&self.inner.authenticators, context)?;
        let arguments = json!({ "name": name, "sha256": staged.blob().sha256, "size": staged.blob().size });
        let opening = Opening {
            tool: "upload",
            effect: Effect::Create,
            entry: None,
            arguments: &arguments,
            started: Instant::now(),
        };
        let call = Call::new(&self.inner, context, principal, opening);
        let outcome = self.keep_upload(&call, name, media_type, staged).await;
        call.end(outcome.as_ref().map(|_| ())).await;
        outcome
    }

    async fn keep_upload(
        &self,
        call: &Call,
        name: &str,
        media_type: &str,
        staged: Staged,
    ) -> Result<FileRecord, Fault> {
        let target = Target { tool: "an upload", model: None };
        require(decide(&self.inner.policy(), call.who(), Effect::Create, &target))?;
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
        let target = Target { tool: &spec.name, model: None };
        require(decide(&self.inner.policy(), call.who(), call.effect, &target))?;
        let (own, common) = split(spec, arguments)?;
        let own = Value::Object(own);
        call.take(context, common, &own);
        let Some(key) = call.idempotency_key() else { return self.answer(call, entry, own).await };
        // A retry that comes while the first is still running waits for its answer.
        let _turn = self.inner.keys.lock(&format!("{}\n{key}", call.who().name)).await;
        if let Some(known) = self.inner.store.answer(&call.who().name, &key).await? {
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

    async fn answer(&self, call: &Call, entry: &Entry, own: Value) -> Result<ChatArtifact, Fault> {
        if let Some(body) = &entry.body {
            let reply = body(call, own).await?;
            return answer::of_reply(call, reply).await;
        }
        let spec = &entry.spec;
        let operation = Operation { effect: spec.effect, name: spec.name.clone(), params: own };
        match (spec.model, call.effect) {
            (ModelUse::New, _) => call.make(operation).await,
            (ModelUse::Current, Effect::Create | Effect::Modify) => call.change(operation).await,
            (ModelUse::Current | ModelUse::None, _) => call.ask(operation, spec.model).await,
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
