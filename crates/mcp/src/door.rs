//! What the transports ask of the system behind them: one call at a time, in somebody's name.

use contract::{BoxFuture, ChatArtifact, Fault};
use serde_json::Value;
use service::{CallContext, Service};

/// The one way in. Dropping the future cancels the call; what was committed by then stays.
pub trait Door: Send + Sync + 'static {
    /// Whether somebody who is known calls; else why not, and what HTTP's `WWW-Authenticate` is to say.
    fn admits<'a>(&'a self, context: &'a CallContext) -> BoxFuture<'a, Result<(), (Fault, String)>>;

    /// Runs a tool.
    fn call<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>>;
}

impl Door for Service {
    fn admits<'a>(&'a self, context: &'a CallContext) -> BoxFuture<'a, Result<(), (Fault, String)>> {
        Box::pin(Service::admits(self, context))
    }

    fn call<'a>(
        &'a self,
        context: CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>> {
        Box::pin(async move { Service::call(self, &context, tool, arguments).await })
    }
}
