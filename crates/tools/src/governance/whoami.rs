//! The caller as the system knows it, and what it may do.

use crate::{Empty, Reply, Tool};
use contract::{Caller, Effect, Permission};
use schemars::JsonSchema;
use serde::Serialize;

/// The caller.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The name that audit records.
    name: String,
    /// Roles held.
    roles: Vec<String>,
    /// The actions they allow, and where.
    may: Vec<Permission>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("whoami", Effect::Query, |platform, _: Empty| {
        Box::pin(async { Ok(Reply::new(caller(platform))) })
    })
    .title("Who am I")
    .description("The name and roles under which your calls are authorised and audited, and what they allow.")
    .example("The caller", serde_json::json!({}))
}

fn caller(platform: &(impl Caller + ?Sized)) -> Output {
    let caller = platform.principal();
    Output { name: caller.name.clone(), roles: caller.roles.clone(), may: platform.permissions() }
}
