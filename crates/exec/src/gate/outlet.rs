//! What operations made, on its way to the caller: small files within the answer, large ones behind an address of this
//! service that holds for a while.

use super::GateConfig;
use contract::{Artifact, Fault, OperationId, Source};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Bytes of files within one answer, taken together, as a multiple of what one may have.
const TOGETHER: u64 = 16;

/// The files that operations made.
pub(super) struct Outlet {
    scratch: PathBuf,
    kept: PathBuf,
    inline_bytes: u64,
    keep: Duration,
    files: Mutex<HashMap<String, Instant>>,
}

/// The folder of one call. It goes with the call.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Outlet {
    pub(super) fn new(config: &GateConfig) -> io::Result<Self> {
        let (scratch, kept) = (GateConfig::writable(&config.folder), config.folder.join("kept"));
        std::fs::create_dir_all(&scratch)?;
        for entry in std::fs::read_dir(&scratch)?.flatten() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
        let _ = std::fs::remove_dir_all(&kept);
        std::fs::create_dir_all(&kept)?;
        Ok(Self {
            scratch: scratch.canonicalize()?,
            kept: kept.canonicalize()?,
            inline_bytes: config.inline_bytes,
            keep: config.keep,
            files: Mutex::default(),
        })
    }

    /// A folder for the files of one call.
    pub(super) fn scratch(&self) -> Result<Scratch, Fault> {
        let folder = self.scratch.join(OperationId::new().as_str());
        std::fs::create_dir(&folder)
            .map_err(|error| Fault::backend(format!("There is no room for result files: {error}.")))?;
        Ok(Scratch(folder))
    }

    /// Makes every path in an answer something that a caller elsewhere can have.
    pub(super) fn give_out(&self, artifact: &mut Artifact, scratch: &Scratch) -> Result<(), Fault> {
        self.sweep();
        let mut left = self.inline_bytes.saturating_mul(TOGETHER);
        for change in &mut artifact.changes {
            let sources = change.delta.iter_mut().chain(change.file.iter_mut().map(|file| &mut file.source));
            for source in sources {
                self.give(source, scratch, &mut left)?;
            }
        }
        for file in &mut artifact.files {
            self.give(&mut file.source, scratch, &mut left)?;
        }
        Ok(())
    }

    fn give(&self, source: &mut Source, scratch: &Scratch, left: &mut u64) -> Result<(), Fault> {
        let Source::Path(path) = source else { return Ok(()) };
        let failed = |error: io::Error| Fault::backend(format!("A result file cannot be read: {error}."));
        let path = Path::new(path).canonicalize().map_err(failed)?;
        if !path.starts_with(scratch.path()) {
            return Err(Fault::backend("A worker answered a file outside its folder."));
        }
        let size = path.metadata().map_err(failed)?.len();
        if size <= self.inline_bytes && size <= *left {
            *left -= size;
            *source = Source::inline(&std::fs::read(&path).map_err(failed)?);
            return Ok(());
        }
        let id = OperationId::new().to_string();
        std::fs::rename(&path, self.kept.join(&id)).map_err(failed)?;
        self.files.lock().insert(id.clone(), Instant::now() + self.keep);
        *source = Source::Href(format!("/files/{id}"));
        Ok(())
    }

    /// Returns the path of a file that was made a while ago, if it is still kept.
    pub(super) fn find(&self, id: &str) -> Option<PathBuf> {
        self.sweep();
        let files = self.files.lock();
        files.contains_key(id).then(|| self.kept.join(id))
    }

    /// Removes what was kept long enough. Who still reads it reads on.
    pub(super) fn sweep(&self) {
        let now = Instant::now();
        self.files.lock().retain(|id, until| {
            let keep = *until > now;
            if !keep {
                let _ = std::fs::remove_file(self.kept.join(id));
            }
            keep
        });
    }
}
