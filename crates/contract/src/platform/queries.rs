//! Queries on models, and values and files derived from versions, made once.

use super::{BoxFuture, BucketFile, KeptFile};
use crate::{Artifact, Fault, ModelRecord, Needs, Operation, VersionId};
use serde_json::Value;

/// The answer of a query, and the files that it made, which are kept.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryAnswer {
    /// The answer.
    pub result: Value,
    /// The files.
    pub made: Vec<KeptFile>,
}

/// A file that a query made of a version, with its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct DerivedFile {
    /// The answer.
    pub answer: Value,
    /// The file.
    pub file: BucketFile,
    /// The further models that it is made of, at these versions.
    pub further: Vec<(ModelRecord, VersionId)>,
}

/// Queries in the name of the call.
pub trait Queries: Send + Sync {
    /// Runs a query on this call's model and version.
    fn query(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>>;

    /// Runs a query on what it needs, and keeps the files that it makes.
    fn query_needing<'a>(
        &'a self,
        operation: Operation,
        needs: &'a Needs,
    ) -> BoxFuture<'a, Result<QueryAnswer, Fault>>;

    /// Runs a query on this call's model and version. Those of the caller's files that its answer names under `missing_files` are
    /// given to it in a second run, as files of the role `file:` and that name.
    fn query_with_named_files(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>>;

    /// The JSON that a query on this call's model and version answers, made once and kept under `key`. A key has to name
    /// everything that the answer depends on, the version of the program that makes it included.
    fn derived_value<'a>(&'a self, key: &'a str, operation: Operation)
    -> BoxFuture<'a, Result<Value, Fault>>;

    /// The answer and the first file of a query on this call's model and version, both made once. Further models are named by id or
    /// name, at their newest version or at `@` and another; the operation finds them under the role `with`. A Fault about one names
    /// the field `with`.
    fn derived<'a>(
        &'a self,
        operation: Operation,
        further: &'a [String],
    ) -> BoxFuture<'a, Result<DerivedFile, Fault>>;

    /// The first file that a query on this call's model and version makes, made once and kept under `key`, as above.
    fn derived_file<'a>(
        &'a self,
        key: &'a str,
        operation: Operation,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;
}
