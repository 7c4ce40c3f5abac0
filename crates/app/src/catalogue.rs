//! The tools of this program: as the service takes them, and as `pensaer tools` prints them.

use crate::reference;
use anyhow::{Context, Result};
use clap::Args;
use contract::{Server, ToolSpec};
use service::{Catalogue, Entry};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use tools::{Body, EnergyResources, TaskResources, catalogue};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// One server's tools only.
    server: Option<String>,
    /// As a reference in Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// The severities of validate_model's findings instead, in Markdown.
    #[arg(long, conflicts_with_all = ["json", "markdown"])]
    severities: bool,
    /// As JSON, with schemas.
    #[arg(long)]
    json: bool,
}

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
    .with_resources(vec![Arc::new(EnergyResources), Arc::new(TaskResources)])
    .with_prompts(tools::prompts())
    .with_reader_of_jobs(tools::JOB_KIND, tools::JOB_READER)
}

/// Every tool that clients may call: the catalogue's, and those by which others are found.
pub(crate) fn specs() -> Vec<ToolSpec> {
    catalogue().into_iter().map(|tool| tool.spec).chain(mcp::discovery_specs()).collect()
}

/// `pensaer tools`.
pub(crate) fn list(options: &Arguments) -> Result<ExitCode> {
    let server = match &options.server {
        Some(name) => Some(Server::from_name(name).with_context(|| format!("there is no server {name}"))?),
        None => None,
    };
    let mut specs = specs();
    specs.retain(|spec| server.is_none_or(|server| spec.is_on(server)));
    let text = if options.severities {
        tools::severity_table()
    } else if options.json {
        serde_json::to_string_pretty(&specs)? + "\n"
    } else if options.markdown {
        reference::markdown(&specs)
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
