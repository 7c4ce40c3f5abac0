//! `pensaer admin policy`: whether a policy file holds together, and what it would decide and by which rule.

use crate::policy;
use crate::settings::Settings;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use contract::{Action, Principal};
use governance::{Asked, Decision, ModelTarget, Touched, decide};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read the policy and say what is in it; what is wrong is told with its line.
    Check,
    /// Say whether somebody might do something, and which rule says so; exit code 1 if not.
    Test(Test),
}

#[derive(Debug, Args)]
struct Test {
    /// Who; roles that the policy gives by name come by themselves.
    #[arg(long)]
    principal: String,
    /// A role, as a key or a token would bring it; may be given again.
    #[arg(long = "role")]
    roles: Vec<String>,
    /// The tool.
    #[arg(long)]
    tool: String,
    /// The model's name, or its id.
    #[arg(long)]
    model: Option<String>,
    /// How many elements the call touches.
    #[arg(long)]
    elements: Option<u64>,
    /// Of which class.
    #[arg(long, default_value = "IfcWall")]
    class: String,
    /// On which storey; may be given again.
    #[arg(long = "storey")]
    storeys: Vec<String>,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let policy = policy::load(settings)?;
    let mut out = io::stdout();
    let Command::Test(test) = &arguments.command else {
        let roles: Vec<&str> = policy.roles.keys().map(String::as_str).collect();
        let gates: Vec<&str> = policy.gates.iter().map(|gate| gate.name.as_str()).collect();
        writeln!(out, "roles: {}\ngates: {}", roles.join(", "), gates.join(", "))?;
        for (first, second) in policy.gates_without_common_approver() {
            writeln!(
                out,
                "note: what both `{first}` and `{second}` hold up can only be decided on by somebody with a role of each; \
                 name a role in both, or give the stricter one a higher `rank`"
            )?;
        }
        writeln!(out, "read-only: {}\ntokens: {}", policy.read_only, policy.issuer.is_some())?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(tool) = tools::catalogue().into_iter().find(|tool| tool.spec.name == test.tool) else {
        bail!("there is no tool {}; see `pensaer tools`", test.tool);
    };
    let action = tool.spec.action_of(&serde_json::Value::Null);
    let mut principal =
        Principal { name: test.principal.clone(), roles: test.roles.clone(), ..Principal::default() };
    let known = policy.principals.get(&principal.name);
    principal.roles.extend(known.iter().flat_map(|known| known.roles.clone()));
    if principal.name == crate::runtime::user() && principal.roles.is_empty() {
        principal.roles.clone_from(&policy.local);
    }
    let touched = touched(test, action);
    let id = test.model.as_ref().map(|model| contract::ModelId(model.clone()));
    let model = test.model.as_deref().map(|name| ModelTarget { id: id.as_ref(), name });
    let asked = Asked { tool: &test.tool, action, model, touched: touched.as_ref() };
    writeln!(out, "{} ({action}) by {} as {}", test.tool, principal.name, principal.roles.join(", "))?;
    match decide(&policy, &principal, &asked, exec_native::is_a) {
        Decision::Allow { by } => {
            writeln!(out, "allowed, by {}", by.join("; "))?;
            Ok(ExitCode::SUCCESS)
        }
        Decision::Ask { gates } => {
            for asks in gates {
                let decides =
                    if asks.decides { policy.deciders(&asks.gate).join(", ") } else { String::new() };
                let by = if decides.is_empty() {
                    "a stricter gate decides".to_owned()
                } else {
                    format!("decided on by {decides}")
                };
                writeln!(
                    out,
                    "held until it is approved, by the gate `{}` ({by}): {}",
                    asks.gate, asks.reason
                )?;
            }
            Ok(ExitCode::FAILURE)
        }
        Decision::Deny { why, by } => {
            writeln!(out, "denied, by {by}: {why}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Returns the elements that a call of this action would touch, where the test names any.
fn touched(test: &Test, action: Action) -> Option<Touched> {
    let elements = test.elements?;
    let counts = BTreeMap::from([(test.class.clone(), elements)]);
    let storeys = test.storeys.clone();
    let mut touched = Touched { storeys, instances: elements, ..Touched::default() };
    match action {
        Action::Create => touched.added = counts,
        Action::Delete => touched.removed = counts,
        Action::Modify => touched.modified = counts,
        _ => return None,
    }
    Some(touched)
}
