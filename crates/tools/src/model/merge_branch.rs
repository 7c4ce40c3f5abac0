//! Work done on a branch, added to another. Where both sides cannot hold, nothing is committed and every conflict is
//! answered with both sides and what choosing either does.

use crate::{Reply, Tool};
use contract::{Branches, Effect, EventType, Fault, ModelUse, Toolset, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The side that a conflict is decided for.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    Ours,
    Theirs,
}

/// From where to where.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// Branch or version.
    source: String,
    /// The branch that it is added to.
    #[schemars(extend("default" = "main"))]
    target: Option<String>,
    /// By key of a conflict; `*` for all others. Ours is the target.
    #[serde(default)]
    resolve: BTreeMap<String, Side>,
    /// Of branches that were merged into each other: the common version to count changes from, if asked for.
    ancestor: Option<String>,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    target: String,
    /// The version merged.
    merged: VersionId,
    /// The version that both sides come from.
    base: VersionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("merge_branch", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .title("Merge a branch")
        .description(
            "Adds what was done on a branch to another, as one new version, and works on that one. Conflicts are answered with both sides and a key each; call again with resolve.",
        )
        .toolset(Toolset::Branches)
        .model(ModelUse::Current)
        .event(EventType::VersionMerged)
        .example("Into main", json!({ "source": "variant-a" }))
        .example("The branch's side wins", json!({ "source": "variant-a", "resolve": { "*": "theirs" } }))
}

async fn run(platform: &(impl Branches + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let target = input.target.as_deref().unwrap_or("main");
    let resolve: Map<String, Value> =
        input.resolve.iter().map(|(key, side)| (key.clone(), json!(side))).collect();
    let merged = platform.merge_branch(&input.source, target, &resolve, input.ancestor.as_deref()).await?;
    let reply = Reply::new(Output {
        target: target.to_owned(),
        merged: merged.source,
        base: merged.base,
        session: merged.session,
    });
    Ok(match merged.committed {
        Some(committed) => reply.status("merged").committed(committed),
        None => reply.status("unchanged"),
    })
}
