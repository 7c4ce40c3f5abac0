//! A request on its way, as a worker on this machine and as a service elsewhere is sent it.

use super::{PoolConfig, travel};
use crate::Endpoint;
use crate::client::{nonsense, path_of};
use bytes::Bytes;
use contract::{Fault, Request};
use std::sync::OnceLock;

/// A request on its way.
pub(super) struct Call {
    /// Without its back end: the group that it goes to is of that, under whatever name the adapter in it goes.
    pub(super) request: Request,
    pub(super) backend: String,
    body: OnceLock<Bytes>,
}

impl Call {
    pub(super) fn new(mut request: Request, default: &str) -> Self {
        let backend = request.backend.take().unwrap_or_else(|| default.to_owned());
        Self { request, backend, body: OnceLock::new() }
    }

    pub(super) fn name(&self) -> &str {
        &self.request.operation.name
    }

    pub(super) fn path(&self) -> &'static str {
        path_of(self.request.operation.effect)
    }

    /// The request as a worker of its back end on this machine is sent it.
    pub(super) fn body(&self) -> Result<Bytes, Fault> {
        if let Some(body) = self.body.get() {
            return Ok(body.clone());
        }
        let body = self.encode(&self.request)?;
        Ok(self.body.get_or_init(|| body).clone())
    }

    /// The request as a service elsewhere is sent it, which may prefer another back end than we do. One on another machine
    /// cannot have our files by their paths.
    pub(super) async fn body_for(&self, endpoint: &Endpoint, config: &PoolConfig) -> Result<Bytes, Fault> {
        let mut request = Request { backend: Some(self.backend.clone()), ..self.request.clone() };
        if !endpoint.shares_files() {
            travel::pack(&mut request, config).await?;
        }
        self.encode(&request)
    }

    fn encode(&self, request: &Request) -> Result<Bytes, Fault> {
        let body = serde_json::to_vec(request).map_err(|error| nonsense(self.name(), &error.to_string()))?;
        Ok(body.into())
    }
}
