//! JSON Schemas of the contract, generated from its types and published in `schemas/`.

use crate::{Artifact, ChatArtifact, DiffRaw, DiffSummary, Fault, HostInfo, Manifest, Request, ToolSpec};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

/// The JSON Schema (2020-12) of a type that is read, self-contained, in the form that strict clients accept.
pub fn schema_of<T: JsonSchema>() -> Value {
    tidy_root::<T>(settings())
}

/// The same of a type that is answered, with nulls left out: a member is required that neither serde nor being null leaves
/// out.
pub fn answer_schema_of<T: JsonSchema>() -> Value {
    let mut schema = tidy_root::<T>(settings());
    keep_required(&mut schema, &tidy_root::<T>(settings().for_serialize()));
    schema
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|s| {
        s.meta_schema = None;
        s.inline_subschemas = true;
    })
}

fn tidy_root<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tidy_schema(&mut schema);
    schema
}

/// Requires what is required both when the type is read (an option is not) and when it is written (what serde skips is not).
fn keep_required(read: &mut Value, written: &Value) {
    match (read, written) {
        (Value::Object(read), written) => {
            if let Some(Value::Array(names)) = read.get_mut("required") {
                let others = written.get("required").and_then(Value::as_array);
                names.retain(|name| others.is_some_and(|others| others.contains(name)));
            }
            if read.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
                read.remove("required");
            }
            for (name, value) in read.iter_mut() {
                if let Some(other) = written.get(name) {
                    keep_required(value, other);
                }
            }
        }
        (Value::Array(read), Value::Array(written)) => {
            for (value, other) in read.iter_mut().zip(written) {
                keep_required(value, other);
            }
        }
        _ => {}
    }
}

/// Rewrites what strict clients warn about: `["string", "null"]` becomes `string` (absent means null here), a choice
/// of constants becomes an `enum`, Rust's number formats go, `null` leaves enumerations, and titles and empty defaults that say nothing are dropped.
pub fn tidy_schema(schema: &mut Value) {
    match schema {
        Value::Object(map) => tidy_object(map),
        Value::Array(items) => items.iter_mut().for_each(tidy_schema),
        _ => {}
    }
}

fn tidy_object(map: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|t| t != "null");
        if types.len() == 1 {
            let only = types.remove(0);
            map.insert("type".into(), only);
        }
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(Value::Array(options)) = map.get_mut(key) {
            options.retain(|o| o.get("type") != Some(&Value::from("null")));
            if options.len() == 1
                && let Value::Object(only) = options.remove(0)
            {
                map.remove(key);
                for (name, value) in only {
                    map.entry(name).or_insert(value);
                }
            }
        }
    }
    if let Some(Value::Array(options)) = map.get("oneOf") {
        let names: Vec<Vec<Value>> = options.iter().map(named_values).collect();
        if !names.is_empty() && names.iter().all(|values| !values.is_empty()) {
            map.remove("oneOf");
            map.insert("type".into(), "string".into());
            map.insert("enum".into(), Value::Array(names.concat()));
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|v| !v.is_null());
    }
    const FORMATS: [&str; 10] =
        ["uint8", "uint16", "uint32", "uint64", "uint", "int8", "int16", "int32", "int64", "float"];
    if let Some(Value::String(format)) = map.get("format")
        && (FORMATS.contains(&format.as_str()) || format == "double" || format == "int")
    {
        map.remove("format");
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    let is_schema = map.contains_key("type") || map.contains_key("properties") || map.contains_key("anyOf");
    if is_schema && map.get("title").is_some_and(Value::is_string) {
        map.remove("title");
    }
    for value in map.values_mut() {
        tidy_schema(value);
    }
}

/// The strings that one option of a `oneOf` allows, if it allows nothing else.
fn named_values(option: &Value) -> Vec<Value> {
    match (option.get("const"), option.get("enum").and_then(Value::as_array)) {
        (Some(name @ Value::String(_)), _) => vec![name.clone()],
        (None, Some(names)) if names.iter().all(Value::is_string) => names.clone(),
        _ => Vec::new(),
    }
}

/// File name and schema of everything that crosses a process boundary, and the description of the interface as a whole.
pub fn published_schemas() -> Vec<(&'static str, Value)> {
    let full = |value: Value, title: &str| {
        let mut map = Map::new();
        map.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        map.insert("title".into(), title.into());
        if let Value::Object(rest) = value {
            map.extend(rest);
        }
        Value::Object(map)
    };
    vec![
        ("request.json", full(schema_of::<Request>(), "Request")),
        ("artifact.json", full(schema_of::<Artifact>(), "Artifact")),
        ("manifest.json", full(schema_of::<Manifest>(), "Manifest")),
        ("diff-raw.json", full(schema_of::<DiffRaw>(), "DiffRaw")),
        ("diff-summary.json", full(schema_of::<DiffSummary>(), "DiffSummary")),
        ("chat-artifact.json", full(schema_of::<ChatArtifact>(), "ChatArtifact")),
        ("fault.json", full(schema_of::<Fault>(), "Fault")),
        ("info.json", full(schema_of::<HostInfo>(), "HostInfo")),
        ("tool-spec.json", full(schema_of::<ToolSpec>(), "ToolSpec")),
        ("operations.json", crate::ops::operations_document()),
        ("openapi.json", crate::openapi_document()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_published_schemas_are_those_of_the_types() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
        for (name, schema) in published_schemas() {
            let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
            let path = folder.join(name);
            let published = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(published == text, "schemas/{name} is not current: run `cargo xtask codegen`");
        }
    }

    #[test]
    fn an_optional_field_is_not_a_union_with_null() {
        let text = schema_of::<crate::ModelInput>().to_string();
        assert!(!text.contains("null"), "{text}");
    }
}
