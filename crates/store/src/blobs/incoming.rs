//! Files on their way in: of unknown hash until the last byte is there.

use super::blocking;
use crate::error::StoreError;
use crate::types::Blob;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

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

impl Incoming {
    pub(super) fn new(path: PathBuf, file: File, limit: u64) -> Self {
        Self { path, file: Some(file), hash: Sha256::new(), size: 0, limit }
    }
}

impl Staged {
    /// Its place for now, in the folder that workers may read.
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
