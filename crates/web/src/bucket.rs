//! Models as files: a list of them, any version for download, a file to begin a model or to go on with one.

use crate::WebState;
use crate::api::{self, HEAD, PageQuery, named};
use crate::caller::Caller;
use crate::file::{CachePolicy, FileResponse, send};
use crate::paced::Paced;
use crate::reply::{Refusal, refuse};
use axum::body::Body;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{FromRequest, Multipart, Path, Query, Request, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use bytes::Bytes;
use contract::ops::{Convert, Export, PlatformOperation};
use contract::{Action, Fault, ImportSource, ModelImport, ModelKind};
use futures::{Stream, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use service::{CallContext, Incoming};
use std::sync::Arc;

const IFC: &str = "application/x-step";

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new()
        .route("/bucket", get(list).post(upload))
        .route("/bucket/{model}", get(versions).put(upload_version).post(upload_version))
        .route("/bucket/{model}/{version}", get(download))
        .route("/bucket/files", post(upload_file))
        .route("/bucket/files/{operation}/{name}", get(kept_file))
        .route("/bucket/links/{secret}", get(linked_file).put(receive_linked).post(receive_linked))
}

async fn list(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Query(page): Query<PageQuery>,
) -> Result<Json<Value>, Refusal> {
    let found = api::list_models(&shared, &context, page).await?;
    let rows = found.items.iter().map(|model| {
        let mut row = json!(model);
        row["versions"] = format!("/bucket/{}", model.model_id).into();
        row["href"] = format!("/bucket/{}/{HEAD}", model.model_id).into();
        row
    });
    let models: Vec<Value> = rows.collect();
    Ok(Json(with_cursor(json!({ "models": models }), found.next_cursor)))
}

async fn versions(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(model): Path<String>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Value>, Refusal> {
    let (model, found) = api::list_versions(&shared, &context, &model, page).await?;
    let rows = found.items.iter().map(|version| {
        let mut row = json!(version);
        row["href"] = format!("/bucket/{}/{}", model.model_id, version.version).into();
        row
    });
    let versions: Vec<Value> = rows.collect();
    Ok(Json(with_cursor(json!({ "model": model, "versions": versions }), found.next_cursor)))
}

fn with_cursor(mut answer: Value, cursor: Option<String>) -> Value {
    if let Some(cursor) = cursor {
        answer["next_cursor"] = cursor.into();
    }
    answer
}

/// The form of a version that is asked for.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormQuery {
    /// Another schema version than the model's own.
    schema: Option<String>,
    /// A format for other programs, as of export_ifc.
    format: Option<String>,
    /// The view definition that it is cut to.
    mvd: Option<String>,
    /// The elements that it is cut to.
    selector: Option<String>,
    /// `storey` or `discipline`: a file for each.
    split: Option<String>,
    /// Further models that are joined to it, by ids and versions with `@` between, and commas.
    with: Option<String>,
    /// The spatial elements of those that count as one with those of the first, as of `export_ifc`.
    joining: Option<String>,
}

impl FormQuery {
    /// The export that is asked for; none of a model as it is, or only in another schema version.
    fn export(&self, name: &str) -> Option<Export> {
        let asked = [&self.format, &self.mvd, &self.selector, &self.split, &self.with];
        asked.iter().any(|one| one.is_some()).then(|| Export {
            format: self.format.clone().unwrap_or_else(|| "ifc".to_owned()),
            schema_version: self.schema.clone(),
            mvd: self.mvd.clone(),
            selector: self.selector.clone(),
            split: self.split.clone(),
            name: name.to_owned(),
            joining: self.joining.clone(),
        })
    }

    /// The further models.
    fn further(&self) -> Vec<String> {
        let named = self.with.iter().flat_map(|with| with.split(',')).map(str::trim);
        named.filter(|named| !named.is_empty()).map(str::to_owned).collect()
    }
}

/// The name of a model without the ending of its kind.
fn stem_of<'n>(name: &'n str, extension: &str) -> &'n str {
    let ending = format!(".{}", extension.to_ascii_lowercase());
    match name.to_ascii_lowercase().strip_suffix(&ending) {
        Some(stem) => name.get(..stem.len()).unwrap_or(name),
        None => name,
    }
}

async fn download(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    headers: HeaderMap,
    Path((model, version)): Path<(String, String)>,
    Query(form): Query<FormQuery>,
) -> Response<Body> {
    let asked = form.clone();
    let made = shared
        .service
        .perform(&context, "download", Action::Export, named(&model, &version), |platform| {
            Box::pin(async move {
                let model = platform.current_model().await?;
                let version = platform.current_version().await?;
                let export = asked.export(stem_of(&model.name, "ifc"));
                let file = match (export, &asked.schema) {
                    (Some(export), _) => platform.derived(export.operation(), &asked.further()).await?.file,
                    (None, Some(schema)) => {
                        platform.derived(Convert::to(schema).operation(), &[]).await?.file
                    }
                    (None, None) => platform.materialise(&model.model_id, &version).await?,
                };
                Ok((model, version, file))
            })
        })
        .await;
    match made {
        Ok((model, found, file)) => {
            let keep =
                if version == found.as_str() { CachePolicy::Immutable } else { CachePolicy::Revalidate };
            let (extension, media_type) = match model.kind {
                ModelKind::Ifc => ("ifc", IFC),
                ModelKind::EnergyPlus if is_json(&file.path).await => ("epJSON", "application/json"),
                ModelKind::EnergyPlus => ("idf", "text/plain; charset=utf-8"),
            };
            let stem = stem_of(&model.name, extension);
            let (name, media_type) = match (form.export(stem), &form.schema) {
                (Some(export), _) => {
                    let (extension, media_type) = export.kind();
                    (format!("{stem}.{extension}"), media_type)
                }
                (None, Some(schema)) => (format!("{stem}.{schema}.{extension}"), media_type),
                (None, None) => (format!("{stem}.{extension}"), media_type),
            };
            let sent = FileResponse { media_type, tag: &file.sha256, keep, save_as: Some(&name) };
            let mut response = send(&file.path, &sent, &headers).await;
            if let Ok(value) = found.0.parse() {
                response.headers_mut().insert("pensaer-version", value);
            }
            response
        }
        Err(fault) => refuse(&fault),
    }
}

/// True if a file begins as JSON does.
async fn is_json(path: &std::path::Path) -> bool {
    use tokio::io::AsyncReadExt as _;
    let mut start = [0; 1];
    match tokio::fs::File::open(path).await {
        Ok(mut file) => file.read_exact(&mut start).await.is_ok() && start == *b"{",
        Err(_) => false,
    }
}

/// A file that a tool made or a client sent.
async fn kept_file(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    headers: HeaderMap,
    Path((operation, name)): Path<(String, String)>,
) -> Response<Body> {
    let key = format!("{operation}/{name}");
    let found = shared
        .service
        .perform(&context, "download", Action::Export, json!({ "bucket_key": key }), |platform| {
            Box::pin(async move { platform.file(&key).await })
        })
        .await;
    match found {
        Ok((file, name, media_type)) => {
            let sent = FileResponse {
                media_type: &media_type,
                tag: &file.sha256,
                keep: CachePolicy::Immutable,
                save_as: Some(&name),
            };
            send(&file.path, &sent, &headers).await
        }
        Err(fault) => refuse(&fault),
    }
}

/// The file that a link leads to: the secret in it is all that it takes.
async fn linked_file(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    headers: HeaderMap,
    Path(secret): Path<String>,
) -> Response<Body> {
    match shared.service.follow_link(&context, &secret).await {
        Ok((file, name, media_type)) => {
            let sent = FileResponse {
                media_type: &media_type,
                tag: &file.sha256,
                keep: CachePolicy::Revalidate,
                save_as: Some(&name),
            };
            send(&file.path, &sent, &headers).await
        }
        Err(fault) => refuse(&fault),
    }
}

/// Takes in the one file that a link is for.
async fn receive_linked(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(secret): Path<String>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    let (mut incoming, link) = shared.service.receive_link(&secret).await?.into_parts();
    let body = request.into_body().into_data_stream().map_err(|error| error.to_string());
    take(&mut incoming, body).await?;
    let staged = incoming.finish().await.map_err(Fault::from)?;
    let record = shared.service.keep_linked(&context, link, staged).await?;
    let answer = json!({ "upload_name": record.name, "sha256": record.sha256, "size": record.size });
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// The parameters of an upload beside its bytes.
#[derive(Debug, Default, Deserialize)]
struct UploadQuery {
    /// The file's name; a model made of it is called after it.
    name: Option<String>,
}

async fn upload_file(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Query(query): Query<UploadQuery>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    let (key, name) = receive(&shared, &context, query, request).await?;
    let answer = json!({ "bucket_key": key, "upload_name": name, "href": format!("/bucket/files/{key}") });
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

async fn upload(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Query(query): Query<UploadQuery>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    take_in(&shared, &context, query, None, request).await
}

async fn upload_version(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(model): Path<String>,
    Query(query): Query<UploadQuery>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    take_in(&shared, &context, query, Some(model), request).await
}

/// Makes what is sent a model, or a model's next version.
async fn take_in(
    shared: &WebState,
    context: &CallContext,
    query: UploadQuery,
    into: Option<String>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    let (key, _) = receive(shared, context, query, request).await?;
    let mut arguments = json!({ "bucket_key": key });
    if let Some(model) = &into {
        arguments["model_id"] = model.as_str().into();
    }
    let action = if into.is_some() { Action::Modify } else { Action::Create };
    let (committed, artifact) = shared
        .service
        .perform(context, "load_model", action, arguments, |platform| {
            Box::pin(async move {
                let into = match into {
                    Some(_) => Some(platform.current_model().await?.model_id),
                    None => None,
                };
                let import = ModelImport { source: ImportSource::Key(key), kind: None, version: None, into };
                platform.import(&import).await
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

/// Bytes of a form beside its file at most.
const FORM_BYTES: u64 = 1 << 20;

/// Keeps what is sent, as it comes: a form with one file, or the bytes alone. Answers its key in the bucket and its name.
async fn receive(
    shared: &WebState,
    context: &CallContext,
    query: UploadQuery,
    request: Request,
) -> Result<(String, String), Fault> {
    let is_form = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("multipart/form-data"));
    if !is_form {
        let body = request.into_body().into_data_stream().map_err(|error| error.to_string());
        return keep(shared, context, query.name.as_deref(), body).await;
    }
    let broken = |error: String| Fault::invalid("file", format!("The form cannot be read: {error}."));
    let most = shared.service.config().import_bytes.saturating_add(FORM_BYTES);
    let (parts, body) = request.into_parts();
    let body = Body::from_stream(Paced::new(body.into_data_stream(), most));
    let mut form = Multipart::from_request(Request::from_parts(parts, body), &())
        .await
        .map_err(|error: MultipartRejection| broken(reason(&error)))?;
    while let Some(field) = form.next_field().await.map_err(|error| broken(reason(&error)))? {
        if let Some(sent) = field.file_name().map(str::to_owned) {
            let body = field.map_err(|error| reason(&error));
            return keep(shared, context, query.name.as_deref().or(Some(&sent)), body).await;
        }
    }
    Err(Fault::invalid("file", "The form holds no file. Send one, as `curl -F file=@House.ifc` does."))
}

/// The reason at the bottom of an error: that a stream failed says nothing of why.
fn reason(error: &(dyn std::error::Error + 'static)) -> String {
    std::iter::successors(Some(error), |error| error.source()).last().unwrap_or(error).to_string()
}

async fn keep(
    shared: &WebState,
    context: &CallContext,
    name: Option<&str>,
    body: impl Stream<Item = Result<Bytes, String>>,
) -> Result<(String, String), Fault> {
    let name = name.unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let name = if name.is_empty() { "Upload.ifc" } else { name };
    let mut incoming = shared.service.incoming(context).await?;
    take(&mut incoming, body).await?;
    let media_type =
        if name.to_ascii_lowercase().ends_with(".ifc") { IFC } else { "application/octet-stream" };
    let record = shared.service.upload(context, name, media_type, incoming.finish().await?).await?;
    Ok((record.key, record.name))
}

/// Writes a body down as it comes. One without a byte is a Fault.
async fn take(incoming: &mut Incoming, body: impl Stream<Item = Result<Bytes, String>>) -> Result<(), Fault> {
    let mut body = std::pin::pin!(body);
    let mut is_empty = true;
    while let Some(chunk) = body.next().await {
        let chunk =
            chunk.map_err(|error| Fault::invalid("body", format!("The upload broke off: {error}.")))?;
        is_empty &= chunk.is_empty();
        incoming.write(&chunk)?;
    }
    if is_empty {
        return Err(Fault::invalid(
            "body",
            "Nothing was sent. Send the file as the request's body or in a form.",
        ));
    }
    Ok(())
}
