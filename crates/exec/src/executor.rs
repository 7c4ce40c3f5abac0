//! How the rest of the system asks for operations on models, without knowing where they run.

use crate::metrics::Metrics;
use crate::transport::Caller;
use async_trait::async_trait;
use contract::{Artifact, Fault, HostInfo, OperationId, Progress, Request};
use serde_json::{Value, json};

/// Runs operations. A pool of worker processes, one remote host, or, in tests, a host in the same process.
#[async_trait]
pub trait Executor: Send + Sync {
    /// Runs one operation and answers what came of it. Nothing is kept: the same request gives the same answer, here or
    /// on another executor.
    ///
    /// A model given without a source that is not held open is the Fault `VersionNotOpen`: send the request again with
    /// base and deltas. Dropping the future gives the operation up.
    async fn run(&self, request: Request) -> Result<Artifact, Fault>;

    /// As [`run`](Self::run), for a caller at the other end of a connection: when they have closed that, the operation is
    /// given up. Asked within a task of a runtime with several threads.
    async fn run_for(&self, request: Request, _caller: &Caller) -> Result<Artifact, Fault> {
        self.run(request).await
    }

    /// Describes who answers here, and which operations it resolves.
    async fn info(&self) -> Result<HostInfo, Fault>;

    /// Returns the progress of an operation that runs here; none where it does not run, or where that is not told.
    async fn progress(&self, _operation: &OperationId) -> Option<Progress> {
        None
    }

    /// Returns the names of the back ends that are here, the default first; none where it does not tell.
    fn backends(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns its counters; none where it counts nothing.
    fn metrics(&self) -> Option<&Metrics> {
        None
    }

    /// Brings those of its gauges up to date that it does not keep so itself, before they are read.
    fn measure(&self) {}

    /// A sign of life, with a few figures for whoever looks.
    fn health(&self) -> Value {
        json!({"status": "ok"})
    }
}
