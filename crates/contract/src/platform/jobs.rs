//! Jobs: work that outlasts the call that asked for it.

use super::{BoxFuture, KeptFile};
use crate::{Fault, JobDraft, JobFiles, JobFilter, JobRecord, Operation, Page};
use std::time::Duration;

/// A folder into which the files of a job are copied besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFolder {
    /// The parameter that names it.
    pub field: String,
    /// Its path as the caller wrote it.
    pub path: String,
    /// Names of files; a folder that has one of them is refused.
    pub marks: Vec<String>,
    /// The contents of a folder that has.
    pub contents: String,
}

/// An operation on this call's model and version that is done as a job.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationJob {
    /// The kind of the job.
    pub kind: String,
    /// The operation.
    pub operation: Operation,
    /// The back end that does it.
    pub backend: String,
    /// The files that it is given, by their roles.
    pub files: Vec<KeptFile>,
    /// The folder that its files are copied to; only for callers at this machine.
    pub output: Option<OutputFolder>,
    /// The name under which the session remembers the latest.
    pub slot: String,
}

/// The jobs that are the caller's, or about a model that is there for the caller.
pub trait Jobs: Send + Sync {
    /// Submits work to be done in the caller's name by whichever gateway begins it.
    fn submit_job(&self, draft: JobDraft) -> BoxFuture<'_, Result<JobRecord, Fault>>;

    /// Submits an operation on this call's model and version, and makes it the session's latest. None for a dry run, once all that was
    /// named is found.
    fn submit_operation(&self, job: OperationJob) -> BoxFuture<'_, Result<Option<JobRecord>, Fault>>;

    /// The time that an operation may take as a job.
    fn job_limit(&self) -> Duration;

    /// One job.
    fn job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>>;

    /// Jobs, the latest first. A page may be shorter than asked for.
    fn jobs<'a>(
        &'a self,
        filter: &'a JobFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<JobRecord>, Fault>>;

    /// Asks for a job to end; the job as it is then. One that runs ends a little later.
    fn cancel_job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>>;

    /// The job at its end, or as it is after so long; who calls is told meanwhile how far it is.
    fn await_job<'a>(&'a self, id: &'a str, patience: Duration) -> BoxFuture<'a, Result<JobRecord, Fault>>;

    /// The session's latest job that left such files; a Fault where there is none.
    fn latest_job<'a>(&'a self, need: &'a JobFiles) -> BoxFuture<'a, Result<JobRecord, Fault>>;

    /// The files that it left; a Fault where there are none.
    fn job_files<'a>(&'a self, need: &'a JobFiles) -> BoxFuture<'a, Result<Vec<KeptFile>, Fault>>;
}
