//! Who calls, through which door, and what ties one call to the next.

use contract::{BoxFuture, ModelKind, Progress, Secret};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The proof that a caller gives of who it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Credentials {
    /// The user of this machine, over stdio, a Unix socket or a shell: the operating system vouches for it.
    Local {
        /// The login name.
        user: String,
    },
    /// A key or a token, as from an `Authorization: Bearer` header.
    Key {
        /// The key.
        key: Secret,
        /// True if the operating system vouches for a user of this machine beside it.
        local: bool,
    },
    /// Nothing.
    #[default]
    None,
}

/// The door a call came through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Transport {
    /// MCP over stdio.
    Stdio,
    /// MCP over HTTP.
    #[default]
    Http,
    /// The web pages' interface.
    Web,
    /// A shell.
    Shell,
}

/// Who is told, now and then, how far a call is.
#[derive(Clone)]
pub struct ProgressSink(Arc<dyn Fn(Progress) + Send + Sync>);

impl ProgressSink {
    /// One that does this with what it is told. It is called between other work and must not block.
    pub fn new(tell: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    pub(crate) fn tell(&self, progress: Progress) {
        (self.0)(progress);
    }
}

impl std::fmt::Debug for ProgressSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProgressSink")
    }
}

/// Two are equal that are one.
impl PartialEq for ProgressSink {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ProgressSink {}

/// The folders that a client says its user works in (`roots/list` of MCP), asked of it when a file is to be written.
#[derive(Clone)]
pub struct ClientRoots(Arc<AskRoots>);

type AskRoots = dyn Fn() -> BoxFuture<'static, Vec<PathBuf>> + Send + Sync;

impl ClientRoots {
    /// Folders that this asks for.
    pub fn new(ask: impl Fn() -> BoxFuture<'static, Vec<PathBuf>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(ask))
    }

    pub(crate) async fn ask(&self) -> Vec<PathBuf> {
        (self.0)().await
    }
}

impl std::fmt::Debug for ClientRoots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ClientRoots")
    }
}

/// Two are equal that are one.
impl PartialEq for ClientRoots {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ClientRoots {}

/// Everything about a call that is not the tool and its arguments. Transports fill it; nothing in it is trusted before
/// the credentials are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallContext {
    /// Who it says it is.
    pub credentials: Credentials,
    /// The door.
    pub transport: Transport,
    /// The address that it came from, where it came over a network.
    pub peer: Option<IpAddr>,
    /// The program that calls, such as an MCP client's name and version.
    pub client: Option<String>,
    /// The MCP session id, where the transport has one.
    pub mcp_session: Option<String>,
    /// The connection that the call came over, where the transport keeps one for a client: its session is its own.
    pub connection: Option<String>,
    /// The session token that `load_model` and `new_model` returned, where the client sends it beside the arguments.
    pub session_token: Option<String>,
    /// The client's working directory, where it sits at this machine: relative paths start there, and a new connection's session
    /// starts as the last one there was.
    pub working_dir: Option<PathBuf>,
    /// The model a client was configured with (`PENSAER_MODEL_ID`), for sessions that have none yet: id or name.
    pub default_model: Option<String>,
    /// The back end that is to resolve the call, where the client says so beside the arguments.
    pub backend: Option<String>,
    /// The kind of model that the client works on, where it connected to a server of one: which of the session's models is meant
    /// by tools that take several kinds.
    pub kind: Option<ModelKind>,
    /// How long the answer is of use; the service's own limit where absent.
    pub timeout: Option<Duration>,
    /// How long a call waits for the end of a job that it begins, where that is less than it would.
    pub patience: Option<Duration>,
    /// Who is told how far it is.
    pub progress: Option<ProgressSink>,
    /// Who says in which folders the client's user works, where the client can be asked.
    pub roots: Option<ClientRoots>,
}

impl CallContext {
    /// A call by the user of this machine.
    pub fn local(user: &str, transport: Transport) -> Self {
        Self { credentials: Credentials::Local { user: user.to_owned() }, transport, ..Self::default() }
    }
}
