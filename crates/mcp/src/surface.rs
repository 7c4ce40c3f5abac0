//! The catalogue as MCP tools: built once, shared by every connection, filtered by server.
//!
//! An output schema published here describes both what a tool answers and a `Fault`, because a tool that fails answers
//! the Fault as structured content and strict clients hold that against the same schema.
//!
//! The energy server has many small tools, whose list every agent reads before its first word. It is told in short: what its
//! instructions say once of all tools is not said again with each (`brief`). What is accepted and answered is the same.

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
        let tools: Arc<[Tool]> = specs
            .iter()
            .filter(|spec| server.is_none_or(|s| spec.is_on(s)))
            .map(|spec| tool(spec, server))
            .collect();
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

fn tool(spec: &ToolSpec, server: Option<Server>) -> Tool {
    if server == Some(Server::Energy) {
        return brief(spec);
    }
    let query = spec.effect == Effect::Query;
    let annotations = ToolAnnotations::from_raw(
        None,
        Some(query),
        // the two below say something only of tools that write; a reader's are left out
        (!query).then_some(spec.destructive),
        (!query).then_some(spec.idempotent),
        Some(false),
    );
    let tool = Tool::new(spec.name.clone(), spec.description.clone(), input_schema(&spec.input_schema))
        .with_title(spec.title.clone())
        .with_raw_output_schema(output_schema(&spec.output_schema))
        .with_annotations(annotations);
    match &spec.page {
        Some(page) => tool.with_meta(crate::pages::meta(page)),
        None => tool,
    }
}

/// A tool in short: no answer's schema, no title that only repeats the name, and of the parameters that many tools have only the
/// names.
fn brief(spec: &ToolSpec) -> Tool {
    let query = spec.effect == Effect::Query;
    // the hints left out are those that hold by default
    let annotations = ToolAnnotations::from_raw(
        None,
        query.then_some(true),
        (!query && !spec.destructive).then_some(false),
        (!query && spec.idempotent).then_some(true),
        Some(false),
    );
    let mut schema = Arc::unwrap_or_clone(input_schema(&spec.input_schema));
    // others are refused all the same, with the names that were meant
    schema.remove("additionalProperties");
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, about| !(COMMON.contains(&name.as_str()) && is_common(about)));
        properties.retain(|_, about| !is_for_pages(about));
        properties.values_mut().for_each(leave_out_defaults);
    }
    let tool = Tool::new(spec.name.clone(), spec.description.clone(), Arc::new(schema))
        .with_annotations(annotations);
    match &spec.page {
        Some(page) => tool.with_meta(crate::pages::meta(page)),
        None => tool,
    }
}

/// What a schema says that holds anyway: of objects that they may have more members, of counts that they are not negative, of
/// what is left out that it is empty, of a list's items what the list says.
fn leave_out_defaults(about: &mut Value) {
    match about {
        Value::Object(members) => {
            if members.get("additionalProperties") == Some(&Value::Bool(true)) {
                members.remove("additionalProperties");
            }
            if members.get("type").is_some_and(|kind| kind == "integer") {
                members.remove("minimum");
            }
            let is_empty = |value: &Value| {
                *value == json!(false) || *value == json!("") || value.as_object().is_some_and(Map::is_empty)
            };
            if members.get("default").is_some_and(is_empty) {
                members.remove("default");
            }
            if let Some(Value::Object(items)) = members.get_mut("items") {
                items.remove("description");
            }
            members.values_mut().for_each(leave_out_defaults);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_defaults),
        _ => {}
    }
}

/// Parameters that every tool on a model has, or every tool that changes something; the instructions name them once.
const COMMON: [&str; 5] = ["model_id", "model_version", "reasoning", "idempotency_key", "dry_run"];
/// What is said of them where they are those.
const SAID: [&str; 4] =
    ["Default: the newest.", "Why, for the audit log.", "Makes a retry safe.", "Only preview."];

/// Whether a parameter is the one that all tools have, and not one of the tool's own of the same name.
fn is_common(about: &Value) -> bool {
    let text = about.get("description").and_then(Value::as_str).unwrap_or_default();
    text.starts_with("Id or name; default") || SAID.contains(&text)
}

/// Whether a parameter is given by pages alone.
fn is_for_pages(about: &Value) -> bool {
    about.get("description").and_then(Value::as_str).is_some_and(|text| text.starts_with("For the page"))
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
