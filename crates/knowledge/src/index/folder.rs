//! A folder of an index as tantivy reads and writes it: files mapped into memory, and no locks.
//!
//! Those who read never change anything, and who writes does so in a folder that nobody else knows yet (see `generation`), so that
//! there is nothing to lock; a confined process could not take a lock either.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

/// A folder of files that are written once.
#[derive(Debug, Clone)]
pub struct Folder {
    path: Arc<PathBuf>,
}

impl Folder {
    /// The folder at a path, which there is.
    pub fn new(path: &Path) -> Self {
        Self { path: Arc::new(path.to_owned()) }
    }

    fn at(&self, name: &Path) -> PathBuf {
        self.path.join(name)
    }
}

fn unread(error: io::Error, name: &Path) -> OpenReadError {
    if error.kind() == io::ErrorKind::NotFound {
        OpenReadError::FileDoesNotExist(name.to_owned())
    } else {
        OpenReadError::IoError { io_error: Arc::new(error), filepath: name.to_owned() }
    }
}

impl Directory for Folder {
    fn get_file_handle(&self, name: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let map = || -> io::Result<OwnedBytes> {
            let file = File::open(self.at(name))?;
            // an empty file cannot be mapped
            if file.metadata()?.len() == 0 {
                return Ok(OwnedBytes::empty());
            }
            // SAFETY: files of an index are written once, under a name that is made known when they are whole, and are never changed
            // or cut short afterwards
            let map = unsafe { memmap2::Mmap::map(&file) }?;
            Ok(OwnedBytes::new(map))
        };
        Ok(Arc::new(map().map_err(|error| unread(error, name))?))
    }

    fn delete(&self, name: &Path) -> Result<(), DeleteError> {
        fs::remove_file(self.at(name)).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                DeleteError::FileDoesNotExist(name.to_owned())
            } else {
                DeleteError::IoError { io_error: Arc::new(error), filepath: name.to_owned() }
            }
        })
    }

    fn exists(&self, name: &Path) -> Result<bool, OpenReadError> {
        self.at(name).try_exists().map_err(|error| unread(error, name))
    }

    fn open_write(&self, name: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = OpenOptions::new().write(true).create_new(true).open(self.at(name)).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                OpenWriteError::FileAlreadyExists(name.to_owned())
            } else {
                OpenWriteError::IoError { io_error: Arc::new(error), filepath: name.to_owned() }
            }
        })?;
        Ok(BufWriter::new(Box::new(Written(file))))
    }

    fn atomic_read(&self, name: &Path) -> Result<Vec<u8>, OpenReadError> {
        fs::read(self.at(name)).map_err(|error| unread(error, name))
    }

    fn atomic_write(&self, name: &Path, data: &[u8]) -> io::Result<()> {
        let mut hidden = name.as_os_str().to_owned();
        hidden.push(".part");
        let hidden = self.at(Path::new(&hidden));
        let mut file = File::create(&hidden)?;
        file.write_all(data)?;
        file.sync_data()?;
        fs::rename(&hidden, self.at(name))
    }

    fn sync_directory(&self) -> io::Result<()> {
        File::open(self.path.as_path())?.sync_all()
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

struct Written(File);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for Written {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.sync_data()
    }
}
