//! The bucket: bytes under their own SHA-256, written once and never changed.
//!
//! A blob is `blobs/ab/cdef…`. What is written goes to a staging file, is synced, and appears under its name by a hard
//! link that fails if the name is taken; the folder is synced after that (`object_store` does so with `with_fsync`). So a
//! blob that can be seen is whole, and one that a committed row names survives a power cut. Files of unknown hash are
//! streamed to `blobs/incoming` first.

use crate::error::StoreError;
use crate::types::Blob;
use bytes::Bytes;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{
    CopyMode, CopyOptions, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload,
};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const INCOMING: &str = "incoming";
/// Nothing takes so long to be taken in.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// The bucket in a local folder.
#[derive(Clone)]
pub(crate) struct Blobs {
    root: PathBuf,
    bucket: Arc<LocalFileSystem>,
}

/// A file that is being taken in.
pub struct Incoming {
    path: PathBuf,
    file: Option<File>,
    hash: Sha256,
    size: u64,
    limit: u64,
}

/// A file that was taken in whole and is not a blob yet. It is removed when this is dropped.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    blob: Blob,
}

impl Staged {
    /// Where it lies for now: in the folder that workers may read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its hash and size.
    pub fn blob(&self) -> &Blob {
        &self.blob
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Incoming {
    /// Takes in the next bytes. Short blocking writes: call it where a moment of blocking is harmless.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.size = self.size.saturating_add(bytes.len() as u64);
        if self.size > self.limit {
            return Err(StoreError::TooLarge { what: "the file".into(), limit: self.limit });
        }
        self.hash.update(bytes);
        match &mut self.file {
            Some(file) => file.write_all(bytes).map_err(StoreError::io(&self.path)),
            None => Err(StoreError::Closed),
        }
    }

    /// Makes it durable and says what it is.
    pub async fn finish(mut self) -> Result<Staged, StoreError> {
        let Some(file) = self.file.take() else { return Err(StoreError::Closed) };
        let hash = std::mem::take(&mut self.hash).finalize();
        let staged = Staged {
            path: std::mem::take(&mut self.path),
            blob: Blob { sha256: contract::hex(&hash), size: self.size },
        };
        blocking(move || {
            file.sync_all().map_err(StoreError::io(&staged.path))?;
            Ok(staged)
        })
        .await
    }
}

impl Blobs {
    /// `is_shared`: whether other gateways have the same folder.
    pub(crate) fn open(root: &Path, is_shared: bool) -> Result<Self, StoreError> {
        let incoming = root.join(INCOMING);
        fs::create_dir_all(&incoming).map_err(StoreError::io(&incoming))?;
        // What a crash left half taken in belongs to nobody; in a shared folder, what is young may be another's.
        for entry in fs::read_dir(&incoming).map_err(StoreError::io(&incoming))?.flatten() {
            let changed = entry.metadata().and_then(|metadata| metadata.modified()).ok();
            let age = changed.and_then(|time| time.elapsed().ok()).unwrap_or_default();
            if !is_shared || age > ABANDONED {
                let _ = fs::remove_file(entry.path());
            }
        }
        let bucket = LocalFileSystem::new_with_prefix(root)?.with_fsync(true);
        let root = fs::canonicalize(root).map_err(StoreError::io(root))?;
        Ok(Self { root, bucket: Arc::new(bucket) })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where the blob lies; no promise that it is there.
    pub(crate) fn path(&self, sha256: &str) -> PathBuf {
        let (folder, rest) = split(sha256);
        self.root.join(folder).join(rest)
    }

    pub(crate) async fn put(&self, bytes: Bytes) -> Result<Blob, StoreError> {
        let blob = Blob { sha256: contract::hex(&Sha256::digest(&bytes)), size: bytes.len() as u64 };
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.bucket.put_opts(&key(&blob.sha256), PutPayload::from_bytes(bytes), options).await {
            Ok(_) | Err(object_store::Error::AlreadyExists { .. }) => Ok(blob),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn get(&self, sha256: &str) -> Result<Bytes, StoreError> {
        match self.bucket.get(&key(sha256)).await {
            Ok(found) => Ok(found.bytes().await?),
            Err(object_store::Error::NotFound { .. }) => {
                Err(StoreError::NotFound { what: "blob", id: sha256.to_owned() })
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn size(&self, sha256: &str) -> Result<u64, StoreError> {
        match self.bucket.head(&key(sha256)).await {
            Ok(found) => Ok(found.size),
            Err(object_store::Error::NotFound { .. }) => {
                Err(StoreError::NotFound { what: "blob", id: sha256.to_owned() })
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn incoming(&self, limit: u64) -> Result<Incoming, StoreError> {
        let path = self.root.join(INCOMING).join(uuid::Uuid::now_v7().to_string());
        let file = File::create_new(&path).map_err(StoreError::io(&path))?;
        Ok(Incoming { path, file: Some(file), hash: Sha256::new(), size: 0, limit })
    }

    /// Copies a file in while hashing it, so that what is kept is what was hashed even if the original changes.
    pub(crate) async fn stage(&self, from: &Path, limit: u64) -> Result<Staged, StoreError> {
        let mut incoming = self.incoming(limit)?;
        let from = from.to_owned();
        let incoming = blocking(move || {
            let mut source = File::open(&from).map_err(StoreError::io(&from))?;
            let mut buffer = vec![0_u8; 1 << 20];
            loop {
                let read = source.read(&mut buffer).map_err(StoreError::io(&from))?;
                match buffer.get(..read) {
                    None | Some([]) => return Ok(incoming),
                    Some(bytes) => incoming.write(bytes)?,
                }
            }
        })
        .await?;
        incoming.finish().await
    }

    /// Makes a staged file a blob.
    pub(crate) async fn adopt(&self, staged: Staged) -> Result<Blob, StoreError> {
        let name =
            staged.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let from = Key::from_iter([INCOMING, name.as_str()]);
        let options = CopyOptions::new().with_mode(CopyMode::Create);
        match self.bucket.copy_opts(&from, &key(&staged.blob.sha256), options).await {
            Ok(()) | Err(object_store::Error::AlreadyExists { .. }) => Ok(staged.blob.clone()),
            Err(error) => Err(error.into()),
        }
    }

    /// Copies a blob or a staged file to a path outside, complete or not at all. Without `overwrite` a file that is there
    /// stays and the answer is false.
    pub(crate) async fn export(&self, from: &Path, to: &Path, overwrite: bool) -> Result<bool, StoreError> {
        let from = from.to_owned();
        let to = to.to_owned();
        blocking(move || {
            if !overwrite && to.symlink_metadata().is_ok() {
                return Ok(false);
            }
            let name = to.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let temporary = to.with_file_name(format!(".{name}.{}.part", uuid::Uuid::now_v7()));
            let written = write_out(&from, &temporary).and_then(|()| {
                if overwrite { fs::rename(&temporary, &to) } else { publish(&temporary, &to) }
            });
            if written.is_err() || !overwrite {
                let _ = fs::remove_file(&temporary);
            }
            match written {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(StoreError::io(&to)(error)),
            }
        })
        .await
    }

    /// Reads a blob whole and compares its hash with its name.
    pub(crate) async fn is_whole(&self, sha256: &str) -> Result<bool, StoreError> {
        let path = self.path(sha256);
        let wanted = sha256.to_owned();
        blocking(move || {
            let Ok(mut file) = File::open(&path) else { return Ok(false) };
            let mut hash = Sha256::new();
            std::io::copy(&mut file, &mut hash).map_err(StoreError::io(&path))?;
            Ok(contract::hex(&hash.finalize()) == wanted)
        })
        .await
    }
}

fn write_out(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = File::create_new(to)?;
    std::io::copy(&mut source, &mut target)?;
    target.sync_all()
}

/// Gives a finished file its name unless the name is taken, also where the file system knows no hard links.
fn publish(from: &Path, to: &Path) -> std::io::Result<()> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == std::io::ErrorKind::Unsupported => {
            drop(File::create_new(to)?);
            fs::rename(from, to)
        }
        result => result,
    }
}

fn split(sha256: &str) -> (&str, &str) {
    sha256.split_at_checked(2).unwrap_or(("", sha256))
}

fn key(sha256: &str) -> Key {
    let (folder, rest) = split(sha256);
    Key::from_iter([folder, rest])
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Bucket(error.to_string()))?
}
