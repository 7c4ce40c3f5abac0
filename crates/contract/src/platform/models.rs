//! Models: found, taken in, made, derived from others, changed.

use super::{BoxFuture, Committed, KeptFile};
use crate::{Artifact, Fault, Link, ModelId, ModelKind, ModelOrigin, ModelRecord, Operation, Page};

/// A model that was made from another.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The commit that began it.
    pub committed: Committed,
    /// The model and version that it was made from.
    pub origin: ModelOrigin,
    /// Its name.
    pub name: String,
    /// The answer of the query, and files that it made besides.
    pub artifact: Artifact,
    /// Links to those files.
    pub links: Vec<Link>,
    /// The token by which later calls find the session, where the transport gives them nothing else to find it by.
    pub session: Option<String>,
}

/// A model that was made of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelMade {
    /// The commit that began it.
    pub committed: Committed,
    /// The answer of the query that made it.
    pub artifact: Artifact,
    /// The token by which later calls find the session, where the transport gives them nothing else to find it by.
    pub session: Option<String>,
}

/// The change that a platform tool made to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelChanged {
    /// The commit; for a dry run the one that it would be; none where nothing would be different.
    pub committed: Option<Committed>,
    /// The answer of the operation.
    pub artifact: Artifact,
    /// Links to files that it made besides.
    pub links: Vec<Link>,
}

/// The place of a file that is to be taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportSource {
    /// A path as the caller wrote it; only for callers at this machine.
    Path(String),
    /// A key in the bucket, as an upload or another tool answered it.
    Key(String),
    /// The name of a file that the caller uploaded.
    Upload(String),
}

/// A file that is to become a model, or the next version of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelImport {
    /// The file.
    pub source: ImportSource,
    /// The kind of model; judged by the file's name if none is given.
    pub kind: Option<ModelKind>,
    /// The version of its format that the caller expects: `IFC4`, `9.2`. A file of another one is refused.
    pub version: Option<String>,
    /// The model whose next head it becomes; a new one, called as the file is, if none is given.
    pub into: Option<ModelId>,
}

/// The models that are there for the caller.
pub trait Models: Send + Sync {
    /// One model, by its id, or by its exact name where only one has it.
    fn model<'a>(&'a self, id_or_name: &'a str) -> BoxFuture<'a, Result<ModelRecord, Fault>>;

    /// Models, the latest changed first.
    fn models<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ModelRecord>, Fault>>;

    /// Takes a file in after reading it whole; the artifact is the result of the reading.
    fn import<'a>(&'a self, import: &'a ModelImport) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>>;

    /// Runs an operation that makes a new model, and commits it under this name.
    fn create_model<'a>(
        &'a self,
        operation: Operation,
        name: &'a str,
    ) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>>;

    /// Runs a query on a model of the kind that the tool works on (the one that the call names, else the session's) that makes the
    /// file of a new model, and takes that in, with a note of where it is from; it becomes the session's own. The query is given
    /// these files by their roles. The note is the [`Derivation`](crate::ops::Derivation) in its answer.
    fn derive_model(
        &self,
        operation: Operation,
        files: Vec<KeptFile>,
    ) -> BoxFuture<'_, Result<Derived, Fault>>;

    /// Runs a query on a file that the caller names in the parameter `field` (a key, the name of an upload, or for callers at this
    /// machine a path), which is given it under this role, and takes in the model that it makes, as above.
    fn derive_from_file<'a>(
        &'a self,
        operation: Operation,
        backend: &'a str,
        role: &'a str,
        field: &'a str,
        file: &'a str,
    ) -> BoxFuture<'a, Result<ModelMade, Fault>>;

    /// Runs an operation that changes a model, on that back end where one is named, and commits it as any edit is: on the
    /// branch that the call or its session is on, with policy and approval as for the model's own tools.
    fn change_model<'a>(
        &'a self,
        model: &'a ModelId,
        operation: Operation,
        backend: Option<&'a str>,
    ) -> BoxFuture<'a, Result<ModelChanged, Fault>>;

    /// The model that a model was made from, if it was made from one.
    fn origin<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<ModelOrigin>, Fault>>;
}
