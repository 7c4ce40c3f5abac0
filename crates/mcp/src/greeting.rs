//! The answer to `initialize`, which needs no tools and nobody to call: a program that passes messages on to a server that is still
//! starting can give it at once.

use crate::instructions::instructions;
use crate::lines::understand;
use crate::profile::Profile;
use rmcp::ServerHandler;
use rmcp::model::{
    ClientRequest, Implementation, InitializeResult, JsonRpcMessage, ServerCapabilities, ServerConfig,
    ServerJsonRpcMessage, ServerResult,
};

/// Returns the answer to a line of a client, with its end, if that line is an `initialize`; it is the one that a server with this
/// profile gives.
pub fn greeting(line: &[u8], profile: Profile) -> Option<Vec<u8>> {
    let JsonRpcMessage::Request(message) = understand(line.trim_ascii()).ok()? else { return None };
    let ClientRequest::InitializeRequest(request) = message.request else { return None };
    let answer = Greeter(profile).negotiate_initialize(&request.params).ok()?;
    let answer = ServerJsonRpcMessage::response(ServerResult::InitializeResult(answer), message.id);
    let mut line = serde_json::to_vec(&answer).ok()?;
    line.push(b'\n');
    Some(line)
}

/// A server as far as `initialize` goes.
struct Greeter(Profile);

impl ServerHandler for Greeter {
    fn get_info(&self) -> ServerConfig {
        about(self.0, instructions(self.0))
    }
}

/// The description that a server gives of itself.
pub(crate) fn about(profile: Profile, instructions: impl Into<String>) -> ServerConfig {
    let name = profile.name().map_or_else(|| "pensaer".to_owned(), |name| format!("pensaer-{name}"));
    let mut implementation = Implementation::new(name, env!("CARGO_PKG_VERSION"));
    implementation.title = Some("Pensaer".to_owned());
    let capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_tool_list_changed()
        .enable_resources()
        .enable_resources_subscribe()
        .build();
    InitializeResult::new(capabilities).with_server_info(implementation).with_instructions(instructions)
}
