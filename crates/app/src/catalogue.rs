//! The tools of this program: as the service takes them, and as `pensaer tools` prints them.

use crate::cli::Tools;
use anyhow::{Context, Result};
use contract::{Server, ToolSpec};
use serde_json::Value;
use service::{Catalogue, Entry};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use tools::{Body, catalogue};

/// The catalogue, with the bodies of those tools that the platform runs.
pub(crate) fn entries() -> Catalogue {
    Catalogue::new(catalogue().into_iter().map(|tool| Entry {
        spec: Arc::new(tool.spec),
        body: match tool.body {
            Body::Platform(body) => Some(body),
            Body::Ifc(_) | Body::Energy(_) | Body::Adapter => None,
        },
        event: tool.event,
    }))
}

/// `pensaer tools`.
pub(crate) fn list(options: &Tools) -> Result<ExitCode> {
    let server = match &options.server {
        Some(name) => Some(Server::from_name(name).with_context(|| format!("there is no server {name}"))?),
        None => None,
    };
    let tools = catalogue().into_iter().map(|tool| tool.spec).chain(mcp::discovery_specs());
    let specs: Vec<ToolSpec> = tools.filter(|spec| server.is_none_or(|s| spec.is_on(s))).collect();
    let text = if options.json {
        serde_json::to_string_pretty(&specs)? + "\n"
    } else if options.markdown {
        markdown(&specs)
    } else {
        specs.iter().fold(String::new(), |mut text, spec| {
            let _ = writeln!(
                text,
                "{:<14} {:<24} {}",
                spec.server.as_str(),
                spec.name,
                first_line(&spec.description)
            );
            text
        })
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The reference in docs/tools.md.
pub(crate) fn markdown(specs: &[ToolSpec]) -> String {
    let mut text = String::from(
        "# The tools\n\nWritten by `pensaer tools --markdown` from the catalogue; not edited by hand. `*` marks what a call \
         must give.\n",
    );
    for server in Server::ALL {
        let mut of_server = specs.iter().filter(|spec| spec.server == server).peekable();
        if of_server.peek().is_none() {
            continue;
        }
        let _ = writeln!(text, "\n## {}", server.as_str());
        for spec in of_server {
            let _ = write!(text, "\n### {}\n\n{}\n", spec.name, spec.description.trim());
            parameters(&mut text, &spec.input_schema);
            for example in &spec.examples {
                let arguments = serde_json::to_string(&example.arguments).unwrap_or_default();
                let _ = write!(text, "\n{}:\n\n```json\n{arguments}\n```\n", example.title);
            }
        }
    }
    text
}

fn parameters(text: &mut String, schema: &Value) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|map| !map.is_empty())
    else {
        return;
    };
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    text.push_str("\n| parameter | type | meaning |\n| --- | --- | --- |\n");
    for (name, property) in properties {
        let star = if required.contains(&name.as_str()) { "*" } else { "" };
        let meaning = property.get("description").and_then(Value::as_str).unwrap_or_default();
        let default = match property.get("default") {
            Some(value) => format!(" Default: `{value}`."),
            None => String::new(),
        };
        let meaning = format!("{meaning}{default}").replace('\n', " ").replace('|', "\\|");
        let _ = writeln!(text, "| `{name}`{star} | {} | {meaning} |", type_of(property).replace('|', "\\|"));
    }
}

/// A schema's type in a word or two.
fn type_of(schema: &Value) -> String {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return values
            .iter()
            .map(|v| format!("`{}`", v.as_str().map_or_else(|| v.to_string(), str::to_owned)))
            .collect::<Vec<_>>()
            .join(", ");
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(options) = schema.get(key).and_then(Value::as_array) {
            let mut names: Vec<String> = options.iter().map(type_of).collect();
            names.dedup();
            return names.join(" or ");
        }
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("array") => match schema.get("items") {
            Some(items) => format!("list of {}", type_of(items)),
            None => "list".to_owned(),
        },
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}
