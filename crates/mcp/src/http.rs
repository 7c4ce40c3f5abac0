//! MCP over HTTP: `/mcp` with the usual tools, `/mcp/<server>` with one server's, `/mcp/code` and `/mcp/all`. A query adds to
//! what is listed: `?toolsets=versions,branches`, `?output_schemas=true`.
//!
//! The same address answers streamable HTTP in both its generations (sessions up to 2025-11-25, stateless from
//! 2026-07-28) and, to a GET that shows neither a session nor a protocol version, the older HTTP+SSE. Browsers are let in
//! from origins on this machine and from those configured; requests must name a host that is ours, so that a web page
//! cannot reach the server by pointing its own name here.

use crate::answer::ResultForm;
use crate::door::Door;
use crate::profile::Profile;
use crate::server::Endpoint;
use crate::sse::{self, LegacySessions};
use crate::surface::{Surface, Tools};
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use contract::{Fault, FaultCode, ToolSpec};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use service::{CallContext, Transport};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// The time that a session may be silent before it is forgotten; an agent may well wait for a person.
const SESSION_KEEP_ALIVE: Duration = Duration::from_hours(12);

/// The settings of the HTTP side.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Host names (with or without port) that requests may name, besides this machine's own.
    pub hosts: Vec<String>,
    /// Origins of browser pages that may call, besides those on this machine; such as `https://app.example.org:443`.
    pub origins: Vec<String>,
    /// The largest request, in bytes.
    pub max_body: usize,
    /// The user whom callers on this machine act for.
    pub user: String,
    /// The model to work on where a session has none: id or name.
    pub default_model: Option<String>,
    /// Ends every session when cancelled.
    pub stop: CancellationToken,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            max_body: 16 << 20,
            user: "local".to_owned(),
            default_model: None,
            stop: CancellationToken::new(),
        }
    }
}

type Streamable = StreamableHttpService<Endpoint, LocalSessionManager>;

/// One server's two transports.
struct Mount {
    endpoint: Endpoint,
    streamable: Streamable,
    legacy: LegacySessions,
}

struct Mounts {
    door: Arc<dyn Door>,
    by_profile: HashMap<Profile, Mount>,
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// The routes `/mcp` and `/mcp/{profile}` over the tools of `specs`.
pub fn router(specs: &[Arc<ToolSpec>], door: Arc<dyn Door>, options: &HttpOptions) -> Router {
    let mut mounts = HashMap::new();
    let tools = Arc::new(Tools::new(specs));
    for profile in Profile::all() {
        let surface = Surface::new(&tools, profile);
        if !surface.is_empty() {
            mounts.insert(profile, mount(Arc::new(surface), Arc::clone(&door), options));
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
            hosts: options.hosts.clone(),
            origins: options.origins.clone(),
        }),
    )
}

fn mount(surface: Arc<Surface>, door: Arc<dyn Door>, options: &HttpOptions) -> Mount {
    let context = CallContext {
        default_model: options.default_model.clone(),
        ..CallContext::local(&options.user, Transport::Http)
    };
    let endpoint = Endpoint::new(surface, door, context, ResultForm::Both);
    // host and page are checked before, for both transports alike
    let config = StreamableHttpServerConfig::default()
        .with_json_response(true)
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(options.max_body)
        .with_cancellation_token(options.stop.child_token());
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SESSION_KEEP_ALIVE);
    let served = endpoint.clone();
    Mount {
        streamable: StreamableHttpService::new(
            move || Ok(served.for_new_client()),
            Arc::new(sessions),
            config,
        ),
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
    if let Err((fault, challenge)) = mounts.door.admits(&mount.endpoint.caller(&parts)).await {
        return refused(&fault, &challenge);
    }
    let request = Request::from_parts(parts, body);
    if sse::is_legacy(&request) {
        return mount.legacy.answer(request).await;
    }
    mount.streamable.handle(request).await.into_response()
}

/// The answer to somebody who is not known, or known and granted nothing.
fn refused(fault: &Fault, challenge: &str) -> Response {
    let status = match fault.code {
        FaultCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        FaultCode::PermissionDenied => StatusCode::FORBIDDEN,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    let mut response = (status, axum::Json(fault.to_json())).into_response();
    if let Ok(value) = HeaderValue::from_str(challenge) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}
