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
mod artifact_check;
mod audit;
mod audit_state;
mod branches;
mod call;
mod catalogue;
mod change;
mod collections;
mod commit;
mod completion;
mod config;
mod context;
mod documentation;
mod documents;
mod downloads;
mod files;
mod header;
mod http_callers;
mod identity;
mod in_person;
mod job_files;
mod jobs;
mod kept;
mod length;
mod libraries;
mod library;
mod links;
mod locks;
mod merging;
mod models;
mod needs;
mod objects;
mod operation_jobs;
mod outward;
mod page;
mod permit;
mod places;
mod queries;
mod redact;
mod refusals;
mod resources;
mod run;
mod seen_jobs;
mod service;
mod session;
mod sights;
mod streams;
mod tokens;
mod tool_jobs;
mod unopened;
mod versions;

pub use catalogue::{Catalogue, Entry};
pub use collections::{Collection, FetchArchive, Fetched};
pub use config::{BackendPolicy, ServiceConfig};
pub use context::{CallContext, ClientRoots, Credentials, ProgressSink, Transport};
pub use contract::{ResourceListed, ResourceRead};
pub use header::key_in;
pub use http_callers::{HttpCallers, Loopback, mac, without_access};
pub use identity::{Authenticator, KeyHolders, LocalUser};
pub use jobs::{JobTimes, JobWatch, JobWorker, JobsAtWork};
pub use links::LinkUpload;
pub use objects::{About, Expected};
pub use page::admits_page;
pub use seen_jobs::SeenJob;
pub use service::{METADATA, Service};
pub use store::{Incoming, ObjectRecord};
pub use streams::while_admitted;
pub use tokens::{Fetch, TokenBearers};

#[cfg(test)]
mod tests;
