//! What a page of the viewer shows and what is selected there, told as it changes, for the agent beside the person.

use crate::WebState;
use crate::caller::Caller;
use crate::reply::Refusal;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::routing::put;
use axum::{Json, Router};
use contract::{Fault, Sight};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Bytes of what a page tells at most: ten thousand ids and a hundred marks.
const SIGHT_BYTES: usize = 1 << 20;

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new()
        .route("/api/viewers/{viewer}", put(keep).delete(forget).layer(DefaultBodyLimit::max(SIGHT_BYTES)))
}

/// A sight with the model and version that it is of.
#[derive(Debug, Deserialize)]
struct Shown {
    model_id: String,
    model_version: String,
    sight: Sight,
}

async fn keep(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(viewer): Path<String>,
    Json(shown): Json<Value>,
) -> Result<StatusCode, Refusal> {
    // read here, so that what is wrong is answered as a Fault
    let shown: Shown =
        serde_json::from_value(shown).map_err(|error| Fault::invalid("sight", format!("{error}.")))?;
    let of = (shown.model_id.as_str(), shown.model_version.as_str());
    shared.service.keep_sight(&context, &viewer, of, shown.sight).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn forget(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(viewer): Path<String>,
) -> Result<StatusCode, Refusal> {
    shared.service.forget_sight(&context, &viewer).await?;
    Ok(StatusCode::NO_CONTENT)
}
