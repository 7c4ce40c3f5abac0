//! The command line: which subcommands there are. What each takes and does stands in the file of its name.

use crate::folder::DataFolder;
use crate::settings::{self, Options, Settings};
use crate::{
    admin, attach, backend, call, catalogue, daemon, demo, doctor, eval, execution, local, runtime, setup,
    welcome, worker,
};
use anyhow::Result;
use clap::{Parser, Subcommand};
use std::io::Write as _;
use std::process::ExitCode;

/// IFC building models for AI agents, over the Model Context Protocol.
#[derive(Debug, Parser)]
#[command(name = "pensaer", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a small sample house and open it in the browser.
    Demo(demo::Arguments),
    /// Make this program known to the assistants and editors on this machine: find them and offer it, or print or write one's configuration.
    Setup(setup::Arguments),
    /// Say what works on this machine and how to mend what does not; exit code 1 if something that is needed does not.
    Doctor(doctor::Arguments),
    /// Serve MCP, bucket, viewer and API over HTTP, and stdio clients of this data folder.
    Serve(daemon::Arguments),
    /// Be an MCP server on standard input and output, for desktop agents.
    Mcp(attach::Arguments),
    /// Be an Execution Service: a worker on a Unix socket, or workers behind --listen for other machines.
    Exec(Box<execution::Arguments>),
    /// Call one tool and print its structured answer; exit code 1 on a Fault.
    Call(call::Arguments),
    /// List the tools.
    Tools(catalogue::Arguments),
    /// Print the settings: flags, variables, keys of pensaer.toml, defaults.
    Settings,
    /// Print the key that the user of this machine shows over HTTP.
    LocalKey,
    /// List the back ends that operations can run on, or install one.
    Backend(backend::commands::Arguments),
    /// Be a worker as the configuration on standard input says.
    #[command(hide = true)]
    Worker(worker::Label),
    /// Become the program that is described on standard input, confined as that says.
    #[command(hide = true)]
    Beside,
    /// Look after a server: keys, policy, approvals, the audit log, models as files.
    Admin(admin::Arguments),
    /// Run evaluation cases: played from scripts, or given to a language model.
    Eval(Box<eval::Arguments>),
}

impl Command {
    /// True for what is a server or a part of one, asks one, or looks after what one keeps.
    fn needs_server(&self) -> bool {
        match self {
            Self::Demo(_)
            | Self::Serve(_)
            | Self::Mcp(_)
            | Self::Exec(_)
            | Self::Call(_)
            | Self::LocalKey
            | Self::Worker(_)
            | Self::Beside
            | Self::Admin(_)
            | Self::Eval(_) => true,
            Self::Setup(_) | Self::Doctor(_) | Self::Tools(_) | Self::Settings | Self::Backend(_) => false,
        }
    }
}

/// Does what the command line says.
pub(crate) fn run(cli: Cli) -> Result<ExitCode> {
    let settings = || Settings::load(&cli.options);
    let Some(command) = &cli.command else { return welcome::run(&cli.options) };
    if command.needs_server() {
        local::check()?;
    }
    // what these keep is nobody else's business, whatever the shell lets others read
    if matches!(command, Command::Serve(_) | Command::Exec(_) | Command::Admin(_)) {
        store::private::keep_private();
    }
    match command {
        Command::Demo(arguments) => demo::run(&settings()?, arguments),
        Command::Doctor(arguments) => doctor::run(&settings()?, arguments),
        Command::Serve(arguments) => daemon::run(settings, arguments),
        Command::Mcp(arguments) => attach::run(&settings()?, arguments),
        Command::Setup(arguments) => setup::run(&settings()?, arguments),
        Command::Exec(arguments) => execution::run(arguments, &cli.options),
        Command::Backend(arguments) => backend::commands::run(&settings()?, arguments),
        Command::Worker(_) => worker::run(),
        Command::Beside => worker::become_program(),
        Command::Call(arguments) => call::run(&settings()?, arguments),
        Command::Admin(arguments) => admin::run(&settings()?, arguments),
        Command::Tools(arguments) => catalogue::list(arguments),
        Command::Settings => settings::print(),
        Command::LocalKey => {
            let key = DataFolder::open(&settings()?.data_dir)?.local_key()?;
            writeln!(std::io::stdout(), "{}", key.reveal())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Eval(arguments) => {
            runtime::start()?.block_on(eval::run(settings()?, eval::Arguments::clone(arguments)))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory as _;

    #[test]
    fn no_subcommand_has_a_flag_of_a_setting_for_something_else() {
        Cli::command().debug_assert();
        let command = Cli::command();
        let globals: Vec<_> = command.get_arguments().filter(|argument| argument.is_global_set()).collect();
        let mut rest: Vec<&clap::Command> = command.get_subcommands().collect();
        while let Some(command) = rest.pop() {
            rest.extend(command.get_subcommands());
            for own in command.get_arguments() {
                let same = |global: &&&clap::Arg| {
                    global.get_id() == own.get_id() || global.get_long() == own.get_long()
                };
                let clash = globals.iter().find(same).filter(|_| own.get_long().is_some());
                assert!(clash.is_none(), "{}: {:?}", command.get_name(), own.get_long());
            }
        }
    }
}
