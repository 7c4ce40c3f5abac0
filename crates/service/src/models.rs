//! Models: found by id or name, and made out of others.

use crate::call::Call;
use crate::run::Subject;
use crate::session;
use contract::ops::Derivation;
use contract::{
    Action, Artifact, BoxFuture, Committed, Derived, Fault, KeptFile, ModelChanged, ModelId, ModelImport,
    ModelKind, ModelMade, ModelOrigin, ModelRecord, Models, Needs, Operation, Page,
};
use serde_json::Value;

impl Call {
    /// A model by id or name, with near matches if there is none.
    pub(crate) async fn find_model(&self, id_or_name: &str) -> Result<ModelRecord, Fault> {
        match self.inner.store.find_model(id_or_name).await {
            // the others that have this name may be there for others alone
            Err(store::StoreError::Ambiguous { what, id, candidates }) => {
                let mut seen = Vec::new();
                for candidate in candidates {
                    seen.extend(self.known_model(&ModelId(candidate)).await.ok());
                }
                match seen.len() {
                    0 => Err(self.no_such_model(id_or_name).await?),
                    1 => Ok(seen.remove(0)),
                    _ => {
                        let candidates = seen.into_iter().map(|model| model.model_id.0).collect();
                        Err(store::StoreError::Ambiguous { what, id, candidates }.into())
                    }
                }
            }
            Ok(model) if self.sees(&model) => Ok(model),
            Ok(_) | Err(store::StoreError::NotFound { .. }) => Err(self.no_such_model(id_or_name).await?),
            Err(error) => Err(error.into()),
        }
    }

    async fn no_such_model(&self, id_or_name: &str) -> Result<Fault, Fault> {
        let page = self.seen_models(200, None).await?;
        let names = page.items.iter().map(|model| model.name.as_str());
        let near = crate::arguments::near_matches(id_or_name, names);
        let fault = crate::permit::no_model(id_or_name);
        Ok(if near.is_empty() { fault } else { fault.with("near_matches", near) })
    }

    /// The model of a kind that the call names, else the session's, for reading.
    async fn source_of_kind(&self, kind: Option<ModelKind>) -> Result<ModelRecord, Fault> {
        let state = self.session_state().await?;
        let current = session::current(&state, kind);
        let model = match (&self.common.model_id, current, &self.who.default_model) {
            (Some(wanted), ..) | (None, None, Some(wanted)) => self.find_model(wanted).await?,
            (None, Some(model), _) => self.known_model(model).await?,
            (None, None, None) => return Err(Fault::no_model_loaded()),
        };
        if let Some(kind) = kind.filter(|kind| model.kind != *kind) {
            return Err(Fault::invalid(
                "model_id",
                format!(
                    "{} takes a model of kind {}, and {} is of kind {}.",
                    self.what.tool,
                    kind.as_str(),
                    model.name,
                    model.kind.as_str()
                ),
            ));
        }
        self.may(Action::Query, &model)?;
        self.opens(&model.model_id)?;
        Ok(model)
    }

    /// Has an operation make a model out of another, and takes it in.
    pub(crate) async fn derive(&self, operation: Operation, files: Vec<KeptFile>) -> Result<Derived, Fault> {
        let model = self.source_of_kind(self.what.kind).await?;
        let version = self.position(&model.model_id).await?.version().clone();
        let files = self.inputs(&files).await?;
        let scratch = self.scratch()?;
        let subject = Subject { role: "model", model: &model, version: &version };
        let artifact = self.run_on_files(operation, &[subject], files, Some(&scratch)).await?;
        let Derivation { name, elements } = Derivation::read(&artifact)?;
        let name = if name.is_empty() { model.name.clone() } else { name };
        let origin = ModelOrigin { model_id: model.model_id, version, elements };
        let (committed, artifact, answer) =
            self.take_new(artifact, Some(&scratch), &name, Some(origin.clone())).await?;
        let links = answer.as_ref().map(|answer| answer.links.clone()).unwrap_or_default();
        let entered =
            answer.and_then(|answer| answer.result.get("session").and_then(Value::as_str).map(str::to_owned));
        Ok(Derived { committed, origin, name, artifact, links, session: entered })
    }

    /// Returns the model that one was made from, if that is there for the caller, too.
    pub(crate) async fn origin_of(&self, model: &ModelId) -> Result<Option<ModelOrigin>, Fault> {
        let model = self.known_model(model).await?.model_id;
        let Some(origin) = self.inner.store.origin(&model).await? else { return Ok(None) };
        Ok(self.known_model(&origin.model_id).await.is_ok().then_some(origin))
    }
}

impl Models for Call {
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

    fn import<'a>(&'a self, import: &'a ModelImport) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>> {
        Box::pin(self.import_file(import))
    }

    fn create_model<'a>(
        &'a self,
        operation: Operation,
        name: &'a str,
    ) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>> {
        Box::pin(async move {
            let (committed, artifact, _) = self.make_model(operation, name, &Needs::default()).await?;
            Ok((committed, artifact))
        })
    }

    fn derive_model(
        &self,
        operation: Operation,
        files: Vec<KeptFile>,
    ) -> BoxFuture<'_, Result<Derived, Fault>> {
        Box::pin(self.derive(operation, files))
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
}
