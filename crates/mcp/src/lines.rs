//! JSON-RPC on byte streams, one message a line, with an answer for everything that has an id.
//!
//! A request that cannot be understood is answered under its own id, so that its sender does not wait for ever: the SDK's
//! own transport answers such a one without an id, and one that is too long not at all.

use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, model::ServerJsonRpcMessage};
use serde_json::Value;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;

/// The longest message taken in, in bytes; as long as over HTTP.
const MAX_LINE: usize = 16 << 20;
/// The bytes that are read at once, at least.
const READ: usize = 8 << 10;
/// The bytes of a message that is too long that are searched for its id.
const PREFIX: usize = 4096;

type Incoming = RxJsonRpcMessage<RoleServer>;
type Outgoing = TxJsonRpcMessage<RoleServer>;

/// A stream that is read. Behind a pointer, so that what serves it is compiled here and once.
pub(crate) type Reader = Box<dyn AsyncRead + Send + Unpin>;
/// A stream that is written.
pub(crate) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// A transport over a reader and a writer.
pub(crate) struct Lines {
    read: Reader,
    write: Arc<Mutex<Writer>>,
    /// Bytes read and not yet taken; `receive` may be dropped half way and goes on with them.
    buffer: Vec<u8>,
    /// Up to here `buffer` holds no end of line.
    searched: usize,
    /// In the midst of a message that is too long.
    skipping: bool,
}

impl Lines {
    pub(crate) fn new(read: Reader, write: Writer) -> Self {
        Self { read, write: Arc::new(Mutex::new(write)), buffer: Vec::new(), searched: 0, skipping: false }
    }

    /// The next whole line, without its end.
    fn take_line(&mut self) -> Option<Vec<u8>> {
        let fresh = self.buffer.get(self.searched..).unwrap_or_default();
        let Some(at) = fresh.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.buffer.len();
            return None;
        };
        let rest = self.buffer.split_off(self.searched + at + 1);
        let mut line = std::mem::replace(&mut self.buffer, rest);
        self.searched = 0;
        line.pop();
        Some(line)
    }

    /// Answers without holding up what is being received.
    fn complain(&self, complaint: Outgoing) {
        let write = Arc::clone(&self.write);
        tokio::spawn(async move { drop(write_line(&write, &complaint).await) });
    }

    /// Answers a message that is too long, under its id where that can be seen.
    fn refuse_long(&self, beginning: &[u8]) {
        let id = id_in(beginning.get(..PREFIX).unwrap_or(beginning));
        let message = format!("The message is longer than {} MB, the limit of this server.", MAX_LINE >> 20);
        self.complain(error(ErrorCode::INVALID_REQUEST, message, id));
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, item: Outgoing) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let write = Arc::clone(&self.write);
        async move { write_line(&write, &item).await }
    }

    async fn receive(&mut self) -> Option<Incoming> {
        loop {
            while let Some(line) = self.take_line() {
                if std::mem::take(&mut self.skipping) || line.trim_ascii().is_empty() {
                    continue;
                }
                if line.len() > MAX_LINE {
                    self.refuse_long(&line);
                    continue;
                }
                match understand(&line) {
                    Ok(message) => return Some(message),
                    Err(Some(complaint)) => self.complain(complaint),
                    Err(None) => {}
                }
            }
            if self.buffer.len() > MAX_LINE && !self.skipping {
                self.refuse_long(&self.buffer);
                self.skipping = true;
            }
            if self.skipping {
                self.buffer.clear();
                self.searched = 0;
            }
            self.buffer.reserve(READ);
            match self.read.read_buf(&mut self.buffer).await {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "an MCP stream broke");
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.write.lock().await.shutdown().await
    }
}

async fn write_line(write: &Mutex<Writer>, message: &Outgoing) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut write = write.lock().await;
    write.write_all(&line).await?;
    write.flush().await
}

/// A line as a message; or what to answer to one that is none, if anything.
#[expect(clippy::result_large_err, reason = "one on the stack for each line read, and moved on at once")]
pub(crate) fn understand(line: &[u8]) -> Result<Incoming, Option<Outgoing>> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let wrong = match serde_json::from_slice(line) {
        Ok(message) => return Ok(message),
        Err(wrong) => wrong,
    };
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(broken) => {
            let message = format!("This line is not JSON: {broken}. Send one JSON-RPC message a line.");
            return Err(Some(error(ErrorCode::PARSE_ERROR, message, None)));
        }
    };
    if value.is_array() {
        let message = "Batches are not served. Send one JSON-RPC message a line.".to_owned();
        return Err(Some(error(ErrorCode::INVALID_REQUEST, message, None)));
    }
    let id = value.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    let Some(method) = value.get("method").and_then(Value::as_str) else {
        let message = format!("This is no JSON-RPC request: {wrong}.");
        return Err(id.map(|id| error(ErrorCode::INVALID_REQUEST, message, Some(id))));
    };
    // a notification is never answered
    let Some(id) = id else { return Err(None) };
    let message = format!("The request {method} cannot be read: {wrong}.");
    Err(Some(error(ErrorCode::INVALID_REQUEST, message, Some(id))))
}

fn error(code: ErrorCode, message: String, id: Option<RequestId>) -> Outgoing {
    ServerJsonRpcMessage::error(ErrorData::new(code, message, None), id)
}

/// The value of the first `"id"` in the beginning of a message.
fn id_in(prefix: &[u8]) -> Option<RequestId> {
    let text = String::from_utf8_lossy(prefix);
    let (_, after) = text.split_once("\"id\"")?;
    let value = after.trim_start().strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
    serde_json::from_value(values.next()?.ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    async fn check(lines: &[u8], expected: &[Value]) {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        let mut transport = Lines::new(Box::new(read), Box::new(write));
        let (mut answers, mut say) = tokio::io::split(ours);
        let sent = [lines, b"{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}\n"].concat();
        let speaker = tokio::spawn(async move { say.write_all(&sent).await.unwrap() });
        let last = transport.receive().await.unwrap();
        assert!(serde_json::to_string(&last).unwrap().contains("last"), "the next message is understood");
        speaker.await.unwrap();
        let mut text = String::new();
        for line in expected {
            while !text.contains('\n') {
                let mut bytes = [0; 4096];
                let read = answers.read(&mut bytes).await.unwrap();
                text.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
            }
            let (first, rest) = text.split_once('\n').unwrap();
            let answer: Value = serde_json::from_str(first).unwrap();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&line["id"], &line["code"]), "{answer}");
            text = rest.to_owned();
        }
    }

    #[tokio::test]
    async fn what_is_not_json_is_answered_and_passed_over() {
        check(b"garbage\n\n\r\n", &[json!({"id": null, "code": -32700})]).await;
        check(b"\xff\xfe\n", &[json!({"id": null, "code": -32700})]).await;
        check(&[b"[".repeat(200_000), b"\n".to_vec()].concat(), &[json!({"id": null, "code": -32700})]).await;
        check(
            b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n",
            &[json!({"id": null, "code": -32600})],
        )
        .await;
    }

    #[tokio::test]
    async fn a_request_that_is_none_is_answered_under_its_id() {
        check(b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":5}\n", &[json!({"id": 8, "code": -32600})]).await;
        check(
            b"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}\n",
            &[json!({"id": "a", "code": -32600})],
        )
        .await;
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_is_answered_under_its_id() {
        for surplus in [0, 1 << 20] {
            let line = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"x\",\"params\":\"{}\"}}\n",
                "x".repeat(MAX_LINE + surplus)
            );
            check(line.as_bytes(), &[json!({"id": 9, "code": -32600})]).await;
        }
    }

    #[tokio::test]
    async fn a_notification_is_never_answered() {
        check(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":3}\n", &[]).await;
    }
}
