//! The difference between two versions of a model.

use crate::input::{cursor, limit};
use crate::{Reply, Tool};
use contract::{
    DiffRaw, DiffSummary, Effect, Fault, ModelUse, Server, Sessions, Toolset, VersionId, Versions,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Rows listed without a `limit`.
const LISTED: u32 = 20;
/// Rows listed at most.
const MOST: u32 = 500;
/// Elements that a difference names; of more than these the counts tell.
const NAMED: u32 = 5_000;

/// The detail of a difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Counts by class, named elements, storeys, properties.
    #[default]
    Summary,
    /// Every attribute of every instance.
    Raw,
}

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// Version to compare from.
    base: String,
    /// Version to compare to; without it the newest.
    target: Option<String>,
    /// raw: every attribute before and after.
    #[serde(default)]
    detail: Detail,
    /// Elements listed, or with raw instances.
    #[schemars(extend("default" = LISTED, "minimum" = 1, "maximum" = MOST))]
    limit: Option<u32>,
    /// Goes on where the answer before ended: its `next_cursor`.
    cursor: Option<String>,
}

/// The difference.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    base: VersionId,
    target: VersionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<DiffSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<DiffRaw>,
    /// The place to go on from, where there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("diff_versions", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("Compare versions")
        .description(
            "What was added, removed and modified between two versions of the model. Version ids come from list_versions.",
        )
        .toolset(Toolset::Versions)
        .model(ModelUse::Current)
        .example("Since a version", json!({ "base": "3f2a90c1" }))
}

async fn run(platform: &(impl Sessions + Versions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    let base = platform.version(&model.model_id, &input.base).await?.version;
    let target = match &input.target {
        Some(target) => platform.version(&model.model_id, target).await?.version,
        None => platform.current_version().await?,
    };
    let limit = limit(input.limit, LISTED, MOST)? as usize;
    let from = cursor(input.cursor.as_deref())?;
    let (mut raw, mut summary) = platform.diff(&model.model_id, &base, &target, Some(NAMED)).await?;
    let mut page = Page { skip: from, left: limit, more: false };
    let (summary, raw) = match input.detail {
        Detail::Summary => {
            page.cut(&mut summary.elements);
            (Some(summary), None)
        }
        Detail::Raw => {
            page.cut(&mut raw.added);
            page.cut(&mut raw.removed);
            page.cut(&mut raw.modified);
            (None, Some(raw))
        }
    };
    let next_cursor = page.more.then(|| (from + limit).to_string());
    Ok(Reply::new(Output { base, target, summary, raw, next_cursor }))
}

/// A stretch of several lists that are read as one.
struct Page {
    skip: usize,
    left: usize,
    more: bool,
}

impl Page {
    /// Leaves of the next list what the stretch has of it.
    fn cut<T>(&mut self, list: &mut Vec<T>) {
        let before = self.skip.min(list.len());
        list.drain(..before);
        self.skip -= before;
        self.more |= list.len() > self.left;
        list.truncate(self.left);
        self.left -= list.len();
    }
}
