//! The Execution Service: operations on models in a process of their own, reached over HTTP on a Unix socket.
//!
//! A gateway talks to it through [`Executor`]. [`Pool`] implements it over worker processes that it starts, watches and
//! replaces; [`Host`] is what runs inside such a worker: it opens versions, keeps them, hands operations to
//! adapters and dresses what they return as artifacts. No adapter is named here: whoever composes the program hands
//! them in.

mod client;
pub mod conformance;
mod control;
mod endpoint;
mod executor;
pub mod files;
pub mod gate;
pub mod host;
mod http;
mod launches;
pub mod metrics;
mod pool;
pub mod sandbox;
mod status;
#[cfg(test)]
mod testing;
mod transport;
mod worker;

pub use control::{Connection, Control};
pub use endpoint::{Endpoint, EndpointConfig};
pub use executor::Executor;
pub use host::{Host, HostConfig, time_left};
pub use http::{ServeConfig, listen, router, serve, serve_at};
pub use launches::Launches;
pub use pool::{Group, LateGroup, Linker, Pool, PoolConfig};
pub use transport::Caller;
pub use worker::{CACHE_MB, MEMORY_MB, WorkerConfig};
