//! Branches: where a call reads and changes, refs made and given up, one line of versions added to another.

use crate::call::{Call, HEAD};
use crate::change::{Draft, Landed, conflict, raced, too_busy};
use crate::merging::Sides;
use contract::{
    BranchMerged, BranchMoved, Committed, EventId, EventType, Fault, FaultCode, ModelId, ModelRecord,
    RefRecord, VersionId,
};
use serde_json::{Map, Value};
use store::{Content, MAIN, MergedFrom, RefChange, RefOutcome};

const ATTEMPTS: usize = 32;
const NAME_BYTES: usize = 100;
/// Digits of a version that is named by its first ones.
const SHORTEST: usize = 4;

/// Where a call reads and what it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The ref that a change moves.
    pub(crate) ref_name: String,
    /// Where it points.
    pub(crate) head: VersionId,
    /// The version that the caller named, if it named one.
    pub(crate) pinned: Option<VersionId>,
}

impl Place {
    /// The version that is read.
    pub(crate) fn version(&self) -> &VersionId {
        self.pinned.as_ref().unwrap_or(&self.head)
    }
}

/// What locks writers of a branch out of each other's way.
pub(crate) fn writers_of(model: &ModelId, ref_name: &str) -> String {
    format!("{model}\n{ref_name}")
}

impl Call {
    /// Where this call is: on the branch that `model_version` names, else on the session's, else on `main`.
    pub(crate) async fn place(&self, model: &ModelId) -> Result<Place, Fault> {
        let wanted = self.common.model_version.as_deref().filter(|wanted| *wanted != HEAD);
        if let Some(name) = wanted
            && let Some(head) = self.inner.store.head(model, name).await?
        {
            return Ok(Place { ref_name: name.to_owned(), head, pinned: None });
        }
        let pinned = match wanted {
            Some(wanted) => Some(self.version_of(model, wanted).await?),
            None => None,
        };
        Ok(Place { pinned, ..self.session_place(model).await? })
    }

    /// Where the session is, whatever version this call names.
    pub(crate) async fn session_place(&self, model: &ModelId) -> Result<Place, Fault> {
        let state = self.session_state().await?;
        let ref_name = crate::session::branch(&state, model).unwrap_or(MAIN).to_owned();
        let head = self.head_of(model, &ref_name).await?;
        Ok(Place { ref_name, head, pinned: None })
    }

    /// Where a ref points.
    pub(crate) async fn head_of(&self, model: &ModelId, ref_name: &str) -> Result<VersionId, Fault> {
        match self.inner.store.head(model, ref_name).await? {
            Some(head) => Ok(head),
            None => Err(self.no_branch(model, ref_name).await),
        }
    }

    async fn no_branch(&self, model: &ModelId, name: &str) -> Fault {
        let refs = self.inner.store.refs(model).await.unwrap_or_default();
        let names: Vec<String> = refs.into_iter().map(|known| known.name).collect();
        Fault::new(
            FaultCode::NotFound,
            format!(
                "The model has no branch {name}. It has: {}. switch_branch goes to one of them.",
                names.join(", ")
            ),
        )
        .with("branch", name)
        .with("branches", names)
    }

    /// A version by a branch's name, `head`, or its id or first digits.
    pub(crate) async fn version_of(&self, model: &ModelId, text: &str) -> Result<VersionId, Fault> {
        if text == HEAD {
            return Ok(self.session_place(model).await?.head);
        }
        if let Some(head) = self.inner.store.head(model, text).await? {
            return Ok(head);
        }
        Ok(self.inner.store.version(model, text).await?.version)
    }

    /// Begins a branch.
    pub(crate) async fn begin_branch(
        &self,
        name: &str,
        from: Option<&str>,
        switch: bool,
    ) -> Result<BranchMoved, Fault> {
        check_name(name)?;
        let model = self.model_of_call().await?;
        self.may(self.action_of_change(), &model)?;
        let version = match from {
            Some(from) => self.version_of(&model.model_id, from).await?,
            None => self.place(&model.model_id).await?.version().clone(),
        };
        let branch = RefRecord { name: name.to_owned(), version };
        if self.inner.store.head(&model.model_id, name).await?.is_some() {
            return Err(taken(name));
        }
        if self.is_dry_run() {
            return Ok(BranchMoved { branch, event_id: None, session: None });
        }
        let event_id = self.move_ref(&model.model_id, &branch, EventType::BranchCreated).await?;
        let session = if switch { self.enter_at(model.kind, &model.model_id, name).await? } else { None };
        Ok(BranchMoved { branch, event_id: Some(event_id), session })
    }

    /// Makes a branch the session's.
    pub(crate) async fn go_to_branch(&self, name: &str) -> Result<BranchMoved, Fault> {
        let model = self.model_of_call().await?;
        let version = self.head_of(&model.model_id, name).await?;
        let session = self.enter_at(model.kind, &model.model_id, name).await?;
        Ok(BranchMoved { branch: RefRecord { name: name.to_owned(), version }, event_id: None, session })
    }

    /// Gives a branch up. A session that was on it goes to `main`.
    pub(crate) async fn end_branch(&self, name: &str) -> Result<BranchMoved, Fault> {
        if name == MAIN {
            return Err(Fault::invalid("name", "`main` is what the model is; it cannot be deleted."));
        }
        let model = self.model_of_call().await?;
        self.may(self.action_of_change(), &model)?;
        let _turn = self.inner.writers.lock(&writers_of(&model.model_id, name)).await;
        let version = self.head_of(&model.model_id, name).await?;
        let branch = RefRecord { name: name.to_owned(), version };
        if self.is_dry_run() {
            return Ok(BranchMoved { branch, event_id: None, session: None });
        }
        let event_id = self.move_ref(&model.model_id, &branch, EventType::BranchDeleted).await?;
        let state = self.session_state().await?;
        if crate::session::branch(&state, &model.model_id) == Some(name) {
            self.enter_at(model.kind, &model.model_id, MAIN).await?;
        }
        Ok(BranchMoved { branch, event_id: Some(event_id), session: None })
    }

    /// Writes that a ref comes or goes, with its event and the audit entry.
    async fn move_ref(
        &self,
        model: &ModelId,
        branch: &RefRecord,
        event_type: EventType,
    ) -> Result<EventId, Fault> {
        let event_id = EventId::new();
        let before = self.trace();
        self.note(|trace| {
            trace.model = Some(model.clone());
            trace.before = Some(branch.version.clone());
            trace.event = Some(event_id.clone());
        });
        let change = RefChange {
            model: model.clone(),
            name: branch.name.clone(),
            version: branch.version.clone(),
            event_id: event_id.clone(),
            event_type,
            operation_id: self.operation_id.clone(),
            tool: self.tool.clone(),
            params_sha256: self.params_sha256.clone(),
            author: self.principal.name.clone(),
            reasoning: self.common.reasoning.clone(),
            time_ms: store::now_ms(),
            audit: Some(self.audit_entry("ok".into())),
        };
        self.note(|trace| trace.committed = true);
        let outcome = self.inner.store.change_ref(change).await;
        if !matches!(outcome, Ok(RefOutcome::Done)) {
            self.note(|trace| *trace = before);
        }
        match outcome? {
            RefOutcome::Done => Ok(event_id),
            RefOutcome::Taken => Err(taken(&branch.name)),
            RefOutcome::Moved(head) => Err(conflict(model, &branch.version, &head)),
            RefOutcome::Gone => Err(self.no_branch(model, &branch.name).await),
        }
    }

    /// Adds what was done on a branch to another, as a version with two parents. Where the target has not moved since the
    /// branch began, that version is the branch's content: there is no other form of a merge, so that the history says who
    /// merged what and why. Where the source is in the target already, nothing happens.
    pub(crate) async fn join(
        &self,
        source: &str,
        target: &str,
        resolve: &Map<String, Value>,
        ancestor: Option<&str>,
    ) -> Result<BranchMerged, Fault> {
        let model = self.model_of_call().await?;
        let store = &self.inner.store;
        let theirs = self.version_of(&model.model_id, source).await?;
        let pinned = self.place(&model.model_id).await?.pinned;
        let _turn = if self.is_dry_run() {
            None
        } else {
            Some(self.inner.writers.lock(&writers_of(&model.model_id, target)).await)
        };
        for _ in 0..ATTEMPTS {
            let ours = self.head_of(&model.model_id, target).await?;
            if let Some(pinned) = pinned.as_ref().filter(|pinned| **pinned != ours) {
                return Err(conflict(&model.model_id, pinned, &ours));
            }
            let bases = store.merge_bases(&ours, &theirs).await?;
            let bases = chosen(&model.model_id, bases, ancestor)?;
            let Some(base) = bases.first() else {
                return Err(Fault::backend("The two branches have no version in common."));
            };
            let merged = |committed, session| BranchMerged {
                committed,
                base: base.clone(),
                source: theirs.clone(),
                session,
            };
            if *base == theirs {
                let session = self.enter_at(model.kind, &model.model_id, target).await?;
                return Ok(merged(None, session));
            }
            let sides = Sides { model: &model, base, ours: &ours, theirs: &theirs };
            let artifact = if bases.len() == 1 {
                self.merged(&sides, resolve).await?
            } else {
                self.merged_from_any(&sides, &bases, resolve).await?
            };
            if self.is_dry_run() {
                let committed = Committed {
                    model_id: model.model_id.clone(),
                    version: ours.clone(),
                    parent: Some(ours),
                    event_id: EventId::new(),
                    changes: artifact.diff_summary,
                };
                return Ok(merged(Some(committed), None));
            }
            let Some(delta) = self.only_delta(&artifact).await? else {
                return Err(Fault::backend("The merge answered no change."));
            };
            let draft = merge_draft(&model, target, &sides, delta, &artifact);
            match self.commit(draft, None).await? {
                Landed::Committed(done) => {
                    let session = self.enter_at(model.kind, &model.model_id, target).await?;
                    return Ok(merged(Some(done.0), session));
                }
                Landed::Moved(_) => {}
                Landed::Replayed(_) => return Err(raced()),
            }
        }
        Err(too_busy(&model.model_id))
    }
}

/// The versions that changes may be counted from: all the nearest common ones, or the one that was asked for.
fn chosen(
    model: &ModelId,
    mut bases: Vec<VersionId>,
    ancestor: Option<&str>,
) -> Result<Vec<VersionId>, Fault> {
    let Some(wanted) = ancestor else { return Ok(bases) };
    let all = bases.clone();
    bases.retain(|base| wanted.len() >= SHORTEST && base.as_str().starts_with(wanted));
    if bases.len() == 1 {
        return Ok(bases);
    }
    Err(Fault::invalid(
        "ancestor",
        format!(
            "{wanted:?} is none of the nearest common versions. Choose one of those listed, or leave it out."
        ),
    )
    .with("model_id", model)
    .with("allowed", all))
}

fn merge_draft(
    model: &ModelRecord,
    target: &str,
    sides: &Sides<'_>,
    delta: Vec<u8>,
    artifact: &contract::Artifact,
) -> Draft {
    let note = artifact.result.get("ids").cloned().unwrap_or(Value::Null);
    Draft {
        model: model.model_id.clone(),
        ref_name: target.to_owned(),
        new_model: None,
        parent: Some(sides.ours.clone()),
        merged: Some(MergedFrom { version: sides.theirs.clone(), note }),
        content: Content::Delta(delta),
        moved_to: None,
        event_type: EventType::VersionMerged,
        summary: artifact.diff_summary.clone(),
    }
}

fn taken(name: &str) -> Fault {
    Fault::invalid(
        "name",
        format!("There is a branch {name} already. Choose another name, or switch_branch to it."),
    )
}

/// Whether a branch may be called so: by what is not taken for a version or for `head`, and stands in addresses and on
/// command lines as it is.
fn check_name(name: &str) -> Result<(), Fault> {
    let sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    let part = |part: &str| !part.is_empty() && !part.starts_with(['.', '-']) && !part.ends_with('.');
    let like_a_version = name.len() >= 4 && name.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let good = name.len() <= NAME_BYTES
        && name.chars().all(sign)
        && name.split('/').all(part)
        && !like_a_version
        && name != HEAD;
    if good {
        return Ok(());
    }
    Err(Fault::invalid(
        "name",
        format!(
            "A branch's name has 1 to {NAME_BYTES} letters, digits, `.`, `_`, `-` and `/` (parts that do not begin with \
             `.` or `-`), is not `{HEAD}`, and does not look like a version's id."
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_mean_something_else_or_break_addresses_are_refused() {
        for name in ["main", "variant-a", "ada/kitchen_2", "v1.2", "abc", "Facade"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "head", "beef", "3f2a90c1", "-x", "../x", "a//b", "a b", "ä", ".git", "a/", "x."] {
            assert!(check_name(name).is_err(), "{name}");
        }
        assert!(check_name(&"x".repeat(101)).is_err());
    }
}
