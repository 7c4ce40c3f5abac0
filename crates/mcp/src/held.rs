//! Answers that hold something until their body has ended.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header;
use axum::response::Response;
use futures::StreamExt as _;
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio_util::sync::CancellationToken;

/// A body that holds something as long as it is there. Its size stays known, so that it is sent as it was.
struct Held<G> {
    body: Body,
    _guard: G,
}

impl<G: Send + Unpin + 'static> HttpBody for Held<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Closes the stream of events that an answer is waited for on, before the answer is there; who waits comes back for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct EndOfStream(CancellationToken);

impl EndOfStream {
    pub(crate) fn close(&self) {
        self.0.cancel();
    }

    /// The answer, whose stream of events ends when it is closed.
    pub(crate) fn bounds(self, response: Response) -> Response {
        if !is_event_stream(&response) {
            return response;
        }
        let closed = async move { self.0.cancelled().await };
        response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(closed))))
    }
}

/// True if an answer is a stream of events, which may stay open for long.
pub fn is_event_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"))
}

/// The answer, which holds `guard` until its body has been sent or given up.
pub fn holding<G: Send + Unpin + 'static>(response: Response, guard: G) -> Response {
    response.map(|body| Body::new(Held { body, _guard: guard }))
}
