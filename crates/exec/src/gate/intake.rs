//! What requests bring, as files that workers may read: each once, under its own SHA-256, for as long as there is room.

use super::{Fetch, GateConfig, links};
use contract::{Fault, FaultCode, Request, Source, VersionId};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A file used so lately may still be read by a call; it stays.
const IN_USE: Duration = Duration::from_mins(15);

/// The files that requests brought.
pub(super) struct Intake {
    folder: PathBuf,
    buffer: Arc<Mutex<UploadBuffer>>,
    sequence: AtomicU64,
    fetch: Option<Arc<dyn Fetch>>,
    fetch_from: Vec<String>,
    fetch_bytes: u64,
    fetch_limit: Duration,
}

/// The files in the folder, with their sizes and their last use.
struct UploadBuffer {
    files: HashMap<String, Upload>,
    /// The file behind a link, without its signature, when it was of this version: neither changes.
    links: HashMap<(String, VersionId), String>,
    bytes: u64,
    limit: u64,
}

struct Upload {
    size: u64,
    used: Instant,
}

/// A file that is being written. It goes if it is not kept.
struct Draft {
    path: PathBuf,
    kept: bool,
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Intake {
    pub(super) fn new(config: &GateConfig) -> io::Result<Self> {
        let folder = GateConfig::readable(&config.folder);
        std::fs::create_dir_all(&folder)?;
        let folder = folder.canonicalize()?;
        let mut buffer =
            UploadBuffer { files: HashMap::new(), links: HashMap::new(), bytes: 0, limit: config.kept_bytes };
        // what an earlier process took in is as good as ever; what it did not finish is not
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let size = entry.metadata()?.len();
            if name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                buffer.bytes += size;
                let used = Instant::now().checked_sub(IN_USE).unwrap_or_else(Instant::now);
                buffer.files.insert(name, Upload { size, used });
            } else {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        Ok(Self {
            folder,
            buffer: Arc::new(Mutex::new(buffer)),
            sequence: AtomicU64::new(0),
            fetch: config.fetch.clone(),
            fetch_from: config.fetch_from.clone(),
            fetch_bytes: config.fetch_bytes,
            fetch_limit: config.fetch_limit,
        })
    }

    /// Makes every source of a request a path that workers may read; small deltas stay in it.
    pub(super) async fn take_in(&self, request: &mut Request) -> Result<(), Fault> {
        for (at, model) in request.models.iter_mut().enumerate() {
            if let Some(base) = &mut model.base {
                let version = model.base_version.as_ref();
                self.localise(base, &format!("models[{at}].base"), None, version).await?;
            }
            for (n, delta) in model.deltas.iter_mut().enumerate() {
                if !matches!(delta, Source::Inline(_)) {
                    self.localise(delta, &format!("models[{at}].deltas[{n}]"), None, None).await?;
                }
            }
        }
        for (at, file) in request.files.iter_mut().enumerate() {
            let sha256 = Some(file.sha256.as_str()).filter(|sha256| !sha256.is_empty());
            self.localise(&mut file.source, &format!("files[{at}].source"), sha256, None).await?;
        }
        Ok(())
    }

    async fn localise(
        &self,
        source: &mut Source,
        field: &str,
        sha256: Option<&str>,
        version: Option<&VersionId>,
    ) -> Result<(), Fault> {
        if let Some(held) = sha256.and_then(|sha256| self.held(sha256))
            && !matches!(source, Source::Path(_))
        {
            *source = held;
            return Ok(());
        }
        let taken = match source {
            Source::Path(_) => {
                return Err(Fault::new(
                    FaultCode::PermissionDenied,
                    "Paths of this machine are not named over the network. Send the bytes inline, or a link that this service \
                     may follow.",
                )
                .with("field", field));
            }
            Source::Inline(_) => {
                let Some(bytes) = source.inline_bytes() else {
                    return Err(Fault::invalid(field, "This is not valid base64."));
                };
                self.keep(field, sha256, move |out| out.write_all(&bytes)).await?
            }
            Source::Href(url) => {
                links::check(url, &self.fetch_from, field)?;
                let plain = url.split('?').next().unwrap_or_default().to_owned();
                let link = version.map(|version| (plain, version.clone()));
                let known = link.as_ref().and_then(|link| self.buffer.lock().links.get(link).cloned());
                if let Some(known) = known.filter(|known| self.held(known).is_some()) {
                    known
                } else {
                    let taken = self.follow(url, field, sha256).await?;
                    if let Some(link) = link {
                        self.buffer.lock().links.insert(link, taken.clone());
                    }
                    taken
                }
            }
        };
        *source = Source::Path(self.folder.join(taken).display().to_string());
        Ok(())
    }

    async fn follow(&self, url: &str, field: &str, sha256: Option<&str>) -> Result<String, Fault> {
        let Some(fetch) = self.fetch.clone() else {
            return Err(Fault::new(FaultCode::NotSupported, "This service does not follow links.")
                .with("field", field));
        };
        let (url, limit, wall) = (url.to_owned(), self.fetch_bytes, self.fetch_limit);
        self.keep(field, sha256, move |out| fetch.fetch(&url, limit, wall, out)).await
    }

    /// A file that is there already.
    fn held(&self, sha256: &str) -> Option<Source> {
        let mut buffer = self.buffer.lock();
        let kept = buffer.files.get_mut(sha256)?;
        kept.used = Instant::now();
        Some(Source::Path(self.folder.join(sha256).display().to_string()))
    }

    /// Writes a file and keeps it under its hash, which it answers.
    async fn keep(
        &self,
        field: &str,
        sha256: Option<&str>,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static,
    ) -> Result<String, Fault> {
        let number = self.sequence.fetch_add(1, Ordering::Relaxed);
        let (folder, buffer) = (self.folder.clone(), Arc::clone(&self.buffer));
        let expected = sha256.map(str::to_owned);
        let made = tokio::task::spawn_blocking(move || -> Result<String, Refused> {
            let mut draft = Draft { path: folder.join(format!("draft-{number}")), kept: false };
            let mut out = Hashed { file: File::create(&draft.path)?, hash: Sha256::new(), size: 0 };
            write(&mut out)?;
            let found = contract::hex(&out.hash.finalize());
            if expected.is_some_and(|expected| expected != found) {
                return Err(Refused::OtherBytes);
            }
            let mut buffer = buffer.lock();
            buffer.make_room(&folder, out.size)?;
            std::fs::rename(&draft.path, folder.join(&found))?;
            draft.kept = true;
            let kept = Upload { size: out.size, used: Instant::now() };
            let before = buffer.files.insert(found.clone(), kept);
            buffer.bytes =
                buffer.bytes.saturating_add(out.size).saturating_sub(before.map_or(0, |before| before.size));
            Ok(found)
        });
        let made =
            made.await.map_err(|error| Fault::backend(format!("A file was not taken in: {error}.")))?;
        made.map_err(|refused| refused.fault().with("field", field))
    }
}

impl UploadBuffer {
    /// Removes what was not used for longest, until so many bytes more have room.
    fn make_room(&mut self, folder: &Path, bytes: u64) -> Result<(), Refused> {
        while self.bytes.saturating_add(bytes) > self.limit {
            let idle = self.files.iter().filter(|(_, kept)| kept.used.elapsed() >= IN_USE);
            let Some(oldest) = idle.min_by_key(|(_, kept)| kept.used).map(|(name, _)| name.clone()) else {
                return Err(Refused::NoRoom(self.limit));
            };
            // a worker that has it mapped keeps what it sees
            let _ = std::fs::remove_file(folder.join(&oldest));
            self.links.retain(|_, name| *name != oldest);
            if let Some(kept) = self.files.remove(&oldest) {
                self.bytes = self.bytes.saturating_sub(kept.size);
            }
        }
        Ok(())
    }
}

/// Why a file was not taken in.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("other bytes")]
    OtherBytes,
    #[error("no room")]
    NoRoom(u64),
}

impl Refused {
    fn fault(&self) -> Fault {
        match self {
            Self::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => Fault::new(
                FaultCode::LimitReached,
                format!("The file is too large for this service: {error}."),
            )
            .with("limit", "fetch_bytes"),
            Self::Io(error) => Fault::new(
                FaultCode::NotFound,
                format!(
                    "The file could not be taken in: {error}. See whether the link still holds and can be reached from here."
                ),
            ),
            Self::OtherBytes => Fault::new(
                FaultCode::UnreadableFile,
                "The file's bytes do not match the hash that was given for it.",
            ),
            Self::NoRoom(limit) => Fault::new(
                FaultCode::Busy,
                format!("The {limit} bytes that this service has for files are all in use. Try again later."),
            )
            .with("limit", "kept_bytes")
            .with("retry_after_ms", 60_000),
        }
    }
}

/// Passes bytes on, and counts and hashes them.
struct Hashed {
    file: File,
    hash: Sha256,
    size: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(bytes.get(..written).unwrap_or_default());
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
