//! One worker: its process, and the connections to it that are kept for the next call.

use super::process::{Ending, Process};
use super::{Group, PoolConfig};
use crate::WorkerConfig;
use crate::client::{Client, Lost, Reply};
use crate::transport::Address;
use bytes::Bytes;
use contract::{OperationId, Progress};
use serde_json::Value;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A worker process that has answered once.
pub(super) struct Worker {
    process: Arc<Process>,
    client: Client,
    killed_for: OnceLock<OperationId>,
}

impl Worker {
    /// Starts a process and waits until it answers.
    pub(super) async fn start(config: &PoolConfig, group: &Group, socket: &Path) -> io::Result<Arc<Self>> {
        let client = Client::new(Address::Unix(socket.to_owned()), None, config.answer_bytes)?;
        let handed = WorkerConfig { socket: socket.to_owned(), ..group.config.clone() };
        let process = Process::start(group.command.clone(), handed, config.log.clone(), group.bounds).await?;
        // From here on, dropping the worker kills the process.
        let worker = Arc::new(Self { process, client, killed_for: OnceLock::new() });
        let answered = async {
            let mut wait = Duration::from_millis(1);
            loop {
                match worker.get("/healthz").await {
                    Ok(reply) if reply.ok() => return Ok(()),
                    Ok(_) => return Err(io::Error::other("it answers, but not as a worker does")),
                    Err(_) => tokio::time::sleep(wait).await,
                }
                wait = (wait * 3 / 2).min(Duration::from_millis(20));
            }
        };
        tokio::select! {
            result = answered => result?,
            () = worker.process.end() => {
                let ending = worker.process.ending().map(|ending| ending.to_string()).unwrap_or_default();
                return Err(io::Error::other(format!("it ended at its start ({ending})")));
            }
            () = tokio::time::sleep(config.start_limit) => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it did not answer in time"));
            }
        }
        Ok(worker)
    }

    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(super) fn alive(&self) -> bool {
        self.process.ending().is_none() && self.killed_for.get().is_none()
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.process.ending()
    }

    /// The call that it was killed for, if it was.
    pub(super) fn killed_for(&self) -> Option<&OperationId> {
        self.killed_for.get()
    }

    /// Kills the process because of a call that does not end.
    pub(super) fn kill_for(&self, id: &OperationId) {
        let _ = self.killed_for.set(id.clone());
        self.process.kill();
    }

    /// True if it still runs an operation that nobody waits for, after so long. Asked twice before it is believed to have none
    /// of it: it may not have noticed yet that the call was dropped.
    pub(super) async fn goes_on_with(&self, id: &OperationId, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut quiet = 0;
        while self.alive() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            let health = tokio::time::timeout(left, self.client.get("/healthz")).await;
            if let Ok(Ok(reply)) = health {
                let running = |health: Value| {
                    health["running"].as_array().is_some_and(|ids| ids.iter().any(|one| one == id.as_str()))
                };
                let runs = serde_json::from_slice(&reply.body).is_ok_and(running);
                quiet = if runs { 0 } else { quiet + 1 };
                if quiet == 2 {
                    return false;
                }
            }
            tokio::time::sleep(Duration::from_millis(20).min(patience)).await;
        }
        false
    }

    /// Waits a moment for the process's end to be known.
    pub(super) async fn await_end(&self, patience: Duration) {
        let _ = tokio::time::timeout(patience, self.process.end()).await;
    }

    pub(super) async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        self.client.progress(operation).await
    }

    pub(super) async fn get(&self, path: &str) -> Result<Reply, Lost> {
        self.client.get(path).await
    }

    pub(super) async fn post(&self, path: &str, body: Bytes) -> Result<Reply, Lost> {
        self.client.post(path, body).await
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.process.kill();
    }
}
