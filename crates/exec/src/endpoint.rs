//! One Execution Service at an address, as an [`Executor`].

use crate::Executor;
use crate::client::{Client, Lost, Reply, nonsense, path_of};
use crate::transport::Address;
use async_trait::async_trait;
use bytes::Bytes;
use contract::{Artifact, Fault, HostInfo, OperationId, Progress, Request};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// The address of a service, and the token that lets a caller in.
#[derive(Clone, Serialize, Deserialize)]
pub struct EndpointConfig {
    /// `http://HOST:PORT` or `unix:PATH`.
    pub url: String,
    /// The bearer token, if it wants one.
    pub token: Option<String>,
}

impl std::fmt::Debug for EndpointConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let token = self.token.as_ref().map(|_| "…");
        f.debug_struct("EndpointConfig").field("url", &self.url).field("token", &token).finish()
    }
}

/// A service that was started elsewhere. What it does not answer is a Fault; nothing is tried again.
pub struct Endpoint {
    client: Client,
}

impl Endpoint {
    /// The service there; it is not asked yet. Answers are read up to so many bytes.
    pub fn new(config: &EndpointConfig, answer_bytes: usize) -> io::Result<Self> {
        let address = Address::parse(&config.url)?;
        Ok(Self { client: Client::new(address, config.token.as_deref(), answer_bytes)? })
    }

    /// Returns the answer of a path, whatever it is.
    pub(crate) async fn get(&self, path: &str) -> Result<Reply, Lost> {
        self.client.get(path).await
    }

    pub(crate) async fn post(&self, path: &str, body: Bytes) -> Result<Reply, Lost> {
        self.client.post(path, body).await
    }

    /// True if it is on this machine, so that paths mean the same there.
    pub(crate) fn shares_files(&self) -> bool {
        matches!(self.client.address(), Address::Unix(_))
    }

    /// Fetches a file that it made; answers size and SHA-256.
    pub(crate) async fn download(&self, path: &str, to: &Path, limit: u64) -> Result<(u64, String), Fault> {
        self.client.download(path, to, limit).await.map_err(|lost| self.lost("a file", &lost))
    }

    fn lost(&self, what: &str, lost: &Lost) -> Fault {
        Fault::backend(format!("{} did not answer {what}: {lost}.", self.client.address()))
            .with("endpoint", self.client.address().to_string())
    }
}

#[async_trait]
impl Executor for Endpoint {
    async fn run(&self, request: Request) -> Result<Artifact, Fault> {
        let name = &request.operation.name;
        let body = serde_json::to_vec(&request).map_err(|error| nonsense(name, &error.to_string()))?;
        let reply = self.post(path_of(request.operation.effect), body.into()).await;
        reply.map_err(|lost| self.lost(name, &lost))?.read(name)
    }

    async fn info(&self) -> Result<HostInfo, Fault> {
        let reply = self.get("/info").await.map_err(|lost| self.lost("/info", &lost))?;
        if let Some(fault) = reply.fault() {
            return Err(fault);
        }
        serde_json::from_slice(&reply.body).map_err(|error| nonsense("/info", &error.to_string()))
    }

    async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        self.client.progress(operation).await
    }
}
