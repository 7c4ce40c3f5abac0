//! What a browser and a shell reach over HTTP: the bucket (models as files), the API that the viewer uses, and the viewer.
//!
//! Every request passes the service's pipeline like a tool call. Pages of other origins are turned away, because the
//! server of one's own machine answers without a key.

mod api;
mod approvals;
mod bucket;
mod caller;
mod events;
mod file;
mod guard;
mod links;
mod media;
mod objects;
mod openapi;
mod paced;
mod reply;
mod sights;
mod tools;
mod viewer;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Response, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use axum::{Json, Router};
use contract::{Fault, FaultCode};
use serde_json::json;
use service::{HttpCallers, Service};
use std::sync::Arc;

pub use links::Links;
pub use openapi::document as openapi_document;
pub use viewer::has_viewer;

/// The settings of the web side.
#[derive(Debug, Clone)]
pub struct Options {
    /// Host names (with or without port) that requests may name, besides this machine's own.
    pub hosts: Vec<String>,
    /// Origins of browser pages that may call, besides this server's own; such as `https://app.example.org`.
    pub origins: Vec<String>,
    /// How callers are known.
    pub callers: HttpCallers,
    /// The counters, as text in the form of OpenMetrics, and its media type.
    pub figures: Option<Figures>,
    /// Links to files of the bucket for programs without an account here, if they are given any.
    pub links: Option<Arc<Links>>,
}

/// Says what is counted.
#[derive(Clone)]
pub struct Figures {
    /// The media type.
    pub media_type: &'static str,
    /// Makes the text.
    pub text: Arc<dyn Fn() -> String + Send + Sync>,
}

impl std::fmt::Debug for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Figures")
    }
}

/// The state that every handler shares.
struct WebState {
    service: Service,
    options: Options,
}

/// All of it, as routes.
pub fn router(service: Service, options: &Options) -> Router {
    let shared = Arc::new(WebState { service, options: options.clone() });
    let guarded = Router::new()
        .route("/", get(|| async { Redirect::temporary("/viewer") }))
        .route("/metrics", get(figures))
        .merge(bucket::routes())
        .merge(objects::routes())
        .merge(links::routes())
        .merge(approvals::routes())
        .merge(api::routes())
        .merge(sights::routes())
        .merge(viewer::routes())
        .merge(tools::routes())
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(Arc::clone(&shared));
    // for those who watch over the process: says nothing of models, so anybody may ask
    guarded.merge(Router::new().route("/healthz", get(health)).with_state(shared))
}

/// Answers if calls are served: 503 where the audit log cannot be written, for then none is.
async fn health(State(shared): State<Arc<WebState>>) -> Response<Body> {
    if shared.service.trouble().is_none() {
        return Json(json!({ "status": "ok" })).into_response();
    }
    let body = json!({ "status": "stopped", "why": "the audit log cannot be written" });
    (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response()
}

/// Answers with the counters: no names of models or people.
async fn figures(State(shared): State<Arc<WebState>>) -> Response<Body> {
    match &shared.options.figures {
        Some(figures) => ([(header::CONTENT_TYPE, figures.media_type)], (figures.text)()).into_response(),
        None => reply::refuse(&Fault::new(FaultCode::NotFound, "Nothing is counted here.")),
    }
}
