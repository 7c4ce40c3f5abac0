//! The command line.

use crate::settings::{Options, Settings};
use crate::{attach, call, catalogue, compose, daemon, eval, execution};
use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// IFC building models for AI agents, over the Model Context Protocol.
#[derive(Debug, Parser)]
#[command(name = "pensaer", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP, bucket, viewer and API over HTTP, and stdio clients of this data folder.
    Serve(Serve),
    /// Be an MCP server on standard input and output, for desktop agents.
    Mcp(Mcp),
    /// Be an Execution Service on a Unix socket.
    Exec(Exec),
    /// Call one tool and print its structured answer; exit code 1 on a Fault.
    Call(Call),
    /// List the tools.
    Tools(Tools),
    /// Run evaluation cases: played from scripts, or given to a language model.
    Eval(eval::Arguments),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// End after this many seconds without a client.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) idle_exit: Option<u64>,
    /// Run detached from the terminal and settle for another port; what `pensaer mcp` starts.
    #[arg(long, hide = true)]
    pub(crate) detached: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// One server (model, geometry, documentation, …) instead of all of them.
    pub(crate) server: Option<String>,
    /// How answers are sent: `both`, `structured` (one line of text) or `text`.
    #[arg(long, default_value = "both", value_parser = ["both", "structured", "text"])]
    pub(crate) results: String,
}

#[derive(Debug, Args)]
pub(crate) struct Exec {
    /// The socket to listen at.
    #[arg(long, required_unless_present = "check")]
    pub(crate) socket: Option<PathBuf>,
    /// Megabytes of memory for opened models.
    #[arg(long, default_value_t = 1024)]
    pub(crate) cache_mb: u64,
    /// Megabytes of memory in all, beyond the cache.
    #[arg(long, default_value_t = 8192)]
    pub(crate) memory_mb: u64,
    /// A folder whose files may be read; may be given again.
    #[arg(long, value_name = "DIR")]
    pub(crate) read: Vec<PathBuf>,
    /// A folder whose files may be read and written; may be given again.
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Vec<PathBuf>,
    /// A folder for indexes of large files.
    #[arg(long, value_name = "DIR")]
    pub(crate) indexes: Option<PathBuf>,
    /// Say what this machine enforces on a worker, try it, and end; exit code 1 if code of agents would not be held.
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The tool's name.
    pub(crate) tool: String,
    /// Its arguments as a JSON object; `-` reads them from standard input.
    #[arg(long, default_value = "{}")]
    pub(crate) json: String,
}

#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// One server's tools only.
    pub(crate) server: Option<String>,
    /// As a reference in Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,
    /// As JSON, with schemas.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Does what the command line says.
pub(crate) fn run(cli: Cli) -> Result<ExitCode> {
    let settings = || Settings::load(&cli.options);
    match &cli.command {
        Command::Serve(serve) => daemon::run(settings()?, serve),
        Command::Mcp(mcp) => attach::run(&settings()?, mcp),
        Command::Exec(exec) => execution::run(exec),
        Command::Call(arguments) => call::run(&settings()?, arguments),
        Command::Tools(tools) => catalogue::list(tools),
        Command::Eval(arguments) => {
            compose::runtime()?.block_on(eval::run(settings()?, arguments.clone()))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
