//! A tool as clients are told of it: in short in a list, which every agent reads before its first word, and whole when it
//! is asked for.
//!
//! A list says of parameters that many tools have only the name (and the type, where they are no text), of those that are
//! seldom needed the name, and the default or the type (not what lies in a list or an object): the instructions say once what the common ones mean,
//! `describe_tool` says the rest. Which these are is marked on the parameters
//! (`contract::mark`). What holds by default is left out. What is accepted and answered is the same.
//!
//! An output schema describes both what a tool answers and a `Fault`, because a tool that fails answers the Fault as
//! structured content and strict clients hold that against the same schema.

use contract::{Effect, ToolSpec, mark};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The tool in short, as `tools/list` answers it.
pub(crate) fn in_short(spec: &ToolSpec) -> Tool {
    let query = spec.effect == Effect::Query && !spec.side_effects;
    // the hints left out are those that hold by default
    let annotations = ToolAnnotations::from_raw(
        None,
        query.then_some(true),
        (!query && !spec.destructive).then_some(false),
        (!query && spec.idempotent).then_some(true),
        (!spec.open_world).then_some(false),
    );
    let mut schema = object_schema(&spec.input_schema);
    // others are refused all the same, with the names that were meant
    schema.remove("additionalProperties");
    shorten_members(&mut schema);
    let tool = Tool::new(spec.name.clone(), spec.description.clone(), Arc::new(schema))
        .with_annotations(annotations);
    match &spec.page {
        Some(page) => tool.with_meta(crate::pages::meta(page)),
        None if spec.for_pages_only => tool.with_meta(crate::pages::meta_of_own()),
        None => tool,
    }
}

/// The tool in short, with the schema of its answer.
pub(crate) fn with_output(spec: &ToolSpec, in_short: &Tool) -> Tool {
    in_short.clone().with_raw_output_schema(Arc::new(output_schema(&spec.output_schema)))
}

/// Returns the parameters of a tool that are of use only with a back end that is not here.
pub(crate) fn not_offered<'s>(spec: &'s ToolSpec, offers: &dyn Fn(&str) -> bool) -> Vec<&'s str> {
    let own = spec.input_schema.get("properties").and_then(Value::as_object);
    let is_missing = |about: &Value| {
        about.get(mark::BACKEND).and_then(Value::as_str).is_some_and(|backend| !offers(backend))
    };
    own.into_iter().flatten().filter(|(_, about)| is_missing(about)).map(|(name, _)| name.as_str()).collect()
}

/// Leaves parameters out of a schema.
pub(crate) fn leave_out(schema: &mut JsonObject, names: &[&str]) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !names.contains(&name.as_str()));
    }
}

/// The schema of a tool's arguments whole, as it is published.
pub(crate) fn whole_input(spec: &ToolSpec, offers: &dyn Fn(&str) -> bool) -> Value {
    let mut schema = object_schema(&spec.input_schema);
    leave_out(&mut schema, &not_offered(spec, offers));
    let mut schema = Value::Object(schema);
    take_off_marks(&mut schema);
    schema
}

/// Makes the members of an object's schema short, and those of what lies in it.
fn shorten_members(schema: &mut JsonObject) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    properties.retain(|_, about| about.get(mark::PAGE).is_none());
    for about in properties.values_mut() {
        let is_common = about.get(mark::COMMON).is_some();
        if let Value::Object(members) = &mut *about
            && (is_common || members.contains_key(mark::SELDOM))
        {
            members.retain(|name, _| ["type", "default"].contains(&name.as_str()));
            // such a parameter is a text unless its type is told, or its default that tells it; the instructions tell
            // of each of the common ones how it is given
            let is_told = members.get("default").is_some_and(|value| value.is_number() || value.is_string());
            let is_plain = |kind: &Value| kind == "string" || (is_common && kind == "boolean");
            if is_told || members.get("type").is_some_and(is_plain) {
                members.remove("type");
            }
        }
        shorten(about);
    }
}

/// Leaves out what holds anyway: of objects that they may have more members, of counts that they are not negative, of
/// what is left out that it is empty, of a list's items and a choice's parts what the whole says.
fn shorten(about: &mut Value) {
    match about {
        Value::Object(members) => {
            members.retain(|name, _| !mark::ALL.contains(&name.as_str()));
            if members.get("additionalProperties").is_some_and(Value::is_boolean) {
                members.remove("additionalProperties");
            }
            if members.get("type").is_some_and(|kind| kind == "integer") {
                members.remove("minimum");
            }
            let is_empty = |value: &Value| {
                *value == json!(false)
                    || *value == json!("")
                    || value.as_object().is_some_and(Map::is_empty)
                    || value.as_array().is_some_and(Vec::is_empty)
            };
            if members.get("default").is_some_and(is_empty) {
                members.remove("default");
            }
            for (name, value) in members.iter_mut() {
                match (name.as_str(), value) {
                    ("items", Value::Object(part)) => drop(part.remove("description")),
                    ("anyOf", Value::Array(parts)) => {
                        for part in parts.iter_mut().filter_map(Value::as_object_mut) {
                            part.remove("description");
                        }
                    }
                    _ => {}
                }
            }
            shorten_members(members);
            for (name, value) in members.iter_mut() {
                if name != "properties" {
                    shorten(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        _ => {}
    }
}

fn take_off_marks(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|name, _| !mark::ALL.contains(&name.as_str()));
            members.values_mut().for_each(take_off_marks);
        }
        Value::Array(items) => items.iter_mut().for_each(take_off_marks),
        _ => {}
    }
}

/// Clients insist on an object schema, also for a tool without parameters.
fn object_schema(schema: &Value) -> JsonObject {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.entry("type").or_insert_with(|| "object".into());
    object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    object
}

/// The tool's own schema, or a Fault: the members required move into an alternative.
fn output_schema(schema: &Value) -> JsonObject {
    let mut object = schema.as_object().cloned().unwrap_or_default();
    object.insert("type".into(), "object".into());
    // a Fault has other members than an answer, so the schema has to stay open
    object.remove("additionalProperties");
    if let Some(required) = object.remove("required")
        && required.as_array().is_some_and(|names| !names.is_empty())
    {
        object.insert("anyOf".into(), json!([{ "required": required }, { "required": ["code", "message"] }]));
    }
    object
}
