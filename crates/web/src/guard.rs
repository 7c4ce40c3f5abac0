//! What holds for every request before its handler sees it: the page that asks is ours, and, where a body comes with it, who sends
//! it is known before a byte of that is read.

use crate::WebState;
use crate::caller::context_of;
use crate::reply::{refuse, refuse_unknown};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use contract::{Fault, FaultCode};
use std::sync::Arc;

/// Where timed links lead.
const LINKS: &str = "/bucket/links/";

/// Lets a request through, or answers the Fault `PermissionDenied`.
pub(crate) async fn guard(State(shared): State<Arc<WebState>>, request: Request, next: Next) -> Response {
    let options = &shared.options;
    let admitted =
        service::admits_page(request.method(), request.headers(), &options.hosts, &options.origins);
    if let Err(reason) = admitted {
        return refuse(&Fault::new(FaultCode::PermissionDenied, reason));
    }
    let (mut parts, body) = request.into_parts();
    let context = context_of(&parts, options);
    // what lets somebody in is no parameter of what they ask for
    parts.uri = service::without_access(&parts.uri);
    let may_have_body = !matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    // a timed link is its own key, and is looked up before its body is read
    if may_have_body
        && !parts.uri.path().starts_with(LINKS)
        && let Err((fault, challenge)) = shared.service.admits(&context).await
    {
        return refuse_unknown(&fault, &challenge);
    }
    parts.extensions.insert(Arc::new(context));
    let request = Request::from_parts(parts, body);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
