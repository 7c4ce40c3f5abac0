//! The folder that one run works in: what is put there for the programs, and what is taken out of it. Programs that read a model
//! of strangers wrote it, so nothing but plain files is taken, by their known names.

use contract::{Fault, FileInput, FileOut, Request, Source};
use exec::files;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The files of a run that are kept: role, file, media type.
const KEPT: [(&str, &str, &str); 10] = [
    ("results", "eplusout.sql", "application/vnd.sqlite3"),
    ("errors", "eplusout.err", "text/plain"),
    ("report", "eplustbl.htm", "text/html"),
    ("tables", "eplustbl.csv", "text/csv"),
    ("series", "eplusout.csv", "text/csv"),
    ("meters", "eplusmtr.csv", "text/csv"),
    ("variables", "eplusout.rdd", "text/plain"),
    ("meter_names", "eplusout.mdd", "text/plain"),
    ("initialisation", "eplusout.eio", "text/plain"),
    ("expanded", "expanded.idf", "text/plain"),
];

/// The file in the scratch of a call that says that its run is to end.
const END: &str = "end";

/// A folder below the call's scratch, removed with the run.
pub(crate) struct RunFolder(PathBuf);

impl Drop for RunFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl RunFolder {
    pub(crate) fn new(scratch: &Path, request: &Request) -> Result<Self, Fault> {
        let path = scratch.join(files::name(request, "run"));
        // a run that was begun before and lost may have left it
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).map_err(|error| cannot("make", &path, &error))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.0.join(name);
        fs::write(&path, bytes).map_err(|error| cannot("write", &path, &error))
    }

    pub(crate) fn copy(&self, from: &Path, name: &str) -> Result<(), Fault> {
        let mut source = File::open(from).map_err(|error| cannot("read", from, &error))?;
        let path = self.0.join(name);
        let mut target = File::create(&path).map_err(|error| cannot("write", &path, &error))?;
        io::copy(&mut source, &mut target).map_err(|error| cannot("write", &path, &error))?;
        Ok(())
    }

    /// Makes a folder in it.
    pub(super) fn add(&self, name: &str) -> Result<(), Fault> {
        let path = self.0.join(name);
        fs::create_dir(&path).map_err(|error| cannot("make", &path, &error))
    }

    /// Puts a file that came with the request here.
    pub(crate) fn take(&self, file: &FileInput, name: &str) -> Result<(), Fault> {
        match (&file.source, file.source.inline_bytes()) {
            (Source::Path(path), _) => self.copy(Path::new(path), name),
            (_, Some(bytes)) => self.write(name, &bytes),
            _ => Err(Fault::backend(format!("The file {} did not come with the request.", file.role))),
        }
    }

    /// True if whoever asked for the run wants it to end, with what it has left by then.
    pub(super) fn is_to_end(&self) -> bool {
        self.0.parent().is_some_and(|scratch| scratch.join(END).exists())
    }

    /// The bytes of all files in it and in folders below.
    pub(super) fn size(&self) -> u64 {
        let mut folders = vec![self.0.clone()];
        let mut size = 0_u64;
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                match entry.metadata() {
                    Ok(about) if about.is_dir() => folders.push(entry.path()),
                    Ok(about) => size = size.saturating_add(about.len()),
                    Err(_) => {}
                }
            }
        }
        size
    }

    /// Takes a file away that a program before left here.
    pub(crate) fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.0.join(name));
    }

    /// A plain file that was left here.
    pub(super) fn file(&self, name: &str) -> Option<PathBuf> {
        let path = self.0.join(name);
        fs::symlink_metadata(&path).is_ok_and(|about| about.is_file()).then_some(path)
    }

    /// The bytes of such a file, at most so many.
    pub(crate) fn bytes(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(self.file(name)?).ok()?;
        io::Read::read_to_end(&mut io::Read::take(file, most), &mut bytes).ok()?;
        Some(bytes)
    }

    /// Everything that is kept of a run, where the caller finds it.
    pub(super) fn hand_on(&self, request: &Request) -> Result<Vec<FileOut>, Fault> {
        let mut handed = Vec::new();
        for (role, name, media_type) in KEPT {
            let Some(path) = self.file(name) else { continue };
            let mut source = File::open(&path).map_err(|error| cannot("read", &path, &error))?;
            let place = files::name(request, name);
            let out =
                files::out_with(request, role, place, media_type, |to| io::copy(&mut source, to).map(drop))?;
            // found under a name of its own, kept under its usual one
            handed.push(FileOut { name: name.to_owned(), ..out });
        }
        Ok(handed)
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Fault {
    Fault::backend(format!("Cannot {what} {}: {error}.", path.display()))
}
