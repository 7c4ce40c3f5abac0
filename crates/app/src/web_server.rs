//! The daemon's HTTP side: MCP and web behind one listener.

use crate::compose::Composed;
use crate::idle::Presence;
use crate::runtime;
use crate::settings::Settings;
use anyhow::{Context, Result};
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use mcp::{Door, HttpOptions};
use service::{HttpCallers, Loopback};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Takes the address; a daemon started for stdio clients settles for any port if that one is taken.
pub(crate) async fn bind(address: SocketAddr, any_port: bool) -> Result<TcpListener> {
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(listener),
        Err(error) if any_port && error.kind() == std::io::ErrorKind::AddrInUse => {
            TcpListener::bind(SocketAddr::new(address.ip(), 0)).await.context("cannot listen at any port")
        }
        Err(error) => Err(error).with_context(|| {
            format!("cannot listen at {address}; give another address with --listen, such as 127.0.0.1:0")
        }),
    }
}

/// Everything that is served over HTTP.
pub(crate) fn router(
    composed: &Composed,
    settings: &Settings,
    presence: &Arc<Presence>,
    stop: &CancellationToken,
    conformance_fixtures: bool,
) -> Router {
    let service = &composed.service;
    let loopback = service.config().local_key.clone().map_or(Loopback::Open, Loopback::Key);
    let callers = HttpCallers { user: runtime::user(), loopback };
    let door: Arc<dyn Door> = Arc::new(service.clone());
    let mcp = mcp::router(
        service.catalogue().specs(),
        door,
        &HttpOptions {
            hosts: settings.hosts.clone(),
            origins: settings.origins.clone(),
            callers: callers.clone(),
            default_model: settings.model_id.clone(),
            prompts: Arc::clone(service.catalogue().prompts()),
            conformance_fixtures,
            stop: stop.clone(),
            ..HttpOptions::default()
        },
    );
    let web = web::router(
        service.clone(),
        &web::Options {
            hosts: settings.hosts.clone(),
            origins: settings.origins.clone(),
            callers,
            links: Some(Arc::clone(&composed.links)),
            figures: Some(composed.figures.clone()),
        },
    );
    mcp.merge(web).layer(from_fn_with_state(Arc::clone(presence), note_presence))
}

/// Somebody is there while a request is answered, and while a stream of events is held open.
async fn note_presence(State(presence): State<Arc<Presence>>, request: Request, next: Next) -> Response {
    let present = presence.enter();
    let response = next.run(request).await;
    if mcp::is_event_stream(&response) { mcp::holding(response, present) } else { response }
}
