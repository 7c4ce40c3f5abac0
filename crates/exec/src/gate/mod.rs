//! An Execution Service for callers on other machines, over TCP: who they are, how much they may send, and that nothing of
//! this machine's files is named by them or to them.
//!
//! What operations work on comes within the request or from behind a link; it is put into a folder that workers may read,
//! under its own hash, and what they are told is its path there. Files that they make go back within the answer or, if they
//! are large, from an address of this service that holds for a while. Links are followed here and not by the worker, which
//! has no network, and only to places that the one who started this service has named.

mod intake;
mod links;
mod outlet;
mod serve;
#[cfg(test)]
mod tests;

pub use links::Fetch;

use crate::Executor;
use crate::metrics::Metrics;
use async_trait::async_trait;
use contract::{Artifact, Fault, HostInfo, OperationId, Progress, Request};
use intake::Intake;
use outlet::Outlet;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

/// The settings of a gate: who is let in, and how much they may use.
#[derive(Clone)]
pub struct GateConfig {
    /// The token of callers; without it everybody may call who reaches this service.
    pub token: Option<String>,
    /// A folder of its own; see [`GateConfig::readable`] and [`GateConfig::writable`].
    pub folder: PathBuf,
    /// Bytes of a request.
    pub body_bytes: usize,
    /// Bytes of a file that goes back within the answer.
    pub inline_bytes: u64,
    /// Bytes of one file behind a link.
    pub fetch_bytes: u64,
    /// Bytes of all files that are kept to be opened again.
    pub kept_bytes: u64,
    /// The time for which a file that was made may be fetched.
    pub keep: Duration,
    /// The client that follows links; without it they are not followed.
    pub fetch: Option<Arc<dyn Fetch>>,
    /// Beginnings of addresses to which links may lead, such as `http://10.0.0.2:8420/bucket/`.
    pub fetch_from: Vec<String>,
    /// The time that following a link may take.
    pub fetch_limit: Duration,
    /// The time for which a caller may keep this service waiting for the next piece of a request.
    pub patience: Duration,
    /// Callers at the same time.
    pub connections: usize,
}

impl GateConfig {
    /// The usual limits, with the files in this folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            token: None,
            folder: folder.into(),
            body_bytes: 96 << 20,
            inline_bytes: 1 << 20,
            fetch_bytes: 4 << 30,
            kept_bytes: 16 << 30,
            keep: Duration::from_mins(10),
            fetch: None,
            fetch_from: Vec::new(),
            fetch_limit: Duration::from_mins(5),
            patience: Duration::from_secs(30),
            connections: 256,
        }
    }

    /// The folder that workers have to be able to read.
    pub fn readable(folder: &Path) -> PathBuf {
        folder.join("in")
    }

    /// The folder that workers have to be able to write.
    pub fn writable(folder: &Path) -> PathBuf {
        folder.join("out")
    }
}

/// Lets callers from elsewhere in to an executor of this machine.
pub struct Gate {
    executor: Arc<dyn Executor>,
    config: GateConfig,
    intake: Intake,
    outlet: Outlet,
    running: AtomicUsize,
    draining: AtomicBool,
}

/// Counts a call for as long as it runs.
struct Running<'a>(&'a AtomicUsize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Gate {
    /// A gate before an executor whose workers may use the folders that the configuration names. Makes these folders.
    pub fn new(executor: Arc<dyn Executor>, config: GateConfig) -> io::Result<Arc<Self>> {
        let intake = Intake::new(&config)?;
        let outlet = Outlet::new(&config)?;
        let (running, draining) = (AtomicUsize::new(0), AtomicBool::new(false));
        Ok(Arc::new(Self { executor, config, intake, outlet, running, draining }))
    }

    /// Makes the folders that workers need before they start.
    pub fn make_folders(folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(GateConfig::readable(folder))?;
        std::fs::create_dir_all(GateConfig::writable(folder))
    }
}

#[async_trait]
impl Executor for Gate {
    async fn run(&self, request: Request) -> Result<Artifact, Fault> {
        let mut request = request;
        self.running.fetch_add(1, Ordering::SeqCst);
        let _running = Running(&self.running);
        if self.draining.load(Ordering::SeqCst) {
            return Err(crate::pool::draining());
        }
        if request.scratch.is_some() {
            return Err(Fault::invalid(
                "scratch",
                "Folders of this machine are not named over the network. Leave scratch out: files come back in the answer, \
                 or behind a link of this service.",
            ));
        }
        // clocks of two machines differ: a duration means the same on both
        if request.limits.wall_ms > 0 {
            let until = crate::host::unix_ms(SystemTime::now()).saturating_add(request.limits.wall_ms);
            let asked = if request.deadline_ms == 0 { u64::MAX } else { request.deadline_ms };
            request.deadline_ms = asked.min(until);
        }
        self.intake.take_in(&mut request).await?;
        let scratch = self.outlet.scratch()?;
        request.scratch = Some(scratch.path().display().to_string());
        let mut artifact = self.executor.run(request).await?;
        self.outlet.give_out(&mut artifact, &scratch)?;
        Ok(artifact)
    }

    async fn info(&self) -> Result<HostInfo, Fault> {
        self.executor.info().await
    }

    async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        self.executor.progress(operation).await
    }

    fn metrics(&self) -> Option<&Metrics> {
        self.executor.metrics()
    }

    fn measure(&self) {
        self.executor.measure();
    }

    // anybody may ask this one: it says no more than that somebody is there
    fn health(&self) -> Value {
        let draining = self.draining.load(Ordering::SeqCst);
        json!({"status": if draining { "draining" } else { "ok" }})
    }
}
