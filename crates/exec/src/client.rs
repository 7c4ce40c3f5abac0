//! Requests to one Execution Service over connections that are kept for the next call.

use crate::transport::{self, Address};
use bytes::Bytes;
use contract::{Artifact, Effect, Fault, FaultCode, OperationId, Progress};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;

/// Idle connections kept to one service.
const IDLE: usize = 32;
/// The time for which a connection is kept that is not used: less than the other side waits for a request on it.
const STALE: Duration = Duration::from_secs(10);
/// The time that a connection may take to come about.
const PATIENCE: Duration = Duration::from_secs(5);

type Connection = SendRequest<Full<Bytes>>;

/// A service at an address.
pub(crate) struct Client {
    address: Address,
    authorization: Option<HeaderValue>,
    idle: Mutex<Vec<(Instant, Connection)>>,
    answer_bytes: usize,
}

/// The answer of a service.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) body: Bytes,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Lost {
    /// The service never saw the request.
    #[error("not reached: {0}")]
    NotSent(String),
    /// The connection ended before the answer was whole.
    #[error("{0}")]
    BrokenOff(String),
}

impl Client {
    /// A client of the service there, which nobody has spoken to yet.
    pub(crate) fn new(address: Address, token: Option<&str>, answer_bytes: usize) -> io::Result<Self> {
        let authorization = token.map(|token| {
            let mut value = HeaderValue::try_from(format!("Bearer {token}"))?;
            value.set_sensitive(true);
            Ok::<_, header::InvalidHeaderValue>(value)
        });
        let authorization = authorization.transpose().map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidInput, "the token has characters that a header cannot carry")
        })?;
        Ok(Self { address, authorization, idle: Mutex::default(), answer_bytes })
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Reply, Lost> {
        self.send(Method::GET, path, Bytes::new()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Bytes) -> Result<Reply, Lost> {
        self.send(Method::POST, path, body).await
    }

    /// Returns the progress of an operation there, if that is told.
    pub(crate) async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        // an id is anything a caller made up; one that is no plain word is nowhere in an address
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let id = Some(operation.as_str()).filter(|id| !id.is_empty() && id.bytes().all(plain))?;
        let reply = self.get(&format!("/progress/{id}")).await.ok().filter(Reply::ok)?;
        serde_json::from_slice(&reply.body).ok()
    }

    async fn send(&self, method: Method, path: &str, body: Bytes) -> Result<Reply, Lost> {
        let (connection, answer) = self.begin(method, path, body).await?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), self.answer_bytes).collect().await;
        let body = body.map_err(|error| Lost::BrokenOff(error.to_string()))?.to_bytes();
        self.put_back(connection);
        Ok(Reply { status, body })
    }

    /// Writes what a path answers to a file; answers size and SHA-256.
    pub(crate) async fn download(&self, path: &str, to: &Path, limit: u64) -> Result<(u64, String), Lost> {
        let broken_off = |error: &dyn std::fmt::Display| Lost::BrokenOff(error.to_string());
        let (connection, answer) = self.begin(Method::GET, path, Bytes::new()).await?;
        if !answer.status().is_success() {
            return Err(Lost::BrokenOff(format!("it answers {}", answer.status())));
        }
        let mut body = answer.into_body();
        let mut file = tokio::fs::File::create(to).await.map_err(|error| broken_off(&error))?;
        let (mut size, mut hash) = (0_u64, Sha256::new());
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|error| broken_off(&error))?.into_data() else { continue };
            size += data.len() as u64;
            if size > limit {
                return Err(Lost::BrokenOff(format!("the file has more than {limit} bytes")));
            }
            hash.update(&data);
            file.write_all(&data).await.map_err(|error| broken_off(&error))?;
        }
        file.flush().await.map_err(|error| broken_off(&error))?;
        self.put_back(connection);
        Ok((size, contract::hex(&hash.finalize())))
    }

    /// Sends a request and waits for the beginning of the answer.
    async fn begin(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<(Connection, Response<Incoming>), Lost> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.address.authority())
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(body))
            .map_err(|error| Lost::NotSent(error.to_string()))?;
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(header::AUTHORIZATION, authorization.clone());
        }
        let mut connection = self.connection().await?;
        let answer = connection.send_request(request).await.map_err(|error| {
            if error.is_canceled() { Lost::NotSent(error.to_string()) } else { broken(&error) }
        })?;
        Ok((connection, answer))
    }

    fn put_back(&self, connection: Connection) {
        let mut idle = self.idle.lock();
        if idle.len() < IDLE {
            idle.push((Instant::now(), connection));
        }
    }

    /// A connection that is ready to take a request: a kept one or a new one.
    async fn connection(&self) -> Result<Connection, Lost> {
        loop {
            let kept = self.idle.lock().pop();
            let Some((since, mut kept)) = kept else { break };
            if since.elapsed() < STALE && kept.ready().await.is_ok() {
                return Ok(kept);
            }
        }
        let stream = tokio::time::timeout(PATIENCE, transport::connect(&self.address)).await;
        let stream = stream.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        let stream = stream.map_err(|error| Lost::NotSent(error.to_string()))?;
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

/// Returns the path to which operations of this effect are sent.
pub(crate) fn path_of(effect: Effect) -> &'static str {
    match effect {
        Effect::Query => "/query",
        Effect::Create => "/create",
        Effect::Modify => "/modify",
    }
}

impl Reply {
    pub(crate) fn ok(&self) -> bool {
        self.status.is_success()
    }

    /// The artifact or the fault that a reply carries.
    pub(crate) fn read(&self, name: &str) -> Result<Artifact, Fault> {
        if self.ok() {
            return serde_json::from_slice(&self.body).map_err(|error| nonsense(name, &error.to_string()));
        }
        Err(self.fault().unwrap_or_else(|| {
            nonsense(name, &format!("the status is {} and the body is no Fault", self.status))
        }))
    }

    /// The fault that it carries, if it is one.
    pub(crate) fn fault(&self) -> Option<Fault> {
        if self.ok() {
            return None;
        }
        serde_json::from_slice(&self.body).ok()
    }
}

/// An answer that does not fit the contract.
pub(crate) fn nonsense(name: &str, why: &str) -> Fault {
    Fault::new(
        FaultCode::BackendFailed,
        format!("The worker's answer to {name} does not fit the contract: {why}. Nothing was committed."),
    )
    .with("operation", name)
}
