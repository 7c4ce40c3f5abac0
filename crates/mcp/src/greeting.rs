//! The answer to `initialize`, which needs no tools and nobody to call: a program that passes messages on to a server that is still
//! starting can give it at once.

use crate::instructions::instructions;
use crate::lines::understand;
use crate::profile::Profile;
use rmcp::ServerHandler;
use rmcp::model::{
    ClientRequest, Icon, Implementation, InitializeResult, JsonRpcMessage, ServerCapabilities, ServerConfig,
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
#[expect(deprecated, reason = "clients of today are told of problems by log messages")]
pub(crate) fn about(profile: Profile, instructions: impl Into<String>) -> ServerConfig {
    let name = profile.name().map_or_else(|| "pensaer".to_owned(), |name| format!("pensaer-{name}"));
    let mut implementation = Implementation::new(name, env!("CARGO_PKG_VERSION"));
    implementation.title = Some("Pensaer".to_owned());
    implementation.icons = Some(vec![icon()]);
    let capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_tool_list_changed()
        .enable_resources()
        .enable_resources_subscribe()
        .enable_prompts()
        .enable_completions()
        .enable_logging()
        .enable_tasks()
        .build();
    InitializeResult::new(capabilities).with_server_info(implementation).with_instructions(instructions)
}

/// The server's picture, in its own bytes so that nothing is fetched: a house in section.
fn icon() -> Icon {
    const SVG: &str = "data:image/svg+xml;base64,\
                       PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHZpZXdCb3g9JzAgMCAyNCAyNCcgZmlsbD0nbm9uZScgc3Ry\
                       b2tlPScjMzc2JyBzdHJva2Utd2lkdGg9JzInPjxwYXRoIGQ9J00zIDExIDEyIDRsOSA3TTUgMTB2MTBoMTRWMTBNNSAxNWgxNE0x\
                       MiAxNXY1Jy8+PC9zdmc+";
    Icon::new(SVG).with_mime_type("image/svg+xml").with_sizes(vec!["any".to_owned()])
}
