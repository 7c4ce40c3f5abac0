//! The one door behind every transport: who calls, may they, is it valid, run it, commit it, write it down, tell.
//!
//! Service knows principals, models, versions and sessions. It knows no building: operations are run by an Execution
//! Service, which it reaches through `exec::Executor`, and their results are bytes that it hands to the store.

mod catalogue;
mod config;
mod context;
mod pipeline;

pub use catalogue::{Catalogue, Entry};
pub use config::ServiceConfig;
pub use context::{CallContext, Credentials, Transport};
pub use pipeline::Service;
