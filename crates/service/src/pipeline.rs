//! The pipeline that every call passes.

use crate::{CallContext, Catalogue, ServiceConfig};
use contract::{BoxFuture, ChatArtifact, Effect, EventRecord, Fault, FaultCode, Platform};
use exec::Executor;
use serde_json::Value;
use std::sync::Arc;
use store::Store;
use tokio::sync::broadcast;

struct Inner {
    store: Store,
    executor: Arc<dyn Executor>,
    catalogue: Catalogue,
    config: ServiceConfig,
}

/// The service. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    inner: Arc<Inner>,
}

impl Service {
    /// A service over a store, an executor and the tools of the catalogue.
    pub fn new(
        store: Store,
        executor: Arc<dyn Executor>,
        catalogue: Catalogue,
        config: ServiceConfig,
    ) -> Self {
        Self { inner: Arc::new(Inner { store, executor, catalogue, config }) }
    }

    /// The tools.
    pub fn catalogue(&self) -> &Catalogue {
        &self.inner.catalogue
    }

    /// Its settings.
    pub fn config(&self) -> &ServiceConfig {
        &self.inner.config
    }

    /// Everything that is committed from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<EventRecord> {
        self.inner.store.subscribe()
    }

    /// Calls a tool: the one way in for every transport.
    pub async fn call(
        &self,
        context: &CallContext,
        tool: &str,
        arguments: Value,
    ) -> Result<ChatArtifact, Fault> {
        let _ = (context, arguments, &self.inner.executor);
        Err(Fault::new(FaultCode::NotSupported, format!("{tool} is not there yet.")))
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
        let _ = (context, effect, arguments, body);
        Err(Fault::new(FaultCode::NotSupported, format!("{action} is not there yet.")))
    }
}
