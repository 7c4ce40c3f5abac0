//! Two versions beside each other: what differs, and the change that makes one what the other is.

use super::PlatformOperation;
use crate::{Artifact, DiffRaw, DiffSummary, Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The detail of a difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiffDetail {
    /// Every attribute of every instance, and the summary.
    #[default]
    Raw,
    /// The summary alone.
    Summary,
}

/// Compares the models `base` and `target`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Diff {
    /// The detail wanted.
    pub detail: DiffDetail,
    /// The number of elements that the summary names, where it is to be another than the usual.
    pub named: Option<u32>,
}

/// A difference. It stands beside the logical result, in the artifact's own members.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiffAnswer {
    /// Instance by instance, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<DiffRaw>,
    /// In a few lines.
    pub summary: DiffSummary,
}

impl PlatformOperation for Diff {
    const NAME: &'static str = "diff";
    const EFFECT: Effect = Effect::Query;
    type Answer = DiffAnswer;

    fn outcome(answer: DiffAnswer) -> Result<crate::Outcome, Fault> {
        let DiffAnswer { raw, summary } = answer;
        Ok(crate::Outcome { diff_raw: raw, diff_summary: Some(summary), ..crate::Outcome::default() })
    }

    fn read(artifact: &Artifact) -> Result<DiffAnswer, Fault> {
        let Artifact { diff_raw, diff_summary, .. } = artifact;
        Ok(DiffAnswer { raw: diff_raw.clone(), summary: diff_summary.clone().unwrap_or_default() })
    }
}

/// Changes `model` into what `target` is; the answer is that change alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Restore {}

impl PlatformOperation for Restore {
    const NAME: &'static str = "restore";
    const EFFECT: Effect = Effect::Modify;
    type Answer = ();
}
