//! The two generations of the protocol: with sessions up to 2025-11-25, stateless from 2026-07-28 on.

use rmcp::RoleServer;
use rmcp::model::ProtocolVersion;
use rmcp::service::RequestContext;

/// The extension by which a client says that it shows pages beside answers.
const APPS: &str = "io.modelcontextprotocol/ui";

/// True if the client speaks a protocol in which it is told of nothing that it does not listen for.
pub(crate) fn later_than_sessions(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// True if the client speaks a protocol in which answers may have links as content of their own.
pub(crate) fn knows_links(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2025_06_18)
}

/// True if the client shows pages beside answers (MCP Apps).
pub(crate) fn shows_pages(context: &RequestContext<RoleServer>) -> bool {
    let extensions = context.client_capabilities().and_then(|client| client.extensions);
    extensions.is_some_and(|extensions| extensions.contains_key(APPS))
}
