//! `pensaer admin approvals`: what waits for somebody's yes, and the yes or no of whoever sits here. Through the daemon, like
//! every call: in the name of this machine's user, or of the holder of PENSAER_API_KEY.

use crate::call;
use crate::settings::Settings;
use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List what waits.
    List {
        /// With those decided or expired.
        #[arg(long)]
        all: bool,
    },
    /// Decide on one.
    Decide {
        /// Its id.
        id: String,
        /// Yes or no.
        decision: Decision,
        /// A comment on the decision.
        #[arg(long)]
        comment: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Decision {
    Approve,
    Reject,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::List { all } => call::one(settings, "list_approvals", json!({ "all": all, "limit": 200 })),
        Command::Decide { id, decision, comment } => {
            let decision = match decision {
                Decision::Approve => "approve",
                Decision::Reject => "reject",
            };
            let mut arguments = json!({ "approval_id": id, "decision": decision });
            if let Some(comment) = comment {
                arguments["comment"] = comment.as_str().into();
            }
            call::one(settings, "decide_approval", arguments)
        }
    }
}
