//! Objects of the bucket over HTTP: drawings, BCF files, results and whatever else belongs to models, by names of their owners'
//! choice. A change is a version, a deletion too, and what was there stays there under its version.

use crate::WebState;
use crate::api::PageQuery;
use crate::caller::Caller;
use crate::file::{CachePolicy, FileResponse, send};
use crate::media;
use crate::reply::{Refusal, refuse};
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use contract::Fault;
use futures::StreamExt;
use serde::Deserialize;
use serde_json::json;
use service::{About, Expected, ObjectRecord};
use std::sync::Arc;
use std::time::Duration;

/// The longest that a link may hold.
const LINK_SECONDS: u64 = 7 * 24 * 3600;

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new()
        .route("/bucket/objects", get(list))
        .route("/bucket/objects/{*key}", get(read).put(write).post(write).delete(remove))
}

#[derive(Debug, Default, Deserialize)]
struct ListQuery {
    /// Only keys that begin so.
    #[serde(default)]
    prefix: String,
}

async fn list(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Query(which): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Response<Body>, Refusal> {
    let found = shared.service.objects(&context, &which.prefix, page.limit(), page.cursor()).await?;
    let mut answer = json!({ "objects": found.items });
    if let Some(cursor) = found.next_cursor {
        answer["next_cursor"] = cursor.into();
    }
    Ok(Json(answer).into_response())
}

/// The parameters of reading an object.
#[derive(Debug, Default, Deserialize)]
struct ReadQuery {
    /// A version of it instead of the newest.
    version: Option<String>,
    /// Its versions instead of its content; any value.
    versions: Option<String>,
    /// A link that holds for so many seconds instead of its content.
    link: Option<u64>,
}

async fn read(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    headers: HeaderMap,
    Path(key): Path<String>,
    Query(reading): Query<ReadQuery>,
    Query(page): Query<PageQuery>,
) -> Response<Body> {
    let version = reading.version.as_deref();
    if reading.versions.is_some() {
        return match shared.service.object_versions(&context, &key, page.limit(), page.cursor()).await {
            Ok(found) => {
                let mut answer = json!({ "key": key, "versions": found.items });
                if let Some(cursor) = found.next_cursor {
                    answer["next_cursor"] = cursor.into();
                }
                Json(answer).into_response()
            }
            Err(fault) => refuse(&fault),
        };
    }
    if let Some(seconds) = reading.link {
        let keep = Duration::from_secs(seconds.clamp(1, LINK_SECONDS));
        return match shared.service.object_link(&context, &key, version, keep).await {
            Ok((record, file, link)) => {
                // without a bucket that gives addresses, one of this server, which holds as long as all of its
                let href =
                    link.or_else(|| shared.options.links.as_ref().and_then(|links| links.to(&file.path)));
                Json(json!({ "object": record, "href": href })).into_response()
            }
            Err(fault) => refuse(&fault),
        };
    }
    match shared.service.object(&context, &key, version).await {
        Ok((record, file)) => {
            let name = key.rsplit('/').next().unwrap_or_default();
            let keep = if version.is_some() { CachePolicy::Immutable } else { CachePolicy::Revalidate };
            let sent =
                FileResponse { media_type: &record.media_type, tag: &file.sha256, keep, save_as: Some(name) };
            let mut response = send(&file.path, &sent, &headers).await;
            name_version(&mut response, &record);
            response
        }
        Err(fault) => refuse(&fault),
    }
}

/// The parameters of writing an object beside its content.
#[derive(Debug, Default, Deserialize)]
struct WriteQuery {
    /// The model that it belongs to, by id or name: who may see that may see this.
    model_id: Option<String>,
}

async fn write(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    Path(key): Path<String>,
    Query(writing): Query<WriteQuery>,
    request: Request,
) -> Result<Response<Body>, Refusal> {
    let (parts, body) = request.into_parts();
    let media_type = media::declared(&parts.headers)?;
    let expected = expected(&parts.headers)?;
    let mut incoming = shared.service.incoming(&context).await?;
    let mut body = body.into_data_stream();
    let mut start = Vec::new();
    while let Some(chunk) = body.next().await {
        let chunk =
            chunk.map_err(|error| Fault::invalid("body", format!("The upload broke off: {error}.")))?;
        let wanted = media::LOOKED_AT.saturating_sub(start.len()).min(chunk.len());
        start.extend_from_slice(chunk.get(..wanted).unwrap_or_default());
        incoming.write(&chunk).map_err(Fault::from)?;
    }
    media::check(&media_type, &start)?;
    let staged = incoming.finish().await.map_err(Fault::from)?;
    let about = About { key: &key, media_type: &media_type, model: writing.model_id.as_deref() };
    let record = shared.service.put_object(&context, &about, staged, &expected).await?;
    let mut response = (StatusCode::CREATED, Json(json!(record))).into_response();
    name_version(&mut response, &record);
    Ok(response)
}

async fn remove(
    State(shared): State<Arc<WebState>>,
    Caller(context): Caller,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> Result<Response<Body>, Refusal> {
    let record = shared.service.delete_object(&context, &key, &expected(&headers)?).await?;
    let mut response = Json(json!({ "deleted": true, "version": record.version })).into_response();
    name_version(&mut response, &record);
    Ok(response)
}

fn name_version(response: &mut Response<Body>, record: &ObjectRecord) {
    if let Ok(version) = HeaderValue::try_from(&record.version) {
        response.headers_mut().insert("pensaer-object-version", version);
    }
}

/// Reads the request's conditions on the object (RFC 9110, 13.1).
fn expected(headers: &HeaderMap) -> Result<Expected, Fault> {
    let one = |name: header::HeaderName| {
        let value = headers.get(&name).map(|value| value.to_str().unwrap_or_default().trim().to_owned());
        value.map(|value| (name, value))
    };
    match (one(header::IF_MATCH), one(header::IF_NONE_MATCH)) {
        (None, None) => Ok(Expected::Anything),
        (Some((_, tag)), None) if tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"') => {
            Ok(Expected::Content(tag.trim_matches('"').to_owned()))
        }
        (None, Some((_, any))) if any == "*" => Ok(Expected::Nothing),
        _ => Err(Fault::invalid(
            "headers",
            "Give If-Match with the one entity tag that a read answered, or If-None-Match: * for an object that must be new.",
        )),
    }
}
