//! The command line.

use crate::settings::{Options, Settings};
use crate::{admin, attach, backend, call, catalogue, compose, daemon, eval, execution};
use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use contract::Toolset;
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
    /// Be an Execution Service: a worker on a Unix socket, or workers behind --listen for other machines.
    Exec(Box<Exec>),
    /// Call one tool and print its structured answer; exit code 1 on a Fault.
    Call(Call),
    /// List the tools.
    Tools(Tools),
    /// List the back ends that operations can run on, or install one.
    Backend(backend::Arguments),
    /// Be the program beside a worker; what `pensaer exec --backend` starts.
    #[command(hide = true)]
    Beside(backend::Beside),
    /// Look after a server: keys, policy, approvals, the audit log, models as files.
    Admin(admin::Arguments),
    /// Run evaluation cases: played from scripts, or given to a language model.
    Eval(eval::Arguments),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// End after this many seconds without a client.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) idle_exit: Option<u64>,
    /// Seconds that running calls get to end when the server is told to.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) drain: u64,
    /// Run detached from the terminal and settle for another port; what `pensaer mcp` starts.
    #[arg(long, hide = true)]
    pub(crate) detached: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// What to list: a server's tools (model, geometry, energy, …), the few for agents who write code (code), or every tool
    /// (all); without it the usual tools. Others can be called all the same.
    pub(crate) server: Option<String>,
    /// Sets of tools to list besides, parted by commas; may be given again. docs/tools.md names them.
    #[arg(long, value_name = "SETS", value_delimiter = ',', value_parser = toolset)]
    pub(crate) toolsets: Vec<Toolset>,
    /// List the schemas of answers, too.
    #[arg(long)]
    pub(crate) output_schemas: bool,
    /// How answers are sent: `both`, `structured` (one line of text) or `text`.
    #[arg(long, default_value = "both", value_parser = ["both", "structured", "text"])]
    pub(crate) results: String,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Exec {
    #[command(subcommand)]
    pub(crate) command: Option<ExecCommand>,
    /// The socket to listen at, as one worker. With --listen ADDRESS instead, serve other machines over TCP, with workers
    /// behind.
    #[arg(long)]
    pub(crate) socket: Option<PathBuf>,
    /// Megabytes of memory for opened models.
    #[arg(long, default_value_t = 1024)]
    pub(crate) cache_mb: u64,
    /// Megabytes of memory in all, beyond the cache.
    #[arg(long, default_value_t = crate::compose::MEMORY_MB)]
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
    /// The back end: `native`, `ifcopenshell` with a Python beside the worker, or `energyplus` with programs started for it.
    #[arg(
        long,
        default_value = backend::NATIVE,
        value_parser = [backend::NATIVE, backend::IFCOPENSHELL, backend::ENERGYPLUS]
    )]
    pub(crate) backend: String,
    /// The Python that has IfcOpenShell.
    #[arg(long, hide = true, value_name = "PROGRAM")]
    pub(crate) interpreter: Option<PathBuf>,
    /// The folder of our own part of it.
    #[arg(long, hide = true, value_name = "DIR")]
    pub(crate) package: Option<PathBuf>,
    /// The folder of EnergyPlus.
    #[arg(long, hide = true, value_name = "DIR", overrides_with = "energyplus")]
    pub(crate) energyplus: Option<PathBuf>,
    /// The program of OpenStudio, or a Python that has its package.
    #[arg(long, hide = true, value_name = "PROGRAM", overrides_with = "openstudio")]
    pub(crate) openstudio: Option<PathBuf>,
    /// Be the worker, with the program beside it at the other end of standard output.
    #[arg(long, hide = true)]
    pub(crate) beside: bool,
    /// Say what this machine enforces on a worker, try it, and end; exit code 1 if code of agents would not be held.
    #[arg(long)]
    pub(crate) check: bool,
    /// Try to get out of what this process is held by already, and end.
    #[arg(long, hide = true)]
    pub(crate) attempts: bool,
    #[command(flatten)]
    pub(crate) gate: Gate,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExecCommand {
    /// Hold an Execution Service against the contract: print each check; exit code 1 if one fails.
    Conformance(Conformance),
}

#[derive(Debug, Args)]
pub(crate) struct Conformance {
    /// Where it listens: http://HOST:PORT or unix:PATH.
    pub(crate) url: String,
    /// A model to work on: an IFC file, best a small one with a storey and a wall, or an EnergyPlus model with a zone.
    #[arg(long)]
    pub(crate) file: PathBuf,
    /// Its token.
    #[arg(long, env = "PENSAER_EXEC_TOKEN", hide_env_values = true, conflicts_with = "token_file")]
    pub(crate) token: Option<String>,
    /// A file with its token.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// A query of its own whose answer shows what the change changes; by default query_elements for walls, or list_objects for
    /// zones.
    #[arg(long, value_name = "NAME PARAMS")]
    pub(crate) query: Option<String>,
    /// A change of its own that can be made twice; by default create_wall, or add_object.
    #[arg(long, value_name = "NAME PARAMS")]
    pub(crate) change: Option<String>,
}

/// How an Execution Service serves other machines.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --listen")]
pub(crate) struct Gate {
    /// What callers have to send as bearer token. Better in a file or in the environment: others on this machine see
    /// arguments.
    #[arg(long, env = "PENSAER_EXEC_TOKEN", hide_env_values = true, conflicts_with = "token_file")]
    pub(crate) token: Option<String>,
    /// A file with the token.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// The beginning of addresses from which models may be fetched, such as http://10.0.0.2:8420/bucket/; may be given
    /// again.
    #[arg(long, value_name = "URL-PREFIX")]
    pub(crate) fetch_from: Vec<String>,
    /// A folder for files that requests bring, kept from one start to the next; by default one for temporary files.
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// How many workers; by default as many as there are processors.
    #[arg(long)]
    pub(crate) workers: Option<usize>,
    /// Seconds that running calls get to end when this service is told to.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) drain: u64,
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

fn toolset(name: &str) -> Result<Toolset, String> {
    Toolset::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Toolset::ALL.iter().map(|set| set.as_str()).collect();
        format!("there is no set of this name; there are {}", names.join(", "))
    })
}

/// Does what the command line says.
pub(crate) fn run(cli: Cli) -> Result<ExitCode> {
    let settings = || Settings::load(&cli.options);
    match &cli.command {
        Command::Serve(serve) => daemon::run(settings()?, serve),
        Command::Mcp(mcp) => attach::run(&settings()?, mcp),
        Command::Exec(exec) => execution::run(exec, cli.options.listen, settings),
        Command::Backend(arguments) => backend::run(&settings()?, arguments),
        Command::Beside(beside) => beside.run(),
        Command::Call(arguments) => call::run(&settings()?, arguments),
        Command::Admin(arguments) => admin::run(&settings()?, arguments),
        Command::Tools(tools) => catalogue::list(tools),
        Command::Eval(arguments) => {
            compose::runtime()?.block_on(eval::run(settings()?, arguments.clone()))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
