//! MCP over a pair of byte streams, one JSON-RPC message a line: what stdio clients speak.

use crate::lines::{Lines, Reader, Writer};
use crate::server::Endpoint;
use contract::BoxFuture;
use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// Serves one client until it closes its end or `stop` is cancelled. Answers still under way are sent before this returns.
pub fn serve_stream<R, W>(
    endpoint: Endpoint,
    read: R,
    write: W,
    stop: CancellationToken,
) -> BoxFuture<'static, ()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve(endpoint, Box::new(read), Box::new(write), stop)
}

/// As [`serve_stream`], of no parameters of type: an async function is compiled by whoever awaits it, a boxed one here.
#[inline(never)]
fn serve(endpoint: Endpoint, read: Reader, write: Writer, stop: CancellationToken) -> BoxFuture<'static, ()> {
    Box::pin(async move {
        match Box::pin(endpoint.serve_with_ct(Lines::new(read, write), stop)).await {
            Ok(running) => {
                if let Err(error) = running.waiting().await {
                    tracing::warn!(%error, "an MCP connection ended badly");
                }
            }
            Err(error) => tracing::debug!(%error, "an MCP client left before it was initialised"),
        }
    })
}
