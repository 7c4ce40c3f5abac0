//! Changes joined: what a branch or a prepared change did, added to a head that has moved on meanwhile.
//!
//! The adapter of the model's kind joins; here is only what is asked of it and how its answer reads. Nothing is
//! committed by anything in this module.

use crate::call::Call;
use crate::run::{Prepared, Subject};
use contract::ops::{Effects, IdRuns, Merge, MergeAnswer, PlatformOperation, Side};
use contract::{Artifact, DiffSummary, Fault, FaultCode, Manifest, ModelRecord, VersionId};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A prepared change, put on another version than it was prepared on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rebased {
    /// The delta from the new ground to it with the change; none where the change is in it already.
    pub(crate) delta: Option<Vec<u8>>,
    /// Its changes there.
    pub(crate) summary: Option<DiffSummary>,
    /// How it came about.
    pub(crate) manifest: Manifest,
    /// The effects that it no longer has there and those that it has besides, sentence by sentence. None where it does exactly what it was
    /// prepared to do.
    pub(crate) differs: Option<Effects>,
}

impl Rebased {
    /// True if the change does on the new ground what it did on the old: the same things come, go and change to the same values.
    /// Quantities and totals that follow from it may differ.
    pub(crate) fn is_same_effect(&self) -> bool {
        self.differs.is_none()
    }
}

/// Two sides joined: the answer, and how instances of theirs are numbered in it.
pub(crate) struct Merged {
    pub(crate) artifact: Artifact,
    pub(crate) ids: IdRuns,
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
        let operation = Merge { compare_effect: true, ..Merge::default() }.operation();
        let subjects =
            [Subject { role: "model", model, version: head }, Subject { role: "base", model, version: base }];
        let prepared = Prepared { role: "theirs", model, base, delta };
        let artifact = self.run_with(operation, &subjects, Some(&prepared), None).await?;
        let joined = joined(&artifact, "The change was prepared on a version that has moved on.")?;
        let is_same = joined.same_effect == Some(true);
        let differs = (!is_same).then(|| joined.effects.unwrap_or_default());
        let rebased =
            if base == head { Some(delta.to_vec()) } else { self.only_delta(&artifact, None).await? };
        Ok(Rebased { delta: rebased, summary: artifact.diff_summary, manifest: artifact.manifest, differs })
    }

    /// Adds to `ours` what `theirs` did since `base`. `resolve` decides conflicts; those that are left are a Fault.
    pub(crate) async fn merged(
        &self,
        sides: &Sides<'_>,
        resolve: &Map<String, Value>,
    ) -> Result<Merged, Fault> {
        let subject = |role, version| Subject { role, model: sides.model, version };
        let subjects =
            [subject("model", sides.ours), subject("base", sides.base), subject("theirs", sides.theirs)];
        let store = &self.inner.store;
        let merge = Merge {
            resolve: sides_chosen(resolve)?,
            compare_effect: false,
            as_merge: true,
            model_ids: id_runs(store.merge_notes(sides.base, sides.ours).await?)?,
            theirs_ids: id_runs(store.merge_notes(sides.base, sides.theirs).await?)?,
        };
        let artifact = self.run(merge.operation(), &subjects, None).await?;
        let ids = joined(&artifact, "Both sides changed the same things differently.")?.ids;
        Ok(Merged { artifact, ids })
    }

    /// Merges where several versions are a nearest common one, because both sides were merged into each other. The changes are counted
    /// from each; where that comes to one outcome without conflicts, it is the merge. Where it comes to none or to several, somebody
    /// has to say which is meant.
    pub(crate) async fn merged_from_any(
        &self,
        sides: &Sides<'_>,
        bases: &[VersionId],
        resolve: &Map<String, Value>,
    ) -> Result<Merged, Fault> {
        let mut same: Option<(Merged, Option<Vec<u8>>)> = None;
        let mut differ = false;
        let mut ancestors = Vec::new();
        for base in bases {
            let outcome = self.merged(&Sides { base, ..*sides }, resolve).await;
            match outcome {
                Ok(merged) => {
                    let changes = &merged.artifact.diff_summary;
                    ancestors.push(json!({ "ancestor": base, "conflicts": 0, "changes": changes }));
                    let delta = self.only_delta(&merged.artifact, None).await?;
                    match &same {
                        Some((_, first)) => differ |= *first != delta,
                        None => same = Some((merged, delta)),
                    }
                }
                Err(fault) if fault.code == FaultCode::Conflict => {
                    ancestors.push(json!({ "ancestor": base, "conflicts": fault.data.get("count") }));
                }
                Err(fault) => return Err(fault),
            }
        }
        match same {
            Some((merged, _)) if !differ => Ok(merged),
            _ => Err(Fault::new(
                FaultCode::Conflict,
                "Both sides were merged into each other, so that several versions are a nearest common one, and it matters from \
                 which of them changes are counted. Nothing was committed. Call again with `ancestor`.",
            )
            .with("ancestors", ancestors)),
        }
    }
}

/// The sides that a caller chose, by conflict.
fn sides_chosen(resolve: &Map<String, Value>) -> Result<BTreeMap<String, Side>, Fault> {
    let chosen = |(key, side): (&String, &Value)| match Side::deserialize(side) {
        Ok(side) => Ok((key.clone(), side)),
        Err(error) => Err(Fault::invalid(&format!("resolve.{key}"), format!("{}: {error}.", Merge::NAME))),
    };
    resolve.iter().map(chosen).collect()
}

/// The numbering of what earlier merges added, as it was noted with them.
fn id_runs(notes: Vec<Value>) -> Result<Vec<IdRuns>, Fault> {
    let read = notes.into_iter().map(serde_json::from_value).collect::<Result<_, _>>();
    read.map_err(|error| {
        Fault::new(FaultCode::StorageFailed, format!("The note of an earlier merge cannot be read: {error}."))
    })
}

/// A merge that came to a change.
struct Joined {
    ids: IdRuns,
    same_effect: Option<bool>,
    effects: Option<Effects>,
}

/// The answer of a merge where both sides hold; conflicts are the Fault that leaves the system.
fn joined(artifact: &Artifact, why: &str) -> Result<Joined, Fault> {
    match Merge::read(artifact)? {
        MergeAnswer::Joined { ids, same_effect, effects } => Ok(Joined { ids, same_effect, effects }),
        MergeAnswer::Unknown { unknown_conflicts } => Err(Fault::invalid(
            "resolve",
            format!(
                "`resolve` names conflicts that this merge does not have: {}. Merge without it to see those it has.",
                json!(unknown_conflicts)
            ),
        )),
        MergeAnswer::Conflicts { conflicts, count, .. } => {
            let first = conflicts.first().map(|first| format!(" The first: {}.", first.message));
            let first = first.unwrap_or_default();
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
    }
}
