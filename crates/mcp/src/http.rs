//! MCP over HTTP: `/mcp` with the usual tools, `/mcp/<server>` with one server's, `/mcp/code` and `/mcp/all`. A query adds to
//! what is listed: `?toolsets=versions,branches`, `?output_schemas=true`.
//!
//! The same address answers streamable HTTP in both its generations (sessions up to 2025-11-25, stateless from
//! 2026-07-28) and, to a GET that shows neither a session nor a protocol version, the older HTTP+SSE. Browsers are let in
//! from origins on this machine and from those configured; requests must name a host that is ours, so that a web page
//! cannot reach the server by pointing its own name here.

use crate::answer::ResultForm;
use crate::door::Door;
use crate::fixtures::Fixtures;
use crate::held::{EndOfStream, holding, is_event_stream};
use crate::profile::Profile;
use crate::server::Endpoint;
use crate::sessions::{Aside, InSession, SESSION_HEADER, SessionLimits, Sessions};
use crate::sse::{self, LegacySessions};
use crate::surface::{Surface, Tools};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use contract::{Fault, FaultCode, PromptSpec, ToolSpec};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use service::{CallContext, HttpCallers, Loopback, Transport};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// The version of the protocol from which on there are no sessions.
const WITHOUT_SESSIONS: &str = "2026-07-28";

/// The time that a session may take to be made anew.
const MAKING: Duration = Duration::from_secs(20);

/// The settings of the HTTP side.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Host names (with or without port) that requests may name, besides this machine's own.
    pub hosts: Vec<String>,
    /// Origins of browser pages that may call, besides those on this machine; such as `https://app.example.org:443`.
    pub origins: Vec<String>,
    /// The largest request, in bytes.
    pub max_body: usize,
    /// How callers are known.
    pub callers: HttpCallers,
    /// The model to work on where a session has none: id or name.
    pub default_model: Option<String>,
    /// Prompts, for every server.
    pub prompts: Arc<[PromptSpec]>,
    /// True if the servers have, beside everything else, what the protocol's conformance suite asks for.
    pub conformance_fixtures: bool,
    /// How many sessions there may be, and how long they are held.
    pub sessions: SessionLimits,
    /// Ends every session when cancelled.
    pub stop: CancellationToken,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            max_body: 16 << 20,
            callers: HttpCallers { user: "local".to_owned(), loopback: Loopback::Open },
            default_model: None,
            prompts: Arc::default(),
            conformance_fixtures: false,
            sessions: SessionLimits::default(),
            stop: CancellationToken::new(),
        }
    }
}

type Streamable = StreamableHttpService<Endpoint, LocalSessionManager>;

/// One server's two transports.
struct Mount {
    endpoint: Endpoint,
    streamable: Streamable,
    manager: Arc<LocalSessionManager>,
    legacy: LegacySessions,
}

struct Mounts {
    door: Arc<dyn Door>,
    by_profile: HashMap<Profile, Mount>,
    sessions: Arc<Sessions>,
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// The routes `/mcp` and `/mcp/{profile}` over the tools of `specs`.
pub fn router(specs: &[Arc<ToolSpec>], door: Arc<dyn Door>, options: &HttpOptions) -> Router {
    let mut mounts = HashMap::new();
    let tools = Arc::new(Tools::new(specs).with_prompts(&options.prompts));
    let fixtures = options.conformance_fixtures.then(|| Arc::new(Fixtures::new()));
    let sessions = Sessions::begin(options.sessions, &options.stop);
    for profile in Profile::all() {
        let surface = Surface::new(&tools, profile);
        if !surface.is_empty() {
            mounts.insert(
                profile,
                mount(endpoint(surface, &door, &sessions, fixtures.as_ref(), options), &sessions, options),
            );
        }
    }
    let own = options.origins.clone();
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin: &HeaderValue, _| {
            origin.to_str().is_ok_and(|origin| own.iter().any(|allowed| allowed == origin))
        }))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            header::CONTENT_TYPE,
            header::ACCEPT,
            header::AUTHORIZATION,
            HeaderName::from_static("x-api-key"),
            HeaderName::from_static("mcp-session-id"),
            HeaderName::from_static("mcp-protocol-version"),
            HeaderName::from_static("mcp-method"),
            HeaderName::from_static("mcp-name"),
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([HeaderName::from_static("mcp-session-id"), header::WWW_AUTHENTICATE]);
    Router::new().route("/mcp", any(usual)).route("/mcp/{profile}", any(named)).layer(cors).with_state(
        Arc::new(Mounts {
            door,
            by_profile: mounts,
            sessions,
            hosts: options.hosts.clone(),
            origins: options.origins.clone(),
        }),
    )
}

fn endpoint(
    surface: Surface,
    door: &Arc<dyn Door>,
    sessions: &Arc<Sessions>,
    fixtures: Option<&Arc<Fixtures>>,
    options: &HttpOptions,
) -> Endpoint {
    let context = CallContext {
        default_model: options.default_model.clone(),
        transport: Transport::Http,
        ..CallContext::default()
    };
    Endpoint::new(Arc::new(surface), Arc::clone(door), context, ResultForm::Both)
        .over_http(Arc::new(options.callers.clone()), Arc::clone(sessions))
        .with_fixtures(fixtures.cloned())
}

fn mount(endpoint: Endpoint, sessions: &Arc<Sessions>, options: &HttpOptions) -> Mount {
    let mut manager = LocalSessionManager::default();
    manager.session_config.keep_alive = Some(options.sessions.kept);
    let manager = Arc::new(manager);
    // host and page are checked before, for both transports alike
    let mut config = StreamableHttpServerConfig::default()
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(options.max_body)
        .with_cancellation_token(options.stop.child_token());
    config.session_store =
        Some(Arc::new(Aside { sessions: Arc::clone(sessions), manager: Arc::clone(&manager) }));
    let served = endpoint.clone();
    Mount {
        streamable: StreamableHttpService::new(
            move || Ok(served.for_new_client()),
            Arc::clone(&manager),
            config,
        ),
        manager,
        legacy: LegacySessions::new(endpoint.clone(), options),
        endpoint,
    }
}

async fn usual(State(mounts): State<Arc<Mounts>>, request: Request) -> Response {
    serve(&mounts, Profile::Usual, request).await
}

async fn named(State(mounts): State<Arc<Mounts>>, Path(name): Path<String>, request: Request) -> Response {
    match Profile::from_name(Some(&name)) {
        Ok(profile) => serve(&mounts, profile, request).await,
        Err(unknown) => (StatusCode::NOT_FOUND, unknown.to_string()).into_response(),
    }
}

async fn serve(mounts: &Mounts, profile: Profile, request: Request) -> Response {
    let Some(mount) = mounts.by_profile.get(&profile) else {
        return (StatusCode::NOT_FOUND, "This server has no tools yet.").into_response();
    };
    let admitted = service::admits_page(request.method(), request.headers(), &mounts.hosts, &mounts.origins);
    if let Err(reason) = admitted {
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    // who is not known is told so by HTTP itself: that is where OAuth clients look for it
    let (parts, body) = request.into_parts();
    let caller = mount.endpoint.caller(&parts);
    let principal = match mounts.door.admits(&caller).await {
        Ok(principal) => principal,
        Err((fault, challenge)) => return refused(&fault, &challenge),
    };
    let request = Request::from_parts(parts, body);
    if begins_session(&request)
        && let Err(fault) = mounts.door.begins_session(&caller).await
    {
        return refused(&fault, "");
    }
    let response = if sse::is_legacy(&request) {
        mount.legacy.answer(request, &principal).await
    } else {
        in_session(mounts, mount, &principal, request).await
    };
    held_while_admitted(response, Arc::clone(&mounts.door), caller)
}

/// True for a request that begins a session, or is none that the protocol knows.
fn begins_session(request: &Request) -> bool {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    if sse::is_legacy(request) {
        return *request.method() == Method::GET;
    }
    *request.method() == Method::POST
        && header(SESSION_HEADER).is_none()
        && header("mcp-protocol-version") != Some(WITHOUT_SESSIONS)
}

/// Answers a request of streamable HTTP; one in a session only to whose session it is.
async fn in_session(mounts: &Mounts, mount: &Mount, principal: &str, request: Request) -> Response {
    let named = request.headers().get(SESSION_HEADER).map(|id| id.to_str().unwrap_or_default().to_owned());
    let Some(id) = named else {
        let response = mount.streamable.handle(request).await.into_response();
        let begun = response.headers().get(SESSION_HEADER).and_then(|id| id.to_str().ok());
        if let Some(id) = begun {
            mounts.sessions.opened(id, &mount.manager, principal);
        }
        return response;
    };
    match mounts.sessions.enter(&id, &mount.manager, principal) {
        Some(inside) => {
            let inside = Arc::new(inside);
            let (parts, body) = request.into_parts();
            // to end a session it need not be ready
            if parts.method != Method::DELETE
                && inside.is_aside()
                && let Err(refused) = made_anew(mount, &inside, ping(&parts)).await
            {
                return *refused;
            }
            let (mut parts, end) = (parts, EndOfStream::default());
            parts.extensions.insert(end.clone());
            let request = Request::from_parts(parts, body);
            holding(end.bounds(mount.streamable.handle(request).await.into_response()), inside)
        }
        None => {
            (StatusCode::NOT_FOUND, "There is no such session; begin one with initialize.").into_response()
        }
    }
}

/// Makes a session anew that was put aside. Goes on where its caller goes away: one that is half made is neither aside nor ready.
async fn made_anew(mount: &Mount, inside: &Arc<InSession>, asked: Request) -> Result<(), Box<Response>> {
    let (server, inside) = (mount.streamable.clone(), Arc::clone(inside));
    let making = async move {
        let Ok(turn) = inside.turn().await else { return Err(Box::new(still_ending())) };
        let Some(_turn) = turn else { return Ok(()) };
        let made = server.handle(asked).await.into_response();
        if !made.status().is_success() {
            return Err(Box::new(made));
        }
        inside.is_back();
        Ok(())
    };
    match tokio::spawn(tokio::time::timeout(MAKING, making)).await {
        Ok(Ok(made)) => made,
        Ok(Err(_)) | Err(_) => Err(Box::new(still_ending())),
    }
}

fn still_ending() -> Response {
    let why = "This session was put aside and is still ending; send the request again in a second.";
    let wait = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
    (StatusCode::SERVICE_UNAVAILABLE, wait, why).into_response()
}

/// A request that asks nothing, in the session and the name of another: it has the session made anew.
fn ping(asked: &Parts) -> Request {
    let mut parts = asked.clone();
    parts.method = Method::POST;
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::TRANSFER_ENCODING);
    for of_the_request in ["mcp-method", "mcp-name", "last-event-id"] {
        parts.headers.remove(of_the_request);
    }
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    parts.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    Request::from_parts(parts, Body::from(r#"{"jsonrpc":"2.0","id":"made anew","method":"ping"}"#))
}

/// A stream of events that ends when its caller is let in no more.
fn held_while_admitted(response: Response, door: Arc<dyn Door>, caller: CallContext) -> Response {
    if !is_event_stream(&response) {
        return response;
    }
    response.map(|body| {
        Body::from_stream(service::while_admitted(body.into_data_stream(), move || {
            let (door, caller) = (Arc::clone(&door), caller.clone());
            async move { door.admits(&caller).await.is_ok() }
        }))
    })
}

/// The answer to somebody who is not known, or known and granted nothing.
fn refused(fault: &Fault, challenge: &str) -> Response {
    let status = match fault.code {
        FaultCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        FaultCode::PermissionDenied => StatusCode::FORBIDDEN,
        FaultCode::LimitReached => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    let mut response = (status, axum::Json(fault.to_json())).into_response();
    if let Some(wait) = fault.data.get("retry_after_ms").and_then(serde_json::Value::as_u64) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.div_ceil(1000)));
    }
    if !challenge.is_empty()
        && let Ok(value) = HeaderValue::from_str(challenge)
    {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}
