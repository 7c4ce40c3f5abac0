//! The clients that are known: where each keeps its servers, and in which form.

use serde_json::{Map, Value, json};
use std::ffi::OsString;
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
}

/// The reach of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// It holds for all that the user of this machine does.
    User,
    /// It holds for the project in the folder that the command is called in.
    Project,
}

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Client {
    /// The word for it on the command line.
    pub(crate) name: &'static str,
    /// Its own name.
    pub(crate) title: &'static str,
    /// The names of its program on the search path, where it has one.
    programs: &'static [&'static str],
    /// The configuration of the user, if there is one: where it is told from, a folder that nobody else makes, its path.
    user: Option<(From, &'static str, &'static str)>,
    /// The configuration of a project, told from its folder, if there is one.
    project: Option<&'static str>,
    pub(super) form: Form,
}

const fn servers(entry: Entry) -> Form {
    Form::Json { member: "mcpServers", entry }
}

/// A client without configurations, which the list below gives it.
const fn client(name: &'static str, title: &'static str, form: Form) -> Client {
    Client { name, title, programs: &[], user: None, project: None, form }
}

impl Client {
    const fn run_as(self, programs: &'static [&'static str]) -> Self {
        Self { programs, ..self }
    }

    const fn of_user(self, from: From, folder: &'static str, path: &'static str) -> Self {
        Self { user: Some((from, folder, path)), ..self }
    }

    const fn of_project(self, path: &'static str) -> Self {
        Self { project: Some(path), ..self }
    }
}

/// Every client that is known, in the order of the alphabet.
pub(crate) const CLIENTS: [Client; 15] = [
    client("agents-file", "coding agents", Form::Section).of_project("AGENTS.md"),
    client("claude-code", "Claude Code", servers(Entry::Typed))
        .run_as(&["claude"])
        .of_user(From::Home, ".claude", ".claude.json")
        .of_project(".mcp.json"),
    client("claude-desktop", "Claude Desktop", servers(Entry::Plain)).of_user(
        From::Settings,
        "Claude",
        "Claude/claude_desktop_config.json",
    ),
    client("cline", "Cline", servers(Entry::Plain)).of_user(
        From::Settings,
        "Code/User/globalStorage/saoudrizwan.claude-dev",
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ),
    client("codex", "Codex", Form::Toml("mcp_servers")).run_as(&["codex"]).of_user(
        From::Home,
        ".codex",
        ".codex/config.toml",
    ),
    client("continue", "Continue", Form::Yaml)
        .of_user(From::Home, ".continue", ".continue/mcpServers/pensaer.yaml")
        .of_project(".continue/mcpServers/pensaer.yaml"),
    client("cursor", "Cursor", servers(Entry::Plain))
        .run_as(&["cursor", "cursor-agent"])
        .of_user(From::Home, ".cursor", ".cursor/mcp.json")
        .of_project(".cursor/mcp.json"),
    client("gemini", "Gemini CLI", servers(Entry::Plain))
        .run_as(&["gemini"])
        .of_user(From::Home, ".gemini", ".gemini/settings.json")
        .of_project(".gemini/settings.json"),
    client("kiro", "Kiro", servers(Entry::Plain))
        .run_as(&["kiro"])
        .of_user(From::Home, ".kiro", ".kiro/settings/mcp.json")
        .of_project(".kiro/settings/mcp.json"),
    client("lm-studio", "LM Studio", servers(Entry::Plain)).of_user(
        From::Home,
        ".lmstudio",
        ".lmstudio/mcp.json",
    ),
    client("opencode", "opencode", Form::Json { member: "mcp", entry: Entry::CommandList })
        .run_as(&["opencode"])
        .of_user(From::Home, ".config/opencode", ".config/opencode/opencode.json")
        .of_project("opencode.json"),
    client("roo", "Roo Code", servers(Entry::Plain))
        .of_user(
            From::Settings,
            "Code/User/globalStorage/rooveterinaryinc.roo-cline",
            "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        )
        .of_project(".roo/mcp.json"),
    client("vscode", "Visual Studio Code", Form::Json { member: "servers", entry: Entry::Typed })
        .run_as(&["code"])
        .of_user(From::Settings, "Code", "Code/User/mcp.json")
        .of_project(".vscode/mcp.json"),
    client("windsurf", "Windsurf", servers(Entry::Plain)).run_as(&["windsurf"]).of_user(
        From::Home,
        ".codeium/windsurf",
        ".codeium/windsurf/mcp_config.json",
    ),
    client("zed", "Zed", Form::Json { member: "context_servers", entry: Entry::Plain })
        .run_as(&["zed", "zeditor"])
        .of_user(From::Settings, "zed", "zed/settings.json")
        .of_project(".zed/settings.json"),
];

/// The folders that configurations lie in, and where programs are looked for.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    pub(super) home: PathBuf,
    pub(super) settings: PathBuf,
    pub(super) project: PathBuf,
    /// The search path of programs.
    pub(super) programs: Option<OsString>,
}

impl Folders {
    fn at(&self, from: From) -> &Path {
        match from {
            From::Home => &self.home,
            From::Settings => &self.settings,
        }
    }
}

impl Client {
    /// Returns the client of a name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        CLIENTS.into_iter().find(|client| client.name == name)
    }

    /// Returns the path of its configuration of a scope; none if it has none of it.
    pub(crate) fn file(self, scope: Scope, folders: &Folders) -> Option<PathBuf> {
        match scope {
            Scope::User => self.user.map(|(from, _, path)| folders.at(from).join(path)),
            Scope::Project => self.project.map(|path| folders.project.join(path)),
        }
    }

    /// Returns the scope of what is written where nobody says which: the user's, where there is one.
    pub(super) fn usual(self) -> Scope {
        if self.user.is_some() { Scope::User } else { Scope::Project }
    }

    /// True if it seems to be installed: its program is on the search path, or there is a folder that only it makes.
    pub(crate) fn is_here(self, folders: &Folders) -> bool {
        let found = |program: &&str| {
            which::which_in_global(program, folders.programs.as_ref())
                .is_ok_and(|mut all| all.next().is_some())
        };
        self.programs.iter().any(found)
            || self.user.is_some_and(|(from, folder, _)| folders.at(from).join(folder).is_dir())
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
