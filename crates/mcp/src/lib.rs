//! The catalogue of tools as Model Context Protocol servers: over a byte stream (stdio, the daemon's socket), over
//! streamable HTTP, and over the older HTTP+SSE that some clients still open. And
//! a [`client`], by which the program calls its own tools as a foreign agent does.
//!
//! Only this crate knows JSON-RPC. It knows no tool by name and nothing of buildings: what there is to call comes as
//! `ToolSpec`s, and every call goes through one [`Door`].

mod answer;
pub mod client;
mod completion;
mod discovery;
mod door;
mod fixtures;
mod generation;
mod greeting;
mod held;
mod http;
mod in_person;
mod instructions;
mod lines;
mod listing;
mod log;
mod pages;
mod profile;
mod progress;
mod prompts;
mod resources;
mod roots;
mod server;
mod session_tools;
mod sessions;
mod sse;
mod stream;
mod surface;
mod tasks;
#[cfg(test)]
mod tests;

pub use answer::ResultForm;
pub use discovery::specs as discovery_specs;
pub use door::Door;
pub use greeting::greeting;
pub use held::{holding, is_event_stream};
pub use http::{HttpOptions, router};
pub use profile::{Profile, UnknownProfile};
pub use server::Endpoint;
pub use sessions::SessionLimits;
pub use stream::serve_stream;
pub use surface::{ListOptions, Surface, Tools};
