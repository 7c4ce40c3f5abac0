//! What the transports ask of the system behind them: one call at a time, in somebody's name.

use contract::{BoxFuture, ChatArtifact, Fault};
use serde_json::Value;

/// By which way a call came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// A desktop agent's own process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// The older HTTP+SSE.
    Sse,
}

/// Who calls, as far as a transport can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// By which way.
    pub transport: Transport,
    /// The transport's own session: the MCP session id over HTTP, none on a byte stream.
    pub session: Option<String>,
    /// The working directory of a desktop agent, which names its session across restarts.
    pub directory: Option<String>,
    /// The model to work on when the session has none (`PENSAER_MODEL_ID`).
    pub model_id: Option<String>,
    /// The client program's name and version.
    pub client: Option<String>,
}

impl Caller {
    /// A caller of whom nothing but the way in is known.
    pub fn new(transport: Transport) -> Self {
        Self { transport, session: None, directory: None, model_id: None, client: None }
    }
}

/// The one way in. Dropping the future cancels the call; what was committed by then stays.
pub trait Door: Send + Sync + 'static {
    /// Runs a tool.
    fn call<'a>(
        &'a self,
        caller: Caller,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>>;
}
