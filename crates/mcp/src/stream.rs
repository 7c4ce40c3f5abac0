//! MCP over a pair of byte streams, one JSON-RPC message a line: what stdio clients speak.

use crate::lines::Lines;
use crate::server::Endpoint;
use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

/// Serves one client until it closes its end or `stop` is cancelled. Answers still under way are sent before this returns.
pub async fn serve_stream<R, W>(endpoint: Endpoint, read: R, write: W, stop: CancellationToken)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    match endpoint.serve_with_ct(Lines::new(read, write), stop).await {
        Ok(running) => {
            if let Err(error) = running.waiting().await {
                tracing::warn!(%error, "an MCP connection ended badly");
            }
        }
        Err(error) => tracing::debug!(%error, "an MCP client left before it was initialised"),
    }
}
