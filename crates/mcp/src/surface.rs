//! The catalogue as MCP tools: built once, shared by every connection, filtered by server.
//!
//! An output schema published here describes both what a tool answers and a `Fault`, because a tool that fails answers
//! the Fault as structured content and strict clients hold that against the same schema.

use crate::instructions::instructions;
use contract::{Effect, Server, ToolSpec};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// There is no server of this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownServer(
    /// The name asked for.
    pub String,
);

impl std::fmt::Display for UnknownServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = Server::ALL.iter().map(|server| server.as_str()).collect();
        write!(
            f,
            "There is no server `{}`. Servers are {}; without a name you get all of them.",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownServer {}

/// One server's tools: what `tools/list` answers, and what may be called.
#[derive(Debug)]
pub struct Surface {
    server: Option<Server>,
    tools: Arc<[Tool]>,
    by_name: HashMap<String, usize>,
    instructions: String,
}

impl Surface {
    /// The tools of `server`, or all of them.
    pub fn new(specs: &[Arc<ToolSpec>], server: Option<Server>) -> Self {
        let tools: Arc<[Tool]> =
            specs.iter().filter(|spec| server.is_none_or(|s| spec.is_on(s))).map(|spec| tool(spec)).collect();
        let by_name = tools.iter().enumerate().map(|(i, tool)| (tool.name.to_string(), i)).collect();
        Self { server, tools, by_name, instructions: instructions(server) }
    }

    /// The server of this name; of all tools for no name, an empty one, or `all`.
    pub fn server_named(name: Option<&str>) -> Result<Option<Server>, UnknownServer> {
        match name {
            None | Some("" | "all") => Ok(None),
            Some(name) => Server::from_name(name).map(Some).ok_or_else(|| UnknownServer(name.to_owned())),
        }
    }

    /// The server this is, if it is one of them.
    pub fn server(&self) -> Option<Server> {
        self.server
    }

    /// The tools in the order of the catalogue.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// One tool.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.by_name.get(name).and_then(|&i| self.tools.get(i))
    }

    /// What agents are told before the first call.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }

    /// The names most like `name`, the nearest first; for the answer to a call of a tool that is not here.
    pub fn near(&self, name: &str) -> Vec<String> {
        let wanted: Vec<&str> = name.split('_').collect();
        let mut scored: Vec<(usize, &str)> = self
            .tools
            .iter()
            .map(|tool| {
                let shared = tool.name.split('_').filter(|part| wanted.contains(part)).count();
                (shared, tool.name.as_ref())
            })
            .filter(|(shared, _)| *shared > 0)
            .collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        scored.into_iter().take(5).map(|(_, name)| name.to_owned()).collect()
    }
}

fn tool(spec: &ToolSpec) -> Tool {
    let query = spec.effect == Effect::Query;
    let annotations = ToolAnnotations::from_raw(
        None,
        Some(query),
        // the two below say something only of tools that write; a reader's are left out
        (!query).then_some(spec.destructive),
        (!query).then_some(spec.idempotent),
        Some(false),
    );
    Tool::new(spec.name.clone(), spec.description.clone(), input_schema(&spec.input_schema))
        .with_title(spec.title.clone())
        .with_raw_output_schema(output_schema(&spec.output_schema))
        .with_annotations(annotations)
}

/// Clients insist on an object schema, also for a tool without parameters.
fn input_schema(schema: &Value) -> Arc<JsonObject> {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.entry("type").or_insert_with(|| "object".into());
    object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    Arc::new(object)
}

/// The tool's own schema, or a Fault: the members required move into an alternative.
fn output_schema(schema: &Value) -> Arc<JsonObject> {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.insert("type".into(), "object".into());
    // a Fault has other members than an answer, so the schema has to stay open
    object.remove("additionalProperties");
    if let Some(required) = object.remove("required")
        && required.as_array().is_some_and(|names| !names.is_empty())
    {
        object.insert("anyOf".into(), json!([{ "required": required }, { "required": ["code", "message"] }]));
    }
    Arc::new(object)
}
