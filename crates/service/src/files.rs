//! The caller's files: given in a call or lying at a path, found by key or name, listed, linked.

use crate::call::Call;
use crate::places;
use contract::{
    BoxFuture, BucketFile, Fault, FaultCode, FileInput, Files, KeptFile, LibraryFile, ModelId, Page,
    TimedLink, VersionId,
};
use std::path::{Path, PathBuf};
use store::FileRecord;

/// The media type of bytes of which nothing better is known.
const PLAIN: &str = "application/octet-stream";
/// The most bytes of a file that is named by its path.
const LARGEST: u64 = 512 << 20;
/// The path before a file's key in a link to it.
pub(crate) const LINKED: &str = "/bucket/files/";
/// Files of the caller's that one query is given.
const NAMED: usize = 50;

impl Call {
    /// A path as the caller wrote it, in full.
    pub(crate) fn local_path(&self, field: &str, text: &str) -> Result<PathBuf, Fault> {
        if !self.who.principal.local {
            return Err(Fault::new(
                FaultCode::PermissionDenied,
                format!(
                    "`{field}` means a file on the server's machine, which only its own user may name. Upload the file \
                     and give `upload_name` or `bucket_key`; download results through their links."
                ),
            )
            .with("field", field));
        }
        let path = match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
            (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
            _ => PathBuf::from(text),
        };
        if text.is_empty() || text.contains('\0') {
            return Err(Fault::invalid(field, format!("`{field}` is no path.")));
        }
        if path.is_absolute() {
            return Ok(path);
        }
        match &self.who.working_dir {
            Some(directory) => Ok(directory.join(path)),
            None => Err(Fault::invalid(
                field,
                format!(
                    "`{text}` is a relative path, and this client said no working directory. Give the path in full."
                ),
            )),
        }
    }

    /// Checks that a file of this machine is of a kind that is read here, and none of this server's own.
    fn may_be_read(&self, field: &str, path: &Path) -> Result<(), Fault> {
        places::is_read(field, path)?;
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.inner.config.own_folders.iter().any(|own| whole.starts_with(own)) {
            let problem = format!("{} is in this server's own folder.", path.display());
            return Err(Fault::new(FaultCode::PermissionDenied, problem).with("field", field));
        }
        Ok(())
    }

    /// A file of the caller's by its key, or by the name under which it was uploaded last.
    pub(crate) async fn found_file(&self, key_or_name: &str) -> Result<Option<FileRecord>, Fault> {
        match self.inner.store.file(key_or_name).await?.filter(|file| self.owns(file)) {
            Some(record) => Ok(Some(record)),
            None => Ok(self.inner.store.file_named(&self.who.principal.name, key_or_name).await?),
        }
    }

    /// Keeps a file of this machine under this call; of a dry run, too, for nothing names it but its key.
    async fn keep_from_path(
        &self,
        path: &Path,
        media_type: &str,
        max_bytes: u64,
    ) -> Result<FileRecord, Fault> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let staged = self.inner.store.stage(path, max_bytes).await?;
        self.keep_file(&name, media_type, staged).await
    }

    /// Kept files as an operation takes them.
    pub(crate) async fn inputs(&self, files: &[KeptFile]) -> Result<Vec<FileInput>, Fault> {
        let mut inputs = Vec::new();
        for file in files {
            inputs.push(FileInput {
                role: file.role.clone(),
                source: self.path_source(&file.sha256).await?,
                sha256: file.sha256.clone(),
                media_type: file.media_type.clone(),
            });
        }
        Ok(inputs)
    }

    /// A file of the bucket as callers see it.
    pub(crate) fn kept(&self, role: &str, record: &FileRecord) -> KeptFile {
        KeptFile {
            role: role.to_owned(),
            name: record.name.clone(),
            key: record.key.clone(),
            href: self.link_to(&record.key),
            media_type: record.media_type.clone(),
            sha256: record.sha256.clone(),
            size: record.size,
            time_ms: record.time_ms,
            model_version: record.made_of.as_ref().map(|(_, version)| version.clone()),
        }
    }

    /// The file that an operation made or a client uploaded, by its key: `operation/name`.
    pub(crate) async fn file_by_key(&self, key: &str) -> Result<(BucketFile, String, String), Fault> {
        let Some(record) = self.inner.store.file(key).await? else { return Err(Fault::no_file("key", key)) };
        if !self.sees_file(&record).await {
            return Err(Fault::no_file("key", key));
        }
        self.gives(record.size)?;
        let path = self.inner.store.blob_file(&record.sha256).await?;
        let file = BucketFile { path, sha256: record.sha256, size: record.size };
        Ok((file, record.name, record.media_type))
    }

    /// Writes a file of the bucket to a path of the caller's.
    pub(crate) async fn file_to_path(&self, key: &str, field: &str, path: &str) -> Result<PathBuf, Fault> {
        let (file, _, _) = self.file_by_key(key).await?;
        self.export_to_path(&file, field, path).await
    }

    /// Writes a file of the bucket to a path on this machine where nothing is.
    async fn export_to_path(&self, file: &BucketFile, field: &str, path: &str) -> Result<PathBuf, Fault> {
        let path = self.writable_path(field, path).await?;
        if path.is_dir() || path.file_name().is_none() {
            let problem = format!("{} is a folder. Give the path of a file.", path.display());
            return Err(Fault::invalid(field, problem));
        }
        if !self.is_dry_run() && !self.inner.store.export(&file.path, &path, false).await? {
            let problem = format!("{} is there already. Give another name.", path.display());
            return Err(Fault::new(FaultCode::ConstraintViolation, problem).with("field", field));
        }
        Ok(path)
    }

    /// True if a file is the caller's: it made or sent it, or it sees to everybody's.
    pub(crate) fn owns(&self, file: &FileRecord) -> bool {
        file.principal == self.who.principal.name || self.administers_all()
    }

    /// A file by its key, as an upload, or by its path on the machine of a caller who sits there.
    pub(crate) async fn file_given(&self, field: &str, named: &str) -> Result<FileRecord, Fault> {
        // a link that an answer gave names the file as well as its key does
        let linked = key_in_link(named);
        let named = linked.as_deref().unwrap_or(named);
        if let Some(record) = self.found_file(named).await?
            && !self.is_outdated(&record, field, named)
        {
            return Ok(record);
        }
        if !self.who.principal.local {
            return Err(Fault::no_file(field, named));
        }
        let path = self.local_path(field, named)?;
        if !path.is_file() {
            let problem = format!(
                "There is no file {named}: no key, no upload and no file of that path on this machine."
            );
            return Err(Fault::new(FaultCode::NotFound, problem).with("field", field));
        }
        self.may_be_read(field, &path)?;
        self.keep_from_path(&path, PLAIN, LARGEST).await
    }

    /// True of a file that is known by its name, where one on this machine that may be meant by the same words was written since.
    fn is_outdated(&self, record: &FileRecord, field: &str, named: &str) -> bool {
        if !self.who.principal.local || record.key == named {
            return false;
        }
        let Ok(path) = self.local_path(field, named) else { return false };
        if self.may_be_read(field, &path).is_err() {
            return false;
        }
        let written = std::fs::metadata(path).and_then(|about| about.modified()).ok();
        let written = written.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        written.is_some_and(|time| time.as_millis() > u128::from(record.time_ms))
    }

    pub(crate) async fn file_input(&self, role: String, record: &FileRecord) -> Result<FileInput, Fault> {
        Ok(FileInput {
            role,
            source: self.path_source(&record.sha256).await?,
            sha256: record.sha256.clone(),
            media_type: record.media_type.clone(),
        })
    }

    /// Those of the caller's files that a model names, by the last part of their path: models are written on other machines.
    pub(crate) async fn files_named<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Vec<FileInput>, Fault> {
        let mut files = Vec::new();
        for name in names.into_iter().take(NAMED) {
            let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
            let by_key = self.inner.store.file(name).await?.filter(|file| self.owns(file));
            let found = match by_key {
                Some(found) => Some(found),
                None => self.inner.store.file_named(&self.who.principal.name, last).await?,
            };
            if let Some(found) = found {
                files.push(self.file_input(format!("file:{name}"), &found).await?);
            }
        }
        Ok(files)
    }

    /// Keeps a file that came within a call, as an upload does.
    pub(crate) async fn keep_given(
        &self,
        name: &str,
        media_type: &str,
        bytes: &[u8],
    ) -> Result<KeptFile, Fault> {
        self.takes(bytes.len() as u64)?;
        let mut incoming = self.inner.store.incoming(self.inner.config.import_bytes)?;
        incoming.write(bytes)?;
        let staged = incoming.finish().await?;
        let media_type = if is_media_type(media_type) { media_type } else { PLAIN };
        if self.is_dry_run() {
            let blob = staged.blob();
            let record = FileRecord {
                key: String::new(),
                name: name.to_owned(),
                media_type: media_type.to_owned(),
                sha256: blob.sha256.clone(),
                size: blob.size,
                principal: self.who.principal.name.clone(),
                operation_id: None,
                time_ms: self.clock.time_ms,
                made_of: None,
            };
            return Ok(self.kept("", &record));
        }
        let record = self.keep_file(name, media_type, staged).await?;
        Ok(self.kept("", &record))
    }

    /// The caller's files, the latest first.
    pub(crate) async fn own_files(&self, limit: u32, cursor: Option<&str>) -> Result<Page<KeptFile>, Fault> {
        let after = match cursor {
            None => None,
            Some(cursor) => {
                let parts =
                    cursor.split_once('-').and_then(|(time, key)| Some((time.parse().ok()?, key.to_owned())));
                let unknown = || {
                    Fault::invalid("cursor", "This cursor is none that a list here gave. Begin without one.")
                };
                Some(parts.ok_or_else(unknown)?)
            }
        };
        let limit = limit.clamp(1, 500);
        let mut records = self.inner.store.files_of(&self.who.principal.name, after, limit + 1).await?;
        let more = records.len() > limit as usize;
        records.truncate(limit as usize);
        let last = records.last().filter(|_| more);
        let next_cursor = last.map(|record| format!("{}-{}", record.time_ms, record.key));
        Ok(Page { items: records.iter().map(|record| self.kept("", record)).collect(), next_cursor })
    }
}

impl Files for Call {
    fn file<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(BucketFile, String, String), Fault>> {
        Box::pin(self.file_by_key(key))
    }

    fn find_file<'a>(&'a self, key_or_name: &'a str) -> BoxFuture<'a, Result<Option<KeptFile>, Fault>> {
        Box::pin(async move { Ok(self.found_file(key_or_name).await?.map(|record| self.kept("", &record))) })
    }

    fn files<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<KeptFile>, Fault>> {
        Box::pin(self.own_files(limit, cursor))
    }

    fn library_files<'a>(
        &'a self,
        library: &'a str,
        endings: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<LibraryFile>, Fault>> {
        Box::pin(self.files_of_library(library, endings))
    }

    fn files_of_version<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<KeptFile>, Fault>> {
        Box::pin(async move {
            let model = self.known_model(model).await?.model_id;
            let files = self.inner.store.files_of_version(&model, version, limit).await?;
            Ok(files.iter().map(|file| self.kept("", file)).collect())
        })
    }

    fn keep_file<'a>(
        &'a self,
        name: &'a str,
        media_type: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<KeptFile, Fault>> {
        Box::pin(self.keep_given(name, media_type, bytes))
    }

    fn keep_local<'a>(
        &'a self,
        field: &'a str,
        path: &'a str,
        media_type: &'a str,
        max_bytes: u64,
    ) -> BoxFuture<'a, Result<Option<KeptFile>, Fault>> {
        Box::pin(async move {
            let path = self.local_path(field, path)?;
            if !path.is_file() {
                return Ok(None);
            }
            self.may_be_read(field, &path)?;
            Ok(Some(self.kept("", &self.keep_from_path(&path, media_type, max_bytes).await?)))
        })
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

    fn write_file<'a>(
        &'a self,
        key: &'a str,
        field: &'a str,
        path: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>> {
        Box::pin(self.file_to_path(key, field, path))
    }

    fn export_file<'a>(
        &'a self,
        file: &'a BucketFile,
        field: &'a str,
        path: &'a str,
        extension: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>> {
        Box::pin(async move {
            let ends = Path::new(path).extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
            if !ends {
                let problem = format!("Give a `{field}` that ends in .{extension}.");
                return Err(Fault::invalid(field, problem));
            }
            self.export_to_path(file, field, path).await
        })
    }
}

/// `text/csv` and the like.
pub(crate) fn is_media_type(text: &str) -> bool {
    let token = |part: &str| {
        (1..=100).contains(&part.len())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    text.split_once('/').is_some_and(|(kind, name)| token(kind) && token(name) && kind != "multipart")
}

/// The key of the file that a link of ours leads to.
fn key_in_link(text: &str) -> Option<String> {
    let (before, after) = text.split_once(LINKED)?;
    let is_ours = before.is_empty() || before.starts_with("http://") || before.starts_with("https://");
    let key = after.split(['?', '#']).next().filter(|_| is_ours)?;
    crate::resources::decoded(key)
}
