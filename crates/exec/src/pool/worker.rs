//! One worker: its process, and the connections to it that are kept for the next call.

use super::PoolConfig;
use super::process::{Ending, Process};
use crate::transport;
use bytes::Bytes;
use contract::OperationId;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1::SendRequest;
use hyper::{Method, Request, header};
use hyper_util::rt::TokioIo;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Idle connections kept to one worker.
const IDLE: usize = 32;

/// A worker process that has answered once.
pub(super) struct Worker {
    process: Arc<Process>,
    socket: PathBuf,
    idle: Mutex<Vec<SendRequest<Full<Bytes>>>>,
    answer_bytes: usize,
    killed_for: OnceLock<OperationId>,
}

/// What a worker answered.
pub(super) struct Reply {
    /// Whether the body is an artifact rather than a fault.
    pub(super) ok: bool,
    pub(super) body: Bytes,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Lost {
    /// The worker never saw the request.
    #[error("not reached: {0}")]
    NotSent(String),
    /// The connection ended before the answer was whole.
    #[error("{0}")]
    BrokenOff(String),
}

impl Worker {
    /// Starts a process and waits until it answers.
    pub(super) async fn start(config: &PoolConfig, socket: &Path) -> io::Result<Arc<Self>> {
        let process = Process::start(config.command.clone(), socket, config.log.clone()).await?;
        // From here on, dropping the worker kills the process.
        let worker = Arc::new(Self {
            process,
            socket: socket.to_owned(),
            idle: Mutex::default(),
            answer_bytes: config.answer_bytes,
            killed_for: OnceLock::new(),
        });
        let answered = async {
            let mut wait = Duration::from_millis(1);
            loop {
                match worker.get("/healthz").await {
                    Ok(reply) if reply.ok => return Ok(()),
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

    /// Waits a moment for the process's end to be known.
    pub(super) async fn await_end(&self, patience: Duration) {
        let _ = tokio::time::timeout(patience, self.process.end()).await;
    }

    pub(super) async fn get(&self, path: &str) -> Result<Reply, Lost> {
        self.send(Method::GET, path, Bytes::new()).await
    }

    pub(super) async fn post(&self, path: &str, body: Bytes) -> Result<Reply, Lost> {
        self.send(Method::POST, path, body).await
    }

    async fn send(&self, method: Method, path: &str, body: Bytes) -> Result<Reply, Lost> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "worker")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))
            .map_err(|error| Lost::NotSent(error.to_string()))?;
        let mut connection = self.connection().await?;
        let answer = connection.send_request(request).await.map_err(|error| {
            if error.is_canceled() { Lost::NotSent(error.to_string()) } else { broken(&error) }
        })?;
        let ok = answer.status().is_success();
        let body = Limited::new(answer.into_body(), self.answer_bytes).collect().await;
        let body = body.map_err(|error| Lost::BrokenOff(error.to_string()))?.to_bytes();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE {
            idle.push(connection);
        }
        Ok(Reply { ok, body })
    }

    /// A connection that is ready to take a request: a kept one or a new one.
    async fn connection(&self) -> Result<SendRequest<Full<Bytes>>, Lost> {
        loop {
            let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut kept) = kept else { break };
            if kept.ready().await.is_ok() {
                return Ok(kept);
            }
        }
        let stream =
            transport::connect(&self.socket).await.map_err(|error| Lost::NotSent(error.to_string()))?;
        let (sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| broken(&error))?;
        tokio::spawn(async move {
            // Its end shows in the request that it carries.
            let _ = connection.await;
        });
        Ok(sender)
    }
}

fn broken(error: &hyper::Error) -> Lost {
    Lost::BrokenOff(error.to_string())
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.process.kill();
    }
}
