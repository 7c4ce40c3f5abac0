//! The pipeline that every call passes.

use crate::{CallContext, Catalogue, ServiceConfig};
use contract::{ChatArtifact, EventRecord, Fault, FaultCode};
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
}
