//! A client of MCP servers over a pair of byte streams: how the program calls its own tools from outside, by the door
//! that every foreign agent uses.

use crate::lines::{Reader, Writer};
use contract::BoxFuture;
use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, ClientCapabilities, Implementation, InitializeRequestParams};
use rmcp::service::{RunningService, ServiceExt};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

/// A tool as a client sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The structured answer, or null.
    pub structured: Value,
    /// The text of the answer, as an agent reads it.
    pub text: String,
    /// True if it is a Fault.
    pub is_error: bool,
}

/// The reason why a call got no answer at all.
#[derive(Debug, thiserror::Error)]
#[error("the MCP server gave no answer: {0}")]
pub struct ClientError(String);

/// A client that has shaken hands.
pub struct Client(RunningService<RoleClient, InitializeRequestParams>);

impl Client {
    /// Shakes hands over a pair of streams, under a name that the audit log shows.
    pub fn connect<R, W>(read: R, write: W, name: &str) -> BoxFuture<'_, Result<Self, ClientError>>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        Self::connect_boxed(Box::new(read), Box::new(write), name)
    }

    /// As [`Client::connect`]; this and the rest are boxed, so that they are compiled here and not where they are awaited.
    #[inline(never)]
    fn connect_boxed(read: Reader, write: Writer, name: &str) -> BoxFuture<'_, Result<Self, ClientError>> {
        let client = Implementation::new(name, env!("CARGO_PKG_VERSION"));
        let hello = InitializeRequestParams::new(ClientCapabilities::default(), client);
        Box::pin(async move {
            hello.serve((read, write)).await.map(Self).map_err(|error| ClientError(error.to_string()))
        })
    }

    /// Every tool that the server offers.
    pub fn tools(&self) -> BoxFuture<'_, Result<Vec<OfferedTool>, ClientError>> {
        Box::pin(self.list())
    }

    async fn list(&self) -> Result<Vec<OfferedTool>, ClientError> {
        let tools = self.0.list_all_tools().await.map_err(|error| ClientError(error.to_string()))?;
        Ok(tools
            .into_iter()
            .map(|tool| OfferedTool {
                name: tool.name.to_string(),
                description: tool.description.map(|text| text.to_string()).unwrap_or_default(),
                input_schema: Value::Object((*tool.input_schema).clone()),
            })
            .collect())
    }

    /// Calls a tool. A Fault is an answer; an error means that the server could not be asked.
    pub fn call<'a>(
        &'a self,
        tool: &'a str,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Answered, ClientError>> {
        Box::pin(self.ask(tool, arguments))
    }

    async fn ask(&self, tool: &str, arguments: Map<String, Value>) -> Result<Answered, ClientError> {
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match self.0.call_tool(request).await {
            Ok(result) => Ok(Answered {
                text: result
                    .content
                    .iter()
                    .filter_map(|block| Some(block.as_text()?.text.as_str()))
                    .collect(),
                structured: result.structured_content.unwrap_or(Value::Null),
                is_error: result.is_error == Some(true),
            }),
            // refused by the protocol layer: an unknown tool, arguments that are no object
            Err(rmcp::ServiceError::McpError(error)) => {
                Ok(Answered { text: error.message.to_string(), structured: Value::Null, is_error: true })
            }
            Err(error) => Err(ClientError(error.to_string())),
        }
    }

    /// Says goodbye.
    pub fn close(self) -> BoxFuture<'static, Result<(), ClientError>> {
        Box::pin(
            async move { self.0.cancel().await.map(drop).map_err(|error| ClientError(error.to_string())) },
        )
    }
}
