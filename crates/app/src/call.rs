//! `pensaer call`: one tool call from a shell, through the daemon, so through the same door and into the same audit.

use crate::client::ask;
use crate::hello::{Reply, Want};
use crate::settings::Settings;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::Value;
use std::io::{self, Read, Write};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The tool's name.
    tool: String,
    /// Its arguments as a JSON object; `-` reads them from standard input.
    #[arg(long, default_value = "{}")]
    json: String,
}

/// Prints the structured answer; a Fault goes to standard error and ends with exit code 1.
pub(crate) fn run(settings: &Settings, options: &Arguments) -> Result<ExitCode> {
    let text = if options.json == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).context("cannot read the arguments")?;
        text
    } else {
        options.json.clone()
    };
    let arguments: Value = serde_json::from_str(&text).context("--json is not JSON")?;
    ensure!(arguments.is_object(), "--json has to be an object, such as {{\"name\": \"House\"}}");
    one(settings, &options.tool, arguments)
}

/// Calls a tool and prints what it answers.
pub(crate) fn one(settings: &Settings, tool: &str, arguments: Value) -> Result<ExitCode> {
    let (reply, _) = ask(settings, Want::Call { tool: tool.to_owned(), arguments })?;
    match reply {
        Reply::Answer(value) => {
            writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&value)?)?;
            Ok(ExitCode::SUCCESS)
        }
        Reply::Fault(fault) => {
            writeln!(io::stderr(), "{}", serde_json::to_string_pretty(&fault)?)?;
            Ok(ExitCode::FAILURE)
        }
        Reply::Ready => bail!("the daemon did not answer the call; is it of another version?"),
    }
}
