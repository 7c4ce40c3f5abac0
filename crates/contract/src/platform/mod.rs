//! The system as a platform tool sees it from one call: small traits, one for each capability. A tool's signature names those that
//! it uses; [`Platform`] is only their sum.
//!
//! Service implements them for one call of one principal; every method acts in that principal's name, and where the call is a dry run
//! nothing that they do is kept.

mod approvals;
mod audit;
mod branches;
mod caller;
mod documents;
mod downloads;
mod files;
mod jobs;
mod models;
mod queries;
mod sessions;
mod sights;
mod versions;

pub use approvals::Approvals;
pub use audit::AuditLog;
pub use branches::{BranchMerged, BranchMoved, Branches};
pub use caller::Caller;
pub use documents::{Collection, CollectionChanged, Documents};
pub use downloads::{DownloadDraft, DownloadFault, Downloaded, Downloads, FetchProblem};
pub use files::{BucketFile, Files, KeptFile, LibraryFile, TimedLink};
pub use jobs::{Jobs, OperationJob, OutputFolder};
pub use models::{Derived, ImportSource, ModelChanged, ModelImport, ModelMade, Models};
pub use queries::{DerivedFile, Queries, QueryAnswer};
pub use sessions::{SessionFile, Sessions};
pub use sights::{KeptSight, Place, Sight, SightCamera, SightMark, SightSection, Sights};
pub use versions::{Committed, Versions};

use std::future::Future;
use std::pin::Pin;

/// A future that a trait object returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Everything that a platform tool may ask for.
pub trait Platform:
    Approvals
    + AuditLog
    + Branches
    + Caller
    + Documents
    + Downloads
    + Files
    + Jobs
    + Models
    + Queries
    + Sessions
    + Sights
    + Versions
{
}

impl<T> Platform for T where
    T: Approvals
        + AuditLog
        + Branches
        + Caller
        + Documents
        + Downloads
        + Files
        + Jobs
        + Models
        + Queries
        + Sessions
        + Sights
        + Versions
{
}
