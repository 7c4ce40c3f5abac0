//! What is said first on the daemon's socket: one line from the client, one line back. After it, an MCP client speaks
//! JSON-RPC; a call has then been answered.

use contract::{Fault, Secret, Toolset};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// The longest first line, in bytes; a call's arguments are in it.
pub(crate) const MAX_LINE: u64 = 64 << 20;

/// The client's line.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Hello {
    /// The client program's version.
    pub(crate) version: String,
    /// Its process id, for the log.
    pub(crate) pid: u32,
    /// Its working directory: relative paths start there, and the session begins as the last one there was.
    pub(crate) directory: Option<PathBuf>,
    /// The model it was configured with.
    pub(crate) model_id: Option<String>,
    /// The key in whose holder's name it calls.
    #[serde(default)]
    pub(crate) key: Option<String>,
    /// The client's wish.
    pub(crate) want: Want,
}

/// The wish of a client.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Want {
    /// To speak MCP.
    Mcp {
        /// The server or profile; none means the usual tools.
        server: Option<String>,
        /// In which form answers are sent.
        results: String,
        /// Sets of tools to list besides.
        #[serde(default)]
        toolsets: Vec<Toolset>,
        /// True if the list tells the schemas of answers, too.
        #[serde(default)]
        output_schemas: bool,
    },
    /// One call of a tool.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments.
        arguments: Value,
    },
    /// That the daemon end, for a later version of the program; it does where nobody else is there.
    MakeWay,
    /// The history of a model as files.
    ExportHistory {
        /// The model.
        model: String,
        /// The folder, in full.
        out: PathBuf,
    },
}

/// The daemon's line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    /// MCP may begin.
    Ready,
    /// The call's answer.
    Answer(Value),
    /// It cannot be done, or the call's Fault.
    Fault(Fault),
}

impl Hello {
    /// The line of this process.
    pub(crate) fn new(model_id: Option<String>, key: Option<&Secret>, want: Want) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            directory: std::env::current_dir().ok(),
            model_id,
            key: key.map(|key| key.reveal().to_owned()),
            want,
        }
    }
}
