//! Which HTTP status a fault travels under. The body is always the fault itself; the status is for people and proxies.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use contract::{Fault, FaultCode};

/// The status that fits a fault's meaning.
pub(crate) fn status_of(code: FaultCode) -> StatusCode {
    match code {
        FaultCode::InvalidParams => StatusCode::BAD_REQUEST,
        FaultCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        FaultCode::PermissionDenied | FaultCode::ApprovalRequired => StatusCode::FORBIDDEN,
        FaultCode::ElementNotFound
        | FaultCode::ModelNotFound
        | FaultCode::VersionNotFound
        | FaultCode::NotFound
        | FaultCode::NoSimulationResults => StatusCode::NOT_FOUND,
        FaultCode::ConstraintViolation | FaultCode::UnreadableFile => StatusCode::UNPROCESSABLE_ENTITY,
        FaultCode::Conflict | FaultCode::NoModelLoaded | FaultCode::VersionNotOpen => StatusCode::CONFLICT,
        FaultCode::LimitReached => StatusCode::PAYLOAD_TOO_LARGE,
        FaultCode::NotSupported => StatusCode::NOT_IMPLEMENTED,
        FaultCode::Busy => StatusCode::SERVICE_UNAVAILABLE,
        FaultCode::Cancelled => StatusCode::GATEWAY_TIMEOUT,
        FaultCode::BackendFailed | FaultCode::StorageFailed => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A fault as an HTTP answer.
pub(crate) fn respond(fault: &Fault) -> Response {
    (status_of(fault.code), axum::Json(fault)).into_response()
}
