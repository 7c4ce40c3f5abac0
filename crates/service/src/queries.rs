//! Queries of platform tools: on the call's model, on what they need, and values and files derived from versions, made once.

use crate::call::Call;
use crate::run::Subject;
use contract::{
    Action, Artifact, BoxFuture, BucketFile, DerivedFile, Effect, Fault, FaultCode, ModelRecord, ModelUse,
    Needs, Operation, Queries, QueryAnswer, VersionId, missing_files_of_answer,
};
use serde_json::Value;
use store::{Blob, Scratch};

impl Call {
    /// Runs a query on this call's model and version.
    pub(crate) async fn query_here(
        &self,
        operation: Operation,
        scratch: Option<&Scratch>,
    ) -> Result<Artifact, Fault> {
        let (model, version) = self.model_and_version().await?;
        self.query_on(operation, &[Subject { role: "model", model: &model, version: &version }], scratch)
            .await
    }

    async fn query_on(
        &self,
        operation: Operation,
        subjects: &[Subject<'_>],
        scratch: Option<&Scratch>,
    ) -> Result<Artifact, Fault> {
        if operation.effect != Effect::Query {
            return Err(Fault::backend(format!("{} is no query.", operation.name)));
        }
        self.run(operation, subjects, scratch).await
    }

    /// The JSON that a query on a version answers, made once and kept under `key`.
    pub(crate) async fn made_value(&self, key: &str, operation: Operation) -> Result<Value, Fault> {
        if let Some(value) = self.kept_value(key).await? {
            return Ok(value);
        }
        let _turn = self.inner.materialising.lock(key).await;
        let value = self.query_here(operation, None).await?.result;
        self.keep_value(key, &value).await?;
        Ok(value)
    }

    async fn keep_value(&self, key: &str, value: &Value) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(value).unwrap_or_default();
        let blob = self.inner.store.put_blob(bytes).await?;
        self.inner.store.put_derived(key, &blob, "application/json").await?;
        Ok(())
    }

    /// The JSON that is kept under a key.
    async fn kept_value(&self, key: &str) -> Result<Option<Value>, Fault> {
        let Some(blob) = self.derived_blob(key).await? else { return Ok(None) };
        Ok(serde_json::from_slice(&self.inner.store.blob(&blob.sha256).await?).ok())
    }

    /// A further model by id or name, at its newest version or at that behind the last `@`.
    async fn with_model(&self, named: &str) -> Result<(ModelRecord, VersionId), Fault> {
        let (model, version) = match (self.find_model(named).await, named.rsplit_once('@')) {
            // a name may have that sign, too
            (Err(_), Some((model, version))) => (self.find_model(model).await?, Some(version)),
            (found, _) => (found?, None),
        };
        self.may(Action::Export, &model)?;
        self.opens(&model.model_id)?;
        let version = match version {
            Some(version) => self.version_of(&model.model_id, version).await?,
            None => self.session_position(&model.model_id).await?.head,
        };
        Ok((model, version))
    }

    /// The answer and the first file of a query on a version and further ones, both made at once and kept.
    async fn made(&self, operation: Operation, further: &[String]) -> Result<DerivedFile, Fault> {
        let (model, version) = self.model_and_version().await?;
        let mut others = Vec::with_capacity(further.len());
        let mut key = operation.key_on(&version);
        for named in further {
            let (other, at) = self.with_model(named).await.map_err(|fault| fault.with("field", "with"))?;
            if other.kind != model.kind {
                let message = format!("{} is a model of another kind than {}.", other.name, model.name);
                return Err(Fault::invalid("with", message));
            }
            if at == version {
                let message = format!("{} at this version is the model itself.", other.name);
                return Err(Fault::invalid("with", message));
            }
            key = format!("{key}/{}/{at}", other.model_id);
            others.push((other, at));
        }
        let of_answer = format!("{key}/answer");
        let _turn = self.inner.materialising.lock(&key).await;
        if let (Some(blob), Some(answer)) =
            (self.derived_blob(&key).await?, self.kept_value(&of_answer).await?)
        {
            return Ok(DerivedFile { answer, file: self.bucket_file(blob.sha256).await?, further: others });
        }
        let own = Subject { role: "model", model: &model, version: &version };
        let with = others.iter().map(|(model, version)| Subject { role: "with", model, version });
        let subjects: Vec<Subject<'_>> = std::iter::once(own).chain(with).collect();
        let scratch = self.scratch()?;
        let artifact = self.query_on(operation, &subjects, Some(&scratch)).await?;
        let file = self.keep_made(&key, &artifact, &scratch).await?;
        self.keep_value(&of_answer, &artifact.result).await?;
        Ok(DerivedFile { answer: artifact.result, file, further: others })
    }

    /// Keeps the first file of an artifact under a key.
    async fn keep_made(
        &self,
        key: &str,
        artifact: &Artifact,
        scratch: &Scratch,
    ) -> Result<BucketFile, Fault> {
        let Some(file) = artifact.files.first() else {
            let name = &artifact.manifest.tool;
            return Err(Fault::new(FaultCode::NotFound, format!("{name} made no file.")));
        };
        let staged = self.stage_output(file, Some(scratch)).await?;
        let blob = self.inner.store.adopt(staged).await?;
        self.inner.store.put_derived(key, &blob, &file.media_type).await?;
        self.bucket_file(blob.sha256).await
    }

    /// The first file that a query on a version makes, made once and kept under `key`. A key has to name the content:
    /// everything that the file depends on is in it.
    pub(crate) async fn made_file(&self, key: &str, operation: Operation) -> Result<BucketFile, Fault> {
        if let Some(blob) = self.derived_blob(key).await? {
            return self.bucket_file(blob.sha256).await;
        }
        let _turn = self.inner.materialising.lock(key).await;
        if let Some(blob) = self.derived_blob(key).await? {
            return self.bucket_file(blob.sha256).await;
        }
        let scratch = self.scratch()?;
        let artifact = self.query_here(operation, Some(&scratch)).await?;
        self.keep_made(key, &artifact, &scratch).await
    }

    pub(crate) async fn derived_blob(&self, key: &str) -> Result<Option<Blob>, Fault> {
        let Some(blob) = self.inner.store.derived(key).await? else { return Ok(None) };
        // DerivedFile blobs may be collected at any time.
        let there = self.inner.store.blob_size(&blob.sha256).await.is_ok();
        Ok(there.then_some(blob))
    }

    /// Runs a query on what it needs, and keeps the files that it makes.
    pub(crate) async fn query_on_needs(
        &self,
        operation: Operation,
        needs: &Needs,
    ) -> Result<QueryAnswer, Fault> {
        let own = match needs.model_of(&operation.params) {
            ModelUse::Current => Some(self.model_and_version().await?),
            ModelUse::None | ModelUse::Optional | ModelUse::New => None,
        };
        let provided = self.provide(needs, &operation.params).await?;
        let own = own.as_ref().map(|(model, version)| (model, version));
        let artifact = self.run_provided(operation, own, &provided).await?;
        // what is made of a version alone stands on record with it
        let made_of = own.map(|(model, version)| (model.model_id.clone(), version.clone()));
        let kept = self.keep_files_of(&artifact, provided.scratch.as_ref(), made_of.as_ref()).await?;
        let made = artifact.files.iter().zip(&kept).map(|(file, record)| self.kept(&file.role, record));
        Ok(QueryAnswer { result: artifact.result, made: made.collect() })
    }

    /// Runs a query; where it says that it lacks files which the caller has, it runs again with them.
    pub(crate) async fn query_with_files(&self, operation: Operation) -> Result<Artifact, Fault> {
        let (model, version) = self.model_and_version().await?;
        let subject = [Subject { role: "model", model: &model, version: &version }];
        let first = self.run(operation.clone(), &subject, None).await?;
        let files = self.files_named(missing_files_of_answer(&first.result)).await?;
        if files.is_empty() {
            return Ok(first);
        }
        let scratch = self.scratch()?;
        self.run_on_files(operation, &subject, files, Some(&scratch)).await
    }
}

impl Queries for Call {
    fn query(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>> {
        Box::pin(self.query_here(operation, None))
    }

    fn query_needing<'a>(
        &'a self,
        operation: Operation,
        needs: &'a Needs,
    ) -> BoxFuture<'a, Result<QueryAnswer, Fault>> {
        Box::pin(self.query_on_needs(operation, needs))
    }

    fn query_with_named_files(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>> {
        Box::pin(self.query_with_files(operation))
    }

    fn derived_value<'a>(
        &'a self,
        key: &'a str,
        operation: Operation,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        Box::pin(self.made_value(key, operation))
    }

    fn derived<'a>(
        &'a self,
        operation: Operation,
        further: &'a [String],
    ) -> BoxFuture<'a, Result<DerivedFile, Fault>> {
        Box::pin(async move {
            let derived = self.made(operation, further).await?;
            self.gives(derived.file.size)?;
            Ok(derived)
        })
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
}
