//! The bucket elsewhere, behind the S3 protocol, with a folder on this machine in which what is in use is kept.
//!
//! What is written is in the bucket before anybody hears of it; the copy here is a convenience. What is read is fetched once,
//! checked against its name, and stays here until room is needed: workers open files by path and map them.

use super::{INCOMING, blob_name, blocking, key};
use crate::error::StoreError;
use crate::types::{BlobInfo, BucketConfig};
use futures::{StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3, AmazonS3Builder, Checksum};
use object_store::buffered::BufWriter;
use object_store::path::Path as Key;
use object_store::signer::Signer as _;
use object_store::{ObjectMeta, ObjectStore as _, ObjectStoreExt as _, PutPayload, RetryConfig};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use tokio::io::AsyncWriteExt as _;
use url::Url;

/// Bytes of one part of a large upload.
const PART: usize = 16 << 20;
/// A copy used within so long is not removed: somebody may be about to open it.
const IN_USE: Duration = Duration::from_mins(15);
/// A blob written within so long will not be thrown away while a commit is under way that names it.
const FRESH: Duration = Duration::from_mins(20);
/// The time for which a request to the bucket is tried again.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 3 } else { 20 });

/// A bucket at an address.
#[derive(Clone)]
pub(super) struct Remote {
    bucket: Arc<AmazonS3>,
    prefix: Key,
    folder: PathBuf,
    limit: u64,
    held: Arc<AtomicU64>,
}

impl Remote {
    /// The bucket that is configured so, with its copies in a folder.
    pub(super) fn open(config: &BucketConfig, folder: &Path) -> Result<Self, StoreError> {
        let wrong = |why: &str| {
            StoreError::Config(format!(
                "the bucket's address {why}: s3://NAME/PREFIX?endpoint=URL&region=NAME"
            ))
        };
        let url = Url::parse(&config.address).map_err(|error| wrong(&format!("is no URL ({error})")))?;
        if url.scheme() != "s3" || !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("has another form than this"));
        }
        let name = url.host_str().filter(|name| !name.is_empty()).ok_or_else(|| wrong("names no bucket"))?;
        // ring signs and encrypts here as everywhere else in the program; set by somebody else it is the same
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = AmazonS3Builder::from_env()
            .with_bucket_name(name)
            .with_checksum_algorithm(Checksum::SHA256)
            .with_retry(RetryConfig { max_retries: 6, retry_timeout: PATIENCE, ..RetryConfig::default() });
        if let Some((id, key)) = &config.key {
            builder = builder.with_access_key_id(id).with_secret_access_key(key);
        }
        for (member, value) in url.query_pairs() {
            builder = match member.as_ref() {
                "endpoint" => {
                    let plain = value.starts_with("http://");
                    builder.with_endpoint(value).with_allow_http(plain)
                }
                "region" => builder.with_region(value),
                other => return Err(wrong(&format!("has the member {other}, which is not known"))),
            };
        }
        let prefix = Key::parse(url.path().trim_matches('/'))
            .map_err(|error| wrong(&format!("has no usable prefix ({error})")))?;
        let remote = Self {
            bucket: Arc::new(builder.build()?),
            prefix,
            folder: folder.to_owned(),
            limit: config.copies,
            held: Arc::new(AtomicU64::new(0)),
        };
        let held = copies(folder).iter().map(|copy| copy.size).sum();
        remote.held.store(held, Ordering::Relaxed);
        Ok(remote)
    }

    fn key(&self, sha256: &str) -> Key {
        self.prefix.parts().chain(key(sha256).parts()).collect()
    }

    /// Asks the bucket for anything at all; an error if it does not answer.
    pub(super) async fn ask(&self) -> Result<(), StoreError> {
        let nothing = self.prefix.clone().join("nothing");
        match self.bucket.head(&nothing).await {
            Ok(_) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes bytes under their hash. Whoever wrote them before wrote the same.
    pub(super) async fn put(&self, sha256: &str, bytes: bytes::Bytes) -> Result<(), StoreError> {
        self.bucket.put(&self.key(sha256), PutPayload::from_bytes(bytes)).await?;
        Ok(())
    }

    /// Writes a file under its hash; it is seen when it is whole.
    pub(super) async fn put_file(&self, sha256: &str, file: &Path) -> Result<(), StoreError> {
        let to = self.key(sha256);
        // one that is about as old as what is thrown away is written again
        if let Ok(found) = self.bucket.head(&to).await
            && crate::now_ms().saturating_sub(millis(&found)) < FRESH.as_millis() as u64
        {
            return Ok(());
        }
        let mut from = tokio::fs::File::open(file).await.map_err(StoreError::io(file))?;
        let bucket = Arc::clone(&self.bucket) as Arc<dyn object_store::ObjectStore>;
        let mut writer = BufWriter::with_capacity(bucket, to, PART);
        let copied = tokio::io::copy(&mut from, &mut writer).await;
        match copied {
            Ok(_) => writer.shutdown().await.map_err(|error| StoreError::Bucket(error.to_string())),
            Err(error) => {
                // parts that nobody will complete
                let _ = writer.abort().await;
                Err(StoreError::Bucket(error.to_string()))
            }
        }
    }

    /// Streams a blob to `sink`.
    pub(super) async fn read(
        &self,
        sha256: &str,
        mut sink: impl FnMut(&[u8]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let found = match self.bucket.get(&self.key(sha256)).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => {
                return Err(StoreError::NotFound { what: "blob", id: sha256.to_owned() });
            }
            Err(error) => return Err(error.into()),
        };
        let mut bytes = found.into_stream();
        while let Some(piece) = bytes.next().await {
            sink(&piece?)?;
        }
        Ok(())
    }

    /// The size of a blob.
    pub(super) async fn size(&self, sha256: &str) -> Result<u64, StoreError> {
        match self.bucket.head(&self.key(sha256)).await {
            Ok(found) => Ok(found.size),
            Err(object_store::Error::NotFound { .. }) => {
                Err(StoreError::NotFound { what: "blob", id: sha256.to_owned() })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a blob that was not written since a Unix time in milliseconds; false if it was.
    pub(super) async fn remove_old(&self, sha256: &str, before_ms: u64) -> Result<bool, StoreError> {
        let key = self.key(sha256);
        match self.bucket.head(&key).await {
            Ok(found) if millis(&found) >= before_ms => return Ok(false),
            Ok(_) => {}
            Err(object_store::Error::NotFound { .. }) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
        match self.bucket.delete(&key).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    /// Every blob there.
    pub(super) async fn list(&self) -> Result<Vec<BlobInfo>, StoreError> {
        let whole = (!self.prefix.is_root()).then_some(&self.prefix);
        let depth = self.prefix.parts().count();
        let found: Vec<_> = self.bucket.list(whole).try_collect().await?;
        let blobs = found.into_iter().filter_map(|meta| {
            let name: Vec<String> =
                meta.location.parts().skip(depth).map(|part| part.as_ref().to_owned()).collect();
            Some(BlobInfo { sha256: blob_name(&name)?, size: meta.size, written_ms: millis(&meta) })
        });
        Ok(blobs.collect())
    }

    /// An address from which a blob may be read by whoever has it, for so long.
    pub(super) async fn link(&self, sha256: &str, keep: Duration) -> Result<String, StoreError> {
        Ok(self.bucket.signed_url(reqwest::Method::GET, &self.key(sha256), keep).await?.to_string())
    }

    /// Tells that a copy of so many bytes is here now, and makes room if there are too many.
    pub(super) async fn held(&self, bytes: u64) -> Result<(), StoreError> {
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if held <= self.limit {
            return Ok(());
        }
        let (folder, limit) = (self.folder.clone(), self.limit);
        let left = blocking(move || Ok(make_room(&folder, limit))).await?;
        self.held.store(left, Ordering::Relaxed);
        Ok(())
    }
}

fn millis(meta: &ObjectMeta) -> u64 {
    u64::try_from(meta.last_modified.timestamp_millis()).unwrap_or(0)
}

/// A copy in the folder.
struct LocalCopy {
    path: PathBuf,
    size: u64,
    used: SystemTime,
}

fn copies(folder: &Path) -> Vec<LocalCopy> {
    let folders = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = folders
        .filter(|entry| entry.file_name() != INCOMING)
        .filter_map(|entry| fs::read_dir(entry.path()).ok());
    let copied = files.flatten().flatten().filter_map(|file| {
        let meta = file.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(LocalCopy { path: file.path(), size: meta.len(), used: meta.modified().ok()? })
    });
    copied.collect()
}

/// Removes copies, the one used longest ago first, until nine tenths of the limit are left; answers how much is.
fn make_room(folder: &Path, limit: u64) -> u64 {
    let mut copies = copies(folder);
    copies.sort_by_key(|copy| copy.used);
    let mut held: u64 = copies.iter().map(|copy| copy.size).sum();
    let now = SystemTime::now();
    for copy in &copies {
        let fresh = now.duration_since(copy.used).unwrap_or_default() < IN_USE;
        if held <= limit / 10 * 9 || fresh {
            break;
        }
        if fs::remove_file(&copy.path).is_ok() {
            held -= copy.size;
        }
    }
    held
}

/// Notes that a copy is used, so that it is not the next to go.
pub(super) fn touch(path: &Path) -> std::io::Result<()> {
    fs::File::options().append(true).open(path)?.set_modified(SystemTime::now())
}
