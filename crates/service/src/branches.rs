//! Branches: where a call reads and changes, refs made and given up, one line of versions added to another.

use crate::call::{Call, HEAD};
use crate::commit::{Authority, Draft, Proposal, conflict};
use crate::merging::{Merged, Sides};
use contract::{
    BoxFuture, BranchMerged, BranchMoved, Branches, EventType, Fault, FaultCode, ModelId, RefRecord,
    VersionId,
};
use serde_json::{Map, Value, json};
use store::{Content, MAIN, MergedFrom};

const NAME_BYTES: usize = 100;
/// Digits of a version that is named by its first ones.
const SHORTEST: usize = 4;

/// The position of a call in the history of a model: the version it reads and the ref it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RefPosition {
    /// The model.
    pub(crate) model: ModelId,
    /// The ref that a change moves.
    pub(crate) ref_name: String,
    /// The version that the ref points to.
    pub(crate) head: VersionId,
    /// The version that the caller named, if it named one.
    pub(crate) pinned: Option<VersionId>,
}

impl RefPosition {
    /// The version that is read.
    pub(crate) fn version(&self) -> &VersionId {
        self.pinned.as_ref().unwrap_or(&self.head)
    }

    /// Refuses a head that is not the version that the caller named.
    pub(crate) fn require_pinned(&self, head: &VersionId) -> Result<(), Fault> {
        match &self.pinned {
            Some(pinned) if pinned != head => Err(conflict(&self.model, pinned, head)),
            _ => Ok(()),
        }
    }
}

impl Call {
    /// Returns the position of this call: on the branch that `model_version` names, else on the session's, else on `main`.
    pub(crate) async fn position(&self, model: &ModelId) -> Result<RefPosition, Fault> {
        let wanted = self.common.model_version.as_deref().filter(|wanted| *wanted != HEAD);
        if let Some(name) = wanted
            && let Some(head) = self.inner.store.head(model, name).await?
        {
            return Ok(RefPosition { model: model.clone(), ref_name: name.to_owned(), head, pinned: None });
        }
        let pinned = match wanted {
            Some(wanted) => Some(self.version_of(model, wanted).await?),
            None => None,
        };
        Ok(RefPosition { pinned, ..self.session_position(model).await? })
    }

    /// Returns the position of the session, whatever version this call names.
    pub(crate) async fn session_position(&self, model: &ModelId) -> Result<RefPosition, Fault> {
        let state = self.session_state().await?;
        let ref_name = crate::session::branch(&state, model).unwrap_or(MAIN).to_owned();
        let head = self.head_of(model, &ref_name).await?;
        Ok(RefPosition { model: model.clone(), ref_name, head, pinned: None })
    }

    /// Returns the version that a ref points to.
    pub(crate) async fn head_of(&self, model: &ModelId, ref_name: &str) -> Result<VersionId, Fault> {
        match self.inner.store.head(model, ref_name).await? {
            Some(head) => Ok(head),
            None => Err(self.no_branch(model, ref_name).await),
        }
    }

    pub(crate) async fn no_branch(&self, model: &ModelId, name: &str) -> Fault {
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
            return Ok(self.session_position(model).await?.head);
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
            None => self.position(&model.model_id).await?.version().clone(),
        };
        let branch = RefRecord { name: name.to_owned(), version };
        if self.inner.store.head(&model.model_id, name).await?.is_some() {
            return Err(taken(name));
        }
        if self.is_dry_run() {
            return Ok(BranchMoved { branch, event_id: None, session: None });
        }
        let event_id = self.change_ref(&model.model_id, &branch, EventType::BranchCreated).await?;
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
        let _turn = self.writers_turn(&model.model_id, name).await;
        let version = self.head_of(&model.model_id, name).await?;
        let branch = RefRecord { name: name.to_owned(), version };
        if self.is_dry_run() {
            return Ok(BranchMoved { branch, event_id: None, session: None });
        }
        let event_id = self.change_ref(&model.model_id, &branch, EventType::BranchDeleted).await?;
        let state = self.session_state().await?;
        if crate::session::branch(&state, &model.model_id) == Some(name) {
            self.enter_at(model.kind, &model.model_id, MAIN).await?;
        }
        Ok(BranchMoved { branch, event_id: Some(event_id), session: None })
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
        let theirs = &self.version_of(&model.model_id, source).await?;
        let position = RefPosition {
            ref_name: target.to_owned(),
            head: self.head_of(&model.model_id, target).await?,
            ..self.position(&model.model_id).await?
        };
        position.require_pinned(&position.head)?;
        let (model, position) = (&model, &position);
        let result = self
            .commit_on_head(position, &Authority::Call, |ours| async move {
                let bases = self.inner.store.merge_bases(&ours, theirs).await?;
                let bases = chosen(&model.model_id, bases, ancestor)?;
                let Some(base) = bases.first().cloned() else {
                    return Err(Fault::backend("The two branches have no version in common."));
                };
                if base == *theirs {
                    return Ok(Proposal::Unchanged(base));
                }
                let sides = Sides { model, base: &base, ours: &ours, theirs };
                let merged = if bases.len() == 1 {
                    self.merged(&sides, resolve).await?
                } else {
                    self.merged_from_any(&sides, &bases, resolve).await?
                };
                let Merged { artifact, ids } = merged;
                let Some(delta) = self.only_delta(&artifact, None).await? else {
                    return Err(Fault::backend("The merge answered no change."));
                };
                let note = json!(ids);
                let (content, event_type) = (Content::Delta(delta), EventType::VersionMerged);
                let draft = Draft {
                    merged: Some(MergedFrom { version: theirs.clone(), note }),
                    ..Draft::on_head(position, ours, content, event_type, &artifact)
                };
                Ok(Proposal::Change(Box::new(draft), None, base))
            })
            .await?;
        let (committed, base) = result.without_answer()?;
        let session = self.enter_at(model.kind, &model.model_id, target).await?;
        Ok(BranchMerged { committed, base, source: theirs.clone(), session })
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

pub(crate) fn taken(name: &str) -> Fault {
    Fault::invalid(
        "name",
        format!("There is a branch {name} already. Choose another name, or switch_branch to it."),
    )
}

/// Refuses a name that no branch may have: what is taken for a version or for `head`, or does not stand in addresses and on command
/// lines as it is.
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

impl Branches for Call {
    fn create_branch<'a>(
        &'a self,
        name: &'a str,
        from: Option<&'a str>,
        switch: bool,
    ) -> BoxFuture<'a, Result<BranchMoved, Fault>> {
        Box::pin(self.begin_branch(name, from, switch))
    }

    fn switch_branch<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<BranchMoved, Fault>> {
        Box::pin(self.go_to_branch(name))
    }

    fn delete_branch<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<BranchMoved, Fault>> {
        Box::pin(self.end_branch(name))
    }

    fn merge_branch<'a>(
        &'a self,
        source: &'a str,
        target: &'a str,
        resolve: &'a Map<String, Value>,
        ancestor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<BranchMerged, Fault>> {
        Box::pin(self.join(source, target, resolve, ancestor))
    }
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
