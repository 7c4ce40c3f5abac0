//! The description of a tool: what agents read, what transports publish, what policy decides on.

use crate::{Action, Condition, Effect, ModelKind, Needs, OperationInfo, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A set of tools that is offered as one MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Server {
    /// Files, versions, sessions, retrieval, code.
    Model,
    /// Create and change elements.
    Geometry,
    /// Spatial analysis.
    Spatial,
    /// Checks.
    Validation,
    /// Schedules, drawings, exports.
    Documentation,
    /// Documents, classes, graph.
    Knowledge,
    /// EnergyPlus models.
    Energy,
    /// Who may what, approvals, audit.
    Governance,
    /// Links and pictures.
    Viewer,
}

impl Server {
    /// Every server, in the order they are listed.
    pub const ALL: [Self; 9] = [
        Self::Model,
        Self::Geometry,
        Self::Spatial,
        Self::Validation,
        Self::Documentation,
        Self::Knowledge,
        Self::Energy,
        Self::Governance,
        Self::Viewer,
    ];

    /// The name in `/mcp/<server>` and `pensaer mcp <server>`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Geometry => "geometry",
            Self::Spatial => "spatial",
            Self::Validation => "validation",
            Self::Documentation => "documentation",
            Self::Knowledge => "knowledge",
            Self::Energy => "energy",
            Self::Governance => "governance",
            Self::Viewer => "viewer",
        }
    }

    /// The kind of model that its tools work on.
    pub fn kind(self) -> ModelKind {
        match self {
            Self::Energy => ModelKind::EnergyPlus,
            _ => ModelKind::Ifc,
        }
    }

    /// The server of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|server| server.as_str() == name)
    }
}

/// Marks on a parameter's schema: how much of it a list of tools tells. They are taken off before anything is published.
pub mod mark {
    /// Every tool of a kind has this parameter; lists give its name and type, instructions what it means.
    pub const COMMON: &str = "x-common";
    /// Seldom needed: lists give its name and type, the description of the tool all of it.
    pub const SELDOM: &str = "x-seldom";
    /// Given by pages in a chat alone; agents are not told of it.
    pub const PAGE: &str = "x-page";
    /// Of use only where the back end that the mark names is here; elsewhere agents are not told of it.
    pub const BACKEND: &str = "x-backend";
    /// Every mark.
    pub const ALL: [&str; 4] = [COMMON, SELDOM, PAGE, BACKEND];
}

/// A call that is run as a test and shown to readers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolExample {
    /// Its title.
    pub title: String,
    /// The arguments.
    pub arguments: Value,
}

/// A tool as transports, policy and documentation see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolSpec {
    /// `verb_noun`.
    pub name: String,
    /// A few words for people.
    pub title: String,
    /// The server it belongs to.
    pub server: Server,
    /// Servers that list it besides, because their tools are of no use without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_on: Vec<Server>,
    /// The sets it is listed with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub toolsets: Vec<Toolset>,
    /// The description that agents read: one line, plus what is needed.
    pub description: String,
    /// Query, create or modify.
    pub effect: Effect,
    /// True if it removes or overwrites.
    pub destructive: bool,
    /// True if a second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// True if a call does more than read though it changes no model: it writes a file, makes a link, moves the session.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub side_effects: bool,
    /// True if it reaches beyond this system, into the network.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open_world: bool,
    /// The condition under which a call only reads, where the tool can be held to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads_when: Option<Condition>,
    /// All that it needs beside its arguments.
    pub needs: Needs,
    /// True if service runs it (true) or an exec worker does (false).
    pub platform: bool,
    /// The action that a caller has to be granted, where that is not what the effect says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// The page that shows its answer in a chat (`ui://…`), where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// True if pages in a chat call it, and no agent is told of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub for_pages_only: bool,
    /// JSON Schema of its arguments, the common ones included, with the marks of [`mark`].
    pub input_schema: Value,
    /// JSON Schema of its structured answer.
    pub output_schema: Value,
    /// Calls that run as tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<ToolExample>,
}

impl ToolSpec {
    /// True if a server lists it.
    pub fn is_on(&self, server: Server) -> bool {
        self.server == server || self.also_on.contains(&server)
    }

    /// The entry in the `/info` of an adapter that resolves it.
    pub fn operation_info(&self) -> OperationInfo {
        OperationInfo::new(&self.name, self.effect, &self.input_schema, &self.output_schema)
    }

    /// Returns the action that a call with these arguments has to be granted.
    pub fn action_of(&self, arguments: &Value) -> Action {
        self.action.unwrap_or_else(|| Action::for_effect(self.effect_of(arguments)))
    }

    /// Returns the effect of one call: a tool that can be held to reading reads where its condition says so, and one that may begin a
    /// new model creates it.
    pub fn effect_of(&self, arguments: &Value) -> Effect {
        if self.reads_when.as_ref().is_some_and(|reads| reads.holds(arguments)) {
            Effect::Query
        } else if self.needs.new_when.as_ref().is_some_and(|new| new.holds(arguments)) {
            Effect::Create
        } else {
            self.effect
        }
    }
}
