//! The files of a data folder that concern the running daemon: its lock, its socket, its log, and where it can be
//! reached. Models and their history are the store's.

use crate::local::owner;
use anyhow::{Context, Result};
use contract::Secret;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use store::private;

/// The beginning of the key of this machine's user; like all keys it is kept out of the audit log.
const LOCAL_KEY: &str = "psk_local_";
/// A socket address holds 108 bytes on Linux and 104 elsewhere, the closing zero included.
const SOCKET_PATH_BYTES: usize = 100;

/// A data folder that exists.
#[derive(Debug, Clone)]
pub(crate) struct DataFolder {
    root: PathBuf,
    socket: PathBuf,
}

/// The address of a running daemon; written at its start, for people and for `pensaer serve`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Running {
    /// Process id.
    pub(crate) pid: u32,
    /// The program's version.
    pub(crate) version: String,
    /// Address of its HTTP side, without a slash at its end.
    pub(crate) url: String,
    /// Its Unix socket.
    pub(crate) socket: PathBuf,
}

impl DataFolder {
    /// Makes the folder if it is not there.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        private::folder(root).with_context(|| format!("cannot make the data folder {}", root.display()))?;
        let root = fs::canonicalize(root).with_context(|| format!("cannot enter {}", root.display()))?;
        let socket = socket_path(&root)?;
        Ok(Self { root, socket })
    }

    /// The folder itself.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the socket on which the daemon listens.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// Returns the folder in which workers keep indexes of large files; made if it is not there.
    pub(crate) fn indexes(&self) -> Result<PathBuf> {
        let folder = self.root.join("indexes");
        private::folder(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder)
    }

    /// Returns the log of the daemon and its workers.
    pub(crate) fn log(&self) -> PathBuf {
        self.root.join("daemon.log")
    }

    /// The key by which the user of this machine is known over HTTP; made if there is none. Only its owner can read it.
    pub(crate) fn local_key(&self) -> Result<Secret> {
        let path = self.root.join("local-key");
        if let Ok(text) = fs::read_to_string(&path)
            && is_local_key(text.trim())
        {
            private::file(&path)
                .with_context(|| format!("cannot take {} away from others", path.display()))?;
            return Ok(Secret::new(text.trim()));
        }
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).context("no random numbers")?;
        let key = format!("{LOCAL_KEY}{}", contract::hex(&bytes));
        let partial = self.root.join("local-key.partial");
        let _ = fs::remove_file(&partial);
        let mut options = File::options();
        private::made_with(options.write(true).create_new(true), 0o600);
        let written =
            options.open(&partial).and_then(|mut file| file.write_all(format!("{key}\n").as_bytes()));
        written
            .and_then(|()| fs::rename(&partial, &path))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Secret::new(key))
    }

    /// Why a daemon that was to start did not.
    pub(crate) fn failure(&self) -> PathBuf {
        self.root.join("daemon.failed")
    }

    fn running_file(&self) -> PathBuf {
        self.root.join("daemon.json")
    }

    /// The folder's lock, held by its daemon as long as it lives; `None` if another process holds it. The operating
    /// system lets go of it when the process dies, however it dies.
    pub(crate) fn lock_daemon(&self) -> Result<Option<File>> {
        let file = self.lock_file("daemon.lock")?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error).context("cannot lock the data folder"),
        }
    }

    /// Waits for the right to start a daemon, so that of several clients one does.
    pub(crate) fn lock_start(&self) -> Result<File> {
        let file = self.lock_file("start.lock")?;
        file.lock().context("cannot lock the data folder")?;
        Ok(file)
    }

    fn lock_file(&self, name: &str) -> Result<File> {
        let path = self.root.join(name);
        let mut options = File::options();
        private::made_with(options.create(true).truncate(false).write(true), 0o600);
        options.open(&path).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Says where the daemon can be reached.
    pub(crate) fn write_running(&self, running: &Running) -> Result<()> {
        let text = serde_json::to_string_pretty(running)?;
        let partial = self.root.join("daemon.json.partial");
        fs::write(&partial, text)
            .and_then(|()| fs::rename(&partial, self.running_file()))
            .context("cannot write daemon.json")
    }

    /// Returns the address that the daemon wrote down; it may have ended since.
    pub(crate) fn running(&self) -> Option<Running> {
        serde_json::from_slice(&fs::read(self.running_file()).ok()?).ok()
    }

    /// Takes down what [`DataFolder::write_running`] put up, and the socket. Only the daemon does, while it holds the lock.
    pub(crate) fn clear_running(&self) {
        for path in [self.running_file(), self.socket.clone()] {
            let _ = fs::remove_file(path);
        }
    }

    /// The last lines of the daemon's log.
    pub(crate) fn log_tail(&self) -> String {
        const BYTES: u64 = 2000;
        let read = || -> std::io::Result<String> {
            let mut file = File::open(self.log())?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(BYTES)))?;
            let mut bytes = Vec::new();
            file.take(BYTES).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
        };
        read().unwrap_or_default()
    }
}

/// `daemon.sock` in the folder; where that is too long for a socket address, a name made from the folder's in a folder of
/// the user's own.
fn socket_path(root: &Path) -> Result<PathBuf> {
    let beside = root.join("daemon.sock");
    if beside.as_os_str().len() <= SOCKET_PATH_BYTES {
        return Ok(beside);
    }
    let parent = match std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|dir| dir.is_dir()) {
        Some(dir) => dir.join("pensaer"),
        None => std::env::temp_dir().join(format!("pensaer-{}", owner(root)?)),
    };
    private::folder(&parent).with_context(|| format!("cannot make {}", parent.display()))?;
    // the name under the temporary folder is easy to guess: somebody else may have taken it first
    anyhow::ensure!(
        owner(&parent)? == owner(root)?,
        "{} belongs to somebody else; set XDG_RUNTIME_DIR to a folder of your own",
        parent.display()
    );
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    let name = digest.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
    Ok(parent.join(format!("{name:016x}.sock")))
}

/// True for a key as it is made here.
fn is_local_key(text: &str) -> bool {
    let secret = text.strip_prefix(LOCAL_KEY);
    secret.is_some_and(|secret| secret.len() == 64 && secret.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_held_by_one() {
        let dir = tempfile::tempdir().unwrap();
        let folder = DataFolder::open(dir.path()).unwrap();
        let held = folder.lock_daemon().unwrap();
        assert!(held.is_some());
        assert!(folder.lock_daemon().unwrap().is_none());
        drop(held);
        assert!(folder.lock_daemon().unwrap().is_some());
    }

    #[test]
    fn a_long_path_gets_a_short_socket_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let deep = |name: &str| DataFolder::open(&dir.path().join("long/".repeat(30)).join(name)).unwrap();
        let (one, other) = (deep("one"), deep("other"));
        assert!(one.socket().as_os_str().len() <= SOCKET_PATH_BYTES, "{}", one.socket().display());
        assert_ne!(one.socket(), other.socket());
        assert_eq!(one.socket(), deep("one").socket());
        assert!(!one.socket().starts_with(dir.path()));
    }
}
