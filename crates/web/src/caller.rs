//! In whose name a request is made.

use crate::{Options, WebState};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header;
use axum::http::request::Parts;
use service::{CallContext, Credentials, Transport};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

/// The context of one request: with a key, its holder; without one, from this very machine, its user.
pub(crate) struct Caller(pub(crate) CallContext);

impl FromRequestParts<Arc<WebState>> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<WebState>) -> Result<Self, Infallible> {
        Ok(Self(context_of(parts, &shared.options)))
    }
}

/// The context of a request with this head.
pub(crate) fn context_of(parts: &Parts, options: &Options) -> CallContext {
    let text = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
    // a request that a proxy passed on comes from wherever the proxy got it
    let passed_on =
        parts.headers.contains_key("x-forwarded-for") || parts.headers.contains_key(header::FORWARDED);
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    let local = !passed_on && peer.is_some_and(|ConnectInfo(peer)| peer.ip().to_canonical().is_loopback());
    let credentials = match service::key_in(&parts.headers) {
        Some(key) => Credentials::Key { key, local: false },
        None if local => Credentials::Local { user: options.user.clone() },
        None => Credentials::None,
    };
    CallContext {
        credentials,
        transport: Transport::Web,
        peer: peer.map(|ConnectInfo(peer)| peer.ip()),
        client: text(header::USER_AGENT).map(|agent| agent.chars().take(120).collect()),
        ..CallContext::default()
    }
}
