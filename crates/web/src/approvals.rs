//! What waits for somebody's yes, for the page that people decide on, and whose tokens are taken, for OAuth clients.

use crate::WebState;
use crate::api::PageQuery;
use crate::caller::Caller;
use crate::reply::Refusal;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use contract::{Action, Fault, FaultCode};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Bytes of a decision with its comment at most.
const DECISION_BYTES: usize = 64 << 10;

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new()
        .route("/api/approvals", get(list))
        .route("/api/approvals/{id}", post(decide).layer(DefaultBodyLimit::max(DECISION_BYTES)))
        .route(service::METADATA, get(metadata))
        .route(&format!("{}/{{*resource}}", service::METADATA), get(metadata))
}

/// The approvals asked for.
#[derive(Debug, Default, Deserialize)]
struct ListQuery {
    /// True for those decided or expired, too.
    #[serde(default)]
    all: bool,
}

async fn list(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Query(page): Query<PageQuery>,
    Query(which): Query<ListQuery>,
) -> Result<Json<Value>, Refusal> {
    let found = shared
        .service
        .perform(&context, "list_approvals", Action::Query, json!({}), |platform| {
            Box::pin(async move { platform.approvals(!which.all, page.limit(), page.cursor()).await })
        })
        .await?;
    Ok(Json(json!({ "approvals": found.items, "next_cursor": found.next_cursor })))
}

/// Somebody's decision.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Decision {
    decision: String,
    comment: Option<String>,
}

async fn decide(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(id): Path<String>,
    Json(decision): Json<Decision>,
) -> Result<Json<Value>, Refusal> {
    let approve = match decision.decision.as_str() {
        "approve" => true,
        "reject" => false,
        _ => {
            let fault = Fault::invalid("decision", "`decision` has to be approve or reject.");
            return Err(Refusal(fault.with("allowed", ["approve", "reject"])));
        }
    };
    let arguments = json!({ "approval_id": id, "decision": decision.decision });
    let (approval, committed) = shared
        .service
        .perform(&context, "decide_approval", Action::Approve, arguments, |platform| {
            Box::pin(async move { platform.decide_approval(&id, approve, decision.comment.as_deref()).await })
        })
        .await?;
    Ok(Json(json!({ "approval": approval, "committed": committed })))
}

/// Protected resource metadata (RFC 9728).
async fn metadata(State(shared): State<Arc<WebState>>) -> Result<Json<Value>, Refusal> {
    let config = shared.service.config();
    let Some(issuer) = &config.policy.issuer else {
        return Err(Refusal(Fault::new(FaultCode::NotFound, "No tokens are taken here, only keys.")));
    };
    let scopes: Vec<&String> = issuer.scopes.keys().collect();
    Ok(Json(json!({
        "resource": format!("{}/mcp", config.public_url),
        "authorization_servers": [issuer.issuer],
        "bearer_methods_supported": ["header"],
        "scopes_supported": scopes,
        "resource_name": "Pensaer",
    })))
}
