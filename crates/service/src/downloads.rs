//! Archives from public collections: fetched from the collection or its mirror, kept, and read by an operation.
//!
//! Only addresses below a collection or mirror of the settings are fetched, and what is fetched is kept under its path, so that the
//! next call for it needs no network. An archive is read by an executor, never here; one that cannot be read is not kept.

use crate::call::Call;
use crate::collections::Collection;
use contract::{
    Artifact, BoxFuture, DownloadDraft, DownloadFault, Downloaded, Downloads, Effect, Fault, FaultCode,
    FetchProblem, FileInput, KeptFile, Operation, QueryAnswer, Source,
};
use store::{FileRecord, Scratch, Staged};

/// Files that came with others belong to nobody in particular.
const KEEPER: &str = "system";

impl Downloads for Call {
    fn download<'a>(
        &'a self,
        draft: DownloadDraft<'a>,
        operation: Operation,
    ) -> BoxFuture<'a, Result<Downloaded, DownloadFault>> {
        Box::pin(self.take_archive(draft, operation))
    }

    fn installed<'a>(
        &'a self,
        backend: &'a str,
        operation: Operation,
    ) -> BoxFuture<'a, Result<QueryAnswer, Fault>> {
        Box::pin(self.ask_installed(backend, operation))
    }
}

impl Call {
    async fn take_archive(
        &self,
        draft: DownloadDraft<'_>,
        operation: Operation,
    ) -> Result<Downloaded, DownloadFault> {
        let DownloadDraft { collection, path, media_type, max_bytes } = draft;
        let source = self.inner.config.collections.get(collection).cloned().unwrap_or_default();
        let address = source.address_of(path);
        let place = format!("{collection}/{path}");
        let _turn = self.inner.materialising.lock(&place).await;
        let known = self.inner.store.file(&place).await.map_err(Fault::from)?;
        let was_here = known.is_some();
        let (archive, sha256, staged) = if let Some(record) = known {
            let file = self.inner.store.blob_file(&record.sha256).await.map_err(Fault::from)?;
            (file, record.sha256, None)
        } else {
            let staged = self.fetched(&source, &address, max_bytes).await?;
            (staged.path().to_owned(), staged.blob().sha256.clone(), Some(staged))
        };
        let scratch = self.scratch()?;
        let mut request = self.request(operation, Vec::new(), Some(&scratch));
        request.files.push(FileInput {
            role: "archive".into(),
            source: Source::Path(archive.display().to_string()),
            sha256: sha256.clone(),
            media_type: media_type.to_owned(),
        });
        let artifact = self.execute(request).await.map_err(|fault| fault.with("address", &address))?;
        let files = self.keep_made_files(&artifact, &scratch).await?;
        if let Some(staged) = staged.filter(|_| !self.is_dry_run()) {
            self.keep_archive(place, media_type, staged).await?;
        }
        Ok(Downloaded { address, sha256, was_here, result: artifact.result, files })
    }

    /// The files that an operation made, kept; of a dry run without keys.
    async fn keep_made_files(&self, artifact: &Artifact, scratch: &Scratch) -> Result<Vec<KeptFile>, Fault> {
        let mut files = Vec::new();
        for file in &artifact.files {
            if self.is_dry_run() {
                files.push(KeptFile {
                    role: file.role.clone(),
                    name: file.name.clone(),
                    key: String::new(),
                    href: String::new(),
                    media_type: file.media_type.clone(),
                    sha256: file.sha256.clone(),
                    size: file.size,
                    time_ms: self.clock.time_ms,
                    model_version: None,
                });
                continue;
            }
            let taken = self.stage_output(file, Some(scratch)).await?;
            let record = self.keep_file(&file.name, &file.media_type, taken).await?;
            files.push(self.kept(&file.role, &record));
        }
        Ok(files)
    }

    async fn ask_installed(&self, backend: &str, operation: Operation) -> Result<QueryAnswer, Fault> {
        if operation.effect != Effect::Query {
            return Err(Fault::backend(format!("{} is no query.", operation.name)));
        }
        let scratch = self.scratch()?;
        let mut request = self.request(operation, Vec::new(), Some(&scratch));
        request.backend = Some(backend.to_owned());
        request.strict = true;
        let artifact = self.execute(request).await?;
        let made = self.keep_made_files(&artifact, &scratch).await?;
        Ok(QueryAnswer { result: artifact.result, made })
    }

    async fn keep_archive(&self, key: String, media_type: &str, staged: Staged) -> Result<(), Fault> {
        let blob = self.inner.store.adopt(staged).await?;
        let name = key.rsplit('/').next().unwrap_or_default().to_owned();
        let record = FileRecord {
            key,
            name,
            media_type: media_type.to_owned(),
            sha256: blob.sha256,
            size: blob.size,
            principal: KEEPER.into(),
            operation_id: Some(self.what.operation_id.clone()),
            time_ms: self.clock.time_ms,
            made_of: None,
        };
        Ok(self.inner.store.put_file(record).await?)
    }

    /// The file at an address, staged, and the same as its server says of it.
    async fn fetched(
        &self,
        source: &Collection,
        address: &str,
        max_bytes: u64,
    ) -> Result<Staged, DownloadFault> {
        let not_fetched = |problem| DownloadFault::NotFetched { address: address.to_owned(), problem };
        let Some(fetch) = &source.fetch else {
            return Err(not_fetched(FetchProblem::Unreachable("this server fetches nothing".to_owned())));
        };
        let got = fetch(address.to_owned(), max_bytes).await.map_err(not_fetched)?;
        let mut incoming = self.inner.store.incoming(max_bytes).map_err(Fault::from)?;
        incoming.write(&got.bytes).map_err(Fault::from)?;
        let staged = incoming.finish().await.map_err(Fault::from)?;
        self.takes(staged.blob().size)?;
        let has = &staged.blob().sha256;
        match got.stated_sha256 {
            Some(stated) if !stated.eq_ignore_ascii_case(has) => Err(Fault::new(
                FaultCode::BackendFailed,
                format!(
                    "What came from {address} is not what its server says it sends: SHA-256 {has}, not {stated}. Nothing was \
                     kept; try again."
                ),
            )
            .into()),
            _ => Ok(staged),
        }
    }
}
