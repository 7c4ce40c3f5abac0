//! Changes joined: what a branch or a prepared change did, added to a head that has moved on meanwhile.
//!
//! The adapter of the model's kind joins; here is only what is asked of it and how its answer reads. Nothing is
//! committed by anything in this module.

use crate::call::Call;
use crate::run::{Prepared, Subject};
use contract::{Artifact, DiffSummary, Effect, Fault, FaultCode, ModelRecord, Operation, VersionId};
use serde_json::{Map, Value, json};

/// A prepared change, put on another version than it was prepared on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rebased {
    /// What leads from the new ground to it with the change; empty where the change is in it already.
    pub(crate) delta: Option<Vec<u8>>,
    /// What it changes there.
    pub(crate) summary: Option<DiffSummary>,
    /// What it no longer does there and what it does there besides: `no_longer` and `now_also`, sentence by sentence. None
    /// where it does exactly what it was prepared to do.
    pub(crate) differs: Option<Value>,
}
impl Rebased {
    /// Whether the change does on the new ground what it did on the old: the same things come, go and change to the same
    /// values. Quantities and totals that follow from it may differ.
    pub(crate) fn is_same_effect(&self) -> bool {
        self.differs.is_none()
    }
}

/// The two sides of a merge, and the version that both come from.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) model: &'a ModelRecord,
    pub(crate) base: &'a VersionId,
    pub(crate) ours: &'a VersionId,
    pub(crate) theirs: &'a VersionId,
}

impl Call {
    /// Puts a delta that was prepared on `base` on `head`, a later version of the same model or one of another branch. Where
    /// both cannot hold, a Fault `Conflict` says why. `base` and `head` may be the same; then the delta is the answer.
    pub(crate) async fn rebased(
        &self,
        model: &ModelRecord,
        base: &VersionId,
        delta: &[u8],
        head: &VersionId,
    ) -> Result<Rebased, Fault> {
        let operation = merge_operation(json!({ "compare_effect": true }));
        let subjects =
            [Subject { role: "model", model, version: head }, Subject { role: "base", model, version: base }];
        let prepared = Prepared { role: "theirs", model, base, delta };
        let artifact = self.run_with(operation, &subjects, Some(&prepared), None).await?;
        refuse_conflicts(&artifact, "The change was prepared on a version that has moved on.")?;
        let same = artifact.result.get("same_effect").and_then(Value::as_bool) == Some(true);
        let effects = || artifact.result.get("effects").cloned().unwrap_or_else(|| json!({}));
        let differs = if same { None } else { Some(effects()) };
        let rebased =
            if base == head { Some(delta.to_vec()) } else { self.only_delta(&artifact, None).await? };
        Ok(Rebased { delta: rebased, summary: artifact.diff_summary, differs })
    }

    /// What adds to `ours` what `theirs` did since `base`. `resolve` decides conflicts; those that are left are a Fault.
    pub(crate) async fn merged(
        &self,
        sides: &Sides<'_>,
        resolve: &Map<String, Value>,
    ) -> Result<Artifact, Fault> {
        let subject = |role, version| Subject { role, model: sides.model, version };
        let subjects =
            [subject("model", sides.ours), subject("base", sides.base), subject("theirs", sides.theirs)];
        let params = json!({
            "resolve": resolve,
            "as_merge": true,
            "model_ids": self.inner.store.merge_notes(sides.base, sides.ours).await?,
            "theirs_ids": self.inner.store.merge_notes(sides.base, sides.theirs).await?,
        });
        let operation = merge_operation(params);
        let artifact = self.run(operation, &subjects, None).await?;
        refuse_conflicts(&artifact, "Both sides changed the same things differently.")?;
        Ok(artifact)
    }

    /// The same where several versions are a nearest common one, because both sides were merged into each other. The changes are
    /// counted from each; where that comes to one outcome without conflicts, it is the merge. Where it comes to none or to
    /// several, somebody has to say which is meant.
    pub(crate) async fn merged_from_any(
        &self,
        sides: &Sides<'_>,
        bases: &[VersionId],
        resolve: &Map<String, Value>,
    ) -> Result<Artifact, Fault> {
        let mut same: Option<(Artifact, Option<Vec<u8>>)> = None;
        let mut differ = false;
        let mut ancestors = Vec::new();
        for base in bases {
            let outcome = self.merged(&Sides { base, ..*sides }, resolve).await;
            match outcome {
                Ok(artifact) => {
                    ancestors
                        .push(json!({ "ancestor": base, "conflicts": 0, "changes": artifact.diff_summary }));
                    let delta = self.only_delta(&artifact, None).await?;
                    match &same {
                        Some((_, first)) => differ |= *first != delta,
                        None => same = Some((artifact, delta)),
                    }
                }
                Err(fault) if fault.code == FaultCode::Conflict => {
                    ancestors.push(json!({ "ancestor": base, "conflicts": fault.data.get("count") }));
                }
                Err(fault) => return Err(fault),
            }
        }
        match same {
            Some((artifact, _)) if !differ => Ok(artifact),
            _ => Err(Fault::new(
                FaultCode::Conflict,
                "Both sides were merged into each other, so that several versions are a nearest common one, and it matters from \
                 which of them changes are counted. Nothing was committed. Call again with `ancestor`.",
            )
            .with("ancestors", ancestors)),
        }
    }
}

fn merge_operation(params: Value) -> Operation {
    Operation { effect: Effect::Modify, name: "merge".into(), params }
}

/// The conflicts of a merge as the Fault that leaves the system.
fn refuse_conflicts(artifact: &Artifact, why: &str) -> Result<(), Fault> {
    let result = &artifact.result;
    if let Some(unknown) = result.get("unknown_conflicts") {
        return Err(Fault::invalid(
            "resolve",
            format!(
                "`resolve` names conflicts that this merge does not have: {unknown}. Merge without it to see those it has."
            ),
        ));
    }
    let Some(conflicts) = result.get("conflicts").and_then(Value::as_array) else { return Ok(()) };
    let count = result.get("count").and_then(Value::as_u64).unwrap_or(conflicts.len() as u64);
    let first = conflicts.first().and_then(|first| first.get("message")).and_then(Value::as_str);
    let first = first.map(|first| format!(" The first: {first}.")).unwrap_or_default();
    let noun = if count == 1 { "conflict" } else { "conflicts" };
    Err(Fault::new(
        FaultCode::Conflict,
        format!(
            "{why} {count} {noun}, nothing was committed.{first} Decide each with `resolve`, {{\"<key>\": \"ours\" or \
             \"theirs\"}}; `*` stands for those not named. Ours is what is there, theirs what comes to it."
        ),
    )
    .with("conflicts", conflicts)
    .with("count", count))
}
