//! Generations of an index in its folder: each in a folder of its own below, written whole before the file `current` names it.
//!
//! Several processes may read while one writes: they go on with the generation that they opened. One writes at a time; that is for
//! who calls to see to. What a writer that died left behind is removed by the next.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that names the generation to read.
const CURRENT: &str = "current";
/// The beginning of the name of a folder that is still being written.
const UNFINISHED: &str = "unfinished-";
/// The beginning of the name of a whole generation.
const WHOLE: &str = "generation-";

/// The folder of the generation to read; none where nothing was written yet.
pub fn current(folder: &Path) -> io::Result<Option<PathBuf>> {
    match fs::read_to_string(folder.join(CURRENT)) {
        Ok(name) => {
            let name = name.trim();
            // a name, never a path
            if name.strip_prefix(WHOLE).and_then(|number| number.parse::<u64>().ok()).is_none() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "`current` names no generation"));
            }
            Ok(Some(folder.join(name)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A generation that is being written.
pub struct Unfinished {
    folder: PathBuf,
    number: u64,
}

impl Unfinished {
    /// A new, empty one; with `from`, one with the files of the current generation in it.
    pub fn begin(folder: &Path, from: Option<&Path>) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut newest = 0;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(UNFINISHED) {
                fs::remove_dir_all(entry.path())?;
            } else if let Some(number) =
                name.strip_prefix(WHOLE).and_then(|number| number.parse::<u64>().ok())
            {
                newest = newest.max(number);
            }
        }
        let unfinished = Self { folder: folder.to_owned(), number: newest + 1 };
        fs::create_dir(unfinished.path())?;
        for entry in from.map(fs::read_dir).transpose()?.into_iter().flatten() {
            let entry = entry?;
            let to = unfinished.path().join(entry.file_name());
            // files are never changed, so that a second name will do; where that is not allowed, as in a confined process, a copy: of what
            // is in it, since permissions may not be set there either
            if fs::hard_link(entry.path(), &to).is_err() {
                io::copy(&mut fs::File::open(entry.path())?, &mut fs::File::create_new(&to)?)?;
            }
        }
        Ok(unfinished)
    }

    /// The folder to write into.
    pub fn path(&self) -> PathBuf {
        self.folder.join(format!("{UNFINISHED}{}", self.number))
    }

    /// Makes it the generation to read, and removes those before it.
    pub fn finish(self) -> io::Result<PathBuf> {
        let name = format!("{WHOLE}{}", self.number);
        let whole = self.folder.join(&name);
        fs::rename(self.path(), &whole)?;
        let part = self.folder.join(format!("{CURRENT}.part"));
        let mut file = fs::File::create(&part)?;
        file.write_all(name.as_bytes())?;
        file.sync_data()?;
        fs::rename(&part, self.folder.join(CURRENT))?;
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let old = entry.file_name().to_string_lossy().starts_with(WHOLE) && entry.path() != whole;
            // who still reads it has its files open; what cannot be removed now is removed later
            if old {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(whole)
    }
}
