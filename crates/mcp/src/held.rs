//! Answers that hold something until their body has ended.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

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

/// True if an answer is a stream of events, which may stay open for long.
pub fn is_event_stream(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"))
}

/// The answer, which holds `guard` until its body has been sent or given up.
pub fn holding<G: Send + Unpin + 'static>(response: Response, guard: G) -> Response {
    response.map(|body| Body::new(Held { body, _guard: guard }))
}
