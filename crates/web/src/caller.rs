//! In whose name a request is made.

use crate::{Options, WebState};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::header;
use axum::http::request::Parts;
use service::{CallContext, Transport};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

/// The context of one request.
pub(crate) struct Caller(pub(crate) CallContext);

impl FromRequestParts<Arc<WebState>> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<WebState>) -> Result<Self, Infallible> {
        // the guard has it from the request as it came
        let known = parts.extensions.get::<Arc<CallContext>>();
        Ok(Self(known.map_or_else(|| context_of(parts, &shared.options), |known| CallContext::clone(known))))
    }
}

/// The context of a request with this head.
pub(crate) fn context_of(parts: &Parts, options: &Options) -> CallContext {
    let text = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    CallContext {
        credentials: options.callers.credentials(parts, peer),
        transport: Transport::Web,
        peer,
        client: text(header::USER_AGENT).map(|agent| agent.chars().take(120).collect()),
        ..CallContext::default()
    }
}
