//! The catalogue of tools as Model Context Protocol servers: over a byte stream (stdio, the daemon's socket), over
//! streamable HTTP, and over the older HTTP+SSE that some clients still open.
//!
//! Only this crate knows JSON-RPC. It knows no tool by name and nothing of buildings: what there is to call comes as
//! `ToolSpec`s, and every call goes through one [`Door`].

mod answer;
mod door;
mod http;
mod instructions;
mod server;
mod sse;
mod stream;
mod surface;
#[cfg(test)]
mod tests;

pub use answer::ResultForm;
pub use door::Door;
pub use http::{HttpOptions, router};
pub use server::Endpoint;
pub use stream::serve_stream;
pub use surface::{Surface, UnknownServer};
