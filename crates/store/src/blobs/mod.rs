//! The bucket: bytes under their own SHA-256, written once and never changed.
//!
//! A blob is `blobs/ab/cdef…`. What is written goes to a staging file, is synced, and appears under its name by a hard
//! link that fails if the name is taken; the folder is synced after that (`object_store` does so with `with_fsync`). So a
//! blob that can be seen is whole, and one that a committed row names survives a power cut. Files of unknown hash are
//! streamed to `blobs/incoming` first.
//!
//! Where the bucket is elsewhere ([`remote`]), the same folder holds copies of what is in use here.

mod incoming;
mod remote;
#[cfg(test)]
mod tests;

pub use incoming::{Incoming, Staged};

use crate::error::StoreError;
use crate::types::{Blob, BlobInfo, BucketConfig};
use bytes::Bytes;
use object_store::local::LocalFileSystem;
use object_store::path::Path as Key;
use object_store::{
    CopyMode, CopyOptions, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload,
};
use remote::Remote;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const INCOMING: &str = "incoming";
const LEFT_BEHIND_MS: u64 = 24 * 3600 * 1000;

/// The bucket, in a local folder or elsewhere with copies there.
#[derive(Clone)]
pub(crate) struct Blobs {
    root: PathBuf,
    bucket: Arc<LocalFileSystem>,
    remote: Option<Remote>,
}

impl Blobs {
    /// The bucket in a folder; others may use the same one unless it is `alone`.
    pub(crate) fn open(root: &Path, alone: bool) -> Result<Self, StoreError> {
        let incoming = root.join(INCOMING);
        fs::create_dir_all(&incoming).map_err(StoreError::io(&incoming))?;
        // What a crash left half taken in belongs to nobody; nor does what another has not touched for so long.
        let left = crate::now_ms().saturating_sub(LEFT_BEHIND_MS);
        for entry in fs::read_dir(&incoming).map_err(StoreError::io(&incoming))?.flatten() {
            if alone || written_ms(&entry.path()).is_some_and(|written| written < left) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let bucket = LocalFileSystem::new_with_prefix(root)?.with_fsync(true);
        let root = fs::canonicalize(root).map_err(StoreError::io(root))?;
        Ok(Self { root, bucket: Arc::new(bucket), remote: None })
    }

    /// A bucket elsewhere, with copies of what is in use in a folder.
    pub(crate) async fn elsewhere(root: &Path, config: &BucketConfig) -> Result<Self, StoreError> {
        let here = Self::open(root, true)?;
        let remote = Remote::open(config, &here.root)?;
        remote.ask().await?;
        // a copy can be fetched again: nothing waits for the disk
        let bucket = Arc::new(LocalFileSystem::new_with_prefix(&here.root)?);
        Ok(Self { bucket, remote: Some(remote), ..here })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The path of a blob in the bucket or among the copies; the file need not exist.
    pub(crate) fn path(&self, sha256: &str) -> PathBuf {
        let (folder, rest) = split(sha256);
        self.root.join(folder).join(rest)
    }

    /// Returns the file of a blob on this machine, fetched first if it is only elsewhere.
    pub(crate) async fn file(&self, sha256: &str) -> Result<PathBuf, StoreError> {
        let path = self.path(sha256);
        let Some(remote) = &self.remote else { return Ok(path) };
        if self.touched(sha256).await? {
            return Ok(path);
        }
        let mut incoming = self.incoming(u64::MAX)?;
        remote.read(sha256, |bytes| incoming.write(bytes)).await?;
        let staged = incoming.finish().await?;
        if staged.blob().sha256 != sha256 {
            return Err(StoreError::Damaged(format!(
                "blob {sha256} in the bucket has other bytes than its name says"
            )));
        }
        self.keep(&staged).await?;
        Ok(path)
    }

    pub(crate) async fn put(&self, bytes: Bytes) -> Result<Blob, StoreError> {
        let blob = Blob { sha256: contract::hex(&Sha256::digest(&bytes)), size: bytes.len() as u64 };
        if let Some(remote) = &self.remote {
            remote.put(&blob.sha256, bytes.clone()).await?;
        }
        loop {
            let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
            let payload = PutPayload::from_bytes(bytes.clone());
            match self.bucket.put_opts(&key(&blob.sha256), payload, options).await {
                Ok(_) => break self.copied(blob.size).await?,
                Err(object_store::Error::AlreadyExists { .. }) if self.touched(&blob.sha256).await? => break,
                // thrown away in this very moment
                Err(object_store::Error::AlreadyExists { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(blob)
    }

    pub(crate) async fn get(&self, sha256: &str) -> Result<Bytes, StoreError> {
        self.file(sha256).await?;
        match self.bucket.get(&key(sha256)).await {
            Ok(found) => Ok(found.bytes().await?),
            Err(object_store::Error::NotFound { .. }) => {
                Err(StoreError::NotFound { what: "blob", id: sha256.to_owned() })
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn size(&self, sha256: &str) -> Result<u64, StoreError> {
        match (self.bucket.head(&key(sha256)).await, &self.remote) {
            (Ok(found), _) => Ok(found.size),
            (Err(object_store::Error::NotFound { .. }), Some(remote)) => remote.size(sha256).await,
            (Err(object_store::Error::NotFound { .. }), None) => {
                Err(StoreError::NotFound { what: "blob", id: sha256.to_owned() })
            }
            (Err(error), _) => Err(error.into()),
        }
    }

    /// True if a blob is in the bucket; a copy here is no proof of that.
    pub(crate) async fn exists(&self, sha256: &str) -> Result<bool, StoreError> {
        let found = match &self.remote {
            Some(remote) => remote.size(sha256).await,
            None => self.size(sha256).await,
        };
        match found {
            Ok(_) => Ok(true),
            Err(StoreError::NotFound { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Every blob in the bucket.
    pub(crate) async fn list(&self) -> Result<Vec<BlobInfo>, StoreError> {
        if let Some(remote) = &self.remote {
            return remote.list().await;
        }
        let root = self.root.clone();
        blocking(move || Ok(blobs_in(&root))).await
    }

    /// Removes a blob that was not written since a Unix time in milliseconds; false if it was. Whoever has it open keeps it.
    pub(crate) async fn remove_old(&self, sha256: &str, before_ms: u64) -> Result<bool, StoreError> {
        if let Some(remote) = &self.remote
            && !remote.remove_old(sha256, before_ms).await?
        {
            return Ok(false);
        }
        let (path, aside) = (self.path(sha256), self.root.join(INCOMING).join(format!("old-{sha256}")));
        let there = self.remote.is_none();
        blocking(move || {
            // aside first: whoever touches it from now on finds nothing and writes it anew
            match fs::rename(&path, &aside) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(!there),
                moved => moved.map_err(StoreError::io(&path))?,
            }
            if there && written_ms(&aside).is_none_or(|written| written >= before_ms) {
                // touched in between; if it was written anew as well, that one stays
                if let Err(error) = fs::hard_link(&aside, &path)
                    && error.kind() != std::io::ErrorKind::AlreadyExists
                {
                    return Err(StoreError::io(&path)(error));
                }
                let _ = fs::remove_file(&aside);
                return Ok(false);
            }
            fs::remove_file(&aside).map_err(StoreError::io(&aside))?;
            Ok(true)
        })
        .await
    }

    /// An address from which whoever has it may read a blob for so long, where the bucket gives any.
    pub(crate) async fn link(&self, sha256: &str, keep: Duration) -> Result<Option<String>, StoreError> {
        match &self.remote {
            Some(remote) => remote.link(sha256, keep).await.map(Some),
            None => Ok(None),
        }
    }

    /// Counts so many bytes more of copies here, where the bucket is elsewhere.
    async fn copied(&self, bytes: u64) -> Result<(), StoreError> {
        match &self.remote {
            Some(remote) => remote.held(bytes).await,
            None => Ok(()),
        }
    }

    pub(crate) fn incoming(&self, limit: u64) -> Result<Incoming, StoreError> {
        let path = self.root.join(INCOMING).join(uuid::Uuid::now_v7().to_string());
        let file = File::create_new(&path).map_err(StoreError::io(&path))?;
        Ok(Incoming::new(path, file, limit))
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
        if let Some(remote) = &self.remote {
            remote.put_file(&staged.blob().sha256, staged.path()).await?;
        }
        self.keep(&staged).await?;
        Ok(staged.blob().clone())
    }

    /// Gives a staged file its name in the folder.
    async fn keep(&self, staged: &Staged) -> Result<(), StoreError> {
        let name =
            staged.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let from = Key::from_iter([INCOMING, name.as_str()]);
        loop {
            let options = CopyOptions::new().with_mode(CopyMode::Create);
            match self.bucket.copy_opts(&from, &key(&staged.blob().sha256), options).await {
                Ok(()) => return self.copied(staged.blob().size).await,
                Err(object_store::Error::AlreadyExists { .. })
                    if self.touched(&staged.blob().sha256).await? =>
                {
                    return Ok(());
                }
                Err(object_store::Error::AlreadyExists { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Makes a blob that is there young again, so that it is not thrown away before it is named; false if it is gone.
    async fn touched(&self, sha256: &str) -> Result<bool, StoreError> {
        let path = self.path(sha256);
        blocking(move || match remote::touch(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::io(path)(error)),
        })
        .await
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
            let replaced = to.metadata().ok();
            let written = write_out(&from, &temporary, replaced.as_ref()).and_then(|()| {
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

    /// True if the bucket is not in the folder.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.remote.is_some()
    }

    /// True if a file of this machine has the bytes of a blob's name.
    pub(crate) async fn is_whole_here(&self, sha256: &str) -> Result<bool, StoreError> {
        is_file_of(self.path(sha256), sha256.to_owned()).await
    }

    /// Writes a blob anew from a file that has its bytes, in the place of whatever is there.
    pub(crate) async fn put_back(&self, sha256: &str, from: &Path) -> Result<(), StoreError> {
        let (source, path) = (from.to_owned(), self.path(sha256));
        let bytes = blocking(move || fs::read(&source).map_err(StoreError::io(&source))).await?;
        if contract::sha256_hex(&bytes) != sha256 {
            return Err(StoreError::Damaged(format!("{} is not blob {sha256}", from.display())));
        }
        if path != from {
            blocking(move || match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(StoreError::io(&path)(error))
                }
                _ => Ok(()),
            })
            .await?;
        }
        self.put(bytes.into()).await.map(|_| ())
    }

    /// Reads a blob whole from the bucket and compares its hash with its name.
    pub(crate) async fn is_whole(&self, sha256: &str) -> Result<bool, StoreError> {
        if let Some(remote) = &self.remote {
            let mut hash = Sha256::new();
            let read = remote.read(sha256, |bytes| {
                hash.update(bytes);
                Ok(())
            });
            return match read.await {
                Ok(()) => Ok(contract::hex(&hash.finalize()) == sha256),
                Err(StoreError::NotFound { .. }) => Ok(false),
                Err(error) => Err(error),
            };
        }
        self.is_whole_here(sha256).await
    }
}

/// True if a file has the bytes of a blob's name.
async fn is_file_of(path: PathBuf, sha256: String) -> Result<bool, StoreError> {
    blocking(move || {
        let Ok(mut file) = File::open(&path) else { return Ok(false) };
        let mut hash = Sha256::new();
        std::io::copy(&mut file, &mut hash).map_err(StoreError::io(&path))?;
        Ok(contract::hex(&hash.finalize()) == sha256)
    })
    .await
}

/// Every blob in a folder.
fn blobs_in(root: &Path) -> Vec<BlobInfo> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let files = entries(root).flat_map(|first| entries(&first.path()).map(move |file| (name(&first), file)));
    let blobs = files.filter_map(|(first, file)| {
        let sha256 = blob_name(&[first, name(&file)])?;
        let meta = file.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(BlobInfo { sha256, size: meta.len(), written_ms: written_ms(&file.path())? })
    });
    blobs.collect()
}

/// Unix time in milliseconds at which a file was written or touched.
fn written_ms(path: &Path) -> Option<u64> {
    let written = fs::metadata(path).ok()?.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    u64::try_from(written.as_millis()).ok()
}

/// The hash that the parts of a path name, if they name one.
fn blob_name(parts: &[String]) -> Option<String> {
    let [first, rest] = parts else { return None };
    let sha256 = format!("{first}{rest}");
    let is_hash =
        sha256.len() == 64 && sha256.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    (is_hash && first.len() == 2).then_some(sha256)
}

fn write_out(from: &Path, to: &Path, replaced: Option<&fs::Metadata>) -> std::io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = File::create_new(to)?;
    crate::private::give_out(&target, replaced)?;
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

pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Bucket(error.to_string()))?
}
