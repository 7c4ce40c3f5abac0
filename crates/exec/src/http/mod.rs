//! The addresses of an Execution Service: `/query`, `/create` and `/modify` take a `contract::Request` and answer an `Artifact`, or a
//! `Fault` under a 4xx or 5xx status; `/info` says which operations are resolved here, `/healthz` that someone
//! listens, `/metrics` what was counted, `/progress/{operation_id}` how far one is, `/openapi.json` all this for programs.
//!
//! A request is checked against the contract by its strict types: unknown, missing and mistyped members are refused with
//! the path of the member. That is the published JSON Schema's own definition (it is generated from these types, and a
//! test holds the two together), in the pass that has to be made anyhow: 4 µs for a call of usual size, where the schema
//! validator would add 5 and find nothing more.

use crate::host::{Host, HostConfig, wrong_effect};
use crate::status::{respond, status_of};
use crate::transport::Connected;
use crate::{Executor, metrics, sandbox, transport};
use axum::body::Bytes;
use axum::extract::connect_info::ConnectInfo;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path as UrlPath, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use contract::{Adapter, BoxFuture, Effect, Fault, FaultCode, OperationId, Request};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The settings of a host: where it listens, and how much it may use.
#[derive(Debug, Clone)]
pub struct ServeConfig {
    /// The Unix socket.
    pub socket: PathBuf,
    /// Bytes of a request, deltas included.
    pub body_bytes: usize,
    /// The limits of operations.
    pub host: HostConfig,
}

impl ServeConfig {
    /// The usual limits at this socket.
    pub fn at(socket: impl Into<PathBuf>) -> Self {
        Self { socket: socket.into(), body_bytes: 64 << 20, host: HostConfig::default() }
    }
}

/// Serves these adapters until the process ends. In a worker started by a pool, that is when the pool's process ends.
pub async fn serve(adapters: Vec<Arc<dyn Adapter>>, config: ServeConfig) -> io::Result<()> {
    sandbox::die_with_parent()?;
    let listener = listen(&config.socket)?;
    serve_at(listener, adapters, config).await
}

/// Binds a worker's socket, so that it may serve there after it has given up the right to.
pub fn listen(socket: &Path) -> io::Result<transport::Listener> {
    transport::bind(socket)
}

/// As [`serve`], on a socket bound before, in a process that is confined already or never.
pub fn serve_at(
    listener: transport::Listener,
    adapters: Vec<Arc<dyn Adapter>>,
    config: ServeConfig,
) -> BoxFuture<'static, io::Result<()>> {
    // boxed, so that the server is compiled here and not where it is awaited
    Box::pin(async move {
        sandbox::watch_parent()?;
        let host = Host::new(adapters, config.host);
        tracing::info!(socket = %config.socket.display(), "execution service listens");
        let service =
            router(Arc::new(host), config.body_bytes).into_make_service_with_connect_info::<Connected>();
        axum::serve(transport::accept_on(listener)?, service).await
    })
}

/// The addresses as an axum router over whatever runs operations, for a transport of one's own.
pub fn router(executor: Arc<dyn Executor>, body_bytes: usize) -> Router {
    type Runs = State<Arc<dyn Executor>>;
    // known on a worker's own socket
    type From = Option<Extension<ConnectInfo<Connected>>>;
    Router::new()
        .route("/query", post(|State(runs): Runs, from: From, body| run(runs, Effect::Query, from, body)))
        .route("/create", post(|State(runs): Runs, from: From, body| run(runs, Effect::Create, from, body)))
        .route("/modify", post(|State(runs): Runs, from: From, body| run(runs, Effect::Modify, from, body)))
        .route("/info", get(info))
        .route("/healthz", get(|State(runs): Runs| async move { Json(runs.health()) }))
        .route("/metrics", get(figures))
        .route("/progress/{operation_id}", get(progress))
        .route("/openapi.json", get(|| async { Json(contract::openapi_document()) }))
        .method_not_allowed_fallback(nowhere)
        .fallback(nowhere)
        .layer(DefaultBodyLimit::max(body_bytes))
        .with_state(executor)
}

async fn info(State(executor): State<Arc<dyn Executor>>) -> Response {
    match executor.info().await {
        Ok(info) => Json(info).into_response(),
        Err(fault) => respond(&fault),
    }
}

async fn progress(State(executor): State<Arc<dyn Executor>>, UrlPath(id): UrlPath<OperationId>) -> Response {
    match executor.progress(&id).await {
        Some(progress) => Json(progress).into_response(),
        None => respond(
            &Fault::new(
                FaultCode::NotFound,
                format!("No operation {id} runs here, or it does not tell how far it is."),
            )
            .with("operation_id", &id),
        ),
    }
}

async fn nowhere(method: axum::http::Method, uri: axum::http::Uri) -> Response {
    respond(
        &Fault::new(
            FaultCode::NotFound,
            format!(
                "There is no {method} {}. The addresses are POST /query, /create, /modify and GET /info, /healthz, /metrics, \
                 /progress/OPERATION_ID, /openapi.json.",
                uri.path()
            ),
        )
        .with("path", uri.path()),
    )
}

async fn run(
    executor: Arc<dyn Executor>,
    endpoint: Effect,
    from: Option<Extension<ConnectInfo<Connected>>>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let caller = from.and_then(|Extension(ConnectInfo(Connected(caller)))| caller);
    let received = body.as_ref().map_or(0, Bytes::len);
    let answer = match read(endpoint, body) {
        Err(fault) => Err(fault),
        Ok(request) => match &caller {
            Some(caller) => executor.run_for(request, caller).await,
            None => executor.run(request).await,
        },
    };
    let (status, encoded) = match &answer {
        Ok(artifact) => (StatusCode::OK, serde_json::to_vec(artifact)),
        Err(fault) => (status_of(fault.code), serde_json::to_vec(fault)),
    };
    let Ok(encoded) = encoded else {
        return respond(&Fault::backend("The answer cannot be written as JSON. Nothing was committed."));
    };
    if let Some(metrics) = executor.metrics() {
        metrics.carried(received, encoded.len());
    }
    (status, [(header::CONTENT_TYPE, "application/json")], encoded).into_response()
}

/// Answers with the counters as text.
async fn figures(State(executor): State<Arc<dyn Executor>>) -> Response {
    match metrics::text_of(executor.as_ref()) {
        Some(text) => ([(header::CONTENT_TYPE, metrics::MEDIA_TYPE)], text).into_response(),
        None => respond(&Fault::new(FaultCode::NotFound, "Nothing is counted here.")),
    }
}

fn read(endpoint: Effect, body: Result<Bytes, BytesRejection>) -> Result<Request, Fault> {
    let body = body.map_err(|rejection| {
        Fault::new(
            FaultCode::LimitReached,
            format!(
                "The request's body cannot be taken: {}. Send large deltas as paths.",
                rejection.body_text()
            ),
        )
        .with("limit", "body_bytes")
    })?;
    let request = read_request(&body)?;
    if request.operation.effect != endpoint {
        return Err(wrong_effect(&request.operation.name, endpoint, request.operation.effect));
    }
    Ok(request)
}

/// A request from JSON, or the member that is wrong.
pub(crate) fn read_request(body: &[u8]) -> Result<Request, Fault> {
    let mut json = serde_json::Deserializer::from_slice(body);
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        Fault::invalid(&path, format!("The request does not fit the contract at {path}: {}.", error.inner()))
    })
}
