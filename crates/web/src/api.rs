//! What the viewer asks: models, versions, the tree, one element, and tiles. Tiles are named by their content, so that a
//! browser keeps them across versions.

use crate::WebState;
use crate::caller::Caller;
use crate::events::events;
use crate::file::{CachePolicy, FileResponse, finish, is_known, send};
use crate::openapi;
use crate::reply::{Refusal, refuse};
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::routing::get;
use axum::{Json, Router};
use contract::ops::{Outline, PlatformOperation, Tile, Tileset};
use contract::{Action, Effect, Fault, FaultCode, ModelRecord, Operation, Page, Platform, VersionRecord};
use serde::Deserialize;
use serde_json::{Value, json};
use service::CallContext;
use std::sync::Arc;

/// A version in an address; means the current one.
pub(crate) const HEAD: &str = "head";
const GLB: &str = "model/gltf-binary";

/// The page of a list that is asked for.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct PageQuery {
    limit: Option<u32>,
    cursor: Option<String>,
}

impl PageQuery {
    pub(crate) fn limit(&self) -> u32 {
        self.limit.unwrap_or(50).clamp(1, 500)
    }

    pub(crate) fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }
}

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new()
        .route("/api/openapi.json", get(|| async { Json(openapi::document()) }))
        .route("/api/events", get(events))
        .route("/api/models", get(models))
        .route("/api/models/{model}/versions", get(versions))
        .route("/api/models/{model}/versions/{version}/tileset.json", get(tileset))
        .route("/api/models/{model}/versions/{version}/tiles/{tile}", get(tile))
        .route("/api/models/{model}/versions/{version}/tree", get(tree))
        .route("/api/models/{model}/versions/{version}/elements/{element}", get(element))
        .route("/api/{*rest}", get(nowhere))
}

async fn nowhere() -> Refusal {
    Refusal(Fault::new(FaultCode::NotFound, "There is nothing at this address. See /api/openapi.json."))
}

async fn models(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Query(page): Query<PageQuery>,
) -> Result<Json<Value>, Refusal> {
    Ok(Json(json!(list_models(&shared, &context, page).await?)))
}

async fn versions(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(model): Path<String>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Value>, Refusal> {
    let (model, versions) = list_versions(&shared, &context, &model, page).await?;
    let mut answer = json!(versions);
    answer["model"] = json!(model);
    Ok(Json(answer))
}

/// A page of the models that the caller may see.
pub(crate) async fn list_models(
    shared: &WebState,
    context: &CallContext,
    page: PageQuery,
) -> Result<Page<ModelRecord>, Fault> {
    shared
        .service
        .perform(context, "list_models", Action::Query, json!({}), |platform| {
            Box::pin(async move { platform.models(page.limit(), page.cursor()).await })
        })
        .await
}

/// A model and a page of its versions.
pub(crate) async fn list_versions(
    shared: &WebState,
    context: &CallContext,
    model: &str,
    page: PageQuery,
) -> Result<(ModelRecord, Page<VersionRecord>), Fault> {
    shared
        .service
        .perform(context, "list_versions", Action::Query, json!({ "model_id": model }), |platform| {
            Box::pin(async move {
                let model = platform.current_model().await?;
                let versions = platform.versions(&model.model_id, page.limit(), page.cursor()).await?;
                Ok((model, versions))
            })
        })
        .await
}

/// The arguments that name a model and one of its versions.
pub(crate) fn named(model: &str, version: &str) -> Value {
    let mut arguments = json!({ "model_id": model });
    if version != HEAD {
        arguments["model_version"] = version.into();
    }
    arguments
}

/// A query's answer as JSON, made once for each version. A version never changes, so a browser keeps its answer; the
/// head's is asked for again.
async fn answer(
    shared: &WebState,
    Caller(context): Caller,
    headers: &HeaderMap,
    (model, version): (&str, &str),
    operation: Operation,
) -> Response<Body> {
    let name = operation.name.clone();
    let made = shared
        .service
        .perform(&context, &name, Action::Query, named(model, version), move |platform: &dyn Platform| {
            Box::pin(async move {
                let version = platform.current_version().await?;
                let key = operation.key_on(&version);
                Ok((version.0, platform.derived_value(&key, operation).await?))
            })
        })
        .await;
    match made {
        Ok((found, value)) => {
            let keep = if version == found { CachePolicy::Immutable } else { CachePolicy::Revalidate };
            let reply = Response::builder()
                .header(header::ETAG, format!("\"{found}\""))
                .header(header::CACHE_CONTROL, keep.header());
            if is_known(headers, &found) {
                return finish(reply.status(StatusCode::NOT_MODIFIED), Body::empty());
            }
            let reply = reply.header(header::CONTENT_TYPE, "application/json");
            finish(reply.header("pensaer-version", found), Body::from(value.to_string()))
        }
        Err(fault) => refuse(&fault),
    }
}

async fn tileset(
    State(shared): State<Arc<WebState>>,
    caller: Caller,
    headers: HeaderMap,
    Path((model, version)): Path<(String, String)>,
) -> Response<Body> {
    answer(&shared, caller, &headers, (&model, &version), Tileset {}.operation()).await
}

async fn tree(
    State(shared): State<Arc<WebState>>,
    caller: Caller,
    headers: HeaderMap,
    Path((model, version)): Path<(String, String)>,
) -> Response<Body> {
    answer(&shared, caller, &headers, (&model, &version), Outline {}.operation()).await
}

async fn element(
    State(shared): State<Arc<WebState>>,
    caller: Caller,
    headers: HeaderMap,
    Path((model, version, element)): Path<(String, String, String)>,
) -> Response<Body> {
    let params = json!({ "element_id": element });
    let operation = Operation { effect: Effect::Query, name: "get_element".to_owned(), params };
    answer(&shared, caller, &headers, (&model, &version), operation).await
}

async fn tile(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    headers: HeaderMap,
    Path((model, version, tile)): Path<(String, String, String)>,
) -> Response<Body> {
    let Some(key) =
        tile.strip_suffix(".glb").filter(|key| key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'))
    else {
        return refuse(&Fault::new(
            FaultCode::NotFound,
            "Tiles are named <key>.glb; tileset.json lists the keys.",
        ));
    };
    if is_known(&headers, key) {
        let reply =
            Response::builder().status(StatusCode::NOT_MODIFIED).header(header::ETAG, format!("\"{key}\""));
        return finish(reply.header(header::CACHE_CONTROL, CachePolicy::Immutable.header()), Body::empty());
    }
    let operation = Tile { key: key.to_owned() }.operation();
    let key_of_tile = key.to_owned();
    let made = shared
        .service
        .perform(&context, Tile::NAME, Action::Query, named(&model, &version), |platform| {
            Box::pin(async move {
                // a key names the content: of all versions of a model the first that is asked for it makes it. Another model has to have it,
                // too, before it is given out through that
                let model = platform.current_model().await?.model_id;
                platform.derived_file(&format!("tile/{model}/{key_of_tile}"), operation).await
            })
        })
        .await;
    match made {
        Ok(file) => {
            let sent =
                FileResponse { media_type: GLB, tag: key, keep: CachePolicy::Immutable, save_as: None };
            send(&file.path, &sent, &headers).await
        }
        Err(fault) => refuse(&fault),
    }
}
