//! The older HTTP+SSE transport (2024-11-05), which the protocol has dropped and some clients still open: a GET holds a
//! stream of events whose first one, `endpoint`, names the address to POST messages to; the answers come on the stream.

use crate::http::HttpOptions;
use crate::server::Endpoint;
use crate::sessions::SessionLimits;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::channel::mpsc;
use futures::{SinkExt, StreamExt};
use parking_lot::Mutex;
use rmcp::model::ClientJsonRpcMessage;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::{RoleServer, ServiceExt};
use std::borrow::Cow;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use url::form_urlencoded;

/// Messages that may wait in either direction before the sender does.
const BUFFER: usize = 32;

type Inbox = mpsc::Sender<RxJsonRpcMessage<RoleServer>>;
type Streams = Arc<Mutex<HashMap<String, OpenInbox>>>;

/// Where the messages of an open stream's client go.
struct OpenInbox {
    inbox: Inbox,
    /// Who opened it: to others it is not there.
    owner: String,
    since: Instant,
}

/// Tells if a request belongs to this transport: a GET for events that shows no newer header, or a POST to the address
/// that such a GET was given.
pub(crate) fn is_legacy(request: &Request) -> bool {
    let headers = request.headers();
    match *request.method() {
        Method::GET => {
            !headers.contains_key("mcp-session-id")
                && !headers.contains_key("mcp-protocol-version")
                && accepts_events(headers)
        }
        Method::POST => session_of(request.uri()).is_some(),
        _ => false,
    }
}

fn accepts_events(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("text/event-stream"))
}

fn session_of(uri: &Uri) -> Option<Cow<'_, str>> {
    let mut pairs = form_urlencoded::parse(uri.query()?.as_bytes());
    pairs.find(|(name, _)| name == "sessionId" || name == "session_id").map(|(_, id)| id)
}

/// The open streams of one server.
pub(crate) struct LegacySessions {
    endpoint: Endpoint,
    open: Streams,
    limits: SessionLimits,
    max_body: usize,
    stop: CancellationToken,
}

impl LegacySessions {
    pub(crate) fn new(endpoint: Endpoint, options: &HttpOptions) -> Self {
        Self {
            endpoint,
            open: Streams::default(),
            limits: options.sessions,
            max_body: options.max_body,
            stop: options.stop.clone(),
        }
    }

    pub(crate) async fn answer(&self, request: Request, principal: &str) -> Response {
        if request.method() == Method::GET {
            self.open_stream(&request.into_parts().0, principal)
        } else {
            self.post(request, principal).await
        }
    }

    /// Keeps where a new stream's messages go. Those beyond the bounds end, the oldest first: without an inbox its server ends, and with
    /// it the stream.
    fn keep(&self, id: &str, inbox: Inbox, principal: &str) {
        let mut open = self.open.lock();
        let opened = OpenInbox { inbox, owner: principal.to_owned(), since: Instant::now() };
        open.insert(id.to_owned(), opened);
        loop {
            let own = open.values().filter(|stream| stream.owner == principal).count();
            if own <= self.limits.of_each && open.len() <= self.limits.in_all {
                return;
            }
            let is_meant = |stream: &OpenInbox| own <= self.limits.of_each || stream.owner == principal;
            let oldest =
                open.iter().filter(|(_, stream)| is_meant(stream)).min_by_key(|(_, stream)| stream.since);
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else { return };
            open.remove(&oldest);
        }
    }

    fn open_stream(&self, opening: &Parts, principal: &str) -> Response {
        let id = uuid::Uuid::new_v4().to_string();
        let (inbox, incoming) = mpsc::channel(BUFFER);
        let (outgoing, outbox) = mpsc::channel::<TxJsonRpcMessage<RoleServer>>(BUFFER);
        self.keep(&id, inbox, principal);
        let open = OpenStream { id: id.clone(), sessions: Arc::clone(&self.open) };

        let endpoint = self.endpoint.for_sender(opening).in_session(format!("sse-{id}"));
        let stop = self.stop.child_token();
        tokio::spawn(async move {
            match Box::pin(endpoint.serve_with_ct((outgoing, incoming), stop)).await {
                Ok(running) => drop(running.waiting().await),
                Err(error) => tracing::debug!(%error, "an HTTP+SSE client left before it was initialised"),
            }
        });

        let address = format!("{}?sessionId={id}", opening.uri.path());
        let first = futures::stream::once(async move { Event::default().event("endpoint").data(address) });
        let messages = outbox.filter_map(move |message| {
            // the stream's end, also by the client's leaving, ends the session
            let _held = &open;
            let event =
                serde_json::to_string(&message).map(|json| Event::default().event("message").data(json));
            async move { event.ok() }
        });
        Sse::new(first.chain(messages).map(Ok::<_, Infallible>))
            .keep_alive(KeepAlive::default())
            .into_response()
    }

    async fn post(&self, request: Request, principal: &str) -> Response {
        let id = session_of(request.uri()).unwrap_or_default().into_owned();
        let inbox = {
            let open = self.open.lock();
            let own = open.get(&id).filter(|stream| stream.owner == principal);
            own.map(|stream| stream.inbox.clone())
        };
        let Some(mut inbox) = inbox else {
            return (StatusCode::NOT_FOUND, "No such session; open the event stream again.").into_response();
        };
        let (parts, body) = request.into_parts();
        let Ok(body) = to_bytes(body, self.max_body).await else {
            return (StatusCode::PAYLOAD_TOO_LARGE, "The message is too large.").into_response();
        };
        let mut message: ClientJsonRpcMessage = match serde_json::from_slice(&body) {
            Ok(message) => message,
            Err(error) => {
                return (StatusCode::BAD_REQUEST, format!("Not a JSON-RPC message: {error}")).into_response();
            }
        };
        // made in the name, and with the rights, of who sent it
        message.insert_extension(parts);
        match inbox.send(message).await {
            Ok(()) => (StatusCode::ACCEPTED, "Accepted").into_response(),
            Err(_) => {
                (StatusCode::NOT_FOUND, "The session has ended; open the event stream again.").into_response()
            }
        }
    }
}

/// Held by the event stream; forgets the session when the stream ends.
struct OpenStream {
    id: String,
    sessions: Streams,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.sessions.lock().remove(&self.id);
    }
}
