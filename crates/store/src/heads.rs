//! Heads of the audit log, noted beside the database. A chain shows every change within it, but not that its end was cut
//! off, nor that all of it was written anew; a head that was noted elsewhere does.

use crate::error::StoreError;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;

/// The file in the data folder.
pub(crate) const FILE: &str = "audit-heads";

/// Notes a head, unless it is the last that was noted.
pub(crate) fn note(path: &Path, sequence: u64, hash: &str) -> Result<(), StoreError> {
    let line = format!("{sequence}:{hash}");
    if read(path)?.last().is_some_and(|(at, known)| *at == sequence && known == hash) {
        return Ok(());
    }
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(StoreError::io(path))?;
    writeln!(file, "{line}").and_then(|()| file.sync_data()).map_err(StoreError::io(path))
}

/// Reads the noted heads in order. A line that was only half written is none.
pub(crate) fn read(path: &Path) -> Result<Vec<(u64, String)>, StoreError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io(path)(error)),
    };
    let mut heads = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(StoreError::io(path))?;
        if let Some((sequence, hash)) = line.split_once(':')
            && let Ok(sequence) = sequence.parse()
            && hash.len() == 64
        {
            heads.push((sequence, hash.to_owned()));
        }
    }
    Ok(heads)
}
