//! Models as files: a list of them, any version for download, a file to begin a model or to go on with one.

use crate::Shared;
use crate::api::{HEAD, PageQuery, named};
use crate::caller::Caller;
use crate::file::{Keep, Sent, send};
use crate::reply::{Refusal, refuse};
use axum::body::Body;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{FromRequest, Multipart, Path, Query, Request, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use bytes::Bytes;
use contract::{Effect, Fault, FaultCode, ModelKind};
use futures::{Stream, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use service::CallContext;
use std::sync::Arc;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;

const IFC: &str = "application/x-step";

pub(crate) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/bucket", get(list).post(upload))
        .route("/bucket/{model}", get(versions).put(upload_version).post(upload_version))
        .route("/bucket/{model}/{version}", get(download))
}

async fn list(
    State(shared): State<Arc<Shared>>,
    Caller(context): Caller,
    Query(page): Query<PageQuery>,
) -> Result<Json<Value>, Refusal> {
    let found = shared
        .service
        .perform(&context, "list_models", Effect::Query, json!({}), |platform| {
            Box::pin(async move {
                let found = platform.models(page.limit(), page.cursor()).await?;
                let models: Vec<Value> = found
                    .items
                    .iter()
                    .map(|model| {
                        let mut row = json!(model);
                        row["versions"] = format!("/bucket/{}", model.model_id).into();
                        row["href"] = format!("/bucket/{}/{HEAD}", model.model_id).into();
                        row
                    })
                    .collect();
                Ok(with_cursor(json!({ "models": models }), found.next_cursor))
            })
        })
        .await?;
    Ok(Json(found))
}

async fn versions(
    State(shared): State<Arc<Shared>>,
    Caller(context): Caller,
    Path(model): Path<String>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Value>, Refusal> {
    let found = shared
        .service
        .perform(&context, "list_versions", Effect::Query, json!({ "model_id": model }), |platform| {
            Box::pin(async move {
                let model = platform.current_model().await?;
                let found = platform.versions(&model.model_id, page.limit(), page.cursor()).await?;
                let versions: Vec<Value> = found
                    .items
                    .iter()
                    .map(|version| {
                        let mut row = json!(version);
                        row["href"] = format!("/bucket/{}/{}", model.model_id, version.version).into();
                        row
                    })
                    .collect();
                Ok(with_cursor(json!({ "model": model, "versions": versions }), found.next_cursor))
            })
        })
        .await?;
    Ok(Json(found))
}

fn with_cursor(mut answer: Value, cursor: Option<String>) -> Value {
    if let Some(cursor) = cursor {
        answer["next_cursor"] = cursor.into();
    }
    answer
}

async fn download(
    State(shared): State<Arc<Shared>>,
    Caller(context): Caller,
    headers: HeaderMap,
    Path((model, version)): Path<(String, String)>,
) -> Response<Body> {
    let made = shared
        .service
        .perform(&context, "download", Effect::Query, named(&model, &version), |platform| {
            Box::pin(async move {
                let model = platform.current_model().await?;
                let version = platform.current_version().await?;
                let (path, sha256) = platform.materialise(&model.model_id, &version).await?;
                Ok((model, version, path, sha256))
            })
        })
        .await;
    match made {
        Ok((model, found, path, sha256)) => {
            let keep = if version == found.as_str() { Keep::Forever } else { Keep::Check };
            let name = if model.name.to_ascii_lowercase().ends_with(".ifc") {
                model.name
            } else {
                format!("{}.ifc", model.name)
            };
            let sent = Sent { media_type: IFC, tag: &sha256, keep, save_as: Some(&name) };
            let mut response = send(&path, &sent, &headers).await;
            if let Ok(value) = found.0.parse() {
                response.headers_mut().insert("pensaer-version", value);
            }
            response
        }
        Err(fault) => refuse(&fault),
    }
}

/// What an upload says beside its bytes.
#[derive(Debug, Default, Deserialize)]
struct UploadQuery {
    /// The file's name; the model is called after it.
    name: Option<String>,
}

async fn upload(
    State(shared): State<Arc<Shared>>,
    Caller(context): Caller,
    Query(query): Query<UploadQuery>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    take_in(&shared, &context, query, None, request).await
}

async fn upload_version(
    State(shared): State<Arc<Shared>>,
    Caller(context): Caller,
    Path(model): Path<String>,
    Query(query): Query<UploadQuery>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    take_in(&shared, &context, query, Some(model), request).await
}

async fn take_in(
    shared: &Shared,
    context: &CallContext,
    query: UploadQuery,
    into: Option<String>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    let (file, sent_name) = receive(shared, request).await?;
    let name = query.name.or(sent_name).unwrap_or_else(|| "Upload.ifc".to_owned());
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, "ifc"));
    if !extension.eq_ignore_ascii_case("ifc") {
        let message = format!("Files of the kind .{extension} cannot be taken in yet. Upload an .ifc file.");
        return Err(Fault::new(FaultCode::NotSupported, message).into());
    }
    let stem = if stem.is_empty() { "Upload".to_owned() } else { stem.to_owned() };
    let mut arguments = json!({ "name": stem });
    if let Some(model) = &into {
        arguments["model_id"] = model.as_str().into();
    }
    let effect = if into.is_some() { Effect::Modify } else { Effect::Create };
    let path = file.path().to_owned();
    let (committed, artifact) = shared
        .service
        .perform(context, "upload", effect, arguments, |platform| {
            Box::pin(async move {
                let into = match into {
                    Some(_) => Some(platform.current_model().await?.model_id),
                    None => None,
                };
                platform.import(&path, &stem, ModelKind::Ifc, into.as_ref()).await
            })
        })
        .await?;
    let mut answer = json!(committed);
    answer["href"] = format!("/bucket/{}/{}", committed.model_id, committed.version).into();
    if !artifact.result.is_null() {
        answer["summary"] = artifact.result;
    }
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// Writes what is sent to a file, as it comes: a form with one file, or the bytes alone.
async fn receive(shared: &Shared, request: Request) -> Result<(NamedTempFile, Option<String>), Fault> {
    let is_form = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("multipart/form-data"));
    if !is_form {
        let body = request.into_body().into_data_stream().map_err(|error| error.to_string());
        return Ok((write(shared, body).await?, None));
    }
    let broken = |error: String| Fault::invalid("file", format!("The form cannot be read: {error}."));
    let mut form =
        Multipart::from_request(request, &()).await.map_err(|e: MultipartRejection| broken(e.body_text()))?;
    while let Some(field) = form.next_field().await.map_err(|error| broken(error.body_text()))? {
        if let Some(name) = field.file_name().map(str::to_owned) {
            let body = field.map_err(|error| error.body_text());
            return Ok((write(shared, body).await?, Some(name)));
        }
    }
    Err(Fault::invalid("file", "The form holds no file. Send one, as `curl -F file=@House.ifc` does."))
}

async fn write(
    shared: &Shared,
    body: impl Stream<Item = Result<Bytes, String>>,
) -> Result<NamedTempFile, Fault> {
    let storage = |error: std::io::Error| {
        tracing::error!(%error, "an upload cannot be written");
        Fault::new(FaultCode::StorageFailed, "The upload could not be written. Is there room on the disk?")
    };
    let folder = shared.options.scratch.clone();
    let limit = shared.options.upload_bytes;
    let kept = tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&folder)?;
        tempfile::Builder::new().prefix("upload-").suffix(".ifc").tempfile_in(&folder)
    })
    .await
    .map_err(|error| Fault::backend(error.to_string()))?
    .map_err(storage)?;
    let mut file = tokio::fs::File::from_std(kept.reopen().map_err(storage)?);
    let mut body = std::pin::pin!(body);
    let mut length: u64 = 0;
    while let Some(chunk) = body.next().await {
        let chunk =
            chunk.map_err(|error| Fault::invalid("body", format!("The upload broke off: {error}.")))?;
        length += chunk.len() as u64;
        if length > limit {
            let message = format!("The file is larger than {} MB, the limit of this server.", limit >> 20);
            return Err(Fault::new(FaultCode::LimitReached, message).with("limit_bytes", limit));
        }
        file.write_all(&chunk).await.map_err(storage)?;
    }
    if length == 0 {
        return Err(Fault::invalid(
            "body",
            "Nothing was sent. Send the file as the request's body or in a form.",
        ));
    }
    file.flush().await.map_err(storage)?;
    Ok(kept)
}
