//! The reference of the tools, docs/tools.md, written from the catalogue. `cargo xtask codegen` writes it; a test here says when
//! it is stale.

use contract::{Effect, Server, ToolSpec, Toolset, mark};
use mcp::Profile;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// The answers to the first example of each tool; the tests of examples hold them against what the tools answer.
const ANSWERS: &str = include_str!("answers.json");

const HEAD: &str = "\
# The tools

Written by `pensaer tools --markdown` from the catalogue, not by hand: `cargo xtask codegen` writes it anew. `*` marks what a call
must give.

Every tool on a model also takes `model_id` (id or name; default: the session's) and `model_version` (a version, its first
digits, or a branch; default: the newest). Every tool that changes something also takes `reasoning` (why, for the audit log),
`idempotency_key` (makes a retry safe) and `dry_run` (only a preview), and answers `status`, `event_id`, `model_id`,
`model_version` and `changes`. Those that may take long also take `as_job` (answers a `job_id` at once; `get_job` has the
answer). Any answer may have `links`. An error is a Fault with `code`, `message` and `data`.

## What is listed

A list of tools is read by every agent before its first word, so it begins with the sets that most work needs. What is not
listed can be called all the same: `search_tools` finds it, `describe_tool` tells it whole, `enable_toolset` lists a set for
the session (with `notifications/tools/list_changed`). Clients without sessions name sets in the address
(`/mcp?toolsets=versions,branches`), others may (`pensaer mcp --toolsets versions,branches`). Lists leave the schemas of answers
out unless they are asked for (`/mcp?output_schemas=true`, `pensaer mcp --output-schemas`).

";

/// The reference of these tools.
pub(crate) fn markdown(specs: &[ToolSpec]) -> String {
    let mut text = HEAD.to_owned();
    text.push_str("| address | command | sets listed |\n| --- | --- | --- |\n");
    for profile in Profile::all() {
        let own = |spec: &&ToolSpec| profile.server().is_none_or(|server| spec.is_on(server));
        let listed = |set: &&Toolset| specs.iter().filter(own).any(|spec| spec.toolsets.contains(set));
        let sets: Vec<&str> = profile.toolsets().iter().filter(listed).map(|set| set.as_str()).collect();
        let sets = match profile {
            Profile::All => "every tool".to_owned(),
            _ if sets.is_empty() => continue,
            _ => sets.join(", "),
        };
        let name = profile.name();
        let address = name.map_or_else(|| "/mcp".to_owned(), |name| format!("/mcp/{name}"));
        let command = name.map_or_else(|| "pensaer mcp".to_owned(), |name| format!("pensaer mcp {name}"));
        let _ = writeln!(text, "| `{address}` | `{command}` | {sets} |");
    }
    text.push_str("\n| set | what for | tools |\n| --- | --- | --- |\n");
    for set in Toolset::ALL {
        let names: Vec<&str> =
            specs.iter().filter(|spec| spec.toolsets.contains(&set)).map(|spec| spec.name.as_str()).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "| {} | {} | {} |", set.as_str(), set.about(), names.join(", "));
        }
    }
    let (everywhere, others): (Vec<&ToolSpec>, Vec<&ToolSpec>) =
        specs.iter().partition(|spec| spec.toolsets.is_empty());
    // a file that cannot be read shows no answer, and the page is then not the one that the test expects
    let answers = serde_json::from_str(ANSWERS).unwrap_or_default();
    chapter(&mut text, "on every server", &everywhere, &answers);
    for server in Server::ALL {
        let own: Vec<&ToolSpec> = others.iter().copied().filter(|spec| spec.server == server).collect();
        chapter(&mut text, server.as_str(), &own, &answers);
    }
    text
}

fn chapter(text: &mut String, title: &str, specs: &[&ToolSpec], answers: &Map<String, Value>) {
    if specs.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n## {title}");
    for spec in specs {
        let effect = match spec.effect {
            Effect::Query => "reads",
            Effect::Create => "makes",
            Effect::Modify => "changes",
        };
        let sets: Vec<&str> = spec.toolsets.iter().map(|set| set.as_str()).collect();
        let sets = if sets.is_empty() { String::new() } else { format!(" Sets: {}.", sets.join(", ")) };
        let _ = write!(
            text,
            "\n### {}\n\n*{}; {effect}.{sets}*\n\n{}\n",
            spec.name,
            spec.title,
            spec.description.trim()
        );
        parameters(text, &spec.input_schema);
        answer(text, &spec.output_schema);
        for (at, example) in spec.examples.iter().enumerate() {
            let arguments = serde_json::to_string(&example.arguments).unwrap_or_default();
            let _ = write!(text, "\n{}:\n\n```json\n{arguments}\n```\n", example.title);
            if let Some(answer) = answers.get(&spec.name).filter(|_| at == 0) {
                let _ = write!(text, "\nanswers, with lists and ids cut:\n\n```json\n{answer}\n```\n");
            }
        }
    }
}

fn members(schema: &Value) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn parameters(text: &mut String, schema: &Value) {
    let mut own = members(schema);
    own.retain(|_, about| about.get(mark::COMMON).is_none() && about.get(mark::PAGE).is_none());
    if own.is_empty() {
        return;
    }
    let required = required(schema);
    text.push_str("\n| parameter | type | default | meaning |\n| --- | --- | --- | --- |\n");
    for (name, about) in own {
        let star = if required.contains(&name.as_str()) { "*" } else { "" };
        let meaning = about.get("description").and_then(Value::as_str).unwrap_or_default();
        let default = about.get("default").map(|value| format!("`{value}`")).unwrap_or_default();
        let _ =
            writeln!(text, "| `{name}`{star} | {} | {default} | {} |", cell(&type_of(&about)), cell(meaning));
    }
}

/// The members of the answer beyond those that every answer of its kind has.
fn answer(text: &mut String, schema: &Value) {
    const COMMON: [&str; 6] = ["status", "event_id", "model_id", "model_version", "changes", "links"];
    let mut own = members(schema);
    own.retain(|name, _| !COMMON.contains(&name.as_str()));
    if own.is_empty() {
        return;
    }
    text.push_str("\n| answer | type | meaning |\n| --- | --- | --- |\n");
    for (name, about) in own {
        let meaning = about.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(text, "| `{name}` | {} | {} |", cell(&type_of(&about)), cell(meaning));
    }
}

fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

/// A schema's type in a word or two.
fn type_of(schema: &Value) -> String {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let name = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        return values.iter().map(|value| format!("`{}`", name(value))).collect::<Vec<_>>().join(", ");
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
        Some("object") if !members(schema).is_empty() => {
            let required = required(schema);
            let names = members(schema).into_iter().map(|(name, _)| {
                let star = if required.contains(&name.as_str()) { "*" } else { "" };
                format!("{name}{star}")
            });
            format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
        }
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_of_severities_is_current() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/severities.md");
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        let current = tools::severity_table();
        assert!(written == current, "docs/severities.md is stale; `cargo xtask codegen` writes it");
    }

    #[test]
    fn the_reference_of_the_tools_is_current() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools.md");
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        let current = super::markdown(&crate::catalogue::specs());
        assert!(written == current, "docs/tools.md is stale; `cargo xtask codegen` writes it");
    }
}
