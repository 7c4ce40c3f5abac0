//! The one door behind every transport: who calls, may they, is it valid, run it, commit it, write it down, tell.
//!
//! Service knows principals, models, versions and sessions. It knows no building: operations are run by an Execution
//! Service, which it reaches through `exec::Executor`, and their results are bytes that it hands to the store.
//!
//! A change runs on the head of its model and is committed in one transaction with its event, its audit entry and, where
//! the caller gave an idempotency key, its answer. If the head moved meanwhile it runs again, as the same operation, so
//! that the elements it makes have the same GlobalIds.

mod altering;
mod answer;
mod approvals;
mod arguments;
mod branches;
mod call;
mod catalogue;
mod change;
mod commit;
mod config;
mod context;
mod documentation;
mod energy_resources;
mod given;
mod header;
mod identity;
mod in_person;
mod jobs;
mod library;
mod links;
mod locks;
mod merging;
mod objects;
mod permit;
mod platform;
mod redact;
mod resources;
mod run;
mod service;
mod session;
mod simulations;
mod tokens;
mod weather;

pub use catalogue::{Catalogue, Entry};
pub use config::{BackendPolicy, ServiceConfig};
pub use context::{CallContext, Credentials, ProgressSink, Transport};
pub use header::key_in;
pub use identity::{Authenticator, KeyHolders, LocalUser};
pub use jobs::{JobTimes, JobWatch, JobWorker, JobsAtWork};
pub use links::LinkUpload;
pub use objects::{About, Expected};
pub use resources::{ResourceListed, ResourceRead, resource_templates};
pub use service::{METADATA, Service};
pub use store::{Incoming, ObjectRecord};
pub use tokens::{Fetch, TokenBearers};
pub use weather::{COLLECTION, FetchArchive, FetchProblem, Fetched, WeatherSource};

#[cfg(test)]
mod tests;
