//! Blobs, and files by name.

use super::Store;
use crate::blobs::{Incoming, Staged};
use crate::error::StoreError;
use crate::sql;
use crate::types::{Blob, FileRecord};
use bytes::Bytes;
use contract::{ModelId, VersionId};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

impl Store {
    /// Keeps bytes.
    pub async fn put_blob(&self, bytes: impl Into<Bytes>) -> Result<Blob, StoreError> {
        self.blobs.put(bytes.into()).await
    }

    /// The bytes of a blob.
    pub async fn blob(&self, sha256: &str) -> Result<Bytes, StoreError> {
        self.blobs.get(sha256).await
    }

    /// The size of a blob in bytes.
    pub async fn blob_size(&self, sha256: &str) -> Result<u64, StoreError> {
        self.blobs.size(sha256).await
    }

    /// Returns the file of a blob on this machine, for workers; fetched first if the bucket is elsewhere.
    pub async fn blob_file(&self, sha256: &str) -> Result<PathBuf, StoreError> {
        self.blobs.file(sha256).await
    }

    /// An address from which whoever has it may read a blob for so long, where the bucket itself gives any.
    pub async fn blob_link(&self, sha256: &str, keep: Duration) -> Result<Option<String>, StoreError> {
        self.blobs.link(sha256, keep).await
    }

    /// Begins to take in a file of at most `limit` bytes.
    pub fn incoming(&self, limit: u64) -> Result<Incoming, StoreError> {
        self.blobs.incoming(limit)
    }

    /// Copies a file of at most `limit` bytes in while hashing it.
    pub async fn stage(&self, file: &Path, limit: u64) -> Result<Staged, StoreError> {
        self.blobs.stage(file, limit).await
    }

    /// Makes a file that was taken in a blob.
    pub async fn adopt(&self, staged: Staged) -> Result<Blob, StoreError> {
        self.blobs.adopt(staged).await
    }

    /// Copies a blob or a staged file, by where it lies, to a path outside the store, complete or not at all. Without
    /// `overwrite` a file that is there stays and the answer is false.
    pub async fn export(&self, from: &Path, to: &Path, overwrite: bool) -> Result<bool, StoreError> {
        self.blobs.export(from, to, overwrite).await
    }

    /// A folder of its own for one call to write to. It is removed with everything in it when this is dropped.
    pub fn scratch(&self) -> Result<Scratch, StoreError> {
        let path = self.folder.join("scratch").join(uuid::Uuid::now_v7().to_string());
        fs::create_dir_all(&path).map_err(StoreError::io(&path))?;
        Ok(Scratch { path })
    }

    /// Records a file by name and key.
    pub async fn put_file(&self, file: FileRecord) -> Result<(), StoreError> {
        self.database.write(move |c| sql::files::put(c, &file)).await
    }

    /// The file under a key.
    pub async fn file(&self, key: &str) -> Result<Option<FileRecord>, StoreError> {
        let key = key.to_owned();
        self.database.look_up(move |c| sql::files::by_key(c, &key)).await
    }

    /// The latest file of this name that a principal gave.
    pub async fn file_named(&self, principal: &str, name: &str) -> Result<Option<FileRecord>, StoreError> {
        let (principal, name) = (principal.to_owned(), name.to_owned());
        self.database.read(move |c| sql::files::by_name(c, &principal, &name)).await
    }

    /// Files of a principal, the latest first, those after a time and key.
    pub async fn files_of(
        &self,
        principal: &str,
        after: Option<(u64, String)>,
        limit: u32,
    ) -> Result<Vec<FileRecord>, StoreError> {
        let principal = principal.to_owned();
        self.database.read(move |c| sql::files::of_principal(c, &principal, after, limit)).await
    }

    /// Files that were made of a version, the latest first; at most so many.
    pub async fn files_of_version(
        &self,
        model: &ModelId,
        version: &VersionId,
        limit: u32,
    ) -> Result<Vec<FileRecord>, StoreError> {
        let (model, version) = (model.clone(), version.clone());
        self.database.read(move |c| sql::files::of_version(c, &model, &version, limit)).await
    }

    /// Records a blob that was made from versions and can be made again.
    pub async fn put_derived(&self, key: &str, blob: &Blob, media_type: &str) -> Result<(), StoreError> {
        let (key, blob, media_type) = (key.to_owned(), blob.clone(), media_type.to_owned());
        self.database.write(move |c| sql::files::put_derived(c, &key, &blob, &media_type)).await
    }

    /// The blob recorded under a key that can be made again, if it is there.
    pub async fn derived(&self, key: &str) -> Result<Option<Blob>, StoreError> {
        let key = key.to_owned();
        self.database.look_up(move |c| sql::files::derived(c, &key)).await
    }
}

/// A folder that goes away with this.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
