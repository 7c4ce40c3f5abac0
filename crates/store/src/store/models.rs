//! Models, refs, versions and events.

use super::{PAGE_MAX, Store, bad_cursor, time_and_id};
use crate::error::StoreError;
use crate::replay::Projection;
use crate::types::Lineage;
use crate::{ancestry, history, sql};
use contract::{
    BoxFuture, EventRecord, Manifest, ModelId, ModelKind, ModelOrigin, ModelRecord, Page, RefRecord,
    VersionId, VersionRecord,
};

impl Store {
    /// Returns the version that a ref points to, if the model has it.
    pub async fn head(&self, model: &ModelId, name: &str) -> Result<Option<VersionId>, StoreError> {
        let (model, name) = (model.clone(), name.to_owned());
        self.database.look_up(move |c| sql::commit::head(c, &model, &name)).await
    }

    /// The best common ancestors of two versions; see [`crate::merge_bases`].
    pub async fn merge_bases(
        &self,
        one: &VersionId,
        other: &VersionId,
    ) -> Result<Vec<VersionId>, StoreError> {
        let (one, other) = (one.clone(), other.clone());
        self.database
            .read(move |c| ancestry::merge_bases(&one, &other, |id| sql::versions::node(c, id)))
            .await
    }

    /// The notes of the merges by which what is in `ancestor` came into `descendant`, the earliest first.
    pub async fn merge_notes(
        &self,
        ancestor: &VersionId,
        descendant: &VersionId,
    ) -> Result<Vec<serde_json::Value>, StoreError> {
        let (ancestor, descendant) = (ancestor.clone(), descendant.clone());
        self.database
            .read(move |c| {
                let crossed = ancestry::crossings(&ancestor, &descendant, |id| sql::versions::node(c, id))?;
                let crossed = crossed.ok_or_else(|| {
                    StoreError::Inconsistent(format!("{ancestor} is not before {descendant}"))
                })?;
                crossed.iter().map(|merge| sql::versions::merge_note(c, merge)).collect()
            })
            .await
    }

    /// Models and refs as the event log alone has them; see [`Projection`].
    pub async fn replay(&self) -> Result<Projection, StoreError> {
        self.database
            .read(|c| {
                let mut projection = Projection::default();
                sql::events::each(c, |event| {
                    projection.apply(event);
                    Ok(())
                })?;
                Ok(projection)
            })
            .await
    }

    /// Models and refs as the tables have them.
    pub async fn projection(&self) -> Result<Projection, StoreError> {
        self.database.read(sql::models::projection).await
    }

    /// The model with this id.
    pub async fn model(&self, id: &ModelId) -> Result<ModelRecord, StoreError> {
        let id = id.clone();
        self.database
            .look_up(move |c| {
                sql::models::by_id(c, id.as_str())?
                    .ok_or_else(|| StoreError::NotFound { what: "model", id: id.to_string() })
            })
            .await
    }

    /// The model with this id, or the only one with exactly this name.
    pub async fn find_model(&self, id_or_name: &str) -> Result<ModelRecord, StoreError> {
        // most are called by their ids
        let wanted = id_or_name.to_owned();
        let known = self.database.look_up(move |c| sql::models::by_id(c, &wanted)).await?;
        match known {
            Some(model) => Ok(model),
            None => self.model_named(id_or_name.to_owned()).await,
        }
    }

    /// The only model with exactly this name. Boxed, since what waits for it is large by itself and seldom gets here.
    fn model_named(&self, wanted: String) -> BoxFuture<'_, Result<ModelRecord, StoreError>> {
        Box::pin(self.database.read(move |c| {
            let mut named = sql::models::by_name(c, &wanted)?;
            match named.len() {
                0 => Err(StoreError::NotFound { what: "model", id: wanted }),
                1 => Ok(named.remove(0)),
                _ => Err(StoreError::Ambiguous {
                    what: "model",
                    id: wanted,
                    candidates: named.into_iter().map(|model| model.model_id.0).collect(),
                }),
            }
        }))
    }

    /// Returns the model that a model was made from, if any.
    pub async fn origin(&self, model: &ModelId) -> Result<Option<ModelOrigin>, StoreError> {
        let model = model.clone();
        self.database.read(move |c| sql::models::origin(c, &model)).await
    }

    /// Names of models, the latest changed first.
    pub async fn model_names(&self, limit: u32) -> Result<Vec<String>, StoreError> {
        self.database.read(move |c| sql::models::names(c, limit)).await
    }

    /// A page of models, the latest changed first; at most 200.
    pub async fn models(&self, limit: u32, cursor: Option<&str>) -> Result<Page<ModelRecord>, StoreError> {
        let after = cursor.map(time_and_id).transpose()?;
        self.database.read(move |c| sql::models::page(c, limit.clamp(1, PAGE_MAX), after)).await
    }

    /// The refs of a model.
    pub async fn refs(&self, model: &ModelId) -> Result<Vec<RefRecord>, StoreError> {
        let model = model.clone();
        self.database.read(move |c| sql::models::refs(c, &model)).await
    }

    /// Every ref of every model: model, kind, name of the ref, version.
    pub async fn heads(&self) -> Result<Vec<(ModelId, ModelKind, String, VersionId)>, StoreError> {
        self.database.read(sql::models::heads).await
    }

    /// Versions of a model from its head back, or from the version that the cursor names; at most 200.
    pub async fn versions(
        &self,
        model: &ModelId,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<VersionRecord>, StoreError> {
        let (model, cursor) = (model.clone(), cursor.map(VersionId::from));
        self.database
            .read(move |c| {
                let start = match cursor {
                    Some(start) => sql::versions::find(c, &model, start.as_str())?.version,
                    None => sql::commit::head(c, &model, crate::MAIN)?
                        .ok_or_else(|| StoreError::NotFound { what: "model", id: model.to_string() })?,
                };
                sql::versions::page(c, &model, &start, limit.clamp(1, PAGE_MAX))
            })
            .await
    }

    /// Every version of a model, of all its branches: no version before one that it comes from; at most 200.
    pub async fn history(
        &self,
        model: &ModelId,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<VersionRecord>, StoreError> {
        let model = model.clone();
        let after = cursor
            .map(|text| {
                let (generation, id) = text.split_once('.').ok_or_else(|| bad_cursor(text))?;
                let generation: u64 = generation.parse().map_err(|_| bad_cursor(text))?;
                Ok::<_, StoreError>((generation, VersionId::from(id)))
            })
            .transpose()?;
        self.database
            .read(move |c| sql::versions::history(c, &model, limit.clamp(1, PAGE_MAX), after.as_ref()))
            .await
    }

    /// One version, by its id or by the first digits of it (four at least) where they fit one only.
    pub async fn version(&self, model: &ModelId, id: &str) -> Result<VersionRecord, StoreError> {
        let (model, id) = (model.clone(), id.to_owned());
        self.database.read(move |c| sql::versions::find(c, &model, &id)).await
    }

    /// Returns how a version came about; none for one that was made before manifests were kept.
    pub async fn manifest(&self, version: &VersionId) -> Result<Option<Manifest>, StoreError> {
        let version = version.clone();
        self.database.read(move |c| sql::versions::manifest(c, &version)).await
    }

    /// Returns the file and the deltas that a version is opened from.
    pub async fn lineage(&self, version: &VersionId) -> Result<Lineage, StoreError> {
        let version = version.clone();
        self.database.read(move |c| sql::versions::lineage(c, &version)).await
    }

    /// The version that undo goes to from `head`, and how many steps it is away; see [`crate::undo`].
    pub async fn undo_target(
        &self,
        head: &VersionId,
        steps: u32,
    ) -> Result<Option<(VersionId, u32)>, StoreError> {
        let head = head.clone();
        self.database.read(move |c| history::undo(&head, steps, |id| sql::versions::step(c, id))).await
    }

    /// The version that redo goes to from `head`, and how many steps it is away; see [`crate::redo`].
    pub async fn redo_target(
        &self,
        head: &VersionId,
        steps: u32,
    ) -> Result<Option<(VersionId, u32)>, StoreError> {
        let head = head.clone();
        self.database.read(move |c| history::redo(&head, steps, |id| sql::versions::step(c, id))).await
    }

    /// The blob of a version's whole file, if it is kept.
    pub async fn whole_file(&self, version: &VersionId) -> Result<Option<String>, StoreError> {
        let version = version.clone();
        self.database.read(move |c| sql::versions::whole_file(c, &version)).await
    }

    /// Records a blob as the whole file of a version, so that later versions are opened from it.
    pub async fn set_checkpoint(&self, version: &VersionId, sha256: &str) -> Result<(), StoreError> {
        let (version, sha256) = (version.clone(), sha256.to_owned());
        self.database.write(move |c| sql::versions::set_checkpoint(c, &version, &sha256)).await
    }

    /// Events after a position in the log, in order; of one model, if given.
    pub async fn events(
        &self,
        model: Option<&ModelId>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<EventRecord>, StoreError> {
        let model = model.cloned();
        self.database.read(move |c| sql::events::after(c, model.as_ref(), after, limit.clamp(1, 1000))).await
    }

    /// The position of the last event in the log; zero where there is none yet.
    pub async fn last_event(&self) -> Result<u64, StoreError> {
        self.database.read(sql::events::last).await
    }
}
