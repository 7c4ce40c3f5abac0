//! The choice of tools that a client is shown when it connects: one server's, the usual ones of all servers, the few for agents who
//! write code, or all. What may be called is the same everywhere; policy decides that.

use contract::{Server, Toolset};

/// A server by its name, or a selection of tools from all of them: what a client connects to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The tools of all servers that most work on buildings needs: `/mcp`.
    Usual,
    /// The tools of one server: `/mcp/<server>`.
    Server(Server),
    /// The few tools that suffice for agents who write code: `/mcp/code`.
    Code,
    /// Every tool: `/mcp/all`.
    All,
}

/// There is no server or profile of this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProfile(
    /// The name asked for.
    pub String,
);

impl std::fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = Server::ALL.iter().map(|server| server.as_str()).collect();
        write!(
            f,
            "There is no server `{}`. Servers are {}; `code` has the few tools for agents who write code, `all` has \
             every tool, and without a name you get the usual ones.",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownProfile {}

impl Profile {
    /// Every profile.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Usual, Self::Code, Self::All].into_iter().chain(Server::ALL.into_iter().map(Self::Server))
    }

    /// The profile of this name; the usual tools for no name or an empty one.
    pub fn from_name(name: Option<&str>) -> Result<Self, UnknownProfile> {
        match name {
            None | Some("") => Ok(Self::Usual),
            Some("code") => Ok(Self::Code),
            Some("all") => Ok(Self::All),
            Some(name) => {
                Server::from_name(name).map(Self::Server).ok_or_else(|| UnknownProfile(name.to_owned()))
            }
        }
    }

    /// The name in its address; none for the usual tools.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Usual => None,
            Self::Server(server) => Some(server.as_str()),
            Self::Code => Some("code"),
            Self::All => Some("all"),
        }
    }

    /// The server this is, if it is one.
    pub fn server(self) -> Option<Server> {
        match self {
            Self::Server(server) => Some(server),
            Self::Usual | Self::Code | Self::All => None,
        }
    }

    /// The sets that are listed without being asked for; of a server, its own tools in them.
    pub fn toolsets(self) -> &'static [Toolset] {
        match self {
            Self::Usual => &Toolset::USUAL,
            Self::Code => &[Toolset::Code],
            Self::Server(Server::Model) => &[Toolset::Model],
            Self::Server(Server::Geometry) => &[Toolset::Geometry],
            Self::Server(Server::Validation) => &[Toolset::Validation, Toolset::Compliance],
            Self::Server(Server::Energy) => &[
                Toolset::Model,
                Toolset::Validation,
                Toolset::Knowledge,
                Toolset::Energy,
                Toolset::Results,
                Toolset::Weather,
            ],
            Self::Server(_) | Self::All => &Toolset::ALL,
        }
    }
}
