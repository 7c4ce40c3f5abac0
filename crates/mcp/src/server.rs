//! One MCP server: answers `initialize`, `server/discover`, `tools/list` and `tools/call` from a surface and a door.
//!
//! Cheap to clone; streamable HTTP makes one per session, and one per request for clients without sessions.

use crate::answer::{ResultForm, answer};
use crate::door::{Caller, Door};
use crate::surface::Surface;
use contract::{Fault, FaultCode};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, InitializeResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use std::sync::Arc;

const SESSION_HEADER: &str = "mcp-session-id";

/// A server as one client sees it.
#[derive(Clone)]
pub struct Endpoint {
    surface: Arc<Surface>,
    door: Arc<dyn Door>,
    caller: Caller,
    form: ResultForm,
}

impl Endpoint {
    /// A server over `surface` whose calls are made in the name of `caller`.
    pub fn new(surface: Arc<Surface>, door: Arc<dyn Door>, caller: Caller, form: ResultForm) -> Self {
        Self { surface, door, caller, form }
    }

    /// The same server for the client of one session.
    pub(crate) fn in_session(&self, session: String) -> Self {
        Self { caller: Caller { session: Some(session), ..self.caller.clone() }, ..self.clone() }
    }

    /// The caller of this request: what the transport knew, plus what the request itself says.
    fn caller_of(&self, context: &RequestContext<RoleServer>) -> Caller {
        let mut caller = self.caller.clone();
        if let Some(client) = context.client_info() {
            caller.client = Some(format!("{} {}", client.name, client.version));
        }
        if let Some(parts) = context.extensions.get::<axum::http::request::Parts>()
            && let Some(session) = parts.headers.get(SESSION_HEADER).and_then(|value| value.to_str().ok())
        {
            caller.session = Some(session.to_owned());
        }
        caller
    }

    /// The form asked for in the request's address, else the server's own.
    fn form_of(&self, context: &RequestContext<RoleServer>) -> ResultForm {
        let Some(parts) = context.extensions.get::<axum::http::request::Parts>() else { return self.form };
        parts
            .uri
            .query()
            .into_iter()
            .flat_map(|query| query.split('&'))
            .find_map(|pair| pair.strip_prefix("results=").and_then(ResultForm::from_name))
            .unwrap_or(self.form)
    }

    fn unknown_tool(&self, name: &str) -> Fault {
        let near = self.surface.near(name);
        let hint = if near.is_empty() {
            "List the tools to see what there is.".to_owned()
        } else {
            format!("Did you mean {}?", near.join(" or "))
        };
        Fault::new(FaultCode::InvalidParams, format!("There is no tool {name} on this server. {hint}"))
            .with("field", "name")
            .with("near", near)
    }
}

impl ServerHandler for Endpoint {
    fn get_info(&self) -> ServerConfig {
        let name =
            self.surface.server().map_or_else(|| "pensaer".to_owned(), |s| format!("pensaer-{}", s.as_str()));
        let mut implementation = Implementation::new(name, env!("CARGO_PKG_VERSION"));
        implementation.title = Some("Pensaer".to_owned());
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation)
            .with_instructions(self.surface.instructions())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.surface.tools().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.surface.tool(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let form = self.form_of(&context);
        if self.surface.tool(&request.name).is_none() {
            let fault = self.unknown_tool(&request.name);
            return Err(ErrorData::invalid_params(fault.message, Some(Value::Object(fault.data))));
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let caller = self.caller_of(&context);
        let outcome = tokio::select! {
            outcome = self.door.call(caller, &request.name, arguments) => outcome,
            () = context.ct.cancelled() => {
                Err(Fault::new(FaultCode::Cancelled, "The call was cancelled by the client."))
            }
        };
        Ok(CallToolResponse::Complete(answer(outcome, form)))
    }
}
