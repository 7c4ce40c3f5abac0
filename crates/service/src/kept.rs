//! Answers that are kept by version: what a tool made of versions, asked for again, is not made again.
//!
//! An answer hangs on the tool, its parameters, the versions it read, the back end and the program's version; all of that is
//! its key, and versions never change. Its files lie in the bucket with the version on record, for whom the model is there. Both
//! are thrown away when they are old, and made again when they are asked for.

use crate::answer::QueryResult;
use crate::call::Call;
use crate::run::Subject;
use contract::{Fault, Operation, json_sha256};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An answer as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct KeptAnswer {
    result: Value,
    files: Vec<KeptFileName>,
}

/// A file of it.
#[derive(Debug, Serialize, Deserialize)]
struct KeptFileName {
    role: String,
    key: String,
}

impl Call {
    /// The key of the answer to an operation on these versions.
    pub(crate) fn answer_key(&self, operation: &Operation, subjects: &[Subject<'_>]) -> String {
        let versions: Vec<Value> =
            subjects.iter().map(|s| json!([s.role, s.model.model_id, s.version])).collect();
        let backend = self.backend(&operation.name, subjects.first().map(|s| s.model));
        let all = json!([operation.name, operation.params, versions, backend, env!("CARGO_PKG_VERSION")]);
        format!("answer/{}", json_sha256(&all))
    }

    /// The answer kept under a key, else the one that is made now, and kept if there is a key.
    pub(crate) async fn kept_or_made(
        &self,
        key: Option<String>,
        make: impl Future<Output = Result<QueryResult, Fault>>,
    ) -> Result<QueryResult, Fault> {
        let Some(key) = key else { return make.await };
        if let Some(kept) = self.kept_answer(&key).await? {
            return Ok(kept);
        }
        // who asks the same meanwhile waits for the answer
        let _turn = self.inner.materialising.lock(&key).await;
        if let Some(kept) = self.kept_answer(&key).await? {
            return Ok(kept);
        }
        let made = make.await?;
        self.keep_answer(&key, &made).await?;
        Ok(made)
    }

    /// The answer kept under a key; none where there is none, or not all of it.
    async fn kept_answer(&self, key: &str) -> Result<Option<QueryResult>, Fault> {
        let Some(blob) = self.derived_blob(key).await? else { return Ok(None) };
        let bytes = self.inner.store.blob(&blob.sha256).await?;
        let Ok(kept) = serde_json::from_slice::<KeptAnswer>(&bytes) else { return Ok(None) };
        let mut files = Vec::with_capacity(kept.files.len());
        for KeptFileName { role, key } in kept.files {
            let Some(file) = self.inner.store.file(&key).await? else { return Ok(None) };
            let is_there = self.inner.store.blob_size(&file.sha256).await.is_ok();
            if !is_there || !self.sees_file(&file).await {
                return Ok(None);
            }
            files.push((role, file));
        }
        Ok(Some(QueryResult { result: kept.result, changes: None, files }))
    }

    /// Keeps an answer under its key.
    async fn keep_answer(&self, key: &str, answer: &QueryResult) -> Result<(), Fault> {
        let files = answer
            .files
            .iter()
            .map(|(role, file)| KeptFileName { role: role.clone(), key: file.key.clone() });
        let kept = KeptAnswer { result: answer.result.clone(), files: files.collect() };
        let bytes = serde_json::to_vec(&kept)
            .map_err(|error| Fault::backend(format!("The answer cannot be kept: {error}.")))?;
        let blob = self.inner.store.put_blob(bytes).await?;
        Ok(self.inner.store.put_derived(key, &blob, "application/json").await?)
    }
}
