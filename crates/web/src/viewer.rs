//! The viewer's page and what belongs to it, built by vite into `viewer/dist` and carried inside the program. A build without
//! it answers with a page that says how to make it; everything else works.

use crate::WebState;
use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::sync::Arc;

/// The built viewer; read from the folder in debug builds, carried along in release builds.
#[derive(RustEmbed)]
#[folder = "../../viewer/dist"]
#[allow_missing = true]
struct Page;

/// Own scripts, styles, pictures and addresses, and nothing of anybody else's.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Pensaer viewer</title>\
    <h1>The viewer is not built</h1><p>This program was built without its viewer. In the source tree, run \
    <code>npm ci --ignore-scripts &amp;&amp; npm run build</code> in <code>viewer/</code> and build again.</p>\
    <p>Models and versions are listed at <a href=\"/bucket\">/bucket</a>.</p></html>";

/// True if this program has the page in it.
pub fn has_viewer() -> bool {
    Page::get("index.html").is_some()
}

pub(crate) fn routes() -> Router<Arc<WebState>> {
    Router::new().route("/viewer", get(page)).route("/viewer/{*path}", get(asset))
}

async fn page() -> Response<Body> {
    match Page::get("index.html") {
        Some(file) => reply(file, "no-cache"),
        None => (StatusCode::SERVICE_UNAVAILABLE, Html(MISSING)).into_response(),
    }
}

async fn asset(Path(path): Path<String>) -> Response<Body> {
    match Page::get(&path) {
        // vite puts a hash of the content into the names under assets/
        Some(file) if path.starts_with("assets/") => reply(file, "public, max-age=31536000, immutable"),
        Some(file) => reply(file, "no-cache"),
        None => (StatusCode::NOT_FOUND, "The viewer has no such file.").into_response(),
    }
}

fn reply(file: EmbeddedFile, keep: &'static str) -> Response<Body> {
    let kind = HeaderValue::from_str(file.metadata.mimetype());
    let mut response = Response::new(Body::from(file.data));
    let headers = response.headers_mut();
    headers
        .insert(header::CONTENT_TYPE, kind.unwrap_or(HeaderValue::from_static("application/octet-stream")));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_is_answered_whether_or_not_the_viewer_was_built() {
        let page = page().await;
        match Page::get("index.html") {
            Some(_) => {
                assert_eq!(page.status(), StatusCode::OK);
                let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
                assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
            }
            None => assert_eq!(page.status(), StatusCode::SERVICE_UNAVAILABLE),
        }
        assert_eq!(asset(Path("../Cargo.toml".into())).await.status(), StatusCode::NOT_FOUND);
    }
}
