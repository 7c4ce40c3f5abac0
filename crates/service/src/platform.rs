//! What a platform tool may ask for, in the name of the call it runs in.

use crate::call::Call;
use crate::library::Pick;
use contract::{
    Action, ApprovalRecord, Artifact, AuditFilter, AuditRecord, BoxFuture, BranchMerged, BranchMoved,
    BucketFile, Committed, Derived, DiffRaw, DiffSummary, Fault, FaultCode, ImportSource, JobDraft,
    JobFilter, JobRecord, KeptFile, ModelChanged, ModelId, ModelKind, ModelMade, ModelOrigin, ModelRecord,
    ModelUse, Operation, Page, Permission, Platform, Principal, RefRecord, SimulationDraft, SimulationRead,
    TimedLink, VersionId, VersionRecord, WeatherKept,
};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;

impl Platform for Call {
    fn principal(&self) -> &Principal {
        self.who()
    }

    fn kind(&self) -> Option<ModelKind> {
        self.kind
    }

    fn dry_run(&self) -> bool {
        self.is_dry_run()
    }

    fn current_model(&self) -> BoxFuture<'_, Result<ModelRecord, Fault>> {
        Box::pin(self.model_of_call())
    }

    fn current_version(&self) -> BoxFuture<'_, Result<VersionId, Fault>> {
        Box::pin(async move { Ok(self.model_and_version().await?.1) })
    }

    fn set_current_model<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<String>, Fault>> {
        Box::pin(async move {
            if self.is_dry_run() {
                return Ok(None);
            }
            let model = self.known_model(model).await?;
            self.note(|trace| trace.model = Some(model.model_id.clone()));
            self.enter(model.kind, &model.model_id).await
        })
    }

    fn model<'a>(&'a self, id_or_name: &'a str) -> BoxFuture<'a, Result<ModelRecord, Fault>> {
        Box::pin(self.find_model(id_or_name))
    }

    fn models<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ModelRecord>, Fault>> {
        Box::pin(self.seen_models(limit, cursor))
    }

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

    fn version<'a>(&'a self, model: &'a ModelId, id: &'a str) -> BoxFuture<'a, Result<VersionRecord, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            let version = self.version_of(&model, id).await?;
            Ok(self.inner.store.version(&model, version.as_str()).await?)
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

    fn refs<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Vec<RefRecord>, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            Ok(self.inner.store.refs(&model).await?)
        })
    }

    fn current_branch(&self) -> BoxFuture<'_, Result<String, Fault>> {
        Box::pin(async move {
            let model = self.model_of_call().await?;
            Ok(self.position(&model.model_id).await?.ref_name)
        })
    }

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

    fn session_since<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<u64, Fault>> {
        Box::pin(async move { Ok(crate::session::since(&self.session_state().await?, model)) })
    }

    fn clear_session(&self) -> BoxFuture<'_, Result<(), Fault>> {
        Box::pin(self.forget_session())
    }

    fn import<'a>(
        &'a self,
        source: &'a ImportSource,
        name: Option<&'a str>,
        kind: Option<ModelKind>,
        into: Option<&'a ModelId>,
    ) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>> {
        Box::pin(self.import_file(source, name, kind, into))
    }

    fn create_model<'a>(
        &'a self,
        operation: Operation,
        name: &'a str,
    ) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>> {
        Box::pin(async move {
            let (committed, artifact, _) = self.make_model(operation, name).await?;
            Ok((committed, artifact))
        })
    }

    fn derive_model<'a>(
        &'a self,
        from: ModelKind,
        operation: Operation,
        weather: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Derived, Fault>> {
        Box::pin(self.derive(from, operation, weather))
    }

    fn derive_from_file<'a>(
        &'a self,
        operation: Operation,
        backend: &'a str,
        role: &'a str,
        field: &'a str,
        file: &'a str,
    ) -> BoxFuture<'a, Result<ModelMade, Fault>> {
        Box::pin(self.derive_of_file(operation, backend, role, (field, file)))
    }

    fn change_model<'a>(
        &'a self,
        model: &'a ModelId,
        operation: Operation,
        backend: Option<&'a str>,
    ) -> BoxFuture<'a, Result<ModelChanged, Fault>> {
        Box::pin(self.alter(model, operation, backend))
    }

    fn origin<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<ModelOrigin>, Fault>> {
        Box::pin(self.origin_of(model))
    }

    fn fetch_weather<'a>(&'a self, path: &'a str) -> BoxFuture<'a, Result<WeatherKept, Fault>> {
        Box::pin(self.fetch_station(path))
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

    fn diff<'a>(
        &'a self,
        model: &'a ModelId,
        base: &'a VersionId,
        target: &'a VersionId,
    ) -> BoxFuture<'a, Result<(DiffRaw, DiffSummary), Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?;
            self.difference(&model, base, target).await
        })
    }

    fn query(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>> {
        Box::pin(self.query_here(operation, None))
    }

    fn derived_value<'a>(
        &'a self,
        key: &'a str,
        operation: Operation,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(self.made_value(key, operation))
    }

    fn derived_file<'a>(
        &'a self,
        key: &'a str,
        operation: Operation,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>> {
        Box::pin(async move {
            let file = self.made_file(key, operation).await?;
            self.gives(file.size)?;
            Ok(file)
        })
    }

    fn file<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(BucketFile, String, String), Fault>> {
        Box::pin(self.file_by_key(key))
    }

    fn link_to<'a>(
        &'a self,
        file: &'a BucketFile,
        name: &'a str,
        media_type: &'a str,
        seconds: u64,
    ) -> BoxFuture<'a, Result<TimedLink, Fault>> {
        Box::pin(self.link_to_file(file, name, media_type, seconds))
    }

    fn link_for<'a>(
        &'a self,
        name: &'a str,
        max_bytes: Option<u64>,
        seconds: u64,
    ) -> BoxFuture<'a, Result<TimedLink, Fault>> {
        Box::pin(self.link_for_file(name, max_bytes, seconds))
    }

    fn audit<'a>(
        &'a self,
        filter: &'a AuditFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<AuditRecord>, Fault>> {
        Box::pin(self.seen_audit(filter, limit, cursor))
    }

    fn approvals<'a>(
        &'a self,
        pending: bool,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ApprovalRecord>, Fault>> {
        Box::pin(self.seen_approvals(pending, limit, cursor))
    }

    fn decide_approval<'a>(
        &'a self,
        id: &'a str,
        approve: bool,
        comment: Option<&'a str>,
    ) -> BoxFuture<'a, Result<(ApprovalRecord, Option<Committed>), Fault>> {
        Box::pin(self.decide_on(id, approve, comment))
    }

    fn submit_job(&self, draft: JobDraft) -> BoxFuture<'_, Result<JobRecord, Fault>> {
        Box::pin(self.put_down_job(draft))
    }

    fn job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>> {
        Box::pin(self.seen_job(id))
    }

    fn jobs<'a>(
        &'a self,
        filter: &'a JobFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<JobRecord>, Fault>> {
        Box::pin(self.seen_jobs(filter, limit, cursor))
    }

    fn cancel_job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>> {
        Box::pin(self.give_up_job(id))
    }

    fn simulate<'a>(&'a self, draft: &'a SimulationDraft) -> BoxFuture<'a, Result<Option<JobRecord>, Fault>> {
        Box::pin(self.put_down_simulation(draft))
    }

    fn await_job<'a>(&'a self, id: &'a str, patience: Duration) -> BoxFuture<'a, Result<JobRecord, Fault>> {
        Box::pin(self.waited_for(id, patience))
    }

    fn keep_file<'a>(
        &'a self,
        name: &'a str,
        media_type: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<KeptFile, Fault>> {
        Box::pin(self.keep_given(name, media_type, bytes))
    }

    fn files<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<KeptFile>, Fault>> {
        Box::pin(self.own_files(limit, cursor))
    }

    fn latest_simulation(&self) -> BoxFuture<'_, Result<JobRecord, Fault>> {
        Box::pin(self.simulated_job())
    }

    fn query_with_named_files(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>> {
        Box::pin(self.query_with_files(operation))
    }

    fn read_simulation(&self, operation: Operation) -> BoxFuture<'_, Result<SimulationRead, Fault>> {
        Box::pin(self.simulation_read(operation))
    }

    fn query_without_model(&self, operation: Operation) -> BoxFuture<'_, Result<Value, Fault>> {
        Box::pin(async move { Ok(self.ask_of_schema(operation, ModelUse::Schema, None).await?.result) })
    }

    fn write_file<'a>(
        &'a self,
        key: &'a str,
        field: &'a str,
        path: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>> {
        Box::pin(self.file_to_path(key, field, path))
    }

    fn permissions(&self) -> Vec<Permission> {
        self.granted()
    }

    fn public_url(&self) -> String {
        self.inner.config.public_url.clone()
    }
}
