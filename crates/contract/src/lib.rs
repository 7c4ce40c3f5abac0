//! What every part of the system agrees on: operations on models, the artifacts they return, the faults that
//! leave the system, the description of a tool, and the traits that a back end and a host implement.
//!
//! Data and traits only. Nothing here reads a file, opens a socket or knows what a wall is.

mod action;
mod adapter;
mod approval;
mod artifact;
mod canonical;
mod delta;
mod diff;
mod event;
mod fault;
mod ids;
mod job;
mod missing_files;
mod needs;
mod openapi;
mod operation;
pub mod ops;
mod platform;
mod principal;
mod prompt;
mod records;
mod reply;
mod resource;
mod schemas;
mod secret;
mod slips;
mod spec;
mod toolset;
mod watch;

pub use action::Action;
pub use adapter::{
    Adapter, AdapterInfo, HostInfo, Launch, Launched, Launcher, OpenedModel, OperationInfo, Outcome, Sandbox,
};
pub use approval::{ApprovalRecord, ApprovalStatus, ApprovalStep, HeldBy};
pub use artifact::{Artifact, Change, ChatArtifact, FileOut, Link, Manifest, ManifestInput, Picture};
pub use canonical::{canonical_json, json_sha256, sha256_hex};
pub use delta::{Delta, DeltaError};
pub use diff::{
    AttributeChange, DiffRaw, DiffSummary, EntityChange, EntityRef, NamedElement, PropertyChange,
};
pub use event::EventType;
pub use fault::{Fault, FaultCode};
pub use ids::{EventId, ModelId, ModelKind, OperationId, VersionId, hex};
pub use job::{JobDraft, JobFile, JobFilter, JobRecord, JobResult, JobState};
pub use missing_files::{missing_files_of_answer, missing_files_of_fault, with_missing_files};
pub use needs::{
    Condition, DocumentationNeed, FileNeed, FileWithin, FurtherModel, JobFiles, LibraryNeed, ModelUse,
    NamedFile, Needs, member,
};
pub use openapi::openapi_document;
pub use operation::{Actor, Effect, FileInput, Limits, ModelInput, ModelRef, Operation, Request, Source};
pub use platform::{
    Approvals, AuditLog, BoxFuture, BranchMerged, BranchMoved, Branches, BucketFile, Caller, Collection,
    CollectionChanged, Committed, Derived, DerivedFile, Documents, DownloadDraft, DownloadFault, Downloaded,
    Downloads, FetchProblem, Files, ImportSource, Jobs, KeptFile, KeptSight, LibraryFile, ModelChanged,
    ModelImport, ModelMade, Models, OperationJob, OutputFolder, Place, Platform, Queries, QueryAnswer,
    SessionFile, Sessions, Sight, SightCamera, SightMark, SightSection, Sights, TimedLink, Versions,
};
pub use principal::{Narrowing, Permission, Principal};
pub use prompt::{Completion, PromptArgument, PromptSpec};
pub use records::{
    AuditFilter, AuditRecord, EventRecord, EventSubject, ModelBegun, ModelFile, ModelOrigin, ModelRecord,
    Page, RefRecord, SessionJob, SessionState, SubjectElement, VersionRecord, WrittenRow,
};
pub use reply::{PlatformBody, PlatformReply};
pub use resource::{ResourceListed, ResourceRead, ResourceSource};
pub use schemas::{answer_schema_of, published_schemas, schema_of, tidy_schema};
pub use secret::Secret;
pub use slips::mend_slips;
pub use spec::{Server, ToolExample, ToolSpec, mark};
pub use toolset::Toolset;
pub use watch::{Progress, Unwatched, Watch};
