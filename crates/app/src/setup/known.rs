//! The clients that are known: where each keeps its servers, and in which form.

use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The name under which a client lists the server.
pub(super) const SERVER: &str = "pensaer";

/// The form of a client's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON with the servers under a member.
    Json {
        /// That member.
        member: &'static str,
        /// The shape of a server in it.
        entry: Entry,
    },
    /// TOML with a table for each server within this one.
    Toml(&'static str),
    /// A file of its own for each server, in YAML with a list of servers.
    Yaml,
    /// A section in a Markdown file of instructions for coding agents, which starts nothing.
    Section,
}

/// The shape of a server in a configuration in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// `{command, args, env}`.
    Plain,
    /// The same with `type: "stdio"`.
    Typed,
    /// `{type: "local", command: [program, arguments …], environment, enabled}`.
    CommandList,
}

/// The folder that the path of a configuration is told from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// The user's home.
    Home,
    /// The folder for settings of programs: `~/.config`, on macOS `~/Library/Application Support`, on Windows `%APPDATA%`.
    Settings,
    /// The folder that the command is called in: the configuration holds for the project there.
    Project,
}

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Client {
    /// The word for it on the command line.
    pub(super) name: &'static str,
    /// Its own name.
    pub(super) title: &'static str,
    pub(super) from: From,
    /// The path of the configuration in that folder.
    path: &'static str,
    pub(super) form: Form,
}

const fn servers(entry: Entry) -> Form {
    Form::Json { member: "mcpServers", entry }
}

/// Every client that is known, in the order of the alphabet.
pub(super) const CLIENTS: [Client; 15] = [
    client("agents-file", "coding agents", From::Project, "AGENTS.md", Form::Section),
    client("claude-code", "Claude Code", From::Project, ".mcp.json", servers(Entry::Typed)),
    client(
        "claude-desktop",
        "Claude Desktop",
        From::Settings,
        "Claude/claude_desktop_config.json",
        servers(Entry::Plain),
    ),
    client(
        "cline",
        "Cline",
        From::Settings,
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        servers(Entry::Plain),
    ),
    client("codex", "Codex", From::Home, ".codex/config.toml", Form::Toml("mcp_servers")),
    client("continue", "Continue", From::Home, ".continue/mcpServers/pensaer.yaml", Form::Yaml),
    client("cursor", "Cursor", From::Home, ".cursor/mcp.json", servers(Entry::Plain)),
    client("gemini", "Gemini CLI", From::Home, ".gemini/settings.json", servers(Entry::Plain)),
    client("kiro", "Kiro", From::Home, ".kiro/settings/mcp.json", servers(Entry::Plain)),
    client("lm-studio", "LM Studio", From::Home, ".lmstudio/mcp.json", servers(Entry::Plain)),
    client(
        "opencode",
        "opencode",
        From::Home,
        ".config/opencode/opencode.json",
        Form::Json { member: "mcp", entry: Entry::CommandList },
    ),
    client("roo", "Roo Code", From::Project, ".roo/mcp.json", servers(Entry::Plain)),
    client(
        "vscode",
        "Visual Studio Code",
        From::Project,
        ".vscode/mcp.json",
        Form::Json { member: "servers", entry: Entry::Typed },
    ),
    client("windsurf", "Windsurf", From::Home, ".codeium/windsurf/mcp_config.json", servers(Entry::Plain)),
    client(
        "zed",
        "Zed",
        From::Settings,
        "zed/settings.json",
        Form::Json { member: "context_servers", entry: Entry::Plain },
    ),
];

const fn client(
    name: &'static str,
    title: &'static str,
    from: From,
    path: &'static str,
    form: Form,
) -> Client {
    Client { name, title, from, path, form }
}

/// The folders that configurations lie in.
#[derive(Debug, Clone)]
pub(super) struct Folders {
    pub(super) home: PathBuf,
    pub(super) settings: PathBuf,
    pub(super) project: PathBuf,
}

impl Folders {
    fn at(&self, from: From) -> &Path {
        match from {
            From::Home => &self.home,
            From::Settings => &self.settings,
            From::Project => &self.project,
        }
    }
}

impl Client {
    /// Returns the client of a name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        CLIENTS.into_iter().find(|client| client.name == name)
    }

    /// Returns the path of its configuration.
    pub(super) fn file(self, folders: &Folders) -> PathBuf {
        folders.at(self.from).join(self.path)
    }

    /// True if it seems to be installed: the folder of its configuration is there. Of one whose configuration is a project's nobody can say.
    pub(super) fn is_here(self, folders: &Folders) -> bool {
        let first = Path::new(self.path).components().next();
        self.from != From::Project && first.is_some_and(|first| folders.at(self.from).join(first).is_dir())
    }
}

/// A server as it is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Started {
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
    pub(super) variables: Vec<(String, String)>,
}

impl Started {
    /// Returns it as a member of a configuration in JSON.
    pub(super) fn json(&self, entry: Entry) -> Value {
        let variables: Map<String, Value> =
            self.variables.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        let mut made = match entry {
            Entry::Plain => json!({ "command": self.program, "args": self.arguments }),
            Entry::Typed => json!({ "type": "stdio", "command": self.program, "args": self.arguments }),
            Entry::CommandList => {
                let command: Vec<&String> = std::iter::once(&self.program).chain(&self.arguments).collect();
                json!({ "type": "local", "command": command, "enabled": true })
            }
        };
        let name = if entry == Entry::CommandList { "environment" } else { "env" };
        if let (Value::Object(members), false) = (&mut made, variables.is_empty()) {
            members.insert(name.into(), variables.into());
        }
        made
    }

    /// Returns it as a table of a configuration in TOML.
    pub(super) fn toml(&self) -> toml::Table {
        let text = |text: &String| toml::Value::String(text.clone());
        let mut table = toml::Table::new();
        table.insert("command".into(), text(&self.program));
        table.insert("args".into(), toml::Value::Array(self.arguments.iter().map(text).collect()));
        if !self.variables.is_empty() {
            let variables = self.variables.iter().map(|(name, value)| (name.clone(), text(value)));
            table.insert("env".into(), toml::Value::Table(variables.collect()));
        }
        table
    }

    /// Returns it as a file of its own in YAML. Every text is in double quotes, as JSON writes it, which YAML reads alike.
    pub(super) fn yaml(&self) -> String {
        let mut text = format!(
            "name: Pensaer\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: {SERVER}\n    type: stdio\n    command: {}\n    args: {}\n",
            json!(self.program),
            json!(self.arguments)
        );
        if !self.variables.is_empty() {
            text.push_str("    env:\n");
            for (name, value) in &self.variables {
                let _ = writeln!(text, "      {name}: {}", json!(value));
            }
        }
        text
    }
}
