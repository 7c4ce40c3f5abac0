//! Faults as HTTP answers: the Fault as JSON, under the status that says the same.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use contract::{Fault, FaultCode};

/// A Fault on its way out.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) Fault);

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self(fault)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        refuse(&self.0)
    }
}

/// The answer to a request that came to a Fault.
pub(crate) fn refuse(fault: &Fault) -> Response {
    let mut response = (status_of(fault.code), Json(fault.to_json())).into_response();
    let headers = response.headers_mut();
    if fault.code == FaultCode::Unauthenticated {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"pensaer\""));
    }
    // a limit that fills up again is another than one on size
    if let Some(wait) = fault.data.get("retry_after_ms").and_then(serde_json::Value::as_u64) {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.div_ceil(1000).max(1)));
        *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    }
    response
}

/// The answer to somebody who is not known, or is granted nothing, with the challenge that tells how to become known.
pub(crate) fn refuse_unknown(fault: &Fault, challenge: &str) -> Response {
    let mut response = refuse(fault);
    if let Ok(challenge) = HeaderValue::from_str(challenge) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

fn status_of(code: FaultCode) -> StatusCode {
    match code {
        FaultCode::InvalidParams | FaultCode::NoModelLoaded | FaultCode::NoSimulationResults => {
            StatusCode::BAD_REQUEST
        }
        FaultCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        FaultCode::PermissionDenied | FaultCode::ApprovalRequired => StatusCode::FORBIDDEN,
        FaultCode::ElementNotFound
        | FaultCode::ModelNotFound
        | FaultCode::VersionNotFound
        | FaultCode::NotFound => StatusCode::NOT_FOUND,
        FaultCode::Conflict => StatusCode::CONFLICT,
        FaultCode::LimitReached => StatusCode::PAYLOAD_TOO_LARGE,
        FaultCode::ConstraintViolation | FaultCode::UnreadableFile => StatusCode::UNPROCESSABLE_ENTITY,
        FaultCode::NotSupported => StatusCode::NOT_IMPLEMENTED,
        FaultCode::BackendFailed | FaultCode::VersionNotOpen => StatusCode::BAD_GATEWAY,
        FaultCode::Busy => StatusCode::SERVICE_UNAVAILABLE,
        FaultCode::Cancelled => StatusCode::GATEWAY_TIMEOUT,
        FaultCode::StorageFailed => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
