//! Versions: listed, compared, and earlier ones brought back as new ones.

use crate::call::Call;
use crate::commit::{Authority, Draft, Proposal};
use crate::run::Subject;
use contract::ops::{Diff, PlatformOperation, Restore};
use contract::{
    Action, BoxFuture, BucketFile, Committed, DiffRaw, DiffSummary, EventType, Fault, FaultCode, Manifest,
    ModelId, ModelRecord, Page, RefRecord, VersionId, VersionRecord, Versions,
};
use store::{Content, Movement};

/// The earlier content that is to be the head again.
#[derive(Debug, Clone)]
enum Pick {
    /// That of this version.
    Restore(VersionId),
    /// That of so many edits ago.
    Undo(u32),
    /// That of so many undone edits ahead.
    Redo(u32),
}

impl Call {
    /// Makes an earlier content the head again, as a new version. `None` if nothing would change.
    async fn go_back(&self, model: &ModelRecord, pick: &Pick) -> Result<Option<(Committed, u32)>, Fault> {
        self.note(|trace| trace.model = Some(model.model_id.clone()));
        // A restore takes `model_version` as the version to go to, not as a pin.
        let position = if matches!(pick, Pick::Restore(_)) {
            self.session_position(&model.model_id).await?
        } else {
            self.position(&model.model_id).await?
        };
        position.require_pinned(&position.head)?;
        let position = &position;
        let result = self
            .commit_on_head(position, &Authority::Call, |head| async move {
                let Some((target, steps, movement)) = self.target(pick, &head).await? else {
                    return Ok(Proposal::Unchanged(0));
                };
                let operation = Restore {}.operation();
                let subjects = [
                    Subject { role: "model", model, version: &head },
                    Subject { role: "target", model, version: &target },
                ];
                let artifact = self.run(operation, &subjects, None).await?;
                let content = match self.only_delta(&artifact, None).await? {
                    Some(delta) => Content::Delta(delta),
                    None if movement == Movement::Restore => return Ok(Proposal::Unchanged(0)),
                    None => {
                        // The contents are equal, yet the cursor moves: the version is the target's file.
                        let file = self.whole_file(model, &target).await?;
                        Content::File { sha256: file.sha256, size: file.size }
                    }
                };
                let event_type = match movement {
                    Movement::Undo => EventType::EditsUndone,
                    Movement::Redo => EventType::EditsRedone,
                    Movement::Restore => EventType::VersionRestored,
                };
                let draft = Draft {
                    moved_to: Some((movement, target)),
                    ..Draft::on_head(position, head, content, event_type, &artifact)
                };
                Ok(Proposal::Change(Box::new(draft), None, steps))
            })
            .await?;
        let (committed, steps) = result.without_answer()?;
        Ok(committed.map(|committed| (committed, steps)))
    }

    async fn target(
        &self,
        pick: &Pick,
        head: &VersionId,
    ) -> Result<Option<(VersionId, u32, Movement)>, Fault> {
        let store = &self.inner.store;
        Ok(match pick {
            Pick::Restore(version) if version == head => None,
            Pick::Restore(version) => Some((version.clone(), 1, Movement::Restore)),
            Pick::Undo(steps) => {
                store.undo_target(head, *steps).await?.map(|(target, gone)| (target, gone, Movement::Undo))
            }
            Pick::Redo(steps) => {
                store.redo_target(head, *steps).await?.map(|(target, gone)| (target, gone, Movement::Redo))
            }
        })
    }

    /// Returns the difference between two versions of a model.
    async fn difference(
        &self,
        model: &ModelRecord,
        base: &VersionId,
        target: &VersionId,
        named: Option<u32>,
    ) -> Result<(DiffRaw, DiffSummary), Fault> {
        if base == target {
            return Ok((DiffRaw::default(), DiffSummary::default()));
        }
        let operation = Diff { named, ..Diff::default() }.operation();
        let subjects = [
            Subject { role: "base", model, version: base },
            Subject { role: "target", model, version: target },
        ];
        let answer = Diff::read(&self.run(operation, &subjects, None).await?)?;
        Ok((answer.raw.unwrap_or_default(), answer.summary))
    }
}

impl Versions for Call {
    fn versions<'a>(
        &'a self,
        model: &'a ModelId,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<VersionRecord>, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            let start = match cursor {
                Some(cursor) => cursor.to_owned(),
                None => self.session_position(&model).await?.head.0,
            };
            Ok(self.inner.store.versions(&model, limit, Some(&start)).await?)
        })
    }

    fn history<'a>(
        &'a self,
        model: &'a ModelId,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<VersionRecord>, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            Ok(self.inner.store.history(&model, limit, cursor).await?)
        })
    }

    fn version<'a>(&'a self, model: &'a ModelId, id: &'a str) -> BoxFuture<'a, Result<VersionRecord, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            let version = self.version_of(&model, id).await?;
            Ok(self.inner.store.version(&model, version.as_str()).await?)
        })
    }

    fn manifest<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<Option<Manifest>, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            let version = self.version_of(&model, version.as_str()).await?;
            Ok(self.inner.store.manifest(&version).await?)
        })
    }

    fn refs<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Vec<RefRecord>, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            Ok(self.inner.store.refs(&model).await?)
        })
    }

    fn diff<'a>(
        &'a self,
        model: &'a ModelId,
        base: &'a VersionId,
        target: &'a VersionId,
        named: Option<u32>,
    ) -> BoxFuture<'a, Result<(DiffRaw, DiffSummary), Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?;
            self.difference(&model, base, target, named).await
        })
    }

    fn restore<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<Option<Committed>, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?;
            let done = self.go_back(&model, &Pick::Restore(version.clone())).await?;
            Ok(done.map(|(committed, _)| committed))
        })
    }

    fn undo<'a>(&'a self, model: &'a ModelId, steps: i32) -> BoxFuture<'a, Result<(Committed, u32), Fault>> {
        Box::pin(async move {
            let count = steps.unsigned_abs();
            if count == 0 {
                return Err(Fault::invalid("steps", "`steps` has to be at least 1."));
            }
            let pick = if steps > 0 { Pick::Undo(count) } else { Pick::Redo(count) };
            let model = self.known_model(model).await?;
            let nothing = if steps > 0 {
                "There is nothing to undo: the model is as it was first made or loaded."
            } else {
                "There is nothing to redo: nothing was undone since the last change."
            };
            self.go_back(&model, &pick)
                .await?
                .ok_or_else(|| Fault::new(FaultCode::ConstraintViolation, nothing))
        })
    }

    fn materialise<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?;
            self.may(Action::Export, &model)?;
            let file = self.whole_file(&model, version).await?;
            self.gives(file.size)?;
            Ok(file)
        })
    }

    fn save<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        path: &'a str,
        overwrite: bool,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?;
            self.may(Action::Export, &model)?;
            self.save_file(&model, version, path, overwrite, true).await
        })
    }

    fn write_version<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        path: &'a str,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?;
            self.may(Action::Export, &model)?;
            self.save_file(&model, version, path, false, false).await
        })
    }
}
