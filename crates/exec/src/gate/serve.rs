//! The gate's side towards the network: the same addresses as a worker's, `/files/{id}` for what was made, and before them
//! who may pass, how long they may take and how many there may be.

use super::Gate;
use crate::http::router;
use crate::status::respond;
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::get;
use bytes::BytesMut;
use contract::{BoxFuture, Fault, FaultCode};
use http_body_util::BodyExt;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use sha2::{Digest, Sha256};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use subtle::ConstantTimeEq;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::io::ReaderStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The time that callers get to take their last answers.
const LINGER: Duration = Duration::from_secs(1);

impl Gate {
    /// Serves until told to stop. Then it refuses new calls, and waits for those that run, but no longer than `farewell`.
    pub fn serve(
        self: &Arc<Self>,
        listener: TcpListener,
        stop: CancellationToken,
        farewell: Duration,
    ) -> BoxFuture<'_, io::Result<()>> {
        // boxed, so that the server is compiled here and not where it is awaited
        Box::pin(self.take_callers(listener, stop, farewell))
    }

    async fn take_callers(
        self: &Arc<Self>,
        listener: TcpListener,
        stop: CancellationToken,
        farewell: Duration,
    ) -> io::Result<()> {
        let app = self.router();
        let room = Arc::new(Semaphore::new(self.config.connections.max(1)));
        let callers = TaskTracker::new();
        let end = CancellationToken::new();
        let drained = tokio::spawn(Arc::clone(self).drain(stop, farewell, end.clone()));
        loop {
            let Ok(place) = Arc::clone(&room).acquire_owned().await else { break };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = end.cancelled() => break,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                // out of descriptors, most likely: give some time to be freed
                Err(error) => {
                    tracing::error!(%error, "cannot accept a caller");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let _ = stream.set_nodelay(true);
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(self.config.patience)
                .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app.clone()));
            let end = end.clone();
            callers.spawn(async move {
                let mut connection = std::pin::pin!(connection);
                let ended = tokio::select! {
                    ended = connection.as_mut() => ended,
                    () = end.cancelled() => {
                        connection.as_mut().graceful_shutdown();
                        connection.await
                    }
                };
                if let Err(error) = ended {
                    tracing::debug!(%error, "a caller left");
                }
                drop(place);
            });
        }
        let _ = drained.await;
        callers.close();
        let _ = tokio::time::timeout(LINGER, callers.wait()).await;
        Ok(())
    }

    /// Waits for the word to stop, then until no call runs any more.
    async fn drain(self: Arc<Self>, stop: CancellationToken, farewell: Duration, end: CancellationToken) {
        stop.cancelled().await;
        self.draining.store(true, Ordering::SeqCst);
        let idle = async {
            while self.running.load(Ordering::SeqCst) > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        if tokio::time::timeout(farewell, idle).await.is_err() {
            tracing::warn!("calls still run; they are given up");
        }
        end.cancel();
    }

    /// All addresses, behind the checks.
    pub(super) fn router(self: &Arc<Self>) -> Router {
        let files = Router::new().route("/files/{id}", get(file)).with_state(Arc::clone(self));
        // what a check here has let through whole may be as large as it is
        router(Arc::clone(self) as Arc<dyn crate::Executor>, self.config.body_bytes)
            .merge(files)
            .layer(from_fn_with_state(Arc::clone(self), whole))
            .layer(from_fn_with_state(Arc::clone(self), admit))
    }
}

/// Lets those in who know the token, and everybody to the sign of life.
async fn admit(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response<Body> {
    if request.uri().path() == "/healthz" {
        return next.run(request).await;
    }
    match &gate.config.token {
        Some(token) if !knows(request.headers(), token) => {
            let fault = Fault::new(
                FaultCode::Unauthenticated,
                "This service wants its token: send it as `Authorization: Bearer TOKEN`.",
            );
            let mut response = respond(&fault);
            let value = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
            response
        }
        // without a token, pages that a browser of this machine has open are not to get in
        None if ["origin", "sec-fetch-site"].iter().any(|name| request.headers().contains_key(*name)) => {
            respond(&Fault::new(FaultCode::PermissionDenied, "This service is not for browsers."))
        }
        _ => next.run(request).await,
    }
}

/// True if the headers carry the token. Takes as long for a wrong one as for a right one.
fn knows(headers: &HeaderMap, token: &str) -> bool {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.split_once(' '));
    let given =
        given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map_or("", |(_, token)| token);
    let (given, token) = (Sha256::digest(given.trim()), Sha256::digest(token));
    given.ct_eq(&token).into()
}

/// Takes a request in whole before anybody works on it, from a caller that goes on sending.
async fn whole(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response<Body> {
    let (parts, mut body) = request.into_parts();
    let limit = gate.config.body_bytes;
    let too_large = || {
        respond(
            &Fault::new(
                FaultCode::LimitReached,
                format!("A request may have {limit} bytes. Give larger files as links."),
            )
            .with("limit", "body_bytes"),
        )
    };
    if body.size_hint().lower() > limit as u64 {
        return too_large();
    }
    let mut bytes = BytesMut::new();
    loop {
        match tokio::time::timeout(gate.config.patience, body.frame()).await {
            Ok(None) => break,
            Ok(Some(Ok(frame))) => {
                let Ok(data) = frame.into_data() else { continue };
                if bytes.len() + data.len() > limit {
                    return too_large();
                }
                bytes.extend_from_slice(&data);
            }
            Ok(Some(Err(_))) | Err(_) => {
                return respond(&Fault::new(
                    FaultCode::Cancelled,
                    "The request did not arrive whole in time. Nothing was run; send it again.",
                ));
            }
        }
    }
    next.run(Request::from_parts(parts, Body::from(bytes.freeze()))).await
}

/// A file that an operation made.
async fn file(State(gate): State<Arc<Gate>>, Path(id): Path<String>) -> Response<Body> {
    let found = match gate.outlet.find(&id) {
        Some(path) => tokio::fs::File::open(path).await.ok(),
        None => None,
    };
    let Some(file) = found else {
        return respond(&Fault::new(
            FaultCode::NotFound,
            "There is no such file, or not any more: they are kept for a few minutes.",
        ));
    };
    let length = file.metadata().await.map_or(0, |data| data.len());
    let mut response = Response::new(Body::from_stream(ReaderStream::with_capacity(file, 1 << 18)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    response
}
