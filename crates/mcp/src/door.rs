//! What the transports ask of the system behind them: one call at a time, in somebody's name.

use contract::{BoxFuture, ChatArtifact, Fault};
use serde_json::Value;
use service::{CallContext, Service};

/// The one way in. Dropping the future cancels the call; what was committed by then stays.
pub trait Door: Send + Sync + 'static {
    /// Runs a tool.
    fn call<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>>;
}

impl Door for Service {
    fn call<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>> {
        Box::pin(async move { Service::call(self, &context, tool, arguments).await })
    }
}
